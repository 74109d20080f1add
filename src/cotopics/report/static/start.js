// Everything is drawn once, and again when topics are renamed or merged; choosing a topic updates the views.

const VIEWS = ["explore", "heat", "documents", "words", "space", "comparison", "overview"];

function drawAll() {
  const record = edited(page.original, page.edits);
  Object.assign(page, { record, watchers: [] });
  for (const view of VIEWS.slice(1)) emptied(document.getElementById(view));
  for (const show of [showEdits, showList, showMap, showTopic, showLeading, showHeat, showDocuments, showWords, showSpace, showComparison, showOverview]) show(record);
  choose(page.topic, false);
}

// A section with its heading alone.
function emptied(section) {
  const heading = section.firstElementChild;
  clear(section);
  if (heading) section.appendChild(heading);
}

function openView(view) {
  page.view = view;
  document.body.setAttribute("data-view", view);
  for (const name of VIEWS) {
    const section = document.getElementById(name);
    if (name === view) section.removeAttribute("hidden");
    else section.setAttribute("hidden", "");
    const link = document.getElementById(`to-${name}`);
    if (name === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function writeAddress() {
  const address = addressOf(page.view, page.topic, page.edits);
  if (location.hash !== address && page.ready) history.replaceState(null, "", address);
}

// What an address asks for: "#topic-3&view-words&name-3=courts", or "#words".
function readAddress() {
  const n = page.original.topics.length;
  const parts = location.hash.replace(/^#/, "").split("&");
  const asked = parts.map((part) => /^topic-(\d+)$/.exec(part)).find((found) => found && Number(found[1]) < n);
  const view = parts.map((part) => part.replace(/^view-/, "")).find((part) => VIEWS.includes(part));
  page.edits = editsIn(location.hash, n);
  if (asked) page.topic = Number(asked[1]);
  openView(view && (view !== "comparison" || page.original.comparison) ? view : "explore");
  drawAll();
}

function onKey(event) {
  if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowLeft") stepTopic(-1);
  if (event.key === "ArrowRight") stepTopic(1);
  const target = { "/": "find", n: "topic-name", d: "find-document" }[event.key];
  const field = target && document.getElementById(target);
  if (!field) return;
  event.preventDefault();
  if (target === "topic-name") openView("explore");
  if (target === "find-document") openView("documents");
  field.focus();
}

function start() {
  const record = JSON.parse(document.getElementById("data").textContent);
  Object.assign(page, { original: record, topic: record.ranking[0] });
  document.title = record.title;
  document.getElementById("title").textContent = record.title;
  if (record.comparison !== null) document.getElementById("to-comparison").removeAttribute("hidden");
  for (const view of VIEWS) {
    document.getElementById(`to-${view}`).addEventListener("click", (event) => {
      event.preventDefault();
      openView(view);
      writeAddress();
    });
  }
  document.addEventListener("keydown", onKey);
  showSearch();
  readAddress();
  page.ready = true;
  window.addEventListener("hashchange", readAddress);
  document.body.setAttribute("data-ready", "true");
  performance.mark("ready");
}

if (typeof document !== "undefined") start();

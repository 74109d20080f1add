"use strict";
// What all views use. Text from a corpus is only written by textContent and setAttribute, so it stays data.

const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#8a8a8a"]; // Okabe and Ito
// As in cotopics.export.tables: what a spreadsheet would take for a formula
const RUNS = /^(?='*[\t\r\n])|(^|;)(?=[\s"'`\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]*[=+\-@＝＋－＠﹦﹢﹣﹫])/g;

const STRIPES = [45, 135, 90, 0]; // degrees; topics beyond the eight colours are striped

// original: the record as it was written; record: with the edits; word and document: those searched for last
const page = { original: null, record: null, topic: 0, view: "explore", edits: { names: {}, merge: [] }, watchers: [], word: null, document: null, first: null, shade: null };

// An element with attributes and children; a child that is not an element is text.
function make(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// The same in a drawing, with the namespace of the empty drawing on the page.
function draw(tag, attributes, ...children) {
  return fill(document.createElementNS(document.getElementById("blank").namespaceURI, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, String(value));
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined) continue;
    element.appendChild(typeof child === "object" ? child : document.createTextNode(String(child)));
  }
  return element;
}

function clear(element) {
  element.textContent = "";
  return element;
}

// Text from a corpus, which must not change the direction of the text around it.
function quoted(text) {
  return make("bdi", { dir: "auto" }, text);
}

function button(text, action, kind) {
  const element = make("button", { type: "button", class: kind || "" }, text);
  element.addEventListener("click", action);
  return element;
}

function labelled(text, control) {
  return make("label", null, text, control);
}

function options(select, pairs) {
  for (const [value, text] of pairs) select.appendChild(make("option", { value }, text));
  return select;
}

// The colour of a topic, with stripes if another topic already has it.
function topicColour(k) {
  const colour = COLOURS[k % COLOURS.length];
  const round = Math.floor(k / COLOURS.length);
  if (round === 0) return colour;
  const wide = 3 + 2 * Math.floor((round - 1) / STRIPES.length);
  return `repeating-linear-gradient(${STRIPES[(round - 1) % STRIPES.length]}deg, ${colour} 0 ${wide}px, var(--paper) ${wide}px ${wide + 2}px)`;
}

function percent(share) {
  if (share === 0) return "0 %";
  if (share > 0 && share < 0.0005) return "<0.1 %";
  return `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
}

function number(value) {
  if (value === null || value === undefined) return "–";
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}

// "2.1 times as often as by chance", or simpler words.
function often(lift) {
  if (lift < 0.005) return "never together";
  if (lift > 0.95 && lift < 1.05) return "together as often as by chance";
  return `together ${Number(lift.toPrecision(2))} times as often as by chance`;
}

function topicName(k) {
  return `${k}: ${page.record.topics[k].name}`;
}

// Strength of the colour of a lift, from 0 to 1; the colour changes at 1, and eight times as often is full strength.
function strength(lift) {
  return lift > 1 ? Math.min(0.45 + 0.55 * Math.log2(lift) / 3, 1) : 0.45 * Math.sqrt(lift);
}

function pairsAbove(lift, threshold) {
  const found = [];
  for (let i = 0; i < lift.length; i++) {
    for (let j = i + 1; j < lift.length; j++) if (lift[i][j] >= threshold && lift[i][j] > 0) found.push([i, j]);
  }
  return found;
}

function folded(text) {
  return String(text).normalize("NFC").toLowerCase();
}

// Positions of the words that match a search: equal ones, then those that begin with it, then those that contain it.
function searchWords(words, query, most) {
  const wanted = folded(query.trim());
  if (!wanted) return words.slice(0, most).map((_, i) => i);
  const ranks = [[], [], []];
  words.forEach((word, i) => {
    const at = folded(word).indexOf(wanted);
    if (at >= 0) ranks[folded(word) === wanted ? 0 : at === 0 ? 1 : 2].push(i);
  });
  return ranks.flat().slice(0, most);
}

function shareOf(document, topic) {
  for (let i = 0; i < document.shares.length; i += 2) if (document.shares[i] === topic) return document.shares[i + 1] / 1000;
  return 0;
}

// Positions of the documents that match a search, a topic (-1: any) and a label ("": any), by their share of the topic.
function searchDocuments(documents, query, topic, label) {
  const wanted = folded(query.trim());
  const found = [];
  documents.forEach((d, i) => {
    if (topic >= 0 && shareOf(d, topic) === 0) return;
    if (label !== "" && d.label !== label) return;
    if (wanted && !folded(`${d.id || ""} ${d.label || ""} ${d.text}`).includes(wanted)) return;
    found.push(i);
  });
  if (topic >= 0) found.sort((a, b) => shareOf(documents[b], topic) - shareOf(documents[a], topic) || a - b);
  return found;
}

function csvCell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = String(value).replace(RUNS, "$1'");
  return /[",\x00-\x1f\x7f-\x9f\u2028\u2029]|^\s|\s$/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function csv(rows) {
  return rows.map((row) => row.map(csvCell).join(",") + "\n").join("");
}

// A button that saves a table; its rows are made when it is pressed.
function download(name, rows) {
  return saveButton("csv", `${name}.csv`, "text/csv", () => csv(rows()), "download");
}

// A button that saves a text, which is made when it is pressed.
function saveButton(title, file, type, text, kind) {
  return button(title, () => {
    const address = URL.createObjectURL(new Blob([text()], { type }));
    const link = make("a", { href: address, download: file });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }, kind);
}

// A table with a heading and a button to save it. Cells are text or elements; plain gives the rows that are saved.
function table(name, heading, rows, plain) {
  const isNumber = (i) => rows.length > 0 && typeof rows[0][i] === "number";
  const head = make("tr", null, heading.map((text, i) => make("th", { scope: "col", class: isNumber(i) ? "number" : "" }, text)));
  const body = rows.map((row) => make("tr", null, row.map((cell) => make("td", { class: typeof cell === "number" ? "number" : "text" },
    typeof cell === "number" ? number(cell) : cell))));
  return [
    make("div", { class: "wide" }, make("table", null, make("thead", null, head), make("tbody", null, body))),
    make("div", { class: "controls" }, download(name, () => [heading, ...(plain ? plain() : rows)])),
  ];
}

// Bars with words on the left and numbers on the right; entries are [word, size from 0 to 1, text].
function bars(entries) {
  return make("div", { class: "bars" }, entries.map(([word, size, text]) => {
    const bar = make("span", { class: "bar" });
    bar.style.width = `${(100 * size).toFixed(1)}%`;
    return [typeof word === "object" ? word : quoted(word), make("span", null, bar), make("span", { class: "number soft" }, text)];
  }).flat());
}

function topicLink(k) {
  return button([`${k}: `, quoted(page.record.topics[k].name)], () => choose(k, true), "link");
}

// Show a topic in every view; with `go`, go to where it is shown.
function choose(k, go) {
  page.topic = page.record.into[k];
  if (go) openView("explore");
  for (const watcher of page.watchers) watcher(page.topic);
  document.body.setAttribute("data-topic", String(page.topic));
  writeAddress();
  const narrow = typeof matchMedia === "function" && matchMedia("(max-width: 60rem)").matches;
  if (go && narrow) document.getElementById("topic").scrollIntoView();
}

// Enter and Space do what a click does.
function pressable(element, name, action) {
  element.setAttribute("tabindex", "0");
  element.setAttribute("role", "button");
  element.setAttribute("aria-label", name);
  element.addEventListener("click", action);
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      action();
    }
  });
  return element;
}

// Many elements of a drawing as one stop of the Tab key. Each has its position in "data-at"; arrow keys move between them.
// `step` gives the next position, `label` its name, `tell` is called when it has the focus, `action` when it is pressed.
function roving(drawing, elements, step, label, tell, action) {
  let at = 0;
  const stop = (i) => {
    elements[at].setAttribute("tabindex", "-1");
    at = i;
    elements[at].setAttribute("tabindex", "0");
    elements[at].setAttribute("role", action ? "button" : "img");
    elements[at].setAttribute("aria-label", label(at));
  };
  const place = (event) => {
    const found = event.target.getAttribute("data-at");
    return found === null ? null : Number(found);
  };
  drawing.addEventListener("mousemove", (event) => { if (place(event) !== null) tell(place(event)); });
  drawing.addEventListener("focusin", (event) => { if (place(event) !== null) tell(place(event)); });
  drawing.addEventListener("click", (event) => {
    if (place(event) === null) return;
    stop(place(event));
    if (action) action(at);
  });
  drawing.addEventListener("keydown", (event) => {
    if (place(event) === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (action && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      action(at);
    } else if (["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(event.key)) {
      event.preventDefault();
      event.stopPropagation(); // or the page would go to another topic
      stop(step(at, event.key));
      elements[at].focus();
    }
  });
  if (elements.length) stop(0);
  return stop;
}

// Everything is drawn once; choosing a topic then updates the views.

function start() {
  const record = JSON.parse(document.getElementById("data").textContent);
  page.record = record;
  document.title = record.title;
  document.getElementById("title").textContent = record.title;
  for (const show of [showOverview, showMap, showHeat, showTopic, showSpace, showDocuments, showWords, showComparison]) show(record);
  document.addEventListener("keydown", (event) => {
    if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = { "/": "find-word", d: "find-document" }[event.key];
    const field = target && document.getElementById(target);
    if (field) {
      event.preventDefault();
      field.focus();
    }
  });
  const follow = (otherwise) => {
    const asked = /^#topic-(\d+)$/.exec(location.hash);
    if (asked && Number(asked[1]) < record.topics.length) choose(Number(asked[1]), true);
    else if (otherwise !== null) choose(otherwise, false);
  };
  window.addEventListener("hashchange", () => follow(null));
  follow(record.ranking[0]);
  document.body.setAttribute("data-ready", "true");
  performance.mark("ready");
}

if (typeof document !== "undefined") start();

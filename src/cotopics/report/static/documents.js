// Search of documents and words.

const AT_A_TIME = 20;

function aboutDocument(d, first) {
  return make("div", { class: "about" },
    first ? make("strong", null, first) : null,
    make("span", null, d.id === undefined ? `document ${d.number}` : quoted(d.id)),
    d.label === undefined ? null : make("span", null, "label ", quoted(d.label)),
    d.date === undefined ? null : make("span", null, quoted(d.date)),
    make("span", null, `${number(d.length)} words`));
}

function mixture(d) {
  const bar = make("div", { class: "mixture", role: "img", "aria-label": mixtureText(d) });
  for (let i = 0; i < d.shares.length; i += 2) {
    const [k, share] = [d.shares[i], d.shares[i + 1] / 1000];
    const part = make("span", { title: `${topicName(k)}, ${percent(share)}` });
    part.style.width = `${100 * share}%`;
    part.style.background = topicColour(k);
    bar.appendChild(part);
  }
  return bar;
}

function mixtureText(d) {
  const parts = [];
  for (let i = 0; i < d.shares.length; i += 2) parts.push(`${percent(d.shares[i + 1] / 1000)} topic ${d.shares[i]}`);
  return parts.join(", ");
}

function showDocuments(record) {
  const section = document.getElementById("documents");
  if (!record.documents.length) {
    fill(section, null, [make("p", { class: "hint" }, "This report was made from the model alone. Name its documents to see them here: cotopics report MODEL INPUT -o report.html")]);
    return;
  }
  const search = make("input", { type: "search", id: "find-document", placeholder: "text, id or label" });
  const topic = options(make("select", { id: "document-topic" }), [[-1, "any topic"], ...record.ranking.map((k) => [k, topicName(k)])]);
  const labels = [...new Set(record.documents.map((d) => d.label).filter((label) => label !== undefined))].sort();
  const label = options(make("select", { id: "document-label" }), [["", "any label"], ...labels.map((text) => [text, text])]);
  const list = make("div");
  const status = make("p", { class: "say", role: "status" });
  let most = AT_A_TIME;
  const found = () => searchDocuments(record.documents, search.value, Number(topic.value), label.value);
  const show = () => {
    const hits = found();
    status.textContent = `${number(hits.length)} of ${number(record.documents.length)} documents here; ${number(record.n_documents)} in all`;
    fill(clear(list), null, [
      hits.slice(0, most).map((i) => {
        const d = record.documents[i];
        const leading = [];
        for (let at = 0; at < Math.min(d.shares.length, 6); at += 2) leading.push(make("span", null, `${percent(d.shares[at + 1] / 1000)} `, topicLink(d.shares[at])));
        return make("div", { class: "document" }, aboutDocument(d), mixture(d), make("div", { class: "about" }, leading), make("p", { class: "excerpt text", dir: "auto" }, d.text));
      }),
      hits.length > most ? button("Show more", () => { most += AT_A_TIME; show(); }) : null,
    ]);
  };
  const again = () => { most = AT_A_TIME; show(); };
  search.addEventListener("input", again);
  topic.addEventListener("change", again);
  label.addEventListener("change", again);
  const rows = () => [["document", "id", "label", "date", "words", ...record.ranking.map((k) => `topic_${k}`)],
    ...found().map((i) => record.documents[i]).map((d) => [d.number, d.id, d.label, d.date, d.length, ...record.ranking.map((k) => shareOf(d, k))])];
  fill(section, null, [
    make("p", { class: "hint" }, "Each bar is a document's mixture of topics; shares below 3 % are left out."),
    make("div", { class: "controls" }, labelled("Search", search), labelled("Topic", topic), labels.length ? labelled("Label", label) : null, download("documents", rows)),
    status,
    list,
  ]);
  show();
}

function showWords(record) {
  const section = document.getElementById("words");
  const search = make("input", { type: "search", id: "find-word", placeholder: "a word" });
  const list = make("div");
  const show = () => {
    const found = searchWords(record.words, search.value, 25);
    const plain = () => searchWords(record.words, search.value, record.words.length).map((i) => [record.words[i], record.memberships[i][0], memberText(record, i)]);
    const rows = found.map((i) => [quoted(record.words[i]), record.memberships[i][0], memberParts(record, i)]);
    fill(clear(list), null, found.length
      ? table("words", ["word", "uses in a million words", "topics of its uses"], rows, plain)
      : [make("p", { class: "say" }, "No word here contains this; rare words are not in this report.")]);
  };
  search.addEventListener("input", show);
  fill(section, null, [
    make("p", { class: "hint" }, `The ${number(record.words.length)} most frequent of ${number(record.n_words)} words, and the topics that use them.`),
    make("div", { class: "controls" }, labelled("Search", search)),
    list,
  ]);
  show();
}

function memberParts(record, word) {
  const [, ...shares] = record.memberships[word];
  const parts = [];
  for (let i = 0; i < shares.length; i += 2) parts.push(make("div", null, `${percent(shares[i + 1] / 1000)} `, topicLink(shares[i])));
  return parts;
}

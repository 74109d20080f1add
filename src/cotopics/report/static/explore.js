// The list of topics, and one search for topics, words and documents.

const MOST_FOUND = 6; // of each kind

function showList(record) {
  const list = clear(document.getElementById("list"));
  const largest = Math.max(...record.ranking.map((k) => record.topics[k].prevalence), 1e-300);
  const chosen = new Set();
  const merge = button("Merge", () => {
    const topics = [...chosen].sort((a, b) => a - b);
    choose(topics[0], false);
    edit(mergeTopics(page.edits, topics));
  }, "merge");
  const ready = () => {
    merge.textContent = chosen.size > 1 ? `Merge ${chosen.size} topics` : "Tick topics to merge";
    if (chosen.size > 1) merge.removeAttribute("disabled");
    else merge.setAttribute("disabled", "");
  };
  const rows = record.ranking.map((k) => {
    const topic = record.topics[k];
    const box = make("input", { type: "checkbox", id: `merge-${k}`, "aria-label": `merge topic ${topicName(k)}` });
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(k);
      else chosen.delete(k);
      ready();
    });
    const bar = make("span", { class: "bar" });
    bar.style.width = `${(100 * topic.prevalence / largest).toFixed(1)}%`;
    const row = button([make("span", { class: "soft" }, `${k} `), quoted(topic.name), make("span", { class: "size" }, bar, make("span", { class: "soft" }, percent(topic.prevalence)), isWeak(record, k) ? make("span", { class: "weak", title: "does not come back in fits of parts of the documents" }, "?") : null)],
      () => choose(k, true), "row");
    return [k, row, make("li", null, box, row)];
  });
  page.watchers.push((k) => rows.forEach(([i, row]) => {
    if (i !== k) return row.removeAttribute("aria-current");
    row.setAttribute("aria-current", "true");
    if (row.scrollIntoViewIfNeeded) row.scrollIntoViewIfNeeded(false);
    return null;
  }));
  ready();
  const saved = () => [["topic", "name", "share", "anchor", "words"], ...record.ranking.map((k) => [k, record.topics[k].name,
    record.topics[k].prevalence, anchorsOf(record, k).join(" "), wordsOf(record, k, 10).join(" ")])];
  fill(list, null, [
    make("div", { class: "head" }, make("h2", null, `${record.ranking.length} topics`), merge),
    make("ul", { class: "topics" }, rows.map(([, , item]) => item)),
    make("div", { class: "controls" }, download("topics", saved)),
  ]);
}

function wordsOf(record, k, n) {
  const topic = record.topics[k];
  return topic.orders[record.relevances.indexOf(record.relevance)].slice(0, n).map((i) => record.words[topic.words[i][0]]);
}

function anchorsOf(record, k) {
  return record.topics[k].anchors.map(([word]) => record.words[word]);
}

// Topics whose names or leading words hold what is searched for.
function searchTopics(record, query) {
  const wanted = folded(query.trim());
  const texts = record.ranking.map((k) => [k, folded(record.topics[k].name), folded(wordsOf(record, k, 30).join(" "))]);
  const named = texts.filter(([k, name]) => name.includes(wanted) || String(k) === wanted).map(([k]) => k);
  return [...named, ...texts.filter(([k, , words]) => words.includes(wanted) && !named.includes(k)).map(([k]) => k)];
}

function showSearch() {
  const field = make("input", { type: "search", id: "find", placeholder: "Search topics, words, documents", "aria-label": "Search topics, words and documents" });
  const found = make("div", { id: "found", hidden: "" });
  const hide = () => found.setAttribute("hidden", "");
  const show = () => {
    clear(found);
    if (!field.value.trim()) return hide();
    fill(found, null, searchParts(page.record, field.value, hide));
    return found.removeAttribute("hidden");
  };
  field.addEventListener("input", show);
  field.addEventListener("focus", show);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    if (event.key === "Enter" && page.first) page.first();
  });
  document.addEventListener("click", (event) => { if (event.target !== field && !inside(event.target, found)) hide(); });
  fill(document.getElementById("search"), null, [field, found]);
}

function inside(element, outer) {
  for (let at = element; at; at = at.parentNode) if (at === outer) return true;
  return false;
}

// What was found, by kind; pressing one shows its topic. Enter takes the first.
function searchParts(record, query, hide) {
  page.first = null;
  const result = (text, action) => {
    const act = () => {
      hide();
      action();
    };
    if (page.first === null) page.first = act;
    return make("li", null, button(text, act, "link"));
  };
  const topics = searchTopics(record, query).slice(0, MOST_FOUND).map((k) => result([`${k}: `, quoted(record.topics[k].name)], () => choose(k, true)));
  const words = searchWords(record.words, query, MOST_FOUND).filter((i) => record.memberships[i].length > 1).map((i) => {
    const [, k, share] = record.memberships[i];
    return result([quoted(record.words[i]), make("span", { class: "soft" }, ` ${percent(share / 1000)} in ${k}: ${record.topics[k].name}`)], () => {
      page.word = i;
      choose(k, true);
    });
  });
  const documents = searchDocuments(record.documents, query, -1, "").filter((i) => record.documents[i].shares.length).slice(0, MOST_FOUND).map((i) => {
    const d = record.documents[i];
    return result([quoted(d.id === undefined ? `document ${d.number}` : d.id), make("span", { class: "soft" }, " ", quoted([...d.text].slice(0, 90).join("")))], () => {
      page.document = i;
      choose(d.shares[0], true);
    });
  });
  const parts = [["Topics", topics], ["Words", words], ["Documents", documents]].filter(([, items]) => items.length);
  if (!parts.length) return [make("p", { class: "say" }, "Nothing here contains this. Rare words, and some documents, are not in this page.")];
  return parts.map(([title, items]) => [make("h3", null, title), make("ul", null, items)]);
}

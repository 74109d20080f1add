// The chosen topic: its name, words, neighbours, anchor, course over time or labels, and documents.

const MOST_LABELS = 8;
const MOST_NEIGHBOURS = 6;
const MOST_WORDS = 15;

function showTopic(record) {
  const section = clear(document.getElementById("topic"));
  const name = make("input", { id: "topic-name", class: "name", maxlength: MAX_NAME, "aria-label": "Name of the topic", title: "Write a name, and press Enter" });
  const about = make("p", { class: "about" });
  const slider = make("input", { type: "range", id: "relevance", min: 0, max: record.relevances.length - 1, step: 1, title: "1: frequent words, 0: words of this topic alone" });
  slider.value = String(record.relevances.indexOf(record.relevance));
  const setting = make("output", { for: "relevance" });
  const [words, more] = [make("div"), make("div")];
  const showWords = () => {
    const at = Number(slider.value);
    setting.textContent = String(record.relevances[at]);
    fill(clear(words), null, [topicBars(record, page.topic, at)]);
  };
  name.addEventListener("change", () => renameTopic(record, page.topic, name.value));
  slider.addEventListener("input", showWords);
  page.watchers.push((k) => {
    const topic = record.topics[k];
    name.value = topic.name;
    fill(clear(about), null, [make("span", null, `topic ${k}`), make("span", null, `${percent(topic.prevalence)} of a document, on average`), intervalPart(topic), weakPart(record, k), mergedPart(record, k)]);
    showWords();
    fill(clear(more), null, topicParts(record, k));
    page.word = null;
  });
  fill(section, null, [
    name,
    about,
    make("div", { class: "controls" }, make("h3", null, "Words"), labelled("relevance", slider), setting),
    words,
    more,
  ]);
}

// What a topic was merged of, and a way back.
function mergedPart(record, k) {
  const group = page.edits.merge.find((topics) => topics.includes(k));
  if (group === undefined) return null;
  return make("span", null, `merged of ${group.join(", ")} `,
    button("separate", () => edit({ names: page.edits.names, merge: page.edits.merge.filter((other) => other !== group) }), "link"));
}

// An empty name takes a name away that was given on this page.
function renameTopic(record, k, text) {
  const names = { ...page.edits.names };
  const name = checkedName(text);
  if (name === record.topics[k].name) return;
  delete names[k];
  if (name && (name !== page.original.topics[k].name || record.members[k].length > 1)) names[k] = name;
  edit({ names, merge: page.edits.merge });
}

// The next topic in the list, or the one before.
function stepTopic(by) {
  const { ranking } = page.record;
  choose(ranking[(ranking.indexOf(page.topic) + by + ranking.length) % ranking.length], false);
}

function topicBars(record, k, at) {
  const topic = record.topics[k];
  const shown = topic.orders[at].map((i) => topic.words[i]);
  const largest = Math.max(...shown.map(([, p]) => p), 1e-300);
  return [
    bars(shown.slice(0, MOST_WORDS).map(([word, p, lift]) => [wordPart(record, word), p / largest, `${percent(p)}, ×${number(lift)}`])),
    make("div", { class: "controls" }, download(`topic-${k}-words`, () => [["word", "probability", "lift"],
      ...shown.map(([word, p, lift]) => [record.words[word], p, lift])])),
  ];
}

// A word that shows on the map, while it is pointed at or has the focus, which topics its uses belong to.
function wordPart(record, word) {
  const part = make("bdi", { dir: "auto", class: word === page.word ? "word searched" : "word", tabindex: "0", title: memberText(record, word) }, record.words[word]);
  for (const kind of ["mouseenter", "focus"]) part.addEventListener(kind, () => page.shade(word));
  for (const kind of ["mouseleave", "blur"]) part.addEventListener(kind, () => page.shade(null));
  return part;
}

function topicParts(record, k) {
  const topic = record.topics[k];
  const near = topic.characteristic;
  const most = near && near.length ? near[0][1] : 1;
  return [
    record.time === null ? null : coursePart(record, k),
    record.groups === null ? null : groupsPart(record, k),
    neighboursPart(record, k),
    anchorPart(record, topic),
    near === null ? null : make("details", null, make("summary", null, "Words next to the anchor"),
      bars(near.slice(0, 20).map(([word, p]) => [record.words[word], p / most, percent(p)])),
      make("div", { class: "controls" }, download(`topic-${k}-characteristic`, () => [["word", "probability"], ...near.map(([word, p]) => [record.words[word], p])]))),
  ];
}

// Mean share in the documents of each label, the largest first.
function groupsPart(record, k) {
  const { names, documents, shares } = record.groups;
  const order = names.map((_, i) => i).sort((a, b) => shares[k][b] - shares[k][a] || a - b);
  const most = Math.max(...shares[k], 1e-300);
  return make("div", null, make("h3", null, "By label"),
    bars(order.slice(0, MOST_LABELS).map((i) => [names[i], shares[k][i] / most, `${percent(shares[k][i])}`])),
    make("div", { class: "controls" }, download(`topic-${k}-by-label`, () => [["label", "documents", "share"], ...names.map((name, i) => [name, documents[i], shares[k][i]])])));
}

function anchorPart(record, topic) {
  if (!topic.anchors.length) return make("p", { class: "hint" }, "This method finds topics without anchor words.");
  return [
    make("h3", { title: "The topic was found by this word. It is good evidence if nearly all its uses belong to this topic." },
      topic.anchors.length > 1 ? "Anchors" : "Anchor"),
    make("ul", null, topic.anchors.map(([word, share, uses]) => make("li", null, quoted(record.words[word]),
      `: ${percent(share)} of its uses belong to this topic; ${number(uses)} uses in a million words`))),
  ];
}

function neighboursPart(record, k) {
  const topic = record.topics[k];
  if (!topic.neighbours.length) return make("p", { class: "hint" }, "It is hardly ever in a document with another topic.");
  const most = record.lift[k][topic.neighbours[0]] || 1;
  return make("div", null, make("h3", { title: "Topics that are in the same documents, and how many times as often as by chance" }, "Neighbours, times as often as by chance"),
    bars(topic.neighbours.slice(0, MOST_NEIGHBOURS).map((j) => [topicLink(j), record.lift[k][j] / most, `×${number(Number(record.lift[k][j].toPrecision(2)))}`])));
}

// How sure a prevalence is, and whether the topic comes back; only where documents were drawn again.
function intervalPart(topic) {
  return topic.interval ? make("span", { title: "95 % interval, by documents drawn again" }, `${percent(topic.interval[0])} to ${percent(topic.interval[1])}`) : null;
}

function weakPart(record, k) {
  return isWeak(record, k) ? make("span", { class: "weak", title: `Agreement with fits of parts of the documents: ${record.topics[k].firmness}` }, "does not come back") : null;
}

function isWeak(record, k) {
  return Boolean(record.topics[k].interval) && record.weak.includes(k);
}

function coursePart(record, k) {
  const { periods, documents, shares, errors } = record.time;
  return make("div", null, make("h3", { title: "Mean shares; the band is an interval of 95 %" }, "Over time"),
    lineChart(periods, shares[k], percent, -1, (t) => `${periods[t]}: ${percent(shares[k][t])} of ${documents[t]} documents`, errors[k]),
    make("div", { class: "controls" }, download(`topic-${k}-over-time`, () => [["period", "documents", "share", "error"], ...periods.map((p, t) => [p, documents[t], shares[k][t], errors[k][t]])])));
}

// A line of values along names; the scale includes 0, one position may be marked, and `say` gives the text of a dot.
// errors are half the lengths of intervals, drawn as a band.
function lineChart(names, values, written, marked, say, errors) {
  const [width, height] = [320, 120];
  const upper = values.map((value, t) => (value === null || errors[t] === null ? null : value + errors[t]));
  const lower = values.map((value, t) => (value === null || errors[t] === null ? null : Math.max(value - errors[t], 0)));
  const [low, high] = extent([0, ...[...values, ...upper].filter((value) => value !== null)]);
  const x = (t) => 6 + (width - 12) * t / Math.max(names.length - 1, 1);
  const y = (value) => height - 22 - (height - 42) * (value - low) / (high - low || 1);
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "A line; the same numbers are in the csv file" },
    draw("line", { class: "axis", x1: 0, x2: width, y1: y(0), y2: y(0) }),
    marked < 0 ? null : draw("line", { class: "edge", x1: x(marked), x2: x(marked), y1: 16, y2: height - 20, "stroke-dasharray": "4 3" }),
    bandPaths(lower, upper, x, y).map((d) => draw("path", { class: "band", d })),
    draw("path", { class: "line", d: linePath(values, x, y) }),
    values.map((value, t) => (value === null ? null : draw("circle", { class: "corner", cx: x(t), cy: y(value), r: 2.4 }, draw("title", null, say(t))))),
    draw("text", { x: 2, y: height - 6, class: "soft" }, names[0]),
    draw("text", { x: width - 2, y: height - 6, "text-anchor": "end", class: "soft" }, names[names.length - 1]),
    draw("text", { x: 2, y: 12, class: "soft" }, `${written(low)} to ${written(high)}`));
}

// Closed paths around the bands, one for each run of periods that have both ends.
function bandPaths(lower, upper, x, y) {
  const runs = [];
  lower.forEach((value, t) => {
    if (value === null) return;
    if (t > 0 && lower[t - 1] !== null) runs[runs.length - 1].push(t);
    else runs.push([t]);
  });
  const point = (values, t) => `${x(t).toFixed(1)} ${y(values[t]).toFixed(1)}`;
  return runs.map((run) => `M${[...run.map((t) => point(lower, t)), ...[...run].reverse().map((t) => point(upper, t))].join("L")}Z`);
}

// A path through the values, broken where one is missing.
function linePath(values, x, y) {
  let broken = true;
  return values.map((value, t) => {
    if (value === null) {
      broken = true;
      return "";
    }
    const step = `${broken ? "M" : "L"}${x(t).toFixed(1)} ${y(value).toFixed(1)}`;
    broken = false;
    return step;
  }).join("");
}

// Documents with the largest share of the chosen topic, with its words marked; the one searched for comes first.
function showLeading(record) {
  const part = clear(document.getElementById("leading"));
  const body = make("div");
  fill(part, null, [body]);
  page.watchers.push((k) => {
    fill(clear(body), null, documentsPart(record, record.topics[k], page.document));
    page.document = null;
  });
}

function documentsPart(record, topic, searched) {
  if (!record.documents.length) {
    return [make("p", { class: "hint" }, "To see documents here, name them: cotopics report MODEL INPUT.")];
  }
  const leading = topic.documents || [];
  const asked = searched === null || leading.some((found) => found.document === searched) ? [] : [{ document: searched, share: null, text: [] }];
  const first = leading.filter((found) => found.document === searched);
  const parts = [...asked, ...first, ...leading.filter((found) => found.document !== searched)].map((found) => {
    const d = record.documents[found.document];
    const pieces = found.text.length ? found.text.map((piece, i) => (i % 2 ? make("mark", null, piece) : piece)) : [d.text];
    return make("div", { class: found.document === searched ? "document searched" : "document" },
      aboutDocument(d, found.share === null ? "found" : `${percent(found.share)} of its words`), mixture(d), make("p", { class: "excerpt text", dir: "auto" }, pieces));
  });
  return [make("h3", null, "Documents with the largest share"), parts.length ? parts : make("p", { class: "hint" }, "No document has a large share of this topic.")];
}

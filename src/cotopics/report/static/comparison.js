// Two models: matched topics, and the measures of both.

function showComparison(record) {
  const found = record.comparison;
  if (found === null) return;
  const section = document.getElementById("comparison");
  const [first, second] = found.models;
  const alone = found.pairs.filter((pair) => pair.sides.includes(null)).length;
  const left = alone ? ` ${number(alone)} ${alone > 1 ? "topics have" : "topic has"} no partner, because one model has more topics; they come last.` : "";
  const words = (side) => (side === null ? null : side.words.map(([word]) => word).join(" "));
  const rows = () => [["topic", "share", "words", "overlap", "change", "other_topic", "other_share", "other_words"],
    ...found.pairs.map(({ sides: [a, b], overlap, change }) => [a && a.topic, a && a.prevalence, words(a), a && b ? overlap : null,
      change && changeText(change), b && b.topic, b && b.prevalence, words(b)])];
  fill(section, null, [
    make("p", { class: "hint" }, `Each topic of one model with the most similar topic of the other, the most similar pair first. The bar shows how much of their probability two topics share; words that lead both are marked.${left} The models know ${number(first.n_words)} and ${number(second.n_words)} words, ${number(found.n_shared)} of them in common.`),
    found.note ? make("p", { class: "card warning text" }, found.note) : null,
    changeList(found.pairs),
    make("div", { class: "pair heads" }, make("h3", null, "This model: ", quoted(first.name)), make("h3", null, "Overlap"), make("h3", null, "The other: ", quoted(second.name))),
    found.pairs.map(pairPart),
    make("div", { class: "controls" }, download("comparison", rows)),
    make("h3", null, "Measures of both"),
    make("p", { class: "hint" }, "The better value is in bold. Measures of co-occurrence use the documents as the first model weights them. If the models know different words, their measures are of different words too."),
    comparedTable(found.measures),
  ]);
}

// What became of topics of the other model, if that is the earlier one.
function changeList(pairs) {
  const changed = pairs.filter((pair) => pair.change);
  if (!changed.length) return null;
  const item = ({ sides: [a, b], change }) => make("li", null,
    a ? button(`topic ${a.topic}`, () => choose(a.topic, true), "link") : make("span", null, `topic ${b.topic} of the other`),
    " (", (a || b).words.slice(0, 3).map(([word], i) => [i ? ", " : "", quoted(word)]), `) ${changeText(change)}`,
    a && b ? `: ${percent(b.prevalence)} to ${percent(a.prevalence)} of a document, on average` : "");
  return make("div", { class: "card" }, make("h3", null, "From the other model to this one"), make("ul", { class: "changes" }, changed.map(item)));
}

function changeText(change) {
  return { grew: "grew", shrank: "shrank", new: "is new", gone: "is gone", split: `split off from topic ${change.with}`,
    merged: `is part of topic ${change.with} now` }[change.kind];
}

function pairPart({ sides, overlap }) {
  const [a, b] = sides;
  const bar = make("span", { class: "bar" });
  bar.style.width = `${(100 * overlap).toFixed(1)}%`;
  const between = a && b ? make("div", { class: "overlap" }, make("span", { class: "track" }, bar), make("span", { class: "number" }, percent(overlap)))
    : make("div", { class: "overlap soft" }, "no partner");
  return make("div", { class: "pair" }, sidePart(a, true), between, sidePart(b, false));
}

function sidePart(side, own) {
  if (side === null) return make("div", { class: "empty" });
  const { topic, prevalence, words } = side;
  const title = own ? button(`topic ${topic}`, () => choose(topic, true), "link") : make("span", null, `topic ${topic}`);
  return make("div", null, title, make("span", { class: "soft" }, `, ${percent(prevalence)} of a document, on average: `),
    words.map(([word, both]) => [both ? make("mark", null, quoted(word)) : quoted(word), " "]));
}

function comparedTable(measures) {
  const cell = (m, i) => make(m.better === i ? "strong" : "span", { class: "whole" }, m.shown[i]);
  const rows = measures.map((m) => [make("span", { class: "whole" }, m.name.replaceAll("_", " ")), cell(m, 0), cell(m, 1),
    make("span", { class: "soft" }, m.good), make("span", { class: "soft" }, m.meaning)]);
  return table("measures-of-both", ["measure", "this model", "the other", "what is good", "meaning"], rows,
    () => measures.map((m) => [m.name, ...m.values, m.good, m.meaning]));
}

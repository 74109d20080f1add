// One topic: its words, anchor, documents and neighbours, and its share over time.

function showTopic(record) {
  const section = document.getElementById("topic");
  const select = options(make("select", { id: "chosen-topic" }), record.ranking.map((k) => [k, topicName(k)]));
  const slider = make("input", { type: "range", id: "relevance", min: 0, max: record.relevances.length - 1, step: 1 });
  slider.value = String(record.relevances.indexOf(record.relevance));
  const setting = make("output", { for: "relevance" });
  const body = make("div", { id: "topic-body" });
  const words = make("div");
  const step = (by) => {
    const at = record.ranking.indexOf(page.topic) + by;
    choose(record.ranking[(at + record.ranking.length) % record.ranking.length], false);
  };
  const showWords = () => {
    const at = Number(slider.value);
    setting.textContent = `${record.relevances[at]} (1: frequent words, 0: words of this topic alone)`;
    fill(clear(words), null, [topicBars(record, page.topic, at)]);
  };
  select.addEventListener("change", () => choose(Number(select.value), false));
  slider.addEventListener("input", showWords);
  document.addEventListener("keydown", (event) => {
    if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  });
  page.watchers.push((k) => {
    select.value = String(k);
    showWords();
    fill(clear(body), null, topicParts(record, k, words));
  });
  fill(section, null, [
    make("div", { class: "controls" }, labelled("Topic", select), button("← larger", () => step(-1)), button("smaller →", () => step(1)),
      labelled("Relevance", slider), setting),
    body,
  ]);
}

function topicBars(record, k, at) {
  const topic = record.topics[k];
  const shown = topic.orders[at].map((i) => topic.words[i]);
  const largest = Math.max(...shown.map(([, p]) => p), 1e-300);
  return [
    bars(shown.slice(0, 20).map(([word, p, lift]) => [record.words[word], p / largest, `${percent(p)}, ×${number(lift)}`])),
    make("div", { class: "controls" }, download(`topic-${k}-words`, () => [["word", "probability", "lift"],
      ...shown.map(([word, p, lift]) => [record.words[word], p, lift])])),
  ];
}

function topicParts(record, k, words) {
  const topic = record.topics[k];
  const near = topic.characteristic;
  const most = near && near.length ? near[0][1] : 1;
  return [
    make("h3", null, `Topic ${k}: `, quoted(topic.name), `, ${percent(topic.prevalence)} of all words`),
    make("div", { class: "columns" },
      make("div", null, make("h3", null, "Prominent words"), make("p", { class: "hint" }, "Share of the topic, and how many times more often than in all topics."), words),
      near === null ? null : make("div", null, make("h3", null, "Words next to the anchor"),
        make("p", { class: "hint" }, "Words that occur together with the anchor, most often first."),
        bars(near.slice(0, 20).map(([word, p]) => [record.words[word], p / most, percent(p)])),
        make("div", { class: "controls" }, download(`topic-${k}-characteristic`, () => [["word", "probability"], ...near.map(([word, p]) => [record.words[word], p])]))),
      make("div", null, anchorPart(record, topic), neighboursPart(record, k), record.time === null ? null : coursePart(record, k))),
    documentsPart(record, topic),
  ];
}

function anchorPart(record, topic) {
  if (!topic.anchors.length) return make("p", { class: "hint" }, "This method finds topics without anchor words.");
  return [
    make("h3", null, topic.anchors.length > 1 ? "Its anchors" : "Its anchor"),
    make("p", { class: "hint" }, "The topic was found by this word. It is good evidence if nearly all its uses belong to this topic."),
    make("ul", null, topic.anchors.map(([word, share, uses]) => make("li", null, quoted(record.words[word]),
      `: ${percent(share)} of its uses belong to this topic; ${number(uses)} uses in a million words`))),
  ];
}

function neighboursPart(record, k) {
  const topic = record.topics[k];
  if (!topic.neighbours.length) return make("p", { class: "hint" }, "It is hardly ever in a document with another topic.");
  return make("div", null, make("h3", null, "Its neighbours"),
    make("ul", null, topic.neighbours.map((j) => make("li", null, topicLink(j), make("span", { class: "soft" }, ` ${often(record.lift[k][j])}`)))));
}

function coursePart(record, k) {
  const { periods, documents, shares } = record.time;
  return make("div", null, make("h3", null, "Over time"),
    lineChart(periods, shares[k], percent, -1, (t) => `${periods[t]}: ${percent(shares[k][t])} of ${documents[t]} documents`),
    make("div", { class: "controls" }, download(`topic-${k}-over-time`, () => [["period", "documents", "share"], ...periods.map((p, t) => [p, documents[t], shares[k][t]])])));
}

// A line of values along names; the scale includes 0, one position may be marked, and `say` gives the text of a dot.
function lineChart(names, values, written, marked, say) {
  const [width, height] = [320, 120];
  const [low, high] = extent([0, ...values.filter((value) => value !== null)]);
  const x = (t) => 6 + (width - 12) * t / Math.max(names.length - 1, 1);
  const y = (value) => height - 22 - (height - 42) * (value - low) / (high - low || 1);
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "A line; the same numbers are in the csv file" },
    draw("line", { class: "axis", x1: 0, x2: width, y1: y(0), y2: y(0) }),
    marked < 0 ? null : draw("line", { class: "edge", x1: x(marked), x2: x(marked), y1: 16, y2: height - 20, "stroke-dasharray": "4 3" }),
    draw("path", { class: "line", d: linePath(values, x, y) }),
    values.map((value, t) => (value === null ? null : draw("circle", { class: "corner", cx: x(t), cy: y(value), r: 2.4 }, draw("title", null, say(t))))),
    draw("text", { x: 2, y: height - 6, class: "soft" }, names[0]),
    draw("text", { x: width - 2, y: height - 6, "text-anchor": "end", class: "soft" }, names[names.length - 1]),
    draw("text", { x: 2, y: 12, class: "soft" }, `${written(low)} to ${written(high)}`));
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

function documentsPart(record, topic) {
  if (!topic.documents || !topic.documents.length) {
    return make("p", { class: "hint" }, "To see documents here, name them: cotopics report MODEL INPUT.");
  }
  return make("div", null, make("h3", null, "Documents with the largest share"),
    make("p", { class: "hint" }, "Marked words belong to this topic in this document."),
    topic.documents.map((found) => {
      const d = record.documents[found.document];
      const pieces = found.text.length ? found.text.map((piece, i) => (i % 2 ? make("mark", null, piece) : piece)) : [d.text];
      return make("div", { class: "document" }, aboutDocument(d, `${percent(found.share)} of its words`), make("p", { class: "excerpt text", dir: "auto" }, pieces));
    }));
}

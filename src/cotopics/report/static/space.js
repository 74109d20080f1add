// Words as dots among the topics' corners.

function showSpace(record) {
  const section = document.getElementById("space");
  const { corners, hull, dots, modelled, observed } = record.space;
  const size = 700;
  const all = [...corners, ...modelled, ...(observed || [])];
  const [left, right] = extent(all.map(([x]) => x));
  const [low, high] = extent(all.map(([, y]) => y));
  const scale = (size - 60) / Math.max(right - left, high - low, 1e-9);
  const height = 60 + scale * (high - low);
  const at = ([x, y]) => [30 + scale * (x - left), height - 30 - scale * (y - low)];
  const drawing = draw("svg", { viewBox: `0 0 ${size} ${height.toFixed(0)}`, role: "img", "aria-label": "Words as dots, topics as corners" });
  drawing.appendChild(draw("polygon", { class: "hull", points: hull.map((k) => at(corners[k]).map((v) => v.toFixed(1)).join(",")).join(" ") }));
  const circles = dots.map((word, i) => draw("circle", { class: "dot", r: 2.6, "data-dot": i }));
  circles.forEach((circle) => drawing.appendChild(circle));
  const marks = corners.map((corner, k) => {
    const [x, y] = at(corner);
    const mark = draw("rect", { class: "corner", x: x - 5, y: y - 5, width: 10, height: 10 }, draw("title", null, topicName(k)));
    pressable(mark, `corner of topic ${topicName(k)}`, () => choose(k, false));
    drawing.appendChild(mark);
    const side = x > size - 120 ? { x: x - 8, "text-anchor": "end" } : { x: x + 8 };
    drawing.appendChild(draw("text", { ...side, y: y - 6 }, corners.length > 30 ? k : `${k} ${[...record.topics[k].name.split(" ")[0]].slice(0, 16).join("")}`));
    return mark;
  });
  const place = (places) => circles.forEach((circle, i) => {
    const [x, y] = at(places[i]);
    circle.setAttribute("cx", x.toFixed(1));
    circle.setAttribute("cy", y.toFixed(1));
  });
  const which = options(make("select", { id: "which-space" }), [["modelled", "as the model explains them"], ["observed", "as the documents show them"]]);
  which.addEventListener("change", () => place(which.value === "observed" && observed ? observed : modelled));
  const search = make("input", { type: "search", id: "find-dot", placeholder: "a word" });
  const say = make("p", { class: "say", role: "status" });
  search.addEventListener("input", () => {
    const wanted = folded(search.value.trim());
    let found = 0;
    circles.forEach((circle, i) => {
      const hit = wanted !== "" && folded(record.words[dots[i]]).startsWith(wanted);
      found += hit ? 1 : 0;
      circle.setAttribute("class", hit ? "dot found" : "dot");
      circle.setAttribute("r", hit ? 6 : 2.6);
    });
    say.textContent = wanted === "" ? "" : `${found} words begin with it`;
  });
  drawing.addEventListener("mousemove", (event) => {
    const i = event.target.getAttribute("data-dot");
    if (i === null) return;
    say.textContent = `${record.words[dots[i]]}: ${memberText(record, dots[i])}`;
  });
  page.watchers.push((k) => marks.forEach((mark, i) => mark.setAttribute("class", i === k ? "corner chosen" : "corner")));
  place(modelled);
  fill(section, null, [
    make("p", { class: "hint" }, "A dot is a word, placed by the words that it occurs with; a square is where a word would be that only one topic uses. Every word is a mixture of topics, so words lie within the hull of the squares. As the documents show them, they scatter: that is noise, and more than the two dimensions that fit on a page."),
    make("div", { class: "controls" }, observed ? labelled("Words", which) : null, labelled("Find", search)),
    make("div", { class: "square" }, drawing),
    say,
    make("div", { class: "controls" }, download("words-in-space", () => [["word", "x", "y", "observed_x", "observed_y"],
      ...dots.map((word, i) => [record.words[word], ...modelled[i], ...(observed ? observed[i] : [null, null])])])),
  ]);
}

function extent(values) {
  return [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), -Infinity)];
}

// "60 % topic 3, 40 % topic 5"
function memberText(record, word) {
  const [, ...shares] = record.memberships[word];
  const parts = [];
  for (let i = 0; i < shares.length; i += 2) parts.push(`${percent(shares[i + 1] / 1000)} topic ${topicName(shares[i])}`);
  return parts.join("; ");
}

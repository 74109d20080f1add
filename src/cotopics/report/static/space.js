// Words as dots between the corners of the topics.

// The views: [name, title, corners, hull, places of the dots, a sentence]; views of the same name have the same scale.
function spaceViews({ corners, hull, modelled, observed, rectified }) {
  const views = [["model", "as the model explains them", corners, hull, modelled,
    "A square is the place of a word that only one topic uses. Every word is a mixture of topics, so words lie within the hull of the squares."]];
  if (observed) {
    views.push(["model", "as the documents show them", corners, hull, observed,
      "In the documents, words scatter around the hull, because of noise and because a page has only two dimensions."]);
  }
  if (rectified) {
    const { before, after } = rectified;
    const outside = ({ places, outside: n }) => `Drawn on this page, ${number(n)} of ${number(places.filter((at) => at !== null).length)} words lie outside the anchors' hull.`;
    views.push(["rectification", "before rectification", before.corners, before.hull, before.places,
      `The co-occurrence of these documents as counted, weighted as in the model. A square is the anchor of a topic. ${outside(before)}`]);
    views.push(["rectification", "after rectification", after.corners, after.hull, after.places,
      `The same words and anchors after the model's own rectification, repeated for this page. It removes what this number of topics cannot explain. ${outside(after)}`]);
  }
  return views;
}

function showSpace(record) {
  const section = document.getElementById("space");
  const { dots } = record.space;
  const views = spaceViews(record.space);
  const size = 700;
  const drawing = draw("svg", { viewBox: `0 0 ${size} ${size}`, role: "group", "aria-label": "Words as dots, topics as corners; arrow keys go from dot to dot" });
  const polygon = drawing.appendChild(draw("polygon", { class: "hull" }));
  const circles = dots.map((word, i) => draw("circle", { class: "dot", r: 2.6, "data-at": i }));
  circles.forEach((circle) => drawing.appendChild(circle));
  const marks = record.topics.map((_, k) => {
    const mark = draw("rect", { class: "corner", width: 10, height: 10 }, draw("title", null, topicName(k)));
    pressable(mark, `corner of topic ${topicName(k)}`, () => choose(k, false));
    return drawing.appendChild(mark);
  });
  const labels = record.topics.map((topic, k) => drawing.appendChild(
    draw("text", null, marks.length > 30 ? k : `${k} ${[...topic.name.split(/,? /)[0]].slice(0, 16).join("")}`)));
  const which = options(make("select", { id: "which-space" }), views.map(([, title], i) => [i, title]));
  const about = make("p", { class: "hint" });
  let [spots, stop] = [[], null];
  const place = () => {
    const [name, , corners, hull, places, sentence] = views[Number(which.value)];
    const together = views.filter((view) => view[0] === name).flatMap((view) => [...view[2], ...view[4]]).filter((at) => at !== null);
    const [left, right] = extent(together.map(([x]) => x));
    const [low, high] = extent(together.map(([, y]) => y));
    const scale = (size - 60) / Math.max(right - left, high - low, 1e-9);
    const height = 60 + scale * (high - low);
    const at = ([x, y]) => [30 + scale * (x - left), height - 30 - scale * (y - low)];
    drawing.setAttribute("viewBox", `0 0 ${size} ${height.toFixed(0)}`);
    polygon.setAttribute("points", hull.map((k) => at(corners[k]).map((v) => v.toFixed(1)).join(",")).join(" "));
    spots = places.map((spot) => (spot === null ? null : at(spot)));
    circles.forEach((circle, i) => {
      if (spots[i] === null) return circle.setAttribute("visibility", "hidden");
      const [x, y] = spots[i];
      for (const [key, value] of [["cx", x.toFixed(1)], ["cy", y.toFixed(1)], ["visibility", "visible"]]) circle.setAttribute(key, value);
    });
    corners.forEach((corner, k) => {
      const [x, y] = at(corner);
      marks[k].setAttribute("x", (x - 5).toFixed(1));
      marks[k].setAttribute("y", (y - 5).toFixed(1));
      const end = x > size - 120;
      for (const [key, value] of [["x", (end ? x - 8 : x + 8).toFixed(1)], ["y", (y - 6).toFixed(1)], ["text-anchor", end ? "end" : "start"]]) labels[k].setAttribute(key, value);
    });
    const shown = apart(corners.map(at), labels.map((label) => label.textContent.length), hull, size);
    labels.forEach((label, k) => label.setAttribute("visibility", shown[k] ? "visible" : "hidden"));
    about.textContent = sentence;
    if (spots.length) stop(Math.max(spots.findIndex((spot) => spot !== null), 0));
  };
  which.addEventListener("change", place);
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
  const label = (i) => `${record.words[dots[i]]}: ${memberText(record, dots[i])}`;
  stop = roving(drawing, circles, (i, key) => nearestDot(spots, i, key), label, (i) => { say.textContent = label(i); }, null);
  page.watchers.push((k) => marks.forEach((mark, i) => mark.setAttribute("class", i === k ? "corner chosen" : "corner")));
  place();
  const names = views.flatMap(([, title]) => ["x", "y"].map((axis) => `${axis}_${title.replaceAll(" ", "_")}`));
  fill(section, null, [
    make("p", { class: "hint" }, "A dot is a word. Words are near if they occur with the same words, in the two dimensions where the topics lie furthest apart. Words far outside are drawn at the edge."),
    make("div", { class: "controls" }, views.length > 1 ? labelled("Words", which) : null, labelled("Find", search)),
    about,
    make("div", { class: "square" }, drawing),
    say,
    make("div", { class: "controls" }, download("words-in-space", () => [["word", ...names],
      ...dots.map((word, i) => [record.words[word], ...views.flatMap((view) => view[4][i] || [null, null])])])),
  ]);
}

// Which labels are shown: corners of the hull first, then the others, if they cover no earlier label.
function apart(spots, lengths, hull, size) {
  const letter = window.innerWidth < 640 ? 22 : 12; // as in the style
  const boxes = spots.map(([x, y], k) => {
    const width = 0.62 * letter * lengths[k];
    const left = x > size - 120 ? x - 8 - width : x + 8;
    return [left, y - 6 - letter, left + width, y - 4];
  });
  const shown = spots.map(() => false);
  for (const k of new Set([...hull, ...spots.keys()])) {
    shown[k] = !boxes.some((box, i) => shown[i] && box[0] < boxes[k][2] && boxes[k][0] < box[2] && box[1] < boxes[k][3] && boxes[k][1] < box[3]);
  }
  return shown;
}

// The next dot in the direction of an arrow key. Home and End: the most and the least frequent word.
function nearestDot(spots, from, key) {
  const there = spots.map((spot, i) => i).filter((i) => spots[i] !== null);
  if (key === "Home" || key === "End" || spots[from] === null) return there[key === "End" ? there.length - 1 : 0];
  const [right, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let [best, least] = [from, Infinity];
  for (const i of there) {
    const [x, y] = [spots[i][0] - spots[from][0], spots[i][1] - spots[from][1]];
    const ahead = x * right + y * down;
    const cost = ahead + 3 * Math.abs(x * down + y * right);
    if (ahead > 0 && cost < least) [best, least] = [i, cost];
  }
  return best;
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

// Topics as circles with their correlations as lines, and all correlations as a heat map.

function showMap(record) {
  const section = clear(document.getElementById("map"));
  const size = 900;
  const there = record.ranking.map((k) => record.topics[k]);
  const [left, right] = extent(there.flatMap(({ x, r }) => [x - r, x + r]));
  const [top, bottom] = extent(there.flatMap(({ y, r }) => [y - r, y + r]));
  const box = [left * size - 12, top * size - 6, (right - left) * size + 24, (bottom - top) * size + 12].map((n) => n.toFixed(0));
  const drawing = draw("svg", { viewBox: box.join(" "), role: "group", "aria-label": "Topics as circles" });
  const edges = draw("g");
  drawing.appendChild(edges);
  const many = record.ranking.length > 30;
  const circles = record.ranking.map((k) => {
    const topic = record.topics[k];
    const circle = draw("circle", { class: "circle", cx: topic.x * size, cy: topic.y * size, r: topic.r * size },
      draw("title", null, `${topicName(k)}\n${percent(topic.prevalence)} of a document, on average`));
    pressable(circle, `topic ${topicName(k)}`, () => choose(k, false));
    drawing.appendChild(circle);
    return circle;
  });
  record.ranking.forEach((k) => {
    const topic = record.topics[k];
    const names = topic.name.split(/,? /).slice(0, many ? 1 : 3).map((word) => [...word].slice(0, many ? 10 : 14).join(""));
    [String(k), ...names].forEach((line, i) => {
      const y = topic.y * size + 4 + (many ? 11 : 13) * (i - names.length / 2);
      const text = draw("text", { x: topic.x * size, y, "text-anchor": "middle", class: i ? "optional" : "" }, line);
      if (many && i) text.style.fontSize = "10px";
      drawing.appendChild(text);
    });
  });
  const largest = Math.max(0, ...pairsAbove(record.lift, 0).map(([i, j]) => record.lift[i][j]));
  const slider = make("input", { type: "range", id: "threshold", min: 0, max: Math.ceil(largest * 20) / 20 || 1, step: 0.05 });
  slider.value = String(record.threshold);
  const status = make("output", { for: "threshold" });
  const redraw = () => {
    const threshold = Number(slider.value);
    const pairs = pairsAbove(record.lift, threshold);
    clear(edges);
    for (const [i, j] of pairs) {
      const [a, b] = [record.topics[i], record.topics[j]];
      edges.appendChild(draw("line", { class: "edge", x1: a.x * size, y1: a.y * size, x2: b.x * size, y2: b.y * size,
        "stroke-width": (1 + 5 * record.lift[i][j] / (largest || 1)).toFixed(1) }));
    }
    status.textContent = `Lines: the ${pairs.length} pairs that meet most often, ${number(threshold)} times as often as by chance or more (below 1: less often)`;
  };
  slider.addEventListener("input", redraw);
  page.watchers.push((k) => {
    const near = new Set(record.topics[k].neighbours);
    circles.forEach((circle, at) => {
      const i = record.ranking[at];
      circle.setAttribute("class", i === k ? "circle chosen" : near.has(i) ? "circle near" : "circle");
    });
  });
  page.shade = (word) => circles.forEach((circle, at) => {
    if (word === null) return circle.removeAttribute("fill-opacity");
    const [, ...shares] = record.memberships[word];
    const place = shares.findIndex((k, i) => i % 2 === 0 && k === record.ranking[at]);
    return circle.setAttribute("fill-opacity", (place < 0 ? 0.08 : 0.15 + 0.85 * shares[place + 1] / 1000).toFixed(2));
  });
  fill(section, null, [
    drawing,
    make("div", { class: "controls", title: "A circle is a topic, and its area is the topic's share of a document, on average. Topics that often meet in documents are close to each other." },
      labelled("Lines from", slider), status),
  ]);
  redraw();
}

function showHeat(record) {
  const section = document.getElementById("heat");
  const K = record.order.length;
  const side = Math.max(12, Math.min(40, 640 / K));
  const margin = 30;
  const drawing = draw("svg", { viewBox: `0 0 ${margin + K * side} ${margin + K * side}`, role: "group", "aria-label": "How often each pair of topics meets; arrow keys go from square to square" });
  const cells = [];
  const say = make("p", { class: "say", role: "status" });
  record.order.forEach((i, row) => {
    const at = margin + (row + 0.5) * side;
    for (const place of [{ x: margin - 4, y: at + 4, "text-anchor": "end" }, { x: at, y: margin - 6, "text-anchor": "middle" }]) {
      const text = draw("text", { ...place, class: "soft" }, i);
      text.style.fontSize = `${Math.min(12, side * 0.6).toFixed(1)}px`;
      drawing.appendChild(text);
    }
    record.order.forEach((j, column) => {
      const lift = record.lift[i][j];
      const kind = i === j ? "even" : lift > 1 ? "more" : "less";
      const cell = draw("rect", { class: `cell ${kind}`, x: margin + column * side, y: margin + row * side, width: side, height: side,
        "data-at": cells.length });
      cells.push(cell);
      if (kind !== "even") cell.setAttribute("fill-opacity", (0.03 + 0.97 * strength(lift)).toFixed(2));
      drawing.appendChild(cell);
    });
  });
  const cursor = drawing.appendChild(draw("rect", { class: "cursor", width: side, height: side, visibility: "hidden" }));
  const pair = (at) => [record.order[Math.floor(at / K)], record.order[at % K]];
  const label = (at) => {
    const [i, j] = pair(at);
    return i === j ? `${topicName(i)}, with itself` : `${topicName(i)}  and  ${topicName(j)}: ${often(record.lift[i][j])}`;
  };
  const step = (at, key) => {
    const [row, column] = [Math.floor(at / K), at % K];
    const within = (n) => Math.min(Math.max(n, 0), K - 1);
    const [down, right] = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -K], End: [0, K] }[key];
    return K * within(row + down) + within(column + right);
  };
  roving(drawing, cells, step, label, (at) => { say.textContent = label(at); }, (at) => choose(pair(at)[0], true));
  drawing.addEventListener("focusin", (event) => {
    for (const name of ["x", "y"]) cursor.setAttribute(name, event.target.getAttribute(name));
    cursor.setAttribute("visibility", "visible");
  });
  drawing.addEventListener("focusout", () => cursor.setAttribute("visibility", "hidden"));
  const rows = () => [["topic", "other", "lift"], ...record.lift.flatMap((row, i) => row.map((lift, j) => [i, j, lift]).slice(i))];
  fill(section, null, [
    make("p", { class: "hint" }, "Each square is a pair of topics. The stronger its colour, the more often they meet in documents; orange is more often than by chance. The shares of a document sum to one, so most pairs meet less often than by chance. Topics that go together are next to each other."),
    make("div", { class: "square" }, drawing),
    say,
    make("div", { class: "controls" }, download("correlations", rows)),
  ]);
}

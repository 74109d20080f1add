// What was fitted, on what and how well.

function showOverview(record) {
  const section = document.getElementById("overview");
  const { facts, parameters, seconds, warnings, measures } = record.overview;
  const list = (pairs) => make("dl", null, pairs.map(([name, value]) => [make("dt", null, name), make("dd", { class: "text" }, value)]).flat());
  fill(section, null, [
    warnings.map((text) => make("p", { class: "card warning text" }, text)),
    warnings.length ? null : make("p", { class: "card" }, "No problems were found."),
    make("h3", null, "How well"),
    make("p", { class: "hint" }, "Measures of the model, and which values are good."),
    measuresTable(measures),
    record.choice === null ? null : choicePart(record.choice),
    make("div", { class: "columns" },
      make("div", { class: "card" }, make("h3", null, "What was fitted"), list(facts)),
      make("div", { class: "card" }, make("h3", null, "Its options"), list(parameters),
        make("h3", null, "Seconds that the fit took"),
        seconds.length ? list(seconds.map(([name, value]) => [name, number(value)])) : make("p", { class: "soft" }, "Unknown: a model file does not keep them."))),
  ]);
}

// How well each number of topics predicts and comes back, with the one recommended; then the other measures.
function choicePart(choice) {
  const { candidates, measures } = choice;
  const values = (name) => (measures.find((m) => m.name === name) || {}).values;
  const shown = measures.filter((m) => m.name !== "held_out_error");
  return make("div", { id: "choice" },
    make("h3", null, `How many topics: ${choice.n_topics} are recommended`),
    make("p", { class: "hint" }, choice.sentence),
    make("div", { class: "columns" }, shown.map((m) => make("div", null, make("p", { class: "hint" }, m.meaning),
      choiceChart(choice, m.values, m.name === "held_out" ? values("held_out_error") : null)))),
    make("div", { class: "controls" }, download("choice", () => [["n_topics", ...measures.map((m) => m.name)],
      ...candidates.map((k, t) => [k, ...measures.map((m) => m.values[t])])])));
}

// A measure against the number of topics on a logarithmic scale, with a band of its errors. A line marks the number
// that is recommended, triangles below mark coarser ones that come back.
function choiceChart(choice, values, errors) {
  const { candidates } = choice;
  const [width, height] = [320, 130];
  const error = (t) => (errors && errors[t]) || 0;
  const [low, high] = extent(values.flatMap((value, t) => (value === null ? [] : [value - error(t), value + error(t)])));
  const [first, last] = [Math.log(candidates[0]), Math.log(candidates[candidates.length - 1])];
  const at = (k) => 10 + (width - 20) * (Math.log(k) - first) / (last - first || 1);
  const x = (t) => at(candidates[t]);
  const y = (value) => height - 26 - (height - 46) * (value - low) / (high - low || 1);
  const known = values.map((value, t) => t).filter((t) => values[t] !== null);
  const edge = (side) => known.map((t) => `${x(t).toFixed(1)} ${y(values[t] + side * error(t)).toFixed(1)}`);
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "A line; the same numbers are in the csv file" },
    errors ? draw("path", { class: "band", fill: "currentColor", "fill-opacity": 0.15, stroke: "none", d: `M${[...edge(1), ...edge(-1).reverse()].join("L")}Z` }) : null,
    draw("line", { class: "edge", x1: at(choice.n_topics), x2: at(choice.n_topics), y1: 16, y2: height - 24, "stroke-dasharray": "4 3" }),
    draw("path", { class: "line", d: linePath(values, x, y) }),
    known.map((t) => draw("circle", { class: "corner", cx: x(t), cy: y(values[t]), r: 2.4 }, draw("title", null, `${candidates[t]} topics: ${number(values[t])}`))),
    choice.coarser.map((k) => draw("path", { class: "corner", d: `M${at(k) - 4} ${height - 17}l4 -7l4 7z` }, draw("title", null, `${k} topics come back in other documents`))),
    draw("text", { x: 2, y: height - 4, class: "soft" }, candidates[0]),
    draw("text", { x: at(choice.n_topics), y: height - 4, "text-anchor": "middle", class: "soft" }, choice.n_topics),
    draw("text", { x: width - 2, y: height - 4, "text-anchor": "end", class: "soft" }, candidates[candidates.length - 1]),
    draw("text", { x: 2, y: 12, class: "soft" }, `${number(low)} to ${number(high)}`));
}

function measuresTable(measures) {
  const arrow = { higher: "higher is better", lower: "lower is better", "": "" };
  const rows = measures.map((m) => [
    make("span", { class: "whole" }, m.name.replaceAll("_", " ")),
    make("strong", { class: "whole" }, m.shown),
    [arrow[m.better] ? make("span", null, `${arrow[m.better]}. `) : null, make("span", { class: "soft" }, m.note || m.good)],
    make("span", { class: "soft" }, m.meaning),
  ]);
  return table("measures", ["measure", "value", "what is good", "meaning"], rows,
    () => measures.map((m) => [m.name, m.value, m.better, m.meaning]));
}

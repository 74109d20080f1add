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

// Each measure against the number of topics, with the one recommended.
function choicePart(choice) {
  const { candidates, measures } = choice;
  return make("div", { id: "choice" },
    make("h3", null, `How many topics: ${choice.n_topics} are recommended`),
    make("p", { class: "hint" }, choice.sentence),
    make("div", { class: "columns" }, measures.map((m) => make("div", null, make("p", { class: "hint" }, m.meaning),
      lineChart(candidates, m.values, number, candidates.indexOf(choice.n_topics), (t) => `${candidates[t]} topics: ${number(m.values[t])}`)))),
    make("div", { class: "controls" }, download("choice", () => [["n_topics", ...measures.map((m) => m.name)],
      ...candidates.map((k, t) => [k, ...measures.map((m) => m.values[t])])])));
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

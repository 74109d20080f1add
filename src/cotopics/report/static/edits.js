// Names and merged topics: kept in the address, shown everywhere, and saved in a file that `cotopics edit` takes.

const MAX_NAME = 200; // characters, as in cotopics

// The edits in an address: "#topic-3&name-3=courts&merge-1.4". What does not fit the model is left out.
function editsIn(hash, n) {
  const edits = { names: {}, merge: [] };
  const taken = new Set();
  for (const part of hash.replace(/^#/, "").split("&")) {
    const named = /^name-(\d+)=(.+)$/.exec(part);
    const merged = /^merge-(\d+(?:\.\d+)+)$/.exec(part);
    if (named && Number(named[1]) < n) {
      const name = checkedName(decoded(named[2]));
      if (name) edits.names[Number(named[1])] = name;
    } else if (merged) {
      const group = [...new Set(merged[1].split(".").map(Number))].sort((a, b) => a - b);
      if (group.length > 1 && group.every((k) => k < n && !taken.has(k))) {
        group.forEach((k) => taken.add(k));
        edits.merge.push(group);
      }
    }
  }
  return edits;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

// A name in one line and not too long; "" if nothing is left of it.
function checkedName(text) {
  return [...text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim()].slice(0, MAX_NAME).join("").trim();
}

function addressOf(view, topic, edits) {
  const names = Object.entries(edits.names).map(([k, name]) => `name-${k}=${encodeURIComponent(name)}`);
  const groups = edits.merge.map((group) => `merge-${group.join(".")}`);
  return `#${[`topic-${topic}`, ...(view === "explore" ? [] : [`view-${view}`]), ...names, ...groups].join("&")}`;
}

// What the file holds. A name of merged topics is that of the first; names that the others have are taken away.
function editsFile(record, edits) {
  const rename = { ...edits.names };
  for (const [first, ...others] of edits.merge) {
    if (rename[first] === undefined) continue;
    for (const k of others) rename[k] = null;
  }
  return `${JSON.stringify({ cotopics: "cotopics-edits", model: record.model, rename, merge: edits.merge }, null, 1)}\n`;
}

// Topics a and b, and all that they were merged with, as one group.
function mergeTopics(edits, topics) {
  const own = edits.merge.filter((group) => group.some((k) => topics.includes(k)));
  const group = [...new Set([...topics, ...own.flat()])].sort((a, b) => a - b);
  return { names: edits.names, merge: [...edits.merge.filter((other) => !own.includes(other)), group] };
}

// The record as it is with these edits. Topics keep their numbers; merged ones are those of the first in their group.
function edited(record, edits) {
  const into = record.topics.map((_, k) => k);
  for (const group of edits.merge) for (const k of group) into[k] = group[0];
  const members = record.topics.map((_, k) => into.flatMap((first, i) => (first === k ? [i] : [])));
  const share = record.topics.map((_, k) => members[k].reduce((sum, i) => sum + record.topics[i].prevalence, 0));
  const lift = groupedLift(record, members, share);
  const added = (shares) => {
    const sums = new Map();
    for (let i = 0; i < shares.length; i += 2) sums.set(into[shares[i]], (sums.get(into[shares[i]]) || 0) + shares[i + 1]);
    return [...sums].sort((a, b) => b[1] - a[1]).flat();
  };
  const sums = (rows) => rows && { ...rows, shares: rows.shares.map((_, k) => rows.shares[k].map((value, t) => (value === null ? null
    : members[k].reduce((sum, i) => sum + rows.shares[i][t], 0)))) };
  const documents = record.documents.map((d) => ({ ...d, shares: added(d.shares) }));
  const topics = record.topics.map((topic, k) => {
    const name = edits.names[k];
    if (members[k].length === 1) return name === undefined ? topic : { ...topic, name, given: true };
    return members[k].length ? mergedTopic(record, members[k], share[k], documents, lift[k], into, name) : topic;
  });
  const there = (k) => into[k] === k;
  return { ...record, topics, lift, documents, into, members,
    time: withoutErrors(sums(record.time), members), groups: sums(record.groups),
    memberships: record.memberships.map(([uses, ...shares]) => [uses, ...added(shares)]),
    ranking: record.ranking.filter(there).sort((a, b) => share[b] - share[a] || a - b), order: record.order.filter(there) };
}

// Errors of shares that were added up are not known.
function withoutErrors(time, members) {
  return time && { ...time, errors: time.errors.map((row, k) => (members[k].length === 1 ? row : row.map(() => null))) };
}

// p(i, j) / (p(i) p(j)) of groups; 0 for topics that are part of another.
function groupedLift(record, members, share) {
  if (members.every((group) => group.length === 1)) return record.lift;
  const p = record.topics.map((topic) => topic.prevalence);
  return members.map((one, i) => members.map((other, j) => {
    let sum = 0;
    for (const a of one) for (const b of other) sum += p[a] * p[b] * record.lift[a][b];
    return share[i] * share[j] > 0 ? sum / (share[i] * share[j]) : 0;
  }));
}

// Words are the mixture of those shown for the parts, so rare ones may be missing; shares of documents are exact.
function mergedTopic(record, members, share, documents, lift, into, name) {
  const parts = members.map((k) => record.topics[k]);
  const weight = parts.map((part) => (share > 0 ? part.prevalence / share : 1 / parts.length));
  const main = parts.reduce((a, b) => (b.prevalence > a.prevalence ? b : a)); // the circle is in its place
  const found = new Map();
  parts.forEach((part, i) => part.words.forEach(([word, p, times]) => {
    const [sum] = found.get(word) || [0];
    found.set(word, [sum + weight[i] * p, times > 0 ? p / times : 0]);
  }));
  const words = [...found].map(([word, [p, all]]) => [word, p, all > 0 ? p / all : 0]);
  const n = Math.max(...parts.map((part) => part.orders[0].length));
  // r · log p + (1 − r) · log lift
  const orders = record.relevances.map((r) => words.map(([, p, times], i) => [r * Math.log(p) + (1 - r) * Math.log(times || 1e-300), i])
    .sort((a, b) => b[0] - a[0] || a[1] - b[1]).slice(0, n).map(([, i]) => i));
  const leading = parts.flatMap((part) => part.documents || []);
  const unique = [...new Map(leading.map((d) => [d.document, d])).values()]
    .map((d) => ({ ...d, share: shareOf(documents[d.document], members[0]) }))
    .sort((a, b) => b.share - a.share || a.document - b.document).slice(0, 5);
  const given = [...new Set(parts.filter((part) => part.given).map((part) => part.name))];
  const own = orders[record.relevances.indexOf(record.relevance)].slice(0, 3).map((i) => record.words[words[i][0]]).join(", ");
  const near = lift.map((value, j) => [value, j]).filter(([value, j]) => into[j] === j && j !== members[0] && value >= 0.01);
  return { name: name === undefined ? given.join(" / ") || own : name, given: name !== undefined || given.length > 0, prevalence: share,
    x: main.x, y: main.y, r: Math.sqrt(parts.reduce((sum, part) => sum + part.r ** 2, 0)), words, orders,
    characteristic: null, anchors: parts.flatMap((part) => part.anchors),
    neighbours: near.sort((a, b) => b[0] - a[0] || a[1] - b[1]).slice(0, 8).map(([, j]) => j), documents: unique };
}

// Edits that were made, what to do with them, and a way back.
function showEdits(record) {
  const bar = clear(document.getElementById("edits"));
  const { names, merge } = page.edits;
  const parts = [[Object.keys(names).length, "name"], [merge.length, "merged topic"]].filter(([n]) => n > 0);
  if (!parts.length) return;
  fill(bar, { class: "edits" }, [
    make("span", { role: "status" }, `${parts.map(([n, what]) => `${n} ${what}${n > 1 ? "s" : ""}`).join(" and ")} in the address of this page.`),
    saveButton("Download edits.json", "edits.json", "application/json", () => editsFile(page.original, page.edits), "save"),
    button("Undo all", () => edit({ names: {}, merge: [] })),
    make("span", { class: "soft" }, "For a model with these edits: ", make("code", null, "cotopics edit MODEL --edits edits.json -o NEW")),
  ]);
}

// Change the edits, and draw the whole page again.
function edit(edits) {
  page.edits = edits;
  drawAll();
  writeAddress();
}

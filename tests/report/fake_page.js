// A page for node: enough of a document to run the report's script without a browser, and nothing that makes markup of text.
"use strict";
const fs = require("fs");
const vm = require("vm");

class Node {
  constructor(tag) {
    Object.assign(this, { tagName: tag.toUpperCase(), attributes: {}, children: [], listeners: {}, style: {}, namespaceURI: "drawing" });
  }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  getAttribute(name) { return name in this.attributes ? this.attributes[name] : null; }
  removeAttribute(name) { delete this.attributes[name]; }
  appendChild(child) { this.children.push(child); return child; }
  addEventListener(kind, action) { (this.listeners[kind] = this.listeners[kind] || []).push(action); }
  fire(kind, event = {}) {
    for (const action of this.listeners[kind] || []) action({ target: this, preventDefault() {}, stopPropagation() {}, ...event });
  }
  click() { this.fire("click"); }
  focus() {}
  get firstElementChild() { return null; }
  scrollIntoView() {}
  get textContent() { return this.children.map((child) => child.textContent).join(""); }
  set textContent(text) { this.children = text === "" ? [] : [new Text(text)]; }
  set innerHTML(markup) { throw new Error("innerHTML"); }
  get value() {
    if (this.chosen !== undefined) return this.chosen;
    return this.tagName === "SELECT" && this.children.length ? this.children[0].getAttribute("value") : "";
  }
  set value(text) { this.chosen = text; }
  all(wanted) {
    const below = this.children.flatMap((child) => child.all(wanted));
    return wanted(this) ? [this, ...below] : below;
  }
}
class Text {
  constructor(text) { this.textContent = text; }
  all() { return []; }
}

const [file, ...ids] = process.argv.slice(2);
const html = fs.readFileSync(file, "utf-8");
const body = new Node("body");
for (const id of ids) {
  const node = body.appendChild(new Node("section"));
  node.setAttribute("id", id);
}
const byId = (id) => body.all((node) => node.attributes && node.attributes.id === id)[0] || null;
byId("data").textContent = /<script id="data" type="application\/json">([^]*?)<\/script>/.exec(html)[1];
const listeners = new Node("document");
const document = {
  body, title: "", getElementById: byId, createElement: (tag) => new Node(tag), createElementNS: (space, tag) => new Node(tag),
  createTextNode: (text) => new Text(text), addEventListener: (kind, action) => listeners.addEventListener(kind, action),
};
const saved = [];
class FakeBlob { constructor(parts) { saved.push(parts.join("")); } }
const context = vm.createContext({
  document, location: { hash: process.env.PAGE_ADDRESS || "" }, history: { replaceState: (state, title, address) => { context.location.hash = address; } }, window: new Node("window"), Blob: FakeBlob, setTimeout() {}, performance: { mark() {} },
  URL: { createObjectURL: () => "blob:nothing", revokeObjectURL() {} },
});
const source = /<script>([^]*?)<\/script>\n<\/body>/.exec(html)[1];
vm.runInContext(source, context);

const classed = (id, name) => byId(id).all((node) => (node.attributes.class || "").split(" ").includes(name));
const set = (id, value, kind) => { byId(id).value = String(value); byId(id).fire(kind); };
const tools = { address: () => context.location.hash, body, byId, classed, set, saved, document, press: (key) => listeners.fire("keydown", { key, target: body }), call: (code) => vm.runInContext(code, context) };
const answers = new Function("tools", fs.readFileSync(0, "utf-8"))(tools);
process.stdout.write(JSON.stringify(answers));

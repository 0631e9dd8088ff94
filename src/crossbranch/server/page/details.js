// What is known about the vertex that is pointed at: its words, its meaning, its confidence.

import { served } from "./state.js";
import { blocksOf, isToken, recordOf, spansOf, wordsOf } from "./tree.js";
import { element } from "./drawing.js";

const box = () => document.getElementById("details");

export const meaningOf = (kind, name) => served.labels.get(`${kind} ${name}`);

function part(name, text) {
  const made = document.createElement(name);
  made.append(text);
  return made;
}

function explained(kind, name) {
  const meaning = meaningOf(kind, name);
  if (!meaning?.meaning) return [];
  return [` ${meaning.meaning}`, ...(meaning.example ? [part("span", ` (${meaning.example})`)] : [])];
}

function line(...parts) {
  const made = document.createElement("div");
  made.append(...parts);
  return made;
}

function confidenceBar(value) {
  const bar = element("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
  bar.append(element("rect", { width: 100 * value, height: 10 }));
  return bar;
}

export function confidenceOf(record) {
  const value = Number(record.features?.confidence);
  return record.features?.confidence !== undefined && Number.isFinite(value) ? value : null;
}

export const percent = (value) => `${(100 * value).toFixed(value > 0.995 || value < 0.095 ? 1 : 0)} %`;

/** Show what a vertex is. */
export function showDetails(tree, vertex) {
  const record = recordOf(tree, vertex);
  const span = spansOf(tree)[vertex];
  const lines = [];
  if (isToken(tree, vertex)) {
    lines.push(line(part("b", record.form), ...(record.tag ? [" · ", part("b", record.tag), ...explained("tag", record.tag)] : [])));
    const more = [["lemma", record.lemma], ["morphology", record.morphology]].filter(([, value]) => value);
    if (more.length) lines.push(line(more.map(([name, value]) => `${name} ${value}`).join(" · ")));
  } else {
    const gaps = blocksOf(span).length - 1;
    const note = gaps ? [` · discontinuous, ${gaps} gap${gaps > 1 ? "s" : ""}`] : [];
    lines.push(line(part("b", record.label), ...explained("phrase", record.label), ...note));
    lines.push(line(`“${wordsOf(tree, span)}”`));
  }
  const last = [];
  if (record.edge_label) last.push("function ", part("b", record.edge_label), ...explained("function", record.edge_label));
  const confidence = confidenceOf(record);
  if (confidence !== null) last.push(last.length ? " · " : "", "confidence", confidenceBar(confidence), percent(confidence));
  if (last.length) lines.push(line(...last));
  box().replaceChildren(...lines);
}

/** Say what a vertex is, for people who hear it. */
export function spoken(tree) {
  const spans = spansOf(tree);
  return (vertex) => {
    const record = recordOf(tree, vertex);
    const parts = isToken(tree, vertex)
      ? [record.form, named("tag", record.tag)]
      : [named("phrase", record.label), wordsOf(tree, spans[vertex])];
    if (record.edge_label) parts.push(named("function", record.edge_label));
    const confidence = confidenceOf(record);
    if (confidence !== null) parts.push(`confidence ${percent(confidence)}`);
    return parts.filter(Boolean).join("; ");
  };
}

function named(kind, name) {
  const meaning = meaningOf(kind, name)?.meaning;
  return name && meaning ? `${name}, ${meaning}` : name ?? "";
}

/** Show a remark in place of the details. */
export function showRemark(text, isFault = false) {
  const said = line(text);
  said.className = isFault ? "fault" : "soft";
  box().replaceChildren(said);
}

/** Say something to people who listen to the page. */
export function say(text) {
  const place = document.getElementById("said");
  place.textContent = "";
  requestAnimationFrame(() => { place.textContent = text; });
}

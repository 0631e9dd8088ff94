// Corrections: buttons, keys and dialogs that call the operations of tree.js.

import * as trees from "./tree.js";
import { ask } from "./dialogs.js";
import { say, showRemark } from "./details.js";
import { historyOf, item, keepHistory, served, state, tree, update } from "./state.js";

const focusOf = new WeakMap(); // tree → the vertex that keys acted on when it was last shown
const name = (vertex) => trees.nameOf(tree(), vertex);
const names = (vertices) => vertices.map(name).join(", ");
/** What an action is about: the selection, or else the vertex that keys act on. */
const chosen = () => (state.selected.length ? state.selected : state.focus >= 0 ? [state.focus] : []);

/** Do something to the tree; what is selected stays so. */
function change(said, operation, place = null) {
  try {
    const done = operation(tree());
    const moved = (vertices) => vertices.map((vertex) => done.places[vertex]).filter((vertex) => vertex >= 0);
    const focus = place ? place(done) : state.focus >= 0 ? done.places[state.focus] : -1;
    focusOf.set(tree(), state.focus).set(done.tree, focus);
    keepHistory(trees.advance(historyOf(item()), done.tree), { focus, selected: moved(state.selected), cut: moved(state.cut) });
    say(`${said}. ${trees.bracketText(tree())}`);
    return true;
  } catch (error) {
    refuse(error);
    return false;
  }
}

function refuse(error) {
  if (!(error instanceof trees.EditError)) throw error;
  showRemark(error.message, true);
  say(error.message);
}

/** Attach vertices to a node. */
export function attach(vertices, target) {
  const said = `${names(vertices)} attached to ${name(target)}`;
  if (change(said, (one) => trees.attach(one, vertices, target), (done) => done.places[vertices[0]]))
    update({ cut: [], selected: [] });
}

function travel(step, said) {
  const before = historyOf(item());
  const history = step(before);
  if (history.present === before.present) return;
  focusOf.set(before.present, state.focus);
  const focus = focusOf.get(history.present) ?? -1;
  keepHistory(history, { focus, selected: [], cut: [] });
  say(`${said}. ${trees.bracketText(tree())}`);
}

async function renamed(field) {
  const [vertex] = chosen();
  if (vertex === undefined) return showRemark("Select a node or a word first.", true);
  const record = trees.recordOf(tree(), vertex);
  const isToken = trees.isToken(tree(), vertex);
  const kind = field === "edge_label" ? "function" : isToken ? "tag" : "phrase";
  const shown = { function: "Function", tag: "Tag", phrase: "Label" }[kind];
  const given = await ask({
    title: `${shown} of ${name(vertex)}`,
    label: shown,
    value: record[field] ?? "",
    known: knownOf(kind),
  });
  if (given === null || given === (record[field] ?? "")) return;
  change(`${name(vertex)}: ${shown.toLowerCase()} ${given || "none"}`, (one) => trees.rename(one, vertex, field, given));
}

/** The labels, tags or functions of the model, with their meanings. */
function knownOf(kind) {
  return [...served.labels.values()].filter((one) => one.kind === kind);
}

async function insert() {
  const over = trees.highest(tree(), chosen());
  if (!over.length) return showRemark("Select the children of the new node first.", true);
  if (over.includes(trees.rootOf(tree()))) return refuse(new trees.EditError("The root has nothing above it."));
  const label = await ask({ title: "New node", about: `over ${names(over)}`, label: "Label", value: "", known: knownOf("phrase") });
  if (label === null) return;
  if (change(`${label} inserted over ${names(over)}`, (one) => trees.insert(one, over, label), (done) => done.made))
    update({ selected: [] });
}

function above(vertex) {
  return (done) => done.places[trees.parentsOf(tree())[vertex]];
}

export const actions = {
  undo: () => travel(trees.undo, "Undone"),
  redo: () => travel(trees.redo, "Done again"),
  rename: () => renamed(trees.isToken(tree(), chosen()[0] ?? -1) ? "tag" : "label"),
  function: () => renamed("edge_label"),
  insert,
  remove: () => {
    const [vertex] = chosen();
    if (vertex === undefined) return showRemark("Select a node first.", true);
    return change(`${name(vertex)} deleted`, (one) => trees.remove(one, vertex), above(vertex));
  },
  raise: () => {
    const [vertex] = chosen();
    if (vertex !== undefined) change(`${name(vertex)} raised`, (one) => trees.raise(one, vertex), (done) => done.places[vertex]);
  },
  cut: () => {
    const cut = trees.highest(tree(), chosen());
    if (!cut.length) return showRemark("Select a node or a word first.", true);
    if (cut.includes(trees.rootOf(tree()))) return refuse(new trees.EditError("The root cannot be cut."));
    update({ cut, selected: [] });
    const remark = `${names(cut)} cut. Go to a node and attach it there.`;
    showRemark(remark);
    return say(remark);
  },
  attach: () => {
    const target = state.selected[0] ?? state.focus;
    const fault = target < 0 ? "Go to the node to attach to." : trees.whyNotAttach(tree(), state.cut, target);
    if (fault) return refuse(new trees.EditError(fault));
    return attach(state.cut, target);
  },
  forget: () => update({ selected: [], cut: [] }),
  select: () => toggle(state.focus),
};

/** Select a vertex in addition to others, or no longer. */
export function toggle(vertex) {
  const isSelected = state.selected.includes(vertex);
  update({ focus: vertex, selected: isSelected ? state.selected.filter((one) => one !== vertex) : [...state.selected, vertex] });
  say(`${name(vertex)} ${isSelected ? "no longer selected" : "selected"}`);
}

const KEYS = {
  Enter: "rename", F2: "rename", f: "function", i: "insert", Delete: "remove", Backspace: "remove",
  x: "cut", v: "attach", u: "raise", Escape: "forget", " ": "select",
};

/** The action of a key that was pressed in the tree. */
export function actionOf(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    if (key === "z") return event.shiftKey ? "redo" : "undo";
    return { y: "redo", x: "cut", v: "attach" }[key] ?? "";
  }
  return event.altKey ? "" : KEYS[key] ?? "";
}

/** Which buttons can be used now. */
function refreshTools() {
  const tools = document.getElementById("edit-tools");
  const one = item();
  const history = one && historyOf(one);
  const usable = {
    undo: history?.past.length, redo: history?.future.length,
    rename: chosen().length, function: chosen().length, insert: chosen().length, remove: chosen().length, cut: chosen().length,
    attach: state.cut.length,
  };
  for (const [button, isUsable] of Object.entries(usable)) tools.querySelector(`[name=${button}]`).disabled = !isUsable;
}

export function startEditing(subscribe) {
  subscribe(refreshTools);
  refreshTools();
  document.getElementById("edit-tools").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button && tree()) actions[button.name]();
  });
  document.addEventListener("keydown", (event) => {
    const isWriting = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.target.closest("dialog");
    const action = actionOf(event);
    if (isWriting || state.view !== "tree" || !tree() || !["undo", "redo"].includes(action)) return;
    event.preventDefault();
    actions[action]();
  });
}

// Everything that the page knows. Views read it, change it with `update`, and are told of changes.

import { begin } from "./tree.js";

export const state = {
  source: "text", // or "file": where the sentences come from
  view: "tree", // or "compare", "steps"
  text: "",
  model: "",
  beam: null,
  k: 1,
  sentences: { text: emptyList(), file: emptyList() },
  looks: { tags: true, edge_labels: true, slanted: false, panels: false },
  query: "",
  found: null, // the sentences of the file that a search has found
  compare: { first: "", second: "" },
  steps: { source: "parser", system: "gap", step: 0 },
  theme: "auto",
  focus: -1, // the vertex that keys act on
  selected: [],
  cut: [],
};

/** Constant after the start: what the server has. */
export const served = { models: [], limits: {}, formats: [], labels: new Map() };

/** A list of sentences. An item has `trees`, perhaps `scores`, a `choice`, and `histories` of corrected trees. */
export function emptyList() {
  return { name: "", header: "", items: [], at: 0 };
}

const listeners = new Set();
export const subscribe = (listener) => listeners.add(listener);

export function update(changes) {
  Object.assign(state, changes);
  for (const listener of listeners) listener();
}

export const list = () => state.sentences[state.source];
export const item = () => list().items[list().at] ?? null;
export const historyOf = (one) => one.histories?.[one.choice] ?? begin(one.trees[one.choice]);
export const treeOf = (one) => (one ? historyOf(one).present : null);
export const tree = () => treeOf(item());
/** The tree as it was before it was corrected. */
export const original = () => item()?.trees[item().choice] ?? null;
export const isCorrected = (one) => Boolean(one) && historyOf(one).past.length > 0;

const NOTHING = { focus: -1, selected: [], cut: [] };

/** Put other sentences in place of those of a source. */
export function replaceList(source, values) {
  update({ sentences: { ...state.sentences, [source]: { ...emptyList(), ...values } }, ...NOTHING });
}

/** Go to another sentence. */
export function goTo(at) {
  const { items } = list();
  const place = Math.max(0, Math.min(at, items.length - 1));
  if (place === list().at) return;
  update({ sentences: { ...state.sentences, [state.source]: { ...list(), at: place } }, ...NOTHING });
}

/** The sentences to go through: all, or those that a search has found. */
export const places = () =>
  (state.source === "file" && state.found) || list().items.map((_, place) => place);

/** Go to the next of these sentences, or to the previous one (-1). */
export function step(way) {
  const { at } = list();
  const next = way > 0 ? places().find((place) => place > at) : places().findLast((place) => place < at);
  if (next !== undefined) goTo(next);
}

/** Change the item that is shown. */
export function changeItem(changes, others = NOTHING) {
  const { items, at } = list();
  const changed = items.map((one, place) => (place === at ? { ...one, ...changes } : one));
  update({ sentences: { ...state.sentences, [state.source]: { ...list(), items: changed } }, ...others });
}

/** Keep what was done to the tree that is shown. */
export function keepHistory(history, others) {
  const one = item();
  changeItem({ histories: { ...one.histories, [one.choice]: history } }, others);
}

/** Choose one of the trees of the sentence. */
export function choose(choice) {
  const { trees } = item() ?? { trees: [] };
  if (choice in trees && choice !== item().choice) changeItem({ choice });
}

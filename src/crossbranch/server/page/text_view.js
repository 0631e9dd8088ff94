// Text to trees, as the reader types.

import { call, newest } from "./api.js";
import { percent, say } from "./details.js";
import { forgetFault, showFault } from "./messages.js";
import { choose, emptyList, isCorrected, item, list, places, replaceList, served, state, step, subscribe, tree, update } from "./state.js";
import { bracketText } from "./tree.js";

const PAUSE = 250; // milliseconds without a key before the text is parsed
const run = newest();
const input = document.getElementById("text");
const form = document.getElementById("parse-options");
const field = (name) => form.elements[name];
let timer = 0;
let before = ""; // the options of the last parse

export const modelNamed = (name) => served.models.find((model) => model.name === name) ?? null;

/** The options of a search that the reader has chosen and that the model has. */
export function searchOptions(model) {
  const hasBeam = model?.options.some((option) => option.name === "beam");
  return hasBeam && state.beam ? { beam: state.beam } : {};
}

/** Parse the text; wanted: the sentence and tree to go to. */
export async function parse(wanted = null) {
  clearTimeout(timer);
  const model = modelNamed(state.model);
  const text = state.text;
  if (!text.trim() || !model) {
    await run(async () => {});
    if (!text.trim()) replaceList("text", emptyList());
    return;
  }
  const { k_best: hasList, confidence } = model.capabilities;
  const body = { text, model: model.name, confidence, options: searchOptions(model) };
  if (hasList && state.k > 1) body.k_best = state.k;
  try {
    const answer = await run((signal) => call("v1/parse", body, signal));
    if (!answer) return;
    forgetFault();
    const { text: _, ...options } = body;
    show(answer.sentences, JSON.stringify(options), wanted);
  } catch (error) {
    showFault(error);
  }
}

function show(sentences, options, wanted) {
  const corrected = options === before ? list().items.filter(isCorrected) : [];
  before = options;
  const items = sentences.map((one) => {
    const words = formsOf(one.trees[0]);
    const old = corrected.find((other) => formsOf(other.trees[0]) === words);
    return old ?? { ...one, choice: Math.min(wanted?.choice ?? 0, one.trees.length - 1) };
  });
  const at = Math.min(wanted?.at ?? state.sentences.text.at, Math.max(0, items.length - 1));
  replaceList("text", { name: "text", items, at });
  if (tree()) say(bracketText(tree()));
}

const formsOf = (one) => JSON.stringify(one.tokens.map((token) => token.form));

function later() {
  clearTimeout(timer);
  timer = setTimeout(parse, PAUSE);
}

export async function loadLabels() {
  if (!state.model) return;
  const { labels } = await call(`v1/labels?model=${encodeURIComponent(state.model)}`);
  served.labels = new Map(labels.map((one) => [`${one.kind} ${one.label}`, one]));
  update({});
}

/** Show in the form what the state says. */
function refreshForm() {
  if (document.activeElement !== input && input.value !== state.text) input.value = state.text;
  const model = modelNamed(state.model);
  if (!model) return;
  field("model").value = model.name;
  const beam = model.options.find((option) => option.name === "beam");
  field("beam").disabled = !beam;
  field("beam").placeholder = beam ? String(beam.default) : "none";
  if (document.activeElement !== field("beam")) field("beam").value = beam ? state.beam ?? "" : "";
  field("k").disabled = !model.capabilities.k_best;
  if (document.activeElement !== field("k")) field("k").value = model.capabilities.k_best ? state.k : 1;
  document.getElementById("model-about").textContent = [model.language, model.text].filter(Boolean).join(": ");
}

function refreshPager() {
  const pager = document.getElementById("sentence-pager");
  const { at } = list();
  const all = places();
  const turn = all.indexOf(at);
  pager.hidden = all.length < 2;
  pager.querySelector("span").textContent = `sentence ${turn < 0 ? "–" : turn + 1} of ${all.length}${state.source === "file" && state.found ? " found" : ""}`;
  pager.querySelector("[name=previous]").disabled = !all.some((place) => place < at);
  pager.querySelector("[name=next]").disabled = !all.some((place) => place > at);
}

/** The k-best list: one button for each tree, with its score. */
function refreshList() {
  const group = document.getElementById("k-best");
  const one = item();
  group.hidden = !one || one.trees.length < 2;
  if (group.hidden) return group.replaceChildren();
  const hadFocus = group.contains(document.activeElement);
  group.replaceChildren(...one.trees.map((_, place) => {
    const button = document.createElement("button");
    const isChosen = place === one.choice;
    button.type = "button";
    button.setAttribute("role", "radio");
    button.setAttribute("aria-checked", isChosen);
    button.tabIndex = isChosen ? 0 : -1;
    button.dataset.place = place;
    const score = document.createElement("small");
    score.textContent = scoreText(one, place);
    button.append(`${place + 1}`, score);
    button.title = `tree ${place + 1}: score and confidence`;
    if (isChosen && hadFocus) requestAnimationFrame(() => button.focus());
    return button;
  }));
  return undefined;
}

/** Why the model doubts its tree. */
function refreshDoubts() {
  const place = document.getElementById("doubts");
  const doubts = isCorrected(item()) ? [] : item()?.doubts ?? [];
  place.hidden = !doubts.length;
  place.textContent = doubts.length ? `The model doubts this tree: ${doubts.join(", ")}` : "";
}

function scoreText(one, place) {
  const score = one.scores?.[place];
  const likely = one.confidence?.[place];
  const texts = [typeof score === "number" ? score.toFixed(1).replace("-", "−") : "", typeof likely === "number" ? percent(likely) : ""];
  return texts.filter(Boolean).join(" · ");
}

export function startText() {
  field("model").replaceChildren(...served.models.map((model) => new Option(model.name)));
  subscribe(refreshForm);
  subscribe(refreshPager);
  subscribe(refreshList);
  subscribe(refreshDoubts);
  input.addEventListener("input", () => { update({ text: input.value }); later(); });
  form.addEventListener("submit", (event) => { event.preventDefault(); parse(); });
  form.addEventListener("input", (event) => {
    const { name } = event.target;
    const value = Number(event.target.value);
    if (name === "model") { update({ model: field("model").value }); loadLabels().catch(showFault); }
    if (name === "beam") update({ beam: Number.isInteger(value) && value >= 1 ? Math.min(value, 64) : null });
    if (name === "k") update({ k: Number.isInteger(value) && value >= 1 ? Math.min(value, served.limits.k_best ?? 50) : 1 });
    later();
  });
  document.getElementById("sentence-pager").addEventListener("click", (event) => {
    if (event.target.name) step(event.target.name === "next" ? 1 : -1);
  });
  const group = document.getElementById("k-best");
  group.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) choose(Number(button.dataset.place));
  });
  group.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!way) return;
    choose(item().choice + way);
    event.preventDefault();
  });
}

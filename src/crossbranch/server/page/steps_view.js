// A derivation, step by step. The steps are drawn by the server; stepper.js goes through them.

import { call, newest } from "./api.js";
import { forgetFault, showFault } from "./messages.js";
import { state, subscribe, tree, update } from "./state.js";
import { modelNamed, searchOptions } from "./text_view.js";

const run = newest();
const form = document.getElementById("steps-options");
const stage = document.getElementById("steps-stage");
const legend = document.getElementById("steps-legend");
const glossary = document.querySelector("#steps-glossary div");
let wanted = [];
let stepper = null;

function fragmentOf(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const fragment = document.createDocumentFragment();
  fragment.append(...[...parsed.body.childNodes].map((node) => document.importNode(node, true)));
  return fragment;
}

function request() {
  if (state.steps.source === "tree") return { tree: tree(), system: state.steps.system, player: true };
  const model = modelNamed(state.model);
  const tokens = [tree().tokens.map((token) => token.form)];
  return { tokens, model: model?.name ?? "", options: searchOptions(model), player: true };
}

async function render() {
  form.elements.source.value = state.steps.source;
  form.elements.system.value = state.steps.system;
  form.querySelector(".for-tree").hidden = state.steps.source !== "tree";
  const { source, system } = state.steps;
  const asked = [tree(), source, system, state.model, state.beam, state.view === "steps"];
  if (asked.every((value, place) => value === wanted[place])) return;
  const isOther = asked.slice(0, -1).some((value, place) => value !== wanted[place]);
  wanted = asked;
  if (state.view !== "steps") return void stepper.stop();
  if (!isOther && stage.hasChildNodes()) return;
  if (!tree()) return void clear();
  try {
    const answer = await run((signal) => call("v1/derive", request(), signal));
    if (!answer) return;
    forgetFault();
    if (answer.derivations.length) show(answer.derivations[0].player);
    else clear("The parser found no tree for this sentence.");
  } catch (error) {
    clear();
    showFault(error);
  }
}

function clear(remark = "") {
  run(async () => {});
  stepper.stop();
  stage.replaceChildren();
  form.querySelector(".about").textContent = remark;
  document.getElementById("steps-controls").hidden = true;
}

function show({ about, steps, legend: colours, glossary: words }) {
  document.getElementById("steps-controls").hidden = false;
  form.querySelector(".about").textContent = about;
  legend.replaceChildren(fragmentOf(colours));
  glossary.replaceChildren(fragmentOf(words));
  stepper.stop();
  stepper.choose(steps.map(fragmentOf), state.steps.step);
}

export function startSteps() {
  stepper = window.makeStepper(document.getElementById("steps-controls"), stage, (step) => {
    if (step !== state.steps.step) update({ steps: { ...state.steps, step } });
  });
  subscribe(render);
  form.addEventListener("change", (event) =>
    update({ steps: { ...state.steps, [event.target.name]: event.target.value, step: 0 } }));
  form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    const isElsewhere = event.target !== document.body && !event.target.closest("#panel-steps");
    const isWriting = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "range";
    if (state.view === "steps" && !isElsewhere && !isWriting && !document.querySelector("dialog[open]")) stepper.press(event);
  });
}

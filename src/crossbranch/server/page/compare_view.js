// Two trees of the same words: of two parsers, or of a parser and gold.

import { call, newest } from "./api.js";
import { say } from "./details.js";
import { picture } from "./drawing.js";
import { forgetFault, showFault } from "./messages.js";
import { isCorrected, item, original, served, state, subscribe, tree, update } from "./state.js";
import { modelNamed, searchOptions } from "./text_view.js";
import { drawingOptions } from "./tree_view.js";

const run = newest();
const form = document.getElementById("compare");
const stage = document.getElementById("compare-stage");
const scores = document.getElementById("compare-scores");
const OWN = { tree: "the tree shown", original: "the tree before corrections" };
let wanted = [];

/** What can be compared: [value, name]. */
function sides() {
  const own = Object.entries(OWN).filter(([name]) => name === "tree" || isCorrected(item()));
  return [...own, ...served.models.map(({ name }) => [`model:${name}`, name])];
}

/** What is compared: what the reader has chosen, or else something useful. */
function chosen() {
  const known = sides().map(([value]) => value);
  const usual = (side) => {
    if (side === "first") return "tree";
    if (isCorrected(item())) return "original";
    const other = served.models.find(({ name }) => state.source === "file" ? name === state.model : name !== state.model);
    return `model:${(other ?? served.models[0])?.name}`;
  };
  const pick = (side) => (known.includes(state.compare[side]) ? state.compare[side] : usual(side));
  return { first: pick("first"), second: pick("second") };
}

const nameOf = (side) => OWN[side] ?? side.replace("model:", "");

async function treeFor(side, signal) {
  if (side === "tree") return tree();
  if (side === "original") return original();
  const model = modelNamed(side.replace("model:", ""));
  const tokens = [tree().tokens.map((token) => token.form)];
  const body = { tokens, model: model.name, options: searchOptions(model) };
  return (await call("v1/parse", body, signal)).sentences[0].trees[0];
}

async function compared(first, second, signal) {
  const [gold, predicted] = await Promise.all([treeFor(first, signal), treeFor(second, signal)]);
  const options = { ...drawingOptions(stage), names: [nameOf(first), nameOf(second)] };
  const [svg, figures] = await Promise.all([
    picture(gold, { other: predicted, ...options, signal }),
    call("v1/evaluate", { gold: [gold], predicted: [predicted] }, signal),
  ]);
  return { svg, figures };
}

async function render() {
  const { first, second } = chosen();
  refreshForm(first, second);
  const asked = [tree(), first, second, state.looks, state.beam, state.view === "compare"];
  if (asked.every((value, place) => value === wanted[place])) return;
  wanted = asked;
  if (state.view !== "compare") return;
  if (!tree()) {
    run(async () => {});
    stage.replaceChildren();
    scores.replaceChildren();
    return;
  }
  stage.classList.add("busy");
  try {
    const found = await run((signal) => compared(first, second, signal));
    if (!found) return;
    forgetFault();
    show(found);
  } catch (error) {
    stage.replaceChildren();
    scores.replaceChildren();
    showFault(error);
  }
  stage.classList.remove("busy");
}

function refreshForm(first, second) {
  for (const [name, value] of [["first", first], ["second", second]]) {
    const select = form.elements[name];
    const known = JSON.stringify(sides());
    if (select.dataset.known !== known) {
      select.replaceChildren(...sides().map(([side, text]) => new Option(text, side)));
      select.dataset.known = known;
    }
    select.value = value;
  }
}

const percent = (value) => (Number.isFinite(value) ? (100 * value).toFixed(1) : "–");

function cell(kind, text, className = "") {
  const made = document.createElement(kind);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function tableRow(...cells) {
  const made = document.createElement("tr");
  made.append(...cells);
  return made;
}

function show({ svg, figures }) {
  const kinds = [["all constituents", ""], ["discontinuous", "discontinuous_"]];
  const table = document.createElement("table");
  table.className = "scores";
  table.append(tableRow(cell("th", ""), ...["F1", "precision", "recall"].map((name) => cell("th", name))));
  for (const [name, prefix] of kinds)
    table.append(tableRow(cell("th", name), cell("td", percent(figures[`${prefix}f1`]), "f1"),
      cell("td", percent(figures[`${prefix}precision`])), cell("td", percent(figures[`${prefix}recall`]))));
  scores.replaceChildren(table);
  stage.replaceChildren(svg);
  const captions = [...svg.querySelectorAll(".caption text")].map((text) => text.textContent).join("; ");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", captions);
  say(`F1 ${percent(figures.f1)}. ${captions}`);
}

export function startCompare() {
  subscribe(render);
  form.addEventListener("change", (event) => update({ compare: { ...chosen(), [event.target.name]: event.target.value } }));
  form.addEventListener("submit", (event) => event.preventDefault());
}

// The tree in the middle of the page: drawn again after each change, explored with mouse and keys.

import { newest } from "./api.js";
import { say, showDetails, showRemark, spoken } from "./details.js";
import { makeDraggable } from "./drag.js";
import { addSpots, below, neighbour, picture, spotOf } from "./drawing.js";
import { actionOf, actions, attach, toggle } from "./edit.js";
import { foundIn } from "./file_view.js";
import { showFault } from "./messages.js";
import { choose, item, served, state, subscribe, tree, update } from "./state.js";
import { bracketText, count, rootOf } from "./tree.js";

const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];
const HINT = "Point at a label or a word, or drag it onto another label to attach it there.";
const SMALLEST = 0.75; // a picture becomes no smaller, so that it can be read
const ROOM = 24; // pixels at the sides of a picture
const stage = document.getElementById("stage");
const empty = document.getElementById("stage-empty");
const run = newest();
let wanted = []; // what was last asked for
let drawn = null; // the tree in the picture
let svg = null;

/** The options of a drawing that the reader has chosen. */
export function drawingOptions(room) {
  const { panels, ...looks } = state.looks;
  return panels ? { ...looks, width: Math.max(300, Math.floor(room.clientWidth - ROOM)) } : looks;
}

async function render() {
  const now = tree();
  document.querySelector("#as-text pre").textContent = now ? bracketText(now) : "";
  const marked = foundIn(now);
  const asked = [now, marked, state.looks, served.labels, state.view === "tree"];
  if (asked.every((value, place) => value === wanted[place])) return mark();
  wanted = asked;
  if (state.view !== "tree") return undefined;
  if (!now) return clear();
  stage.classList.add("busy");
  try {
    const made = await run((signal) => picture(now, { ...drawingOptions(stage), ...(marked.length ? { marked } : {}), signal }));
    if (made) show(made, now);
  } catch (error) {
    showFault(error);
  }
  if (tree() === now) stage.classList.remove("busy");
  return undefined;
}

function clear() {
  run(async () => {});
  stage.classList.remove("busy");
  [svg, drawn] = [null, null];
  stage.replaceChildren(empty);
  showRemark("");
}

function show(made, now) {
  const hadFocus = stage.contains(document.activeElement);
  const isOther = drawn === null;
  [svg, drawn] = [made, now];
  stage.replaceChildren(svg);
  shrink(svg);
  addSpots(svg, now, spoken(now));
  svg.setAttribute("aria-label", `Tree of “${now.text ?? now.tokens.map((token) => token.form).join(" ")}”`);
  makeDraggable(svg, stage, now, {
    vertices: (vertex) => (state.selected.includes(vertex) ? state.selected : [vertex]),
    drop: (moved, target) => drawn === tree() && attach(moved, target),
    click: (vertex, event) => drawn === tree() && select(vertex, event),
  });
  mark();
  reveal();
  if (hadFocus) spotOf(svg, home())?.focus();
  if (state.focus >= 0) showDetails(now, state.focus);
  else if (isOther || !document.getElementById("details").textContent) showRemark(HINT);
}

/** Scroll sideways to what a search has found, if it is out of sight. */
function reveal() {
  const found = svg.querySelector("rect.marked")?.getBoundingClientRect();
  const sides = stage.getBoundingClientRect();
  if (found && (found.left < sides.left || found.right > sides.right))
    stage.scrollLeft += (found.left + found.right - sides.left - sides.right) / 2;
}

/** Make a picture that is a little too wide as wide as the stage. */
function shrink(made) {
  const [width, height] = ["width", "height"].map((name) => Number(made.getAttribute(name)));
  const scale = (stage.clientWidth - ROOM) / width;
  if (scale >= 1 || scale < SMALLEST) return;
  made.setAttribute("width", Math.floor(width * scale));
  made.setAttribute("height", Math.floor(height * scale));
}

/** The vertex that Tab leads to. */
const home = () => (state.focus >= 0 && state.focus < count(drawn) ? state.focus : rootOf(drawn));

/** Show what is selected, cut and in focus. */
function mark() {
  if (!svg || drawn !== tree()) return;
  for (const spot of svg.querySelectorAll(".spot")) {
    const vertex = Number(spot.dataset.spot);
    spot.setAttribute("aria-selected", state.selected.includes(vertex));
    spot.classList.toggle("cut", state.cut.includes(vertex));
    spot.setAttribute("tabindex", vertex === home() ? 0 : -1);
  }
}

function select(vertex, event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return toggle(vertex);
  const isAlone = state.selected.length === 1 && state.selected[0] === vertex;
  update({ focus: vertex, selected: isAlone && event.detail < 2 ? [] : [vertex] });
  spotOf(svg, vertex)?.focus();
  if (!isAlone) say(spoken(drawn)(vertex));
  return undefined;
}

/** Show what is known about a vertex, and tint what is below it. */
function point(event) {
  const vertex = Number(event.target.dataset?.spot ?? -1);
  if (vertex < 0 || !drawn || svg.classList.contains("dragging")) return;
  showDetails(drawn, vertex);
  const under = new Set(below(drawn, vertex));
  for (const spot of svg.querySelectorAll(".spot")) spot.classList.toggle("below", under.has(Number(spot.dataset.spot)));
}

function leave() {
  if (!svg || svg.classList.contains("dragging")) return;
  for (const spot of svg.querySelectorAll(".below")) spot.classList.remove("below");
  if (state.focus >= 0 && drawn === tree()) showDetails(drawn, state.focus);
}

function press(event) {
  if (!tree() || !event.target.closest(".spot")) return;
  const from = state.focus >= 0 ? state.focus : rootOf(tree());
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (ARROWS.includes(event.key) && isPlain) {
    const vertex = neighbour(tree(), from, event.key);
    update({ focus: vertex });
    if (drawn === tree()) spotOf(svg, vertex)?.focus();
  } else if (isPlain && (event.key === "[" || event.key === "]")) {
    choose(item().choice + (event.key === "]" ? 1 : -1));
  } else {
    const action = actionOf(event);
    if (!action) return;
    if (state.focus < 0) update({ focus: from });
    event.stopPropagation(); // undo is heard by the whole page, too
    actions[action]();
  }
  event.preventDefault();
}

export function startTree() {
  subscribe(render);
  stage.addEventListener("keydown", press);
  stage.addEventListener("pointerover", point);
  stage.addEventListener("pointerleave", leave);
  stage.addEventListener("focusin", (event) => {
    const vertex = Number(event.target.dataset?.spot ?? -1);
    if (vertex < 0 || drawn !== tree()) return;
    if (vertex !== state.focus) update({ focus: vertex });
    point(event);
  });
  stage.addEventListener("dblclick", (event) => {
    if (event.target.closest(".spot")) actions.rename();
  });
  let width = 0;
  new ResizeObserver(() => {
    if (stage.clientWidth === width || !state.looks.panels) return;
    width = stage.clientWidth;
    wanted = [];
    render();
  }).observe(stage);
}

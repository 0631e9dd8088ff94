// Pictures of trees. The server draws them; here they get places that can be pointed at.

import { call } from "./api.js";
import { childrenOf, isToken, parentsOf, rootOf } from "./tree.js";

const SVG = "http://www.w3.org/2000/svg";
const FONT_SIZE = 16;

export function element(name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Let the server draw a tree, or two to compare. */
export async function picture(tree, { other = null, signal, ...options }) {
  const body = { tree, to: "svg", options: { style: false, font_size: FONT_SIZE, ...options } };
  if (other) body.other = other;
  return svgOf((await call("v1/draw", body, signal)).content);
}

export function svgOf(content) {
  const parsed = new DOMParser().parseFromString(content, "image/svg+xml").documentElement;
  return document.importNode(parsed, true);
}

/** Lay a spot over each vertex of a picture that is on the page: for pointing, focus and speech. */
export function addSpots(svg, tree, describe) {
  const boxes = new Map();
  for (const text of svg.querySelectorAll("text[data-vertex]")) {
    const vertex = Number(text.dataset.vertex);
    boxes.set(vertex, union(boxes.get(vertex), text.getBBox()));
  }
  const parents = parentsOf(tree);
  const levels = [];
  const spots = element("g", { class: "spots", role: "group" });
  const order = inOrder(tree);
  for (const vertex of order) levels[vertex] = vertex === rootOf(tree) ? 1 : levels[parents[vertex]] + 1;
  for (const vertex of order) {
    if (!boxes.has(vertex)) continue;
    const { x, y, width, height } = grown(boxes.get(vertex));
    const siblings = vertex === rootOf(tree) ? [vertex] : childrenOf(tree, parents[vertex]);
    spots.append(element("rect", {
      class: "spot", "data-spot": vertex, x, y, width, height, rx: 4, role: "treeitem", tabindex: -1,
      "aria-level": levels[vertex], "aria-posinset": siblings.indexOf(vertex) + 1, "aria-setsize": siblings.length,
      "aria-selected": "false", "aria-label": describe(vertex),
    }));
  }
  svg.setAttribute("role", "tree");
  svg.setAttribute("aria-multiselectable", "true");
  for (const part of svg.querySelectorAll(":scope > :not(.spots)")) part.setAttribute("aria-hidden", "true");
  svg.append(spots);
}

function union(one, { x, y, width, height }) {
  if (!one) return { left: x, top: y, right: x + width, bottom: y + height };
  return {
    left: Math.min(one.left, x), top: Math.min(one.top, y),
    right: Math.max(one.right, x + width), bottom: Math.max(one.bottom, y + height),
  };
}

/** A little more than the text, and never too small for a finger. */
function grown({ left, top, right, bottom }) {
  const sides = Math.max(4, (22 - (right - left)) / 2);
  const ends = Math.max(1, (18 - (bottom - top)) / 2);
  return { x: left - sides, y: top - ends, width: right - left + 2 * sides, height: bottom - top + 2 * ends };
}

/** All vertices, each of them followed by what is below it. */
function inOrder(tree) {
  const found = [];
  const waiting = [rootOf(tree)];
  while (waiting.length) {
    found.push(waiting.pop());
    waiting.push(...childrenOf(tree, found.at(-1)).toReversed());
  }
  return found;
}

export const spotOf = (svg, vertex) => svg?.querySelector(`[data-spot="${vertex}"]`) ?? null;

/** The vertex that an arrow key leads to. */
export function neighbour(tree, vertex, key) {
  const parents = parentsOf(tree);
  if (key === "Home") return rootOf(tree);
  if (key === "End") return tree.tokens.length - 1;
  if (key === "ArrowUp") return parents[vertex] >= 0 ? parents[vertex] : vertex;
  if (key === "ArrowDown") return childrenOf(tree, vertex)[0] ?? vertex;
  const step = key === "ArrowRight" ? 1 : -1;
  if (isToken(tree, vertex)) return Math.max(0, Math.min(vertex + step, tree.tokens.length - 1));
  if (vertex === rootOf(tree)) return vertex;
  const siblings = childrenOf(tree, parents[vertex]);
  return siblings[siblings.indexOf(vertex) + step] ?? vertex;
}

/** All vertices below a vertex. */
export function below(tree, vertex) {
  const found = [...childrenOf(tree, vertex)];
  for (let place = 0; place < found.length; place++) found.push(...childrenOf(tree, found[place]));
  return found;
}

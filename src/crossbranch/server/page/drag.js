// Dragging: a branch is taken with the pointer and dropped on another node.

import { element, spotOf } from "./drawing.js";
import { showRemark } from "./details.js";
import { nameOf, whyNotAttach, highest } from "./tree.js";

const START = 6; // pixels before a click becomes a drag
const NEAR = 26; // pixels around a node in which it is meant
const EDGE = 36; // pixels at the sides of the stage where it scrolls

/** Let the spots of a picture be dragged. `vertices` tells what moves with a vertex. */
export function makeDraggable(svg, stage, tree, { vertices, drop, click }) {
  let drag = null;

  svg.addEventListener("pointerdown", (event) => {
    const spot = event.target.closest?.(".spot");
    if (!spot || event.button !== 0) return;
    drag = { vertex: Number(spot.dataset.spot), x: event.clientX, y: event.clientY, event, isMoving: false, target: -1 };
  });

  // A finger scrolls, unless it begins on something selected: then it drags.
  svg.addEventListener("touchstart", (event) => {
    if (event.target.closest?.('.spot[aria-selected="true"]')) event.preventDefault();
  }, { passive: false });

  svg.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.isMoving) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < START) return;
      begin(event);
    }
    follow(event);
  });

  svg.addEventListener("pointerup", () => {
    if (!drag) return;
    const { isMoving, vertex, moved, target, fault, event } = drag;
    end();
    if (!isMoving) click(vertex, event);
    else if (target >= 0 && !fault) drop(moved, target);
    else if (fault) showRemark(fault, true);
  });
  svg.addEventListener("pointercancel", end);
  document.addEventListener("keydown", escape, true); // before the keys of the tree

  function escape(event) {
    if (!svg.isConnected) document.removeEventListener("keydown", escape, true);
    else if (drag?.isMoving && event.key === "Escape") {
      end();
      event.stopPropagation();
    }
  }

  function begin(event) {
    drag.isMoving = true;
    drag.moved = highest(tree, vertices(drag.vertex));
    svg.setPointerCapture(event.pointerId);
    svg.classList.add("dragging");
    for (const vertex of drag.moved) spotOf(svg, vertex)?.classList.add("cut");
    drag.rope = element("line", { class: "rope" });
    svg.append(drag.rope);
  }

  function follow(event) {
    const sides = stage.getBoundingClientRect();
    if (event.clientX > sides.right - EDGE) stage.scrollLeft += 12;
    if (event.clientX < sides.left + EDGE) stage.scrollLeft -= 12;
    const { x, y } = inPicture(svg, event);
    const box = spotOf(svg, drag.vertex).getBBox();
    const ends = { x1: box.x + box.width / 2, y1: box.y, x2: x, y2: y };
    for (const [name, value] of Object.entries(ends)) drag.rope.setAttribute(name, value);
    aim(nodeNear(event));
  }

  function aim(target) {
    if (target === drag.target) return;
    spotOf(svg, drag.target)?.classList.remove("target", "refused");
    drag.target = target;
    drag.fault = target < 0 ? "" : whyNotAttach(tree, drag.moved, target);
    spotOf(svg, target)?.classList.add(drag.fault ? "refused" : "target");
    if (target < 0) showRemark("Drop it on a node.");
    else showRemark(drag.fault || `Attach ${drag.moved.map((one) => nameOf(tree, one)).join(", ")} to ${nameOf(tree, target)}`, Boolean(drag.fault));
  }

  /** The vertex below the pointer, or the nearest one. */
  function nodeNear(event) {
    let found = -1;
    let least = NEAR;
    for (const spot of svg.querySelectorAll(".spot")) {
      if (Number(spot.dataset.spot) === drag.vertex) continue;
      const { left, right, top, bottom } = spot.getBoundingClientRect();
      const across = Math.max(left - event.clientX, 0, event.clientX - right);
      const down = Math.max(top - event.clientY, 0, event.clientY - bottom);
      const far = Math.hypot(across, down);
      if (far < least) [found, least] = [Number(spot.dataset.spot), far];
    }
    return found;
  }

  function end() {
    if (drag?.isMoving) {
      drag.rope.remove();
      svg.classList.remove("dragging");
      for (const spot of svg.querySelectorAll(".spot")) spot.classList.remove("target", "refused", "cut");
    }
    drag = null;
  }
}

function inPicture(svg, event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
}

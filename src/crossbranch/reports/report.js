
"use strict";
const controls = document.getElementById("controls").elements;
const list = document.getElementById("sentences");
const sentences = Array.from(list.children);
const orders = {
  number: (one, two) => one.dataset.number - two.dataset.number,
  worst: (one, two) => one.dataset.f1 - two.dataset.f1 || orders.number(one, two),
  best: (one, two) => two.dataset.f1 - one.dataset.f1 || orders.number(one, two),
};
const shown = () => Array.from(list.children).filter((sentence) => !sentence.hidden);

// The numbers of the sentences of each figure, as distances.
const figures = JSON.parse(document.getElementById("figures").textContent);

function numbers(figure) {
  let number = 0;
  return new Set(figures[figure].split(" ").map((step) => (number += Number(step))));
}

function filter() {
  const chosen = controls.figure.value in figures ? numbers(controls.figure.value) : null;
  const text = controls.text.value.trim().toLowerCase();
  for (const sentence of sentences) {
    const head = sentence.firstElementChild;
    sentence.hidden =
      (chosen !== null && !chosen.has(Number(sentence.dataset.number))) ||
      (controls.wrong.checked && !("wrong" in sentence.dataset)) ||
      (controls.discontinuous.checked && !("discontinuous" in sentence.dataset)) ||
      (text !== "" && !head.textContent.toLowerCase().includes(text));
  }
  controls.shown.value = `${shown().length} of ${sentences.length} sentences`;
}

// A view is also a place: report.html#wrong=on&order=worst&text=word&figure=...
function restore() {
  const place = new URLSearchParams(location.hash.slice(1));
  for (const name of ["wrong", "discontinuous"]) controls[name].checked = place.get(name) === "on";
  for (const name of ["text", "figure"]) controls[name].value = place.get(name) || "";
  if (place.has("fit")) controls.fit.checked = place.get("fit") === "on";
  if (place.has("order")) controls.order.value = place.get("order");
  if (!controls.order.value) controls.order.value = "number";
}

function name(figure) {
  const head = document.getElementById("figure");
  head.hidden = !(figure in figures);
  head.querySelector("b").textContent = figure;
  for (const link of document.querySelectorAll("main section a")) {
    const place = new URLSearchParams(link.getAttribute("href").slice(1));
    if (place.get("figure") === figure) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

// A link to a figure was followed, or the reader went back: show exactly the sentences of this
// place, and open the first ones.
function go() {
  restore();
  sort();
  show();
  remember();
  if (!(controls.figure.value in figures)) return;
  for (const sentence of shown().slice(0, 3)) sentence.open = true;
  const head = document.getElementById("figure");
  head.focus({ preventScroll: true });
  form.scrollIntoView();
}

function remember() {
  const view = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (value !== "" && value !== "number") view.set(name, value);
  }
  history.replaceState(null, "", `#${view}`);
}

function sort() {
  list.append(...sentences.sort(orders[controls.order.value]));
}

// The trees of a pair scroll together, each in proportion to its own width.
function follow(event) {
  const moved = event.target;
  if (!moved.matches || !moved.matches(".pair .scroll:hover")) return;
  const share = moved.scrollLeft / (moved.scrollWidth - moved.clientWidth || 1);
  for (const other of moved.closest(".pair").querySelectorAll(".scroll")) {
    if (other !== moved) other.scrollLeft = share * (other.scrollWidth - other.clientWidth);
  }
}

function show() {
  name(controls.figure.value);
  list.classList.toggle("fit", controls.fit.checked);
  filter();
}

controls.open.addEventListener("click", () => {
  for (const sentence of shown().slice(0, 20)) sentence.open = true;
});
controls.close.addEventListener("click", () => {
  for (const sentence of sentences) sentence.open = false;
});
const form = controls.text.form;
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", (event) => {
  if (event.target === controls.order) sort();
  else show();
  remember();
});
document.addEventListener("scroll", follow, true);
window.addEventListener("hashchange", go);
go();

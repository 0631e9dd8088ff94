
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

function filter() {
  const text = controls.text.value.trim().toLowerCase();
  for (const sentence of sentences) {
    const head = sentence.firstElementChild;
    sentence.hidden =
      (controls.wrong.checked && !("wrong" in sentence.dataset)) ||
      (controls.discontinuous.checked && !("discontinuous" in sentence.dataset)) ||
      (text !== "" && !head.textContent.toLowerCase().includes(text));
  }
  controls.shown.value = `${shown().length} of ${sentences.length} sentences`;
}

// A view is also a place: report.html#wrong=on&order=worst&text=word
function restore() {
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    const control = controls[name];
    if (!control) continue;
    if (control.type === "checkbox") control.checked = value === "on";
    else control.value = value;
  }
  if (!controls.order.value) controls.order.value = "number";
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
restore();
sort();
show();

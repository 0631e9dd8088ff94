"use strict";
const form = document.getElementById("controls");
const controls = form.elements;
const list = document.getElementById("sentences");
const names = (value) => (value ? value.split("\t") : []);
const sentences = Array.from(list.children, (element) => ({
  element,
  text: element.firstElementChild.textContent.toLowerCase(),
  labels: new Set([
    ...names(element.dataset.labels),
    ...names(element.dataset.tags),
    ...names(element.dataset.functions),
  ]),
  isDiscontinuous: "discontinuous" in element.dataset,
  discontinuous: new Set(names(element.dataset.discontinuous)), // labels and functions
  isDifferent: "different" in element.dataset,
}));
const shown = () => sentences.filter((sentence) => !sentence.element.hidden);

// A picture stays text until the reader scrolls near it.
function draw(element) {
  for (const text of element.querySelectorAll("script")) {
    const page = new DOMParser().parseFromString(text.textContent, "text/html");
    text.parentElement.style.minHeight = "";
    text.replaceWith(document.adoptNode(page.body.firstElementChild));
  }
  mark(element);
}

const watcher = new IntersectionObserver(
  (changes) => {
    for (const change of changes) {
      if (change.isIntersecting && change.target.open) draw(change.target);
    }
  },
  { rootMargin: "100% 0px" },
);

function watch(element) {
  watcher.unobserve(element);
  watcher.observe(element);
}

// If several words are searched, the first and the last may be parts of longer words.
function isFound(word, parts) {
  const last = parts.length - 1;
  return parts.some(
    (part, place) =>
      word.includes(part) &&
      (place === 0 || word.startsWith(part)) &&
      (place === last || word.endsWith(part)),
  );
}

// Whether this is the label or function of a discontinuous node.
function isCrossing(text) {
  return text.classList.contains(text.closest("g").matches(".edge") ? "crossing" : "discontinuous");
}

// Highlights the words and labels in the pictures that were searched for.
function mark(element) {
  const label = controls.label.value.trim();
  const onlyCrossing = controls.discontinuous.checked;
  const parts = controls.text.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const text of element.querySelectorAll(".label text, .tag text, .edge text, .word text")) {
    const isWord = text.closest("g").classList.contains("word");
    const isHit = isWord
      ? isFound(text.textContent.toLowerCase(), parts)
      : label !== "" &&
        text.textContent.replace(/^[−+](?=.)/, "") === label &&
        (!onlyCrossing || isCrossing(text));
    text.classList.toggle("hit", isHit);
  }
}

function fits(sentence, text, label) {
  if (controls.different && controls.different.checked && !sentence.isDifferent) return false;
  const onlyCrossing = controls.discontinuous.checked;
  if (onlyCrossing && !sentence.isDiscontinuous) return false;
  if (label && !(onlyCrossing ? sentence.discontinuous : sentence.labels).has(label)) return false;
  return sentence.text.includes(text);
}

function filter() {
  const text = controls.text.value.trim().toLowerCase();
  const label = controls.label.value.trim();
  list.classList.toggle("fit", controls.fit.checked);
  let count = 0;
  for (const sentence of sentences) {
    const isShown = fits(sentence, text, label);
    sentence.element.hidden = !isShown;
    count += isShown;
    if (isShown) mark(sentence.element);
  }
  controls.shown.value = `${count} of ${sentences.length} sentences`;
}

// The address holds the search: page.html#label=NP&discontinuous=on
function remember() {
  const view = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value !== "") view.set(name, value);
  history.replaceState(null, "", `#${view}`);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// The address names a sentence, by its id or else by its number, or it holds a search.
function go() {
  const place = location.hash.slice(1);
  const id = decoded(place);
  const named =
    sentences.find((one) => one.element.dataset.id === id) ||
    (/^[1-9]\d*$/.test(id) ? sentences[id - 1] : undefined);
  form.reset();
  if (!named) {
    for (const [name, value] of new URLSearchParams(place)) {
      const control = controls[name];
      if (!(control instanceof HTMLInputElement)) continue;
      if (control.type === "checkbox") control.checked = value === "on";
      else control.value = value;
    }
  }
  filter();
  if (named) choose(named.element);
}

function choose(element) {
  for (const old of list.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
  element.setAttribute("aria-current", "true");
  element.open = true;
  draw(element);
  element.firstElementChild.focus({ preventScroll: true });
  element.style.scrollMarginTop = `${form.offsetHeight + 8}px`; // below the controls at the top
  element.scrollIntoView({ block: "start" });
}

function step(by) {
  const all = shown().map((sentence) => sentence.element);
  const place = all.findIndex((element) => element.hasAttribute("aria-current"));
  const next = all[place < 0 ? 0 : place + by];
  if (next) choose(next);
}

function press(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target instanceof HTMLInputElement && event.target.type === "search") {
    if (event.key === "Enter") step(1);
    else if (event.key === "Escape") event.target.blur();
    else return;
  } else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (event.key === "/") controls.text.focus();
  else return;
  event.preventDefault();
}

// Both trees of a sentence scroll together, each in proportion to its own width.
function follow(event) {
  const moved = event.target;
  if (!moved.matches || !moved.matches(".scroll:hover")) return;
  const share = moved.scrollLeft / (moved.scrollWidth - moved.clientWidth || 1);
  for (const other of moved.closest(".trees").querySelectorAll(".scroll")) {
    if (other !== moved) other.scrollLeft = share * (other.scrollWidth - other.clientWidth);
  }
}

function suggest() {
  const counts = new Map();
  for (const { labels } of sentences) {
    for (const label of labels) counts.set(label, (counts.get(label) || 0) + 1);
  }
  const common = Array.from(counts).sort((one, two) => two[1] - one[1]);
  document.getElementById("labels").append(...common.map(([label]) => new Option(label, label)));
}

// Leaves room for pictures that are not drawn yet, so that nothing moves later.
for (const { element } of sentences) {
  let height = 70;
  for (const figure of element.querySelectorAll("figure")) {
    const [width, high] = figure.dataset.size.split(" ");
    figure.style.flexBasis = `${width}px`;
    figure.lastElementChild.style.minHeight = `${high}px`;
    height += Number(high) + 24;
  }
  element.style.containIntrinsicBlockSize = `${height}px`;
}
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", () => {
  filter();
  remember();
});
controls.open.addEventListener("click", () => {
  for (const { element } of shown()) element.open = true;
});
controls.close.addEventListener("click", () => {
  for (const { element } of sentences) element.open = false;
});
list.addEventListener("toggle", (event) => watch(event.target), true);
document.addEventListener("scroll", follow, true);
document.addEventListener("keydown", press);
window.addEventListener("hashchange", go);
window.addEventListener("beforeprint", () => {
  for (const { element } of shown()) if (element.open) draw(element);
});
suggest();
go();
for (const { element } of sentences) watch(element);

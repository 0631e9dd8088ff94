"use strict";
(() => {
  const form = document.querySelector(".controls");
  const stage = document.getElementById("stage");
  const chooser = document.querySelector("select[name=sentence]");
  const abbreviations = document.querySelector("#abbreviations div");
  const all = [...document.querySelectorAll("article")];
  const part = (name) => form.elements[name];
  const PAUSE = 1800; // milliseconds between two steps
  const LARGEST = 2.4; // how much pictures may grow
  let steps = [];
  let at = 0;
  let timer = 0;

  function fit() {
    const picture = stage.querySelector("svg.tree");
    const box = stage.querySelector(".scroll");
    if (!picture || !box) return;
    const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
    const room = (box.clientWidth - 12) / width;
    const tall = (0.4 * window.innerHeight) / height;
    const scale = Math.max(1, Math.min(room, tall, LARGEST));
    picture.setAttribute("width", Math.floor(width * scale));
    picture.setAttribute("height", Math.floor(height * scale));
    const focus = picture.querySelector("rect.focus");
    if (focus && room < 1) {
      const middle = (Number(focus.getAttribute("x")) + Number(focus.getAttribute("width")) / 2) * scale;
      box.scrollLeft = middle - box.clientWidth / 2;
    }
  }

  function show(number) {
    if (!steps.length) return;
    at = Math.max(0, Math.min(number, steps.length - 1));
    stage.replaceChildren(steps[at].content.cloneNode(true));
    part("step").value = at;
    part("place").value = `step ${at} of ${steps.length - 1}`;
    for (const name of ["first", "previous"]) part(name).disabled = at === 0;
    for (const name of ["next", "last"]) part(name).disabled = at === steps.length - 1;
    fit();
    const sentence = all.length > 1 ? `${chooser.selectedIndex + 1}.` : "";
    history.replaceState(null, "", `#${sentence}${at}`);
  }

  function choose(number, step) {
    const article = all[number];
    if (!article) return;
    const templates = [...article.querySelectorAll("template")];
    abbreviations.replaceChildren(templates.pop().content.cloneNode(true));
    document.querySelector(".legend").replaceChildren(templates.pop().content.cloneNode(true));
    steps = templates;
    chooser.selectedIndex = number;
    part("step").max = steps.length - 1;
    document.querySelector(".about").textContent = article.dataset.about;
    show(step);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    part("play").textContent = "play";
  }

  function play() {
    if (timer) return stop();
    if (at === steps.length - 1) show(0);
    part("play").textContent = "stop";
    timer = setInterval(() => {
      show(at + 1);
      if (at === steps.length - 1) stop();
    }, PAUSE);
  }

  const go = {
    first: () => show(0),
    previous: () => show(at - 1),
    next: () => show(at + 1),
    last: () => show(steps.length - 1),
  };
  for (const [name, action] of Object.entries(go))
    part(name).addEventListener("click", () => { stop(); action(); });
  part("play").addEventListener("click", play);
  part("step").addEventListener("input", () => { stop(); show(Number(part("step").value)); });
  form.addEventListener("submit", (event) => event.preventDefault());
  chooser.addEventListener("change", () => { stop(); choose(chooser.selectedIndex, 0); });
  window.addEventListener("resize", fit);

  const keys = { ArrowRight: "next", ArrowLeft: "previous", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target === chooser) return;
    if (keys[event.key]) { stop(); go[keys[event.key]](); }
    else if (event.key === " " && event.target.tagName !== "BUTTON" && event.target.tagName !== "SUMMARY") play();
    else return;
    event.preventDefault();
  });

  for (const article of all) chooser.append(new Option(article.dataset.words));
  chooser.parentElement.hidden = all.length < 2;
  function follow() {
    const wanted = location.hash.slice(1).split(".").map(Number);
    const step = wanted.pop() || 0;
    choose(Math.max(0, (wanted.pop() || 1) - 1), step);
  }
  window.addEventListener("hashchange", follow);
  follow();
})();

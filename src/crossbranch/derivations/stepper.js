"use strict";
/** Steps through a search: buttons, slider, keys, playing.
 *
 * form: has the buttons first, previous, next, last, play, the slider step, and the output place.
 * stage: where a step is shown. moved: is told the number of each step that is shown.
 * The steps are elements, or fragments, which are copied to the stage.
 */
function makeStepper(form, stage, moved) {
  const PAUSE = 1800; // milliseconds between two steps
  const LARGEST = 2.4; // how much pictures may grow
  const part = (name) => form.elements[name];
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
    stage.replaceChildren(steps[at].cloneNode(true));
    part("step").value = at;
    part("place").value = `step ${at} of ${steps.length - 1}`;
    for (const name of ["first", "previous"]) part(name).disabled = at === 0;
    for (const name of ["next", "last"]) part(name).disabled = at === steps.length - 1;
    fit();
    moved(at);
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

  function choose(others, step) {
    steps = others;
    part("step").max = Math.max(0, steps.length - 1);
    show(step);
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
  window.addEventListener("resize", fit);

  const keys = { ArrowRight: "next", ArrowLeft: "previous", Home: "first", End: "last" };
  function press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (keys[event.key]) { stop(); go[keys[event.key]](); }
    else if (event.key === " " && event.target.tagName !== "BUTTON" && event.target.tagName !== "SUMMARY") play();
    else return;
    event.preventDefault();
  }
  return { choose, show, stop, press };
}

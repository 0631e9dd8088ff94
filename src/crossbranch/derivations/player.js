"use strict";
(() => {
  const chooser = document.querySelector("select[name=sentence]");
  const abbreviations = document.querySelector("#abbreviations div");
  const all = [...document.querySelectorAll("article")];
  const stepper = makeStepper(
    document.querySelector(".controls"),
    document.getElementById("stage"),
    (step) => {
      const sentence = all.length > 1 ? `${chooser.selectedIndex + 1}.` : "";
      history.replaceState(null, "", `#${sentence}${step}`);
    },
  );

  function choose(number, step) {
    const article = all[number];
    if (!article) return;
    const templates = [...article.querySelectorAll("template")];
    abbreviations.replaceChildren(templates.pop().content.cloneNode(true));
    document.querySelector(".legend").replaceChildren(templates.pop().content.cloneNode(true));
    chooser.selectedIndex = number;
    document.querySelector(".about").textContent = article.dataset.about;
    stepper.choose(templates.map((template) => template.content), step);
  }

  chooser.addEventListener("change", () => { stepper.stop(); choose(chooser.selectedIndex, 0); });
  document.addEventListener("keydown", (event) => {
    if (event.target !== chooser) stepper.press(event);
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

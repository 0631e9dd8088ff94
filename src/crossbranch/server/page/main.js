// The start of the page: what the server has, the tabs, the colours, the link.

import { call, onTokenNeeded } from "./api.js";
import { startCompare } from "./compare_view.js";
import { say } from "./details.js";
import { ask, startDialogs } from "./dialogs.js";
import { startEditing } from "./edit.js";
import { startFile } from "./file_view.js";
import { fragment, read } from "./link.js";
import { forgetFault, showFault } from "./messages.js";
import { startSave } from "./save.js";
import { choose, goTo, list, served, state, step, subscribe, update } from "./state.js";
import { startSteps } from "./steps_view.js";
import { loadLabels, parse, startText } from "./text_view.js";
import { startTree } from "./tree_view.js";

const SAVE_LINK = 300; // milliseconds after the last change
const part = (id) => document.getElementById(id);
let timer = 0;
let written = ""; // the fragment that this page has written itself

/** A list of tabs, each of which stands for a value of the state. */
function startTabs(id, name) {
  const tabs = [...part(id).querySelectorAll("[role=tab]")];
  subscribe(() => {
    for (const tab of tabs) {
      const isChosen = tab.dataset.value === state[name];
      tab.setAttribute("aria-selected", isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      part(tab.getAttribute("aria-controls")).hidden = !isChosen;
    }
  });
  const pick = (tab) => { forgetFault(); update({ [name]: tab.dataset.value, focus: -1, selected: [], cut: [] }); };
  part(id).addEventListener("click", (event) => tabs.includes(event.target) && pick(event.target));
  part(id).addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    const next = tabs[(tabs.indexOf(event.target) + way + tabs.length) % tabs.length];
    pick(next);
    next.focus();
    event.preventDefault();
  });
}

function startTheme() {
  subscribe(() => { document.querySelector("main").dataset.source = state.source; });
  subscribe(() => {
    part("theme").value = state.theme;
    if (state.theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = state.theme;
  });
  part("theme").addEventListener("change", () => update({ theme: part("theme").value }));
}

function startLooks() {
  const form = part("looks");
  subscribe(() => { for (const [name, value] of Object.entries(state.looks)) form.elements[name].checked = value; });
  form.addEventListener("change", (event) => update({ looks: { ...state.looks, [event.target.name]: event.target.checked } }));
}

async function writeLink() {
  written = await fragment();
  history.replaceState(null, "", written ? `#${written}` : location.pathname);
}

function startLink() {
  subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(writeLink, SAVE_LINK);
  });
  window.addEventListener("hashchange", () => location.hash.slice(1) !== written && follow().catch(showFault));
  part("copy-link").addEventListener("click", async () => {
    clearTimeout(timer);
    await writeLink();
    const done = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    const text = done ? "Copied" : "It is in the address bar";
    part("copy-link").textContent = text;
    say(text);
    setTimeout(() => { part("copy-link").textContent = "Copy link"; }, 1500);
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the fragment is the state
    part("stage-heading").focus();
  });
}

/** Make the page what the link says. */
async function follow() {
  const { changes, wanted } = await read(location.hash.slice(1)).catch(() => {
    throw new Error("This link is damaged, so the page starts empty.");
  });
  if (!served.models.some((model) => model.name === changes.model)) changes.model = served.models[0]?.name ?? "";
  update({ ...changes, focus: -1, selected: [], cut: [] });
  await loadLabels();
  if (!state.sentences.text.isFromLink) await parse(wanted);
  if (state.source === "file") { goTo(wanted.at); choose(wanted.choice); }
}

function startPaging() {
  document.addEventListener("keydown", (event) => {
    const way = { PageDown: 1, PageUp: -1 }[event.key];
    const isWriting = /^(TEXTAREA|SELECT|INPUT)$/.test(event.target.tagName);
    if (!way || isWriting || list().items.length < 2 || document.querySelector("dialog[open]")) return;
    step(way);
    event.preventDefault();
  });
}

async function start() {
  onTokenNeeded((isSecondTry) => ask({
    title: "This server wants a token",
    about: isSecondTry ? "The server did not accept it. Try again." : "The token stays in this window, until you close it.",
    label: "Token",
    isSecret: true,
  }));
  startDialogs();
  const { models, limits } = await call("v1/models");
  const { formats } = await call("v1/formats");
  Object.assign(served, { models, limits, formats });
  startTabs("sources", "source");
  startTabs("views", "view");
  startTheme();
  startLooks();
  startText();
  startFile();
  startTree();
  startEditing(subscribe);
  startCompare();
  startSteps();
  startSave();
  startPaging();
  startLink();
  await follow();
  document.documentElement.dataset.ready = "true";
}

start().catch(showFault);

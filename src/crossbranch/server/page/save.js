// Trees as files: in every treebank format, or as drawings.

import { call } from "./api.js";
import { forgetFault, showFault } from "./messages.js";
import { batches, joined } from "./pieces.js";
import { list, served, state, tree, treeOf } from "./state.js";

const DRAWINGS = { svg: ["SVG picture", "svg"], tikz: ["TikZ, for LaTeX", "tex"], text: ["drawing as text", "txt"], html: ["HTML page", "html"] };
const XML = ["tigerxml", "alpino"]; // files with one frame around all sentences
const TYPES = { svg: "image/svg+xml", html: "text/html" };
const form = document.getElementById("save");
const answer = document.getElementById("save-answer");

function download(name, content, type = "text/plain") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function endingOf(format) {
  const names = served.formats.find((one) => one.format === format)?.file_names ?? [];
  return (names[0] ?? format).replace(/^\./, "");
}

/** The name of a file to save: the one that was opened, with another ending. */
function nameFor(ending) {
  const base = state.source === "file" && list().name ? list().name.replace(/(\.[a-z0-9]+){1,2}$/i, "") : "trees";
  return `${base || "trees"}.${ending}`;
}

async function save() {
  const format = form.elements.format.value;
  const isAll = form.elements.what.value === "all";
  if (!tree()) return;
  answer.textContent = "";
  try {
    if (format.startsWith("draw:")) await saveDrawing(format.slice(5));
    else await saveTrees(format, isAll ? list().items.map(treeOf) : [tree()]);
    forgetFault();
  } catch (error) {
    showFault(error);
  }
}

async function saveDrawing(kind) {
  const { content } = await call("v1/draw", { tree: tree(), to: kind });
  const name = nameFor(DRAWINGS[kind][1]);
  download(name, content, TYPES[kind]);
  answer.textContent = `Saved ${name}.`;
}

async function saveTrees(format, trees) {
  const lines = [list().header, ...trees.map((one) => JSON.stringify(one))].filter(Boolean).join("\n") + "\n";
  const name = nameFor(endingOf(format));
  if (format === "json") {
    download(name, lines, "application/json"); // nothing to convert, whatever the size
    answer.textContent = `Saved ${name}.`;
    return;
  }
  const done = await converted(format, trees);
  download(name, done.content);
  const losses = [...done.losses].map(([what, number]) => `${what} (${number.toLocaleString("en")})`);
  const lost = losses.length ? ` The format cannot hold: ${losses.join(", ")}.` : " Nothing was lost.";
  const bad = done.errors.length ? ` ${done.errors.length} could not be written: ${done.errors[0].message}` : "";
  answer.textContent = `Saved ${name}.${lost}${bad}`;
}

/** Let the server write trees in another format, in as many requests as it takes. */
async function converted(format, trees) {
  const parts = batches(trees, served.limits);
  if (parts.length > 1 && XML.includes(format))
    throw new Error(`${format} cannot be written in pieces, and the server takes no more at once. Save as json, then: crossbranch convert`);
  const done = { texts: [], losses: new Map(), errors: [] };
  for (const part of parts) {
    const content = [list().header, ...part.map((one) => JSON.stringify(one))].filter(Boolean).join("\n");
    const found = await call("v1/convert", { content, from: "json", to: format });
    done.texts.push(found.content);
    done.errors.push(...found.errors);
    for (const [what, number] of Object.entries(found.losses)) done.losses.set(what, (done.losses.get(what) ?? 0) + number);
  }
  return { ...done, content: joined(done.texts) };
}

export function startSave() {
  const group = (label, options) => {
    const made = document.createElement("optgroup");
    made.label = label;
    made.append(...options);
    return made;
  };
  form.elements.format.append(
    group("Treebank formats", served.formats.map((one) => new Option(one.format, one.format))),
    group("Drawings of this tree", Object.entries(DRAWINGS).map(([kind, [name]]) => new Option(name, `draw:${kind}`))),
  );
  form.addEventListener("submit", (event) => { event.preventDefault(); save(); });
  form.addEventListener("change", () => {
    answer.textContent = "";
    form.elements.what.disabled = form.elements.format.value.startsWith("draw:");
  });
}

// Treebank files: opened in the browser, converted by the server, searched, and paged through.

import { call, newest } from "./api.js";
import { say } from "./details.js";
import { forgetFault, showFault } from "./messages.js";
import { batches, pieces } from "./pieces.js";
import { goTo, isCorrected, replaceList, served, state, subscribe, treeOf, update } from "./state.js";
import { spansOf } from "./tree.js";

const NOTHING = [];
const PAGE = 20; // sentences on a page of the list
const run = newest();
const form = document.getElementById("file-options");
const find = document.getElementById("find");
const answer = document.getElementById("find-answer");
const rows = document.getElementById("sentence-list");
const pager = document.getElementById("list-pager");
let matches = null; // sentence → its tree and the vertices that were found; null: no search
let page = 0;
let shown = [];

const file = () => state.sentences.file;
const about = (text) => { document.getElementById("file-about").textContent = text; };
const formOf = (tree) => tree.text ?? tree.tokens.map((token) => token.form).join(" ");
/** The places of the sentences that are listed. */
const listed = () => state.found ?? file().items.map((_, place) => place);

/** The vertices to mark in a sentence: what a search has found. */
export function foundIn(tree) {
  const found = state.source === "file" ? matches?.get(file().at) : null;
  return found?.tree === tree ? found.vertices : NOTHING; // after corrections, vertices have other numbers
}

/** Read a file, piece by piece. */
export async function open(chosen) {
  about(`Reading ${chosen.name} …`);
  try {
    const read = await run((signal) => readPieces(chosen, signal));
    if (!read) return;
    forgetFault();
    [matches, page, state.found] = [null, 0, null];
    replaceList("file", { name: chosen.name, header: read.header, items: read.items });
    const bad = read.errors.length ? ` ${read.errors.length} could not be read: ${read.errors[0].message}` : "";
    about(`${chosen.name}: ${read.items.length.toLocaleString("en")} sentences.${bad}`);
    answer.replaceChildren();
    say(`${read.items.length} sentences`);
  } catch (error) {
    about("");
    showFault(error);
  }
}

async function readPieces(chosen, signal) {
  const text = await textOf(chosen);
  const parts = pieces(text, Math.max(10_000, served.limits.body * 0.4));
  const read = { header: "", items: [], errors: [] };
  let isCounted = true; // whether ids are only numbers, which begin again in each piece
  for (const [place, content] of parts.entries()) {
    if (parts.length > 1) about(`Reading ${chosen.name}: ${Math.round((100 * place) / parts.length)} %`);
    const body = { content, to: "json" };
    if (form.elements.format.value) body.from = form.elements.format.value;
    const done = await call("v1/convert", body, signal);
    read.errors.push(...done.errors);
    const before = read.items.length;
    for (const line of done.content.split("\n")) {
      if (!line) continue;
      const value = JSON.parse(line);
      if ("header" in value) read.header ||= line;
      else {
        isCounted &&= value.id === String(read.items.length - before + 1);
        read.items.push({ trees: [value], choice: 0 });
      }
    }
  }
  if (isCounted && parts.length > 1)
    read.items.forEach(({ trees }, place) => { trees[0] = { ...trees[0], id: String(place + 1) }; });
  return read;
}

/** The text of a file. Gzip is unpacked, UTF-16 is recognised, and Latin-1 is read if it is not UTF-8. */
async function textOf(chosen) {
  let bytes = new Uint8Array(await chosen.arrayBuffer());
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Search all sentences, batch by batch. */
async function search() {
  const query = state.query.trim();
  if (!query) return showAll();
  const trees = file().items.map(treeOf);
  if (!trees.length) return say("Open a file first.");
  answer.textContent = "Searching …";
  try {
    const found = await run((signal) => findAll(query, trees, signal));
    if (!found) return undefined;
    [matches, page, state.found] = [found.places, 0, [...found.places.keys()]];
    const plural = (number, name) => `${number.toLocaleString("en")} ${name}${number === 1 ? "" : "s"}`;
    const text = `${plural(found.total, "match").replace("matchs", "matches")} in ${plural(matches.size, "sentence")}${found.isComplete ? "" : ", and more"}`;
    answer.textContent = text;
    say(text);
    if (matches.size && !matches.has(file().at)) goTo(state.found[0]);
    return update({});
  } catch (error) {
    return pointAtFault(query, error);
  }
}

async function findAll(query, trees, signal) {
  const found = { places: new Map(), total: 0, isComplete: true };
  let start = 0;
  for (const batch of batches(trees, served.limits)) {
    const part = await call("v1/find", { query, trees: batch }, signal);
    for (const match of part.matches) {
      const place = start + match.number - 1;
      const vertices = new Set([...(found.places.get(place)?.vertices ?? []), ...match.vertices]);
      found.places.set(place, { tree: trees[place], vertices: [...vertices] });
    }
    found.total += part.matches.length;
    found.isComplete &&= part.complete;
    start += batch.length;
  }
  return found;
}

/** Show where a query is wrong. */
function pointAtFault(query, error) {
  const { position } = error.details ?? {};
  const said = document.createElement("span");
  said.className = "fault";
  said.textContent = error.message.split("\n")[0].replace(/^query: /, ""); // the rest repeats the query
  answer.replaceChildren(said);
  if (!Number.isInteger(position)) return;
  const line = document.createElement("pre");
  line.className = "fault";
  const mark = document.createElement("mark");
  const letters = [...query]; // the server counts characters, not halves of them
  mark.textContent = letters[position] ?? " ";
  line.append(letters.slice(0, position).join(""), mark, letters.slice(position + 1).join(""));
  answer.replaceChildren(line, said);
  const start = letters.slice(0, position).join("").length;
  find.elements.query.setSelectionRange(start, start + mark.textContent.length);
}

function showAll() {
  [matches, page, state.found] = [null, 0, null];
  answer.replaceChildren();
  update({});
}

function refresh() {
  if (document.activeElement !== find.elements.query) find.elements.query.value = state.query;
  find.elements.clear.hidden = !state.found;
  const places = listed();
  const now = [places.length, page, file(), matches];
  if (now.every((value, place) => value === shown[place])) return;
  if (file().at !== shown[2]?.at || matches !== shown[3]) {
    const place = places.indexOf(file().at);
    if (place >= 0) page = Math.floor(place / PAGE);
  }
  shown = [places.length, page, file(), matches];
  rows.hidden = !file().items.length;
  rows.replaceChildren(...places.slice(page * PAGE, (page + 1) * PAGE).map(row));
  pager.hidden = places.length <= PAGE;
  const last = Math.ceil(places.length / PAGE);
  pager.querySelector("span").textContent = `page ${page + 1} of ${last}`;
  pager.querySelector("[name=previous]").disabled = page === 0;
  pager.querySelector("[name=next]").disabled = page >= last - 1;
  rows.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

function row(place) {
  const one = file().items[place];
  const tree = treeOf(one);
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.place = place;
  if (place === file().at) button.setAttribute("aria-current", "true");
  const [name, words] = [document.createElement("span"), document.createElement("span")];
  name.className = "name";
  name.textContent = `${tree.id || place + 1}${isCorrected(one) ? " ✎" : ""}`;
  if (isCorrected(one)) name.title = "corrected";
  words.className = "words";
  words.append(...(matches ? markedWords(matches.get(place)) : [formOf(tree)]));
  button.append(name, words);
  const entry = document.createElement("li");
  entry.append(button);
  return entry;
}

function markedWords({ tree, vertices }) {
  const found = new Set(vertices.flatMap((vertex) => spansOf(tree)[vertex] ?? []));
  return tree.tokens.flatMap((token, place) => {
    if (!found.has(place)) return [`${token.form} `];
    const mark = document.createElement("mark");
    mark.textContent = token.form;
    return [mark, " "];
  });
}

function turn(step) {
  page += step;
  refresh();
}

export function startFile() {
  form.elements.format.append(...served.formats.map((one) => new Option(`${one.format}: ${one.summary}`, one.format)));
  subscribe(refresh);
  form.addEventListener("submit", (event) => event.preventDefault());
  const input = form.elements.file;
  input.addEventListener("change", () => input.files[0] && open(input.files[0]));
  form.elements.format.addEventListener("change", () => input.files[0] && open(input.files[0]));
  find.addEventListener("submit", (event) => { event.preventDefault(); search(); });
  find.elements.query.addEventListener("input", (event) => {
    update({ query: event.target.value });
    if (!event.target.value && matches) showAll();
  });
  find.elements.clear.addEventListener("click", () => { update({ query: "" }); find.elements.query.value = ""; showAll(); });
  rows.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) goTo(Number(button.dataset.place));
  });
  pager.addEventListener("click", (event) => event.target.name && turn(event.target.name === "next" ? 1 : -1));
  for (const [kind, isOver] of [["dragover", true], ["dragleave", false], ["drop", false]])
    document.addEventListener(kind, (event) => {
      if (![...(event.dataTransfer?.types ?? [])].includes("Files")) return;
      event.preventDefault();
      document.body.classList.toggle("dropping", isOver);
      if (kind === "drop" && event.dataTransfer.files[0]) { update({ source: "file" }); open(event.dataTransfer.files[0]); }
    });
}

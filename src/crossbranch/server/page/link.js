// A link that reproduces the page: the state as the part of the address after "#".

import { state, list, item, tree, isCorrected, emptyList } from "./state.js";

const PLAIN = ["text", "model", "query"];

async function through(bytes, stream) {
  const packed = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

export async function pack(value) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
}

/** The state as a fragment. A tree that cannot be parsed again is in it as a whole. */
export async function fragment() {
  const values = new URLSearchParams();
  const put = (name, value, usual) => value !== usual && values.set(name, value);
  put("source", state.source, "text");
  put("view", state.view, "tree");
  for (const name of PLAIN) put(name, state[name], "");
  put("beam", state.beam, null);
  put("k", state.k, 1);
  put("theme", state.theme, "auto");
  for (const [name, value] of Object.entries(state.looks))
    put(name, value ? 1 : 0, name === "tags" || name === "edge_labels" ? 1 : 0);
  if (state.view === "compare") for (const side of ["first", "second"]) put(side, state.compare[side], "");
  if (state.view === "steps") for (const [name, value] of Object.entries(state.steps)) put(`steps-${name}`, value);
  if (item() && (state.source === "file" || isCorrected(item()) || list().isFromLink)) values.set("tree", await pack(tree()));
  else {
    put("at", list().at, 0);
    put("choice", item()?.choice ?? 0, 0);
  }
  return values.toString();
}

const number = (text, usual) => (text !== null && Number.isFinite(Number(text)) ? Number(text) : usual);
const oneOf = (text, known) => (known.includes(text) ? text : known[0]);

/** The state that a fragment describes, as changes for `update`; wanted: the place to go to. */
export async function read(text) {
  const values = new URLSearchParams(text);
  const source = oneOf(values.get("source"), ["text", "file"]);
  const changes = {
    source,
    view: oneOf(values.get("view"), ["tree", "compare", "steps"]),
    beam: values.has("beam") ? number(values.get("beam"), null) : null,
    k: Math.max(1, number(values.get("k"), 1)),
    theme: oneOf(values.get("theme"), ["auto", "light", "dark"]),
    compare: { first: values.get("first") ?? "", second: values.get("second") ?? "" },
    steps: {
      source: oneOf(values.get("steps-source"), ["parser", "tree"]),
      system: values.get("steps-system") ?? "gap",
      step: number(values.get("steps-step"), 0),
    },
    looks: {
      tags: values.get("tags") !== "0",
      edge_labels: values.get("edge_labels") !== "0",
      slanted: values.get("slanted") === "1",
      panels: values.get("panels") === "1",
    },
  };
  for (const name of PLAIN) changes[name] = values.get(name) ?? "";
  if (values.has("tree")) {
    const found = await unpack(values.get("tree"));
    const items = [{ trees: [found], choice: 0 }];
    changes.sentences = { ...state.sentences, [source]: { ...emptyList(), name: "link", items, isFromLink: true } };
  }
  return { changes, wanted: { at: number(values.get("at"), 0), choice: number(values.get("choice"), 0) } };
}

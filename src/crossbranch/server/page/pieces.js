// Files in pieces that the server takes, each of them a treebank by itself.

/** Cut the text of a treebank between sentences into pieces of about `largest` characters. */
export function pieces(text, largest) {
  if (text.length <= largest) return [text];
  const { before, parts, after } = framed(text);
  const found = [];
  let piece = "";
  for (const part of parts) {
    if (piece && piece.length + part.length > largest) {
      found.push(before + piece + after);
      piece = "";
    }
    piece += part;
  }
  return piece ? [...found, before + piece + after] : found;
}

/** Sentences, and what must stand before and after them in each piece. */
function framed(text) {
  if (/^\s*</.test(text)) return text.includes("<alpino_ds") ? elements(text, "alpino_ds") : elements(text, "s");
  if (/^#BOS\b/m.test(text)) {
    const start = text.search(/^#BOS\b/m);
    return { before: text.slice(0, start), parts: text.slice(start).split(/^(?=#BOS\b)/m), after: "" };
  }
  // A sentence begins after an empty line, or with a bracket at the beginning of a line.
  return { before: "", parts: text.split(/(?<=\n[ \t\r]*\n)(?=\S)|^(?=[({])/m), after: "" };
}

function elements(text, name) {
  const start = text.search(new RegExp(`<${name}[\\s>]`));
  const end = text.lastIndexOf(`</${name}>`) + name.length + 3;
  if (start < 0 || end < start) return { before: "", parts: [text], after: "" };
  const parts = text.slice(start, end).split(new RegExp(`(?<=</${name}>)`));
  return { before: text.slice(0, start), parts, after: text.slice(end) };
}

/** Join what `pieces` would cut: texts of treebanks in the same format, but not XML. */
export function joined(texts) {
  return texts.map((text, place) => (place ? text.slice(framed(text).before.length) : text)).join("");
}

/** Cut a list of trees into lists that are small enough, by number and by length. */
export function batches(trees, { sentences = 2000, body = 2e6 }) {
  const found = [];
  let room = 0;
  for (const tree of trees) {
    const size = new Blob([JSON.stringify(tree)]).size + 1;
    if (!found.length || room < size || found.at(-1).length >= sentences) {
      found.push([]);
      room = body / 2;
    }
    found.at(-1).push(tree);
    room -= size;
  }
  return found;
}

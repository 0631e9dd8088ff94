// Trees as the server writes them, and the ways to correct them.
//
// A tree is the object of a JSON line: tokens are 0 .. n-1, the root is n, and every node comes
// before its children. No function changes a tree. An operation returns {tree, places}: the new
// tree, and for each vertex of the old tree its new number (-1: it is gone).

export class EditError extends Error {}

export const isToken = (tree, vertex) => vertex < tree.tokens.length;
export const isNode = (tree, vertex) => vertex >= tree.tokens.length;
export const rootOf = (tree) => tree.tokens.length;
export const count = (tree) => tree.tokens.length + tree.nodes.length;
export const recordOf = (tree, vertex) =>
  isToken(tree, vertex) ? tree.tokens[vertex] : tree.nodes[vertex - tree.tokens.length];
export const childrenOf = (tree, vertex) =>
  isToken(tree, vertex) ? [] : recordOf(tree, vertex).children ?? [];
/** The label of a node, or the form of a token. */
export const nameOf = (tree, vertex) => recordOf(tree, vertex)[isToken(tree, vertex) ? "form" : "label"];

/** The parent of each vertex; -1 for the root. */
export function parentsOf(tree) {
  const parents = new Array(count(tree)).fill(-1);
  for (let vertex = rootOf(tree); vertex < parents.length; vertex++)
    for (const child of childrenOf(tree, vertex)) parents[child] = vertex;
  return parents;
}

/** The tokens below each vertex, in order. */
export function spansOf(tree) {
  const spans = tree.tokens.map((_, token) => [token]);
  for (let vertex = count(tree) - 1; vertex >= tree.tokens.length; vertex--)
    spans[vertex] = childrenOf(tree, vertex).flatMap((child) => spans[child]).sort((a, b) => a - b);
  return spans;
}

/** A span as blocks: lists of neighbouring tokens. */
export function blocksOf(span) {
  const blocks = [];
  for (const token of span) {
    const last = blocks.at(-1);
    if (last && last.at(-1) === token - 1) last.push(token);
    else blocks.push([token]);
  }
  return blocks;
}

/** The words of a vertex, with an ellipsis for each gap. */
export function wordsOf(tree, span) {
  return blocksOf(span).map((block) => block.map((token) => tree.tokens[token].form).join(" ")).join(" … ");
}

/** Whether a vertex is the other one, or above it. */
export function isAbove(parents, vertex, other) {
  for (; other >= 0; other = parents[other]) if (other === vertex) return true;
  return false;
}

/** Bracketed text with the words and their numbers, for people who do not see the picture. */
export function bracketText(tree) {
  const texts = tree.tokens.map((token, place) => `${token.tag ? `(${token.tag} ` : ""}${place}=${token.form}${token.tag ? ")" : ""}`);
  for (let vertex = count(tree) - 1; vertex >= tree.tokens.length; vertex--) {
    const inside = childrenOf(tree, vertex).map((child) => texts[child]).join(" ");
    texts[vertex] = `(${nameOf(tree, vertex)} ${inside})`;
  }
  return texts[rootOf(tree)];
}

/** Everything that is wrong with a tree; empty if nothing is. */
export function faultsOf(tree) {
  const faults = [];
  const total = count(tree);
  const parents = new Array(total).fill(-1);
  for (let vertex = rootOf(tree); vertex < total; vertex++) {
    const { children = [], head } = recordOf(tree, vertex);
    if (!children.length && tree.tokens.length) faults.push(`node ${vertex} is empty`);
    if (head != null && !(head in children)) faults.push(`node ${vertex} has no child ${head} for its head`);
    for (const child of children) {
      if (!(child >= 0 && child < total) || child === rootOf(tree)) faults.push(`node ${vertex} has the child ${child}`);
      else if (parents[child] >= 0) faults.push(`vertex ${child} has two parents`);
      else if (isNode(tree, child) && child <= vertex) faults.push(`node ${child} comes before its parent`);
      else parents[child] = vertex;
    }
  }
  parents.forEach((parent, vertex) => {
    if (parent < 0 && vertex !== rootOf(tree)) faults.push(`vertex ${vertex} has no parent`);
  });
  for (const edge of tree.secondary_edges ?? [])
    for (const end of [edge.child, edge.parent])
      if (!(end >= 0 && end < total)) faults.push(`a secondary edge has the end ${end}`);
  return faults;
}

// A draft: nodes by their old numbers, with children and heads as such numbers, free to change.

function draftOf(tree) {
  const nodes = new Map();
  for (let vertex = rootOf(tree); vertex < count(tree); vertex++) {
    const record = recordOf(tree, vertex);
    const children = [...childrenOf(tree, vertex)];
    nodes.set(vertex, { record, children, head: record.head == null ? -1 : children[record.head] });
  }
  return { nodes, root: rootOf(tree), parents: parentsOf(tree) };
}

function detach(draft, vertex) {
  const above = draft.parents[vertex];
  const node = draft.nodes.get(above);
  node.children = node.children.filter((child) => child !== vertex);
  if (node.head === vertex) node.head = -1;
  draft.parents[vertex] = -1;
  return above;
}

function put(draft, vertex, above) {
  draft.nodes.get(above).children.push(vertex);
  draft.parents[vertex] = above;
}

/** Remove a node that has lost its last child, and those above it that are empty then. */
function prune(draft, vertex) {
  while (vertex !== draft.root && draft.nodes.has(vertex) && !draft.nodes.get(vertex).children.length) {
    const above = detach(draft, vertex);
    draft.nodes.delete(vertex);
    vertex = above;
  }
}

function move(draft, vertex, above) {
  const before = detach(draft, vertex);
  put(draft, vertex, above);
  prune(draft, before);
}

/** The nodes of a draft in preorder, each with its children in the order of their first tokens. */
function preorder(draft) {
  const found = [draft.root];
  for (let place = 0; place < found.length; place++)
    found.push(...(draft.nodes.get(found[place])?.children ?? []));
  const first = new Map();
  for (const vertex of found.reverse()) {
    const node = draft.nodes.get(vertex);
    first.set(vertex, node ? Math.min(...node.children.map((child) => first.get(child))) : vertex);
    node?.children.sort((one, other) => first.get(one) - first.get(other));
  }
  const order = [];
  const waiting = [draft.root];
  while (waiting.length) {
    const node = draft.nodes.get(waiting.at(-1));
    const vertex = waiting.pop();
    if (!node) continue;
    order.push(vertex);
    waiting.push(...node.children.toReversed());
  }
  return order;
}

/** The tree of a draft. What a parser said about constituents that are new or changed is left out. */
function finished(tree, draft) {
  const size = tree.tokens.length;
  const order = preorder(draft);
  const place = new Map(tree.tokens.map((_, token) => [token, token]));
  order.forEach((vertex, index) => place.set(vertex, size + index));
  const nodes = order.map((vertex) => {
    const { record, children, head } = draft.nodes.get(vertex);
    const { head: _, ...rest } = record;
    if (head >= 0) rest.head = children.indexOf(head);
    return { ...rest, children: children.map((child) => place.get(child)) };
  });
  const made = { ...tree, nodes };
  const edges = (tree.secondary_edges ?? []).filter((edge) => place.has(edge.child) && place.has(edge.parent));
  delete made.secondary_edges;
  if (edges.length)
    made.secondary_edges = edges.map((edge) => ({ ...edge, child: place.get(edge.child), parent: place.get(edge.parent) }));
  const places = Array.from({ length: count(tree) }, (_, vertex) => place.get(vertex) ?? -1);
  return { tree: withoutOldClaims(tree, made, order), places, place };
}

function withoutOldClaims(tree, made, order) {
  const [before, after] = [spansOf(tree), spansOf(made)];
  const size = tree.tokens.length;
  let isSame = tree.nodes.length === made.nodes.length;
  const nodes = made.nodes.map((node, index) => {
    const old = order[index];
    const kept = old < count(tree) && recordOf(tree, old).label === node.label &&
      String(before[old]) === String(after[size + index]);
    isSame &&= kept;
    return kept ? node : without(node);
  });
  return isSame ? { ...made, nodes } : without({ ...made, nodes });
}

function without(record) {
  const { features, ...rest } = record;
  const { confidence: _, ...others } = features ?? {};
  return Object.keys(others).length ? { ...rest, features: others } : rest;
}

/** Leave out vertices that are below others of the list. */
export function highest(tree, vertices) {
  const parents = parentsOf(tree);
  const wanted = new Set(vertices);
  return [...wanted].sort((a, b) => a - b).filter((vertex) => {
    for (let above = parents[vertex]; above >= 0; above = parents[above]) if (wanted.has(above)) return false;
    return true;
  });
}

/** Why vertices cannot be attached to another one; empty if they can. */
export function whyNotAttach(tree, vertices, target) {
  const parents = parentsOf(tree);
  if (!vertices.length) return "Nothing is cut. Cut a node or a word first.";
  if (isToken(tree, target)) return `“${nameOf(tree, target)}” is a word. Only nodes have children.`;
  for (const vertex of vertices) {
    if (vertex === rootOf(tree)) return "The root has nothing above it.";
    if (vertex === target) return "A node cannot be its own child.";
    if (isAbove(parents, vertex, target)) return `${nameOf(tree, target)} is below ${nameOf(tree, vertex)}.`;
  }
  if (vertices.every((vertex) => parents[vertex] === target)) return `This is a child of ${nameOf(tree, target)} already.`;
  return "";
}

/** Make vertices children of a node. Nodes that become empty go away. */
export function attach(tree, vertices, target) {
  const moved = highest(tree, vertices);
  const fault = whyNotAttach(tree, moved, target);
  if (fault) throw new EditError(fault);
  const draft = draftOf(tree);
  for (const vertex of moved) if (draft.parents[vertex] !== target) move(draft, vertex, target);
  return finished(tree, draft);
}

/** Make vertices siblings of their parent. */
export function raise(tree, vertex) {
  const parents = parentsOf(tree);
  if (vertex === rootOf(tree) || parents[vertex] === rootOf(tree)) throw new EditError("It is as high as it can be.");
  return attach(tree, [vertex], parents[parents[vertex]]);
}

/** Put a new node over vertices, below the lowest node that has all of them. */
export function insert(tree, vertices, label) {
  const covered = highest(tree, vertices);
  if (!covered.length) throw new EditError("Select the children of the new node first.");
  if (covered.includes(rootOf(tree))) throw new EditError("The root has nothing above it.");
  const draft = draftOf(tree);
  let above = draft.parents[covered[0]];
  while (!covered.every((vertex) => isAbove(draft.parents, above, vertex))) above = draft.parents[above];
  const made = count(tree);
  draft.nodes.set(made, { record: { label: checked(label, "label") }, children: [], head: -1 });
  const wasHead = covered.includes(draft.nodes.get(above).head);
  put(draft, made, above);
  for (const vertex of covered) move(draft, vertex, made);
  if (wasHead) draft.nodes.get(above).head = made;
  const { place, ...done } = finished(tree, draft);
  return { ...done, made: place.get(made) };
}

/** Remove a node. Its children take its place. */
export function remove(tree, vertex) {
  if (isToken(tree, vertex)) throw new EditError("Words cannot be deleted.");
  if (vertex === rootOf(tree)) throw new EditError("The root cannot be deleted.");
  const draft = draftOf(tree);
  const { children, head } = draft.nodes.get(vertex);
  const wasHead = draft.nodes.get(draft.parents[vertex]).head === vertex;
  const above = detach(draft, vertex);
  draft.nodes.delete(vertex);
  for (const child of children) put(draft, child, above);
  if (wasHead) draft.nodes.get(above).head = children.length === 1 ? children[0] : head;
  return finished(tree, draft);
}

function checked(text, field) {
  const clean = text.trim();
  if (!clean && field === "label") throw new EditError("A node needs a label.");
  if (/\s/.test(clean)) throw new EditError(`A ${field === "edge_label" ? "function" : field} has no blanks.`);
  return clean;
}

/** Change the label of a node, the tag of a token, or the function ("edge_label") of either. */
export function rename(tree, vertex, field, text) {
  const record = recordOf(tree, vertex);
  if (!["edge_label", isToken(tree, vertex) ? "tag" : "label"].includes(field))
    throw new EditError(`${nameOf(tree, vertex)} has no ${field}.`);
  const { [field]: _, ...rest } = record;
  const value = checked(text, field);
  const changed = value ? { ...record, [field]: value } : rest;
  const put = (records, place) => records.map((one, at) => (at === place ? changed : one));
  const made = isToken(tree, vertex)
    ? { ...tree, tokens: put(tree.tokens, vertex) }
    : { ...tree, nodes: put(tree.nodes, vertex - tree.tokens.length) };
  const order = tree.nodes.map((_, index) => tree.tokens.length + index);
  return { tree: withoutOldClaims(tree, made, order), places: Array.from({ length: count(tree) }, (_, place) => place) };
}

// What was done can be undone: {past, present, future}.

export const begin = (tree) => ({ past: [], present: tree, future: [] });
export const advance = ({ past, present }, tree) => ({ past: [...past, present], present: tree, future: [] });
export const undo = ({ past, present, future }) =>
  past.length ? { past: past.slice(0, -1), present: past.at(-1), future: [present, ...future] } : { past, present, future };
export const redo = ({ past, present, future }) =>
  future.length ? { past: [...past, present], present: future[0], future: future.slice(1) } : { past, present, future };

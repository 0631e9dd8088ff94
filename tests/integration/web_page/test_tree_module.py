"""The operations of tree.js by themselves: a tree stays a tree, and everything can be undone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from web_page import WebPage, written

from crossbranch import Tree

QUESTION = Tree.from_string(
    "(ROOT (SBARQ (VP (WHNP (WP 0=What)) (VB 3=do)) (SQ (MD 1=should) (NP (PRP 2=I)))) (. 4=?))"
)
# tokens 0-4, ROOT 5, SBARQ 6, VP 7, WHNP 8, SQ 9, NP 10

WALK = """
import("/page/tree.js").then((trees) => {
  let seed = SEED;
  const random = (most) => {
    seed = (seed * 48271) % 2147483647;
    return seed % most;
  };
  const names = ["NP", "VP", "S", "X-1"];
  const edits = [
    (one, total) => trees.attach(one, [random(total), random(total)], random(total)),
    (one, total) => trees.attach(one, [random(total)], random(total)),
    (one, total) => trees.insert(one, [random(total), random(total)], names[random(4)]),
    (one, total) => trees.remove(one, random(total)),
    (one, total) => trees.raise(one, random(total)),
    (one, total) => trees.rename(one, random(total), ["label", "tag", "edge_label"][random(3)],
      ["", "A", "B"][random(3)]),
  ];
  const start = TREE;
  const before = JSON.stringify(start);
  let history = trees.begin(start);
  const seen = [before];
  let refused = 0;
  for (let turn = 0; turn < 1500; turn++) {
    const now = history.present;
    try {
      const done = edits[random(edits.length)](now, trees.count(now));
      if (done.places.length !== trees.count(now)) throw new Error("places are missing");
      history = trees.advance(history, done.tree);
      const faults = trees.faultsOf(done.tree);
      if (faults.length) return {faults, tree: done.tree};
      seen.push(JSON.stringify(done.tree));
    } catch (error) {
      if (!(error instanceof trees.EditError)) throw error;
      refused++;
    }
  }
  for (let place = seen.length - 1; place > 0; place--) {
    if (JSON.stringify(history.present) !== seen[place]) return {faults: ["undo is not exact"]};
    history = trees.undo(history);
  }
  if (JSON.stringify(history.present) !== before || history.past.length)
    return {faults: ["undo does not lead to the start"]};
  for (const text of seen.slice(1)) {
    history = trees.redo(history);
    if (JSON.stringify(history.present) !== text) return {faults: ["redo is not exact"]};
  }
  return {faults: [], refused, done: seen.length - 1, trees: seen.filter((_, at) => at % 5 === 0)};
})
"""


@pytest.fixture
def tree_module(page: WebPage) -> WebPage:
    page.open()
    return page


def call(page: WebPage, name: str, *arguments: object, tree: Tree = QUESTION) -> Any:
    """Call an operation. Return the new tree in brackets, or the message of an error."""
    given = ", ".join(json.dumps(one) for one in (tree.to_dict(), *arguments))
    found = page.tab.evaluate(
        f"import('/page/tree.js').then((trees) => {{try {{return trees.{name}({given});}}"
        "catch (error) {if (!(error instanceof trees.EditError)) throw error;"
        "return {error: error.message};}})"
    )
    if "error" in found:
        return found["error"]
    made = Tree.from_dict(found["tree"])
    assert made.to_dict() == found["tree"]  # in the order of the package, too
    return written(made)


def text(tree: str) -> str:
    return written(Tree.from_string(tree))


def test_attaching_can_make_and_mend_crossing_branches(tree_module: WebPage) -> None:
    assert call(tree_module, "attach", [10], 7) == text(
        "(ROOT (SBARQ (VP (WHNP (WP 0=What)) (NP (PRP 2=I)) (VB 3=do)) (SQ (MD 1=should))) (. 4=?))"
    )
    assert call(tree_module, "attach", [8, 3], 9) == text(  # the VP is empty, so it goes
        "(ROOT (SBARQ (SQ (WHNP (WP 0=What)) (MD 1=should) (NP (PRP 2=I)) (VB 3=do))) (. 4=?))"
    )
    assert call(tree_module, "attach", [4], 10) == text(
        "(ROOT (SBARQ (VP (WHNP (WP 0=What)) (VB 3=do)) (SQ (MD 1=should) (NP (PRP 2=I) (. 4=?)))))"
    )


def test_what_cannot_be_attached(tree_module: WebPage) -> None:
    assert "below SBARQ" in call(tree_module, "attach", [6], 10)
    assert "own child" in call(tree_module, "attach", [7], 7)
    assert "is a word" in call(tree_module, "attach", [7], 1)
    assert "root" in call(tree_module, "attach", [5], 6)
    assert "already" in call(tree_module, "attach", [8], 7)
    assert "Nothing is cut" in call(tree_module, "attach", [], 7)


def test_inserting_deleting_raising_and_renaming(tree_module: WebPage) -> None:
    assert call(tree_module, "insert", [1, 2], "X") == text(  # from different parents
        "(ROOT (SBARQ (VP (WHNP (WP 0=What)) (VB 3=do)) (SQ (X (MD 1=should) (PRP 2=I)))) (. 4=?))"
    )
    assert call(tree_module, "insert", [6, 4], "X") == text(
        "(ROOT (X (SBARQ (VP (WHNP (WP 0=What)) (VB 3=do)) (SQ (MD 1=should) (NP (PRP 2=I))))"
        " (. 4=?)))"
    )
    assert "root" in call(tree_module, "insert", [5], "X")
    assert "label" in call(tree_module, "insert", [1], " ")
    assert call(tree_module, "remove", 7) == text(
        "(ROOT (SBARQ (WHNP (WP 0=What)) (SQ (MD 1=should) (NP (PRP 2=I))) (VB 3=do)) (. 4=?))"
    )
    assert "Words" in call(tree_module, "remove", 1)
    assert "root" in call(tree_module, "remove", 5)
    assert call(tree_module, "raise", 8) == text(
        "(ROOT (SBARQ (WHNP (WP 0=What)) (VP (VB 3=do)) (SQ (MD 1=should) (NP (PRP 2=I)))) (. 4=?))"
    )
    assert "as high" in call(tree_module, "raise", 6)
    assert "(PP (WP 0=What))" in call(tree_module, "rename", 8, "label", "PP")
    assert "(XX 3=do)" in call(tree_module, "rename", 3, "tag", "XX")
    assert "no tag" in call(tree_module, "rename", 8, "tag", "XX")
    assert "blanks" in call(tree_module, "rename", 8, "label", "a b")


def test_heads_secondary_edges_and_confidence_follow(tree_module: WebPage) -> None:
    tree = QUESTION.to_dict()
    for node in tree["nodes"]:
        node["features"] = {"confidence": "0.9", "other": "kept"}
    tree["nodes"][2]["head"] = 1  # the VP: do
    tree["secondary_edges"] = [{"label": "SB", "child": 2, "parent": 7}]
    tree["features"] = {"confidence": "0.8"}
    found = tree_module.tab.evaluate(
        f"import('/page/tree.js').then((trees) => trees.attach({json.dumps(tree)}, [4], 7))"
    )["tree"]
    nodes = {node["label"]: node for node in found["nodes"]}
    assert nodes["VP"]["head"] == 1
    assert found["secondary_edges"] == [{"label": "SB", "child": 2, "parent": 7}]
    # What is said of changed constituents was said of others.
    assert nodes["VP"]["features"] == {"other": "kept"}
    assert nodes["SQ"]["features"] == {"confidence": "0.9", "other": "kept"}
    assert "features" not in found
    gone = tree_module.tab.evaluate(
        f"import('/page/tree.js').then((trees) => trees.remove({json.dumps(tree)}, 7))"
    )["tree"]
    assert "secondary_edges" not in gone


@pytest.mark.parametrize("seed", [1, 20, 300])
def test_random_edits_keep_a_tree_and_can_be_undone(tree_module: WebPage, seed: int) -> None:
    start = QUESTION.to_dict() | {"secondary_edges": [{"label": "SB", "child": 2, "parent": 7}]}
    start = Tree.from_dict(start).to_dict()
    script = WALK.replace("SEED", str(seed)).replace("TREE", json.dumps(start))
    found = tree_module.tab.evaluate(script)
    assert found["faults"] == []
    assert found["done"] > 300
    assert found["refused"] > 100
    for one in map(json.loads, found["trees"]):
        made = Tree.from_dict(one)
        assert made.to_dict() == one
        assert [token.form for token in made.sentence] == ["What", "should", "I", "do", "?"]

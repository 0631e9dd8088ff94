"""Derivations to look at: partial trees, words, scores, drawings and the player."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given, settings
from rich.cells import cell_len
from strategies import trees

from crossbranch.derivations import (
    Show,
    draw_player,
    draw_steps,
    draw_text_steps,
    glossary,
    records,
    show,
)
from crossbranch.derivations.pictures import forest_pictures
from crossbranch.search import Trace, TracedStep
from crossbranch.transitions import SYSTEMS, Derivation, TransitionSystem, build, derive, make_ready
from crossbranch.transitions import steps as table_of
from crossbranch.tree import Node, Token, Tree

QUESTION = Tree.from_string(
    "(ROOT (SBARQ (VP (WHNP (WP 0=What)) (VB 3=do)) (SQ (MD 1=should) (NP (PRP 2=I)))) (. 4=?))"
).replace(id="q")
each_system = pytest.mark.parametrize("system", list(SYSTEMS))


def derived(tree: Tree, system: str, oracle: str | None = None) -> Derivation:
    ready = make_ready(tree, system, "ptb")
    return derive(ready, TransitionSystem.open([ready], name=system, oracle=oracle))


def shown(tree: Tree, system: str, oracle: str | None = None) -> Show:
    return show(derived(tree, system, oracle))


def traced(system: str, *, has_probabilities: bool = False) -> Show:
    """A derivation with made-up scores: what is taken is best, but for the second step."""
    ready = make_ready(QUESTION, system, "ptb")
    derivation = derive(ready, TransitionSystem.open([ready], name=system))
    configuration = derivation.system.start(len(derivation.sentence))
    steps = []
    for number, taken in enumerate(derivation.transitions):
        best = -100.0 if number == 1 else 0.0
        scores = [(one, best if one == taken else -0.5 - one) for one in configuration.legal()]
        steps.append(TracedStep(taken, scores))
        configuration.apply(taken)
    trace = Trace(sum(step.score for step in steps), tuple(steps))
    return show(derivation, trace, has_probabilities=has_probabilities, best=2)


@each_system
def test_frames_fit_the_table_of_the_derivation(system: str) -> None:
    found = shown(QUESTION, system)
    derivation = derived(QUESTION, system)
    rows = list(table_of(derivation))
    assert [frame.transition for frame in found.frames] == [row.transition for row in rows]
    for frame, row in zip(found.frames, rows, strict=True):
        assert tuple(tuple(item.text for item in part.items) for part in frame.parts) == row.parts
    assert [frame.taken for frame in found.frames] == [*derivation.names, ""]


@each_system
def test_the_partial_trees_grow_to_the_whole_tree(system: str) -> None:
    found = shown(QUESTION, system)
    whole = build(derived(QUESTION, system))
    first, last = found.frames[0].forest, found.frames[-1].forest
    assert all(isinstance(child, int) for child in first.root.children)
    assert [(node.label, node.span) for node in last.nodes[1:]] == [
        (node.label, node.span) for node in whole.nodes
    ]
    for frame in found.frames:
        assert len(frame.forest.sentence) == 5
        for vertex in frame.items:
            assert frame.forest.parents[vertex] == 5  # items are directly below the root


@settings(max_examples=25, deadline=None)
@given(tree=trees(rich=False, min_size=1))
def test_every_derivation_can_be_shown(tree: Tree) -> None:
    for system in ("cgap", "cswap", "ml-cgap", "stack-free"):
        found = shown(tree, system)
        sizes = {picture.size for picture in forest_pictures(found)}
        assert len(sizes) == 1  # nothing jumps
        assert max(map(cell_len, draw_text_steps(found, width=60))) <= 60


def test_words_keep_their_place() -> None:
    places = set()
    for picture in forest_pictures(shown(QUESTION, "gap")):
        words = [text for text in picture.picture.texts if text.kind == "word"]
        bottom = picture.picture.bottom
        places.add(tuple((text.text, text.x, text.y - bottom) for text in words))
    assert len(places) == 1


@each_system
def test_discontinuous_nodes_keep_their_colours(system: str) -> None:
    crossing = Tree.from_string("(S (A 0=a 3=d) (B 1=b 4=e) (C 2=c 5=f))")
    colors: dict[int, set[int]] = {}
    for picture in forest_pictures(shown(crossing, system)):
        for vertex, color in picture.picture.colors.items():
            node = picture.tree.vertex(vertex)
            assert isinstance(node, Node)
            colors.setdefault(node.span, set()).add(color)
    assert len(colors) >= 3
    assert all(len(some) == 1 for some in colors.values())
    assert len(set.union(*colors.values())) == len(colors)


@pytest.mark.parametrize(
    ("system", "oracle", "expected"),
    [
        (
            "gap",
            None,
            "Set SQ “should I” aside, so that “do” can be joined with what comes before.",
        ),
        ("gap", None, "Join WHNP “What” and “do” to a node VP. Its head is “do”."),
        ("gap", None, "Put a node NP above “I”."),
        ("cgap", None, "Put no node above “should”."),
        ("cgap", None, "Set nothing aside: NP “I” is joined with “should”."),
        ("swap", None, "Put “should” back to the queue"),
        ("swap", "lazier", "Put SQ “should I” back to the queue"),
        ("swap", "lazier", "Take the next item, SQ “should I”."),
        ("cswap", None, "The tree is complete."),
        ("ml-gap", None, "“should” is not a constituent by itself, so it gets no label."),
        ("ml-gap-lex", None, "Join “should” and NP “I”. Together they have no label yet."),
        ("stack-free", None, "“What … do” is a constituent with the label VP."),
    ],
)
def test_transitions_are_explained(system: str, oracle: str | None, expected: str) -> None:
    told = [frame.explanation for frame in shown(QUESTION, system, oracle).frames]
    assert any(text.startswith(expected) for text in told), "\n".join(told)


@each_system
def test_everything_is_in_the_glossary(system: str) -> None:
    found = shown(QUESTION, system)
    derivation = derived(QUESTION, system)
    known = glossary(derivation.system)
    assert found.wording.glossary == known
    assert {part.name for part in found.frames[0].parts} <= known.keys()
    moves = {name.partition("X")[0].partition("n")[0] for name in known}
    for name in derivation.names:
        assert any(move and name.startswith(move) for move in moves), name


def test_scores_are_shown_in_their_order() -> None:
    found = traced("gap")
    assert found.score == -100.0
    second = found.frames[1]
    assert second.is_second_choice
    assert [choice.score for choice in second.choices] == sorted(
        (choice.score for choice in second.choices if choice.score is not None), reverse=True
    )
    assert second.taken in [choice.name for choice in second.choices]
    assert len(second.choices) <= 3
    assert not found.frames[0].is_second_choice


def test_legal_moves_are_summed_up() -> None:
    frame = shown(QUESTION, "gap").frames[2]
    assert frame.legal[0] == "SH"
    assert frame.legal_count >= len(frame.legal)
    labels = [text for text in shown(QUESTION, "stack-free").frames[1].legal if "labels" in text]
    assert labels == ["LABEL-… with 5 labels"]


def test_text_has_trees_and_scores() -> None:
    text = "\n".join(draw_text_steps(traced("gap"), width=80))
    assert text.startswith("sentence q: 12 transitions, score -100.0\n\n0. start\n")
    assert "WHNP    │" in text
    assert "→ RU(WHNP) -100.0" in text
    assert "GAP = gap: set items aside" in text
    assert "next: SH\n" in "\n".join(draw_text_steps(shown(QUESTION, "gap"), width=80))


def test_text_of_any_script_fits_the_terminal() -> None:
    words = ["日本語" * 12, "הכלב", "x" * 90, "a\tb"]
    tree = Tree([Token(word) for word in words], Node("ROOT", [Node("S", [0, 1]), 2, 3]))
    lines = list(draw_text_steps(shown(tree, "gap"), width=40))
    assert max(map(cell_len, lines)) <= 40
    assert "\u2068הכלב\u2069" in "".join(lines)
    assert "\\u2068" not in "".join(lines)


def test_records_are_json() -> None:
    found = json.loads(json.dumps(list(records(traced("stack-free", has_probabilities=True)))))
    assert found[0]["Buffer"] == ["What", "should", "I", "do", "?"]
    assert found[1]["Action"] == "SHIFT"
    assert found[0]["scores"][0] == {
        "transition": "SHIFT",
        "score": 0.0,
        "probability": 1.0,
        "taken": True,
    }
    assert found[-1]["next"] == ""
    assert next(records(shown(QUESTION, "gap")))["scores"] == []


def test_pictures_are_whole_documents() -> None:
    found = traced("gap")
    pictures = [ElementTree.fromstring(picture) for picture in draw_steps(found)]
    assert len(pictures) == len(found.frames)
    assert len({picture.get("width") for picture in pictures}) == 1
    words = "".join(pictures[8].itertext())
    assert "8. GAP" in words
    assert "→ RR(VP)" in words


def page_of(path: Path, *shows: Show, title: str = "Teach") -> Path:
    path.write_text("".join(draw_player(shows, title=title, meanings={"VP": "verb phrase"})))
    return path


def test_the_player_loads_nothing_and_escapes_everything(tmp_path: Path) -> None:
    nasty = Tree([Token("<script>alert(1)</script>"), Token('&"')], Node("ROOT", [0, 1]))
    page = page_of(tmp_path / "page.html", shown(nasty, "gap"), title="<b>").read_text()
    assert "<script>alert" not in page
    assert "<title>&lt;b&gt;</title>" in page
    assert "default-src 'none'" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    assert " style=" not in page


def test_the_player_has_everything(tmp_path: Path) -> None:
    shows = [traced("gap"), traced("stack-free", has_probabilities=True)]
    first, second = page_of(tmp_path / "page.html", *shows).read_text().split("<article")[1:]
    assert first.count("<template>") == len(shows[0].frames) + 2
    step = first.split("<template>")[9]
    assert "<h2>8. GAP</h2><p" in step
    assert '<span class="chip aside"' in step
    assert "→ RR(VP)" in step
    assert "<dt>VP</dt><dd>verb phrase</dd>" in first
    assert "<th>probability</th>" in second
    assert second.count("another move has a higher score") == 1

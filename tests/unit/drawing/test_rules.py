"""Rules as pictures."""

import re
from xml.etree import ElementTree

import pytest

from crossbranch.drawing import DrawnRule, draw_rules
from crossbranch.errors import UsageError
from crossbranch.grammar import draw_rules as draw_grammar_rules
from crossbranch.grammar import parse_text

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[str]:
    return ["".join(one.itertext()) for one in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_a_rule_is_a_row_of_blocks() -> None:
    picture = draw_rules([DrawnRule("S", ["VP", "<b>"], [[(0, 0), (1, 0), "a"], [(0, 1)]])])
    assert texts(picture) == ["S", "VP1", "<b>", "a", "VP2"]
    classes = re.findall(r'<(?:rect|path) class="(\w+)"', picture)
    assert classes == ["paper", "frame", "c0", "plain", "gap", "frame", "c0"]


def test_boxes_lie_in_their_frames() -> None:
    grammar = parse_text('top S\n1 S -> A(x,y) B_2(u,v) : x u "a" y v')
    root = ElementTree.fromstring(draw_grammar_rules(grammar.rules))
    boxes = [one for one in root.iter(f"{SVG}rect") if one.get("class") != "paper"]
    frame = next(one for one in boxes if one.get("class") == "frame")
    left, width = float(frame.get("x", 0)), float(frame.get("width", 0))
    inside = [one for one in boxes if one.get("class") != "frame"]
    assert len(inside) == 4
    for one in inside:
        assert left < float(one.get("x", 0))
        assert float(one.get("x", 0)) + float(one.get("width", 0)) < left + width
    assert left + width < float(root.get("width", 0))


def test_symbols_lose_their_fan_outs_and_escapes() -> None:
    grammar = parse_text("top S\n1 S -> VP_2(x,y) $&#x28;(z) : x z y")
    assert texts(draw_grammar_rules(grammar.rules)) == ["S", "VP1", "$(", "VP2"]


def test_nothing_to_draw() -> None:
    with pytest.raises(UsageError, match="without rules"):
        draw_rules([])

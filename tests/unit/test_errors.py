"""Errors say where, what was found and what was expected, and travel between processes."""

from __future__ import annotations

import pickle

import pytest

from crossbranch import errors
from crossbranch.errors import DamageError, InputError, LossWarning, OptionError, TreeError


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ({}, "<input>: found x, expected y"),
        ({"path": "a.export"}, "a.export: found x, expected y"),
        ({"path": "a.export", "line": 7}, "a.export:7: found x, expected y"),
        ({"path": "a.xz", "byte": 0}, "a.xz: byte 0: found x, expected y"),
        ({"line": 7, "sentence": "12"}, "<input>:7: sentence 12: found x, expected y"),
    ],
)
def test_an_input_error_names_its_place(place: dict[str, object], expected: str) -> None:
    assert str(InputError("x", "y", **place)) == expected  # type: ignore[arg-type]


def test_a_message_has_a_readable_length() -> None:
    error = InputError("x" * 10_000, "y" * 10_000, path="p", sentence="s" * 10_000)
    assert len(str(error)) < 1000
    assert len(error.found) == 10_000


@pytest.mark.parametrize("kind", [InputError, DamageError])
def test_an_input_error_survives_pickling(kind: type[InputError]) -> None:
    error = kind("x", "y", path="p", line=3, byte=4, sentence="s")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


def test_an_option_error_can_use_other_names() -> None:
    error = OptionError("{name}: {0} goes without {1}", "tags_only", "k_best", name="a{0}.txt")
    copy = pickle.loads(pickle.dumps(error))
    for each in (error, copy):
        assert str(each) == "a{0}.txt: tags_only goes without k_best"
        assert each.renamed(str.upper) == "a{0}.txt: TAGS_ONLY goes without K_BEST"


def test_a_tree_error_keeps_its_vertex() -> None:
    error = TreeError("no tree", vertex=5)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.vertex) == ("no tree", 5)
    assert isinstance(error, ValueError)


def test_a_loss_warning_counts_by_part_and_survives_pickling() -> None:
    warning = LossWarning("bracket", {"lemmas": 1200, "heads": 3})
    assert str(warning) == "bracket cannot hold everything; dropped: 1,200 lemmas, 3 heads"
    copy = pickle.loads(pickle.dumps(warning))
    assert (copy.format_name, copy.losses) == ("bracket", {"lemmas": 1200, "heads": 3})


def test_the_drawing_of_the_family_is_the_family() -> None:
    drawn = set(errors.__doc__.split()) if errors.__doc__ else set()
    family = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, Exception)
    }
    assert family <= drawn
    for name in family - {"LossWarning"}:
        assert issubclass(getattr(errors, name), errors.CrossbranchError)

"""Labels, tags and functions in words: the treebanks' own, and those made of others."""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from crossbranch.errors import UsageError
from crossbranch.models import LABEL_SETS, LabelMeanings, label_set, label_set_of
from crossbranch.tree import ROOT


@pytest.mark.parametrize("name", LABEL_SETS)
def test_every_entry_has_a_text_and_an_example(name: str) -> None:
    known = label_set(name)
    assert known.title
    assert known.language
    entries = [*known.phrases.items(), *known.tags.items(), *known.functions.items()]
    for label, meaning in entries:
        assert meaning.text.strip() == meaning.text != "", label
        assert "[" in meaning.example, label
        assert meaning.example.count("[") == meaning.example.count("]"), label


@pytest.mark.parametrize("name", LABEL_SETS)
def test_what_is_listed_is_explained(name: str) -> None:
    known = label_set(name)
    for tag in known.composition.listed:
        assert known.tag(tag) is not None, tag


def unexplained(known: LabelMeanings, file: Path) -> Iterator[str]:
    """What a file in the export format has that is not explained; quicker than reading trees."""
    labels: set[str] = {ROOT}
    tags: set[str] = set()
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            columns = line.split("\t")
            if len(columns) > 4 and not line.startswith("%%"):
                (labels if re.match(r"#[0-9]", line) else tags).add(columns[2])
    assert len(labels) > 10
    assert len(tags) > 10
    for kind, names, explain in (("label", labels, known.phrase), ("tag", tags, known.tag)):
        for name in names:
            meaning = explain(name)
            if meaning is None or not meaning.text or not meaning.example:
                yield f"{kind} {name}"


@pytest.mark.parametrize("part", ["train", "dev"])
@pytest.mark.parametrize("name", LABEL_SETS)
def test_every_label_and_tag_of_the_treebank_is_explained(
    name: str, part: str, shared: Path
) -> None:
    file = shared / "treebanks" / name / f"{part}.export.xz"
    assert sorted(unexplained(label_set(name), file)) == []


@pytest.mark.parametrize(
    ("name", "treebank"),
    [("alpino", "alpino"), ("squoia", "squoia"), ("masc", "masc"), ("masc", "wsj-sample")],
)
def test_every_function_of_the_treebank_is_explained(
    name: str, treebank: str, shared: Path
) -> None:
    file = shared / "treebanks" / treebank / "with-functions" / "train.export.xz"
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        rows = (line.split("\t") for line in lines if not line.startswith(("%%", "#BOS", "#EOS")))
        functions = {row[4] for row in rows if len(row) > 5} - {"--", ""}
    assert len(functions) > 20
    known = label_set(name)
    assert sorted(label for label in functions if not known.function(label)) == []


def test_every_tag_of_the_english_web_treebank_is_explained(shared: Path) -> None:
    file = shared / "tagged" / "ewt" / "train.conllu.xz"
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        tags = {line.split("\t")[4] for line in lines if re.match(r"[0-9]+\t", line)}
    assert len(tags) > 40
    assert sorted(tag for tag in tags if not label_set("masc").tag(tag)) == []


FUNCTIONS = {
    "alpino": ("su", "obj1", "obj2", "hd", "mod", "predc", "svp"),
    "craft": ("SBJ", "PRD", "TMP", "LOC"),
    "masc": ("SBJ", "PRD", "TMP", "LOC", "IMP", "UNF"),
    "squoia": ("SB", "OA", "DA", "HD", "MO", "PD", "SVP"),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_explained(name: str) -> None:
    for function in FUNCTIONS[name]:
        assert label_set(name).function(function), function
    assert label_set(name).function("nothing") is None
    assert label_set(name).function("") is None


def test_combined_functions_are_explained_by_their_parts() -> None:
    known = label_set("masc")
    place, predicate = known.function("LOC"), known.function("PRD")
    both = known.function("LOC-PRD")
    assert both and place and predicate  # noqa: PT018 - for the type checker
    assert both.text.startswith("several functions at once: place")
    assert both.example == f"{place.example} + {predicate.example}"
    assert known.function("SBJ-SBJ") == known.function("SBJ")
    assert known.function("LOC-NOTHING") is None


def test_a_label_set_includes_another_one() -> None:
    craft, masc = label_set("craft"), label_set("masc")
    assert set(craft.phrases) < set(masc.phrases)
    assert set(craft.tags) < set(masc.tags)
    assert set(craft.functions) < set(masc.functions)
    assert masc.tag("IN") == craft.tag("IN")
    assert masc.phrase("NP") != craft.phrase("NP")  # an everyday example
    assert "EDITED" not in craft.phrases
    assert (craft.title, masc.title) == (
        "Penn Treebank style, as in CRAFT",
        "Penn Treebank style, as in MASC",
    )


def test_verbs_are_explained_by_stem_and_ending() -> None:
    known = label_set("icepahc")
    assert known.tag("VBDI") == ("verb: past tense, indicative", "hún [las] bók")
    to_be, one = known.tag("BAG"), known.tag("MAN")
    assert to_be is not None
    assert to_be.text == "the verb vera, to be: present participle"
    assert one is not None
    assert "one" in one.text  # no participle, but maður
    assert known.tag("VBXX") is None


def test_parts_of_words_are_explained() -> None:
    known = label_set("icepahc")
    first, second = known.tag("N21"), known.tag("N22")
    assert first is not None
    assert second is not None
    assert first.text.startswith("part 1 of 2")
    assert (first.example, second.example) == ("[borð] stofa", "borð [stofa]")
    assert known.tag("N33").example == "borð stofu [stóll]"  # type: ignore[union-attr]
    assert known.tag("N23") is None
    assert known.tag("NOTHING21") is None


def test_compounds_are_explained() -> None:
    known = label_set("icepahc")
    found = known.tag("Q+N")
    assert found is not None
    assert found.text == "one word made of: quantifier + noun, singular"
    unseen = known.tag("N+NUM")
    assert unseen is not None
    assert unseen.example == "gamall [hestur] + [þrír] hestar"
    assert known.tag("N+NOTHING") is None
    assert label_set("alpino").tag("n+n") is None


def test_a_tag_can_be_the_label_of_a_group() -> None:
    known = label_set("icepahc")
    found = known.phrase("VB")
    assert found is not None
    assert found.example == "[lesa og skrifa]"
    assert known.phrase("NOTHING") is None
    assert label_set("alpino").phrase("ww") is None


def test_no_tag_is_a_tag_of_export_files() -> None:
    assert label_set("squoia").tag("") == label_set("squoia").tag("--")
    assert label_set("alpino").tag("") is None


def test_a_label_set_is_found_by_name_or_by_its_labels() -> None:
    assert label_set_of(["XX"], ["YY"], name="craft") is label_set("craft")
    assert label_set_of(["SMAIN", "NP", "PP"], ["ww", "n"]) is label_set("alpino")
    assert label_set_of(["S", "NP", "CNP"], ["VVFIN", "NN", "ART"]) is label_set("squoia")
    assert label_set_of(["SBAR", "NP"], ["VBZ", "NN"], name="mine") is label_set("craft")
    assert label_set_of(["SBAR", "EDITED"], ["VBZ", "NFP"]) is label_set("masc")
    assert label_set_of(["XX", "YY"], ["ZZ"]) is None
    assert label_set_of([], []) is None


def test_an_unknown_label_set() -> None:
    with pytest.raises(UsageError, match="expected one of alpino"):
        label_set("negra")

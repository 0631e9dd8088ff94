"""Derivations on the command line: `crossbranch derive` and `crossbranch stats --transitions`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import CROSSING, crossbranch

from crossbranch.grammar.sampling import sample
from crossbranch.parsers import train

BINARY = "(ROOT (S (S: (NP 0=Es (NP 3=hinreichender 4=Spielraum)) 1=bestünde) 2=somit))\n"


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "small.discbracket"
    path.write_text(CROSSING * 2 + "(ROOT (UH 0=Yes))\n")
    return path


def table(text: str) -> list[list[str]]:
    """The cells of aligned columns, without the title; the first row tells where they start."""
    _, header, *rows = text.rstrip("\n").split("\n")
    names = header.split()
    starts = [header.index(name) for name in names]
    ends = [*starts[1:], None]
    return [[row[a:b].strip() for a, b in zip(starts, ends, strict=True)] for row in rows]


def test_a_derivation_row_by_row(treebank: Path) -> None:
    stdout, stderr = crossbranch("derive", treebank, "--sentence", "2")
    assert not stderr
    assert stdout.startswith("sentence 2: ")
    rows = table(stdout)
    assert rows[0] == ["", "", "What should I do ?", ""]
    assert rows[-1] == ["", "ROOT[should]", "", "RL(ROOT)"]
    assert " ".join(row[-1] for row in rows[1:]) == (
        "SH RU(WHNP) SH SH RU(NP) RL(SQ) SH GAP RR(VP) RL(SBARQ) SH RL(ROOT)"
    )


def test_every_system_and_oracle_can_be_shown(treebank: Path) -> None:
    for system, word in (("gap", "GAP"), ("cgap", "GAP_1"), ("swap", "SINGLESWAP")):
        stdout, _ = crossbranch("derive", treebank, "--system", system, "--heads", "ptb")
        assert stdout.count("sentence ") == 3
        assert stdout.count(word) >= 2
    stdout, _ = crossbranch("derive", treebank, "--system", "cswap", "--oracle", "lazier")
    assert "COMPOUNDSWAP_1" in stdout
    assert "FINISH" in stdout
    eager, _ = crossbranch("derive", treebank, "--system", "swap", "--oracle", "eager")
    assert eager != stdout
    for system, word in (("ml-gap", "GAP"), ("ml-gap-lex", "MERGE-RIGHT"), ("ml-cgap", "GAP_1")):
        stdout, _ = crossbranch("derive", treebank, "--system", system, "--heads", "ptb")
        assert stdout.count("sentence ") == 3
        assert stdout.count(word) >= 2
    stdout, _ = crossbranch(
        "derive", treebank, "--system", "stack-free", "--oracle", "dynamic", "--sentence", "2"
    )
    rows = table(stdout)
    assert rows[0] == ["", "", "What should I do ?", ""]
    assert rows[-1] == ["", "ROOT{What should I do ?}", "", "LABEL-ROOT"]
    assert ["SQ{should I}", "{What do}", "?", "COMBINE-1"] in [
        [row[0].replace("WHNP{What} ", ""), *row[1:]] for row in rows
    ]
    _, stderr = crossbranch("derive", treebank, "--system", "ml-gap", "--oracle", "lazy", code=2)
    assert "ml-gap has no oracle 'lazy'; expected one of static, dynamic" in stderr


def test_binary_trees_are_taken_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "binary.discbracket"
    path.write_text(BINARY)
    stdout, _ = crossbranch("derive", path, "--heads", "none")
    assert table(stdout)[-1] == ["", "ROOT+S[Es]", "", "RR(ROOT+S)"]
    assert "S:[Es]" in stdout


def test_transforms_may_come_first(treebank: Path) -> None:
    stdout, _ = crossbranch("derive", treebank, "--apply", "raise", "--sentence", "1")
    assert "GAP" not in stdout


def test_wrong_calls_and_bad_trees(treebank: Path, tmp_path: Path) -> None:
    _, stderr = crossbranch("derive", treebank, "--sentence", "17", code=2)
    assert "there is no sentence 17 (sentences in the input: 3)" in stderr
    _, stderr = crossbranch("derive", treebank, "--oracle", "lazy", code=2)
    assert "gap has no oracle 'lazy'" in stderr
    crossbranch("derive", treebank, "--system", "nonsense", code=2)
    _, stderr = crossbranch("derive", treebank, "--heads", "nonsense", code=2)
    assert "head tables" in stderr
    # Binary, but not head-outward: two temporary nodes are joined.
    bad = tmp_path / "bad.discbracket"
    bad.write_text("(S (S: 0=a 1=b) (S: 2=c 3=d))\n" + CROSSING)
    _, stderr = crossbranch("derive", bad, code=1)
    assert "sentence 1: SR-GAP cannot build this tree" in stderr
    stdout, stderr = crossbranch("derive", bad, "--on-error", "skip")
    assert "skipped: sentence 1" in stderr
    assert stdout.startswith("sentence 2: ")


def test_lengths_of_derivations(treebank: Path, tmp_path: Path) -> None:
    stdout, _ = crossbranch(
        "stats", treebank, treebank, "--transitions", "--json", tmp_path / "s.json"
    )
    assert "derivations: small.discbracket" in stdout
    assert "derivations: total" in stdout
    assert "SR-SWAP lazier" in stdout
    found = json.loads((tmp_path / "s.json").read_text())["small.discbracket"]["transitions"]
    assert " ".join(one["system"] for one in found) == (
        "gap cgap swap cswap swap swap swap ml-gap ml-gap-lex ml-cgap stack-free"
    )
    assert found[-1]["longest"] == 4 * 5 - 2
    assert found[-2]["longest"] == 5 * 5 - 3
    assert found[-1]["theoretical_longest"] == "4n-2"
    assert "ML-GAP-LEX" in stdout
    gap, cgap = found[:2]
    assert gap["theoretical_longest"] == "(n²+n)/2"
    assert gap["moved"] == 2
    assert gap["most_in_a_row"] == 1
    assert cgap["longest"] == 4 * 5 - 2
    assert cgap["transitions_per_token"] == (18 + 18 + 2) / 11
    stdout, _ = crossbranch("stats", treebank, "--json", "-")
    assert "transitions" not in json.loads(stdout)["small.discbracket"]


def test_coverage_of_span_charts(treebank: Path, tmp_path: Path) -> None:
    stdout, _ = crossbranch(
        "stats", treebank, treebank, "--coverage", "--json", tmp_path / "s.json"
    )
    assert "constituents that span charts can find, %: small.discbracket" in stdout
    assert "constituents that span charts can find, %: total" in stdout
    assert "O(n⁵), well-nested" in stdout
    found = json.loads((tmp_path / "s.json").read_text())["small.discbracket"]["coverage"]
    assert found["of two blocks"] == found["found of two blocks"]["O(n⁶)"] > 0
    assert found["found of two blocks"]["continuous"] == 0


def test_derivations_of_trees_in_all_forms(treebank: Path, tmp_path: Path) -> None:
    stdout, _ = crossbranch("derive", treebank, "--to", "drawn", "--sentence", "3")
    assert stdout.startswith("sentence 3: ")
    assert "Take the next word, “Yes”." in stdout
    assert max(map(len, stdout.splitlines())) <= 120
    crossbranch("derive", treebank, "-o", tmp_path / "steps.html", "--system", "stack-free")
    page = (tmp_path / "steps.html").read_text()
    assert page.count("<article") == 3
    _, stderr = crossbranch("derive", treebank, "-o", f"{tmp_path}/steps/", "--sentence", "1")
    pictures = sorted(path.name for path in (tmp_path / "steps").iterdir())
    assert pictures[0] == "1-000.svg"
    assert f"{len(pictures)} pictures" in stderr
    crossbranch("derive", treebank, "-o", tmp_path / "steps.json", "--sentence", "1")
    records = json.loads((tmp_path / "steps.json").read_text())
    assert len(records) == len(pictures)
    assert records[1]["explanation"] == "Take the next word, “What”."


def test_derivations_of_a_model(tmp_path: Path) -> None:
    text = "What should I do?"
    stdout, _ = crossbranch("parse", "en", text, "--derivation")
    first, header, *rows = stdout.rstrip("\n").split("\n")
    assert first.startswith("sentence 1: ")
    assert header.split() == ["S", "D", "B", "Action", "score", "best", "other"]
    score = float(first.rpartition(" ")[2])
    crossbranch("parse", "en", text, "--derivation", "-o", tmp_path / "steps.json")
    records = json.loads((tmp_path / "steps.json").read_text())
    assert len(records) == len(rows)
    taken = [one["score"] for record in records for one in record["scores"] if one["taken"]]
    assert sum(taken) == pytest.approx(score, abs=0.1)
    crossbranch("parse", "en", text, "--derivation", "-o", tmp_path / "steps.html")
    page = (tmp_path / "steps.html").read_text()
    assert "parsed with en" in page
    assert "<dt>VP</dt><dd>verb phrase" in page


def test_wrong_calls_for_derivations(treebank: Path) -> None:
    for call, message in (
        (["derive", treebank, "-o", "steps.pdf"], "expected --to drawn, json, svg, html"),
        (["derive", treebank, "--json", "-o", "x.html"], "cannot be used with --to or -o"),
        (["parse", "en", "Hi", "--derivation", "--k-best", "2"], "--k-best cannot be used"),
        (["parse", "en", "", "--derivation"], "no sentence to parse"),
    ):
        _, stderr = crossbranch(*call, code=2)
        assert message in stderr


def test_items_of_a_grammar(tmp_path: Path) -> None:
    train("plcfrs", train=tuple(sample(60, seed=1)), tags="gold").save(tmp_path / "grammar")
    call = [
        "parse",
        str(tmp_path / "grammar"),
        "--tagged",
        "--derivation",
        "--set",
        "estimates=none",
    ]
    (tmp_path / "in.txt").write_text("Das/ART Haus/NN sah/VVFIN ihn/PPER ./$.\n")
    stdout, _ = crossbranch(*call, tmp_path / "in.txt", "--items", "3")
    first, told, header, *rows = stdout.rstrip("\n").split("\n")
    assert first.startswith("sentence 1: ")
    assert "They and 3 others are shown" in told
    assert header.split() == ["no.", "item", "words", "probability", "rule", "made", "of", "tree"]
    assert rows[-1].rstrip().endswith("★")
    crossbranch(*call, tmp_path / "in.txt", "--items", "3", "-o", tmp_path / "items.json")
    records = json.loads((tmp_path / "items.json").read_text())
    tree = [record for record in records if record["in tree"]]
    assert len(records) == len(tree) + 3
    assert records[-1]["words"] == "Das Haus sah ihn ."
    crossbranch(*call, tmp_path / "in.txt", "-o", f"{tmp_path}/pictures/")
    assert len(list((tmp_path / "pictures").glob("1-*.svg"))) > len(tree)


def test_wrong_calls_for_items() -> None:
    for call, message in (
        (["parse", "en", "Hi", "--items", "3"], "--items is for --derivation"),
        (["parse", "en", "Hi", "--derivation", "--items", "3"], "--items is for charts and gram"),
        (["grammar", "parse", "english", "Hi", "--items", "3"], "--items is for --derivation"),
    ):
        _, stderr = crossbranch(*call, code=2)
        assert message in stderr

"""`crossbranch grammar` in a process of its own."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from commands import CROSSING, crossbranch
from grammar_yields import COPY

from crossbranch.cli import crossbranch as command
from crossbranch.grammar import parse_text, read


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "crossing.txt").write_text(CROSSING * 2)
    (tmp_path / "copy.lcfrs").write_text(COPY)
    (tmp_path / "tags.lcfrs").write_text("top S\n1 S -> A B\n")
    return tmp_path


def run(*arguments: str | Path, code: int = 0, stdin: str = "") -> str:
    """Run the command in this process, which is quicker."""
    found = CliRunner().invoke(command, ["grammar", *map(str, arguments)], input=stdin)
    assert found.exit_code == code, found.exception or found.output
    return found.output


def test_from_trees_to_trees(folder: Path) -> None:
    target = folder / "train.lcfrs"
    crossbranch("grammar", "extract", folder / "crossing.txt", "-o", target)
    assert "2 VP_2 -> WHNP(a) VB(b) : a , b\n" in target.read_text()
    words = "What/WP will/MD I/PRP see/VB ?/."
    out, _ = crossbranch("grammar", "parse", target, "--tagged", words, "--to", "discbracket")
    assert out.startswith("(ROOT (SBARQ (VP (WHNP (WP 0=What)) (VB 3=see)) (SQ (MD 1=will)")
    out, _ = crossbranch("grammar", "sample", target, "1", "--to", "tokens")
    assert out == "What should I do ?\n"


def test_words_of_a_formal_language(folder: Path) -> None:
    out, err = crossbranch(
        *("grammar", "parse", folder / "copy.lcfrs", "--letters", "abcccab", "abcccba"),
        *("--to", "discbracket"),
        code=1,
    )
    assert "(A (_a" not in out
    assert out.startswith("(S (A ")
    assert err == "crossbranch: not in the language: abcccba\n"


def test_extraction_after_a_pipeline(folder: Path) -> None:
    out = run(
        *("extract", folder / "crossing.txt", "--limit", "1", "--probabilities"),
        *("--apply", "raise | binarize(left)"),
    )
    assert "top ROOT" in out
    assert "VP_2" not in out
    grammar = parse_text(out)
    assert set(grammar.totals().values()) == {1.0}


def test_bad_trees_can_be_skipped(folder: Path) -> None:
    (folder / "bad.txt").write_text(CROSSING + "(ROOT (\n" + CROSSING)
    out, err = crossbranch("grammar", "extract", folder / "bad.txt", "--on-error", "skip")
    assert "2 NP -> PRP" in out
    assert "skipped" in err
    crossbranch("grammar", "extract", folder / "bad.txt", code=1)


def test_figures(folder: Path) -> None:
    out = run("show", folder / "copy.lcfrs")
    assert "parsing time   O(n^5)" in out
    assert "gap-explicit       no" in out
    (figures,) = json.loads(run("show", folder / "copy.lcfrs", "--json"))
    assert figures["rules"] == 7
    assert figures["fan_outs"] == {"1": 1, "2": 6}
    (row,) = csv.DictReader(io.StringIO(run("show", folder / "copy.lcfrs", "--csv")))
    assert row["complexities.5"] == "1"


def test_occurrences_by_gap_degree(folder: Path) -> None:
    """As in Maier (2015), section 3.3.3: how often rules with no gap, with one gap, ... occur."""
    (folder / "gaps.lcfrs").write_text(
        'top S\n5 S -> A(a,b) : a b\n2 S -> B\n3 A -> B(a) B(b) : a , b\n1 B -> "b"\n'
    )
    out = run("show", folder / "gaps.lcfrs")
    assert [line.split() for line in out.splitlines()[-3:]] == [
        ["gap", "degree", "rules", "occurrences", "mean"],
        ["0", "2", "7", "3.50"],
        ["1", "1", "3", "3.00"],
    ]
    (figures,) = json.loads(run("show", folder / "gaps.lcfrs", "--json"))
    assert figures["gap_degrees"]["0"] == {"rules": 2, "occurrences": 7, "mean": 3.5}
    run("convert", folder / "gaps.lcfrs", folder / "shares.lcfrs", "--probabilities")
    out = run("show", folder / "shares.lcfrs")
    assert "occurrences" not in out
    assert "the weights are not counts" in out


def test_rules_are_listed_by_weight(folder: Path) -> None:
    (folder / "my.lcfrs").write_text('top S\n1 S -> A A\n5 S -> A\n3 A -> "a[b]"\n')
    out = run("show", folder / "my.lcfrs", "--rules")
    assert [line.split()[0] for line in out.splitlines()] == ["weight", "5", "1"]
    out = run("show", folder / "my.lcfrs", "--symbol", "A", "--symbol", "S", "--top", "2")
    assert '3       1           A -> "a[b]"' in out
    assert len(out.splitlines()) == 3
    out = run("show", folder / "my.lcfrs", "--rules", "--json")
    assert json.loads(out)[0] == {"weight": 5, "complexity": 2, "rule": "S -> A"}
    _, err = crossbranch("grammar", "show", folder / "my.lcfrs", "--symbol", "B", code=2)
    assert "unknown symbol B" in err


def test_check(folder: Path) -> None:
    assert "no problems found" in run("check", folder / "copy.lcfrs")
    path = folder / "bad.lcfrs"
    path.write_text('top S\n0.5 S -> A\n0.25 S -> B\n1 A -> "a" "b"\n1 C -> "c"\n1 D -> "d"\n')
    out, _ = crossbranch("grammar", "check", path, code=1)
    assert out.splitlines() == [
        "the symbol B has no rules and no words",
        "no tree has the rule S -> B",
        'no tree has the rule C -> "c"',
        'no tree has the rule D -> "d"',
        "the weights of S do not add up to 1",
    ]
    path.write_text("top S\n1 S -> A(x) B(x) : x\n")
    _, err = crossbranch("grammar", "check", path, code=1)
    assert f"{path}:2: found the variable x on two blocks, expected a different" in err
    path.write_text(
        "top S\n" + "".join(f"1 S -> X{number}\n" for number in range(25)) + '1 A -> "a"'
    )
    assert "(5 more)" in run("check", path, code=1)


def test_convert(folder: Path) -> None:
    rules = folder / "copy.rules"
    _, err = crossbranch("grammar", "convert", folder / "copy.lcfrs", rules, code=2)
    assert "expected one or two children in order and no terminals" in err
    forms = ("--normal", "tagged", "--normal", "ordered", "--normal", "binary")
    run("convert", folder / "copy.lcfrs", rules, *forms)
    assert "S\tA\tB\t0110\t1/1\n" in rules.read_text()
    out = run("parse", rules, "--letters", "acccca", code=1)
    assert out == "crossbranch: not in the language: acccca\n"
    assert "(A 0 4) (B 1 2 3)" in str(
        read_tree(run("parse", rules, "--letters", "accca", "--to", "discbracket"))
    )


def read_tree(text: str) -> str:
    from crossbranch.treebank import read as read_trees

    (tree,) = read_trees(io.StringIO(text), format="discbracket")
    return str(tree)


def test_merging_and_cleaning(folder: Path) -> None:
    (folder / "more.lcfrs").write_text('top S\n2 S -> "x" S\n1 X -> "x" "y"\n')
    target = folder / "both.lcfrs"
    run("convert", folder / "copy.lcfrs", folder / "more.lcfrs", target, "--trim")
    grammar = read(target)
    assert len(grammar.rules) == 8
    assert "X" not in grammar.symbols
    out = run("convert", folder / "copy.lcfrs", "-", "--normal", "gap-explicit")
    assert '2 B.join1to2 -> "c" "c" "c"\n' in out


def test_standard_input_and_drawings(folder: Path) -> None:
    out = run("parse", folder / "copy.lcfrs", "--letters", stdin="accca\nbcccb\n")
    assert out.count("┌──┼──┐") == 2
    target = folder / "trees.html"
    run("sample", folder / "copy.lcfrs", "3", "--max-length", "9", "-o", target)
    assert "3 trees: copy" in target.read_text()
    out = run("parse", "english", "she sleeps .", "--to", "discbracket")
    assert out == "(ROOT (S (NP (PRP 0=she)) (VP (VBZ 1=sleeps)) (. 2=.)))\n"


def test_transforms_are_undone(folder: Path) -> None:
    target = folder / "train.lcfrs"
    (folder / "flat.txt").write_text("(S (A 0=a) (B 1=b) (C 2=c))\n")
    run("extract", folder / "flat.txt", "--apply", "binarize(left)", "-o", target)
    words = ("parse", target, "a b c", "--to", "discbracket")
    assert run(*words) == "(S (S: (A 0=a) (B 1=b)) (C 2=c))\n"
    assert run(*words, "--undo", "binarize(left)") == "(S (A 0=a) (B 1=b) (C 2=c))\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["parse", "copy.lcfrs", "--letters", "--tagged", "a"], "exclude each other"),
        (["parse", "copy.lcfrs", "--tagged", "a"], "expected a word with a tag, such as the/DT"),
        (["parse", "tags.lcfrs", "a"], "tags.lcfrs has no words; give words with tags"),
        (["show", "nothing.lcfrs"], "found no such file or directory"),
        (["convert", "copy.lcfrs", "-", "--to", "rparse"], "rparse has two files"),
        (["extract", "crossing.txt", "--apply", "raise(blocks=0)"], "blocks is 0"),
        (["sample", "copy.lcfrs", "1", "--max-length", "2"], "the shortest sentence"),
    ],
)
def test_errors_are_one_line(arguments: list[str], message: str, folder: Path) -> None:
    code = 1 if arguments[0] == "show" else 2
    _, err = crossbranch("grammar", *arguments, code=code, cwd=folder)
    assert message in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("name", ["", "extract", "show", "check", "parse", "sample", "convert"])
def test_help_has_examples(name: str) -> None:
    out = run(*filter(None, [name]), "--help")
    assert "Examples:" in out
    assert f"crossbranch grammar {name}".strip() in out


def test_items_of_a_search(folder: Path) -> None:
    call = ["grammar", "parse", str(folder / "copy.lcfrs"), "--letters", "--derivation"]
    out, _ = crossbranch(*call, "accca")
    first, told, _, *rows = out.rstrip("\n").split("\n")
    assert first.startswith("sentence 1: ")
    assert told.endswith("All are shown.")
    assert rows[-1].split()[1:3] == ["S", "[0–5]"]
    out, err = crossbranch(*call, "accca", "abccc", "--to", "drawn", code=1)
    assert "not in the language: a b c c c" in err
    assert "The best tree has this item." in out
    _, err = crossbranch(*call, "accca", "--undo", "binarize", code=2)
    assert "--undo cannot be used with --derivation" in err

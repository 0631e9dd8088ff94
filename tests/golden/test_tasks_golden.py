"""The examples of auxiliary tasks in papers: categories, edges, chunks, relative tags."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbranch.errors import InputError
from crossbranch.tasks import TaskSettings, labels_of, read_files
from crossbranch.tasks.ccg import read_category
from crossbranch.tasks.settings import KindName
from crossbranch.tree import Tree


def refuse(error: InputError) -> None:
    raise error


# Examples 6.1 to 6.3 of the study of supertags: "I like this train", "You sing beautifully".
CATEGORIES = [
    ("NP", "+", "NP", "X"),
    (r"(S[dcl]\NP)/NP", "+NP", "S[dcl]", r"(X\X)/X"),
    ("NP/N", "+N", "NP", "X/X"),
    ("N", "+", "N", "X"),
    (r"S[dcl]\NP", "-NP", "S[dcl]", r"X\X"),
    (r"(S\NP)\(S\NP)", r"-(S\NP)", "S", r"(X\X)\(X\X)"),
]


@pytest.mark.parametrize(("text", "argument", "head", "sketch"), CATEGORIES)
def test_parts_of_categories(text: str, argument: str, head: str, sketch: str) -> None:
    category = read_category(text)
    assert (category.argument, category.head, category.sketch) == (argument, head, sketch)
    assert category.text == text


# "So what does George Bush really believe ?", as in example 6.4: the words, the categories whose
# arguments are numbered, and the edges.
BUSH_AUTO = (
    "ID=bush PARSER=GOLD NUMPARSE=1\n"
    "(<T S[wq] 0 2> (<L S/S RB RB So S/S>) (<T S[wq] 0 2> (<L S[wq]/(S[q]/NP) WP WP what x>)"
    " (<T S[q]/NP 0 2> (<L (S[q]/(S[b]\\NP))/NP VBZ VBZ does x>) (<T NP 0 2>"
    " (<L N/N NNP NNP George N/N>) (<L N NNP NNP Bush N>) ) (<L S\\S RB RB really x>)"
    " (<L (S[b]\\NP)/NP VB VB believe x>) (<L . . . ? .>) ) ) )\n"
)
BUSH_PARG = """<s id="bush"> 7
1 \t 0 \t S/S \t 1 \t what So
2 \t 1 \t S[wq]/(S[q]/NP) \t 1 \t does what
4 \t 2 \t (S[q]/(S[b]\\NP))/NP \t 2 \t Bush does
6 \t 2 \t (S[q]/(S[b]\\NP))/NP \t 1 \t believe does
4 \t 3 \t N/N \t 1 \t Bush George
2 \t 5 \t S\\S \t 1 \t does really
<\\s>
"""


def test_head_dependencies_to_the_left_and_to_the_right(tmp_path: Path) -> None:
    files = [str(tmp_path / "bush.auto"), str(tmp_path / "bush.parg")]
    (tmp_path / "bush.auto").write_text(BUSH_AUTO)
    (tmp_path / "bush.parg").write_text(BUSH_PARG)

    def labels(kind: KindName) -> str:
        [sentence] = read_files(files, TaskSettings(kind=kind), report=refuse)
        assert " ".join(sentence.forms) == "So what does George Bush really believe ?"
        return " ".join(map(str, sentence.labels))

    assert labels("right") == "1:1 1:1 2:2_1:4 1:1 0 0 0 0"
    assert labels("left") == "0 0 0 0 0 1:-3 0 0"


def test_chunks_of_the_morning_flight() -> None:
    """Example 6.5, from Jurafsky and Martin (2009)."""
    tree = Tree.from_string(
        "(S (NP (NP (DT The) (NN morning) (NN flight)) (PP (IN from) (NP (NNP Denver))))"
        " (VP (VBZ has) (VP (VBN arrived))))"
    )
    found = labels_of(tree, TaskSettings(kind="chunk")).labels
    assert " ".join(map(str, found)) == "B-NP I-NP I-NP B-PP B-NP B-VP I-VP"


def test_relative_tags(tmp_path: Path) -> None:
    """Section 6.2.6: does depends on the first VB to its right."""
    rows = [
        ("So", "RB", 7, "advmod"),
        ("what", "WP", 7, "obj"),
        ("does", "VBZ", 7, "aux"),
        ("George", "NNP", 5, "compound"),
        ("Bush", "NNP", 7, "nsubj"),
        ("really", "RB", 7, "advmod"),
        ("believe", "VB", 0, "root"),
        ("?", ".", 7, "punct"),
    ]
    file = tmp_path / "bush.conllu"
    lines = [
        f"{number}\t{form}\t_\t_\t{tag}\t_\t{head}\t{name}\t_\t_\n"
        for number, (form, tag, head, name) in enumerate(rows, 1)
    ]
    file.write_text("".join(lines) + "\n")
    [found] = read_files([str(file)], TaskSettings(kind="dependency"), report=refuse)
    assert found.labels == (
        "VB_1_advmod",
        "VB_1_obj",
        "VB_1_aux",
        "NNP_1_compound",
        "VB_1_nsubj",
        "VB_1_advmod",
        "root_-1_root",
        "VB_-1_punct",
    )


def test_supertags_show_crossing_branches() -> None:
    tree = Tree.from_string(
        "(ROOT (SBARQ (VP (WHNP (WP 0=What)) (VB 3=do)) (SQ (MD 1=should) (NP (PRP 2=I)))) (. 4=?))"
    )
    found = labels_of(tree, TaskSettings(kind="supertag", heads="ptb")).labels
    assert found == (
        "WHNP(*)",
        "SQ(*+NP)/SBARQ(VP_1+*+VP_1)/ROOT(*+.)",
        "NP(*)",
        "VP(WHNP|*)",
        "*",
    )
    spines = labels_of(tree, TaskSettings(kind="spine", heads="ptb")).labels
    assert spines == ("WHNP", "SQ/SBARQ/ROOT", "NP", "VP:2", "*")

"""The data of tasks: files in columns, files of trees, bad sentences, inventories."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.tasks import (
    MISSING,
    UNKNOWN,
    Inventory,
    KindName,
    Labelled,
    TaskSettings,
    labels_of,
    read_files,
    read_task,
)
from crossbranch.tree import ROOT, Node, Token, Tree
from crossbranch.treebank import write

CHUNKS = """He PRP B-NP
reckons VBZ B-VP
. . O

# # B-NP
1.8 CD I-NP
billion CD I-NP
"""
CONLLU = """# sent_id = first
# text = don't go
1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tdo\tdo\tAUX\tVB\tMood=Imp|VerbForm=Fin\t3\taux:x\t_\tLang=en
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
2.1\tyou\t_\t_\t_\t_\t_\t_\t_\t_
3\tgo\tgo\tVERB\tVB\tVerbForm=Inf\t0\troot\t_\t_

"""
AUTO = r"""ID=a PARSER=GOLD NUMPARSE=1
(<T S[dcl] 0 2> (<L NP PRP PRP You NP>) (<L S[dcl]\NP VBP VBP sing S[dcl]\NP_1>) )
ID=b PARSER=GOLD NUMPARSE=1
(<T S[dcl] 0 2> (<L NP PRP PRP You NP>) (<L S[dcl]\NP VBP VBP
ID=c PARSER=GOLD NUMPARSE=1
(<T NP 0 1> (<L N NN NNS trains N>) )
"""
SPINAL = """7 1
root 1
#0 Nobody
spine: a_( NN^ )
#1 failed
spine: a_( S ( VP VBD^ ) )
 att #0, on 0, slot 0, order 0
&2
spine: c_( S S S )

root 0
#0 Never
no spine here

root 0
#0 Now
spine: a_( RB^ )
"""


class Errors(list[InputError]):
    """The bad sentences."""

    @property
    def texts(self) -> list[str]:
        return list(map(str, self))


def read_one(
    folder: Path, name: str, text: str, **settings: Any
) -> tuple[list[Labelled], list[str]]:
    """The sentences of a file, and the reports, without the name of the folder."""
    (folder / name).write_text(text, encoding="utf-8")
    errors = Errors()
    found = read_files([str(folder / name)], TaskSettings.of(settings), report=errors.append)
    return found, [text.replace(f"{folder}/", "") for text in errors.texts]


def labels(found: list[Labelled]) -> list[str]:
    return [" ".join(str(label) for label in sentence.labels) for sentence in found]


def test_chunks_in_the_format_of_conll_2000(tmp_path: Path) -> None:
    found, errors = read_one(tmp_path, "train.txt", CHUNKS, kind="chunk")
    assert found[0] == Labelled(("He", "reckons", "."), ("B-NP", "B-VP", "O"))
    assert found[1].forms == ("#", "1.8", "billion")
    assert not errors
    tags, _ = read_one(tmp_path, "train.txt", CHUNKS, kind="tag", column="2")
    assert labels(tags) == ["PRP VBZ .", "# CD CD"]


def test_chunks_may_begin_with_i(tmp_path: Path) -> None:
    text = "a\tI-NP\nb\tI-NP\nc\tB-NP\nd\tI-VP\ne\tO\nf\tI-VP\n\ng\tI-NP\nh\tX-NP\n"
    found, errors = read_one(tmp_path, "c.tsv", text, kind="chunk")
    assert labels(found) == ["B-NP I-NP B-NP B-VP O B-VP"]
    assert errors == ["c.tsv:9: found 'X-NP', expected a label of the kind chunk"]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"kind": "tag"}, "VB RB VB"),
        ({"kind": "tag", "column": "upos"}, "AUX PART VERB"),
        ({"kind": "column", "column": "4"}, "AUX PART VERB"),
        ({"kind": "column", "column": "-1"}, "Lang=en None None"),
        ({"kind": "column", "column": "misc.lang"}, "en None None"),
        ({"kind": "morphology"}, "Mood=Imp|VerbForm=Fin None VerbForm=Inf"),
        ({"kind": "morphology", "column": "feats.VerbForm"}, "Fin None Inf"),
        ({"kind": "relation"}, "aux advmod root"),
        ({"kind": "relation", "column": "deprel"}, "aux:x advmod root"),
        ({"kind": "dependency"}, "VB_1_aux VB_1_advmod root_-1_root"),
        ({"kind": "dependency", "subtypes": True}, "VB_1_aux:x VB_1_advmod root_-1_root"),
        ({"kind": "dependency", "column": "upos"}, "VERB_1_aux VERB_1_advmod root_-1_root"),
        ({"kind": "left"}, "0 0 aux:-2_advmod:-1"),
        ({"kind": "left", "farthest": 1}, "0 0 aux:-1_advmod:-1"),
        ({"kind": "right"}, "0 0 0"),
    ],
)
def test_any_column_of_conllu(tmp_path: Path, settings: dict[str, Any], expected: str) -> None:
    found, errors = read_one(tmp_path, "one.conllu", CONLLU, **settings)
    assert labels(found) == [expected]
    assert found[0].forms == ("do", "n't", "go")
    assert not errors


def test_columns_with_names(tmp_path: Path) -> None:
    text = "# global.columns = CLASS FORM\n# a comment\nx\ta\n_\tb\n"
    found, _ = read_one(tmp_path, "one.tsv", text, kind="column", column="class")
    assert found == [Labelled(("a", "b"), ("x", None))]
    found, _ = read_one(tmp_path, "one.tsv", text, kind="column", column="class", missing="x")
    assert labels(found) == ["None _"]


@pytest.mark.parametrize("separator", ["\t", " "])
def test_columns_with_a_header(tmp_path: Path, separator: str) -> None:
    text = "Class Form\nx a\n\ny b\n".replace(" ", separator)
    found, _ = read_one(tmp_path, "one.tsv", text, kind="column", column="Class", header=True)
    assert found == [Labelled(("a",), ("x",)), Labelled(("b",), ("y",))]
    with pytest.raises(UsageError, match=r"no column 'tag'; .* one of class, form"):
        read_one(tmp_path, "one.tsv", text, kind="column", column="tag", header="yes")


def test_categories_of_derivations(tmp_path: Path) -> None:
    found, errors = read_one(tmp_path, "wsj.auto", AUTO, kind="ccg")
    assert labels(found) == [r"NP S[dcl]\NP", "N"]
    assert len(errors) == 1
    assert errors[0].startswith("wsj.auto:4: sentence b: found '(<T S[dcl] 0 2>")
    assert "expected a whole derivation" in errors[0]
    for kind, expected in (
        ("ccg-head", ["NP S[dcl]", "N"]),
        ("ccg-argument", ["+ -NP", "+"]),
        ("ccg-sketch", [r"X X\X", "X"]),
        ("tag", ["PRP VBP", "NNS"]),
    ):
        assert labels(read_one(tmp_path, "wsj.auto", AUTO, kind=kind)[0]) == expected
    found, _ = read_one(tmp_path, "wsj.auto", AUTO, kind="ccg-head", category_features=False)
    assert labels(found) == ["NP S", "N"]


def test_categories_in_items_and_columns(tmp_path: Path) -> None:
    text = "I|PRP|NP run|VBP|S[dcl]\\NP\na||b|NN|N c|DT\n\nb|NN|N)\n"
    found, errors = read_one(tmp_path, "one.txt", text, kind="ccg-head", format="supertags")
    assert labels(found) == ["NP S[dcl]"]
    assert errors == [
        "one.txt:2: found 'c|DT', expected word|tag|category",
        "one.txt:4: found 'N)', expected a label of the kind ccg-head",
    ]
    same, _ = read_one(tmp_path, "one.stags", "I|PRP|NP run|VBP|S[dcl]\\NP\n", kind="ccg-head")
    assert same == found
    columns, _ = read_one(tmp_path, "one.tsv", "I\tNP\nrun\tS[dcl]\\NP\n", kind="ccg-head")
    assert columns == found


def test_spines_of_the_ltag_spinal_treebank(tmp_path: Path) -> None:
    found, errors = read_one(tmp_path, "derivation.train", SPINAL, kind="spine")
    assert labels(found) == ["a_( NN^ ) a_( S ( VP VBD^ ) )", "a_( RB^ )"]
    assert errors == [
        "derivation.train:12: found '#0 Never', expected a word, and its spine on the next line"
    ]


def test_a_line_with_too_few_columns_costs_one_sentence(tmp_path: Path) -> None:
    text = "a\tX\nb\tY\n\nc\tX\nd\n\ne\tX\n"
    found, errors = read_one(tmp_path, "one.tsv", text, kind="tag")
    assert [sentence.forms for sentence in found] == [("a", "b"), ("e",)]
    assert errors == ["one.tsv:5: found 1 column, expected 2 columns"]
    text = CONLLU + "1\ta\t_\tX\n\n" + CONLLU
    found, errors = read_one(tmp_path, "one.conllu", text, kind="column", column="upos")
    assert len(found) == 2
    assert errors == ["one.conllu:9: found 4 columns, expected 10 columns"]


def test_bytes_that_are_not_text_cost_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "one.tsv"
    file.write_bytes("ä\tX\n\n".encode() + b"b\xff\tX\n\n" + "ö\tX\n\nü\tX\n".encode())
    errors = Errors()
    found = read_files([str(file)], TaskSettings(kind="tag"), report=errors.append)
    assert [sentence.forms for sentence in found] == [("ä",), ("ö",), ("ü",)]
    assert errors.texts == [f"{file}:3: found the byte 0xff, expected text in the encoding utf-8"]


@pytest.mark.parametrize(
    ("name", "text", "settings", "message"),
    [
        ("a.tsv", "a\tX\n", {"kind": "tag", "column": "3"}, "no column 3: it has 2 columns"),
        ("a.tsv", "a\tX\n", {"kind": "tag", "column": "upos"}, "no column 'upos'; .* no names"),
        ("a.tsv", "a\tX\n", {"kind": "tag", "column": "0"}, "no column '0'"),
        ("a.tsv", "a\tX\n", {"kind": "dependency"}, "dependency needs trees or CoNLL-U"),
        ("a.tsv", "a\tX\n", {"kind": "tag", "format": "xls"}, "unknown format 'xls'; .*columns"),
        ("a.conllu", CONLLU, {"kind": "column", "column": "x"}, "no column 'x'; .* upos, xpos"),
        ("a.auto", AUTO, {"kind": "left"}, "needs .auto and .parg files: .* no .parg files"),
        ("a.parg", '<s id="a"> 1\n<\\s>\n', {"kind": "left"}, "but no .auto files with words"),
    ],
)
def test_settings_that_do_not_fit_the_file(
    tmp_path: Path, name: str, text: str, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        read_one(tmp_path, name, text, **settings)


@pytest.mark.parametrize("text", ["", "\n\n", "a\n\nb\n"])
def test_files_without_labels_are_refused(tmp_path: Path, text: str) -> None:
    settings = TaskSettings(kind="ccg", train=(str(tmp_path / "a.tsv"),))
    (tmp_path / "a.tsv").write_text(text.replace("a", "a\t_").replace("b", "b\t_"))
    with pytest.raises(InputError, match=r"a.tsv: found no (sentence|label)"):
        read_task("x", settings, report=lambda _: None)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(UsageError, match=r"cannot read nowhere\.tsv"):
        read_files(["nowhere.tsv"], TaskSettings(), report=lambda _: None)


def test_edges_that_do_not_fit_their_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.auto").write_text(AUTO)
    (tmp_path / "a.parg").write_text(
        '<s id="a"> 5\n1 0 N/N 1 x y\n<\\s>\n<s id="x"> 1\nnonsense\n<\\s>\n<s id="y"> 1\n'
    )
    errors = Errors()
    files = [str(tmp_path / "a.auto"), str(tmp_path / "a.parg")]
    with pytest.raises(InputError, match="no sentence with labels"):
        read_files(files, TaskSettings(kind="right"), report=errors.append)
    found = [text.replace(f"{tmp_path}/", "").partition(", expected")[0] for text in errors.texts]
    assert [text[:50] for text in found] == [
        "a.parg:5: sentence x: found 'nonsense'",
        "a.parg:7: sentence y: found the end of the file",
        "a.parg:1: sentence a: found edges of 6 words",
        "a.auto:4: sentence b: found '(<T S[dcl] 0 2> (<L N",
        "a.auto:6: sentence c: found the id 'c'",
    ]


FLAT = Tree([Token("a"), Token("b")], Node(ROOT, [0, 1]), id="flat")
TREE = Tree.from_string("(ROOT (S (NP (PRP He)) (VP (VBD slept))))")


def test_labels_of_the_parsers_trees_keep_their_places() -> None:
    errors = Errors()
    data = read_task(
        "x", TaskSettings(kind="chunk"), train=[FLAT, TREE], dev=[TREE], report=errors.append
    )
    assert data.is_aligned
    assert data.train == [
        Labelled(("a", "b"), ("O", "O")),
        Labelled(("He", "slept"), ("B-NP", "B-VP")),
    ]
    assert len(data.dev) == 1
    assert not errors


@pytest.mark.parametrize("kind", ["chunk", "supertag", "spine"])
def test_treebanks_without_constituents(tmp_path: Path, kind: KindName) -> None:
    settings = TaskSettings(kind=kind)
    with pytest.raises(InputError, match=f"<train>: found no constituents, .* kind {kind}"):
        read_task("x", settings, train=[FLAT, FLAT], report=lambda _: None)
    with pytest.raises(InputError, match=r"one.conllu: found no constituents, expected trees"):
        read_one(tmp_path, "one.conllu", CONLLU, kind=kind)


def test_labels_of_the_same_sentences_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("He\tX\nslept\tY\n")
    settings = TaskSettings(train=(str(tmp_path / "a.tsv"),))
    assert read_task("x", settings, train=[TREE], report=lambda _: None).is_aligned
    assert not read_task("x", settings, train=[FLAT], report=lambda _: None).is_aligned


def test_functions_lemmas_and_features_of_tokens() -> None:
    token = Token("a", "DT", "one", "Num=Sg", "HD", (("gloss", "x"),))
    tree = Tree([token, Token("b")], Node(ROOT, [0, 1]))

    def found(**settings: str) -> tuple[str | None, ...]:
        return labels_of(tree, TaskSettings.of(settings)).labels

    assert found(kind="function") == ("HD", None)
    assert found(kind="column", column="lemma") == ("one", None)
    assert found(kind="column", column="gloss") == ("x", None)
    assert found(kind="morphology", column="morphology.Num") == ("Sg", None)


def test_trees_in_compressed_files_and_folders(tmp_path: Path) -> None:
    write([TREE, TREE], tmp_path / "a.export")
    (tmp_path / "b.export.gz").write_bytes(gzip.compress((tmp_path / "a.export").read_bytes()))
    found = read_files([str(tmp_path)], TaskSettings(kind="spine"), report=lambda _: None)
    assert labels(found) == ["NP VP/S/ROOT"] * 4


def test_a_file_for_each_sentence(tmp_path: Path) -> None:
    """Neither head rules nor constituents are looked for in each file alone."""
    write([FLAT], tmp_path / "1.export")
    write([TREE], tmp_path / "2.export")
    found = read_files([str(tmp_path)], TaskSettings(kind="spine"), report=lambda _: None)
    assert labels(found) == ["ROOT *", "NP VP/S/ROOT"]


def test_heads_that_nobody_knows(tmp_path: Path) -> None:
    tree = Tree([Token("a", "X"), Token("b", "Y")], Node(ROOT, [Node("Q", [0, 1])]), id="7")
    (tmp_path / "rules").write_text("S last VP\n")
    errors = Errors()
    settings = TaskSettings(kind="supertag", heads=str(tmp_path / "rules"))
    with pytest.raises(InputError, match="found no label to learn from"):
        read_task("x", settings, train=[tree], report=errors.append)
    data = read_task("x", settings, train=[tree, TREE], report=errors.append)
    assert labels(data.train) == ["None None", "NP(*) VP(*)/S(NP+*)/ROOT(*)"]
    assert "sentence 7: found the head of Q is not marked" in errors.texts[1]


def test_the_files_of_a_kind_may_be_of_any_format(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the kind right needs trees or CoNLL-U"):
        read_one(tmp_path, "a.txt", "I|PRP|NP\n", kind="right")
    found, _ = read_one(tmp_path, "a.txt", "(<L N NN NN word N>)\n", kind="ccg")
    assert found == [Labelled(("word",), ("N",))]
    edges = '<s id="x"> 0\n<\\s>\n'
    (tmp_path / "edges").write_text(edges)
    (tmp_path / "words").write_text("ID=x\n(<L N NN NN word N>)\n")
    files = [str(tmp_path / "words"), str(tmp_path / "edges")]
    assert labels(read_files(files, TaskSettings(kind="left"), report=lambda _: None)) == ["0"]
    with pytest.raises(InputError, match="no sentence with labels"):
        read_one(tmp_path, "b.xml", "<corpus><body><s", kind="tag")


def test_dev_data_from_the_end_of_the_training_data(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("a\tX\n\nb\tY\n\nc\tZ\n")
    settings = TaskSettings(train=(str(tmp_path / "a.tsv"),), held_out=1)
    data = read_task("x", settings, report=lambda _: None)
    assert not data.is_aligned
    assert labels(data.train) == ["X", "Y"]
    assert labels(data.dev) == ["Z"]
    (tmp_path / "b.tsv").write_text("d\tX\n")
    settings = TaskSettings(train=settings.train, dev=(str(tmp_path / "b.tsv"),))
    data = read_task("x", settings, report=lambda _: None)
    assert (labels(data.train), labels(data.dev)) == (["X", "Y", "Z"], ["X"])


def test_the_inventory_leaves_out_rare_labels() -> None:
    sentences = [Labelled(("a", "b", "c", "d"), ("N", "V", None, "N"))]
    whole = Inventory.of(sentences)
    assert whole.labels == ("N", "V")
    assert len(whole) == 2
    kept = Inventory.of(sentences, min_count=2)
    assert kept.labels == ("N",)
    assert "V" not in kept
    assert kept.numbers(["N", "V", None, "new"]) == [0, UNKNOWN, MISSING, UNKNOWN]

import pickle
from pathlib import Path

import pytest

from crossbranch.errors import InputError, TransformError, UsageError
from crossbranch.transforms import pipeline
from crossbranch.transforms.head_rules import load_table, parse_table
from crossbranch.transforms.head_table import HeadItem, HeadTable
from crossbranch.transforms.heads import Heads
from crossbranch.tree import Node, Token, Tree
from crossbranch.treebank import read


def vertices(text: str) -> list[HeadItem]:
    """Make vertices of LABEL or LABEL/FUNCTION; those in parentheses are punctuation."""
    made = []
    for part in text.split():
        label, _, function = part.strip("()").partition("/")
        made.append(HeadItem(label, function, part.startswith("(")))
    return made


def head(table: HeadTable, label: str, children: str) -> int | None:
    return table.find(vertices(label)[0], vertices(children))


@pytest.mark.parametrize(
    ("rules", "children", "expected"),
    [
        ("NP first NN", "ART NN NN", 1),
        ("NP last NN", "ART NN NN", 2),
        ("NP first NN ART", "ART NN NN", 1),
        ("NP first NN|ART", "ART NN NN", 0),
        ("NP last NE ART|NN", "ART NN NN", 2),
        ("NP initial NN", "ART NN NN", None),
        ("NP initial ART", "ART NN NN", 0),
        ("NP final ART", "ART NN NN", None),
        ("NP final NE NN", "ART NN NN", 2),
        ("NP first /HD", "NN/NK NN/HD", 1),
        ("NP first NN/HD", "ART/HD NN/HD", 1),
        ("NP first NN/", "NN/HD NN", 1),
        ("NP first */H*", "NN/NK NN/HD", 1),
        ("NP first N*", "ART NN", 1),
        ("NP first *", "ART NN", 0),
        ("NP first nn", "ART NN", 1),
        ("VP first NN", "ART NN", None),
        ("N* first NN", "ART NN", 1),
        ("VP|NP first NN", "ART NN", 1),
        ("NP first NE\n* last *", "ART NN", 1),
        ("NP first NN\nNP first ART", "ART NN", 1),
        # a label with functions is found by its category, and as it is
        ("NP first NP", "PP NP-SBJ-1", 1),
        ("NP first NP-LOC NP", "NP-SBJ NP-LOC", 1),
        ("NP first -LRB- NN", "NN -LRB-", 1),
        # special characters
        (r"NP first A\|B", "A B A|B", 2),
        (r"NP first \*", "A *", 1),
        (r"NP first \#", "A #", 1),
        ("NP first $ WP$", "A WP$", 1),
        # comments
        (" # NP first ART\n% NP first ART\nNP first NN # ART", "ART NN", 1),
        (r"NP first \% NN", "NN %", 1),
        # punctuation only where there is nothing else
        ("NP first *", "($() (,) NN", 2),
        ("NP last *", "NN (,)", 0),
        ("NP first *", "(,) (.)", 0),
        ("NP final NN", "ART NN (.)", 1),
        # coordination
        ("NP across CC\nNP last NN", "NN CC NN", 0),
        ("NP across CC\nNP last NN", "NN (,) CC NN", 0),
        ("NP last NN\nNP across CC", "NN NN CC NN", 1),
        ("NP last NN\nNP across CC", "CC NN", 1),
        ("NP last NN\nNP across CC", "NN XX NN", 2),
        ("NP across CC", "NN CC NN", None),
        # punctuation as the head
        ("NP first-mark $.\nNP first *", "NN ($,) ($.) ($.)", 2),
        ("NP last-mark $. $,\nNP first *", "NN ($,) ($.) ($.)", 3),
        ("NP last-mark *\nNP first *", "NN ART", 0),
        ("NP first-mark NN", "NN", None),
    ],
)
def test_rules(rules: str, children: str, expected: int | None) -> None:
    assert head(parse_table(rules), "NP/SB", children) == expected


def test_rules_may_ask_for_the_function_of_the_node_itself() -> None:
    table = parse_table("S/OC first KOUS\nS first VVFIN")
    assert head(table, "S/OC", "KOUS VVFIN") == 0
    assert head(table, "S/RC", "KOUS VVFIN") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("NP first", "<input>:1: found 2 columns, expected labels, which child, and candidates"),
        (
            "NP first NN\nVP",
            "<input>:2: found 1 column, expected labels, which child, and candidates",
        ),
        (
            "S last V\n\nNP left NN",
            "<input>:3: found 'left', expected one of first, last, initial, ",
        ),
        ("NP first NN||NE", "<input>:1: found 'NN||NE', expected LABEL, LABEL/FUNCTION or "),
        ("NP first a/b/c", "<input>:1: found 'a/b/c', expected LABEL, "),
        ("|NP first a", "<input>:1: found '|NP', expected LABEL, "),
        (
            "NP first NN % or NE",
            r"<input>:1: found '%', expected \% for a label, or # before a comment",
        ),
        ("NP first NN %or", r"<input>:1: found '%or', expected \%or for a label, or # before"),
    ],
)
def test_errors_name_the_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_table(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("text", ["", " \n\n", "# NP first NN\n % NP left NN"])
def test_a_file_without_rules_is_an_error(text: str) -> None:
    with pytest.raises(InputError, match=r"^mine: found no rule, expected at least one$"):
        parse_table(text, "mine")


@pytest.mark.parametrize(
    "text", ["np leftdist nn", "# x\nnp leftdist nn\nvp", "% x\n\nNP First NN"]
)
def test_the_words_of_all_formats_are_listed_if_there_is_none(text: str) -> None:
    line = text.count("\n", 0, text.lower().index("np")) + 1
    found = rf"^mine:{line}: found '(leftdist|First)', "
    with pytest.raises(InputError, match=found + "expected one of first, .*; or a direction: left"):
        parse_table(text, "mine")


@pytest.mark.parametrize("which", ["first", "left"])
@pytest.mark.parametrize(
    ("labels", "candidates", "found"),
    [
        ("NP:", "NN", "'NP:', expected a label, such as NP"),
        ("NP", "NN, NE", "'NN,', expected a label, such as NN"),
        ("NP", "NN NE;", "'NE;', expected a label, such as NE"),
        ("NP", "NN\0NE", r"'NN\x00NE', expected text without control characters"),
        ("NP", "NN\x7f", r"'NN\x7f', expected text without control characters"),
    ],
)
def test_labels_that_cannot_be_right(which: str, labels: str, candidates: str, found: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_table(f"S {which} VP\x0b\x0c\n\n{labels} {which} {candidates}", "mine")
    assert str(caught.value) == f"mine:3: found {found}"


@pytest.mark.parametrize("which", ["first", "left"])
@pytest.mark.parametrize("tag", ["$,", ",", ":", "$(", "''", "-LRB-", "WP$", "N[soort,ev]"])
def test_odd_tags_are_labels(which: str, tag: str) -> None:
    table = parse_table(f"NP {which} XY {tag} NN")
    assert table.find(HeadItem("NP", ""), [HeadItem("NN", ""), HeadItem(tag, "")]) == 1


def test_lines_are_counted_like_editors_do(tmp_path: Path) -> None:
    path = tmp_path / "mine.heads"
    path.write_bytes(b"NP first NN\x0b\x0c \xc2\x85\rS first VP\r\nVP frist NN\n")
    with pytest.raises(InputError, match=r"mine\.heads:3: found 'frist'"):
        load_table(str(path))


def test_wrong_utf8_is_reported_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.heads").write_bytes("\ufeffNP first Ä\r\nS first ".encode() + b"\xff\n")
    with pytest.raises(InputError) as caught:
        load_table("./mine.heads")
    assert str(caught.value) == "./mine.heads:2: found the byte 0xff, expected text in UTF-8"
    with pytest.raises(UsageError, match=r"^cannot read \./missing: no such file"):
        load_table("./missing")


@pytest.mark.parametrize(
    ("name", "label", "children", "expected"),
    [
        ("negra", "S", "NP/SB VAFIN/HD VP/OC", 1),
        ("negra", "S", "NP VAFIN VP", 1),
        ("negra", "VP", "NP PTKZU VVPP", 2),
        ("negra", "NP", "ART AP NN NP PP", 2),
        ("negra", "PP", "ADV APPR ART NN", 1),
        ("negra", "CNP", "NN KON NN", 0),
        ("negra", "PN", "NE NE", 1),
        ("negra", "XYZ", "($() FM FM", 1),
        ("ptb", "NP-SBJ", "DT NN NN", 2),
        ("ptb", "NP", "NP POS", 1),
        ("ptb", "NP", "NP PP SBAR", 0),
        ("ptb", "NP", "NN CC NN", 0),
        ("ptb", "NP", "DT $ CD", 1),
        ("ptb", "VP", "MD RB VP", 0),
        ("ptb", "VP", "VP CC VP", 0),
        ("ptb", "S", "NP-SBJ VP (.)", 1),
        ("ptb", "PP", "PP CC PP", 0),
        ("ptb", "PP-LOC", "IN NP", 0),
        ("ptb", "SBAR", "WHNP-1 S", 0),
        ("alpino", "NP", "lid/det n/hd PP/mod", 1),
        ("alpino", "CP", "SSUB/body vg/cmp", 1),
        ("alpino", "conj", "np/cnj vg/crd np/cnj", 1),
        ("alpino", "du", "smain/nucl adv/tag", 0),
        ("alpino", "SSUB", "NP PP ww", 2),
        ("alpino", "np", "det noun pp", 1),
        ("french", "SENT", "NP VN PP (PONCT)", 1),
        ("french", "VN", "CLS V VPP", 2),
        ("french", "NP", "DET NC AP PP", 1),
        ("french", "PP", "P+D NP", 0),
        ("french", "COORD", "CC NP", 0),
        ("french", "Ssub", "CS NP VN", 0),
    ],
)
def test_the_tables_that_ship(name: str, label: str, children: str, expected: int) -> None:
    assert head(load_table(name), label, children) == expected


def test_heads_are_marked_in_nodes_with_several_children() -> None:
    sentence = [Token("ein", "ART"), Token("Buch", "NN"), Token(",", "$,"), Token("x", "NN")]
    tree = Tree(sentence, Node("ROOT", [Node("NP", [0, 1, 2]), Node("NP", [3])], head=1))
    marked = pipeline("heads(negra)").apply(tree)
    assert [node.head for node in marked.nodes] == [0, 1, None]
    assert marked.root.head_token == 1
    assert Heads("negra").undo(marked) == tree


def test_a_node_without_a_fitting_rule_loses_its_mark(tmp_path: Path) -> None:
    path = tmp_path / "mine.heads"
    path.write_text("NP last NN\n", encoding="utf-8")
    tree = Tree([Token("a", "NN"), Token("b", "XY")], Node("ROOT", [0, 1], head=1))
    marked = Heads(str(path)).apply(tree)
    assert marked.root.head is None
    assert Heads(str(path)).undo(marked) == tree


def test_errors_in_a_users_table_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.heads"
    path.write_text("NP last NN\nVP\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"mine\.heads:2: found 1 column,"):
        Heads(str(path))


def test_unknown_tables() -> None:
    with pytest.raises(
        UsageError,
        match=r"cannot read dutch: .*; .* alpino, french, icepahc, negra, negra-2017, ptb",
    ):
        pipeline("heads(dutch)")


def test_a_damaged_memory_is_an_error() -> None:
    for memory in ("[7]", '["x"]', "[-1]"):
        root = Node("ROOT", [0, 1], features=(("heads.before", memory),))
        with pytest.raises(TransformError, match=r"heads\.before"):
            Heads("ptb").undo(Tree([Token("a"), Token("b")], root))


def test_a_table_can_be_pickled_after_use() -> None:
    transform = Heads("ptb")
    tree = Tree([Token("a"), Token("b")], Node("ROOT", [0, 1]))
    transform.apply(tree)
    assert pickle.loads(pickle.dumps(transform)).apply(tree) == transform.apply(tree)


@pytest.mark.parametrize(
    ("treebank", "table", "functions"),
    [
        ("squoia", "negra", ["HD", "CJ", "DH"]),
        ("alpino", "alpino", ["hd", "cmp", "crd", "dlink", "rhd", "whd"]),
    ],
)
def test_labels_and_tags_find_the_heads_that_functions_name(
    shared: Path, treebank: str, table: str, functions: list[str]
) -> None:
    path = shared / "treebanks" / treebank / "with-functions" / "dev.export.xz"
    by_functions, by_labels = Heads(table), pipeline(f"functions(strip) | heads({table})")
    named = found = 0
    for tree in read(path):
        pairs = zip(by_functions.apply(tree).nodes, by_labels.apply(tree).nodes, strict=True)
        for gold, guess in pairs:
            children = [tree.sentence[c] if isinstance(c, int) else c for c in gold.children]
            if gold.head is not None and children[gold.head].edge_label in functions:
                named += 1
                found += gold.head == guess.head
    assert found / named > 0.98

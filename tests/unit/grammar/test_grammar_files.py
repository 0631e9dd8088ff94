"""Files of grammars: what formats hold, and what is said of bad lines."""

from pathlib import Path

import pytest

from crossbranch.errors import CrossbranchError, InputError, UsageError
from crossbranch.grammar import Grammar, parse_text, read, sample, write
from crossbranch.grammar.lcfrs import symbol_of

TEXT = """\
top ROOT
1 ROOT -> VP_2(a,c) MD(b) : a b c     # crossing branches
2 VP_2 -> WP(a) VB(b) : a , b
1 WP -> "what"
3 MD -> "should"
1 VB -> "go"
1 VB -> "do"
"""


def test_discodop(tmp_path: Path) -> None:
    write(parse_text(TEXT), tmp_path / "my.rules")
    assert (
        tmp_path / "my.rules"
    ).read_text() == "ROOT\tVP_2\tMD\t010\t1/1\nVP_2\tWP\tVB\t0,1\t2/2\n"
    assert (tmp_path / "my.lex").read_text() == (
        "what\tWP\t1/1\nshould\tMD\t3/3\ngo\tVB\t1/2\ndo\tVB\t1/2\n"
    )
    assert read(tmp_path / "my.rules") == parse_text(TEXT).probabilities()


def test_rparse(tmp_path: Path) -> None:
    write(parse_text(TEXT), tmp_path / "my.rcg")
    assert (tmp_path / "my.rcg").read_text() == (
        "#start ROOT1\n"
        "C:1 ROOT1([0][1][2]) --> VP2([0],[2]) MD1([1])\n"
        "C:2 VP2([0],[1]) --> WP1([0]) VB1([1])\n"
    )
    assert (tmp_path / "my.lex").read_text() == "what\tWP 1\nshould\tMD 3\ngo\tVB 1\ndo\tVB 1\n"
    assert read(tmp_path / "my.rcg") == parse_text(TEXT)


def test_rparse_as_rparse_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "my.rcg"
    path.write_text(
        "% a comment\n"
        "H:0 O:[1,2] C:7 S:0.5 VROOT1([0][1]) --> S1'([0]) $.1([1])\n"
        "S1([3][1][2]) --> VP2([3],[2]) V121([1])\n"
    )
    grammar = read(path)
    assert grammar.start == "VROOT"
    assert [str(rule) for rule in grammar.rules] == [
        "VROOT -> S $.",
        "S -> VP_2(a,c) V12(b) : a b c",
    ]
    assert list(grammar.rules.values()) == [7, 1]
    assert not grammar.words


def test_without_a_file_of_words_there_are_tags(tmp_path: Path) -> None:
    (tmp_path / "my.rules").write_text("S\tNP\tVP\t01\t1\n")
    assert read(tmp_path / "my.rules") == parse_text("top S\n1 S -> NP VP")
    with pytest.raises(UsageError, match="has no words"):
        sample(1, grammar=read(tmp_path / "my.rules"))


def test_the_name_sets_the_format(tmp_path: Path) -> None:
    grammar = parse_text(TEXT)
    write(grammar, tmp_path / "grammar.txt.gz")
    assert (tmp_path / "grammar.txt.gz").read_bytes()[:2] == b"\x1f\x8b"
    assert read(tmp_path / "grammar.txt.gz") == grammar
    write(grammar, tmp_path / "other", format="rparse")
    assert read(tmp_path / "other", format="rparse") == grammar
    with pytest.raises(UsageError, match="unknown grammar format 'xml'; expected one of lcfrs"):
        read(tmp_path / "other", format="xml")
    with pytest.raises(UsageError, match=r"discodop has two files; give a name, such as my\.rules"):
        write(grammar, "-", format="discodop")


CANNOT = [
    ("discodop", "top S\n1 S -> A A A", "expected one or two children in order"),
    ("discodop", 'top S\n1 S -> A "a"', "discodop cannot hold"),
    ("discodop", "top S\n1 S -> A(x,y) B(z) : y z x", "discodop cannot hold"),
    ("rparse", 'top S\n1 S -> A "a"', "expected children and no terminals"),
    ("rparse", "top S\n0.5 S -> A", "weights that are not whole numbers"),
]


@pytest.mark.parametrize(("format", "text", "message"), CANNOT)
def test_what_formats_cannot_hold(format: str, text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=message):
        write(parse_text(text), tmp_path / "my", format=format)
    assert not (tmp_path / "my").exists()


BAD = {
    "no columns": ("my.rules", "S\n", "1: found 'S', expected LHS RHS1"),
    "no function": ("my.rules", "S\tA\tB\tC\t1\n", "1: found"),
    "too many": ("my.rules", "S\tA\tB\t012\t1\n", "1: found 012, expected a yield function of 2"),
    "not all": ("my.rules", "S\tA\tB\t00\t1\n", "1: found 00, expected a yield function with all"),
    "empty block": ("my.rules", "\nS\tA\t0,,0\t1\n", "2: found 0,,0, expected"),
    "weight": ("my.rules", "S\tA\tB\t01\tx\n", "1: found the weight x, expected a positive"),
    "division": ("my.rules", "S\tA\tB\t01\t1/0\n", "1: found the weight 1/0"),
    "no rules": ("my.rules", "\n", "found no rules, expected at least one rule"),
    "blocks": (
        "my.rules",
        "S\tA\t0\t1\nA\tB\t0,0\t1\n",
        "2: found A with 2 blocks, expected 1, as in line 1",
    ),
    "no arrow": ("my.rcg", "C:1 S1([0])\n", r"1: found 'C:1 S1\(\[0\]\)', expected C:COUNT"),
    "no child": ("my.rcg", "C:1 S1([0]) -->\n", "1: found"),
    "fan-out": ("my.rcg", "C:1 S2([0]) --> A1([0])\n", "a name that ends in its fan-out, 1"),
    "twice": ("my.rcg", "C:1 S1([0]) --> A1([0]) B1([0])\n", "one variable for each block"),
    "erased": ("my.rcg", "C:1 S1([0]) --> A1([0]) B1([1])\n", "each variable once on both sides"),
    "count": ("my.rcg", "C:x S1([0]) --> A1([0])\n", "1: found the count x"),
    "variables": ("my.rcg", "C:1 S1([0]) --> A1(0)\n", "1: found"),
    "start": ("my.rcg", "# start S\nC:1 S1([0]) --> A1([0])\n", "1: found S, expected a start"),
    "only comments": ("my.rcg", "% no rules\n", "found no rules, expected at least one rule"),
}


@pytest.mark.parametrize(("name", "text", "message"), BAD.values(), ids=BAD)
def test_bad_lines(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(CrossbranchError, match=message):
        read(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "rules", "words", "message"),
    [
        ("my.rules", "S\tA\t0\t1\n", "a\n", "my.lex:1: found 'a', expected WORD TAG WEIGHT"),
        ("my.rules", "S\tA\t0\t1\n", "a\tA\t-1\n", "my.lex:1: found the weight -1"),
        ("my.rcg", "S1([0]) --> A1([0])\n", "a A 1\n", "my.lex:1: found 'a A 1', expected WORD, a"),
        ("my.rcg", "S1([0]) --> A1([0])\n", "a\tA 0\n", "my.lex:1: found the count 0"),
    ],
)
def test_bad_words(name: str, rules: str, words: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(rules)
    (tmp_path / "my.lex").write_text(words)
    with pytest.raises(InputError, match=message):
        read(tmp_path / name)


def test_bad_lines_of_the_text_format(tmp_path: Path) -> None:
    path = tmp_path / "my.lcfrs"
    for text, message in (
        ("1 S -> A\n", "found no top symbol"),
        ("top S\n1 S -> A(x) A(y,z) : x y z\n", "2: found A with 2 variables, expected 1"),
        ("top S\n1 S -> A\n1 A -> B(x) : x , x\n", "3: found the variable x twice"),
        ('top S\n1 S -> A\n1 A -> : "a" , "b"\n', "2: found A with 1 variables, expected 2"),
        ('top A\n1 A -> : "a" , "b"\n', "1: found the top symbol A, expected a symbol with one"),
        ('top S\n1 S -> "a\n', '2: found the symbol "a'),
        ('top S\n1 S -> A : "a" ,\n', "2: found the child A without variables"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            read(path)
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "nothing.lcfrs")
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "nothing.rules")
    path.write_bytes(b"top \xff\n")
    with pytest.raises(InputError, match="UTF-8"):
        read(path)


def test_features_are_spelled_out() -> None:
    grammar = parse_text(
        'top S\nvalues N : sg pl\n2 S -> NP[N]/SB V[N] A?0.25\n1 NP[N] -> "the" N[N]\n'
        "paradigm n @\n  N[sg] @\n  N[pl] @s\nwords n : dog cat\n"
        "paradigm v @\n  V[sg] @s\n  V[pl] @\nwords v : bark\nparadigm a now\n  A now\n"
    )
    assert grammar.start == "S"
    rules = {str(rule): weight for rule, weight in grammar.rules.items()}
    assert rules == {
        "S -> NP.sg V.sg A": 0.25,
        "S -> NP.sg V.sg": 0.75,
        "S -> NP.pl V.pl A": 0.25,
        "S -> NP.pl V.pl": 0.75,
        'NP.sg -> "the" N.sg': 1,
        'NP.pl -> "the" N.pl': 1,
    }
    assert dict(grammar.words["N.pl"]) == pytest.approx({"dogs": 1 / 3, "cats": 1 / 4})


def test_shipped_grammars_can_be_read() -> None:
    grammar = read("english")
    assert isinstance(grammar, Grammar)
    assert grammar.start == "ROOT"
    assert any("what" in forms for forms in grammar.words.values())


@pytest.mark.parametrize(
    "label", [":", ";", "#", "->", ",", "$(", "a b", "", "_", "X_2", "A.b", '"']
)
def test_awkward_labels_in_rules_of_the_text_format(label: str) -> None:
    symbol = symbol_of(label)
    text = f'top S\n1 S -> A {symbol} B\n1 {symbol} -> "a"\n1 S -> {symbol}(x) A(y) : y x\n'
    grammar = parse_text(text)
    assert symbol in grammar.words
    assert len(grammar.rules) == 2

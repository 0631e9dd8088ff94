"""Texts in pieces: lines, limits, and texts that would not fit into memory."""

import tracemalloc
from collections.abc import Iterator
from random import Random

import pytest

from crossbranch.text import MOST_TOKENS, PAUSE, Tokenizer, entries
from crossbranch.text.characters import MOST_BLANKS_IN_LINE
from crossbranch.text.tokenizer import _flat
from crossbranch.tree import Tree


def words(tokenizer: Tokenizer, text: str) -> list[str]:
    trees = tokenizer.stream([text], lines=True)
    return [" ".join(token.form for token in tree.sentence) for tree in trees]


def test_one_sentence_a_line(plain: Tokenizer) -> None:
    assert words(plain, "De man. Het huis.\n\nKomt Anna?\r\n") == [
        "De man . Het huis .",
        "",
        "Komt Anna ?",
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("\n", 1), ("a", 1), ("a\n", 1), ("a\n\n", 2), ("\n\na", 3), ("a\n \n\nb", 4)],
)
def test_every_line_is_a_sentence(plain: Tokenizer, text: str, count: int) -> None:
    assert len(words(plain, text)) == count
    pieces = list(text)
    assert len(list(plain.stream(pieces, lines=True))) == count


@pytest.mark.parametrize("gap", ["\f", "\u2029", "\u2028", "\x85", "\r", "\r\r", "\v", " " * 1001])
def test_only_line_ends_end_lines(plain: Tokenizer, gap: str) -> None:
    text = f"De{gap}man\nKomt\r\nAnna{gap}\n{gap}?"
    expected = ["De man", "Komt", "Anna", "?"]
    assert words(plain, text) == expected
    trees = list(plain.stream(text, lines=True))  # each character a piece
    assert trees == list(plain.stream([text], lines=True))
    assert [tree.text for tree in trees] == [f"De{gap}man", *expected[1:]]


def test_a_gap_that_takes_memory_ends_a_line(plain: Tokenizer) -> None:
    text = f"De man {' ' * 3 * MOST_BLANKS_IN_LINE} ziet{' ' * MOST_BLANKS_IN_LINE}het\nhuis"
    whole = list(plain.stream([text], lines=True))
    assert [len(tree.sentence) for tree in whole] == [2, 2, 1]
    pieces = [text[at : at + 999] for at in range(0, len(text), 999)]
    assert list(plain.stream(pieces, lines=True)) == whole


def test_an_empty_line_is_an_empty_tree(plain: Tokenizer) -> None:
    (tree,) = plain.stream(["\n"], lines=True)
    assert tree.sentence == ()
    assert tree.root.children == ()


def test_a_line_comes_as_soon_as_it_is_there(plain: Tokenizer) -> None:
    read: list[str] = []

    def typed() -> Iterator[str]:
        for line in ("De man.\n", "Komt Anna?\n"):
            read.append(line)
            yield line

    trees = plain.stream(typed(), lines=True)
    assert next(trees).text == "De man."
    assert read == ["De man.\n"]


def test_long_sentences_are_cut_after_a_pause(plain: Tokenizer) -> None:
    text = " ".join(["woord"] * 700) + ", " + " ".join(["woord"] * 900)
    lengths = [len(tree.sentence) for tree in plain.split(text)]
    assert lengths == [701, 900]
    assert [len(tree.sentence) for tree in plain.stream([text], lines=True)] == lengths


def test_without_a_pause_they_are_as_long_as_may_be(plain: Tokenizer) -> None:
    text = " ".join(["woord"] * (2 * MOST_TOKENS + 1))
    assert [len(t.sentence) for t in plain.split(text)] == [MOST_TOKENS, MOST_TOKENS, 1]


@pytest.mark.parametrize(
    ("piece", "size"),
    [
        ("a", 40_000),
        (" ", 40_000),
        ("\u0301", 40_000),
        ("\n", 2_000),
        ("a.b,", 4_000),
        ("漢字", 4_000),
        ("x y ", 4_000),
        ("\x00\ud800 ", 4_000),
    ],
)
@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.no_cover  # which would double its time
def test_memory_does_not_grow(plain: Tokenizer, piece: str, size: int, lines: bool) -> None:
    block = piece * (size // len(piece))

    def peak(blocks: int) -> int:
        tracemalloc.start()
        for tree in plain.stream((block for _ in range(blocks)), lines=lines):
            assert len(tree.sentence) <= MOST_TOKENS
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    peak(2)  # fills what is remembered of chunks
    assert peak(20) < 1.3 * peak(10) + 50_000


@pytest.mark.parametrize("alphabet", ["漢字一二三四五六七八", "!?%&()[];:,"])
@pytest.mark.no_cover
def test_memory_does_not_grow_with_what_is_new(
    treebanks: dict[str, list[Tree]], monkeypatch: pytest.MonkeyPatch, alphabet: str
) -> None:
    tokenizer = Tokenizer.learn(treebanks["plain"])  # that remembers nothing
    limit = 100_000
    monkeypatch.setattr(entries, "_MOST_KEPT", limit)
    monkeypatch.setattr(entries, "_MOST_VIEWS", limit)
    for count in range(MOST_TOKENS + 1):
        _flat(count)  # is remembered for good
    chance = Random(1)

    def rubbish(count: int) -> Iterator[str]:
        for _ in range(count):
            chunks = ("".join(chance.choices(alphabet, k=chance.randint(8, 180))) for _ in range(9))
            yield " ".join(chunks) + "\n\n"

    tracemalloc.start()
    for _ in tokenizer.stream(rubbish(20)):
        pass
    left, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert left < 4 * limit


class TestPauses:
    def test_a_sentence_comes_at_a_pause(self, plain: Tokenizer) -> None:
        read: list[str] = []

        def typed() -> Iterator[str]:
            for piece in ("De man ziet ", "het huis.\n", PAUSE, "Komt Anna?\n", PAUSE):
                read.append(piece)
                yield piece

        trees = plain.stream(typed())
        assert next(trees).text == "De man ziet het huis."
        assert len(read) == 3
        assert next(trees).text == "Komt Anna?"
        assert len(read) == 5
        assert not list(trees)

    def test_all_sentences_come_at_a_pause(self, plain: Tokenizer) -> None:
        pieces = iter(["De man. Het huis.\n", PAUSE, "Komt Anna?"])
        trees = plain.stream(pieces)
        assert [next(trees).text, next(trees).text] == ["De man.", "Het huis."]
        assert next(pieces) == "Komt Anna?"

    @pytest.mark.parametrize("text", ["De man.", "De man. ", "De man\n", "De man:\n", "De man,\n"])
    def test_what_may_go_on_waits(self, plain: Tokenizer, text: str) -> None:
        pieces = [text, PAUSE, " ziet het huis.\n\n\n", PAUSE, PAUSE, "Ja"]
        assert list(plain.stream(pieces)) == list(plain.stream(["".join(pieces)]))

    def test_empty_pieces_are_no_pauses(self, plain: Tokenizer) -> None:
        pieces = iter(["De man.\n", "", "Komt Anna?"])
        next(plain.stream(pieces))
        assert not list(pieces)

    @pytest.mark.parametrize("gap", ["\n", "\r\n", " \n ", "\n\n", "\n \n\n"])
    def test_offsets_stay_right(self, plain: Tokenizer, gap: str) -> None:
        text = f'De man.{gap}Het huis "hier!"{gap}Komt Anna?{gap}Ja'
        pieces: list[str] = []
        for character in text:
            pieces += [character, PAUSE]
        trees = list(plain.stream(pieces, start=7))
        for tree in trees:
            for token in tree.sentence:
                assert token.start is not None
                assert token.end is not None
                assert token.form.strip("`'\"") in text[token.start - 7 : token.end - 7] + '"'
        assert [tree.text for tree in trees] == ["De man.", 'Het huis "hier!"', "Komt Anna?", "Ja"]

    def test_lines_need_no_pauses(self, plain: Tokenizer) -> None:
        pieces = ["De", PAUSE, " man\n", PAUSE, "\n", PAUSE, "Ja"]
        whole = list(plain.stream(["De man\n\nJa"], lines=True))
        assert list(plain.stream(pieces, lines=True)) == whole

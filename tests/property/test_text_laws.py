"""Laws of raw text: nothing is lost, nothing overlaps, and pieces are as good as the whole."""

from functools import cache
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import AWKWARD_WORDS, trees

from crossbranch.text import MOST_TOKENS, Tokenizer, detokenize
from crossbranch.text.characters import MOST_CHARACTERS, atoms, chunks_of, is_white
from crossbranch.tree import ROOT, Node, Token, Tree

SENTENCES = [
    "Dr. Smit koopt brood , kaas ( vers ) en melk .",
    '" Dat is mooi " , zegt hij om 16:30 uur .',
    "The wild - type -LRB- Fig. 3 -RRB- mouse 's cells .",
    "Vetur$ $inn kom , og hest$ $inn fór",
    "og mað$ $inn sá bát$ $inn .",
]

WORDS = [
    "De",
    "man.",
    "huis,",
    "Dr.",
    '"Ja"',
    "(x",
    "3.",
    "og",
    "veturinn",
    "e.g.",
    "foto’s",
    "“q”",
]
PARTS = st.sampled_from(
    [*WORDS, *AWKWARD_WORDS, "漢字。", "🇳🇱", "👨\u200d👩", "http://a.nl/b.", "x" * 90]
)
GAPS = st.sampled_from(
    [*" \n\r\f\u00a0\u2009\u2029\ufeff", " ", " ", "", "\n\n", "\r\n", "\r\r", " " * 700]
)
TEXTS = st.one_of(
    st.lists(st.tuples(PARTS, GAPS), max_size=40).map(lambda pairs: "".join(map("".join, pairs))),
    st.text(max_size=80),
    st.text(st.sampled_from("ab. ,\n\u0301漢。\ud800\x00"), max_size=400),
)


@cache
def tokenizer() -> Tokenizer:
    return Tokenizer.learn(
        Tree([Token(form) for form in line.split()], Node(ROOT, range(len(line.split()))))
        for line in SENTENCES * 40
    )


def cut(text: str, places: list[int]) -> list[str]:
    edges = sorted({0, len(text), *(place % (len(text) + 1) for place in places)})
    return [text[start:end] for start, end in pairwise(edges)]


def check(text: str, found: list[Tree]) -> None:
    """Check that the tokens are all of the text but its white space, in order."""
    position = 0
    for tree in found:
        first = tree.sentence[0].start if tree.sentence else 0
        assert first is not None
        for token in tree.sentence:
            start, end = token.start, token.end
            assert start is not None
            assert end is not None
            assert all(map(is_white, text[position:start]))
            assert position <= start < end <= start + MOST_CHARACTERS
            assert not any(map(is_white, text[start:end]))
            assert token.form
            assert not any(map(is_white, token.form))
            assert tree.text[start - first : end - first] == text[start:end]
            position = end
        if tree.sentence:
            assert len(tree.text) == position - first
    assert all(map(is_white, text[position:]))


@given(TEXTS)
def test_every_character_is_in_one_token(text: str) -> None:
    found = list(tokenizer().split(text))
    check(text, found)
    assert all(0 < len(tree.sentence) <= MOST_TOKENS for tree in found)


@given(TEXTS)
def test_one_sentence_has_everything(text: str) -> None:
    check(text, [tokenizer().tokenize(text)])


@given(TEXTS)
def test_every_line_has_its_sentence(text: str) -> None:
    found = list(tokenizer().stream([text], lines=True))
    check(text, found)
    lines = text.split("\n")
    assert len(found) == len(lines) - all(map(is_white, lines[-1]))


@given(TEXTS, st.lists(st.integers(0, 10_000), max_size=30), st.booleans())
def test_pieces_are_as_good_as_the_whole(text: str, places: list[int], lines: bool) -> None:
    whole = list(tokenizer().stream([text], lines=lines))
    assert list(tokenizer().stream(cut(text, places), lines=lines)) == whole
    assert list(tokenizer().stream(text, lines=lines)) == whole  # each character a piece


@settings(max_examples=20)
@given(
    st.sampled_from("a.漢。\u0301 ,\x00"),
    st.sampled_from("b \n!x"),
    st.integers(900, 3000),
)
def test_long_texts_in_pieces(one: str, two: str, size: int) -> None:
    text = (one * 7 + two) * size
    whole = list(tokenizer().split(text))
    check(text, whole)
    places = list(range(0, len(text), 997 + size % 89))
    assert list(tokenizer().stream(cut(text, places))) == whole


@given(TEXTS, st.integers(0, 1000))
def test_offsets_count_from_the_start(text: str, start: int) -> None:
    moved = list(tokenizer().split(text, start=start))
    for tree, other in zip(moved, tokenizer().split(text), strict=True):
        assert tree.text == other.text
        for token, same in zip(tree.sentence, other.sentence, strict=True):
            assert token.start == (same.start or 0) + start
            assert token.form == same.form


@given(st.lists(trees(), max_size=6), TEXTS)
@settings(max_examples=40)
def test_any_treebank_can_be_learned_stored_and_used(treebank: list[Tree], text: str) -> None:
    learned = Tokenizer.learn(treebank)
    again = Tokenizer.from_json(learned.to_json())
    assert again.to_json() == learned.to_json() == Tokenizer.learn(treebank).to_json()
    found = list(learned.split(text))
    check(text, found)
    assert list(again.split(text)) == found


@given(st.lists(trees(), max_size=4))
@settings(max_examples=30)
def test_detokenized_tokens_keep_their_order(treebank: list[Tree]) -> None:
    texts = list(detokenize([tree.sentence for tree in treebank]))
    assert len(texts) == len(treebank)
    for tree, (text, offsets) in zip(treebank, texts, strict=True):
        position = 0
        for _, (start, end) in zip(tree.sentence, offsets, strict=True):
            assert text[position:start] in ("", " ")
            assert start <= end
            position = end
        assert position == len(text)


@given(TEXTS)
def test_atoms_and_chunks_join_up(text: str) -> None:
    runs = "".join(" " if is_white(character) else character for character in text).split()
    for run in runs:
        assert "".join(chunks_of(run)) == run
        assert "".join(atoms(run)) == run

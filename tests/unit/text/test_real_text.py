"""Trees that know their text: the tokenizer learns from it, and `raw_text` gives it back."""

from __future__ import annotations

from itertools import pairwise

import pytest

from crossbranch.text import Tokenizer, raw_text
from crossbranch.text.real import gap_before, has_text, real_words
from crossbranch.tree import ROOT, Node, Token, Tree

SPLIT = [  # | is a place without a space where tokens end
    "so|.|.|. tired|!|!",
    "ring me @ 5|pm",
    "c|u l8r",
    "i do|nt know :)",
    "what|'s up (|pal|)|?",
    "thx|, bye",
]


def placed(marked: str, start: int = 0) -> Tree:
    """A tree with its text: tokens end at spaces and at |."""
    tokens = []
    end = start
    for chunk in marked.split(" "):
        for form in chunk.split("|"):
            tokens.append(Token(form, start=end, end=end + len(form)))
            end += len(form)
        end += 1
    return Tree(tokens, Node(ROOT, range(len(tokens))), text=marked.replace("|", ""))


def text_of(lines: list[str], gaps: tuple[int, ...] = (1,)) -> list[Tree]:
    """Sentences with so many characters between them, in turn."""
    trees: list[Tree] = []
    start = 0
    for number, line in enumerate(lines):
        trees.append(placed(line, start))
        start += len(trees[-1].text) + gaps[number % len(gaps)]
    return trees


def plain(line: str) -> Tree:
    forms = line.split()
    return Tree([Token(form) for form in forms], Node(ROOT, range(len(forms))))


def forms(tokenizer: Tokenizer, text: str) -> list[str]:
    return [" ".join(t.form for t in tree.sentence) for tree in tokenizer.split(text)]


@pytest.fixture(scope="module")
def learned() -> Tokenizer:
    return Tokenizer.learn(text_of(SPLIT * 20, (1, 1, 1, 2)))


def test_chunks_are_split_as_in_the_text(learned: Tokenizer) -> None:
    for line in SPLIT:
        found = learned.tokenize(line.replace("|", ""))
        assert [t.form for t in found.sentence] == line.replace("|", " ").split()


def test_sentences_end_as_in_the_text(learned: Tokenizer) -> None:
    text = "thx, bye so... tired!! what's up (pal)? ring me @ 5pm"
    sentences = ["thx , bye", "so . . . tired ! !", "what 's up ( pal ) ?", "ring me @ 5 pm"]
    assert forms(learned, text) == sentences


def test_made_up_and_real_text_are_learned_together() -> None:
    treebank = [plain("The cat -LRB- a tom -RRB- sat ."), plain("It 's `` here '' .")] * 30
    both = Tokenizer.learn([*treebank, *text_of(SPLIT * 10)])
    assert forms(both, "The cat (a tom) sat. so... tired!!") == [
        "The cat -LRB- a tom -RRB- sat .",  # the names of marks are those of the trees
        "so . . . tired ! !",
    ]


def test_the_typographic_marks_of_a_text_are_learned_as_plain_ones() -> None:
    lines = ["I do|n't|.", "It|'s me|."] * 30 + ["I do|n’t|."]
    tokenizer = Tokenizer.learn(text_of(lines))
    assert forms(tokenizer, "I don’t. It’s me.") == ["I do n't .", "It 's me ."]


def test_words_that_are_always_split_do_not_split_others() -> None:
    lines = ["They do|n't go|.", "I gon|na go|.", "Go on|."] * 5 + ["The long way on|."] * 300
    tokenizer = Tokenizer.learn(text_of(lines))
    assert forms(tokenizer, "Don don't gonna Anna.") == ["Don do n't gon na Anna ."]


def test_raw_text_is_the_text_of_the_trees() -> None:
    trees = text_of(["a|.", "B c", "d", "e"], (1, 0, 2))
    text, gold = raw_text([plain("x"), *trees, plain("y ."), plain("z ."), *trees[2:]])
    assert text == "x\n\na. B cd\n\ne\n\ny. z.\n\nd\n\ne"
    for tree in gold:
        assert tree.text == text[tree.sentence[0].start : tree.sentence[-1].end]
        for token in tree.sentence:
            assert text[token.start : token.end] == token.form


def test_what_is_between_sentences() -> None:
    trees = text_of(["a", "b", "c", "d"], (0, 1, 2))
    assert [gap_before(two, one) for one, two in pairwise(trees)] == ["", " ", "\n\n"]
    assert gap_before(trees[0], trees[1]) == "\n\n"  # the text starts again
    assert gap_before(trees[1], plain("a")) == gap_before(trees[0], None) == "\n\n"


def test_tokens_with_one_place_are_one_word() -> None:
    tokens = [Token("de", start=3, end=5), Token("le", start=3, end=5), Token("x", start=5, end=6)]
    tree = Tree(tokens, Node(ROOT, range(3)), text="dux")
    assert has_text(tree)
    words = real_words(tree)
    assert [(w.surface, w.forms, w.touches) for w in words] == [
        ("du", ("de", "le"), False),
        ("x", ("x",), True),
    ]
    assert forms(Tokenizer.learn([tree] * 9), "dux") == ["du x"]


@pytest.mark.parametrize(
    ("places", "text"),
    [
        ([(0, 1), (2, 3)], ""),
        ([(0, 1), (None, None)], "a"),
        ([(2, 3), (0, 1)], "a b"),
        ([(0, 1), (2, 3)], "a b c"),
        ([(0, 0), (0, 1)], "a"),
    ],
)
def test_trees_without_all_of_it_have_no_text(
    places: list[tuple[int | None, int | None]], text: str
) -> None:
    tokens = [Token("a", start=start, end=end) for start, end in places]
    assert not has_text(Tree(tokens, Node(ROOT, range(2)), text=text))


def test_emoji_names_and_tags() -> None:
    tokenizer = Tokenizer.learn(
        [plain("Wow !"), plain("It works ."), plain("See me ( Ann ) .")] * 30
    )
    assert forms(tokenizer, "It works 😀 See @ann_b, #tag.") == [
        "It works 😀",
        "See @ann_b , #tag .",
    ]
    assert forms(tokenizer, "I ❤️ Ann 👍🏽 It works") == ["I ❤️ Ann 👍🏽", "It works"]


def test_after_a_weak_mark_only_a_capital_starts_a_sentence() -> None:
    lines = ["Hi Ann|,", "We saw a , b , c and d|.", "Go , now , or , or , or not|."] * 40
    lines += ["So , so , so it , er , is|."] * 300
    tokenizer = Tokenizer.learn(text_of(lines))
    assert forms(tokenizer, "Hi Ann, we saw a.") == ["Hi Ann , we saw a ."]
    assert forms(tokenizer, "Hi Ann, We saw a.") == ["Hi Ann ,", "We saw a ."]
    again = Tokenizer.from_json(tokenizer.to_json())
    assert forms(again, "Hi Ann, We saw a, b.") == forms(tokenizer, "Hi Ann, We saw a, b.")

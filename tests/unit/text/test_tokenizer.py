"""What a tokenizer makes of a text."""

import pytest

from crossbranch.text import MOST_TOKENS, Tokenizer, detokenize
from crossbranch.tree import ROOT, Node, Token, Tree


def forms(tree: Tree) -> list[str]:
    return [token.form for token in tree.sentence]


def split(tokenizer: Tokenizer, text: str) -> list[str]:
    return [" ".join(forms(tree)) for tree in tokenizer.split(text)]


@pytest.mark.parametrize("name", ["plain", "cut up", "clitics", "quotes"])
def test_the_treebank_itself_comes_back(treebanks: dict[str, list[Tree]], name: str) -> None:
    trees = treebanks[name]
    tokenizer = Tokenizer.learn(trees)
    for tree, (text, _) in zip(trees, detokenize([t.sentence for t in trees]), strict=True):
        assert forms(tokenizer.tokenize(text)) == forms(tree)


def test_sentences_are_split_and_abbreviations_are_not(plain: Tokenizer) -> None:
    text = "Dr. Jansen ziet Piet. Komt hij? Het is 16:30 uur!\nZe woont (al jaren) in Oost-Berlijn."
    assert split(plain, text) == [
        "Dr. Jansen ziet Piet .",
        "Komt hij ?",
        "Het is 16:30 uur !",
        "Ze woont ( al jaren ) in Oost-Berlijn .",
    ]


def test_offsets_and_text_point_into_the_text(plain: Tokenizer) -> None:
    text = "  De man\n ziet het huis.  Komt Anna? "
    trees = list(plain.split(text, start=100))
    assert [tree.text for tree in trees] == ["De man\n ziet het huis.", "Komt Anna?"]
    for tree in trees:
        for token in tree.sentence:
            assert token.start is not None
            assert token.end is not None
            assert text[token.start - 100 : token.end - 100] == token.form
    assert [tree.id for tree in trees] == ["1", "2"]
    assert all(tree.root.children == tuple(range(len(tree.sentence))) for tree in trees)


def test_names_of_brackets_and_quotes(cut_up: Tokenizer) -> None:
    assert split(cut_up, 'The "wild-type" (Fig. 3) mouse\'s cells cannot grow.') == [
        "The `` wild - type '' -LRB- Fig. 3 -RRB- mouse 's cells can not grow ."
    ]


def test_names_in_a_text_stay_whole(cut_up: Tokenizer) -> None:
    line = "The `` first '' group -LRB- Fig. 3 -RRB- ."
    assert split(cut_up, line) == [line]


def test_quotes_between_blanks_open_and_close_by_turns(cut_up: Tokenizer) -> None:
    assert split(cut_up, 'The " first " and " second " group .') == [
        "The `` first '' and `` second '' group ."
    ]


def test_english_contractions_need_not_have_been_seen(cut_up: Tokenizer) -> None:
    assert split(cut_up, "They don't grow.") == ["They do n't grow ."]


def test_common_abbreviations_need_not_have_been_seen(treebanks: dict[str, list[Tree]]) -> None:
    text = "Hij zag dhr. Smit, nr. 3 (vgl. Anna) en blz. 12!"
    cut = ["Hij zag dhr. Smit , nr. 3 ( vgl. Anna ) en blz. 12 !"]
    dutch = Tokenizer.learn(treebanks["plain"], language="Dutch")
    assert split(dutch, text) == cut
    assert split(Tokenizer.learn(treebanks["plain"]), text) != cut


def test_habits_of_the_treebank_outweigh_common_abbreviations(
    treebanks: dict[str, list[Tree]],
) -> None:
    line = ["Hij", "las", "nr", ".", "3", "."]
    own = [Tree([Token(form) for form in line], Node(ROOT, range(len(line))))] * 30
    dutch = Tokenizer.learn([*treebanks["plain"], *own], language="Dutch")
    assert forms(dutch.tokenize("Hij las nr. 3.")) == line


def test_brackets_of_all_kinds(plain: Tokenizer) -> None:
    assert split(plain, "De [man] ziet {het huis}, nu.") == ["De [ man ] ziet { het huis } , nu ."]


def test_clitics_are_cut_off_and_marked(clitic: Tokenizer) -> None:
    tree = clitic.tokenize("Hann tók veturinn.")
    assert forms(tree) == ["Hann", "tók", "vetur$", "$inn", "."]
    assert [(token.start, token.end) for token in tree.sentence[2:4]] == [(9, 14), (14, 17)]


def test_typographic_marks_are_read_as_the_treebanks(plain: Tokenizer) -> None:
    text = "“Dat is mooi”, zegt z’n vader."
    tree = plain.tokenize(text)
    assert forms(tree) == ['"', "Dat", "is", "mooi", '"', ",", "zegt", "z'n", "vader", "."]
    assert tree.text == text


def test_addresses_stay_whole(plain: Tokenizer) -> None:
    text = "Zie http://example.org/a?b=1,c (of www.example.com) of mail jan.smit@example.nl."
    assert split(plain, text) == [
        "Zie http://example.org/a?b=1,c ( of www.example.com ) of mail jan.smit@example.nl ."
    ]
    assert split(plain, "De man (zie http://a.org/b(c)).") == ["De man ( zie http://a.org/b(c) ) ."]


def test_scripts_without_blanks(plain: Tokenizer) -> None:
    assert split(plain, "你好。再见！") == ["你 好 。", "再 见 ！"]


def test_an_empty_line_ends_a_sentence(plain: Tokenizer) -> None:
    assert split(plain, "Het huis\n\nDe man\r\n\r\nAnna\n\t\nKomt") == [
        "Het huis",
        "De man",
        "Anna",
        "Komt",
    ]


def test_one_sentence_stays_one(plain: Tokenizer) -> None:
    text = "\ufeffDe man. Het huis.\n\n" + "Komt Anna? " * MOST_TOKENS
    tree = plain.tokenize(text)
    assert len(tree.sentence) == 6 + 3 * MOST_TOKENS
    assert tree.id == ""
    assert tree.text == text[1:].rstrip()


@pytest.mark.parametrize("blanks", [65_536, 65_537, 140_000])
def test_any_number_of_blanks_may_come_first(plain: Tokenizer, blanks: int) -> None:
    (token,) = plain.tokenize(" " * blanks + "a").sentence
    assert (token.start, token.end) == (blanks, blanks + 1)
    assert plain.tokenize(" " * blanks).sentence == ()
    gap = " " * blanks
    assert plain.tokenize(f"{gap}De{gap}man{gap}").text == f"De{gap}man"


def test_only_sentences_of_texts_share_their_roots(plain: Tokenizer) -> None:
    line = "De man ziet het huis"
    assert next(plain.split(line)).root is next(plain.split(line)).root
    # There is no limit to what `tokenize` takes, and so no keeping of its roots.
    assert plain.tokenize(line).root is not plain.tokenize(line).root
    assert plain.tokenize(line).root == next(plain.split(line)).root


def test_no_text_has_no_sentences(plain: Tokenizer) -> None:
    assert list(plain.split("")) == []
    assert list(plain.split(" \n\n \ufeff")) == []
    empty = plain.tokenize("  ")
    assert empty.sentence == ()
    assert empty.text == ""


def test_learning_from_nothing_still_cuts_nothing_away() -> None:
    tokenizer = Tokenizer.learn([])
    assert "".join("".join(forms(tree)) for tree in tokenizer.split("Ab, c. D")) == "Ab,c.D"

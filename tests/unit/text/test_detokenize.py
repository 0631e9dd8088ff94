"""Tokens as people write them."""

import pytest

from crossbranch.text import Spacing, detokenize
from crossbranch.tree import Sentence, Token, Tree

Treebanks = dict[str, list[Tree]]


def sentence(line: str) -> Sentence:
    return tuple(Token(form) for form in line.split())


def spacing_of(trees: list[Tree]) -> Spacing:
    return Spacing.learn([[token.form for token in tree.sentence] for tree in trees])


def write(line: str, spacing: Spacing) -> str:
    ((text, offsets),) = detokenize([sentence(line)], spacing=spacing)
    ends = [end for _, end in offsets]
    assert all(start >= end for (start, _), end in zip(offsets[1:], ends, strict=False))
    return text


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Dat , zegt hij , is goed .", "Dat, zegt hij, is goed."),
        ('" Ja " , zei hij .', '"Ja", zei hij.'),
        ('Hij zei : " Nee . "', 'Hij zei: "Nee."'),
        ('Dat was het . "', 'Dat was het."'),
        ("Een woord - of twee - meer", "Een woord - of twee - meer"),
        ("'s Avonds ( laat )", "'s Avonds (laat)"),
        ("« Oui » et ‘ non ’", "«Oui» et ‘non’"),
        ("Hij ` riep ' hard", "Hij `riep' hard"),
        ("Wat ... ?", "Wat...?"),
        ("De verhouding is 1 : 200 .", "De verhouding is 1:200."),
        ("Ca. 50 % van $ 5", "Ca. 50% van $5"),
    ],
)
def test_words_that_keep_their_hyphens(treebanks: Treebanks, line: str, text: str) -> None:
    assert write(line, spacing_of(treebanks["plain"])) == text


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("wild - type -LRB- see below -RRB-", "wild-type (see below)"),
        ("`` a '' and `` b ''", '"a" and "b"'),
        ("Dhcr7 - / - mice", "Dhcr7-/- mice"),
        ("pre - and post - natal", "pre- and post-natal"),
        ("stored at - 20 °C", "stored at -20°C"),
        ("10 mg / kg", "10 mg/kg"),
        ("CD4 + cells + 5", "CD4+ cells + 5"),
        ("the mouse 's tail", "the mouse's tail"),
        ("they can not", "they cannot"),
        ("5 ' - ACGT - 3 '", "5'-ACGT-3'"),
        ("seen [ 14 , 19 ] and [ a , b ]", "seen [14,19] and [a, b]"),
        ("Prx1 : : cre", "Prx1::cre"),
    ],
)
def test_hyphens_as_tokens(treebanks: Treebanks, line: str, text: str) -> None:
    assert write(line, spacing_of(treebanks["cut up"])) == text


def test_clitics_are_joined(treebanks: Treebanks) -> None:
    spacing = spacing_of(treebanks["clitics"])
    assert write("Vetur$ $inn kom", spacing) == "Veturinn kom"
    ((text, offsets),) = detokenize([sentence("Vetur$ $inn kom")], spacing=spacing)
    assert [text[start:end] for start, end in offsets] == ["Vetur", "inn", "kom"]


def test_without_clitics_a_dollar_is_a_dollar(treebanks: Treebanks) -> None:
    assert write("US$ $5", spacing_of(treebanks["plain"])) == "US$ $5"


def test_german_quotes_close_where_others_open(treebanks: Treebanks) -> None:
    assert write("» Ja « , „ Gut “ .", spacing_of(treebanks["quotes"])) == "»Ja«, „Gut“."


def test_the_spacing_is_learned_if_it_is_not_given(treebanks: Treebanks) -> None:
    texts = [text for text, _ in detokenize([tree.sentence for tree in treebanks["cut up"]])]
    assert "Dr. Lee's cells cannot grow." in texts


def test_empty_sentences_are_empty_texts() -> None:
    assert list(detokenize([(), ()])) == [("", ()), ("", ())]

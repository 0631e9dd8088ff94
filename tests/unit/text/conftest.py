"""Small treebanks with three conventions, and tokenizers that have learned from them."""

from random import Random

import pytest

from crossbranch.text import Tokenizer
from crossbranch.tree import ROOT, Node, Token, Tree

# Hyphens stay in words, periods in abbreviations, quotes are straight.
PLAIN = [
    "De man ziet het huis .",
    "Dr. Smit koopt brood , kaas en melk .",
    "Komt Anna vandaag ?",
    '" Dat is mooi " , zegt hij .',
    "Ze woont ( al jaren ) in Oost-Berlijn .",
    "Hij kwam om 16:30 uur ; zij bleef .",
    "Het kost 2,50 euro per stuk !",
    "'s Avonds leest z'n vader de krant .",
    "Er zijn auto's , foto's , enz. te zien .",
    "Wat nu ... ?",
    "Mevr. Jansen zag Piet .",
    "Ik hoorde Eva .",
    "Wij gaan naar Gent .",
    "Zij slaapt nu .",
    "Daar staat Jan !",
    "Wie is Tom ?",
    "Prof. De Wit ( Leiden ) sprak .",
    "Dat zag ik .",
]
# Hyphens and slashes are tokens, brackets and quotes have names.
CUT_UP = [
    "The wild - type mice -LRB- Fig. 3 -RRB- were fed .",
    "We used 60 % of the anti - mouse serum [ 14 , 19 ] .",
    "Dr. Lee 's cells can not grow .",
    "The `` first '' group had 10 mg / kg .",
    "The `` new - type '' cells died , and the `` old - type '' grew .",
    "Mutant - / - cells / mice are well - known .",
    "The mouse 's weight / length ratio was low - normal .",
]
# Clitics are marked.
CLITICS = [
    "Vetur$ $inn var kaldur .",
    "Hann sá hest$ $inn og bát$ $inn .",
    "Maður$ $inn tók hníf$ $inn .",
    "Konan gekk heim .",
    "Dag$ $inn eftir kom skip$ $ið , stórt .",
]


def treebank(sentences: list[str], copies: int = 30) -> list[Tree]:
    """The sentences many times over, shuffled."""
    lines = sentences * copies
    Random(1).shuffle(lines)
    return [
        Tree([Token(form) for form in line.split()], Node(ROOT, range(len(line.split()))))
        for line in lines
    ]


@pytest.fixture(scope="session")
def treebanks() -> dict[str, list[Tree]]:
    return {
        "plain": treebank(PLAIN),
        "cut up": treebank(CUT_UP),
        "clitics": treebank(CLITICS),
        "quotes": treebank(["» Ja « , sagte er .", "» Nein «", "„ Gut “ , sagte sie ."]),
    }


@pytest.fixture(scope="session")
def plain(treebanks: dict[str, list[Tree]]) -> Tokenizer:
    return Tokenizer.learn(treebanks["plain"])


@pytest.fixture(scope="session")
def cut_up(treebanks: dict[str, list[Tree]]) -> Tokenizer:
    return Tokenizer.learn(treebanks["cut up"])


@pytest.fixture(scope="session")
def clitic(treebanks: dict[str, list[Tree]]) -> Tokenizer:
    return Tokenizer.learn(treebanks["clitics"])

"""Laws of tagging: whatever the tokens, each gets one tag; sentences do not see each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbranch.features import Clusters
from crossbranch.tagging import Tagger
from crossbranch.tagging.columns import digits, kinds, number_of
from crossbranch.tagging.lexicon import Lexicon
from crossbranch.tree import Sentence, Token

# Surrogates, controls and the empty word among them: a tagger must not mind.
FORMS = st.one_of(
    st.sampled_from(["the", "The", "cat", "Cats", "3,5", "-LRB-", "veturinn", ""]),
    st.text(st.characters(), max_size=12),
)
SENTENCES = st.lists(st.lists(st.builds(Token, FORMS), max_size=6), max_size=6)
TRAINING: list[Sentence] = [
    (Token("the", "D"), Token(noun, "N"), Token(verb, "V"))
    for noun in ("cat", "dog", "tree")
    for verb in ("sees", "saw", "grows")
]
CLUSTERS = Clusters({"cat": "0010", "dog": "0011", "saw": "1"})


@pytest.fixture(scope="module", params=[None, CLUSTERS], ids=["plain", "clusters"])
def tagger(request: pytest.FixtureRequest) -> Tagger:
    return Tagger.learn(TRAINING, epochs=2, clusters=request.param)


@given(SENTENCES)
def test_each_token_gets_a_tag(tagger: Tagger, sentences: list[list[Token]]) -> None:
    found = tagger.tag(sentences)
    assert [len(tags) for tags in found] == [len(sentence) for sentence in sentences]
    assert {tag for tags in found for tag in tags} <= set(tagger.tags)


@given(SENTENCES)
def test_sentences_do_not_see_each_other(tagger: Tagger, sentences: list[list[Token]]) -> None:
    together = tagger.tag(sentences, threads=2)
    assert together == [tags for sentence in sentences for tags in tagger.tag([sentence])]


@given(st.dictionaries(st.text(), st.lists(st.integers(0, 9), min_size=1, max_size=4), max_size=9))
def test_lexicons_survive_json(classes: dict[str, list[int]]) -> None:
    lexicon = Lexicon(classes)
    read = Lexicon.from_json(lexicon.to_json(), tag_count=10)
    assert read == lexicon
    assert read.to_json() == lexicon.to_json()


@given(st.text(st.characters()))
def test_any_word_has_numbers(form: str) -> None:
    assert 0 <= number_of(form) < 2**32
    assert kinds(form)[-1] == str(min(len(form), 4))
    assert bool(digits(form)) == any(map(str.isdecimal, form.replace("0", "")))

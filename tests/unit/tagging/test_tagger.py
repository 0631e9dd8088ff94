"""Tagger: what it learns, how it is saved and loaded, what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.features import Clusters
from crossbranch.tagging import Tagger, accuracy, jackknife, learning
from crossbranch.tagging.tagger import CLUSTERS, LEXICON, SETTINGS, WEIGHTS
from crossbranch.tree import Sentence, Token

NOUNS = [f"{stem}er" for stem in ("hamm", "fing", "wint", "moth", "riv", "pap", "teach", "sist")]
VERBS = [f"{stem}ing" for stem in ("walk", "talk", "read", "tagg", "pars", "draw", "sail", "bak")]
CLUSTER_TABLE = Clusters({**dict.fromkeys(NOUNS, "010"), **dict.fromkeys(VERBS, "11")}, name="toy")


class Folder:
    """What a model's folder gives."""

    def __init__(self, path: Path, files: dict[str, bytes]) -> None:
        self.path = path
        for name, data in files.items():
            (path / name).write_bytes(data)

    def data(self, name: str) -> bytes:
        return (self.path / name).read_bytes()

    def where(self, name: str) -> str:
        return str(self.path / name)


def sentence(random: Random) -> Sentence:
    """A sentence of a small language: "round" is a noun after "the", and a verb after "to"."""
    noun, verb = random.choice(NOUNS), random.choice(VERBS)
    noun, verb = random.choice([(noun, verb), ("round", verb), (noun, "round")])
    words = [("the", "D"), (noun, "N"), ("wants", "V"), ("to", "T"), (verb, "V"), (".", ".")]
    return tuple([Token(*word) for word in words])


def sentences(count: int = 60, seed: int = 1) -> list[Sentence]:
    random = Random(seed)
    return [sentence(random) for _ in range(count)]


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger.learn(sentences())


@pytest.fixture(scope="module")
def cluster_tagger() -> Tagger:
    return Tagger.learn(sentences(), clusters=CLUSTER_TABLE)


def test_a_small_language_is_learned(tagger: Tagger) -> None:
    assert tagger.tags == (".", "D", "N", "T", "V")
    assert accuracy(tagger, sentences(seed=2)) == 1


def test_unknown_words_go_by_their_looks(tagger: Tagger) -> None:
    new = [Token(form) for form in ("the", "lobster", "wants", "to", "knitting", ".")]
    assert tagger.tag([new]) == [["D", "N", "V", "T", "V", "."]]


def test_clusters_tell_what_looks_do_not() -> None:
    nouns = [f"{letter}o" for letter in "bcdfghjk"]
    verbs = [f"{letter}o" for letter in "lmnpqrst"]
    table = Clusters({**dict.fromkeys(nouns, "010"), **dict.fromkeys(verbs, "11")})
    seen = [(Token(noun, "N"), Token(verb, "V")) for noun in nouns[1:] for verb in verbs[1:]]
    seen += [(verb, noun) for noun, verb in seen]
    made = Tagger.learn(seen, clusters=table)
    assert made.tag([[Token(verbs[0]), Token(nouns[0])]]) == [["V", "N"]]
    assert CLUSTERS in made.files()


def test_tags_that_are_there_do_not_matter(tagger: Tagger) -> None:
    known = sentences(5, seed=3)
    bare = [tuple(Token(token.form) for token in one) for one in known]
    assert tagger.tag(known) == tagger.tag(bare)


@pytest.mark.parametrize("made", ["tagger", "cluster_tagger"])
def test_what_is_loaded_is_what_was_saved(
    made: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    saved: Tagger = request.getfixturevalue(made)
    loaded = Tagger.from_folder(Folder(tmp_path, saved.files()))
    assert loaded.files() == saved.files()
    assert loaded.settings == saved.settings
    assert loaded.encoder.lexicon == saved.encoder.lexicon
    assert loaded.encoder.clusters == saved.encoder.clusters
    rubbish = [[Token(form) for form in ("the", "Round", "xyzing", "77", "\ud800", "")]]
    assert loaded.tag(rubbish) == saved.tag(rubbish)


def test_halves_of_surrogate_pairs_are_kept(tmp_path: Path) -> None:
    odd = (Token("\ud800", "\udfff"), Token("\ud83d\ude00", "X"), Token("\U0001f600", "É"))
    made = Tagger.learn([*sentences(20), odd, odd], epochs=2)
    loaded = Tagger.from_folder(Folder(tmp_path, made.files()))
    assert loaded.files() == made.files()
    assert loaded.settings == made.settings
    assert loaded.encoder.lexicon == made.encoder.lexicon
    assert all(token.form in loaded.encoder.lexicon for token in odd)
    assert loaded.tag([odd]) == made.tag([odd])


def test_words_are_no_tokens(tagger: Tagger) -> None:
    for given in ([["the", "hammer"]], "the hammer"):
        with pytest.raises(UsageError, match="found a str, expected a Token"):
            tagger.tag(given)  # type: ignore[arg-type]


def test_clusters_can_be_somebody_elses(tmp_path: Path, cluster_tagger: Tagger) -> None:
    files = cluster_tagger.files()
    assert files.pop(CLUSTERS) == CLUSTER_TABLE.to_json()
    shared = Clusters(CLUSTER_TABLE.paths, name=CLUSTER_TABLE.name)
    loaded = Tagger.from_folder(Folder(tmp_path, files), clusters=shared)
    assert loaded.tag(sentences(9)) == cluster_tagger.tag(sentences(9))


def test_threads_change_nothing(tagger: Tagger) -> None:
    assert Tagger.learn(sentences(), threads=2).files() == tagger.files()
    some = sentences(40, seed=4)
    assert tagger.tag(some, threads=3) == tagger.tag(some)


def test_the_seed_decides(tagger: Tagger) -> None:
    assert Tagger.learn(sentences()).files() == tagger.files()
    assert Tagger.learn(sentences(), seed=2).files() != tagger.files()


def test_learning_leaves_the_sentences_alone() -> None:
    given = sentences(10)
    Tagger.learn(given, epochs=1)
    assert given == sentences(10)


def test_progress_is_told() -> None:
    told: list[int] = []
    Tagger.learn(sentences(4), epochs=3, progress=told.append)
    assert told == [1, 2, 3]


def test_empty_and_long_sentences(tagger: Tagger) -> None:
    long = [Token("round"), Token("the")] * 3000
    tags = tagger.tag([(), long, ()])
    assert [len(one) for one in tags] == [0, 6000, 0]
    assert tagger.tag([]) == []


def test_sentences_without_all_tags_are_left_out() -> None:
    with_gaps = [*sentences(), (Token("the", "X"), Token("hammer"))]
    assert Tagger.learn(with_gaps).files() == Tagger.learn(sentences()).files()
    assert Tagger.learn([*sentences(), ()]).tags == (".", "D", "N", "T", "V")


@pytest.mark.parametrize("given", [[], [()], [(Token("a"),)]])
def test_without_tags_nothing_is_learned(given: list[Sentence]) -> None:
    with pytest.raises(UsageError, match="0 tags"):
        Tagger.learn(given)


def test_options_out_of_range_are_refused(tagger: Tagger) -> None:
    with pytest.raises(UsageError, match="epochs is 0"):
        Tagger.learn(sentences(3), epochs=0)
    with pytest.raises(UsageError, match="threads is 0"):
        Tagger.learn(sentences(3), threads=0)
    with pytest.raises(UsageError, match="threads is 0"):
        tagger.tag([], threads=0)
    for folds in (1, 4):
        with pytest.raises(UsageError, match=f"{folds} folds"):
            jackknife(sentences(3), folds=folds)
    with pytest.raises(UsageError, match="threads is 0"):
        jackknife(sentences(9), threads=0)


def test_weights_are_kept_small(monkeypatch: pytest.MonkeyPatch, tagger: Tagger) -> None:
    most = len(tagger.files()[WEIGHTS]) * 2 // 3
    monkeypatch.setattr(learning, "BYTES", most)
    monkeypatch.setattr(learning, "BYTES_A_TAG", 0)
    small = Tagger.learn(sentences())
    assert 0 < len(small.files()[WEIGHTS]) <= most
    assert accuracy(small, sentences(seed=2)) > 0.9


def test_accuracy_counts_tokens_with_tags(tagger: Tagger) -> None:
    assert accuracy(tagger, []) == 0
    half = [(Token("the", "D"), Token("hammer", "wrong"), Token("."))]
    assert accuracy(tagger, half) == 0.5


def test_jackknifed_tags_come_from_others() -> None:
    odd = [(Token("the", "D"), Token("finger", "ODD"), Token(".", ".")) for _ in range(2)]
    # All odd sentences are in the first fold, so no tagger that sees them has learned from them.
    given = [*odd[:1], *sentences(3), *odd[1:], *sentences(31)]
    found = list(jackknife(given, folds=4, epochs=4))
    assert [len(tags) for tags in found] == [len(one) for one in given]
    assert found[0] == found[4]
    assert "ODD" not in found[0]
    others = [tags == [token.tag for token in one] for tags, one in zip(found, given, strict=True)]
    assert sum(others) > 25


def test_jackknifing_in_threads_is_the_same() -> None:
    given = sentences(20)
    told: list[int] = []
    found = list(jackknife(given, folds=3, epochs=2, threads=2, progress=told.append))
    assert found == list(jackknife(given, folds=3, epochs=2))
    assert told == [1, 2, 3, 4, 5, 6]


def test_jackknifing_learns_from_extra_sentences() -> None:
    given = [(Token("the", "D"), Token(f"zork{n}", "N"), Token(".", ".")) for n in range(8)]
    extra = [(Token("to", "T"), Token("blip", "BLIP"), Token("so", "R"))] * 4
    asked = [*given, (Token("to", "T"), Token("blip", "?"), Token(".", "."))]
    assert "BLIP" not in list(jackknife(asked, folds=3, epochs=4))[-1]
    assert list(jackknife(asked, extra=extra, folds=3, epochs=4))[-1][:2] == ["T", "BLIP"]


def test_jackknifing_leaves_out_extra_sentences_with_the_same_words() -> None:
    odd = (Token("the", "D"), Token("finger", "ODD"), Token(".", "."))
    plain = tuple(token._replace(tag="N") if token.tag == "ODD" else token for token in odd)
    found = list(jackknife([plain, *sentences(30)], extra=[odd] * 5, folds=4, epochs=4))
    assert "ODD" not in found[0]


def test_a_sentence_with_the_weight_0_is_only_tagged() -> None:
    given = [*sentences(30), *[(Token("the", "ODD"), Token("finger", "ODD"))] * 6]
    tags = jackknife(given, weights=[1.0] * 30 + [0.0] * 6, folds=3, epochs=4)
    assert list(tags)[-1] == ["D", "N"]
    with pytest.raises(UsageError, match="3 weights, expected 36"):
        jackknife(given, weights=[1.0] * 3)


def test_weights_say_how_often_a_tagger_sees_a_sentence() -> None:
    """Of two readings of a word, the one with more weight wins."""
    one, other = ((Token("the", "D"), Token("zork", tag)) for tag in ("ONE", "OTHER"))
    for weights, expected in (([3.0, 0.34], "ONE"), ([0.34, 3.0], "OTHER")):
        tagger = Tagger.learn([one, other], weights=weights, epochs=6)
        assert tagger.tag([one]) == [["D", expected]]
    with pytest.raises(UsageError, match="1 weights, expected 2"):
        Tagger.learn([one, other], weights=[1.0])


DAMAGES: dict[str, tuple[str, Callable[[bytes], bytes], str]] = {
    "no JSON": (SETTINGS, lambda data: b"{", "settings of a tagger"),
    "another field": (SETTINGS, lambda data: b'{"x": 1,' + data[1:], "settings of a tagger"),
    "no tags": (SETTINGS, lambda data: b'{"tags": [], "templates": [], "beam": 4}', "0 tags"),
    "a tag twice": (SETTINGS, lambda data: data.replace(b'"D"', b'"N"'), "twice"),
    "an empty tag": (SETTINGS, lambda data: data.replace(b'"D"', b'""'), "empty"),
    "a beam of nothing": (SETTINGS, lambda data: data.replace(b'beam": 4', b'beam": 0'), "beam is"),
    "no column": (SETTINGS, lambda data: data.replace(b'"shape"', b'"shapes"'), "shapes"),
    "too far away": (SETTINGS, lambda data: data.replace(b'"word-2"', b'"word-9"'), "not there"),
    "no template": (SETTINGS, lambda data: data.replace(b'"word-2"', b'"word--"'), "word--"),
    "no words": (LEXICON, lambda data: b"[[", "words and the numbers"),
    "no such tag": (LEXICON, lambda data: b'[[[5],["a"]]]', "without a tag"),
    "a word twice": (LEXICON, lambda data: b'[[[1],["a"]],[[2],["a"]]]', "a word twice"),
    "no weights": (WEIGHTS, lambda data: b"", "weights of a tagger"),
    "cut-off weights": (WEIGHTS, lambda data: data[:-1], "too early"),
    "weights of a tag that is not there": (WEIGHTS, lambda data: b"\2\x08\0\1\5\2", "the number 5"),
    "the same tag twice": (WEIGHTS, lambda data: b"\2\x08\0\2\1\2\0\2", "same transition twice"),
    "a weight of nothing": (WEIGHTS, lambda data: b"\2\x08\0\1\1\0", "is 0"),
    "no clusters": (CLUSTERS, lambda data: b"[]", "clusters"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_named(damage: str, tmp_path: Path, cluster_tagger: Tagger) -> None:
    name, change, message = DAMAGES[damage]
    files = cluster_tagger.files()
    changed = files | {name: change(files[name])}
    assert changed != files
    with pytest.raises(InputError, match=message) as caught:
        Tagger.from_folder(Folder(tmp_path, changed))
    assert caught.value.path == str(tmp_path / name)


def test_damaged_weights_do_no_harm(tmp_path: Path, tagger: Tagger) -> None:
    random = Random(5)
    files = tagger.files()
    for _ in range(200):
        damaged = bytearray(files[WEIGHTS])
        for _ in range(random.randint(1, 3)):
            damaged[random.randrange(len(damaged))] = random.randrange(256)
        folder = Folder(tmp_path, files | {WEIGHTS: bytes(damaged)})
        try:
            tags = Tagger.from_folder(folder).tag(sentences(2))
        except InputError:
            continue
        assert all(tag in tagger.tags for one in tags for tag in one)


def test_voters_are_another_tagger_and_as_good() -> None:
    one, three = (Tagger.learn(sentences(), voters=voters, epochs=3) for voters in (1, 3))
    assert one.files()[WEIGHTS] != three.files()[WEIGHTS]
    assert accuracy(three, sentences(seed=2)) > 0.95


def test_backward_is_forward_in_a_mirror() -> None:
    backward = Tagger.learn(sentences(), backward=True, epochs=3)
    mirrored = Tagger.learn([one[::-1] for one in sentences()], epochs=3)
    assert backward.files()[WEIGHTS] == mirrored.files()[WEIGHTS]
    some = [list(one[: n % 7]) for n, one in enumerate(sentences(20, seed=2))]
    expected = [tags[::-1] for tags in mirrored.tag([one[::-1] for one in some])]
    assert backward.tag(some) == expected
    assert accuracy(backward, sentences(seed=2)) > 0.95


def test_jackknifing_can_be_backward() -> None:
    some = sentences(20)
    mirrored = jackknife([one[::-1] for one in some], folds=2, epochs=2)
    found = list(jackknife(some, folds=2, epochs=2, backward=True))
    assert found == [tags[::-1] for tags in mirrored]


def test_settings_without_a_direction_are_forward(tmp_path: Path) -> None:
    """As those of models that were made before taggers had a direction."""
    backward = Tagger.learn(sentences(), backward=True, epochs=2)
    files = backward.files()
    assert Tagger.from_folder(Folder(tmp_path, files)).settings.backward
    old = files[SETTINGS].replace(b',\n "backward": true', b"")
    assert old != files[SETTINGS]
    loaded = Tagger.from_folder(Folder(tmp_path, files | {SETTINGS: old}))
    assert not loaded.settings.backward


def test_wide_taggers_see_words_three_places_away() -> None:
    """The first word of four decides the tag of the last one."""
    pairs = [(first, noun) for first in ("never", "always") for noun in NOUNS * 3]
    text = [
        tuple(map(Token, (first, noun, noun, "so"), ("A", "N", "N", "RB" if tag else "CC")))
        for first, noun in pairs
        for tag in [first == "never"]
    ]
    unseen = [(Token(first), *text[0][1:3], Token("so")) for first in ("never", "always")]
    wide = Tagger.learn(text, wide=True, epochs=5)
    assert [tags[-1] for tags in wide.tag(unseen)] == ["RB", "CC"]
    usual = Tagger.learn(text, epochs=5)
    assert len({tags[-1] for tags in usual.tag(unseen)}) == 1
    assert "word-3" in wide.settings.templates
    assert "cluster-2" not in wide.settings.templates
    clustered = Tagger.learn(text, wide=True, epochs=1, clusters=CLUSTER_TABLE)
    assert "cluster-2" in clustered.settings.templates


def test_a_tagger_follows_one_of_its_sources() -> None:
    """Two sources tag "so" in two ways, and agree on the rest."""
    ours, theirs = (
        [(*one, Token("so", tag)) for one in sentences(seed=seed)]
        for seed, tag in ((1, "RB"), (2, "CC"))
    )
    names = ["ours"] * len(ours) + ["theirs"] * len(theirs)
    for like, tag in (("ours", "RB"), ("theirs", "CC")):
        tagger = Tagger.learn([*ours, *theirs], sources=names, like=like, epochs=4)
        [found] = tagger.tag([[*sentences(1, seed=3)[0], Token("so")]])
        assert found[-1] == tag


def test_sources_that_are_not_there_are_refused() -> None:
    with pytest.raises(UsageError, match="no source of tags has the name 'web'; there are news"):
        Tagger.learn(sentences(3), sources=["news"] * 3, like="web")
    with pytest.raises(UsageError, match="1 sources, expected 3"):
        Tagger.learn(sentences(3), sources=["news"])

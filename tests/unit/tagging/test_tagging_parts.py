"""The parts of a tagger: templates, columns, lexicon, settings, encoder."""

from __future__ import annotations

import pytest

from crossbranch.errors import UsageError
from crossbranch.features import Clusters
from crossbranch.tagging.columns import (
    COLUMNS,
    MISSING,
    UNKNOWN,
    Knowledge,
    column,
    digits,
    kinds,
    number_of,
)
from crossbranch.tagging.encoder import Encoder
from crossbranch.tagging.lexicon import Lexicon
from crossbranch.tagging.settings import TaggerSettings
from crossbranch.tagging.templates import (
    CASING_TEMPLATES,
    CLUSTER_TEMPLATES,
    PARTS_TEMPLATES,
    TEMPLATES,
    TagTemplate,
    columns_of,
    compile_templates,
    parse,
)
from crossbranch.tree import Token

LEXICON = Lexicon({"the": (0,), "cat": (1, 2), "Ann": (1,)})


def value(name: str, form: str, *, knows: bool = True, clusters: Clusters | None = None) -> int:
    return column(name, Knowledge(LEXICON, clusters), knows=knows)(form)


def test_words_are_known_from_the_second_time_on() -> None:
    numbers = {"D": 0, "N": 1, "V": 2}
    sentences = [(Token("a", "D"), Token("saw", "V")), (Token("a", "D"), Token("saw", "N"))]
    lexicon = Lexicon.of([*sentences, (Token("saw", "N"), Token("once", "V"))], numbers)
    assert lexicon.classes == {"a": (0,), "saw": (1, 2)}
    assert "once" not in lexicon
    assert len(lexicon) == 2


def test_rare_tags_of_a_word_are_noise() -> None:
    sentences = [(Token("a", "D"),)] * 99 + [(Token("a", "N"),)]
    assert Lexicon.of(sentences, {"D": 0, "N": 1}).classes == {"a": (0,)}


def test_kinds_of_characters() -> None:
    assert kinds("") == "0"
    assert kinds("Nord-Süd") == "Xx-4"
    assert kinds("中文") == "2"


def test_digits_are_alike() -> None:
    assert digits("1984-85") == digits("2001-02") == "0000-00"
    assert digits("B2") == "b0"
    assert digits("00") == ""  # nothing new


def test_the_word_column() -> None:
    assert value("word", "cat") == number_of("cat")
    assert value("word", "cat", knows=False) == UNKNOWN
    assert value("word", "dog") == UNKNOWN


def test_words_are_found_in_small_letters() -> None:
    assert value("lower", "Cat") == value("lower", "cat") == number_of("cat")
    assert value("class", "Cat") == value("class", "cat") == number_of("1 2")
    # A word that is taken for unknown may still be known in small letters.
    assert value("class", "The", knows=False) == number_of("0")
    assert value("class", "the", knows=False) == UNKNOWN
    assert value("lower", "Ann") == number_of("ann")
    assert value("lower", "ann") == value("class", "ann") == UNKNOWN


def test_affixes_are_in_small_letters() -> None:
    assert value("suffix2", "CATS") == number_of("ts")
    assert value("prefix3", "Cats") == number_of("cat")
    assert value("suffix6", "cats") == MISSING


def test_cluster_columns() -> None:
    clusters = Clusters({"cat": "00101100", "the": "1"})
    assert value("cluster4", "cat", clusters=clusters) == number_of("0010")
    assert value("cluster", "Cat", clusters=clusters) == number_of("00101100")
    assert value("cluster", "dog", clusters=clusters) == MISSING


def test_templates_are_read() -> None:
    assert parse("word") == TagTemplate(0, ((0, "word"),))
    assert parse("tag-2 tag-1") == TagTemplate(2, ())
    assert parse("tag-1 suffix3 class+1") == TagTemplate(1, ((0, "suffix3"), (1, "class")))


@pytest.mark.parametrize("text", ["", "tag", "tag-2", "tag-1 tag-3", "word+", "word+10", "Word"])
def test_what_is_no_template_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="template"):
        parse(text)


def test_all_templates_compile() -> None:
    every = (*TEMPLATES, *CLUSTER_TEMPLATES, *CASING_TEMPLATES, *PARTS_TEMPLATES)
    assert len(set(every)) == len(every)
    columns = columns_of(every)
    assert set(columns) == set(COLUMNS)  # no column without a use
    compile_templates(every, columns)


def test_columns_that_are_not_there_are_refused() -> None:
    with pytest.raises(UsageError, match="suffix2"):
        compile_templates(["suffix2"], ["word"])
    with pytest.raises(UsageError, match="not there"):
        compile_templates(["word-5"], ["word"])
    with pytest.raises(UsageError, match="unknown columns: size"):
        Encoder(["size"], LEXICON)
    with pytest.raises(UsageError, match="need a table of clusters"):
        Encoder(["cluster4"], LEXICON)
    with pytest.raises(UsageError, match="need a dictionary"):
        Encoder(["casing"], LEXICON)


def test_rows_are_one_number_a_column() -> None:
    encoder = Encoder(["word", "suffix1"], LEXICON)
    rows, offsets = encoder.encode([[Token("cat"), Token("dog")], [], [Token("cat")]])
    cat, dog = [number_of("cat"), number_of("t")], [UNKNOWN, number_of("g")]
    assert list(rows) == [*cat, *dog, *cat]
    assert offsets == [0, 2, 2, 3]


def test_rows_take_constant_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossbranch.tagging.encoder._CACHE_LIMIT", 3)
    encoder = Encoder(["word"], LEXICON)
    for number in range(9):
        encoder.encode([[Token(f"{number}"), Token(f"{number}" * 99)]])
    assert 0 < len(encoder.known) <= 3
    assert max(map(len, encoder.known)) == 1  # long words do not come again


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tags": ()}, "0 tags"),
        ({"tags": ("N", "")}, "empty"),
        ({"tags": ("N", "N")}, "twice"),
        ({"beam": 0}, "beam is 0"),
        ({"beam": 1025}, "beam is 1025"),
    ],
)
def test_settings_are_checked(changes: dict[str, object], message: str) -> None:
    options: dict[str, object] = {"tags": ("N",), "templates": ("word",), "beam": 4}
    with pytest.raises(UsageError, match=message):
        TaggerSettings(**(options | changes))  # type: ignore[arg-type]

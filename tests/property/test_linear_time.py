"""Reading twice as much takes about twice the time: for every format, and for raw text.

Time is that of the processor, so that other programs do not disturb. Quadratic work would show as a
factor of 8 or more: each input is eight times as large as the one it is compared with.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import crossbranch.models
from crossbranch.tagging.lemma_compounds import Compounds
from crossbranch.tagging.lemma_rules import Lemmatized
from crossbranch.tagging.lemma_table import LemmaTable
from crossbranch.text import Tokenizer
from crossbranch.treebank import FORMATS, Limits, read

GROWTH = 8
MOST = 3.0 * GROWTH  # linear work takes 8 times as long, quadratic work 64 times
NONE = Limits.parse("none")
START = '<corpus><body><s id="s1"><graph><terminals>'
END = '<t id="s1_1" word="a"/></terminals><nonterminals/></graph></s></body></corpus>'


def flat_json(count: int) -> str:
    tokens = ",".join(['{"form":"a"}'] * count)
    children = ",".join(map(str, range(count)))
    return f'{{"tokens":[{tokens}],"nodes":[{{"label":"ROOT","children":[{children}]}}]}}\n'


def rows(count: int) -> str:
    return "#FORMAT 4\n#BOS 1\n" + "a\t--\tN\t--\t--\t0\n" * count + "#EOS 1\n"


def conllu(count: int) -> str:
    columns = "\t_" * 8
    return "".join(f"{i}\ta{columns}\n" for i in range(1, count + 1)) + "\n"


def terminals(count: int) -> str:
    return START + "".join(f'<t id="s1_{i}" word="a"/>' for i in range(2, count)) + END


def words(count: int) -> str:
    nodes = "".join(f'<node begin="{i}" word="a"/>' for i in range(count))
    return f'<treebank><alpino_ds><node cat="top">{nodes}</node></alpino_ds></treebank>'


def unclosed(opening: str, closing: str = "") -> Callable[[int], str]:
    def text(count: int) -> str:
        sentences = (f'<s id="s{i}"><graph>{opening}</graph></s>\n' for i in range(count))
        return "<corpus><body>" + "".join(sentences) + closing

    return text


# A format, a text of a given size, and a size that takes some hundredths of a second.
TEXTS: dict[str, tuple[str, Callable[[int], str], int]] = {
    "words in a line": ("tokens", lambda n: "ab " * n + "\n", 20_000),
    "a long word": ("tokens", lambda n: "a" * n + "\n", 1_000_000),
    "empty lines": ("tokens", lambda n: "\n" * n, 20_000),
    "tagged words in a line": ("tagged", lambda n: "a/b " * n + "\n", 10_000),
    "trees in a line": ("bracket", lambda n: "(S (N a))" * n + "\n", 5_000),
    "an open bracket": ("bracket", lambda n: "(S\n" + " (N a)\n" * n, 10_000),
    "open brackets": ("bracket", lambda n: "(" * n, 20_000),
    "closed brackets": ("bracket", lambda n: "(S a)" + ")" * n, 20_000),
    "lines without brackets": ("bracket", lambda n: "a\n" * n, 5_000),
    "trees of psd in a line": ("psd", lambda n: "( (N a-b) (ID 1))" * n + "\n", 5_000),
    "an open comment": ("psd", lambda n: "/* a\n" * n, 20_000),
    "an almost closed comment": ("psd", lambda n: "/* a\n" + "a */ b\n" * n, 20_000),
    "open brackets with indices": ("discbracket", lambda n: "(S 0=a " * n + "\n", 10_000),
    "a long comment": ("discbracket", lambda n: "(S 0=a)" + "\tc" * n + "\n", 50_000),
    "tokens in JSON": ("json", flat_json, 2_000),
    "an open list": ("json", lambda n: '{"id":' + "[" * n + "\n", 200_000),
    "halves of pairs": ("json", lambda n: '{"id":"' + "\\ud800" * n + "\n", 50_000),
    "rows": ("export", rows, 2_000),
    "comments": ("export", lambda n: "#BOS 1\n" + "%% a\n" * n + "#EOS 1\n", 10_000),
    "a table": ("export", lambda n: "#BOT A\n" + "1\ta\n" * n, 5_000),
    "rows of version 3": ("export3", lambda n: rows(n).replace("\t--\tN", "\tN"), 2_000),
    "lines of tokens": ("conllu", conllu, 2_000),
    "lines of comments": ("conllu", lambda n: "# a\n" * n, 20_000),
    "terminals": ("tigerxml", terminals, 2_000),
    "an attribute": ("tigerxml", lambda n: f'{START}<t id="s1_9" word="{"a" * n}"/>{END}', 2**20),
    "a comment": ("tigerxml", lambda n: f"{START}<!--{'a' * n}-->{END}", 2**20),
    "an instruction": ("tigerxml", lambda n: f"{START}<?x {'a' * n}?>{END}", 2**20),
    "blanks": ("tigerxml", lambda n: f"{START}{' ' * n}{END}", 2**20),
    "open CDATA sections": ("tigerxml", unclosed("<![CDATA["), 500),
    "CDATA sections with one end": ("tigerxml", unclosed("<![CDATA[", "]]></x>"), 500),
    "open comments": ("tigerxml", unclosed("<!--"), 500),
    "open instructions": ("tigerxml", unclosed("<?x"), 500),
    "words": ("alpino", words, 2_000),
}


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def check_growth(work: Callable[[int], Callable[[], object]], size: int) -> None:
    small, large = work(size), work(size * GROWTH)
    before, after = seconds(small), seconds(large)
    for _ in range(4):  # a busy machine may disturb once, but not always
        if after < MOST * max(before, 0.004):
            return
        before, after = max(before, seconds(small)), min(after, seconds(large))
    pytest.fail(f"{before:.3f} s for {size}, {after:.3f} s for {size * GROWTH}")


def reading(format: str, text: str) -> Callable[[], object]:
    data = text.encode()
    return lambda: sum(
        1 for _ in read(io.BytesIO(data), format=format, on_error="skip", limits=NONE)
    )


@pytest.mark.no_cover
@pytest.mark.parametrize("name", TEXTS)
def test_reading_takes_linear_time(name: str) -> None:
    format, text, size = TEXTS[name]
    check_growth(lambda count: reading(format, text(count)), size)


def test_every_format_is_measured() -> None:
    assert {format for format, _, _ in TEXTS.values()} == set(FORMATS)


RAW = (
    "-",
    "a",
    "A.",
    "1",
    "...",
    "a-",
    "(",
    '"',
    "' ",
    "é",
    "中",
    "。",
    "\u0301",
    "a b. ",
    "\n",
    " ",
)


@pytest.mark.no_cover
@pytest.mark.parametrize("language", ["de", "en", "is", "nl"])
def test_raw_text_takes_linear_time(language: str) -> None:
    folder = Path(crossbranch.models.__file__).parent / language
    tokenizer = Tokenizer.from_json((folder / "tokenizer.json").read_bytes())
    for piece in RAW:

        def work(count: int, piece: str = piece) -> Callable[[], object]:
            return lambda: sum(1 for _ in tokenizer.split(piece * count))

        check_growth(work, 2_000)


def test_the_parts_of_a_very_long_word_are_found_in_linear_time() -> None:
    words = [Lemmatized("a-huis", "N", "a_huis"), Lemmatized("huis", "N", "huis")]
    words += [Lemmatized("a", "N", "a"), Lemmatized("ab-huis", "N", "ab_huis")]
    words += [Lemmatized("ab", "N", "ab")]
    compounds = Compounds.of(LemmaTable.of(words), words)
    assert compounds.links
    found = compounds.find("ab-huis", "N")
    assert found is not None
    check_growth(lambda count: lambda: compounds.find("a-" * count, "N"), 20_000)

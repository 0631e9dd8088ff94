"""The corpora that can be prepared: their files, how they are cleaned, and how they are split."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from crossbranch.errors import UsageError
from crossbranch.prepare import splits
from crossbranch.prepare.splits import Split
from crossbranch.treebank.files import natural_order, strip_compression

File = tuple[str, Path]
"""A file and the document that its sentences belong to."""

RECIPES = {
    "2015": "functions(strip) | attach",
    "2017": "functions(strip) | attach | punctuation(discodop)",
    "2019": "punctuation(move)",
}
"""Maier 2015; Coavoux & Crabbé 2017; Coavoux, Crabbé & Cohen 2019. Head marking and binarization
belong to the parsers."""


@dataclass(frozen=True)
class Corpus:
    """One corpus with one split."""

    summary: str
    split: Callable[[Path], Split]
    files: Callable[[Path], Iterator[File]]
    before: str = ""  # a pipeline that comes before the recipe's
    format: str | None = None
    encoding: str | None = None
    expected: Mapping[str, int] = field(default_factory=dict)  # sentences of each part
    release: str = ""  # which release has so many sentences, if there are several


def _one_file(path: Path) -> Iterator[File]:
    """A corpus in one file, or the treebank files of a folder."""
    if path.is_dir():
        yield from _folder(path, "*")
    else:
        yield _stem(path), path


def _folder(path: Path, pattern: str) -> Iterator[File]:
    paths = [p for p in path.rglob(pattern) if p.is_file() and not p.name.startswith(".")]
    if not paths:
        raise UsageError(f"{path}: found no files like {pattern}")
    for found in sorted(paths, key=lambda p: natural_order(str(p.relative_to(path)))):
        yield _stem(found), found


def _wsj(path: Path) -> Iterator[File]:
    """The merged files wsj_SSNN.mrg, in any folders; NLTK's single file has no sections."""
    if not path.is_dir():
        raise UsageError(f"{path}: expected the folder of the Penn Treebank's wsj_*.mrg files")
    yield from _folder(path, "wsj_*.mrg*")


def _alpino(path: Path) -> Iterator[File]:
    """The suites in Alpino's own Makefile, cdb first; one document for each suite."""
    if not path.is_dir():
        yield "cdb", path
        return
    suites = [path / name for name in _ALPINO_SUITES if (path / name).is_dir()]
    if not suites:
        raise UsageError(f"{path}: expected Alpino's folder Treebank, with cdb and others in it")
    for suite in suites:
        yield from ((suite.name, file) for _, file in _folder(suite, "*.xml"))


def _craft(path: Path) -> Iterator[File]:
    yield from _folder(_below(path, "structural-annotation/treebank/penn"), "*.tree")


def _icepahc(path: Path) -> Iterator[File]:
    yield from _folder(path / "finished" if (path / "finished").is_dir() else path, "*.psd")


def _below(path: Path, folder: str) -> Path:
    if not (path / folder).is_dir():
        raise UsageError(f"{path}: expected the distribution's folder, with {folder} in it")
    return path / folder


def _craft_split(path: Path) -> Split:
    """The corpus has lists of ids for the articles of each part."""
    folder = _below(path, "articles/ids")
    lists: dict[str, frozenset[str]] = {}
    for part in ("train", "dev", "test"):
        files = sorted(folder.glob(f"*{part}*.txt"))
        if len(files) != 1:
            raise UsageError(f"{folder}: expected one list of ids for {part}, found {len(files)}")
        lists[part] = frozenset(re.findall(r"\d+", files[0].read_text()))
    return splits.documents(lists)


def _stem(path: Path) -> str:
    return strip_compression(path.name).split(".")[0]


_ALPINO_SUITES = (
    "cdb",
    "cgn_exs",
    "eans",
    "extra",
    "g_suite",
    "h_suite",
    "i_suite",
    "j_suite",
    "leuven_yellow_pages",
    "lot_test_suite1",
    "novelsample_corrected",
    "ntv-suite",
    "qa",
    "Titaantjes",
    "wpspel",
)
_NEGRA = splits.last(1000, 1000, test_last=False)
_TIGER = splits.last(5000, 5000, test_last=True)

CORPORA: dict[str, Corpus] = {
    "negra": Corpus(
        "NeGra, split of Dubey & Keller: the last 1,000 sentences dev, the 1,000 before test",
        lambda _: _NEGRA,
        _one_file,
        expected={"train": 18602, "dev": 1000, "test": 1000},
    ),
    "negra-30": Corpus(
        "NeGra, sentences of at most 30 words: the last tenth test, the tenth before dev",
        lambda _: splits.short(30),
        _one_file,
        expected={"train": 14669, "dev": 1833, "test": 1833},
    ),
    "tiger-spmrl": Corpus(
        "TIGER, split of SPMRL: the last 5,000 sentences test, the 5,000 before dev",
        lambda _: _TIGER,
        _one_file,
        expected={"train": 40472, "dev": 5000, "test": 5000},
        release="TIGER 2.2",
    ),
    "tiger-hn08": Corpus(
        "TIGER, split of Hall & Nivre 2008: sentence i is test where i mod 10 = 0, dev where 1",
        lambda _: splits.every_tenth,
        _one_file,
        expected={"train": 40377, "dev": 5048, "test": 5047},
        release="TIGER 2.2",
    ),
    "dptb": Corpus(
        "Penn Treebank, made discontinuous: WSJ sections 2-21 train, 22 dev, 23 test",
        lambda _: splits.wsj_sections,
        _wsj,
        before="traces(ptb)",
        format="bracket",
        expected={"train": 39832, "dev": 1700, "test": 2416},
    ),
    "alpino": Corpus(
        "Alpino's folder Treebank: cdb in tenths, all other suites train",
        lambda _: splits.newspaper("cdb"),
        _alpino,
        before="labels(case=upper)",
        format="alpino",
        expected={"train": 20445, "dev": 714, "test": 714},
    ),
    "craft": Corpus(
        "CRAFT's repository: the corpus's own articles for train, dev and test",
        _craft_split,
        _craft,
        before="traces(craft)",
        format="bracket",
        expected={"train": 18951, "dev": 2780, "test": 9099},
    ),
    "icepahc": Corpus(
        "IcePaHC's repository: every text in tenths",
        lambda _: splits.tenths_of_documents,
        _icepahc,
        before="traces(icepahc)",
        format="psd",
        expected={"train": 57932, "dev": 7235, "test": 7268},
    ),
}

"""Examples in the documentation run, in order, page by page, and show what they say they show."""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import crossbranch

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(console|python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PROGRESS = re.compile(r"^crossbranch: .* a second\b.*\n", re.MULTILINE)  # only on slow machines

OPTIONAL = {"dask", "datasets", "nltk", "pyspark", "ray", "spacy"}
SEPARATE = {"pyspark", "java"}  # without these, the other examples of a page still run


class Block(NamedTuple):
    language: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(match[1], match[2], text.count("\n", 0, match.start()) + 2)
        for match in BLOCK.finditer(text)
    ]


def with_examples() -> list[Path]:
    return [page for page in PAGES if page.exists() and blocks(page)]


@pytest.mark.parametrize("page", with_examples(), ids=lambda page: str(page.relative_to(ROOT)))
@pytest.mark.filterwarnings("ignore::crossbranch.LossWarning")
@pytest.mark.filterwarnings(r"ignore:`\w+` is deprecated")
@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    absent = {library for block in blocks(page) for library in absent_libraries(block.text)}
    if absent - SEPARATE:
        pytest.skip(f"not installed: {', '.join(sorted(absent))}")
    names: dict[str, object] = {}
    for block in blocks(page):
        if absent_libraries(block.text):
            continue
        place = f"{page.relative_to(ROOT)}:{block.line}"
        if block.language == "python":
            provide_files(block.text, tmp_path)
            exec(compile(block.text, place, "exec"), names)
        elif block.language == "pycon":
            test = doctest.DocTestParser().get_doctest(
                block.text, names, place, str(page), block.line
            )
            runner = doctest.DocTestRunner(optionflags=FLAGS)
            runner.run(test, clear_globs=False)
            names.update(test.globs)
            assert not runner.failures, place
        else:
            run_console(block.text, place, tmp_path)
    if absent:
        pytest.skip(f"some examples need {', '.join(sorted(absent))}; see CONTRIBUTING.md")


def absent_libraries(code: str) -> set[str]:
    """Return the optional libraries that an example imports and that are not there."""
    imported = re.findall(r"^(?:>>> )?(?:import|from) (?:crossbranch\.)?(\w+)", code, re.MULTILINE)
    absent = {name for name in imported if name in OPTIONAL and not is_installed(name)}
    if "pyspark" in imported and shutil.which("java") is None:
        absent.add("java")
    return absent


def is_installed(library: str) -> bool:
    return importlib.util.find_spec(library) is not None


def provide_files(code: str, folder: Path) -> None:
    """Make the treebanks that an example reads: pages may show files that users have."""
    for name in re.findall(r'read\("([^"]+)"', code):
        if not (folder / name).exists():
            steps = crossbranch.pipeline("raise")  # for formats without crossing branches
            crossbranch.write(map(steps.apply, crossbranch.sample(20)), folder / name)


def run_console(text: str, place: str, folder: Path) -> None:
    """Run `$ command` lines, and compare what they print with what stands below them."""
    commands: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif (line + " ").startswith("> ") and commands and not commands[-1][1]:
            commands[-1] = (f"{commands[-1][0]}\n{line[2:]}", [])
        else:
            commands[-1][1].append(line)
    search = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": search, "COLUMNS": "100", "TERM": "dumb", "PYTHONUTF8": "1"}
    for command, expected in commands:
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        found = PROGRESS.sub("", run.stdout)
        assert "Traceback" not in found, f"{place}: {command}\n{found}"
        if expected:
            wanted = "\n".join(expected) + "\n"
            same = doctest.OutputChecker().check_output(wanted, found, FLAGS)
            assert same, f"{place}: {command}\nexpected:\n{wanted}\nfound:\n{found}"
        else:
            assert run.returncode == 0, f"{place}: {command}\n{found}"


def test_every_format_and_transform_has_its_place_in_the_docs() -> None:
    formats = (ROOT / "docs" / "formats.md").read_text()
    transforms = (ROOT / "docs" / "transforms.md").read_text()
    assert [name for name in crossbranch.FORMATS if f"`{name}`" not in formats] == []
    assert [name for name in crossbranch.TRANSFORMS if f"`{name}`" not in transforms] == []


def test_links_between_pages_lead_somewhere() -> None:
    broken = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in PAGES
        for link in re.findall(
            r"\]\(([^)#:]+\.(?:md|png|svg))[^)]*\)", page.read_text(encoding="utf-8")
        )
        if not (page.parent / link).exists()
    ]
    assert broken == []


def test_the_reference_has_every_public_name() -> None:
    pages = (ROOT / "docs" / "reference").glob("*.md")
    named = re.findall(r"^::: (\S+)$", "\n".join(page.read_text() for page in pages), re.MULTILINE)
    assert [module for module in named if importlib.util.find_spec(module) is None] == []
    homes = {f"crossbranch.{home}" for home in crossbranch._PLACE_OF.values()}
    assert homes <= set(named)


@pytest.mark.skipif(shutil.which("bash") is None, reason="the examples are written for bash")
def test_there_are_examples() -> None:
    assert len(with_examples()) >= 3

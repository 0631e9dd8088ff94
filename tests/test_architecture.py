"""The rules that keep the house in order."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

import crossbranch

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "crossbranch"

# Lowest first. A part imports from itself and from lower layers, never from its own layer's others.
LAYERS: tuple[frozenset[str], ...] = tuple(
    frozenset(layer.split())
    for layer in (
        "_core disk errors",
        "ranges span toml_texts",
        "doors",
        "config json_texts node",
        "constituent",
        "clause tables",
        "tree",
        "draft escape nltk_trees punctuation",
        "dependencies",
        "treebank transforms evaluation drawing",
        "clauses conversion query statistics prepare reports tasks",
        "structure",
        "grammar transitions features neural",
        "search",
        "training derivations",
        "models tagging text",
        "confidence functions",
        "parsers",
        "experiments jobs nltk_parser silver_trees spacy",
        "ray reproduction server",
        "client",
        "cli",
    )
)
LONGEST_FILE = 400
LONGEST_LINE = 120  # of a page of documentation; tables cannot be broken

# A root of some machine, with something below it; spelled so that this file does not match.
MACHINE_PATH = re.compile(r"(?<![\w./$}>])/(?:work|root|tmp|home|farm|Users)/\w")
NOT_OURS = re.compile(r"\.(git$|venv|coverage|hypothesis|.*_cache$)|(__pycache__|build|dist|site)$")


def part_of(path: Path) -> str:
    """The part of the package that a source file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_parts(source: str, package: tuple[str, ...]) -> Iterator[str]:
    """The parts of crossbranch that a module in `package` imports, wherever in the module."""
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *filter(None, [node.module])])
            names = [f"{module}.{alias.name}" for alias in node.names]
        for name in names:
            if name.split(".")[0] == "crossbranch":
                yield [*name.split("."), ""][1]


def layer_of(part: str) -> int:
    """The number of a part's layer."""
    for number, layer in enumerate(LAYERS):
        if part in layer:
            return number
    raise AssertionError(f"crossbranch.{part} has no place in LAYERS")


def faults(part: str, imported: Iterator[str]) -> list[str]:
    """The imports that a part may not make."""
    return [
        f"{part} imports {other}"
        for other in imported
        if other != part and layer_of(other) >= layer_of(part)
    ]


def package_files() -> list[Path]:
    """The Python files of the package, without the one that gathers the public names."""
    return [path for path in sorted(PACKAGE.rglob("*.py")) if path != PACKAGE / "__init__.py"]


def own_files(folder: Path = ROOT) -> Iterator[Path]:
    """All files of the repository, without environments, builds and caches."""
    for path in sorted(folder.iterdir()):
        if NOT_OURS.match(path.name):
            continue
        if path.is_dir():
            yield from own_files(path)
        else:
            yield path


def test_every_part_in_the_layers_is_there() -> None:
    parts = {part_of(path) for path in package_files()}
    known = [part for layer in LAYERS for part in layer]
    assert sorted(known) == sorted({*parts, "_core"})


def test_modules_import_only_from_lower_layers() -> None:
    found = []
    for path in package_files():
        package = ("crossbranch", *path.relative_to(PACKAGE).parts[:-1])
        imported = imported_parts(path.read_text(encoding="utf-8"), package)
        found += [f"{path.relative_to(ROOT)}: {fault}" for fault in faults(part_of(path), imported)]
    assert not found, "\n".join(found)


def test_every_part_of_the_layers_is_there() -> None:
    parts = {part_of(path) for path in package_files()} | {"_core"}
    assert {part for layer in LAYERS for part in layer} == parts


@pytest.mark.parametrize(
    ("part", "source", "fault"),
    [
        ("treebank", "import crossbranch.transforms", "treebank imports transforms"),
        ("transforms", "from crossbranch.treebank import read", "transforms imports treebank"),
        ("tree", "from crossbranch import cli", "tree imports cli"),
        ("treebank", "from ..drawing import draw", "treebank imports drawing"),
        ("span", "def late():\n    import crossbranch.tree", "span imports tree"),
        ("treebank", "from .export import Export", None),
        ("treebank", "from crossbranch.tree import Tree", None),
        ("cli", "import json, crossbranch.treebank", None),
    ],
)
def test_the_layer_rule_sees(part: str, source: str, fault: str | None) -> None:
    package = ("crossbranch", part)
    assert faults(part, imported_parts(source, package)) == ([fault] if fault else [])


def test_nothing_but_a_tree_calls_upwards_by_name() -> None:
    by_name = re.compile(r"""import_module\(\s*f?["']crossbranch""")
    found = {p for p in package_files() if by_name.search(p.read_text(encoding="utf-8"))}
    own_parts = {PACKAGE / "cli" / "__init__.py", PACKAGE / "parsers" / "registry.py"}
    assert found == {PACKAGE / "tree.py", *own_parts}


def test_every_imported_package_is_declared() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = settings["optional-dependencies"]
    declared = [*settings["dependencies"]]
    for name in ("plot", "nltk", "neural", "pretrained", "spacy", "ray", "server", "client"):
        declared += extras[name]
    known = {re.split(r"[^\w-]", requirement)[0] for requirement in declared}
    imported = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                imported.add(str(node.module).split(".")[0])
    assert imported - sys.stdlib_module_names - {"crossbranch"} <= known


def _names_for_type_checkers() -> set[str]:
    """The names that the package imports where only type checkers look."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.name for node in imports for alias in node.names}


def test_the_public_names_are_sorted_and_real() -> None:
    for name in crossbranch.__all__:
        value = getattr(crossbranch, name)
        assert value is not None
        assert name in dir(crossbranch)
    assert crossbranch.__all__ == sorted(crossbranch.__all__, key=str.casefold)
    assert set(crossbranch._PLACE_OF) == set(crossbranch.__all__) == _names_for_type_checkers()
    assert {"Tagger", "Tokenizer", "Tree", "describe", "load"} <= set(crossbranch.__all__)
    assert crossbranch.__version__ == version("crossbranch")
    with pytest.raises(AttributeError, match="nonsense"):
        _ = crossbranch.nonsense


def test_commands_start_without_what_is_slow_to_load() -> None:
    code = (
        "import sys; before = {*sys.modules}; import crossbranch.cli.parse, crossbranch.parsers; "
        "print(*{'importlib.metadata', 'matplotlib', 'email', 'rich.console'} "
        "& ({*sys.modules} - before))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "\n"


def test_no_source_file_is_too_long() -> None:
    paths = [*PACKAGE.rglob("*.py"), *(ROOT / "core").rglob("*.[ch]pp")]
    lengths = {str(p.relative_to(ROOT)): len(p.read_bytes().splitlines()) for p in paths}
    assert not {path: length for path, length in lengths.items() if length > LONGEST_FILE}


def test_lines_of_pages_are_not_too_long() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {len(line)} characters"
        for path in own_files()
        if path.suffix == ".md"
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if len(line) > LONGEST_LINE and not line.lstrip().startswith("|")
    ]
    assert not found, "\n".join(found)


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    found = []
    for path in own_files():
        text = path.read_text(encoding="utf-8", errors="ignore")
        found += [f"{path.relative_to(ROOT)}: {m[0]}" for m in MACHINE_PATH.finditer(text)]
    assert not found, "\n".join(found)


def test_a_place_on_a_machine_is_seen() -> None:
    home = "/ho" + "me"
    assert MACHINE_PATH.search(f"see {home}/ann/data")
    assert MACHINE_PATH.search(f'"{home}/ann"')
    assert not MACHINE_PATH.search(f"https://example.org{home}/ann")
    assert not MACHINE_PATH.search("#!/usr/bin/env bash")

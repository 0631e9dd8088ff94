"""Feature sets: files with one template on each line. A template is a few atoms.

    # the head word of the stack's topmost item, with the labels of both items
    s0.word s0.label d0.label

Use the shipped sets by their names, and your own by their paths. See docs/features.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

from crossbranch import _core
from crossbranch.errors import InputError, UsageError
from crossbranch.features.atoms import Atom, family_of, name_items, parse_atom
from crossbranch.features.columns import COLUMNS
from crossbranch.transforms.user_files import columns as rows_of
from crossbranch.transforms.user_files import read_text

MOST_ATOMS = 16  # in a template; a limit of the core
_SUFFIX = ".txt"
_SHARED = "shared"  # the sets for all families, with neutral names of items
_ALWAYS = ("word", "tag")  # always present: the core uses tags as the labels of tokens


@dataclass(frozen=True)
class Template:
    """Some atoms, which together form a feature."""

    atoms: tuple[Atom, ...]
    text: str  # as it was written
    source: str = ""  # the feature set that it comes from
    line: int = 0

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Templates:
    """The templates of one or several feature sets, for one system."""

    system: str
    templates: tuple[Template, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of tokens that the templates need; word and tag are first."""
        atoms = (atom for template in self.templates for atom in template.atoms)
        used = {atom.column for atom in atoms}.union(_ALWAYS)
        return tuple(column for column in COLUMNS if column in used)

    @property
    def distinct(self) -> tuple[Template, ...]:
        """The templates, without those that repeat an earlier one."""
        kept: dict[frozenset[Atom], Template] = {}
        for template in self.templates:
            kept.setdefault(frozenset(template.atoms), template)
        return tuple(kept.values())

    def atoms(self, columns: Sequence[str]) -> list[list[tuple[int, int, int, int]]]:
        """Return the atoms for the core; `columns` are the columns of tokens, in order."""
        missing = [column for column in self.columns if column not in columns]
        if missing:
            raise UsageError(f"the templates need more columns: {', '.join(missing)}")
        return [[atom.compile(columns) for atom in template.atoms] for template in self.distinct]

    def compile(self, columns: Sequence[str]) -> _core.Templates:
        """Return the templates for the core; `columns` are the columns of tokens, in order."""
        return _core.Templates(
            self.atoms(columns),
            column_count=len(columns),
            separator_column=columns.index("separator") if "separator" in columns else -1,
            fixed_queue=family_of(self.system) == "gap",  # SWAP puts items back into the queue
        )


def feature_sets(system: str) -> list[str]:
    """Return the names of the feature sets that ship for a system."""
    folders = [_folder(_SHARED), _folder(family_of(system))]
    files = [file.name for folder in folders for file in folder.iterdir()]
    return sorted(name.removesuffix(_SUFFIX) for name in files)


def _folder(name: str) -> Traversable:
    return resources.files("crossbranch.features") / "feature_sets" / name


def load(names: Iterable[str], system: str) -> Templates:
    """Load feature sets by name or path.

    Raises:
        UsageError: There is no such set.
        InputError: A line is not a template.
    """
    templates: list[Template] = []
    for name in names:
        templates += parse(_text_of(name, system), system, source=name)
    if not templates:
        raise UsageError("the feature sets have no templates; expected at least one template")
    return Templates(system, tuple(templates))


def _text_of(name: str, system: str) -> str:
    shipped = feature_sets(system)
    if name in shipped:
        shared = _folder(_SHARED) / f"{name}{_SUFFIX}"
        if shared.is_file():
            return name_items(shared.read_text(encoding="utf-8"), family_of(system))
        own = _folder(family_of(system)) / f"{name}{_SUFFIX}"
        return own.read_text(encoding="utf-8")
    try:
        return read_text(name)
    except UsageError as error:
        raise UsageError(
            f"{error}; the shipped feature sets of {system} are {', '.join(shipped)}"
        ) from None


def parse(text: str, system: str, *, source: str = "") -> list[Template]:
    """Read the templates of a feature set. Errors name `source`."""
    family = family_of(system)
    templates = []
    for line, row in rows_of(text):
        try:
            atoms = tuple(parse_atom(word, family) for word in row)
            _check(row, atoms)
        except ValueError as error:
            found, expected = error.args
            raise InputError(found, expected, path=source, line=line) from None
        templates.append(Template(atoms, " ".join(row), source, line))
    return templates


def _check(row: Sequence[str], atoms: Sequence[Atom]) -> None:
    if len(atoms) > MOST_ATOMS:
        raise ValueError(f"{len(atoms)} atoms", f"at most {MOST_ATOMS} in a template")
    for position, atom in enumerate(atoms):
        if atom in atoms[:position]:
            raise ValueError(f"{row[position]!r} twice", "different atoms in a template")

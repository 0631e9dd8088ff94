"""The labels that a parser can build, by number.

A label is *plain* (of a node inside a tree), *temporary* (made by binarization), or a *root* (of a
whole tree). The same name may have two numbers: S as a root and S inside a tree are different.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from crossbranch.errors import InputError, UsageError
from crossbranch.transforms.joining import split
from crossbranch.transforms.markov import MARKS, names
from crossbranch.tree import Tree

PLAIN, TEMPORARY, ROOT_LABEL = 0, 1, 2
"""The kinds of labels, numbered as in the core."""


@dataclass(frozen=True)
class LabelSet:
    """The labels of a treebank, each with a number."""

    labels: tuple[tuple[int, str], ...]  # kind and name; a label's number is its position
    mark: str = ""  # the mark of temporary labels, see `Binarize`; empty: there are none
    joiner: str = ""  # the text between the names of a unary chain, see `Unaries`; empty: no chains

    @classmethod
    def of(cls, trees: Iterable[Tree], *, mark: str = "", joiner: str = "") -> LabelSet:
        """Collect the labels of trees in the form that a parser needs; see `forms`.

        For each temporary label, the label that it stands for is included, even if no tree has it.
        If all trees are flat, a plain label is made from the name of a root.
        """
        inside: set[str] = set()
        roots: set[str] = set()
        for tree in trees:
            if tree.sentence:
                roots.add(tree.root.label)
                inside.update([node.label for node in tree.nodes[1:]])
        if not roots:
            raise UsageError("no tree with tokens; labels are collected from trees")
        is_temporary = names(mark, 0, 1).is_temporary if mark else _is_never_temporary
        temporary = {name for name in inside if is_temporary(name)}
        plain = inside - temporary
        bases = {_base_name(name, mark) for name in temporary}
        plain |= bases - roots
        if not plain:
            lowest = min(roots)
            plain.add(lowest.rpartition(joiner)[2] if joiner else lowest)
        kinds = ((PLAIN, plain), (TEMPORARY, temporary), (ROOT_LABEL, roots))
        return cls(
            tuple((kind, name) for kind, some in kinds for name in sorted(some)), mark, joiner
        )

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def _numbers(self) -> dict[tuple[int, str], int]:
        return {label: number for number, label in enumerate(self.labels)}

    @cached_property
    def _chains(self) -> tuple[tuple[str, ...], ...]:
        restore = names(self.mark, 0, 1).restore if self.mark else str
        chains = [split(name, self.joiner) if self.joiner else [name] for _, name in self.labels]
        return tuple(
            () if kind == TEMPORARY else tuple(map(restore, chain))
            for kind, chain in zip(self.kinds, chains, strict=True)
        )

    def find(self, name: str, kind: int) -> int | None:
        """Return the number of a label; None if there is no such label."""
        return self._numbers.get((kind, name))

    def id_of(self, name: str, kind: int) -> int:
        """Return the number of a label. Raises UsageError if there is no such label."""
        number = self.find(name, kind)
        if number is None:
            raise UsageError(f"there is no label {name!r} of kind {kind}")
        return number

    def name(self, number: int) -> str:
        """Return the name of a label."""
        return self.labels[number][1]

    def kind(self, number: int) -> int:
        """Return the kind of a label."""
        return self.labels[number][0]

    def base(self, number: int) -> int:
        """Return the label that a temporary label stands for.

        It is a plain label, or the label of a root if there is no plain one with its name. Labels
        of roots stand for the plain label with the same name, if there is one. Other labels stand
        for themselves.
        """
        kind, name = self.labels[number]
        base = _base_name(name, self.mark) if kind == TEMPORARY else name
        plain = self.find(base, PLAIN)
        return self.id_of(base, ROOT_LABEL) if plain is None else plain

    def chain(self, number: int) -> tuple[str, ...]:
        """Return the treebank labels that a label stands for, the topmost first; none if temporary.

        >>> LabelSet(((0, "S+VP"), (1, "S:"), (2, "ROOT")), ":", "+").chain(0)
        ('S', 'VP')
        """
        return self._chains[number]

    @cached_property
    def kinds(self) -> list[int]:
        """The kinds of all labels."""
        return [kind for kind, _ in self.labels]

    @cached_property
    def bases(self) -> list[int]:
        """For all labels: what `base` returns."""
        return [self.base(number) for number in range(len(self))]

    def to_json(self) -> dict[str, Any]:
        """Return lists and strings for JSON."""
        return {
            "names": [name for _, name in self.labels],
            "kinds": list(self.kinds),
            "mark": self.mark,
            "joiner": self.joiner,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any], *, path: str = "") -> LabelSet:
        """Read what `to_json` returned. Errors name `path`."""
        try:
            kinds, mark, joiner = value["kinds"], value["mark"], value["joiner"]
            labels = tuple(zip(kinds, value["names"], strict=True))
            found = cls(labels, mark, joiner)
            good = (
                (mark in MARKS or mark == "")
                and isinstance(joiner, str)
                and all(isinstance(name, str) for _, name in labels)
                and {PLAIN, ROOT_LABEL} <= set(kinds) <= {PLAIN, TEMPORARY, ROOT_LABEL}
                and len(set(labels)) == len(labels)
                and len(found.bases) == len(labels)
            )
        except (KeyError, TypeError, ValueError, UsageError):
            good = False
        if not good:
            raise InputError("labels that contradict each other", "names and kinds", path=path)
        return found


def _is_never_temporary(name: str) -> bool:
    return False


def _base_name(temporary: str, mark: str) -> str:
    """Return the label of the node that a temporary node is a part of."""
    return temporary.partition(":")[0] if mark == ":" else temporary[1:]

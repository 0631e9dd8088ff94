"""Flat roots: all tokens below one node."""

from __future__ import annotations

from functools import lru_cache

from crossbranch.node import trusted_node
from crossbranch.tree import ROOT, Node

_COMMON = 100  # tokens; sentences share the roots of so many and fewer


def flat_root(count: int) -> Node:
    """Return the virtual root above so many tokens, in linear time."""
    return _common_root(count) if count <= _COMMON else _root(count)


@lru_cache(_COMMON + 1)
def _common_root(count: int) -> Node:
    return _root(count)


def _root(count: int) -> Node:
    return trusted_node(ROOT, tuple(range(count)), (1 << count) - 1)

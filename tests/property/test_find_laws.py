"""Searching finds exactly what trying everything finds."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st
from naive_find import NaiveSearch
from random_queries import formulas, searchable_trees
from strategies import trees

from crossbranch.errors import QueryError
from crossbranch.query import Query
from crossbranch.query.index import Index, write_index
from crossbranch.query.parsing import parse_query
from crossbranch.query.searching import search_index, search_trees
from crossbranch.query.view import TreeView
from crossbranch.tree import Tree


@settings(max_examples=200)
@given(st.lists(searchable_trees(), min_size=1, max_size=3), formulas(2))
def test_a_search_finds_what_trying_everything_finds(some: list[Tree], query: str) -> None:
    search = Query(query)
    for tree in some:
        found = search.assignments(TreeView(tree))
        assert set(found) == NaiveSearch(tree, query).matches(), query
        assert len(found) == len(set(found))


@settings(max_examples=60)
@given(st.lists(searchable_trees() | trees(max_size=5), max_size=4), formulas(2))
def test_an_index_finds_the_same(some: list[Tree], query: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "index.sqlite"
        write_index(path, some, {})
        index = Index(path)
        found = [(one.number, one.assignments) for one in search_index(index, query)]
        assert [view.tree for _, view in index.read()] == some
        index.close()
    assert found == [(one.number, one.assignments) for one in search_trees(some, Query(query))]


@given(st.text("NPV[]()#:ab\"'/|&>.<=!{}2,@ ", max_size=12) | formulas(2), st.data())
def test_a_bad_query_is_an_error_with_a_place(query: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(query)))
    damaged = query[:place] + data.draw(st.sampled_from(["", "[", ")", "|", "not", "/", "}"]))
    for text in (query, damaged + query[place + 1 :]):
        try:
            parse_query(text)
        except QueryError as error:
            assert 0 <= error.position <= len(text)
            assert str(error).endswith("^")

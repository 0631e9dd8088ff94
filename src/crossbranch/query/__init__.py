"""Searching treebanks.

From text to a plan:

lexing        the words of a query
parsing       from text to a formula
syntax        what a query says
words         attributes, predicates and relations, with their meanings
clauses       a formula as alternatives
planning      in which order the nodes of a query are looked for
translation   queries of other programs: tregex, tiger

Searching trees:

view          a tree as columns
values        which values fit
conditions    conditions on a vertex: values, numbers, predicates
one_node      formulas about one node as conditions
relations     relations between two vertices
matching      matches in trees
searching     searching files, with or without an index
attributes    attributes of matches, for frequency tables
records       matches as plain dicts

Indexes:

index         an SQLite file with all trees, and in which trees each value occurs
packing       trees as bytes
filtering     which trees of an index may have a match
cache         indexes in the user's cache folder
"""

from crossbranch.query.matching import Found, Match, Query, find

__all__ = ["Found", "Match", "Query", "find"]

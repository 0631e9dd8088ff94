"""Clauses of trees: the verb, its subject, its objects and its other parts.

`rules` reads the tables that say what is what in a treebank, and `finding` finds the clauses.
"""

from crossbranch.clauses.finding import clauses_of
from crossbranch.clauses.rules import ClauseTable, load_clause_table

__all__ = ["ClauseTable", "clauses_of", "load_clause_table"]

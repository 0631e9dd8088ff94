"""crossbranch: read, write, transform, evaluate, draw and parse trees with crossing branches."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crossbranch.clause import Clause
    from crossbranch.constituent import Constituent, Word
    from crossbranch.conversion import convert, write
    from crossbranch.drawing import (
        draw_comparison,
        draw_html,
        draw_pdf,
        draw_png,
        draw_svg,
        draw_text,
        draw_tikz,
    )
    from crossbranch.errors import (
        CrossbranchError,
        InputError,
        LimitError,
        LossError,
        LossWarning,
        QueryError,
        TransformError,
        TreeError,
        UsageError,
        VerificationError,
    )
    from crossbranch.evaluation import Evaluation, Scores, evaluate, evaluate_k_best
    from crossbranch.grammar.sampling import sample
    from crossbranch.models import ModelCard, describe
    from crossbranch.nltk_trees import from_nltk, to_nltk, to_nltk_positions
    from crossbranch.parsers import (
        PARSERS,
        PRESETS,
        LinearTransitionParser,
        Parser,
        ScoredTree,
        load,
        train,
    )
    from crossbranch.query import Match, find
    from crossbranch.silver_trees import SilverCounts, SilverTree, silver
    from crossbranch.statistics import Statistics
    from crossbranch.tables import records
    from crossbranch.tagging import Tagger
    from crossbranch.text import Tokenizer
    from crossbranch.transforms import TRANSFORMS, Pipeline, Transform, pipeline
    from crossbranch.tree import (
        ROOT,
        Bracket,
        Dependency,
        Node,
        SecondaryEdge,
        Sentence,
        Token,
        Tree,
    )
    from crossbranch.treebank import FORMATS, Format, Header, Limits, Reader, read

__all__ = [
    "Bracket",
    "Clause",
    "Constituent",
    "convert",
    "CrossbranchError",
    "Dependency",
    "describe",
    "draw_comparison",
    "draw_html",
    "draw_pdf",
    "draw_png",
    "draw_svg",
    "draw_text",
    "draw_tikz",
    "evaluate",
    "evaluate_k_best",
    "Evaluation",
    "find",
    "Format",
    "FORMATS",
    "from_nltk",
    "Header",
    "InputError",
    "LimitError",
    "Limits",
    "LinearTransitionParser",
    "load",
    "LossError",
    "LossWarning",
    "Match",
    "ModelCard",
    "Node",
    "Parser",
    "PARSERS",
    "pipeline",
    "Pipeline",
    "PRESETS",
    "QueryError",
    "read",
    "Reader",
    "records",
    "ROOT",
    "sample",
    "ScoredTree",
    "Scores",
    "SecondaryEdge",
    "Sentence",
    "silver",
    "SilverCounts",
    "SilverTree",
    "Statistics",
    "Tagger",
    "to_nltk",
    "to_nltk_positions",
    "Token",
    "Tokenizer",
    "train",
    "Transform",
    "TransformError",
    "TRANSFORMS",
    "Tree",
    "TreeError",
    "UsageError",
    "VerificationError",
    "Word",
    "write",
]

# Each name is imported when it is first used: converting a treebank does not load the drawings.
_PLACES = {
    "clause": "Clause",
    "constituent": "Constituent Word",
    "conversion": "convert write",
    "drawing": "draw_comparison draw_html draw_pdf draw_png draw_svg draw_text draw_tikz",
    "errors": (
        "CrossbranchError InputError LimitError LossError LossWarning QueryError "
        "TransformError TreeError UsageError VerificationError"
    ),
    "evaluation": "Evaluation Scores evaluate evaluate_k_best",
    "grammar.sampling": "sample",
    "models": "ModelCard describe",
    "nltk_trees": "from_nltk to_nltk to_nltk_positions",
    "parsers": "LinearTransitionParser PARSERS PRESETS Parser ScoredTree load train",
    "query": "Match find",
    "silver_trees": "SilverCounts SilverTree silver",
    "statistics": "Statistics",
    "tables": "records",
    "tagging": "Tagger",
    "text": "Tokenizer",
    "transforms": "TRANSFORMS Pipeline Transform pipeline",
    "tree": "ROOT Bracket Dependency Node SecondaryEdge Sentence Token Tree",
    "treebank": "FORMATS Format Header Limits Reader read",
}
_PLACE_OF = {name: place for place, names in _PLACES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version  # slow to load, and seldom needed

        return version("crossbranch")
    if name not in _PLACE_OF:
        raise AttributeError(f"module 'crossbranch' has no attribute {name!r}")
    value = getattr(import_module(f"crossbranch.{_PLACE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

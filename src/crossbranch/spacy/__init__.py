"""crossbranch in a spaCy pipeline. Needs the extra `crossbranch[spacy]`.

`nlp.add_pipe("crossbranch", config={"model": "en"})` adds the component, without an import: spaCy
finds it by its entry point. Import this package to read trees from documents that were saved.

- component: the component of the pipeline and its settings
- sentences: the sentences of a document, as a parser takes them
- alignment: trees over other tokens of the same text
- stored: the trees of a document, and how they are saved with it
- views: `doc._.trees`, `span._.constituents` and the others
- drawings: the trees of a document as pictures
"""

try:
    import spacy as _spacy  # noqa: F401 - only to say clearly that it is missing
except ImportError:
    from crossbranch.errors import UsageError

    raise UsageError("spaCy is not installed; try: pip install 'crossbranch[spacy]'") from None

from crossbranch.spacy.component import TreeParser
from crossbranch.spacy.drawings import render
from crossbranch.spacy.stored import trees_of
from crossbranch.spacy.views import DocConstituent, register_extensions

register_extensions()

__all__ = ["DocConstituent", "TreeParser", "render", "trees_of"]

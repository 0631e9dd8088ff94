"""What is fuzzed: one function for each reader, from bytes to nothing.

A target may raise a CrossbranchError. Everything else is a mistake: another exception, a warning,
too much time or memory. It also checks what must hold for everything that was read: for example,
that it can be written and is the same when it is read again.
"""

from __future__ import annotations

import io
import tempfile
import warnings
from collections.abc import Callable
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import crossbranch.clauses.rules
import crossbranch.evaluation.parameters
import crossbranch.experiments.reading
import crossbranch.features.templates
import crossbranch.transforms.head_rules
from crossbranch import grammar
from crossbranch.config import read_assignments, to_toml
from crossbranch.errors import CrossbranchError, DamageError, InputError, LossWarning, UsageError
from crossbranch.features import Clusters
from crossbranch.jobs.notes import JobIdentity, note_path, read_note
from crossbranch.models import shipped
from crossbranch.neural.settings import VectorSettings
from crossbranch.neural.vectors import WordVectors
from crossbranch.parsers.given_tags import read_tags
from crossbranch.parsers.training import check_recipe, recipe_of
from crossbranch.query import Query, find
from crossbranch.query.translation import translate
from crossbranch.query.words import NUMBERS, PREDICATES, RELATIONS
from crossbranch.tasks.distributions import read_distributions
from crossbranch.tasks.files import TASK_FORMATS, read_files
from crossbranch.tasks.settings import DistributionSettings, TaskSettings
from crossbranch.text import Tokenizer
from crossbranch.text.characters import is_white
from crossbranch.text.decoding import RawText, first_place
from crossbranch.training.checkpoint import CheckpointFile
from crossbranch.transforms.head_table import HeadItem
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS, read, write
from crossbranch.treebank.comparison import compare
from crossbranch.treebank.source import Source
from fuzz.models import MODEL_KINDS, load_changed, model_seeds
from fuzz.seeds import own_trees, sampled, text_seeds, to_bytes, treebank_seeds

WORDS_FOLLOW = b"\n=== words ===\n"
"""Between the two files of a grammar."""


class Target(NamedTuple):
    """A reader that is fuzzed."""

    run: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]] = list
    tokens: tuple[bytes, ...] = ()


# --- treebanks and raw text


def treebank(data: bytes, format: str | None, *, packed: bool = False) -> None:
    """Skipping and stopping agree, errors are complete, and trees survive in other formats."""
    problems: list[InputError] = []
    reader = read(io.BytesIO(data), format=format, on_error="skip", report=problems.append)
    trees = list(reader)
    lines = data.count(b"\n") + data.count(b"\r") + 2
    assert all(isinstance(tree, Tree) for tree in trees)
    assert reader.skipped == len(problems)
    for problem in problems:
        assert type(problem) in (InputError, DamageError)
        assert problem.found
        assert problem.expected
        assert problem.path.startswith("<stream>")
        assert packed or problem.line is None or 1 <= problem.line <= lines
        assert len(str(problem)) < 1000
    found: list[Tree] = []
    try:
        found.extend(read(io.BytesIO(data), format=format))
    except InputError as error:
        assert problems
        assert str(error) == str(problems[0])
    else:
        assert not problems
        assert found == trees
    assert list(read(io.BytesIO(to_bytes(trees, "json")), format="json")) == trees
    others = [*FORMATS]
    for name in {format or "export", others[len(data) % len(others)]}:
        _survives(trees, name)


def _survives(trees: list[Tree], format: str) -> None:
    """A tree is the same when it is read again, except for what was counted as lost."""
    for tree in trees:
        stream = io.BytesIO()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", LossWarning)
                losses = write([tree], stream, format=format)
        except CrossbranchError:  # it cannot be written, and says so
            continue
        (again,) = read(io.BytesIO(stream.getvalue()), format=format)
        comparison = compare(tree, again, format=FORMATS[format], number=1)
        assert not comparison.unexplained(losses), (format, comparison, tree, again)


def raw_text(data: bytes) -> None:
    """Every character that is not white belongs to exactly one token."""
    lines = len(data) % 2 == 1
    source = Source("<stream>", io.BytesIO(data))
    place = first_place(source, None)
    text = RawText(source, place, skip=place.byte, lines=lines)
    tokenizer = tokenizers()[len(data) % 4]
    for start in text.sections():
        pieces = list(text.pieces())
        whole = "".join(pieces)
        unseen = [not is_white(character) for character in whole]
        for tree in tokenizer.stream(pieces, lines=lines, start=start.character):
            for token in tree.sentence:
                assert token.start is not None
                assert token.end is not None
                for index in range(token.start - start.character, token.end - start.character):
                    assert unseen[index] or is_white(whole[index])
                    unseen[index] = False
        assert not any(unseen)


@cache
def tokenizers() -> list[Tokenizer]:
    """Those of the models that ship."""
    return [
        Tokenizer.from_json((Path(shipped()[name]) / "tokenizer.json").read_bytes())
        for name in ("de", "en", "is", "nl")
    ]


# --- queries


def query(data: bytes) -> None:
    """A query is understood or refused, and finds what it finds."""
    text = data.decode("utf-8", "surrogateescape")
    ready = Query(text)
    if len(ready.names) <= 4:  # the matches of many unrelated nodes are all combinations
        for match in islice(find(searched_trees(), text), 200):
            assert len(match.vertices) == len(ready.names)
            assert str(match) is not None


@cache
def searched_trees() -> list[Tree]:
    return [*own_trees()[:2], *sampled()[:2]]


def translation(data: bytes, language: str) -> None:
    """What is translated is a query."""
    Query(translate(data.decode("utf-8", "surrogateescape"), language).query)


# --- grammars and tables


def grammar_file(data: bytes, format: str) -> None:
    """A grammar can be written in each format that holds it, and is then the same."""
    suffix = {"discodop": ".rules", "rparse": ".rcg"}.get(format, ".lcfrs")
    rules, _, words = data.partition(WORDS_FOLLOW)
    path = scratch(f"fuzz{suffix}", rules)
    scratch("fuzz.lex", words)
    found = grammar.read(path, format=format)
    again = scratch(f"again{suffix}", b"")
    scratch("again.lex", b"")
    try:
        grammar.write(found, again, format=format)
    except UsageError:
        return
    same = grammar.read(again, format=format)
    assert set(same.rules) == set(found.rules)
    assert _word_sets(same) == _word_sets(found)
    assert format != "lcfrs" or same == found  # the others have probabilities, not weights
    grammar.measure(found)
    list(grammar.sample(2, grammar=found, max_length=8))


def _word_sets(found: grammar.Grammar) -> dict[str, set[str]]:
    return {tag: set(words) for tag, words in found.words.items()}


def grammar_seeds(format: str) -> list[bytes]:
    suffix = {"discodop": ".rules", "rparse": ".rcg"}.get(format, ".lcfrs")
    path = scratch(f"seed{suffix}", b"")
    found = grammar.extract(sampled()[:4])
    if format == "discodop":
        found = grammar.binary(grammar.tagged(grammar.ordered(found)))
    grammar.write(found, path, format=format)
    words = path.with_suffix(".lex")
    return [path.read_bytes() + (WORDS_FOLLOW + words.read_bytes() if words.is_file() else b"")]


def sampling_grammar(data: bytes) -> None:
    """A grammar with features gives trees, or an error."""
    for tree in grammar.sample(2, grammar=scratch("features.lcfrs", data), max_length=8):
        assert tree.words


def head_rules(data: bytes) -> None:
    """A table finds one of the children, or none."""
    name = str(scratch("fuzz.heads", data))
    table = crossbranch.transforms.head_rules.load_table(name)
    items = [HeadItem("NP", "SB"), HeadItem("VVFIN", "HD"), HeadItem("$,", "--", True)]
    for node in (HeadItem("S", ""), HeadItem("NP-SBJ-1", "OA"), HeadItem("", "")):
        assert table.find(node, items) in (None, 0, 1, 2)
        assert table.find(node, items[2:]) in (None, 0)
    table.numbered(["NP", "S", ""], ["SB", ""])


def clause_rules(data: bytes) -> None:
    """A table of clause rules."""
    crossbranch.clauses.rules.parse_table(data.decode("utf-8", "replace"), "fuzz")


def parameters(data: bytes) -> None:
    """Parameters of EVALB or disco-dop."""
    path = scratch("fuzz.prm", data)
    found = crossbranch.evaluation.parameters.read_parameters(path)
    crossbranch.evaluation.parameters.representatives(found.equal_labels)


def feature_set(data: bytes) -> None:
    """Templates are refused, or the core can use them."""
    path = scratch("features.txt", data)
    templates = crossbranch.features.templates.load([str(path)], "gap")
    templates.compile(templates.columns)


def clusters(data: bytes) -> None:
    """A table of clusters survives as JSON."""
    found = Clusters.read(str(scratch("clusters", data)))
    assert Clusters.from_json(found.keep().to_json()).paths == found.paths


def tags(data: bytes) -> None:
    """Tags of another tagger."""
    for sentence in read_tags(scratch("tags", data)):
        assert all(isinstance(tag, str) for tag in sentence)


def task_rows(data: bytes) -> None:
    """Labels of tasks. The first line is the format."""
    name, _, rest = data.partition(b"\n")
    format = name.decode("ascii", "replace")
    settings = TaskSettings.of(
        {"kind": "column", "column": "-1", "format": format if format in TASK_FORMATS else ""}
    )
    for sentence in read_files([str(scratch("rows", rest))], settings, report=lambda _: None):
        assert len(sentence.forms) == len(sentence.labels)


def distributions(data: bytes) -> None:
    """Numbers for tokens."""
    words = [["a", "b"], ["c"]]
    path = str(scratch("numbers", data))
    read_distributions(path, words, DistributionSettings.of({}), report=lambda _: None)


def vectors(data: bytes) -> None:
    """Word vectors."""
    settings = VectorSettings.of({"file": str(scratch("vectors", data))})
    WordVectors.read(settings, size=3, words={"a", "the"})


# --- settings and notes


def settings(data: bytes) -> None:
    """A preset is refused, or is the same when it is written and read again."""
    recipe = recipe_of(scratch("fuzz.toml", data), {})
    check_recipe(recipe, has_dev=True)
    again = recipe_of(scratch("again.toml", to_toml(recipe.settings).encode()), {})
    assert again.settings == recipe.settings


def assignments(data: bytes) -> None:
    """Settings as the command line takes them: the preset, then KEY=VALUE on each line."""
    preset, *lines = data.decode("utf-8", "surrogateescape").split("\n")
    check_recipe(recipe_of(preset, read_assignments(lines)), has_dev=False)


def experiment(data: bytes) -> None:
    """An experiment file."""
    crossbranch.experiments.reading.read(scratch("experiment.toml", data), needs_data=False)


def checkpoint(data: bytes) -> None:
    """A checkpoint of a training."""
    file = CheckpointFile(scratch("checkpoint", data), {"seed": 1})
    file.is_usable()
    file.read()


def note(data: bytes) -> None:
    """A note for resuming."""
    output = scratch("out.export", b"")
    note_path(output).write_bytes(data)
    read_note(output, JobIdentity(version="1", model="m", options={}, inputs=[]), [output])


# --- all of them

_MEMORY = Path("/dev/shm")  # a folder in memory, where there is one: it is many times as fast
_FOLDER = tempfile.TemporaryDirectory(
    prefix="crossbranch-fuzz-", dir=_MEMORY if _MEMORY.is_dir() else None
)


def scratch(name: str, data: bytes) -> Path:
    """Return a file with this content. There is one for each name."""
    path = Path(_FOLDER.name) / name
    path.write_bytes(data)
    return path


def _tokens(text: str) -> tuple[bytes, ...]:
    return tuple(word.encode() for word in text.split())


_XML = _tokens(
    '<s <graph <t <nt <edge <secedge <terminals> </s> id=" idref=" root=" label=" word=" &#x0; '
    '&quot; <!DOCTYPE <!ENTITY <?xml ?> <node <sentence <comments> begin=" end=" cat=" rel="'
)
_FORMAT_TOKENS = {
    "export": _tokens("#BOS #EOS #FORMAT #BOT #EOT #500 #501 500 %% -- 0 HD"),
    "export3": _tokens("#BOS #EOS #FORMAT #BOT #EOT #500 #501 500 %% -- 0 HD"),
    "tigerxml": _XML,
    "alpino": _XML,
    "discbracket": _tokens("( ) (S 0= 1=a 1= =a (NP &#x; -LRB- #lpar;"),
    "bracket": _tokens("( ) (S (NP-SBJ-1 *T*-1 -NONE- -LRB- ( (CODE (ID"),
    "psd": _tokens("( ) (ID (CODE (META *T*-1 *ICH*-1 0 (NP-SBJ x-y"),
    "json": _tokens(
        '"words" "root" "label" "children" "id" "secondary_edges" {"form": [[ ]] \\u0000'
    ),
    "conllu": _tokens("1-2 1.1 _ # sent_id # text = # newdoc SpaceAfter=No 1:nsubj|2:obj root"),
    "tagged": _tokens("a_N a/N _ / \\_ &#x; __"),
    "tokens": _tokens("a b &#x; \u2028 \\"),
}
_QUERY = _tokens(
    '> >> < . .. $ & and or not count( ) [ ] #a #a: = != >= /x.*/ /(a|b)+/i "w"i | {SB} {1,2} { }'
)
_GRAMMAR = _tokens('-> S NP VP "a" _2 01,0 (X1) [X1X2] vp_fan2 1/2 0.5 0x1p-3 %s # S*1 N/A {a=b} $')
_TOML = _tokens(
    "= [ ] {} \"\" ''' [[ ]] 1e999 nan inf 0x 1979-05-27 true parser seed threads epochs beam "
    "[encoder] [optimizer] [task.a] [source.x] weight [tags_from] [augment] description = features"
)

TARGETS: dict[str, Target] = {
    **{
        name: Target(
            partial(treebank, format=name), partial(treebank_seeds, name), _FORMAT_TOKENS[name]
        )
        for name in FORMATS
    },
    "guess": Target(
        partial(treebank, format=None), lambda: [treebank_seeds(name)[0] for name in FORMATS]
    ),
    "raw-text": Target(raw_text, text_seeds),
    "query": Target(
        query, tokens=(*_QUERY, *_tokens(" ".join([*NUMBERS, *PREDICATES, *RELATIONS])))
    ),
    "tregex": Target(
        partial(translation, language="tregex"),
        tokens=_tokens("< > << $ $+ .. , ! ? & | [ ] ( ) =a /x/ __ @NP <: <# >+(VP) <i <-1 :"),
    ),
    "tiger": Target(
        partial(translation, language="tiger"),
        tokens=_tokens(
            '[ ] & | ! #a: cat= "NP" /N.*/ > >SB >* >2,3 >@l . .* .2 $ $.* (T) arity(#a,2) root(#a)'
        ),
    ),
    **{
        f"grammar-{name}": Target(
            partial(grammar_file, format=name), partial(grammar_seeds, name), _GRAMMAR
        )
        for name in grammar.GRAMMAR_FORMATS
    },
    "grammar-features": Target(sampling_grammar, tokens=_GRAMMAR),
    "head-rules": Target(head_rules, tokens=_tokens("* first last | / \\ like left % # NP /HD")),
    "clause-rules": Target(clause_rules, tokens=_tokens("words clause verb all * aux | / #")),
    "parameters": Target(parameters, tokens=_tokens("DELETE_LABEL EQ_LABEL CUTOFF_LEN -1 ²")),
    "feature-set": Target(feature_set, tokens=_tokens("s0 d0 q1 .word .tag .left .label # &")),
    "clusters": Target(clusters),
    "tags": Target(tags),
    "task-rows": Target(task_rows, tokens=_tokens("(<L (<T N/N >) <s> </s> |N| # -X- \t")),
    "distributions": Target(distributions),
    "vectors": Target(vectors),
    "settings": Target(settings, tokens=_TOML),
    "assignments": Target(assignments, tokens=_TOML),
    "experiment": Target(experiment, tokens=_TOML),
    "checkpoint": Target(checkpoint),
    "note": Target(note),
    **{
        f"model-{kind}": Target(partial(load_changed, kind=kind), partial(model_seeds, kind))
        for kind in MODEL_KINDS
    },
}

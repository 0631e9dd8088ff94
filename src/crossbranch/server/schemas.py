"""What clients send and get, as types. They check requests, and the OpenAPI page shows them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from crossbranch.treebank.records import TreeRecord

OptionValue = bool | int | float | str
DrawKind = Literal["svg", "text", "tikz", "html"]
Theme = Literal["auto", "light", "dark"]


class Body(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The body of a request."""


class ParseRequest(Body):
    """Text or tokens to parse: exactly one of `text`, `texts` and `tokens`."""

    text: Annotated[str, Meta(description="A text of any number of sentences.")] | None = None
    texts: Annotated[list[str], Meta(description="Several texts.")] | None = None
    tokens: (
        Annotated[list[list[str]], Meta(description="Sentences that are split into tokens.")] | None
    ) = None
    model: Annotated[str, Meta(description="The model; default: the first one served.")] = ""
    k_best: Annotated[int, Meta(ge=1, description="How many trees a sentence gets.")] | None = None
    confidence: Annotated[bool, Meta(description="How likely trees are right.")] = False
    functions: Annotated[bool, Meta(description="Give functions, and mark heads.")] = True
    options: Annotated[
        dict[str, OptionValue], Meta(description="Options of the search; see /v1/models.")
    ] = {}
    format: Annotated[str, Meta(description="json, or a treebank format; see /v1/formats.")] = (
        "json"
    )


class ParsedSentence(msgspec.Struct, omit_defaults=True):
    """The trees of a sentence, the best one first."""

    trees: list[TreeRecord]
    scores: list[float | None] | None = None
    confidence: list[float | None] | None = None
    doubts: list[str] = []
    text: Annotated[int, Meta(description="With texts: which of them, from 0.")] | None = None


class ParseResponse(msgspec.Struct):
    """The trees of all sentences, in order."""

    model: str
    sentences: list[ParsedSentence]


class FormattedTrees(msgspec.Struct):
    """Trees in a treebank format."""

    model: str
    format: str
    content: str
    losses: Annotated[
        dict[str, int], Meta(description="What the format cannot hold, and how many of it.")
    ]


class SearchOption(msgspec.Struct, omit_defaults=True):
    """An option of the search."""

    name: str
    meaning: str
    type: Literal["integer", "number", "boolean", "choice"]
    default: OptionValue
    maximum: float | None = None
    choices: list[str] = []


class Capabilities(msgspec.Struct):
    """What a model can do."""

    text: bool
    k_best: bool
    confidence: bool
    functions: bool
    lemmas: bool
    derivations: bool


class ServedModel(msgspec.Struct):
    """What a model is for, and how good it is."""

    name: str
    kind: str
    language: str
    text: str
    trained_on: str
    licence: str
    attribution: str
    scores: dict[str, dict[str, float]]
    capabilities: Capabilities
    options: list[SearchOption]


class ServedLimits(msgspec.Struct):
    """The limits of requests."""

    body: int
    text: int
    sentences: int
    sentence_tokens: int
    k_best: int
    matches: int
    seconds: float


class ModelsResponse(msgspec.Struct):
    """The models that are served; the first one is the default. And the limits."""

    models: list[ServedModel]
    limits: ServedLimits
    version: str


class ExplainedLabel(msgspec.Struct):
    """A label, tag or function, and what it means."""

    label: str
    kind: Literal["phrase", "tag", "function"]
    meaning: str | None
    example: str | None


class LabelsResponse(msgspec.Struct):
    """The labels, tags and functions of a model."""

    model: str
    label_set: str | None
    language: str | None
    labels: list[ExplainedLabel]


class FormatEntry(msgspec.Struct):
    """A treebank format."""

    format: str
    summary: str
    file_names: list[str]
    cannot_hold: list[str]


class FormatsResponse(msgspec.Struct):
    """The treebank formats."""

    formats: list[FormatEntry]


class DrawOptions(Body):
    """How a drawing looks. What a kind of drawing cannot do is refused."""

    theme: Theme | None = None
    style: bool | None = None
    marked: list[Annotated[int, Meta(ge=0)]] | None = None
    edge_labels: bool | None = None
    tags: bool | None = None
    morphology: bool | None = None
    secondary_edges: bool | None = None
    blocks: bool | None = None
    slanted: bool | None = None
    width: Annotated[int, Meta(ge=20, le=100_000)] | None = None
    right_to_left: bool | None = None
    font_size: Annotated[float, Meta(ge=4, le=100)] | None = None
    names: tuple[str, str] | None = None


class DrawRequest(Body):
    """A tree to draw, perhaps with another one to compare it with."""

    tree: TreeRecord
    other: TreeRecord | None = None
    to: DrawKind = "svg"
    options: DrawOptions = msgspec.field(default_factory=DrawOptions)


class DrawResponse(msgspec.Struct):
    """A drawing."""

    to: DrawKind
    content: str


class FindRequest(Body):
    """A query, and trees to search: `trees`, or `content` in a treebank format."""

    query: str
    trees: list[TreeRecord] | None = None
    content: str | None = None
    format: str | None = None
    limit: Annotated[int, Meta(ge=1)] | None = None


class Match(msgspec.Struct, omit_defaults=True):
    """A match: its sentence, and the nodes that were found."""

    sentence: str
    number: int
    text: str
    start: int | None
    vertices: list[int]
    nodes: list[dict[str, Any]]


class Mistake(msgspec.Struct, omit_defaults=True):
    """A sentence that could not be read, and why."""

    message: str
    line: int | None = None
    sentence: str = ""


class FindResponse(msgspec.Struct):
    """The matches, in the order of the sentences."""

    matches: list[Match]
    sentences: int
    complete: bool
    errors: list[Mistake]


class DeriveRequest(Body):
    """A tree and a transition system; or a text or tokens and a model."""

    tree: TreeRecord | None = None
    system: str = "gap"
    oracle: str | None = None
    text: str | None = None
    tokens: list[list[str]] | None = None
    model: str = ""
    options: dict[str, OptionValue] = {}
    player: Annotated[bool, Meta(description="Also return the steps as pieces of HTML.")] = False


class DerivationPlayer(msgspec.Struct):
    """A derivation as pieces of HTML, for a page."""

    about: str
    steps: list[str]
    legend: str
    glossary: str


class Derivation(msgspec.Struct):
    """The steps of one sentence."""

    sentence: str
    tokens: list[str]
    title: str
    frames: list[dict[str, Any]]
    trees: Annotated[
        list[TreeRecord], Meta(description="The partial trees of each frame, over all tokens.")
    ]
    player: DerivationPlayer | None = None


class DeriveResponse(msgspec.Struct):
    """The derivations, one for each sentence."""

    derivations: list[Derivation]


class ConvertRequest(Body, rename={"from_": "from"}):
    """Trees, or a treebank as text, to write in another format."""

    to: str
    from_: str | None = None
    content: str | None = None
    trees: list[TreeRecord] | None = None
    apply: str = ""


class ConvertResponse(msgspec.Struct):
    """The treebank in the new format; for `json`, also as trees."""

    to: str
    content: str
    sentences: int
    losses: dict[str, int]
    errors: list[Mistake]


class EvaluateRequest(Body):
    """Gold trees and predicted trees of the same sentences."""

    gold: list[TreeRecord]
    predicted: list[TreeRecord]
    parameters: Literal["proper", "spmrl"] = "proper"


class SentenceScores(msgspec.Struct):
    """The scores of one sentence."""

    f1: float
    discontinuous_f1: float
    exact: bool


class EvaluateResponse(msgspec.Struct):
    """Scores from 0 to 1."""

    f1: float
    precision: float
    recall: float
    discontinuous_f1: float
    discontinuous_precision: float
    discontinuous_recall: float
    exact_match: float
    sentences: list[SentenceScores]


class Health(msgspec.Struct):
    """Whether the server takes requests."""

    status: Literal["ok", "stopping"]


class ErrorDescription(msgspec.Struct, omit_defaults=True):
    """What was wrong. `code` is for programs, `message` for people."""

    code: str
    message: str
    details: dict[str, Any] = {}


class ErrorResponse(msgspec.Struct):
    """An error."""

    error: ErrorDescription

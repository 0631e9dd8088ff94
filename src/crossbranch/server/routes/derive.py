"""Derivations: how a transition system builds a tree, or what a model did to find one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from starlette.requests import Request
from starlette.responses import Response

from crossbranch.derivations import Show, player_parts, records, show_tree
from crossbranch.derivations.gold_trees import head_table
from crossbranch.parsers.sentences import request_for
from crossbranch.parsers.showing import check_derivations, numbered, shows
from crossbranch.server.bodies import receive
from crossbranch.server.encoding import to_json
from crossbranch.server.endpoints import Endpoint, json_bytes
from crossbranch.server.errors import ApiError
from crossbranch.server.limits import Limits
from crossbranch.server.models import LoadedModel
from crossbranch.server.routes.parse import check_one, check_size
from crossbranch.server.schemas import Derivation, DerivationPlayer, DeriveRequest, DeriveResponse
from crossbranch.server.state import state_of
from crossbranch.server.treebanks import tree_in
from crossbranch.transitions.systems import SYSTEMS
from crossbranch.tree import Tree
from crossbranch.treebank.records import record_of

_MOST = 20  # sentences; each of their steps has a tree
_LONGEST = 150  # tokens


async def derive(request: Request) -> Response:
    """Show derivations."""
    state = state_of(request)
    wanted = await receive(request, DeriveRequest)
    check_one(tree=wanted.tree, text=wanted.text, tokens=wanted.tokens)
    if wanted.tree is not None:
        return json_bytes(await state.calls.run(lambda: to_json(_of_tree(wanted))))
    model = state.models.find(wanted.model)
    check_size(state.limits, None if wanted.text is None else [wanted.text], wanted.tokens)
    work = lambda: to_json(_of_model(wanted, model, state.limits))  # noqa: E731 - it is passed on
    return json_bytes(await state.calls.run(work))


def _of_tree(wanted: DeriveRequest) -> DeriveResponse:
    assert wanted.tree is not None
    tree = tree_in(wanted.tree, "tree")
    if wanted.system not in SYSTEMS:
        message = f"unknown system {wanted.system!r}; expected one of {', '.join(SYSTEMS)}"
        raise ApiError(422, "unknown_system", message)
    _check_length([tree])
    oracle = SYSTEMS[wanted.system].oracle(wanted.oracle)
    (tree,) = numbered([tree])
    shown = show_tree(tree, wanted.system, oracle=oracle, heads=head_table("auto", [tree]))
    return DeriveResponse([_derivation(shown, wanted, {})])


def _of_model(wanted: DeriveRequest, model: LoadedModel, limits: Limits) -> DeriveResponse:
    check_derivations(model.parser, model.name)
    if wanted.text is not None:
        sentences = model.split(wanted.text)
    else:
        sentences = [request_for(tokens).tree() for tokens in wanted.tokens or ()]
    if len(sentences) > _MOST:
        message = f"the request has {len(sentences):,} sentences, expected at most {_MOST}"
        raise ApiError(413, "too_many_sentences", message)
    _check_length(sentences)
    options = dict(model.checked(wanted.options))
    found = shows(model.parser, numbered(sentences), **options)
    labels = model.labels().labels if wanted.player else []
    meanings = {one.label: one.meaning for one in labels if one.kind == "phrase" and one.meaning}
    return DeriveResponse([_derivation(one, wanted, meanings) for one in found])


def _check_length(trees: Sequence[Tree]) -> None:
    longest = max((len(tree.sentence) for tree in trees), default=0)
    if longest > _LONGEST:
        message = f"a sentence has {longest:,} tokens, expected at most {_LONGEST}"
        raise ApiError(422, "sentence_too_long", message)


def _derivation(shown: Show, wanted: DeriveRequest, meanings: Mapping[str, str]) -> Derivation:
    frames = list(records(shown))
    pictured = shown.frames[len(shown.frames) - len(frames) :]  # charts have no record of the start
    parts = player_parts(shown, meanings=meanings) if wanted.player else None
    return Derivation(
        sentence=shown.id,
        tokens=[token.form for token in shown.sentence],
        title=shown.title,
        frames=frames,
        trees=[record_of(frame.forest) for frame in pictured],
        player=DerivationPlayer(*parts) if parts else None,
    )


ENDPOINTS = (
    Endpoint(
        path="/v1/derive",
        summary="Show the derivation of a tree, or what a model did to find one.",
        answer=derive,
        takes=DeriveRequest,
        returns=(DeriveResponse,),
        errors=(404, 429, 504),
    ),
)

"""The models that are served: loaded once, with what clients may ask of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from crossbranch.config import meanings, setting_types
from crossbranch.errors import UsageError
from crossbranch.models import ModelCard, describe, find_model
from crossbranch.models.explanations import explain, label_records, labels_of
from crossbranch.parsers import ItemParser, Parser, TransitionParser, load
from crossbranch.server.errors import ApiError
from crossbranch.server.limits import Limits
from crossbranch.server.schemas import (
    Capabilities,
    ExplainedLabel,
    LabelsResponse,
    OptionValue,
    SearchOption,
    ServedModel,
)
from crossbranch.tree import Tree


@dataclass(frozen=True)
class LoadedModel:
    """A model, ready to parse."""

    card: ModelCard
    parser: Parser
    limits: Limits

    @property
    def name(self) -> str:
        """The name that clients use."""
        return self.card.name

    @cached_property
    def capabilities(self) -> Capabilities:
        """What the model can do."""
        parser = self.parser
        return Capabilities(
            text=parser.reads_text,
            k_best=parser.can.k_best,
            confidence=parser.confidence is not None,
            functions=bool(self.card.functions),
            lemmas=self.card.has_lemmas,
            derivations=isinstance(parser, (TransitionParser, ItemParser)),
        )

    @cached_property
    def options(self) -> dict[str, SearchOption]:
        """The search options that clients may set, with their limits."""
        defaults = self.parser.default_options()
        told = meanings(type(defaults))
        found = {}
        for name, kind in setting_types(type(defaults)).items():
            default = getattr(defaults, name)
            option = _option(name, told[name], kind, default, self.limits.options.get(name))
            if option is not None:
                found[name] = option
        return found

    def checked(self, options: Mapping[str, OptionValue]) -> tuple[tuple[str, Any], ...]:
        """Return the search options of a request, sorted, without those that are the default.

        Raises:
            ApiError: An option is unknown, wrong or too large.
            UsageError: A value is of the wrong type.
        """
        for name, value in options.items():
            known = self.options.get(name)
            if known is None:
                names = ", ".join(self.options) or "none"
                message = f"{self.name} has no option {name!r} here; its options are: {names}"
                raise ApiError(422, "bad_option", message, option=name)
            self._check_value(known, value)
        chosen = self.parser.options(options).to_dict()
        defaults = self.parser.default_options().to_dict()
        return tuple(sorted((n, v) for n, v in chosen.items() if v != defaults[n]))

    def _check_value(self, option: SearchOption, value: OptionValue) -> None:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if is_number and option.maximum is not None and not value <= option.maximum:  # type: ignore[operator]
            message = f"option {option.name} is {value}, expected at most {option.maximum:g}"
            raise ApiError(422, "bad_option", message, option=option.name)
        if isinstance(value, str) and option.type != "choice":
            message = f"option {option.name} is a text, expected a value of type {option.type}"
            raise ApiError(422, "bad_option", message, option=option.name)

    def split(self, text: str) -> list[Tree]:
        """Return the sentences of a text."""
        if not self.parser.reads_text or self.parser.tokenizer is None:
            message = f"{self.name} cannot parse raw text; send tokens"
            raise ApiError(422, "no_raw_text", message)
        return list(self.parser.tokenizer.stream([text]))

    def described(self) -> ServedModel:
        """Return what clients are told about the model."""
        card = self.card
        return ServedModel(
            name=self.name,
            kind=self.parser.kind,
            language=card.language,
            text=card.text,
            trained_on=card.trained_on,
            licence=card.licence,
            attribution=card.attribution,
            scores={given: dict(figures) for given, figures in card.scores.items()},
            capabilities=self.capabilities,
            options=list(self.options.values()),
        )

    def labels(self) -> LabelsResponse:
        """Return the labels, tags and functions of the model, explained."""
        found = labels_of(self.card)
        records: list[Any] = label_records(explain(found))
        return LabelsResponse(
            model=self.name,
            label_set=found.known.name if found.known else None,
            language=found.known.language if found.known else None,
            labels=[ExplainedLabel(**record) for record in records],
        )


class LoadedModels(dict[str, LoadedModel]):
    """The models that are served, by name; the first one is the default."""

    @classmethod
    def load(cls, names: Iterable[str], limits: Limits, *, device: str = "cpu") -> LoadedModels:
        """Load models.

        Raises:
            UsageError: There is no such model, or two have the same name.
            InputError: One is damaged.
        """
        found = cls()
        for name in names:
            card = describe(find_model(name))
            if card.name in found:
                raise UsageError(f"two models have the name {card.name}; serve one of them")
            parser = load(name, device=device)
            if parser.needs_tags or not parser.takes_any_sentence:
                raise UsageError(
                    f"{name} needs more than words (tags or distributions), so it cannot be served"
                )
            found[card.name] = LoadedModel(replace(card), parser, limits)
        return found

    def find(self, name: str) -> LoadedModel:
        """Return a model; without a name, the first one.

        Raises:
            ApiError: It is not served.
        """
        if not name:
            return next(iter(self.values()))
        if name not in self:
            message = f"no model {name!r} is served; expected one of {', '.join(self)}"
            raise ApiError(404, "unknown_model", message)
        return self[name]


def _option(
    name: str, meaning: str, kind: Any, default: OptionValue, maximum: float | None
) -> SearchOption | None:
    """Return an option for clients; None if they may not set it."""
    kind = _plain(kind)
    if get_origin(kind) is Literal:
        return SearchOption(name, meaning, "choice", default, choices=list(get_args(kind)))
    if kind is bool:
        return SearchOption(name, meaning, "boolean", default)
    if kind is int:
        return SearchOption(name, meaning, "integer", default, maximum)
    if kind is float:
        return SearchOption(name, meaning, "number", default, maximum)
    return None  # a text, such as the name of a file


def _plain(kind: Any) -> Any:
    """Return a type without annotations, and without None."""
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) in (Union, UnionType):
        others = [one for one in get_args(kind) if one is not type(None)]
        return _plain(others[0]) if len(others) == 1 else kind
    return kind

"""Settings of a tagger: everything except its lexicon, weights and clusters."""

from __future__ import annotations

import msgspec

from crossbranch import json_texts
from crossbranch.errors import InputError, UsageError
from crossbranch.tagging.templates import columns_of

MOST_TAGS = 4096  # that the core can count


class TaggerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The tags in the order of their numbers, the templates, the size of the beam, the direction.

    A tagger that works backward tags the last word first. "Before" and "after" in its templates
    are meant in this order.
    """

    tags: tuple[str, ...]
    templates: tuple[str, ...]
    beam: int
    backward: bool = False

    def __post_init__(self) -> None:
        if not 1 <= len(self.tags) <= MOST_TAGS:
            raise UsageError(f"{len(self.tags):,} tags, expected 1 to {MOST_TAGS:,}")
        if not all(self.tags) or len(set(self.tags)) != len(self.tags):
            raise UsageError("a tag is empty, or is listed twice")
        if not 1 <= self.beam <= 1024:
            raise UsageError(f"beam is {self.beam}, expected 1 to 1,024")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the templates use."""
        return columns_of(self.templates)

    def to_json(self) -> bytes:
        """Return the settings as JSON, one value per line."""
        return json_texts.encode(self, is_indented=True)

    @classmethod
    def from_json(cls, data: bytes, *, path: str = "") -> TaggerSettings:
        """Read what `to_json` wrote; errors name `path`."""
        try:
            settings = json_texts.decode(data, cls)
            settings.columns  # noqa: B018 - raises for a template that is none
            return settings
        except (ValueError, RecursionError, UsageError) as error:  # of JSON, and ours
            raise InputError(str(error), "the settings of a tagger", path=path) from None

"""Messages after `crossbranch parse`: what was wrong with the input, and doubtful trees."""

from __future__ import annotations

from crossbranch.cli.show import say
from crossbranch.config import Description
from crossbranch.jobs import DoubtCounts
from crossbranch.jobs.sentences import TagCounts


def tell_counts(replaced: int, tags: TagCounts, without_parse: int) -> None:
    """Report what was wrong with the input, and sentences without a parse."""
    if count := replaced:
        what = "character" if count == 1 else "characters"
        say(f"{count:,} {what} could not be decoded and became U+FFFD; --encoding may help")
    if count := tags.missing:
        what = "token" if count == 1 else "tokens"
        say(f"{count:,} {what} had no tag; the model predicted one")
    if count := tags.unknown:
        what = "token has" if count == 1 else "tokens have"
        such = f"(such as {tags.example!r})"
        say(f"{count:,} {what} a tag that the model does not know {such}")
    if count := without_parse:
        what = (
            "sentence has no parse: its tree is"
            if count == 1
            else ("sentences have no parse: their trees are")
        )
        say(f"{count:,} {what} flat")


def tell_doubts(doubts: DoubtCounts, model: str, description: Description) -> None:
    """Report doubtful trees and too long sentences."""
    if message := doubts.message(model, description):
        say(message)
    if message := doubts.spaces_message():
        say(message)

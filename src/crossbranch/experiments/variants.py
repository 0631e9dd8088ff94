"""The variants of an experiment: tables by name, the combinations of a grid, and controls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from crossbranch.config import Settings, merged
from crossbranch.tasks import TaskSettings, active_tasks, levels_needed

Changes = dict[str, Any]
"""Settings that a variant changes; tables are dicts."""

_LEFT_OUT = "left-out"  # the name of the task that stands for the tasks that a control lacks


def combinations(
    grid: Mapping[str, Any], wrong: Callable[[str, object, str], Exception]
) -> dict[str, Changes]:
    """Return all combinations of the values in a grid, by name.

    >>> combinations({"beam": [1, 4], "augment": {"all_lower": [0.5]}}, ValueError)
    {'beam=1 all_lower=0.5': {'beam': 1, 'augment': {'all_lower': 0.5}},
     'beam=4 all_lower=0.5': {'beam': 4, 'augment': {'all_lower': 0.5}}}

    Args:
        grid: For each setting, a list of values; tables of settings are dicts.
        wrong: Makes the exception for a value that is wrong: key, value, what was expected.
    """
    places = list(_leaves(grid, ()))
    for place, values in places:
        if not isinstance(values, list) or not values:
            raise wrong(".".join(("grid", *place)), values, "a list of values")
        if len({in_words(value) for value in values}) < len(values):
            raise wrong(".".join(("grid", *place)), values, "different values")
    shown = _short_names([place for place, _ in places])
    found: dict[str, Changes] = {}
    for values in product(*(values for _, values in places)):
        name = " ".join(f"{key}={in_words(one)}" for key, one in zip(shown, values, strict=True))
        changes: Changes = {}
        for (place, _), value in zip(places, values, strict=True):
            changes = merged(changes, _nested(place, value))
        found[name] = changes
    return found


def without(changes: Mapping[str, Any], names: Sequence[str]) -> Changes:
    """Return changes without some settings. A name may have dots: `task.pos`.

    >>> without({"beam": 4, "task": {"pos": {}, "ccg": {}}}, ["task.ccg", "epochs"])
    {'beam': 4, 'task': {'pos': {}}}
    """
    left = dict(changes)
    for name in names:
        left = _without(left, name.split("."))
    return left


def without_tasks(settings: Settings) -> Settings:
    """Return the settings of a control model: it learns no auxiliary tasks.

    Its network is as large as that of the model that it is the control of. For this, one task on
    the highest level stands for all that are left out. It is not learned. So models whose tasks
    are on the same levels have the same control.
    """
    tasks: Mapping[str, TaskSettings] = getattr(settings, "task", {})
    kept = active_tasks(tasks, auxiliary=False)
    if not getattr(settings, "auxiliary", False) or kept == active_tasks(tasks, auxiliary=True):
        return settings
    highest = levels_needed(tasks)
    if highest > levels_needed(kept):
        kept[_LEFT_OUT] = TaskSettings(kind="tag", level=highest)
    return type(settings).of({**settings.to_dict(), "auxiliary": False, "task": kept})


def in_words(value: object) -> str:
    """Return a value as it is shown in the names of variants.

    >>> [in_words(value) for value in (True, 0.5, "gold", ["baseline", "spans"])]
    ['true', '0.5', 'gold', 'baseline+spans']
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "+".join(map(in_words, value))
    return str(value).replace(",", "+")


def _leaves(
    grid: Mapping[str, Any], above: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in grid.items():
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, (*above, key))
        else:
            yield (*above, key), value


def _short_names(places: Sequence[tuple[str, ...]]) -> list[str]:
    """Return the last part of each name, or the whole name if the last part is not unique."""
    last = [place[-1] for place in places]
    return [
        name if last.count(name) == 1 else ".".join(place)
        for name, place in zip(last, places, strict=True)
    ]


def _nested(place: Sequence[str], value: object) -> Changes:
    for key in reversed(place):
        value = {key: value}
    assert isinstance(value, dict)
    return value


def _without(changes: Mapping[str, Any], place: Sequence[str]) -> Changes:
    """Return changes without one setting; a table that is empty now is left out, too."""
    key, *rest = place
    inner = changes.get(key)
    if key not in changes or (rest and not isinstance(inner, Mapping)):
        return dict(changes)
    left = {name: value for name, value in changes.items() if name != key}
    if rest and isinstance(inner, Mapping) and (kept := _without(inner, rest)):
        return {name: kept if name == key else value for name, value in changes.items()}
    return left

"""What `transition_parsers` trains: one entry for each model, the most telling ones first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field

from crossbranch.parsers.training import recipe_of

HEADLINE = "alpino-nltk"
SEEDS = (1, 2, 3)
SPANS = ("baseline", "extended", "spans")
EVERYTHING = (
    *(*SPANS, "tags", "affixes", "distant"),
    *("children", "sizes", "gaps", "shapes", "disco"),
)
"""The paper's features and those beyond it that help."""
TREES_ONLY: dict[str, object] = {"tags": "gold", "functions": False, "lemmas": False}
"""What all trainings have in common: nothing is learned besides trees."""
ONE_VOTER = {"voters": 1}
"""So that all rows of a table differ only in what they compare."""
OF_THE_PAPER: dict[str, object] = {"oracle": "strict", "update": "early"}
"""How the comparison trains SWAP, unless a row says something else."""
PAPERS = {"gap": 2017, "cgap": 2017, "swap": 2015, "cswap": 2015}
"""The systems that have a preset with the settings of a paper, beside ours."""
RICH = ("sr-gap-rich", "sr-cswap-rich")
"""The presets with features beyond the papers."""
PAPER_TREEBANKS = ("alpino-nltk", "squoia", "masc")
"""The treebanks on which both presets of a system are compared."""
EPOCHS = {"squoia": 15, "alpino-nltk": 15, "craft": 6, "icepahc": 4}
"""The treebanks of the comparison; few epochs for the large ones."""
TELLING = 5
"""How many rows of the comparison come first, for all treebanks."""
PRUNES = (0.0, 0.01, 0.03, 0.05, 0.1, 0.3, 1.0, 3.0)

QUICK_EPOCHS = 1
QUICK_TRAIN, QUICK_DEV = 300, 60


@dataclass(frozen=True)
class Training:
    """One model to train, and the beams that it is to parse with."""

    row: str  # what the tables call it
    treebank: str
    preset: str
    settings: Mapping[str, object]
    beams: tuple[int, ...]
    prunes: tuple[float, ...] = field(default=())  # then the last epoch is taken, once for each

    @property
    def name(self) -> str:
        """What identifies the training."""
        parts = [self.treebank, self.row, f"{self.settings['epochs']} epochs"]
        return ", ".join([*parts, f"seed {self.settings['seed']}", *["prune"] * bool(self.prunes)])

    def to_dict(self) -> dict[str, object]:
        """Return all fields for JSON."""
        return asdict(self)


def headline() -> Iterator[Training]:
    """The figures of mtg 1.0: what was trained with beam 4, parsed with others."""
    for row, features, epochs, beams in (
        ("GAP +SPANS", SPANS, 15, (1, 2, 4, 8, 32)),
        ("GAP +SPANS", SPANS, 30, (4, 8, 32)),
        ("GAP, everything", EVERYTHING, 15, (1, 2, 4, 8, 32)),
    ):
        for seed in SEEDS:
            yield _training(row, HEADLINE, "sr-gap", features, beams, epochs=epochs, seed=seed)
    for preset in RICH:
        yield from _seeds_of(preset, preset, HEADLINE, {})


def presets() -> Iterator[Training]:
    """Both presets of each system; those of 2015 also with the end of search that ours have."""
    wanted = [one for system, year in PAPERS.items() for one in _presets_of(f"sr-{system}", year)]
    wanted += [*((preset, {}) for preset in RICH), ("sr-cswap-rich", {"prune": 1.0})]
    for preset, more in wanted:
        row = ", ".join([preset, *(f"{name}={value}" for name, value in more.items())])
        for treebank in PAPER_TREEBANKS:
            yield from _seeds_of(row, preset, treebank, {"heads": "auto", **more})


def _seeds_of(
    row: str, preset: str, treebank: str, more: Mapping[str, object]
) -> Iterator[Training]:
    """A preset with all seeds, and as many epochs as it says."""
    epochs = recipe_of(preset, {}).settings.to_dict()["epochs"]
    for seed in SEEDS:
        settings = {"epochs": epochs, "seed": seed, **more}
        yield Training(row, treebank, preset, settings, (4, 8, 32))


def _presets_of(ours: str, year: int) -> Iterator[tuple[str, dict[str, object]]]:
    yield ours, {}
    yield f"{ours}-{year}", {}
    if recipe_of(f"{ours}-{year}", {}).settings.to_dict()["stop"] == "first":
        yield f"{ours}-{year}", {"stop": "all"}


def pruning() -> Iterator[Training]:
    """What leaving out small weights costs."""
    settings = {"features": SPANS, "epochs": 15, "seed": 1, "choose": "last", **ONE_VOTER}
    yield Training("GAP +SPANS", HEADLINE, "sr-gap", settings, (4, 32), PRUNES)


def comparison(treebank: str) -> Iterator[Training]:
    """The paper's comparison of systems and features on one treebank."""
    disco = ("baseline", "extended", "disco")
    rows: list[tuple[str, str, tuple[str, ...], dict[str, object]]] = [
        ("GAP +SPANS", "sr-gap", SPANS, {}),
        ("SWAP +DISCO", "sr-swap", disco, {}),
        ("GAP BASELINE", "sr-gap", ("baseline",), {}),
        ("SWAP BASELINE", "sr-swap", ("baseline",), {}),
        ("GAP +EXTENDED", "sr-gap", ("baseline", "extended"), {}),
        ("GAP BASELINE, early update", "sr-gap", ("baseline",), {"update": "early"}),
        ("CSWAP +DISCO", "sr-cswap", disco, {"importance": 1}),
        ("CGAP +SPANS", "sr-cgap", SPANS, {}),
        ("SWAP +DISCO, lazier", "sr-swap", disco, {"oracle": "lazier"}),
        ("CSWAP BASELINE", "sr-cswap", ("baseline",), {"importance": 1}),
        ("SWAP +EXTENDED", "sr-swap", ("baseline", "extended"), {}),
        ("CSWAP +EXTENDED", "sr-cswap", ("baseline", "extended"), {"importance": 1}),
        ("SWAP BASELINE, restart update", "sr-swap", ("baseline",), {"update": "restart"}),
        ("CSWAP +DISCO, importance 2", "sr-cswap", disco, {"importance": 2}),
    ]
    for row, preset, features, more in rows:
        pinned = OF_THE_PAPER if "swap" in preset else {}
        more = {"epochs": EPOCHS[treebank], "seed": SEEDS[0], **pinned, **more}
        yield _training(row, treebank, preset, features, (4, 32), **more)


def plan() -> list[Training]:
    """All trainings, in the order in which they are done."""
    found = [*headline(), *presets(), *pruning()]
    rows = [list(comparison(treebank)) for treebank in EPOCHS]
    found += [training for some in rows for training in some[:TELLING]]
    found += [training for some in rows for training in some[TELLING:]]
    different: dict[str, Training] = {}
    for training in found:
        different.setdefault(training.name, training)
    return list(different.values())


def _training(
    row: str,
    treebank: str,
    preset: str,
    features: tuple[str, ...],
    beams: tuple[int, ...],
    **settings: object,
) -> Training:
    return Training(row, treebank, preset, {"features": features, **ONE_VOTER, **settings}, beams)

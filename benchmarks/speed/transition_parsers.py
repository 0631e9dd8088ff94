"""How fast the transition parsers are, how much memory they take, and how cost grows with length.

    scripts/bench speed/transition_parsers [--model FOLDER] [--plot FILE] [--repeats N]

Without `--model`, `sr-gap` is trained for a few epochs first; `accuracy/transition_parsers` leaves
models in `build/bench/models`. What is parsed is the dev part of alpino-nltk beside the repository,
or a sampled treebank where there is none. Speed is CPU time of one thread, the best of several
interleaved runs; "command" is `crossbranch parse` over the train part, start-up included, against
the time of mtg 1.0 for loading and searching; "core" is the search alone, "whole" is from tokens to
trees. Ratios are to mtg 1.0, the parser of Coavoux & Crabbé, measured on the same sentences.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from multiprocessing import get_context
from pathlib import Path

from crossbranch import _core
from crossbranch.grammar.sampling import sample
from crossbranch.parsers import LinearTransitionParser, train
from crossbranch.tree import Sentence, Token, Tree
from crossbranch.treebank import read, write

ROOT = Path(__file__).parents[2]
TREEBANK = ROOT.parent / "shared" / "treebanks" / "alpino-nltk"
EPOCHS = 3  # of the model that is trained here
AUTHORS_RATE = {1: 23_600, 4: 8_200, 32: 1_190}  # tokens a second by beam
AUTHORS_MEMORY, AUTHORS_LOADING, AUTHORS_SIZE = 2_000, 3.1, 61  # MB, seconds, MB
LENGTHS = (10, 20, 50, 100, 200, 500, 1_000, 2_000)
LENGTH_TOKENS = 6_000  # how many tokens are parsed for each length
MEGABYTE = 1e6

PARSE = """
import json, resource, sys, time
import crossbranch
from crossbranch.treebank import read
start, wall = time.process_time(), time.perf_counter()
parser = crossbranch.load(sys.argv[1])
seconds, wall = time.process_time() - start, time.perf_counter() - wall
if len(sys.argv) > 2:
    for tree in parser.parse_many(read(sys.argv[2]), beam=int(sys.argv[3])):
        pass
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
print(json.dumps([seconds, wall, memory]))
"""


def child(*arguments: object) -> tuple[float, float, float]:
    """Load and parse in a fresh process; CPU and wall seconds of loading, megabytes of memory."""
    command = [sys.executable, "-c", PARSE, *map(str, arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, wall, memory = json.loads(done.stdout)
    return seconds, wall, memory


class Best:
    """The smallest time of each thing measured."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.seconds: dict[tuple[str, int], float] = {}

    def measure(self, key: tuple[str, int], action: Callable[[], object]) -> None:
        """Run an action once and keep its time if it is the best."""
        start = self.clock()
        action()
        seconds = self.clock() - start
        self.seconds[key] = min(seconds, self.seconds.get(key, seconds))


class Core:
    """The search in the core alone, over sentences that are encoded beforehand."""

    def __init__(self, parser: LinearTransitionParser) -> None:
        templates = parser.templates.compile(parser.encoder.columns)
        self._encode = parser.encoder.encode
        self._core = _core.BeamParser(parser.system.core, templates, parser.weights)

    def prepare(self, sentences: Sequence[Sentence]) -> Callable[..., object]:
        """Return what parses these sentences, given a beam and the number of threads."""
        rows, offsets = self._encode(sentences)
        return partial(self._core.parse, rows, list(offsets), k_best=1)


def drain(parser: LinearTransitionParser, sentences: Sequence[Sentence], *, beam: int) -> None:
    """Parse sentences from tokens to trees and keep nothing."""
    for _ in parser.parse_many(sentences, beam=beam):
        pass


def speed(parser: LinearTransitionParser, sentences: Sequence[Sentence], repeats: int) -> None:
    """Print tokens a second."""
    tokens = sum(map(len, sentences))
    search = Core(parser).prepare(sentences)
    best = Best(time.process_time)
    for _ in range(repeats):
        for beam in AUTHORS_RATE:
            best.measure(("core", beam), partial(search, beam=beam, threads=1))
            best.measure(("whole", beam), partial(drain, parser, sentences, beam=beam))
    print(f"\n{len(sentences):,} sentences, {tokens:,} tokens, one thread\n")
    print("| beam | core, tokens/s | ratio | whole, tokens/s | ratio |\n|---|---|---|---|---|")
    for beam, theirs in AUTHORS_RATE.items():
        cells = [str(beam)]
        for what in ("core", "whole"):
            rate = tokens / best.seconds[what, beam]
            cells += [f"{rate:,.0f}", f"{rate / theirs:.1f}"]
        print(f"| {' | '.join(cells)} |")


def threads(parser: LinearTransitionParser, sentences: Sequence[Sentence], repeats: int) -> None:
    """Print how much two threads gain, by the clock on the wall."""
    search = Core(parser).prepare(sentences)
    best = Best(time.perf_counter)
    for _ in range(repeats):
        for beam in AUTHORS_RATE:
            for count in (1, 2):
                action = partial(search, beam=beam, threads=count)
                best.measure((f"{count} threads", beam), action)
    print("\n| beam | two threads, times as fast as one |\n|---|---|")
    for beam in AUTHORS_RATE:
        ratio = best.seconds["1 threads", beam] / best.seconds["2 threads", beam]
        print(f"| {beam} | {ratio:.2f} |")


def footprint(model: Path, treebank: Path, repeats: int) -> None:
    """Print time to load, memory and size on disk."""
    loads = [child(model) for _ in range(repeats)]
    seconds, wall = (min(load[kind] for load in loads) for kind in (0, 1))
    size = sum(path.stat().st_size for path in model.iterdir()) / MEGABYTE
    print("\n| | here | mtg 1.0 | ratio |\n|---|---|---|---|")
    rows = [
        ("CPU seconds to load", seconds, AUTHORS_LOADING, 3),
        ("seconds to load by the clock", wall, AUTHORS_LOADING, 3),
        ("on disk, MB", size, AUTHORS_SIZE, 1),
    ]
    for beam in AUTHORS_RATE:
        memory = child(model, treebank, beam)[2]
        rows.append((f"peak memory in parsing, beam {beam}, MB", memory, AUTHORS_MEMORY, 0))
    for what, ours, theirs, digits in rows:
        print(f"| {what} | {ours:.{digits}f} | {theirs:,} | {theirs / ours:.1f} |")


def command(model: Path, treebank: Path, tokens: int, repeats: int) -> None:
    """Print the time of the whole command from a discbracket file to an export file."""
    target = treebank.with_name("parsed.export")
    print(
        "\n| command: beam, threads | CPU seconds | times mtg 1.0 | by the clock | times mtg 1.0 |"
    )
    print("|---|---|---|---|---|")
    for beam, theirs in AUTHORS_RATE.items():
        for count in (1, 2):
            options = ["--gold-tags", "--no-functions", "--beam", beam, "--threads", count]
            arguments = ["parse", model, treebank, "-o", target, *options]
            costs = [whole_command(arguments) for _ in range(repeats)]
            cpu, wall = (min(cost[kind] for cost in costs) for kind in (0, 1))
            mtg = AUTHORS_LOADING + tokens / theirs
            cells = [f"{beam}, {count}", f"{cpu:.2f}", f"{mtg / cpu:.1f}"]
            print(f"| {' | '.join([*cells, f'{wall:.2f}', f'{mtg / wall:.1f}'])} |")


def whole_command(arguments: Sequence[object]) -> tuple[float, float]:
    """Run crossbranch in a process of its own; return CPU seconds and seconds by the clock."""
    code = "from crossbranch.cli import main; main()"
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    line = [sys.executable, "-c", code, *map(str, arguments)]
    subprocess.run(line, check=True, capture_output=True)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - start
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def joined(tokens: list[Token], length: int) -> list[Sentence]:
    """Cut a text into sentences of one length, as many as are needed."""
    count = max(1, LENGTH_TOKENS // length)
    endless = tokens * (count * length // len(tokens) + 1)
    return [tuple(endless[i * length : (i + 1) * length]) for i in range(count)]


def growth(
    parser: LinearTransitionParser, sentences: Sequence[Sentence], repeats: int
) -> dict[int, list[float]]:
    """Print and return microseconds a token for each beam, by length."""
    core = Core(parser)
    tokens = list(chain.from_iterable(sentences))
    texts = {length: joined(tokens, length) for length in LENGTHS}
    searches = {length: core.prepare(text) for length, text in texts.items()}
    best = Best(time.process_time)
    for _ in range(repeats):
        for length, search in searches.items():
            for beam in AUTHORS_RATE:
                best.measure((f"length {length}", beam), partial(search, beam=beam, threads=1))
    head = " | ".join(f"beam {beam}" for beam in AUTHORS_RATE)
    print(f"\n| tokens in a sentence: microseconds a token | {head} |\n|---|{'---|' * 3}")
    found: dict[int, list[float]] = {beam: [] for beam in AUTHORS_RATE}
    for length, text in texts.items():
        for beam, costs in found.items():
            seconds = best.seconds[f"length {length}", beam]
            costs.append(1e6 * seconds / sum(map(len, text)))
        cells = " | ".join(f"{costs[-1]:.1f}" for costs in found.values())
        print(f"| {length:,} | {cells} |")
    return found


def plot(costs: dict[int, list[float]], file: Path) -> None:
    """Draw the cost of a token against the length of its sentence."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.rcParams |= {"svg.hashsalt": "crossbranch", "font.size": 9}
    figure, axes = pyplot.subplots(figsize=(6, 3.2), layout="constrained")
    for beam, values in costs.items():
        axes.plot(LENGTHS, values, marker="o", markersize=3, label=f"beam {beam}")
    axes.set(xscale="log", yscale="log", xlabel="tokens in a sentence", ylabel="µs a token")
    axes.set_xticks(LENGTHS, [f"{length:,}" for length in LENGTHS])
    axes.minorticks_off()
    axes.set_ylim(1, None)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.grid(alpha=0.3)
    axes.legend()
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)


def treebank_part(part: str) -> list[Tree]:
    """Return the trees of a part of the treebank, or of a sampled one."""
    file = TREEBANK / f"{part}.export.xz"
    if file.exists():
        return list(read(file))
    count, seed = (5_000, 1) if part == "train" else (700, 2)
    return list(sample(count, grammar="dutch", seed=seed))


def train_model(folder: Path) -> None:
    """Train a parser that is good enough to be timed."""
    train("sr-gap", train=treebank_part("train"), out=folder, epochs=EPOCHS, tags="gold")


def main() -> None:
    """Run all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--model", type=Path)
    parser.add_argument("--plot", type=Path, default=ROOT / "build/bench/parsing-cost.svg")
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        model = options.model or Path(name) / "model"
        if options.model is None:
            # Elsewhere: what is started later would begin with the memory of this process.
            process = get_context("spawn").Process(target=train_model, args=(model,))
            process.start()
            process.join()
        dev = Path(name) / "dev.export"
        trees = treebank_part("dev")
        write(trees, dev)
        footprint(model, dev, options.repeats)
        train_trees = treebank_part("train")
        big = Path(name) / "big.discbracket"
        write(train_trees, big)
        tokens = sum(len(tree.sentence) for tree in train_trees)
        command(model, big, tokens, max(2, options.repeats // 2))
        loaded = LinearTransitionParser.load(model)
        sentences = [tree.sentence for tree in trees]
        speed(loaded, sentences, options.repeats)
        threads(loaded, sentences, options.repeats)
        plot(growth(loaded, sentences, max(2, options.repeats // 2)), options.plot)
        print(f"\nplot: {options.plot}")


if __name__ == "__main__":
    main()

"""How fast neural networks run in the core, on one thread, compared with torch.

    scripts/bench speed/neural_core [--repeats N] [--treebank FILE]

Sizes are those of `stack-free-2019`, with random weights. Core and torch take turns, and the best
run of each counts, in CPU time. "products" are matrix products alone, "layer" is one bi-LSTM layer
over batches of sentences, "parse" is everything from the numbers of words and characters to trees.
What a parser must score depends a little on what it has learned: a gold derivation has about 7
candidates for each token, and so many are scored here with a beam of 2. Without torch, only the
core is timed.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import math
import random
import time
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from crossbranch import _core
from crossbranch.grammar.sampling import sample
from crossbranch.models.tensors import Tensor
from crossbranch.treebank import read

CHARACTERS, CHARACTER, FORM = 120, 100, 50
WORDS, WORD, UNITS, HIDDEN, LABELS, TAGS = 15_000, 32, 200, 200, 30, 40
PRODUCTS = [
    (rows, inputs, outputs)
    for inputs, outputs in ((132, 800), (200, 800), (400, 800), (400, 200), (1600, 200))
    for rows in (64, 2000)
]
BATCH = 32  # sentences of a layer


def best_times(actions: Sequence[Callable[[], object]], repeats: int) -> list[float]:
    """Return the shortest CPU time of each action; they take turns."""
    best = [math.inf] * len(actions)
    for _ in range(repeats):
        for i, action in enumerate(actions):
            start = time.process_time()
            action()
            best[i] = min(best[i], time.process_time() - start)
    return best


class RandomTensors(dict[str, Tensor]):
    """Tensors with random numbers of the usual size."""

    def __init__(self) -> None:
        super().__init__()
        self._random = random.Random(1)

    def put(self, name: str, *shape: int) -> None:
        """Add one tensor."""
        limit = math.sqrt(6 / sum(shape))
        count = math.prod(shape)
        self[name] = Tensor.of(shape, [self._random.uniform(-limit, limit) for _ in range(count)])

    def put_lstm(self, prefix: str, inputs: int, units: int) -> None:
        """Add a bi-LSTM layer, with the names of torch."""
        for suffix in ("_l0", "_l0_reverse"):
            self.put(f"{prefix}weight_ih{suffix}", 4 * units, inputs)
            self.put(f"{prefix}weight_hh{suffix}", 4 * units, units)
            self.put(f"{prefix}bias_ih{suffix}", 4 * units)
            self.put(f"{prefix}bias_hh{suffix}", 4 * units)

    def put_scorer(self, prefix: str, items: int, outputs: int) -> None:
        """Add a span scorer with four places for each item."""
        size = 2 * UNITS
        self.put(f"{prefix}absent", 4, size)
        self.put(f"{prefix}layers.0.weight", HIDDEN, items * 4 * size)
        self.put(f"{prefix}layers.0.bias", HIDDEN)
        self.put(f"{prefix}layers.1.weight", HIDDEN, HIDDEN)
        self.put(f"{prefix}layers.1.bias", HIDDEN)
        self.put(f"{prefix}output.weight", outputs, HIDDEN)


def make_parser(name: str, precision: str = "float32") -> _core.NeuralParser:
    """Return a parser of a transition system, with the sizes of stack-free-2019."""
    kinds = [0] * (LABELS - 1) + [2]
    inventory = [(int(_core.Move.LABEL), i) for i in range(LABELS)]
    writer = _core.ChoiceWriter(_core.System(name, kinds, list(range(LABELS)), inventory))
    tensors = RandomTensors()
    tensors.put("encoder.characters.embedding.weight", CHARACTERS, CHARACTER)
    tensors.put_lstm("encoder.characters.lstm.", CHARACTER, FORM)
    tensors.put("encoder.words.weight", WORDS, WORD)
    tensors.put_lstm("encoder.levels.0.lstm.", 2 * FORM + WORD, UNITS)
    tensors.put_lstm("encoder.levels.1.lstm.", 2 * UNITS, UNITS)
    tensors.put("encoder.tasks.pos.weight", TAGS, 2 * UNITS)
    tensors.put_scorer("structure.", writer.items, len(writer.moves) or 1)
    tensors.put_scorer("label.", 1, writer.output_count)
    return _core.NeuralParser(
        _core.Tensors(tensors, precision=precision),
        writer,
        residuals=["none", "add"],
        tasks=[("pos", 0)],
    )


class Encoded(NamedTuple):
    """Sentences as numbers."""

    lengths: array[int]
    words: array[int]
    forms: array[int]
    characters: array[int]
    form_lengths: array[int]


def encoded(sentences: Sequence[Sequence[str]]) -> Encoded:
    """Return sentences as numbers. Words and characters get any numbers."""
    words = [form for sentence in sentences for form in sentence]
    forms = {form: number for number, form in enumerate(dict.fromkeys(words))}
    spellings = [[3 + ord(x) % (CHARACTERS - 3) for x in form] for form in forms]
    return Encoded(
        array("i", map(len, sentences)),
        array("i", [forms[word] % WORDS for word in words]),
        array("i", [forms[word] for word in words]),
        array("i", [x for spelling in spellings for x in (1, *spelling, 2)]),
        array("i", [len(spelling) + 2 for spelling in spellings]),
    )


def time_products(torch: Any, repeats: int) -> None:
    """Print the speed of matrix products."""
    for rows, inputs, outputs in PRODUCTS:
        tensors = RandomTensors()
        tensors.put("map.weight", outputs, inputs)
        tensors.put("map.bias", outputs)
        tensors.put("rows", rows, inputs)
        linear = _core.LinearMap(_core.Tensors(tensors), "map")
        numbers, out = array("f", tensors["rows"].data), array("f", bytes(4 * rows * outputs))
        actions = [partial(linear.multiply, numbers, out)]
        if torch is not None:
            tensor = partial(torch_tensor, torch)
            arguments = [tensor(tensors[name]) for name in ("rows", "map.weight", "map.bias")]
            actions.append(partial(torch.nn.functional.linear, *arguments))
        times = best_times(actions, 10 * repeats)
        speed = f"{2e-9 * rows * inputs * outputs / times[0]:4.0f} GFLOP/s"
        print(f"products {rows:4} x {inputs:4} x {outputs:3}: {speed}{ratio(times)}")


def time_layer(torch: Any, sentences: Sequence[Sequence[str]], repeats: int) -> None:
    """Print the speed of a bi-LSTM layer over batches of sentences of different lengths."""
    tensors = RandomTensors()
    tensors.put("words.weight", WORDS, 2 * UNITS)
    tensors.put_lstm("levels.0.lstm.", 2 * UNITS, UNITS)
    encoder = _core.NeuralEncoder(_core.Tensors(tensors), residuals=["none"])
    ordered = sorted(sentences, key=len)
    batches = [encoded(ordered[i : i + BATCH]) for i in range(0, len(ordered), BATCH)]
    tokens = sum(map(len, sentences))

    def run_core() -> None:
        for batch in batches:
            encoder.encode(batch.lengths, words=batch.words)

    actions: list[Callable[[], object]] = [run_core]
    if torch is not None:
        layer = torch.nn.LSTM(2 * UNITS, UNITS, bidirectional=True)
        words = torch_tensor(torch, tensors["words.weight"])
        packed = [torch_batch(torch, words, batch) for batch in batches]
        actions.append(lambda: [layer(batch) for batch in packed])
    times = best_times(actions, repeats)
    print(
        f"layer 400 -> 2 x 200, {BATCH} sentences: {tokens / times[0]:,.0f} tokens/s{ratio(times)}"
    )


def torch_tensor(torch: Any, tensor: Tensor) -> Any:
    """Return a tensor as torch has it."""
    return torch.frombuffer(bytearray(tensor.data), dtype=torch.float32).reshape(tensor.shape)


def torch_batch(torch: Any, words: Any, batch: Encoded) -> Any:
    """Return the vectors of the words of sentences as a packed sequence."""
    vectors = words[torch.tensor(batch.words)]
    parts = vectors.split(batch.lengths.tolist())
    return torch.nn.utils.rnn.pack_sequence(parts, enforce_sorted=False)


def ratio(times: Sequence[float]) -> str:
    """Return how fast the core is compared with torch; nothing without torch."""
    return f", {times[1] / times[0]:.2f} x torch" if len(times) > 1 else ""


def time_parser(name: str, sentences: Sequence[Sequence[str]], repeats: int) -> None:
    """Print the speed of parsing. The vectors of forms are known after the first run."""
    batch = encoded(sentences)
    tokens = len(batch.words)

    def parse(parser: _core.NeuralParser, beam: int) -> None:
        parser.parse(
            batch.lengths,
            words=batch.words,
            forms=batch.forms,
            characters=batch.characters,
            form_lengths=batch.form_lengths,
            beam=beam,
        )

    for precision in ("float32", "bfloat16"):
        parser = make_parser(name, precision)
        (first,) = best_times([partial(parse, parser, 1)], 1)
        best = best_times([partial(parse, parser, beam) for beam in (1, 2, 8)], repeats)
        speeds = ", ".join(f"{tokens / seconds:,.0f}" for seconds in (first, *best))
        print(f"parse, {name}, {precision}; first run, beams 1, 2 and 8: {speeds} tokens/s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--treebank", help="sentences to parse (default: sampled ones)")
    options = parser.parse_args()
    trees = read(options.treebank) if options.treebank else sample(700, grammar="dutch")
    sentences = [[token.form for token in tree.sentence] for tree in trees]
    torch = None
    if importlib.util.find_spec("torch"):
        torch = importlib.import_module("torch")
        torch.set_num_threads(1)
        torch.set_grad_enabled(False)
    print(f"vectors: {_core.kernel_name()}; sentences: {len(sentences):,}")
    time_products(torch, options.repeats)
    time_layer(torch, sentences, options.repeats)
    for name in ("stack-free", "ml-gap"):
        time_parser(name, sentences, options.repeats)


if __name__ == "__main__":
    main()

"""All derivations of small grammars, by enumeration: blocks are cut into parts in every way.

This goes from the top down and knows nothing of items, agendas and estimates.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from random import Random
from typing import NamedTuple

Block = tuple[int, int]
Blocks = tuple[Block, ...]
Axiom = tuple[int, int, float]


class PlainRule(NamedTuple):
    """A rule as the core takes it: `010,1` says which child each part comes from."""

    left: int
    first: int
    second: int | None
    composition: str
    cost: float


class PlainGrammar(NamedTuple):
    """Fan-outs of the symbols, the rules, and a sentence. The start symbol is 0."""

    fan_outs: list[int]
    rules: list[PlainRule]
    axioms: list[Axiom]
    token_count: int


def all_costs(grammar: PlainGrammar) -> list[float]:
    """Return the costs of all derivations of the sentence, sorted."""
    return sorted(item_costs(grammar, 0, ((0, grammar.token_count),)))


def item_costs(grammar: PlainGrammar, symbol: int, blocks: Blocks) -> Iterator[float]:
    """Yield the costs of all derivations of a symbol with these blocks."""
    for token, tag, cost in grammar.axioms:
        if tag == symbol and blocks == ((token, token + 1),):
            yield cost
    for rule in grammar.rules:
        if rule.left != symbol:
            continue
        for first, second in _divisions(rule.composition, blocks):
            for one in item_costs(grammar, rule.first, first):
                if rule.second is None:
                    yield rule.cost + one
                    continue
                for other in item_costs(grammar, rule.second, second):
                    yield rule.cost + one + other


def _divisions(composition: str, blocks: Blocks) -> Iterator[tuple[Blocks, Blocks]]:
    """Yield the blocks of both children for each way to cut the blocks of their parent."""
    texts = composition.split(",")
    for cut in product(
        *(_cuts(*block, len(text)) for block, text in zip(blocks, texts, strict=True))
    ):
        found: defaultdict[str, list[Block]] = defaultdict(list)
        for parts, text in zip(cut, texts, strict=True):
            for part, child in zip(parts, text, strict=True):
                found[child].append(part)
        yield tuple(found["0"]), tuple(found["1"])


def _cuts(start: int, stop: int, count: int) -> Iterator[Sequence[Block]]:
    for places in combinations(range(start + 1, stop), count - 1):
        ends = (start, *places, stop)
        yield list(pairwise(ends))


def random_grammar(seed: int, *, joins_own_blocks: bool = False) -> PlainGrammar:
    """Return a random grammar with fan-outs up to 3, and a sentence of up to six tokens.

    Unary rules have no cycles: there would be infinitely many derivations.
    """
    random = Random(seed)
    fan_outs = [1, 1, 1, 1, *(random.choice([1, 2, 2, 3]) for _ in range(4))]
    rules = []
    for _ in range(random.randint(8, 40)):
        first, second = random.choices(range(len(fan_outs)), k=2)
        composition = _random_composition(
            random, fan_outs[first], fan_outs[second], joins_own_blocks
        )
        fitting = [s for s, f in enumerate(fan_outs) if f == composition.count(",") + 1]
        if fitting:
            cost = random.choice([0.0, random.uniform(0, 5)])
            rules.append(PlainRule(random.choice(fitting), first, second, composition, cost))
    for _ in range(3):
        low, high = sorted(random.sample(range(len(fan_outs)), k=2))
        if fan_outs[low] == fan_outs[high]:
            same = ",".join("0" * fan_outs[low])
            rules.append(PlainRule(low, high, None, same, random.uniform(0, 5)))
    token_count = random.randint(1, 6)
    tags = [symbol for symbol, fan_out in enumerate(fan_outs) if fan_out == 1]
    axioms = sorted(
        {
            (t, random.choice(tags)): random.uniform(0, 2) for t in range(token_count) for _ in "ab"
        }.items()
    )
    return PlainGrammar(fan_outs, rules, [(t, tag, cost) for (t, tag), cost in axioms], token_count)


def _random_composition(random: Random, first: int, second: int, joins_own_blocks: bool) -> str:
    left = ["0"] * (first - 1) + ["1"] * second
    random.shuffle(left)
    text = "0"
    for child in left:
        must_part = text[-1] == child and not joins_own_blocks
        text += f",{child}" if must_part or random.random() < 0.3 else child
    return text

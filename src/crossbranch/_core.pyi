"""The C++ core of crossbranch: the parts that must be fast."""

from collections.abc import Mapping, Sequence
import enum
from typing import Annotated, Any, overload

from typing_extensions import Buffer


def optimal_binarization(children_blocks: Sequence[Sequence[tuple[int, int]]], subset_limit: int = 2048) -> tuple[list[tuple[int, int]], bool]:
    """
    Binarize one node, so that the items in between have low fan-out.

    Args:
        children_blocks: The blocks (start, stop) of each child, half-open.
        subset_limit: The largest number of subsets of the children that an exact search may keep.

    Returns:
        The merges and whether they are optimal. Children are items 0 .. k-1, and merge m joins two
        items, the one with the first token first, into item k + m. The merges minimise the largest
        fan-out of an intermediate item, then the sum of these fan-outs. If there are more subsets than
        the limit, neighbours with the lowest fan-out are merged.

    Raises:
        ValueError: A child has no tokens, or two children share one.
    """

class BracketCounter:
    """Compares the brackets of two trees of a short sentence."""

    def __init__(self, node_type: type, labels: dict[str, int], *, deleted_tags: frozenset[str], deleted_words: frozenset[str]) -> None:
        """
        Take what counts.

        Args:
            node_type: `Node`.
            labels: The number of each label; below 0 if its nodes do not count. `__missing__` is called
                for new ones.
            deleted_tags: Gold tokens with these tags are deleted from both trees.
            deleted_words: Gold tokens with these forms, too.
        """

    def compare(self, sentence: tuple[Any, ...], root: Any, other_sentence: tuple[Any, ...], other_root: Any) -> tuple[tuple[int, int, int, int, int], tuple[int, int, int, int, int], int, int] | None:
        """
        Compare a gold tree with a predicted tree.

        Returns None for sentences of more than 64 tokens. Otherwise, the counts of all brackets and of
        discontinuous ones (gold, predicted, matched, different gold ones, different predicted ones), the
        number of tags, and the number of right ones.
        """

class GrammarParser:
    """A parser for a weighted LCFRS."""

    def __init__(self, fan_outs: Sequence[int], start: int, rules: Sequence[tuple[int, int, int | None, str, float]]) -> None:
        """
        Take the rules of a grammar.

        Args:
            fan_outs: The fan-outs of the symbols. Symbols are numbers.
            start: The start symbol.
            rules: For each rule: its left side, its first child, its second child or None, how the blocks
                of the children form its own, and its cost, the negative logarithm of its probability. In
                the text "010,1", the parent has two blocks. The first consists of the first block of the
                first child, that of the second child, and the second block of the first child.
        """

    def parse(self, axioms: Sequence[tuple[int, int, float]], token_count: int, *, k_best: int = 1, estimates: str = 'blocks', margin: float = 8.0, max_items: int = 0, max_seconds: float = 0.0) -> tuple[list[tuple[float, list[int]]], str, int, float]:
        """
        The best derivations, how the search ended, and its number of items and margin.

        Each derivation is a cost and a list of steps in preorder: the number of a rule, or ~number of an
        axiom. The search ends with "found", "none", "items" or "time". After the last two, there may be a
        derivation that is not the best one.

        Args:
            axioms: The symbols that tokens may have: the token, the symbol, its cost.
            token_count: The number of tokens.
            k_best: The number of derivations.
            estimates: The outside estimates of the search: none, lengths or blocks. The result is always
                the same, but it is found sooner (A*).
            margin: With blocks, how much more than the lower bound of all derivations the best one may
                cost at first. If there is none, the search begins again with a larger margin.
            max_items: The largest number of items; 0 means no limit.
            max_seconds: The longest time for one search; 0 means no limit.
        """

    def taken(self, axioms: Sequence[tuple[int, int, float]], token_count: int, *, estimates: str = 'blocks', max_items: int = 0, max_seconds: float = 0.0) -> tuple[list[tuple[int, list[int], float, float, int, list[int], bool]], str]:
        """
        The items of a search in the order in which they leave the agenda, and its ending.

        Each item is its symbol, the ends of its blocks, its cost, its priority on the agenda, its rule or
        ~number of an axiom, its children as places in the list, and whether the best derivation has it. If
        an item is found again with a lower cost, it leaves the agenda again. See `parse` for the arguments.
        If the search began several times, with larger margins, these are the items of the last time.
        """

    def blocks(self, axioms: Sequence[tuple[int, int, float]], token_count: int, margin: float) -> list[tuple[int, int, int, int]]:
        """
        The blocks that good derivations may have: symbol, block, first token, end.

        Derivations of the LCFRS that cost at most `margin` more than the lower bound of all derivations
        have no other blocks.
        """

class Stop(enum.Enum):
    """When a search ends."""

    ALL = 0

    FIRST = 1

class Templates:
    """Feature templates, compiled."""

    def __init__(self, templates: Sequence[Sequence[tuple[int, int, int, int]]], *, column_count: int, separator_column: int = -1, fixed_queue: bool = False) -> None:
        """
        Compile templates.

        Args:
            templates: Lists of atoms (slot, steps, place, column); see core/linear/templates.hpp.
            column_count: The number of columns of the token table: words, tags, and others.
            separator_column: The column for separators; -1 if no template needs it.
            fixed_queue: Whether the first queue item determines the others.
        """

    @property
    def column_count(self) -> int: ...

    @property
    def group_count(self) -> int: ...

class Weights:
    """The weights of a parser in memory; `pack` is for files."""

    def __init__(self, starts: Buffer, data: Buffer, *, scale: float, transition_count: int) -> None:
        """Make weights from arrays such as `starts` and `data`."""

    @staticmethod
    def unpack(data: bytes, *, transition_count: int) -> Weights:
        """Return the weights of bytes that `pack` made."""

    def pack(self) -> bytes:
        """
        Return the weights as bytes, a third of what they take in memory; their scale is a whole number.
        """

    @property
    def starts(self) -> bytes:
        """Where buckets start, as 32-bit numbers."""

    @property
    def data(self) -> bytes:
        """The buckets, as 16-bit numbers."""

    @property
    def scale(self) -> float: ...

    @property
    def feature_count(self) -> int: ...

    @property
    def weight_count(self) -> int: ...

class BeamParser:
    """Beam search with a linear model."""

    def __init__(self, system: System, templates: Templates, weights: Weights, *, stop: Stop = Stop.ALL) -> None:
        """
        Prepare a search.

        Args:
            system: What the transitions do.
            templates: The features of a configuration.
            weights: The weights of features.
            stop: Whether a search ends when all items on the beam are whole trees, or the first one.
        """

    def parse(self, rows: Buffer, offsets: Sequence[int], *, beam: int, threads: int = 1, k_best: int = 1) -> list[list[tuple[float, bytes]]]:
        """
        Parse sentences. The result is the same for any number of threads.

        Args:
            rows: The token table of all sentences.
            offsets: Sentence i has the tokens offsets[i] up to offsets[i + 1], at least one.
            beam: The number of configurations that are kept at each step.
            threads: The number of threads.
            k_best: The number of parses of each sentence, at most as many as are on the beam.

        Returns:
            For each sentence, its parses, best first: the score, and the tree in postfix form, without
            temporary nodes, as 32-bit numbers for `NodeMaker.build`. A token is its index. A node is ~label, followed by the number of its children,
            which come before it, ordered by first token.
        """

    def trace(self, rows: Buffer, *, beam: int) -> tuple[float, list[tuple[int, list[tuple[int, float]]]]]:
        """
        Return how the best parse of one sentence is found.

        Args:
            rows: The token table of the sentence.
            beam: The number of configurations that are kept at each step.

        Returns:
            The score of the parse, and its steps: the transition that was taken, and all legal transitions
            with their scores. The scores of the transitions taken add up to that of the parse.
        """

class UpdateRule(enum.Enum):
    """Where a search is compared with the right derivation."""

    EARLY = 0

    RESTART = 1

    MAX_VIOLATION = 2

class Trainer:
    """The averaged structured perceptron."""

    def __init__(self, system: System, templates: Templates, *, beam: int, update: UpdateRule = UpdateRule.EARLY, importance: int = 1, min_update: int = 0, stop: Stop = Stop.ALL) -> None: ...

    def add(self, rows: Buffer, derivation: Sequence[int]) -> None:
        """Add a training sentence: its token table and derivation."""

    def train(self, order: Buffer, *, batch: int = 1, threads: int = 1) -> tuple[int, int, int]:
        """
        Learn from sentences by number, in this order.

        The sentences of a batch see the same weights. So the result depends on the size of batches, but not
        on the number of threads.

        Returns:
            The number of sentences, of sentences that changed the weights, and of steps.
        """

    def average(self, *, prune: float = 0.0, others: Sequence[Trainer] = ()) -> Weights:
        """
        The averaged weights so far, without weights that are smaller than `prune`; with `others`, the mean of all trainers.
        """

    def state(self) -> bytes: ...

    def restore(self, arg: bytes, /) -> None: ...

def run_lstm(lengths: Any, forward: Any, backward: Any, gates: Any, kept: Any, hidden: Any) -> None:
    """
    Compute the states of a bidirectional LSTM layer, for training.

    All arrays but the first have 32-bit floats. The last three are written.

    Args:
        lengths: The number of tokens of each sequence, as 32-bit numbers.
        forward: The recurrent weights of the first direction: 4 * units x units.
        backward: Those of the second direction.
        gates: 2 x tokens x 4 * units: what the inputs give to the gates; then the values of the gates.
        kept: 2 x tokens x 2 * units: the cell, and the hidden state before the token.
        hidden: tokens x 2 * units: the states.
    """

def run_lstm_back(lengths: Any, forward: Any, backward: Any, gates: Any, kept: Any, hidden_gradients: Any, gate_gradients: Any) -> None:
    """
    Compute gradients of what the inputs gave to the gates, from those of the states.

    The other arrays are those of `run_lstm`. The last one is written.
    """

def kernel_name() -> str:
    """The name of the vectors that neural networks use on this machine."""

def floats_from_halves(halves: bytes) -> bytes:
    """The 32-bit floats of 16-bit floats."""

def halves_from_floats(floats: bytes) -> bytes:
    """
    The nearest 16-bit floats. Raises a ValueError for a number that is too large.
    """

def integers_from_floats(floats: bytes, rows: int) -> tuple[bytes, bytes]:
    """
    Rows of 32-bit floats as 8-bit integers, and a factor for each row.

    Raises a ValueError for a number that is not finite.
    """

def floats_from_integers(integers: bytes, factors: bytes) -> bytes:
    """The 32-bit floats of rows of 8-bit integers with a factor each."""

class Tensors:
    """The named tensors of a trained network."""

    def __init__(self, tensors: Mapping[str, tuple[Sequence[int], bytes]], *, precision: str = 'float32') -> None:
        """
        Take the shape and the 32-bit floats of each tensor, by name.

        Args:
            tensors: The tensors.
            precision: The numbers of products. With bfloat16, weights and inputs are rounded to 8 bits if
                the machine can multiply such numbers, which is faster; otherwise this is like float32.
        """

class LinearMap:
    """A linear map: NAME.weight and NAME.bias."""

    def __init__(self, tensors: Tensors, name: str) -> None: ...

    def multiply(self, rows: Buffer, out: Buffer) -> None:
        """Write the result for each row of 32-bit floats."""

    @property
    def inputs(self) -> int: ...

    @property
    def outputs(self) -> int: ...

class EncodedTokens:
    """The vectors of the tokens of some sentences, at all levels."""

    def level(self, i: int) -> bytes:
        """The vectors of a level, as 32-bit floats; -1 is the last level."""

    def score_task(self, name: str) -> bytes:
        """The scores of all classes of a task for each token, as 32-bit floats."""

    def best_classes(self, name: str) -> bytes:
        """
        The number of the best class of a task for each token, as 32-bit numbers.
        """

class NeuralEncoder:
    """A token encoder: characters, words, tags, features, bi-LSTM layers."""

    def __init__(self, tensors: Tensors, *, prefix: str = '', residuals: Sequence[str], tasks: Sequence[tuple[str, int]] = []) -> None:
        """
        Take the tensors of an encoder. Raises a ValueError if they do not fit.

        Args:
            tensors: The tensors of the whole network.
            prefix: The beginning of the names of the encoder's tensors.
            residuals: For each bi-LSTM layer, how its input is joined with its output: none, add or gated.
            tasks: The name and level of each task that has a linear map. Level 0 is the first layer.
        """

    def encode(self, lengths: Buffer, *, words: Buffer | None = None, tags: Buffer | None = None, forms: Buffer | None = None, characters: Buffer | None = None, form_lengths: Buffer | None = None, features: Buffer | None = None) -> EncodedTokens:
        """
        Encode sentences. All numbers are 32-bit numbers.

        Args:
            lengths: The number of tokens of each sentence.
            words: The number of each token's word; 0 is for unknown words.
            tags: The number of each token's tag; 0 is for unknown tags.
            forms: For each token, the number of its form among the different forms of these sentences.
            characters: The characters of all different forms, with marks of their start and stop.
            form_lengths: The number of characters of each form.
            features: For each token, the numbers that are given beforehand, as 32-bit floats.
        """

    @property
    def outputs(self) -> int:
        """The size of the vectors of the last level."""

    @property
    def feature_count(self) -> int: ...

class PreparedSpans:
    """Sentences for which a scorer is ready to score rows."""

    def score(self, rows: Buffer) -> bytes:
        """
        Score rows of items x places token indices, counted over all sentences.

        The index is -1 for a place that an item does not have. Returns 32-bit floats.
        """

class SpanScorer:
    """A feed-forward network over constituents that are named by tokens."""

    def __init__(self, tensors: Tensors, *, prefix: str = '', items: int, places: int, size: int) -> None:
        """
        Take the tensors of a scorer. Raises a ValueError if they do not fit.

        Args:
            tensors: The tensors of the whole network.
            prefix: The beginning of the names of the scorer's tensors.
            items: The number of constituents in a row.
            places: The number of tokens that name a constituent.
            size: The size of the vectors of tokens.
        """

    def prepare(self, tokens: EncodedTokens, *, level: int = -1) -> PreparedSpans:
        """Compute what each token gives to the first layer."""

    @property
    def outputs(self) -> int:
        """The number of scores of a row."""

class NodeMaker:
    """Makes nodes from the numbers that a parser found."""

    def __init__(self, node_type: type, upwards: Sequence[Sequence[str]]) -> None:
        """
        Take the type of nodes and the names of labels.

        Args:
            node_type: `Node`. Its fields are set without checks.
            upwards: The names of each label: one, or a chain of them, the lowest first. Temporary labels
                have none.
        """

    @overload
    def build(self, codes: bytes) -> object:
        """The same, from the bytes of 32-bit numbers, as a search returns them."""

    @overload
    def build(self, codes: Sequence[int]) -> object:
        """
        Return the root of a tree in postfix form.

        Raises a ValueError if the numbers are not those of a tree. Whether its tokens are in order, and
        each of them only once, is not checked.
        """

def with_fields(tokens: tuple[object, ...], field: int, values: list[str], *, keep: bool = False) -> tuple[Any, ...]:
    """
    Return tokens (named tuples) with other values in one field.

    Args:
        tokens: The tokens.
        field: The place of the field.
        values: A value for each token.
        keep: Tokens that have a value keep it.
    """

def bootstrap(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]], rounds: int, seed: int) -> tuple[list[float], list[float]]:
    """
    Draw sentences with replacement, the same for two parsers, and score both.

    Args:
        one: For each sentence, the number of brackets in the gold and the predicted tree together, and
            the number of predicted brackets that are right.
        other: The same for the other parser.
        rounds: The number of rounds. Each round draws as many sentences as there are.
        seed: The same seed gives the same figures on every platform.

    Returns:
        The F1 of each parser in each round.

    Raises:
        ValueError: The parsers have different numbers of sentences, or a number is impossible.
    """

def randomization(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]], rounds: int, seed: int) -> tuple[list[float], list[float]]:
    """
    Exchange the results of two parsers on about half of the sentences, and score both.

    Arguments, result and errors are those of `bootstrap`.
    """

class SpanScores:
    """The scores of all labelled spans of a sentence."""

    def __init__(self, token_count: int, continuous: Buffer, outer: Buffer, gap: Buffer, *, continuous_labels: int, discontinuous_labels: int, is_root: Sequence[bool] = []) -> None:
        """
        Take the scores of spans, by their first token, their last token, and the label.

        Args:
            token_count: The number of tokens.
            continuous: The scores of continuous constituents.
            outer: The scores of the outer borders of discontinuous constituents.
            gap: The scores of their gaps.
            continuous_labels: The number of labels of continuous constituents.
            discontinuous_labels: The number of labels of discontinuous ones.
            is_root: For each label of continuous constituents, whether it is one of whole sentences. Such
                a sentence then has one of these labels. If empty, all labels are possible everywhere.
        """

    def best(self, rules: str, *, ill_nested: bool = False) -> tuple[float, list[tuple[int, int, int, int, int]]]:
        """
        The score and the constituents of the best tree: label, i, k, l, j.

        The tokens of a constituent are those from i to j, without those from k to l. k and l are -1 if
        there is no gap. Rules are continuous, cubic, quartic, quintic or sextic.
        """

    def best_with_cost(self, rules: str, gold: Sequence[tuple[int, int, int, int, int]], cost: float, *, gold_cost: float = 0.0, ill_nested: bool = False) -> tuple[float, list[tuple[int, int, int, int, int]]]:
        """
        The best tree if each constituent that is not gold adds a cost to the score.

        This is for training with a margin. A constituent is gold if its label and its tokens are those of a
        gold one; it adds `gold_cost`. The score that is returned includes the costs.
        """

    def best_pruned(self, *, ill_nested: bool = False, limit: int = 1000) -> tuple[float, list[tuple[int, int, int, int, int]], float]:
        """
        The score, the constituents, and an upper bound: quintic rules with few items.

        No tree has a score above the bound. If the bound is the score, the tree is the best one. This is so
        if there are at most `limit` discontinuous spans with labels of positive scores. The search is then
        almost as fast as that with cubic rules.
        """

    def k_best(self, rules: str, count: int, *, ill_nested: bool = False) -> list[tuple[float, list[tuple[int, int, int, int, int]]]]:
        """The best trees, the best one first, all different: see `best`."""

    def log_partition(self, rules: str, *, ill_nested: bool = False) -> float:
        """
        The logarithm of the sum of the exponentials of the scores of all trees.
        """

    def marginals(self, rules: str, *, ill_nested: bool = False, asked: Sequence[tuple[int, int, int, int, int]] = []) -> tuple[float, list[float], list[float], list[float], list[float]]:
        """
        log_partition, its derivatives by all scores, and probabilities of constituents.

        Args:
            rules: As in `best`.
            ill_nested: As in `best`.
            asked: The constituents whose probabilities are returned.
        """

    def marginals_into(self, rules: str, continuous: Buffer, outer: Buffer, gap: Buffer, *, ill_nested: bool = False) -> float:
        """
        Write the derivatives of log_partition into arrays of 32-bit numbers, and return it.

        This is for training: it is much faster than `marginals`, which makes lists.
        """

    def probable(self, rules: str, *, limit: float = 0.01, ill_nested: bool = False) -> list[tuple[tuple[int, int, int, int, int], float]]:
        """
        All constituents with a probability above the limit, the most probable ones first.
        """

    def items(self, rules: str, others: int, *, best: int = 6, ill_nested: bool = False) -> tuple[list[tuple[int, tuple[int, int, int, int], float, list[tuple[int, float]], list[tuple[str, tuple[int, int, int, int], tuple[int, int, int, int], float]], bool, bool]], int]:
        """
        The items of the chart in the order in which they are computed, and how many it has.

        Each item is its place in this order, its places i, k, l, j (see `best`), its score, its best labels
        with their scores, the best ways to make it (rule, left part, right part, score), whether the best
        tree has it, and whether it is asked for. The first label and the first way are those that the chart
        takes; label -1 means none.

        Args:
            rules: As in `best`. The items of cubic are those of quartic, which has the same trees.
            others: The number of items besides those of the best tree: those whose labels have the highest
                scores. The parts of these are also listed, but are not asked for.
            best: The largest number of labels and of ways of an item.
            ill_nested: As in `best`.
        """

    def minimum_risk(self, rules: str, *, ill_nested: bool = False) -> tuple[float, list[tuple[int, int, int, int, int]], list[float]]:
        """
        The expected F1, the constituents and their probabilities of the safest tree.

        It is the tree whose expected number of right constituents is the largest part of all constituents:
        twice the sum of its probabilities, divided by its number of constituents plus the expected number
        of gold constituents. Discontinuous constituents with a probability below 0.001 are left out.
        """

class TagTemplates:
    """Feature templates of a tagger, compiled."""

    def __init__(self, templates: Sequence[tuple[int, Sequence[tuple[int, int]]]], *, column_count: int) -> None:
        """
        Compile templates.

        Args:
            templates: For each, the number of tags to the left that it uses, and its parts: pairs (offset,
                column). Templates that use fewer tags come first.
            column_count: The number of columns of the token table.
        """

class Tagger:
    """Beam search for tags with a linear model."""

    def __init__(self, templates: TagTemplates, weights: bytes, *, tag_count: int, beam: int) -> None:
        """
        Take weights that a trainer has packed. Raises a ValueError if they are damaged.
        """

    def tag(self, rows: Buffer, offsets: Sequence[int], *, threads: int = 1) -> bytes:
        """
        Tag sentences. The result is the same for any number of threads.

        Args:
            rows: The token table of all sentences.
            offsets: Sentence i has the tokens offsets[i] up to offsets[i + 1].
            threads: The number of threads.

        Returns:
            The numbers of the tags of all tokens, as 16-bit numbers.
        """

class TagTrainer:
    """The averaged structured perceptron for tags."""

    def __init__(self, templates: TagTemplates, *, tag_count: int, beam: int, margin: int = 0, batch: int = 4, sources: int = 0) -> None: ...

    def train(self, rows: Buffer, offsets: Sequence[int], tags: Buffer, *, sources: Sequence[int] = [], threads: int = 1) -> int:
        """
        Learn from sentences in this order.

        The sentences of a batch see the same weights. So the result depends on the size of batches, but not
        on the number of threads.

        Args:
            rows: The token table of all sentences.
            offsets: Sentence i has the tokens offsets[i] up to offsets[i + 1].
            tags: The number of the tag of each token, as 16-bit numbers.
            sources: The number of the source of each sentence, if the trainer has sources.
            threads: The number of threads.

        Returns:
            The number of sentences that changed the weights.
        """

    def average(self, *, prune: float = 0.0, scale: int = 8, source: int = 0, others: Sequence[TagTrainer] = []) -> bytes:
        """
        The averaged weights so far, packed.

        Args:
            prune: Weights that are smaller than this are left out.
            scale: Weights are multiplied by this and rounded.
            source: The source that the weights are for.
            others: Trainers of the same tags; the weights are the mean of all.
        """

def child_columns() -> list[str]:
    """
    Return the names of the columns that describe a child, in the order of a row.
    """

class HeadRules:
    """Head rules over numbered labels and functions."""

    def __init__(self, rules: Sequence[tuple[Sequence[tuple[bytes, bytes]], int, Sequence[Sequence[tuple[bytes, bytes]]]]], *, label_count: int, function_count: int) -> None:
        """
        Compile rules.

        Args:
            rules: For each, a pattern for the node; 0 for first, 1 for last, 2 for initial, 3 for final,
                4 for across, 5 for first-mark, 6 for last-mark; and the patterns of the candidates. A
                pattern is a list of pairs: a byte (0 or 1) for each label, and one for each function, or no
                bytes for any function.
            label_count: The number of labels and tags.
            function_count: The number of functions.
        """

    def find(self, node: tuple[int, int, bool], children: Sequence[tuple[int, int, bool]]) -> int | None:
        """
        Return the position of the head, or None if no rule finds one.

        Vertices are triples: label, function, and whether they are punctuation.
        """

class FunctionLabeller:
    """Finds the functions and heads of finished trees."""

    def __init__(self, rules: HeadRules, templates: TagTemplates, weights: bytes | None, *, beam: int, of_tokens: bool, empty: int) -> None:
        """
        Take weights that a trainer has packed. Raises a ValueError if they are damaged.

        Args:
            rules: The head rules.
            templates: Templates over `child_columns`.
            weights: Packed weights; without them, only heads are found.
            beam: The size of the beam.
            of_tokens: Whether tokens have functions, too.
            empty: The number of the empty function.
        """

    def label(self, codes: Buffer, code_offsets: Sequence[int], tokens: Buffer, token_offsets: Sequence[int], *, threads: int = 1) -> tuple[bytes, bytes]:
        """
        Label trees. The result is the same for any number of threads.

        Args:
            codes: The trees in postfix form: a token is its index; a node is ~label and the number of its
                children, which come before it.
            code_offsets: Tree i has the codes from code_offsets[i] up to code_offsets[i + 1].
            tokens: The token table of all trees.
            token_offsets: Tree i has the tokens from token_offsets[i] up to token_offsets[i + 1].
            threads: The number of threads.

        Returns:
            The functions of the tokens and then of the nodes of each tree, as 16-bit numbers; and the
            positions of the heads of all nodes, as 32-bit numbers; -1 if there is none.
        """

    def sequences(self, codes: Buffer, code_offsets: Sequence[int], tokens: Buffer, token_offsets: Sequence[int], functions: Buffer) -> tuple[bytes, list[int], bytes]:
        """
        Return what a TagTrainer learns from: rows, offsets and functions of all children.

        The functions are those of the tokens and then of the nodes of each tree.
        """

class Move(enum.IntEnum):
    """What a transition does."""

    SHIFT = 0

    UNARY = 1

    LEFT = 2

    RIGHT = 3

    GAP = 4

    SWAP = 5

    GHOST = 6

    FINISH = 7

    IDLE = 8

    MERGE = 9

    MERGE_LEFT = 10

    MERGE_RIGHT = 11

    COMBINE = 12

    LABEL = 13

    NO_LABEL = 14

class System:
    """A transition system: its labels and its inventory of transitions."""

    def __init__(self, name: str, kinds: Sequence[int], bases: Sequence[int], transitions: Sequence[tuple[int, int]], *, unary_limit: int = 3, repeats_unaries: bool = False, swaps_nonterminals: bool = False, is_continuous: bool = False) -> None:
        """
        Make a system from labels and the transitions that were seen.

        Args:
            name: gap, cgap, swap, cswap, ml-gap, ml-gap-lex, ml-cgap or stack-free.
            kinds: The kind of each label: 0 plain, 1 temporary, 2 root.
            bases: The base of each label: the label behind a temporary label; of a root, the plain label
                with the same name, if there is one; otherwise the label itself.
            transitions: Pairs (move, argument). Some are added, so that no legal walk gets stuck.
            unary_limit: swap: the number of unary reductions allowed in a row, without that to the root.
            repeats_unaries: swap: whether a node may have an only child with the same label.
            swaps_nonterminals: swap: whether more than single tokens can be swapped.
            is_continuous: gap, cgap, swap, cswap: whether there is no GAP or SWAP.
        """

    @property
    def name(self) -> str: ...

    @property
    def transitions(self) -> list[tuple[int, int]]:
        """Pairs (move, argument), without those of the open move."""

    @property
    def open_move(self) -> int | None:
        """
        A move whose argument has no limit. Its numbers follow after all transitions.
        """

    def transition(self, id: int) -> tuple[int, int]:
        """The move and the argument of a transition, also of the open move."""

    def find(self, move: int, argument: int = 0) -> int:
        """The id of a transition; -1 if there is none."""

class Configuration:
    """A parsing configuration. `apply` changes it."""

    def __init__(self, system: System, token_count: int) -> None: ...

    def copy(self) -> Configuration:
        """A copy, to try other transitions."""

    def legal(self) -> list[int]:
        """The ids of the legal transitions."""

    def is_legal(self, transition: int) -> bool: ...

    def apply(self, transition: int) -> None:
        """Take a legal transition."""

    def stack_item(self, i: int) -> int:
        """Item i of the stack from its top; -1 if there is none."""

    def queue_item(self, i: int) -> int:
        """Item i of the queue from its front; -1 if there is none."""

    def node(self, vertex: int) -> tuple[int, int, int, int]:
        """
        Label, left child, right child and head token. For a token, the first three are -1.

        Items that are joined, but have no label yet, have the label -2.
        """

    def blocks(self, vertex: int) -> list[tuple[int, int]]:
        """Start and stop of each block of a vertex."""

    def codes(self) -> list[int]:
        """The finished tree, for NodeBuilder."""

    @property
    def system(self) -> System: ...

    @property
    def token_count(self) -> int: ...

    @property
    def stack(self) -> list[int]:
        """Vertices, the bottom of the stack first."""

    @property
    def aside(self) -> list[int]:
        """
        The items that GAP set aside, bottom of D first, or that SWAP put back, as in the queue.
        """

    @property
    def focus(self) -> int: ...

    @property
    def next(self) -> int: ...

    @property
    def last(self) -> int:
        """The last move; IDLE at the start."""

    @property
    def stack_size(self) -> int: ...

    @property
    def node_count(self) -> int: ...

    @property
    def is_final(self) -> bool: ...

class Batch:
    """Many configurations of one system that take their steps together."""

    def __init__(self, system: System, token_counts: Buffer) -> None: ...

    def __len__(self) -> int: ...

    def write_legal(self, mask: Buffer) -> None:
        """
        Write a row of bytes for each configuration: 1 for each legal transition, else 0.
        """

    def write_final(self, is_final: Buffer) -> None:
        """Write a byte for each configuration: 1 if it is final."""

    def apply(self, chosen: Buffer) -> None:
        """
        Take a transition in each configuration that is not final.

        Raises ValueError, and changes nothing, if one of them is not legal.
        """

    def write_items(self, items: Buffer, *, stack: int = 2, aside: int = 0, queue: int = 1, blocks: int = 2) -> None:
        """
        Write the items of each configuration.

        First comes the focus, then the stack from its top, the items set aside (the first one first), and
        the queue from its front. An item is its vertex, its label (-1: a token, -2: joined items without a
        label), its head token, its number of blocks, and the start and stop of each block. Missing numbers are -1. If an item has more blocks
        than `blocks`, the last place has its last block.
        """

    def codes(self) -> list[list[int]]:
        """The finished trees, for NodeBuilder; empty if a tree is not finished."""

    def select(self, numbers: Buffer) -> Batch:
        """
        Return a batch of copies of these configurations. Each may occur several times.
        """

    def configuration(self, i: int) -> Configuration:
        """A copy of one configuration."""

    @property
    def system(self) -> System: ...

    @property
    def transition_count(self) -> int:
        """
        The number of transitions, with those of the open move that can be legal now.
        """

    @property
    def deepest_stack(self) -> int:
        """The number of items of the deepest stack."""

    @property
    def is_done(self) -> bool:
        """Whether all configurations are final."""

class SpanOracle:
    """Chooses transitions of ML-GAP and stack-free parsing for a gold tree."""

    def __init__(self, system: System, token_count: int, parents: Sequence[int], labels: Sequence[int], heads: Sequence[int] = [], *, preference: str = 'eager') -> None:
        """
        Make the oracle of a gold tree.

        The vertices of the tree are the tokens 0 to n-1, the root n, and the other nodes, each after its
        parent. No two nodes may have the same tokens.

        Args:
            system: ml-gap, ml-gap-lex, ml-cgap or stack-free.
            token_count: The number of tokens.
            parents: The vertex above each vertex; -1 for the root.
            labels: The label of vertex n + k.
            heads: The child of vertex n + k that is its head. Empty: the child with the first token.
            preference: Which optimal transition is best. eager: join parts of a constituent as soon as
                possible. next: only parts of the next constituent that can be built.
        """

    def best(self, configuration: Configuration) -> int:
        """The preferred one of the optimal transitions; IDLE at the end."""

    def optimal(self, configuration: Configuration) -> list[int]:
        """
        The transitions after which the best tree can still be built; none at the end.

        The best tree is the one with the highest F1 of those that can be built from here.
        """

    def reach(self, configuration: Configuration) -> list[int]:
        """
        The vertices of the gold nodes that can still be built, the next one first.
        """

    def is_on_the_way(self, configuration: Configuration) -> bool:
        """Whether the gold tree can still be built."""

    def derive(self) -> list[int]:
        """The transitions that build the gold tree."""

    @property
    def system(self) -> System: ...

class Choices:
    """
    What a neural scorer has to choose between, as arrays of numbers.

    Where candidates have scores, `rows` has a row for each of them: the places of the candidate and of
    the focus; `owners` has the number of its choice. Otherwise `rows` has one row for each choice, and
    `legal` a byte for each of its moves. `label_rows` has a row for each focus that may get a label.
    """

    @property
    def rows(self) -> Annotated[memoryview, dict(dtype='int32', shape=(None,), order='C')]: ...

    @property
    def owners(self) -> Annotated[memoryview, dict(dtype='int32', shape=(None,), order='C')]: ...

    @property
    def transitions(self) -> Annotated[memoryview, dict(dtype='int32', shape=(None,), order='C')]: ...

    @property
    def legal(self) -> Annotated[memoryview, dict(dtype='uint8', shape=(None,), order='C')]: ...

    @property
    def configurations(self) -> Annotated[memoryview, dict(dtype='int32', shape=(None,), order='C')]: ...

    @property
    def targets(self) -> Annotated[memoryview, dict(dtype='int32', shape=(None,), order='C')]: ...

    @property
    def label_rows(self) -> Annotated[memoryview, dict(dtype='int32', shape=(None,), order='C')]: ...

    @property
    def label_is_root(self) -> Annotated[memoryview, dict(dtype='uint8', shape=(None,), order='C')]: ...

    @property
    def label_configurations(self) -> Annotated[memoryview, dict(dtype='int32', shape=(None,), order='C')]: ...

    @property
    def label_targets(self) -> Annotated[memoryview, dict(dtype='int32', shape=(None,), order='C')]: ...

    @property
    def structure_count(self) -> int: ...

    @property
    def label_count(self) -> int: ...

class ChoiceWriter:
    """Writes the choices of configurations."""

    def __init__(self, system: System, *, gaps: int = 1) -> None:
        """
        Take a system: ml-gap, ml-gap-lex, ml-cgap or stack-free.

        `gaps` is the number of gaps that an item shows; the last ones together count as one.
        """

    def derive(self, oracles: Sequence[SpanOracle], taken: Sequence[Sequence[int]] = []) -> Choices:
        """
        Return all choices on the way to the end, with what the oracles say as targets.

        Where `taken` has transitions for a sentence, these are taken.
        """

    @property
    def has_candidates(self) -> bool: ...

    @property
    def moves(self) -> list[int]: ...

    @property
    def items(self) -> int: ...

    @property
    def places(self) -> int: ...

    @property
    def output_count(self) -> int: ...

    @property
    def system(self) -> System: ...

class ChoiceBeam:
    """Search with a neural scorer: many sentences take their steps together."""

    def __init__(self, writer: ChoiceWriter, token_counts: Buffer, *, beam: int = 1, is_traced: bool = False) -> None: ...

    def __len__(self) -> int: ...

    def choices(self) -> Choices:
        """
        Return the choices of all configurations; none if all of them are final.
        """

    def advance(self, structure: Buffer, labels: Buffer) -> None:
        """
        Go on with the best transitions by these scores, which need not be normalized.
        """

    def explore(self, structure: Buffer, labels: Buffer, oracles: list[SpanOracle], *, chance: float, seed: int) -> None:
        """
        Draw structure by its probabilities, with this chance at each step; else ask oracles.
        """

    def taken(self) -> list[list[int]]:
        """For each sentence, the transitions that were chosen."""

    def trees(self) -> list[list[tuple[float, list[int]]]]:
        """
        For each sentence, its finished trees with their scores, the best one first.
        """

    def traces(self) -> list[list[tuple[int, list[tuple[int, float]]]]]:
        """
        For each sentence, how its best tree was found: steps as BeamParser.trace has them. The beam must have been made with is_traced.
        """

class NeuralParser:
    """Greedy or beam search with neural networks, without torch."""

    def __init__(self, tensors: Tensors, writer: ChoiceWriter, *, prefix: str = '', residuals: Sequence[str], tasks: Sequence[tuple[str, int]] = []) -> None:
        """
        Take the tensors of a parser. Raises a ValueError if they do not fit.

        Args:
            tensors: The tensors of the whole network. The names begin with encoder., structure. and label.
            writer: It writes the rows that the scorers of structure and labels take.
            prefix: The beginning of the names of all tensors.
            residuals: For each bi-LSTM layer, how its input is joined with its output: none, add or gated.
            tasks: The name and level of each task that has a linear map. Level 0 is the first layer.
        """

    def parse(self, lengths: Buffer, *, words: Buffer | None = None, tags: Buffer | None = None, forms: Buffer | None = None, characters: Buffer | None = None, form_lengths: Buffer | None = None, features: Buffer | None = None, beam: int = 1, k_best: int = 1, threads: int = 1) -> tuple[list[list[tuple[float, list[int]]]], list[bytes]]:
        """
        Parse sentences. The result is the same for any number of threads.

        Args:
            lengths: As in NeuralEncoder.encode, like the next ones.
            words: See there.
            tags: See there.
            forms: See there.
            characters: See there.
            form_lengths: See there.
            features: See there.
            beam: The number of hypotheses that are kept for each sentence; 1 is greedy.
            k_best: The largest number of trees for each sentence. They are all different.
            threads: The number of threads.

        Returns:
            For each sentence, the scores (logarithms of probabilities) and codes of its trees, the best one
            first; and for each task, the number of the best class of each token, as 32-bit numbers.
        """

    def trace(self, lengths: Buffer, *, words: Buffer | None = None, tags: Buffer | None = None, forms: Buffer | None = None, characters: Buffer | None = None, form_lengths: Buffer | None = None, features: Buffer | None = None, beam: int = 1) -> list[tuple[float, list[tuple[int, list[tuple[int, float]]]]]]:
        """
        Return how the best trees of sentences are found; the arguments are those of `parse`.

        Returns:
            For each sentence, the score of its best tree, and its steps: the transition that was taken, and
            all legal transitions with the logarithms of their probabilities. Those of the transitions taken
            add up to the score of the tree.
        """

class NeuralSpanParser:
    """Span charts with a neural network, without torch."""

    def __init__(self, tensors: Tensors, *, prefix: str = '', residuals: Sequence[str], tasks: Sequence[tuple[str, int]] = [], is_root: Sequence[bool]) -> None:
        """
        Take the tensors of a parser. Raises a ValueError if they do not fit.

        Args:
            tensors: The tensors of the whole network. The names begin with encoder. and scorer.
            prefix: The beginning of the names of all tensors.
            residuals: As in NeuralParser.
            tasks: As in NeuralParser.
            is_root: For each label of continuous constituents, whether it is one of whole sentences.
        """

    def parse(self, lengths: Buffer, *, words: Buffer | None = None, tags: Buffer | None = None, forms: Buffer | None = None, characters: Buffer | None = None, form_lengths: Buffer | None = None, features: Buffer | None = None, spaces: Buffer, k_best: int = 1, probabilities: bool = False, minimum_risk: bool = False, threads: int = 1) -> tuple[list[list[tuple[float, list[int], float, list[float]]]], list[bytes]]:
        """
        Parse sentences. The result is the same for any number of threads.

        Args:
            lengths: As in NeuralEncoder.encode, like the next ones.
            words: See there.
            tags: See there.
            forms: See there.
            characters: See there.
            form_lengths: See there.
            features: See there.
            spaces: The search space of each sentence: twice the number of its rules (continuous is 0, cubic
                is 1, and so on), and 1 more with ill-nested trees. If empty, no trees are found.
            k_best: The largest number of trees for each sentence. They are all different.
            probabilities: Also compute the probabilities of trees and constituents.
            minimum_risk: Find the tree with the best expected F1, which is then its score.
            threads: The number of threads.

        Returns:
            For each sentence its trees, the best one first: the score, the codes, the probability, and the
            probabilities of the constituents in the order of the codes. Labels of discontinuous
            constituents have the numbers after those of continuous ones. And for each task, the number of
            the best class of each token, as 32-bit numbers.
        """

    def score(self, lengths: Buffer, *, words: Buffer | None = None, tags: Buffer | None = None, forms: Buffer | None = None, characters: Buffer | None = None, form_lengths: Buffer | None = None, features: Buffer | None = None) -> list[tuple[list[float], list[float], list[float]]]:
        """The scores of all spans of each sentence, as SpanScores takes them."""

    @property
    def discontinuous_labels(self) -> int:
        """The number of labels of discontinuous constituents."""

class SpanCharts:
    """The charts of many sentences, whose scores torch has computed."""

    def __init__(self, *, is_root: Sequence[bool], discontinuous_labels: int, threads: int = 1) -> None:
        """
        Take the number of labels.

        The scores of spans have four dimensions: sentences, first tokens, last tokens, and labels. All
        sentences have as much space as the longest one.

        Args:
            is_root: For each label of continuous constituents, whether it is one of whole sentences.
            discontinuous_labels: The number of labels of discontinuous constituents.
            threads: The number of threads.
        """

    def trees(self, lengths: Buffer, continuous: Buffer, outer: Buffer, gap: Buffer, *, spaces: Buffer, k_best: int = 1, probabilities: bool = False, minimum_risk: bool = False) -> list[list[tuple[float, list[int], float, list[float]]]]:
        """The best trees of each sentence: see NeuralSpanParser.parse."""

    def constituents_with_cost(self, lengths: Buffer, continuous: Buffer, outer: Buffer, gap: Buffer, *, spaces: Buffer, gold: Sequence[Sequence[tuple[int, int, int, int, int]]], cost: float, gold_cost: float) -> list[list[tuple[int, int, int, int, int]]]:
        """
        The constituents of the best tree of each sentence: see SpanScores.best_with_cost.

        `gold` has the gold constituents of each sentence.
        """

    def partitions(self, lengths: Buffer, continuous: Buffer, outer: Buffer, gap: Buffer, continuous_target: Buffer, outer_target: Buffer, gap_target: Buffer, *, spaces: Buffer) -> list[float]:
        """
        The logarithm of the sum over all trees of each sentence.

        Its derivatives by the scores are written to the targets, which have the same order.
        """

def tree_distance(labels: Sequence[int], leftmost: Sequence[int], other_labels: Sequence[int], other_leftmost: Sequence[int]) -> int:
    """
    Return the edit distance between two ordered, labelled trees (Zhang & Shasha 1989).

    Trees are given in postorder: for each vertex, its label as a number, and the first vertex in its
    subtree. The last vertex is the root.

    Raises:
        ValueError: An argument is not a tree in postorder. The message names the vertex.
    """

class TreeReader:
    """Makes sentences and roots from plain text."""

    def __init__(self, token_type: type, node_type: type, words: dict[str, str], fields: dict[str, str]) -> None:
        """
        Take the types and what texts in files mean.

        Args:
            token_type: `Token`, a tuple with eight fields.
            node_type: `Node`. Its fields are set without checks.
            words: The form for each word in a file. `__missing__` is called for new ones.
            fields: The same for tags, labels and all other fields.
        """

    def discbracket(self, text: str) -> tuple[tuple[Any, ...], Any] | None:
        """
        Read a tree in disco-dop's brackets: return its sentence and its root.

        Returns None for unusual trees, which must be checked, such as brackets that do not match.
        """

    def export_rows(self, lines: list[str], columns: int) -> tuple[tuple[Any, ...], Any] | None:
        """
        Read the lines of a sentence in export: return the sentence and the virtual root.

        Returns None for unusual sentences, such as those with comments or secondary edges.
        """

    def json(self, line: str) -> tuple[tuple[Any, ...], Any, str, str, list[str]] | None:
        """
        Read a tree in JSON: return its sentence, root, id, text and comments.

        Returns None for lines that crossbranch would not write, and for trees with features or secondary
        edges.
        """

class TreeShape:
    """
    A tree without its labels, and computations over all of its nodes.

    Vertices 0 .. n-1 are the tokens, vertex n is the root, and the other nodes follow in any order.
    Node k is vertex n + k; results are in the order of the nodes, and the root is node 0.
    """

    def __init__(self, token_count: int, parents: Sequence[int]) -> None:
        """
        Check the tree and find the blocks of all nodes.

        Args:
            token_count: The number of tokens, n.
            parents: For each vertex, the vertex above it; -1 for the root.

        Raises:
            ValueError: This is not a tree with tokens below every node. The message names the vertex.
        """

    @property
    def token_count(self) -> int:
        """The number of tokens."""

    @property
    def node_count(self) -> int:
        """The number of nodes."""

    def blocks(self, node: int) -> list[tuple[int, int]]:
        """Return the blocks (start, stop) of a node from left to right."""

    def spans(self) -> list[int]:
        """Return the spans of all nodes: bit i is set if token i is in the span."""

    def fan_outs(self, ignored: Sequence[int] = ()) -> list[int]:
        """
        Return the fan-outs of all nodes after deleting the ignored tokens.

        A gap with only ignored tokens does not count. A node with only ignored tokens has fan-out 0.
        """

    def ill_nested_pairs(self, ignored: Sequence[int] = ()) -> list[tuple[int, int]]:
        """
        Return the pairs of disjoint nodes that each have tokens in a gap of the other.

        The ignored tokens are deleted first. In each pair, the node with the lower number comes first.
        """

    def is_ill_nested(self, ignored: Sequence[int] = ()) -> bool:
        """
        Say whether there is an ill-nested pair, after deleting the ignored tokens.
        """

def count_nodes(root: Any) -> tuple[int, int, int, int]:
    """
    Count all nodes, and those with an edge label, with a head, and with features.
    """

class TreeWriter:
    """Writes plain trees as text."""

    def __init__(self, node_type: type, words: dict[str, str], fields: dict[str, str]) -> None:
        """
        Take the type of nodes and how texts are escaped.

        Args:
            node_type: `Node`.
            words: How each form is written. `__missing__` is called for new ones.
            fields: The same for tags, labels and all other fields.
        """

    def discbracket(self, sentence: tuple[Any, ...], root: Any) -> str | None:
        """
        Return a tree in disco-dop's brackets; None if it must be written carefully.
        """

    def export_rows(self, sentence: tuple[Any, ...], root: Any, *, lemmas: bool) -> str | None:
        """
        Return the rows of a tree in export, its virtual root left out.

        Returns None for trees with features of tokens or nodes.
        """

    def json(self, sentence: tuple[Any, ...], root: Any) -> str | None:
        """
        Return the tokens and nodes of a tree as members of a JSON object.

        Returns None for trees with features of tokens or nodes, and for nodes without children.
        """

"""All that `crossbranch parse` needs, in a folder."""

from __future__ import annotations

import random
from pathlib import Path

from crossbranch.grammar.sampling import sample
from crossbranch.parsers import train
from crossbranch.parsers.front_end import FrontEnd
from crossbranch.tagging import Tagger
from crossbranch.text import Tokenizer, detokenize
from crossbranch.treebank import write


def parse_folder(place: Path) -> Path:
    """Put a model there that can read text, one that cannot, texts and a treebank."""
    trees = list(sample(80, seed=1, max_length=20))
    parser = train(
        "sr-gap", train=trees, dev=trees[:10], epochs=2, features=["baseline"], tags="gold"
    )
    parser.front_end = FrontEnd()
    parser.save(place / "bare")
    tagger = Tagger.learn([tree.sentence for tree in trees], epochs=2)
    parser.front_end = FrontEnd(Tokenizer.learn(trees), tagger)
    parser.save(place / "model")
    write(trees[:20], place / "test.export")
    (place / "text.txt").write_text(text_of(120), encoding="utf-8")
    (place / "long.txt").write_text(text_of(600), encoding="utf-8")
    return place


def text_of(count: int) -> str:
    """Paragraphs of sentences as people write them."""
    chance = random.Random(count)
    texts = (text for text, _ in detokenize(t.sentence for t in sample(count, max_length=20)))
    return "".join(text + ("\n\n" if chance.random() < 0.1 else " ") for text in texts)

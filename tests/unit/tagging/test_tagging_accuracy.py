"""The tagger on a real treebank: far better than each word's most frequent tag."""

from __future__ import annotations

from pathlib import Path

from crossbranch.tagging import Tagger, accuracy
from crossbranch.treebank import read


def test_a_small_treebank_is_enough_for_good_tags(shared: Path) -> None:
    folder = shared / "treebanks" / "squoia"
    train, dev = (
        [tree.sentence for tree in read(folder / f"{part}.export.xz")] for part in ("train", "dev")
    )
    tagger = Tagger.learn(train, epochs=2, threads=2)
    assert "" not in tagger.tags  # some tokens there have no tag
    assert accuracy(tagger, dev) > 0.955  # the most frequent tag of each word: 0.890
    assert sum(map(len, tagger.files().values())) < 1_500_000

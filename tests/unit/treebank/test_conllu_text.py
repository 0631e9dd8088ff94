"""CoNLL-U of other programs: the positions of words are found in `# text`."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from crossbranch.tree import Tree
from crossbranch.treebank import read, write


def row(number: object, form: str, misc: str = "_") -> str:
    return f"{number}\t{form}\t_\tX\t_\t_\t_\t_\t_\t{misc}\n"


FILE = (
    "# newdoc id = d\n# newpar\n# text = I don't know...\n"
    + row(1, "I")
    + row("2-3", "don't")
    + row(2, "do")
    + row(3, "n't")
    + row(4, "know", "SpaceAfter=No")
    + row(5, "...", "SpaceAfter=No")
    + "\n# text = Du  pain.\n"
    + row("1-2", "Du")
    + row(1, "De")
    + row(2, "le")
    + row(3, "pain", "SpaceAfter=No")
    + row(4, ".")
    + "\n# text = Oui !\n"
    + row(1, "Oui")
    + row(2, "!")
    + "\n# newpar id = 2\n# newparts = x\n# text = 10 000\n"
    + row(1, "10 000")
    + "\n"
)


def parse(text: str) -> list[Tree]:
    return list(read(io.StringIO(text), format="conllu"))


def places(tree: Tree) -> list[tuple[int | None, int | None]]:
    return [(token.start, token.end) for token in tree.sentence]


def test_positions_are_those_in_the_text_of_the_file() -> None:
    first, second, third, last = parse(FILE)
    assert places(first) == [(0, 1), (2, 4), (4, 7), (8, 12), (12, 15)]
    assert places(second) == [(15, 17), (15, 17), (19, 23), (23, 24)]  # no space before it
    assert places(third) == [(25, 28), (29, 30)]
    assert places(last) == [(32, 38)]  # an empty line before it
    texts = ["I don't know...", "Du  pain.", "Oui !", "10 000"]
    assert [tree.text for tree in (first, second, third, last)] == texts


def test_nothing_is_lost_when_it_is_written_and_read_again() -> None:
    trees = parse(FILE)
    stream = io.StringIO()
    write(trees, stream, format="conllu")
    written = stream.getvalue()
    assert [tree.replace(id="") for tree in parse(written)] == trees
    assert "\n# text = I don't know...\n" in written
    assert "\n# newpar id = 2\n" in written
    lines = [line.split("\t") for line in written.split("\n") if "\t" in line]
    spaces = {columns[1]: columns[9].startswith("SpaceAfter=No") for columns in lines}
    assert [form for form, touches in spaces.items() if touches] == ["do", "know", "pain"]
    assert ["1-2", "Du", "_", "_", "_", "_", "_", "_", "_", "TokenRange=15:17"] in lines


@pytest.mark.parametrize(
    "text",
    ["I don't know", "I don't know... x", "I do not know...", ""],
)
def test_words_that_are_not_in_the_text_have_no_positions(text: str) -> None:
    first, second, *_ = parse(FILE.replace("I don't know...", text))
    assert places(first) == [(None, None)] * 5
    assert first.text == ""
    assert second.text == "Du  pain."


def test_every_word_of_real_files_is_found(shared: Path) -> None:
    for name, count in (("ewt", 2001), ("gsd", 799)):
        trees = list(read(shared / f"tagged/{name}/dev.conllu.xz"))
        assert len(trees) == count
        end = 0
        for tree in trees:
            assert tree.text
            start = tree.sentence[0].start
            assert start is not None
            assert start >= end
            for token in tree.sentence:
                assert token.start is not None
                assert token.end is not None
                if name == "ewt":  # nothing is contracted to other letters
                    assert tree.text[token.start - start : token.end - start] == token.form
                end = token.end
            assert end == start + len(tree.text)

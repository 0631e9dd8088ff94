"""crossbranch parse on what nobody would call text: all goes through, in little memory."""

from __future__ import annotations

import base64
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from commands import crossbranch

from crossbranch.grammar.sampling import sample
from crossbranch.parsers import train
from crossbranch.parsers.front_end import FrontEnd
from crossbranch.tagging import Tagger
from crossbranch.text import MOST_TOKENS, Tokenizer

WHITE = str.maketrans("", "", "\ufeff\u200b")  # white space, to a tokenizer

MEASURED = """
import resource, sys
from crossbranch.cli import main
path = sys.argv.pop(1)
try:
    main()
finally:
    with open(path, "w") as file:
        file.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A quick model that can read text."""
    trees = list(sample(60, seed=1, max_length=20))
    parser = train("sr-gap", train=trees, epochs=1, beam=1, features=["baseline"], tags="gold")
    tagger = Tagger.learn([tree.sentence for tree in trees], epochs=1)
    parser.front_end = FrontEnd(Tokenizer.learn(trees), tagger)
    folder = tmp_path_factory.mktemp("rubbish") / "model"
    parser.save(folder)
    return folder


def rubbish(size: int, seed: int = 3) -> bytes:
    """Everything that turns up in files, of `size` bytes each."""
    chance = random.Random(seed)
    words = ["Haus", "ging", "nicht", "(", ")", ",", ".", "dass", '"', "'", "-", "3.5", "z.B."]
    scripts = "漢字かなกขคעבריתالعربيةहिन्दी한국어🙂👩‍👧e\u0301\u200d\ufeff\u2028\x85\u00a0"
    parts = [
        chance.randbytes(size),
        bytes(size),
        " ".join(chance.choices(words, k=size // 4)).encode(),  # one line
        "".join(chance.choices(scripts, k=size // 3)).encode(),
        ("a" * size).encode(),
        (". " * (size // 2)).encode(),
        (" \t\r" * (size // 3)).encode(),
        b"\n" * size,
        b"\r" * size,
        ("e" + "\u0301" * (size // 2)).encode(),
        base64.encodebytes(chance.randbytes(size)),
        "kein Ende der Zeile".encode("utf-16") * (size // 40),
        b"\xed\xa0\x80\xf4\x90\x80\x80\xc0\x80" * (size // 9),  # what no UTF-8 may have
    ]
    ends = chance.choices([b"", b"\n", b"\n\n", b"\r\n\r\n"], k=len(parts))
    return b"".join(part + end for part, end in zip(parts, ends, strict=True))


@pytest.mark.parametrize("lines", [False, True])
def test_no_character_is_lost(model: Path, tmp_path: Path, lines: bool) -> None:
    data = rubbish(20_000)
    (tmp_path / "rubbish.txt").write_bytes(data)
    text = data.decode("utf-8", "replace")
    options = ["--lines"] if lines else []
    stdout, stderr = crossbranch("parse", model, tmp_path / "rubbish.txt", "--to", "json", *options)
    expected = "".join(text.split()).translate(WHITE)
    found = []
    end = 0
    for number, line in enumerate(stdout.split("\n")[:-1], 1):
        record = json.loads(line)
        assert record["id"] == str(number)
        assert len(record["tokens"]) <= MOST_TOKENS
        for token in record["tokens"]:
            assert token["start"] >= end
            assert token["form"]
            assert token["tag"]
            end = token["end"]
            found.append(text[token["start"] : end])
        if record["tokens"]:
            assert record["text"] == text[record["tokens"][0]["start"] : end]
    assert "".join(found) == expected
    assert "characters could not be decoded and became U+FFFD" in stderr


@pytest.mark.parametrize("format", ["export", "tigerxml", "discbracket", "conllu", "alpino"])
def test_every_format_can_be_read_again(model: Path, tmp_path: Path, format: str) -> None:
    (tmp_path / "rubbish.txt").write_bytes(rubbish(3000))
    out = tmp_path / "out"
    crossbranch("parse", model, tmp_path / "rubbish.txt", "--to", format, "-o", out)
    stdout, _ = crossbranch("parse", model, tmp_path / "rubbish.txt", "--to", "tokens")
    again, _ = crossbranch("convert", out, "-", "--from", format, "--to", "tokens")
    assert again == stdout


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory otherwise")
def test_memory_does_not_grow_with_the_text(model: Path, tmp_path: Path) -> None:
    def memory(data: bytes, *options: str) -> int:
        (tmp_path / "rubbish.txt").write_bytes(data)
        options = (*options, "--to", "discbracket", "-o", "/dev/null")
        result = tmp_path / "used"
        call = [sys.executable, "-c", MEASURED, result, "parse", model, tmp_path / "rubbish.txt"]
        subprocess.run([*map(str, call), *options], check=True)
        return int(result.read_text())

    used = memory(rubbish(20_000))  # a quarter of a megabyte
    # What is new each time fills what is remembered of chunks and words, and then nothing more.
    assert memory(b"".join(rubbish(20_000, seed) for seed in range(4))) - used < 50_000  # kilobytes
    signs = [chr(sign) for sign in range(0x4E00, 0x9000)]
    new = "".join(random.Random(4).choices(signs, k=500_000)).encode()
    assert memory(new, "--tags-only") - used < 50_000

"""From raw text to trees: tokens a second, memory, start-up, and whether anything gets lost.

    scripts/bench speed/raw_text [--model MODEL] [--megabytes N] [--rubbish] [--threads N]

A text of N megabytes is written and parsed by `crossbranch parse` in a process of its own, whose
trees are read and counted as they come: every character that is not white space must be in exactly
one token. Speed is that of the whole command, by CPU time and by the clock; memory is sampled all
the time. The text repeats the dev sentences of alpino-nltk beside the repository as people write
them, or sampled ones where there are none. With `--rubbish`, a part of it is binary, NULs, lines of
5,000 tokens, scripts that no model knows, and a tenth of it is one line.
"""

from __future__ import annotations

import argparse
import itertools
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

import msgspec

from crossbranch.grammar.sampling import sample
from crossbranch.text import detokenize
from crossbranch.treebank import read

ROOT = Path(__file__).parents[2]
TREEBANK = ROOT.parent / "shared" / "treebanks" / "alpino-nltk"
MAIN = "from crossbranch.cli import main; main()"
MEGABYTE = 1_000_000
PARAGRAPH = 10  # sentences
STARTS = 7  # how often start-up is measured
WHITE = str.maketrans("", "", "\ufeff\u200b")  # white space, to a tokenizer
SCRIPTS = "漢字かなกขคעבריתالعربيةहिन्दी한국어🙂ⰓⱂᚠᛇሀለᎠᏣ"


class CountedToken(msgspec.Struct):
    start: int
    end: int


class CountedTree(msgspec.Struct):
    tokens: list[CountedToken]


@dataclass
class Counts:
    sentences: int = 0
    tokens: int = 0
    characters: int = 0
    longest: int = 0

    def add(self, line: bytes, decode: msgspec.json.Decoder[CountedTree]) -> None:
        tokens = decode.decode(line).tokens
        self.sentences += 1
        self.tokens += len(tokens)
        self.characters += sum([token.end - token.start for token in tokens])
        self.longest = max(self.longest, len(tokens))


@dataclass
class Memory:
    """The memory of a process, in megabytes, sampled while it runs."""

    process: subprocess.Popen[bytes]
    samples: list[float] = field(default_factory=list)

    def watch(self) -> None:
        path = Path(f"/proc/{self.process.pid}/status")
        while self.process.poll() is None:
            try:
                lines = path.read_text().splitlines()
            except OSError:
                return
            used = [line.split()[1] for line in lines if line.startswith("VmRSS")]
            self.samples.extend(int(kilobytes) / 1000 for kilobytes in used)
            time.sleep(0.2)


def sentences() -> list[str]:
    """Sentences as people write them."""
    dev = TREEBANK / "dev.export.xz"
    trees = read(dev) if dev.exists() else sample(500, seed=1, max_length=40)
    return [text for text, _ in detokenize(tree.sentence for tree in trees)]


def ordinary() -> Iterator[bytes]:
    """Paragraphs of ordinary text, without end."""
    texts = sentences()
    for start in itertools.count(0, PARAGRAPH):
        picked = [texts[(start + index) % len(texts)] for index in range(PARAGRAPH)]
        yield (" ".join(picked) + "\n\n").encode()


def rubbish(chance: random.Random) -> Iterator[bytes]:
    """What turns up in large files, without end."""
    words = " ".join(sentences()).split()
    while True:
        yield chance.randbytes(20_000)
        yield bytes(20_000)
        yield (" ".join(chance.choices(words, k=5_000)) + "\n").encode()
        yield ("".join(chance.choices(SCRIPTS, k=5_000)) + "\n\n").encode()
        yield b"x" * 20_000
        yield b"\n" * 5_000


def write_text(path: Path, size: int, with_rubbish: bool) -> int:
    """Write a text of about `size` bytes; return how many characters are not white space."""
    chance = random.Random(1)
    good, bad = ordinary(), rubbish(chance)
    done = characters = 0
    with path.open("wb") as file:
        while done < size:
            parts = [next(good) for _ in range(20)]
            if with_rubbish and chance.random() < 0.1:
                parts.append(next(bad))
            data = b"".join(parts)
            if with_rubbish and 0.4 < done / size < 0.5:  # one line
                data = data.replace(b"\n", b" ")
            if with_rubbish:  # so that no character goes on in the next piece
                data += b"\n" if not 0.4 < done / size < 0.5 else b" "
            file.write(data)
            done += len(data)
            characters += len("".join(data.decode("utf-8", "replace").split()).translate(WHITE))
    return characters


def parse(model: str, path: Path, threads: int) -> tuple[Counts, Memory, float, float]:
    """Parse a file; return counts, memory, CPU and wall seconds."""
    command = [sys.executable, "-c", MAIN, "parse", model, str(path), "--to", "json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    counts, decoder = Counts(), msgspec.json.Decoder(CountedTree)
    with subprocess.Popen([*command, "--threads", str(threads)], stdout=-1) as process:
        memory = Memory(process)
        watcher = Thread(target=memory.watch)
        watcher.start()
        assert process.stdout is not None
        for line in process.stdout:
            counts.add(line, decoder)
    watcher.join()
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        raise SystemExit(f"crossbranch parse ended with code {process.returncode}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return counts, memory, seconds, wall


def start_up(model: str, sentence: str) -> tuple[float, float]:
    """Return CPU and wall seconds from start to the first tree, the best of some."""
    best = [float("inf")] * 2
    for _ in range(STARTS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        command = [sys.executable, "-c", MAIN, "parse", model, sentence]
        subprocess.run(command, check=True, capture_output=True)
        wall = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = [min(best[0], seconds), min(best[1], wall)]
    return best[0], best[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="nl")
    parser.add_argument("--megabytes", type=float, default=5)
    parser.add_argument("--rubbish", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    chosen = parser.parse_args()
    folder = ROOT / "build" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "raw_text.txt"
    cpu, wall = start_up(chosen.model, sentences()[0])
    print(f"start-up to first tree: {wall:.2f} s ({cpu:.2f} s CPU), best of {STARTS}")
    characters = write_text(path, int(chosen.megabytes * MEGABYTE), chosen.rubbish)
    size = path.stat().st_size
    counts, memory, cpu, wall = parse(chosen.model, path, chosen.threads)
    path.unlink()
    what = "text with rubbish" if chosen.rubbish else "text"
    print(f"{size / MEGABYTE:,.1f} MB of {what}, {chosen.threads} threads, to JSON:")
    print(f"  {counts.sentences:,} sentences, {counts.tokens:,} tokens, longest {counts.longest:,}")
    by_cpu, by_clock = counts.tokens / cpu, counts.tokens / wall
    print(f"  tokens/s: {by_cpu:,.0f} by CPU time, {by_clock:,.0f} by the clock")
    samples = memory.samples
    picked = [max(samples[len(samples) * n // 10 :][: len(samples) // 10 + 1]) for n in range(10)]
    print(f"  memory, MB, largest in each tenth: {' '.join(f'{each:.0f}' for each in picked)}")
    if counts.characters != characters:
        raise SystemExit(f"{characters:,} characters in, {counts.characters:,} out")
    print(f"  all {characters:,} characters are in tokens")


if __name__ == "__main__":
    main()

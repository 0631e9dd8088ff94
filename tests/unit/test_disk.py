"""What is replaced is replaced as a whole, also after a power cut between any two steps."""

import json
import os
import shutil
import socket
import stat
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pytest

import crossbranch as cb
from crossbranch import disk
from crossbranch.disk import Steps, make_folders, open_file, read_file, replace_file, replace_folder
from crossbranch.errors import CrossbranchError, InputError
from crossbranch.jobs.notes import JobIdentity, JobNote, note_path, read_note, write_note
from crossbranch.jobs.sentences import ReadingMark
from crossbranch.models.folder import ModelParts, open_model, write_model
from crossbranch.query.cache import find_index, make_index
from crossbranch.training.checkpoint import CheckpointFile, Progress

# ---- a disk that forgets what was not synced


@dataclass
class File:
    """A file as the disk will find it: its content after the last sync."""

    content: bytes = b""
    synced: bytes | None = None


@dataclass
class Change:
    """A change of names. It lasts when all its folders are synced."""

    paths: tuple[Path, ...]
    new: File | None = None  # what the last path is from now on; None: nothing, or the first path
    is_rename: bool = False
    waits_for: set[Path] = field(default_factory=set)


class PowerCuts(Steps):
    """Does every step, and keeps what a disk may have after a power cut behind each step."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.lasting: dict[Path, File] = {}
        for path in root.rglob("*"):
            if path.is_file():
                self.lasting[path] = File(path.read_bytes(), path.read_bytes())
        self.live = dict(self.lasting)
        self.pending: list[Change] = []
        self.states: list[dict[Path, bytes]] = []
        self._keep()

    def _keep(self) -> None:
        """Note all states that the disk may be in now."""
        for count in range(len(self.pending) + 1):
            names = dict(self.lasting)
            for change in self.pending[:count]:
                apply(names, change)
            for unsynced in (b"", None):
                self.states.append(
                    {
                        path: file.content[: len(file.content) // 2]
                        if file.synced is None and unsynced is None
                        else file.synced or b""
                        for path, file in names.items()
                    }
                )

    def _change(self, *paths: Path, new: File | None = None, is_rename: bool = False) -> None:
        change = Change(paths, new, is_rename, {path.parent for path in paths})
        apply(self.live, change)
        self.pending.append(change)
        self._keep()

    def create(self, path: Path) -> IO[bytes]:
        if path in self.live:
            self.live[path].content, self.live[path].synced = b"", None
        else:
            self._change(path, new=File())
        self._keep()
        return super().create(path)

    def sync(self, file: IO[bytes]) -> None:
        path = Path(file.name if isinstance(file.name, str) else _path_of(file))
        if path not in self.live:  # made by others, such as SQLite
            self._change(path, new=File())
        file.flush()
        found = self.live[path]
        found.content = path.read_bytes()
        self._keep()
        super().sync(file)
        found.synced = found.content
        self._keep()

    def rename(self, path: Path, new: Path) -> None:
        for old in [old for old in self.live if old == path or path in old.parents]:
            assert self.live[old].synced is not None, f"{old} is renamed before it is on the disk"
        self._change(path, new, is_rename=True)
        super().rename(path, new)

    def remove(self, path: Path) -> None:
        if path in self.live:
            self._change(path)
        super().remove(path)

    def remove_folder(self, path: Path) -> None:
        for old in [old for old in self.live if path in old.parents]:
            self._change(old)
        super().remove_folder(path)

    def copy(self, path: Path, new: Path) -> None:
        super().copy(path, new)
        for each in [new, *new.rglob("*")] if new.is_dir() else [new]:
            if each.is_file():
                self._change(each, new=File(each.read_bytes()))

    def sync_folder(self, path: Path) -> None:
        super().sync_folder(path)
        for change in self.pending:
            change.waits_for.discard(path)
        while self.pending and not self.pending[0].waits_for:
            apply(self.lasting, self.pending.pop(0))
        self._keep()


def _path_of(file: IO[bytes]) -> str:
    return str(Path(f"/proc/self/fd/{file.fileno()}").readlink())


def apply(names: dict[Path, File], change: Change) -> None:
    if change.is_rename:
        old, new = change.paths
        moved = [path for path in names if path == old or old in path.parents]
        for path in [path for path in names if path == new or new in path.parents]:
            del names[path]
        for path in moved:
            names[new / path.relative_to(old)] = names.pop(path)
    elif change.new is None:
        names.pop(change.paths[0], None)
    else:
        names[change.paths[0]] = change.new


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Do something, and check what is there after a power cut behind each step."""

    def run(root: Path, work: Callable[[], object], check: Callable[[], object]) -> int:
        cuts = PowerCuts(root)
        monkeypatch.setattr(disk, "steps", cuts)
        for module in ("crossbranch.training.checkpoint",):
            monkeypatch.setattr(f"{module}.steps", cuts)
        work()
        monkeypatch.undo()
        different = {tuple(sorted(state.items())) for state in cuts.states}
        for state in sorted(different):
            shutil.rmtree(root)
            root.mkdir()
            for path, content in state:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            check()
        return len(different)

    return run


needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")


@needs_proc
def test_a_model_is_the_old_or_the_new_one(tmp_path: Path, cut: Callable[..., int]) -> None:
    root = tmp_path / "disk"
    place = root / "model"
    old, new = ({"config.toml": text, "weights": text * 9} for text in (b"old", b"new"))
    write_model(place, ModelParts(files=old))
    (place / "mine.txt").write_text("notes")
    seen = set()

    def check() -> None:
        found = open_model(place)
        seen.add(found.data("weights"))
        assert found.data("weights") == found.data("config.toml") * 9
        assert found.path is not None
        assert (found.path / "mine.txt").read_text() == "notes"
        write_model(place, ModelParts(files=old))
        assert open_model(place).text("config.toml") == "old"
        assert [path.name for path in root.iterdir()] == ["model"]

    assert cut(root, lambda: write_model(place, ModelParts(files=new)), check) > 15
    assert seen == {b"old" * 9, b"new" * 9}


@needs_proc
def test_a_first_model_is_there_or_not(tmp_path: Path, cut: Callable[..., int]) -> None:
    root = tmp_path / "disk"
    root.mkdir()
    seen = set()

    def check() -> None:
        try:
            seen.add(open_model(root / "a" / "model").text("config.toml"))
        except CrossbranchError:
            seen.add("none")

    parts = ModelParts(files={"config.toml": b"new"})
    cut(root, lambda: write_model(root / "a" / "model", parts), check)
    assert seen == {"none", "new"}


@needs_proc
def test_an_archive_is_the_old_or_the_new_one(tmp_path: Path, cut: Callable[..., int]) -> None:
    place = tmp_path / "disk" / "model.zip"
    write_model(place, ModelParts(files={"config.toml": b"old"}))
    seen = set()
    parts = ModelParts(files={"config.toml": b"new"})
    check = lambda: seen.add(open_model(place).text("config.toml"))  # noqa: E731
    cut(place.parent, lambda: write_model(place, parts), check)
    assert seen == {"old", "new"}


@needs_proc
def test_a_checkpoint_is_the_old_or_the_new_one(tmp_path: Path, cut: Callable[..., int]) -> None:
    checkpoint = CheckpointFile(tmp_path / "disk" / "checkpoint", {"seed": 1})
    checkpoint.write(Progress(epoch=1), {"state": b"old" * 1000})
    seen = set()

    def check() -> None:
        found = checkpoint.read()
        assert found is not None
        seen.add((found[0].epoch, found[1]["state"][:3]))

    cut(tmp_path / "disk", lambda: checkpoint.write(Progress(epoch=2), {"state": b"new"}), check)
    assert seen == {(1, b"old"), (2, b"new")}


@needs_proc
def test_a_note_is_the_old_or_the_new_one(tmp_path: Path, cut: Callable[..., int]) -> None:
    output = tmp_path / "disk" / "out.export"
    output.parent.mkdir()
    identity = JobIdentity(version="1", model="m", options={}, inputs=[])
    old = JobNote(identity=identity, mark=ReadingMark(), sentences=1)
    new = JobNote(identity=identity, mark=ReadingMark(), sentences=2)
    write_note(output, old)
    seen = set()
    check = lambda: seen.add(read_note(output, identity, []).sentences)  # noqa: E731
    cut(output.parent, lambda: write_note(output, new), check)
    assert seen == {1, 2}
    assert note_path(output).exists()


@needs_proc
def test_an_index_is_there_or_not(tmp_path: Path, cut: Callable[..., int]) -> None:
    treebank = tmp_path / "trees.export"
    trees = [cb.Tree.from_string("(ROOT (S (NP a) (VP b)))")]
    cb.write(trees, treebank)
    folder = tmp_path / "cache" / "crossbranch" / "find"
    folder.mkdir(parents=True)
    seen = set()

    def check() -> None:
        os.environ["XDG_CACHE_HOME"] = str(tmp_path / "cache")
        index = find_index(treebank, "export")
        seen.add(index is not None)
        if index is not None:
            index.close()

    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    try:
        cut(folder, lambda: make_index(treebank, "export", lambda: trees), check)
    finally:
        os.environ.pop("XDG_CACHE_HOME")
        if before is not None:
            os.environ["XDG_CACHE_HOME"] = before
    assert seen == {True, False}


@needs_proc
@pytest.mark.parametrize("name", ["out.export", "out.export.gz", "out.svg"])
def test_an_output_is_the_old_or_the_new_one(
    tmp_path: Path, cut: Callable[..., int], name: str
) -> None:
    place = tmp_path / "disk" / name
    place.parent.mkdir()
    tree = cb.Tree.from_string("(ROOT (S (NP a) (VP b)))")

    def write() -> None:
        if name.endswith(".svg"):
            tree.draw(path=place)
        else:
            cb.write([tree], place)

    write()
    new = place.read_bytes()
    place.write_bytes(b"old")
    seen = set()
    cut(place.parent, write, lambda: seen.add(place.read_bytes()))
    assert seen == {b"old", new}


# ---- errors in between


def test_an_error_leaves_the_old_file(tmp_path: Path) -> None:
    place = tmp_path / "out.export"
    place.write_text("old")
    place.chmod(0o640)

    def trees() -> Iterator[cb.Tree]:
        yield cb.Tree.from_string("(ROOT (S (NP a) (VP b)))")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cb.write(trees(), place)
    assert place.read_text() == "old"
    cb.write([cb.Tree.from_string("(ROOT (S a))")], place)
    assert stat.S_IMODE(place.stat().st_mode) == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["out.export"]


def test_an_error_while_a_folder_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing(Steps):
        def __init__(self, moment: int) -> None:
            self.left = moment

        def tick(self) -> None:
            self.left -= 1
            if not self.left:
                raise OSError(28, "No space left on device")

        def sync(self, file: IO[bytes]) -> None:
            self.tick()
            super().sync(file)

        def rename(self, path: Path, new: Path) -> None:
            self.tick()
            super().rename(path, new)

    place = tmp_path / "folder"
    replace_folder(place, {"a": b"old", "b": b"old"})
    for moment in range(1, 5):
        monkeypatch.setattr(disk, "steps", Failing(moment))
        with pytest.raises(OSError, match="No space left"):
            replace_folder(place, {"a": b"new", "b": b"new"})
        assert {path.name: path.read_bytes() for path in place.iterdir()} == {
            "a": b"old",
            "b": b"old",
        }
        assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "file")
    replace_file(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "file").read_bytes() == b"new"


def test_devices_are_written_to_and_not_replaced() -> None:
    replace_file(os.devnull, b"gone")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_a_folder_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="Not a directory"):
        make_folders(tmp_path / "file" / "folder")
    with pytest.raises(NotADirectoryError):
        make_folders(tmp_path / "file")


# ---- files that are not files


def odd_files(folder: Path) -> dict[str, Path]:
    folder.mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "zero").symlink_to("/dev/zero")
    (folder / "folder").mkdir()
    (folder / "link").symlink_to(folder / "folder")
    (folder / "loop").symlink_to(folder / "loop")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(folder)  # names of sockets are short
        try:
            server.bind("socket")
        finally:
            os.chdir(here)
    return {path.name: path for path in sorted(folder.iterdir())}


ODD = ("pipe", "zero", "folder", "link", "loop", "socket")


@pytest.mark.parametrize("kind", ODD)
def test_only_regular_files_are_read(tmp_path: Path, kind: str) -> None:
    path = odd_files(tmp_path / "odd")[kind]
    with pytest.raises(OSError, match=r"is a (pipe|device|directory|socket)|[Tt]oo many levels"):
        open_file(path)
    with pytest.raises(OSError):
        read_file(path)


def test_files_that_are_too_large(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert read_file(tmp_path / "file", most=5) == b"12345"
    with pytest.raises(OSError, match="has more than 4 bytes"):
        read_file(tmp_path / "file", most=4)
    with pytest.raises(OSError, match="not the name of a file"):
        read_file("a\0b")


def test_reading_takes_no_more_memory_than_the_file_needs(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345" * 100_000)
    tracemalloc.start()
    try:
        assert len(read_file(tmp_path / "file")) == 500_000
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="there is no /proc")
def test_files_that_do_not_know_their_size() -> None:
    assert read_file("/proc/self/status").startswith(b"Name:")
    with pytest.raises(OSError, match="has more than 10 bytes"):
        read_file("/proc/self/status", most=10)


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("name", ["weights.bin", "config.toml", "manifest.json", "labels.json"])
def test_a_model_with_something_in_place_of_a_file(tmp_path: Path, name: str, kind: str) -> None:
    from crossbranch.models import shipped

    model = tmp_path / "model"
    model.mkdir()
    for path in shipped()["en-bio"].iterdir():
        if path.name != name:
            (model / path.name).symlink_to(path)
    if name == "labels.json":  # `describe` reads it in old models, whose manifests have no labels
        manifest = json.loads((model / "manifest.json").read_bytes())
        (model / "manifest.json").unlink()
        (model / "manifest.json").write_text(json.dumps({**manifest, "labels": []}))
    odd_files(tmp_path / "odd")[kind].rename(model / name)
    if kind in ("link", "loop"):
        (model / name).unlink()
        (model / name).symlink_to(tmp_path if kind == "link" else model / name)
    for call in (cb.load, cb.describe):
        if name in ("weights.bin", "config.toml") and call is cb.describe:
            continue  # it does not read them
        with pytest.raises(InputError, match=rf"{name}|no manifest") as caught:
            call(model)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ODD)
def test_other_files_of_users(tmp_path: Path, kind: str) -> None:
    odd = str(odd_files(tmp_path / "odd")[kind])
    trees = [cb.Tree.from_string("(ROOT (S (NP a) (VP b)))")]
    calls: dict[str, Callable[[], object]] = {
        "settings": lambda: cb.train(odd, train=trees),
        "head rules": lambda: cb.train("sr-gap", train=trees, heads=odd),
        "clusters": lambda: cb.train("sr-gap", train=trees, clusters=odd),
        "dictionary": lambda: cb.train("sr-gap", train=trees, dictionary=odd),
        "features": lambda: cb.train("sr-gap", train=trees, features=(odd,)),
        "grammar": lambda: cb.grammar.read(odd),
        "given tags": lambda: cb.train(
            "sr-gap", train=trees, tags="gold", tags_from={"train": odd}
        ),
    }
    for what, call in calls.items():
        with pytest.raises((CrossbranchError, OSError)) as caught:
            call()
        assert "\n" not in str(caught.value), what

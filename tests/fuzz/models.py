"""Model folders: one file of a small model is replaced, and its checksum is made right again."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any

import msgspec
from trained_parsers import QUICK_SETTINGS, TRAIN

from crossbranch import json_texts
from crossbranch.errors import CrossbranchError
from crossbranch.models.archive import pack_archive
from crossbranch.models.folder import MANIFEST, ModelParts
from crossbranch.parsers import load, train

MODEL_KINDS = {"linear": "sr-gap", "plcfrs": "plcfrs"}
if find_spec("torch") is not None:
    MODEL_KINDS |= {"transition": "ml-gap", "span": "span"}
_TINY: dict[str, dict[str, Any]] = {
    "linear": {"epochs": 1, "features": "baseline", "voters": 1},
    "plcfrs": {},
    "transition": {**QUICK_SETTINGS["neural-transition"], "epochs": 1},
    "span": {**QUICK_SETTINGS["neural-span"], "epochs": 1},
}


@cache
def model(kind: str) -> ModelParts:
    """The files of a small model of a kind."""
    return train(MODEL_KINDS[kind], train=TRAIN[:12], **_TINY[kind])._parts()


def model_seeds(kind: str) -> list[bytes]:
    """Each file of a model, below its name."""
    parts = model(kind)
    files = {**parts.files, MANIFEST: parts.manifest()}
    return [name.encode() + b"\n" + data for name, data in files.items()]


def load_changed(data: bytes, kind: str) -> None:
    """Load a model with another file; the name is on the first line. Parse a little with it."""
    first, _, content = data.partition(b"\n")
    name = first.decode("utf-8", "replace")
    parts = model(kind)
    if name == MANIFEST:
        archive = pack_archive({**parts.files, MANIFEST: _with_files(content, parts)})
    elif name in parts.files:
        archive = msgspec.structs.replace(parts, files={**parts.files, name: content}).archive()
    else:
        return
    parser = load(archive)
    for tree in parser.parse_many(TRAIN[:2], tags="predict"):
        assert tree.words in (TRAIN[0].words, TRAIN[1].words)
    parser.to_bytes()
    list(parser.parse_text("Der Hund, den ich sah, bellt. Ja!"))


def _with_files(content: bytes, parts: ModelParts) -> bytes:
    """Return a manifest that lists the right files, whatever else it says."""
    try:
        found = json_texts.decode(content, dict[str, Any])
        found["files"] = json_texts.decode(parts.manifest(), dict[str, Any])["files"]
        return json_texts.encode(found)
    except (CrossbranchError, ValueError, RecursionError):
        return content

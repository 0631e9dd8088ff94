"""Loading pretrained encoders through the library transformers.

Nothing is downloaded, no code of an encoder is run, and nothing is printed.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from torch import nn

from crossbranch.errors import InputError, UsageError
from crossbranch.neural.encoder_files import NO_TRANSFORMERS
from crossbranch.neural.subtokens import SubTokenizer

_LARGEST_WINDOW = 512  # sub-tokens; the cost grows with the square
_FILES = (".json", ".txt", ".model")  # of tokenizers and configurations; none of them is code


class LoadedEncoder(NamedTuple):
    """An encoder in memory."""

    tokenizer: Any
    model: nn.Module
    path: str
    """For messages."""

    @property
    def size(self) -> int:
        """The size of its vectors."""
        return int(self.model.config.hidden_size)  # type: ignore[union-attr,arg-type]

    @property
    def layers(self) -> int:
        """The number of its layers, with that of the vectors of sub-tokens."""
        return int(self.model.config.num_hidden_layers) + 1  # type: ignore[union-attr,arg-type]

    def sub_tokenizer(self, surfaces: Mapping[str, str]) -> SubTokenizer:
        """Return what splits words for this encoder. Raises InputError if it reads too little."""
        window = min(_LARGEST_WINDOW, self.tokenizer.model_max_length, _positions(self.model))
        found = SubTokenizer(self.tokenizer, window, surfaces)
        if found.size < 1:
            raise InputError(f"a window of {window} sub-tokens", "a larger one", path=self.path)
        return found

    def files(self) -> dict[str, bytes]:
        """Return configuration and tokenizer as files, without weights and without code."""
        with tempfile.TemporaryDirectory() as folder, _quietly():
            self.tokenizer.save_pretrained(folder)
            self.model.config.save_pretrained(folder)  # type: ignore[union-attr,operator]
            paths = sorted(path for path in Path(folder).iterdir() if path.suffix in _FILES)
            return {path.name: path.read_bytes() for path in paths}


def load_encoder(folder: Path) -> LoadedEncoder:
    """Load an encoder with its weights. Raises InputError if it is damaged or of another kind."""
    kinds = _transformers()
    with _quietly(), _naming(str(folder)):
        tokenizer = _load_tokenizer(kinds, folder)
        model, found = kinds.AutoModel.from_pretrained(
            folder,
            local_files_only=True,
            use_safetensors=True,
            trust_remote_code=False,
            output_loading_info=True,
        )
    missing = sorted(name for name in found["missing_keys"] if "pooler" not in name)
    if missing:
        raise InputError(f"no weights {missing[0]}", "all weights of the encoder", path=str(folder))
    return LoadedEncoder(tokenizer, _prepared(model, str(folder)), str(folder))


def rebuild_encoder(files: Mapping[str, bytes], *, path: str) -> LoadedEncoder:
    """Make an encoder with random weights from the files of `LoadedEncoder.files`."""
    kinds = _transformers()
    with tempfile.TemporaryDirectory() as folder, _quietly(), _naming(path):
        for name, content in files.items():
            (Path(folder) / Path(name).name).write_bytes(content)
        tokenizer = _load_tokenizer(kinds, Path(folder))
        config = kinds.AutoConfig.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
        model = kinds.AutoModel.from_config(config, trust_remote_code=False)
    return LoadedEncoder(tokenizer, _prepared(model, path), path)


@lru_cache(maxsize=2)
def frozen_encoder(folder: Path, sha256: str, device: str) -> LoadedEncoder:
    """Load a frozen encoder once for all parsers that use it."""
    loaded = load_encoder(folder)
    loaded.model.to(device).eval().requires_grad_(False)
    return loaded


def _transformers() -> Any:
    try:
        import transformers
    except ModuleNotFoundError:
        raise UsageError(NO_TRANSFORMERS) from None
    return transformers


def _load_tokenizer(kinds: Any, folder: Path) -> Any:
    options: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    tokenizer = kinds.AutoTokenizer.from_pretrained(folder, **options)
    if getattr(tokenizer, "add_prefix_space", None) is False:  # words would lose their beginning
        return kinds.AutoTokenizer.from_pretrained(folder, add_prefix_space=True, **options)
    return tokenizer


def _prepared(model: Any, path: str) -> nn.Module:
    """Return a model with 32-bit numbers and without what nobody needs here."""
    if model.config.is_encoder_decoder or not hasattr(model.config, "num_hidden_layers"):
        kind = model.config.model_type
        raise InputError(f"a model of the kind {kind}", "an encoder such as BERT", path=path)
    if getattr(model, "pooler", None) is not None:
        model.pooler = None  # it makes one vector of the whole sentence
    return model.float()  # type: ignore[no-any-return]  # some are stored as 16-bit numbers


def _positions(model: nn.Module) -> int:
    """Return how many sub-tokens the model has positions for."""
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, nn.Embedding):
            # Some models count from the number after that of the padding.
            used = 0 if module.padding_idx is None else module.padding_idx + 1
            return module.num_embeddings - used
    found = int(getattr(model.config, "max_position_embeddings", 0) or 0)
    return found if found > 0 else _LARGEST_WINDOW  # some say -1 for any number


@contextmanager
def _quietly() -> Iterator[None]:
    """Let transformers neither print nor log nor draw progress bars."""
    from transformers.utils import logging

    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Turn what goes wrong in reading an encoder into an InputError that names its folder."""
    try:
        yield
    except InputError:
        raise
    except ImportError as error:  # a package for one kind of tokenizer
        raise UsageError(f"{path}: {str(error).strip()}") from None
    except Exception as error:  # transformers raises many kinds
        found = " ".join(str(error).split()) or type(error).__name__
        raise InputError(found, "an encoder that transformers can read", path=path) from None

"""Vectors of words from a pretrained encoder, through the library transformers.

A frozen encoder stays as it is: its vectors are computed without gradients, and they may be
remembered. A fine-tuned one is a part of the network and learns with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from crossbranch.neural.encoder_files import StoredEncoder
from crossbranch.neural.encoder_loading import (
    LoadedEncoder,
    frozen_encoder,
    load_encoder,
    rebuild_encoder,
)
from crossbranch.neural.settings import PretrainedSettings
from crossbranch.neural.subtokens import Windows
from crossbranch.tree import Sentence

_LARGEST = 65504.0  # 16-bit float
REMEMBERED_BYTES = 2 << 30
"""The memory for vectors of training sentences."""


def layer_vectors(model: nn.Module, windows: Windows, settings: PretrainedSettings) -> Tensor:
    """Return the vectors of words at one or all layers: [words, layers, size]."""
    is_mixed = settings.layers == "mix"
    padding = getattr(model.config, "pad_token_id", None) or 0
    parts = []
    for numbers, mask in windows.padded(padding):
        found = model(input_ids=numbers, attention_mask=mask, output_hidden_states=is_mixed)
        layers = found.hidden_states if is_mixed else (found.last_hidden_state,)
        parts.append(torch.stack(layers, 2)[mask.bool()])
    vectors = torch.cat(parts)
    if settings.pooling == "first":
        return vectors[windows.pieces[windows.starts]]
    means = functional.embedding_bag(
        windows.pieces, vectors.flatten(1), windows.starts, mode="mean"
    )
    return means.view(-1, *vectors.shape[1:])


class PretrainedInput(nn.Module):
    """The part of a network that reads the vectors of a pretrained encoder."""

    def __init__(
        self, settings: PretrainedSettings, loaded: LoadedEncoder, *, is_tuned: bool
    ) -> None:
        super().__init__()
        self.size = loaded.size
        self._settings = settings
        self.model = loaded.model if is_tuned else None
        self.mix: nn.Parameter | None = None
        if settings.layers == "mix":
            self.mix = nn.Parameter(torch.zeros(loaded.layers))
            self.scale = nn.Parameter(torch.ones(1))

    def forward(self, given: Tensor | Windows) -> Tensor:
        """Return a vector for each word, from vectors of all layers or from sub-tokens."""
        if isinstance(given, Windows):
            assert self.model is not None
            given = layer_vectors(self.model, given, self._settings)
        if self.mix is not None:
            shares = torch.softmax(self.mix, 0)
            vectors = self.scale * torch.einsum("l,wls->ws", shares, given)
        else:
            vectors = given[:, -1]
        return functional.dropout(vectors, self._settings.dropout, self.training)


class PretrainedReader:
    """Makes what `PretrainedInput` reads: sub-tokens, or the vectors of a frozen encoder.

    Vectors are rounded to 16 bits, remembered or not, so that both are the same.
    """

    def __init__(
        self,
        settings: PretrainedSettings,
        loaded: LoadedEncoder,
        surfaces: Mapping[str, str],
        device: str,
    ) -> None:
        self._settings = settings
        self._model = loaded.model
        self._tokenizer = loaded.sub_tokenizer(surfaces)
        self._device = device
        self._remembered: dict[tuple[str, ...], Tensor] = {}

    def read(self, sentences: Sequence[Sentence]) -> Tensor | Windows:
        """Return the input of the network for a batch of sentences."""
        if self._settings.tune:
            return self._tokenizer.windows(sentences).to(self._device)
        keys = [_forms(sentence) for sentence in sentences]
        new = {
            key: one
            for key, one in zip(keys, sentences, strict=True)
            if key not in self._remembered
        }
        computed = dict(zip(new, self._computed(list(new.values())), strict=True)) if new else {}
        parts = [computed[key] if key in computed else self._remembered[key] for key in keys]
        return torch.cat(parts).to(self._device).float()

    def _computed(self, sentences: Sequence[Sentence]) -> tuple[Tensor, ...]:
        """Return the vectors of each sentence, on the CPU."""
        with torch.no_grad():
            windows = self._tokenizer.windows(sentences).to(self._device)
            vectors = layer_vectors(self._model, windows, self._settings)
            rounded = vectors.clamp(-_LARGEST, _LARGEST).half().cpu()
        return torch.split(rounded, [len(sentence) for sentence in sentences])

    def remember(
        self, sentences: Sequence[Sentence], *, limit: int = REMEMBERED_BYTES, batch: int = 64
    ) -> None:
        """Compute the vectors of these sentences now, as far as the memory goes: `limit` bytes.

        The order is fixed, so that training that is resumed sees the same numbers.
        """
        if self._settings.tune:
            return
        ordered = sorted(
            {_forms(one): one for one in sentences}.items(), key=lambda one: len(one[0])
        )
        for start in range(0, len(ordered), batch):
            some = ordered[start : start + batch]
            for (key, _), vectors in zip(
                some, self._computed([sentence for _, sentence in some]), strict=True
            ):
                limit -= vectors.nbytes
                if limit < 0:
                    return
                self._remembered[key] = vectors.clone()


def _forms(sentence: Sentence) -> tuple[str, ...]:
    return tuple(token.form for token in sentence)


class Pretrained(NamedTuple):
    """Everything about the pretrained encoder of a parser."""

    stored: StoredEncoder
    reader: PretrainedReader
    input: PretrainedInput

    @classmethod
    def to_train(
        cls, settings: PretrainedSettings, *, surfaces: Mapping[str, str], device: str
    ) -> Pretrained:
        """Load the encoder that the settings name."""
        stored = StoredEncoder.of(settings.path)
        if not settings.tune:
            return cls.to_parse(settings, stored, surfaces=surfaces, device=device)
        loaded = load_encoder(stored.find())
        stored = StoredEncoder(place=stored.place, sha256=stored.sha256, files=loaded.files())
        return cls._of(settings, stored, loaded, surfaces, device)

    @classmethod
    def to_parse(
        cls,
        settings: PretrainedSettings,
        stored: StoredEncoder,
        *,
        surfaces: Mapping[str, str],
        device: str,
        path: str = "<pretrained>",
    ) -> Pretrained:
        """Load the encoder that a parser was trained with; `path` is for messages.

        A fine-tuned one gets its weights with the rest of the network.
        """
        if settings.tune:
            loaded = rebuild_encoder(stored.files, path=path)
        else:
            loaded = frozen_encoder(stored.find(), stored.sha256, device)
        return cls._of(settings, stored, loaded, surfaces, device)

    @classmethod
    def _of(
        cls,
        settings: PretrainedSettings,
        stored: StoredEncoder,
        loaded: LoadedEncoder,
        surfaces: Mapping[str, str],
        device: str,
    ) -> Pretrained:
        reader = PretrainedReader(settings, loaded, surfaces, device)
        return cls(stored, reader, PretrainedInput(settings, loaded, is_tuned=settings.tune))

"""The tokens of a batch as tensors, one sentence after the other, without padding."""

from __future__ import annotations

from array import array
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import PackedSequence

from crossbranch.neural.subtokens import Windows
from crossbranch.neural.vocabulary import EncodedTokens


class Packing(NamedTuple):
    """How sequences of different lengths, one after the other, become a packed sequence."""

    to_packed: Tensor
    """For each place in the packed sequence, the place of the element in the flat list."""
    to_flat: Tensor
    """The inverse."""
    batch_sizes: Tensor  # on the CPU: how many sequences have a first, a second ... element
    order: Tensor
    """The numbers of the sequences, the longest first."""
    lengths: Tensor
    """Of the sequences, in their first order."""

    @classmethod
    def of(cls, lengths: Tensor, device: str) -> Packing:
        """Compute it from the lengths of the sequences, which are on the CPU and at least 1."""
        order = torch.argsort(lengths, descending=True, stable=True)
        ordered = lengths[order]
        longest = int(ordered[0])
        starts = torch.cumsum(lengths, 0) - lengths
        steps = torch.arange(longest)
        exists = steps[:, None] < ordered[None, :]
        places = (starts[order][None, :] + steps[:, None])[exists]
        inverse = torch.empty_like(places)
        inverse[places] = torch.arange(len(places))
        return cls(
            places.to(device),
            inverse.to(device),
            exists.sum(1),
            order.to(device),
            lengths.to(device),
        )

    def pack(self, flat: Tensor) -> PackedSequence:
        """Return the elements as a packed sequence, for an LSTM."""
        return PackedSequence(flat[self.to_packed], self.batch_sizes)

    def unpack(self, packed: PackedSequence) -> Tensor:
        """Return the elements of a packed sequence in their first order."""
        return packed.data[self.to_flat]

    def unsort(self, states: Tensor) -> Tensor:
        """Return one vector for each sequence in the first order of the sequences."""
        found = torch.empty_like(states)
        found[self.order] = states
        return found


class TokenBatch(NamedTuple):
    """The tokens of some sentences, as a network needs them."""

    words: Tensor
    tags: Tensor
    forms: Tensor
    characters: Tensor
    form_packing: Packing
    packing: Packing
    sentences: Tensor
    """The number of the sentence of each token."""
    sentence_count: int
    features: Tensor | None = None
    """Numbers of other programs, a row for each token."""
    pretrained: Tensor | Windows | None = None
    """What a pretrained encoder gives or reads; see `pretrained.PretrainedReader`."""

    @classmethod
    def of(
        cls,
        encoded: EncodedTokens,
        device: str = "cpu",
        features: array[float] | None = None,
        pretrained: Tensor | Windows | None = None,
    ) -> TokenBatch:
        """Make tensors on a device. `features` has a row for each token, one after the other."""
        lengths = tensor(encoded.lengths)
        numbers = torch.arange(len(lengths))
        return cls(
            words=tensor(encoded.words).to(device),
            tags=tensor(encoded.tags).to(device),
            forms=tensor(encoded.forms).to(device),
            characters=tensor(encoded.characters).to(device),
            form_packing=Packing.of(tensor(encoded.form_lengths), device),
            packing=Packing.of(lengths, device),
            sentences=torch.repeat_interleave(numbers, lengths).to(device),
            sentence_count=len(lengths),
            features=_rows(features, len(encoded.words)).to(device) if features else None,
            pretrained=pretrained,
        )


def tensor(numbers: array[int]) -> Tensor:
    """Return the numbers of an array as a tensor of 64-bit numbers."""
    if not numbers:
        return torch.empty(0, dtype=torch.int64)
    return torch.frombuffer(numbers, dtype=torch.int32).to(torch.int64)


def _rows(features: array[float], tokens: int) -> Tensor:
    return torch.frombuffer(features, dtype=torch.float32).view(tokens, -1)

"""Weights between torch and files. Files are in the safetensors format; see `models.tensors`."""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import string_at

import torch
from torch import Tensor

from crossbranch.models import tensors


def pack(weights: Mapping[str, Tensor], storage: tensors.Storage = "float32") -> bytes:
    """Return weights as the content of a file."""
    stored = {name: _stored(one) for name, one in weights.items()}
    return tensors.write_tensors(stored, storage=storage)


def _stored(weight: Tensor) -> tensors.Tensor:
    plain = weight.detach().to("cpu", torch.float32).contiguous()
    data = string_at(plain.data_ptr(), plain.numel() * plain.element_size())
    return tensors.Tensor(tuple(plain.shape), data)


def unpack(content: bytes, *, path: str = "<weights>") -> dict[str, Tensor]:
    """Return the weights of a file. Raises DamageError, which names `path`."""
    found = tensors.read_tensors(content, path=path)
    return {name: _loaded(one) for name, one in found.items()}


def _loaded(stored: tensors.Tensor) -> Tensor:
    if not stored.data:  # torch takes no empty buffer
        return torch.empty(stored.shape)
    return torch.frombuffer(bytearray(stored.data), dtype=torch.float32).view(stored.shape)

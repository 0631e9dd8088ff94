"""Dropout, with little chance: 16 random bits for each number."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

_BITS = 16
_LOWEST = -(2**63)


def dropout(values: Tensor, share: float, is_training: bool) -> Tensor:
    """Hide a share of the numbers, in training; the others become larger.

    On a CPU, torch draws each number with 32 bits or more, which takes longer than a small layer.
    The share is rounded to a multiple of 1 / 65,536.
    """
    if not is_training or not share or values.device.type != "cpu":
        return functional.dropout(values, share, is_training)
    count = values.numel()
    bits = torch.empty(-(-count // 4), dtype=torch.int64).random_(_LOWEST, None)
    limit = round(share * 2**_BITS) - 2 ** (_BITS - 1)
    is_kept: Tensor = bits.view(torch.int16)[:count].view(values.shape) >= limit
    return values * (is_kept / (1 - share))

"""The device that a network runs on, and the numbers that it computes with."""

from __future__ import annotations

import ctypes
import re
import sys
from contextlib import suppress
from typing import Any

import torch
from torch import Tensor

from crossbranch.errors import UsageError

_MEMORY = {-1: 512 << 20, -2: 64 << 20, -3: 32 << 20}
"""mallopt: memory that is kept, memory to ask for at once, and the size that is not kept."""


def training_device(name: str, local_rank: int = 0) -> str:
    """Return the device of a setting. Each process of a team has a GPU of its own, if there is one.

    Raises:
        UsageError: There is no such device.
    """
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if name == "auto":
        name = "cuda" if count else "cpu"
    if name == "cuda" and local_rank:
        name = f"cuda:{local_rank}"
    if not re.fullmatch(r"cpu|cuda(:[0-9]{1,4})?", name):
        raise UsageError(
            f"the setting device is {name!r}, expected auto, cpu, cuda, or cuda:1 for the second"
            " GPU, and so on"
        )
    if name != "cpu" and int(name.partition(":")[2] or 0) >= count:
        found = f"only {count}" if count else "no GPU"
        raise UsageError(f"the setting device is {name!r}, but torch finds {found}")
    return name


def short_numbers(device: str, enabled: bool) -> torch.autocast:
    """Let torch compute with 16-bit numbers on a device where it thinks that they do."""
    return torch.autocast(device.partition(":")[0], dtype=torch.bfloat16, enabled=enabled)


def keep_memory() -> None:
    """Let this process keep the memory that tensors give back, for the next ones.

    Otherwise the C library asks the system for most of it in every update, which takes long.
    """
    if sys.platform != "linux":
        return
    with suppress(AttributeError):  # another C library than GNU's
        change = ctypes.CDLL(None).mallopt
        for option, size in _MEMORY.items():
            change(option, size)


def seed_chance(seed: int, device: str) -> None:
    """Let what is random on the CPU and the device depend on this seed alone.

    torch.manual_seed looks for all kinds of devices, which takes as long as a small layer.
    """
    if device == "cpu":
        torch.default_generator.manual_seed(seed)
    else:
        torch.manual_seed(seed)


def numbers(values: Any, device: str = "cpu", kind: torch.dtype = torch.int32) -> Tensor:
    """Return an array of the core as a tensor, on a device and without a copy if it is the CPU."""
    if not len(values):
        return torch.empty(0, dtype=kind, device=device)
    return torch.frombuffer(values, dtype=kind).to(device, non_blocking=True)

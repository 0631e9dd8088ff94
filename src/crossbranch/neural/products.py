"""Matrix products whose way back is quick on a CPU."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


def is_plain(values: Tensor) -> bool:
    """Say whether a CPU computes with these numbers, and with all of their bits."""
    is_short = torch.is_autocast_enabled("cpu") or values.dtype != torch.float32
    return values.device.type == "cpu" and not is_short


def products_by_place(rows: Tensor, matrix: Tensor, bias: Tensor) -> Tensor:
    """Multiply the rows of each place with their own part of a matrix.

    Args:
        rows: [places, rows, size]
        matrix: [outputs, places * size]
        bias: It is added at the first place only: [outputs]

    Returns:
        [places, rows, outputs]
    """
    if is_plain(rows):
        found: Tensor = _Products.apply(rows, matrix)  # type: ignore[no-untyped-call]
        return torch.cat((found[:1] + bias, found[1:]))
    places, _, size = rows.shape
    parts = matrix.view(-1, places, size).permute(1, 2, 0)
    start = torch.nn.functional.pad(bias[None, None], (0, 0, 0, 0, 0, places - 1))
    return torch.baddbmm(start, rows, parts)


class _Products(torch.autograd.Function):
    """Torch itself writes the gradient of the matrix in another order, and then copies it."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor, matrix: Tensor) -> Tensor:
        ctx.save_for_backward(rows, matrix)
        found = rows.new_empty(*rows.shape[:2], len(matrix))
        for one, some, part in zip(found, rows, _parts(matrix, rows), strict=True):
            torch.mm(some, part.t(), out=one)
        return found

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor]:
        rows, matrix = ctx.saved_tensors
        of_rows, of_matrix = torch.empty_like(rows), torch.empty_like(matrix)
        parts, of_parts = _parts(matrix, rows), _parts(of_matrix, rows)
        for i, (one, some) in enumerate(zip(gradients[0], rows, strict=True)):
            torch.mm(one, parts[i], out=of_rows[i])
            torch.mm(one.t(), some, out=of_parts[i])
        return of_rows, of_matrix


def _parts(matrix: Tensor, rows: Tensor) -> tuple[Tensor, ...]:
    return torch.split(matrix, rows.shape[2], dim=1)

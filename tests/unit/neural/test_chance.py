"""Noise and dropout: what they depend on, and how much there is of them."""

from __future__ import annotations

from typing import Any

import pytest

torch: Any = pytest.importorskip("torch", reason="needs torch (crossbranch[neural])")

from crossbranch.neural.dropout import dropout  # noqa: E402
from crossbranch.neural.noise import NoisePool  # noqa: E402

SHAPES = [(300, 200), (7,), (300, 200)]


def noise(pool: NoisePool, update: int) -> list[Any]:
    return [one.clone() for one in pool.of(update, [torch.empty(shape) for shape in SHAPES])]


def pool(seed: int = 1) -> NoisePool:
    return NoisePool(seed, [torch.empty(shape) for shape in SHAPES])


def equal(some: list[Any], others: list[Any]) -> bool:
    return all(map(torch.equal, some, others))


def test_noise_depends_on_the_seed_and_the_update_alone() -> None:
    one, after_others = pool(), pool()
    for update in (0, 5, 255, 256, 1000):
        noise(after_others, update)
    torch.manual_seed(17)
    assert equal(noise(one, 700), noise(after_others, 700))
    assert equal(noise(one, 700), noise(one, 700))
    assert not equal(noise(one, 700), noise(one, 701))
    assert not equal(noise(one, 700), noise(one, 1500))
    assert not equal(noise(one, 700), noise(pool(2), 700))


def test_noise_is_normal_and_different_for_each_weight() -> None:
    first, small, second = noise(pool(), 3)
    assert [tuple(one.shape) for one in (first, small, second)] == SHAPES
    assert float(first.mean()) == pytest.approx(0, abs=0.02)
    assert float(first.std()) == pytest.approx(1, abs=0.02)
    assert not torch.equal(first, second)


@pytest.mark.parametrize("share", [0.1, 0.2, 0.5, 0.9])
def test_dropout_hides_a_share(share: float) -> None:
    torch.manual_seed(5)
    values = torch.ones(401, 501, requires_grad=True)
    found = dropout(values, share, True)
    assert float((found == 0).float().mean()) == pytest.approx(share, abs=0.005)
    assert torch.allclose(found[found != 0], torch.tensor(1 / (1 - share)))
    by_row, by_column = (found == 0).float().mean(0), (found == 0).float().mean(1)
    assert float(by_row.std()) < 0.04
    assert float(by_column.std()) < 0.04
    found.sum().backward()  # type: ignore[no-untyped-call]
    assert torch.equal(values.grad, found.detach())


def test_dropout_depends_on_the_seed() -> None:
    def drawn(seed: int) -> Any:
        torch.manual_seed(seed)
        return dropout(torch.ones(100), 0.5, True)

    assert torch.equal(drawn(1), drawn(1))
    assert not torch.equal(drawn(1), drawn(2))


def test_nothing_is_hidden_without_need() -> None:
    values = torch.randn(3, 5)
    assert torch.equal(dropout(values, 0.5, False), values)
    assert torch.equal(dropout(values, 0.0, True), values)

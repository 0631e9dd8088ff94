"""Optimizers, compared with torch's own and with their formulas."""

from __future__ import annotations

from typing import Any

import pytest

torch: Any = pytest.importorskip("torch", reason="needs torch (crossbranch[neural])")

from crossbranch.neural.optimizing import Optimizer  # noqa: E402
from crossbranch.neural.settings import OptimizerSettings  # noqa: E402


def settings(**values: Any) -> OptimizerSettings:
    plain = {"rate": 0.1, "warm_up": 0, "clip": 0.0, "final": 1.0}
    return OptimizerSettings(**{**plain, **values})


def network() -> Any:
    torch.manual_seed(1)
    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))


def gradients(module: Any, update: int) -> None:
    """Compute gradients that depend on the weights and the number of the update."""
    torch.manual_seed(100 + update)
    module(torch.randn(6, 3)).pow(2).sum().backward()


def weights(module: Any) -> list[Any]:
    return [one.detach().clone() for one in module.parameters()]


def test_averaged_sgd() -> None:
    module = network()
    optimizer = Optimizer(module, settings(method="asgd", decay=0.5), 10)
    seen = []
    for update in range(4):
        gradients(module, update)
        rate = 0.1 / (1 + 0.5 * update)
        assert optimizer.rate == pytest.approx(rate)
        expected = [one.detach() - rate * one.grad for one in module.parameters()]
        optimizer.step()
        assert all(map(torch.allclose, weights(module), expected))
        assert all(one.grad is None for one in module.parameters())
        seen.append(weights(module))
    means = [torch.stack(some).mean(0) for some in zip(*seen, strict=True)]
    averaged = optimizer.averaged()
    assert list(averaged) == ["0.weight", "0.bias", "2.weight", "2.bias"]
    for mean, found in zip(means, averaged.values(), strict=True):
        assert torch.allclose(found, mean, atol=1e-6)


@pytest.mark.parametrize("decay", [0.0, 0.3])
def test_adamw_does_what_torch_does(decay: float) -> None:
    ours, theirs = network(), network()
    optimizer = Optimizer(ours, settings(beta2=0.95, weight_decay=decay), 10)
    expected = torch.optim.AdamW(
        theirs.parameters(), lr=0.1, betas=(0.9, 0.95), weight_decay=decay, eps=1e-8
    )
    for update in range(6):
        gradients(ours, update)
        gradients(theirs, update)
        optimizer.step()
        expected.step()
        expected.zero_grad()
    for one, other in zip(weights(ours), weights(theirs), strict=True):
        assert torch.allclose(one, other, atol=1e-6)
    for one, other in zip(optimizer.averaged().values(), weights(ours), strict=True):
        assert torch.equal(one, other)  # without `average`: the last weights


def test_warm_up_and_decay() -> None:
    def rates(updates: int, **values: Any) -> list[float]:
        optimizer = Optimizer(network(), settings(**values), 10)
        found = []
        for number in range(updates):
            optimizer.updates = number
            found.append(optimizer.rate)
        return found

    assert rates(5, method="asgd", warm_up=4) == pytest.approx([0.025, 0.05, 0.075, 0.1, 0.1])
    fall = rates(13, final=0.2)
    assert fall[0] == pytest.approx(0.1)
    assert fall[5] == pytest.approx(0.1 * (0.2 + 0.8 * 0.5))
    assert fall[10:] == pytest.approx([0.02] * 3)  # more updates than planned: the rate stays
    assert rates(2, warm_up=2, final=0.0) == pytest.approx([0.05, 0.09])


def test_clipping_limits_the_norm_of_all_gradients_together() -> None:
    module = network()
    before = weights(module)
    gradients(module, 0)
    norm = torch.cat([one.grad.flatten() for one in module.parameters()]).norm()
    assert norm > 1
    Optimizer(module, settings(method="asgd", clip=1.0), 10).step()
    moved = [one - other for one, other in zip(weights(module), before, strict=True)]
    assert float(torch.cat([one.flatten() for one in moved]).norm()) == pytest.approx(0.1, rel=1e-3)


def test_noise_becomes_less() -> None:
    deviations = []
    for done in (0, 99):
        module = torch.nn.Linear(100, 100)
        optimizer = Optimizer(module, settings(method="asgd", rate=1.0, noise=0.5), 10)
        optimizer.updates = done
        before = module.weight.detach().clone()
        module.weight.grad = torch.zeros_like(before)
        optimizer.step()
        deviations.append(float((module.weight.detach() - before).std()))
    assert deviations == pytest.approx([0.5, 0.5 / 100**0.55], rel=0.05)


def test_the_moving_average_forgets_the_first_weights() -> None:
    module = torch.nn.Linear(1, 1, bias=False)
    optimizer = Optimizer(module, settings(method="adamw", average=0.75), 10)
    torch.nn.init.zeros_(module.weight)
    expected = float(optimizer.averaged()["weight"])
    for update in range(1, 7):
        module.weight.grad = torch.ones(1, 1)
        optimizer.step()
        share = max(0.25, 1 / (1 + update))
        expected += share * (float(module.weight.detach()) - expected)
        assert float(optimizer.averaged()["weight"]) == pytest.approx(expected, abs=1e-6)


def test_weights_without_a_gradient_stay() -> None:
    for method in ("asgd", "adamw"):
        module = network()
        before = weights(module)
        module[2].weight.grad = torch.ones_like(module[2].weight)
        Optimizer(module, settings(method=method, weight_decay=0.5), 10).step()
        changed = [not torch.equal(a, b) for a, b in zip(before, weights(module), strict=True)]
        assert changed == [False, False, True, False]


@pytest.mark.parametrize("method", ["asgd", "adamw"])
def test_updates_without_any_gradient_are_counted(method: str) -> None:
    module = network()
    before = weights(module)
    optimizer = Optimizer(module, settings(method=method, clip=1.0, noise=0.1), 10)
    optimizer.step()
    assert optimizer.updates == 1
    assert all(map(torch.equal, weights(module), before))
    assert all(map(torch.equal, optimizer.averaged().values(), before))


def test_fixed_weights_are_not_learned() -> None:
    module = network()
    module[0].weight.requires_grad_(False)
    assert Optimizer(module, settings(), 10).names == ["0.bias", "2.weight", "2.bias"]


@pytest.mark.parametrize(
    "values", [{"method": "asgd", "decay": 0.1}, {}, {"average": 0.9, "warm_up": 3}], ids=str
)
def test_state_and_back(values: dict[str, Any]) -> None:
    module, other = network(), torch.nn.Sequential(*network())
    optimizer = Optimizer(module, settings(**values), 10)
    for update in range(3):
        gradients(module, update)
        optimizer.step()
    again = Optimizer(other, settings(**values), 10)
    state = {name: one.clone() for name, one in optimizer.state().items()}
    again.restore(state, updates=3)
    for update in range(3, 6):
        for one, way in ((module, optimizer), (other, again)):
            gradients(one, update)
            way.step()
    assert all(map(torch.equal, weights(module), weights(other)))
    for name, one in optimizer.averaged().items():
        assert torch.equal(one, again.averaged()[name])
    assert list(again.state()) == list(state)


def table_network(*, by_rows: bool) -> Any:
    torch.manual_seed(2)
    table = torch.nn.Embedding(9, 3, sparse=by_rows)
    return torch.nn.Sequential(table, torch.nn.Linear(3, 2), torch.nn.Linear(3, 1))


def learn_from_words(module: Any, update: int) -> None:
    """Compute gradients of the vectors of some words, and of one of the two other layers."""
    words = torch.tensor([[0, 3, 3], [5], [0, 1], [7, 7, 7, 2]][update % 4])
    module[1 + update % 2](module[0](words)).pow(2).sum().backward()


def test_tables_that_learn_by_rows_learn_the_same() -> None:
    found = []
    for by_rows in (False, True):
        module = table_network(by_rows=by_rows)
        optimizer = Optimizer(module, settings(method="asgd", decay=0.1, clip=0.5), 10)
        seen = []
        for update in range(11):
            learn_from_words(module, update)
            optimizer.step()
            seen.append(weights(module))
            means = [torch.stack(some).mean(0) for some in zip(*seen, strict=True)]
            averaged = optimizer.averaged().values()
            for mean, one in zip(means, averaged, strict=True):
                assert torch.allclose(one, mean, atol=1e-6)
        found.append(weights(module))
    for one, other in zip(*found, strict=True):
        assert torch.allclose(one, other, atol=1e-6)


@pytest.mark.parametrize("by_rows", [False, True])
@pytest.mark.parametrize("looks", [0, 3])
def test_averages_that_wait_survive_an_interruption(*, by_rows: bool, looks: int) -> None:
    values = settings(method="asgd", noise=0.01)
    module, other = table_network(by_rows=by_rows), table_network(by_rows=by_rows)
    straight, first = Optimizer(module, values, 10), Optimizer(other, values, 10)
    for update in range(9):
        learn_from_words(module, update)
        straight.step()
    for update in range(5):
        learn_from_words(other, update)
        first.step()
        for _ in range(looks):
            first.averaged()
    again = Optimizer(table_network(by_rows=by_rows), values, 10)
    again.restore({name: one.clone() for name, one in first.state().items()}, updates=5)
    for name, one in first.averaged().items():
        assert torch.equal(one, again.averaged()[name])
    other = table_network(by_rows=by_rows)
    last = Optimizer(other, values, 10)
    last.restore(again.state(), updates=5)
    for update in range(5, 9):
        learn_from_words(other, update)
        last.step()
    assert all(map(torch.equal, weights(module), weights(other)))
    for name, one in straight.averaged().items():
        assert torch.equal(one, last.averaged()[name])


def test_noise_is_only_on_rows_that_have_a_gradient() -> None:
    module = table_network(by_rows=True)
    before = weights(module)[0]
    learn_from_words(module, 0)
    Optimizer(module, settings(method="asgd", noise=1.0), 10).step()
    changed = (weights(module)[0] != before).any(1)
    assert changed.nonzero().flatten().tolist() == [0, 3]


def test_noise_depends_on_the_seed() -> None:
    found = []
    for seed in (1, 1, 2):
        module = network()
        gradients(module, 0)
        Optimizer(module, settings(method="asgd", noise=1.0), 10, seed=seed).step()
        found.append(weights(module)[0])
    assert torch.equal(found[0], found[1])
    assert not torch.equal(found[0], found[2])

"""Optimizers: how weights change after each batch. All of their state is tensors with names.

`averaged` are the weights of the model: the mean of all weights so far (averaged SGD), a moving
average (AdamW with `average`), or the last weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from crossbranch.neural.averages import Averages
from crossbranch.neural.noise import NoisePool
from crossbranch.neural.settings import OptimizerSettings

_NOISE_FALL = 0.55


class Optimizer:
    """Changes the weights of a network."""

    def __init__(
        self,
        network: nn.Module,
        settings: OptimizerSettings,
        updates: int,
        *,
        rates: Mapping[str, float] | None = None,
        seed: int = 1,
    ) -> None:
        """Take the weights that are learned.

        Args:
            network: The network.
            settings: How its weights change.
            updates: The number of updates that are planned.
            rates: Learning rates of weights whose names begin in these ways.
            seed: What the noise on gradients depends on, besides the number of the update.
        """
        self.settings = settings
        self.planned = max(updates, 1)
        self.updates = 0
        named = [(name, one) for name, one in network.named_parameters() if one.requires_grad]
        self.names = [name for name, _ in named]
        self.weights: list[Tensor] = [weight for _, weight in named]
        self._groups: dict[float, list[int]] = {}  # the weights of each learning rate
        for number, name in enumerate(self.names):
            rate = settings.rate
            for start, own in (rates or {}).items():
                rate = own if name.startswith(start) else rate
            self._groups.setdefault(rate, []).append(number)
        by_rows = {id(one.weight) for one in network.modules() if getattr(one, "sparse", False)}
        tables = [i for i, weight in enumerate(self.weights) if id(weight) in by_rows]
        self._averages = Averages(self.weights, tables)
        self._noise = NoisePool(seed, self.weights) if settings.noise else None
        self._moments = [[torch.zeros_like(one) for one in self.weights] for _ in range(2)]

    @property
    def rate(self) -> float:
        """The learning rate of the next update."""
        return self._now(self.settings.rate)

    def _now(self, rate: float) -> float:
        """Return what a learning rate is at the next update."""
        settings, done = self.settings, self.updates
        rate = rate * min(1.0, (done + 1) / max(settings.warm_up, 1))
        if settings.method == "asgd":
            return rate / (1 + settings.decay * done)
        if settings.factor < 1:
            rate *= settings.factor ** (done / settings.period)
        left = max(0.0, 1 - done / self.planned)
        return rate * (settings.final + (1 - settings.final) * left)

    @torch.no_grad()
    def step(self) -> None:
        """Change the weights by their gradients, and forget these."""
        found = {i: one.grad for i, one in enumerate(self.weights) if one.grad is not None}
        gradients = {i: one.coalesce() if one.is_sparse else one for i, one in found.items()}
        values = [one.values() if one.is_sparse else one for one in gradients.values()]
        if values:
            self._clip(values)
            self._add_noise(values)
        change = self._sgd if self.settings.method == "asgd" else self._adamw
        for rate, group in self._groups.items():
            if some := {i: gradients[i] for i in group if i in gradients}:
                change(some, self._now(rate))
        self.updates += 1
        if self.settings.method == "adamw" and self.settings.average:
            # At the beginning, the average must forget the first, random weights.
            share = max(1 - self.settings.average, 1 / (1 + self.updates))
            torch._foreach_lerp_(self._averages.values, self.weights, share)
        for weight in self.weights:
            weight.grad = None

    def _clip(self, gradients: list[Tensor]) -> None:
        if not (clip := self.settings.clip):
            return
        norm = torch.linalg.vector_norm(torch.stack(torch._foreach_norm(gradients)))
        # A GPU would have to be waited for; there, factors of 1 are quick.
        if norm.is_cuda or float(norm) > clip - 1e-6:
            torch._foreach_mul_(gradients, torch.clamp(clip / (norm + 1e-6), max=1.0))

    def _add_noise(self, gradients: list[Tensor]) -> None:
        if self._noise is not None:
            deviation = self.settings.noise / (1 + self.updates) ** _NOISE_FALL
            noise = self._noise.of(self.updates, gradients)
            torch._foreach_add_(gradients, noise, alpha=deviation)

    def _sgd(self, gradients: dict[int, Tensor], rate: float) -> None:
        whole = [number for number, one in gradients.items() if not one.is_sparse]
        self._averages.before_change(whole, self.updates)
        if whole:
            weights = [self.weights[i] for i in whole]
            torch._foreach_add_(weights, [gradients[i] for i in whole], alpha=-rate)
        for number in gradients.keys() - whole:
            rows, values = gradients[number].indices()[0], gradients[number].values()
            self._averages.before_rows_change(number, rows, self.updates)
            self.weights[number].index_add_(0, rows, values, alpha=-rate)

    def _adamw(self, some: dict[int, Tensor], rate: float) -> None:
        beta1, beta2 = 0.9, self.settings.beta2
        weights, gradients = [self.weights[i] for i in some], list(some.values())
        means, squares = ([moments[i] for i in some] for moments in self._moments)
        torch._foreach_lerp_(means, gradients, 1 - beta1)
        torch._foreach_mul_(squares, beta2)
        torch._foreach_addcmul_(squares, gradients, gradients, 1 - beta2)
        done = self.updates + 1
        if self.settings.weight_decay:
            torch._foreach_mul_(weights, 1 - rate * self.settings.weight_decay)
        roots = torch._foreach_sqrt(squares)
        torch._foreach_div_(roots, (1 - beta2**done) ** 0.5)
        torch._foreach_add_(roots, self.settings.epsilon)
        torch._foreach_addcdiv_(weights, means, roots, -rate / (1 - beta1**done))

    @torch.no_grad()
    def averaged(self) -> dict[str, Tensor]:
        """Return copies of the weights of the model so far."""
        if self.settings.method == "asgd":
            found = self._averages.after(self.updates)
        else:
            last = self._averages.values if self.settings.average else self.weights
            found = [one.detach().clone() for one in last]
        return dict(zip(self.names, found, strict=True))

    @contextmanager
    def using_averages(self) -> Iterator[None]:
        """Give the network the weights of the model for a while."""
        kept = [weight.detach().clone() for weight in self.weights]
        self._set(self.averaged().values())
        try:
            yield
        finally:
            self._set(kept)

    @torch.no_grad()
    def _set(self, values: Iterable[Tensor]) -> None:
        for weight, value in zip(self.weights, values, strict=True):
            weight.copy_(value)

    def state(self) -> dict[str, Tensor]:
        """Return everything that is needed to go on, by name; besides the number of updates."""
        groups: dict[str, list[Tensor]] = {"weight": self.weights, "average": self._averages.values}
        if self.settings.method == "adamw":
            groups |= {"mean": self._moments[0], "square": self._moments[1]}
        found = {
            f"{group}/{name}": one.detach()
            for group, some in groups.items()
            for name, one in zip(self.names, some, strict=True)
        }
        if self.settings.method == "asgd":
            found |= self._averages.waiting(self.names, self.updates)
        return found

    @torch.no_grad()
    def restore(self, state: Mapping[str, Tensor], *, updates: int) -> None:
        """Go on from what `state` returned, after this number of updates."""
        groups: dict[str, list[Tensor]] = {
            "weight": self.weights,
            "average": self._averages.values,
            "mean": self._moments[0],
            "square": self._moments[1],
        }
        for group, some in groups.items():
            for name, one in zip(self.names, some, strict=True):
                if (saved := state.get(f"{group}/{name}")) is not None:
                    one.copy_(saved)
        self._averages.restore(state, self.names, updates)
        self.updates = updates

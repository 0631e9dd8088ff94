"""Optimizers: how weights change after each batch. All of their state is tensors with names.

`averaged` are the weights of the model: the mean of all weights so far (averaged SGD), a moving
average (AdamW with `average`), or the last weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn

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
    ) -> None:
        """Take the weights that are learned.

        Args:
            network: The network.
            settings: How its weights change.
            updates: The number of updates that are planned.
            rates: Learning rates of weights whose names begin in these ways.
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
        self._averages = [weight.detach().clone() for weight in self.weights]
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
        weights: list[Tensor] = [weight for weight in self.weights if weight.grad is not None]
        gradients = [weight.grad for weight in weights if weight.grad is not None]
        if self.settings.clip:
            nn.utils.clip_grad_norm_(weights, self.settings.clip)
        if self.settings.noise:
            deviation = self.settings.noise / (1 + self.updates) ** _NOISE_FALL
            for gradient in gradients:
                gradient.add_(torch.randn_like(gradient), alpha=deviation)
        for rate, group in self._groups.items():
            some = [number for number in group if self.weights[number].grad is not None]
            if self.settings.method == "asgd":
                self._sgd(some, self._now(rate))
            else:
                self._adamw(some, self._now(rate))
        self.updates += 1
        self._average()
        for weight in self.weights:
            weight.grad = None

    def _sgd(self, some: list[int], rate: float) -> None:
        weights: list[Tensor] = [self.weights[i] for i in some]
        gradients = [weight.grad for weight in weights if weight.grad is not None]
        if weights:
            torch._foreach_add_(weights, gradients, alpha=-rate)

    def _adamw(self, some: list[int], rate: float) -> None:
        beta1, beta2 = 0.9, self.settings.beta2
        weights: list[Tensor] = [self.weights[i] for i in some]
        gradients = [weight.grad for weight in weights if weight.grad is not None]
        if not weights:
            return
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

    def _average(self) -> None:
        if self.settings.method == "asgd":
            torch._foreach_lerp_(self._averages, self.weights, 1 / self.updates)
        elif self.settings.average:
            # At the beginning, the average must forget the first, random weights.
            weight = max(1 - self.settings.average, 1 / (1 + self.updates))
            torch._foreach_lerp_(self._averages, self.weights, weight)

    def averaged(self) -> dict[str, Tensor]:
        """Return copies of the weights of the model so far."""
        is_last = self.settings.method == "adamw" and not self.settings.average
        found = self.weights if is_last else self._averages
        return {name: one.detach().clone() for name, one in zip(self.names, found, strict=True)}

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
        groups: dict[str, list[Tensor]] = {"weight": self.weights, "average": self._averages}
        if self.settings.method == "adamw":
            groups |= {"mean": self._moments[0], "square": self._moments[1]}
        return {
            f"{group}/{name}": one.detach()
            for group, some in groups.items()
            for name, one in zip(self.names, some, strict=True)
        }

    @torch.no_grad()
    def restore(self, state: Mapping[str, Tensor], *, updates: int) -> None:
        """Go on from what `state` returned, after this number of updates."""
        groups: dict[str, list[Tensor]] = {
            "weight": self.weights,
            "average": self._averages,
            "mean": self._moments[0],
            "square": self._moments[1],
        }
        for group, some in groups.items():
            for name, one in zip(self.names, some, strict=True):
                if (saved := state.get(f"{group}/{name}")) is not None:
                    one.copy_(saved)
        self.updates = updates

"""Transformations of one gradient at a time: scaled, clipped, with decay of weights, or for some parameters only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from adjoint.nn.optimizers.base import GradientTransformation, Parameters, check_length, stepped
from adjoint.nn.optimizers.flags import flagged, flags_of
from adjoint.nn.optimizers.ranges import number, plain
from adjoint.nn.optimizers.scaling import squared, zeros
from adjoint.trees import Structure


class ScaleByScheduleState(NamedTuple):
    """The number of steps."""

    count: int  # type: ignore[assignment]  # a tuple has a method of this name


class WeightDecaySchedule(NamedTuple):
    """The number of steps."""

    count: int  # type: ignore[assignment]  # a tuple has a method of this name


class MaskedState(NamedTuple):
    """The state of what is masked."""

    inner_state: Any


@dataclass(frozen=True)
class Scale(GradientTransformation):
    """The transformation that `scale` gives."""

    step_size: Any

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        return {path: self.step_size * g for path, g in updates.items()}, state


@dataclass(frozen=True)
class ScaleBySchedule(GradientTransformation):
    """The transformation that `scale_by_schedule` gives."""

    step_size_fn: Any
    sign: int = 1
    state_class = ScaleByScheduleState

    def start(self, parameters: Parameters) -> ScaleByScheduleState:
        return ScaleByScheduleState(0)

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        factor = self.sign * _at(self.step_size_fn, state.count)
        return {path: factor * g for path, g in updates.items()}, ScaleByScheduleState(state.count + 1)


@dataclass(frozen=True)
class AddDecayedWeights(GradientTransformation):
    """The transformation that `add_decayed_weights` gives for a number."""

    weight_decay: Any

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        return {path: g + self.weight_decay * parameters[path] for path, g in updates.items()}, state


@dataclass(frozen=True)
class AddScheduledWeights(GradientTransformation):
    """The transformation that `add_decayed_weights` gives for a schedule."""

    weight_decay: Any
    state_class = WeightDecaySchedule

    def start(self, parameters: Parameters) -> WeightDecaySchedule:
        return WeightDecaySchedule(0)

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        decay = _at(self.weight_decay, state.count)
        moved = {path: g + decay * parameters[path] for path, g in updates.items()}
        return moved, WeightDecaySchedule(state.count + 1)


@dataclass(frozen=True)
class Clip(GradientTransformation):
    """The transformation that `clip` gives."""

    max_delta: Any

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        return {path: np.clip(g, -self.max_delta, self.max_delta) for path, g in updates.items()}, state


@dataclass(frozen=True)
class ClipByGlobalNorm(GradientTransformation):
    """The transformation that `clip_by_global_norm` gives."""

    max_norm: Any

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        norm = global_norm_of(updates)
        if norm < self.max_norm:
            return updates, state
        factor = plain(self.max_norm / norm)
        return {path: g * factor for path, g in updates.items()}, state


@dataclass(frozen=True)
class ClipByBlockRms(GradientTransformation):
    """The transformation that `clip_by_block_rms` gives."""

    threshold: Any

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        return {path: self._clipped(g) for path, g in updates.items()}, state

    def _clipped(self, g: Any) -> Any:
        size = np.sqrt(np.mean(squared(g))) / self.threshold
        return g / plain(np.maximum(1.0, size))


@dataclass(frozen=True)
class SetToZero(GradientTransformation):
    """The transformation that `set_to_zero` gives."""

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        return zeros(updates), state


@dataclass(frozen=True)
class Identity(GradientTransformation):
    """The transformation that `identity` gives."""

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        return updates, state


@dataclass(frozen=True)
class Masked(GradientTransformation):
    """The transformation that `masked` and `selective_transform` give: `inner` where the mask is `value`; elsewhere
    nothing, or zeros."""

    inner: GradientTransformation
    mask: Any
    value: bool = True
    zero_elsewhere: bool = False
    state_class = MaskedState

    def start(self, parameters: Parameters) -> MaskedState:
        return MaskedState(self.inner.start(self._among(parameters, parameters)))

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        own = self._among(parameters, updates)
        moved, inner_state = stepped(self.inner, own, state.inner_state, self._among(parameters, parameters))
        rest = zeros(updates) if self.zero_elsewhere else updates
        return {path: moved[path] if path in moved else rest[path] for path in updates}, MaskedState(inner_state)

    def check(self, state: Any, parameters: Parameters) -> None:
        check_length(self, state, 1)
        self.inner.check(state[0], self._among(parameters, parameters))

    def check_masks(self, form: Structure) -> None:
        flagged(self.mask, form)
        self.inner.check_masks(form)

    def _among(self, parameters: Parameters, values: Parameters) -> Parameters:
        flags = flags_of(self.mask, parameters)
        return {path: value for path, value in values.items() if flags[path] is self.value}


def _at(schedule: Any, count: int) -> Any:
    """The value of a schedule after so many steps."""
    return number(f"schedule({count})", schedule(count))


def global_norm_of(updates: Parameters) -> Any:
    """√ Σ |g|² over all numbers."""
    return np.sqrt(sum([np.sum(squared(g)) for g in updates.values()]))

"""Transformations that scale gradients by what they were before: the moments of Adam, RMSProp, Adagrad, Lion, momentum.

Names, defaults and formulas are those of optax. Products and powers are element by element; |g|² is g ḡ for complex g.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from adjoint.nn.optimizers.base import GradientTransformation, Parameters
from adjoint.nn.tree import zero_like


class TraceState(NamedTuple):
    """The sum of past updates, by path."""

    trace: Parameters


class ScaleByAdamState(NamedTuple):
    """The number of steps, and the means of g and |g|² by path."""

    count: int  # type: ignore[assignment]  # a tuple has a method of this name
    mu: Parameters
    nu: Parameters


class ScaleByAmsgradState(NamedTuple):
    """The number of steps, the means of g and |g|², and the largest of the latter, by path."""

    count: int  # type: ignore[assignment]  # a tuple has a method of this name
    mu: Parameters
    nu: Parameters
    nu_max: Parameters


class ScaleByRmsState(NamedTuple):
    """The number of steps, and the mean of |g|² by path."""

    count: int  # type: ignore[assignment]  # a tuple has a method of this name
    nu: Parameters


class ScaleByStddevState(NamedTuple):
    """The number of steps, and the means of g and |g|² by path."""

    count: int  # type: ignore[assignment]  # a tuple has a method of this name
    mu: Parameters
    nu: Parameters


class ScaleByRssState(NamedTuple):
    """The sum of |g|² by path."""

    sum_of_squares: Parameters


class ScaleByLionState(NamedTuple):
    """The number of steps, and the mean of g by path."""

    count: int  # type: ignore[assignment]  # a tuple has a method of this name
    mu: Parameters


def zeros(parameters: Parameters) -> Parameters:
    """Zeros like the parameters."""
    return {path: zero_like(p) for path, p in parameters.items()}


def filled(parameters: Parameters, value: float) -> Parameters:
    """A real number for each number of the parameters."""
    return {path: _filled(p, value) for path, p in parameters.items()}


def _filled(p: Any, value: float) -> Any:
    if isinstance(p, np.ndarray):
        return np.full(p.shape, value, p.real.dtype)
    return type(p.real)(value)


def squared(x: Any) -> Any:
    """|x|²."""
    return x.real * x.real + x.imag * x.imag if np.iscomplexobj(x) else x * x


def means(updates: Parameters, before: Parameters, decay: Any) -> Parameters:
    """β m + (1 - β) g for each parameter."""
    return {path: decay * before[path] + (1 - decay) * g for path, g in updates.items()}


def means_of_squares(updates: Parameters, before: Parameters, decay: Any) -> Parameters:
    """β v + (1 - β) |g|² for each parameter."""
    return {path: decay * before[path] + (1 - decay) * squared(g) for path, g in updates.items()}


def unbiased(moments: Parameters, decay: Any, count: int) -> Parameters:
    """m / (1 - βᵗ): what began as zeros counts for nothing."""
    factor = 1 - decay**count
    return {path: m / factor for path, m in moments.items()}


@dataclass(frozen=True)
class Trace(GradientTransformation):
    """The transformation that `trace` gives."""

    decay: Any
    nesterov: bool = False
    state_class = TraceState

    def start(self, parameters: Parameters) -> TraceState:
        return TraceState(zeros(parameters))

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        new = {path: g + self.decay * state.trace[path] for path, g in updates.items()}
        if self.nesterov:
            return {path: g + self.decay * new[path] for path, g in updates.items()}, TraceState(new)
        return new, TraceState(new)


@dataclass(frozen=True)
class ScaleByAdam(GradientTransformation):
    """The transformation that `scale_by_adam` gives."""

    b1: Any = 0.9
    b2: Any = 0.999
    eps: Any = 1e-8
    eps_root: Any = 0.0
    nesterov: bool = False
    state_class = ScaleByAdamState

    def start(self, parameters: Parameters) -> ScaleByAdamState:
        return ScaleByAdamState(0, zeros(parameters), filled(parameters, 0.0))

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        count = state.count + 1
        mu = means(updates, state.mu, self.b1)
        nu = means_of_squares(updates, state.nu, self.b2)
        if self.nesterov:
            ahead, now = unbiased(mu, self.b1, count + 1), unbiased(updates, self.b1, count)
            first = {path: self.b1 * m + (1 - self.b1) * now[path] for path, m in ahead.items()}
        else:
            first = unbiased(mu, self.b1, count)
        second = unbiased(nu, self.b2, count)
        return _divided(first, second, self.eps, self.eps_root), ScaleByAdamState(count, mu, nu)


@dataclass(frozen=True)
class ScaleByAmsgrad(GradientTransformation):
    """The transformation that `scale_by_amsgrad` gives."""

    b1: Any = 0.9
    b2: Any = 0.999
    eps: Any = 1e-8
    eps_root: Any = 0.0
    state_class = ScaleByAmsgradState

    def start(self, parameters: Parameters) -> ScaleByAmsgradState:
        return ScaleByAmsgradState(0, zeros(parameters), filled(parameters, 0.0), filled(parameters, 0.0))

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        count = state.count + 1
        mu = means(updates, state.mu, self.b1)
        nu = means_of_squares(updates, state.nu, self.b2)
        second = unbiased(nu, self.b2, count)
        largest = {path: np.maximum(state.nu_max[path], v) for path, v in second.items()}
        scaled = _divided(unbiased(mu, self.b1, count), largest, self.eps, self.eps_root)
        return scaled, ScaleByAmsgradState(count, mu, nu, largest)


@dataclass(frozen=True)
class ScaleByRms(GradientTransformation):
    """The transformation that `scale_by_rms` gives."""

    decay: Any = 0.9
    eps: Any = 1e-8
    initial_scale: float = 0.0
    eps_in_sqrt: bool = True
    bias_correction: bool = False
    state_class = ScaleByRmsState

    def start(self, parameters: Parameters) -> ScaleByRmsState:
        return ScaleByRmsState(0, filled(parameters, self.initial_scale))

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        count = state.count + 1
        nu = means_of_squares(updates, state.nu, self.decay)
        second = unbiased(nu, self.decay, count) if self.bias_correction else nu
        return _by_root(updates, second, self.eps, self.eps_in_sqrt), ScaleByRmsState(count, nu)


@dataclass(frozen=True)
class ScaleByStddev(GradientTransformation):
    """The transformation that `scale_by_stddev` gives."""

    decay: Any = 0.9
    eps: Any = 1e-8
    initial_scale: float = 0.0
    eps_in_sqrt: bool = True
    bias_correction: bool = False
    state_class = ScaleByStddevState

    def start(self, parameters: Parameters) -> ScaleByStddevState:
        return ScaleByStddevState(0, zeros(parameters), filled(parameters, self.initial_scale))

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        count = state.count + 1
        mu = means(updates, state.mu, self.decay)
        nu = means_of_squares(updates, state.nu, self.decay)
        first = unbiased(mu, self.decay, count) if self.bias_correction else mu
        second = unbiased(nu, self.decay, count) if self.bias_correction else nu
        variance = {path: v - squared(first[path]) for path, v in second.items()}
        return _by_root(updates, variance, self.eps, self.eps_in_sqrt), ScaleByStddevState(count, mu, nu)


@dataclass(frozen=True)
class ScaleByRss(GradientTransformation):
    """The transformation that `scale_by_rss` gives."""

    initial_accumulator_value: float = 0.1
    eps: Any = 1e-7
    state_class = ScaleByRssState

    def start(self, parameters: Parameters) -> ScaleByRssState:
        return ScaleByRssState(filled(parameters, self.initial_accumulator_value))

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        sums = {path: squared(g) + state.sum_of_squares[path] for path, g in updates.items()}
        return {path: _over_root(g, sums[path], self.eps) for path, g in updates.items()}, ScaleByRssState(sums)


@dataclass(frozen=True)
class ScaleByLion(GradientTransformation):
    """The transformation that `scale_by_lion` gives."""

    b1: Any = 0.9
    b2: Any = 0.99
    state_class = ScaleByLionState

    def start(self, parameters: Parameters) -> ScaleByLionState:
        return ScaleByLionState(0, zeros(parameters))

    def step(self, updates: Parameters, state: Any, parameters: Parameters) -> tuple[Parameters, Any]:
        signs = {path: np.sign(m) for path, m in means(updates, state.mu, self.b1).items()}
        return signs, ScaleByLionState(state.count + 1, means(updates, state.mu, self.b2))


def _divided(first: Parameters, second: Parameters, eps: Any, eps_root: Any) -> Parameters:
    """m / (√(v + ε₀) + ε)."""
    return {path: m / (np.sqrt(second[path] + eps_root) + eps) for path, m in first.items()}


def _by_root(updates: Parameters, second: Parameters, eps: Any, in_root: bool) -> Parameters:
    """g / √(v + ε), or g / (√v + ε)."""
    if in_root:
        return {path: g / np.sqrt(second[path] + eps) for path, g in updates.items()}
    return {path: g / (np.sqrt(second[path]) + eps) for path, g in updates.items()}


def _over_root(g: Any, total: Any, eps: Any) -> Any:
    """g / √(s + ε); 0 where s is 0."""
    return g * np.where(total > 0, 1 / np.sqrt(np.where(total > 0, total + eps, 1.0)), 0.0)

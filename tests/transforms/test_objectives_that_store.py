"""Objectives of fits as users write them: objects that a function finds by a global name are set, counted and filled,
and call what they hold with stars."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, hvp, jvp, pullback
from adjoint.derivatives import choice

X = np.linspace(-2.0, 2.0, 9)
Y = np.exp(-((X - 0.3) ** 2))


def peak(x: Any, height: Any, centre: Any, width: Any = 1.0, offset: Any = None) -> Any:
    found = height * np.exp(-((x - centre) ** 2) / (2 * width**2))
    return found if offset is None else found + offset


class Objective:
    """Counts its calls, and keeps what it found."""

    def __init__(self, model: Any, log: bool = True, penalty: Any = None) -> None:
        self.model, self.log, self.penalty = model, log, penalty
        self.history: list[float] = []
        self.calls = 0
        self.best: Any = None

    def __call__(self, p: Any) -> Any:
        self.calls += 1
        f = 0.5 * np.sum((self.model(X, *p) - Y) ** 2)
        if self.penalty is not None:
            f = f + self.penalty * np.sum(p**2)
        if self.log:
            self.history.append(float(f))
        if self.best is None or f < self.best:
            self.best = f
        return f


class Counter:
    """A function with its other arguments, which is counted."""

    def __init__(self, f: Any, args: Any = (), options: Any = None, sign: float = 1.0) -> None:
        self.f, self.args, self.options, self.sign = f, args, options or {}, sign
        self.calls = 0
        self.x: Any = None

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        self.x = np.copy(x)
        return self.sign * self.f(self.x, *self.args)

    def with_options(self, x: Any) -> Any:
        self.calls += 1
        return self.sign * self.f(x, *self.args, **self.options)


def misfit(p: Any, x: Any, y: Any) -> Any:
    return np.sum((peak(x, *p) - y) ** 2)


class Prior:
    def __init__(self, centre: float, width: float) -> None:
        self.centre, self.width = centre, width

    def logpdf(self, x: Any) -> Any:
        return -0.5 * ((x - self.centre) / self.width) ** 2 - math.log(self.width)


class Parameter:
    def __init__(self, value: Any, fixed: bool = False, prior: Any = None) -> None:
        self.value, self.fixed, self.prior = value, fixed, prior

    def log_prior(self) -> Any:
        return 0.0 if self.prior is None else self.prior.logpdf(self.value)


class Posterior:
    """Parameters by name, of which some are free."""

    def __init__(self) -> None:
        free, fixed = Parameter(1.0, prior=Prior(1.0, 2.0)), Parameter(0.1, fixed=True)
        self.parameters = {"a": free, "b": Parameter(0.0), "c": Parameter(1.0), "d": fixed}

    @property
    def free(self) -> Any:
        return [name for name, p in self.parameters.items() if not p.fixed]

    def __getitem__(self, name: str) -> Any:
        return self.parameters[name].value

    def __call__(self, p: Any) -> Any:
        for name, value in zip(self.free, p, strict=True):
            self.parameters[name].value = value
        prior = sum(p.log_prior() for p in self.parameters.values())
        return prior - 0.5 * np.sum((Y - peak(X, self["a"], self["b"], self["c"]) - self["d"]) ** 2)


class StateSpace:
    """A filter that stores its parameters and what it found, in its own arrays."""

    burn = 1
    kind = "local"
    names = ("phi", "noise", "error")

    def __init__(self, y: Any, diffuse: bool = False) -> None:
        self.y, self.diffuse = y, diffuse
        self.likelihoods = np.zeros(len(y))

    def transformed(self, p: Any) -> Any:
        out = np.array(p, copy=True)
        out[0] = p[0] / np.sqrt(1 + p[0] ** 2)
        out[1:] = p[1:] ** 2
        return out

    def update(self, p: Any, transformed: bool = True) -> None:
        if not transformed:
            p = self.transformed(p)
        if p.ndim != 1 or len(p) != len(self.names):
            raise ValueError("wrong parameters")
        self.phi, self.noise, self.error = p[0], p[1], p[2]

    def log_likelihood(self, p: Any, **options: Any) -> Any:
        self.update(p, **options)
        a, v = 0.0, self.noise / (1 - self.phi**2) if not self.diffuse else 1e6
        for t in range(len(self.y)):
            e, f = self.y[t] - a, v + self.error
            self.likelihoods[t] = -0.5 * (np.log(2 * np.pi * f) + e * e / f)
            a = self.phi * (a + v / f * e) if self.kind == "local" else 0.0
            v = self.phi**2 * v * (1 - v / f) + self.noise
        return self.likelihoods[self.burn :].sum()


class Scaled:
    """Sets what it holds by a property, through a logarithm."""

    def __init__(self, value: float) -> None:
        self.value = value

    @property
    def theta(self) -> Any:
        return np.log([self.value])

    @theta.setter
    def theta(self, theta: Any) -> None:
        self.value = np.exp(theta[0])


OBJECTIVE, PENALISED = Objective(peak), Objective(peak, log=False, penalty=0.1)
COUNTER, OPTIONS = Counter(misfit, (X, Y)), Counter(peak, (0.5, 0.1), {}, -1.0)
POSTERIOR, FILTER, SCALED = Posterior(), StateSpace(np.cumsum(np.cos(np.arange(12.0)))), Scaled(1.0)
MADE = [OBJECTIVE, PENALISED, COUNTER, OPTIONS, POSTERIOR, FILTER, SCALED]


def objective(p: Any) -> Any:
    return OBJECTIVE(p)


def penalised(p: Any) -> Any:
    return PENALISED(p) * 2.0


def counted(p: Any) -> Any:
    return COUNTER(p)


def with_options(p: Any) -> Any:
    return np.sum(OPTIONS.with_options(p) * p)


def posterior(p: Any) -> Any:
    return POSTERIOR(p)


def filtered(p: Any) -> Any:
    return FILTER.log_likelihood(p, transformed=False)


def scaled(p: Any) -> Any:
    SCALED.theta = p[:1]
    return np.sum(SCALED.value * p + SCALED.theta[0] ** 2)


PROGRAMS = [objective, penalised, counted, with_options, posterior, filtered, scaled]
AT = np.array([1.1, 0.2, 0.9])


@pytest.fixture(autouse=True)
def as_before() -> Any:
    """Objects as they were made, before each test and after it."""
    held = [copy.deepcopy(vars(x)) for x in MADE]
    yield
    for x, fields in zip(MADE, held, strict=True):
        vars(x).clear()
        vars(x).update(fields)


def differences(f: Callable[[Any], Any], x: Any, h: float = 1e-6) -> Any:
    return np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])


def state() -> Any:
    return copy.deepcopy([vars(x) for x in MADE])


def assert_alike(a: Any, b: Any) -> None:
    assert type(a) is type(b)
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        for name in a:
            assert_alike(a[name], b[name])
    elif isinstance(a, (list, tuple)):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            assert_alike(x, y)
    elif isinstance(a, (float, np.ndarray)):
        assert np.array_equal(a, b)
    elif hasattr(a, "__dict__") and not callable(a):
        assert_alike(vars(a), vars(b))


@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients(f: Callable[[Any], Any]) -> None:
    expected = differences(f, AT)
    for _ in range(3):
        p = AT.copy()
        y, back = pullback(f, p)
        assert np.allclose(y, f(AT))
        assert np.allclose(back(1.0)[1], expected, rtol=1e-5, atol=1e-7)
        assert np.allclose(back(1.0)[1], expected, rtol=1e-5, atol=1e-7)
        assert np.array_equal(p, AT)
    assert not choice.was_recorded(f)


@pytest.mark.parametrize("f", PROGRAMS)
def test_what_objects_hold_afterwards(f: Callable[[Any], Any]) -> None:
    before = state()
    f(AT.copy())
    plain = state()
    for x, fields in zip(MADE, before, strict=True):
        vars(x).clear()
        vars(x).update(fields)
    grad(f)(AT.copy())
    assert_alike(state(), plain)


@pytest.mark.parametrize("f", PROGRAMS)
def test_tangents_and_products(f: Callable[[Any], Any]) -> None:
    v = np.array([0.3, -1.0, 0.5])
    expected = differences(f, AT)
    assert np.allclose(jvp(f, (AT.copy(),), (v,))[1], expected @ v, rtol=1e-5, atol=1e-7)
    (product,) = hvp(f, (AT.copy(),), (v,))
    ends = [grad(f)(AT + h * v) for h in (1e-5, -1e-5)]
    assert np.allclose(product, (ends[0] - ends[1]) / 2e-5, rtol=1e-4, atol=1e-6)


def test_classes_may_change_what_they_hold() -> None:
    model = StateSpace(FILTER.y)

    def f(p: Any) -> Any:
        return model.log_likelihood(p)

    at, changes = np.array([0.5, 0.7, 0.6]), {"kind": "none", "burn": 3, "names": (0, 0, 0)}
    held = {name: getattr(StateSpace, name) for name in changes}
    try:
        for name, value in [(None, None), *changes.items()]:
            if name is not None:
                setattr(StateSpace, name, value)
            for _ in range(2):
                assert np.allclose(grad(f)(at.copy()), differences(f, at), rtol=1e-5)
    finally:
        for name, value in held.items():
            setattr(StateSpace, name, value)
    assert np.allclose(grad(f)(at.copy()), differences(f, at), rtol=1e-5)
    model.kind = "its own"
    assert np.allclose(grad(f)(at.copy()), differences(f, at), rtol=1e-5)


def test_too_many_arguments_are_an_error() -> None:
    made = Counter(misfit, (X, Y))

    def f(p: Any) -> Any:
        return made(p)

    assert grad(f)(AT.copy()).shape == (3,)
    with pytest.raises(TypeError):
        f(np.ones(5))
    for _ in range(2):
        with pytest.raises(TypeError):
            grad(f)(np.ones(5))
    assert np.allclose(grad(f)(AT.copy()), differences(f, AT), rtol=1e-5)

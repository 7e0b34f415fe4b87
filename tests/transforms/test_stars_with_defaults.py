"""`f(x, *p)` of functions with defaults: how many items there are is asked, and each number is a branch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, hvp, jvp
from adjoint.derivatives import choice

X = np.linspace(-2.0, 2.0, 9)


def peak(x: Any, height: Any, centre: Any, width: Any = 1.0, offset: Any = None) -> Any:
    found = height * np.exp(-((x - centre) ** 2) / (2 * width**2))
    return found if offset is None else found + offset


def wave(x: Any, height: Any = 1.0, rate: Any = 0.5) -> Any:
    return height * np.sin(rate * x)


class Line:
    def __init__(self, slope: Any, offset: Any = 1.0) -> None:
        self.slope, self.offset = slope, offset

    def at(self, x: Any, scale: Any = 2.0, power: int = 1) -> Any:
        return scale * self.slope * x**power + self.offset


def peaks(p: Any) -> Any:
    return np.sum(peak(X, *p) ** 2)


def named(p: Any) -> Any:
    return np.sum(peak(X, *p[:2], width=p[1] + 1.0) ** 2)


def made(p: Any) -> Any:
    return np.sum(Line(*p[:2]).at(X) ** 2) + np.sum(Line(*p[:1]).at(X, *p[1:2]))


def of_any_length(p: Any) -> Any:
    total = 0.0
    for i in range(len(p)):
        total = total + np.sum(wave(X, *list(p[:i])[:2])) * p[0] + np.sum(wave(X, *p[i : i + 1]) ** 2)
    return total


POINTS = [np.array([1.1, 0.2]), np.array([1.1, 0.2, 0.9]), np.array([1.1, 0.2, 0.9, 0.3])]


def differences(f: Callable[[Any], Any], x: Any, h: float = 1e-6) -> Any:
    return np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])


@pytest.mark.parametrize("f", [peaks, named, made, of_any_length])
def test_each_number_of_items(f: Callable[[Any], Any]) -> None:
    for at in POINTS + POINTS:
        v = np.arange(1.0, 1.0 + len(at))
        expected = differences(f, at)
        assert np.allclose(grad(f)(at.copy()), expected, rtol=1e-5, atol=1e-7)
        assert np.allclose(jvp(f, (at.copy(),), (v,))[1], expected @ v, rtol=1e-5)
        ends = [grad(f)(at + h * v) for h in (1e-5, -1e-5)]
        assert np.allclose(hvp(f, (at.copy(),), (v,))[0], (ends[0] - ends[1]) / 2e-5, rtol=1e-4, atol=1e-6)
    assert not choice.was_recorded(f)


def error_of(f: Callable[..., Any], *args: Any) -> str:
    with pytest.raises(TypeError) as caught:
        f(*args)
    return str(caught.value)


@pytest.mark.parametrize("f", [peaks, made])
def test_errors_are_those_of_python(f: Callable[[Any], Any]) -> None:
    for at in (np.ones(0), np.ones(1), np.ones(6)):
        try:
            f(at)
        except TypeError:
            assert error_of(grad(f), at) == error_of(f, at)
        else:
            assert np.allclose(grad(f)(at), differences(f, at), rtol=1e-5)


def by_rank(x: Any) -> Any:
    if x.ndim == 1:
        x = x[None]
    return np.sum(np.sin(x), axis=1) @ np.ones(len(x)) * x.ndim


def copied(x: Any) -> Any:
    out = np.array(x, copy=True)
    out[0] = out[0] ** 2
    again = np.copy(out, order="C")
    again[1] *= out[0]
    return np.sum(again * out)


def of_lists(x: Any) -> Any:
    return np.sum(np.exp([x[0], 2.0 * x[1]]) * np.add([1.0, 2.0], x[:2]))


@pytest.mark.parametrize("f", [by_rank, copied, of_lists])
def test_types_that_decide(f: Callable[[Any], Any]) -> None:
    for at in POINTS:
        for _ in range(2):
            assert np.allclose(grad(f)(at.copy()), differences(f, at), rtol=1e-5, atol=1e-7)
    assert np.allclose(grad(by_rank)(np.ones((2, 3))), 2 * np.cos(np.ones((2, 3))))
    assert not choice.was_recorded(f)

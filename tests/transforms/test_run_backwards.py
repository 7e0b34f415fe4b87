"""Loops that run backwards through lists, which grow and shrink before and after, or change meanwhile."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.derivatives import choice

from .held_to_python import hold


def numbers() -> tuple[Any, ...]:
    return (np.array([0.31, 0.52, 0.93, 0.24, 0.75, 0.66]),)


def a_history(x: Any) -> Any:
    kept, z, t = [], x * 1.0, 0.0
    for _ in range(4):
        for s in reversed(kept):
            t = t * 0.5 + s @ z
        kept.append(z)
        z = z * 0.9
        if len(kept) > 2:
            kept.pop(0)
    return z @ z + t


def two_histories(x: Any) -> Any:
    """The first of the two loops of L-BFGS, and a second one by what it has collected."""
    ss, ys, z, t = [], [], x * 1.0, 0.0
    for _ in range(4):
        q, alphas = z * 1.0, []
        for s, y in zip(reversed(ss), reversed(ys)):  # noqa: B905
            a = (s @ q) / (1.0 + y @ y)
            q -= a * y
            alphas.append(a)
        for s, a in zip(ss, reversed(alphas)):  # noqa: B905
            q += a * s
        ss.append(z)
        ys.append(q * 0.5)
        t += q @ q
        z = z * 0.9
        if len(ss) > 2:
            ss.pop(0)
            ys.pop(0)
    return z @ z + t


def numbered(x: Any) -> Any:
    xs, t = [], 0.0
    for v in x:
        xs.append(v * v)
        for i, w in enumerate(reversed(xs)):
            t += i * w
    return t


@pytest.mark.parametrize("f", [a_history, two_histories, numbered], ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    hold(f, numbers)


def by_another_name(x: Any) -> Any:
    """The list is stored into by another name while the loop runs through it."""
    xs, t = [x[0] * 1, x[1] * 2], 0.0
    same = xs
    for s in reversed(xs):
        same[0] = 5.0 * x[2]
        t = t * 2 + s
    return t


def through_a_dict(x: Any) -> Any:
    xs, t = [x[0] * 1, x[1] * 2, x[3]], 0.0
    held = {"a": xs}
    for s in reversed(xs):
        held["a"][0] = 5 * x[2]
        t = t * 2 + s
    return t


def before_it_begins(x: Any) -> Any:
    xs, t = [x[0] * 1, x[1] * 2], 0.0
    same, backwards = xs, reversed(xs)
    same[0] = 5 * x[2]
    for s in backwards:
        t = t * 2 + s
    return t


def shortened(x: Any) -> Any:
    xs, t = [x[0] * 1, x[1] * 2, x[3]], 0.0
    same = xs
    for s in reversed(xs):
        t = t * 2 + s
        if len(xs) > 2:
            same.insert(0, x[4])
    return t


def zipped(x: Any) -> Any:
    xs, t = [x[0] * 1, x[1] * 2, x[3]], 0.0
    same = xs
    for s, v in zip(reversed(xs), x):  # noqa: B905
        same[0] = v * x[5]
        t = t * 2 + s
    return t


@pytest.mark.parametrize(
    "f", [by_another_name, through_a_dict, before_it_begins, shortened, zipped], ids=lambda f: f.__name__
)
def test_what_changes_meanwhile_is_seen(f: Any) -> None:
    choice.forget()
    x = numbers()[0]
    expected = [(f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in np.eye(6)]
    for _ in range(3):
        np.testing.assert_allclose(gradient(f, x)[0], expected, atol=1e-7)

"""Rules that users write for functions of several results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, pullback, pushforward, rule

X = np.array([0.5, 2.0])


def both(x: Any) -> Any:
    return np.sin(x), np.cos(x)


def named(x: Any) -> Any:
    return {"sin": np.sin(x), "cos": np.cos(x)}


def listed(x: Any) -> Any:
    return [np.sin(x), (np.cos(x), "a string", 3)]


@rule(both)
def both_rule(x: Any) -> Any:
    sin, cos = both(x)
    return (sin, cos), lambda d: (d[0] * cos - d[1] * sin,)


@rule(named)
def named_rule(x: Any) -> Any:
    y = named(x)
    return y, lambda d: (d["sin"] * y["cos"] - d["cos"] * y["sin"],)


@rule(listed)
def listed_rule(x: Any) -> Any:
    y = listed(x)
    return y, lambda d: (d[0] * y[1][0] - d[1][0] * y[0],)


@dataclass
class Pair:
    sin: Any
    cos: Any


def paired(x: Any) -> Any:
    return Pair(np.sin(x), np.cos(x))


@rule(paired)
def paired_rule(x: Any) -> Any:
    y = paired(x)
    return y, lambda d: (d.sin * y.cos - d.cos * y.sin,)


USES = [
    (lambda x: np.sum(paired(x).sin), np.cos, lambda x: -np.sin(x)),
    (lambda x: np.sum(paired(x).cos), lambda x: -np.sin(x), lambda x: -np.cos(x)),
    (lambda x: np.sum(both(x)[0]), np.cos, lambda x: -np.sin(x)),
    (lambda x: np.sum(both(x)[1]), lambda x: -np.sin(x), lambda x: -np.cos(x)),
    (lambda x: np.sum(named(x)["cos"]), lambda x: -np.sin(x), lambda x: -np.cos(x)),
    (lambda x: np.sum(listed(x)[0]), np.cos, lambda x: -np.sin(x)),
    (lambda x: np.sum(listed(x)[1][0]), lambda x: -np.sin(x), lambda x: -np.cos(x)),
]


@pytest.mark.parametrize(("f", "first", "second"), USES)
def test_what_is_not_used_flows_as_zeros(f: Any, first: Any, second: Any) -> None:
    np.testing.assert_allclose(gradient(f, X)[0], first(X))
    np.testing.assert_allclose(pushforward(f, (X,), (np.ones(2),))[1], np.sum(first(X)))
    np.testing.assert_allclose(gradient(lambda x: np.sum(grad(f)(x)), X)[0], second(X))


def test_a_pullback_takes_none_for_a_part() -> None:
    np.testing.assert_allclose(pullback(both, X)[1]((np.ones(2), None))[1], np.cos(X))

"""Rules that users write for functions of several results."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import grad, gradient, pullback, rule, withgradient
from adjoint.calculus import derivative, pushforward
from adjoint.errors import NoRuleError
from adjoint.rules import scalar_rule

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


def test_keywords_reach_the_partials_of_a_scalar_rule() -> None:
    def scaled(x: Any, scale: float = 1.0) -> Any:
        return x * x * scale

    @scalar_rule(scaled)
    def scaled_partial(x: Any, y: Any, *, scale: float = 1.0) -> Any:
        return 2 * x * scale

    def by_keyword(x: Any) -> Any:
        return scaled(x, scale=3.0)

    def stored(x: Any) -> Any:
        return [scaled(x, scale=3.0)].pop()

    for f in (by_keyword, stored):
        assert withgradient(f, 1.5) == (6.75, (9.0,))
        assert pushforward(f, (1.5,), (1.0,)) == (6.75, 9.0)
        assert derivative(f, 2)(1.5) == pytest.approx(6.0)
    with pytest.raises(NoRuleError, match="a derivative by the keyword `scale` is asked for"):
        gradient(lambda x, scale: scaled(x, scale=scale), 1.5, 3.0)


def test_a_keyword_that_is_named_needs() -> None:
    def tripled(x: Any, needs: Any = False) -> Any:
        return 3 * x if needs else x

    @scalar_rule(tripled)
    def tripled_partial(x: Any, y: Any, *, needs: Any = False) -> Any:
        return 3.0 if needs else 1.0

    for needs in (True, (True,), "all"):
        assert withgradient(lambda x, needs=needs: tripled(x, needs=needs), 1.5) == (4.5, (3.0,))


class Squares:
    def __call__(self, x: float) -> float:
        return x * x


@pytest.mark.parametrize("make", [Squares, lambda: functools.partial(pow, exp=2), lambda: functools.lru_cache(abs)])
def test_a_rule_for_an_object_is_found_by_that_object(make: Any) -> None:
    f, other = make(), make()

    @adjoint.rule(f)
    def f_rule(x: float) -> Any:
        return f(x), lambda d: (100.0 * d,)

    def within(x: float) -> Any:
        return f(x) + x

    assert (adjoint.grad(f)(2.0), adjoint.grad(within)(2.0)) == (100.0, 101.0)
    assert adjoint.jvp(f, (2.0,), (1.0,))[1] == 100.0
    assert adjoint.vmap(adjoint.grad(f))(np.array([1.0, 2.0])).tolist() == [100.0, 100.0]
    assert adjoint.grad(other)(2.0) != 100.0

"""Keyword-only parameters: by position nobody takes them, and by keyword their cotangents find them in any order."""

from __future__ import annotations

import functools
import inspect
import itertools
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from adjoint import gradient, jvp, pullback, rule
from adjoint.rules import opt_out
from adjoint.rules.numpy.callables import in_python
from adjoint.rules.numpy.lifting import composed
from adjoint.rules.registry import RULES
from adjoint.rules.rulesets import RuleSet

# mypy: disable-error-code="no-untyped-def, call-arg, call-overload, misc, arg-type, type-var"

A = np.array([[0.5, 2.0], [1.5, 3.0]])


def largest_with_none(x):
    return max([x, 2.0], None)


def least_with_key(x):
    return min([x, 2.0], abs)


def largest_with_default(x):
    return max([x, 2.0], None, x)


def none_among(x):
    return max(x, None, 3.0)


def folded_from_none(x):
    return functools.reduce(max, [None, 1.0], x)


def folded_over_none(x):
    return functools.reduce(max, [None, 1.0], np.array([x, 2.0]))[0]


def sorted_with_key(x):
    return sorted([x, 2.0], None)[0]


def sorted_in_reverse(x):
    return sorted([x, 2.0], abs, True)[0]


def accumulated_from(x):
    return list(itertools.accumulate([x, 2.0], operator.add, x))[1]


def product_from(x):
    return math.prod([x, 2.0], x)


def contracted(x):
    return np.linalg.tensordot(x * A, A, 1)[0, 0]


def variance_without_mean(x):
    return np.var(x * A, None, None, None, 0, False, True)


def zipped_strictly(x):
    return next(zip([x], [2.0], True))[0]  # noqa: B905


def padded(x):
    return np.pad(x * A, 1, "constant", 2.0)[1, 1]


NOT_TAKEN = [
    *(largest_with_none, least_with_key, largest_with_default, none_among, folded_from_none, folded_over_none),
    *(sorted_with_key, sorted_in_reverse, accumulated_from, product_from, contracted, variance_without_mean),
    *(zipped_strictly, padded),
]


def recorded(f: Callable[[float], Any]) -> Callable[[float], Any]:
    def run(x: float) -> Any:
        try:
            x = x * 1.0
        finally:
            y = f(x)
        return y

    return run


@pytest.mark.parametrize("f", NOT_TAKEN, ids=lambda f: f.__name__)
def test_what_is_no_argument_by_position(f: Callable[[float], Any]) -> None:
    with pytest.raises(TypeError) as plain:
        f(1.5)
    for program in (f, recorded(f)):
        for run in (gradient, pullback, lambda g, x: jvp(g, (x,), (1.0,))):
            with pytest.raises(TypeError) as caught:
                run(program, 1.5)
            assert str(caught.value) == str(plain.value)


def too_many(rules: RuleSet) -> Iterator[tuple[str, int]]:
    """The rules of a function that are for more positional arguments than it takes, and for how many."""
    try:
        signature = inspect.signature(rules.function)
    except (ValueError, TypeError):
        return
    if "kwargs" in signature.parameters and not hasattr(inspect.unwrap(rules.function), "__code__"):
        return  # in C, and all that is handed on goes by position as well
    for (_, accepted), n in itertools.product(rules._methods, range(1, 12)):
        if not accepted().takes(n):
            continue
        try:
            signature.bind_partial(*(None,) * n)
        except TypeError:
            types = (*accepted().types, *[accepted().varargs or ()] * n)[:n]
            selected = rules.select(tuple([classes[0] for classes in types]))
            if selected in rules.methods:
                yield rules.name, n


def of_users(rules: Any) -> bool:
    """Whether a rule is a user's: also by a name of autograd's, as another test of this run may have declared one."""
    return rules.is_users or any(method.call.__module__.startswith("adjoint.compat") for method in rules.methods)


def test_no_rule_is_for_more_positional_arguments_than_its_function() -> None:
    rulesets = [
        rules for rules in RULES.values() if rules.refusal is None and not rules.is_users and not of_users(rules)
    ]
    assert len(rulesets) > 1000
    found = {found for rules in rulesets for found in too_many(rules)}
    assert found <= {("arange", 4)}  # NumPy 2.4 says that `dtype` has to be named, and takes it by position


# ---- cotangents of what is given by keyword


def clipped_above(x):
    return np.sum(np.clip(A, max=x))


def clipped_in_turn(x):
    return np.sum(np.clip(A, max=2.0 * x, min=x * x / 3.0) * A)


def largest_of_none(x):
    return max([], key=abs, default=x * x)


def least_of_none(x):
    return min((), default=x * x, key=None)


def accumulated(x):
    return sum(itertools.accumulate([x, 2.0], initial=x * x, func=operator.mul))


def sum_of_method(x):
    return (x * x * A).sum(0, None, None, True)[0, 0]


def multiplied(x):
    return math.prod([x, 2.0], start=x * x)


TAKEN = [clipped_above, clipped_in_turn, largest_of_none, least_of_none, accumulated, multiplied, sum_of_method]


@pytest.mark.parametrize("f", TAKEN, ids=lambda f: f.__name__)
def test_the_cotangent_of_a_keyword_in_any_order(f: Callable[[float], Any]) -> None:
    h = 1e-6
    slope = (f(1.25 + h) - f(1.25 - h)) / (2 * h)
    assert slope != 0.0
    for program in (f, recorded(f)):
        assert gradient(program, 1.25) == (pytest.approx(slope),)
        y, y_dot = jvp(program, (1.25,), (2.0,))
        assert (y, y_dot) == (f(1.25), pytest.approx(2.0 * slope))
        back = pullback(program, 1.25)[1]
        assert back(3.0)[1] == back(3.0)[1] == pytest.approx(3.0 * slope)


def scaled(x: Any, *rest: Any, a: Any = 2.0, b: Any = 3.0) -> Any:
    return x * a * b * b


CALLS: list[tuple[Callable[..., Any], tuple[float, float, float]]] = [
    (lambda x, a, b: scaled(x, a=a, b=b), (75.0, 50.0, 60.0)),
    (lambda x, a, b: scaled(x, b=b, a=a), (75.0, 50.0, 60.0)),
    (lambda x, a, b: scaled(x, b=b), (50.0, 0.0, 40.0)),
    (lambda x, a, b: [scaled][0](x, b=b), (50.0, 0.0, 40.0)),
    (lambda x, a, b: [scaled][0](b=b, a=a, x=x), (75.0, 50.0, 60.0)),
]


@pytest.mark.parametrize(("f", "wanted"), CALLS)
@pytest.mark.parametrize("starred", [False, True])
def test_keyword_only_parameters_of_own_rules(f: Any, wanted: Any, starred: bool) -> None:
    """`b` had the cotangent of `a` where it stood first in the call."""

    def without(x: Any, *, a: Any = 2.0, b: Any = 3.0) -> Any:
        return x * a * b * b, lambda d: (d * a * b * b, d * x * b * b, 2.0 * d * x * a * b)

    def with_rest(x: Any, *rest: Any, a: Any = 2.0, b: Any = 3.0) -> Any:
        y, back = without(x, a=a, b=b)
        return y, lambda d: (back(d)[0], *[None for _ in rest], *back(d)[1:])

    rule(scaled)(with_rest if starred else without)
    try:
        assert gradient(f, 2.0, 3.0, 5.0) == wanted
        assert jvp(f, (2.0, 3.0, 5.0), (1.0, 10.0, 100.0))[1] == np.dot(wanted, [1.0, 10.0, 100.0])
        if starred:
            assert gradient(lambda b: scaled(2.0, 7.0, 8.0, b=b), 5.0) == (40.0,)
    finally:
        opt_out(scaled)


def test_a_rule_that_leaves_off_what_is_given_by_keyword() -> None:
    @rule(scaled)
    def short(x: Any, *, a: Any = 2.0, b: Any = 3.0) -> Any:
        return x * a * b * b, lambda d: (d * a * b * b,)

    try:
        assert gradient(lambda x: scaled(x, b=5.0), 2.0) == (50.0,)
    finally:
        opt_out(scaled)


def weighted(x: Any, *, a: Any = 2.0, b: Any = 3.0, **more: Any) -> Any:
    return x * a * b * b * more.get("c", 1.0) ** 3


CALLS_BY_NAME = [
    lambda x, a, b, c: weighted(x, b=b),
    lambda x, a, b, c: weighted(x, c=c),
    lambda x, a, b, c: weighted(x, c=c, a=a),
    lambda x, a, b, c: weighted(x, b=b, a=a),
    lambda x, a, b, c: weighted(x, b=b, c=c, a=a),
    lambda x, a, b, c: weighted(x, **{"c": c, "b": b}),
]


@pytest.mark.parametrize("way", [composed, in_python])
@pytest.mark.parametrize("f", CALLS_BY_NAME)
def test_keyword_only_parameters_of_programs_in_place_of_functions(f: Any, way: Any) -> None:
    """What two stars took had the cotangent of a keyword-only parameter that was left off: none, for `cdist(w=w)`."""
    at, h = (2.0, 3.0, 5.0, 7.0), 1e-6
    sides = [[f(*(v + s * h * (i == j) for j, v in enumerate(at))) for s in (1, -1)] for i in range(4)]
    wanted = [(up - down) / (2 * h) for up, down in sides]
    program = type(weighted)(weighted.__code__, {}, "program", weighted.__defaults__)
    program.__kwdefaults__ = weighted.__kwdefaults__
    way(weighted)(program)
    try:
        assert [d or 0.0 for d in gradient(f, *at)] == pytest.approx(wanted, rel=1e-6)
        assert jvp(f, at, (1.0, 10.0, 100.0, 1000.0))[1] == pytest.approx(
            np.dot(wanted, [1.0, 10.0, 100.0, 1000.0]), rel=1e-6
        )
    finally:
        opt_out(weighted)


def test_weights_of_distances() -> None:
    rng = np.random.default_rng(0)
    a, b, w = rng.normal(size=(5, 3)), rng.normal(size=(4, 3)), np.array([0.3, 0.5, 0.8])

    def total(w: Any) -> Any:
        return np.sum(cdist(a, b, "euclidean", w=w))

    sides = [(total(w + e) - total(w - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
    assert gradient(total, w)[0] == pytest.approx(sides, rel=1e-6)

"""Arrays whose items are objects or records: refused where a derivative would go through them."""

from __future__ import annotations

import fractions
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, pullback, stop_gradient
from adjoint.calculus import pushforward
from adjoint.errors import NoRuleError, NotDifferentiableError


class Box:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __add__(self, other: Any) -> Any:
        return Box(self.v + other.v)

    def __mul__(self, k: Any) -> Any:
        return Box(self.v * k)


RECORDS = np.ones(2, [("a", float)])
OBJECTS = np.array([1.0, 2.0], dtype=object)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.array([x, 2 * x], dtype=object).sum(),
        lambda x: (np.array([x, 2 * x], dtype=object) * x)[0],
        lambda x: np.array([x, [x]], dtype=object)[0],
        lambda x: np.array([(x, 2.0)], dtype=[("a", float), ("b", float)])["a"][0],
        lambda x: np.asarray([x, x], "O").sum(),
        lambda x: np.asarray(x, object).sum(),
        lambda x: np.full(2, x, dtype=object).sum(),
        lambda x: np.full_like(np.zeros(2), x, dtype=object).sum(),
        lambda x: np.full_like(np.zeros(2, object), x).sum(),
        lambda x: (np.ones(2) * x).astype(np.dtype(object)).sum(),
        lambda x: np.astype(np.ones(2) * x, object).sum(),
    ],
)
def test_numbers_that_become_objects(f: Callable[..., Any]) -> None:
    with pytest.raises(NotDifferentiableError, match="an array of (objects|records) is not differentiated"):
        gradient(f, 1.5)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.array([Box(x), Box(2 * x)]).sum().v,
        lambda x: np.array([Box(x), Box(2 * x)])[1].v,
        lambda x: np.array([Box(x)]).item().v,
        lambda x: np.array([x, None])[0] * 2,
        lambda x: np.array(["a", x], dtype=object)[1] * 2,
        lambda x: np.array([{"a": x}]).tolist()[0]["a"],
        lambda x: np.array([lambda v: v * x])[0](2.0),
        lambda x: np.full(2, Box(x))[1].v,
        lambda x: np.concatenate([[Box(x)], [Box(2 * x)]]).sum().v,
        lambda x: np.concatenate([[Box(x)], [Box(2 * x)]])[0].v,
        lambda x: np.stack([Box(x), Box(2 * x)]).sum().v,
        lambda x: np.append([Box(x)], Box(x)).sum().v,
        lambda x: np.where([True], Box(x), Box(x))[0].v,
        lambda x: np.sum([Box(x), Box(2 * x)]).v,
        lambda x: np.ravel([Box(x), Box(2 * x)]).sum().v,
        lambda x: np.copy([Box(x)]).sum().v,
    ],
)
def test_objects_in_arrays(f: Callable[..., Any]) -> None:
    with pytest.raises(NotDifferentiableError, match="an array of objects is not differentiated"):
        gradient(f, 1.5)


@pytest.mark.parametrize("argument", [RECORDS, OBJECTS, RECORDS[0], [RECORDS], {"a": OBJECTS}])
def test_objects_as_arguments(argument: Any) -> None:
    with pytest.raises(NotDifferentiableError, match="an array of (objects|records) is not differentiated"):
        gradient(lambda s: 2.0, argument)


@pytest.mark.parametrize("argument", [RECORDS, OBJECTS])
def test_objects_as_arguments_of_a_pullback(argument: Any) -> None:
    with pytest.raises(NotDifferentiableError, match="an array of (objects|records) is not differentiated"):
        pullback(lambda s: 2.0, argument)


@pytest.mark.parametrize("f", [lambda d: d["t"]["a"].sum(), lambda d: d["t"][0]["a"] * 2.0])
def test_records_in_an_argument(f: Callable[..., Any]) -> None:
    _, back = pullback(f, {"t": RECORDS})
    with pytest.raises(NotDifferentiableError, match="an array of records"):
        back(1.0)


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda x: (OBJECTS * x)[1], 2.0),
        (lambda x: (OBJECTS * x / 2 - 1)[0] ** 2, -0.25),
        (lambda x: (np.array([2**70]) * x).mean(), 2.0**70),
        (lambda x: np.float64(x).astype(object) * 2, 2.0),
        (lambda x: RECORDS["a"].sum() * x, 2.0),
        (lambda x: np.concatenate([[None], [x]])[1] * 2, 2.0),
        (lambda x: np.array(["a", "b"], dtype=object).size * x, 2.0),
    ],
)
def test_objects_that_only_meet_what_is_differentiated(f: Callable[..., Any], expected: float) -> None:
    assert gradient(f, 1.5)[0] == expected


@pytest.mark.parametrize("f", [lambda n: np.full(2, n).sum(), lambda n: np.full_like(np.zeros(2, int), n).sum()])
def test_integers_that_fill_an_array_of_integers(f: Callable[..., Any]) -> None:
    assert gradient(f, 3) == (2.0,)


def _divided(v: Any) -> Any:
    numerator, denominator = v.as_integer_ratio()
    return numerator / denominator


def _stored(v: Any) -> Any:
    kept = [*v.as_integer_ratio()]
    kept.append(kept[0] / kept[1])
    return kept[2]


@pytest.mark.parametrize("x", [1.5, np.float64(1.5), np.float32(1.5), np.float16(1.5), np.longdouble(1.5)])
@pytest.mark.parametrize(
    "f",
    [
        _divided,
        _stored,
        lambda v: v.as_integer_ratio()[0] * v,
        lambda v: float(fractions.Fraction(*v.as_integer_ratio())),
        lambda v: float(fractions.Fraction(*v.as_integer_ratio()) + 1),
    ],
)
def test_what_is_made_of_the_ratio_of_a_float_is_refused(f: Any, x: Any) -> None:
    with pytest.raises(NoRuleError) as e:
        gradient(f, x)
    assert e.value.way_out
    with pytest.raises(NoRuleError):
        pushforward(f, (x,), (type(x)(1.0),))


@pytest.mark.parametrize("x", [1.5, 3, np.float64(1.5), np.float32(1.5)])
def test_ratios_of_what_is_not_differentiated(x: Any) -> None:
    c = 0.75
    for f in (_divided, _stored, lambda v: float(fractions.Fraction(*v.as_integer_ratio()))):
        assert gradient(lambda v: f(c) * v, x)[0] == 0.75  # noqa: B023
        assert gradient(lambda v: f(stop_gradient(v)) * v, x)[0] == x  # noqa: B023
    assert gradient(lambda v: v if v.as_integer_ratio()[1] < 4 else 0.0 * v, x)[0] == 1.0
    assert gradient(lambda v: (3).as_integer_ratio()[0] * v, x)[0] == 3.0


@pytest.mark.parametrize("f", [np.sum, np.mean, np.prod, np.max])
def test_arguments_of_functions_with_rules(f: Any) -> None:
    with pytest.raises(NotDifferentiableError, match="an array of objects is not differentiated"):
        gradient(f, np.array([1.0, 2.0], dtype=object))


def test_arrays_of_objects_beside_what_is_asked_for() -> None:
    assert grad(lambda x, names: x * len(names))(2.0, np.array(["a", "b"], dtype=object)) == 2.0

"""Classes derived from arrays and containers.

Containers that read their own way are differentiated as they read; arrays that compute their own way are refused.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from typing import Any, NamedTuple

import numpy as np
import pytest

import adjoint
from adjoint import gradient, pullback
from adjoint.errors import NoRuleError


class Doubled(dict[str, float]):
    def values(self) -> Any:
        return [2 * v for v in super().values()]


class Items(dict[str, float]):
    def __getitem__(self, key: str) -> float:
        return 5 * super().__getitem__(key)


class Twice(tuple[float, ...]):
    def __iter__(self) -> Any:
        return iter([2 * v for v in super().__iter__()])


class Short(list[float]):
    def __len__(self) -> int:
        return 1


class Ufunc(np.ndarray[Any, Any]):
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return 2 * getattr(ufunc, method)(*map(np.asarray, inputs), **kwargs)


class Function(np.ndarray[Any, Any]):
    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return 5 * np.asarray(self).sum()


class Summing(np.ndarray[Any, Any]):
    def sum(self, *args: Any, **kwargs: Any) -> Any:
        return 3 * np.asarray(self).sum()


def product(a: Any, b: Any) -> Any:
    return a * b


READ: list[tuple[Any, Any]] = [
    (lambda d: sum(d.values()), Doubled(a=1.5, b=2.5)),
    (lambda d: sum({**d}.values()), Doubled(a=1.5, b=2.5)),
    (lambda d: sum(dict(d).values()), Doubled(a=1.5, b=2.5)),
    (lambda d: d["a"] * d["b"], Items(a=1.5, b=2.5)),
    (lambda d: product(**d), Items(a=1.5, b=2.5)),
    (lambda t: sum(t), Twice([1.5, 2.5])),
    (lambda t: product(*t), Twice([1.5, 2.5])),
    (lambda t: sum(a * b for a, b in zip(t, t, strict=True)), Twice([1.5, 2.5])),
    (lambda t: sum(map(lambda v: v * v, t)), Twice([1.5, 2.5])),
    (lambda xs: xs[0] * xs[1], Short([1.5, 2.5])),
]

COMPUTED: list[tuple[Any, Any]] = [
    (lambda x: np.sin(x)[0], np.array([1.5, 2.5]).view(Ufunc)),
    (lambda x: np.sum(x), np.array([1.5, 2.5]).view(Ufunc)),
    (lambda x: np.sum(x), np.array([1.5, 2.5]).view(Function)),
    (lambda x: np.mean(x), np.array([1.5, 2.5]).view(Function)),
    (lambda x: np.sum(x), np.array([1.5, 2.5]).view(Summing)),
    (lambda x: np.sum(x), np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0])),
    (lambda x: np.sum(x * x), np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0])),
]


def moved(x: Any, place: Any, h: float) -> Any:
    """The container with one of its items moved, read and made past what the class says."""
    if isinstance(x, dict):
        items = dict(dict.items(x))
        items[place] += h
        return type(x)(items)
    plain = [*(tuple if isinstance(x, tuple) else list).__iter__(x)]
    plain[place] += h
    return type(x)(plain)


@pytest.mark.parametrize(("f", "x"), READ)
def test_what_reads_its_own_way(f: Any, x: Any) -> None:
    places = ["a", "b"] if isinstance(x, dict) else [0, 1]
    y, back = pullback(f, x)
    assert y == f(x)
    bar = back(1.0)[1]
    for place in places:
        expected = (f(moved(x, place, 1e-5)) - f(moved(x, place, -1e-5))) / 2e-5
        assert bar[place] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("f", "x"), COMPUTED)
def test_what_computes_its_own_way_is_refused(f: Any, x: Any) -> None:
    f(x)
    with pytest.raises(adjoint.errors.AdjointError):
        gradient(f, x)


def test_the_error_names_the_method_and_a_way_out() -> None:
    with pytest.raises(NoRuleError, match="`Summing` has a `sum` of its own") as caught:
        gradient(lambda x: np.sum(x), np.array([1.5, 2.5]).view(Summing))
    assert "convert it to a plain ndarray" in str(caught.value)


class Params(dict[str, float]):
    def __getattr__(self, name: str) -> float:
        if name not in self:
            raise AttributeError(name)
        return self[name]

    def total(self) -> float:
        return sum(self.values())


class Point(NamedTuple):
    x: float
    y: float

    def __add__(self, other: Any) -> Any:
        return Point(self.x + other.x, self.y + other.y)


class Tagged(np.ndarray[Any, Any]):
    def __array_finalize__(self, obj: Any) -> None:
        self.tag = getattr(obj, "tag", "none")


class Row(list[float]):
    def total(self) -> float:
        return sum(self)


@pytest.mark.parametrize(
    ("f", "x", "expected"),
    [
        (lambda d: d.total() * d.a, Params(a=2.0, b=3.0), {"a": 7.0, "b": 2.0}),
        (lambda d: product(**d), OrderedDict(a=2.0, b=3.0), {"a": 3.0, "b": 2.0}),
        (lambda d: d["a"] * d["b"], defaultdict(float, a=2.0, b=3.0), {"a": 3.0, "b": 2.0}),
        (lambda p: (p + p).x * p.y, Point(2.0, 3.0), (6.0, 4.0)),
        (lambda xs: xs.total() * xs[0], Row([2.0, 3.0]), [7.0, 2.0]),
    ],
)
def test_what_only_adds_methods_is_not(f: Any, x: Any, expected: Any) -> None:
    (found,) = gradient(f, x)
    assert found == expected


def test_an_array_class_that_only_carries_a_tag_is_not() -> None:
    (found,) = gradient(lambda x: np.sum(x * x), np.array([1.0, 2.0]).view(Tagged))
    assert np.asarray(found).tolist() == [2.0, 4.0]


def test_a_rule_of_the_users_for_such_a_class_is_taken() -> None:
    @adjoint.rule(np.cbrt)
    def cbrt_rule(x: Summing) -> Any:
        return np.cbrt(np.asarray(x)), lambda y_bar: (y_bar * 7.0,)

    (found,) = gradient(lambda x: np.cbrt(x)[0], np.array([1.0, 8.0]).view(Summing))
    assert np.asarray(found).tolist() == [7.0, 0.0]


def test_an_annotation_that_means_nothing_is_an_error_of_ours() -> None:
    def own(x: Any) -> Any:
        return x * x

    class Local(np.ndarray[Any, Any]):
        pass

    @adjoint.rule(own)
    def own_rule(x: Local) -> Any:
        return x * x, lambda y_bar: (y_bar,)

    with pytest.raises(adjoint.errors.RuleError, match="`own_rule`.*'Local'"):
        gradient(own, 2.0)


def test_a_method_of_a_named_tuple_that_is_the_users_own() -> None:
    class Halved(NamedTuple):
        x: float

    def replace(self: Any, **kwargs: Any) -> Any:
        return Halved(kwargs["x"] / 2)

    Halved._replace = replace  # type: ignore[method-assign]
    assert gradient(lambda v: Halved(v)._replace(x=v).x, 3.0) == (0.5,)

"""Attributes by the hooks that a class inherits: `object.__getattribute__` runs properties, as Python's own look-up."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from io import BytesIO
from typing import Any
from unittest import mock

import numpy as np
import pytest

from adjoint import grad, gradient
from adjoint.calculus import pushforward
from adjoint.errors import UnsupportedSyntaxError


class Area:
    def __init__(self, w: Any) -> None:
        self.w = w

    @property
    def area(self) -> Any:
        return self.w**2

    @functools.cached_property
    def kept(self) -> Any:
        return self.w**2


class Hooked(Area):
    def __getattribute__(self, name: str) -> Any:
        return object.__getattribute__(self, name)


class Above(Area):
    def __getattribute__(self, name: str) -> Any:
        return super().__getattribute__(name)


class Forwarding(Area):
    def __getattr__(self, name: str) -> Any:
        return object.__getattribute__(self, name[1:])


class Deleted:
    def __init__(self, v: Any) -> None:
        self.v = v

    @property
    def p(self) -> Any:
        return self.v

    @p.deleter
    def p(self) -> None:
        self.v = self.v * self.v

    def __delattr__(self, name: str) -> None:
        object.__delattr__(self, name)


def deleted(x: Any) -> Any:
    o = Deleted(x)
    del o.p
    return o.v


def deleted_by_name(x: Any) -> Any:
    o = Deleted(x)
    object.__delattr__(o, "p")
    return o.v


SQUARES: list[Callable[[Any], Any]] = [
    lambda x: Hooked(x).area,
    lambda x: Hooked(x).kept,
    lambda x: Above(x).area,
    lambda x: Forwarding(x)._area,
    lambda x: object.__getattribute__(Area(x), "area"),
    lambda x: Area(x).__getattribute__("area"),
    lambda x: object.__getattribute__(Area(x), "w") * x,
    lambda x: getattr(Hooked(x), "missing", x * x),
    lambda x: Hooked(x).w * x,
    deleted,
    deleted_by_name,
]


@pytest.mark.parametrize("f", SQUARES)
def test_the_square(f: Any) -> None:
    assert f(1.3) == pytest.approx(1.69)
    assert grad(f)(1.3) == pytest.approx(2.6)
    assert pushforward(f, (1.3,), (1.0,))[1] == pytest.approx(2.6)
    assert grad(grad(f))(1.3) == pytest.approx(2.0)


class Deferred(float):
    __array_ufunc__ = None

    def __radd__(self, other: Any) -> Any:
        return other * 10

    def __rmul__(self, other: Any) -> Any:
        return other * other * 10


class Preferred(float):
    __array_priority__ = 1e9

    def __radd__(self, other: Any) -> Any:
        return other * 10


def test_numbers_of_numpy_leave_an_operator_to_a_class_that_asks_for_it() -> None:
    assert grad(lambda x: (np.float64(x) + Deferred(2.0)) * x)(1.3) == pytest.approx(26.0)
    assert grad(lambda x: (np.float64(x) * Deferred(2.0)) * x)(1.3) == pytest.approx(50.7)
    assert grad(lambda x: (np.float64(x) + Preferred(2.0)) * x)(1.3) == pytest.approx(26.0)


def test_fractions_are_numbers_to_functions_of_math() -> None:
    x = 1.3
    assert grad(lambda x: math.fsum([x * x, Fraction(1, 3)]))(x) == pytest.approx(2 * x)
    assert grad(lambda x: math.hypot(x, Fraction(1, 3)))(x) == pytest.approx(x / math.hypot(x, 1 / 3))
    assert grad(lambda x: math.dist([x, Fraction(1, 2)], [0.5, 0.0]))(x) == pytest.approx(0.8 / math.hypot(0.8, 0.5))


def test_mocks_and_archives_of_numpy_are_no_proxies() -> None:
    made = mock.MagicMock(return_value=3.0)
    assert grad(lambda x: made() * x)(1.3) == 3.0
    file = BytesIO()
    np.savez(file, w=np.arange(3.0))
    file.seek(0)
    with np.load(file) as held:
        np.testing.assert_array_equal(gradient(lambda a: held["w"] @ a, np.ones(3))[0], [0.0, 1.0, 2.0])


def test_the_containers_within_a_sparse_matrix_are_refused() -> None:
    sp: Any = pytest.importorskip("scipy.sparse")

    def of_lists(x: Any) -> Any:
        a = sp.lil_array((2, 2))
        a[0, 0] = 2.0
        a.data[0][0] = x
        return a.tocsr().sum() * x

    def of_a_dict(x: Any) -> Any:
        a = sp.dok_array((2, 2))
        a[0, 0] = 2.0
        a._dict[0, 0] = x
        return a.tocsr().sum() * x

    for f in (of_lists, of_a_dict):
        with pytest.raises(UnsupportedSyntaxError, match="holds the containers"):
            grad(f)(1.3)


def test_special_methods_in_c_are_refused() -> None:
    wrapt: Any = pytest.importorskip("wrapt")

    @wrapt.decorator  # type: ignore[untyped-decorator,unused-ignore]
    def twice(wrapped: Any, instance: Any, args: Any, kwargs: Any) -> Any:
        return 2.0 * wrapped(*args, **kwargs)

    class Wrapped:
        def __init__(self, w: Any) -> None:
            self.w = w

        @twice
        def __neg__(self) -> Any:
            return self.w * self.w

        @twice
        def __getitem__(self, i: Any) -> Any:
            return self.w * i

    class Named:
        def __init__(self, w: Any) -> None:
            self.w = w

        @twice
        def squared(self) -> Any:
            return self.w * self.w

        def __neg__(self) -> Any:
            return self.squared()

    held = Wrapped(2.0)
    for f in (lambda x: -Wrapped(x), lambda x: Wrapped(x)[2] * x, lambda x: -held * x):
        with pytest.raises(UnsupportedSyntaxError, match="is no function, but a wrapper in C"):
            grad(f)(1.3)
    assert grad(lambda x: -Named(x))(1.3) == pytest.approx(5.2)
    keywords = twice(lambda **kw: kw["self"] ** 2)
    assert grad(lambda x: keywords(self=x))(1.3) == pytest.approx(5.2)


def test_partial_special_methods_are_followed() -> None:
    class Partial:
        def __init__(self, w: Any) -> None:
            self.w = w

        def _times(self, k: Any) -> Any:
            return self.w * k * self.w

        __neg__ = functools.partialmethod(_times, 2.0)

    assert grad(lambda x: -Partial(x))(1.3) == pytest.approx(5.2)  # type: ignore[operator,unused-ignore]

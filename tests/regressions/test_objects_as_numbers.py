"""Objects that functions in C make numbers of, proxies and times: right, or refused, and never an error of our own."""

from __future__ import annotations

import math
import statistics
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hvp
from adjoint.calculus import pushforward
from adjoint.errors import AdjointError, NotDifferentiableError, UnsupportedSyntaxError

wrapt = pytest.importorskip("wrapt")


class Number:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __float__(self) -> Any:
        return self.x


def refused(f: Any) -> None:
    for run in (
        lambda: gradient(f, 1.3),
        lambda: pushforward(f, (1.3,), (1.0,)),
        lambda: hvp(f, (1.3,), (1.0,)),
    ):
        with pytest.raises(AdjointError):
            run()


CONVERSIONS = [
    lambda x: math.fsum([Number(x), 1.0]),
    lambda x: math.fsum(iter([Number(x)])),
    lambda x: math.dist([Number(x), 1.0], [0.0, 0.0]),
    lambda x: statistics.fmean([Number(x), 1.0]),
    lambda x: np.array([Number(x)], dtype=float).sum(),
    lambda x: np.asarray([Number(x), 1.0], dtype=float).sum(),
    lambda x: np.full(2, Number(x), dtype=float).sum(),
]


@pytest.mark.parametrize("f", CONVERSIONS)
def test_objects_with_a_float_are_refused(f: Any) -> None:
    refused(f)


class Storing(Number):
    v = 1.0

    def __float__(self) -> Any:
        self.v = self.v * self.x
        return self.x


@pytest.mark.parametrize("take", [lambda o: math.fsum([o]), lambda o: statistics.fmean([o])])
def test_conversions_that_store_are_refused(take: Any) -> None:
    def program(x: Any) -> Any:
        o = Storing(x)
        take(o)
        return o.v * x

    refused(program)


# ---- proxies


class Fields:
    v = 1.0


def stored_by_item(x: Any) -> Any:
    items = [x, 2.0]
    proxy = wrapt.ObjectProxy(items)
    proxy[0] = x * x
    return items[0]


def stored_by_key(x: Any) -> Any:
    items = {"a": x}
    proxy = wrapt.ObjectProxy(items)
    proxy["a"] = x * x
    return items["a"]


def stored_by_name(x: Any) -> Any:
    fields = Fields()
    proxy = wrapt.ObjectProxy(fields)
    proxy.v = x * x
    return fields.v


def read(x: Any) -> Any:
    proxy = wrapt.ObjectProxy([x, x * x])
    return sum(proxy) + proxy[1]


@pytest.mark.parametrize("f", [stored_by_item, stored_by_key, stored_by_name, read])
def test_a_proxy_is_refused(f: Any) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="stands for an object of another class"):
        gradient(f, 1.3)
    refused(f)


@pytest.mark.skipif(not hasattr(wrapt, "lru_cache"), reason="wrapt has no `lru_cache` yet")
def test_a_cache_of_wrapt_is_refused() -> None:
    @wrapt.lru_cache  # type: ignore[untyped-decorator, unused-ignore]
    def squared(v: Any) -> Any:
        return v * v

    refused(lambda x: squared(x) + squared(x))
    refused(lambda x: sum(map(squared, [x, x * x])))


# ---- times

SECOND = np.timedelta64(1, "s")


@pytest.mark.parametrize(
    "f", [lambda x: (x * SECOND) / SECOND, lambda x: (np.timedelta64(4, "s") / x) / SECOND,
          lambda x: (np.array([x]) * SECOND / SECOND).sum()],
)  # fmt: skip
def test_a_time_made_of_a_number_is_refused(f: Any) -> None:
    for run in (lambda: gradient(f, 2.0), lambda: pushforward(f, (2.0,), (1.0,))):
        with pytest.raises(NotDifferentiableError, match="a time of NumPy's is made of a number"):
            run()


def test_times_that_are_constants() -> None:
    def program(x: Any) -> Any:
        kept = [x]
        kept.append(np.timedelta64(3, "s") / SECOND * x)
        return kept[1] * (np.timedelta64(4, "s") // np.timedelta64(2, "s"))

    assert gradient(program, 2.0) == (6.0,)


# ---- who is equal to everything


def test_a_callable_that_is_equal_to_everything() -> None:
    class Square:
        __hash__ = None  # type: ignore[assignment]

        def __eq__(self, other: object) -> bool:
            return True

        def __call__(self, v: Any) -> Any:
            return v * v

    square = Square()
    assert pushforward(lambda x: square(x), (1.3,), (1.0,))[1] == pytest.approx(2.6)
    assert gradient(lambda x: square(x), 1.3)[0] == pytest.approx(2.6)

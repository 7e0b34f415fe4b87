"""Results of earlier calls that are found by names, by functions of the user's, and under keys that a caller makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, hvp, jvp, pullback
from adjoint.errors import AdjointError

from . import remembering_by_functions as by_functions
from . import remembering_by_keys as by_keys
from . import remembering_by_names as by_names

ANEW = [*by_names.ANEW, *by_functions.ANEW, *by_keys.ANEW]


def _name(make: Any) -> str:
    return str(getattr(make, "__qualname__", make))


@pytest.mark.parametrize("make", ANEW, ids=_name)
def test_computed_anew(make: Callable[[], Any]) -> None:
    f = make()
    for at in (3.0, 4.0):
        assert f(at) == at * at
    for at in (4.0, 3.0, 5.0, 5.0):
        assert gradient(f, at) == pytest.approx((2.0 * at,))
        y, back = pullback(lambda x: f(x) * 1.0, at)
        assert (y, back(1.0)[1], back(2.0)[1]) == pytest.approx((at * at, 2.0 * at, 4.0 * at))
        assert f(at) == at * at
    assert jvp(f, (5.0,), (1.0,)) == pytest.approx((25.0, 10.0))
    assert gradient(lambda x: f(x) + f(2.0 * x) + f(x), 5.0) == pytest.approx((60.0,))


@pytest.mark.parametrize("make", ANEW[::4], ids=_name)
def test_second_derivatives(make: Callable[[], Any]) -> None:
    f = make()
    f(1.5)
    assert grad(grad(f))(1.5) == pytest.approx(2.0)
    assert hvp(f, (1.5,), (1.0,)) == pytest.approx((2.0,))


def test_found_among_pairs_by_a_function() -> None:
    f = by_functions.pairs()
    assert f(3.0) == 9.0
    for _ in range(2):
        with pytest.raises(AdjointError, match="results of earlier calls"):
            gradient(f, 3.0)
    assert gradient(f, 4.0) == (8.0,)


def close(a: Any, b: Any) -> bool:
    return b is not None and abs(a - b) < 1e-12


class Steps:
    """Stores its number at each call: it counts how often one comes again."""

    def __init__(self) -> None:
        self.last: Any = -9.0
        self.repeats = 0


class ByDifference(Steps):
    def __call__(self, x: Any) -> Any:
        if abs(x - self.last) < 1e-12:
            self.repeats += 1
        else:
            self.repeats = 0
        self.last = x
        return x * x * (1 + self.repeats)


class ByFunction(Steps):
    def __call__(self, x: Any) -> Any:
        if close(x, self.last):
            self.repeats += 1
        else:
            self.repeats = 0
        self.last = x
        return x * x * (1 + self.repeats)


class ByName(Steps):
    def put(self, name: str, x: Any) -> None:
        if getattr(self, name) == x:
            self.repeats += 1
        else:
            self.repeats = 0
        setattr(self, name, x)

    def __call__(self, x: Any) -> Any:
        self.put("last", x)
        return x * x * (1 + self.repeats)


class Events(Steps):
    def __call__(self, x: Any) -> Any:
        if not close(x, self.last):
            self.last = x
            self.repeats += 1
        return x * x * (1 + self.repeats)


class Items:
    def __init__(self) -> None:
        self.last = [-9.0]
        self.repeats = 0

    def put(self, i: int, x: Any) -> None:
        if self.last[i] == x:
            self.repeats += 1
        else:
            self.repeats = 0
        self.last[i] = x

    def __call__(self, x: Any) -> Any:
        self.put(0, x)
        return x * x * (1 + self.repeats)


@pytest.mark.parametrize("make", [ByDifference, ByFunction, ByName, Events, Items])
def test_what_counts_does_as_the_plain_program(make: Callable[[], Any]) -> None:
    f, plain = make(), make()
    for at in (3.0, 3.0, 4.0, 4.0, 4.0, 3.0):
        y, back = pullback(f, at)
        known = plain(at)
        assert (y, back(1.0)[1]) == pytest.approx((known, 2.0 * known / at))


class Counted:
    """The number of its results is a part of them: computed once more, they are others."""

    def __init__(self) -> None:
        self.last: Any = None
        self.count = 0

    def is_new(self, x: Any) -> bool:
        return bool(self.last != x)

    def __call__(self, x: Any) -> Any:
        if self.is_new(x):
            self.last = x
            self.count += 1
        return x * x * self.count


def test_a_count_that_is_used_is_refused() -> None:
    f = Counted()
    assert f(3.0) == 9.0
    with pytest.raises(AdjointError, match="computes another one"):
        gradient(f, 3.0)


class Used:
    def __init__(self) -> None:
        self.log: list[Any] = []

    def use(self, pair: Any, x: Any) -> Any:
        self.log.append(pair)
        return pair[0] * pair[1] * x

    def __call__(self, x: Any) -> Any:
        return self.use(tuple([x, x * x]), x) + self.use((np.sin(x), x), x) + self.use((float(x), abs(x)), x)


def test_what_may_be_a_key_has_its_derivative() -> None:
    f, x = Used(), 1.3
    assert gradient(f, x)[0] == pytest.approx(4 * x**3 + 2 * x * np.sin(x) + x * x * np.cos(x) + 3 * x * x)
    second = 12 * x * x + 2 * np.sin(x) + 4 * x * np.cos(x) - x * x * np.sin(x) + 6 * x
    assert grad(grad(f))(x) == pytest.approx(second)

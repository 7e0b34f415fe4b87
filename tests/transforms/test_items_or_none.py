"""Lists of numbers or None, as data with gaps are: in arguments, names, fields and rows, by structure."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, jvp, pullback, withgradient
from adjoint.derivatives import choice
from adjoint.recording.entry import recorded
from adjoint.testing import check_gradient

GAPS = [1.0, None, 2.0, 0.5, None, 3.0]
WHOLE = [1.0, 2.0, 0.5, 3.0]
COUNTS = [1, None, 2]


def skipped(x, data):
    total = 0.0
    for z in data:
        if z is None:
            continue
        total += math.sin(x * z)
    return total


def state_in_a_dict(x, data):
    st = {"x": np.zeros(2), "ll": 0.0}
    for z in data:
        st["x"] = st["x"] * x + 1.0
        if z is None:
            continue
        r = z - st["x"][0]
        st["x"] = st["x"] + 0.1 * r
        st["ll"] -= r * r
    return st["ll"]


class Filter:
    def __init__(self, a):
        self.a = a
        self.m = 0.0
        self.seen = []

    def update(self, z):
        self.m = self.m * self.a
        if z is None:
            self.seen.append(self.m)
            return 0.0
        r = z - self.m
        self.m = self.m + 0.5 * r
        return r * r


def filtered(x, data):
    f = Filter(x)
    total = 0.0
    for z in data:
        total += f.update(z)
    return total + sum(f.seen)


def chosen(x, data):
    return sum([0.0 if z is None else math.exp(x * z * 0.1) for z in data])


def comprehended(x, data):
    kept = [z for z in data if z is not None]
    return sum(kept) * x + max(kept) + len(kept)


def last_known(x, data):
    previous, total = None, 0.0
    for z in data:
        if z is not None:
            if previous is not None:
                total += (z - previous * x) ** 2
            previous = z
    return total


def filled_in(x, data):
    done = list(data)
    for i in range(len(done)):
        if done[i] is None:
            done[i] = x * x
    return sum([v * v for v in done])


def filled_by_the_last(x, data):
    done = []
    for z in data:
        done.append(z if z is not None else done[-1] * x if done else 0.0)
    return sum(v * v for v in done)


def emptied(x, data):
    done = list(data)
    done[0] = None
    return sum([x * z for z in done if z is not None])


def by_place(x, data):
    total = 0.0
    for i, z in enumerate(data):
        if data[i] is not None and z is not None:
            total += data[i] * x * i
    return total


def counted(x, data):
    return x * sum(1 for z in data if z is None) + x * data.count(None) ** 2


def helper(z, x):
    return None if z is None else z * x


def through_a_helper(x, data):
    found = [helper(z, x) for z in data]
    return sum([v * v for v in found if v is not None])


def either(x, data):
    return sum((z or 1.0) * x for z in data)


def compared(x, data):
    return sum([z * x for z in data if z is not None and z > 0.7])


def first_two(x, data):
    a, b, *rest = data
    return (a * a if b is None else a * b) * x + sum([v for v in rest if v is not None])


PROGRAMS = [
    skipped, state_in_a_dict, filtered, chosen, comprehended, last_known, filled_in, filled_by_the_last, emptied,
    by_place, counted, through_a_helper, either, compared, first_two,
]  # fmt: skip


def moved(data, i, h):
    return [*data[:i], data[i] + h, *data[i + 1 :]]


def slopes(f, x, data, h=1e-6):
    by_data = [
        None if z is None else (f(x, moved(data, i, h)) - f(x, moved(data, i, -h))) / (2 * h)
        for i, z in enumerate(data)
    ]
    return (f(x + h, data) - f(x - h, data)) / (2 * h), by_data


def check(found, expected):
    assert found[0] == pytest.approx(expected[0], rel=1e-6, abs=1e-7)
    bars = [None] * len(expected[1]) if found[1] is None else found[1]
    for bar, slope in zip(bars, expected[1], strict=True):
        if slope is None:
            assert bar is None or bar == 0.0
        else:
            assert (bar or 0.0) == pytest.approx(slope, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("data", [GAPS, WHOLE, [2.0, None], [0.3], COUNTS], ids=repr)
@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients_by_all(f: Callable[..., Any], data: list[Any]) -> None:
    if f is first_two and len(data) < 2:
        return
    before, x = list(data), 0.7
    floats = [None if z is None else float(z) for z in data]
    expected = slopes(f, x, floats)
    for _ in range(3):
        y, bars = withgradient(f, x, data)
        assert y == f(x, data)
        assert data == before
        if data is not COUNTS:
            check(bars, expected)
        assert gradient(lambda v: f(v, data), x)[0] == pytest.approx(expected[0], rel=1e-6)
    y, back = pullback(f, x, data)
    once, twice = back(1.0), back(1.0)
    assert once[1] == twice[1]
    assert not choice.has_been_recorded(f, (x, data))


@pytest.mark.parametrize("f", PROGRAMS)
def test_forward_mode_and_recordings_agree(f: Callable[..., Any]) -> None:
    expected = slopes(f, 0.7, GAPS)
    y, y_dot = jvp(f, (0.7, GAPS), (1.0, None))
    assert y == f(0.7, GAPS)
    assert y_dot == pytest.approx(expected[0], rel=1e-6)
    moving = [None if z is None else 0.5 + i for i, z in enumerate(GAPS)]
    _, y_dot = jvp(f, (0.7, GAPS), (1.0, moving))
    along = [d * s for d, s in zip(moving, expected[1], strict=True) if d is not None]
    assert y_dot == pytest.approx(expected[0] + sum(along), rel=1e-6)
    y, back, _ = recorded(f, 0.7, GAPS)
    check(back(1.0)[1:], expected)


@pytest.mark.parametrize("f", PROGRAMS)
def test_second_derivatives(f: Callable[..., Any]) -> None:
    h = 1e-4
    expected = (f(0.7 + h, GAPS) - 2 * f(0.7, GAPS) + f(0.7 - h, GAPS)) / h**2
    assert grad(grad(lambda x: f(x, GAPS)))(0.7) == pytest.approx(expected, abs=1e-5)


def test_lists_of_both_kinds_in_turn() -> None:
    def f(x, data):
        return state_in_a_dict(x, data) + skipped(x, data)

    for data in (WHOLE, GAPS, [None, 1.0], [None, None], WHOLE, [1.0, None, 2.5], [], [2.0]):
        expected = slopes(f, 0.6, data)
        for _ in range(2):
            check(gradient(f, 0.6, data), expected)


TABLE = [0.5, None, 1.5]
ROWS = [(1.0, None), (2.0, 3.0), (None, 1.0)]
LISTS = [[1.0, None], [2.0, 3.0, 1.0]]


def of_a_global(x):
    st = {"ll": 0.0}
    for z in TABLE:
        if z is not None:
            st["ll"] -= (z - x) ** 2
    return st["ll"]


class Observed:
    def __init__(self, data):
        self.data = data

    def loss(self, x):
        st = {"m": x, "ll": 0.0}
        for z in self.data:
            if z is not None:
                st["ll"] -= (z - st["m"]) ** 2
            st["m"] = st["m"] * x
        return st["ll"]


def of_rows(x, rows):
    st = {"s": 0.0}
    for a, b in rows:
        if a is None or b is None:
            st["s"] += x
        else:
            st["s"] += math.sin(a * x) * b
    return st["s"]


def of_lists(x, rows):
    st = {"s": 0.0}
    for row in rows:
        for v in row:
            if v is not None:
                st["s"] += math.sin(v * x)
    return st["s"]


def captured():
    data = [1.0, None, 2.0]

    def f(x):
        st = {"s": 0.0}
        for z in data:
            st["s"] += x * x if z is None else z * x
        return st["s"]

    return f


@pytest.mark.parametrize(
    "f",
    [
        of_a_global, Observed(GAPS).loss, captured(), lambda x: of_rows(x, ROWS), lambda x: of_lists(x, LISTS),
        lambda x: skipped(x, tuple(GAPS * 3)), lambda x: state_in_a_dict(x, tuple(GAPS * 3)),
        lambda x: sum(x * v for v in {"a": 1.0, "b": None, "c": 2.0}.values() if v is not None),
    ],
)  # fmt: skip
def test_data_that_is_held(f: Callable[[float], Any]) -> None:
    h = 1e-6
    for _ in range(3):
        assert grad(f)(0.7) == pytest.approx((f(0.7 + h) - f(0.7 - h)) / (2 * h), rel=1e-6)
    assert not choice.has_been_recorded(f, (0.7,))
    check_gradient(f, 0.7)


def test_rows_that_change() -> None:
    for rows in (ROWS, [(1.0, 2.0)], [(None, None), (1.0, 1.0)], ROWS):
        h = 1e-6
        expected = (of_rows(0.7 + h, rows) - of_rows(0.7 - h, rows)) / (2 * h)
        assert gradient(of_rows, 0.7, rows)[0] == pytest.approx(expected, rel=1e-6)


def test_data_that_changes_is_read_anew() -> None:
    data: list[Any] = [1.0, 2.0]
    f = Observed(data).loss
    for changed in ([1.0, 2.0], [1.0, None], [None, 2.0], [3.0, 2.0]):
        data[:] = changed
        h = 1e-6
        assert grad(f)(0.7) == pytest.approx((f(0.7 + h) - f(0.7 - h)) / (2 * h), rel=1e-6)


def adds_none(x, data):
    total = 0.0
    for z in data:
        total = total + x * z
    return total


@pytest.mark.parametrize("g", [gradient, pullback, lambda f, *a: jvp(f, a, (1.0, None))])
def test_arithmetic_with_none_is_pythons_error(g: Any) -> None:
    gradient(adds_none, 0.5, WHOLE)
    with pytest.raises(TypeError) as plain:
        adds_none(0.5, GAPS)
    with pytest.raises(TypeError) as caught:
        g(adds_none, 0.5, GAPS)
    assert str(caught.value) == str(plain.value)

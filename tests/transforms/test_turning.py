"""Loops that run through several sequences of one length, and reverse loops that only collect."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, pullback, withgradient
from adjoint.calculus import pushforward
from adjoint.inspect import code_adjoint
from adjoint.recording.entry import recorded
from adjoint.transforms import reverse, turning

# mypy: disable-error-code="no-untyped-def, no-untyped-call"


def dot(xs, ys):
    total = 0.0
    for x, y in zip(xs, ys, strict=True):
        total = total + x * y
    return total


def three(xs, ys):
    total = 1.0
    for x, y, z in zip(xs, ys, xs, strict=True):
        total = total + x * y * z * z
    return total


def carried(xs, ys):
    total = 0.5
    for x, y in zip(xs, ys, strict=True):
        total = total * x + y
    return total


def shared(xs, ys):
    total = 0.0
    for x, y in zip(xs, ys, strict=True):
        total = total + 1.0 / (x * y + 3.0)
    return total


def counted(xs, ys):
    total = 0.0
    for i, x in enumerate(xs):
        total = total + x * ys[i] * i
    return total


def counted_from_two(xs, ys):
    return sum([i * x + y for i, (x, y) in enumerate(zip(xs, ys, strict=True), 2)])


def mapped(xs, ys):
    zs = [2.0 * x * y for x, y in zip(xs, ys, strict=True)]
    return sum([z * z for z in zs])


def only_one(xs, ys):
    total = 0.0
    for x, _ in zip(xs, ys, strict=True):
        total = total + 3.0 * x
    return total + ys[0] if ys else total


def within(xs, ys):
    total = 0.0
    for x in xs:
        for a, b in zip(xs, ys, strict=True):
            total = total + x * a * b
    return total


def in_a_branch(xs, ys):
    total = 0.0
    for x, y in zip(xs, ys, strict=True):
        total = total + (x * y if x > 0.1 else y * y)
    return total


def left_early(xs, ys):
    total = 0.0
    for x, y in zip(xs, ys, strict=True):
        if x * y > 1.05:
            break
        total = total + x * y
    return total


def of_unequal(xs, ys):
    total = 0.0
    for x, y in zip(xs, [*ys, 1.0]):  # noqa: B905
        total = total + x * y
    return total


def grown(xs, ys):
    zs = [1.0]
    for x, y in zip(xs, ys, strict=True):
        zs.append(x * y * zs[-1])
    total = 0.0
    for i, z in enumerate(zs):
        total = total + i * z
    zs.append(total)
    return total + zs[-1]


def by_wave(xs, ys):
    return dot([math.sin(x) for x in xs], ys)


PROGRAMS = (
    dot, three, carried, shared, counted, counted_from_two, mapped, only_one, within, in_a_branch, left_early,
    of_unequal, grown, by_wave,
)  # fmt: skip
LISTS: dict[str, Any] = {
    "floats": ([0.7, -1.2, 0.4], [1.1, 0.3, -0.5]), "one": ([0.7], [0.3]), "ints": ([2, 1, 3], [0.5, 2.0, 1.0]),
    "mixed": ([2, 0.5, 3.0], [0.5, 2, 1.0]), "zeros": ([0.0, 0.0], [0.0, 1.0]), "tuples": ((0.7, 1.2), (0.4, -0.1)),
    "float32": ([np.float32(0.7), np.float32(1.2)], [0.5, 0.25]), "empty": ([], []),
}  # fmt: skip


def differences(f, xs, ys, h=1e-6):
    found = []
    for k, values in enumerate((xs, ys)):
        bars = []
        for i in range(len(values)):
            moved = [[*map(float, xs)], [*map(float, ys)]]
            moved[k][i] += h
            up = f(*moved)
            moved[k][i] -= 2 * h
            bars.append((up - f(*moved)) / (2 * h))
        found += bars
    return found


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("f", PROGRAMS)
def test_programs(f, name):
    xs, ys = LISTS[name]
    before = repr((xs, ys))
    for _ in range(3):
        value, bars = withgradient(f, xs, ys)
        assert (value, type(value)) == (f(xs, ys), type(f(xs, ys)))
    flat = [d for bar in bars for d in bar]
    assert flat == pytest.approx(differences(f, xs, ys), rel=2e-5, abs=1e-6)
    y, back = pullback(f, xs, ys)
    assert repr(back(1.0)) == repr(back(1.0))
    dots = tuple([type(v)([0.5 * i - 0.3 for i in range(len(v))]) for v in (xs, ys)])
    along = pushforward(f, (xs, ys), dots)[1]
    product = sum([a * b for a, b in zip(flat, [*dots[0], *dots[1]], strict=True)])
    assert (along or 0.0) == pytest.approx(product, rel=1e-6)
    _, back, _ = recorded(f, xs, ys)
    again = [d or 0.0 for bar, v in zip(back(1.0)[1:], (xs, ys), strict=True) for d in bar or [0.0] * len(v)]
    assert again == pytest.approx(flat, rel=1e-6)
    assert repr((xs, ys)) == before


def grown_within(x):
    xs, y = [x, 2 * x], 0.0
    for i, v in enumerate(xs):
        y = y + v * v * i
        if i < 3:
            xs.append(v * x)
    return y * sum(xs)


def grown_between(x):
    xs, ys, y = [x, 2 * x], [x, 3.0], 0.0
    for _ in range(3):
        for a, b in zip(xs, ys, strict=True):
            y = y + a * b * b
        xs.append(y)
        ys.append(x)
    return y * sum(xs)


def grown_after_a_map(x):
    xs, y = [x, 2 * x], 0.0
    for v in map(lambda t: t * t, xs):
        y = y + v * v
    xs.append(y)
    return y * sum(xs)


@pytest.mark.parametrize("f", [grown_within, grown_between, grown_after_a_map])
def test_lists_that_grow(f):
    for _ in range(3):
        assert gradient(f, 1.3)[0] == pytest.approx((f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6, rel=1e-6)


@pytest.mark.parametrize("f", [dot, three, shared, mapped, by_wave])
def test_second_derivatives(f):
    xs, ys = LISTS["floats"]

    def slope(xs, ys):
        bars = gradient(f, xs, ys)
        return sum(bars[0]) + 2.0 * sum(bars[1])

    assert [*sum(gradient(slope, xs, ys), [])] == pytest.approx(differences(slope, xs, ys), rel=1e-5, abs=1e-6)


def test_lists_of_other_lengths_are_refused_as_by_python():
    for f in (dot, three, shared):
        with pytest.raises(ValueError, match="zip"):
            gradient(f, [1.0, 2.0], [1.0])


def test_what_the_program_says():
    text = code_adjoint(dot, [1.0, 2.0], [3.0, 4.0])
    assert "append" not in text
    assert "reversed" not in text
    assert "append" in code_adjoint(carried, [1.0, 2.0], [3.0, 4.0])


@pytest.mark.parametrize("f", PROGRAMS)
def test_as_run_from_the_back(f, monkeypatch):
    expected = gradient(f, *LISTS["floats"])
    monkeypatch.setattr(reverse, "turned", lambda block: block)
    assert gradient(_copy(f), *LISTS["floats"]) == expected


def test_lists_that_are_taken_for_one_another_are_caught(monkeypatch):
    found = turning._reversals
    monkeypatch.setattr(turning, "_reversals", lambda s, calls, uses: found(s, calls, uses)[::-1])
    assert gradient(_copy(dot), [1.0, 2.0], [3.0, 4.0]) != ([3.0, 4.0], [1.0, 2.0])


def _copy(f):
    """A function of its own code, which has no program yet."""
    return type(f)(f.__code__.replace(), f.__globals__)

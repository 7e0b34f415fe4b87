"""What a recorded program captures: it costs nothing where it is not touched, and an argument that is reached through
it is a variable of its own, until somebody stores into its memory."""

import functools
from typing import Any

import numpy as np
import pytest
from regressions.counting import calls

from adjoint import grad, gradient, pullback

# mypy: disable-error-code="no-untyped-def, no-untyped-call, attr-defined"


class Box:
    def __init__(self, held: Any) -> None:
        self.held = held
        self.more = [1.0, {"a": 2.0}]


def program(n: int, x: Any) -> Any:
    data = Box([Box(float(i)) for i in range(n)])
    data.k = 2.0

    def f(x: Any) -> Any:
        parts = []
        try:
            parts.append(np.sum(x * data.k))
        finally:
            pass
        return parts[0] * 2.0

    return functools.partial(grad(f), x)


@pytest.mark.parametrize("x", [1.5, np.ones(3)], ids=["number", "array"])
def test_what_is_not_touched_is_not_walked_through(x: Any) -> None:
    counts = []
    for n in (0, 10, 1000):
        slope = program(n, x)
        for _ in range(2):
            np.testing.assert_array_equal(slope(), np.full(np.shape(x), 4.0))
        counts.append(calls(slope))
    assert max(counts) <= counts[0] + 20


def test_arguments_that_are_not_asked_for_are_not_walked_through() -> None:
    def f(x: float, rows: Any) -> Any:
        try:
            return x * rows[0].held
        finally:
            pass

    counts = []
    for n in (1, 1000):
        rows = [Box(float(i + 1)) for i in range(n)]
        for _ in range(2):
            assert grad(f)(2.0, rows) == 1.0
        counts.append(calls(lambda rows=rows: grad(f)(2.0, rows)))
    # what special methods the objects have is asked of each: their classes are looked up
    assert counts[1] <= counts[0] + 8 * 1000


W = np.array([1.0, 2.0, 3.0])
HOLDERS = {
    "itself": lambda w: (w, lambda h: h),
    "object": lambda w: (Box(w), lambda h: h.held),
    "three objects": lambda w: (Box(Box(Box(w))), lambda h: h.held.held.held),
    "dict": lambda w: ({"a": {"w": w}}, lambda h: h["a"]["w"]),
    "list in an object": lambda w: (Box([0.0, w]), lambda h: h.held[1]),
    "view": lambda w: (w[:], lambda h: h),
    "view of a view": lambda w: (Box(w[::-1]), lambda h: h.held[::-1]),
    "partial": lambda w: (functools.partial(np.add, w), lambda h: h.args[0]),
    "method": lambda w: (Box(w).__init__, lambda h: h.__self__.held),
    "default": lambda w: ((lambda a=w: a), lambda h: h()),
    "array of objects": lambda w: (np.array([w, None], object), lambda h: h[0]),
}


@pytest.mark.parametrize("how", HOLDERS)
def test_an_argument_that_is_captured_as_well(how: str) -> None:
    w = W.copy()
    holder, read = HOLDERS[how](w)

    def f(x: Any) -> Any:
        parts = []
        try:
            parts.append(x * read(holder))
        finally:
            pass
        return np.sum(parts[0])

    for _ in range(2):
        np.testing.assert_array_equal(gradient(f, w)[0], W)
        np.testing.assert_array_equal(grad(f)(w), W)
        np.testing.assert_array_equal(pullback(f, w)[1](1.0)[1], W)
    np.testing.assert_array_equal(gradient(f, W + 1.0)[0], W)


def test_an_argument_that_a_generator_holds() -> None:
    w = W.copy()

    def rows() -> Any:
        while True:
            yield w

    held = rows()
    next(held)

    def f(x: Any) -> Any:
        try:
            return np.sum(x * next(held))
        finally:
            pass

    np.testing.assert_array_equal(gradient(f, w)[0], W)


@pytest.mark.parametrize("how", ["itself", "object", "three objects", "dict", "list in an object", "view"])
def test_an_argument_into_which_is_stored(how: str) -> None:
    def made(w: Any) -> Any:
        holder, read = HOLDERS[how](w)

        def f(x: Any) -> Any:
            try:
                x[0] = x[1] * 2.0
            finally:
                pass
            return np.sum(x * read(holder))

        return f

    expected = [0.0, 2 * 2.0 + 2 * 2 * 4.0, 2 * 3.0]  # of 4 b**2 + b**2 + c**2, by all names
    w = W.copy()
    np.testing.assert_array_equal(gradient(made(w), w)[0], expected)


@pytest.mark.parametrize("name", ["list", "object"])
def test_what_comes_back_is_the_argument_itself(name: str) -> None:
    w = W.copy()
    box = Box(w)

    def f(x: Any, kept: Any) -> Any:
        try:
            kept.append(x) if name == "list" else setattr(kept, "held", x)
        finally:
            pass
        return x if name == "list" else x * box.held

    kept: Any = [] if name == "list" else Box(None)
    y, back = pullback(f, w, kept)
    assert (kept[0] if name == "list" else kept.held) is w
    assert name != "list" or y is w
    bar = back(np.ones(3))[1]
    np.testing.assert_array_equal(bar, np.ones(3) if name == "list" else W)


def test_an_argument_that_is_returned() -> None:
    w = W.copy()
    box = Box(w)

    def read(x: Any) -> Any:
        try:
            return box.held
        finally:
            pass

    def in_containers(x: Any) -> Any:
        try:
            return [x, x * box.held, {"part": (x[1:], box.held)}]
        finally:
            pass

    y, back = pullback(read, w)
    assert y is w
    assert back(np.ones(3))[1] is None
    y, back = pullback(in_containers, w)
    assert y[0] is w
    ones = np.ones(3)
    np.testing.assert_array_equal(back([ones, ones, {"part": (ones[1:], ones)}])[1], [2.0, 4.0, 5.0])

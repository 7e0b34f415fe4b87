"""Stores, unpackings and operators that fail raise what Python raises, in its words."""

from __future__ import annotations

import contextvars
import queue
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp, pullback, value_and_grad
from adjoint.errors import MutationError, NoRuleError

# mypy: disable-error-code="no-untyped-def, index, operator, attr-defined"


class Held:
    def __init__(self, a):
        self.a = a


class Bare:
    pass


def into_an_argument(x):
    x[0] = x


def into_a_slice(x):
    x[0:1] = [x]


def into_a_field(x):
    o = Held(x)
    o.a[0] = x


def into_an_item(x):
    items = [x]
    items[0][0] = x


def into_an_item_of_an_item(x):
    items = [[x]]
    items[0][0][0] = x


def into_an_item_of_a_dict(x):
    d = {"a": x}
    d["a"]["b"] = x


def into_none(x):
    n = None
    n[0] = x


def into_items_that_are_none(x):
    items = [None] * 3
    items[0][0] = x


def into_text(x):
    n = "abc"
    n[0] = x


def into_bytes(x):
    n = b"abc"
    n[0] = x


def into_a_range(x):
    n = range(3)
    n[0] = x


def into_a_tuple(x):
    n = (x, x)
    n[0] = x


def into_what_a_loop_makes(x):
    s = 0.0
    for _ in range(3):
        s = s + x
    s[0] = x


def in_parallel(x):
    x[0], z = x, x
    return z


def deleted(x):
    n = 2.0 * x
    del n[0]


def deleted_in_an_item(x):
    items = [x, None]
    del items[0][0]


def deleted_in_none(x):
    o = Held(None)
    del o.a[0]


def past_the_end(x):
    items = [x]
    del items[5]


def at_text(x):
    items = [x]
    items["a"] = x


def at_a_float(x):
    items = [x]
    items[x] = x


def deleted_at_text(x):
    items = [x]
    del items["a"]


def unpacked_object(x):
    a, b = Bare()
    return x * a


def unpacked_number(x):
    a, b = x
    return a


def unpacked_with_a_star(x):
    a, *b = x
    return a


def unpacked_within(x):
    (a, b), c = x, x
    return a * b * c


def unpacked_in_a_loop(x):
    return [a for a, b in [x, x]]


def unpacked_none(x):
    a, b = None
    return x * a


def added_to_a_field(x):
    o = Held(x)
    o.a += "s"


def added_to_an_item(x):
    items = [x]
    items[0] += "s"


def added_to_a_variable(x):
    x += "s"


def subtracted_none(x):
    x -= None


def raised_to_text(x):
    x **= "s"


def added_to_none(x):
    o = Held(None)
    o.a += x


def added_to_an_object(x):
    o = Bare()
    o += x


def added_in_an_inner_function(x):
    def f():
        nonlocal x
        x += "s"

    f()


PROGRAMS = [
    *(into_an_argument, into_a_slice, into_a_field, into_an_item, into_an_item_of_an_item, into_an_item_of_a_dict),
    *(into_none, into_items_that_are_none, into_text, into_bytes, into_a_range, into_a_tuple, into_what_a_loop_makes),
    *(in_parallel, deleted, deleted_in_an_item, deleted_in_none, past_the_end, at_text, at_a_float, deleted_at_text),
    *(unpacked_object, unpacked_number, unpacked_with_a_star, unpacked_within, unpacked_in_a_loop, unpacked_none),
    *(added_to_a_field, added_to_an_item, added_to_a_variable, subtracted_none, raised_to_text, added_to_none),
    *(added_to_an_object, added_in_an_inner_function),
]


@pytest.mark.filterwarnings("ignore::adjoint.errors.CompileFallbackWarning")
@pytest.mark.parametrize("f", PROGRAMS)
def test_a_program_fails_as_in_python(f: Any) -> None:
    def recorded(x):
        try:
            return f(x)
        finally:
            pass

    with pytest.raises(Exception) as expected:  # noqa: PT011 - of its own kind
        f(1.5)
    ways = [
        lambda: pullback(f, 1.5),
        lambda: gradient(f, 1.5),  # with what the first run has shown
        lambda: gradient(recorded, 1.5),
        lambda: jvp(f, (1.5,), (1.0,)),
        lambda: value_and_grad(f, compile=True)(1.5),
    ]
    for way in ways:
        with pytest.raises(type(expected.value)) as raised:
            way()
        assert str(raised.value) == str(expected.value)


def test_one_that_is_caught_goes_on() -> None:
    def caught(x):
        items = [x]
        try:
            items[0][0] = x
        except TypeError as error:
            return x * x * len(str(error))

    n = len("'float' object does not support item assignment")
    assert gradient(caught, 1.5) == (3.0 * n,)


def test_memory_that_is_not_copied_is_not_stored_into() -> None:
    def viewed(x):
        m = memoryview(bytearray(8))
        m[0] = 3
        return x * m[0]

    try:
        found = gradient(viewed, 2.0)
    except MutationError:
        return
    assert found == (3.0,)


def test_what_only_has_items_is_unpacked() -> None:
    class Items:
        def __init__(self, x):
            self.x = x

        def __getitem__(self, i):
            if i > 1:
                raise IndexError
            return self.x * (i + 2.0)

    def unpacked(x):
        a, b = Items(x)
        return a * b

    np.testing.assert_allclose(gradient(unpacked, 1.5), (18.0,))


def by_queue(x):
    waiting: Any = queue.Queue()
    waiting.put(x)
    return waiting.get() * x


def by_simple_queue(x):
    waiting: Any = queue.SimpleQueue()
    waiting.put(x)
    return waiting.get() * x


VARIABLE: Any = contextvars.ContextVar("scale", default=1.0)


def by_context_variable(x):
    token = VARIABLE.set(x)
    try:
        return VARIABLE.get() * x
    finally:
        VARIABLE.reset(token)


@pytest.mark.parametrize(
    ("f", "way_out"),
    [(by_queue, "collections.deque"), (by_simple_queue, "collections.deque"), (by_context_variable, "as an argument")],
)
def test_what_keeps_values_out_of_sight(f, way_out):
    with pytest.raises(NoRuleError) as refusal:
        gradient(f, 1.5)
    assert way_out in refusal.value.way_out and "adjoint.rule" not in refusal.value.way_out

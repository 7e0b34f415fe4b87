"""Numbers that go into bytes, buffers and objects of C code, and come out again: no derivative is known, so that it is
refused and not taken for zero."""

from __future__ import annotations

import array
import collections
import contextvars
import copy
import ctypes
import fractions
import io
import json
import marshal
import pickle
import queue
import struct
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, stop_gradient
from adjoint.errors import AdjointError

from .differences import check

LOSING: list[Callable[[Any], Any]] = [
    lambda x: struct.unpack("d", struct.pack("d", x))[0],
    lambda x: struct.unpack_from("d", struct.pack("d", x))[0],
    lambda x: list(struct.iter_unpack("d", struct.pack("2d", x, x)))[1][0],
    lambda x: struct.Struct("d").unpack(struct.Struct("d").pack(x))[0],
    lambda x: struct.unpack("d", zlib.decompress(zlib.compress(struct.pack("d", x))))[0],
    lambda x: array.array("d", [x, 2 * x])[1],
    lambda x: sum(array.array("d", [x, 2 * x])),
    lambda x: memoryview(np.array([x, 2 * x]))[1],
    lambda x: memoryview(struct.pack("d", x)).cast("d")[0],
    lambda x: np.array([x, 2 * x]).data[1],
    lambda x: np.frombuffer(np.array([x, 2 * x]).tobytes())[1],
    lambda x: np.frombuffer(struct.pack("d", x))[0],
    lambda x: pickle.loads(pickle.dumps(x)),
    lambda x: pickle.loads(pickle.dumps([x, 2 * x]))[1],
    lambda x: pickle.loads(pickle.dumps(np.array([x])))[0],
    lambda x: pickle.loads(np.array([x]).dumps())[0],
    lambda x: json.loads(json.dumps({"a": x}))["a"],
    lambda x: marshal.loads(marshal.dumps([x]))[0],
    lambda x: ctypes.c_double(x).value,
    lambda x: (ctypes.c_double * 2)(x, 2 * x)[1],
    lambda x: float(fractions.Fraction(x)),
    lambda x: np.rec.array([(x, x)], dtype=[("a", float), ("b", float)]).b[0],
    lambda x: np.array([(x, x)], dtype=[("a", float), ("b", float)])["b"][0],
    lambda x: int.from_bytes(struct.pack("d", x), "little") * 1e-18,
]


def through_a_buffer(x: Any) -> Any:
    b = io.BytesIO()
    b.write(struct.pack("d", x))
    return struct.unpack("d", b.getvalue())[0]


def through_a_queue(x: Any) -> Any:
    q: Any = queue.SimpleQueue()
    q.put(x)
    return q.get()


def through_a_bytearray(x: Any) -> Any:
    b = bytearray(8)
    struct.pack_into("d", b, 0, x)
    return struct.unpack_from("d", b)[0]


def through_an_array(x: Any) -> Any:
    a = array.array("d")
    a.insert(0, x)
    return a.pop()


def through_a_variable(x: Any) -> Any:
    v: Any = contextvars.ContextVar("v")
    v.set(x)
    return v.get()


def through_an_exception(x: Any) -> Any:
    return ValueError(x, 2.0).args[0]


STORING = [through_a_buffer, through_a_queue, through_a_bytearray, through_an_array, through_a_variable]


@pytest.mark.parametrize("f", [*LOSING, *STORING])
def test_they_are_refused(f: Any) -> None:
    with pytest.raises(AdjointError) as caught:
        gradient(lambda x: f(x) * 3.0, 0.7)
    assert caught.value.why


@pytest.mark.parametrize("f", [*LOSING, *STORING])
def test_they_are_refused_in_a_program_that_is_recorded(f: Any) -> None:
    def program(x: Any) -> Any:
        out = []
        try:
            y = f(x)
        finally:
            out.append(x)
        return y * out[0]

    with pytest.raises(AdjointError) as caught:
        gradient(program, 0.7)
    assert caught.value.why


def test_what_an_exception_carries() -> None:
    try:
        assert gradient(through_an_exception, 0.7) == (1.0,)
    except AdjointError as error:
        assert error.why


def test_they_are_named() -> None:
    def program(x: Any) -> Any:
        saved = struct.pack("d", x)
        return struct.unpack("d", saved)[0] * x

    with pytest.raises(AdjointError, match="there is no rule for `_struct.pack`"):
        gradient(program, 0.7)


def test_what_is_not_read_again_is_no_error() -> None:
    """A key of a table, a text, a file."""
    known: dict[Any, Any] = {}

    def program(x: Any) -> Any:
        saved, key = io.BytesIO(), struct.pack("d", x)
        saved.write(pickle.dumps([x, 2 * x]))
        known[key] = x
        return known[key] * json.loads("[1.5]")[0] * len(saved.getvalue()) / len(saved.getvalue())

    assert gradient(program, 0.7) == (1.5,)
    known.clear()
    constant = struct.pack("d", 3.0)
    check(lambda x: x * struct.unpack("d", constant)[0], 0.7)
    assert gradient(lambda x: x * stop_gradient(x), 0.7) == (0.7,)


def test_containers_of_the_library_are_followed() -> None:
    check(lambda x: collections.deque([x, 2 * x], 1)[0] * collections.ChainMap({"a": x})["a"], 0.7)
    check(lambda x: np.frombuffer(np.array([x, 2 * x]))[1] * x, 0.7)
    check(lambda x: copy.deepcopy([x, [x]])[1][0] * collections.Counter(a=x).total(), 0.7)

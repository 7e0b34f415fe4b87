"""Arrays whose memory belongs to an array of bytes, integers or records, as in buffers that other processes send."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, hessian, value_and_grad


def in_bytes(x: Any) -> Any:
    return np.frombuffer(memoryview(x.view(np.uint8).copy()), x.dtype)


def in_integers(x: Any) -> Any:
    return x.view(np.int64).copy().view(x.dtype)


def in_records(x: Any) -> Any:
    records = np.zeros(x.shape, [("name", "u1"), ("value", x.dtype), ("count", "i4")])
    records["value"] = x
    return records["value"]


def backwards(x: Any) -> Any:
    return in_bytes(x[::-1].copy())[::-1]


def recorded(x: Any) -> Any:
    try:
        return np.sum((x * np.arange(1.0, 4.0)) ** 2)
    except* KeyError:
        pass


def storing(x: Any) -> Any:
    try:
        x[0] = x[1] * x[2]
        return np.sum(x[::2] ** 2) + x[1]
    except* KeyError:
        pass


@functools.lru_cache
def scale(n: int) -> float:
    return float(n)


def cached(x: Any) -> Any:
    return scale(3) * np.sum(x * x)


@pytest.mark.parametrize("placed", [in_bytes, in_integers, in_records, backwards])
@pytest.mark.parametrize("f", [recorded, cached])
def test_floats_have_cotangents(placed: Callable[[Any], Any], f: Callable[[Any], Any]) -> None:
    x = np.array([1.0, 2.0, 3.0])
    expected = value_and_grad(f)(x)
    assert repr(value_and_grad(f)(placed(x))) == repr(expected)
    np.testing.assert_array_equal(hessian(f)(placed(x)), hessian(f)(x))
    part = placed(x)[1:]
    np.testing.assert_array_equal(grad(lambda p: f(np.concatenate([x[:1], p])))(part), expected[1][1:])


@pytest.mark.parametrize("placed", [in_bytes, in_integers, backwards])
def test_stores_are_followed(placed: Callable[[Any], Any]) -> None:
    x = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(grad(storing)(placed(x)), grad(storing)(x.copy()))


@pytest.mark.parametrize("dtype", ["f4", "c16", "i4", "u1", "i8"])
@pytest.mark.parametrize("placed", [in_bytes, in_records])
def test_other_numbers(placed: Callable[[Any], Any], dtype: str) -> None:
    def f(x: Any) -> Any:
        try:
            return np.real(np.sum(x * np.conj(x))) + np.sum(x[1:].real)
        except* KeyError:
            pass

    x = np.array([1, 2, 3], dtype)
    np.testing.assert_array_equal(grad(f)(placed(x)), grad(f)(x))


def test_several_in_one_buffer() -> None:
    """Each has its own cotangents."""
    raw = memoryview(np.arange(1.0, 7.0).view(np.uint8).copy())
    a, b = np.frombuffer(raw[:24]), np.frombuffer(raw[24:])

    def f(a: Any, b: Any) -> Any:
        try:
            return np.sum(a * b * b)
        except* KeyError:
            pass

    da, db = grad(f, (0, 1))(a, b)
    np.testing.assert_array_equal(da, b * b)
    np.testing.assert_array_equal(db, 2 * a * b)

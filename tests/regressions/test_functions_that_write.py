"""Functions and methods of NumPy that write into an array: value, state and derivatives are those of the plain program,
and of the recorded one; where the array is known, nothing is recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from storing_plans import without_plans

from adjoint import gradient
from adjoint.derivatives import choice
from adjoint.testing import check_gradient

from .differences import check

Case = tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]


def weighted(a: Any) -> Any:
    return (a * a * np.arange(1.0, 1.0 + a.size).reshape(a.shape)).sum()


def divided_where(u, w):
    return weighted(np.divide(u, w, out=np.zeros_like(u), where=w > 0.1))


def logarithm_where(u, s):
    out = np.full(u.shape, s)
    np.log(u, out=out, where=u > 0.0)
    return weighted(out)


def broadcast_where(A, w):
    out = A * 0.5
    np.multiply(A, w, out=out, where=w > 0.1)
    return weighted(out)


def into_the_argument_where(u, w):
    np.divide(u, w, out=u, where=np.abs(w) > 0.1)
    return weighted(u)


def nowhere(u, w):
    out = u * 1.0
    np.divide(u, w, out=out, where=w > 100.0)
    return weighted(out)


def diagonal(A, s):
    B = A.copy()
    np.fill_diagonal(B, s)
    return np.linalg.slogdet(B)[1]


def diagonal_of_values(A, w):
    np.fill_diagonal(A, w * w)
    return weighted(A)


def diagonal_in_turn(A, w):
    np.fill_diagonal(A, w[:2])
    return weighted(A)


def diagonal_wrapped(A, s):
    B = np.concatenate([A, A, A])
    np.fill_diagonal(B, s, wrap=True)
    return weighted(B)


def sorted_in_place(u, s):
    v = u * s
    v.sort()
    return weighted(v)


def rows_sorted(A, s):
    A *= s
    A.sort(axis=0)
    return weighted(A)


def parted(u, s):
    v = u * s
    v.partition(2)
    return v[2] * v[2] * s


def copied_where(u, w):
    v = u * u
    np.copyto(v, w, where=w > 0.1)
    return weighted(v)


def put_by_mask(u, w):
    np.putmask(u, u > 0.3, w[:2] ** 2)
    return weighted(u)


def number_by_mask(u, s):
    v = u * u
    np.putmask(v, v > 0.2, s)
    return weighted(v)


def put(u, w):
    v = u * 2.0
    np.put(v, [0, -1, 0], w)
    return weighted(v)


def put_in_turn(u, s):
    v = u * 2.0
    v.put([0, 2, 3], [s, s * s])
    return weighted(v)


def put_clipped(u, w):
    v = u * 2.0
    np.put(v, [0, 99], w, mode="clip")
    return weighted(v)


def put_along(A, w):
    B = A * 1.0
    np.put_along_axis(B, np.array([[0, 2, 1]]), w[:3] * w[0], 0)
    return weighted(B)


def placed(u, w):
    v = u * 1.0
    np.place(v, v > 0.0, [w[0], w[1] * w[0]])
    return weighted(v)


def in_a_loop(u, s):
    total = 0.0
    for k in range(3):
        u = u * s
        v = u.copy()
        v.sort()
        np.putmask(v, v < 0.0, s * k)
        total = total + weighted(v)
    return total


def of_a_branch(u, w, flag):
    v = u * w
    if flag:
        v.sort()
    else:
        np.copyto(v, w, where=u > 0.0)
    return weighted(v)


def vectors() -> tuple[Any, ...]:
    return np.array([0.7, -0.4, 0.9, 0.2]), np.array([0.5, 0.0, -0.8, 1.4])


def vector() -> tuple[Any, ...]:
    return np.array([0.7, -0.4, 0.9, 0.2]), 1.3


def matrix() -> tuple[Any, ...]:
    return np.array([[0.7, -0.4, 0.9], [0.2, 1.1, -0.3], [0.6, -0.5, 0.8]]), 1.3


def matrix_and_vector() -> tuple[Any, ...]:
    return matrix()[0], np.array([0.5, -0.6, 0.8])


CASES: list[Case] = [
    *((f, vectors) for f in (divided_where, into_the_argument_where, nowhere, copied_where, put_by_mask)),
    *((f, vectors) for f in (put, put_clipped, placed)),
    *((f, vector) for f in (logarithm_where, sorted_in_place, parted, number_by_mask, put_in_turn, in_a_loop)),
    *((f, matrix) for f in (diagonal, diagonal_wrapped, rows_sorted)),
    *((f, matrix_and_vector) for f in (broadcast_where, diagonal_of_values, diagonal_in_turn, put_along)),
    (of_a_branch, lambda: (*vectors(), True)),
    (of_a_branch, lambda: (*vectors(), False)),
]


@pytest.mark.parametrize(("f", "make"), CASES)
def test_nothing_is_recorded(f: Any, make: Any, structured: list[bool]) -> None:
    for _ in range(3):
        check(f, *make())
    assert all(structured) and not choice.has_been_recorded(f, make()), "it was recorded"


@pytest.mark.parametrize(("f", "make"), CASES)
def test_derivatives_are_those_of_differences(f: Any, make: Any) -> None:
    check_gradient(f, *make(), order=2)


@pytest.mark.parametrize(("f", "make"), CASES)
def test_gradients_are_those_of_the_recorded_program(f: Any, make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    args, plain = make(), make()
    found = gradient(f, *args)
    f(*plain)
    for a, b in zip(args, plain, strict=True):
        np.testing.assert_array_equal(a, b)
    without_plans(monkeypatch)
    monkeypatch.setattr("adjoint.derivatives.shared_call", lambda *args: None)
    expected = gradient(f, *make())
    choice.forget()
    for a, b in zip(found, expected, strict=True):
        assert (a is None) is (b is None)
        if a is not None:
            np.testing.assert_allclose(a, b, rtol=1e-14, atol=0)


def test_nothing_is_computed_where_nothing_is_asked() -> None:
    """No warning of a division by zero, and no nan."""
    for f in (divided_where, into_the_argument_where):
        u, w = vectors()
        with np.errstate(all="raise"):
            bars = gradient(f, u, w)
        assert all(np.isfinite(bar).all() for bar in bars)


def of_itself(A):
    B = A * 1.0
    np.fill_diagonal(B, B[0])
    return weighted(B)


def of_complex(u):
    v = u + 1j * u
    v.sort()
    return (v.real * np.arange(4.0)).sum() + v.imag.sum()


def of_single_precision(u):
    v = (u * 2).astype(np.float32)
    np.putmask(v, v < 0, 1.0)
    return (v * v).sum()


def of_a_view(A):
    B = A * 1.0
    B[1].sort()
    B.T.sort()
    return weighted(B)


@pytest.mark.parametrize(
    ("f", "make"),
    [(of_complex, vector), (of_single_precision, vector), (of_a_view, matrix)],
)
def test_other_arrays_have_the_same_derivatives(f: Any, make: Any) -> None:
    check_gradient(f, make()[0])


def test_a_function_that_meets_what_it_stores_is_refused() -> None:
    from adjoint.errors import MutationError

    with pytest.raises(MutationError, match="stores into memory that it reads"):
        gradient(of_itself, matrix()[0])

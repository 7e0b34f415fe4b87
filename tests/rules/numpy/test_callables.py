"""Functions of NumPy that call functions: how often and in which order, what is made integer, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient, pullback
from adjoint.errors import NoRuleError

M = np.arange(6.0).reshape(2, 3) + 0.5
CALLS: list[Any] = []


def noted(*args: Any) -> Any:
    CALLS.append(tuple([(type(a), np.array(a).tolist()) for a in args]))
    return sum(args)


def calls_of(program: Any, *args: Any) -> list[Any]:
    CALLS.clear()
    program(*args)
    return CALLS.copy()


@pytest.mark.parametrize(
    "program",
    [
        lambda x: np.vectorize(noted)(x),
        lambda x: np.vectorize(noted)(x.T, x.T),
        lambda x: np.vectorize(noted, otypes=[float])(x[::-1, ::2], [[1.0], [2.0]]),
        lambda x: np.vectorize(noted, cache=True)(x),
        lambda x: np.vectorize(noted)(np.asfortranarray(x), 2),
        lambda x: np.vectorize(noted, signature="(n)->(n)")(x),
        lambda x: np.vectorize(noted, excluded={1})(x, 2.0),
        lambda x: np.vectorize(noted, excluded={0})(x),
        lambda x: np.apply_along_axis(noted, 0, x),
        lambda x: np.piecewise(x, [x > 1, x > 3, x > 100], [noted, noted, noted]),
        lambda x: np.fromfunction(noted, (2, 2)) * x[0, 0],
    ],
)
def test_the_function_is_called_as_in_the_plain_program(program: Any) -> None:
    plain = calls_of(program, M)
    assert plain and calls_of(lambda x: pullback(program, x)[1], M) == plain


def test_what_becomes_an_integer_has_no_derivative() -> None:
    """The first result says what type all have: an integer, and the others are cut."""
    f = np.vectorize(lambda t: 0 if t < 1 else t * 1.5)
    assert f(M).dtype.kind == "i"
    assert not np.any(gradient(lambda x: f(x).sum(), M)[0])
    assert not np.any(gradient(lambda x: np.vectorize(lambda t: t * t, otypes=[int])(x).sum(), M)[0])
    assert gradient(lambda x: np.vectorize(lambda t: t * t)(x).sum(), np.arange(3))[0].tolist() == [0.0, 2.0, 4.0]
    ints = np.arange(3)
    y, back = pullback(lambda c: np.piecewise(ints, [ints > 0], [lambda t: t * c]).sum(), 1.5)
    assert y == 4 and not back(1.0)[1]


def test_errors_are_those_of_numpy() -> None:
    for program in (
        lambda x: np.vectorize(noted)(x[:0]),
        lambda x: np.vectorize(noted, signature="(n),(n)->()")(x, x.T),
        lambda x: np.apply_along_axis(noted, 0, x[:, :0]),
        lambda x: np.piecewise(x, [x > 1], [noted] * 3),
    ):
        with pytest.raises(ValueError) as plain:
            program(M)
        with pytest.raises(ValueError) as ours:
            gradient(lambda x, p=program: p(x).sum(), M)
        assert str(ours.value).startswith(str(plain.value)[:20])


def test_arrays_of_objects_are_refused() -> None:
    square = np.frompyfunc(lambda t: t * t, 1, 1)
    with pytest.raises(NoRuleError, match="arrays of objects"):
        gradient(lambda x: square(x).astype(float).sum(), M)
    with pytest.raises(NoRuleError):
        gradient(lambda x: np.frompyfunc(lambda t: t * x, 1, 1)(np.arange(3)).sum(), 2.0)
    texts = np.frompyfunc(lambda t: f"{t:.1f}", 1, 1)
    assert gradient(lambda x: x.sum() * len(texts(x)), M)[0].tolist() == (2 * np.ones((2, 3))).tolist()


def test_a_function_by_entries_that_is_an_argument() -> None:
    def call(f: Any, x: Any) -> Any:
        return f(x).sum()

    assert np.allclose(gradient(call, np.vectorize(lambda t: t * t), M)[1], 2 * M)
    assert np.allclose(gradient(lambda x: call(np.vectorize(lambda t: t * x[0, 0]), x), M)[0][0, 0], M.sum() + 0.5)

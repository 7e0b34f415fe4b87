"""The form of a value, and what fits it."""

import re
from collections import namedtuple
from typing import Any

import numpy as np
import pytest

from adjoint import Tangent, pullback
from adjoint.errors import CotangentError, NotDifferentiableError, NotScalarError
from adjoint.tangents import zeros_like
from adjoint.tangents.form import check_pair, check_real, check_scalar, describe, fit, form_of

Pair = namedtuple("Pair", "a b")


def brief(x: Any) -> str:
    """A value as text that is the same in every process."""
    return re.sub(r" at 0x\w+", "", repr(x))


class Record:
    """Something with fields."""

    def __init__(self, **fields: Any) -> None:
        vars(self).update(fields)


FITS: list[tuple[Any, Any, Any]] = [
    (1.0, np.float32(2), 2.0),
    (1.0, 2, 2),
    (1j, 2.0, 2.0),
    (np.float32(1), 2.0, np.float32(2)),
    (3, 0.5, 0.5),
    ((1.0, "s"), [1.0, None], (1.0, None)),
    (Pair(1.0, 2.0), (1.0, 2.0), Pair(1.0, 2.0)),
    ([1.0], (2.0,), [2.0]),
    ({"a": 1.0, "b": "s"}, {"a": 2.0}, {"a": 2.0}),
    (Record(w=1.0), Tangent(Record, {"w": 2}), Tangent(Record, {"w": 2})),
    (Record(w=1.0), Tangent(Record, {}), Tangent(Record, {})),
    (iter([1.0]), Tangent(type(iter([])), {}), Tangent(type(iter([])), {})),
    (np.ones(1).flat, np.array([2.0]), np.array([2.0])),
    (len, Tangent(len, {}), Tangent(len, {})),
]


@pytest.mark.parametrize(("y", "d", "expected"), FITS, ids=brief)
def test_what_fits(y: Any, d: Any, expected: Any) -> None:
    got = fit(d, form_of(y), "y")
    assert got == expected and type(got) is type(expected)
    assert fit(None, form_of(y), "y") is None


@pytest.mark.parametrize(
    ("dtype", "expected"), [("f4", "f4"), ("f8", "f8"), ("c8", "c8"), ("i4", "f8"), ("?", "f8"), ("O", "f8")]
)
def test_arrays_take_the_precision_of_the_value(dtype: str, expected: str) -> None:
    assert fit(np.ones(2), form_of(np.zeros(2, dtype)), "y").dtype == np.dtype(expected)


def test_what_has_the_form_is_not_copied() -> None:
    d = np.ones(3)
    assert fit(d, form_of(np.zeros(3)), "y") is d


def test_the_form_of_an_array_takes_no_memory() -> None:
    y = np.zeros((4, 5), np.float32)
    form = form_of(y)
    assert (form.shape, form.dtype, form.strides) == (y.shape, y.dtype, (0, 0))
    assert not np.shares_memory(form, y)


def test_a_circle_of_records_has_a_form() -> None:
    loop = Record(w=1.0)
    loop.self = loop  # type: ignore[attr-defined]
    fit(Tangent(Record, {"w": 1.0}), form_of(loop), "y")


@pytest.mark.parametrize("y", [1.0, np.ones(2), (1.0,), [1.0], {"a": 1.0}, Record(w=1.0), None, "s", np.float32(1)])
def test_text_fits_nothing(y: Any) -> None:
    with pytest.raises(CotangentError, match="the cotangent given to y is a str; the result"):
        fit("text", form_of(y), "y")


@pytest.mark.parametrize("y", [1, 1.0, np.float32(1), np.int8(1), np.ones(()), np.ones(1), np.ones((1, 1))])
def test_scalars(y: Any) -> None:
    check_scalar(y, "f")
    check_pair((y, 1), "f")
    check_real("the result", y, zeros_like(y), "f")


@pytest.mark.parametrize(
    "y",
    [
        True,
        np.bool_(True),
        1j,
        None,
        "s",
        np.ones(2),
        np.ones((1, 0)),
        (1.0,),
        np.array(True),
        np.array(1j),
        np.array([1j]),
    ],
)
def test_not_scalars(y: Any) -> None:
    with pytest.raises(NotScalarError, match="the gradient of `f` was asked for, but it returns an?"):
        check_scalar(y, "f")
    if not isinstance(y, np.ndarray | tuple) or np.asarray(y).dtype.kind not in "f":
        with pytest.raises(NotDifferentiableError, match="argument 0 of `f` is an? .*, not real numbers"):
            check_real("argument 0", y, zeros_like(y), "f")


def test_descriptions() -> None:
    values: dict[Any, str] = {1: "an int", "s": "a str", (): "a tuple of 0", len: "a builtin_function_or_method"}
    assert {value: describe(value) for value in values} == values
    assert describe(np.ones((2, 3))) == "an array of shape (2, 3) (float64)"
    assert describe({"a": 1}) == "a dict with the keys 'a'"


class Scale:
    def __init__(self, k: float) -> None:
        self.k = k

    def __call__(self, x: float) -> float:
        return self.k * x


OTHERS = [len, float, Scale(2.0), Scale(2.0).__call__, lambda x: x, iter([1.0]), {1.0}, {}.values(), object(), np, None]
OTHERS += ["text", np.array(["text"]), np.str_("text"), np.dtype(float), Tangent(Scale, {"k": 1.0})]


@pytest.mark.parametrize("y", OTHERS, ids=brief)
def test_numbers_do_not_fit_what_is_none(y: Any) -> None:
    for d in (1.0, 2, np.float64(1.0), "text"):
        with pytest.raises(CotangentError):
            fit(d, form_of(y), "y")
    assert fit(None, form_of(y), "y") is None


def test_cotangents_of_functions() -> None:
    _, back = pullback(lambda x: lambda y: x * y, 2.0)
    with pytest.raises(CotangentError, match="is a float; the result is a function"):
        back(1.0)
    model, back = pullback(Scale, 2.0)
    assert back(pullback(model, 3.0)[1](1.0)[0]) == (None, 3.0)

"""What specialisation says of results of builtins and NumPy's functions, held to what calls of them give."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, withgradient
from adjoint.ir.nodes import Const, Var
from adjoint.ir.types import FLOAT, UNKNOWN, Array, Dict, Known, List, Scalar, Tuple, Type, View
from adjoint.ops import OPS, words
from adjoint.rules.registry import find_rules
from adjoint.runtime.typeof import typeof
from adjoint.transforms.results import result_type

PYTHON = (bool, int, float, complex)
NUMBERS: list[Any] = [1.5, 2, True, 0.5 + 1j, np.float64(1.5), np.float32(1.5), np.int64(3), np.longdouble(0.5)]
ARRAYS: list[Any] = [
    *(
        np.array([1.5, 0.5], dtype)
        for dtype in (np.float64, np.float32, np.float16, np.longdouble, complex, int, np.int32, np.uint8, bool)
    ),
    *(np.array(1.5), np.array(2), np.zeros(0), np.ones((2, 2)), np.ones((2, 2), np.float32), np.ones((2, 2), complex)),
    *(np.ones((2, 2, 2)), np.eye(2, dtype=int), np.array(["a", "b"]), np.array([1.0, None])),
]
LISTS: list[Any] = [
    *(
        [],
        (),
        [1.5, 2.5],
        [1, 2],
        [True, False],
        [1.5, 2],
        (1.5, 2),
        (1, 2),
        (True,),
        [1j, 2.0],
        [np.float64(1.5), 2.0],
    ),
    *([np.ones(2), np.ones(2)], (np.ones(2), 1.0), [np.float32(1.5)], [[1.5], [2.5]], [(1.5, 2.0)], ["a", "b"]),
]
DICTS: list[Any] = [{}, {"a": 1.5, "b": 2.5}, {"a": 1.5, "b": 2}, {1: [1.5]}, {"a": 1.5, "b": "text"}]
ANY = [*NUMBERS, *ARRAYS, *LISTS, "ab", None]

CALLS: dict[Any, list[list[Any]]] = {
    sum: [LISTS + ARRAYS, [*NUMBERS, *ARRAYS, []]],
    max: [LISTS + ARRAYS + NUMBERS, NUMBERS],
    min: [LISTS + ARRAYS + NUMBERS, NUMBERS],
    divmod: [ANY, [0.7, 2, True, np.float64(0.5), np.ones(2)]],
    round: [ANY, [1, 0, -1, None, True]],
    complex: [ANY, NUMBERS],
    np.ndarray.item: [ARRAYS, [0, 1, (0, 0)]],
    np.generic.item: [[x for x in NUMBERS if isinstance(x, np.generic)], []],
    np.ndarray.tolist: [ARRAYS, []],
    np.generic.tolist: [[x for x in NUMBERS if isinstance(x, np.generic)], []],
    np.linalg.norm: [ANY, [1, 2, np.inf, "fro", None]],
    np.linalg.det: [ANY, []],
    dict.values: [DICTS, []],
    dict.items: [DICTS, []],
    itertools.accumulate: [LISTS + ARRAYS, []],
    list: [ANY, []],
    sorted: [LISTS, []],
}
"""Functions, what they are given first, and what may follow that."""
BOUNDS = [0.5, 1, None, np.float64(0.5), np.float32(0.5), np.array([0.5, 1.0]), np.ones((2, 2))]
OF_THREE: dict[Any, list[list[Any]]] = {
    np.clip: [[*NUMBERS, *ARRAYS, [1.5, 2.5]], BOUNDS, BOUNDS],
    np.ndarray.clip: [ARRAYS, BOUNDS, BOUNDS],
    np.where: [[np.array([True, False]), True, np.array(True), np.ones((2, 2), bool), [True, False]], ANY, ANY],
    np.interp: [ANY, [[0.0, 1.0], np.array([0.0, 1.0], np.float32)], [*LISTS, np.array([0, 1]), np.array([0.0, 1j])]],
}


def calls_of(f: Any) -> Iterator[tuple[Any, ...]]:
    """All arguments that the tables have for a function."""
    if f in OF_THREE:
        yield from itertools.product(*OF_THREE[f])
        return
    first, second = CALLS[f]
    yield from ((x,) for x in first)
    yield from itertools.product(first, second)


def atom_of(x: Any, known: bool) -> Any:
    """A variable of this type, or the constant."""
    return Const(x) if known else Var("x", typeof(x), False)


def stated(f: Any, args: tuple[Any, ...], known: bool) -> Type:
    """What specialisation says of a call, of variables or with constants after the first argument."""
    atoms = [atom_of(x, known and i > 0) for i, x in enumerate(args)]
    return result_type(f, atoms, (), find_rules(f))


def holds(said: Type, y: Any) -> bool:
    """Whether what is said is true of a value. A number that is said to be a float may be an int, an array without a
    dtype may be a number of Python's: derivatives are the same."""
    match said:
        case Scalar(kind):
            return type(y) in PYTHON[: 1 + [t.__name__ for t in PYTHON].index(kind)]
        case Array(kind) if kind not in "biufc":
            return True  # it says nothing of items
        case Array(kind, dtype, ndim, scalar):
            if not dtype and type(y) in PYTHON:
                return ndim in (0, None) and scalar is not False
            named = isinstance(y, np.ndarray | np.generic) and dtype in ("", y.dtype.name)
            return named and y.dtype.kind == kind and ndim in (None, y.ndim) and scalar in (None, np.isscalar(y))
        case List(item):
            return type(y) is list and all(holds(item, x) for x in y)
        case Tuple(items, cls):
            return type(y) is cls and len(y) == len(items) and all(map(holds, items, y))
        case View(item, cls):
            return type(y) is cls and all(holds(item, x) for x in y)
        case Known(value):
            return y is value
    return said == UNKNOWN or said == typeof(y)


@pytest.mark.parametrize("f", [*CALLS, *OF_THREE], ids=lambda f: getattr(f, "__qualname__", f.__name__))
def test_what_is_said_of_a_result(f: Any) -> None:
    known = 0
    for args in calls_of(f):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                y = f(*args)
            except (TypeError, ValueError, ZeroDivisionError, np.linalg.LinAlgError, IndexError, OverflowError):
                continue
        for constants in (False, True):
            said = stated(f, args, constants)
            one = f in (max, min) and type(y) in PYTHON  # of numbers of both kinds, and as wide as those of NumPy
            assert holds(said, y) or one and holds(said, np.float64(y)), (f, args, said, y)
            known += said != UNKNOWN
    assert known, "nothing is said of any of its results"


REDUCTIONS = [
    *(np.sum, np.mean, np.max, np.min, np.prod, np.var, np.std, np.median, np.nansum, np.nanprod, np.nanmax, np.nanmin),
    *(np.ndarray.sum, np.ndarray.mean, np.ndarray.max, np.ndarray.min, np.ndarray.prod, np.ndarray.var, np.ndarray.std),
]
AXES = [None, 0, 1, -1, 2, (0, 1), (0,), (-1, 0), (), True, 0.0]


@pytest.mark.parametrize("f", REDUCTIONS, ids=lambda f: f.__qualname__)
def test_what_is_said_of_reductions_along_axes(f: Any) -> None:
    ranks = 0
    for x, axis, keep, by_name in itertools.product(ARRAYS, AXES, [None, True, False], [True, False]):
        args = (x,) if by_name else (x, axis)
        kwargs = {} if keep is None else {"keepdims": keep}
        if by_name:
            kwargs["axis"] = axis
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                y = f(*args, **kwargs)
            except (TypeError, ValueError):
                continue
        atoms = [atom_of(a, i > 0) for i, a in enumerate(args)]
        said = result_type(f, atoms, [(name, Const(v)) for name, v in kwargs.items()], find_rules(f))
        assert holds(said, y), (f, args, kwargs, said, y)
        ranks += isinstance(said, Array) and said.ndim is not None
        free = result_type(f, atoms[:1], [(name, Var("v", UNKNOWN, False)) for name in kwargs], find_rules(f))
        assert holds(free, y) or not kwargs, (f, args, kwargs, free, y)
    assert ranks > 50


def test_a_rank_that_is_said_wrongly_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "rank_left", lambda rank, given: 0)
    with pytest.raises(AssertionError):
        test_what_is_said_of_reductions_along_axes(np.sum)


@pytest.mark.parametrize("f", [sum, np.linalg.norm, np.clip])
def test_what_is_said_wrongly_is_noticed(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for g in OPS[id(f)].functions:
        monkeypatch.setitem(OPS, id(g), OPS[id(g)]._replace(result=FLOAT))
    with pytest.raises(AssertionError):
        test_what_is_said_of_a_result(f)


def test_a_dict_of_keywords() -> None:
    assert result_type(dict, [], [("a", Const(1.5)), ("b", Const(2))]) == Dict(FLOAT)
    assert result_type(dict, [], [("a", Const(1.5)), ("b", Const("text"))]) == Dict(UNKNOWN)
    assert result_type(dict, [], [(None, Var("d", Dict(FLOAT), False))]) == UNKNOWN
    assert result_type(dict, [Const(())], [("a", Const(1.5))]) == Dict(UNKNOWN)


def test_nested_lists() -> None:
    assert stated(np.ndarray.tolist, (np.ones((2, 3)),), False) == List(List(FLOAT))
    assert stated(divmod, (1.5, 2), False) == Tuple((FLOAT, FLOAT))


@pytest.mark.parametrize(
    ("f", "value", "slope"),
    [
        (lambda x: sum([x * q for q in range(3)]) * x, 12.0, 12.0),
        (lambda x: (sum([]) + sum(())) * x + x, 2.0, 1.0),
        (lambda x: sum([[x], [2 * x]], [])[1] * x, 8.0, 8.0),
        (lambda x: max([x, 3.0 * x, x]) * x, 12.0, 12.0),
        (lambda x: max(x, 5) * x, 10.0, 5.0),
        (lambda x: divmod(x, 0.75)[1] * x, 1.0, 2.5),
        (lambda x: (round(x, 2) + x) * x, 8.0, 6.0),
        (lambda x: complex(x, 3.0).real * complex(1.0, x).imag, 4.0, 4.0),
        (lambda x: np.array([x, 2 * x])[1:].item() * x, 8.0, 8.0),
        (lambda x: np.array([[x, 2 * x]]).tolist()[0][1] * x, 8.0, 8.0),
        (lambda x: np.clip(x, 0.0, 5.0) * np.clip(x, 0, 1.5), 3.0, 1.5),
        (lambda x: np.linalg.norm(np.array([3.0 * x, 4.0 * x])) * x, 20.0, 20.0),
        (lambda x: np.linalg.det(np.array([[x, 1.0], [1.0, x]])), 3.0, 4.0),
        (lambda x: np.interp(x, [0.0, 4.0], [0.0, 8.0]) * x, 8.0, 8.0),
        (lambda x: dict(a=x, b=3.0)["a"] * x, 4.0, 4.0),
        (lambda x: sum({"a": x, "b": x * x}.values()) * x, 12.0, 16.0),
        (lambda x: sum([v * len(k) for k, v in {"a": x, "bc": x * x}.items()]), 10.0, 9.0),
        (lambda x: max({"a": x, "b": x * x}.values()) * x, 8.0, 12.0),
        (lambda x: list(itertools.accumulate([x, x * x, 1.0]))[-1] * x, 14.0, 17.0),
        (lambda x: [v for v in itertools.accumulate([x, x])][1], 4.0, 2.0),
    ],
)
def test_programs(f: Any, value: float, slope: float) -> None:
    y, (x_bar,) = withgradient(f, 2.0)
    assert type(y) is type(f(2.0))
    assert (y, x_bar) == (pytest.approx(value), pytest.approx(slope))
    second = gradient(lambda x: gradient(f, x)[0], 2.0)[0] or 0.0
    steps = [gradient(f, 2.0 + h)[0] for h in (1e-5, -1e-5)]
    assert second == pytest.approx((steps[0] - steps[1]) / 2e-5, abs=1e-4)

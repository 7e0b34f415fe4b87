"""Every result type that a row says of an operation, compared with what runs give: for each dtype, with and without
axes, empty and with constant options."""

from __future__ import annotations

import cmath
import contextlib
import functools
import io
import itertools
import math
import operator
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from rules.tables import FAMILIES, samples_of

from adjoint import jvp, withgradient
from adjoint.ir.types import FLOAT, UNKNOWN, Array, List, Tuple, Type, Variadic
from adjoint.ops import OPS, Seen, find_op, parameters_of
from adjoint.ops.draws import is_draw
from adjoint.rules.registry import find_rules
from adjoint.tangents import densify

from .observing import PATTERNS, A, V, fresh
from .stating import holds, stated
from .typed_calls import more_calls

DTYPES: tuple[Any, ...] = (np.float64, np.float32, np.int64, np.uint64, np.int8, np.bool_, np.complex128)
MIXED: tuple[tuple[Any, Any], ...] = (
    *((np.int64, np.uint64), (np.uint64, np.int64), (np.uint8, np.int8), (np.int64, np.float32)),
    *((np.bool_, np.int64), (np.float64, np.uint64)),
)
"""Dtypes of arguments, or of the items of a sequence, by turns."""
OPTIONS: tuple[dict[str, Any], ...] = (
    *({"axis": 0}, {"axis": -1}, {"axis": None}, {"axis": 0, "keepdims": True}, {"keepdims": True}),
    *({"dtype": np.float32}, {"dtype": float}, {"dtype": None}, {"dtype": int}),
)
pytestmark = pytest.mark.filterwarnings("ignore")  # of dtypes whose names are old
Call = tuple[Any, tuple[Any, ...], dict[str, Any]]


def cast(x: Any, dtype: Any) -> Any:
    """A number, or an array, with this dtype."""
    if isinstance(x, np.ndarray | np.generic) and x.dtype.kind in "biufc":
        return x.astype(dtype)
    if type(x) is float:
        return dtype(x).item()
    if type(x) in (list, tuple):
        return type(x)([cast(item, dtype) for item in x])
    return x


def cast_by_turns(xs: Any, dtypes: tuple[Any, Any]) -> Any:
    """Arguments, and items of sequences of arrays, with these dtypes by turns."""
    return [
        type(x)(cast_by_turns(x, dtypes)) if type(x) in (list, tuple) else cast(x, dtypes[i % 2])
        for i, x in enumerate(xs)
    ]


def without_axes(x: Any) -> Any:
    return x.ravel()[:1].reshape(()) if isinstance(x, np.ndarray) and x.size else x


def as_number(x: Any) -> Any:
    return x.ravel()[0] if isinstance(x, np.ndarray) and x.size else x


def emptied(x: Any) -> Any:
    return x[:0] if isinstance(x, np.ndarray | list) and np.ndim(x) else x


def forms(args: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The arguments with other dtypes, without axes, and empty."""
    yield args
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for change in (*(functools.partial(cast, dtype=dtype) for dtype in DTYPES), without_axes, as_number, emptied):
            with contextlib.suppress(TypeError, ValueError, OverflowError):
                yield tuple(change(x) for x in args)
        with contextlib.suppress(TypeError, ValueError, OverflowError):
            yield tuple(cast(x, np.float32) if i else x for i, x in enumerate(args))
        for dtypes in MIXED:
            with contextlib.suppress(TypeError, ValueError, OverflowError):
                yield tuple(cast_by_turns(args, dtypes))


def typed() -> list[Any]:
    """The functions of rows that say what they give."""
    return [f for row in {id(r): r for r in OPS.values()}.values() if is_typed(row) for f in row.functions]


def is_typed(row: Any) -> bool:
    return row is not None and row.result is not None and not isinstance(row.result, Seen)


def calls() -> Iterator[Call]:
    """Samples of rules, and patterns of arguments, of all functions that say what they give."""
    for family in FAMILIES:
        for s in samples_of(family):
            if s.f is s.of and is_typed(find_op(s.f)):
                yield from ((s.f, args, s.kwargs) for args in forms(s.args))
                yield from ((s.f, s.args, {**s.kwargs, **option}) for option in OPTIONS)
                yield from ((s.f, *call) for call in by_name(s.f, s.args, s.kwargs))
    for f in typed():
        if f not in (input, densify):  # which asks, and which is given a cotangent of its second argument
            yield from ((f, args, {}) for args in (*PATTERNS, *MORE))
    yield from BY_NAME
    yield from more_calls()


def by_name(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The same call with arguments by name, the last of them first: all of them, and all but the first."""
    names = parameters_of(f, find_op(f)).names  # type: ignore[arg-type]
    for n in range(min(len(args), 2)):
        if len(args) <= len(names) and not {*names[n : len(args)]} & {*kwargs}:
            named = list(zip(names, args, strict=False))[n:]
            yield args[:n], {**kwargs, **dict(reversed(named))}


FLAGS, SIGNED, UNSIGNED = V > 1.5, V.astype(np.int64), V.astype(np.uint64)
MORE: tuple[tuple[Any, ...], ...] = (
    *((SIGNED, UNSIGNED), (UNSIGNED, SIGNED), ((SIGNED, UNSIGNED),), ([UNSIGNED, SIGNED],), (UNSIGNED, 2), (UNSIGNED,)),
    *((UNSIGNED, [1, 2, 3]), (UNSIGNED, 1.5), (UNSIGNED, V), (np.uint64(3), np.int64(2)), (UNSIGNED[:2], [1.5, 2.0])),
    *((np.outer(SIGNED, SIGNED), UNSIGNED), (UNSIGNED, np.uint8(3)), (UNSIGNED.reshape(1, 3), SIGNED.reshape(3, 1))),
    *(
        (FLAGS,),
        (FLAGS, FLAGS),
        ((FLAGS, FLAGS), 0),
        ([FLAGS, FLAGS], -1),
        (FLAGS, 1),
        (True,),
        (True, 1),
        (True, False),
    ),
    *((SIGNED, UNSIGNED, V), (FLAGS, SIGNED, UNSIGNED), (-3,), (0.0, 1.0, 3, True, V), (np.int64(1), 2.5, 0.5)),
    *((SIGNED, True, 0.5), (np.array(1), 3.0), (3 + 1j,), (-2.5,), (SIGNED.astype(np.int8), UNSIGNED.astype(np.uint8))),
)
"""Arguments that sets of samples lack: unsigned integers, alone and beside signed ones, flags, numbers of Python's."""
BY_NAME: tuple[Call, ...] = (
    *((np.full, (), {"fill_value": 2.0, "shape": (2, 3)}), (np.full, (), {"fill_value": V, "shape": (2, 3)})),
    *((np.zeros, (), {"dtype": np.float32, "shape": 3}), (np.ones, (), {"dtype": None, "shape": (2, 1)})),
    *((np.clip, (), {"a_min": 0.0, "a_max": 1.0, "a": V}), (np.clip, (), {"a_max": 1.0, "a": A, "a_min": None})),
    *((np.linspace, (0.0,), {"num": 3, "stop": V}), (np.linspace, (), {"stop": V, "start": 0.0, "num": 2})),
    *((np.geomspace, (1.0,), {"num": 3, "stop": V}), (np.logspace, (0.0,), {"num": 3, "stop": V})),
    *((np.logspace, (0.0, 1.0, 3), {"base": V}), (np.logspace, (), {"base": 2.0, "stop": 1.0, "start": 0.0})),
    *((np.diff, (), {"n": 1, "a": A}), (np.diff, (), {"prepend": V[:1], "a": V}), (np.diff, (), {"append": V, "a": V})),
    *(
        (np.any, (), {"axis": 0, "a": A}),
        (round, (), {"ndigits": 1, "number": 2.5}),
        (np.stack, (), {"axis": 1, "arrays": [V, V]}),
    ),
    *((np.array, (), {"dtype": np.float32, "object": [1.0]}), (np.asarray, (), {"dtype": float, "a": SIGNED})),
    *((np.ones_like, (), {"dtype": np.float32, "a": A}), (np.linalg.norm, (), {"ord": 2, "x": A})),
    *((np.count_nonzero, (), {"axis": 0, "a": A}), (np.count_nonzero, (A,), {"axis": None})),
    *((np.concatenate, ((SIGNED, UNSIGNED),), {"axis": 0}), (np.arange, (np.array(1),), {"step": 0.5, "stop": 3})),
    *((operator.invert, (FLAGS,), {}), (operator.invert, (True,), {}), (operator.lshift, (True, 1), {})),
)


@functools.cache
def results() -> list[tuple[Call, Any]]:
    """The calls that ran, with what they gave."""
    found = []
    with warnings.catch_warnings(), np.errstate(all="ignore"), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        for f, args, kwargs in calls():
            if is_draw(f):
                continue  # NumPy does not look whether it is given a generator
            with contextlib.suppress(Exception):
                found.append(((f, args, kwargs), f(*map(fresh, args), **kwargs)))
    return found


def wrong(found: list[tuple[Call, Any]]) -> list[str]:
    """The calls that gave something else than what their rows say."""
    denied = {}
    for (f, args, kwargs), y in found:
        for known in (False, True):
            said = stated(f, args, kwargs, known)
            if not holds(said, y) and not (f is np.bincount and not y.size):  # sums of nothing are integers
                denied[name_of(f), repr(said), type(y)] = f"{name_of(f)}{args}{kwargs or ''}: {said}, and gave {y!r}"
    return [*denied.values()]


def name_of(f: Any) -> str:
    return getattr(f, "__qualname__", None) or str(f)


def test_what_rows_say_is_what_runs_give() -> None:
    denied = wrong(results())
    assert not denied, "\n".join(denied[:60])


PLANTED: dict[str, tuple[Any, Callable[[Any], Type]]] = {
    "a wrong dtype": (np.cumsum, lambda given: Array("f", "float32", 1, False)),
    "a wrong rank": (np.outer, lambda given: Array("f", "float64", 1, False)),
    "an array for a number": (np.mean, lambda given: Array("f", "float64", 0, False)),
    "a number for an array": (np.zeros, lambda given: Array("f", "float64", None, True)),
    "a list for a tuple": (divmod, lambda given: List(FLOAT)),
    "a tuple too long": (divmod, lambda given: Tuple((FLOAT,) * 3)),
    "a number of Python's": (operator.mul, lambda given: FLOAT),
}


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_said_wrongly_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    f, result = PLANTED[name]
    row = find_op(f)
    assert row is not None
    for g in row.functions:
        monkeypatch.setitem(OPS, id(g), row._replace(result=result))
    assert wrong([(call, y) for call, y in results() if find_op(call[0]) is OPS[id(f)]])


def planted(t: Type) -> Iterator[Type]:
    """Types that are wrong where this one is right: of another dtype, of another rank, an array for a number."""
    if isinstance(t, Array) and t.kind in "biufc":
        yield List(t)
        yield from () if not t.dtype else (replace(t, kind="c", dtype="complex64"),)
        yield from () if t.ndim is None or t.scalar is None else (replace(t, ndim=t.ndim + 1, scalar=False),)
        yield from () if t.scalar is None or not t.dtype else (replace(t, scalar=not t.scalar, ndim=None),)
    if isinstance(t, Tuple) and t.items:
        yield from (Tuple((u, *t.items[1:]), t.cls) for u in planted(t.items[0]))
        yield from (Tuple((*t.items[:-1], u), t.cls) for u in planted(t.items[-1]))
        yield Tuple((*t.items, t.items[0]), t.cls)
    if isinstance(t, (List, Variadic)):
        yield from map(type(t), planted(t.item))


def test_every_wrong_type_of_these_functions_is_seen() -> None:
    """Of each there are calls that tell its type from others."""
    told = set()
    for (f, args, kwargs), y in results():
        if id(f) not in LISTED or (f is np.bincount and not y.size):
            continue
        for t in planted(stated(f, args, kwargs, True)):
            assert not holds(t, y), f"{name_of(f)}{args}{kwargs or ''} gave {y!r}, and may be {t}"
            told.add(id(f))
    assert not [name_of(f) for i, f in LISTED.items() if i not in told]


LISTED: dict[int, Any] = {id(f): f for f, _, _ in more_calls() if is_typed(find_op(f))}


def test_most_is_known() -> None:
    """Types are said of calls of numbers, and of arrays."""
    known = [stated(*call, True) != UNKNOWN for call, _ in results()]
    assert len(known) > 15_000 and sum(known) > 0.5 * len(known)


def test_nearly_all_differentiable_functions_of_numbers_say_what_they_give() -> None:
    """The others are counted: only a run shows what they give."""
    homes = (np, np.linalg, np.fft, math, cmath, operator)
    named = {id(f): f for m in homes for f in vars(m).values() if callable(f) and type(f).__hash__ is not None}
    ruled = [f for f in named.values() if (rules := find_rules(f)) is not None and rules.differentiable]
    unsaid = {name_of(f) for f in ruled if not is_typed(find_op(f))}
    assert len(ruled) > 250 and len(unsaid) <= 42, sorted(unsaid)


def test_calls_that_do_not_fit_have_no_type_of_their_own() -> None:
    """They raise when they run, and not while types are looked for."""
    for f in typed():
        for n, x, names in itertools.product(range(6), (1.5, None, V, [1.5], {"a": 1.5}), ((), ("nothing",))):
            assert isinstance(stated(f, (x,) * n, dict.fromkeys(names, x), True), Type)


def test_reasons_are_given_where_only_a_run_shows_it() -> None:
    reasons = [row.result.reason for row in OPS.values() if isinstance(row.result, Seen)]
    assert len(reasons) == SEEN and all(reasons)


SEEN = 13
"""How many operations say so."""


def test_counts_along_an_axis_are_an_array() -> None:
    a = np.array([[2.0, 1.0], [0.0, 3.0]])
    y, (x_bar,) = withgradient(lambda x: np.sum(np.count_nonzero(a, axis=0) ** x), 1.5)
    assert y == 1.0 + 2.0**1.5 and x_bar == pytest.approx(2.0**1.5 * np.log(2.0), rel=1e-12)
    y, y_dot = jvp(lambda x: np.sum(np.count_nonzero(a, axis=0) ** x), (1.5,), (1.0,))
    assert y_dot == pytest.approx(x_bar, rel=1e-12)

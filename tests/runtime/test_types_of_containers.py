"""Lists of lists, of arrays and of tuples, dicts of arrays, and what is run through together: by their types, and
again when these change."""

import contextlib
import io
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, withgradient
from adjoint.derivatives.choice import is_structured_call
from adjoint.ir.lattice import keyed
from adjoint.ir.types import BOTTOM, FLOAT, INT, UNKNOWN, Array, Dict, Inert, List, Maybe, Tuple
from adjoint.runtime.conditions import Guard
from adjoint.runtime.typeof import typeof

F8 = Array("f", "float64", 1, False)
KINDS: list[tuple[Any, Any]] = [
    ([[1.0], [2.0, 3.0]], List(List(FLOAT))),
    ([[1], [2]], List(List(INT))),
    ([[1.0], [2]], List(UNKNOWN)),
    ([[1.0], []], List(UNKNOWN)),
    ([["a"], ["b", "c"]], List(List(Inert(str)))),
    ([["a"], []], List(UNKNOWN)),
    ([(1.0, ["a"]), (2.0, ["b", "c"])], List(Tuple((FLOAT, List(Inert(str)))))),
    ([[[1.0]]], List(List(List(FLOAT)))),
    ([np.ones(2), np.ones(3)], List(F8)),
    ([np.ones(2), np.ones((2, 2))], List(UNKNOWN)),
    ([np.ones(2), np.ones(2, np.float32)], List(UNKNOWN)),
    ([np.float64(1.0), np.float64(2.0)], List(Array("f", "float64", 0, True))),
    ([(1.0, 2), (3.0, 4)], List(Tuple((FLOAT, INT)))),
    ([(1.0, 2), (3.0,)], List(UNKNOWN)),
    ([(1.0, "a")], List(Tuple((FLOAT, Inert(str))))),
    ({"a": np.ones(2), "b": np.zeros(3)}, keyed({"a": F8, "b": F8})),
    ({"a": 1.0, "b": 2.0}, Dict(FLOAT)),
    ({"a": 1.0, 2: np.ones(2)}, Dict(UNKNOWN)),
    ({}, Dict(UNKNOWN)),
]


@pytest.mark.parametrize("value, expected", KINDS)
def test_types(value: Any, expected: Any) -> None:
    assert typeof(value) == expected


@pytest.mark.parametrize("value, t", KINDS)
def test_guards_hold_for_values_of_the_type_alone(value: Any, t: Any) -> None:
    guard = Guard()
    guard.require("x", t)
    holds = guard.compile(["x"])
    for other, u in KINDS:
        if t == u:
            assert holds(other)
        elif type(other) is not type(value) or t.item != UNKNOWN:
            assert not holds(other)


def product(rows: Any, v: Any) -> Any:
    return sum(sum(a * b for a, b in zip(row, v, strict=True)) for row in rows)


def test_a_matrix_as_a_list_of_rows() -> None:
    v = [2.0, 3.0]
    for rows in ([[1.0, 2.0], [3.0, 4.0]], [[1, 2], [3, 4]], [np.array([1.0, 2.0])], [[1.0, 2], [3.0, 4.0]], []):
        for _ in range(3):
            got = gradient(product, rows, v)[0]
            assert len(got or []) == len(rows) if rows else not got
            for bar in got or []:
                assert list(bar) == v
    rows = [[1.0, 2.0], [3.0, 4.0]]
    gradient(product, rows, v)
    assert is_structured_call(product, (rows, v))


@pytest.mark.parametrize("kinds", [(1.0, 2.0), (1, 2), (1.0, 2), (np.ones(2), 1.0), (np.ones(2), np.ones(2))])
def test_parameters_in_a_dict(kinds: tuple[Any, Any]) -> None:
    def f(p: Any) -> Any:
        return np.sum(p["a"] * p["b"]) + np.sum(p["a"])

    for _ in range(4):
        p = dict(zip("ab", kinds, strict=True))
        bars = gradient(f, p)[0]
        np.testing.assert_allclose(bars["a"], p["b"] + np.ones(np.shape(p["a"])) if np.ndim(p["a"]) else bars["a"])
        np.testing.assert_allclose(bars["b"], np.sum(p["a"]) if np.ndim(p["b"]) == 0 else p["a"])


@pytest.mark.parametrize("lengths", [(3, 2), (2, 3), (0, 1), (2, 2)])
@pytest.mark.parametrize("kind", [list, np.array, tuple])
def test_zip_is_strict(lengths: tuple[int, int], kind: Any) -> None:
    def f(xs: Any, ys: Any) -> Any:
        s = 0.0
        for x, y in zip(xs, ys, strict=True):
            s = s + x * y
        return s

    xs, ys = (kind([float(i + 1) for i in range(n)]) for n in lengths)
    if lengths[0] == lengths[1]:
        assert list(gradient(f, xs, ys)[0]) == list(ys)
        return
    with pytest.raises(ValueError, match="zip") as plain:
        f(xs, ys)
    with pytest.raises(ValueError, match="zip") as ours:
        gradient(f, xs, ys)
    assert str(ours.value) == str(plain.value)


@pytest.mark.parametrize("strict", [False, 0])
def test_zip_is_not_strict(strict: Any) -> None:
    def f(xs: Any) -> Any:
        return sum([a * b for a, b in zip(xs, xs[1:], strict=strict)])

    assert gradient(f, [1.0, 2.0, 3.0])[0] == [2.0, 4.0, 2.0]


# ---- data that the program only reads

TABLE = [("a", [1.0, 2.0]), ("b", [3.0])]


def weighted(x: Any, table: Any) -> Any:
    s = 0.0
    for _, values in table:
        for v in values:
            s = s + v * x
    return s


def test_data_is_run_through() -> None:
    for table in (TABLE, tuple(TABLE), [["a", (1.0, 2.0)], ["b", np.array([3.0])]]):
        for _ in range(3):
            assert gradient(weighted, 2.0, table)[0] == 6.0
    assert is_structured_call(weighted, (2.0, TABLE))


def test_iterators_are_run_through_once() -> None:
    for make in (iter, lambda t: (item for item in t), lambda t: map(tuple, t), lambda t: filter(None, t)):
        for _ in range(2):
            table = make(TABLE)
            assert gradient(weighted, 2.0, table)[0] == 6.0
            assert list(table) == []
    inner = [("a", iter([1.0, 2.0])), ("b", iter([3.0]))]
    assert gradient(weighted, 2.0, inner)[0] == 6.0
    assert gradient(weighted, 2.0, inner)[0] in (0.0, None)


class Table(list):  # type: ignore[type-arg]
    def __iter__(self) -> Any:
        print("run through")
        return super().__iter__()


def test_what_runs_code_runs_it_once() -> None:
    for _ in range(3):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            y, bars = withgradient(weighted, 2.0, Table(TABLE))
            assert (y, bars[0]) == (12.0, 6.0)
        assert out.getvalue() == "run through\n"


def test_guards_of_types_that_no_value_has_alone() -> None:
    for t, held, others in (
        (Maybe(FLOAT), (None, 1.0), (1, "a", np.ones(2), [1.0])),
        (List(Maybe(FLOAT)), ([None, 1.0], [1.0]), ([None, 1], [None, "a"], [np.ones(2)])),
        (BOTTOM, (), (None, 1.0, [], np.ones(2))),
    ):
        guard = Guard()
        guard.require("x", t)
        holds = guard.compile(["x"])
        assert all(map(holds, held))
        assert not any(map(holds, others))

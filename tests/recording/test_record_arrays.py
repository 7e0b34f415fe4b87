"""Arrays of records in recorded programs: tables are read, and what would be stored into them is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient
from adjoint.calculus import pushforward
from adjoint.errors import MutationError, NotDifferentiableError

TABLE = np.array([("a", 1.0, 2), ("b", 3.0, 4)], [("name", "<U3"), ("x", "f8"), ("i", "i8")])
PAIRS = [("x", "f8"), ("y", "f8")]
SEEN: list[int] = []


def column(n: Any) -> Any:
    SEEN.append(1)
    return TABLE["x"].sum() * n


def columns_and_rows(n: Any) -> Any:
    SEEN.append(1)
    return (TABLE["x"] * n).sum() + (TABLE["i"] * n * n).sum() + TABLE[0]["x"] * n + TABLE[1][1] * n


def chosen(n: Any) -> Any:
    SEEN.append(1)
    return np.where(n > 0, TABLE, TABLE)["x"].sum() * n


@pytest.mark.parametrize(("f", "slope"), [(column, 4.0), (columns_and_rows, 44.0), (chosen, 4.0)])
def test_tables_are_read(f: Callable[[Any], Any], slope: float) -> None:
    assert gradient(f, 3.0) == (slope,)
    assert pushforward(f, (3.0,), (1.0,))[1] == slope


def into_a_column(t: Any, n: Any) -> None:
    t["x"] = n


def into_an_entry(t: Any, n: Any) -> None:
    t["x"][0] = n


def into_a_row(t: Any, n: Any) -> None:
    t[0] = (n, n)


def into_a_row_that_is_held(t: Any, n: Any) -> None:
    row = t[0]
    row["x"] = n


def into_a_field(t: Any, n: Any) -> None:
    t.view(np.recarray).x = n


def into_a_field_of_a_row(t: Any, n: Any) -> None:
    t.view(np.recarray)[0].x = n


def in_place(t: Any, n: Any) -> None:
    x = t["x"]
    x += n


def by_copyto(t: Any, n: Any) -> None:
    np.copyto(t["x"], n)


def by_fill(t: Any, n: Any) -> None:
    t["x"].fill(n)


def by_out(t: Any, n: Any) -> None:
    np.multiply(2.0, n, out=t["x"])


def by_flat(t: Any, n: Any) -> None:
    t["x"].flat[0] = n


def as_floats(t: Any, n: Any) -> None:
    t.view("f8")[0] = n


STORES = (into_a_column, into_an_entry, into_a_row, into_a_row_that_is_held, into_a_field, into_a_field_of_a_row)
STORES += (in_place, by_copyto, by_fill, by_out, by_flat, as_floats)


@pytest.mark.parametrize("store", STORES)
def test_stores_are_refused(store: Callable[[Any, Any], None]) -> None:
    def f(n: Any) -> Any:
        t = np.zeros(2, PAIRS)
        store(t, n)
        return t["x"].sum() * n

    with pytest.raises(MutationError):
        gradient(f, 3.0)
    with pytest.raises(MutationError):
        pushforward(f, (3.0,), (1.0,))


POINTS = np.array([(1.0, 2.0), (3.0, 4.0)], [("x", float), ("y", float)])


@pytest.mark.parametrize(
    "read",
    [lambda r: r["x"].sum(), lambda r: r[1:]["x"].sum(), lambda r: r[1]["y"] * 2.0, lambda r: r.tolist()[0][1]],
)
def test_records_that_are_an_argument(read: Any) -> None:
    """They are refused where they are differentiated, and run where they are not."""

    def product(x: Any, r: Any) -> Any:
        try:
            return read(r) * x * x
        except KeyError:
            return 0.0

    assert grad(product)(3.0, POINTS) == read(POINTS) * 6.0
    assert grad(grad(product))(3.0, POINTS) == read(POINTS) * 2.0
    with pytest.raises(NotDifferentiableError, match="an array of records is not differentiated"):
        gradient(product, 3.0, POINTS)

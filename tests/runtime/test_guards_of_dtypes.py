"""What is generated for one kind of array is not taken for another: each kind before and after each of numbers."""

import collections
import contextlib
import random
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, value_and_grad, withgradient
from adjoint.errors import AdjointError
from adjoint.inspect import cache_clear, cache_info
from adjoint.runtime import guards
from adjoint.runtime.conditions import Guard
from adjoint.runtime.tables import table_of

FIELDS = [("a", float), ("b", float)]
V = np.array([1.5, 2.5])


class Sub(np.ndarray):
    pass


class Number(np.float64):
    pass


def read_only(a: Any) -> Any:
    a.flags.writeable = False
    return a


KINDS = {
    "text": np.array(["a", "bc"]),
    "wide text": np.array(["a", "bc"], "U9"),
    "bytes": np.array([b"a", b"bc"]),
    "strings": np.array(["a", "bc"], np.dtypes.StringDType()),
    "dates": np.array(["2020-01-01", "2021-01-01"], "M8[D]"),
    "seconds": np.array(["2020-01-01", "2021-01-01"], "M8[s]"),
    "durations": np.array([1, 2], "m8[s]"),
    "objects": np.array([1.5, "a"], object),
    "void": np.array([b"ab", b"cd"], "V2"),
    "records": np.array([(1.0, 2.0), (3.0, 4.0)], FIELDS),
    "records of subarrays": np.zeros(2, [("a", float, (2,)), ("b", float)]),
    "record array": np.array([(1.0, 2.0), (3.0, 4.0)], FIELDS).view(np.recarray),
    "bool": np.array([True, False]),
    "int64": np.array([1, 2]),
    "int32": np.array([1, 2], "i4"),
    "big-endian int": np.array([1, 2], ">i8"),
    "uint8": np.array([1, 2], "u1"),
    "float64": V,
    "big-endian": V.astype(">f8"),
    "float32": V.astype("f4"),
    "longdouble": V.astype("g"),
    "complex128": V * (1 + 1j),
    "big-endian complex": (V * (1 + 1j)).astype(">c16"),
    "rank 2": np.array([V, V]),
    "rank 0": np.array(1.5),
    "text of rank 0": np.array("a"),
    "text of rank 2": np.array([["a", "b"]]),
    "record of rank 0": np.array((1.0, 2.0), FIELDS),
    "subclass": V.view(Sub),
    "matrix": np.array([V, V]).view(np.matrix),
    "masked": np.ma.array(V, mask=[0, 1]),
    "read-only": read_only(V.copy()),
    "strided": np.arange(6.0)[::3],
    "np.float64": np.float64(1.5),
    "np.float32": np.float32(1.5),
    "np.longdouble": np.longdouble(1.5),
    "np.int64": np.int64(2),
    "np.longlong": np.longlong(2),
    "np.bool": np.bool_(True),
    "np.complex128": np.complex128(1 + 1j),
    "np.str_": np.str_("a"),
    "np.bytes_": np.bytes_(b"a"),
    "np.datetime64": np.datetime64("2020-01-01"),
    "np.timedelta64": np.timedelta64(3, "s"),
    "np.void": np.void(b"ab"),
    "record": np.array([(1.0, 2.0)], FIELDS)[0],
    "subclass of np.float64": Number(1.5),
    "float": 1.5,
    "int": 2,
    "bool of Python": True,
    "str": "a",
    "None": None,
}
TARGETS = ["float64", "big-endian", "float32", "complex128", "rank 2", "rank 0", "np.float64", "float"]
"""What is differentiated after, and before, each of the others."""


def by_kind(c: Any) -> Any:
    if getattr(c, "dtype", None) is None or c.dtype.kind not in "fc":
        return 0.0
    return np.abs(c * c).sum()


def by_dtype(c: Any) -> Any:
    if isinstance(c, np.ndarray) and c.dtype == np.float64:
        return np.sum(c) * np.sum(c)
    return 0.0


def by_class(c: Any) -> Any:
    if isinstance(c, float):
        return c * c * c
    if isinstance(c, np.ndarray) and c.dtype.kind in "iu":
        return 2.0
    return 1.0


def by_item(c: Any) -> Any:
    if isinstance(c, np.ndarray) and c.ndim == 1 and isinstance(c[0], np.floating):
        return c[0] * c[-1] * len(c.dtype.name)
    return 1.0


def by_rank(c: Any) -> Any:
    if np.ndim(c) == 2 and isinstance(c, np.ndarray) and c.dtype.kind == "f":
        return (c[0] * c[1]).sum()
    return 1.0


def structured(p: Any, q: Any) -> Any:
    first = by_kind(p) + by_dtype(p) + by_class(p) + by_item(p) + by_rank(p)
    return first + by_kind(q) + by_dtype(q) + by_class(q) + by_item(q) + by_rank(q)


def recorded(p: Any, q: Any) -> Any:
    try:
        first = by_kind(p) + by_dtype(p) + by_class(p) + by_item(p) + by_rank(p)
    except ZeroDivisionError:
        first = 0.0
    return first + by_kind(q) + by_dtype(q) + by_class(q) + by_item(q) + by_rank(q)


def alone(c: Any) -> Any:
    return by_kind(c) + by_dtype(c) + by_class(c) + by_item(c) + by_rank(c)


def expected(c: Any) -> Any:
    """∂alone/∂c, of c by itself, by central differences."""
    wide = np.asarray(c, complex if np.iscomplexobj(c) else float)
    result = np.zeros(wide.shape, wide.dtype)
    h = 2.0**-7

    def value(a: Any) -> float:
        a = a.astype(np.asarray(c).dtype)
        return float(alone(a if isinstance(c, np.ndarray) else type(c)(a.item())))

    for i in np.ndindex(wide.shape):
        for step in (h, 1j * h) if np.iscomplexobj(wide) else (h,):
            up, down = wide.copy(), wide.copy()
            up[i] += step
            down[i] -= step
            result[i] += (value(up) - value(down)) / (2 * h) * (step / h)
    return result


def check_alone(f: Any, p: Any, q: Any, of: int) -> None:
    """The derivative of `f(p, q)` by one of the two, unless the call is refused."""
    try:
        y, bars = withgradient(f, p, q)
    except AdjointError:
        return
    except ValueError:  # as the plain program: a matrix of one row is not multiplied by itself
        with pytest.raises(ValueError):
            f(p, q)
        return
    assert y == f(p, q)
    np.testing.assert_allclose(bars[of], expected((p, q)[of]), rtol=1e-3, atol=1e-3)


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("f", [structured, recorded])
@pytest.mark.parametrize("first", KINDS)
def test_each_kind_before_and_after_each_of_numbers(f: Any, first: str) -> None:
    for target in TARGETS if first in ("text", "records") else random.Random(first).sample(TARGETS, 2):
        cache_clear()
        check_alone(f, KINDS[first], KINDS[target], 1)
        check_alone(f, KINDS[target], KINDS[first], 0)
        check_after(KINDS[first], KINDS[target])


def check_after(first: Any, target: Any) -> None:
    """The derivative of a helper that was called with another kind before."""
    cache_clear()
    try:
        plain = alone(first)
    except ValueError:  # a matrix of one row is not multiplied by itself
        plain = None
    with contextlib.suppress(AdjointError, *([ValueError] if plain is None else [])):
        assert withgradient(alone, first)[0] == plain
    y, (bar,) = withgradient(alone, target)
    assert y == alone(target)
    np.testing.assert_allclose(bar, expected(target), rtol=1e-3, atol=1e-3)


@dataclass
class Table:
    column: Any


Row = collections.namedtuple("Row", ["column"])


def of_table(t: Any) -> Any:
    return alone(t.column)


def of_list(t: Any) -> Any:
    return alone(t[0])


def of_dict(t: Any) -> Any:
    return alone(t["column"])


HOLDERS: dict[str, Any] = {
    "dataclass": (of_table, Table, lambda d: d.column),
    "named tuple": (of_table, Row, lambda d: d[0]),
    "list": (of_list, lambda c: [c], lambda d: d[0]),
    "tuple": (of_list, lambda c: (c,), lambda d: d[0]),
    "dict": (of_dict, lambda c: {"column": c}, lambda d: d["column"]),
}


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize(
    "first", ["text", "np.str_", "dates", "np.datetime64", "bool", "int64", "big-endian", "np.longlong"]
)
def test_each_kind_in_containers(holder: str, first: str) -> None:
    f, wrap, unwrap = HOLDERS[holder]
    cache_clear()
    for target in TARGETS:
        assert withgradient(f, wrap(KINDS[first]))[0] == f(wrap(KINDS[first]))
        y, (bar,) = withgradient(f, wrap(KINDS[target]))
        assert y == f(wrap(KINDS[target]))
        np.testing.assert_allclose(unwrap(bar), expected(KINDS[target]), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("first", ["text", "dates", "bool", "int64", "records"])
def test_each_kind_in_a_variable_of_the_function(first: str) -> None:
    def of(column: Any) -> Any:
        return lambda x: x * by_kind(column) + x

    cache_clear()
    for kind in (first, "float64", first, "complex128", "big-endian"):
        value = float(by_kind(KINDS[kind])) + 1
        assert gradient(of(KINDS[kind]), 2.0) == pytest.approx((value,))


def test_names_before_numbers() -> None:
    def squared(column: Any) -> Any:
        return (column * column).sum() if column.dtype.kind == "f" else 0.0

    def total(names: Any, column: Any) -> Any:
        return squared(names) + squared(column)

    assert withgradient(total, np.array(["a", "b"]), V)[1][1].tolist() == [3.0, 5.0]
    assert withgradient(squared, np.array(["a", "b"]))[0] == 0.0
    assert gradient(squared, V)[0].tolist() == [3.0, 5.0]


@pytest.mark.parametrize("kind", ["big-endian", "np.longlong", "text", "np.str_", "subclass of np.float64", "strings"])
def test_a_kind_is_generated_once(kind: str) -> None:
    def f(c: Any, x: Any) -> Any:
        return x * x

    cache_clear()
    for _ in range(2):
        withgradient(f, KINDS[kind], 3.0)
    before = cache_info().generated
    withgradient(f, KINDS[kind], 3.0)
    assert cache_info().generated == before


def test_compiled_by_kind() -> None:
    def f(c: Any) -> Any:
        s = 0.0
        if c.dtype.kind == "f":
            for i in range(c.shape[0]):
                s = s + c[i] * c[i]
        return s

    compiled = value_and_grad(f, compile=True)
    order = ["text", "float64", "bool", "big-endian", "int64", "float32", "float64", "records", "read-only", "strided"]
    for kind in [*order, *order[::-1]]:
        c = KINDS[kind]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                y, bar = compiled(c)
        except AdjointError:
            assert c.dtype.kind not in "f"
            continue
        assert y == pytest.approx(f(c))
        if c.dtype.kind == "f":
            np.testing.assert_allclose(bar, 2 * c)


def total(c: Any) -> Any:
    return (c * c).sum()


def test_a_guard_without_dtypes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Loose(Guard):
        def _array(self, path: str, t: Any) -> None:
            self.conditions.append(f"type({path}) is {self.name(np.ndarray)}")

    def lets_in() -> bool:
        """Whether what was generated for numbers is taken for text."""
        cache_clear()
        with contextlib.suppress(AdjointError):
            gradient(total, KINDS["float64"])
        found = [guard for group in table_of(total).entries.values() for guard, _ in group]
        assert found
        return any([guard(total, KINDS["text"]) for guard in found])

    assert not lets_in()
    monkeypatch.setattr(guards, "Guard", Loose)
    assert lets_in()
    monkeypatch.undo()
    cache_clear()

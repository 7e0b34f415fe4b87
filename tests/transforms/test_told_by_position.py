"""The stated type of what is made: a dtype by position is the same as one by keyword."""

from typing import Any

import numpy as np
import pytest

from adjoint import withgradient
from adjoint.ir.lattice import join
from adjoint.ir.nodes import Const, Var
from adjoint.ir.types import UNKNOWN, Array
from adjoint.ops import OPS
from adjoint.rules.registry import find_rules
from adjoint.runtime.typeof import typeof
from adjoint.transforms.results import result_type

DTYPES = [int, bool, "i2", np.uint8, np.float32, float, ">f8", complex, np.complex64, str, object, "M8[s]", None]
V = np.array([1.5, 2.5])
CALLS: dict[str, tuple[Any, tuple[Any, ...], tuple[Any, ...]]] = {
    "zeros": (np.zeros, (2,), ()),
    "ones": (np.ones, ((2, 3),), ()),
    "empty": (np.empty, (2,), ()),
    "full": (np.full, (2, 1.5), ()),
    "eye": (np.eye, (2,), (2, 0)),
    "identity": (np.identity, (2,), ()),
    "tri": (np.tri, (2,), (2, 0)),
    "linspace": (np.linspace, (1.0, 3.0), (5, True, False)),
    "logspace": (np.logspace, (1.0, 3.0), (5, True, 10.0)),
    "geomspace": (np.geomspace, (1.0, 3.0), (5, True)),
    "arange": (np.arange, (1.0, 5.0, 1.5), ()),
    "zeros_like": (np.zeros_like, (V,), ()),
    "ones_like": (np.ones_like, (V,), ()),
    "empty_like": (np.empty_like, (V,), ()),
    "full_like": (np.full_like, (V, 2.5), ()),
    "array": (np.array, (V,), ()),
    "array of a list": (np.array, ([1.5, 2.5],), ()),
    "asarray": (np.asarray, (V,), ()),
    "asanyarray": (np.asanyarray, (V,), ()),
    "ascontiguousarray": (np.ascontiguousarray, (V,), ()),
    "asfortranarray": (np.asfortranarray, ([1.5, 2.5],), ()),
    "require": (np.require, (V,), ()),
    "astype": (np.ndarray.astype, (V,), ()),
    "sum": (np.sum, (V,), (0,)),
    "prod": (np.prod, (V,), (0,)),
    "mean": (np.mean, (V,), (0,)),
    "std": (np.std, (V,), (0,)),
    "cumsum": (np.cumsum, (V,), (0,)),
    "trace": (np.trace, (np.outer(V, V),), (0, 0, 1)),
    "add.reduce": (np.add.reduce, (V,), (0,)),
}
"""A function, its arguments, and those that stand between these and the dtype."""


def stated(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What specialisation says of the result of a call."""
    atoms: list[Any] = [
        Var("x", typeof(x), False) if isinstance(x, np.ndarray | list | float) else Const(x) for x in args
    ]
    named = [(name, Const(x)) for name, x in kwargs.items()]
    return result_type(f, atoms, named, find_rules(f))


def check(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    try:
        y = f(*args, **kwargs)
    except (TypeError, ValueError):
        return
    said, got = stated(f, args, kwargs), typeof(y)
    assert said == UNKNOWN or join(said, got) == said or said.dtype == "" and said.kind == got.kind


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", CALLS)
def test_types_of_what_is_made(name: str, dtype: Any) -> None:
    f, args, between = CALLS[name]
    check(f, args, {"dtype": dtype})
    check(f, (*args, *between, dtype), {})
    check(f, (*args, *between), {})


@pytest.mark.parametrize("axis", [0, 1, None, -1])
@pytest.mark.parametrize("f", [np.concatenate, np.stack])
def test_types_of_what_is_joined(f: Any, axis: Any) -> None:
    for args in ([V, V], [np.ones((2, 2)), np.ones((2, 2))]):
        if axis is None and f is np.stack:
            continue
        if np.ndim(args[0]) > 1 or axis in (0, None):
            check(f, (args, axis), {})
        check(f, (args,), {})
    out = np.zeros(4, np.float32)
    check(np.concatenate, ([V, V], 0, out), {})


def test_steps_of_linspace_by_position() -> None:
    def f(x: Any) -> Any:
        return np.linspace(0, x, 5, True, True)[1] * x

    assert withgradient(f, 3.0) == (2.25, (1.5,))
    assert stated(np.linspace, (1.0, 3.0, 5, True, True), {}) == UNKNOWN


def test_a_unit_matrix_of_integers() -> None:
    def by_position(x: Any) -> Any:
        a = np.eye(2, 2, 0, int)
        a[0, 0] = 1.7 * x
        return a[0, 0] * x

    def by_keyword(x: Any) -> Any:
        a = np.eye(2, dtype=int)
        a[0, 0] = 1.7 * x
        return a[0, 0] * x

    for f in (by_position, by_keyword):
        assert withgradient(f, 2.0) == (6.0, (3.0,))


def test_a_dtype_that_is_not_heeded_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OPS, id(np.eye), OPS[id(np.eye)]._replace(result=Array("f", "float64", 2, False)))
    with pytest.raises(AssertionError):
        test_types_of_what_is_made("eye", int)

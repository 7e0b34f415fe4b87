"""Every public method of Series, frames, arrays of xarray and data sets: its derivative is right, or it is refused."""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from interop.methods_of_tables import calls_of, names_of
from interop.needed import needed

from adjoint import grad
from adjoint.errors import AdjointError

pd, xr = needed("pandas"), needed("xarray")
needed("adjoint.interop.pandas")
needed("adjoint.interop.xarray")
N = np.array([[1.3, 0.7, 1.9], [0.6, 1.7, 1.1], [0.9, 2.1, 0.8]])
GAPS = np.where([[0, 0, 0], [1, 0, 0], [0, 0, 1]], np.nan, N)
EMPTY_LINE = np.where([[0, 1, 0], [0, 1, 0], [0, 1, 0]], np.nan, N)
V = np.array([[0.3, -0.8, 0.4], [1.1, 0.2, -0.5], [-0.7, 0.6, 0.9]])
LABELS, PLACES = ["k", "l", "m"], {"x": [10, 20, 30], "y": ["p", "q", "r"]}
KINDS: dict[str, Callable[[Any], Any]] = {
    "Series": lambda a: pd.Series(a[:, 0], LABELS, name="a"),
    "DataFrame": lambda a: pd.DataFrame(a, LABELS, ["a", "b", "c"]),
    "DataArray": lambda a: xr.DataArray(a, PLACES, ("x", "y"), "a"),
    "DataArray of one axis": lambda a: xr.DataArray(a[:, 0], {"x": [10, 20, 30]}, ("x",), "a"),
    "Dataset": lambda a: xr.Dataset({"a": (("x", "y"), a), "b": (("x",), a[0])}, {"x": [10, 20, 30]}),
}
DATA = {"whole": N, "gaps": GAPS, "a column without numbers": EMPTY_LINE}
CASES = [(kind, data) for kind in KINDS for data in DATA if kind != "Dataset" or data == "whole"]
FOLLOWED = {"Series": 150, "DataFrame": 150, "DataArray": 80, "DataArray of one axis": 60, "Dataset": 0}
"""How many calls of a kind have derivatives at the least."""
INCONSISTENT = ("to_array", "to_dataarray")
"""What makes an array of xarray whose coordinates do not fit its numbers, if it is given a dimension that is there."""


def total(y: Any) -> Any:
    """A number that is smooth in what a method gives, and made of what is not missing."""
    if isinstance(y, pd.DataFrame | pd.Series | xr.DataArray):
        v = y.to_numpy()
    elif isinstance(y, xr.Dataset):
        return total(y["a"]) + 2.0 * total(y["b"])
    elif isinstance(y, tuple) and len(y) == 2:
        return total(y[0]) + 2.0 * total(y[1])
    elif hasattr(y, "__next__") or isinstance(y, list):
        return sum([v * (i + 1.0) for i, v in enumerate(y)])
    elif isinstance(y, np.ndarray):
        v = y
    else:
        return y * 1.5
    v = v.ravel()
    v = v[np.flatnonzero(~np.isnan(v))]
    return np.sum(v**2 * np.linspace(0.5, 1.5, v.size))


def programs_of(kind: str) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Every call as a program of an object of the kind, with its text."""
    make = KINDS[kind]
    cls = type(make(N))
    own, of = make(N[::-1] * 0.7 + 0.3), make(N)
    cond = (of["a"] if kind == "Dataset" else of) > 1.0
    for name in names_of(cls):
        if isinstance(inspect.getattr_static(cls, name), property):
            yield name, lambda x, name=name: total(getattr(x, name))
            continue
        seen = set()
        for args, kwargs in calls_of(cls, name, own, cond):
            text = f"{name}({args}, {kwargs})"
            if text in seen or "float32" in text or name in INCONSISTENT and kwargs:
                continue
            seen.add(text)

            def program(x: Any, name: str = name, args: Any = args, kwargs: Any = kwargs) -> Any:
                x = x.copy()
                y = getattr(x, name)(*args, **kwargs)
                return total(x if y is None else y)

            yield text, program


def slope_along(f: Callable[[Any], Any], make: Callable[[Any], Any], a: Any) -> float | None:
    """The derivative along V by differences; None if the plain program fails, or has none."""
    h, v = 1e-6, np.where(np.isnan(a), 0.0, V)
    try:
        found = (float(f(make(a + h * v))) - float(f(make(a - h * v)))) / (2 * h)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return None
    return found if np.isfinite(found) else None


def by_array(f: Callable[[Any], Any], make: Callable[[Any], Any], a: Any) -> Any:
    """The derivative along V by an array that the object is made of."""
    g = grad(lambda a: f(make(a)))(a.copy())
    return np.sum(np.where(np.isnan(a), 0.0, g * V)), g


def by_object(f: Callable[[Any], Any], make: Callable[[Any], Any], a: Any) -> Any:
    """The same by the object itself."""
    g = grad(f)(make(a)).to_numpy()
    return np.sum(np.where(np.isnan(a), 0.0, V)[:, 0] * g if g.ndim == 1 else np.where(np.isnan(a), 0.0, V) * g), g


def by_number(f: Callable[[Any], Any], make: Callable[[Any], Any], a: Any) -> Any:
    """The derivative by a number that the object is moved by along V."""
    along = make(np.where(np.isnan(a), 0.0, V))
    g = grad(lambda w: f(make(a) + along * w))(0.0)
    return g, g


@pytest.mark.parametrize("kind, data", CASES)
def test_each_is_right_or_refused(kind: str, data: str) -> None:
    make, a = KINDS[kind], DATA[data]
    ways = [by_array] if kind == "Dataset" else [by_object]
    if os.environ.get("ADJOINT_THOROUGH") and kind != "Dataset":
        ways = [by_array, by_object, by_number]
    wrong, right = [], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for text, f in programs_of(kind):
            expected = slope_along(f, make, a)
            for way in ways if expected is not None else []:
                try:
                    found, g = way(f, make, a)
                except AdjointError:
                    continue
                right += 1
                if not np.isclose(found, expected, rtol=1e-4, atol=1e-6) or not np.isfinite(g).all():
                    wrong.append(f"{way.__name__} {text}: {found} and not {expected}, {g}")
    assert wrong == []
    assert right >= FOLLOWED[kind]

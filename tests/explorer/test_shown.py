"""Texts of values: objects by their fields and slots, without running code of theirs."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint.explorer.shown import bytes_of, shown
from adjoint.markup import escaped


class Slotted:
    __slots__ = ("__hidden", "empty", "x")

    def __init__(self) -> None:
        self.x, self.__hidden = 1.0, 2.0


class WithBoth(Slotted):
    def __init__(self) -> None:
        super().__init__()
        self.y = 3.0


@dataclass(slots=True)
class Dis:
    a: float
    b: int


class Hiding(Slotted):
    __slots__ = ()

    @property
    def x(self) -> Any:
        raise AssertionError("code of the user's has run")


def test_slots_are_shown() -> None:
    assert shown(Dis(1.5, 2)).short == "Dis(a=1.5, b=2)"
    assert shown(Slotted()).short == "Slotted(_Slotted__hidden=2, x=1)"
    assert shown(WithBoth()).short == "WithBoth(_Slotted__hidden=2, x=1, y=3)"
    assert shown(object()).short == "object object"


def test_no_code_runs_for_it() -> None:
    hiding = object.__new__(Hiding)
    Slotted.x.__set__(hiding, 1.0)  # type: ignore[attr-defined]
    assert shown(hiding).short == "Hiding object"


def test_entries_of_arrays_have_no_space_for_others_below() -> None:
    assert shown(np.array([0.25, -0.5])).short == "(2,) float64 [0.25, -0.5]"
    assert shown(np.array([[1.0], [-2.5]])).whole == "[[1.], [-2.5]]"


def broken(*args: Any, **kwargs: Any) -> Any:
    raise AssertionError("code of the user's has run")


NAMES = (
    *("__int__", "__index__", "__float__", "__complex__", "__format__", "__repr__", "__str__", "__len__", "__iter__"),
    *("__getitem__", "__sizeof__", "__abs__", "__eq__", "__lt__", "__bool__", "__array__", "__array_ufunc__"),
    *("__array_function__", "__array_finalize__", "items", "values", "keys", "min", "max", "mean", "item"),
)
"""Names by which a value may be asked about what it is."""


def breaking(base: type) -> Any:
    """A subclass whose own methods fail, with those that make an object left."""
    names = [name for name in NAMES if hasattr(base, name) and name != "__array_finalize__"]
    return type(f"Broken{base.__name__.title()}", (base,), {**dict.fromkeys(names, broken), "__hash__": base.__hash__})


class Asking:
    """Everything that is asked of it fails."""

    def __call__(self) -> None: ...

    def __getattr__(self, name: str) -> Any:
        broken()

    __class__ = property(broken)
    __dict__ = property(broken)


@pytest.mark.parametrize(
    ("base", "value", "text"),
    [
        (int, 3, "3"),
        (float, 0.5, "0.5"),
        (complex, 1 + 2j, "1+2j"),
        (str, "abc", "'abc'"),
        (bytes, b"abc", "b'abc'"),
        (dict, {"a": 1.0}, "{'a': 1}"),
        (list, [1.0, 2.0], "[1, 2]"),
        (tuple, (1.0,), "(1,)"),
        (set, {1.0}, "{1}"),
        (frozenset, {1.0}, "{1}"),
        (deque, [1.0], "[1]"),
        (np.float64, 0.5, "0.5"),
        (np.float32, 0.5, "0.5"),
        (np.int64, 3, "3"),
        (np.complex64, 1 + 2j, "1+2j"),
    ],
)
def test_no_code_of_subclasses_runs(base: type, value: Any, text: str) -> None:
    x = breaking(base)(value)
    assert shown(x).short == text and shown([x]).short in (f"[{text}]", f"({text},)")
    sizeof: Any = base.__sizeof__
    assert bytes_of(x) >= sizeof(x) and bytes_of([x]) > bytes_of([])


def test_no_code_of_arrays_runs() -> None:
    x = np.array([1.0, 2.0]).view(breaking(np.ndarray))
    assert shown(x).short == "BrokenNdarray (2,) float64 [1., 2.]" and bytes_of(x) == 16
    items = np.empty(2, dtype=object)
    items[:] = [breaking(float)(0.5), breaking(str)("a")]
    assert shown(items) == ("(2,) object", "[0.5, 'a']")
    with np.printoptions(formatter={"float": broken}):
        assert shown(np.array([0.25])).short == "(1,) float64 [0.25]"


def test_nothing_is_asked_of_objects() -> None:
    assert shown(Asking()).short == "Asking object"
    named = type("Named", (Slotted,), {"__call__": broken, "__name__": property(broken)})()
    assert shown(named).short == "Named(_Slotted__hidden=2, x=1)"


def squared(x: float, held: Any) -> float:
    return x * x


@pytest.mark.parametrize(
    ("base", "asked", "value"),
    [(int, "__int__", 3), (float, "__float__", 0.5), (str, "__getitem__", "a"), (dict, "__len__", {"a": 1.0})],
)
def test_values_with_methods_that_fail_are_explored(base: type, asked: str, value: Any) -> None:
    """Where the gradient is found, so is the page."""
    held = type("Held", (base,), {asked: broken})(value)
    assert adjoint.grad(squared)(3.0, held) == 6.0
    page = adjoint.explore(squared, 3.0, held, profile=False)
    assert page.refused == "" and f">{escaped(shown(value).short)}</code>" in page.html

"""Classes whose base in C has an `__init__` of its own: it runs, and what it keeps of a number is refused, not lost."""

from __future__ import annotations

import ctypes
import io
from collections import OrderedDict, defaultdict
from typing import Any

import pytest

from adjoint import gradient
from adjoint.errors import NoRuleError


class Point(ctypes.Structure):
    _fields_ = [("q", ctypes.c_double)]

    def __init__(self, x: Any, start: Any = 3.0) -> None:
        super().__init__(start)
        self.x = x


class Named(ctypes.Structure):
    _fields_ = [("q", ctypes.c_double)]

    def __init__(self, x: Any) -> None:
        ctypes.Structure.__init__(self, q=3.0)
        self.x = x


class Bytes(io.BytesIO):
    def __init__(self, x: Any) -> None:
        super().__init__(b"abc")
        self.x = x


class Array(bytearray):
    def __init__(self, x: Any) -> None:
        super().__init__(b"abc")
        self.x = x


class Text(io.StringIO):
    def __init__(self, x: Any) -> None:
        super().__init__("abc")
        self.x = x


class Default(defaultdict):  # type: ignore[type-arg]
    def __init__(self, x: Any) -> None:
        super().__init__(float, {"a": x})


class Ordered(OrderedDict):  # type: ignore[type-arg]
    def __init__(self, x: Any) -> None:
        super().__init__(a=x)


class Both(list):  # type: ignore[type-arg]
    def __init__(self, x: Any) -> None:
        super().__init__([x, 2.0 * x])


class New(ctypes.Structure):
    _fields_ = [("q", ctypes.c_double)]

    def __new__(cls, x: Any) -> New:
        return super().__new__(cls)


def later(x: Any) -> Any:
    p = Bare(x)
    p.x = x
    return p.q * p.x


class Bare(ctypes.Structure):
    _fields_ = [("q", ctypes.c_double)]


class Setting(Exception):
    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)


def test_other_methods_of_the_base_in_c_are_those_of_objects() -> None:
    def f(x: Any) -> Any:
        error: Any = Setting("a")
        error.v = x * x
        return error.v * x

    assert gradient(f, 2.0) == (12.0,)


@pytest.mark.parametrize("cls", [Point, Named])
def test_structures(cls: Any) -> None:
    def f(x: float) -> Any:
        p = cls(x)
        return p.x * p.q

    assert f(2.0) == 6.0
    assert gradient(f, 2.0) == (3.0,)


def test_bytes_and_texts() -> None:
    assert gradient(lambda x: (b := Bytes(x)).x * len(b.read()), 2.0) == (3.0,)
    assert gradient(lambda x: (b := Array(x)).x * len(b), 2.0) == (3.0,)
    assert gradient(lambda x: (b := Text(x)).x * len(b.read()), 2.0) == (3.0,)


def test_containers_take_their_items() -> None:
    assert gradient(lambda x: (d := Default(x))["a"] * (1.0 + d["b"]) * x, 2.0) == (4.0,)
    assert gradient(lambda x: Ordered(x)["a"] * x, 2.0) == (4.0,)
    assert gradient(lambda x: (y := Both(x))[0] * y[1], 2.0) == (8.0,)


@pytest.mark.parametrize(
    "f", [lambda x: (p := Point(x, x)).x * p.q, lambda x: New(x).q * x, later], ids=["init", "new", "later"]
)
def test_what_code_in_c_keeps_is_refused(f: Any) -> None:
    """An object may have fields in sight besides what the code keeps."""
    with pytest.raises(NoRuleError):
        gradient(f, 2.0)

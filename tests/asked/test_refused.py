"""Special methods that are refused in words of their own, and integers that are their own index."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hvp
from adjoint.errors import UnsupportedSyntaxError

# mypy: disable-error-code="no-untyped-def"

# Python 3.13 warns where a class is given a partial function.
pytestmark = pytest.mark.filterwarnings("ignore:functools.partial will be a method descriptor:FutureWarning")


class Held:
    v = 2.0


class Static:
    __neg__ = staticmethod(lambda: Held.v)


class Called:
    def __call__(self):
        return Held.v


class Calling:
    __neg__ = Called()


class OfClass:
    @classmethod
    def __neg__(cls):
        return Held.v


@pytest.mark.parametrize("cls, what", [(Static, "static"), (Calling, "an object of `Called`"), (OfClass, "class")])
def test_a_special_method_that_is_no_function(cls: Any, what: str) -> None:
    for f in (lambda x: x * -cls(), lambda x: [x * -cls()].pop()):
        with pytest.raises(UnsupportedSyntaxError, match=f"`{cls.__name__}.__neg__` is no function, but .*{what}"):
            gradient(f, 1.5)


KEPT = Held()


def kept(*_: Any) -> Any:
    return KEPT.v


class Made:
    def __new__(cls, *_: Any):
        return KEPT.v


class Twice:
    def __init__(self, *_: Any) -> None:
        self.left = 2

    def __iter__(self):
        return self

    def __next__(self):
        self.left -= 1
        if self.left < 0:
            raise StopIteration
        return KEPT.v


by_partial = functools.partial(kept, 1.0)
OF_C: dict[str, tuple[str, Any, Any]] = {
    "a partial as __call__": ("__call__", by_partial, lambda o: o()),
    "a class as __call__": ("__call__", Made, lambda o: o()),
    "a static class as __call__": ("__call__", staticmethod(Made), lambda o: o()),
    "a class as __iter__": ("__iter__", Twice, lambda o: sum([v for v in o])),
    "a class as __neg__": ("__neg__", Made, lambda o: -o),
    "a partial as __add__": ("__add__", by_partial, lambda o: o + 1.0),
    "a partial as __float__": ("__float__", by_partial, float),
    "a partial as __getitem__": ("__getitem__", by_partial, lambda o: o[0]),
    "a partial as __getattr__": ("__getattr__", by_partial, lambda o: o.w),
}


def by_kept(asked: Any, o: Any) -> Any:
    def program(x):
        KEPT.v = x * x
        return asked(o()) * x

    return program


@pytest.mark.parametrize("name, f, asked", OF_C.values(), ids=OF_C)
def test_a_special_method_that_is_a_callable_in_c(name: str, f: Any, asked: Any) -> None:
    cls = type("Asked", (), {"__module__": __name__, name: f})
    with pytest.raises(UnsupportedSyntaxError, match=f"`Asked.{name}` is no function"):
        gradient(by_kept(asked, cls), 1.5)
    old = cls()
    right = by_kept(asked, lambda: old)(1.5) * 2.0  # each is a multiple of the third power
    try:
        assert gradient(by_kept(asked, lambda: old), 1.5) == (pytest.approx(right),)
    except UnsupportedSyntaxError as error:
        assert f"`Asked.{name}` is no function" in str(error)


@pytest.mark.parametrize("name, asked", [("__call__", lambda cls: cls()), ("__neg__", lambda cls: -cls)])
def test_a_special_method_in_c_of_a_metaclass(name: str, asked: Any) -> None:
    meta: Any = type("Meta", (type,), {"__module__": __name__, name: by_partial})
    cls = meta.__new__(meta, "Asked", (), {})
    with pytest.raises(UnsupportedSyntaxError, match=f"`Meta.{name}` is no function"):
        gradient(by_kept(asked, lambda: cls), 1.5)


def test_a_partial_as_init_is_followed() -> None:
    def init(o, *_):
        o.v = o.v * 2.0

    cls = type("Made", (), {"__module__": __name__, "__init__": functools.partial(init, KEPT)})
    assert gradient(by_kept(lambda _: KEPT.v, cls), 1.5) == (13.5,)


class Summed:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __array_function__(self, f, types, args, kwargs):
        return self.v * 3.0


def test_a_function_of_numpy_that_a_class_computes() -> None:
    def program(x):
        kept = [Summed(x)]
        return np.where(kept[0], 1.0, 2.0) * x  # type: ignore[call-overload]

    with pytest.raises(UnsupportedSyntaxError, match="`where` may run `Summed.__array_function__`"):
        gradient(program, 1.5)


class Index(int):
    def __index__(self) -> int:
        return 0


def test_an_integer_is_its_own_index() -> None:
    def program(x):
        items = [1.0, x, x * x]
        items.append(x**3)
        return items[Index(2)] + sum(items[Index(2) :]) + sum([x for _ in range(Index(2))])

    assert gradient(program, 1.5) == (2.0 * 3.0 + 3.0 * 2.25 + 2.0,)
    assert hvp(program, (1.5,), (1.0,))[0] == pytest.approx(4.0 + 6.0 * 1.5)


COUNTED = {"n": 0.0}


class Counting:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __hash__(self) -> int:
        COUNTED["n"] += self.x * self.x
        return 1

    __call__ = __hash__


TABLE = {"first": lambda o: hash(o.a)}
REACHING: dict[str, Any] = {
    "by a dotted text": lambda self: hash(operator.attrgetter("a.b")(self)),
    "by a computed name": lambda self: hash(getattr(self, "".join(["a"]))),
    "by a function in a dict": lambda self: TABLE["first"](self),
    "by a function in a list of the class": lambda self: self.functions[0](self),
    "by another name": lambda self: (lambda g: hash(g))(self.a),
    "by a call of another name": lambda self: (lambda g: g())(self.a),
}


@pytest.mark.parametrize("how", REACHING)
def test_what_a_method_gets_hold_of(how: str) -> None:
    cls: Any = type("Reaching", (), {"__hash__": REACHING[how], "functions": [lambda o: hash(o.a)]})

    def program(x: Any) -> Any:
        COUNTED["n"] = 0.0
        o = cls()
        o.a = Counting(x)
        o.a.b = Counting(x)
        d = {}
        d[o] = 1.0
        return COUNTED["n"] * x

    assert program(1.5) == 3.375
    with pytest.raises(UnsupportedSyntaxError, match="may run `(Counting|Reaching)"):
        gradient(program, 1.5)

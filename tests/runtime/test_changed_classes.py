"""A class that changes after its first gradient: special methods, descriptors, metaclasses, in any order."""

from __future__ import annotations

import math
import os
import types
from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from typing import Any

import pytest
from ways import check_everywhere

from adjoint import withgradient
from adjoint.compiled import entry, programs
from adjoint.inspect import cache_clear
from adjoint.runtime.layouts import Layout

Change = Callable[[dict[str, Any]], Callable[[], None]]
"""What changes the classes of a program, and gives what undoes it."""


def base_and_derived() -> dict[str, Any]:
    class Base:
        def __init__(self, w: Any) -> None:
            self.w = w

        def scaled(self, x: Any) -> Any:
            return self.w * x

    class A(Base):
        kind = 2.0

        def __call__(self, x: Any) -> Any:
            return self.w + x

    return {"A": A, "Base": Base, "Meta": type}


def with_metaclass() -> dict[str, Any]:
    class Meta(type):
        pass

    class A(metaclass=Meta):
        kind = 2.0

        def __init__(self, w: Any) -> None:
            self.w = w

        def scaled(self, x: Any) -> Any:
            return self.w * x

        def __call__(self, x: Any) -> Any:
            return self.w + x

    return {"A": A, "Base": A, "Meta": Meta}


def with_slots() -> dict[str, Any]:
    class A:
        __slots__ = ("w",)
        kind = 2.0

        def __init__(self, w: Any) -> None:
            self.w = w

        def scaled(self, x: Any) -> Any:
            return self.w * x

        def __call__(self, x: Any) -> Any:
            return self.w + x

    return {"A": A, "Base": A, "Meta": type}


def with_fields() -> dict[str, Any]:
    @dataclass
    class A:
        w: Any
        kind = 2.0

        def scaled(self, x: Any) -> Any:
            return self.w * x

        def __call__(self, x: Any) -> Any:
            return self.w + x

    return {"A": A, "Base": A, "Meta": type}


CLASSES = {"derived": base_and_derived, "metaclass": with_metaclass, "slots": with_slots, "dataclass": with_fields}

MISSING = object()
THOROUGH = os.environ.get("ADJOINT_THOROUGH") == "1"


def put(owner: str, name: str, value: Any) -> Change:
    def change(space: dict[str, Any]) -> Callable[[], None]:
        cls = space[owner]
        before = vars(cls).get(name, MISSING)
        setattr(cls, name, value(space) if value.__name__ == "made" else value)

        def undo() -> None:
            if before is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, before)

        return undo

    return change


def doubled(self: Any, name: str) -> Any:
    found = object.__getattribute__(self, name)
    return 2 * found if name == "w" else found


def stored_double(self: Any, name: str, value: Any) -> None:
    object.__setattr__(self, name, 2 * value if name == "w" else value)


def store_first(self: Any, name: str) -> None:
    object.__setattr__(self, "late", 3.0)
    object.__delattr__(self, name)


def third_item(self: Any, i: int) -> Any:
    if i > 2:
        raise IndexError(i)
    return self.w * i


def init_triple(self: Any, w: Any) -> None:
    self.w = 3 * w


def new_noted(cls: Any, *args: Any) -> Any:
    made = object.__new__(cls)
    object.__setattr__(made, "w", args[0] * 7)
    return made


class Squares:
    def __get__(self, obj: Any, cls: Any = None) -> Any:
        return self if obj is None else 4.0

    def __set__(self, obj: Any, value: Any) -> None:
        pass


def made_property(space: dict[str, Any]) -> Any:
    return property(lambda self: 5.0, lambda self, value: None)


made_property.__name__ = "made"

CHANGES: dict[str, Change] = {
    "__getattribute__": put("A", "__getattribute__", doubled),
    "__getattribute__ of a base": put("Base", "__getattribute__", doubled),
    "__setattr__": put("A", "__setattr__", stored_double),
    "__setattr__ of a base": put("Base", "__setattr__", stored_double),
    "__delattr__": put("A", "__delattr__", store_first),
    "__getattr__": put("A", "__getattr__", lambda self, name: 6.0),
    "__init__": put("A", "__init__", init_triple),
    "__init__ of a base": put("Base", "__init__", init_triple),
    "__new__": put("A", "__new__", new_noted),
    "__call__": put("A", "__call__", lambda self, x: self.w * x * x),
    "method": put("A", "scaled", lambda self, x: self.w * x * x),
    "method of a base": put("Base", "scaled", lambda self, x: self.w * x * x),
    "property": put("A", "w", made_property),
    "property of a base": put("Base", "w", made_property),
    "constant": put("A", "kind", 5.0),
    "descriptor": put("A", "kind", Squares()),
    "__bool__": put("A", "__bool__", lambda self: False),
    "__len__": put("A", "__len__", lambda self: 0),
    "__iter__": put("A", "__iter__", lambda self: iter([self.w, self.w])),
    "__contains__": put("A", "__contains__", lambda self, x: True),
    "__getitem__": put("A", "__getitem__", third_item),
    "__eq__": put("A", "__eq__", lambda self, other: True),
    "__hash__": put("A", "__hash__", lambda self: 5),
    "__add__": put("A", "__add__", lambda self, x: self.w + 2 * x),
    "__radd__": put("A", "__radd__", lambda self, x: self.w + 3 * x),
    "__mul__": put("A", "__mul__", lambda self, x: self.w * x * x),
    "__neg__": put("A", "__neg__", lambda self: self.w * self.w),
    "__float__": put("A", "__float__", lambda self: 8.0),
    "__abs__": put("A", "__abs__", lambda self: self.w * 9.0),
    "__enter__": put("A", "__enter__", lambda self: self),
    "__instancecheck__": put("Meta", "__instancecheck__", lambda cls, x: True),
    "metaclass __call__": put("Meta", "__call__", lambda cls, w: 11.0 * w),
    "metaclass attribute": put("Meta", "kind", made_property),
}


def program_of(space: dict[str, Any]) -> Any:
    A = space["A"]

    def read(x: Any) -> Any:
        return A(x).w * x

    def called(x: Any) -> Any:
        return A(x).scaled(x)

    def as_function(x: Any) -> Any:
        return A(x)(x)

    def given(x: Any, a: Any) -> Any:
        return a.w * x + a.scaled(x) + a.kind * x + a(x)

    def stored(x: Any) -> Any:
        a = A(x)
        a.w = a.w * x
        return a.w * a.w

    def deleted(x: Any) -> Any:
        a = A(x)
        del a.w
        return getattr(a, "w", 4.0) * x

    def tested(x: Any) -> Any:
        a = A(x)
        return a.w * x if a else x * x * x

    def compared(x: Any) -> Any:
        a = A(x)
        return (a.w if a == x else x * x) * x

    def tried(x: Any) -> Any:
        a, y = A(x), x
        for operation in (
            lambda: a + x,
            lambda: x + a,
            lambda: a * x,
            lambda: -a,
            lambda: abs(a),
            lambda: a[2],
            lambda: sum(a),
            lambda: math.sin(float(a)) * x,
            lambda: x * 2 if x in a else x * 3,
            lambda: x * len(a),
            lambda: x * 5 if isinstance(2, A) else x,
        ):
            try:
                y = y + operation()
            except TypeError:
                y = y + 1
        return y * x

    def negated(x: Any) -> Any:
        try:
            return -A(x) * x
        except TypeError:
            return x * x

    def of_class(x: Any) -> Any:
        return A.kind * x * A(x).kind

    here = A(2.0)
    return {
        "read": read,
        "called": called,
        "as function": as_function,
        "given": lambda x: given(x, here),
        "stored": stored,
        "deleted": deleted,
        "tested": tested,
        "compared": compared,
        "tried": tried,
        "negated": negated,
        "of the class": of_class,
    }


def plain_fails(f: Any) -> bool:
    """Whether the plain program raises, so that there is nothing to compare."""
    try:
        f(1.5)
    except Exception:
        return True
    return not isinstance(f(1.5), float)


def check(f: Any) -> list[str]:
    return [] if plain_fails(f) else check_everywhere(f)


@pytest.fixture(autouse=True)
def in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled programs are run as Python: Numba takes long for each."""
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def check_changed(kind: str, name: str, program: str) -> None:
    """Check one program before a change, between two, and after it has been undone, and made again."""
    space = CLASSES[kind]()
    f = program_of(space)[program]
    check(f)
    try:
        undo = CHANGES[name](space)
    except (TypeError, AttributeError):
        return  # of a class that does not allow it
    check(f)
    undo()
    check(f)
    again = CHANGES["__getattribute__"](space)
    CHANGES[name](space)
    check(f)
    again()
    check(f)


@pytest.mark.parametrize("name", CHANGES)
def test_a_class_that_changes_is_followed(name: str) -> None:
    made = list(program_of(CLASSES["derived"]()))
    cases = [(kind, program) for kind in CLASSES for program in made]
    start = list(CHANGES).index(name)  # each kind with each program, over all changes
    for kind, program in cases if THOROUGH else cases[start % 4 :: 4]:
        check_changed(kind, name, program)


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize(
    "name", ["__getattribute__", "__setattr__", "__getattr__", "property", "__delattr__", "__init__"]
)
def test_what_reads_and_stores_is_put_on_a_class(kind: str, name: str) -> None:
    for program in ("read", "stored", "deleted", "given"):
        check_changed(kind, name, program)


def test_a_class_change_that_nobody_looks_at_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    cache_clear()  # what was recorded before asks no layout
    monkeypatch.setattr(Layout, "holds", lambda self: True)
    with pytest.raises(AssertionError):
        for kind in CLASSES:
            check_changed(kind, "__getattribute__", "read")


# ---- other changes


class Plain:
    def __init__(self, w: Any) -> None:
        self.w = w

    def scaled(self, x: Any) -> Any:
        return self.w * x


class Other(Plain):
    def scaled(self, x: Any) -> Any:
        return self.w * x * x


def test_the_class_of_an_object_is_another() -> None:
    a = Plain(2.0)

    def f(x: Any) -> Any:
        return a.scaled(x) * x

    check(f)
    a.__class__ = Other
    check(f)
    a.__class__ = Plain
    check(f)


def test_the_bases_of_a_class_are_others() -> None:
    class Left:
        def scaled(self, x: Any) -> Any:
            return x

    class Right:
        def scaled(self, x: Any) -> Any:
            return x * x

    class A(Left):
        pass

    def f(x: Any) -> Any:
        return A().scaled(x) * x

    check(f)
    A.__bases__ = (Right,)
    check(f)
    A.__bases__ = (Left,)
    check(f)


def test_an_attribute_of_an_object_hides_a_method() -> None:
    a = Plain(2.0)

    def f(x: Any) -> Any:
        return a.scaled(x) * x

    check(f)
    a.scaled = lambda x: x * x * x  # type: ignore[method-assign]
    check(f)
    del a.scaled  # type: ignore[method-assign]
    check(f)


def test_a_descriptor_learns_to_give_something() -> None:
    class Value:
        def __init__(self, v: Any) -> None:
            self.v = v

    class A:
        kind = Value(2.0)

    def f(x: Any) -> Any:
        found = A().kind
        return (found.v if isinstance(found, Value) else found) * x

    check(f)
    Value.__get__ = lambda self, obj, cls=None: 7.0  # type: ignore[attr-defined]
    check(f)
    del Value.__get__  # type: ignore[attr-defined]
    check(f)


def test_a_dataclass_learns_to_do_more_when_it_is_made() -> None:
    @dataclass
    class A:
        w: Any

    def f(x: Any) -> Any:
        return A(x).w * x

    check(f)
    A.__post_init__ = lambda self: setattr(self, "w", 3 * self.w)  # type: ignore[attr-defined]
    check(f)
    del A.__post_init__  # type: ignore[attr-defined]
    check(f)


@pytest.mark.parametrize("make", [lambda: make_dataclass("A", ["w"]), lambda: types.new_class("A", (Held,))])
def test_classes_that_say_they_are_of_the_standard_library(make: Any) -> None:
    """`make_dataclass` puts `types` for their module, until Python 3.12."""
    cls = make()
    f = lambda x: cls(x).w * x  # noqa: E731
    assert withgradient(f, 3.0) == (9.0, (6.0,))

    def doubling(self: Any, name: str) -> Any:
        value = object.__getattribute__(self, name)
        return 2 * value if name == "w" else value

    cls.__getattribute__ = doubling
    assert withgradient(f, 3.0) == (18.0, (12.0,))


class Held:
    def __init__(self, w: Any) -> None:
        self.w = w

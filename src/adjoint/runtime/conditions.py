"""Types to the guards that check them when a generated rule is entered."""

from __future__ import annotations

import functools
import types
from collections import defaultdict, deque
from itertools import chain
from typing import Any

import numpy as np

from ..ir.lattice import MISSING, kinds_of
from ..ir.methods import Method, are_of, called_class, is_bound
from ..ir.types import (
    NONE,
    UNKNOWN,
    Among,
    Array,
    Bottom,
    Default,
    Deque,
    Dict,
    Either,
    Fn,
    Inert,
    Keyed,
    Known,
    List,
    Located,
    Maybe,
    Nested,
    OneOf,
    Record,
    Scalar,
    Tuple,
    Type,
    Unknown,
    Variadic,
)
from ..rules.registry import RULES
from ..spelling import quoted
from .layouts import layout_of, may_change
from .typeof import SCALARS, is_steady, typeof

_CLASSES = {NONE: type(None), **{t: cls for cls, t in SCALARS.items()}}

MAX_HELD = 16
"""Depth to which functions that others hold are looked at, in underlined names of a path."""


class Guard:
    """Conditions on values, gathered as source and compiled into one function."""

    def __init__(self, with_layouts: bool = True) -> None:
        """Without layouts it holds for good: classes are only noted."""
        self.with_layouts = with_layouts
        self.conditions: list[str] = []
        self.objects: dict[str, Any] = {}
        self.functions: list[tuple[str, types.FunctionType]] = []
        self.classes: list[type] = []
        """The classes that are required to be as they are."""
        self.lasting: set[str] = set()
        """The conditions that hold throughout a run that only computes, once they have held in it."""

    def name(self, value: Any) -> str:
        for known, held in self.objects.items():
            if held is value:
                return known
        name = f"k{len(self.objects)}"
        self.objects[name] = value
        return name

    def require(self, path: str, t: Type) -> None:
        """Require that the value at `path` has type `t`."""
        match t:
            case Unknown():
                return
            case Scalar(kind):
                self.conditions.append(f"type({path}) is {kind}")
            case OneOf(kinds):
                classes = frozenset([_CLASSES[t] for t in kinds])
                self.conditions.append(f"type({path}) in {self.name(classes)}")
            case Array():
                self._array(path, t)
            case Located(of):
                self.require(path, of)
            case Tuple(items, cls):
                self.conditions.append(f"type({path}) is {self.name(cls)}")
                self.conditions.append(f"len({path}) == {len(items)}")
                for i, item in enumerate(items):
                    self.require(f"{path}[{i}]", item)
            case Deque(item, bounded):
                self.conditions.append(f"type({path}) is {self.name(deque)}")
                self.conditions.append(f"{path}.maxlen is {'not ' * bounded}None")
                self._items(path, item)
            case Default(item, cls, missing):
                self.conditions.append(f"type({path}) is {self.name(cls)}")
                if cls is defaultdict:
                    make = next((f for f, t in MISSING.items() if t == missing), None)
                    self.conditions.append(f"{path}.default_factory is {self.name(make)}")
                self._items(f"{path}.values()", item)
            case Inert(cls) if cls is set:
                self.conditions.append(f"type({path}) is {self.name(set)} and {self.name(is_steady)}({path})")
            case Variadic(item):
                self.conditions.append(f"type({path}) is tuple")
                self._items(path, item)
            case List(item):
                self.conditions.append(f"type({path}) is list")
                self._items(path, item)
            case Either(array, number):
                sides = [self._test(side) for side in (array, number)]
                self.conditions.append(f"({sides[0]}({path}) or {sides[1]}({path}))")
            case Keyed(site=site) if site is not None:
                self.conditions.append(f"type({path}) is dict and not {path}")  # as it is made
            case Keyed(_, entries):
                keys = "".join([f"{quoted(key)}, " for key, _ in entries])
                self.conditions.append(f"type({path}) is dict and (*{path},) == ({keys})")
                for key, entry in entries:
                    self.require(f"{path}[{quoted(key)}]", entry)
            case Dict(item):
                self.conditions.append(f"type({path}) is dict")
                self._items(f"{path}.values()", item)
            case Fn(code, _, defaults, keywords, _, scope):
                self.conditions.append(f"type({path}) is {self.name(types.FunctionType)}")
                self.conditions.append(f"{path}.__code__ is {self.name(code)}")
                self.conditions.append(f"{path} not in {self.name(RULES)}")
                self.conditions.append(f"{path}.__globals__ is {self.name(scope)}")
                if not (defaults or keywords):
                    self.conditions.append(f"not {path}.__defaults__ and not {path}.__kwdefaults__")
                self.function(path, t)
            case Nested(cls, attribute, inner, wanted, single, with_value, order):
                self.conditions.append(f"type({path}) is {self.name(cls)}")
                if order:
                    self.conditions.append(f"{path}.__adjoint_derivative__({path})[1] == {order}")
                else:
                    form = self.name((wanted, single, with_value))
                    self.conditions.append(f"{path}.__adjoint_gradient__({path})[1:] == {form}")
                self.require(f"{path}.{attribute}", inner)
            case Known(value):
                same = "==" if isinstance(value, str) else "is"
                self.conditions.append(f"{path} {same} {self.name(value)}")
                if isinstance(value, type):
                    self.layout(value)
                elif isinstance(value, types.FunctionType):
                    self.written_so(path, value)
            case Record(cls) if issubclass(cls, Method):
                self.conditions.append(f"{self.name(is_bound)}({path}, {self.name(cls)})")
                self.layout(cls.owner)
            case Inert(cls) | Record(cls):
                self.conditions.append(f"type({path}) is {self.name(cls)}")
                self.layout(cls)
            case Among(kinds) if any([issubclass(kind.cls, Method) for kind in kinds]):
                self.conditions.append(f"{self.name(are_of)}(({path},), {self._kinds(kinds)})")
            case Among(kinds):
                self.conditions.append(f"type({path}) in {self._classes(kinds)}")
            case Maybe(item):
                self.conditions.append(f"({path} is None or {self._test(item)}({path}))")
            case _:  # nothing that a call is given is of any other type
                self.conditions.append("False")

    def layout(self, cls: type) -> None:
        """Require a class to be as it is now."""
        self.classes.append(cls)
        if self.with_layouts and may_change(cls):
            self.last(f"{self.name(layout_of(cls))}.holds()")

    def last(self, condition: str) -> None:
        """Require what nothing changes that only computes: names, classes, code."""
        self.conditions.append(condition)
        self.lasting.add(condition)

    def written_so(self, path: str, f: types.FunctionType) -> None:
        """Require a function to be as it is now, with the functions that it captures and has as defaults: code is
        replaced when a module is loaded again in place."""
        if any(path.startswith(f"{seen}.") for seen, held in self.functions if held is f):
            return  # it holds itself
        self.functions.append((path, f))
        self.conditions.append(f"{path}.__code__ is {self.name(f.__code__)}")
        self.conditions.append(f"{path}.__defaults__ is {self.name(f.__defaults__)}")
        self.conditions.append(f"{path}.__kwdefaults__ is {self.name(f.__kwdefaults__)}")
        held = [(f"__defaults__[{i}]", x) for i, x in enumerate(f.__defaults__ or ())]
        for key, x in (f.__kwdefaults__ or {}).items():
            self.conditions.append(f"{path}.__kwdefaults__[{quoted(key)}] is {self.name(x)}")
            held.append((f"__kwdefaults__[{quoted(key)}]", x))
        for where, x in held:
            if isinstance(x, types.FunctionType) and path.count("__") < MAX_HELD:
                self.written_so(f"{path}.{where}", x)
        for i, cell in enumerate(f.__closure__ or ()):
            try:
                x = cell.cell_contents
            except ValueError:  # not bound yet
                continue
            t = Known(x) if isinstance(x, types.FunctionType) else typeof(x)
            if isinstance(t, (Known, Scalar, Array, Inert, Record)) and path.count("__") < MAX_HELD:
                self.require(f"{path}.__closure__[{i}].cell_contents", t)

    def function(self, path: str, own: Fn, example: types.FunctionType | None = None) -> None:
        """Require what a function captures, and its defaults, to have these types; what captures itself, as the
        `example` does, is not looked at again."""
        cells = example.__closure__ or () if example is not None else ()
        for i, t in enumerate(own.captures):
            if t == UNKNOWN:
                continue
            held = f"{path}.__closure__[{i}].cell_contents"
            if isinstance(t, Fn) and cells and cells[i].cell_contents is example:
                self.conditions.append(f"{held} is {path}")
            else:
                self.require(held, t)
        for name, n in (("__defaults__", len(own.defaults)), ("__kwdefaults__", len(own.keywords))):
            if n:
                self.conditions.append(f"{path}.{name} is not None and len({path}.{name}) == {n}")
        for i, t in enumerate(own.defaults):
            self.require(f"{path}.__defaults__[{i}]", t)
        for key, t in own.keywords:
            self.conditions.append(f"{quoted(key)} in {path}.__kwdefaults__")
            self.require(f"{path}.__kwdefaults__[{quoted(key)}]", t)

    def _array(self, path: str, t: Array) -> None:
        if t.scalar:
            self.conditions.append(f"type({path}) is {self.name(np.dtype(t.dtype or t.kind).type)}")
            return
        self.conditions.append(f"type({path}) is {self.name(np.ndarray)}")
        exact = f"{path}.dtype == {self.name(np.dtype(t.dtype))}" if t.dtype else f"{path}.dtype.kind == {t.kind!r}"
        self.conditions.append(exact)
        if t.ndim is not None:
            self.conditions.append(f"{path}.ndim == {t.ndim}")

    def _items(self, path: str, item: Type) -> None:
        if isinstance(item, Scalar):
            self.conditions.append(f"{self.name(_uniform)}({path}, {item.kind})")
        elif item == Inert(str):
            self.conditions.append(f"{self.name(_uniform)}({path}, str)")
        elif any([issubclass(kind.cls, Method) for kind in kinds_of(item)]):
            self.conditions.append(f"{self.name(are_of)}({path}, {self._kinds(kinds_of(item))})")
        elif isinstance(item, Record):
            self.conditions.append(f"{self.name(_uniform)}({path}, {self.name(item.cls)})")
            self.layout(item.cls)
        elif isinstance(item, Maybe) and isinstance(item.item, Scalar):
            classes = frozenset([_CLASSES[item.item], type(None)])
            self.conditions.append(f"{self.name(classes)}.issuperset(map(type, {path}))")
        elif isinstance(item, Among):
            self.conditions.append(f"{self._classes(item.kinds)}.issuperset(map(type, {path}))")
        elif type(item) is List and isinstance(item.item, Scalar):
            self.conditions.append(f"{self.name(_uniform_rows)}({path}, {item.item.kind})")
        elif isinstance(item, Bottom):
            self.conditions.append(f"not {path}")
        elif item != UNKNOWN:
            self.conditions.append(f"{path} and all(map({self._test(item)}, {path}))")

    def _test(self, t: Type) -> str:
        """The name of the function that tells whether a value is of a type, whose classes are to be as they are now."""
        test: Any = guard_of_type(t)
        for cls in test.written.classes:
            self.layout(cls)
        return self.name(test)

    def _classes(self, kinds: tuple[Record, ...]) -> str:
        """The name of a set of classes, which are required to be as they are now."""
        for kind in kinds:
            self.layout(kind.cls)
        return self.name(frozenset([kind.cls for kind in kinds]))

    def _kinds(self, kinds: tuple[Record, ...]) -> str:
        """The name of a tuple of classes, of which some stand for methods."""
        for kind in kinds:
            self.layout(called_class(kind.cls))
        return self.name(tuple([kind.cls for kind in kinds]))

    @property
    def condition(self) -> str:
        """The conditions as one expression."""
        return " and ".join(dict.fromkeys(self.conditions)) or "True"

    def copy(self) -> Guard:
        """One with the same conditions, to which more may be added."""
        made = Guard(self.with_layouts)
        made.conditions, made.objects, made.classes = [*self.conditions], dict(self.objects), [*self.classes]
        return made

    def compile(self, parameters: list[str]) -> Any:
        """The guard as a function of the values; it keeps what it is `written` from."""
        lines = [
            f"def guard({', '.join(parameters)}):",
            "    try:",
            f"        return {self.condition}",
            "    except (AttributeError, ValueError, LookupError):",
            "        return False",
        ]
        guard = self.define("guard", lines)
        guard.written, guard.parameters, guard.of_values = self, parameters, None
        return guard

    def without_lasting(self) -> Guard:
        """Questions that are left to be asked in a run that only computes, of a function for which all has held in
        it."""
        made = self.copy()
        made.conditions = [c for c in self.conditions if c not in self.lasting]
        return made

    def define(self, name: str, lines: list[str]) -> Any:
        """The function of this name that lines define, in which objects go by the names that they were given here."""
        inner = "\n".join([f"    {line}" for line in lines])
        scope: dict[str, Any] = {}
        exec(_code_of(f"def make({', '.join(self.objects)}):\n{inner}\n    return {name}", name), scope)
        return scope["make"](*self.objects.values())


@functools.lru_cache(maxsize=512)
def _code_of(text: str, name: str) -> types.CodeType:
    """Tests that are compiled once for all functions of one text: guards of many functions ask the same."""
    return compile(text, f"<adjoint {name}>", "exec")


@functools.lru_cache(maxsize=512)
def guard_of_type(t: Type) -> Any:
    """Tell whether a value is of a type that tells numbers, arrays, and what holds these; whether its classes are as
    they were, its caller asks."""
    guard = Guard(with_layouts=False)
    guard.require("value", t)
    return guard.compile(["value"])


def _uniform_rows(rows: Any, kind: type) -> bool:
    """Tell whether there are lists, none of them empty, of items of one class."""
    return set(map(type, rows)) == {list} and all(rows) and set(map(type, chain.from_iterable(rows))) == {kind}


def _uniform(items: Any, kind: type) -> bool:
    return set(map(type, items)) == {kind}

"""Arguments as what kernels take: scalars and arrays, with containers and records taken apart."""

from __future__ import annotations

import enum
import inspect
import types
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..classify import classify
from ..identity import Same
from ..ir.nodes import Function
from ..rules.found_by import BY_CLASS
from ..runtime.layouts import layout_of
from ..tangents import Tangent, own_dict
from ..tangents.fields import record_fields
from ..tangents.static import static_fields
from .arrays import copied, of_buffer
from .delayed import LearntError
from .kernel import Buf, Lit, Reg
from .objects import has_operators
from .values import CannotCompile, Items, Known, Record, Value
from .writer import Writer

DTYPES = {"float64": "f", "int64": "i", "bool": "b"}
LARGE = 2**62
"""Integers from here on are left to Python."""
IN_FLOAT64 = {
    "why": "compiled programs compute in float64 and int64, and results keep the dtype of the arguments",
    "way_out": "give it in float64 (`a.astype(float)`), or leave `compile` off",
}

Path = tuple[Any, ...]
"""Where something is: the place among the function and its arguments (or a name of a module, or of a class), then
steps, each an index, a field, a key, a default, or the name of a captured variable."""


@dataclass(eq=False)
class Inputs:
    """The parameters of a kernel, and where each is found among the arguments of a call; and of all that has been
    looked at what of it the kernel relies on."""

    writer: Writer
    in_memory: bool = False
    """True if others may see what the program stores into its arrays."""
    params: list[Reg | Buf] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)
    sizes: list[Any] = field(default_factory=list)
    seen: dict[Path, Hashable] = field(default_factory=dict)
    stored: frozenset[Path] = frozenset()
    """Where the arrays are that the program stores into: it works on copies of them."""
    copies: dict[Path, Buf] = field(default_factory=dict)
    in_order: set[Path] = field(default_factory=set)
    """Which of these must be in the order of C, as the copies are."""
    recursive: frozenset[Function] = frozenset()
    """The functions that call themselves."""
    constants: dict[types.FunctionType, Global] = field(default_factory=dict)
    """Where functions are that the program names as constants and that hold something."""
    functions: dict[types.FunctionType, Value] = field(default_factory=dict)

    def learnt(self, more: LearntError) -> Inputs:
        """Those with which the program is lowered again: one more function calls itself, lists hold floats, or others
        see the stores, into one more array if one is given."""
        writer = Writer(self.writer.widens or more.widens)
        recursive = self.recursive if more.recursive is None else self.recursive | {more.recursive}
        in_memory = self.in_memory or more.recursive is None and not more.widens
        paths = [path for p, path in zip(self.params, self.paths, strict=True) if p is more.stored]
        stored = self.stored.union(paths)
        return Inputs(writer, in_memory, stored=stored, recursive=recursive, constants=self.constants)

    def take(self, x: Any, name: str, path: Path) -> Value:
        """The value of an argument, and parameters for the numbers in it."""
        kind = self.seen[path] = kind_of(x)
        if kind in ("f", "i"):
            return self.param(Reg(name, str(kind)), path)
        cls = type(x)
        if cls in BY_CLASS:
            return self.take(x.py_func, name, (*path, Field("py_func")))
        if cls in ARRAYS:
            return self.array(x, name, path)
        if cls in (tuple, list):
            items = [self.take(item, name, (*path, i)) for i, item in enumerate(x)]
            return tuple(items) if cls is tuple else Items(items)
        if is_named_tuple(cls):
            if has_operators(cls):
                raise CannotCompile(f"`{cls.__name__}`, which defines operators")
            return Items([self.take(item, name, (*path, i)) for i, item in enumerate(x)], cls, cls._fields)
        if cls is dict:
            return Items(
                [self.take(item, k if isinstance(k, str) else "", (*path, Key(k))) for k, item in x.items()],
                dict,
                tuple(x),
            )
        if cls is bool:
            return Lit(x)
        if type(x) is types.FunctionType and (x.__closure__ or x.__defaults__ or x.__kwdefaults__):
            return Record(x, lambda name: self.of_function(x, name, path))
        if is_constant(x):
            return Known(x)
        if record_fields(x) is not None:
            self.seen[LayoutOf(cls),] = Same(layout_of(cls))
            return Record(x, lambda name: self.of_record(x, name, path))
        if cls is int:
            raise CannotCompile("an integer of another kind: one beyond 64 bits")
        raise CannotCompile(f"an argument that is a {cls.__name__}", **IN_FLOAT64 if issubclass(cls, np.number) else {})

    def method(self, cls: type, name: str) -> types.FunctionType | None:
        """A method of a class, if that is a function: the kernel relies on it that it stays the same."""
        self.seen[LayoutOf(cls),] = Same(layout_of(cls))
        found = inspect.getattr_static(cls, name, None)
        if not isinstance(found, types.FunctionType):
            return None
        self.seen[Member(cls, name),] = Same(found)
        return found

    def record_of(self, f: types.FunctionType) -> Value:
        """A function that the program names as a constant, by what it holds."""
        if f not in self.functions:
            path = self.constants.setdefault(f, Global({f.__name__: f}, f.__name__))
            self.functions[f] = self.take(f, f.__name__, (path,))
        return self.functions[f]

    def attribute_of(self, cls: type, name: str) -> Value:
        """A number or a flag that a class has."""
        if not isinstance(vars(cls).get(name), float | int | bool | str):
            raise CannotCompile(f"the attribute `{name}` of `{cls.__name__}`")
        return self.take(vars(cls)[name], name, (Member(cls, name),))

    def array(self, x: np.ndarray[Any, Any], name: str, path: Path) -> Value:
        kind = DTYPES.get(x.dtype.name)
        if kind is None or not x.dtype.isnative:
            raise CannotCompile(f"an array of {x.dtype.str if kind else x.dtype.name}", **IN_FLOAT64)
        buf = self.param(Buf(name, kind, x.ndim), path)
        with self.writer.region() as written:  # wherever it is first read: its lengths come first of all
            shape = [Lit(1) if n == 1 else self.writer.size(buf, k) for k, n in enumerate(x.shape)]
            found = of_buffer(self.writer, buf, shape)
            if path in self.stored:
                found = copied(self.writer, found, kind)
                assert found.buf is not None
                self.copies[path] = found.buf
        self.sizes += written
        return found

    def of_record(self, x: Any, name: str, path: Path) -> Value:
        """A field; what a class has is a number or a flag, and no property."""
        fields = record_fields(x) or {}
        held = fields[name] if name in fields else vars(type(x)).get(name)
        if name not in fields and type(held) not in (float, int, bool, str):
            raise CannotCompile(f"the attribute `{name}`")
        return self.take(held, name, (*path, Field(name)))

    def of_function(self, f: types.FunctionType, name: str, path: Path) -> Value:
        """The value that a function captures, or the default of a parameter."""
        if name in f.__code__.co_freevars:
            step: Any = name
        else:
            parameters = f.__code__.co_varnames[: f.__code__.co_argcount]
            first = len(parameters) - len(f.__defaults__ or ())
            if name in (f.__kwdefaults__ or {}):
                step = KeywordDefault(name)
            elif name in parameters[first:]:
                step = Default(parameters.index(name) - first)
            else:
                raise CannotCompile(f"what `{f.__name__}` has as `{name}`: it is rebound by others")
        return self.take(after(f, step), name, (*path, step))

    def param(self, p: Any, path: Path) -> Any:
        self.params.append(p)
        self.paths.append(path)
        return p


@dataclass(frozen=True, slots=True)
class Field:
    """An attribute of an object, whatever that is."""

    name: str


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a dict."""

    key: Any


@dataclass(frozen=True, slots=True)
class Default:
    """The default of a parameter."""

    k: int


@dataclass(frozen=True, slots=True)
class KeywordDefault:
    """The default of a parameter that is given by keyword."""

    name: str


class Global:
    """A name of a module."""

    def __init__(self, space: dict[str, Any], name: str) -> None:
        self.space, self.name = space, name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Global) and self.space is other.space and self.name == other.name

    def __hash__(self) -> int:
        return hash((id(self.space), self.name))


@dataclass(frozen=True, slots=True)
class Member:
    """An attribute of a class: a method."""

    cls: type
    name: str


@dataclass(frozen=True, slots=True)
class LayoutOf:
    """The layout that a class gives its objects."""

    cls: type


def found_at(path: Path, call: Any) -> Any:
    """The value at a path."""
    first, *steps = path
    if isinstance(first, LayoutOf):
        return layout_of(first.cls)
    if isinstance(first, Member):
        return getattr(first.cls, first.name)
    x = first.space[first.name] if isinstance(first, Global) else call[first]
    for step in steps:
        x = after(x, step)
    return x


def after(x: Any, step: Any) -> Any:
    """The value to which a step leads."""
    if isinstance(step, int):
        return x[step]
    if isinstance(step, Key):
        return x[step.key]
    if isinstance(step, Default):
        return x.__defaults__[step.k]
    if isinstance(step, KeywordDefault):
        return x.__kwdefaults__[step.name]
    if isinstance(step, Field):
        return getattr(x, step.name)
    return x.__closure__[x.__code__.co_freevars.index(step)].cell_contents


ARRAYS = (np.ndarray, np.memmap)
"""Classes of arrays; that of what lies in a file does nothing else."""

PLAIN = (bool, str, bytes, type(None), type, types.ModuleType, types.BuiltinFunctionType, slice, type(...))


def is_constant(x: Any) -> bool:
    """Tell whether an object is known by itself: what it holds, if anything, does not change."""
    return type(x) in PLAIN or isinstance(x, enum.Enum) or callable(x) and not is_called_as_record(x)


def kind_of(x: Any) -> Hashable:
    """The key of a value for kernels: of an array its dtype, its rank, and which lengths are 1; of a container its
    length or keys; of a flag or a string itself."""
    cls = type(x)
    if cls in (float, np.float64):
        return "f"
    if cls is int or cls is np.int64:
        return "i" if -LARGE < x < LARGE else "large"
    if cls in ARRAYS:
        return x.dtype.str, x.ndim, tuple([n == 1 for n in x.shape])
    if cls in (tuple, list) or is_named_tuple(cls):
        return cls, len(x)
    if cls is dict:
        return cls, tuple(x)
    if cls in (bool, str, bytes):
        return cls, x
    if type(x) is types.FunctionType:
        held = len(x.__closure__ or ()), len(x.__defaults__ or ()), tuple(x.__kwdefaults__ or ())
        return Same(x.__code__), Same(x.__globals__), held
    # An attribute of its own may stand before a method of the class.
    return Same(x) if is_constant(x) else (cls, record_fields(x) is None, tuple(own_dict(x) or ()))


def is_named_tuple(cls: type) -> bool:
    """Tell whether a class is one of named tuples, whose `__new__` only takes the fields."""
    return issubclass(cls, tuple) and "_fields" in vars(next(base for base in cls.__mro__ if "__new__" in vars(base)))


def is_called_as_record(x: Any) -> bool:
    """Tell whether an object that can be called is made of fields, and its class says in Python what a call does."""
    return type(x) is not types.FunctionType and classify(x).kind == "object" and bool(record_fields(x))


def gradient_like(x: Any, found: dict[Path, Any], path: Path) -> Any:
    """The cotangents of an argument, in its structure, from those of its numbers and arrays."""
    cls = type(x)
    if cls in ARRAYS:
        return found[path] if path in found else np.zeros(x.shape)
    if cls in (float, np.float64, int, np.int64):
        return found.get(path, 0.0)
    if cls in (tuple, list):
        return cls([gradient_like(item, found, (*path, i)) for i, item in enumerate(x)])
    if is_named_tuple(cls):
        static_fields(cls)  # which are refused of it
        return cls(*[gradient_like(item, found, (*path, i)) for i, item in enumerate(x)])
    if cls is dict:
        return {k: gradient_like(item, found, (*path, Key(k))) for k, item in x.items()}
    fields = record_fields(x)
    if fields is None or cls in PLAIN:
        return None
    static = static_fields(cls)
    bars = {n: None if n in static else gradient_like(x, found, (*path, Field(n))) for n, x in fields.items()}
    return Tangent(cls, bars)

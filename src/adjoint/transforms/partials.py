"""Partial functions: calls of their functions in their place."""

from __future__ import annotations

import functools
import inspect
import operator
import types
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..ir.decorated import around
from ..ir.made_classes import layout_of_class
from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import UNKNOWN, Fn
from ..wrappers import storing_in
from .facts import is_active
from .infer import type_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


@dataclass(frozen=True)
class Partial:
    """A fact: a function with its first arguments and with keywords."""

    function: Atom
    args: tuple[Atom, ...]
    kwargs: tuple[tuple[str | None, Atom], ...]


def fold_partial(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """`functools.partial(f, ...)`, of which nothing is written if it is only called."""
    if args and isinstance(inner := r.sp.facts.get(args[0]), Partial):  # as Python does: one of the function within
        args, kwargs = [inner.function, *inner.args, *args[1:]], _joined(inner.kwargs, kwargs)
    known = bool(args) and isinstance(args[0], Const) and callable(args[0].value)
    if not (known or args and isinstance(type_of(args[0]), Fn)):
        return None
    if s.out in r.uses.only_called:
        out: Atom = Var(s.out.name, UNKNOWN, any(map(is_active, [*args, *(v for _, v in kwargs)])))
    elif any(map(is_active, [*args, *(v for _, v in kwargs)])):
        out = r.general(s, Const(functools.partial), args, kwargs)
    else:  # what it is made of is not called yet
        out = r.emit(s, Const(functools.partial), args, kwargs, None, UNKNOWN, False)
    if isinstance(out, Var):
        r.sp.facts[out] = Partial(args[0], tuple(args[1:]), tuple(kwargs))
    return [out]


def class_method(r: Resolver, s: Call, cls: type, name: str) -> list[Atom] | None:
    """`cls.name` of a method of the class that is only called: the function, which is given the class."""
    if not issubclass(type(cls), type):
        return None  # what says that it is a class
    static, method = inspect.getattr_static(cls, name, None), getattr(cls, name, None)
    function = static.__func__ if type(static) is classmethod else None
    if type(function) is not types.FunctionType or s.out not in r.uses.only_called or layout_of_class(cls) is not None:
        return None
    if type(method) is not types.MethodType or method.__func__ is not function or method.__self__ is not cls:
        return None  # another class decides what it is
    r.guard(cls, name, method)
    out = Var(s.out.name, UNKNOWN, False)
    r.sp.facts[out] = Partial(Const(function), (Const(cls, cls.__name__),), ())
    return [out]


def fold_attribute_getter(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """`operator.attrgetter("name")`, which never changes: a constant."""
    names = [a.value for a in args if isinstance(a, Const) and type(a.value) is str]
    return [Const(operator.attrgetter(*names))] if names and len(names) == len(args) and not kwargs else None


def opened_getter(fn: Atom, args: list[Atom | Star]) -> tuple[Atom, list[Atom | Star]]:
    """A call of what gives an attribute as the read of that; any other call as it is."""
    if not isinstance(fn, Const) or type(fn.value) is not operator.attrgetter or len(args) != 1:
        return fn, args
    names = fn.value.__reduce__()[1]
    plain = len(names) == 1 and "." not in names[0] and not isinstance(args[0], Star)
    return (Const(getattr), [*args, Const(names[0])]) if plain else (fn, args)


def by_source(fn: Atom) -> Atom:
    """The function that a compiled one holds, where it stores into what it is given; any other function as it is."""
    function = storing_in(fn.value) if isinstance(fn, Const) else None
    return fn if function is None else Const(function)


def unfolded(r: Resolver, fn: Atom, args: list[Atom | Star], kwargs: Kwargs) -> tuple[Atom, list[Atom | Star], Kwargs]:
    """A call of such a partial function as one of its function, of one that a library has decorated as one of what that
    does; any other call as it is."""
    if isinstance(fn, Const) and (found := around(fn.value, bool(kwargs))) is not None:
        return Const(found[0]), [*map(Const, found[1]), *args], kwargs
    partial: Any = r.sp.facts.get(fn)
    if not isinstance(partial, Partial):
        return fn, args, kwargs
    return partial.function, [*partial.args, *args], _joined(partial.kwargs, kwargs)


def _joined(before: Kwargs | tuple[tuple[str | None, Atom], ...], kwargs: Kwargs) -> Kwargs:
    """Keywords of a partial function, but for those that are given anew."""
    given = {name for name, _ in kwargs}
    return [*[(name, v) for name, v in before if name not in given], *kwargs]


FOLDS: dict[Any, Any] = {functools.partial: fold_partial, operator.attrgetter: fold_attribute_getter}

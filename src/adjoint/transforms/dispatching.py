"""Functions of `functools.singledispatch`: a call is one of the function that is registered for the class of its first
argument, or of the first behind the object where it is a method. That is relied on at each call of the program.
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

from ..classify import kind_of
from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import ABSENT, Inert, Maybe, Scalar
from .deciding import classes_among
from .facts import Bound, Gives, is_active
from .infer import type_of
from .virtual_classes import classes_of

if TYPE_CHECKING:
    from .resolve import Resolver


def place_of_choice(value: Any) -> int | None:
    """The place of the argument by whose class a function is chosen; None of what chooses none.

    >>> place_of_choice(functools.singledispatch(len)), place_of_choice(len)
    (0, None)
    """
    if isinstance(value, functools.singledispatchmethod):
        return 1
    return 0 if callable(value) and kind_of(value) == "dispatch" else None


def chosen(r: Resolver, fn: Atom, args: list[Atom | Star]) -> Atom:
    """The function that a call is of: the one that is registered for the class of an argument, where that is known."""
    place = place_of_choice(fn.value) if isinstance(fn, Const) else None
    if place is None or len(args) <= place or any([isinstance(a, Star) for a in args[: place + 1]]):
        return fn
    dispatcher: Any = getattr(fn.value, "dispatcher", fn.value)  # type: ignore[union-attr]
    classes = _classes(args[place])  # type: ignore[arg-type]
    found: list[Any] = [dispatcher.dispatch(cls) for cls in classes]
    if not found or any([f is not found[0] for f in found]) or not inspect.isfunction(found[0]):
        return fn
    for cls in classes:
        r.guard(dispatcher, f"registered for {id(cls)}", Gives(dispatcher.dispatch, (cls,), found[0]))
    return Const(found[0])


def method_for(r: Resolver, method: Any, args: list[Atom]) -> Any:
    """The function that a method is for such arguments, the object among them; None where only the run shows it."""
    if place_of_choice(method) is None:
        return method
    found: Any = chosen(r, Const(method), [*args])
    return None if found.value is method else found.value


def _classes(a: Atom) -> tuple[type, ...]:
    """The classes that an argument may be of; none where these are not known."""
    t = type_of(a)
    if isinstance(t, Maybe):
        return ()
    if isinstance(t, Scalar) and isinstance(a, Var):
        return classes_of(t)  # what counts as a float may be an int, or one of NumPy's
    if t == Inert(str) and isinstance(a, Var):
        return ()  # a text of another class is one, too
    return tuple(classes_among(a))


def bound_by_choice(r: Resolver, s: Call, base: Atom, cls: type, name: str) -> list[Any] | None:
    """`base.name` of such a method, where it is only called: of each call its argument says the function."""
    if s.out not in r.uses.only_called:
        return None
    owner = next(of for of in cls.__mro__ if name in vars(of))
    for below in cls.__mro__[: cls.__mro__.index(owner)]:
        r.guard(below, name, ABSENT)
    method = vars(owner)[name]
    r.guard(owner, name, Gives(vars(owner).get, (name,), method))
    out = Var(s.out.name, type_of(base), is_active(base))
    r.sp.facts[out] = Bound(base, name, method)
    return [out]

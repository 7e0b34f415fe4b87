"""Calls of functions that are read in place: the arguments in the order of the parameters."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

from ..ir.nodes import Function
from .values import CannotCompile, Items, Value


def bound(
    f: types.FunctionType,
    ir: Function,
    args: Sequence[Value],
    kwargs: dict[str, Value],
    held: Callable[[str, Any], Value],
) -> list[Value]:
    """The arguments in the order of the parameters; what a default holds is given by its name and its value."""
    sig = ir.signature
    names, by_name = sig.names[: sig.positional + sig.kwonly], sig.names[sig.posonly : sig.positional + sig.kwonly]
    found = dict(zip(names[: sig.positional], args, strict=False))
    more = {name: x for name, x in kwargs.items() if name not in by_name}
    if (
        len(args) > sig.positional
        and not sig.varargs
        or more
        and not sig.varkw
        or found.keys() & kwargs.keys() - more.keys()
    ):
        raise CannotCompile("a call whose arguments do not fit")
    found.update({name: x for name, x in kwargs.items() if name not in more})
    defaults = f.__defaults__ or ()
    for name, default in zip(sig.names[sig.positional - len(defaults) : sig.positional], defaults, strict=True):
        if name not in found:
            found[name] = held(name, default)
    for name, default in (f.__kwdefaults__ or {}).items():
        if name not in found:
            found[name] = held(name, default)
    if len(found) != len(names):
        raise CannotCompile("a call whose arguments do not fit")
    stars: list[Value] = [tuple(args[sig.positional :])] if sig.varargs else []
    stars += [Items([*more.values()], dict, tuple(more))] if sig.varkw else []
    return [*[found[name] for name in names], *stars]


def is_empty(f: types.FunctionType) -> bool:
    """Tell whether a function is one that is made on the way: what it captures is in no cells."""
    try:
        return not [cell.cell_contents for cell in f.__closure__ or ()]
    except ValueError:
        return True

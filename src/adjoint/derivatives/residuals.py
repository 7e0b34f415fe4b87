"""Residuals: the values that a pullback keeps of the run forward."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..cells import captured_by
from ..classify import kind_of
from ..ir.interpret import Made
from ..origin import is_ours
from ..rules.reads import parameters_read
from ..rules.registry import find_rules, not_implemented
from ..runtime.slots import RuleBack


def residuals(back: Any) -> dict[str, Any]:
    """The values of the run that a pullback keeps until it is dropped: what its memory is for.

    Parameters
    ----------
    back : what `pullback` or `rrule` gave beside the value.

    Returns
    -------
    The values by name: of a program the user's variables, and `t1`, `t2` for what has no name; of a rule the arguments,
    and the variables that its `back` captures. Of an elementwise rule, those of its arguments and its result that its
    partials read; of the others it may look at the form. Of a function that it called and whose pullback it keeps, a
    dict of what that one keeps; of those that a loop called, a list of these. Modules, texts and functions that hold
    nothing are left out, and the flags of rules of the library: these are options. A recorded program keeps a tape,
    which has no names: of one it is empty.

    Examples
    --------
    >>> import math
    >>> from adjoint import pullback
    >>> from adjoint.inspect import residuals
    >>> def f(x, y): return x * y + math.exp(x)
    >>> y, back = pullback(f, 0.0, 2.0)
    >>> residuals(back)
    {'t1': 1.0, 'x': 0.0, 'y': 2.0}
    >>> back
    ∂(f) of t1, x, y
    >>> def g(x): return f(x, 3.0) * x
    >>> residuals(pullback(g, 0.0)[1])
    {'f_back': {'t1': 1.0, 'y': 3.0}, 't1': 1.0, 'x': 0.0}
    """
    if kind_of(back) != "pullback":
        return dict(_data_of(back))
    f, args = back._f, back._args[1:]
    inner = _innermost(back._back)
    rules = find_rules(f)
    if rules is None and not isinstance(back._back, RuleBack):
        return {} if is_ours(_filename(inner)) else dict(_data_of(inner))
    held = dict(_data_of(inner))
    method = None if rules is None else rules.select(tuple(map(type, args)))
    partials = None if method is None else getattr(method.call, "partials", None)
    return _by_argument(held if partials is None else _read_by(partials, args, held), _names_of_arguments(f, args))


def _read_by(partials: Any, args: tuple[Any, ...], held: dict[str, Any]) -> dict[str, Any]:
    """The arguments that partials read, and the result among what is held; all where their code does not tell."""
    *operands, of_result = parameters_read(partials, len(args) + 1)
    names = getattr(getattr(partials, "__code__", None), "co_varnames", ())
    if len(names) <= len(args):
        names = [f"x{i}" for i in range(len(args))]
    read = {name: x for name, x, is_read in zip(names, args, operands, strict=False) if is_read}
    return {**read, "y": held["y"]} if of_result and "y" in held else read


def _innermost(back: Any) -> Any:
    """The `back` in what only arranges or looks at its cotangents."""
    while True:
        if isinstance(back, RuleBack):
            back = back.back
        elif (within := _arranged(back)) is not None:
            back = within
        else:
            return back


def _arranged(back: Any) -> Any:
    """The `back` whose cotangents another one arranges, one of this library or of the program of a call that only hands
    its arguments on; None of one that does more."""
    captured = captured_by(back)
    apply_back = captured.pop("apply_back", None)
    if apply_back is not None and all([_kept(x, (back,)) is None for x in captured.values()]):
        return apply_back
    return captured.get("back", captured.get("own_back")) if is_ours(_filename(back)) else None


def _filename(back: Any) -> str:
    code = getattr(back, "__code__", None)
    return code.co_filename if isinstance(code, types.CodeType) else ""


def _data_of(back: Any, around: tuple[Any, ...] = ()) -> Iterator[tuple[str, Any]]:
    """The values of the run that a function keeps, and those of functions that it holds; `around` are what holds it."""
    captured = back.captured if isinstance(back, Made) else captured_by(back)
    of_rule = is_ours(_filename(back))
    for name, x in captured.items():
        kept = x if type(x) is bool and not of_rule else _kept(x, (*around, back))
        if kept is not None:
            yield name, kept


def _kept(x: Any, around: tuple[Any, ...]) -> Any:
    """A value of the run; of a function what it keeps, and of a list of functions what each of them does. None if that
    is nothing."""
    if _is_data(x) or isinstance(x, list) and x and all([isinstance(item, _NOTED) for item in x]):
        return x
    if isinstance(x, list):
        items = [_kept(item, around) for item in x]
        return None if all([item is None for item in items]) else [{} if item is None else item for item in items]
    held = x.back if isinstance(x, RuleBack) else x
    if isinstance(held, types.FunctionType | Made) and all(held is not f for f in around):
        return dict(_data_of(held, around)) or None
    return None


_NOTED = (bool, type(None))
"""Classes of what the rounds of a loop note down, where only their number or their way is read."""

_NO_DATA = (types.ModuleType, type, str, bytes, bool, type(None), np.dtype)


def _is_data(x: Any) -> bool:
    """Tell whether a value is one of the run, and not what the program is made of."""
    if isinstance(x, tuple | list | frozenset) and x:
        return any(map(_is_data, x))
    return not isinstance(x, _NO_DATA) and not callable(x)


def _names_of_arguments(f: Any, args: tuple[Any, ...]) -> dict[int, str]:
    """The names of the parameters that these arguments are for, by the arguments' identity."""
    try:
        given = inspect.signature(f).bind(*args).arguments
    except (TypeError, ValueError):
        return {}
    return {id(x): name for name, x in given.items()}


def _by_argument(held: dict[str, Any], names: dict[int, str]) -> dict[str, Any]:
    """The values that a rule holds, with the arguments in it under their own names, and each value once."""
    found: dict[str, Any] = {}
    for name, x in held.items():
        kept = [part for part in x if part is not None] if isinstance(x, tuple) else []
        parts = kept if kept and all(id(part) in names for part in kept) else [x]
        for part in parts:
            if all(part is not known for known in found.values()):
                found.setdefault(names.get(id(part), name), part)
    return found


not_implemented(
    residuals,
    why="what a pullback keeps is looked at, and not computed with",
    way_out="look at it outside of what is differentiated",
)

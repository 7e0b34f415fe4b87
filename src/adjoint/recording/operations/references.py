"""Weak references, and attributes as they are kept: both lead to objects that are in sight."""

from __future__ import annotations

import functools
import inspect
import types
import weakref
from typing import Any

from ...identity import IdentityMap
from ..alive import referent
from ..places import fields_dict
from ..sweep import Sweep
from .base import NOTHING, Record, Result, handles, nothing, read_slot
from .held_attributes import static_of
from .opaque import opaque


@handles(weakref.proxy, weakref.ref, weakref.WeakMethod, weakref.WeakMethod.__call__)
def _weak(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    """A weak reference, which gives the object itself; or a proxy, whose attributes are those of the object. It lives
    until the reverse: by dead ones, keys are not found."""
    callbacks = [getattr(x, "__globals__", {}).get("__name__") for x in args[1:] if isinstance(x, types.FunctionType)]
    if not set(callbacks) <= {"weakref", IdentityMap.__module__}:  # these only forget what has died
        return opaque(f, args, kwargs)
    return f(*args, **kwargs), functools.partial(_kept, args)


@handles(weakref.WeakSet.__len__, weakref.WeakValueDictionary.__len__, weakref.WeakKeyDictionary.__len__)
def _number(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    data = args[0].data
    for x in [*(data.values() if type(args[0]) is weakref.WeakValueDictionary else data)]:
        referent(x)
    return f(*args, **kwargs), nothing


def _kept(args: Any, sweep: Sweep, y_bar: Any) -> Any:
    return NOTHING


@handles(inspect.getattr_static)
def _getattr_static(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    """An attribute as it is kept: a field, or what the class has under its name, unbound."""
    y = inspect.getattr_static(*args, **kwargs)
    back: Any = nothing
    given = dict(zip(("obj", "attr", "default"), args, strict=False)) | kwargs
    owner, name = given["obj"], given["attr"]
    own = fields_dict(owner)
    if own is not None and name in own and own[name] is y:
        y, back = read_slot(y, own, name)
    elif isinstance(owner, type | types.ModuleType) or static_of(type(owner), name)[0] is y:
        is_module = isinstance(owner, types.ModuleType)
        base = static_of(owner if isinstance(owner, type) else type(owner), name)[1]
        y, back = read_slot(y, vars(owner), name) if is_module else read_slot(y, base, f".{name}")
    elif "default" in given:
        at = [*given].index("default")
        return y, lambda sweep, y_bar: (*[None] * (1 + at), y_bar, *[None] * (2 - at))
    return y, lambda sweep, y_bar: (*back(sweep, y_bar)[:1], *[None] * len(given))

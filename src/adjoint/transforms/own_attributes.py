"""Attributes of virtual objects that a class reads or stores itself: descriptors, `__getattr__`, `__setattr__`.

    p.level = v                       type(p).__dict__["level"].__set__(p, v)
    c.rate = r                   →    type(c).__setattr__(c, "rate", r)

What these methods do is written out like that of any other; `object.__setattr__` binds the field.
"""

from __future__ import annotations

import inspect
import types
from typing import TYPE_CHECKING, Any

from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import Record
from ..origin import is_made_up, is_read
from .facts import Exactly, Gives
from .heap import Heap, is_plain

if TYPE_CHECKING:
    from .resolve import Resolver

MISSING = object()
STORES_PLAINLY: Any = (object.__setattr__, types.SimpleNamespace.__setattr__, BaseException.__setattr__)
"""Methods by which Python stores an attribute, and does nothing else."""


def static_of(cls: type, name: str) -> Any:
    """The value that a class has under a name, as it stands there."""
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)


def has_fields(x: Any, names: tuple[str, ...]) -> bool:
    """Tell whether an object has these fields, and no others."""
    return tuple(x.__dict__) == names


def _hook(kind: type, name: str) -> Any:
    """The function of this name of a class, None of what is none in Python."""
    found = inspect.getattr_static(kind, name, None)
    read = type(found) is types.FunctionType and is_read(found.__code__.co_filename) and not is_made_up(found)
    return found if read else None


def is_data(static: Any) -> bool:
    """Tell whether a descriptor of the user's comes before what an object has itself."""
    if isinstance(static, property) or _hook(type(static), "__get__") is None:
        return False
    return any([_hook(type(static), name) is not None for name in ("__set__", "__delete__")])


def read(r: Resolver, s: Call, base: Var, cls: type, name: str, static: Any) -> Atom | None:
    """`base.name`, where the class has a descriptor of the user's under the name, or nothing and a `__getattr__`; None
    of anything else."""
    get = _hook(type(static), "__get__")
    if get is not None and isinstance(base.type, Record):
        return _by(r, s, get, base, cls, name, static, [base, Const(cls)])
    get = _hook(cls, "__getattr__")
    if get is None or inspect.getattr_static(cls, name, MISSING) is not MISSING:
        return None
    r.guard(cls, "__getattr__", get)
    return r.general(Call((Var(s.out.name),), Const(get), (), (), s.span), Const(get), [base, Const(name)], [])


def store_by_class(r: Resolver, s: Call, base: Var, cls: type, name: str, value: Atom) -> bool:
    """`base.name = value` by the `__setattr__` of the class; tell whether it has one."""
    put = _hook(cls, "__setattr__")
    if put is None:
        return False
    r.guard(cls, "__setattr__", put)
    r.general(Call((Var(""),), Const(put), (), (), s.span), Const(put), [base, Const(name), value], [])
    return True


def store_by_descriptor(r: Resolver, s: Call, base: Var, cls: type, name: str, static: Any, value: Atom) -> bool:
    """The same by a descriptor of the class."""
    put = _hook(type(static), "__set__")
    return put is not None and _by(r, s, put, base, cls, name, static, [base, value]) is not None


def _by(
    r: Resolver, s: Call, method: Any, base: Var, cls: type, name: str, static: Any, args: list[Atom]
) -> Atom | None:
    """The result of a method of a descriptor, whose own fields hold numbers, texts and functions, and stay so."""
    heap: Heap = r.sp.heap
    fields = getattr(static, "__dict__", None)
    own = type(static)
    ordinary = r.generation.is_ordinary(own) and type(fields) is dict
    ordinary = ordinary and all([is_plain(x) or type(x) is types.FunctionType for x in fields.values()])  # type: ignore[union-attr]
    if not ordinary or not all([r.generation.varying.is_option((cls, name, key), x) for key, x in fields.items()]):  # type: ignore[union-attr]
        return None
    r.context.guards[id(cls), f"{name} is"] = (cls, name, Gives(static_of, (cls, name), static))
    r.context.guards[id(static), " fields"] = (static, " fields", Gives(has_fields, (static, (*fields,)), True))  # type: ignore[misc]
    me = Var(name, Record(own), True)
    heap.made(me, heap.sites[base][0])
    for key, x in fields.items():  # type: ignore[union-attr]
        r.context.guards[id(static), key] = (static, key, Exactly(x))
        heap.set(me, key, Const(x))
    before = heap.objects[me]
    r.guard(own, method.__name__, method)
    out = s.outs[0].name if s.outs else ""
    found = r.general(Call((Var(out),), Const(method), (), (), s.span), Const(method), [me, *args], [])
    held = [x for values in heap.objects.values() for x in values.values()]
    if heap.objects.get(me) is not before or any([x is me for x in (found, *held)]):
        raise heap.escape(base)
    heap.forget(me)
    return found

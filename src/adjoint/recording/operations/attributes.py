"""Attributes: fields of objects, of classes and modules, properties, descriptors, parts of arrays and numbers."""

from __future__ import annotations

import builtins
import functools
import gc
import types
import weakref
from typing import Any

import numpy as np

from ...errors import MutationError, UnsupportedSyntaxError, calling_place
from ...rules.registry import non_differentiable
from ...runtime.implicit_calls import PLAIN
from ...tangents import own_dict, tuple_like
from ...tangents.fields import carried
from ..alive import check_held
from ..cuts import noted
from ..places import field_slot, fields_dict
from ..reached import note_stored
from ..sweep import Sweep, add, is_valued
from .array_items import write_flat
from .base import (
    BOUND,
    NOTHING,
    Record,
    Result,
    behind_super,
    bound_to,
    does,
    nothing,
    read_slot,
    without_first,
)
from .calls import invoke, invoke_as
from .contents import is_out_of_sight
from .function_parts import read_defaults, write_defaults
from .held_attributes import MISSING, plainly_held, static_of
from .items import of_value, write_item
from .number_parts import part_of
from .opaque import read_in, shared_with, stored_out_of_sight
from .shown import caller_of


def attribute(record: Record, k: int, owner: Any, name: str) -> Any:
    """`owner.name`."""
    y, back = plainly_held(owner, name) or read(record, k, owner, name)
    record((k, back))
    return y


def _plain_fields(owner: Any, name: str) -> Any:
    """The dict of an object in which an attribute is stored as it is: its class has nothing to say."""
    cls: Any = type(owner)
    if cls.__setattr__ is not object.__setattr__ or carried(cls) is not None:
        return None
    if hasattr(type(static_of(cls, name)[0]), "__set__"):
        return None
    own = own_dict(owner)
    return own if type(own) is dict else None


def behind(proxy: Any) -> Any:
    """The object that a weak proxy stands for."""
    x = proxy.__init__.__self__
    check_held(x)
    return x


def is_python(f: Any) -> bool:
    return isinstance(f, types.FunctionType)


@does("attribute")
def read(record: Record, k: int, owner: Any, name: str) -> Result:
    """An attribute, and its `back`."""
    cls = type(owner)
    if cls in weakref.ProxyTypes:
        return read(record, k, behind(owner), name)
    if isinstance(owner, np.ndarray | np.generic | int | float | complex) and not _is_of_users(owner, name):
        return part_of(owner, name)
    if isinstance(owner, types.ModuleType):
        return read_slot(getattr(owner, name), vars(owner), name)
    if isinstance(owner, type):
        return _of_class(record, k, owner, name)
    if is_python(cls.__getattribute__):
        try:
            return invoke(record, k, cls.__getattribute__, (owner, name), {})
        except AttributeError:
            if (other := static_of(cls, "__getattr__")[0]) is MISSING:
                raise
            return invoke(record, k, other, (owner, name), {})
    return read_plainly(record, k, owner, name)


def read_plainly(record: Record, k: int, owner: Any, name: str, asks: bool = True) -> Result:
    """An attribute as `object.__getattribute__` finds it; where it `asks`, else as `__getattr__` gives it."""
    cls = type(owner)
    if cls is types.FunctionType and name == "__defaults__":
        return read_defaults(owner)
    if cls is types.FrameType and name == "f_locals":
        raise UnsupportedSyntaxError(
            "`f_locals` of a frame is not differentiated",
            "the variables of a program that is differentiated are not where it reads them",
            "use the variables themselves",
            calling_place(),
        )
    if cls is types.FrameType and name == "f_back":
        return caller_of(owner), nothing
    static, base = static_of(cls, name)
    if isinstance(static, property) and is_python(static.fget):
        return invoke(record, k, static.fget, (owner,), {})
    if cls is super and (of_super := _property_of_super(record, k, owner, name)) is not None:
        return of_super
    own = fields_dict(owner)
    stored = own is not None and name in own
    if isinstance(static, functools.cached_property) and not stored:
        return _cached(record, k, static, owner, name)
    getter = getattr(type(static), "__get__", None)
    hidden = stored and not hasattr(type(static), "__set__")
    if is_python(getter) and not isinstance(static, functools.cached_property) and not hidden:
        return invoke_as(without_first, record, k, getter, (static, owner, cls), {})
    missing = asks and (static is MISSING and not stored or _is_unset(static, owner))
    if missing and (other := static_of(cls, "__getattr__")[0]) is not MISSING:
        return invoke(record, k, other, (owner, name), {})
    y = getattr(owner, name) if asks else object.__getattribute__(owner, name)
    if name == "__annotations__":
        _check_annotations(y)
    if type(y) in BOUND:
        return y, bound_to(y, owner)
    of_c = not stored if static is MISSING else hasattr(type(static), "__get__")
    if (
        carried(cls) is not None
        and name != "__dict__"
        and (isinstance(y, dict) or isinstance(y, np.ndarray) and y.dtype.kind == "O")
    ):
        raise _containers_within(cls, name)
    hides = is_out_of_sight(owner) or type(static) not in _IN_SLOTS  # a field of `ctypes` is never in sight
    if (of_c or carried(cls) is not None) and hides and (found := read_in(y, (owner,))) is not None:
        return y, found
    if isinstance(owner, tuple) and hasattr(cls, "_fields") and name in cls._fields:
        return _of_tuple(y, owner, name)
    if not stored and static is not MISSING and not hasattr(type(static), "__set__") and is_valued(y):
        return read_slot(y, base, f".{name}")
    return read_slot(y, *field_slot(owner, name))


_IN_SLOTS = (type(MISSING), types.MemberDescriptorType, types.GetSetDescriptorType, property, functools.cached_property)
"""Classes of what a class has under a name, where an object of Python keeps the value itself."""


def _containers_within(cls: type, name: str) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"`{cls.__name__}.{name}` holds the containers in which a `{cls.__name__}` has its entries",
        "what is stored into these is not followed",
        "read and store by `A[i, j]`",
        calling_place(),
    )


def _is_unset(static: Any, owner: Any) -> bool:
    """Tell whether an attribute is a slot that holds nothing."""
    if type(static) is not types.MemberDescriptorType:
        return False
    try:
        static.__get__(owner)
    except AttributeError:
        return True
    return False


def _property_of_super(record: Record, k: int, owner: Any, name: str) -> Result | None:
    """A property of a class further up, by `super()`; None of anything else."""
    mro = owner.__self_class__.__mro__
    later = mro[mro.index(owner.__thisclass__) + 1 :]
    static = next((vars(cls)[name] for cls in later if name in vars(cls)), None)
    if not isinstance(static, property) or not is_python(static.fget):
        return None
    return invoke_as(behind_super(owner), record, k, static.fget, (owner.__self__,), {})


def _is_of_users(owner: Any, name: str) -> bool:
    """Tell whether an attribute of a number or an array is one that the user's class gives it: a field, or in the
    class."""
    cls = type(owner)
    if cls in PLAIN or cls is np.ndarray:
        return False
    static, base = static_of(cls, name)
    if static is MISSING:
        return name in (fields_dict(owner) or ()) or is_python(getattr(cls, "__getattr__", None))
    return base.__module__.partition(".")[0] not in ("builtins", "numpy")


def _of_class(record: Record, k: int, owner: type, name: str) -> Result:
    static, meta = static_of(owner, name)[0], static_of(type(owner), name)[0]
    getter = getattr(type(static), "__get__", None)
    if is_python(getter) and not isinstance(static, functools.cached_property) and not hasattr(type(meta), "__set__"):
        return invoke_as(without_first, record, k, getter, (static, None, owner), {})
    y = getattr(owner, name)
    if name == "__annotations__":
        _check_annotations(y)
    base = static_of(owner, name)[1] or static_of(type(owner), name)[1]  # a class of classes may have it
    return read_slot(y, base, f".{name}")


def _check_annotations(y: Any) -> None:
    """Refuse to read annotations that are numbers: what they were computed from is not followed."""
    if isinstance(y, dict) and any([isinstance(x, float | complex | np.ndarray | np.inexact) for x in y.values()]):
        raise UnsupportedSyntaxError(
            "annotations that are numbers are read",
            "what an annotation is computed from is not followed",
            "keep the number in a variable, or in a field",
            calling_place(),
        )


def _of_tuple(y: Any, owner: Any, name: str) -> Result:
    cls, n, at = type(owner), tuple.__len__(owner), type(owner)._fields.index(name)

    def of_tuple_back(sweep: Sweep, y_bar: Any) -> Any:
        if y_bar is None:
            return NOTHING
        return None, tuple_like(cls, [y_bar if i == at else None for i in range(n)])

    return y, of_tuple_back


def _cached(record: Record, k: int, static: Any, owner: Any, name: str) -> Result:
    """A property that is kept once it has been computed: from then on it is a field."""
    y, back = invoke(record, k, static.func, (owner,), {})
    own = owner.__dict__
    own[name] = y
    if not is_valued(y):
        return y, back

    def cached_back(sweep: Sweep, y_bar: Any) -> Any:
        d = back(sweep, add(y_bar, sweep.take(own, name)))
        return (None, *d[1:])

    return y, cached_back


def set_attribute(record: Record, k: int, owner: Any, name: str, value: Any) -> None:
    """`owner.name = value`; the operand is the value."""
    plain = owner is not builtins  # since Python 3.13 a store into a module is that into any object
    own = _plain_fields(owner, name) if plain and isinstance(name, str) else None
    if noted.open:
        note_stored((owner, own_dict(owner)), (value,))
    if own is None:
        record((k, write(record, k, owner, name, value)))
    else:
        object.__setattr__(owner, name, value)
        record((k, _stored(own, name)))


def write(record: Record, k: int, owner: Any, name: str, value: Any) -> Any:
    """A store into an attribute; gives its `back`, with the value as operand."""
    cls = type(owner)
    if cls in weakref.ProxyTypes:
        return write(record, k, behind(owner), name, value)
    known = isinstance(owner, np.ndarray) and not issubclass(cls, np.recarray)
    if known and static_of(cls, name)[0] in (MISSING, vars(np.ndarray).get(name)):
        return _write_array(owner, name, value)
    if isinstance(owner, types.ModuleType):
        if owner is builtins:
            raise _store_for_all(name)
        setattr(owner, name, value)
        return _stored(vars(owner), name)
    if is_python(cls.__setattr__) or cls.__setattr__.__name__ != "__setattr__":  # it may be `dict.__setitem__`
        return invoke_as(of_value, record, k, cls.__setattr__, (owner, name, value), {})[1]
    return write_plainly(record, k, owner, name, value)


def _store_for_all(name: str) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"a store into the builtins, as `{name}`",
        "every module may read it by its name, which is not followed",
        "store into a module, or into an object",
        calling_place(),
    )


def write_plainly(record: Record, k: int, owner: Any, name: str, value: Any) -> Any:
    """Store as `object.__setattr__` does."""
    cls = type(owner)
    if cls is types.FunctionType and name == "__defaults__":
        return write_defaults(owner, value)
    static, _ = static_of(cls, name)
    if isinstance(static, property) and is_python(static.fset):
        return invoke_as(without_first, record, k, static.fset, (owner, value), {})[1]
    setter = getattr(type(static), "__set__", None)
    if is_python(setter):
        return invoke_as(of_value, record, k, setter, (static, owner, value), {})[1]
    shared = shared_with(owner)
    if isinstance(owner, type) or not is_python(cls.__setattr__) and cls.__setattr__.__name__ == "__setattr__":
        setattr(owner, name, value)
    else:
        object.__setattr__(owner, name, value)
    if is_out_of_sight(owner):
        return stored_out_of_sight(setattr, owner, value, shared)
    return _stored_in_class(owner, name) if isinstance(owner, type) else _stored(*field_slot(owner, name))


def _stored(holder: Any, slot: Any) -> Any:
    def stored_back(sweep: Sweep, y_bar: Any) -> Any:
        return None, sweep.take(holder, slot)

    return stored_back


def _stored_in_class(cls: type, name: str) -> Any:
    def stored_back(sweep: Sweep, y_bar: Any) -> Any:
        return None, given_to_class(sweep, cls, name)

    return stored_back


def given_to_class(sweep: Sweep, cls: type, name: str) -> Any:
    """The cotangent of what a class has under a name, which is read as an attribute or through `cls.__dict__`."""
    own = next(x for x in gc.get_referents(vars(cls)) if type(x) is dict)
    return add(sweep.take(cls, f".{name}"), sweep.take(own, name))


def _write_array(owner: Any, name: str, value: Any) -> Any:
    if not hasattr(np.ndarray, name):
        object.__setattr__(owner, name, value)  # a field that its class has besides
        return _stored(*field_slot(owner, name))
    if name == "flat":
        return write_flat(owner, slice(None), value)
    if name in ("real", "imag"):
        return write_item(getattr(owner, name), ..., value)
    raise MutationError(
        f"`.{name} = ...` of an array",
        "what its memory means would be another thing, for all who hold it",
        "make a new array: `a.reshape(...)`, `a.view(...)`",
        calling_place(),
    )


def delete_attribute(record: Record, k: int, owner: Any, name: str) -> None:
    """`del owner.name`."""
    cls = type(owner)
    if cls in weakref.ProxyTypes:
        return delete_attribute(record, k, behind(owner), name)
    back: Any = nothing
    if is_python(cls.__delattr__) or cls.__delattr__.__name__ != "__delattr__":
        _, back = invoke(record, k, cls.__delattr__, (owner, name), {})
    else:
        back = delete_plainly(record, k, owner, name)
    record((k, back))


def delete_plainly(record: Record, k: int, owner: Any, name: str) -> Any:
    """Delete as `object.__delattr__` does; gives its `back`."""
    static, _ = static_of(type(owner), name)
    if isinstance(static, property) and is_python(static.fdel):
        return invoke(record, k, static.fdel, (owner,), {})[1]
    if is_python(getattr(type(static), "__delete__", None)):
        return invoke(record, k, type(static).__delete__, (static, owner), {})[1]
    (object.__delattr__ if is_python(type(owner).__delattr__) else delattr)(owner, name)
    return nothing


non_differentiable(_plain_fields, _is_of_users, _is_unset, behind)

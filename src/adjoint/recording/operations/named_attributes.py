"""Functions and methods that read, store and delete attributes by their names."""

from __future__ import annotations

import types
from typing import Any

from ...runtime.implicit_calls import PLAIN
from ..places import field_slot, fields_dict
from .attributes import (
    delete_attribute,
    delete_plainly,
    is_python,
    read,
    read_plainly,
    write,
    write_plainly,
)
from .base import NOTHING, Record, Result, adapting, handles, handles_methods, nothing, read_slot, with_first
from .calls import invoke
from .held_attributes import is_without, plainly_held, static_of
from .native import hidden
from .ruled import by_rule


@handles(getattr)
def _getattr(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    owner, name, *default = args
    if type(name) is str and (found := plainly_held(owner, name)) is not None:
        back = found[1]
        return found[0], lambda sweep, y_bar: (*back(sweep, y_bar)[:2], *NOTHING[:2])
    if default:
        try:
            y, back = read(adapting(record, _of_default), k, owner, name)
        except AttributeError:
            return default[0], lambda sweep, y_bar: (None, None, None, y_bar)
        return y, _of_default(back)
    y, back = read(record, k, owner, name)
    return y, lambda sweep, y_bar: (*back(sweep, y_bar)[:2], None)


def _of_default(back: Any) -> Any:
    """Of an attribute that is read with a default: its operands are the owner, the name and the default."""
    return lambda sweep, y_bar: (*back(sweep, y_bar)[:2], None, None)


@handles(vars)
def _vars(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    """`vars(x)`: the dict of an object, in which its fields have their slots."""
    if not args:
        raise hidden(f)
    own = fields_dict(args[0])
    return by_rule(vars, args, kwargs) if own is None else (own, nothing)


@handles(hasattr)
def _hasattr(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    """Tell whether an attribute can be read: a property, or `__getattr__`, runs."""
    owner, name = args
    if type(owner) in PLAIN or type(name) is str and plainly_held(owner, name) is not None:
        return hasattr(owner, name), nothing
    if type(name) is str and is_without(owner, name):
        return False, nothing
    try:
        _, back = read(record, k, *args)
    except AttributeError:
        return False, nothing
    return True, lambda sweep, y_bar: (*back(sweep, None)[:2], None)


@handles(setattr)
def _setattr(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    back = write(record, k, *args)
    return None, with_first(with_first(back))


@handles(object.__delattr__)
def _object_delattr(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    back = delete_plainly(record, k, *args)
    return None, lambda sweep, y_bar: (*back(sweep, None)[:2], None)


@handles(object.__setattr__)
def _object_setattr(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    back = write_plainly(record, k, *args)
    return None, with_first(with_first(back))


@handles_methods(object, "__getattribute__")
def _object_getattribute(record: Record, k: int, owner: Any, args: Any, kwargs: Any) -> Result:
    (name,) = args
    if isinstance(owner, type | types.ModuleType):
        return read_slot(object.__getattribute__(owner, name), *field_slot(owner, name))
    y, back = read_plainly(record, k, owner, name, asks=False)
    return y, lambda sweep, y_bar: (*back(sweep, y_bar)[:2], None)


@handles(delattr)
def _delattr(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    steps: list[Any] = []
    delete_attribute(steps.append, k, *args)
    return None, lambda sweep, y_bar: (*steps[0][1](sweep, None)[:2], None)


@handles_methods(property, "__get__")
def _property_get(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
    """A property that is asked for by its own method."""
    if kwargs or not args or args[0] is None or not is_python(self.fget):
        return self.__get__(*args, **kwargs), nothing
    y, back = invoke(record, k, self.fget, args[:1], {})
    back = with_first(back)
    return y, lambda sweep, y_bar: (*back(sweep, y_bar), None)


def _is_found(self: Any, args: Any) -> bool:
    """Tell whether an object finds this very slot by its name, which a class in Python has."""
    own = "__slots__" in vars(self.__objclass__)
    return own and bool(args) and static_of(type(args[0]), self.__name__)[0] is self


@handles_methods(types.MemberDescriptorType, "__get__")
def _slot_get(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
    """A slot that is asked for by its own method."""
    if not _is_found(self, args):
        return by_rule(self.__get__, args, kwargs)
    y, back = read_plainly(record, k, args[0], self.__name__, asks=False)
    return y, lambda sweep, y_bar: (None, *back(sweep, y_bar)[:2], *[None] * (len(args) - 1))


@handles_methods(types.MemberDescriptorType, "__set__")
def _slot_set(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
    """A slot that is stored into by its own method."""
    if not _is_found(self, args) or len(args) != 2:
        return by_rule(self.__set__, args, kwargs)
    return None, with_first(with_first(write_plainly(record, k, args[0], self.__name__, args[1])))


@handles_methods(types.MemberDescriptorType, "__delete__")
def _slot_delete(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
    """A slot that is emptied by its own method."""
    return self.__delete__(*args, **kwargs), nothing

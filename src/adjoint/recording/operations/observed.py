"""The operations of programs that somebody looks on at: they do what they do, and tell the observer of it."""

from __future__ import annotations

import inspect
import operator
import sys
import types
from collections.abc import Callable
from typing import Any, NamedTuple

from ...errors import AdjointError, calling_site
from ...rules.registry import non_differentiable
from ...tangents import own_dict
from ..helpers import WATCHED
from ..observer import OBSERVER, Operation, handed_on
from .attributes import attribute, delete_attribute, set_attribute
from .base import Record, nothing, same
from .calls import apply, apply_method, call, method
from .classes import handed
from .items import delete_item, delete_item_at, item, item_at, set_item, set_item_at
from .operators import binary, inplace, unary


class Plain(NamedTuple):
    """An operation as a call, and its operands."""

    callee: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    operands: tuple[Any, ...]


def _of_call(f: Any, /, *args: Any, **kwargs: Any) -> Plain:
    return Plain(f, args, kwargs, (*args, *kwargs.values()))


def _of_method(owner: Any, name: str, /, *args: Any, **kwargs: Any) -> Plain:
    callee, bound = _method_of(owner, name)
    return Plain(callee, (*bound, *args), kwargs, (owner, *args, *kwargs.values()))


def _of_gathered(owner: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Plain:
    callee, bound = _method_of(owner, name)
    return Plain(callee, (*bound, *args), kwargs, (owner, args))


def _method_of(owner: Any, name: str) -> tuple[Any, tuple[Any, ...]]:
    """The callee of a method call, and the object that it is bound to, found without running code of the user's."""
    if isinstance(owner, types.ModuleType | type | super):
        return getattr(owner, name), ()
    own = own_dict(owner)
    if isinstance(own, dict) and name in own:
        return own[name], ()
    found = inspect.getattr_static(type(owner), name, None)
    if isinstance(found, staticmethod):
        return found.__func__, ()
    if isinstance(found, classmethod):
        return found.__func__, (type(owner),)
    if found is None or isinstance(found, property):
        return operator.methodcaller(name), (owner,)
    return found, (owner,)


def _of_operator(fn: Any, *values: Any) -> Plain:
    return Plain(fn, values, {}, values)


def _as(f: Any, *operands: int) -> Callable[..., Plain]:
    """An operation that is a call of `f`, with these operands."""
    return lambda *args: Plain(f, args, {}, tuple(args[i] for i in operands))


_PLAIN: dict[Any, Callable[..., Plain]] = {
    call: _of_call,
    apply: lambda f, args, kwargs: Plain(f, args, kwargs, (args,)),
    method: _of_method,
    apply_method: _of_gathered,
    binary: _of_operator,
    unary: _of_operator,
    inplace: _of_operator,
    attribute: _as(getattr, 0),
    set_attribute: _as(setattr, 2),
    delete_attribute: _as(delattr),
    item: _as(operator.getitem, 0),
    item_at: _as(operator.getitem, 0, 1),
    set_item: _as(operator.setitem, 2),
    set_item_at: _as(operator.setitem, 2, 1),
    delete_item: _as(operator.delitem),
    delete_item_at: _as(operator.delitem, 1),
    handed: _as(same, 0),
}


class _Last:
    """A record that holds the last step back, until it is known to be the operation's own."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.held: Any = None
        self.over = False

    def __call__(self, step: Any) -> None:
        self.flush()
        self.held = step
        if self.over:
            self.flush()

    def flush(self) -> None:
        """Write down what was held back."""
        if self.held is not None:
            self.record(self.held)
        self.held = None


def _observed(helper: Any) -> Any:
    plain = _PLAIN[helper]

    def operation(record: Record, k: int, /, *args: Any, **kwargs: Any) -> Any:
        observer = OBSERVER.get()
        if observer is None:
            return helper(record, k, *args, **kwargs)
        site, last, refused = calling_site(), _Last(record), False
        try:
            y = helper(last, k, *args, **kwargs)
        except AdjointError as error:
            observer.refused(error, site)
            refused = True
        except BaseException:
            last.flush()
            raise
        finally:
            last.over = True
        found = plain(*args, **kwargs)
        if refused:
            y, last.held = _plainly(found, sys._getframe(1)), (k, nothing)
        own, last.held = last.held, None
        if own is not None:
            record((k, observer.done(Operation(site, *found, y), own[1])))
        return y

    operation.__name__ = helper.__name__
    return operation


def _plainly(found: Plain, frame: types.FrameType) -> Any:
    """Result of an operation of a frame without us."""
    if found.callee in (eval, exec) and len(found.args) == 1:
        return found.callee(*found.args, frame.f_globals, frame.f_locals)
    if found.callee is locals:
        return dict(frame.f_locals)
    return found.callee(*found.args, **found.kwargs)


def ended(record: Record, k: int, role: str, value: Any) -> Any:
    """A value that goes where nothing is differentiated."""
    observer = OBSERVER.get()
    record((k, nothing if observer is None else observer.ended(calling_site(), role, value)))
    return value


def named(record: Record, k: int, name: str, value: Any) -> Any:
    """A value that gets a name."""
    observer = OBSERVER.get()
    record((k, handed_on if observer is None else observer.named(calling_site(), name, value)))
    return value


WATCHED.update({helper.__name__: types.CellType(_observed(helper)) for helper in _PLAIN})
WATCHED.update({helper.__name__: types.CellType(helper) for helper in (ended, named)})

non_differentiable(calling_site)

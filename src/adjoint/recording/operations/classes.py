"""Making objects: the user's classes step by step, named tuples by value, exceptions with what they carry."""

from __future__ import annotations

import types
from collections import deque
from typing import Any

import numpy as np

from ...errors import UnsupportedSyntaxError, calling_place
from ...origin import is_users_class
from ...runtime.initialise import check_none
from ...runtime.wrapped import check_special
from ...wrappers import stands_for_another
from ..places import check_proxy, of_proxy
from ..sweep import Sweep, add, is_valued
from .attributes import given_to_class, write_plainly
from .base import (
    METHODS,
    NOTHING,
    Record,
    Result,
    adapting,
    bound_to,
    does,
    handles,
    handles_methods,
    nothing,
    with_first,
    without_first,
)
from .calls import invoke, invoke_as, opaque_on_lists
from .comparisons import as_bool
from .exceptions import keeping
from .functions import written
from .held_attributes import static_of
from .items import slice_of
from .native import check_end, check_made, checked
from .records import default_given, init_dataclass, is_written, new_named_tuple
from .ruled import by_rule

Args = tuple[Any, ...]
Kwargs = dict[str, Any]

VALUES = (tuple, float, int, complex)
"""Classes of values that have their cotangents by value."""


@does("class")
def construct(record: Record, k: int, cls: Any, args: Args, kwargs: Kwargs) -> Result:
    """`cls(*args, **kwargs)`; the operands are the arguments."""
    meta = static_of(type(cls), "__call__")[0]
    if isinstance(meta, types.FunctionType):
        return invoke_as(without_first, record, k, meta, (cls, *args), kwargs)
    if is_users_class(type(cls)):
        check_special(type(cls))
    return made(record, k, cls, args, kwargs)


@handles_methods(types.FunctionType, "__get__")
def _bound(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    y = f.__get__(*args)
    return y, with_first(bound_to(y, args[0]))


@handles_methods(type, "__call__")
def _type_call(record: Record, k: int, cls: Any, args: Args, kwargs: Kwargs) -> Result:
    y, back = made(adapting(record, with_first), k, cls, args, kwargs)
    return y, with_first(back)


def made(record: Record, k: int, cls: Any, args: Args, kwargs: Kwargs) -> Result:
    """Make an object as `type.__call__` does: `__new__`, then `__init__`."""
    if hasattr(cls, "_fields") and issubclass(cls, tuple):
        own = static_of(cls, "__new__")[0]
        if not is_written(own):
            return new_named_tuple(cls, args, kwargs)
    check_special(cls)
    check_end(cls)
    new = static_of(cls, "__new__")[0]
    new = new.__func__ if isinstance(new, staticmethod) else new
    init, home = static_of(cls, "__init__")
    if not isinstance(new, types.FunctionType) and isinstance(init, _OF_C) and not _is_container(cls):
        return _builtin(record, k, cls, args, kwargs)
    if isinstance(new, types.FunctionType):
        y, new_back = invoke_as(without_first, record, k, new, (cls, *args), kwargs)
        if not isinstance(y, cls):
            return y, new_back
    else:
        y, new_back = _plain_new(record, k, cls, args, kwargs)
    init_back: Any = None
    if isinstance(init, types.FunctionType):
        if stands_for_another(y):  # it is none before code in C has told it for which
            raise of_proxy(cls)
        if "__dataclass_fields__" in home.__dict__ and not is_written(init):
            init_back = init_dataclass(record, k, home, init, y, args, kwargs)
        else:
            given, init_back = invoke_as(without_first, record, k, init, (y, *args), kwargs)
            check_none(given)
    elif not isinstance(init, _OF_C):  # a descriptor: a `partialmethod`, say
        bound = init.__get__(y, type(y)) if hasattr(type(init), "__get__") else init
        given, init_back = invoke(record, k, bound, args, kwargs)
        check_none(given)
    elif init is not object.__init__ and not isinstance(y, BaseException):
        handler = next((METHODS[c, "__init__"] for c in cls.__mro__[:-1] if (c, "__init__") in METHODS), None)
        if handler is None:
            init_back = without_first(opaque_on_lists(adapting(record, without_first), k, init, (y, *args), kwargs)[1])
            check_proxy(y)
        else:
            _, turn = handler(adapting(record, without_first), k, y, args, kwargs)
            init_back = without_first(turn)

    def made_back(sweep: Sweep, y_bar: Any) -> Any:
        bars = [None] * (len(args) + len(kwargs))
        if init_back is not None:
            bars = list(init_back(sweep, None)[1 : 1 + len(bars)])
        if new_back is not None:
            more = (*new_back(sweep, y_bar)[1:], *[None] * len(bars))
            bars = [add(a, b) for a, b in zip(bars, more, strict=False)]
        return (None, *bars)

    return y, made_back


_OF_C = (types.WrapperDescriptorType, types.MethodDescriptorType)
"""Classes of methods of builtin classes."""


def _is_container(cls: Any) -> bool:
    """Tell whether a class is one of containers that are made empty and filled by `__init__`."""
    bases = (list, dict, set, deque)
    return issubclass(cls, bases) and any(cls.__new__ is base.__new__ for base in bases)


def _plain_new(record: Record, k: int, cls: Any, args: Args, kwargs: Kwargs) -> tuple[Any, Any]:
    """By the `__new__` of a builtin class: what is a number or a tuple by value has its cotangent from there."""
    if cls.__new__ is object.__new__ or _is_container(cls):
        return cls.__new__(cls), None
    if issubclass(cls, VALUES):
        return invoke_as(without_first, record, k, cls.__new__, (cls, *args), kwargs)
    y = cls.__new__(cls, *args, **kwargs)
    return y, keeping(y, args, kwargs, 0) if isinstance(y, BaseException) else None


def _builtin(record: Record, k: int, cls: Any, args: Args, kwargs: Kwargs) -> Result:
    """A class without Python code of its own: exceptions keep their arguments."""
    if issubclass(cls, BaseException):
        y = cls(*args, **kwargs)
        return y, keeping(y, args, kwargs, 0)
    if cls in (object,) or not args and not kwargs:
        return cls(*args, **kwargs), nothing
    if issubclass(cls, VALUES):
        return invoke_as(without_first, record, k, cls.__new__, (cls, *args), kwargs)
    return opaque_on_lists(record, k, cls, args, kwargs)


@handles(object.__new__)
def _object_new(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    return args[0].__new__(args[0]) if args[0].__new__ is object.__new__ else object.__new__(args[0]), nothing


@handles(object.__init__)
def _object_init(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    return None, nothing


@handles_methods(object, "__init__", "__init_subclass__")
def _nothing_done(record: Record, k: int, owner: Any, args: Args, kwargs: Kwargs) -> Result:
    return None, nothing


@handles_methods(object, "__setattr__")
def _set_attribute(record: Record, k: int, owner: Any, args: Args, kwargs: Kwargs) -> Result:
    return None, with_first(with_first(write_plainly(record, k, owner, *args)))


@handles(types.SimpleNamespace)
def _namespace(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    y = types.SimpleNamespace(*args, **kwargs)
    own = vars(y)
    return y, lambda sweep, y_bar: (None, *NOTHING[: len(args)], *[sweep.take(own, name) for name in kwargs])


def handed(record: Record, k: int, value: Any) -> Any:
    """A keyword of a class: what `__init_subclass__` or a metaclass does with it is not followed."""
    if is_valued(value) and not isinstance(value, int):
        raise UnsupportedSyntaxError(
            "a class statement is given a number",
            "what `__init_subclass__` or the class of the class does with it is not followed",
            "set it as an attribute of the class afterwards",
            calling_place(),
        )
    record((k, nothing))
    return value


def with_fields(record: Record, k: int, cls: Any, slots: tuple[str, ...]) -> None:
    """Fields that a class was given in its body."""
    check_made(cls)

    def fields_back(sweep: Sweep, y_bar: Any) -> Any:
        return (None, *[default_given(sweep, cls, slot) for slot in slots])

    record((k, fields_back))


@handles(float, int, complex, bool, str)
def _number(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """Numbers made of numbers, or by the user's `__float__` and the like."""
    if f is bool:
        return as_bool(record, k, f, args, kwargs)
    if f is complex and "imag" in kwargs and kwargs.keys() <= {"real", "imag"} and len(args) + len(kwargs) <= 2:
        return _complex_by_keywords(args, kwargs)
    own = getattr(type(args[0]), f"__{f.__name__}__", None) if args else None
    if isinstance(own, types.FunctionType):
        return invoke(record, k, own, args, kwargs)
    if (
        f is str
        and args
        and written(type(args[0]), "__repr__") is not None
        and getattr(type(args[0]), "__str__", None) is object.__str__
    ):
        return invoke(record, k, type(args[0]).__repr__, args, kwargs)
    if not args or isinstance(args[0], str | bytes) or f is str:
        return checked(f, args, kwargs)
    return by_rule(f, args, kwargs)


def _complex_by_keywords(args: Args, kwargs: Kwargs) -> Result:
    """`complex(real=x, imag=y)`, of which each may be left off."""
    parts = {"real": args[0] if args else 0, **kwargs}
    y, back = by_rule(complex, (parts["real"], parts["imag"]), {})
    places = [*range(1, 1 + len(args)), *[1 + ("real", "imag").index(name) for name in kwargs]]

    def keywords_back(sweep: Sweep, y_bar: Any) -> Any:
        d = back(sweep, y_bar)
        return (None, *[d[i] for i in places])

    return y, keywords_back


@handles(super)
def _super(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    y: Any = super(*args)
    return y, lambda sweep, y_bar: (None, None, sweep.take(y, ".__self__"))


@handles(type)
def _type(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """The class of an object; or a new class, whose fields are the items of the dict that it is given."""
    if len(args) != 3:
        return checked(f, args, kwargs)
    for value in kwargs.values():
        handed(lambda step: None, k, value)
    _, _, namespace = args
    y = type(*args, **kwargs)
    check_made(y)
    names = [name for name, value in namespace.items() if is_valued(value)]

    def type_back(sweep: Sweep, y_bar: Any) -> Any:
        for name in names:
            sweep.add(namespace, name, given_to_class(sweep, y, name))
        return NOTHING

    return y, type_back


@handles(types.MethodType)
def _method(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    y = f(*args, **kwargs)
    return y, with_first(bound_to(y, args[1]))


@handles(
    property,
    staticmethod,
    classmethod,
    range,
    object,
    types.MappingProxyType,
    np.ndenumerate,
    np.ndindex,
)
def _plainly(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    return checked(f, args, kwargs)


@handles(slice)
def _slice(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """A slice made by a call; of numbers that are not whole it is refused, as one in brackets is."""
    y = f(*args, **kwargs)
    return slice_of(y.start, y.stop, y.step), nothing


__all__ = ["construct", "is_valued", "np", "with_fields"]

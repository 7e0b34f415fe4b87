"""Dataclasses and named tuples: what makes their classes is run as it is, what these were told to be is followed.

A default has its cotangent in the slot of the class attribute, as any value that is given in a class's body, or in that
of the `Field` that holds it.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import inspect
import types
from typing import Any

from ...errors import NoRuleError, calling_place, calling_site
from ...origin import is_made_up, is_missing
from ...rules.registry import non_differentiable
from ..sweep import Sweep, add
from .attributes import given_to_class, write, write_plainly
from .base import NOTHING, Back, Record, Result, does, handles, is_nonzero, nothing, with_first
from .calls import invoke, run
from .held_attributes import static_of
from .iteration import materialised
from .native import check_asked

Args = tuple[Any, ...]
Kwargs = dict[str, Any]


def is_written(f: Any) -> bool:
    """Tell whether a function was written by somebody, and not by `dataclass` or the like."""
    f = f.__func__ if isinstance(f, staticmethod) else f
    return type(f) is types.FunctionType and not (is_made_up(f) or f.__code__.co_filename.startswith("<attrs"))


def default_given(sweep: Sweep, cls: Any, slot: str) -> Any:
    """The cotangent of what a class was given in its body: of a named tuple it is a default."""
    d = given_to_class(sweep, cls, slot[1:])
    defaults = cls.__dict__.get("_field_defaults")
    return d if defaults is None else add(d, sweep.take(defaults, slot[1:]))


@handles(dataclasses.replace)
def _replace(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """By its text: it calls the class, and what `__init__` and `__post_init__` store is followed."""
    return run(record, k, f, args, kwargs)


# ---- named tuples


@does("named tuple")
def new_named_tuple(cls: Any, args: Args, kwargs: Kwargs, make: Any = None) -> Result:
    """`cls(*args, **kwargs)` of a named tuple; `make` is its `__new__`, if that is called by itself."""
    y = cls(*args, **kwargs) if make is None else make(cls, *args, **kwargs)
    n, fields, home = len(args), cls._fields, static_of(cls, "_field_defaults")[1]
    at = [fields.index(name) for name in kwargs]
    missing = [i for i in range(n, len(fields)) if fields[i] not in kwargs]

    def named_back(sweep: Sweep, y_bar: Any) -> Any:
        if y_bar is None:
            return NOTHING
        for i in missing:
            sweep.add(home, f".{fields[i]}", y_bar[i])
        return (None, *y_bar[:n], *[y_bar[i] for i in at])

    return y, named_back


@handles(collections.namedtuple)
def _make_named_tuple(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """A new class of named tuples; the defaults are among the operands."""
    operands = [*args, *kwargs.values()]
    listed = {i: materialised(record, k, x) for i, x in enumerate(operands) if not isinstance(x, str | bool | None)}
    values = [listed[i][0] if i in listed else x for i, x in enumerate(operands)]
    named = dict(zip(kwargs, values[len(args) :], strict=True))
    site = calling_site()
    if named.get("module") is None and site is not None:
        named["module"] = site.namespace.get("__name__")
    y = f(*values[: len(args)], **named)
    names = list(y._field_defaults)

    def named_tuple_back(sweep: Sweep, y_bar: Any) -> Any:
        bars: list[Any] = [None] * len(operands)
        for i in reversed(listed):
            of_defaults = i >= len(args) and list(kwargs)[i - len(args)] == "defaults"
            given = [default_given(sweep, y, f".{name}") for name in names] if of_defaults else None
            bars[i] = listed[i][1](sweep, given)[1]
        return (None, *bars)

    return y, named_tuple_back


# ---- dataclasses


@handles(dataclasses.dataclass)
def _make_dataclass(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """A class becomes a dataclass: what flows to a default flows to what stood in the body of the class."""
    if not args or args[0] is None:
        return functools.partial(f, **kwargs), nothing
    cls = args[0]
    given = dict(cls.__dict__)
    y = f(*args, **kwargs)
    own = {name: field for name, field in y.__dict__["__dataclass_fields__"].items() if name in given}

    def dataclass_back(sweep: Sweep, y_bar: Any) -> Any:
        for name, field in own.items():
            d = sweep.take(y, f".{name}")
            if given[name] is field:
                sweep.add(field, ".default", d)
            else:
                sweep.add(cls, f".{name}", add(d, sweep.take(field, ".default")))
        if y is not cls:  # a class with slots is made anew
            for slot, d in sweep.take_slots(y).items():
                sweep.add(cls, slot, d)
        return NOTHING

    return y, dataclass_back


@handles(dataclasses.make_dataclass)
def _make_of_fields(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """A new dataclass; its fields lie in a structure that is not followed: nothing may flow to their defaults."""
    y = f(*args, **kwargs)
    error = NoRuleError(
        "a default that `make_dataclass` is given is differentiated",
        "it lies in a structure that is not looked into",
        "write the class with `@dataclass`, or set the attribute of the class afterwards",
        calling_place(),
    )

    def fields_back(sweep: Sweep, y_bar: Any) -> Any:
        for name, field in y.__dict__["__dataclass_fields__"].items():
            if is_nonzero(sweep.take(y, f".{name}")) or is_nonzero(sweep.take(field, ".default")):
                raise error
        return NOTHING

    return y, fields_back


def _parameters_of(init: Any, y: Any, args: Args, kwargs: Kwargs) -> tuple[str, ...]:
    """The names of what an `__init__` takes after the object; `TypeError` if it does not take these arguments."""
    signature = inspect.signature(init)
    signature.bind(y, *args, **kwargs)
    return tuple(signature.parameters)[1:]


def init_dataclass(record: Record, k: int, cls: Any, init: Any, y: Any, args: Args, kwargs: Kwargs) -> Back:
    """Run the `__init__` of a dataclass, whose source is made up: fields, then `__post_init__`."""
    names = _parameters_of(init, y, args, kwargs)
    values = {**dict(zip(names, args, strict=False)), **kwargs}
    given = frozenset(values)
    made: dict[str, Back] = {}  # fields by a factory
    stored: list[tuple[str, Any]] = []
    fields = {
        name: field for name, field in cls.__dataclass_fields__.items() if field._field_type.name != "_FIELD_CLASSVAR"
    }
    extra = [name for name, field in fields.items() if field._field_type.name == "_FIELD_INITVAR"]
    for name, field in fields.items():
        if name not in given:
            if not is_missing(field.default_factory):
                values[name], made[name] = invoke(record, k, field.default_factory, (), {})
            elif not is_missing(field.default):
                values[name] = field.default
        in_class = name not in given and name not in made and not field.init and "__slots__" not in cls.__dict__
        if name in values and name not in extra and not in_class:
            store = write_plainly if cls.__dataclass_params__.frozen else write
            stored.append((name, store(record, k, y, name, values[name])))
    post_back: Any = None
    if "__post_init__" in init.__code__.co_names:
        _, post_back = invoke(record, k, type(y).__post_init__, (y, *[values[name] for name in extra]), {})
    order = [*names[: len(args)], *kwargs]

    def init_back(sweep: Sweep, y_bar: Any) -> Any:
        bars: dict[str, Any] = {}
        if post_back is not None:
            bars.update(zip(extra, post_back(sweep, None)[2:], strict=False))
        for name, back in reversed(stored):
            bars[name] = back(sweep, None)[1]
        for name in reversed(fields):
            if name in made:
                made[name](sweep, bars.get(name))
            elif name not in given:
                sweep.add(fields[name], ".default", bars.get(name))
        return (None, *[bars.get(name) for name in order])

    return init_back


@does("made up")
def run_made_up(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result | None:
    """A method that `dataclass` wrote, called by itself: of an object of its class, or of a class derived from that.
    None for all other functions. The object is the first operand."""
    classes = type(args[0]).__mro__ if args else ()
    home = next((c for c in classes if "__dataclass_fields__" in c.__dict__ and _writes(c, f)), None)
    if home is None:
        return None
    x = args[0]
    if f.__name__ == "__init__":
        return None, with_first(init_dataclass(record, k, home, f, x, args[1:], kwargs))
    after = classes[classes.index(home) + 1 :]
    if f.__name__ == "__setattr__" and type(x) is not home and args[1] not in home.__dict__["__dataclass_fields__"]:
        above = next(c.__dict__["__setattr__"] for c in after if "__setattr__" in c.__dict__)
        if isinstance(above, types.FunctionType):
            return invoke(record, k, above, args, kwargs)
        return None, with_first(with_first(write_plainly(record, k, *args)))
    fields = [getattr(x, name) for name in home.__dict__["__dataclass_fields__"] if hasattr(x, name)]
    check_asked(f, tuple(fields))
    return f(*args, **kwargs), nothing


def _writes(cls: Any, f: Any) -> bool:
    """Tell whether a function is a method that `dataclass` wrote for a class."""
    own = cls.__dict__.get(f.__name__)
    return own is f or getattr(own, "__wrapped__", None) is f


non_differentiable(_parameters_of, _writes)

__all__ = ["default_given", "init_dataclass", "is_written", "new_named_tuple", "run_made_up"]

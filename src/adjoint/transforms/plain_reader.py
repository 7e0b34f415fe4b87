"""Reading of functions that are called plainly: whether one may store into what it did not make."""

from __future__ import annotations

import inspect
import operator
import random
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..classify import Kind, kind_of, uncached
from ..errors import MutationError, Place
from ..identity import is_hashable
from ..ir import changes, intrinsics
from ..ir.nodes import Block, Call, Const, Function, If, Loop, Star, Statement, Var
from ..ir.types import Array, Fn, Inert, Known, List, Record, Scalar, Tuple, Type, Unknown
from ..ops.draws import GENERATORS, is_draw
from ..origin import is_made_up
from .aliases import stored_into
from .effects import GETTERS, is_data, is_library_ufunc, is_new, writes
from .frames import place_of
from .infer import OF_PYTHON, is_immutable, type_of
from .outs import is_no_array, outs_in, place_of_out
from .plain_methods import bound_in

_FUNCTIONS: frozenset[Kind] = frozenset(["python", "suspended", "dispatch", "builtin", "dispatcher", "descriptor"])
ITSELF = frozenset(
    [isinstance, type, super, id, operator.is_, operator.is_not, intrinsics.make_tuple, intrinsics.make_list]
)
"""Functions that ask an object nothing."""
_ATTRIBUTES = frozenset([changes.set_attribute, changes.hold_field, changes.delete_attribute, changes.initialise])
_OPERATING: frozenset[Any] = frozenset([changes.in_place, changes.in_place_unseen, changes.item_in_place])
"""What runs an operator of an object's class, which may store into it."""
_PIECES = frozenset([operator.getitem, intrinsics.unpack, getattr, np.asarray, np.reshape, np.ravel, iter, zip])


def _gives_piece(s: Call, fn: Any) -> bool:
    """True if the result of a call is surely a piece of an argument: a slice may be a copy, of a list."""
    if fn is operator.getitem and type_of(s.args[1]) == Inert(slice):  # type: ignore[arg-type]
        return not isinstance(s.args[0], Var) or not isinstance(s.args[0].type, Unknown)
    if isinstance(fn, types.MethodDescriptorType):
        return not is_new(s, fn)
    return is_hashable(fn) and fn in _PIECES


def draws(fn: Any, given: Iterable[Any]) -> bool:
    """True if a call is a draw that surely runs no code of the user's."""
    return is_draw(fn) and all([_is_drawn_of(type_of(a)) for a in given])


def _is_drawn_of(t: Type) -> bool:
    """True if what a draw is given runs no code of the user's: numbers, arrays of them, generators, tuples of these."""
    if isinstance(t, Tuple):
        return t.cls is tuple and all(map(_is_drawn_of, t.items))
    if isinstance(t, Array):
        return t.kind in tuple("biufc")
    cls = t.cls if isinstance(t, Inert) else type(t.value) if isinstance(t, Known) else None
    return isinstance(t, Scalar) or cls in (type(None), str, random.Random, *GENERATORS)


def is_made_plainly(cls: Any) -> bool:
    """True if making an object of a class surely runs no code but what stores its fields."""
    if not isinstance(cls, type) or issubclass(cls, BaseException) or cls in GETTERS:
        return isinstance(cls, type)
    init: Any = cls.__init__
    return _is_ordinary(cls) and (_has_fields_alone(cls) or not isinstance(init, types.FunctionType))


def _is_ordinary(cls: Any) -> bool:
    """True if an object of a class is made by `object`, whatever its `__init__` does with it then."""
    new: Any = cls.__new__
    return type(cls) is type and new is object.__new__


def _has_fields_alone(cls: Any) -> bool:
    """True if making an object stores its fields, by the `__init__` that `dataclass` wrote, and does nothing else."""
    init: Any = cls.__init__
    if not _is_ordinary(cls) or not isinstance(init, types.FunctionType) or not is_made_up(init):
        return False
    params: Any = getattr(cls, "__dataclass_params__", None)
    if params is None or changes.runs_post_init(cls):
        return False
    fields = all([changes.is_plain_field(cls, name) for name in cls.__dataclass_fields__])
    return params.frozen or fields and cls.__setattr__ is object.__setattr__


def _may_be_of_an_object(s: Call, target: Var) -> bool:
    """True if a method that changes a container may as well be one of a class that gives something new."""
    named = isinstance(s.args[1], Const) and s.args[1].value in ("append", "extend")
    method = isinstance(s.fn, Const) and s.fn.value is changes.call_method
    return method and isinstance(target.type, Unknown) and not named


def _is_array_of_a_class(s: Call) -> bool:
    """Tell whether a class or module holds an array under this name."""
    match s.args:
        case (Const() as owner, Const() as name, *_):
            pass
        case _:  # of others it is not known, and `getattr(*pair)` has one
            return False
    return issubclass(type(owner.value), (type, types.ModuleType)) and isinstance(
        inspect.getattr_static(owner.value, name.value, None), np.ndarray
    )


def _keeps(s: Call) -> bool:
    """Tell whether a store into an attribute surely keeps the value, and does nothing else."""
    target, name = s.args[:2]
    t = type_of(target) if isinstance(target, Var) else None
    return isinstance(t, Record) and isinstance(name, Const) and changes.keeps(t.cls, name.value)


def _is_plain(s: Call, fn: Any) -> bool:
    """Tell whether what a call runs is surely no code of the user's: not that of a class, an operator, a property."""
    records = [t.cls for a in s.args if isinstance(a, Var) and isinstance(t := type_of(a), Record)]
    if fn is getattr and records:
        return isinstance(s.args[1], Const) and is_data(records[0], s.args[1].value)
    if records and not any(fn is known for known in (*_ATTRIBUTES, *ITSELF)):
        return isinstance(fn, types.FunctionType) and fn not in _OPERATING  # which is read
    return is_harmless(fn) or draws(fn, [*s.args, *[v for _, v in s.kwargs]])


def is_harmless(fn: Any) -> bool:
    """Tell whether a function is none of the user's, or one that is read."""
    kind = kind_of(fn)
    if kind == "class":
        return not fn.__flags__ & OF_PYTHON or _has_fields_alone(fn)
    if kind == "ufunc":
        return is_library_ufunc(fn)
    if kind == "cached":
        return is_harmless(uncached(fn))
    return kind in _FUNCTIONS or type(fn) is types.BuiltinFunctionType


class PlainReader:
    """A reader of what comes from outside of a function, and the stores into it."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.outside: set[Var] = set(function.params)
        self.set: dict[str, Place] = {}
        self.fresh: set[Var] = set()
        self.sure = True
        self.methods = bound_in(function.body)

    def block(self, block: Block) -> None:
        for s in block.statements:
            self.statement(s)

    def statement(self, s: Statement) -> None:
        if isinstance(s, Call):
            self.call(s)
        elif isinstance(s, If):
            for block in (s.then, s.orelse):
                self.block(block)
                self.follow(s.outs, block.results)
            both = zip(s.outs, s.then.results, s.orelse.results, strict=True)
            self.fresh.update(out for out, a, b in both if a in self.fresh and b in self.fresh)
        elif isinstance(s, Loop):
            self.follow(s.body.params, s.inits)
            elements = s.body.params[s.carried :]
            self.follow(elements, s.sequences)
            self.fresh.update(p for p, a in zip(s.body.params, s.inits, strict=False) if a in self.fresh)
            for _ in range(2):
                self.block(s.body)
                self.follow(s.body.params, s.body.results[: s.carried])
            self.follow(s.outs, s.body.results)
            carried = [*zip(s.outs, s.body.params, s.body.results, strict=False)][: s.carried]
            self.sure = self.sure and all(p not in self.fresh or a in self.fresh for _, p, a in carried)
            self.fresh.update(out for out, p, _ in carried if p in self.fresh)
            self.fresh.update(s.outs[s.carried :])

    def follow(self, outs: Any, sources: Any) -> None:
        for out, source in zip(outs, sources, strict=False):
            if source in self.outside and not is_immutable(out.type):
                self.outside.add(out)

    def call(self, s: Call) -> None:
        if s.fn in self.methods:
            method, of = self.methods[s.fn]
            s = Call(s.outs, Const(method), (of, *s.args), s.kwargs, s.span)
        fn = s.fn.value if isinstance(s.fn, Const) else None
        if fn is not None and not isinstance(fn, types.FunctionType) and any([isinstance(a, Star) for a in s.args]):
            self.sure = False  # which argument is which, only the run shows
            self.outside.update(s.outs)
            return
        target = stored_into(s)
        given = [a for a in s.args if isinstance(a, Var)]
        if target is not None:
            if fn in _ATTRIBUTES and isinstance(name := s.args[1], Const):
                self.set[name.value] = place_of(self.function, s)
            if target in self.outside and fn not in _ATTRIBUTES and not _may_be_of_an_object(s, target):
                self.refuse(s)
            self.follow(s.outs[-1:], [target])
            self.sure = self.sure and (_keeps(s) if fn in _ATTRIBUTES else target in self.fresh)
            self.fresh.update(s.outs[-1:] if target in self.fresh else ())
        elif fn is not None and writes(fn, s.args, _told(s.kwargs)):
            by_name = outs_in(s.kwargs)
            written = given if place_of_out(fn) is not None else given[:1]
            if any(a in self.outside for a in (*written, *by_name)):
                self.refuse(s)
            self.sure = self.sure and all(a in self.fresh for a in (*written, *by_name))
        elif fn is intrinsics.load_global:
            self.outside.update(out for out in s.outs if isinstance(out.type, Array))
        elif fn is intrinsics.capture:
            self.outside.update(out for out in s.outs if isinstance(out.type, (Array, List, Unknown)))
        elif fn is getattr and _is_array_of_a_class(s):
            self.outside.update(s.outs)
        elif _gives_piece(s, fn) and any(a in self.outside for a in given):
            self.outside.update(out for out in s.outs if not is_immutable(out.type))
        elif fn is not None and is_new(s, fn):
            self.fresh.update(s.outs)
        elif fn is None and not isinstance(type_of(s.fn), Fn):
            self.sure = False
        if fn is not None and not _is_plain(s, fn):
            self.sure = False

    def refuse(self, s: Statement) -> None:
        raise MutationError(
            f"`{self.function.name}` changes what it is given",
            "the forward pass has kept it, and the derivative needs it as it was",
            "change a copy, or return a new value",
            place_of(self.function, s),
        )


def _told(kwargs: Any) -> list[str | None]:
    """The keywords of a call, but for an `output` that is no array."""
    return [name for name, v in kwargs if name != "output" or not is_no_array(v)]

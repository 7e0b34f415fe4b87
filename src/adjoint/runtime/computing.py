"""Functions that are called plainly and only compute: it is known what they give, and they may be called twice."""

from __future__ import annotations

import abc
import inspect
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..ir import changes, intrinsics
from ..ir.nodes import Block, Call, Const, Function, If, Loop, Star, Statement
from ..ir.types import BOTTOM, NONE, Dict, Fn, Inert, Known, List, Record, Tuple, Type
from ..origin import is_read_class
from ..rules.registry import find_rules
from ..transforms.effects import is_data
from ..transforms.facts import Callee, Dynamic
from ..transforms.infer import type_of
from ..transforms.listing import calls_itself
from ..transforms.plain_methods import methods_of
from .acting import NONE_READ, Reading, is_plain_data, is_read
from .effects import effects_of
from .implicit_calls import acts_in_making
from .program_calls import statements_of

_STARS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
"""Flags of code whose arguments are put into a tuple or a dict: `h(a, b)` is read as `h((a, b))` is."""
MAX_READINGS = 4
"""The number of readings of a function that calls itself, until it gives what was assumed of it."""
_OF_CONTAINERS = frozenset(
    [changes.call_method, changes.delete_item, changes.extended, changes.list_append, changes.set_item, changes.stored]
)
"""Stores into lists and dicts: a function that is called plainly makes those itself into which it stores, or is
refused."""


def settled_reading(read: Callable[[], Function], generation: Any, key: Reading) -> Function:
    """Read a function; if it only computes, note it with the type of what it gives.

    One that calls itself is read until it gives what was assumed that it gives; nothing, at first. What was read in
    the meantime relied on that, and is read again.
    """
    code, given = key[0], key[1][0]
    if code.co_flags & _STARS or isinstance(given, Fn) and given.captures:
        return read()
    computing, plain = generation.computing, generation.plain
    if not calls_itself(code):
        typed = read()
        if only_computes(typed.body, computing):
            computing[key] = type_of(typed.body.results[0])
        return typed
    before, known = dict(computing), dict(plain)
    found: Type = BOTTOM
    for _ in range(MAX_READINGS):
        computing[key] = found
        typed = read()
        assumed, found = found, type_of(typed.body.results[0])
        computes = only_computes(typed.body, computing)
        if computes and found == assumed:
            return typed
        for old, new in ((computing, before), (plain, known)):
            old.clear()
            old.update(new)
        if not computes:
            break
    return read()


def only_computes(block: Block, computing: Mapping[Reading, Type] = NONE_READ) -> bool:
    """Tell whether a function that is called plainly surely does nothing else: it applies rules to numbers, arrays and
    texts, makes objects and reads their fields, calls what is `computing` itself, and runs no code that only its
    arguments know.

    >>> from adjoint.frontend import lower_code
    >>> only_computes(lower_code((lambda n: 0.0).__code__, {}).body)
    True
    """
    return _Computing(block, computing).computes()


class _Computing:
    """Search for plain data: what a typed program makes of it by computing is plain data again, whether its type tells
    so or not."""

    def __init__(self, block: Block, computing: Mapping[Reading, Type]) -> None:
        self.computing, self.methods = computing, methods_of(block)
        self.statements = [*statements_of(block)]
        self.plain: set[Any] = set()
        """The variables of which that has been found."""
        self.errors: set[Any] = set()
        """Those for exceptions of Python's own."""

    def computes(self) -> bool:
        """Tell whether no statement does anything else."""
        left, found = self.statements, -1
        while left and found < (found := len(self.plain)):
            left = [s for s in left if not self.statement(s)]
            for s in self.statements:
                if isinstance(s, If):
                    joined = zip(s.outs, s.then.results, s.orelse.results, strict=True)
                    self.plain.update(out for out, a, b in joined if self.is_plain(a) and self.is_plain(b))
        return not left

    def statement(self, s: Statement) -> bool:
        if isinstance(s, If):
            return s.is_attempt or self.is_plain(s.cond)
        if isinstance(s, Loop):
            return all(map(self.is_plain, s.sequences))
        if not isinstance(s, Call) or isinstance(s.how, (Dynamic, Callee)):
            return False
        given = [a.value if isinstance(a, Star) else a for a in (*s.args, *(v for _, v in s.kwargs))]
        if _reads_global(s):
            return True  # under a guard; its type tells whether it is plain data
        computes = self.call(s, given)
        reads = isinstance(s.fn, Const) and s.fn.value is getattr
        if reads and not (isinstance(s.args[1], Const) and s.args[1].value in _SHAPES):
            return computes  # it may be a method
        if computes and all([self.is_plain(a) or _is_number_class(type_of(a)) for a in given]):
            self.plain.update(s.outs)
        return computes

    def call(self, s: Call, given: list[Any]) -> bool:
        if s.fn in self.methods:
            return all(map(self.is_plain, given)) and not effects_of(self.methods[s.fn]).acts
        if not isinstance(s.fn, Const):
            return False
        f = s.fn.value
        if f is getattr and isinstance(t := type_of(given[0]), Record):
            return isinstance(s.args[1], Const) and is_data(t.cls, s.args[1].value)
        if f is isinstance or f is intrinsics.make_tuple:
            return all([self.is_plain(a) or _asks_plainly(type_of(a)) for a in given])
        if f is intrinsics.raise_:
            return all([a in self.errors or type_of(a) == NONE for a in given])
        data = all([self.is_plain(a) or _is_number_class(type_of(a)) for a in given])
        if isinstance(f, type) and issubclass(f, BaseException) and f.__module__ == "builtins":
            self.errors.update(s.outs if data else ())
            return data
        rules = find_rules(f)
        if isinstance(f, type) and rules is None:
            return is_read_class(f) and not acts_in_making(f)
        if is_read(s, f, self.computing):
            return True
        if f is getattr or f in _OF_CONTAINERS:
            return data
        return data and rules is not None and not rules.is_users and not effects_of(f).acts

    def is_plain(self, a: Any) -> bool:
        return a in self.plain or _is_plain(type_of(a))


def _reads_global(s: Call) -> bool:
    """Tell whether a statement reads a global name: of another module by the dict of its names."""
    f = s.fn.value if isinstance(s.fn, Const) else None
    if f is operator.getitem and isinstance(scope := s.args[0], Const):
        return type(scope.value) is dict and "__name__" in scope.value
    return f is intrinsics.load_global


_SHAPES = ("T", "dtype", "imag", "ndim", "real", "shape", "size")
"""Attributes of arrays and numbers that are plain data themselves."""


def _asks_plainly(t: Type) -> bool:
    """Tell whether `isinstance` runs no code of the user's for a class, or those in a tuple."""
    if isinstance(t, Tuple):
        return all(map(_asks_plainly, t.items))
    return isinstance(t, Known) and type(t.value) in (type, abc.ABCMeta)


def _is_number_class(t: Type) -> bool:
    """Tell whether a type is that of a class of numbers, whose call only computes."""
    return isinstance(t, Known) and isinstance(t.value, type) and t.value in _NUMBERS


_NUMBERS = frozenset([bool, int, float, complex, np.bool_, np.int32, np.int64, np.float32, np.float64, np.complex128])


def _is_plain(t: Type) -> bool:
    """Tell whether values of a type are plain data, or lists and dicts of it, or say which part of a list."""
    return t in (BOTTOM, Inert(slice)) or is_plain_data(t) or isinstance(t, List | Dict) and _is_plain(t.item)

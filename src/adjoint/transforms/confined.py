"""Programs with references: only such calls are let pass of which it is known that they see no object by another way.

What is read and stored of objects is in the program, and all else that it calls is given numbers, arrays, texts and
containers of these, and runs nothing of the user's.
"""

from __future__ import annotations

import builtins
import collections
import dataclasses
import enum
import inspect
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import MutationError
from ..identity import is_hashable
from ..ir import changes, checks, classes, exceptions, heaps, intrinsics, located
from ..ir.counters import count_on
from ..ir.methods import is_bound, takes_no
from ..ir.named import Names
from ..ir.nodes import Atom, Block, Call, Closure, Const, Function, If, Loop, Star, Statement, Var, atoms_of, blocks_of
from ..ir.types import Array, Deque, Dict, List, Maybe, Scalar, Tuple, Type
from ..ops.draws import is_draw
from ..ops.questions import mutators
from ..origin import is_ours, module_of
from ..tangents import plain_tuple
from .attempts import STORES, memory_half_done
from .bound_methods import equals_itself, is_method
from .chosen_functions import is_plain_function
from .facts import Callee, Dynamic
from .frames import place_of
from .global_counters import counter_type
from .infer import type_of
from .memory import class_of, classes_of, has_nothing, held_by, is_data, is_held, refers, takes_references
from .plain_methods import methods_of
from .steady import check_all
from .uses import calls_of, is_call_of
from .virtual_classes import has_texts, is_closed

_OF_CONTAINERS = frozenset(
    [
        operator.getitem,
        builtins.len,
        builtins.reversed,
        list,
        tuple,
        collections.deque,
        intrinsics.iterate,
        intrinsics.unpack,
        *(changes.list_append, changes.changed),
    ]
    + [dict.keys, dict.values, dict.items]
)
"""Functions of containers in which there may be references."""
_MOVES = _OF_CONTAINERS | {
    *(changes.load_field, changes.store_field, changes.object_of, operator.is_, operator.is_not),
    *(intrinsics.make_tuple, intrinsics.make_list, intrinsics.make_dict, intrinsics.position),
    *(intrinsics.make_function, intrinsics.annotated),
    *(checks.check_lengths, checks.check_given),
    intrinsics.dict_from_items,
    *(*classes.QUESTIONS, is_bound, takes_no, classes.taken_as, classes.has_no, classes.look_up),
    exceptions.caused,
}
"""Functions that may be given references, and do nothing but what they are named for."""
_READS = frozenset([intrinsics.capture, intrinsics.default])
"""Those that read what a function holds."""
_SAYING = frozenset([operator.getitem, operator.or_, intrinsics.make_tuple, intrinsics.make_list])
_OF_TYPES = ("builtins", "typing", "collections", "collections.abc", "numpy")
"""What annotations are made by, and the modules of the classes that are asked for an item there."""
_SKIPPED: dict[Any, int] = {intrinsics.make_function: 2, **dict.fromkeys(_READS, 1)}
"""How many arguments say what it is about, and are not looked at."""
_PLAIN = frozenset(
    [range, len, bool, int, float, complex, abs, slice, isinstance, tuple, list, min, max, sum, round]
    + [collections.defaultdict, count_on]
)

_CONSTANTS = (
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    dataclasses.Field,
    slice,
    range,
    type(...),
    types.CodeType,
)


def check_confined(
    function: Function,
    find_rules: Callable[[Any], Any],
    outermost: bool,
    stores_as_key: Callable[[type], bool],
    steady: bool = False,
) -> None:
    """Raise `MutationError` for the first statement that may see an object in another way. What the outermost function
    holds has been looked at before it runs. `stores_as_key` tells of a class if a method may store that Python calls
    where an object of it is a key or a place. In a `steady` program nothing is stored into arrays."""
    if steady:
        check_all(function)
    check_located(function)
    checker = _Checker(function, find_rules, outermost, stores_as_key)
    checker.block(function.body)
    for result in function.body.results:
        checker.data(None, result) if outermost else checker.held(None, result)


def check_located(function: Function) -> None:
    """Raise `MutationError` where what has become memory is read as a value too: its cotangent would have two homes."""
    used, values = collections.Counter[Any](), list[Call]()

    def walk(block: Block) -> None:
        for s in block.statements:
            if not is_call_of(s, (builtins.len,)):
                used.update(atoms_of(s))
            if is_call_of(s, (located.located, located.located_copy)):
                values.append(s)  # type: ignore[arg-type]
            for inner in blocks_of(s):
                walk(inner)
        used.update(block.results)

    walk(function.body)
    for s in values:
        if used[s.args[0]] > 1:
            raise MutationError(
                "what is read as a value and stored into as memory",
                "nothing says that the two are one and the same when it is read",
                "store into one, and read it by the same name",
                place_of(function, s),
            )


class _Checker:
    """Goes through the statements of one function."""

    def __init__(
        self,
        function: Function,
        find_rules: Callable[[Any], Any],
        outermost: bool,
        stores_as_key: Callable[[type], bool],
    ) -> None:
        self.function, self.find_rules, self.stores_as_key = function, find_rules, stores_as_key
        self.methods = {out for out, method in methods_of(function.body).items() if method.__name__ not in mutators()}
        """Of texts and of arrays, which are called."""
        self.said: set[Any] = set()
        """What annotations are made of: nothing else may be done with it."""
        self.moves = _MOVES | _READS | {intrinsics.load_global}

    def block(self, block: Block) -> None:
        for s in block.statements:
            self.statement(s)
            for inner in blocks_of(s):
                self.block(inner)

    def statement(self, s: Statement) -> None:
        match s:
            case Call():
                self.call(s)
            case If(cond=cond):
                if not s.is_attempt:
                    self.tested(s, cond)
                elif memory_half_done(s):
                    self.refuse(s)  # what a body that is left has stored would not be reversed
            case Loop():
                for a in s.inits:
                    self.held(s, a)
                for a in s.sequences:
                    self.container(s, a)
                if s.cond is not None:
                    self.tested(s, s.cond.results[0])
                    for t in calls_of(s.cond.statements):
                        if is_call_of(t, STORES):
                            self.refuse(t)  # a test runs plainly, and nothing reverses it
            case Closure():
                self.refuse(s)

    def call(self, s: Call) -> None:
        fn = s.fn.value if isinstance(s.fn, Const) else None
        if isinstance(s.how, Callee):
            return self.called(s, s.how)
        if fn is builtins.getattr and (self.tells(s) or _binds(s)):
            return None
        method = s.fn in self.methods
        if not (method or isinstance(s.fn, Const)) or isinstance(s.how, Dynamic) or not is_hashable(fn):
            return self.refuse(s)
        if fn in (intrinsics.raise_, exceptions.raise_again, exceptions.give_up):
            return None  # what it raises ends the run, which is given up, or is taken by an attempt
        if fn in _SAYING and self.says(s, fn):
            self.said.update(s.outs)
            return None
        if any([self.stores_as_key(cls) for a in _keys_of(s, fn) for cls in _classes_in(type_of(a))]):
            self.refuse(s)
        if module_of(fn) == located.__name__ or fn in heaps.COMPARING:
            return None  # what it is given has been looked at where it was written
        args: Any = s.args[:1] if fn is intrinsics.annotated else s.args[_SKIPPED.get(fn, 0) :]
        if fn in _READS and not isinstance(s.args[0], Var):
            self.refuse(s)
        if fn in _OF_CONTAINERS and s.args:
            self.container(s, s.args[0])
        moves = fn in _MOVES or _makes_tuple(s, fn) or _joins(s, fn) or _asks_for_key(s, fn) or _asks_for_equals(s, fn)
        if fn in (changes.store_field, classes.holds) and _is_plain_function(args[-1]):
            args = args[:-1]  # where it is called, it is known
        check = self.held if moves else self.data
        for a in (*args, *(v for _, v in s.kwargs)):
            check(s, a)
        if isinstance(fn, type) and issubclass(fn, BaseException) and fn.__module__ == "builtins":
            return None  # of which it is only known that it can be raised
        if not (method or moves or fn in _READS or self.is_known(fn)):
            self.refuse(s)
        for out in s.outs:
            (self.held if moves or fn in self.moves else self.data)(s, out)

    def says(self, s: Call, fn: Any) -> bool:
        """Tell whether a call makes an annotation like `list[float] | None`, of classes that run nothing of the
        user's."""
        first = getattr(s.args[0], "value", None) if s.args else None
        if fn is operator.getitem and s.args[0] not in self.said and module_of(first) not in _OF_TYPES:
            return False
        args = s.args[fn is operator.getitem :]
        return all([a in self.said or isinstance(a, Const) and _names_type(a.value) for a in args])

    def called(self, s: Call, how: Callee) -> None:
        """A function that is called by its rule, which has been looked at in its turn."""
        if isinstance(s.fn, Const) and refers(how.handle.types[0]):
            self.refuse(s)  # what it captures has not been looked at before the program runs
        if takes_references((*atoms_of(s), *s.outs)) and s.out.active and not has_nothing(s.out.type):
            self.refuse(s)  # its `back` runs with that where nothing comes
        for a in atoms_of(s)[isinstance(s.fn, Const) :]:
            self.held(s, a)
        self.held(s, s.out)

    def tells(self, s: Call) -> bool:
        """Tell whether an attribute is one of a number, an array, a text or an enumeration, such a method, or data of a
        class."""
        base, out = s.args[0], s.out
        t = type_of(base)  # type: ignore[arg-type]
        if out in self.methods or isinstance(t, Deque) and is_data(out.type):
            return True
        cls = base.value if isinstance(base, Const) else getattr(t, "cls", None)
        known = isinstance(t, (Array, Scalar)) or isinstance(cls, type) and issubclass(cls, enum.Enum)
        if isinstance(base, Const) and type(cls) is type and isinstance(s.args[1], Const):
            name = s.args[1].value
            static = inspect.getattr_static(cls, name, self)
            known = known or is_closed(static) or counter_type(static) is not None or has_texts(cls, name)
        return known and is_data(out.type)

    def is_known(self, fn: Any) -> bool:
        """Tell whether a function runs nothing of the user's where it is given numbers, arrays and texts."""
        if fn in _PLAIN or module_of(fn) in (intrinsics.__name__, changes.__name__):
            return fn not in intrinsics.INVOKING and fn is not intrinsics.apply
        if is_draw(fn):
            return True
        rules = self.find_rules(fn)
        return rules is not None and not rules.is_users

    def tested(self, s: Statement, a: Atom) -> None:
        """Check what is asked for its truth."""
        t = type_of(a)
        classes = classes_of(t)
        if isinstance(held_by(t), (List, Dict)) or isinstance(t, (List, Dict)):
            return self.held(s, a)
        if not classes or any([hasattr(cls, name) for cls in classes for name in ("__bool__", "__len__")]):
            self.data(s, a)

    def data(self, s: Statement | None, a: Atom | Star) -> None:
        known = isinstance(a, Const) and isinstance(a.value, np.ufunc) and self.is_known(a.value)
        if not known and not _is(is_data, a):
            self.refuse(s)

    def container(self, s: Statement, a: Atom | Star) -> None:
        """Check what is read by its items, and is no object of the user's itself."""
        self.held(s, a)
        if isinstance(a, Var) and classes_of(a.type):
            self.refuse(s)

    def held(self, s: Statement | None, a: Atom | Star) -> None:
        if not _is(is_held, a):
            self.refuse(s)

    def refuse(self, s: Statement | None) -> None:
        raise MutationError(
            f"`{self.function.name}` stores into objects that others may have, and does something else besides",
            "what it calls may see such an object in another way",
            "call functions of numbers and arrays, and methods of the objects",
            place_of(self.function, s),
        )


def _binds(s: Call) -> bool:
    """Tell whether an attribute is a method of an object as a value, or the object of one."""
    classes = [class_of(type_of(a)) for a in (s.args[0], *s.outs)]  # type: ignore[arg-type]
    return None not in classes and any(map(is_method, classes))


def _keys_of(s: Call, fn: Any) -> tuple[Any, ...]:
    """The arguments that a call takes for keys or places, or compares."""
    if fn is intrinsics.make_dict:
        return s.args[::2]
    return s.args if fn in heaps.COMPARING or fn is intrinsics.dict_from_items else s.args[1:2]


def _asks_for_key(s: Call, fn: Any) -> bool:
    """Tell whether a call asks whether a dict has a key: it looks at no value."""
    asked = s.args[0] if fn in (operator.contains, intrinsics.not_contains) else None
    return isinstance(asked, Var) and isinstance(asked.type, Dict)


def _asks_for_equals(s: Call, fn: Any) -> bool:
    """Tell whether a call asks for objects that are equal where they are one."""
    if fn not in (operator.contains, intrinsics.not_contains, operator.eq, operator.ne):
        return False
    kinds = [type_of(a) for a in s.args]  # type: ignore[arg-type]
    return all([equals_itself(t.item if isinstance(t, List) else t) for t in kinds])


def _classes_in(t: Type) -> list[type]:
    """The classes of the objects in a key, or in what holds some."""
    t = held_by(t) or t
    parts = t.items if isinstance(t, Tuple) else (t.item,) if isinstance(t, (List, Maybe)) else ()
    return [*classes_of(t), *(cls for part in parts for cls in _classes_in(part))]


def _makes_tuple(s: Call, fn: Any) -> bool:
    """Tell whether a class makes a named tuple, as its items are."""
    t = s.outs[0].type if len(s.outs) == 1 else None
    return isinstance(t, Tuple) and fn is t.cls and plain_tuple(fn) is fn


def _joins(s: Call, fn: Any) -> bool:
    """Tell whether a call is a sum of lists, or of tuples, or repeats one."""
    sequences = [isinstance(type_of(a), (List, Tuple)) for a in s.args]  # type: ignore[arg-type]
    return fn is operator.add and all(sequences) or fn is operator.mul and any(sequences)


def _is(test: Callable[[Type], bool], a: Any) -> bool:
    """Tell whether an atom is of a type, or such a constant."""
    if isinstance(a, Const):
        return _is_constant(a.value)
    return not isinstance(a, Star) and (not isinstance(a, Var) or test(a.type))


def _is_constant(x: Any) -> bool:
    if type(x) is tuple:
        return all(map(_is_constant, x))
    if type(x) is types.FunctionType:
        return is_ours(x.__code__.co_filename)
    return type(x) in _CONSTANTS or isinstance(x, type | Names)


def _is_plain_function(a: Any) -> bool:
    return isinstance(a, Const) and is_plain_function(a.value)


def _names_type(x: Any) -> bool:
    """Tell whether a constant stands for a type in an annotation."""
    return type(x) is type or x is None or x is ... or type(x).__module__ == "typing"

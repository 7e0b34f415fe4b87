"""Memory effects of calls, by the effects of the callee and the types of the arguments."""

from __future__ import annotations

import builtins
import dis
import functools
import inspect
import math
import operator
import sys
import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..identity import is_hashable
from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Call, Const, Star, Statement, Var
from ..ir.types import Array, Dict, Fn, Inert, List, Record, Scalar, Tuple, Type, Unknown, View
from ..ir.watch import watched
from ..ops import UNSEEN, Alloc, Bound, Effects, Read, Returns, Write, find_op, holding, questions
from ..ops.arithmetic import element_of
from ..ops.python import ASKED
from ..ops.python import IN_PLACE as PLAIN
from ..ops.questions import (
    bound_to,
    is_fixed,
    is_lazy,
    is_looker,
    of_numpy,
    package_of,
    possible,
    row_of,
    writing_names,
)
from ..origin import looks_up_plainly, module_of
from .infer import is_immutable, type_of
from .outs import overwrites, writes_in_scipy

IN_PLACE = frozenset([operator.iconcat, *PLAIN])
"""Operators that change their first argument if it is a container, or an object that says so."""

OF_NUMBERS = frozenset(
    [
        *(*PLAIN, *PLAIN.values(), operator.neg, operator.pos, abs, operator.lt, operator.le, operator.gt, operator.ge),
        *[f for name, f in vars(math).items() if callable(f) and not name.startswith("_")],
    ]
)
"""Functions that take no None: Python raises its error there."""


def looks(fn: Any, args: Sequence[Atom | Star], kwargs: Sequence[tuple[str | None, Atom]]) -> bool:
    """Tell whether a call only looks at its arguments, and keeps none of them: what it gives is no list of theirs."""
    if is_writer(fn) or not (is_looker(fn) or of_numpy(fn) or package_of(fn) == "numpy"):
        return False
    effects = _effects(fn, args, kwargs)[1]
    return not any([isinstance(e, Returns) and e.how == "" and e.ref not in questions.OUTS for e in effects])


def writes(fn: Any, args: Sequence[Atom | Star], keywords: Sequence[str | None]) -> bool:
    """Tell whether a call may write into one of its arguments: a writer, an `out`, or `np.add.at`.

    A star may stand for any number of arguments, and two of them, whose name is None, for any keyword.
    """
    if is_writer(fn):
        return True
    star = _star(args)
    if overwrites(fn, args if star < 0 else [*args, *[args[star]] * 8], keywords):
        return True
    if fn is functools.update_wrapper:  # an object keeps what it wraps
        return not args or not isinstance(type_of(args[0]), Fn)  # type: ignore[arg-type]
    if any(fn is f for f in (functools.partial, map, filter, operator.methodcaller)):
        return star == 0 or isinstance(args[0], Const) and _is_called_to_write(fn, args[0].value)
    row = row_of(fn)
    if row is None or callable(row.effects) and package_of(fn) == "scipy":  # `output=float` is no array
        return writes_in_scipy(fn, args, keywords)
    if not any([isinstance(e, Write) for e in possible(fn)]):
        return False
    return questions.may_write(
        bound_to(fn, row, [*map(_value, args)], [(name, UNSEEN) for name in keywords], star), row
    )


def _is_called_to_write(fn: Any, value: Any) -> bool:
    return value in writing_names() if fn is operator.methodcaller else is_writer(value)


def _star(args: Sequence[Any]) -> int:
    """The place of the first star; -1 if there is none."""
    return next((i for i, a in enumerate(args) if isinstance(a, Star)), -1)


def _value(a: Any) -> Any:
    """The known value of an argument; of a text only that it is one."""
    if isinstance(a, Const):
        return a.value
    return "" if isinstance(a, Var) and isinstance(a.type, Inert) and a.type.cls is str else UNSEEN


def _effects_of(s: Call, fn: Any) -> tuple[Bound, Effects]:
    return _effects(fn, s.args[:1] + s.args[2:] if _is_invoked(s) else s.args, s.kwargs)


def _effects(fn: Any, args: Sequence[Atom | Star], kwargs: Sequence[tuple[str | None, Atom]]) -> tuple[Bound, Effects]:
    """A call of a function, laid out, and the effects that it may have; none of one that is not known."""
    row = row_of(fn)
    if row is None:
        return Bound((), {}, 0), ()
    if is_fixed(row):
        return Bound((), {}, 0), row.effects  # type: ignore[return-value]
    bound = bound_to(fn, row, [*map(_value, args)], [(name, _value(v)) for name, v in kwargs], _star(args))
    return bound, tuple(holding(row.effects, bound))


def _is_invoked(s: Call) -> bool:
    return isinstance(s.fn, Const) and is_hashable(s.fn.value) and s.fn.value in intrinsics.INVOKING


def is_writer(fn: Any) -> bool:
    """Tell whether a function writes into what it is called with; of a method that is not known, its name says so."""
    if isinstance(fn, _DESCRIPTORS) and find_op(fn) is None:
        return fn.__name__ in writing_names() and not issubclass(fn.__objclass__, _VALUES)
    if module_of(fn) == "numpy.ma.core":
        return fn.__name__ in ("put", "putmask")
    return questions.is_writer(fn)


_DESCRIPTORS = (types.MethodDescriptorType, types.WrapperDescriptorType)
_VALUES = (str, bytes, int, float, complex, tuple, frozenset)
"""Classes whose instances never change."""


def shows(s: Call, fn: Any) -> bool:
    """Tell whether after a call somebody may hold one of its arguments who is not known: not by its result alone."""
    objects = [t.cls for a in s.args if not isinstance(a, Star) and isinstance(t := type_of(a), Record)]
    if objects and (fn is builtins.getattr or fn is builtins.hasattr):
        return not (isinstance(s.args[1], Const) and is_data(objects[0], s.args[1].value))
    if objects and _asks_class(fn):
        return True
    if fn is dict and s.kwargs:
        return True
    if _is_run_through(s, fn):
        return False
    return not (is_looker(fn) or is_lazy(fn) or of_numpy(fn))


def _is_run_through(s: Call, fn: Any) -> bool:
    """Tell whether a call gives what a loop runs through of a view of a dict, which is that view."""
    t = type_of(s.args[0]) if fn is intrinsics.iterate else None  # type: ignore[arg-type]
    return isinstance(t, View) and not t.is_used_up


def _is_operator(fn: Any) -> bool:
    return module_of(fn) == "_operator"


def _asks_class(fn: Any) -> bool:
    """Tell whether a function asks the class of an operand what it gives: it may be the object itself."""
    asked = any([e.how == ASKED for e in possible(fn)])
    return _is_operator(fn) and (asked or fn is operator.getitem)


def viewed(s: Call, fn: Any, bundles: set[Var], methods: set[Var]) -> list[Var]:
    """The arguments that the result of a call may be, be a view of, or run through later.

    `bundles` are variables that may hold several views, `methods` those that are methods of what they give views of.
    """
    args = [a for a in _given(s) if isinstance(a, Var) and not is_immutable(a.type)]
    if s.fn in methods:
        return [s.fn]
    if not args:
        return []
    if isinstance(fn, type) and issubclass(fn, np.generic) or fn is builtins.getattr and len(s.args) > 2:
        return args
    if _fills_matrix(s, fn):
        return []
    if fn is builtins.getattr:
        named = s.args[1] if len(s.args) > 1 else None  # `getattr(*args)`
        name = named.value if isinstance(named, Const) else None
        containers = (Array, Unknown, Dict, List) if _runs_through(name) else (Array, Unknown)
        return [a for a in args[:1] if isinstance(a.type, containers) and not _is_shape(name)]
    if _is_invoked(s):
        name = s.args[1].value  # type: ignore[union-attr]
        method = vars(np.ndarray).get(str(name))
        new = questions.gives_new(_effects_of(s, method)[1])
        return [] if new else [a for a in args[:1] if isinstance(a.type, Unknown)]
    if _is_run_through(s, fn):
        return args
    if fn is changes.snapshot and is_new(s, fn) or _is_operator(fn) and fn is not operator.getitem:
        return []  # of operators the types say what they give
    bound, effects = _effects_of(s, fn)
    pieces, dense = set[Any](), set[Any]()
    for effect in effects:
        if isinstance(effect, Returns) or isinstance(effect, Alloc) and effect.ref:
            part = isinstance(effect, Alloc) or effect.how == "item" or fn is operator.getitem
            (pieces if part else dense).update(_at(s, bound, effect.ref))
    return [a for a in args if a in dense or a in pieces and (a in bundles or _has_views(s, fn, a))]


def _given(s: Call) -> list[Any]:
    return [*s.args, *(v for _, v in s.kwargs)]


def _at(s: Call, bound: Bound, ref: str) -> list[Any]:
    """The arguments that a parameter is given, or may be."""
    given = _given(s)
    return given if bound.open else [given[i] for i in bound.places(ref)]


def _is_shape(name: Any) -> bool:
    """Tell whether an attribute of arrays tells of their shape or kind, and holds no number."""
    row = find_op(vars(np.ndarray).get(str(name)))
    return row is not None and any([isinstance(e, Read) for e in possible(row.functions[0])])


def _runs_through(name: Any) -> bool:
    """Tell whether a method of dicts or lists gives what shows them."""
    return any(map(is_lazy, (vars(dict).get(name), vars(list).get(name))))


def _has_views(s: Call, fn: Any, a: Var) -> bool:
    """Tell whether a piece of `a` may be a view of it: a row, a slice."""
    if isinstance(a.type, Array) and fn is operator.getitem:
        index = type_of(s.args[1])  # type: ignore[arg-type]
        return not _copies(index)
    return isinstance(a.type, Array) and a.type.ndim != 1 or isinstance(a.type, Unknown)


def _copies(index: Type) -> bool:
    """Tell whether an index of an array picks entries: a mask, or several indices; a single one may be a NumPy
    integer."""
    if isinstance(index, Tuple):
        return any(map(_copies, index.items))
    return isinstance(index, List) or isinstance(index, Array) and index.scalar is False and index.ndim not in (None, 0)


def is_library_ufunc(fn: Any) -> bool:
    """Tell whether a ufunc is one of NumPy's or SciPy's; those of `np.frompyfunc` call a function of the user's."""
    return any([getattr(m, fn.__name__, None) is fn for m in (np, sys.modules.get("scipy.special"))])


def is_data(cls: type, name: str) -> bool:
    """Tell whether an attribute of an object is what was stored there, or else what the class holds as it is."""
    static = inspect.getattr_static(cls, name, None)
    usual = looks_up_plainly(cls) and not hasattr(cls, "__getattr__") and name != "__dict__"
    return usual and (isinstance(static, types.MemberDescriptorType) or not hasattr(type(static), "__get__"))


def is_maker(fn: Any) -> bool:
    """Tell whether a function gives something new, as long as no option says otherwise."""
    if isinstance(fn, type):
        shown = any([isinstance(e, Returns) for e in possible(fn)])
        return not issubclass(fn, np.generic) and not shown and _makes_anew(fn)
    return questions.is_maker(fn)


def _makes_anew(cls: type) -> bool:
    """Tell whether calling a class gives a new object: no `__new__` or metaclass of the user's says otherwise, and no
    `__init__` gives it the fields of another one (`self.__dict__ = shared`)."""
    new, call = cls.__new__, type(cls).__call__
    inits = [f.__code__ for base in cls.__mro__ if isinstance(f := vars(base).get("__init__"), types.FunctionType)]
    own = not isinstance(new, types.FunctionType) and not isinstance(call, types.FunctionType)
    return own and not any([_SHARED in code.co_names and _stores_dict(code) for code in inits])


_SHARED = "__dict__"


@functools.lru_cache(maxsize=256)
def _stores_dict(code: types.CodeType) -> bool:
    return any([step.opname == "STORE_ATTR" and step.argval == _SHARED for step in dis.get_instructions(code)])


AS_IT_IS_NOW = slice(None, None, -1)
"""The slice that stands for `reversed(xs)`, told by identity: nothing may be stored into the list while a loop runs
through it, for Python finds that there."""


def runs_backwards(s: Any) -> bool:
    """Tell whether a call gives a list backwards for a loop, which runs through the list itself."""
    if not isinstance(s, Call) or not isinstance(s.fn, Const) or s.fn.value is not operator.getitem:
        return False
    return isinstance(s.args[1], Const) and s.args[1].value is AS_IT_IS_NOW


def is_new(s: Call, fn: Any) -> bool:
    """Tell whether what a call gives is new: `np.array(a, copy=False)` may be `a` itself."""
    if fn is watched:
        return isinstance(s.args[0], Const) and isinstance(s.args[0].value, type) and is_maker(s.args[0].value)
    if fn is operator.getitem:  # a slice of a list is a list of its own
        kind = type_of(s.args[1])  # type: ignore[arg-type]
        base = type_of(s.args[0])  # type: ignore[arg-type]
        return isinstance(base, List) and kind == Inert(slice) or isinstance(base, Array) and _copies(kind)
    if fn is changes.snapshot:  # of what is no list it is the thing itself
        return isinstance(s.out.type, List)
    if _fills_matrix(s, fn):
        return True
    if isinstance(fn, type):
        return is_maker(fn)
    if not any([isinstance(e, Alloc) for e in possible(fn)]):
        return False
    asked = (_is_operator(fn) or fn is abs) and isinstance(s.out.type, Array | Scalar | List | Tuple)
    return questions.gives_new(_effects_of(s, fn)[1], asked)


def _fills_matrix(s: Call, fn: Any) -> bool:
    """Tell whether a call is `np.diag` of a vector: of a matrix it gives a view."""
    t = type_of(s.args[0]) if fn is np.diag and s.args and not isinstance(s.args[0], Star) else None
    if isinstance(t, List | Tuple):
        return all(map(is_immutable, t.items if isinstance(t, Tuple) else (t.item,)))
    return isinstance(t, Array) and t.ndim == 1


def makes(fn: Any, n: int, names: Sequence[str]) -> bool:
    """Tell whether a call with `n` arguments by position, and others by these names, surely gives what nobody else has:
    the same question as `is_new`, where nothing but the call is known."""
    return is_maker(fn) if isinstance(fn, type) else questions.makes(fn, n, names)


def gives_new(s: Call) -> bool:
    """Tell whether the result of a call is new where its arguments are of Python's or NumPy's own classes: arithmetic,
    a copy."""
    fn = s.fn.value if isinstance(s.fn, Const) else None
    if fn is intrinsics.invoke:
        copies = isinstance(s.args[1], Const) and s.args[1].value in ("copy", "astype", "flatten")
        return copies and not s.kwargs and len(s.args) < 4
    return _is_operator(fn) and any([isinstance(e, Alloc) for e in possible(fn)])


__all__ = [
    "IN_PLACE", "OF_NUMBERS", "PLAIN", "gives_new", "is_data", "is_hashable", "is_lazy", "is_library_ufunc",
    "is_looker", "is_maker", "is_new", "is_writer", "looks", "makes", "of_numpy", "shows", "viewed", "writes",
]  # fmt: skip


GETTERS = (operator.itemgetter, operator.attrgetter, operator.methodcaller)
"""Classes that only keep what they are made with."""


def only_reads(fn: Atom, made: Statement | None, a: Any, given: Sequence[Any]) -> bool:
    """Tell whether what is handed on, `a` (by `made`), surely runs no code of the user's: a function one asks for an
    attribute; an `itemgetter`, where what is in the rest has items by a class in C."""
    if isinstance(fn, Const) and fn.value is getattr:
        return isinstance(type_of(a), Fn)
    is_made = isinstance(made, Call) and isinstance(made.fn, Const) and made.fn.value is operator.itemgetter
    if not is_made and type(getattr(a, "value", None)) is not operator.itemgetter:
        return False
    rest = [t for t in map(type_of, [x for x in given if x is not a]) if not isinstance(t, Scalar)]
    return bool(rest) and all([_has_plain_items(element_of(t)) for t in rest])


def _has_plain_items(t: Type) -> bool:
    if isinstance(t, Tuple):
        return getattr(t.cls, "__getitem__", None) is tuple.__getitem__
    return isinstance(t, Scalar | Inert | List | Dict | Array)

"""Who may be changed: only what the function itself made, and nobody else can have seen.

A store in the IR is a function from the old to the new version of one object. That is the truth as long as no one else
holds the object; this pass refuses the stores where that cannot be shown.
"""

from __future__ import annotations

import builtins
import collections
import functools
import inspect
import linecache
import operator
import sys
import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import MutationError, Place
from ..ir import intrinsics
from ..ir.nodes import Atom, Block, Call, Const, Function, If, Loop, Span, Star, Statement, Var, atoms_of
from ..ir.types import Array, Dict, Inert, List, Record, Scalar, Unknown
from .infer import is_rank0, type_of

STORES: dict[Any, int] = {
    intrinsics.list_append: 0,
    intrinsics.set_item: 0,
    intrinsics.stored: 0,
    intrinsics.extended: 0,
    intrinsics.delete_item: 0,
    intrinsics.set_attribute: 0,
    intrinsics.delete_attribute: 0,
    intrinsics.call_method: 0,
    intrinsics.in_place: 1,
}
"""Calls that change an argument, by its place."""

_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor", "lshift", "rshift")
PLAIN = {getattr(operator, f"i{name.strip('_')}"): getattr(operator, name) for name in _BINARY}
"""The operation that gives a new value, for each that works in place."""
IN_PLACE = frozenset([operator.iconcat, *PLAIN])
"""Operators that change their first argument if it is a container, or an object that says so."""

_ARITHMETIC = (
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod),
    *(operator.pow, operator.matmul, operator.neg),
)
_COMPARISON = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)

MAKERS = frozenset(
    [
        *(intrinsics.make_list, intrinsics.make_dict, intrinsics.make_set, intrinsics.merge_dicts),
        *(intrinsics.dict_from_items, intrinsics.concat_lists, intrinsics.initialise, intrinsics.snapshot),
        *(list, dict, set, sorted, bytearray, collections.deque, collections.defaultdict, collections.Counter),
        *(np.zeros, np.ones, np.empty, np.full, np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.eye),
        *(np.arange, np.linspace, np.identity, np.array, np.copy, np.concatenate, np.stack, np.dot, np.outer, np.where),
        np.tile,
        *(np.ndarray.copy, np.ndarray.astype, np.ndarray.dot, np.sum, np.mean, np.cumsum, np.ndarray.sum),
        *(*_ARITHMETIC, operator.abs),
    ]
)
"""Functions whose result nobody else has."""

_LOOKERS = frozenset(
    [
        *(operator.getitem, operator.contains, intrinsics.not_contains, intrinsics.position, intrinsics.unpack),
        *(intrinsics.snapshot, intrinsics.check_store),
        *(len, sum, min, max, sorted, any, all, list, tuple, set, dict, abs, round),
        *(isinstance, type, print, repr, str, format, bool, float, int, range),
        *(*_ARITHMETIC, operator.pos, *_COMPARISON),
        *(operator.is_, operator.is_not, operator.not_, intrinsics.format_value, builtins.getattr),
        *(dict.get, dict.copy, list.copy, list.index, list.count),
        *(np.array, np.sum, np.mean, np.dot, np.stack, np.concatenate, np.max, np.min, np.copy, np.outer),
    ]
)
"""Functions that look at their arguments and keep none of them."""


def looks(fn: Any) -> bool:
    """Whether a function only looks at its arguments, and keeps none of them: what it gives holds no list of theirs."""
    if type(fn).__hash__ is None:
        return False
    module = getattr(fn, "__module__", None) or ""
    return fn in _LOOKERS or isinstance(fn, np.ufunc) or module in ("math", "numpy", "numpy.linalg")


WRITERS = frozenset(
    [
        *(np.copyto, np.put, np.place, np.putmask, np.fill_diagonal, np.put_along_axis, operator.setitem),
        *(operator.delitem, setattr, delattr, list.append, list.extend, list.insert, list.__setitem__),
        *(dict.update, dict.__setitem__, np.ndarray.fill, np.ndarray.sort, np.ndarray.put, np.ndarray.__setitem__),
        *(np.ndarray.partition, np.ndarray.resize, np.ndarray.setfield, np.ndarray.byteswap),
    ]
)
"""Functions that write into an argument and say nothing of it to the types."""


def writes(fn: Any, args: Sequence[Atom], keywords: Sequence[str | None]) -> bool:
    """Whether a call writes into one of its arguments: a writer, an `out`, or `np.add.at`."""
    if type(fn).__hash__ is None:
        return False
    if fn in WRITERS:
        return True
    owner = getattr(fn, "__self__", None)
    if getattr(fn, "__name__", "") == "at" and isinstance(owner, np.ufunc):
        return True
    if getattr(fn, "__name__", "") == "shuffle" and isinstance(owner, np.random.RandomState | np.random.Generator):
        return True
    place = place_of_out(fn)
    if place is None:
        return False
    given = args[place] if len(args) > place else None
    return "out" in keywords or given is not None and not (isinstance(given, Const) and given.value is None)


def place_of_out(fn: Any) -> int | None:
    """Which argument of a function of NumPy is the `out` that it writes into; None if it has none."""
    owner = getattr(fn, "__self__", None)
    if isinstance(fn, np.ufunc):
        return fn.nin
    if isinstance(owner, np.ufunc):
        return {"reduce": 3, "accumulate": 3, "reduceat": 4}.get(fn.__name__, sys.maxsize)
    module = getattr(fn, "__module__", None) or getattr(getattr(fn, "__objclass__", None), "__module__", None) or ""
    return _place_in_numpy(fn) if module.startswith("numpy") else None


@functools.cache
def _place_in_numpy(fn: Any) -> int:
    """`place_of_out` of what NumPy has written; nothing of the user's is kept."""
    if (place := _PLACES_OF_OUT.get(getattr(fn, "__name__", ""))) is not None:
        return place
    try:  # a method has its parameters in the order of the function
        same = getattr(np, fn.__name__) if isinstance(fn, types.MethodDescriptorType) else fn
        parameters = inspect.signature(same).parameters.values()
    except (AttributeError, TypeError, ValueError):
        return sys.maxsize
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return names.index("out") if "out" in names else sys.maxsize


_PLACES_OF_OUT = {"dot": 2, "concatenate": 2, "vdot": sys.maxsize, "inner": sys.maxsize, "where": sys.maxsize}
"""Of the functions of NumPy that do not tell their parameters."""


_VIEWERS = frozenset([operator.getitem, intrinsics.unpack, builtins.getattr, list, tuple, min, max, sorted])
"""Functions that may give a piece of an array as a view of it."""

_PLAIN_ATTRIBUTES = frozenset({"shape", "ndim", "size", "dtype", "nbytes", "itemsize"})


def shows(s: Call, fn: Any) -> bool:
    """Whether after a call somebody else may hold one of its arguments, or a view of it."""
    if not is_looker(fn) or s.kwargs and (fn is dict or not is_new(s, fn)):
        return True
    if fn not in _VIEWERS or isinstance(fn, np.ufunc):
        return False
    if fn is builtins.getattr and isinstance(s.args[1], Const) and s.args[1].value in _PLAIN_ATTRIBUTES:
        return False
    kinds = [type_of(a) for a in s.args[:1] if not isinstance(a, Star)]
    if not any(isinstance(t, Array | Unknown) for t in kinds):
        return False
    rows = all(isinstance(t, Array) and t.ndim == 1 for t in kinds)
    single = all(is_rank0(out.type) for out in s.outs)
    return not (single or rows and fn not in (operator.getitem, builtins.getattr))


def is_maker(fn: Any) -> bool:
    """Whether a function gives something new."""
    return isinstance(fn, np.ufunc | type) or type(fn).__hash__ is not None and fn in MAKERS


def is_new(s: Call, fn: Any) -> bool:
    """Whether what a call gives is new: `np.array(a, copy=False)` may be `a` itself."""
    return is_maker(fn) and not any(name == "copy" for name, _ in s.kwargs)


def is_looker(fn: Any) -> bool:
    """Whether a function keeps nothing of its arguments."""
    return isinstance(fn, np.ufunc) or type(fn).__hash__ is not None and fn in _LOOKERS


def check_ownership(function: Function, owned: Sequence[Var] = ()) -> None:
    """Raise `MutationError` for a store into what others can see; the parameters `owned` nobody else has seen."""
    aliases = _Aliases()
    aliases.block(function.body)
    if aliases.stored:
        _Walk(function, aliases, owned).block(function.body, set())


class _Aliases:
    """Variables that stand for versions of one object, united; and those into which something is stored."""

    def __init__(self) -> None:
        self.parent: dict[Var, Var] = {}
        self.stored: set[Var] = set()

    def find(self, v: Var) -> Var:
        while (up := self.parent.get(v, v)) is not v:
            v = up
        return v

    def unite(self, a: Atom, b: Atom) -> None:
        if isinstance(a, Var) and isinstance(b, Var):
            self.parent[self.find(a)] = self.find(b)

    def block(self, block: Block) -> None:
        for s in block.statements:
            self.statement(s)

    def statement(self, s: Statement) -> None:
        if isinstance(s, Call):
            target = stored_into(s)
            if target is not None:
                if s.outs:
                    self.unite(s.outs[-1], target)
                self.stored.add(target)
        elif isinstance(s, If):
            for block in (s.then, s.orelse):
                self.block(block)
                for out, result in zip(s.outs, block.results, strict=True):
                    self.unite(out, result)
        elif isinstance(s, Loop):
            self.block(s.body)
            for i, param in enumerate(s.body.params[: s.carried]):
                self.unite(param, s.inits[i])
                self.unite(param, s.body.results[i])
                self.unite(s.outs[i], param)


def stored_into(s: Call) -> Var | None:
    """The variable that a call changes, unless it is a number."""
    if not isinstance(s.fn, Const) or type(s.fn.value).__hash__ is None:
        return None
    place = STORES.get(s.fn.value)
    if s.fn.value in IN_PLACE and isinstance(type_of(s.args[0]), List | Dict | Record | Array):  # type: ignore[arg-type]
        place = 0
    target = None if place is None else s.args[place]
    if not isinstance(target, Var) or is_rank0(target.type) or isinstance(target.type, Scalar | Inert):
        return None
    if s.fn.value is intrinsics.call_method and isinstance(target.type, Record):
        return None
    return target


class _Walk:
    """The program in its order: what has been seen by others when it is stored into."""

    def __init__(self, function: Function, aliases: _Aliases, owned: Sequence[Var]) -> None:
        self.function = function
        self.find = aliases.find
        self.stored = {aliases.find(v) for v in aliases.stored}
        self.made = {aliases.find(v) for v in owned}
        self.latest: dict[Var, Var] = {}
        self.touched: set[Var] = set()
        self.foreign = {aliases.find(p) for p in function.params if p not in owned} & self.stored

    def block(self, block: Block, seen: set[Var]) -> None:
        for s in block.statements:
            for atom in atoms_of(s):
                self.fresh(s, atom)
            self.statement(s, seen)
            self.define(s.outs)
        for result in block.results:
            self.fresh(None, result)

    def define(self, outs: Sequence[Var]) -> None:
        for out in outs:
            if (root := self.find(out)) in self.stored:
                self.latest[root] = out

    def fresh(self, s: Statement | None, atom: Any) -> None:
        """An older version of what has been stored into is read: under another name, it would have changed too."""
        if not isinstance(atom, Var) or is_rank0(atom.type):
            return
        root = self.find(atom)
        if root in self.stored and self.latest.get(root, atom) is not atom:
            self.refuse(s, atom)

    def statement(self, s: Statement, seen: set[Var]) -> None:
        if isinstance(s, Call):
            self.call(s, seen)
        elif isinstance(s, If):
            other, before = set(seen), dict(self.latest)
            self.block(s.then, seen)
            self.latest = before
            self.block(s.orelse, other)
            seen |= other
        elif isinstance(s, Loop):
            for element in s.body.params[s.carried :]:
                self.origin(element)
            views = [q for q in s.sequences if isinstance(type_of(q), Array | Unknown) and not _of_numbers(q)]
            self.use(views, seen, shows=True)
            touched, self.touched = self.touched, set()
            for _ in range(2):
                self.define(s.body.params)
                self.block(s.body, seen)
            for q in s.sequences:
                if isinstance(q, Var) and self.find(q) in self.touched:
                    self.refuse(s, q)  # what a loop runs through changes while it runs
            self.touched |= touched
            for value in s.body.results[s.carried :]:
                self.use((value,), seen, shows=True)
            for out in s.outs[s.carried :]:
                seen.discard(self.find(out))
        else:
            self.use(tuple(atoms_of(s)), seen, shows=True)

    def call(self, s: Call, seen: set[Var]) -> None:
        fn = s.fn.value if isinstance(s.fn, Const) else None
        target = stored_into(s)
        if target is not None:
            root = self.find(target)
            self.touched.add(root)
            hidden = fn is intrinsics.call_method and isinstance(target.type, Array)  # what was read of it is not kept
            if root in seen or root in self.foreign or hidden:
                self.refuse(s, target)
            rest = [a for a in s.args if a is not target]
            self.use([*rest, *(v for _, v in s.kwargs)], seen, shows=True)
            return
        self.use([*s.args, *(v for _, v in s.kwargs)], seen, shows=shows(s, fn))
        for out in s.outs:
            if is_new(s, fn):
                seen.discard(self.find(out))
            else:
                self.origin(out)

    def origin(self, v: Var) -> None:
        """`v` comes from somewhere else: whoever gave it may hold it."""
        root = self.find(v)
        if root in self.stored and not is_rank0(v.type):
            self.foreign.add(root)

    def use(self, atoms: Sequence[Any], seen: set[Var], shows: bool) -> None:
        if shows:
            for atom in atoms:
                atom = atom.value if isinstance(atom, Star) else atom
                if isinstance(atom, Var) and not isinstance(type_of(atom), Scalar):
                    seen.add(self.find(atom))

    def refuse(self, s: Statement | None, target: Var) -> None:
        what = {List: "a list", Array: "an array", Record: "an object"}.get(type(target.type), "something")
        name = f"`{target.name}`, " if target.name else ""
        raise MutationError(
            f"`{self.function.name}` changes {name}{what} that others can see",
            "whoever else holds it would see the change, and its derivative cannot follow yet",
            "change a copy that is made here, or build a new value instead",
            place_of(self.function, s),
        )


def _of_numbers(q: Atom) -> bool:
    """Whether the elements of an array are numbers, not views."""
    t = type_of(q)
    return isinstance(t, Array) and t.ndim == 1


def place_of(function: Function, s: Statement | None) -> Place:
    """Where a statement stands in the user's file."""
    span = s.span if s is not None and s.span is not None else Span(function.firstline, 0, function.firstline, 0)
    return Place(function.filename, span, linecache.getline(function.filename, span.line))

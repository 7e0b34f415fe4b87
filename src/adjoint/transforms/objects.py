"""Objects that a program makes of classes whose `__init__` only stores: their fields are known, and so are the types of
these. What is read of a field is what was stored, and an object that nobody looks at is not made.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..ir import checks, intrinsics
from ..ir.lattice import depth
from ..ir.nodes import Atom, Block, Call, Const, Star, Statement, Var, atoms_of, blocks_of
from ..ir.types import (
    INT,
    UNKNOWN,
    Bottom,
    Inert,
    Known,
    List,
    Record,
    Ref,
    Scalar,
    Tuple,
    Type,
    Unknown,
    Variadic,
)
from . import references
from .callees import callee
from .facts import Items, Structural, is_active
from .infer import type_of
from .uses import is_call_of

if TYPE_CHECKING:
    from .resolve import Args, Kwargs, Resolver

MAX_NESTING = 4
ANY = "*"
"""Stands for the names of all fields."""


@dataclass(frozen=True)
class Fields:
    """A fact: an object that was made of these fields, in a program that stores into none."""

    atoms: dict[str, Atom]


def fold_new(r: Resolver, s: Call, cls: type, args: Args, kwargs: Kwargs) -> Atom | None:
    """`cls(...)`, where all that it does is to store what it is given; None of any other class."""

    sources = r.generation.stored_fields(cls, len(args), tuple([str(name) for name, _ in kwargs]))
    if sources is None:
        return None
    for name in ("__init__", "__new__"):
        made: Any = getattr(cls, name)
        if isinstance(made, types.FunctionType):
            r.guard(cls, name, made)
            if r.context.caller is not None:
                r.context.caller.inits.add(made.__code__)
    values = [*args, *(v for _, v in kwargs)]
    atoms = {name: values[at] if at is not None else Const(default) for name, at, default in sources}
    active = any(map(is_active, atoms.values()))
    if issubclass(cls, tuple):
        items = tuple(atoms.values())
        out = Var(s.out.name, Tuple(tuple(map(type_of, items)), cls), active)
        r.sp.facts[out] = Items(items)
        r.append(Call((out,), s.fn, items, (), s.span, Structural("tuple") if active else None))
        return out
    fields = _field_types(r, atoms)
    out = Var(s.out.name, Record(cls, tuple(fields.items())), active)
    if not r.stores:
        r.sp.facts[out] = Fields({name: a for name, a in atoms.items() if name not in _loose(r, atoms)})
    labels = {at: name for name, at, _ in sources if at is not None}
    how = Structural("new", tuple([labels.get(i) for i in range(len(values))])) if active else None
    r.append(Call((out,), s.fn, tuple(args), tuple(kwargs), s.span, how))
    return out


def fold_object_of(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom]:
    """An object of a class with these fields."""
    cls, names, *values = args
    assert isinstance(cls, Const) and isinstance(names, Const)
    if r.generation.memory is not None:
        return [references.of_fields(r, s, cls.value, dict(zip(names.value, values, strict=True)))]
    fields = _field_types(r, dict(zip(names.value, values, strict=True)))
    out = Var(s.out.name, Record(cls.value, tuple(fields.items())), any(map(is_active, values)))
    how = Structural("new", (None, None, *names.value)) if out.active else None
    r.append(Call((out,), s.fn, tuple(args), (), s.span, how))
    return [out]


def _loose(r: Resolver, names: Collection[str]) -> Collection[str]:
    """The names under which a call may store: of such fields nothing is known."""
    return names if ANY in r.generation.loose else r.generation.loose


def _field_types(r: Resolver, atoms: dict[str, Atom]) -> dict[str, Type]:
    """The types of fields, which the program relies on; unknown of loose ones."""
    loose = frozenset(_loose(r, atoms))
    r.generation.fields.update(atoms.keys() - loose)
    fields = {name: UNKNOWN if name in loose else _field_type(a) for name, a in atoms.items()}
    return fields | dict.fromkeys(loose - fields.keys() - {ANY}, UNKNOWN)


def _field_type(a: Atom) -> Type:
    t = type_of(a)
    return UNKNOWN if depth(t) >= MAX_NESTING else t


def with_field(t: Type, name: Any, value: Atom) -> Type:
    """The type of an object after a store into a field."""
    if not isinstance(t, Record) or t.fields is None or dict(t.fields).get(name) == UNKNOWN:
        return t
    return Record(t.cls, tuple({**dict(t.fields), name: _field_type(value)}.items()))


def read_field(r: Resolver, base: Atom, t: Record, name: str) -> tuple[Atom | None, Type]:
    """The known facts of a field: the value that was stored, and its type."""
    fact = r.sp.facts.get(base)
    if isinstance(fact, Fields) and name in fact.atoms:
        return fact.atoms[name], UNKNOWN
    return None, dict(t.fields or ()).get(name, UNKNOWN)


def users_class(t: Type) -> type | None:
    """The class of a user's object, or of a named tuple, which may have methods of its own."""
    named = isinstance(t, Tuple) and t.cls is not tuple and t.cls.__dictoffset__ == 0
    return t.cls if named or isinstance(t, Record) else None  # type: ignore[attr-defined]


def operator_method(r: Resolver, fn: Any, args: Args) -> tuple[types.FunctionType, Args] | None:
    """The method that an operator is of objects whose classes are known, and its arguments in order."""
    left, right = [*[users_class(type_of(a)) for a in args], None][:2]
    names, reflected = r.generation.operator_methods(fn)
    if left is not None:
        own = left
        if right is not None and right is not own and issubclass(right, own):
            return None  # whose reflected method comes first
    elif isinstance(type_of(args[0]), Scalar) and right is not None and reflected is not None:
        own, names, args = right, (reflected,), args[::-1]  # numbers of Python leave it to the object
    else:
        return None
    name = next((name for name in names if hasattr(own, name)), "")
    method = inspect.getattr_static(own, name, None)
    if type(method) is not types.FunctionType:
        return None
    r.guard(own, name, method)
    return method, args


def by_own_method(r: Resolver, s: Call, fn: Atom, args: Args) -> Atom | None:
    """An operator of objects in a function that is only read, as the method that it calls: that is read as well."""
    if not r.context.plain or not isinstance(fn, Const) or not any([isinstance(type_of(a), Record) for a in args]):
        return None
    if r.generation.find_rules(fn.value) is None or not r.generation.overridden(fn.value, [type_of(a) for a in args]):
        return None
    known = operator_method(r, fn.value, args)
    return None if known is None else r.general(s, Const(known[0]), known[1], [])


def by_method(r: Resolver, s: Call, fn: Any, args: Args) -> Atom | None:
    """An operator of objects as the method that it is; None where only the run shows which, or what it gives: it may be
    `NotImplemented`."""
    known = operator_method(r, fn, args) if r.generation.overridden(fn, [*map(type_of, args)]) else None
    start, heap = len(r.sp.statements), r.sp.heap.state
    found = None if known is None else callee(r, s, Const(known[0]), known[1], [])
    if found is None or isinstance(type_of(found), (Unknown, Bottom, Inert, Known)):
        del r.sp.statements[start:]
        r.sp.heap.state = heap
        return None
    return found


def fold_length(r: Resolver, s: Call, args: Args, kwargs: Kwargs) -> list[Atom] | None:
    """`len(x)` of an object that others may have: what its method gives, if that is an integer and a length."""
    t = type_of(args[0]) if len(args) == 1 and not kwargs else None
    if not isinstance(t, Ref) or r.context.plain:
        return None
    method = inspect.getattr_static(t.cls, "__len__", None)
    if type(method) is not types.FunctionType:
        return None
    r.guard(t.cls, "__len__", method)
    start, heap = len(r.sp.statements), r.sp.heap.state
    found = callee(r, s, Const(method), args, [])
    if found is None or type_of(found) != INT:
        del r.sp.statements[start:]
        r.sp.heap.state = heap
        return None
    r.append(Call((), Const(intrinsics.check), (found, Const(checks.check_length)), (), s.span))
    return [found]


# ---- what is made, and nobody looks at


def without_unread(block: Block) -> Block:
    """The block without objects, functions and displays that are made, and not read."""
    return _without_unread(block, _makes)


def without_unread_lengths(block: Block) -> Block:
    """The block without lengths of lists that are not read."""
    return _without_unread(block, _is_length)


def _without_unread(block: Block, quiet: Callable[[Call], bool]) -> Block:
    while True:
        kept = _without(block, _read(block), quiet)
        if kept is block:
            return block
        block = kept


def _read(block: Block) -> set[Any]:
    """All that a block and those within read."""
    read: set[Any] = set()
    todo = [block]
    while todo:
        block = todo.pop()
        read.update(block.results)
        for s in block.statements:
            read.update(atoms_of(s))
            todo += blocks_of(s)
    return read


def _without(block: Block, read: set[Any], quiet: Callable[[Call], bool]) -> Block:
    statements = [new for s in block.statements if (new := _kept(s, read, quiet)) is not None]
    same = len(statements) == len(block.statements) and all(
        a is b for a, b in zip(statements, block.statements, strict=True)
    )
    return block if same else replace(block, statements=tuple(statements))


def _kept(s: Statement, read: set[Any], quiet: Callable[[Call], bool]) -> Statement | None:
    if isinstance(s, Call):
        return None if len(s.outs) == 1 and s.out not in read and quiet(s) else s
    blocks: dict[str, Any] = {}
    for name in ("then", "orelse", "cond", "body"):
        old = getattr(s, name, None)
        if isinstance(old, Block) and (kept := _without(old, read, quiet)) is not old:
            blocks[name] = kept
    return replace(s, **blocks) if blocks else s


def _is_length(s: Call) -> bool:
    """Tell whether a call asks a list for its length."""
    return is_call_of(s, (len,)) and isinstance(type_of(s.args[0]), List)  # type: ignore[arg-type]


def _makes(s: Call) -> bool:
    """Tell whether a call makes an object, a function, a display, or an iterator over tuples, or counts between places
    that are known."""
    if is_call_of(s, (iter, zip)) and s.args and {*dict(s.kwargs)} <= {"strict"}:
        return all([isinstance(type_of(a), (Tuple, Variadic)) or type_of(a) == Inert(range) for a in s.args])  # type: ignore[arg-type]
    counts = is_call_of(s, (range,)) and all([isinstance(a, Const) and type(a.value) is int for a in s.args[:2]])
    return isinstance(s.how, Structural) and s.how.kind == "new" or _is_display(s) or counts and len(s.args) < 3


def _is_display(s: Call) -> bool:
    """Tell whether a call makes a display or a function, and nothing else: stars are run through, and keys are
    hashed."""
    if not isinstance(s.fn, Const) or not is_call_of(s, _DISPLAYS) or any([isinstance(a, Star) for a in s.args]):
        return False
    if s.fn.value is functools.partial:
        return isinstance(s.args[0], Const) and callable(s.args[0].value)
    if s.fn.value is intrinsics.make_dict:
        return all([isinstance(key, Const) and type(key.value) is str for key in s.args[::2]])
    return True


_DISPLAYS = (
    *(intrinsics.make_tuple, intrinsics.make_list, intrinsics.make_dict),
    *(intrinsics.make_function, functools.partial),
)

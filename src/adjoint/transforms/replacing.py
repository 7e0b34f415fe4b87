"""Values that are like others but for some parts: `t._replace(x=y)`, `dataclasses.replace(o, x=y)`, `{**d, "x": y}`.

Where the names of all parts are known, such a value is made of those of the other one, as a call or a display makes it.
"""

from __future__ import annotations

import collections
import dataclasses
import inspect
import operator
from typing import TYPE_CHECKING, Any

from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import Keyed, Record, Tuple
from ..tangents import plain_tuple
from .facts import Dynamic, Grown, Items
from .infer import type_of
from .uses import is_call_of

if TYPE_CHECKING:
    from .attributes import Folded
    from .resolve import Kwargs, Resolver

_EXAMPLE = collections.namedtuple("_EXAMPLE", ())


def replaces(t: Tuple) -> bool:
    """Tell whether tuples of a type have the `_replace` that `namedtuple` makes."""
    methods = [(getattr(cls, "_replace", None), getattr(cls, "_make", None)) for cls in (t.cls, _EXAMPLE)]
    codes = [tuple([getattr(getattr(m, "__func__", m), "__code__", None) for m in pair]) for pair in methods]
    return plain_tuple(t.cls) is t.cls is not tuple and codes[0] == codes[1] and None not in codes[0]


def replaced(t: Any, **fields: Any) -> Any:
    """`t._replace(...)` of a named tuple."""
    return t._replace(**fields)


def fold_replaced(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """A named tuple of the items of another, but for those that are named."""
    base, *others = args
    t, given = type_of(base), dict(kwargs)
    names = t.cls._fields  # type: ignore[attr-defined]
    if others or not {*given} <= {*names}:  # Python says it
        every = [base, Const("_replace"), *others]
        return [r.emit(s, Const(intrinsics.invoke), every, kwargs, Dynamic(), t, True)]
    for name in ("_replace", "_make"):
        r.guard(t.cls, name, inspect.getattr_static(t.cls, name))  # type: ignore[attr-defined]
    items = [given[name] if name in given else r.item(base, i, s.span, name) for i, name in enumerate(names)]
    return [r.emit_call(t.cls, items, s.span, s.out.name)]  # type: ignore[attr-defined]


def fold_replace(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`dataclasses.replace(o, x=...)`, as `cls(x=..., y=o.y)` of the fields that `__init__` takes."""
    t, given = type_of(args[0]) if len(args) == 1 else None, dict(kwargs)
    if r.context.plain or r.generation.only_primal or not isinstance(t, Record) or not dataclasses.is_dataclass(t.cls):
        return None
    fields = dataclasses.fields(t.cls)
    names = [f.name for f in fields if f.init]
    own = inspect.getattr_static(t.cls, "__class__") is object.__dict__["__class__"]
    if not own or len(fields) < len(t.cls.__dataclass_fields__) or not {*given} <= {*names}:
        return None  # fields of the class, or of `__init__` alone
    values = [(name, given[name] if name in given else _field(r, s, args[0], name)) for name in names]
    call = Call(s.outs, Const(t.cls), (), (), s.span)
    return r.call(call, call.fn, [], values)  # type: ignore[arg-type]


def _field(r: Resolver, s: Call, base: Atom, name: str) -> Atom:
    return r.emit_call(getattr, [base, Const(name)], s.span, name)


# ---- lists and dicts


def listed(r: Resolver, s: Call, target: Var, atoms: tuple[Atom, ...]) -> Atom:
    """A list of these items, in the place of another variable."""
    out = r.emit_call(intrinsics.make_list, atoms, s.span, target.name)
    if isinstance(out, Var) and r.uses.displays.is_only_read(target):
        r.sp.facts[out] = Items(atoms)
    return out


def items_of(r: Resolver, s: Call, d: Atom) -> dict[str, Atom] | None:
    """The items of a dict by its keys, if these are known, each read at once; None of any other."""
    t, memory = type_of(d), r.generation.memory
    if d in r.sp.heap.dicts and d in r.sp.heap:
        return {key: r.sp.heap.get(d, key) for key in r.sp.heap.names(d)}
    if not isinstance(t, Keyed) or r.context.plain or r.generation.only_primal or memory is not None:
        return None
    return {key: r.emit_call(operator.getitem, [d, Const(key)], s.span, key) for key, _ in t.entries}


def pairs_of(r: Resolver, s: Call, a: Atom) -> dict[str, Atom] | None:
    """The same of a display of pairs that nothing else has."""
    made, given = r.made.get(a), [v for v in s.args if isinstance(v, Var) and r.sp.env.get(v) is a]
    if not is_call_of(made, (intrinsics.make_list, intrinsics.make_tuple)) or r.generation.memory is not None:
        return None
    if len(given) != 1 or len(r.uses.displays.uses.get(given[0], [])) != 1:
        return None
    facts = [r.sp.facts.get(pair) for pair in made.args]  # type: ignore[union-attr, arg-type]
    pairs = [fact.atoms for fact in facts if isinstance(fact, Items) and len(fact.atoms) == 2]
    keys = [key.value for key, _ in pairs if isinstance(key, Const) and type(key.value) is str]
    return None if len(keys) < len(facts) else dict(zip(keys, [value for _, value in pairs], strict=True))


def fold_merged(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`{**d, "x": y}` and `d | e` of dicts with known keys, as a display."""
    if kwargs or not args or not all([isinstance(type_of(a), Keyed) for a in args]):
        return None
    return _display(r, s, args, {})


def fold_from_items(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`{key: x for ...}` of texts that are known, as a display."""
    keys, values = [r.sp.facts.get(a) for a in args]
    if not isinstance(keys, (Items, Grown)) or not isinstance(values, (Items, Grown)):
        return None
    names = [a.value for a in keys.atoms if isinstance(a, Const) and type(a.value) is str]
    if len({*names}) < len(keys.atoms) or r.context.plain or r.generation.only_primal:
        return None
    atoms = [a for pair in zip(keys.atoms, values.atoms, strict=True) for a in pair]
    made = Call(s.outs, Const(intrinsics.make_dict), tuple(atoms), (), s.span)
    return r.call(made, made.fn, atoms, [])  # type: ignore[arg-type]


def note_growth(r: Resolver, out: Var, items: Atom, value: Atom) -> None:
    """Note what a list holds that has grown from a display of nothing, as that of a comprehension with a condition."""
    fact, made = r.sp.facts.get(items), r.made.get(items)
    begins = is_call_of(made, (intrinsics.make_list,)) and not made.args  # type: ignore[union-attr]
    if begins or isinstance(fact, Grown) and len(fact.atoms) < MAX_GROWN:
        r.sp.facts[out] = Grown((*(fact.atoms if isinstance(fact, Grown) else ()), value))


MAX_GROWN = 24
"""How many items of a list that grows are noted."""


def display_of(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`dict(d, x=y)` of a dict with known keys."""
    given = dict(kwargs)
    if len(args) != 1 or None in given:
        return None
    return _display(r, s, args, given)  # type: ignore[arg-type]


def _display(r: Resolver, s: Call, dicts: list[Atom], given: dict[str, Atom]) -> Folded:
    found: dict[str, Atom] = {}
    for d in dicts:
        items = items_of(r, s, d)
        if items is None:
            return None
        found.update(items)
    found.update(given)
    atoms = [a for key, value in found.items() for a in (Const(key), value)]
    made = Call(s.outs, Const(intrinsics.make_dict), tuple(atoms), (), s.span)
    return r.call(made, made.fn, atoms, [])  # type: ignore[arg-type]

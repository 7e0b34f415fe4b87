"""Stores: what changes in place, as a function of the old value that gives the new one.

A store into what was made in this function is a call with an out, the changed value; `ownership` tells whether nobody
else can see the change.
"""

from __future__ import annotations

import builtins
import inspect
import operator
from collections import OrderedDict
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..errors import MutationError
from ..ir import changes, checks, intrinsics
from ..ir.lattice import join, of_items
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import (
    FLOAT,
    UNKNOWN,
    Array,
    Bottom,
    Default,
    Deque,
    Dict,
    Inert,
    Keyed,
    List,
    Record,
    Scalar,
    Tuple,
    Type,
)
from ..ops.arithmetic import element_of, is_rank0
from . import groups, memory, references, virtual, virtual_methods
from .attributes import Folded, class_of
from .call_with import method_written
from .deques import deque_method
from .dicts import by_asking, with_item, with_others
from .effects import PLAIN
from .extending import each_put, is_there
from .facts import Dynamic, Ruled, Spliced, Structural, is_active
from .followed import begin_group
from .frames import place_of
from .global_names import store_into_attribute
from .inactive_calls import check_operator
from .infer import is_immutable, is_narrowed, representative, type_of
from .memory import takes_references
from .missing import raised
from .objects import with_field
from .own_iterators import says_its_size
from .remembered import check_given
from .replacing import note_growth
from .resizing import change
from .sets import SET, change_by_operator, change_set
from .sorting import sorted_in_place

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


def fold_in_place(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    operation = s.fn.value  # type: ignore[union-attr]
    t = type_of(args[0])
    plain = PLAIN[operation]
    # Of an array it is a view, which the store puts back; what a list holds may have other names.
    whole = r.sp.atom(r.stored_back[s.out]) if s.out in r.stored_back else None
    part = isinstance(t, Array) and t.kind in "fc" and whole is not None and isinstance(type_of(whole), Array)
    extends = isinstance(t, List) and operation is operator.iadd
    if t == FLOAT and type_of(args[1]) in _NO_NUMBERS or extends and isinstance(type_of(args[1]), Scalar):
        out = Var(s.out.name, UNKNOWN, False)
        r.append(Call((out,), Const(changes.in_place_unseen), (s.fn, *args), (), s.span))
        return [out]
    if part or isinstance(t, (Scalar, Tuple)) or is_immutable(t) or t == Inert(str):
        return r.call(Call(s.outs, Const(plain), s.args, (), s.span), Const(plain), list(args), [])
    if t == SET and not r.context.plain:
        return change_by_operator(r, s, args)
    if isinstance(t, Dict) and operation is operator.ior and (d := with_others(r, s, *args)) is not None:
        return [d]
    if extends:
        if isinstance(type_of(args[1]), Array):  # its own `+` is asked first, and gives an array
            return r.call(Call(s.outs, Const(plain), s.args, (), s.span), Const(plain), list(args), [])
        _check_extends(r, s, args[1])
        return _extended(r, s.out, s, args[0], args[1])
    if isinstance(t, Array) and not (t.ndim is None and _is_item(r, args[0])):
        u = type_of(args[1])
        active = is_active(args[0]) or is_active(args[1]) and t.kind in "fc"
        rules = r.generation.find_rules(plain)
        method = rules.select((class_of(t), class_of(u))) if rules and isinstance(u, (Array, Scalar)) else None
        known = method is not None and method.partials is not None
        known = known and not is_narrowed(plain, [u])
        out = Var(s.out.name, t, active)
        how = None if not active else Spliced(method) if known else Dynamic()
        r.append(Call((out,), Const(changes.in_place), (s.fn, *args), (), s.span, how))
        return [out]
    if is_active(args[0]) or is_active(args[1]):
        if whole is None or type_of(whole) != UNKNOWN or t != UNKNOWN:
            return None
        out = Var(s.out.name, UNKNOWN, True)
        r.append(Call((out,), Const(changes.item_in_place), (s.fn, whole, *args), (), s.span, Dynamic()))
        return [out]
    if not r.context.plain:
        check_operator(r, s, f"__{operation.__name__}__", args)
    out = Var(s.out.name, UNKNOWN, False)
    r.append(Call((out,), Const(changes.in_place_unseen), (s.fn, *args), (), s.span))
    return [out]


_NO_NUMBERS = (Inert(str), Inert(bytes), Inert(type(None)))
"""Types of what no number meets in an operator: Python raises, in words of the operator in place."""


def _extended(r: Resolver, out: Var, s: Call, target: Atom, items: Atom) -> list[Atom]:
    """A list with more items."""
    if says_its_size(items) and items in r.sp.heap:
        raise r.sp.heap.escape(items)
    if not is_there(items) and not says_its_size(items):
        return [each_put(r, s, target, "append", items, out.name)]
    if is_there(items) and type(type_of(items)) is not List:
        items = r.emit_call(list, [items], s.span)
    if (found := _resized(r, Call((Var(""), out), s.fn, (), (), s.span), target, "extend", [items])) is not None:
        return found[1:]
    both = Const(changes.extended)
    return [r.general(Call((out,), both, (target, items), (), s.span), both, [target, items], [])]


def _resized(r: Resolver, s: Call, target: Atom, name: str, rest: list[Atom]) -> list[Atom] | None:
    """A method that changes the length of a list, where the program is reversed."""
    return None if r.context.plain or r.generation.only_primal else change(r, s, target, name, rest)


def _check_extends(r: Resolver, s: Call, a: Atom) -> None:
    """Raise where `+=` of a list may not extend it; of what only the run shows, that is asked there."""
    t = type_of(a)
    if t == UNKNOWN:
        r.append(Call((), Const(intrinsics.check), (a, Const(checks.check_extends)), (), s.span))
    elif isinstance(t, Record):
        checks.check_extends_by(t.cls, place_of(r.context.function, s))


def _is_item(r: Resolver, a: Atom) -> bool:
    """Tell whether a variable was read by an index: of an array whose rank is not known, it may be a number."""
    made = r.made.get(a)
    return isinstance(made, Call) and isinstance(made.fn, Const) and made.fn.value is operator.getitem


def fold_append(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    items, value = args
    if items in r.sp.heap.groups:
        groups.append(r, s, items, value, s.span)
        return [items]
    begin_group(r, s, items, value)
    t = type_of(items)
    item = join(t.item, type_of(value)) if isinstance(t, List) else UNKNOWN
    active = is_active(items) or is_active(value)
    # The cotangent of a list that is also read otherwise may be longer than the list was here.
    place = r.emit_call(len, [items], s.span) if active and (r.reads_items or r.sp.unsteady) else None
    out = Var(s.outs[-1].name, List(item), active)
    how = Structural("append", place) if active else None
    r.append(Call((out,), Const(changes.list_append), (items, value), (), s.span, how))
    note_growth(r, out, items, value)
    return [out]


def fold_append_at(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`rows[i].append(v)`: where rows are lists, `rows[i]` becomes a list with one more item."""
    container, key, value = args
    row = r.emit_call(operator.getitem, [container, key], s.span)
    if isinstance(type_of(row), (List, Bottom)) and not r.context.plain:
        more = r.emit_call(intrinsics.make_list, [value], s.span)
        longer = r.emit_call(changes.extended, [row, more], s.span)
        return r.call(
            Call(s.outs, Const(changes.set_item), (), (), s.span), Const(changes.set_item), [container, key, longer], []
        )
    method = r.emit_call(builtins.getattr, [row, Const("append")], s.span)
    r.call(Call((Var(""),), method, (), (), s.span), method, [value], [])
    return [container]


def fold_method(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`target.name(...)` for a name that may change the target in place."""
    target, name, rest = args[0], args[1].value, args[2:]  # type: ignore[union-attr]
    t = type_of(target)
    if target in r.sp.heap.groups and (name != "append" or len(rest) != 1 or kwargs):
        raise r.sp.heap.escape(target)
    if r.sp.heap.is_object(target):
        fn = virtual.method(r, s, target, name)  # type: ignore[arg-type]
        return [r.general(Call((s.outs[0],), fn, (), (), s.span), fn, rest, kwargs), target]
    if t == SET:
        return change_set(r, s, args, kwargs)
    if isinstance(t, Deque) and not kwargs and not r.context.plain:
        return deque_method(r, s, target, name, rest)
    if isinstance(t, List) and name == "append" and len(rest) == 1:
        return [Const(None), *(fold_append(r, s, [target, *rest], []) or [])]
    active = any(map(is_active, [target, *rest, *(v for _, v in kwargs)]))
    if isinstance(t, Default) and active and not _is_of_dict(t.cls, name):
        raise changes_in_place(r, s, name, t)  # `Counter.update` adds
    if isinstance(t, Dict) and name in ("move_to_end", "popitem") and [k for k, _ in kwargs] == ["last"]:
        rest, kwargs = [*rest, kwargs[0][1]], []
    if isinstance(t, Dict) and not kwargs and (asked := by_asking(r, s, target, name, rest)) is not None:
        return asked
    followed = active or takes_references([target, *rest])
    if isinstance(t, List) and name == "extend" and len(rest) == 1 and followed:
        return [Const(None), *_extended(r, s.outs[1], s, target, rest[0])]
    if name == "sort" and followed and (order := sorted_in_place(r, s, args, kwargs)) is not None:
        name, rest, kwargs = "permute", [order], []
    if followed and not kwargs and (found := _resized(r, s, target, name, rest)) is not None:
        return found
    if isinstance(t, Dict) and name == "update" and active and len(rest) < 2:
        others = [*rest, *([_as_dict(r, s, kwargs)] if kwargs else [])]
        if (later := with_others(r, s, target, *others)) is not None:
            return [Const(None), later]
    if not active and not isinstance(t, Record) and (r.context.plain or not isinstance(t, Array)):
        if len(s.outs) < 2:
            raise changes_in_place(r, s, name, t)  # a field has it, which is not bound anew
        result, grown = Var(s.outs[0].name, UNKNOWN, False), t
        if isinstance(t, List) and name in ("insert", "extend"):
            extra = type_of(rest[-1]) if name == "insert" else element_of(type_of(rest[0]))
            grown = List(join(t.item, extra))
        elif isinstance(t, List) and name in ("pop",):
            result = Var(s.outs[0].name, t.item, False)
        elif not isinstance(t, (List, Array)):
            grown = UNKNOWN
        out = Var(s.outs[1].name, grown, False)
        r.append(Call((result, out), s.fn, tuple(args), tuple(kwargs), s.span))
        return [result, out]
    if isinstance(t, Array) and (later := method_written(r, s, target, name, rest, kwargs)) is not None:
        return [Const(None), later]
    if isinstance(t, (List, Dict, Array)):
        raise changes_in_place(r, s, name, t)
    fn = references.method_of(r, s, target, name)
    return [r.general(Call((s.outs[0],), s.fn, (), (), s.span), fn, rest, kwargs), target]


def _is_of_dict(cls: type, name: str) -> bool:
    """Tell whether a method does what that of a dict does: `Counter.update` adds."""
    return issubclass(cls, OrderedDict) or getattr(cls, name, None) is getattr(dict, name, None)


def _as_dict(r: Resolver, s: Call, kwargs: Kwargs) -> Atom:
    """Keywords as a dict."""
    return r.emit_call(intrinsics.make_dict, [a for name, v in kwargs for a in (Const(name), v)], s.span)


def changes_in_place(r: Resolver, s: Call, name: str, t: Type) -> MutationError:
    kind = {List: "a list", Dict: "a dict", Keyed: "a dict", Array: "an array"}.get(type(t), "what it is called on")
    return MutationError(
        f"`.{name}(...)` changes {kind} in place",
        "the derivative of this change is not known yet",
        "build a new value instead: a comprehension, `sorted`, a display, `np.where`",
        place_of(r.context.function, s),
    )


def fold_set_item(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    target, _, value = args[:3]
    t = type_of(target)
    if target in r.sp.heap:
        virtual_methods.special(r, s, target, "__setitem__", list(args[1:3]))  # type: ignore[arg-type]
        return [target]
    active = is_active(target) or is_active(value) and (not isinstance(t, Array) or t.kind in "fc")
    if isinstance(t, Array) and active and not r.context.plain and _is_converted(type_of(value)):
        r.store(s, "store runs a method of an object, for the number that goes into")
    if isinstance(t, List) and not is_rank0(type_of(args[1])):  # a slice, or what may be one
        return [_by_rule(r, s, changes.stored, List(UNKNOWN), args[:3], active)]
    if isinstance(t, Array) and t.kind not in "fc" and is_active(target):  # nothing of the value flows into integers
        return [_by_rule(r, s, changes.stored, t, args[:3], True)]
    if isinstance(t, List):
        t = of_items(t, join(t.item, type_of(value)))
    elif isinstance(t, Dict):
        t = with_item(t, args[1], type_of(value))
    elif not isinstance(t, Array):
        t = UNKNOWN if not isinstance(t, Record) else t
    if isinstance(t, Record):
        return None
    check_given(r, s, target, args[1], value)
    out = Var(s.out.name, t, active)
    if t == UNKNOWN and not r.context.plain:
        how = Dynamic() if active else None
        r.append(Call((out,), Const(changes.stored_unseen), tuple(args), (), s.span, how))
        return [out]
    fn = Const(changes.stored) if isinstance(t, (List, Dict, Array)) else s.fn
    r.append(Call((out,), fn, tuple(args[:3]), (), s.span, Structural("set_item") if active else None))
    return [out]


def fold_set_in_row(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """A store into a row, in a program that is differentiated once more."""
    active = is_active(args[0]) or is_active(args[3])
    out = Var(s.out.name, type_of(args[0]), active)
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("set_in_row") if active else None))
    return [out]


def _is_converted(t: Type) -> bool:
    """Tell whether a value, or something in it, is an object: to store it into an array runs its `__float__`."""
    items = t.items if isinstance(t, Tuple) else [t.item] if isinstance(t, List) else ()
    return isinstance(t, Record) or any(map(_is_converted, items))


def fold_delete_item(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    t = type_of(args[0])
    if not isinstance(t, (List, Dict)):
        return None
    t = Dict(t.item) if isinstance(t, Dict) else t
    changed = Call((Var(""), s.out), s.fn, (), (), s.span)
    if is_active(args[0]) and (found := _resized(r, changed, args[0], "__delitem__", args[1:])) is not None:
        return found[1:]
    return [_by_rule(r, s, changes.deleted, t, args, is_active(args[0]))]


def _by_rule(r: Resolver, s: Call, store: Any, t: List | Dict | Array, args: list[Atom], active: bool) -> Var:
    """A store whose cotangents only the run can tell apart."""

    out = Var(s.out.name, t, active)
    method = r.generation.find_rules(store).select((representative(t), *(object for _ in args[1:])))
    r.append(Call((out,), Const(store), tuple(args), (), s.span, Ruled(method) if active else None))
    return out


def fold_in_place_again(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """The result of an in-place operation, in a program that is differentiated once more."""

    operation, *operands = args
    assert isinstance(operation, Const)
    found = fold_in_place(r, Call(s.outs, operation, (), (), s.span), operands[:2], [])
    if found is not None or not any(map(is_active, operands)):
        return found
    out = Var(s.out.name, UNKNOWN, True)
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Dynamic()))
    return [out]


def fold_set_attribute(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    target, name, value = args
    if target in r.sp.heap:
        virtual.store(r, s, target, name.value, value)  # type: ignore[union-attr, arg-type]
        return [target] * len(s.outs)
    if (own := memory.class_of(type_of(target))) is not None:
        return references.store(r, s, target, own, name.value, value)  # type: ignore[union-attr]
    held = s.fn.value is changes.hold_field  # type: ignore[union-attr]
    active = is_active(target) or is_active(value) and not held
    t = type_of(target)
    if not isinstance(target, Var):
        store_into_attribute(r, s, target, name.value, value)  # type: ignore[union-attr, arg-type]
        return [target] * len(s.outs)
    if (left := raised(r, s, target, name.value, value)) is not None:  # type: ignore[union-attr]
        return left
    if isinstance(t, Record) and not held and (setter := _setter(r, t.cls, name.value)) is not None:  # type: ignore[union-attr]
        goes_on = Call(s.outs, Const(changes.initialise), (), (), s.span)
        return r.call(goes_on, goes_on.fn, [Const(setter), target, target, value], [])
    if isinstance(t, Array) or isinstance(t, Record) and not changes.keeps(t.cls, name.value):  # type: ignore[union-attr]
        raise MutationError(
            f"`.{name.value} = ...` runs code of the class, or changes what an array is",  # type: ignore[union-attr]
            "only a store that keeps the value as it is has a derivative",
            "store into a plain attribute, or call `reshape`, `astype` or `np.where`",
            place_of(r.context.function, s),
        )
    if not isinstance(t, Record):
        r.append(Call((Var(""),), Const(changes.check_store), (target, name), (), s.span))
    after = with_field(t, name.value, value)  # type: ignore[union-attr]
    if active and not after.differentiable:
        after = UNKNOWN  # as an exception that Python raised: it carries a number now
    out = Var(s.out.name, after, active)
    r.append(
        Call((out,), s.fn, tuple(args), (), s.span, Structural("same" if held else "set_attribute") if active else None)
    )
    return [out]


def _setter(r: Resolver, cls: type, name: str) -> Any:
    """The function that a store into an attribute calls, if that is a function of Python; it goes on with the
    object."""
    static = inspect.getattr_static(cls, name, None)
    setter = static.fset if isinstance(static, property) else None
    own = any("__setattr__" in vars(base) for base in cls.__mro__[:-1])
    if own or r.context.plain or not isinstance(setter, FunctionType):
        return None
    r.guard(cls, name, static)
    return setter


def fold_initialise(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """The object with which a call goes on, and which the call gives."""
    found = r.general(s, s.fn, args, kwargs)
    last = r.sp.statements.pop()
    assert isinstance(last, Call) and isinstance(found, Var)
    out = Var(found.name, type_of(args[1]), found.active)
    r.append(Call((out,), last.fn, last.args, last.kwargs, last.span, last.how))
    return [out]

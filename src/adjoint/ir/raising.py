"""Statements that surely raise nothing: what stands between two of them either happens with both or with none."""

from __future__ import annotations

import collections
import operator
from collections.abc import Sequence
from typing import Any

from ..origin import module_of
from . import changes, intrinsics, located
from .exceptions import give_up, raise_again
from .intrinsics import raise_
from .nodes import Block, Call, Closure, Const, If, Loop, Star, Statement, Var, blocks_of
from .types import BOTTOM, Default, Dict, Inert, Keyed, List, Located, Scalar, Tuple, Type

_ON_FLOATS = (
    *(operator.add, operator.sub, operator.mul, operator.neg, operator.pos, operator.abs, float, bool, abs),
    *(operator.iadd, operator.isub, operator.imul),
)
"""Functions that are total on floats."""

_COMPARISONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
"""Functions that are total on real numbers."""

_PUTTING = ("append", "appendleft", "clear", "reverse")
"""Methods that are total on lists and deques."""

_ON_ANYTHING = (operator.is_, operator.is_not, intrinsics.make_tuple, intrinsics.make_list, intrinsics.observe)
"""Functions that are total on any values."""


def may_raise(s: Statement) -> bool:
    """Tell whether a statement may raise: all may but arithmetic of floats and what only moves values."""
    match s:
        case Closure():
            return False
        case Call():
            return not _is_total(s)
        case Loop():
            return True
        case If(cond=cond):
            asked = not s.is_attempt and not _has_truth(_type_of(cond))
            return asked or any(map(may_raise, [inner for b in blocks_of(s) for inner in b.statements]))


def _is_total(s: Call) -> bool:
    if not isinstance(s.fn, Const) or s.kwargs or any([isinstance(a, Star) for a in s.args]):
        return False
    fn = s.fn.value
    if any([fn is f for f in _ON_ANYTHING]):
        return True
    types = [*map(_type_of, s.args)]
    if any([fn is f for f in _COMPARISONS]):
        return all(map(is_comparable, types))
    if module_of(fn) == located.__name__:
        return _is_total_on_memory(fn, types)
    return any([fn is f for f in _ON_FLOATS]) and all(map(_is_float, types)) or _puts(s, fn, types)


def _is_total_on_memory(fn: Any, types: Sequence[Type]) -> bool:
    """Tell whether a call of memory that others may have puts an item where there is room, or tells what there is."""
    of = types[0].of if types and isinstance(types[0], Located) else None
    if fn is located.store_item:
        return isinstance(of, Dict) and is_key(types[1])
    asked = fn is located.has_key or fn is located.has_no_key
    return asked and is_key(types[1]) or isinstance(of, List) and any([fn is f for f in _ON_LISTS])


_ON_LISTS = (
    *(located.append_item, located.clear_items, located.size_of, located.last_place, located.is_empty),
    *(located.load_whole, located.located, located.place_in, located.new_place),
)
"""Functions that are total on lists that are memory."""


def _puts(s: Call, fn: Any, types: Sequence[Type]) -> bool:
    """Tell whether a call puts an item where there is always room for one, or asks how many there are."""
    if not types or not isinstance(types[0], (List, Dict)):
        return False
    if isinstance(types[0], List):
        name: Any = s.args[1] if fn is changes.call_method or fn is changes.changed else None
        return fn is len or fn is changes.list_append or isinstance(name, Const) and name.value in _PUTTING
    if fn is operator.getitem:
        names = [name for name, _ in types[0].entries] if isinstance(types[0], Keyed) else []
        return getattr(s.args[1], "value", None) in names or is_filling(s) and is_key(types[1])
    by_key = fn is operator.contains or fn is changes.set_item or fn is changes.stored
    return fn is len or by_key and is_key(types[1])


def is_filling(s: Call) -> bool:
    """Tell whether a call reads an item that a `defaultdict` makes and stores where it has none."""
    t = _type_of(s.args[0]) if isinstance(s.fn, Const) and s.fn.value is operator.getitem else None
    return isinstance(t, Default) and t.cls is collections.defaultdict


def is_key(t: Type) -> bool:
    """Tell whether values of a type are hashed and compared by what Python does."""
    if isinstance(t, Tuple):
        return t.cls is tuple and all(map(is_key, t.items))
    return isinstance(t, Scalar) or t == Inert(str)


def is_comparable(t: Type) -> bool:
    """Tell whether values of a type have an order: real numbers, and tuples of such."""
    if isinstance(t, Tuple):
        return t.cls is tuple and all(map(is_comparable, t.items))
    return isinstance(t, Scalar) and t.kind in ("float", "int", "bool")


def _type_of(a: Any) -> Type:
    if isinstance(a, Const):
        return _OF_CONSTANTS.get(type(a.value), BOTTOM)
    return a.type if isinstance(a, Var) else BOTTOM


_OF_CONSTANTS: dict[type, Type] = {cls: Scalar(cls.__name__) for cls in (bool, int, float)} | {str: Inert(str)}


def _has_truth(t: Type) -> bool:
    return is_comparable(t) or isinstance(t, (List, Dict))


def _is_float(t: Type) -> bool:
    """Tell whether values are exact floats or bools: an integer may be too large for a float."""
    return isinstance(t, Scalar) and t.kind in ("float", "bool")


def ends(block: Block) -> bool:
    """Tell whether control may come to the end of a block: its last statement is no `raise`."""
    last = block.statements[-1] if block.statements else None
    if isinstance(last, If):
        return any(map(ends, blocks_of(last)))
    return not (
        isinstance(last, Call) and isinstance(last.fn, Const) and last.fn.value in (raise_, raise_again, give_up)
    )


def raises_from(statements: Sequence[Statement], index: int) -> bool:
    """Tell whether any of the statements from one on may raise."""
    return any(map(may_raise, statements[index:]))


def final_calls(block: Block) -> set[Call]:
    """The calls of a block behind which nothing raises, with the last one that may: where one of these raises it has
    changed nothing, and where it does not the block comes to its end."""
    found: set[Call] = set()
    for s in reversed(block.statements):
        if isinstance(s, Call):
            found.add(s)
        elif isinstance(s, If) and not s.is_attempt:
            found |= final_calls(s.then) | final_calls(s.orelse)
        if may_raise(s):
            break
    return found

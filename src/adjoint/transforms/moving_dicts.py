"""Forward mode of dicts that change: their tangents have the same keys, in the same order.

So the values of a tangent go beside those of the dict, and an item that may not be there is asked for once.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Block, Call, Const, If, Loop, Star, Var
from ..ir.types import BOOL, UNKNOWN, Bottom, Default, Dict, Keyed, List, Tuple, Type, View
from ..ops.arithmetic import is_real
from ..tangents import dense_entries, zeros_like
from .components import dot_name
from .cotangent_map import bar_type
from .infer import type_of
from .moving import is_whole
from .primal_builder import Builder

if TYPE_CHECKING:
    from .tangent_linear import Dots


def zeros_of_container(atom: Atom, t: Type, F: Builder) -> Atom | None:
    """The tangent of an empty list or dict, or of one that gives something where it has no item, as it may change with
    that; None of any other."""
    if isinstance(t, Default):
        return F.call(dense_entries, Const(None), atom, type=t)
    if type(t) is List and isinstance(t.item, Bottom):
        return F.call(intrinsics.make_list, type=t)
    return F.call(intrinsics.make_dict, type=t) if type(t) is Dict and isinstance(t.item, Bottom) else None


def along_dict(dots: Dots, s: Call, F: Builder) -> bool:
    """Write a call that reads a dict, with its tangent; whether it is one."""
    fn = s.fn.value if isinstance(s.fn, Const) else None
    target: Any = s.args[0] if s.args else None
    if s.kwargs or not s.args or any([isinstance(a, Star) for a in s.args]):
        return False
    reads = isinstance(type_of(target), (Dict, View))
    handler = next((along for known, along in (_READS if reads else _MAKES) if fn is known), None)
    return handler is not None and handler(dots, s, target, F)


def _values(dots: Dots, s: Call, target: Any, F: Builder) -> bool:
    dots.run(s, F)
    dots.bind_list(s.out, _listed(dots, target, s.out, F))
    return True


def _listed(dots: Dots, target: Any, out: Var, F: Builder) -> Atom:
    """The tangents of all values, as a list."""
    t = type_of(target)
    assert isinstance(t, Dict)
    item = t.item if is_whole(t) else UNKNOWN
    values = F.call(dict.values, dots.complete(target, F), type=View(item, type({}.values())))
    return F.call(list, values, name=dot_name(out), type=List(item))


def _items(dots: Dots, s: Call, target: Any, F: Builder) -> bool:
    """Pairs, of which the first does not move."""
    dots.run(s, F)
    values, t = _listed(dots, target, Var(""), F), type_of(target)
    item = type_of(values).item  # type: ignore[attr-defined]
    key, value, round_ = Var("", UNKNOWN, False), Var("", item, True), Builder(F.span)
    still = Const(None) if isinstance(t, Keyed) else round_.call(zeros_like, key)  # of a number 0.0
    pair = round_.call(intrinsics.make_tuple, still, value, type=Tuple((type_of(still), item)))
    pairs = Var(dot_name(s.out), List(type_of(pair)), True)
    keys = Var("", List(UNKNOWN), False)
    F.emit(Call((keys,), Const(list), (target,), (), F.span))
    F.emit(Loop((pairs,), (), (keys, values), None, Block((key, value), round_.finish(), (pair,)), None, F.span))
    dots.bind_list(s.out, pairs)
    return True


def _run_through(dots: Dots, s: Call, target: Any, F: Builder) -> bool:
    """Bind the tangents of what a loop runs through: the items of a view."""
    dot = dots.of(target)
    if dot is None or target not in dots.beside:
        return False
    dots.run(s, F)
    dots.bind_list(s.out, dot)
    return True


def _sum(dots: Dots, s: Call, target: Any, F: Builder) -> bool:
    """`sum(d.values())` of numbers."""
    if target not in dots.beside or not is_real(s.out.type):
        return False
    dots.run(s, F)
    start = [dots.full(x, F) for x in s.args[1:]]  # type: ignore[arg-type]
    d = F.call(sum, dots.full(target, F), *start, name=dot_name(s.out), type=bar_type(s.out))
    dots.bind(s.out, d, F)
    return True


def _get(dots: Dots, s: Call, target: Any, F: Builder) -> bool:
    """`d.get(key, default)` of numbers, by a branch."""
    t = type_of(target)
    if len(s.args) != 3 or not is_whole(t) or not is_whole(s.out.type):
        return False
    dots.run(s, F)
    key, default = s.args[1:]
    there, found = Var("", BOOL, False), Var("", bar_type(s.out), True)
    F.emit(Call((there,), Const(operator.contains), (target, key), (), F.span))
    read = Call((found,), Const(operator.getitem), (dots.complete(target, F), key), (), F.span)
    zero = dots.full(default, F)  # type: ignore[arg-type]
    F.emit(If((dots.made(s.out),), there, Block((), (read,), (found,)), Block((), (), (zero,)), F.span))
    return True


def _made(dots: Dots, s: Call, target: Any, F: Builder) -> bool:
    """`{k: v}` and `{k: v for ...}`, with keys that only the run shows."""
    apart = s.fn.value is intrinsics.dict_from_items  # type: ignore[union-attr]
    if not is_whole(s.out.type) or apart and not isinstance(type_of(s.args[1]), List):  # type: ignore[arg-type]
        return False
    dots.run(s, F)
    moved = [dots.complete(a, F) if i % 2 else a for i, a in enumerate(s.args)]  # type: ignore[arg-type]
    dots.bind(s.out, F.call(s.fn.value, *moved, name=dot_name(s.out), type=bar_type(s.out)), F)  # type: ignore[union-attr, arg-type]
    return True


def _same_of_tangents(dots: Dots, s: Call, target: Any, F: Builder) -> bool:
    """Do to the tangents of whole dicts what makes a dict of these."""
    if not is_whole(s.out.type) or not all([isinstance(type_of(a), Dict) for a in s.args]):  # type: ignore[arg-type]
        return False
    dots.run(s, F)
    moved = [dots.complete(a, F) for a in s.args]  # type: ignore[arg-type]
    dots.bind(s.out, F.call(s.fn.value, *moved, name=dot_name(s.out), type=bar_type(s.out)), F)  # type: ignore[union-attr]
    return True


_MAKES = ((intrinsics.make_dict, _made), (intrinsics.dict_from_items, _made))
_READS = (
    (dict.values, _values),
    (dict.items, _items),
    (dict.get, _get),
    *[(make, _same_of_tangents) for make in (intrinsics.merge_dicts, changes.updated, dict.copy, dict, operator.or_)],
    (sum, _sum),
    (intrinsics.iterate, _run_through),
)

"""Objects of which a branch says which it is: each field is one of two values, and no object is made.

    if r < limit: s = s.moved(dt)          if r < limit: x = x + v * dt

The object may be one that was there before. So nobody may store into either from then on: it is `aliased`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..ir.nodes import Atom, If, Var
from ..ir.types import Record
from .heap import VERSION, Heap, Memory, Objects, same

if TYPE_CHECKING:
    from collections.abc import Callable

    from .specialise import Specialiser


def is_plain(heap: Heap, a: Any, objects: Objects) -> bool:
    """Tell whether an atom is a virtual object of a class, with fields of its own."""
    return a in heap and type(a.type) is Record and a in objects and a not in heap.items


def kept_first(sp: Specialiser, s: If) -> set[Any]:
    """The results of the first side that stay virtual: objects that can't be made, and those that are like the other
    side's, if that was there before."""
    heap, found = sp.heap, set[Any]()
    for r, other in zip(s.then.results, s.orelse.results, strict=True):
        a, b = sp.env.get(r), sp.env.get(other)  # type: ignore[arg-type]
        if is_plain(heap, a, heap.objects) and (a in heap.contents or _is_like(heap, a, b)):
            found.add(r)
    return found


def kept_second(sp: Specialiser, s: If, first: Sequence[Any], after: Objects) -> set[Any]:
    """The results of the second side that stay virtual: those that are like the `first`."""
    pairs = zip(s.orelse.results, first, strict=True)
    return {r for r, a in pairs if is_plain(sp.heap, a, after) and _is_like(sp.heap, a, sp.env.get(r))}  # type: ignore[arg-type]


def _is_like(heap: Heap, a: Any, b: Any) -> bool:
    return is_plain(heap, b, heap.objects) and a.type == b.type


def may_join(heap: Heap, a: Any, b: Any, sides: tuple[Objects, Objects], before: Objects) -> bool:
    """Tell whether two objects, which two sides of a branch give, have the same fields, and no others share these."""
    one, other = sides
    if not is_plain(heap, a, one) or not is_plain(heap, b, other) or a.type != b.type:
        return False
    if [*one[a]] != [*other[b]]:
        return False
    return all([_may_join_values(heap, one[a][name], other[b][name], sides, before) for name in one[a]])


def _may_join_values(heap: Heap, x: Any, y: Any, sides: tuple[Objects, Objects], before: Objects) -> bool:
    x, y = heap.real_ones.get(x, x), heap.real_ones.get(y, y)
    if isinstance(x, Memory) and isinstance(y, Memory):
        return x is y or all([v in before or _is_held_once(v, side) for v, side in zip((x, y), sides, strict=True)])
    return same(x, y) or not any([isinstance(v, Memory) or v in heap for v in (x, y)])


def _is_held_once(memory: Memory, objects: Objects) -> bool:
    return sum([v is memory for fields in objects.values() for v in fields.values()]) == 1


def join(
    sp: Specialiser,
    out: Var,
    pair: tuple[Any, Any],
    sides: tuple[Objects, Objects],
    before: Objects,
    out_of: Callable[..., Var],
) -> None:
    """Let a variable be the one object or the other; `out_of` gives the result of the branch for two values."""
    heap, (a, b) = sp.heap, pair
    new, fields, shared = Var(out.name, a.type, a.active), dict[str, Any](), {a, b} & before.keys()
    for name, x in sides[0][a].items():
        y = sides[1][b][name]
        values: list[Atom] = []
        for owner, objects in zip((a, b), sides, strict=True):
            now, heap.objects = heap.objects, objects
            values.append(heap.get(owner, name))
            heap.objects = now
        if isinstance(x, Memory) and x is not y:
            memory = Memory(x.name, new)
            version = out_of(name, *values)
            heap.objects = {**heap.objects, memory: {VERSION: version}}
            heap.versions[version] = memory
            shared |= {m for m in (x, y) if m in before}
            if shared:
                shared.add(memory)
            fields[name] = memory
        else:
            fields[name] = x if same(x, y) else out_of(name, *values)
    heap.sites[new] = heap.sites[b if a in before else a][0], sp.here
    heap.objects = {**heap.objects, new: fields}
    if a in heap.contents:
        heap.contents[new] = heap.contents[a]
    if shared:
        heap.aliased |= {new, *shared}
    sp.env[out] = new

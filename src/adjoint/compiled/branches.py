"""Branches of programs as branches of kernels: which numbers they give, and what is bound on one side only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..ir.intrinsics import raise_
from ..ir.nodes import Block, Call, Const, If, Statement
from . import arrays
from .elementary import NOT, SELECT
from .growable import DiffersError
from .kernel import Atom, Lit, outs_of, walk
from .kernel import Block as Region
from .values import Arr, CannotCompile, Object, Unset, is_growing, is_number, leaves, maybe, rebuilt, same
from .writer import wider_of

if TYPE_CHECKING:
    from .lower import Lower
    from .objects import Field


def branch(lower: Lower, s: If) -> None:
    """The statements of one side or the other; what is bound there is bound after it."""
    cond = arrays.truth(lower.w, lower.value(s.cond))
    if not lower.branchless and raises(s.then.statements) != raises(s.orelse.statements):
        bad = raises(s.then.statements)
        lower.w.check(cond if bad else lower.w.op(NOT, cond))
        cond = Lit(not bad)
    if isinstance(cond, Lit):
        chosen = s.then if cond.value else s.orelse
        lower.block(chosen)
        for out, r in zip(s.outs, chosen.results, strict=True):
            lower.env[out] = lower.held(r)
    elif lower.branchless:
        _both(lower, s, cond)
    else:
        _either(lower, s, cond)


def _both(lower: Lower, s: If, cond: Atom) -> None:
    """Both sides are computed, and then one is chosen."""
    state, values = lower.heap.state(), []
    for block in (s.then, s.orelse):
        lower.block(block)
        values.append([lower.value(r) for r in block.results])
    if lower.heap.changed(state):
        raise CannotCompile("an attribute that is assigned in such a place")
    for out, x, y in zip(s.outs, *values, strict=True):
        kind = wider_of([x, y])
        lower.env[out] = lower.w.op(SELECT, cond, lower.w.as_kind(x, kind), lower.w.as_kind(y, kind))


@dataclass
class _Side:
    """One side of a branch: its statements, what it gives, and what attributes are after it."""

    statements: list[Any]
    results: list[Any]
    changed: list[Field]
    fields: dict[Object, dict[str, Any]]

    def after(self, fields: Sequence[Field]) -> list[Any]:
        """The values of these attributes after this side."""
        return [self.fields[x].get(name, Unset()) for x, name in fields]


def _side(lower: Lower, block: Block) -> _Side:
    state, saved = lower.heap.state(), dict(lower.env)
    with lower.w.region() as written, lower.delayed.apart():
        lower.block(block)
        results = [lower.held(r) for r in block.results]
    lower.env = saved
    changed, after = lower.heap.changed(state), dict(zip(lower.heap.objects, lower.heap.state(), strict=True))
    lower.heap.restore(state)
    return _Side(written, results, changed, after)


def _either(lower: Lower, s: If, cond: Atom) -> None:
    """A branch of the kernel: it gives the numbers that are not the same on both sides."""
    then, orelse = _side(lower, s.then), _side(lower, s.orelse)
    fields = list(dict.fromkeys([*then.changed, *orelse.changed]))
    a = [*map(maybe, then.results, orelse.results), *then.after(fields)]
    b = [*map(maybe, orelse.results, a), *orelse.after(fields)]
    a = [*map(maybe, a, b)]
    flat_a, flat_b = [leaves(x) for x in a], [leaves(x) for x in b]
    numbers = [place for i in range(len(a)) for place in _differing(i, flat_a[i], flat_b[i])]
    copied = [(i, k) for i, k in numbers if isinstance(flat_a[i][k], Arr)]
    for i, k in copied:
        made = _array(lower, cond, (then, flat_a[i][k]), (orelse, flat_b[i][k]))
        _note_copy(lower, made, [flat_a[i][k], flat_b[i][k]], alone=len(copied) == 1)
        flat_a[i][k] = flat_b[i][k] = made
    numbers = [place for place in numbers if place not in copied]
    pairs = [(flat_a[i][k], flat_b[i][k]) for i, k in numbers]
    if not all(is_number(x) and is_number(y) for x, y in pairs):
        raise CannotCompile("an object that depends on a branch")
    outs = lower.w.choose(
        cond,
        lambda: lower.w.continued(then.statements, [x for x, _ in pairs]),
        lambda: lower.w.continued(orelse.statements, [y for _, y in pairs]),
    )
    for (i, k), out in zip(numbers, outs, strict=True):
        flat_a[i][k] = out
    merged = [
        Unset() if isinstance(x, Unset) or isinstance(y, Unset) else rebuilt(x, flat)
        for x, y, flat in zip(a, b, flat_a, strict=True)
    ]
    lower.env.update(zip(s.outs, merged, strict=False))
    for (x, name), value in zip(fields, merged[len(s.outs) :], strict=True):
        x.fields[name] = value


def _array(lower: Lower, cond: Atom, *sides: tuple[_Side, Arr]) -> Arr:
    """A new array, which each side fills."""
    w = lower.w
    (first, x), (second, y) = sides
    inner = {r for side in (first, second) for s in walk(Region(tuple(side.statements))) for r in outs_of(s)}
    alike = isinstance(y, Arr) and (x.kind, x.ndim, x.listed) == (y.kind, y.ndim, y.listed)
    if not alike or is_growing(x) or is_growing(y) or not inner.isdisjoint((*x.shape, *y.shape)):
        raise CannotCompile("arrays of different kinds in a branch, or whose lengths depend on it")
    if [n == arrays.ONE for n in x.shape] != [n == arrays.ONE for n in y.shape]:
        raise CannotCompile("arrays in a branch of which one has a length of 1 for sure")
    shape = [n if n == m else w.op(SELECT, cond, n, m) for n, m in zip(x.shape, y.shape, strict=True)]
    made = arrays.of_buffer(w, w.new(x.kind, shape, zero=False), shape)
    made.listed = x.listed
    for side, a in sides:
        with w.region() as copying:
            arrays.store_all(w, made, a)
        side.statements += copying
    return made


def _note_copy(lower: Lower, made: Arr, of: Sequence[Arr], alone: bool) -> None:
    """An array is a copy of one of these: nobody may store into either, but where they were made for it alone."""
    assert made.buf is not None
    if not alone or any(a.buf is not None or a.base is not None for a in of):
        for a in (made, *of):
            if a.buf is not None:
                lower.delayed.links.link(a, made.buf)


def _differing(i: int, xs: list[Any], ys: list[Any]) -> list[tuple[int, int]]:
    """The places of what a branch has to choose, for the i-th value that it gives."""
    if [Unset()] in (xs, ys):
        return []
    if len(xs) != len(ys):
        raise DiffersError("containers of different lengths in a branch")
    return [(i, k) for k, (x, y) in enumerate(zip(xs, ys, strict=True)) if not same(x, y)]


def raises(statements: Sequence[Statement]) -> bool:
    """Tell whether statements end in an exception. What they do before, its text above all, is left to the plain
    program, which runs in their place."""
    return any(isinstance(s, Call) and isinstance(s.fn, Const) and s.fn.value is raise_ for s in statements)

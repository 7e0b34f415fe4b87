"""Means, variances and deviations of lists of numbers: the value is that of the module `statistics`, which computes by
exact fractions, the derivative is the closed form."""

from __future__ import annotations

import operator
import sys
from typing import TYPE_CHECKING, Any

from ..ir.nodes import Atom, Block, Call, Const, If, Loop, Var
from ..ir.types import FLOAT, INT, List
from ..origin import module_of, own_name
from .components import dot_name
from .cotangent_map import Cotangent, CotangentMap, bar_name
from .facts import Structural, is_active
from .infer import type_of
from .moving import HANDLERS as ALONG
from .primal_builder import Builder
from .snapshots import snapshot
from .structural import HANDLERS, each_back

if TYPE_CHECKING:
    from .attributes import Folded
    from .resolve import Kwargs, Resolver
    from .tangent_linear import Dots

MEANS = ("mean", "fmean")
SPREADS = {"variance": 1, "pvariance": 0, "stdev": 1, "pstdev": 0}
"""By how much the number of items is lessened."""
STATISTICS = frozenset([f"statistics.{name}" for name in (*MEANS, *SPREADS)])


def key_of(f: Any) -> Any:
    """The name of a function of `statistics`, which is not imported for this; of others themselves."""
    return f"statistics.{f.__name__}" if module_of(f) == "statistics" and callable(f) else f


def fold_statistic(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`mean(xs)` and the like, of a list of floats."""
    f = s.fn.value  # type: ignore[union-attr]
    name: str = own_name(f)
    if kwargs or len(args) != 1 or r.context.plain or r.generation.only_primal or not is_active(args[0]):
        return None
    if type_of(args[0]) != List(FLOAT) or getattr(sys.modules["statistics"], name, None) is not f:
        return None
    mean = name in MEANS
    n = r.emit_call(len, args, s.span) if mean and args[0] in r.unsteady else None
    out = Var(s.out.name, FLOAT, True)
    items = args[0] if mean else snapshot(r, args[0], s)
    r.append(Call((out,), s.fn, (items,), (), s.span, Structural("statistic", n)))
    return [out]


def statistic_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    """x̄ = ȳ / n of a mean, 2 ȳ (x - m) / n of a variance, ȳ (x - m) / (n y) of its root."""
    items: Any = s.args[0]
    name, b = s.fn.value.__name__, B.builder  # type: ignore[union-attr]
    if name in MEANS:
        n: Atom = B.lengths[items].ask() if items in B.lengths else s.how.extra or b.call(len, items, type=INT)
        return each_back(s, items, Cotangent(b.call(operator.truediv, B.definite(d), n, type=FLOAT), True), B)
    scale = _scale(s, B.definite(d), b)
    out = Var(bar_name(items), List(FLOAT), True)
    b.emit(Loop((out,), (), (items,), None, _scaled(items, scale, b), None, s.span, equal_lengths=True))
    return B.add_whole(items, out) if items in B.versions else B.add(items, out)


def _scale(s: Call, d: Atom, b: Builder) -> Atom:
    """The factor of the distance of an item from the mean; zero where a root is zero."""
    name = s.fn.value.__name__  # type: ignore[union-attr]
    n: Atom = b.call(len, s.args[0], type=INT)  # type: ignore[arg-type]
    if SPREADS[name]:
        n = b.call(operator.sub, n, Const(1), type=INT)
    if not name.endswith("stdev"):
        return b.call(operator.truediv, b.call(operator.mul, d, Const(2.0), type=FLOAT), n, type=FLOAT)
    out, side = Var("", FLOAT, True), Builder(b.span)
    scale = side.call(operator.truediv, d, side.call(operator.mul, s.out, n, type=FLOAT), type=FLOAT)
    there = b.call(operator.ne, s.out, Const(0.0))
    b.emit(If((out,), there, Block((), side.finish(), (scale,)), Block((), (), (Const(0.0),)), b.span))
    return out


def _scaled(items: Atom, scale: Atom, b: Builder) -> Block:
    """One round: the distance of an item from the mean, times a factor."""
    mean = b.call(sys.modules["statistics"].fmean, items, type=FLOAT)
    x, side = Var("", FLOAT, True), Builder(b.span)
    found = side.call(operator.mul, side.call(operator.sub, x, mean, type=FLOAT), scale, type=FLOAT)
    return Block((x,), side.finish(), (found,))


def statistic_dot(dots: Dots, s: Call, F: Builder) -> None:
    """ẏ = Σ ẋ / n, and the others as they are above."""
    items: Any = s.args[0]
    moved = dots.complete(items, F)
    if s.fn.value.__name__ in MEANS:  # type: ignore[union-attr]
        total = F.call(sum, moved, type=FLOAT)
        return dots.bind(s.out, F.call(operator.truediv, total, F.call(len, items, type=INT), name=dot_name(s.out)), F)
    scale = _scale(s, Const(1.0), F)
    round_ = _scaled(items, scale, F)
    x_dot, more, parts = Var("", FLOAT, True), Builder(F.span), Var("", List(FLOAT), True)
    part = more.call(operator.mul, round_.results[0], x_dot, type=FLOAT)
    body = Block((*round_.params, x_dot), (*round_.statements, *more.finish()), (part,))
    F.emit(Loop((parts,), (), (items, moved), None, body, None, s.span, equal_lengths=True))
    return dots.bind(s.out, F.call(sum, parts, name=dot_name(s.out), type=FLOAT), F)


HANDLERS["statistic"], ALONG["statistic"] = statistic_back, statistic_dot

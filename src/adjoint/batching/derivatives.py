"""Derivatives along lanes: pullbacks by their programs for lanes, and what is made of them."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from ..derivatives import is_compiled
from ..errors import AdjointError
from ..gradients import Differentiated, grad
from ..ir.types import Nested
from ..of_functions import SHOWN, OfFunction
from ..rules.found_by import has_identity
from ..rules.registry import Back, find_rules, has_rules
from ..runtime.argnums import defaults_of, name_of, place_of
from ..runtime.binding import bind, gathered
from ..runtime.callables import function_behind
from ..runtime.calls import program_of_call, spec_of_call
from ..runtime.dispatch import call_pullback
from ..runtime.slots import RuleBack
from ..runtime.spec import CALLERS, SPECIAL
from ..runtime.tables import Needs, find_spec, table_of
from ..runtime.targets import overridden, select, without_first
from ..runtime.typeof import typeof
from ..tangents import release, scalar_seed, tangent
from ..tangents.form import check_pair
from ..tangents.lanes import NoLanes, current
from ..tangents.sweep import in_sweep
from .calls import (
    PULLBACKS,
    VERBS,
    Turning,
    each_lane,
    is_inner,
    rule_along,
    rule_takes_lanes,
)
from .checks import check_computes, check_single, known_refusal, refusal
from .joining import BackAlong, joined_values, single_lanes
from .values import lane_of

Values = tuple[Any, ...]


def pullback_along(f: Any, args: Values, kwargs: dict[str, Any], needs: Needs = None) -> tuple[Any, Back]:
    """`(y, back)` of a call for all lanes: `back` gives the cotangents of the function, of each argument, and of each
    keyword argument, in each lane."""
    kind = type(f)
    if kind is types.MethodType:
        y, back = pullback_along(function_behind(f), (f.__self__, *args), kwargs)
        return y, lambda y_bar: _of_method(f, back(y_bar))
    if kind is Differentiated and not kwargs and isinstance(typeof(lane_of(f, 0)), Nested):
        return _of_gradient(f, args, needs)
    if kind is types.FunctionType and f in CALLERS:
        raise NoLanes("a derivative of a derivative that is known only when it runs")
    if kind is types.FunctionType and f not in SPECIAL and not has_rules(f):
        return _of_function(f, args, kwargs, needs)
    rules = find_rules(f) if has_identity(f) and f not in SPECIAL and not overridden(f, lane_of(args, 0)) else None
    if rules is not None and not rules.is_users:
        return _by_rule(f, rules, args, kwargs, needs)
    call = getattr(kind, "__call__", None)  # noqa: B004 - the method itself is wanted
    if rules is None and isinstance(call, types.FunctionType) and not is_inner(call) and not has_rules(call):
        y, back = _of_function(call, (f, *args), kwargs, None)
        return y, without_first(back)
    return _each_lane(f, args, kwargs)


def _of_method(f: Any, bars: Values) -> Values:
    """The cotangents of a bound method and its arguments, from those of its function."""
    _, self_bar, *others = bars
    return (None if self_bar is None else tangent(f, ("__self__",), self_bar), *others)


def _of_function(f: types.FunctionType, args: Values, kwargs: dict[str, Any], needs: Needs) -> tuple[Any, Back]:
    if (known := known_refusal(f, args)) is not None:
        raise NoLanes(known)
    try:
        table = table_of(f)
        flat, layout = bind(f, table.signature, args, kwargs)
        wanted = layout.needs(needs)
        spec = find_spec(lane_of(f, 0), table, lane_of(flat, 0), wanted)
    except AdjointError as error:
        raise refusal(error, f, args) from None
    check_computes(spec, f)
    y, back = rule_along(spec, (f, *flat) if spec.takes_self else flat)
    return y, gathered(layout, f, back)


def _of_gradient(f: Differentiated, args: Values, needs: Needs) -> tuple[Any, Back]:
    try:
        spec, _ = spec_of_call(lane_of(f, 0), lane_of(args, 0), {}, needs)
    except AdjointError as error:
        raise refusal(error, f, args) from None
    check_computes(spec, f)
    y, back = rule_along(spec, (program_of_call(len(args), ()), f, *args) if spec.takes_self else (f, *args))
    return y, without_first(back)


def _by_rule(f: Any, rules: Any, args: Values, kwargs: dict[str, Any], needs: Needs) -> tuple[Any, Back]:
    """By the rule, if that takes lanes; else by that of each lane."""
    found = select(rules, lane_of(args, 0), lane_of(kwargs, 0))
    if found is None:
        return _each_lane(f, args, kwargs)
    method, picks, slots = found
    values = (*args, *kwargs.values())
    keywords = {k: v for i, (k, v) in enumerate(kwargs.items(), start=len(args)) if i not in picks}
    if not rule_takes_lanes(f):
        return _each_lane(f, args, kwargs)
    try:
        y, back = method.call(*[values[i] for i in picks], **keywords)
    except (NoLanes, Exception):  # noqa: B014 - what is wrong with a single lane is raised again
        return _each_lane(f, args, kwargs)
    return y, Turning(RuleBack(back, slots), lambda: _each_lane(f, args, kwargs)[1])


def _each_lane(f: Any, args: Values, kwargs: dict[str, Any]) -> tuple[Any, Back]:
    check_single(f, args, kwargs)
    n = current.count
    if not n:
        raise NoLanes
    with single_lanes():
        found = [call_pullback(lane_of(f, i), *lane_of(args, i), **lane_of(kwargs, i)) for i in range(n)]
    return joined_values([y for y, _ in found]), BackAlong([back for _, back in found])


def _caller_along(caller: types.FunctionType) -> Any:
    """The function that generated code calls for `(y, back)`, along lanes."""
    cells = dict(zip(caller.__code__.co_freevars, caller.__closure__ or (), strict=True))
    needs = cells["needs"].cell_contents if "needs" in cells else None

    def along(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
        y, back = pullback_along(f, args, kwargs, needs)
        return y, back if isinstance(back, (Turning, BackAlong)) else Turning(back)

    return along


PULLBACKS.append(_caller_along)


def _gradient_along(g: Differentiated, args: Values, kwargs: dict[str, Any]) -> Any:
    """The result of `grad(f)` and `value_and_grad(f)`, along lanes."""
    f = g._f
    if g._check or g._compile or is_compiled(f):
        raise NoLanes("a compiled or checked gradient")
    kwargs = {**kwargs, **(defaults_of(f, g._wanted, len(args), kwargs) or {})}
    places = [place_of(f, which, args, kwargs) for which in g._wanted]
    needs = (False, *[i in places for i in range(len(args) + len(kwargs))])
    y, back = pullback_along(f, args, kwargs, needs)
    one = lane_of(y, 0)
    if g._has_aux:
        check_pair(one, name_of(f))
        bars = in_sweep(back, (scalar_seed(one[0], name_of(f)), None))
    else:
        bars = in_sweep(back, scalar_seed(one, name_of(f)))
    given = (f, *args, *kwargs.values())
    taken: dict[int, Any] = {}
    grads = tuple([release(bars[1 + i], lane_of(given[1 + i], 0), taken) for i in places])
    return g._handed_over(y, grads[0] if g._single else grads)


VERBS[Differentiated] = _gradient_along


def _blocks_along(j: OfFunction, args: Values, kwargs: dict[str, Any]) -> Any:
    """The result of `jacobian(f)` and `hessian(f)`, along lanes: row by row, each of all lanes; of arrays by one
    argument."""
    asked, kind = j._asked, SHOWN[j._of_call]
    plain = kind in ("J", "∇²") and isinstance(asked.argnums, int) and not kwargs and asked.sparsity is None
    plain = plain and not (asked.compile or asked.has_aux or asked.mode == "forward")  # each lane does what is asked
    if not plain or not 0 <= asked.argnums < len(args):  # type: ignore[operator]
        return each_lane(j, args, kwargs)
    at: int = asked.argnums  # type: ignore[assignment]
    x = lane_of(args[at], 0)
    y, back = pullback_along(
        j._f if kind == "J" else grad(j._f, at), args, {}, (False, *[i == at for i in range(len(args))])
    )
    like = lane_of(y, 0)
    if not all([isinstance(a, (np.ndarray, np.floating)) and a.dtype.kind == "f" for a in (x, like)]):
        return each_lane(j, args, kwargs)
    dtype = np.result_type(like.dtype, x.dtype)
    if like.size * x.size * dtype.itemsize > asked.max_bytes:
        return each_lane(j, args, kwargs)
    rows = []
    for i in range(like.size):
        seed = np.zeros(like.size, like.dtype)
        seed[i] = 1
        bar = in_sweep(back, seed.reshape(like.shape) if like.ndim else seed[0])[1 + at]
        rows.append(np.zeros_like(x) if bar is None else bar)
    return np.stack(rows).reshape(*like.shape, *x.shape).astype(dtype) if rows else each_lane(j, args, kwargs)


VERBS[OfFunction] = _blocks_along

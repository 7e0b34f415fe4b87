"""`vmap` within what is differentiated, and within what is mapped itself."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from ..derivatives import begin
from ..errors import AdjointError, BatchError, calling_place
from ..ir.nodes import Const
from ..rules.registry import Back, non_differentiable, rule
from ..runtime.argnums import name_of
from ..runtime.binding import bind
from ..runtime.dispatch import call_pullback
from ..runtime.tables import find_primal, table_of
from ..runtime.targets import special
from ..tangents import tangent
from ..tangents.lane_runs import joined_tangents, mapped
from ..tangents.lanes import Lanes, NoLanes, current
from ..tangents.structural import Tangent, class_of, fields_of
from ..tangents.sweep import in_sweep, thread
from ..tangents.tuples import tuple_like
from ..transforms.uses import calls_of
from .axes import along_axes, axes_of_leaves, number_of_lanes
from .calls import VERBS, call_along
from .derivatives import pullback_along
from .mapped import Mapped, lanes
from .programs import acts
from .stacking import checked_axis, stacked_lanes
from .values import lane_of, of_each


class BarsOf:
    """The cotangents of a function and its arguments as a function of that of its result, and of the arguments; the
    last arguments are given by these names."""

    def __init__(self, f: Any, names: tuple[str, ...]) -> None:
        self._f, self._names = f, names

    @property
    def __name__(self) -> str:
        return name_of(self._f)

    def __call__(self, y_bar: Any, *values: Any) -> Any:
        n = len(values) - len(self._names)
        y, back = call_pullback(self._f, *values[:n], **dict(zip(self._names, values[n:], strict=True)))
        return back(y_bar)


def _bars_along(self: BarsOf, args: Any, kwargs: Any) -> Any:
    y_bar, *values = args
    n = len(values) - len(self._names)
    y, back = pullback_along(self._f, tuple(values[:n]), dict(zip(self._names, values[n:], strict=True)))
    return back(y_bar)


VERBS[BarsOf] = _bars_along


class MappedBars(Mapped):
    """Cotangents of many lanes; where some have none, they are zeros."""

    def stack(self, found: list[Any]) -> Any:
        return stacked_lanes(joined_tangents(found), len(found), 0)


@rule(Mapped.__call__, calls=True)
def mapped_rule(self: Mapped, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """ȳ_i ↦ x̄_i in each lane; what all lanes share gets the sum."""
    axes = self.axes_of(args, kwargs)
    given = (*args, *kwargs.values())
    n = number_of_lanes([*given], axes, self.names_of(args, kwargs))
    of_leaves = [axes_of_leaves(x, axis) for x, axis in zip(given, axes, strict=True)]
    check_stacked(self)
    done, all_y = tried(self, args, kwargs, axes, n)
    y, bars_of = (all_y, together(self, kwargs, axes, given)) if done else one_by_one(self, args, kwargs, axes, n)

    def mapped_back(y_bar: Any) -> Any:
        if y_bar is None:
            return (None,) * (1 + len(axes))
        f_bar, *bars = bars_of(y_bar)
        f_bar = tangent(self, ("_f",), brought(f_bar, None, n))
        return (f_bar, *[brought(bar, axis, n) for bar, axis in zip(bars, of_leaves, strict=True)])

    return y, mapped_back


def tried(self: Mapped, args: tuple[Any, ...], kwargs: dict[str, Any], axes: list[Any], n: int) -> tuple[bool, Any]:
    """True and the results of all lanes together, if that can be."""
    try:
        return True, self.in_parts(self.together, args, kwargs, axes, n)
    except NoLanes:
        return False, None


@special(tried)
def tried_rule(own: Any, self: Mapped, args: Any, kwargs: Any, axes: Any, n: int, /) -> tuple[Any, Back]:
    """Its derivative is that of the call."""
    done, _ = tried(self, args, kwargs, axes, n)
    if not done:
        return (False, None), lambda d: (None,) * 6
    names, k = tuple(kwargs), len(args)
    y, back = call_pullback(self, *args, **kwargs)

    def tried_back(d: Any) -> Any:
        self_bar, *bars = back(None if d is None else d[1])
        return (None, self_bar, tuple(bars[:k]), dict(zip(names, bars[k:], strict=True)), None, None)

    return (True, y), tried_back


def together(self: Mapped, kwargs: dict[str, Any], axes: list[Any], given: tuple[Any, ...]) -> Any:
    """The pullback of all lanes together."""
    all_bars = MappedBars(BarsOf(self._f, tuple(kwargs)), (self._out_axes, *axes), 0, self._chunk_size, False)
    return lambda y_bar: all_bars(y_bar, *given)


def one_by_one(self: Mapped, args: Any, kwargs: Any, axes: list[Any], n: int) -> tuple[Any, Any]:
    """The results of the loop and their pullbacks, of a function that is to run once for each lane."""
    check_some(self, n)
    found = [pair_of(self._f, one, by_name) for one, by_name in lanes(args, kwargs, axes, n)]

    def bars_of(y_bar: Any) -> Any:
        parts = [along_axes(lambda a, at, name: np.moveaxis(a, at, 0)[i], y_bar, self._out_axes, "") for i in range(n)]  # noqa: B023
        bars = [in_sweep(back, d) for (_, back), d in zip(found, parts, strict=True)]
        return stacked_bars(bars)

    return self.stack([y for y, _ in found]), bars_of


def check_some(self: Mapped, n: int) -> None:
    """Refuse the loop over nothing: what its results are is not known."""
    if not n:
        raise self.refused(n, "its lanes run one after the other")


def pair_of(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result and the pullback of one lane, of a function that leaves nothing behind which another lane could read.

    Raises
    ------
    BatchError
        If that is not sure: what flows from one lane to the next would be lost.
    """
    return begun(f, args, kwargs) if acts_alone(f, args, kwargs) else begun_on_trial(f, args, kwargs)


def begun(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result and the pullback."""
    return begin(None, f, args, kwargs)[:2]


def begun_on_trial(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The same, of a program that is known to leave nothing behind."""
    return on_trial(begun, f, args, kwargs)


@special(begun_on_trial)
def begun_on_trial_rule(own: Any, f: Any, args: Any, kwargs: Any, /) -> tuple[Any, Back]:
    """Its derivative is that of what is begun."""
    return on_trial(call_pullback, f, args, kwargs, begun)  # type: ignore[no-any-return]


def on_trial(run: Any, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *first: Any) -> Any:
    """The result of `run`, if nothing is done that could not be done again."""
    state = thread.state
    trial, state.trial = state.trial, True
    try:
        return run(*first, f, args, kwargs)
    except AdjointError as error:
        raise BatchError(
            f"the derivative of `vmap({name_of(f)})`, which may change what its lanes share",
            f"what one lane may leave there flows to the next: {error.what}",
            "write the loop, or take the derivative within it: `vmap(grad(f))`; or return what it stores",
            calling_place(),
        ) from None
    finally:
        state.trial = trial


def acts_alone(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """True if a program is known whole, and does no more than to print, to draw and to compute: it stores nowhere."""
    if type(f) is not types.FunctionType:
        return False
    try:
        table = table_of(f)
        spec, in_memory = find_primal(f, table, bind(f, table.signature, args, kwargs)[0])
    except AdjointError:
        return False
    calls = [s for part in spec.all() if part.primal is not None for s in calls_of(part.primal.body.statements)]
    stores = any([isinstance(s.fn, Const) and acts(s) for s in calls])
    return spec.resolved and not in_memory and not spec.all_written and not stores


def check_stacked(self: Mapped) -> None:
    """Refuse what stands for all lanes in a result: it says of none of them what flows to it."""
    if has_none(self._out_axes):
        raise BatchError(
            f"`{name_of(self._f)}` is differentiated through a result with `out_axes=None`",
            "what is the same in all lanes does not say which of them its derivative flows to",
            "stack it with `out_axes=0`, and take one of its items",
            calling_place(),
        )


def has_none(axes: Any) -> bool:
    """True if None is among axes."""
    if isinstance(axes, (tuple, list, dict)):
        return any(map(has_none, axes.values() if isinstance(axes, dict) else axes))
    return axes is None


def brought(bars: Any, axis: Any, n: int) -> Any:
    """Cotangents with the lanes first as those of an argument that has them along an axis, or that all share."""
    return _by_axes(lambda d, at: d.sum(axis=0) if at is None else np.moveaxis(d, 0, at), bars, axis)


def returned(d: Any, axis: Any, n: int) -> Any:
    """The transposed of `brought`."""
    return _by_axes(lambda a, at: np.repeat(a[None], n, axis=0) if at is None else np.moveaxis(a, at, 0), d, axis)


@rule(brought)
def brought_rule(bars: Any, axis: Any, n: int) -> tuple[Any, Back]:
    """Each lane gets its part of what all have, or what they share."""
    return brought(bars, axis, n), lambda d: (returned(d, axis, n), None, None)


@rule(returned)
def returned_rule(d: Any, axis: Any, n: int) -> tuple[Any, Back]:
    """The transposed of the transposed."""
    return returned(d, axis, n), lambda bars: (brought(bars, axis, n), None, None)


def stacked_bars(bars: list[Any]) -> Any:
    """The cotangents of lanes, stacked."""
    try:
        return stacked_lanes(joined_tangents(bars), len(bars), 0)
    except NoLanes:
        raise BatchError(
            "the cotangents of a function of lanes have other forms in other lanes",
            "they are stacked, as the results are",
            "write the loop",
            calling_place(),
        ) from None


def parts_of_bars(d: Any, n: int) -> list[Any]:
    """The transposed of `stacked_bars`."""
    return [_by_axes(lambda a, at: a[i], d, None) for i in range(n)]  # noqa: B023


@rule(stacked_bars)
def stacked_bars_rule(bars: list[Any]) -> tuple[Any, Back]:
    """Each lane gets its part."""
    n = len(bars)
    return stacked_bars(bars), lambda d: (parts_of_bars(d, n),)


@rule(parts_of_bars)
def parts_of_bars_rule(d: Any, n: int) -> tuple[Any, Back]:
    """The transposed of the transposed."""
    return parts_of_bars(d, n), lambda parts: (stacked_bars(parts), None)


def _by_axes(f: Any, d: Any, axis: Any) -> Any:
    if d is None:
        return None
    if isinstance(axis, dict):
        if type(d) is Tangent:
            return Tangent(class_of(d), {key: _by_axes(f, x, axis.get(key)) for key, x in fields_of(d).items()})
        return {key: _by_axes(f, x, axis.get(key)) for key, x in d.items()}
    if isinstance(axis, (tuple, list)):
        items = [_by_axes(f, item, at) for item, at in zip(d, axis, strict=True)]
        return items if isinstance(d, list) else tuple_like(type(d), items)
    if isinstance(d, (np.ndarray, np.generic, float, complex)):
        return f(np.asarray(d), axis)
    if isinstance(d, (tuple, list, dict, Tangent)):
        return mapped(lambda item: _by_axes(f, item, axis), d)
    return d


non_differentiable(acts_alone, number_of_lanes, axes_of_leaves, check_some, check_stacked, has_none)

# ---- in a run for all lanes


def _mapped_along(self: Mapped, args: Any, kwargs: Any) -> Any:
    """`vmap` of what has lanes: all pairs of lanes are the lanes of one run."""
    outer = current.count or 0
    axes = self.axes_of(args, kwargs)
    given = [*args, *kwargs.values()]
    inner = number_of_lanes([lane_of(x, 0) for x in given], axes, self.names_of(args, kwargs))
    if not inner or not outer:
        raise NoLanes("`vmap` of nothing within `vmap`")
    values = [_paired(x, axis, outer, inner) for x, axis in zip(given, axes, strict=True)]
    f = of_each(lambda x: _repeated(x, inner), self._f)
    current.count = outer * inner
    try:
        y = call_along(f, *values[: len(args)], **dict(zip(kwargs, values[len(args) :], strict=True)))
    finally:
        current.count = outer
    return _apart(y, self._out_axes, outer, inner)


def _repeated(x: Lanes, inner: int) -> Lanes:
    return Lanes(np.repeat(x.data, inner, axis=0))


def _paired(x: Any, axis: Any, outer: int, inner: int) -> Any:
    """An argument with the lanes of both: those within run faster."""
    if axis is None:
        return of_each(lambda d: _repeated(d, inner), x)

    def merged(a: Any, at: int | None, name: str) -> Any:
        if at is None:
            return _repeated(a, inner)
        data = np.moveaxis(a.data, 1 + at, 1) if type(a) is Lanes else np.moveaxis(a, at, 0)[None]
        data = np.broadcast_to(data, (outer, *data.shape[1:]))
        return Lanes(data.reshape(outer * inner, *data.shape[2:]))

    return along_axes(merged, x, axis, "")


def _apart(y: Any, axes: Any, outer: int, inner: int) -> Any:
    """A result of all pairs of lanes, stacked along the lanes within."""
    if type(y) is Lanes:
        if axes is None:
            raise NoLanes
        data = y.data.reshape(outer, inner, *y.shape)
        return Lanes(np.moveaxis(data, 1, 1 + checked_axis(axes, y.ndim, "the result")))
    if isinstance(y, (tuple, list, dict, Tangent)):
        if isinstance(axes, (tuple, list, dict)):
            raise NoLanes
        return mapped(lambda item: _apart(item, axes, outer, inner), y)
    return stacked_lanes(y, inner, axes)


VERBS[Mapped] = VERBS[MappedBars] = _mapped_along

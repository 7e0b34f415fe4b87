"""The `back` that `pullback` gives beside the value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy import ndarray

from ..classify import KINDS
from ..rules.python.iteration import Materialised
from ..rules.registry import non_differentiable, not_implemented
from ..runtime.argnums import name_of
from ..runtime.dispatch import call_pullback
from ..runtime.targets import special
from ..tangents import Tangent, release, tangent, tuple_like
from ..tangents.floats import is_of_floats
from ..tangents.form import fit, form_of
from ..tangents.lane_runs import by_lane, has_lanes, in_lanes, lane_count, unlaned, width
from ..tangents.lanes import Lanes
from ..tangents.plain_forms import MISFIT, fit_plain
from ..tangents.seeds import Seeds
from ..tangents.sweep import in_sweep
from .choice import DEBUGGER
from .handing import arrays_of
from .residuals import residuals

_ONE = frozenset([ndarray, float, np.float64])
"""Classes of cotangents that have no lanes and in which there are no others, as most are."""
_NUMBERS = frozenset([float, np.float64])
"""Classes of values that are their own form."""


class Pullback:
    """The map that `pullback` returns: `back(Δ)` gives the cotangents of the function and of each argument.

    It may be called any number of times, from any thread.

    Examples
    --------
    >>> from adjoint import pullback
    >>> y, back = pullback(lambda x, y: x * y, 2.0, 3.0)
    >>> back(1.0), back(10.0)
    ((None, 3.0, 2.0), (None, 30.0, 20.0))
    """

    __slots__ = ("_args", "_back", "_dtype", "_f", "_form", "_hand", "_kept")

    def __init__(
        self,
        back: Callable[[Any], tuple[Any, ...]],
        args: tuple[Any, ...],
        f: Any,
        y: Any,
        kept: Any = None,
        hand: Any = None,
    ) -> None:
        self._back = back
        self._args = args
        self._f = f
        self._kept = kept
        self._hand = hand  # of arguments whose types say how: `handing.hand_of`
        if type(y) is ndarray and y.dtype.kind in "fc":
            self._form, self._dtype = y.shape, y.dtype
        else:
            self._form, self._dtype = y if type(y) in _NUMBERS else _form_of(y), None

    def __call__(self, y_bar: Any) -> tuple[Any, ...]:
        if self._kept is not None:
            self._kept.check()
        if type(y_bar) is float:
            if type(self._form) is not float:
                y_bar = np.float64(y_bar) if type(self._form) is np.float64 else _fitted(self, y_bar)
        elif type(y_bar) is not ndarray or y_bar.dtype is not self._dtype or y_bar.shape != self._form:
            plain = MISFIT if self._dtype is not None else fit_plain(y_bar, self._form)
            if plain is not MISFIT:
                y_bar = plain
            else:
                within = has_lanes(y_bar)  # of a rule of the library, which is run with lanes itself
                y_bar = _fitted(self, y_bar)
                if type(y_bar) not in _ONE and has_lanes(y_bar):
                    laned: tuple[Any, ...] = self.along_lanes(y_bar)
                    return laned if within else unlaned(laned, width(y_bar))
        args = self._args
        bars = (None,) * len(args) if y_bar is None else in_sweep(self._back, y_bar)
        if (debugger := DEBUGGER.get()) is not None:
            debugger.judge(y_bar, bars, self._name)
        if self._hand is not None:
            return self._hand(bars, args, y_bar)  # type: ignore[no-any-return]
        if len(bars) == len(args) <= 3 and type(y_bar) in _ONE:
            other = y_bar
            for d, x in zip(bars, args):  # noqa: B905 - they are as many
                if d is not None and (type(d) is not float or type(x) is not float):
                    if type(d) is not ndarray or d.base is not None or d is x or d is other or d is y_bar:
                        break
                    other = d
            else:
                return bars  # numbers, or one or two arrays that nobody else has, as most often
        return _handed(bars, args, y_bar)

    def along_lanes(self, y_bar: Any) -> Any:
        """The cotangents for several of the result, in lanes."""
        if DEBUGGER.get() is not None:
            return by_lane(self, y_bar)
        return released(in_lanes(in_sweep, self._back, y_bar), self._args, None)

    def repeated(self, zeros: Any, y_bar: Any) -> Any:
        """Zero cotangents, one in each lane if `y_bar` has several."""
        if type(y_bar) in _ONE:
            return zeros
        return unlaned(zeros, width(_fitted(self, y_bar)))

    @property
    def _name(self) -> str:
        """The name of the map, without what it keeps."""
        return f"∂({name_of(self._f)})"

    def __repr__(self) -> str:
        if not hasattr(self, "_form"):
            return "<pullback that is being made>"
        names = list(residuals(self))
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN + 1 else ""
        return f"{self._name}{' of ' * bool(names)}{', '.join(names[:_SHOWN] if more else names)}{more}"

    def _repr_html_(self) -> str:
        from ..markup import element  # loaded when something is shown
        from ..tangents.showing import fields_table

        kept = residuals(self)
        caption = f"{self._name} keeps {'these values of the run' if kept else 'no value of the run that has a name'}"
        return fields_table(kept, caption, _within, heads=("kept", "value")) if kept else element("p", caption)


def _within(x: Any) -> dict[str, Any] | None:
    """The residuals of a pullback that a called function gave."""
    return x if type(x) is dict else None


KINDS[Pullback] = "pullback"
_SHOWN = 6
"""The number of kept values that the text of a pullback names."""


def _form_of(y: Any, level: int = 0) -> Any:
    """The form that `fit` holds cotangents of a value against, with the iterators in it as they are."""
    if type(y) is Materialised:
        return y
    if isinstance(y, (tuple, list)) and level < _DEPTH and not _ONE.issuperset(map(type, y)):
        items = [item if type(item) is float else _form_of(item, level + 1) for item in y]
        return tuple(items) if type(y) is tuple else _again(y, items)
    if isinstance(y, dict) and level < _DEPTH:
        return {key: _form_of(item, level + 1) for key, item in y.items()}
    return form_of(y)


_DEPTH = 3
"""The depth in a result to which iterators are looked for."""


def _form(pullback: Pullback) -> Any:
    """The form that `fit` holds its cotangents against."""
    form, dtype = pullback._form, pullback._dtype
    if dtype is not None:
        return form_of(np.broadcast_to(np.zeros((), dtype), form))
    return form


def _fitted(pullback: Pullback, y_bar: Any) -> Any:
    """A cotangent as one of the value: with its structure, its shapes and its precision."""
    form = _form(pullback)
    if _has_iterators(form):
        form, y_bar = _taken(form, y_bar)
    return fit(y_bar, form, pullback._name)


def _has_iterators(form: Any) -> bool:
    """Tell whether a value holds iterators whose items are made when they are asked for."""
    items = form.values() if isinstance(form, dict) else form if isinstance(form, tuple | list) else ()
    return type(form) is Materialised or any([_has_iterators(item) for item in items])


def _taken(form: Any, y_bar: Any) -> tuple[Any, Any]:
    """The form of a value in which the iterators have given their items, as many as have a cotangent, and one more
    where there are too few of these; and the cotangent, with a list for each iterator."""
    if type(form) is Materialised:
        several = isinstance(y_bar, Iterable) and not isinstance(y_bar, _NO_ITEMS)
        if not several or isinstance(y_bar, ndarray) and not y_bar.ndim:
            return form_of(form), y_bar
        bars = list(y_bar)
        form.make(len(bars) + 1)
        items = [*form.items, *[None] * len(bars)]
        rows = [tuple(bar) if isinstance(x, tuple) and isinstance(bar, ndarray) else bar for bar, x in zip(bars, items)]  # noqa: B905
        return form_of(form.items), rows
    if isinstance(form, tuple | list) and isinstance(y_bar, tuple | list) and len(form) == len(y_bar):
        pairs = [_taken(f, bar) for f, bar in zip(form, y_bar, strict=True)]
        return _again(form, [f for f, _ in pairs]), [bar for _, bar in pairs]
    if isinstance(form, dict) and isinstance(y_bar, dict):
        taken = {key: _taken(form[key], bar) for key, bar in y_bar.items() if key in form}
        return {**form, **{key: f for key, (f, _) in taken.items()}}, {
            key: taken[key][1] if key in taken else bar for key, bar in y_bar.items()
        }
    return form, y_bar


def _again(form: Any, items: list[Any]) -> Any:
    """A form of a list or a tuple, of other items."""
    return items if isinstance(form, list) else tuple_like(type(form), items)


_NO_ITEMS = (str, bytes, dict, set, frozenset, Tangent, Seeds, Lanes)
"""Classes of what can be run through and says nothing of one item after the other."""


@special(Pullback.__call__)
def call_of_pullback_rule(f: Any, self: Pullback, y_bar: Any, /) -> tuple[Any, Any]:
    """The derivative of running a pullback: that of the `back` it holds."""
    y_bar = fitted(self, y_bar)
    if y_bar is None:
        return (None,) * len(self._args), lambda d: (None, None, None)
    bars, back = call_pullback(in_sweep, self._back, y_bar)
    by_name = (None,) * (len(bars) - len(self._args))  # nobody sees the cotangents of keywords

    def call_back(d: Any) -> tuple[Any, Any, Any]:
        _, back_bar, y_bar_bar = back(None if d is None else (*d, *by_name))
        return None, tangent(self, ("_back",), back_bar), y_bar_bar

    return released(bars, self._args, y_bar), call_back


def fitted(pullback: Pullback, y_bar: Any) -> Any:
    """A cotangent of one value, with its structure, its shapes and its precision."""
    return _fitted(pullback, y_bar)


def released(bars: tuple[Any, ...], args: tuple[Any, ...], y_bar: Any) -> tuple[Any, ...]:
    """The cotangents of the function and its arguments, as the user may keep and change them."""
    taken = arrays_of(y_bar)
    return tuple([release(d, x, taken, False) for d, x in zip(bars, args, strict=False)])


def _handed(bars: tuple[Any, ...], args: tuple[Any, ...], y_bar: Any) -> tuple[Any, ...]:
    """`released`, quickly."""
    taken = arrays_of(y_bar)
    given = []
    for d, x in zip(bars, args):  # noqa: B905 - a rule may leave off the last ones
        if type(d) is ndarray:
            if d.base is not None or d is x or id(d) in taken:
                d = d.copy()
            taken[id(d)] = d
        elif d is not None:
            d = release(d, x, taken, False)
        given.append(d)
    return tuple(given)


non_differentiable(is_of_floats, arrays_of, _form, _form_of, _has_iterators, Pullback.repeated, lane_count, has_lanes)
not_implemented(
    by_lane,
    why="rules are differentiated for single values",
    way_out="take one seed after the other in what is differentiated",
)

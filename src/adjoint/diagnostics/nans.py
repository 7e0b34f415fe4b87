"""The search of `debug_nans` for the first nan or infinity of a reverse pass: derivatives are recorded under an
observer."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..derivatives import record
from ..errors import NonFiniteError, Place
from ..origin import is_users
from ..recording.observer import Observer, Operation, observed_by
from ..recording.operations.ruled import snapshot
from ..recording.places import gather_cotangent, place, scatter_cotangent
from ..recording.sweep import Sweep
from ..runtime.argnums import name_of
from ..tangents import Tangent, scalar_seed
from ..tangents.structural import fields_of
from .explaining import full_name, looked_into

WAY_OUT = (
    "keep the operands where the derivative is finite; what `np.where` does not choose is computed and reversed as "
    "well, so that its argument must be safe there too"
)


OUTSIDE = "it was made outside of `debug_nans`, where no step is looked at"


class Finder:
    """Takes the derivatives of a context by recordings that look at every cotangent."""

    def record(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """`(y, back)` of a call, with a `back` that raises `NonFiniteError`."""
        observer = _Watch()
        with observed_by(observer):
            y, back, given = record(f, args, kwargs)

        def finite_back(y_bar: Any) -> Any:
            if not is_finite(y_bar):
                raise came_in(y_bar)
            bars = back(y_bar)
            self.judge(y_bar, bars, f"the reverse of `{name_of(f)}`", "no step in a file of the user's makes it")
            return bars

        return y, finite_back, given

    def judge(self, y_bar: Any, bars: tuple[Any, ...], name: str, why: str = OUTSIDE) -> None:
        """Raise if a pullback has made a nan or an infinity that no step was seen to make."""
        if is_finite(bars):
            return
        if not is_finite(y_bar):
            raise came_in(y_bar)
        raise NonFiniteError(
            f"{name} gives {_first(bars)}",
            f"the cotangent that it was given is finite; {why}",
            "call `pullback` within `debug_nans`, of a smaller part of the program",
        )

    def judge_within(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], bars: tuple[Any, ...]) -> None:
        """Raise if a gradient that is differentiated in its turn is not finite: taken again, it shows the step."""
        if is_finite(bars):
            return
        y, back, _ = self.record(f, args, kwargs)
        back(scalar_seed(y, name_of(f)))
        self.judge(1.0, bars, f"the reverse of `{name_of(f)}`", "taken once more, the derivative is finite")


def came_in(y_bar: Any) -> NonFiniteError:
    """The error for a cotangent that is not finite from the start."""
    return NonFiniteError(
        f"the cotangent that `back` was given has {_first(y_bar)} in it: {_shown(y_bar)}",
        "it was there before anything was reversed",
        "look at what computes it",
    )


class _Watch(Observer):
    """Looks at the values of the forward run and at the cotangents of the reverse."""

    def __init__(self) -> None:
        self.first: tuple[Operation, Place | None] | None = None
        """The first operation of the forward run that made a nan or an infinity."""

    def ended(self, site: Any, role: str, value: Any) -> Any:
        return _nothing

    def done(self, operation: Operation, back: Any) -> Any:
        callee = getattr(operation.callee, "__func__", operation.callee)
        if looked_into(callee) and is_users(callee.__code__.co_filename):
            return back
        kept = operation._replace(operands=snapshot(operation.operands), result=snapshot(operation.result))
        if self.first is None and not is_finite(operation.result) and is_finite(operation.operands):
            self.first = kept, None if operation.site is None else operation.site.place()
        own, at = place(operation.result), [place(x) for x in operation.operands]

        def finite_back(sweep: Sweep, y_bar: Any) -> Any:
            received = gather_cotangent(sweep, own, y_bar)
            if not is_finite(received):
                raise self.error(kept, received)
            d = back(sweep, scatter_cotangent(sweep, own, received))
            for i, p in enumerate(at):
                given = d[1 + i] if 1 + i < len(d) else None
                if p is not None:
                    given = gather_cotangent(sweep, p, given)
                    scatter_cotangent(sweep, p, given)
                if not is_finite(given):
                    raise self.error(kept, received, i, given)
            return d

        return finite_back

    def error(self, operation: Operation, y_bar: Any, i: int = 0, x_bar: Any = None) -> NonFiniteError:
        """The error for an operation whose reverse makes `x_bar`, of its operand `i`; or, without, whose result has a
        cotangent that is not finite, though none such was handed on: it comes from adding."""
        at = None if operation.site is None else operation.site.place()
        code = full_name(operation.callee) if at is None else at.code()
        if x_bar is None:
            what = f"the cotangents of what `{code}` gave add up to {_first(y_bar)}"
            why = [f"each of them is finite; the sum is {_shown(y_bar)}"]
        else:
            what = f"the reverse of `{code}` makes {_first(x_bar)}"
            why = [f"the cotangent of its result is {_shown(y_bar)}, that of operand {i + 1} is {_shown(x_bar)}"]
        why += [f"  operand {i + 1}: {_shown(x)}" for i, x in enumerate(operation.operands)]
        why.append(f"  result: {_shown(operation.result)}")
        return NonFiniteError(what, "\n".join([*why, *self.forward()]), WAY_OUT, at)

    def forward(self) -> list[str]:
        """The message on the forward run."""
        if self.first is None:
            return []
        operation, at = self.first
        where = "" if at is None else f" at {at.filename}:{at.span[0]}, `{at.code()}`"
        return [f"the forward run already had {_first(operation.result)}{where}"]


def _nothing(sweep: Sweep, y_bar: Any) -> Any:
    return None, None


def is_finite(x: Any) -> bool:
    """Tell whether there is no nan and no infinity in a value or a cotangent."""
    if isinstance(x, float | complex | np.inexact):
        return bool(np.isfinite(x))
    if isinstance(x, np.ndarray):
        return x.dtype.kind not in "fc" or bool(np.isfinite(x).all())
    return all(map(is_finite, _parts(x)))


def _parts(x: Any) -> Any:
    if isinstance(x, list | tuple):
        return x
    if isinstance(x, dict):
        return x.values()
    return fields_of(x).values() if isinstance(x, Tangent) else ()


def _first(x: Any) -> str:
    """ "nan", or "inf"."""
    if isinstance(x, float | complex | np.inexact | np.ndarray):
        return "nan" if bool(np.isnan(x).any()) else "inf"
    return next(_first(part) for part in _parts(x) if not is_finite(part))


def _shown(x: Any) -> str:
    """A value in a line, with the shape and dtype of an array."""
    if isinstance(x, np.generic):
        return f"{x} ({x.dtype})"
    text = " ".join(np.array2string(x, threshold=8, edgeitems=3).split()) if isinstance(x, np.ndarray) else repr(x)
    text = text if len(text) <= 80 else f"{text[:77]}..."
    return f"{text} (shape {x.shape}, {x.dtype})" if isinstance(x, np.ndarray) else text

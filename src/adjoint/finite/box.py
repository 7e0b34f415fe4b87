"""A black box whose arguments are moved, and how far: until the slopes over two steps agree.

Source: W. H. Press et al., "Numerical Recipes", 3rd ed., 2007, section 5.7, for the step and for the extrapolation.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..errors import NotDifferentiableError, NumericWarning, calling_place
from .structure import leaves, rebuild
from .vectors import as_vector, pieces

Array = np.ndarray[Any, Any]

AGREES = 1e-6
"""The distance, relative to themselves, that the slopes over a step and over twice this step may have."""
SUSPECT = 1e-3
"""From here on it is said."""
IMAGINARY_STEP = 1e-30
UNSEEN = 1e-4
"""Slopes that rounding may hide are looked for over larger steps if they may be as large as this."""
LARGER = [1e4, 1e2]
"""Multiples of the steps for what rounding or noise hides."""


class Tried(NamedTuple):
    """A slope over a step, which is a multiple of the usual one; how far apart from that over another step, and how
    much of it may be rounding, as parts of it; what the function raised there."""

    slope: Array
    reach: float
    apart: float
    vague: float
    error: Exception | None = None


class Box:
    """A function and its arguments, which can be moved; `y` is its result."""

    def __init__(self, f: Callable[..., Any], args: Any, y: Any, method: str, step: float | None) -> None:
        self.f, self.args, self.y, self.step = f, args, y, step
        self.x = as_vector(args, args)
        self.imaginary = method == "complex"
        found = list(leaves(args, integers=True))
        if self.imaginary and any(np.iscomplexobj(leaf) for _, leaf in found):
            raise not_real("its arguments are complex already")
        self.whole = {path for path, leaf in found if np.asarray(leaf).dtype.kind in "iu"}
        self.fixed: set[Any] = set()
        for path in sorted(self.whole, key=str):
            if not self._takes_floats(path):
                self.fixed.add(path)

    def _takes_floats(self, path: Any) -> bool:
        """True if the function gives the same for a float in place of an integer."""
        try:
            floated = self.called(self.moved(self.x, keep=self.whole - {path}))
        except (TypeError, ValueError, IndexError):
            return False
        given, wanted = as_vector(floated, floated), as_vector(self.y, self.y)
        return len(given) == len(wanted) and bool(np.allclose(given, wanted, equal_nan=True))

    # ---- the function at other places

    def called(self, moved: Any) -> Any:
        """The function at moved arguments, by position and by name."""
        args, kwargs = moved
        return self.f(*args, **kwargs)

    def moved(self, v: Any, keep: Any) -> Any:
        """The arguments with these numbers; some stay as they are."""
        found = iter(pieces(v, self.args))

        def change(path: Any, leaf: Any) -> Any:
            piece = next(found)
            if path in keep:
                return leaf
            if np.iscomplexobj(piece) or path in self.whole or isinstance(leaf, float):
                return piece if isinstance(leaf, np.ndarray) else piece.item()
            return np.asarray(piece, leaf.dtype)[()] if isinstance(leaf, np.generic) else piece.astype(leaf.dtype)

        return rebuild(change, self.args)

    def result(self, v: Any) -> Any:
        """The numbers of the result; of one that is complex, for complex arguments, the imaginary parts."""
        y = self.called(self.moved(v, self.fixed))
        if not np.iscomplexobj(v):
            return as_vector(y, self.y)
        if not any(np.iscomplexobj(leaf) for _, leaf in leaves(y)):
            raise not_real("its result stays real for complex arguments")
        return as_vector(rebuild(lambda _, leaf: np.imag(leaf), y), self.y)

    # ---- how far

    @property
    def relative(self) -> Array:
        """The steps, relative to max(1, |x|)."""
        if self.step is not None or self.imaginary:
            return np.full(self.x.shape, self.step or IMAGINARY_STEP)

        def step(_: Any, leaf: Any) -> Any:
            return np.full(np.shape(leaf), _precision(leaf) ** (1 / 3)) * (1 + 1j if np.iscomplexobj(leaf) else 1)

        found: Array = as_vector(rebuild(step, self.args), self.args)
        return found

    def along(self, direction: Array, relative: Array) -> float:
        """The step by which all are moved along a direction: none of them farther than by itself."""
        moved = direction != 0
        steps = relative * np.maximum(1.0, np.abs(self.x))
        return float(np.min(steps[moved] / np.abs(direction[moved]), initial=np.inf)) if np.any(moved) else 1.0

    def reaches(self, direction: Array) -> list[float]:
        """Multiples of the steps: for what has a scale of its own, and for what is noisy."""
        own = self.own(direction)
        return [*([own] if own < 0.1 else []), 1e-2, 1e-4, 1e-6, *LARGER]

    def own(self, direction: Array) -> float:
        """The multiple for steps relative to |x|."""
        sizes = np.abs(self.x[(direction != 0) & (self.x != 0)])
        return float(np.min(np.minimum(sizes, 1.0), initial=1.0))

    # ---- slopes

    def slope(self, direction: Array, h: float) -> Array:
        """The derivative of the result along a direction, over a step."""
        if self.imaginary:
            found: Array = self.result(self.x + 1j * h * direction) / h
            return found
        return self._central(direction, h)[0]

    def _central(self, direction: Array, h: float) -> tuple[Array, Array]:
        """The difference over a step, and what of it may be rounding."""
        ahead, behind = self.result(self.x + h * direction), self.result(self.x - h * direction)
        precision = max([_precision(leaf) for _, leaf in leaves(self.y)], default=0.0)
        with np.errstate(all="ignore"):
            rounding = 4 * precision * np.maximum(np.abs(ahead), np.abs(behind)) / h
            return (ahead - behind) / (2 * h), rounding

    def settled(self, direction: Array) -> tuple[Array, float]:
        """The derivative along a direction, and the multiple of the steps over which it is found."""
        if self.imaginary or self.step is not None:
            return self.slope(direction, self.along(direction, self.relative)), 1.0
        best = self.extrapolated(direction)
        if max(best.apart, best.vague) > SUSPECT and np.any(best.slope):
            place = calling_place()
            filename, line = (__file__, 1) if place is None else (place.filename, place.span[0])
            name, apart = getattr(self.f, "__name__", self.f), max(best.apart, best.vague)
            text = f"differences of `{name}` over several steps are apart by {apart:.0e} of their size: it jumps, is"
            text += " noisy, or has a scale of its own, for which `numeric` takes a `step`"
            warnings.warn_explicit(NumericWarning(text), NumericWarning, filename, line)
        return best.slope, best.reach

    def extrapolated(self, direction: Array) -> Tried:
        """The slope that agrees with that over twice the step and is more than rounding; else the best that was
        tried."""
        tried = [self.tried(direction, 1.0)]
        for reach in self.reaches(direction) if tried[0].apart > AGREES else LARGER:
            if tried[-1].apart <= AGREES and tried[-1].vague <= SUSPECT:
                break
            tried.append(self.tried(direction, reach))
        best = min(tried, key=lambda one: (max(one.apart, AGREES), one.vague))
        if best.error is not None:
            raise best.error
        return best

    def tried(self, direction: Array, reach: float) -> Tried:
        """The slope over a step, extrapolated to none by that over twice the step."""
        h = float(2.0 ** np.round(np.log2(self.along(direction, self.relative * reach))))  # x + h is often exact
        try:
            with np.errstate(all="ignore"):  # what the function meets on the way is not what it meets at x
                fine, rounding = self._central(direction, h)
                coarse, _ = self._central(direction, 2 * h)
        except Exception as error:  # beyond where it is defined, perhaps
            if reach == 1.0 and not isinstance(error, ArithmeticError | ValueError):
                raise
            return Tried(np.full(len(as_vector(self.y, self.y)), np.nan), reach, np.inf, np.inf, error)
        with np.errstate(all="ignore"):
            size = np.maximum(np.abs(fine), np.abs(coarse))
            gap = np.maximum(np.abs(fine - coarse) - rounding, 0) / np.where(size > 0, size, 1)
            apart = float(np.max(gap, initial=0))
            still = not np.any(fine) or reach != self.own(direction) and bool(np.all(fine == coarse))
            if reach != 1.0 and still:  # nothing moved, or by a few steps of what is rounded
                apart = np.inf
            least, most = float(np.max(rounding, initial=0)), float(np.max(size, initial=0))
            vague = least / most if most > 0 else np.inf if least > UNSEEN else 0.0
            slope = (4 * fine - coarse) / 3
        known = bool(np.all(np.isfinite(slope)))
        return Tried(slope, reach, apart if known else np.inf, vague if known else np.inf)

    def check_analytic(self, direction: Array, slope: Any, weights: Any = None) -> None:
        """Hold a slope by imaginary steps, or its product with weights, to one by real steps."""
        real = Box(self.f, self.args, self.y, "central", None)
        best = real.extrapolated(direction)
        found = best.slope
        error, size = (
            (np.abs(found - slope), np.abs(found))
            if weights is None
            else (np.abs(weights @ found - slope), np.abs(weights) @ np.abs(found))
        )
        if best.apart <= AGREES and np.max(error, initial=0.0) > SUSPECT * np.max(size, initial=0.0):
            raise not_real("its slope is not that of real steps")

    def moves(self) -> Iterator[Array | None]:
        """The unit vectors along which it is moved, None for what is fixed."""
        held = as_vector(
            rebuild(lambda path, leaf: np.full(np.shape(leaf), path in self.fixed) * 1.0, self.args), self.args
        )
        for unit, fixed in zip(np.eye(len(self.x)), held, strict=True):
            yield None if fixed else unit


def _precision(leaf: Any) -> float:
    """The relative precision of a number."""
    dtype = np.asarray(leaf).dtype
    return float(np.finfo(dtype if dtype.kind in "fc" else np.float64).eps)


def not_real(why: str) -> NotDifferentiableError:
    """The error of what has no derivative by complex steps."""
    return NotDifferentiableError(
        "the derivative of a function by complex steps",
        f"they need a real function that takes complex numbers too and is analytic in them; {why}",
        'use `method="central"`',
        calling_place(),
    )

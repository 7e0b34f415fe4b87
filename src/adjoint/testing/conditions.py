"""One pullback held to finite differences, and to every condition that a pullback has to keep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from ..finite.differences import Slope, inner, is_narrow, magnitude, random_like
from ..finite.directional import directional
from ..finite.structure import Path, component, cotangent_like, duplicate, identical, leaves, rebuild
from .report import Difference, GradientMismatch

Pullback = Callable[..., Any]


@dataclass(frozen=True)
class Tolerances:
    """The tolerances to which derivatives must agree, and which are compared: by integers, of what is not smooth, not
    by `constant` arguments, any at all."""

    rtol: float | None = None
    atol: float = 1e-7
    integers: bool = False
    smooth: bool = True
    constant: tuple[int | str, ...] = ()
    differences: bool = True


@dataclass(frozen=True)
class Call:
    """A call of `f`: the names of its keyword arguments that are differentiated (the last of `inputs`), and the others.

    `places` says for each of `inputs`, of which `f` is the first, what the report calls it.
    """

    inputs: tuple[Any, ...]
    names: tuple[str, ...]
    constant: dict[str, Any]
    places: tuple[str, ...]

    def run(self, f: Any, *values: Any) -> Any:
        """The result of the call with other values; iterators as lists, whose cotangents they have."""
        n = len(values) - len(self.names)
        return drawn(f(*values[:n], **dict(zip(self.names, values[n:], strict=True)), **duplicate(self.constant)))

    def label(self, path: Path) -> str:
        """A path into `inputs` as a reader would write it."""
        place: str = self.places[path[0].key]
        return place + "".join(map(str, path[1:]))


def call_of(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], with_keywords: bool, places: Any = None) -> Call:
    """The call `f(*args, **kwargs)`, by whose keyword arguments it may be differentiated."""
    names = tuple(kwargs) if with_keywords else ()
    places = places or tuple([f"args[{i}]" for i in range(len(args))])
    inputs = (f, *args, *[kwargs[name] for name in names])
    return Call(inputs, names, {} if with_keywords else kwargs, ("f", *places, *names))


def drawn(y: Any) -> Any:
    """Iterators and views of dicts as lists."""
    return list(y) if hasattr(y, "__next__") or isinstance(y, _VIEWS) else y


_VIEWS: tuple[type, ...] = (type({}.values()), type({}.items()), type({}.keys()))


def scalars(x: Any) -> Any:
    """The structure with arrays that have no axes, and NumPy's doubles, as numbers: they turn into each other."""

    def number(_: Any, leaf: Any) -> Any:
        leaf = leaf[()] if isinstance(leaf, np.ndarray) else leaf
        return float(leaf) if isinstance(leaf, np.float64) else leaf

    return rebuild(number, x)


def check_pullback(
    differentiate: Pullback,
    f: Callable[..., Any],
    *args: Any,
    kwargs: dict[str, Any] | None = None,
    seed: int = 0,
    exact: bool = True,
    with_keywords: bool = False,
    places: tuple[str, ...] | None = None,
    **tolerances: Any,
) -> None:
    """Check `differentiate(f, *args, **kwargs) -> (y, back)`, whoever made it; see `check_gradient`.

    Unless `exact`, the result may be rounded otherwise than that of plain `f`: the value of a derivative, whose sums
    may have another order when it is itself differentiated, and whose scalars may be arrays without axes.
    `with_keywords` says that `back` gives cotangents of the keyword arguments too, after the others.
    """
    call = call_of(f, args, kwargs or {}, with_keywords, places)
    given = Tolerances(**tolerances)
    rng = np.random.default_rng(seed)
    left, taken, kept = duplicate(call.inputs[1:]), duplicate(call.inputs[1:]), duplicate(f)
    n = len(args)
    y, back = differentiate(f, *taken[:n], **dict(zip(call.names, taken[n:], strict=True)), **duplicate(call.constant))
    plain, values = call.run(f, *left), drawn(y)
    y_bar = cotangent_like(values, lambda leaf: random_like(leaf, rng))
    kept_y, kept_y_bar = duplicate(values), duplicate(y_bar)
    bars = back(y_bar)

    found: list[Difference] = []
    if not (identical(values, plain) or not exact and _rounded_alike(scalars(values), scalars(plain))):
        found.append(Difference("result", "value", shorten(values), shorten(plain)))
    if not isinstance(bars, tuple) or len(bars) != len(call.inputs):
        count = len(bars) if isinstance(bars, tuple) else type(bars).__name__
        found.append(Difference("back", "count", str(count), str(len(call.inputs))))
        raise GradientMismatch(name_of(f), found)

    again = back(y_bar)
    found += unchanged((kept, left), (f, taken), "inputs", "argument")
    found += unchanged(kept_y, values, "result", "result")
    found += unchanged(kept_y_bar, y_bar, "y_bar", "y_bar")
    if not identical(bars, again):
        found.append(Difference("back", "second call", shorten(again), shorten(bars)))
    if misfits := list(shapes(call, bars, plain)):
        raise GradientMismatch(name_of(f), found + misfits)
    found += aliases(call, bars, {"inputs": (f, *taken), "result": values, "y_bar": y_bar, "a second call": again})
    if not found:  # what is written into now is what `back` gave, and nothing else
        found += memory(call, again, lambda: back(y_bar))
    if given.differences:
        found += derivatives(call, bars, plain, y_bar, back, rng, given)
    if found:
        raise GradientMismatch(name_of(f), found)


def _rounded_alike(a: Any, b: Any) -> bool:
    """True if two values differ by rounding alone: what is 0 but for that has the rounding of the terms of its sum,
    which are of the size of the largest number of all."""
    return identical(a, b, ulps=64, size=_largest(b))


def unchanged(before: Any, after: Any, place: str, kind: str) -> Iterator[Difference]:
    """A difference if something was written that belongs to someone else."""
    if not identical(before, after):
        yield Difference(place, f"changed {kind}", shorten(after), shorten(before))


def shapes(call: Call, bars: tuple[Any, ...], plain: Any) -> Iterator[Difference]:
    """Cotangents whose structure, shape or dtype is not that of their primal (float64 for integers)."""
    mixed = any(np.asarray(leaf).dtype.char not in "dD" for _, leaf in leaves((call.inputs, plain)))
    for x, bar, place in zip(call.inputs, bars, call.places, strict=True):
        if isinstance(x, _WITHOUT) and bar is not None:
            yield Difference(place, "structure", shorten(bar), f"None, for {shorten(x)}")
    for path, leaf in leaves(call.inputs, integers=True):
        try:
            bar = component(bars, path)
        except (IndexError, KeyError, TypeError) as error:
            yield Difference(call.label(path), "structure", str(error), shorten(leaf))
            continue
        if bar is None:
            continue
        expected = np.asarray(leaf).dtype
        if expected.kind in "iu":
            expected = np.dtype(np.float64)
        actual = np.asarray(bar).dtype
        number = not isinstance(leaf, np.ndarray)
        fits = actual == expected or (number and expected.kind == "c" and actual.kind == "f")
        # Numbers of Python's and integers, beside arrays or numbers of another precision, take on theirs.
        weak = type(leaf) in (int, float, complex) or np.asarray(leaf).dtype.kind in "iu"
        fits |= weak and mixed and actual.kind == expected.kind
        if np.shape(bar) != np.shape(leaf):
            yield Difference(call.label(path), "shape", str(np.shape(bar)), str(np.shape(leaf)))
        elif not fits or (isinstance(bar, np.ndarray) and number):
            side = f"{type(bar).__name__} {actual}"
            yield Difference(call.label(path), "dtype", side, f"{type(leaf).__name__} {expected}")


_WITHOUT = (str, bytes, type(None), slice, type, np.dtype)
"""Types that carry no derivative, and have None for their cotangent."""


def lengths(x: Any, bar: Any, place: str) -> Iterator[Difference]:
    """Cotangents of sequences and dicts that have another type or another number of items than these."""
    if bar is None or not isinstance(x, list | tuple | dict):
        return
    if isinstance(x, dict):
        if not isinstance(bar, dict) or not set(bar) <= set(x):
            yield Difference(place, "structure", shorten(bar), shorten(x))
        else:
            for key, item in bar.items():
                yield from lengths(x[key], item, f"{place}[{key!r}]")
    elif type(bar) is not type(x) or len(bar) != len(x):
        yield Difference(place, "structure", shorten(bar), shorten(x))
    else:
        for i, (item, part) in enumerate(zip(x, bar, strict=True)):
            yield from lengths(item, part, f"{place}[{i}]")


def aliases(call: Call, bars: tuple[Any, ...], others: dict[str, Any]) -> Iterator[Difference]:
    """Cotangents that share memory with one another or with what is not theirs."""
    owned = [(call.label(path), bar) for path, bar in leaves(bars) if isinstance(bar, np.ndarray)]
    foreign = [(name, leaf) for name, value in others.items() for _, leaf in leaves(value, integers=True)]
    foreign = [(name, leaf) for name, leaf in foreign if isinstance(leaf, np.ndarray)]
    for i, (place, bar) in enumerate(owned):
        for name, other in (*owned[:i], *foreign):
            if np.may_share_memory(bar, other) and np.shares_memory(bar, other):
                yield Difference(place, "aliasing", "shares memory", f"with {name}")


def memory(call: Call, bars: tuple[Any, ...], back: Callable[[], Any]) -> Iterator[Difference]:
    """A difference if `back` gives something else once what it gave has been written into. The cotangents are spent."""
    kept = duplicate(bars)
    for path, bar in leaves(bars):
        if isinstance(bar, np.ndarray):
            if not bar.flags.writeable:
                yield Difference(call.label(path), "aliasing", "read-only", "an array of its own")
                return
            bar.fill(np.nan)
    if not identical(kept, after := back()):
        yield Difference("back", "aliasing", shorten(after), f"{shorten(kept)}, as before it was written into")


def derivatives(
    call: Call,
    bars: tuple[Any, ...],
    plain: Any,
    y_bar: Any,
    back: Callable[[Any], Any],
    rng: np.random.Generator,
    given: Tolerances,
) -> Iterator[Difference]:
    """The deviations from finite differences: leaf by leaf (see `groups`), and for another ȳ and a direction along all
    leaves at once, for which ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩."""
    inputs, rtol = call.inputs, given.rtol
    atol = given.atol * size_of(plain)
    still = {
        1 + i if isinstance(i, int) else len(inputs) - len(call.names) + call.names.index(i) for i in given.constant
    }
    for i in sorted(still):
        if any(np.any(component(bars[i], path)) for path, _ in leaves(inputs[i])):
            yield Difference(call.places[i], "constant", shorten(bars[i]), "nothing flows here")
    parts = [
        (path, leaf)
        for path, leaf in leaves(inputs, given.integers)
        if path[0].key not in still and np.all(np.isfinite(leaf))
    ]
    if not parts:
        return
    if rtol is None:
        rtol = 1e-3 if any(is_narrow(leaf) for _, leaf in (*parts, *leaves(plain))) else 1e-5
    for group in groups(parts):
        scale = max(magnitude(leaf) for _, leaf in group)
        alone = len(group) == 1 and not np.shape(group[0][1]) and not isinstance(group[0][1], complex)
        directions = {path: scale * (1.0 if alone else random_like(leaf, rng)) for path, leaf in group}
        numeric = directional(inputs, call.run, y_bar, directions, rtol, atol, smooth=given.smooth)
        analytic = sum(inner(component(bars, path), direction) for path, direction in directions.items())
        place = call.label(group[0][0][: 1 if len(group) > 1 else None])
        yield from compare(place, "derivative", analytic, numeric, scale, rtol, atol)

    directions = {path: random_like(leaf, rng) * magnitude(leaf) for path, leaf in parts}
    y_bar = cotangent_like(plain, lambda leaf: spaced(random_like(leaf, rng)))
    bars = back(y_bar)
    numeric = directional(inputs, call.run, y_bar, directions, rtol, atol, smooth=given.smooth)
    terms = [inner(component(bars, path), direction) for path, direction in directions.items()]
    size = max(1.0, *map(abs, terms))
    yield from compare("all together", "adjoint identity", sum(terms), numeric, 1.0, rtol, atol * size)


def size_of(y: Any) -> float:
    """The largest number of a result, which differences are taken of; not above 1, and not next to nothing."""
    largest = _largest(y)
    return min(max(largest, SMALLEST), 1.0) if largest else 1.0


def _largest(y: Any) -> float:
    """The largest finite number of a result in size."""
    found = [np.abs(np.asarray(leaf)) for _, leaf in leaves(y, integers=True)]
    return max([float(np.max(x, initial=0.0, where=np.isfinite(x))) for x in found], default=0.0)


SMALLEST = 1e-6
"""Below that part of what a program computes with, a result may be what rounding left of it."""


def groups(parts: list[tuple[Path, Any]]) -> Iterator[list[tuple[Path, Any]]]:
    """The leaves one by one; those of an input that has many, as a list of numbers does, together."""
    for _, of_input in groupby(parts, key=lambda part: part[0][0]):
        found = list(of_input)
        yield from [found] if len(found) > MANY else [[part] for part in found]


MANY = 8


def spaced(d: Any) -> Any:
    """The same array in memory that is not contiguous."""
    return np.repeat(d, 2, axis=0)[::2] if isinstance(d, np.ndarray) and d.ndim else d


def compare(
    place: str, kind: str, analytic: float, numeric: Slope, scale: float, rtol: float, atol: float
) -> Iterator[Difference]:
    """A difference if two derivatives disagree by more than the tolerances and the noise of the numeric one."""
    error = abs(analytic - numeric.value)
    tolerance = atol * max(1.0, scale) + rtol * max(abs(analytic), abs(numeric.value))
    if error <= tolerance or (numeric.settled and error <= tolerance + numeric.noise):
        return
    if not numeric.settled:
        kind = "unsettled"
    yield Difference(place, kind, f"{analytic / scale:.10g}", f"{numeric.value / scale:.10g}", f"{error / scale:.2g}")


def name_of(f: Any) -> str:
    """A short name for a callable."""
    name: str = getattr(f, "__name__", None) or type(f).__name__
    return name


def shorten(value: Any, limit: int = 60) -> str:
    """The representation of a value on one line of at most `limit` characters."""
    text = " ".join(repr(value).split())
    return text if len(text) <= limit else text[: limit - 3] + "..."

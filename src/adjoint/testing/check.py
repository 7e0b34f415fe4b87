"""The checker: one pullback held to finite differences and to every condition a pullback has to keep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..api import pullback, rrule
from ..numeric.differences import Slope, inner, magnitude, random_like
from ..numeric.directional import directional
from ..numeric.structure import Path, component, cotangent_like, duplicate, identical, leaves
from .report import Difference, GradientMismatch

Pullback = Callable[..., Any]


def check_gradient(
    f: Callable[..., Any],
    *args: Any,
    order: int = 1,
    rtol: float | None = None,
    atol: float = 1e-7,
    integers: bool = False,
    kwargs: dict[str, Any] | None = None,
    seed: int = 0,
) -> None:
    """Check what `pullback(f, *args)` makes of `f` against finite differences and the conditions of a pullback.

    ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩ along random directions, for every leaf of `args` and of `f` itself and for all together; the
    result is that of plain `f` to the last bit; cotangents have the shape and dtype of their primals and share memory
    with nothing; result and ȳ are unchanged, and inputs are as plain `f` leaves them; `back` gives the same when called
    again. Each run has copies of the arguments.

    Parameters
    ----------
    f : the function, closure, bound method or callable object.
    args : arguments of any structure, away from kinks. Objects are rebuilt field by field, without `__init__`.
    order : how many derivatives to check; 2 checks the pullback of the pullback as well.
    rtol, atol : tolerances; `rtol` is 1e-5, or 1e-3 where an argument or a result is in single precision.
    integers : whether integers among the arguments are differentiated, not only passed.
    kwargs : keyword arguments for `f`; they are not differentiated.
    seed : seed of the random directions.

    Raises
    ------
    GradientMismatch
        With a table of what differs. A row of kind `unsettled` means that differences at two step sizes disagree: the
        arguments lie at a kink, or the function is too ill-conditioned to be checked there. (`nan`: next to the
        arguments the result has another structure, so that there is no derivative.)

    Examples
    --------
    >>> check_gradient(lambda x, y: x * y**2, 1.5, 2.0, order=2)
    """
    options: dict[str, Any] = {"rtol": rtol, "atol": atol, "integers": integers}
    check_pullback(pullback, f, *args, kwargs=kwargs, seed=seed, **options)
    _check_higher(f, args, order, kwargs, seed, options)


def _check_higher(f: Any, args: Any, order: int, kwargs: Any, seed: int, options: dict[str, Any]) -> None:
    for k in range(1, order):
        f, kwargs = _derivative(f, args, kwargs or {}, np.random.default_rng(seed + 1)), None
        check_pullback(pullback, f, *args, seed=seed + k - 1, exact=False, **options)


def _derivative(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], rng: np.random.Generator) -> Any:
    """The cotangents of the arguments for one random cotangent of the result, as a function."""
    y_bar = cotangent_like(f(*map(duplicate, args), **kwargs), lambda leaf: random_like(leaf, rng))

    def derivative(*xs: Any) -> Any:
        _, back = pullback(f, *xs, **kwargs)
        return back(y_bar)[1:]

    derivative.__name__ = f"∂({name_of(f)})"
    return derivative


def check_rule(
    f: Callable[..., Any],
    *args: Any,
    rtol: float | None = None,
    atol: float = 1e-7,
    integers: bool = False,
    order: int = 1,
    kwargs: dict[str, Any] | None = None,
    seed: int = 0,
) -> None:
    """Check the rule that is registered for `f` at `args`, in the same way as `check_gradient`.

    Raises
    ------
    GradientMismatch
        With a table of what differs.
    AdjointError
        If there is no rule for `f` with such arguments.

    Examples
    --------
    >>> import numpy as np
    >>> check_rule(np.outer, np.array([1.0, 2.0]), np.array([0.5, -1.0, 3.0]))
    """
    options: dict[str, Any] = {"rtol": rtol, "atol": atol, "integers": integers}
    check_pullback(rrule, f, *args, kwargs=kwargs, seed=seed, **options)
    _check_higher(f, args, order, kwargs, seed, options)


def check_pullback(
    differentiate: Pullback,
    f: Callable[..., Any],
    *args: Any,
    rtol: float | None = None,
    atol: float = 1e-7,
    integers: bool = False,
    kwargs: dict[str, Any] | None = None,
    seed: int = 0,
    exact: bool = True,
) -> None:
    """Check `differentiate(f, *args, **kwargs) -> (y, back)`, whoever made it; see `check_gradient`.

    Unless `exact`, the result may be rounded otherwise than that of plain `f`: the value of a derivative, whose sums
    may have another order when it is itself differentiated.
    """
    keywords = kwargs or {}
    inputs = (f, *args)
    left, taken = duplicate((args, keywords)), duplicate((args, keywords))
    kept = duplicate(f)
    rng = np.random.default_rng(seed)
    y, back = differentiate(f, *taken[0], **taken[1])
    plain = f(*left[0], **left[1])
    y_bar = cotangent_like(plain, lambda leaf: random_like(leaf, rng))
    kept_y, kept_y_bar = duplicate(y), duplicate(y_bar)
    bars = back(y_bar)

    found: list[Difference] = []
    if not identical(y, plain, ulps=0 if exact else 64):
        found.append(Difference("result", "value", shorten(y), shorten(plain)))
    if not isinstance(bars, tuple) or len(bars) != len(inputs):
        count = len(bars) if isinstance(bars, tuple) else type(bars).__name__
        found.append(Difference("back", "count", str(count), str(len(inputs))))
        raise GradientMismatch(name_of(f), found)
    if rtol is None:
        single = any(np.asarray(leaf).dtype.itemsize == 4 for _, leaf in (*leaves(inputs), *leaves(plain)))
        rtol = 1e-3 if single else 1e-5

    again = back(y_bar)
    found += unchanged((kept, left), (f, taken), "inputs", "argument")
    found += unchanged(kept_y, y, "result", "result")
    found += unchanged(kept_y_bar, y_bar, "y_bar", "y_bar")
    if not identical(bars, again):
        found.append(Difference("back", "second call", shorten(again), shorten(bars)))
    if misfits := list(shapes(inputs, bars)):
        raise GradientMismatch(name_of(f), found + misfits)
    found += aliases(bars, {"inputs": (f, *taken[0]), "result": y, "y_bar": y_bar, "a second call": again})
    found += slopes(inputs, keywords, bars, y_bar, integers, rng, rtol, atol)
    found += adjoint_identity(inputs, keywords, plain, back, integers, rng, rtol, atol)
    if found:
        raise GradientMismatch(name_of(f), found)


def unchanged(before: Any, after: Any, place: str, kind: str) -> Iterator[Difference]:
    """A difference if something was written that belongs to someone else."""
    if not identical(before, after):
        yield Difference(place, f"changed {kind}", shorten(after), shorten(before))


def shapes(inputs: tuple[Any, ...], bars: tuple[Any, ...]) -> Iterator[Difference]:
    """Cotangents whose structure, shape or dtype is not that of their primal (float64 for integers)."""
    for path, leaf in leaves(inputs, integers=True):
        try:
            bar = component(bars, path)
        except (IndexError, KeyError, TypeError) as error:
            yield Difference(label(path), "structure", str(error), shorten(leaf))
            continue
        if bar is None:
            continue
        expected = np.asarray(leaf).dtype
        if expected.kind in "iu":
            expected = np.dtype(np.float64)
        actual = np.asarray(bar).dtype
        fits = actual == expected or (expected.kind == "c" and actual.kind == "f" and not isinstance(leaf, np.ndarray))
        if np.shape(bar) != np.shape(leaf):
            yield Difference(label(path), "shape", str(np.shape(bar)), str(np.shape(leaf)))
        elif not fits or (isinstance(bar, np.ndarray) and not isinstance(leaf, np.ndarray)):
            yield Difference(
                label(path), "dtype", f"{type(bar).__name__} {actual}", f"{type(leaf).__name__} {expected}"
            )


def aliases(bars: tuple[Any, ...], others: dict[str, Any]) -> Iterator[Difference]:
    """Cotangents that share memory with one another or with what is not theirs."""
    owned = [(label(path), bar) for path, bar in leaves(bars) if isinstance(bar, np.ndarray)]
    foreign = [(name, leaf) for name, value in others.items() for _, leaf in leaves(value, integers=True)]
    foreign = [(name, leaf) for name, leaf in foreign if isinstance(leaf, np.ndarray)]
    for i, (place, bar) in enumerate(owned):
        for name, other in (*owned[:i], *foreign):
            if np.may_share_memory(bar, other) and np.shares_memory(bar, other):
                yield Difference(place, "aliasing", "shares memory", f"with {name}")


def slopes(
    inputs: tuple[Any, ...],
    keywords: dict[str, Any],
    bars: tuple[Any, ...],
    y_bar: Any,
    integers: bool,
    rng: np.random.Generator,
    rtol: float,
    atol: float,
) -> Iterator[Difference]:
    """Leaf by leaf, the derivative of ⟨ȳ, f⟩ along a random direction."""
    for path, leaf in leaves(inputs, integers):
        scale = magnitude(leaf)
        direction = random_like(leaf, rng) if np.shape(leaf) or isinstance(leaf, complex) else 1.0
        numeric = directional(inputs, _plainly(keywords), y_bar, {path: direction * scale}, rtol, atol)
        analytic = inner(component(bars, path), direction) * scale
        yield from compare(label(path), "derivative", analytic, numeric, scale, rtol, atol)


def adjoint_identity(
    inputs: tuple[Any, ...],
    keywords: dict[str, Any],
    plain: Any,
    back: Callable[[Any], Any],
    integers: bool,
    rng: np.random.Generator,
    rtol: float,
    atol: float,
) -> Iterator[Difference]:
    """⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩ for another ȳ and a direction along all leaves at once."""
    directions = {path: random_like(leaf, rng) * magnitude(leaf) for path, leaf in leaves(inputs, integers)}
    if not directions:
        return
    y_bar = cotangent_like(plain, lambda leaf: random_like(leaf, rng))
    bars = back(y_bar)
    numeric = directional(inputs, _plainly(keywords), y_bar, directions, rtol, atol)
    terms = [inner(component(bars, path), direction) for path, direction in directions.items()]
    size = max(1.0, *map(abs, terms)) if terms else 1.0
    yield from compare("all together", "adjoint identity", sum(terms), numeric, 1.0, rtol, atol * size)


def _plainly(keywords: dict[str, Any]) -> Callable[..., Any]:
    """A run of the plain function, with keywords of its own."""
    return lambda function, *args: function(*args, **duplicate(keywords))


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


def label(path: Path) -> str:
    """A path into `(f, *args)` as a reader would write it."""
    first, *rest = path
    root = "f" if first.key == 0 else f"args[{first.key - 1}]"
    return root + "".join(map(str, rest))


def name_of(f: Any) -> str:
    """A short name for a callable."""
    name: str = getattr(f, "__name__", None) or type(f).__name__
    return name


def shorten(value: Any, limit: int = 60) -> str:
    """The representation of a value on one line of at most `limit` characters."""
    text = " ".join(repr(value).split())
    return text if len(text) <= limit else text[: limit - 3] + "..."

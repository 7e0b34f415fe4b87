"""What must hold for a compiled program: the value and the derivatives of the same program that is not compiled, its
errors, what is left of its arguments; or a refusal that says what has no form in loops."""

from __future__ import annotations

import contextlib
import copy
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import adjoint
from adjoint.compiled import entry, programs
from adjoint.errors import AdjointError, CompileError

from .judge import Wrong, loaded

POINT: tuple[Any, ...] = (
    0.37,
    -0.83,
    np.array([0.91, -0.58, 0.23, 1.38]),
    np.array([0.61, 1.27, -0.45]),
    np.array([[0.3, -0.2, 0.9, 0.5], [1.1, 0.7, -0.6, -0.1], [-0.4, 0.8, 0.15, 0.65]]),
)
OTHER: tuple[Any, ...] = tuple([0.8 * x - 0.07 for x in POINT])
AT_ZERO: tuple[Any, ...] = (0.0, *POINT[1:])
ALL = (0, 1, 2, 3, 4)
NAMES = ("n0", "n1", "v", "w", "m")
RTOL = 1e-9
LARGE = 1e9
LARGE_STORED = 1e5
"""Of what is left in arguments: what makes larger numbers of them may be as sensitive to the last bit."""


def judge(source: str, folder: Path, thorough: bool = False) -> str:
    """What became of a program: "agrees", "raises", "ill conditioned", "refused: why", or "ordinary tier: why".

    Raises
    ------
    Wrong
        If a value, a derivative, an error or what is left of the arguments is another than without `compile`.
    """
    f = loaded(source, folder).f
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _judged(f, thorough)


def failure(source: str, folder: Path, thorough: bool) -> str | Exception:
    """The verdict, or how the program fails."""
    try:
        return judge(source, folder, thorough)
    except Exception as error:
        return error


def _judged(f: Any, thorough: bool) -> str:
    verdict = "agrees"
    for point in (POINT, OTHER):
        after = copy.deepcopy(point)
        try:
            expected = f(*after)
        except Exception as error:
            return _raises(f, point, after, error)
        if not abs(expected) < LARGE or any(not np.all(np.abs(x) < LARGE_STORED) for x in after):
            return "ill conditioned"
        args = copy.deepcopy(point)
        try:
            y, bars = adjoint.value_and_grad(f, ALL, compile="strict")(*args)
        except CompileError as error:
            return f"refused: {error.what.partition('compiled: ')[2]}"
        except OverflowError:  # of Python's functions, where Numba's give inf
            return "ill conditioned"
        _near("the value", y, expected)
        _same_arguments(args, after)
        try:
            bars_ = adjoint.gradient(f, *copy.deepcopy(point))
        except AdjointError as error:
            return f"ordinary tier: {error.what}"
        if any(not np.all(np.isfinite(b)) or np.max(np.abs(b)) > LARGE for b in bars_):
            return "ill conditioned"
        try:
            for name, bar, bar_ in zip(NAMES, bars, bars_, strict=True):
                _near(f"the gradient by {name}", bar, bar_)
        except Wrong:
            if _is_sensitive(f, point, bars_):
                return "ill conditioned"
            raise
        again = adjoint.grad(f, ALL, compile="strict")(*copy.deepcopy(point))
        for bar, other in zip(bars, again, strict=True):
            _near("the gradient of a second call", other, bar)
        if thorough and point is POINT:
            _both_ways(f, after, bars)
            _second(f, POINT)
            with contextlib.suppress(ArithmeticError, ValueError, LookupError):  # it may raise there
                _second(f, AT_ZERO)
    return verdict


def _is_sensitive(f: Any, point: tuple[Any, ...], bars: tuple[Any, ...]) -> bool:
    """Whether other last digits of the arguments make another gradient, without `compile`."""
    beside = adjoint.gradient(f, *[x * (1.0 + 1e-14) for x in copy.deepcopy(point)])
    return not np.allclose(_flat(beside), _flat(bars), rtol=RTOL, atol=RTOL)


def _both_ways(f: Any, after: tuple[Any, ...], bars: tuple[Any, ...]) -> None:
    """The pullback in two halves, and forward mode."""
    args = copy.deepcopy(POINT)
    try:
        _, back = adjoint.pullback(f, *args, compile="strict")
    except CompileError:  # arrays that rounds hand to functions that call themselves
        return
    for scale in (1.0, -2.0):
        for bar, bar_ in zip(back(scale)[1:], bars, strict=True):
            _near("the pullback", bar, scale * np.asarray(bar_))
    _same_arguments(args, after)
    args = copy.deepcopy(POINT)
    with contextlib.suppress(CompileError):  # functions that call themselves have no forward mode
        _forward(f, args, after, bars)


def _second(f: Any, point: tuple[Any, ...]) -> None:
    """The Hessian is symmetric, and its products are differences of gradients, where these settle."""
    rng = np.random.default_rng(0)
    u, v = [tuple([rng.normal(size=np.shape(x)) for x in point]) for _ in range(2)]
    u, v = [tuple([float(x) if np.ndim(x) == 0 else x for x in d]) for d in (u, v)]
    try:
        of_u, of_v = [_flat(adjoint.hvp(f, copy.deepcopy(point), d, compile="strict")) for d in (u, v)]
    except CompileError:
        return
    if not np.all(np.isfinite(of_v)) or np.max(np.abs(of_v)) > LARGE:
        return
    size = 1.0 + np.linalg.norm(of_u) * np.linalg.norm(_flat(v)) + np.linalg.norm(of_v) * np.linalg.norm(_flat(u))
    if not abs(_flat(u) @ of_v - _flat(v) @ of_u) < RTOL * size:
        raise Wrong("the symmetry of the Hessian", f"{_flat(u) @ of_v} and {_flat(v) @ of_u}")
    try:
        one, other = _difference(f, point, v, 1e-5), _difference(f, point, v, 5e-6)
    except (ArithmeticError, ValueError, LookupError):  # beside the point the program may raise
        return
    if np.allclose(one, other, rtol=1e-5, atol=1e-5) and not np.allclose(one, of_v, rtol=1e-3, atol=1e-3):
        raise Wrong("a product with the Hessian", f"{of_v}, not {one}")


def _difference(f: Any, point: tuple[Any, ...], v: tuple[Any, ...], h: float) -> np.ndarray:
    ahead, behind = [
        adjoint.grad(f, ALL, compile="strict")(*[x + s * d for x, d in zip(point, v, strict=True)]) for s in (h, -h)
    ]
    return (_flat(ahead) - _flat(behind)) / (2 * h)


def _flat(parts: Any) -> np.ndarray:
    return np.concatenate([np.ravel(x) for x in parts])


def _forward(f: Any, args: tuple[Any, ...], after: tuple[Any, ...], bars: tuple[Any, ...]) -> None:
    jacobian = adjoint.jacobian(f, *args, argnums=2, compile="strict")
    _near("forward mode", jacobian, bars[2])
    _same_arguments(args, after)


def _raises(f: Any, point: tuple[Any, ...], after: tuple[Any, ...], error: Exception) -> str:
    args = copy.deepcopy(point)
    try:
        adjoint.value_and_grad(f, ALL, compile="strict")(*args)
    except CompileError as refused:
        return f"refused: {refused.what.partition('compiled: ')[2]}"
    except OverflowError:  # as above
        return "raises"
    except Exception as other:
        if type(other) is not type(error) and not isinstance(other, AdjointError):
            raise Wrong("the error", f"{other!r} in place of {error!r}") from other
        if entry.COMPILER[0] is not programs.as_python and type(other) is type(
            error
        ):  # Python's functions raise at once
            _same_arguments(args, after)
        return "raises"
    raise Wrong("the error", f"none in place of {error!r}")


def _near(what: str, found: Any, expected: Any) -> None:
    if np.shape(found) != np.shape(expected):
        raise Wrong(f"the shape of {what}", f"{np.shape(found)}, not {np.shape(expected)}")
    size = max(1.0, float(np.max(np.abs(expected), initial=0.0)))
    if not np.allclose(found, expected, rtol=RTOL, atol=RTOL * size):
        raise Wrong(what, f"{found}, not {expected}")


def _same_arguments(args: tuple[Any, ...], after: tuple[Any, ...]) -> None:
    for name, found, expected in zip(NAMES, args, after, strict=True):
        _near(f"the argument {name} afterwards", found, expected)

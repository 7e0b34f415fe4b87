"""What must hold for a program: right, or refused with an error of the family; never wrong in silence."""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import io
import math
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from adjoint import AdjointError, cache_clear, grad, gradient, pullback

POINT = (0.37, -0.83, [0.61, 1.27, -0.45], np.array([0.91, -0.58, 0.23, 1.38]))
"""Where programs are differentiated."""
DIRECTION = (0.7, -0.4, [0.5, 0.9, -0.6], np.array([-0.3, 0.8, 0.45, 0.65]))
STEPS = (1e-6, 3e-7)
TOLERANCE = 2e-5


class Wrong(AssertionError):
    """A program of which something does not hold."""


class Plain(Exception):  # noqa: N818 - it is no error of ours
    """A program that raises, as it is."""


def loaded(source: str, folder: Path) -> ModuleType:
    """A module of this text."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", dir=folder, delete=False) as file:
        file.write(source)
    spec = importlib.util.spec_from_file_location(f"fuzz_{Path(file.name).stem}", file.name)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def judge(source: str, folder: Path, order: int = 2) -> str:
    """What became of a program: "right", "refused: why", "raises", or "ill conditioned".

    Raises
    ------
    Wrong
        If a value, a derivative or what the program leaves behind is wrong, or an error is not of the family.
    """
    f = loaded(source, folder).f
    cache_clear()
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        try:
            return _judged(f, order)
        except AdjointError as error:
            if not error.why or not error.way_out or error.place is None:
                raise Wrong(f"an error without place, reason or way out: {error}") from error
            return f"refused: {error.what}"


def _judged(f: Any, order: int) -> str:
    args = copy.deepcopy(POINT)
    try:
        expected = f(*args)
    except Exception as error:
        try:
            gradient(f, *copy.deepcopy(POINT))
        except AdjointError:
            raise
        except Exception as found:
            if type(found) is not type(error) or str(found) != str(error):
                raise Wrong(f"it raises {error!r}, and with its derivative {found!r}") from found
            return "raises"
        raise Wrong(f"it raises {error!r}, and not with its derivative") from error
    if not isinstance(expected, float) or not math.isfinite(expected):
        return "ill conditioned"
    given = copy.deepcopy(POINT)
    y, back = pullback(f, *given)
    _same("the value", y, expected)
    _same("what the arguments become", given, args)
    bars = back(1.0)[1:]
    again = back(1.0)[1:]
    _same("what the arguments are after `back`", given, args)
    _same("the second call of `back`", again, bars)
    found = gradient(f, *copy.deepcopy(POINT))
    slopes, settled = _slopes(lambda x: f(*_unflat(x)), _flat(POINT))
    if not settled:
        return "ill conditioned"
    _close("the gradient", _flat(found), slopes)
    _close("the cotangents", _flat([_or_zeros(d, x) for d, x in zip(bars, POINT, strict=True)]), slopes)
    if order > 1:
        along = grad(lambda t: f(*_moved(t)))
        slope, settled = _slopes(lambda t: along(float(t[0])), np.zeros(1))
        if settled:
            _close("the second derivative", np.array([grad(along)(0.0)]), slope)
    return "right"


def _moved(t: Any) -> tuple[Any, ...]:
    """The point, moved by `t` along the direction."""
    (n, m, items, a), (dn, dm, ditems, da) = POINT, DIRECTION
    return n + t * dn, m + t * dm, [v + t * d for v, d in zip(items, ditems, strict=True)], a + t * da


def _flat(args: Any) -> Any:
    """All numbers of arguments like those of the point."""
    return np.concatenate([np.ravel(np.asarray(x, float)) for x in args])


def _unflat(x: Any) -> tuple[Any, ...]:
    return float(x[0]), float(x[1]), [float(v) for v in x[2:5]], np.array(x[5:9])


def _or_zeros(d: Any, x: Any) -> Any:
    if isinstance(x, list):
        return [0.0 if v is None else v for v in d] if d is not None else [0.0] * len(x)
    return np.zeros_like(x) if d is None else d


def _slopes(f: Any, x: Any) -> tuple[Any, bool]:
    """Central differences along each axis; and whether those of two widths agree: else it is a kink, or too steep."""
    found = []
    for h in STEPS:
        steps = h * np.eye(len(x))
        try:
            found.append(np.array([(f(x + e) - f(x - e)) / (2 * h) for e in steps], float))
        except (ValueError, ZeroDivisionError, OverflowError):
            return np.zeros(len(x)), False  # it raises nearby
    scale = 1 + np.abs(found[0]).max()
    return found[0], bool(np.isfinite(found[0]).all() and np.abs(found[0] - found[1]).max() < 0.3 * TOLERANCE * scale)


def _close(what: str, found: Any, expected: Any) -> None:
    scale = 1 + np.abs(expected).max()
    if found.shape != expected.shape or not np.abs(found - expected).max() < TOLERANCE * scale:
        raise Wrong(f"{what} is {found}, and should be {expected}")


def _same(what: str, found: Any, expected: Any) -> None:
    if repr(_bits(found)) != repr(_bits(expected)):
        raise Wrong(f"{what}: {found!r} instead of {expected!r}")


def _bits(x: Any) -> Any:
    if isinstance(x, np.ndarray):
        return x.shape, str(x.dtype), x.tobytes()
    if isinstance(x, list | tuple):
        return type(x).__name__, [_bits(v) for v in x]
    return (type(x).__name__, x.hex()) if isinstance(x, float) else (type(x).__name__, repr(x))

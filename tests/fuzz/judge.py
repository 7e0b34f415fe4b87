"""What must hold for a program: right, or refused with an error of the family; never wrong in silence."""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import io
import itertools
import math
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from adjoint import grad, gradient, pullback
from adjoint.derivatives.choice import is_to_be_recorded
from adjoint.errors import AdjointError
from adjoint.inspect import cache_clear
from adjoint.recording.entry import recorded

POINT = (0.37, -0.83, [0.61, 1.27, -0.45], np.array([0.91, -0.58, 0.23, 1.38]))
"""Where programs are differentiated."""
DIRECTION = (0.7, -0.4, [0.5, 0.9, -0.6], np.array([-0.3, 0.8, 0.45, 0.65]))
KEYS = "pqr"
"""Those of a dict that takes the place of the list."""
STEPS = (1e-6, 3e-7)
TOLERANCE = 2e-5
SINGLE = 2e-3
"""The tolerance where a program calculates with float32."""
WEIGHTS = (0.7, -1.3, 0.4, 2.1)
"""The cotangent of a result of several numbers."""
OFTEN = 50
"""After so many programs what was generated for them is forgotten: what they share of the engine is kept in between."""
_judgements = itertools.count(1)


class Wrong(AssertionError):
    """A program of which something does not hold; `what` says which thing."""

    def __init__(self, what: str, said: str) -> None:
        super().__init__(f"{what}: {said}")
        self.what = what
        self.source = ""
        """The program, if it is not the one that was judged last."""


def loaded(source: str, folder: Path) -> ModuleType:
    """A module of this text."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", dir=folder, delete=False) as file:
        file.write(source)
    spec = importlib.util.spec_from_file_location(f"fuzz_{Path(file.name).stem}", file.name)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _as_they_are(*args: Any) -> Any:
    return args


class Program:
    """A module's function `f`, run from the same state of the module every time; `exact` is the same function with
    float64 in place of float32, of which there are finite differences."""

    def __init__(self, source: str, folder: Path) -> None:
        self.module = loaded(source, folder)
        self.f = self.module.f
        single = "float32" in source
        self.exact = Program(source.replace("float32", "float64"), folder) if single else self
        self.tolerance = SINGLE if single else TOLERANCE
        self.source = source
        self.is_given_iterator = hasattr(self.module, "ITERATORS")
        self.formed = getattr(self.module, "arguments_of", _as_they_are)
        """What gives the arguments another form, with the same numbers in the same order."""
        self.found: Any = None
        """The value, its cotangent and what `back` gave, where all of it is right."""

    def reset(self) -> Any:
        """The function; what the module holds is as it was in the beginning."""
        self.run_all("reset")
        return self.f

    def run_all(self, prefix: str) -> list[Any]:
        """What the module's functions give whose names begin so."""
        return [value() for name, value in [*vars(self.module).items()] if name.startswith(prefix)]

    @property
    def state(self) -> Any:
        """What the module holds."""
        return copy.deepcopy([getattr(self.module, "STATE", None), *self.run_all("seen_")])

    def given(self, args: Any) -> Any:
        """Arguments of this function: in another form, or with an iterator in the place of the list, always with the
        same items."""
        args = self.formed(*copy.deepcopy(args))
        return (*args[:2], iter([*POINT[2]]), args[3]) if self.is_given_iterator else args


def judge(source: str, folder: Path, order: int = 2) -> str:
    """What became of a program: "structured", "recorded", "raises", "ill conditioned", or "refused: why".

    A program that is reversed in its structure is recorded as well, and must have the same derivative.

    Raises
    ------
    Wrong
        If a value, a derivative or what the program leaves behind is wrong, or an error is not of the family.
    """
    return judged(Program(source, folder), order)


def judged(program: Program, order: int = 2, of_recorded: int = 2) -> str:
    """The same of a program that is loaded; a recorded one to another order, for its second takes half a minute."""
    if next(_judgements) % OFTEN == 0:
        cache_clear()
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        try:
            return _judged(program, order, of_recorded)
        except AdjointError as error:
            checked(error)
            return f"refused: {error.what}"


def checked(error: AdjointError) -> None:
    """An error says where, why, and what to do."""
    if not error.why or not error.way_out or error.place is None:
        raise Wrong("an error without place, reason or way out", str(error)) from error


def _judged(program: Program, order: int, of_recorded: int) -> str:
    args = program.given(POINT)
    try:
        expected = program.reset()(*args)
    except Exception as error:
        return _raises(program, error, args)
    y_bar = _bar_of(expected)
    if y_bar is None:
        return "ill conditioned"
    state = program.state
    y, back, given = _started(program, expected, args, state)
    bars = _swept(back, y_bar)
    _same("what the arguments are after `back`", given, args)
    other = pullback(program.reset(), *program.given(_moved(0.01)))[1] if order > 1 else back
    _swept(other, y_bar)
    again = _swept(back, y_bar)
    _same("what the arguments are after the second `back`", given, args)
    _same("the second call of `back`", again, bars)
    slopes, settled = _slopes(lambda x: _total(program.exact.reset()(*program.given(_unflat(x))), y_bar), _flat(POINT))
    if not settled:
        return "ill conditioned"
    _close("the cotangents", _bars(bars), slopes, program.tolerance)
    if isinstance(expected, float):
        found = _bars(gradient(program.reset(), *program.given(POINT)))
        _close("the gradient", found, slopes, program.tolerance)
    if is_to_be_recorded(program.f, program.given(POINT)):
        way, order = "recorded", min(order, of_recorded)
    else:
        way = "structured"
        _recorded_too(program, expected, args, state, slopes)
    program.found = expected, y_bar, bars
    if order > 1 and program.exact is program and not program.is_given_iterator:
        _second(program, y_bar)
        mixed(program, y_bar, next(_judgements) % (len(POINT) if program.formed is _as_they_are else 2))
    return way


def _second(program: Program, y_bar: Any) -> None:
    """The second derivative along the direction."""
    f, formed = program.f, program.formed
    if isinstance(y_bar, float):
        along = grad(lambda t: f(*formed(*_moved(t))))
    else:
        along = grad(lambda t: _total(f(*formed(*_moved(t))), y_bar))
    slope, settled = _slopes(lambda t: program.reset() and along(float(t[0])), np.zeros(1))
    if settled:
        program.reset()
        _close("the second derivative", np.array([grad(along)(0.0)]), slope)


def mixed(program: Program, y_bar: Any, i: int) -> None:
    """How the gradient by one argument moves with the others."""
    of, formed = program.f, program.formed

    def f(*args: Any) -> Any:
        return _total(of(*formed(*args)), y_bar)

    slopes_by = grad(f, i)

    def along(t: Any) -> Any:
        args = _moved(t)
        kept = copy.deepcopy(POINT[i])
        found = slopes_by(*args[:i], kept, *args[i + 1 :])
        return found if i < 2 else sum([v * w for v, w in zip(found, WEIGHTS, strict=False)])

    slope, settled = _slopes(lambda t: program.reset() and along(float(t[0])), np.zeros(1))
    if settled:
        program.reset()
        _close("the mixed second derivative", np.array([gradient(along, 0.0)[0]]), slope)


def _bar_of(y: Any) -> Any:
    """The cotangent to begin with: of a number, an array of up to four, or a list; None for anything else."""
    if isinstance(y, float):
        return 1.0 if math.isfinite(y) else None
    if isinstance(y, np.ndarray) and y.dtype == float and y.shape == (4,) and np.isfinite(y).all():
        return np.array(WEIGHTS)
    if isinstance(y, list) and len(y) == 4 and all(isinstance(v, float) and math.isfinite(v) for v in y):
        return list(WEIGHTS)
    return None


def _total(y: Any, y_bar: Any) -> Any:
    """What has the gradient that `back(y_bar)` gives."""
    if isinstance(y_bar, float):
        return y
    return sum([v * w for v, w in zip(y, WEIGHTS, strict=True)])


def _swept(back: Any, y_bar: Any) -> Any:
    given = copy.deepcopy(y_bar)
    bars = back(given)[1:]
    _same("the cotangent that was given", given, y_bar)
    return copy.deepcopy(bars)


def _started(program: Program, expected: Any, args: Any, state: Any) -> Any:
    given = program.given(POINT)
    y, back = pullback(program.reset(), *given)
    _same("the value", y, expected)
    _same("what the arguments become", given, args)
    _same("what the module's state becomes", program.state, state)
    return y, back, given


def _recorded_too(program: Program, expected: Any, args: Any, state: Any, slopes: Any) -> None:
    """The same of the program, recorded although it need not be."""
    given = program.given(POINT)
    y_bar = _bar_of(expected)
    y, back, _ = recorded(program.reset(), *given)
    _same("the value, recorded", y, expected)
    bars = _swept(back, y_bar)
    _same("what the arguments become, recorded", given, args)
    _same("what the module's state becomes, recorded", program.state, state)
    _same("the second call of `back`, recorded", _swept(back, y_bar), bars)
    _close("the cotangents, recorded", _bars(bars), slopes, program.tolerance)


def _raises(program: Program, error: Exception, args: Any) -> str:
    """A program that raises does so with its derivative as well, and leaves the same behind."""
    state, given = program.state, program.given(POINT)
    try:
        gradient(program.reset(), *given)
    except AdjointError:
        raise
    except Exception as found:
        alike = isinstance(error, RecursionError) or str(found) == str(error)
        if type(found) is not type(error) or not alike:
            raise Wrong("what it raises", f"{error!r}, and with its derivative {found!r}") from found
        if not isinstance(error, RecursionError):
            _same("what the arguments become before it raises", given, args)
            _same("what the module's state becomes before it raises", program.state, state)
        return "raises"
    raise Wrong("what it raises", f"{error!r}, and with its derivative nothing") from error


def _moved(t: Any) -> tuple[Any, ...]:
    """The point, moved by `t` along the direction."""
    (n, m, items, a), (dn, dm, ditems, da) = POINT, DIRECTION
    return n + t * dn, m + t * dm, [v + t * d for v, d in zip(items, ditems, strict=True)], a + t * da


def _flat(args: Any) -> Any:
    """All numbers of arguments like those of the point."""
    return np.concatenate([np.ravel(np.asarray(x, float)) for x in args])


def _unflat(x: Any) -> tuple[Any, ...]:
    return float(x[0]), float(x[1]), [float(v) for v in x[2:5]], np.array(x[5:9])


def _bars(bars: Any) -> Any:
    return _flat([_or_zeros(d, x) for d, x in zip(bars, POINT, strict=True)])


def _or_zeros(d: Any, x: Any) -> Any:
    """The numbers of a cotangent in a row: of a number, a list, an array, or of what has their numbers in its items."""
    if d is None:
        return np.zeros_like(x, float)
    if isinstance(d, dict | list):
        items = [d.get(key) for key in KEYS] if isinstance(d, dict) else d
        parts = np.split(np.ravel(np.asarray(x, float)), len(items))
        return np.concatenate([np.ravel(_or_zeros(v, part)) for v, part in zip(items, parts, strict=True)])
    return d


def _slopes(f: Any, x: Any) -> tuple[Any, bool]:
    """The central differences; and whether they can be relied upon.

    They cannot where another step gives others, nor where the difference to the right is not that to the left: on
    smooth ground these approach each other as the step becomes smaller, at a kink they do not.
    """
    found, gaps = [], []
    middle = f(x)
    for h in STEPS:
        steps = h * np.eye(len(x))
        try:
            sides = np.array([(f(x + e), f(x - e)) for e in steps], float)
        except (ValueError, ArithmeticError, LookupError):
            return np.zeros(len(x)), False  # it raises nearby
        found.append((sides[:, 0] - sides[:, 1]) / (2 * h))
        gaps.append(np.abs(sides.sum(axis=1) - 2 * middle) / h)
    scale = 1 + np.abs(found[0]).max()
    steady = np.isfinite(found[0]).all() and np.abs(found[0] - found[1]).max() < 0.3 * TOLERANCE * scale
    steady &= abs(middle) * np.finfo(float).eps / STEPS[1] < TOLERANCE * scale  # else they are of what was rounded
    kinks = (gaps[1] > TOLERANCE * scale) & (gaps[1] > 0.6 * gaps[0])
    return found[0], bool(steady and not kinks.any())


def _close(what: str, found: Any, expected: Any, tolerance: float = TOLERANCE) -> None:
    scale = 1 + np.abs(expected).max()
    if found.shape != expected.shape or not np.abs(found - expected).max() < tolerance * scale:
        raise Wrong(what, f"{found}, and should be {expected}")


def _same(what: str, found: Any, expected: Any) -> None:
    if repr(_bits(found)) != repr(_bits(expected)):
        raise Wrong(what, f"{found!r} instead of {expected!r}")


def _bits(x: Any) -> Any:
    if isinstance(x, np.ndarray):
        return x.shape, str(x.dtype), x.tobytes()
    if isinstance(x, list | tuple):
        return type(x).__name__, [_bits(v) for v in x]
    if isinstance(x, dict):
        return type(x).__name__, [(_bits(k), _bits(v)) for k, v in x.items()]
    if isinstance(x, Iterator):
        return "what is left", [_bits(v) for v in copy.copy(x)]
    return (type(x).__name__, x.hex()) if isinstance(x, float) else (type(x).__name__, repr(x))

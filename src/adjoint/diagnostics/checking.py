"""How derivatives are held to finite differences as they are taken, and whose fault it is where they differ."""

from __future__ import annotations

import functools
import itertools
import types
import warnings
from typing import Any, NamedTuple

import numpy as np

from ..derivatives import begin, record, stop_gradient, value_and_bars
from ..errors import AdjointError, MutationError, Place, WrongGradientError, calling_place, calling_site
from ..numeric.differences import Slope, inner, magnitude, random_like
from ..numeric.directional import directional
from ..numeric.structure import Path, component, cotangent_like, identical, leaves
from ..origin import is_users
from ..recording.observer import Observer, Operation, observed_by
from ..recording.operations.ruled import snapshot
from ..rules.registry import find_rules
from ..runtime.argnums import name_of
from ..runtime.dispatch import call_pullback
from ..tangents.sweep import in_sweep
from .copies import copied, random_state_kept
from .explaining import carries, full_name, looked_into, names_of_arguments

RTOL, ATOL = 1e-5, 1e-7
SINGLE_RTOL = 1e-3
"""The relative tolerance where numbers of single precision are among the arguments."""


class Comparison(NamedTuple):
    """A derivative along a random direction, as it was computed and by differences."""

    given: float
    numeric: Slope
    tolerance: float

    @property
    def agrees(self) -> bool:
        """Whether the two are the same, as far as differences tell."""
        noise = self.numeric.noise if self.numeric.settled else 0.0
        return abs(self.given - self.numeric.value) <= self.tolerance + noise

    @property
    def differs(self) -> bool:
        """Whether the two are surely not the same: not so near a kink, or where rounding hides the slope."""
        return self.numeric.settled and not self.agrees

    def __str__(self) -> str:
        return f"{self.given:.8g} along a random direction, by finite differences {self.numeric.value:.8g}"


def check_derivative(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], places: Any, form: str) -> None:
    """Raise `WrongGradientError` if the derivative of a call, by the arguments at these places (None: all), is not that
    of finite differences; warn if it cannot be told.

    `form` says what is checked: a "gradient", one of a function "with aux", or a "pullback".
    """
    inputs, names = (f, *args, *kwargs.values()), tuple(kwargs)
    if any(hasattr(type(x), "__next__") for x in inputs):
        return _warn(f, "an argument is an iterator, which can be run through once")
    if _overlap(inputs):
        return _warn(f, "its arguments share memory, or are one another")
    needs = tuple([i > 0 and (places is None or i - 1 in places) for i in range(len(inputs))])

    def run(function: Any, *values: Any) -> Any:
        return _run(function, values, names)

    def differentiate(function: Any, *values: Any) -> Any:
        function, given, named = _call(function, values, names)
        if form == "gradient":
            y, bars, _ = value_and_bars(function, needs, given, named, name_of(f))
            return y, lambda seed: bars
        y, back, _ = begin(None, function, given, named)
        return y, lambda y_bar: in_sweep(back, y_bar)

    seed = {"gradient": 1.0, "with aux": (1.0, None)}.get(form)
    found = compare(inputs, run, differentiate, needs, seed)
    if found is None or found.agrees:
        return None
    if not found.numeric.settled:
        return _warn(f, "finite differences do not settle here: it is kinked, jumps, or is ill-conditioned")
    error = _blamed(f, args, kwargs, found)
    if error is not None:
        raise error


def _warn(f: Any, why: str) -> None:
    site = calling_site()
    place = None if site is None else site.place()
    at = ("<unknown>", 1) if place is None else (place.filename, place.span[0])
    warnings.warn_explicit(f"the gradient of `{name_of(f)}` was not checked: {why}", RuntimeWarning, *at)


def _call(function: Any, values: tuple[Any, ...], names: tuple[str, ...]) -> Any:
    """Copies of a call whose last values go by these names."""
    n = len(values) - len(names)
    return copied(function, values[:n], dict(zip(names, values[n:], strict=True)))


def _run(function: Any, values: tuple[Any, ...], names: tuple[str, ...]) -> Any:
    """A plain run on copies."""
    function, args, kwargs = _call(function, values, names)
    with random_state_kept(function, args, kwargs):
        return function(*args, **kwargs)


def compare(inputs: tuple[Any, ...], run: Any, differentiate: Any, needs: Any, seed: Any = None) -> Comparison | None:
    """A derivative and that of finite differences along a random direction; None if there are no numbers.

    `needs` says which of the inputs are moved (the function is the first), `seed` is the cotangent of the result; it is
    random by default.
    """
    rng = np.random.default_rng(0)
    moved = [(path, leaf) for path, leaf in leaves(inputs) if needs[path[0].key]]
    if not moved:
        return None
    with random_state_kept(inputs):
        y, back = differentiate(*inputs)
    y_bar = cotangent_like(y, lambda leaf: random_like(leaf, rng)) if seed is None else seed
    bars = back(y_bar)
    directions: dict[Path, Any] = {path: random_like(leaf, rng) * magnitude(leaf) for path, leaf in moved}
    rtol = SINGLE_RTOL if any(np.asarray(leaf).dtype.itemsize == 4 for _, leaf in moved) else RTOL
    with np.errstate(all="ignore"):
        numeric = directional(inputs, run, y_bar, directions, rtol, ATOL)
    terms = [inner(component(bars, path), direction) for path, direction in directions.items()]
    size = max(1.0, *map(abs, terms))
    return Comparison(sum(terms), numeric, ATOL * size + rtol * max(abs(sum(terms)), abs(numeric.value)))


def _overlap(inputs: tuple[Any, ...]) -> bool:
    """Whether a part of the inputs is met twice: moved by itself, it would be two things."""
    arrays = [leaf for _, leaf in leaves(inputs, integers=True) if isinstance(leaf, np.ndarray)]
    if any(np.may_share_memory(a, b) and np.shares_memory(a, b) for a, b in itertools.combinations(arrays, 2)):
        return True
    held = [x for x in inputs if isinstance(x, list | dict)]
    return len({id(x) for x in held}) < len(held)


# ---- whose fault it is

OFTEN = 3
"""So many runs of one operation are checked."""


class _Calls(Observer):
    """Notes what is called, with the values of then."""

    def __init__(self) -> None:
        self.found: list[Operation] = []
        self._seen: dict[Any, int] = {}

    def ended(self, site: Any, role: str, value: Any) -> Any:
        return lambda sweep, y_bar: (None, None)

    def done(self, operation: Operation, back: Any) -> Any:
        site, callee = operation.site, operation.callee
        key = None if site is None else (site.code, site.lasti)
        self._seen[key] = self._seen.get(key, 0) + 1
        checkable = looked_into(callee) or _rules(callee) is not None and (not _stops(callee) or _is_numeric(operation))
        if checkable and self._seen[key] <= OFTEN:
            kwargs = {name: snapshot(value) for name, value in operation.kwargs.items()}
            self.found.append(operation._replace(args=snapshot(tuple(operation.args)), kwargs=kwargs))
        elif any(map(_is_cut, operation.args)):
            self.found.append(operation)
        return back


def _stops(callee: Any) -> bool:
    """Whether it is declared that nothing flows through a function."""
    callee = callee.func if isinstance(callee, functools.partial) else callee
    rules = _rules(callee) if callable(callee) and not looked_into(callee) else None
    return rules is not None and not rules.differentiable


def _is_cut(x: Any) -> bool:
    """Whether a value is `stop_gradient`, or a function of the user's that is declared so: others may call it."""
    return x is stop_gradient or isinstance(x, types.FunctionType) and is_users(x.__code__.co_filename) and _stops(x)


def _is_numeric(operation: Operation) -> bool:
    """Whether an operation makes numbers of numbers."""
    return carries(operation.result) and any(map(carries, operation.operands))


def _rules(callee: Any) -> Any:
    try:
        return find_rules(callee)
    except TypeError:
        return None


def _blamed(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], found: Comparison) -> WrongGradientError | None:
    """The error for a wrong gradient: it names the first operation whose own reverse is wrong, the innermost first.

    None, and a warning, if that is so because the program declares that nothing flows somewhere.
    """
    calls = _Calls()
    function, again, named = copied(f, args, kwargs)
    try:
        with random_state_kept(function, again, named), observed_by(calls):
            record(function, again, named)
    except AdjointError:
        calls.found.clear()
    what = f"the gradient of `{name_of(f)}` is wrong: {found}"
    stop: Operation | None = None
    inner = [operation for operation in calls.found if looked_into(operation.callee)]
    for operation in calls.found:
        if looked_into(operation.callee):
            continue
        if any(map(_is_cut, operation.args)):
            stop = stop or operation
            continue
        local = _locally(operation)
        if local is None or not local.differs:
            continue
        if not _stops(operation.callee):
            return _of_operation(what, operation, local)
        stop = stop or operation
    if stop is not None:
        _warn(f, f"the program stops gradients, which finite differences do not know of: {_where(stop)}")
        return None
    for operation in inner:
        local = _locally(operation)
        if local is not None and local.differs:
            return _of_operation(what, operation, local)
    return WrongGradientError(
        what,
        "each operation that was looked at is reversed rightly by itself, so that it is in how they are put together",
        f"{MISTAKE}, unless the program reads what changes from run to run (a clock, a file, a counter of its own); "
        f"{REPORT}",
        _definition(f),
    )


MISTAKE = "this is a mistake of `adjoint`"
REPORT = (
    "please report it with the function and its arguments. `adjoint.code_adjoint` shows what is generated; "
    "until it is corrected, a rule (`@adjoint.rule`) can stand for the function"
)


def _where(operation: Operation) -> str:
    at = None if operation.site is None else operation.site.place()
    return f"`{full_name(operation.callee)}`" if at is None else f"`{at.code()}` ({at.filename}:{at.span[0]})"


def _locally(operation: Operation) -> Comparison | None:
    """The reverse of one operation by itself."""
    names = tuple(operation.kwargs)
    inputs = (operation.callee, *operation.args, *operation.kwargs.values())

    def differentiate(function: Any, *values: Any) -> Any:
        function, args, kwargs = _call(function, values, names)
        return call_pullback(function, *args, **kwargs)

    try:
        needs = (False, *(True,) * (len(inputs) - 1))
        return compare(inputs, lambda function, *values: _run(function, values, names), differentiate, needs)
    except Exception:
        return None  # it cannot be asked for by itself


def _of_operation(what: str, operation: Operation, local: Comparison) -> WrongGradientError:
    name = full_name(operation.callee)
    at = None if operation.site is None else operation.site.place()
    code = name if at is None else at.code()
    if looked_into(operation.callee):
        way_out = f"{MISTAKE} in how the operations of `{name}` are put together: one by one they are right; {REPORT}"
    else:
        way_out = f"correct the rule of `{name}`"
    return WrongGradientError(what, f"the reverse of `{code}` is wrong by itself: {local}", way_out, at)


def _definition(f: Any) -> Place | None:
    code = getattr(getattr(f, "__func__", f), "__code__", None)
    return (
        calling_place() if code is None else Place(code.co_filename, (code.co_firstlineno, 0, code.co_firstlineno, 0))
    )


# ---- what is changed between forward and back


class Kept:
    """What a pullback relies on, as it was after the forward run."""

    def __init__(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], y: Any) -> None:
        self.name = name_of(f)
        self.now = {
            "what it captures": f,
            **dict(zip(names_of_arguments(f, len(args), list(kwargs)), (*args, *kwargs.values()), strict=True)),
            "its result": y,
        }
        self.then = dict(zip(self.now, copied(None, tuple(self.now.values()), {})[1], strict=True))
        self.then["what it captures"] = copied(f, (), {})[0]

    def check(self) -> None:
        """Raise `MutationError` if something has changed since."""
        for name, value in self.now.items():
            if not identical(self.then[name], value):
                part = _which(name, self.then[name], value)
                raise MutationError(
                    f"{part} was changed between `pullback` and `back` of `{self.name}`",
                    "the pullback keeps it as it is, without a copy: the derivative would be that of other numbers",
                    "change it after `back`, or give `pullback` a copy",
                    calling_place(),
                )


def _which(name: str, before: Any, after: Any) -> str:
    """The part of an argument that has changed."""
    words = name.startswith(("its ", "what "))
    old, new = dict(leaves(before, integers=True)), dict(leaves(after, integers=True))
    changed = [path for path in old if path not in new or not identical(old[path], new[path])]
    inside = "".join(map(str, changed[0])) if changed and len(old) == len(new) else ""
    if words:
        return f"{name} (`{inside.removeprefix('.')}`)" if inside else name
    return f"`{name}{inside}`"

"""Effects of a call as a run shows them: memory that is shared, memory that is changed, items that are held."""

from __future__ import annotations

import copy
import functools
import inspect
import io
import warnings
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

import numpy as np
from rules.tables import FAMILIES, samples_of

from adjoint.ir.nodes import Atom, Call, Const, Var
from adjoint.rules.registry import RULES
from adjoint.runtime.typeof import typeof

MUTABLE = (list, dict, set, bytearray, np.ndarray)


@dataclass(frozen=True, eq=False)
class Observed:
    """What a run of `f(*args, **kwargs)` showed; arguments are counted, those by name after the others."""

    f: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Any
    shared: frozenset[int]
    """The arguments that the result is, holds, or shares memory with."""
    same: frozenset[int]
    """The lists, dicts and sets among the arguments that the result is, or holds as they are."""
    changed: frozenset[int]

    @property
    def values(self) -> tuple[Any, ...]:
        return (*self.args, *self.kwargs.values())

    def __str__(self) -> str:
        name = getattr(self.f, "__qualname__", None) or str(self.f)
        given = [*map(_brief, self.args), *(f"{k}={_brief(v)}" for k, v in self.kwargs.items())]
        owner = getattr(self.f, "__self__", None)
        return f"{owner.__name__ + '.' if isinstance(owner, np.ufunc) else ''}{name}({', '.join(given)})"

    def call(self) -> Call:
        """The call as a statement of the IR, its arguments variables of their types."""
        args = tuple(_atom(x) for x in self.args)
        kwargs = tuple((name, _atom(x)) for name, x in self.kwargs.items())
        return Call((Var("y", typeof(self.result)),), Const(self.f), args, kwargs)


def _brief(x: Any) -> str:
    return f"array{x.shape}" if isinstance(x, np.ndarray) else repr(x)[:20]


def _atom(x: Any) -> Atom:
    constant = isinstance(x, str | type | np.dtype | bool | None) or callable(x)
    return Const(x) if constant else Var("a", typeof(x))


def parts(x: Any, depth: int = 5) -> Iterator[Any]:
    """The arrays and containers in a value, itself included."""
    if isinstance(x, MUTABLE):
        yield x
    if depth and isinstance(x, list | tuple | set | frozenset | dict):
        for item in x.values() if isinstance(x, dict) else x:
            yield from parts(item, depth - 1)
    elif depth and isinstance(x, np.ndarray) and x.dtype == object:
        for item in x.flat:
            yield from parts(item, depth - 1)


def drawn(x: Any) -> Any:
    """A result with what it would run through later made a list of, but for what may have no end."""
    lazy = hasattr(x, "__next__") or isinstance(x, type({}.values()) | type({}.items()) | type({}.keys()))
    if not lazy:
        return x
    items = []
    for item, _ in zip(iter(x), range(10), strict=False):
        items.append(item)
    return items


def meet(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a is b or bool(a.size and b.size and np.may_share_memory(a, b) and np.shares_memory(a, b))
    return a is b


def fresh(x: Any) -> Any:
    """A copy of an argument, in whose arrays there is memory of their own: frozen ones stay frozen."""
    if isinstance(x, np.ndarray) and type(x) is np.ndarray and x.dtype != object:
        y = x.copy(order="K")
        y.flags.writeable = x.flags.writeable
        return y
    if isinstance(x, list | tuple) and type(x) in (list, tuple):
        return type(x)([fresh(item) for item in x])
    try:
        return copy.deepcopy(x)
    except Exception:  # what can not be copied holds no arrays here
        return x


def observe(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Observed | None:
    """A run; None if it is no call of the function."""
    given = tuple(map(fresh, args))
    named = {name: fresh(x) for name, x in kwargs.items()}
    values = (*given, *named.values())
    before = [[(part, held(part)) for part in parts(x)] for x in values]
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"), redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            result = f(*given, **named)
            found = list(parts(drawn(result)))
    except Exception:
        return None
    places = [[part for part in parts(x)] for x in values]
    shared = [i for i, own in enumerate(places) if any(meet(a, b) for a in own for b in found)]
    same = [i for i, x in enumerate(values) if isinstance(x, list | dict | set) and any(x is b for b in found)]
    changed = [i for i, own in enumerate(before) if not all(holds(a, b) for a, b in own)]
    return Observed(f, given, named, result, frozenset(shared), frozenset(same), frozenset(changed))


def held(x: Any) -> Any:
    """What an array or container holds: its memory, or its items as they are, in their order."""
    if isinstance(x, np.ndarray):
        return x.shape, list(x.flat) if x.dtype == object else x.tobytes()
    return [part for item in x.items() for part in item] if isinstance(x, dict) else list(x)


def holds(x: Any, before: Any) -> bool:
    """Whether an array or container still holds what it held."""
    now = held(x)
    if isinstance(x, np.ndarray) and x.dtype != object:
        return bool(now == before)
    if isinstance(x, np.ndarray):
        (shape, now), (shape_before, before) = now, before
        if shape != shape_before:
            return False
    return len(now) == len(before) and all(a is b for a, b in zip(now, before, strict=True))


# ---- calls


def calls() -> Iterator[tuple[Any, tuple[Any, ...], dict[str, Any]]]:
    """The samples of all rules, those that call the function itself, and what options make of them."""
    for family in FAMILIES:
        for s in samples_of(family):
            if s.f is s.of and not any(hasattr(x, "__next__") for x in s.args):
                yield s.f, s.args, s.kwargs
                yield from ((s.f, args, kwargs) for args, kwargs in with_options(s.f, s.args, s.kwargs))
    yield from ((f, args, {}) for f, args in by_hand())


OPTIONS: dict[str, tuple[Any, ...]] = {
    "copy": (None, False, True),
    "dtype": (float,),
    "overwrite_input": (True,),
    "overwrite_a": (True,),
    "overwrite_b": (True,),
    "overwrite_x": (True,),
    "overwrite_y": (True,),
    "overwrite_data": (True,),
    "n": (0,),
    "m": (0,),
    "axis": ((),),
    "inplace": (True,),
    "subok": (True,),
}


def with_options(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The same call with options by name and by position, and with `out`."""
    names = parameters(f)
    for name, values in OPTIONS.items():
        if name not in kwargs and (names is None or name in names):
            for value in values:
                yield args, {**kwargs, name: value}
        if names is not None and name in names and name not in kwargs and (at := by_place(f, names, args, name)):
            yield from (((*args, *at, value), kwargs) for value in values)
    result = _result_of(f, args, kwargs)
    if isinstance(result, np.ndarray) and result.dtype.kind in "fcbi" and "out" not in kwargs:
        for option in ("out", "output"):
            if names is None or option in names or isinstance(f, np.ufunc):
                yield args, {**kwargs, option: np.empty_like(result)}
        if isinstance(f, np.ufunc):
            yield (*args, np.empty_like(result)), kwargs
        elif names is not None and "out" in names and (at := by_place(f, names, args, "out")) is not None:
            yield (*args, *at, np.empty_like(result)), kwargs
    if isinstance(f, np.ufunc) and isinstance(result, np.ndarray) and args and isinstance(args[0], np.ndarray):
        yield args, {**kwargs, "out": (np.empty_like(result),)}


def _result_of(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    found = observe(f, args, kwargs)
    return None if found is None else found.result


@functools.cache
def parameters(f: Any) -> dict[str, inspect.Parameter] | None:
    """The parameters of a function; a method of arrays has those of the function."""
    same = getattr(np, f.__name__, f) if getattr(f, "__objclass__", None) is np.ndarray else f
    try:
        return dict(inspect.signature(same).parameters)
    except (TypeError, ValueError):
        return None


def by_place(f: Any, names: dict[str, inspect.Parameter], args: tuple[Any, ...], name: str) -> tuple[Any, ...] | None:
    """The defaults between the arguments and an option, which is then given by position."""
    order = [p for p in names.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    at = next((i for i, p in enumerate(order) if p.name == name), None)
    if at is None or at < len(args):
        return None
    between = [p.default for p in order[len(args) : at]]
    return None if any(d is inspect.Parameter.empty for d in between) else tuple(between)


A, V, P = np.arange(1.0, 5.0).reshape(2, 2), np.array([3.0, 1.0, 2.0]), np.array([2, 0, 1])
PATTERNS: tuple[tuple[Any, ...], ...] = (
    *((V,), (A,), (V, V), (A, A), (V, 1), (A, 1), (V, 0), (A, 0, 1), (V, None), (V, slice(0, 2)), (A, (1, 0)), (P,)),
    *((A, (2, 2)), (V, 3), ([V],), ([A, A],), ([V, V], V), (V, [V]), ((V,),), ([[1.0], [2.0]],), ([[1.0]], [[2.0]])),
    *(([[1.0]], 0), ({"a": [1.0]},), ({"a": [1.0]}, "a"), ({"a": [1.0]}, "b", [2.0]), ([], [1.0]), ([[1.0]], [2.0])),
    *((abs, V), (max, [[V], [V]]), (V, V, V), (A, [0]), (A, P[:2] % 2), (A, A > 2), (2.0,), (2.0, 3.0), ("a",), ({1},)),
    *(((V, V), 1), ([V], 2), (float,), (V, float), (V, V > 1), (V, True), (A, A, 1), ((2, 2),), (3,)),
    *(([2.0, 1.0],), ([2.0, 1.0], 0, 9.0), ({"a": 1.0}, {"a": 2.0}), ({"a": 1.0}, "a", 2.0)),
)


def by_hand() -> Iterable[tuple[Any, tuple[Any, ...]]]:
    """Calls of what has a rule, or stands in a table, with arguments of many kinds."""
    from .tables import everything

    return ((f, args) for f in everything() if f is not np.test for args in PATTERNS)  # which runs all tests of NumPy


__all__ = ["RULES", "Observed", "calls", "observe", "parts"]

"""Samples of rules with several lanes: each call, and its cotangents, in one run and as the loop."""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Iterator
from typing import Any

import numpy as np
from rules.sampling import Sample

from adjoint.batching.mapped import Mapped
from adjoint.batching.within import BarsOf, MappedBars
from adjoint.finite.structure import identical, leaves
from adjoint.tangents.lanes import NoLanes

FACTORS = (1.0, 0.97, 0.95)
"""Lanes are multiples, which keep matrices symmetric and positive, and what is sorted in order."""


def calls(s: Sample) -> Iterator[tuple[Any, tuple[Any, ...], list[Any]]]:
    """The function of a sample, stacked arguments, their axes: all mapped, each beside others, along another axis."""
    f = (lambda *args: s.f(*args, **s.kwargs)) if s.kwargs else s.f
    floats = [i for i, a in enumerate(s.args) if isinstance(a, float) or _is_of_floats(a)]
    ways = [(floats, 0), (floats, -1), *[([i], 0) for i in floats if len(floats) > 1]]
    for mapped, axis in ways if floats else ():
        args = [_stack(a, axis) if i in mapped else a for i, a in enumerate(s.args)]
        yield f, tuple(args), [axis if i in mapped else None for i in range(len(args))]


def _is_of_floats(a: Any) -> bool:
    return isinstance(a, np.ndarray) and a.dtype.kind in "fc"


def _stack(a: Any, axis: int) -> Any:
    return np.stack([np.asarray(a) * factor for factor in FACTORS], axis=axis)


_NUMBERS = itertools.count()


def _of_own(f: Any, n: int, mapped: list[int]) -> Any:
    """`f` called with operands of its own, which can be written; the function gives these as well. Its code is new: one
    that is called with all kinds of functions is no longer read for each of them."""
    names = [f"x{i}" for i in range(n)]
    own = ", ".join([names[i] for i in mapped])
    lines = [f"def of_own({', '.join(names)}):", *[f"    x{i} = x{i} * 1.0" for i in mapped]]
    text = "\n".join([*lines, f"    return f({', '.join(names)}), [{own}]", ""])
    name = f"operands of their own, {next(_NUMBERS)}"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope = {"f": f}
    exec(compile(text, name, "exec"), scope)
    return scope["of_own"]


def runs(s: Sample) -> Iterator[tuple[Mapped, tuple[Any, ...], list[Any]]]:
    """What is run in lanes: the call itself, and, where it gives an array, its cotangents."""
    for k, (f, args, axes) in enumerate(calls(s)):
        yield Mapped(f, tuple(axes), 0, None, False), args, axes
        if k == 0:
            of_own = _of_own(f, len(args), [i for i, axis in enumerate(axes) if axis is not None])
            yield Mapped(of_own, tuple(axes), 0, None, False), args, axes
        rng = np.random.default_rng(3)
        try:
            bars = [_bar(f(*_lane(args, axes, i)), rng) for i in range(len(FACTORS))]
        except Exception:  # noqa: S112 - the loop raises as well: that is a test of its own
            continue
        if all([bar is not None and bar.shape == bars[0].shape for bar in bars]):
            yield MappedBars(BarsOf(f, ()), (0, *axes), 0, None, False), (np.stack(bars), *args), [0, *axes]


def _lane(args: tuple[Any, ...], axes: list[Any], i: int) -> list[Any]:
    return [a if axis is None else np.moveaxis(a, axis, 0)[i] for a, axis in zip(args, axes, strict=True)]


def _bar(y: Any, rng: np.random.Generator) -> Any:
    if not isinstance(y, (np.ndarray, np.generic, float, complex)) or np.asarray(y).dtype.kind not in "fc":
        return None
    return np.asarray(rng.normal(size=np.shape(y)), np.asarray(y).dtype)


def check(s: Sample) -> tuple[int, int]:
    """Hold what runs together to the loop; gives how many did, and how many ran as the loop.

    Raises
    ------
    AssertionError
        With what differs.
    """
    together = alone = 0
    for mapped, args, axes in runs(s):
        before = [np.array(a) if isinstance(a, np.ndarray) else a for a in args]
        try:
            got = mapped.together(args, {}, axes, len(FACTORS))
        except NoLanes:
            alone += 1
            continue
        want = mapped.in_turn(args, {}, axes, len(FACTORS))
        assert _agree(got, want), f"{mapped} of {s.label} along {axes}: {got} in one run, {want} as a loop"
        assert all([identical(a, b) for a, b in zip(args, before, strict=True) if isinstance(a, np.ndarray)])
        together += 1
    return together, alone


def _agree(got: Any, want: Any) -> bool:
    """Whether these are equal to rounding; None stands for zeros."""
    a, b = [{path: leaf for path, leaf in leaves(x) if _is_number(leaf)} for x in (got, want)]
    return all([_is_close(a.get(path), b.get(path)) for path in {*a, *b}])


def _is_close(x: Any, y: Any) -> bool:
    if x is None or y is None:
        return not np.any(np.asarray(y if x is None else x) != 0)
    if np.shape(x) != np.shape(y) or np.asarray(x).dtype != np.asarray(y).dtype:
        return False
    return np.allclose(x, y, rtol=1e-9, atol=1e-9, equal_nan=True)


def _is_number(x: Any) -> bool:
    return isinstance(x, (np.ndarray, np.generic, float, int, complex))

"""Programs with memory that others may have, held to Python: state, values, and all derivatives, three times each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from regressions.differences import STEP, check
from storing_plans import without_plans

from adjoint import grad, gradient, hvp, jvp, pullback
from adjoint.derivatives import choice
from adjoint.faults import SHOWN
from adjoint.finite.structure import component, cotangent_like, identical, leaves, rebuild
from adjoint.tangents import Tangent
from adjoint.tangents.structural import fields_of


def _read(d: Any) -> Any:
    """A cotangent as it is read: one of an empty list says as much as None."""
    if type(d) is Tangent:
        return {name: _read(bar) for name, bar in fields_of(d).items()}
    if isinstance(d, (list, tuple)):
        return [*map(_read, d)] or None
    return {key: _read(bar) for key, bar in d.items()} if isinstance(d, dict) else d


def hold(f: Callable[..., Any], make: Callable[[], tuple[Any, ...]], second: bool = True) -> None:
    """A program that gives a number is reversed by its structure, and has Python's state and values and the slopes of
    central differences, forward and `second` order included."""
    choice.forget()
    check(f, *make())
    moving = tuple(sorted({path[0].key for path, _ in leaves(make())}))
    rng = np.random.default_rng(3)
    tangents = cotangent_like(make(), lambda leaf: _drawn(leaf, rng))
    tangents = tuple(t if i in moving else None for i, t in enumerate(tangents))
    plain = make()
    y = f(*plain)
    bars = pullback(f, *make())[1](1.0)[1:]
    slope = inner(bars, tangents)
    for _ in range(3):
        args = make()
        assert identical(_read(pullback(f, *args)[1](1.0)[1:]), _read(bars))
        assert identical(args, plain), f"{args}, in Python {plain}"
        args = make()
        value, along = jvp(f, tuple(args), tangents)
        assert identical(value, y)
        assert identical(args, plain), f"{args}, in Python {plain}"
        np.testing.assert_allclose(along, slope, rtol=1e-9, atol=1e-12)
    assert not choice.was_recorded(f), "it was recorded"
    if second:
        _hold_second(f, make, tangents, moving)


def _hold_second(f: Any, make: Any, tangents: Any, moving: tuple[int, ...]) -> None:
    args = make()
    found = hvp(f, tuple(args), tangents)
    plain = make()
    f(*plain)
    assert identical(args, plain)
    sides = [grad(f, argnums=moving)(*_moved(make(), tangents, h)) for h in (STEP, -STEP)]
    weights = cotangent_like(make(), lambda leaf: _drawn(leaf, np.random.default_rng(7)))
    of = [weights[i] for i in moving]
    expected = (inner(sides[0], of) - inner(sides[1], of)) / (2 * STEP)
    np.testing.assert_allclose(inner([found[i] for i in moving], of), expected, rtol=1e-5, atol=1e-6)


def hold_to_recorded(f: Callable[..., Any], make: Callable[[], tuple[Any, ...]]) -> None:
    """The same of arguments with several names: the gradient is that of the recorded program."""
    choice.forget()
    plain, args = make(), make()
    y = f(*plain)
    value, back = pullback(f, *args)
    assert identical(value, y)
    assert identical(args, plain)
    found = back(1.0)
    assert not choice.was_recorded(f), "it was recorded"
    with pytest.MonkeyPatch.context() as patch:
        without_plans(patch)
        patch.setattr("adjoint.derivatives.shared_call", lambda *args: None)
        expected = gradient(f, *make())
        choice.forget()
    for path, leaf in leaves(make()):
        want, have = component(expected, path), component(found[1:], path)
        nothing = np.zeros(np.shape(leaf))
        np.testing.assert_allclose(nothing if have is None else have, nothing if want is None else want, 1e-9, 1e-12)


def hold_errors(f: Callable[..., Any], make: Callable[[], tuple[Any, ...]], error: type[Exception]) -> None:
    """A program that raises leaves what Python leaves, and raises that."""
    plain = make()
    with pytest.raises(error) as expected:
        f(*plain)
    for _ in range(3):
        args = make()
        with pytest.raises(error) as found, pytest.MonkeyPatch.context() as patch:
            patch.delenv(SHOWN, raising=False)  # rules raise what the program's functions do
            gradient(f, *args)
        assert str(found.value) == str(expected.value)
        assert identical(args, plain), f"{args}, in Python {plain}"


def inner(bars: Any, values: Any) -> float:
    """⟨ȳ, y⟩ of structures with numbers in the same places."""
    total = 0.0
    for path, leaf in leaves(values):
        bar = component(bars, path)
        total += 0.0 if bar is None else float(np.vdot(np.asarray(bar), np.asarray(leaf)))
    return total


def _moved(args: Any, tangents: Any, h: float) -> Any:
    def moved(path: Any, leaf: Any) -> Any:
        t = component(tangents, path)
        moves = np.asarray(leaf).dtype.kind == "f" and t is not None
        return leaf + h * np.asarray(t) if isinstance(leaf, np.ndarray) and moves else leaf + h * t if moves else leaf

    return rebuild(moved, args)


def _drawn(leaf: Any, rng: np.random.Generator) -> Any:
    values = rng.normal(size=np.shape(leaf)) * (np.asarray(leaf).dtype.kind == "f")
    return values if isinstance(leaf, np.ndarray) else float(values)

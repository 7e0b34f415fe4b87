"""Gradients held against central differences of the plain program, entry by entry.

Every run gets copies of the arguments, and of what functions among them capture, so that a program may change what it
is given: its gradient is by what the arguments hold when it is called.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from adjoint import gradient, jvp, pullback
from adjoint.errors import AdjointError
from adjoint.finite.structure import Path, component, cotangent_like, identical, leaves, rebuild, take_apart

STEP = 1e-4


def check(f: Callable[..., Any], *args: Any, order: int = 1, rtol: float = 1e-6, atol: float = 1e-7) -> None:
    """Value, changes to the arguments and derivatives of `f` at `args` are those of the plain program.

    The derivative is by every float and complex number among `args`, of a random combination of what `f` returns. With
    `order` 2, so is the derivative of that derivative.
    """
    rng = np.random.default_rng(0)
    plain, changed = copies(args), copies(args)
    expected = f(*plain)
    y_bar = cotangent_like(expected, lambda leaf: _random(leaf, rng))
    y, back = pullback(f, *changed)
    assert identical(y, expected), f"value {y}, of the plain program {expected}"
    assert identical(changed, plain), f"arguments become {changed}, in the plain program {plain}"
    bars = back(y_bar)[1:]
    assert identical(bars, back(y_bar)[1:]), "back gives something else when it is called again"
    for path, leaf in leaves(args):
        bar = component(bars, path)
        numeric = _differences(f, args, path, leaf, y_bar)
        actual = np.zeros(np.shape(leaf)) if bar is None else bar
        np.testing.assert_allclose(actual, numeric, rtol, atol, err_msg="".join(map(str, path)))
    if order > 1:
        _check_again(f, args, y_bar, rtol, atol)


def copies(values: Any) -> Any:
    """Copies of values; of functions that capture what derivatives are taken by, functions with copies of that."""
    memo: dict[int, Any] = {}
    _copy_functions(values, memo, ())
    return copy.deepcopy(values, memo)


def _copy_functions(value: Any, memo: dict[int, Any], above: tuple[int, ...]) -> None:
    if id(value) in memo or id(value) in above or (node := take_apart(value)) is None:
        return
    for child in node.children:
        _copy_functions(child, memo, (*above, id(value)))
    if type(value) is FunctionType and any(leaves(value)):
        memo[id(value)] = node.build(copy.deepcopy(node.children, memo))


def check_forward(f: Callable[[float], Any], x: float) -> None:
    """Value and tangent of `f` at a number are those of the plain program and of reverse mode."""
    y, dy = jvp(f, (x,), (1.0,))
    assert y == f(x)
    np.testing.assert_allclose(dy, gradient(f, x)[0], rtol=1e-10)


def right_or_refused(f: Callable[..., Any], *args: Any) -> None:
    """What cannot be differentiated yet is refused; what is not refused is right."""
    try:
        pullback(f, *copies(args))
    except AdjointError as error:
        assert error.why and error.way_out
    else:
        check(f, *args)


def _check_again(f: Callable[..., Any], args: tuple[Any, ...], y_bar: Any, rtol: float, atol: float) -> None:
    def derivative(*xs: Any) -> Any:
        _, back = pullback(f, *xs)
        return back(y_bar)[1:]

    rng = np.random.default_rng(1)
    z_bar = cotangent_like(derivative(*copies(args)), lambda leaf: _random(leaf, rng))
    _, back = pullback(derivative, *copies(args))
    bars = back(z_bar)[1:]
    for path, leaf in leaves(args):
        bar = component(bars, path)
        numeric = _differences(derivative, args, path, leaf, z_bar)
        actual = np.zeros(np.shape(leaf)) if bar is None else bar
        np.testing.assert_allclose(actual, numeric, rtol, atol, err_msg=f"second order {''.join(map(str, path))}")


def _differences(f: Callable[..., Any], args: tuple[Any, ...], path: Path, leaf: Any, y_bar: Any) -> Any:
    """∂Re⟨ȳ, f⟩/∂x for every entry x of the leaf at `path`; x̄ + i ȳ for a complex one."""
    kind = np.asarray(leaf).dtype.kind
    grads = np.zeros(np.shape(leaf), complex if kind == "c" else float)
    for place in np.ndindex(np.shape(leaf)):
        for unit in (1.0, 1.0j) if kind == "c" else (1.0,):
            grads[place] += unit * _slope(f, args, path, leaf, place, unit, y_bar)
    return grads


def _slope(
    f: Callable[..., Any], args: tuple[Any, ...], path: Path, leaf: Any, place: Any, unit: Any, y_bar: Any
) -> float:
    """g'(0) to the fourth order in the step, where g moves one entry of the leaf."""

    def g(t: float) -> float:
        def moved(at: Path, x: Any) -> Any:
            if at != path:
                return x
            if not isinstance(x, np.ndarray):
                return x + t * unit
            x[place] += t * unit
            return x

        return _inner(y_bar, f(*rebuild(moved, copies(args))))

    h = STEP * (float(np.max(np.abs(leaf))) or 1.0)
    return (8.0 * (g(h) - g(-h)) - (g(2 * h) - g(-2 * h))) / (12.0 * h)


def _inner(y_bar: Any, y: Any) -> float:
    total = 0.0
    for path, leaf in leaves(y, integers=True):
        bar = component(y_bar, path)
        if bar is not None:
            total += float(np.real(np.vdot(np.asarray(bar), np.asarray(leaf))))
    return total


def _random(leaf: Any, rng: np.random.Generator) -> Any:
    values: Any = rng.normal(size=np.shape(leaf))
    kind = np.asarray(leaf).dtype.kind
    if kind == "c":
        values = values + 1j * rng.normal(size=np.shape(leaf))
    if isinstance(leaf, np.ndarray):
        return np.asarray(values)
    return complex(values) if kind == "c" else float(values)

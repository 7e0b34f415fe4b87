"""Functions whose names, and whose parameters', are those of what a written module calls and has."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

FACTOR = 1.5
STEPS = np.int64(3)
ENDLESS = math.inf


class Rates:
    first = 0.25


def named_as_gradients(x: float, dx: float) -> float:
    return x * x * dx


def named_as_numbered(x, dx, dx_1, x_1, ddx):  # type: ignore[no-untyped-def]
    return x * dx**2 * dx_1**3 * x_1 * ddx


def named_as_new(a, new_a, da, stored):  # type: ignore[no-untyped-def]
    a[0] = new_a * da
    stored[0] = a[0] * 2.0
    return a[0] * a[1] * stored[0]


def named_as_helpers(np, float, _array, status, value, math):  # type: ignore[no-untyped-def]
    return np * float * _array[0] * status * value * math


def named_as_errors(ValueError, ArithmeticError, TypeError, flag=True):  # type: ignore[no-untyped-def]
    return ValueError * ArithmeticError * TypeError if flag else ValueError


def named_as_itself(named_as_itself, value_and_grad, njit):  # type: ignore[no-untyped-def]
    return named_as_itself * value_and_grad * njit


def njit(x):  # type: ignore[no-untyped-def]
    return x * x


def value_and_grad(x):  # type: ignore[no-untyped-def]
    return x * x * x


def plus(x):  # type: ignore[no-untyped-def]
    return np.sum(x * x)


def at(x, range):  # type: ignore[no-untyped-def]
    s = 0.0
    for i in builtins.range(len(x)):
        s += x[i] * range
    return s


def tuple(x, maximum):  # type: ignore[no-untyped-def]
    return np.sum(np.maximum(x, maximum))


def _array(x, n=2, /, *, scale=2.0, k):  # type: ignore[no-untyped-def]
    return np.sum(x**n) * scale * k


def from_elsewhere(x: float) -> float:
    return x * FACTOR * STEPS * Rates.first if x < ENDLESS else x


def f_taped(x, n):  # type: ignore[no-untyped-def]
    return f(x, n)


def f(x, n):  # type: ignore[no-untyped-def]
    return x if n == 0 else x * f(x, n - 1)


def of_texts(x, text='"""\n\\', other='it\'s {x} "q"'):  # type: ignore[no-untyped-def]
    return x * 2.0 if text == '"""\n\\' and other == 'it\'s {x} "q"' else x


def documented(x: float, ﬁ: float, größe: float) -> float:
    """Ends \"\"\" here: {x} \\"""
    return x * ﬁ * größe


QUOTES = ('a"b\'c"""\n', "\\", "{x}", "é\u2028", "", "\ud800", "'''")

A, B = np.array([0.5, 2.0, 3.0]), np.array([4.0, 1.0, 2.0])
PROGRAMS: list[builtins.tuple[Any, builtins.tuple[Any, ...], dict[str, Any]]] = [
    (named_as_gradients, (3.0, 5.0), {}),
    (named_as_numbered, (3.0, 5.0, 0.5, 2.0, 7.0), {}),
    (named_as_new, (A, 2.0, 3.0, B), {}),
    (named_as_helpers, (2.0, 3.0, A, 4.0, 5.0, 6.0), {}),
    (named_as_errors, (2.0, 3.0, 4.0), {}),
    (named_as_itself, (2.0, 3.0, 4.0), {}),
    (njit, (3.0,), {}),
    (value_and_grad, (3.0,), {}),
    (plus, (A,), {}),
    (at, (A, 2.0), {}),
    (tuple, (A, 1.0), {}),
    (_array, (A,), {"k": 3.0}),
    (from_elsewhere, (2.0,), {}),
    (f_taped, (2.0, 3), {}),
    (of_texts, (2.0,), {}),
    *[(of_texts, (2.0, text, text + text), {}) for text in QUOTES],
    (documented, (2.0, 3.0, 4.0), {}),
]

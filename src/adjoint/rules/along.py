"""Where tangents are declared: what forward mode takes for a function that is neither elementwise nor linear.

A function without one is followed by transposing its pullback, which costs more with each derivative that is taken of
it. A tangent is a program of functions that forward mode follows as they are, so that derivatives of any order are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

R = TypeVar("R", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Along:
    """The tangent of a function: `program(y, xs, dots, options)`, where `xs` are its first `n` arguments, real arrays
    (or complex, where it is holomorphic), `dots` their tangents (None for one that stays), and `options` the others of
    which it takes account, None for what is not given."""

    program: Callable[..., Any]
    n: int
    options: tuple[str, ...]
    holomorphic: bool

    def fits(self, names: list[Any], args: tuple[Any, ...], dots: tuple[Any, ...]) -> bool:
        """Whether it is for arguments of these names: others are given only where they are None."""
        moving, others = [*zip(args, dots, strict=True)][: self.n], [*zip(names, args, dots, strict=True)][self.n :]
        kinds = "fc" if self.holomorphic else "f"
        if len(moving) < self.n or any(type(x) is not np.ndarray or x.dtype.kind not in kinds for x, _ in moving):
            return False
        return all(d is None and (x is None or name in self.options) for name, x, d in others)

    def of(self, names: list[Any], args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The options of a call."""
        given = dict(zip(names[self.n :], args[self.n :], strict=True))
        return tuple([given.get(name) for name in self.options])


ALONG: dict[Any, Along] = {}
"""The tangents that are declared, by function."""


def along(*functions: Any, n: int = 1, options: str = "", holomorphic: bool = True) -> Callable[[R], R]:
    """Declare the tangent of functions that have a rule: `@along(f)` over `program(y, xs, dots, options)`.

    Examples
    --------
    >>> from adjoint import derivative, rule
    >>> def energy(x): return float(x @ x)
    >>> @rule(energy)
    ... def energy_rule(x): return energy(x), lambda y_bar: (2 * y_bar * x,)
    >>> @along(energy)
    ... def energy_along(y, xs, dots, options): return 2 * np.sum(xs[0] * dots[0])
    >>> float(derivative(lambda t: energy(np.array([t, 3 * t])), 2)(1.0))
    20.0
    """

    def register(program: R) -> R:
        for f in functions:
            ALONG[f] = Along(program, n, tuple(options.split()), holomorphic)
        return program

    return register

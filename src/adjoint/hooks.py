"""Hooks on a gradient on its way: a function is given it, and gives what flows on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .derivatives.named import Importable
from .errors import check_callable
from .rules.registry import Back, non_differentiable, rule
from .runtime.argnums import name_of
from .tangents.form import fit, form_of

T = TypeVar("T")


def gradient_hook(f: Callable[[Any], Any]) -> Callable[[T], T]:
    """The identity x ↦ x, whose cotangent `f` is given: what `f` returns flows on, x̄ = f(ȳ).

    A function that only looks (prints, stores) returns the cotangent as it is; one that returns None lets it pass, too.

    Parameters
    ----------
    f : a function of a cotangent, which has the structure and the shapes of `x`. It is called once in each reverse
        pass, and not at all where nothing flows. It must give a cotangent of that form.

    Returns
    -------
    A function of one argument. Each derivative of a derivative goes through it once more. Forward mode takes the
    transpose of its reverse, so that both agree where `f` is linear.

    Raises
    ------
    NotDifferentiableError
        If `f` is not callable.
    CotangentError
        In the reverse pass, if what `f` gives is no cotangent of `x`.

    References
    ----------
    Zygote.jl has it as `hook`; the straight-through estimator of Bengio, Léonard and Courville, "Estimating or
    propagating gradients through stochastic neurons", 2013, is one.

    Examples
    --------
    >>> import numpy as np
    >>> from adjoint import grad
    >>> clipped = gradient_hook(lambda g: np.clip(g, -1.0, 1.0))
    >>> grad(lambda x: (clipped(x) ** 2).sum())(np.array([0.25, 3.0]))
    array([0.5, 1. ])
    """
    check_callable(f)
    return Hook(f)


class Hook(Importable):
    """The identity, with something done to the gradient."""

    def __init__(self, f: Callable[[Any], Any]) -> None:
        self._f = f

    def __reduce__(self) -> Any:
        return Hook, (self._f,)

    def __repr__(self) -> str:
        return f"gradient_hook({name_of(self._f)})"

    def __call__(self, x: Any) -> Any:
        return passed(x, self._f)


def passed(x: Any, f: Callable[[Any], Any]) -> Any:
    """`x`; `f` is given its cotangent."""
    return x


@rule(passed)
def passed_rule(x: Any, f: Callable[[Any], Any]) -> tuple[Any, Back]:
    """x̄ = f(ȳ)."""

    def passed_back(y_bar: Any) -> tuple[Any, ...]:
        found = f(y_bar)
        if found is None:
            return y_bar, None
        check_fits(found, x, f)
        return found, None

    return passed(x, f), passed_back  # a second derivative comes through here as well


def check_fits(found: Any, x: Any, f: Any) -> None:
    """Raise `CotangentError` for what is no cotangent of `x`."""
    fit(found, form_of(x), f"what the hook `{name_of(f)}` gives")


non_differentiable(check_fits)

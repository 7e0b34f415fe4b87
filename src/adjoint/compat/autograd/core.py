"""Products with Jacobians at a point, `autograd.core`: by these the other operators are defined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...directional import jvp, vjp
from .borders import conjugated
from .boxes import refused_names
from .deprecated import primitive
from .extend import def_linear, defjvp, defjvp_argnum, defjvp_argnums, defvjp, defvjp_argnum, defvjp_argnums
from .vspaces import VSpace, vspace


def make_vjp(fun: Callable[[Any], Any], x: Any) -> tuple[Callable[[Any], Any], Any]:
    """The reverse map g ↦ Jᵀ g of a function of one argument at `x`, in autograd's convention, and its value.

    Parameters
    ----------
    fun : a function of one argument.
    x : numbers, arrays, or structures of these.

    Returns
    -------
    The map, which takes cotangents of the result and gives those of `x`, and the value.

    References
    ----------
    Griewank and Walther, Evaluating Derivatives, 2nd ed., section 3.2; the convention is autograd's.

    Examples
    --------
    >>> back, y = make_vjp(lambda z: z * z, 1 + 2j)
    >>> y, back(1.0 + 0j)
    ((-3+4j), (2+4j))
    """
    y, back = vjp(fun, x)

    def reverse(g: Any) -> Any:
        return conjugated(back(conjugated(g))[0])

    return reverse, y


def make_jvp(fun: Callable[[Any], Any], x: Any) -> Callable[[Any], tuple[Any, Any]]:
    """The map ẋ ↦ (f(x), J ẋ) of a function of one argument at `x`.

    Examples
    --------
    >>> make_jvp(lambda x: x * x, 3.0)(1.0)
    (9.0, 6.0)
    """

    def forward(v: Any) -> tuple[Any, Any]:
        return jvp(fun, (x,), (v,))

    return forward


__getattr__ = refused_names(__name__)

__all__ = [
    "VSpace",
    "def_linear",
    "defjvp",
    "defjvp_argnum",
    "defjvp_argnums",
    "defvjp",
    "defvjp_argnum",
    "defvjp_argnums",
    "make_jvp",
    "make_vjp",
    "primitive",
    "vspace",
]

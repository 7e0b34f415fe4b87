"""autograd's complex convention, at the borders of a derivative and nowhere inside.

With f = u + iv its reverse map is g ↦ Jᵀ g of the real parts, conjugated: where the cotangent of this library is
x̄ + iȳ, autograd's is x̄ - iȳ. So a reverse map is conj ∘ back ∘ conj, and it is made where cotangents go in and out.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...errors import NotDifferentiableError, calling_place
from ...rules.registry import Back, non_differentiable, rule
from ...runtime.argnums import name_of
from ...tangents.blocks import parts
from ...tangents.lane_runs import mapped
from ...tangents.lanes import Lanes


def conjugated(d: Any) -> Any:
    """A cotangent of one convention in the other: with its complex numbers conjugated; others are as they are.

    >>> conjugated((1.0, [2 + 1j, None]))
    (1.0, [(2-1j), None])
    """
    if type(d) is complex:
        return d.conjugate()
    if isinstance(d, np.ndarray | np.generic | Lanes):
        return np.conj(d) if d.dtype.kind == "c" else d
    return mapped(conjugated, d)


@rule(conjugated, linear="d")
def conjugated_rule(d: Any) -> tuple[Any, Back]:
    """It is its own adjoint: Re⟨a, conj b⟩ = Re⟨conj a, b⟩."""

    def conjugated_back(y_bar: Any) -> tuple[Any, ...]:
        return (conjugated(y_bar),)

    return conjugated(d), conjugated_back


def is_complex(x: Any) -> bool:
    """Tell whether there is a complex number in a structure.

    >>> is_complex({"a": [1.0, 1j]}), is_complex(np.ones(2))
    (True, False)
    """
    return any([np.iscomplexobj(part) for part in parts(x)])


def refuse_complex(y: Any, f: Any) -> None:
    """Refuse a complex result of complex arguments, which have no one Jacobian of complex numbers."""
    if is_complex(y):
        raise NotDifferentiableError(
            f"the result of `{name_of(f)}` is complex, and so is what it is differentiated by",
            "the real and the imaginary part of the result have a row each, of which no complex number is made",
            "take `holomorphic_grad` of numbers, or `jacobian` of its real and of its imaginary part",
            calling_place(),
        )


def warn_of_real(x: Any) -> None:
    """Warn that a complex derivative is taken by what is real."""
    if not is_complex(x):
        warnings.warn("the input of `holomorphic_grad` is not complex", stacklevel=2)


non_differentiable(refuse_complex, warn_of_real)

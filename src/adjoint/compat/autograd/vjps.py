"""`autograd.numpy.numpy_vjps`: what libraries use of it in reverse maps of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...tangents import unbroadcast
from .boxes import refused_names


def unbroadcast_f(target: Any, g: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A reverse map whose results are summed over the axes along which `target` was broadcast.

    Parameters
    ----------
    target : the argument that the cotangents belong to.
    g : a map of cotangents.

    Examples
    --------
    >>> import numpy as np
    >>> unbroadcast_f(np.ones(1), lambda g: 2.0 * g)(np.ones(3))
    array([6.])
    """

    def summed(x: Any) -> Any:
        return unbroadcast(g(x), target)

    return summed


__getattr__ = refused_names(__name__)

__all__ = ["unbroadcast", "unbroadcast_f"]

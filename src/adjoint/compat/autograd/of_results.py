"""Functions of what functions give: a sum, a pair, a product with a further argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...derivatives.named import Named, name_after
from ...errors import NotScalarError, calling_place
from ...rules.registry import non_differentiable
from ...runtime.argnums import name_of
from ...tangents import zeros_like
from ...tangents.form import describe
from .borders import is_complex


class Pair(Named):
    """Both results of a function as a tuple, where it gives them in a list or an array."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self._f = f
        name_after(self, f)

    def __reduce__(self) -> Any:
        return Pair, (self._f,)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        y, aux = self._f(*args, **kwargs)
        return y, aux


class Total(Named):
    """The sum of what a function gives."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self._f = f
        name_after(self, f)

    def __reduce__(self) -> Any:
        return Total, (self._f,)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        y = self._f(*args, **kwargs)
        check_not_complex(self._f, y)
        return np.sum(y)


class Contracted(Named):
    """A function whose result is multiplied with its last argument, over all axes of that."""

    def __init__(self, f: Callable[..., Any], on_the_right: bool) -> None:
        self._f = f
        self._on_the_right = on_the_right
        name_after(self, f)

    def __reduce__(self) -> Any:
        return Contracted, (self._f, self._on_the_right)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        v = args[-1]
        y = self._f(*args[:-1], **kwargs)
        if self._on_the_right:
            return np.tensordot(y, v, np.ndim(v))
        return np.tensordot(v, y, np.ndim(v))


def check_not_complex(f: Any, y: Any) -> None:
    """Raise `NotScalarError` if a result is complex."""
    if is_complex(zeros_like(y)):
        raise NotScalarError(
            f"`elementwise_grad` was asked for, and `{name_of(f)}` returns {describe(y)}",
            "it is the gradient of a sum, which is to be real",
            "use `holomorphic_grad`, or the real part",
            calling_place(),
        )


non_differentiable(check_not_complex)

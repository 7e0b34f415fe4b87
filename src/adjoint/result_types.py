"""Types of what functions of derivatives give, for type checkers: by one argument, and with the signature of `f`.

A `Callable[P, ...]` keeps the signature of `f`, and says nothing of the result. Each class here has overloads for one
argument beside it, which hold if `f` takes that argument alone.
"""

from __future__ import annotations

from typing import Any, ClassVar, ParamSpec, Protocol, TypeVar, overload

import numpy as np

from .tangents import Tangent

P = ParamSpec("P")
R = TypeVar("R", covariant=True)
Array = np.ndarray[Any, Any]
A = TypeVar("A", bound=Array)
B = TypeVar("B", bound=Array)


class Record(Protocol):
    """Any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


M = TypeVar("M", bound=Record)


class Gradient(Protocol[P]):
    """The function that `grad(f)` gives."""

    @overload
    def __call__(self: Gradient[[float]], x: float, /) -> float: ...
    @overload
    def __call__(self: Gradient[[A]], x: A, /) -> A: ...
    @overload
    def __call__(self: Gradient[[M]], x: M, /) -> Tangent[M]: ...
    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Any: ...


class ValueAndGradient(Protocol[P, R]):
    """The function that `value_and_grad(f)` gives."""

    @overload
    def __call__(self: ValueAndGradient[[float], R], x: float, /) -> tuple[R, float]: ...
    @overload
    def __call__(self: ValueAndGradient[[A], R], x: A, /) -> tuple[R, A]: ...
    @overload
    def __call__(self: ValueAndGradient[[M], R], x: M, /) -> tuple[R, Tangent[M]]: ...
    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> tuple[R, Any]: ...


class Matrix(Protocol[P]):
    """The function that `hessian(f)` gives, and `jacobian(f)` of a function whose result is a number or an array."""

    @overload
    def __call__(self: Matrix[[float]], x: float, /) -> Array: ...
    @overload
    def __call__(self: Matrix[[A]], x: A, /) -> Array: ...
    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Any: ...

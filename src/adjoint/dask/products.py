"""Products with the Hessian of a sum over partitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from adjoint import grad, value_and_grad, vjp
from adjoint import hvp as of_one
from adjoint.errors import CotangentError, NotDifferentiableError, calling_place, check_callable
from adjoint.tangents.accumulate import dotted

from .options import check_options
from .parts import Part
from .slopes import Count, is_whole
from .sums import Reduction, Sum


def hvp(
    loss: Callable[..., Any],
    args: Sequence[Any],
    tangents: Sequence[Any],
    /,
    *,
    reduction: Reduction = "sum",
    split_every: int = 8,
    rows: int | None = None,
    threads: int | None = None,
) -> tuple[Any, ...]:
    """The product of the Hessian of a sum of losses over partitions with a vector: Σᵢ Hᵢ v.

    Parameters
    ----------
    loss, reduction, split_every, rows, threads : as for `value_and_grad`.
    args : the parameters and the data.
    tangents : v, one for each of `args`, None for data; those at the end that are None may be left off. An array with
        None is data: a parameter that stays as it is has zeros.

    Returns
    -------
    H v: a tuple with one item for each of `args`, None for data and for what has no tangent.

    Raises
    ------
    CotangentError
        If there are more tangents than arguments, or none at all.
    OptionError, ShapeError, PartitionError, PartitionLostError
        As `value_and_grad` does.

    References
    ----------
    Pearlmutter, "Fast exact multiplication by the Hessian", 1994.

    Examples
    --------
    >>> import numpy as np
    >>> def loss(w, x): return np.sum((x * w) ** 2)
    >>> hvp(loss, (3.0, np.array([1.0, 2.0, 3.0])), (1.0,), rows=2)
    (28.0, None)
    """
    check_callable(loss)
    check_options(reduction, split_every, rows, threads)
    places = [i for i, v in enumerate(tangents) if v is not None]
    if len(tangents) > len(args) or not places:
        raise CotangentError(
            f"{len(tangents)} tangents are given for {len(args)} arguments, {len(places)} of them not None",
            "each argument that is differentiated has one",
            "write `hvp(loss, (params, x, y), (v,))`",
            calling_place(),
        )
    of = Sum(loss, places, False, reduction, split_every, rows, threads)
    found = product(of, tuple(args), places, tuple([tangents[i] for i in places]))
    return tuple([found[places.index(i)] if i in places else None for i in range(len(args))])


def product(of: Sum, args: tuple[Any, ...], places: Sequence[int], along: tuple[Any, ...]) -> tuple[Any, ...]:
    """The Hessian times v by the arguments at some places, which are those that the sum is differentiated by."""
    found: tuple[Any, ...] = of.run(Curve(of.loss, places, along, of.has_aux, of.mean), args, {})[1]
    return found


class Curve:
    """What is computed of a partition: the product of the Hessian with a vector.

    The loss is sent as what differentiates it, which takes its source along.
    """

    def __init__(
        self, loss: Callable[..., Any], places: Sequence[int], along: tuple[Any, ...], has_aux: bool, mean: bool
    ) -> None:
        self.g: Any = value_and_grad(loss)
        self.places, self.along, self.has_aux, self.mean = tuple(places), along, has_aux, mean

    def __call__(self, *args: Any) -> Part:
        """The part of a partition."""
        loss = self.g.__wrapped__
        of = loss
        for _ in range(self.has_aux + self.mean):
            of = First(of)
        along = dict(zip(self.places, self.along, strict=True))
        found = of_one(of, args, tuple([along.get(i) for i in range(len(args))]))
        return Part(0.0, tuple([found[i] for i in self.places]), self.count(loss, args), [])

    def count(self, loss: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """The number of terms of the sum, which has to be a constant.

        Raises
        ------
        NotDifferentiableError
            If the count has a derivative: the Hessian of the quotient is another one than the quotient of sums.
        """
        if not self.mean:
            return 0
        counted = Count(loss, self.has_aux)
        n = counted(*args)
        if not is_whole(n):
            of = Placed(counted, args, self.places)
            moved = tuple([args[i] for i in self.places])
            every = tuple(range(len(moved)))
            slopes, back = vjp(grad(of, every), *moved)
            if any([dotted(d, d) != 0.0 for d in (*slopes, *back(self.along)) if d is not None]):
                raise NotDifferentiableError(
                    "the count of a partition depends on the parameters",
                    "second derivatives are those of sums that are divided by a number",
                    "return a count that does not depend on them, or add up sum and count apart, and differentiate "
                    "the quotient outside",
                )
        return n


class Placed:
    """A function of all arguments as one of those that are differentiated."""

    def __init__(self, f: Callable[..., Any], args: tuple[Any, ...], places: tuple[int, ...]) -> None:
        self.f, self.args, self.places = f, args, places

    def __call__(self, *moved: Any) -> Any:
        """The result of the function."""
        args = [*self.args]
        for place, x in zip(self.places, moved, strict=True):
            args[place] = x
        return self.f(*args)


class First:
    """A function as one that gives the first item of its result: the sum of what stands beside it."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f = f

    def __call__(self, *args: Any) -> Any:
        """That item."""
        return self.f(*args)[0]

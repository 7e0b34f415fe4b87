"""Products with the Hessian of a sum over partitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from adjoint import grad, vjp
from adjoint import hvp as of_one
from adjoint.errors import CotangentError, NotDifferentiableError, calling_place
from adjoint.forward import check_tangents, check_tuples
from adjoint.installed import needed
from adjoint.options import refuse_foreign
from adjoint.runtime.argnums import name_of
from adjoint.tangents.accumulate import dotted

from .partitions import is_delayed, is_far
from .parts import Call, Part
from .slopes import Count, is_whole, told_of_sums
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
    **kwargs: Any,
) -> tuple[Any, ...]:
    """The product of the Hessian of a sum of losses over partitions with a vector: Σᵢ Hᵢ v.

    Parameters
    ----------
    loss, reduction, split_every, rows, threads : as for `value_and_grad`.
    args : the parameters and the data.
    tangents : v, one for each of `args`, None for data; those at the end that are None may be left off. An array with
        None is data: a parameter that stays as it is has zeros.
    kwargs : keywords of the loss, constants that reach each partition whole. A keyword that has the name of an option
        above is bound into the loss (`functools.partial`).

    Returns
    -------
    H v: a tuple with one item for each of `args`, None for data and for what has no tangent. `hvp.delayed` takes the
    same, and gives a `Delayed` of these items; parameters may be `Delayed` themselves.

    Raises
    ------
    CotangentError
        If there are more tangents than arguments, none at all, or one of another structure or shape.
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
    of, places, along = prepared(loss, args, tangents, kwargs, reduction, split_every, rows, threads)
    return among(len(args), places, product(of, tuple(args), kwargs, places, along))


def delayed(
    loss: Callable[..., Any],
    args: Sequence[Any],
    tangents: Sequence[Any],
    /,
    *,
    reduction: Reduction = "sum",
    split_every: int = 8,
    rows: int | None = None,
    threads: int | None = None,
    **kwargs: Any,
) -> Any:
    """The same as a `Delayed` of as many items as there are arguments: nothing is computed."""
    dask = needed("dask", "dask")
    of, places, along = prepared(loss, args, tangents, kwargs, reduction, split_every, rows, threads)
    partitions = of.partitions(tuple(args), kwargs)
    job = Curve(of.loss, places, of.has_aux, of.mean)
    call = Call(job, partitions.args, partitions.places, kwargs, partitions.alone, (along,))
    return dask.delayed(among, nout=len(args))(len(args), places, of.lazy(call, partitions)[1])


hvp.delayed = delayed  # type: ignore[attr-defined]


def prepared(
    loss: Callable[..., Any],
    args: Sequence[Any],
    tangents: Sequence[Any],
    kwargs: dict[str, Any],
    *options: Any,
) -> tuple[Sum, list[int], tuple[Any, ...]]:
    """The sum, the places of the arguments that have tangents, and these; raises as `hvp` does."""
    check_tuples("hvp", loss, args, tangents)
    refuse_foreign("hvp", loss, kwargs)
    places = [i for i, v in enumerate(tangents) if v is not None]
    if len(tangents) > len(args) or not places:
        raise CotangentError(
            f"{len(tangents)} tangents are given for {len(args)} arguments, {len(places)} of them not None",
            "each argument that is differentiated has one",
            "write `hvp(loss, (params, x, y), (v,))`",
            calling_place(),
        )
    known = [i for i in places if not is_far(args[i]) and not is_delayed(args[i])]
    check_tangents(loss, tuple(args), tuple([tangents[i] for i in known]), tuple(known))
    return Sum(loss, places, False, *options), places, tuple([tangents[i] for i in places])


def among(n: int, places: Sequence[int], found: Sequence[Any]) -> tuple[Any, ...]:
    """Products at the places of their arguments, None at the others of `n`."""
    return tuple([found[places.index(i)] if i in places else None for i in range(n)])


def product(
    of: Sum, args: tuple[Any, ...], kwargs: dict[str, Any], places: Sequence[int], along: tuple[Any, ...]
) -> tuple[Any, ...]:
    """The Hessian times v by the arguments at some places, which are those that the sum is differentiated by."""
    found: tuple[Any, ...] = of.run(Curve(of.loss, places, of.has_aux, of.mean), args, kwargs, along)[1]
    return found


class Curve:
    """The job of a partition: the product of the Hessian with a vector, which comes before the arguments."""

    def __init__(self, loss: Callable[..., Any], places: Sequence[int], has_aux: bool, mean: bool) -> None:
        self.loss, self.places, self.has_aux, self.mean = loss, tuple(places), has_aux, mean

    def __call__(self, along: tuple[Any, ...], /, *args: Any, **kwargs: Any) -> Part:
        """The part of a partition."""
        of = self.loss
        for _ in range(self.has_aux + self.mean):
            of = First(of)
        with told_of_sums():
            found = of_one(Placed(of, args, kwargs, self.places), moved_of(args, kwargs, self.places), along)
        return Part(0.0, found, self.count(along, args, kwargs), [])

    def count(self, along: tuple[Any, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The number of terms of the sum, which has to be a constant.

        Raises
        ------
        NotDifferentiableError
            If the count has a derivative: the Hessian of the quotient is another one than the quotient of sums.
        """
        if not self.mean:
            return 0
        counted = Count(self.loss, self.has_aux)
        n = counted(*args, **kwargs)
        if not is_whole(n):
            moved = moved_of(args, kwargs, self.places)
            every = tuple(range(len(moved)))
            slopes, back = vjp(grad(Placed(counted, args, kwargs, self.places), every), *moved)
            if any([dotted(d, d) != 0.0 for d in (*slopes, *back(along)) if d is not None]):
                raise NotDifferentiableError(
                    "the count of a partition depends on the parameters",
                    "second derivatives are those of sums that are divided by a number",
                    "return a count that does not depend on them, or add up sum and count apart, and differentiate "
                    "the quotient outside",
                )
        return n


def moved_of(args: tuple[Any, ...], kwargs: dict[str, Any], places: Sequence[int]) -> tuple[Any, ...]:
    """The arguments at some places; those by keyword are counted last."""
    given = (*args, *kwargs.values())
    return tuple([given[i] for i in places])


class Placed:
    """A function of all arguments as one of those that are differentiated; those by keyword are counted last."""

    def __init__(
        self, f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], places: tuple[int, ...]
    ) -> None:
        self.f, self.places, self.__name__ = f, places, name_of(f)
        self.given, self.names, self.n = (*args, *kwargs.values()), tuple(kwargs), len(args)

    def __call__(self, *moved: Any) -> Any:
        """The result of the function."""
        given = [*self.given]
        for place, x in zip(self.places, moved, strict=True):
            given[place] = x
        return self.f(*given[: self.n], **dict(zip(self.names, given[self.n :], strict=True)))


class First:
    """A function as one that gives the first item of its result: the sum of what stands beside it."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f, self.__name__ = f, name_of(f)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The first item of the function's result."""
        return self.f(*args, **kwargs)[0]

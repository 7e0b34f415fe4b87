"""Sums over partitions: what each gives, and what is made of all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from adjoint import grad, value_and_grad
from adjoint.errors import NotScalarError
from adjoint.runtime.argnums import Argnums, is_one, place_of, wanted_by

from .graphs import computed, lazy_parts, lazy_total
from .partitions import Partitions, check_no_data, is_delayed, partitions_of
from .parts import Call, Part, Tree, mean_of
from .threads import in_order

Reduction = Literal["sum", "mean"]
Compile = bool | Literal["strict"]


class Regrouped:
    """A loss that returns `((sum, count), aux)` as one that returns `(sum, (count, aux))`."""

    def __init__(self, loss: Callable[..., Any]) -> None:
        self.loss = loss

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The sum, and what is no part of it."""
        (value, count), aux = self.loss(*args, **kwargs)
        return value, (count, aux)


class Count:
    """The count that a loss returns beside the sum, as a function of the same arguments."""

    def __init__(self, loss: Callable[..., Any], has_aux: bool) -> None:
        self.loss, self.has_aux = loss, has_aux

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The count."""
        found = self.loss(*args, **kwargs)
        return (found[0] if self.has_aux else found)[1]


def is_whole(count: Any) -> bool:
    """True if a count has no derivatives: it is no float."""
    return isinstance(count, int | np.integer) or isinstance(count, np.ndarray) and count.dtype.kind in "biu"


class Slope:
    """The results of a partition: the value and the gradient, and that of a count that is a float."""

    def __init__(self, loss: Callable[..., Any], argnums: Argnums, has_aux: bool, mean: bool, compile: Compile) -> None:
        self.has_aux, self.mean = has_aux, mean
        of = Regrouped(loss) if has_aux and mean else loss
        self.g: Callable[..., Any] = value_and_grad(of, argnums, has_aux or mean, compile=compile)
        self.of_count: Callable[..., Any] | None = grad(Count(loss, has_aux), argnums) if mean else None

    def __call__(self, *args: Any, **kwargs: Any) -> Part:
        """The part of a partition."""
        try:
            value, bars = self.g(*args, **kwargs)
        except NotScalarError as error:
            raise self.told(error) from None
        if not (self.has_aux or self.mean):
            return Part(value, bars, 0, [])
        value, rest = value
        count, aux = rest if self.has_aux and self.mean else (rest, None) if self.mean else (0, rest)
        slope = None if self.of_count is None or is_whole(count) else self.of_count(*args, **kwargs)
        return Part(value, bars, count, [aux] if self.has_aux else [], slope)

    def told(self, error: NotScalarError) -> NotScalarError:
        """The error for a loss that returns something else, in terms of the reduction."""
        if not self.mean or self.has_aux or "has_aux" not in error.what:
            return error
        return NotScalarError(
            f'with reduction="mean", the loss is to return a pair `(sum, count)`, and '
            f"{error.what.rpartition('and ')[2]}",
            "sums and counts are added up over the partitions, and divided then",
            'return `np.sum(...), len(x)`, or write `reduction="sum"`',
        )


class Value:
    """What is computed of a partition where no gradient is asked for."""

    def __init__(self, loss: Callable[..., Any], has_aux: bool, mean: bool) -> None:
        self.loss, self.has_aux, self.mean = loss, has_aux, mean

    def __call__(self, *args: Any, **kwargs: Any) -> Part:
        """The part of a partition."""
        found = self.loss(*args, **kwargs)
        value, aux = found if self.has_aux else (found, None)
        value, count = value if self.mean else (value, 0)
        return Part(value, None, count, [aux] if self.has_aux else [])


class Handed:
    """What is handed out of the sum of all parts."""

    def __init__(self, has_aux: bool, mean: bool) -> None:
        self.has_aux, self.mean = has_aux, mean

    def __call__(self, part: Part) -> tuple[Any, Any]:
        """The value, with what stands beside it, and the gradient."""
        part = mean_of(part) if self.mean else part
        return (part.value, part.aux) if self.has_aux else part.value, part.bars


class Sum:
    """A loss with the options of its sum over partitions."""

    def __init__(
        self,
        loss: Callable[..., Any],
        argnums: Argnums,
        has_aux: bool,
        reduction: Reduction,
        split_every: int,
        rows: int | None,
        threads: int | None,
        compile: Compile = False,
    ) -> None:
        self.loss, self.has_aux, self.mean = loss, has_aux, reduction == "mean"
        self.split_every, self.rows, self.threads = split_every, rows, threads
        self.wanted, self.is_single = wanted_by(argnums), is_one(argnums)
        self.slope = Slope(loss, argnums, has_aux, self.mean, compile)
        self.finish = Handed(has_aux, self.mean)

    def places(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[int]:
        """The positions of the arguments that are differentiated; what is not computed yet may be anything."""
        known = tuple([0.0 if is_delayed(x) else x for x in args])
        return [place_of(self.loss, which, known, kwargs) for which in self.wanted]

    def partitions(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Partitions:
        """The partitions of the data among the arguments."""
        for name, x in kwargs.items():
            check_no_data(x, f"`{name}`")
        return partitions_of(args, self.places(args, kwargs), self.rows)

    def run(self, job: Callable[..., Part], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """The value and the cotangents that are made of the sum of the parts which a job gives."""
        partitions = self.partitions(args, kwargs)
        call = Call(job, partitions.args, partitions.places, kwargs)
        found: tuple[Any, Any] = (
            computed(self.lazy(call, partitions), partitions) if partitions.is_far else self.folded(call, partitions)
        )
        return found

    def lazy(self, call: Call, partitions: Partitions) -> Any:
        """The same of a call as a `Delayed`."""
        if partitions.is_far:
            return lazy_total(lazy_parts(call, partitions), self.split_every, self.finish)
        import dask

        return dask.delayed(self.folded, nout=2, traverse=False)(call, partitions)

    def folded(self, call: Call, partitions: Partitions) -> tuple[Any, Any]:
        """The same of arrays, on threads."""
        tree = Tree(self.split_every)
        for part in in_order(call, partitions, self.threads):
            tree.add(part)
        return self.finish(tree.total())

"""Sums over partitions: what each gives, and what is made of all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from adjoint.installed import needed
from adjoint.runtime.argnums import Argnums, is_one, place_of, wanted_by

from .graphs import computed, lazy_parts, lazy_total
from .options import check_options
from .partitions import Partitions, check_call, check_no_data, is_delayed, is_far, partitions_of
from .parts import Call, Part, Tree, mean_of
from .slopes import Compile, Slope
from .threads import in_order

Reduction = Literal["sum", "mean"]


class Handed:
    """The share of the sum of all parts that is handed out."""

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
        check_options(reduction, split_every, rows, threads, compile)
        self.loss, self.has_aux, self.mean = loss, has_aux, reduction == "mean"
        self.split_every, self.rows, self.threads = split_every, rows, threads
        self.wanted, self.is_single = wanted_by(argnums), is_one(argnums)
        self.slope = Slope(loss, argnums, has_aux, self.mean, compile)
        self.finish = Handed(has_aux, self.mean)

    def places(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[int]:
        """The positions of the arguments that are differentiated; what is not computed yet may be anything.

        Data of Dask's are refused where there are partitions of the others.
        """
        known = tuple([0.0 if is_delayed(x) or is_far(x) else x for x in args])
        return [place_of(self.loss, which, known, kwargs) for which in self.wanted]

    def partitions(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Partitions:
        """The partitions of the data among the arguments."""
        check_call(self.loss, args, kwargs)
        for name, x in kwargs.items():
            if name not in self.wanted:
                check_no_data(x, f"`{name}`")
        return partitions_of(args, self.places(args, kwargs), self.rows)

    def run(
        self, job: Callable[..., Part], args: tuple[Any, ...], kwargs: dict[str, Any], *before: Any
    ) -> tuple[Any, Any]:
        """The value and the cotangents that are made of the sum of the parts which a job gives."""
        partitions = self.partitions(args, kwargs)
        call = Call(job, partitions.args, partitions.places, kwargs, partitions.alone, before)
        found: tuple[Any, Any] = (
            computed(self.lazy(call, partitions), partitions) if partitions.is_far else self.folded(call, partitions)
        )
        return found

    def lazy(self, call: Call, partitions: Partitions) -> Any:
        """The same of a call as a `Delayed`."""
        if partitions.is_far:
            return lazy_total(lazy_parts(call, partitions), self.split_every, self.finish)
        dask = needed("dask", "dask")
        return dask.delayed(self.folded, nout=2, traverse=False)(call, partitions)

    def folded(self, call: Call, partitions: Partitions) -> tuple[Any, Any]:
        """The same of arrays, on threads."""
        tree = Tree(self.split_every)
        for part in in_order(call, partitions, self.threads):
            tree.add(part)
        return self.finish(tree.total())

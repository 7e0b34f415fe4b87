"""A function of each partition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint.errors import check_callable
from adjoint.installed import needed
from adjoint.rules import rule
from adjoint.runtime.argnums import name_of
from adjoint.tangents import unknown

from .graphs import computed, lazy_parts
from .options import check_options
from .partitions import Partitions, check_call, check_no_data, partitions_of
from .parts import Call
from .threads import in_order


def map_partitions(f: Callable[..., Any], *, rows: int | None = None, threads: int | None = None) -> Mapped:
    """The function that calls `f` with the blocks of each partition: predictions, or gradients of each partition.

    Parameters
    ----------
    f : `f(params, *blocks)`; the first argument is no data, whatever it is.
    rows, threads : of plain arrays, as for `value_and_grad`.

    Returns
    -------
    `m(params, *data)`, the list of what `f` gives, in the order of the partitions; `m.delayed(params, *data)` is the
    list of `Delayed`, which are data for `value_and_grad` in their turn.

    Raises
    ------
    OptionError, ShapeError, PartitionError, PartitionLostError
        As `value_and_grad` does.

    Examples
    --------
    >>> import numpy as np
    >>> map_partitions(lambda w, x: x * w, rows=2)(2.0, np.arange(3.0))
    [array([0., 2.]), array([4.])]
    """
    check_callable(f)
    check_options(rows=rows, threads=threads)
    return Mapped(f, rows, threads)


class Mapped:
    """The function that `map_partitions` returns.

    Examples
    --------
    >>> import numpy as np
    >>> scaled = map_partitions(lambda w, x: w * x, rows=2)
    >>> scaled, len(scaled(2.0, np.arange(3.0)))
    (map_partitions(<lambda>), 2)
    """

    def __init__(self, f: Callable[..., Any], rows: int | None, threads: int | None) -> None:
        self.f, self.rows, self.threads = f, rows, threads

    def __repr__(self) -> str:
        return f"map_partitions({name_of(self.f)})"

    def __call__(self, /, *args: Any, **kwargs: Any) -> list[Any]:
        """The results of the function for each partition."""
        call, partitions = self._call(args, kwargs)
        if partitions.is_far:
            return list(computed(lazy_parts(call, partitions), partitions))
        return list(in_order(call, partitions, self.threads))

    def delayed(self, /, *args: Any, **kwargs: Any) -> list[Any]:
        """The same as a list of `Delayed`, which compute nothing."""
        call, partitions = self._call(args, kwargs)
        if partitions.is_far:
            return lazy_parts(call, partitions)
        dask = needed("dask", "dask")
        whole = dask.delayed(call, traverse=False)
        return [dask.delayed(whole)(i, *blocks) for i, blocks in enumerate(partitions.blocks)]

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Call, Partitions]:
        """The call of each partition, and the partitions."""
        check_call(self.f, args, kwargs)
        for name, x in kwargs.items():
            check_no_data(x, f"`{name}`")
        partitions = partitions_of(args, (0,), self.rows)
        return Call(self.f, partitions.args, partitions.places, kwargs, partitions.alone), partitions


@rule(Mapped.__call__)
def mapped_rule(self: Mapped, /, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
    """The results of the function for each partition, of which no derivative is taken."""
    bar = unknown(
        "what `map_partitions` gives",
        "it hands out numbers of each partition",
        "make the sum over the partitions a loss, and call `value_and_grad(loss).total(params, *data)`",
    )
    return self(*args, **kwargs), lambda y_bar: (None, *[bar] * (len(args) + len(kwargs)))

"""`value_and_grad` of a sum over partitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint.errors import check_callable
from adjoint.rules import rule
from adjoint.runtime.argnums import Argnums, name_of
from adjoint.tangents import unknown

from .parts import Call
from .slopes import Compile
from .sums import Reduction, Sum
from .totals import Total


def value_and_grad(
    loss: Callable[..., Any],
    argnums: Argnums = 0,
    *,
    has_aux: bool = False,
    reduction: Reduction = "sum",
    split_every: int = 8,
    rows: int | None = None,
    threads: int | None = None,
    compile: Compile = False,
) -> Distributed:
    """The function that gives the sum of a loss over the partitions of data, and its gradient: Σᵢ ∇ loss(p, dataᵢ).

    Parts are added up along a tree that depends on the number of partitions alone. So results are the same to the last
    bit on any number of workers (with one BLAS thread each), also where one died and its tasks ran again. It uses the
    current client or scheduler of Dask's, as `.compute()` does. Penalties are added outside, once.

    Parameters
    ----------
    loss : `loss(params, *blocks)` is the sum over one partition, a real scalar; with `reduction="mean"` a pair
        `(sum, count)`. A count that is a float may depend on the parameters; a whole number is a constant.
    argnums : the arguments that are differentiated, by position or name: numbers, arrays, models, dicts, tuples. They
        and all else that is no data reach every partition whole.
    has_aux : `loss` returns `(loss, aux)`, or `((sum, count), aux)`; the value is then a pair with the list of what the
        partitions gave, in their order.
    reduction : "sum", or "mean": the sums divided by the sum of the counts.
    split_every : how many parts are added up at a time.
    rows : of plain arrays, the rows of a chunk; as many as fit into 8 MiB if not given.
    threads : of plain arrays, how many threads run; as many as there are processors if not given.
    compile : as for `adjoint.value_and_grad`; compiled programs let other threads run. (A loss that `adjoint.compile`
        has made is compiled where its value alone is asked for.)

    Returns
    -------
    `g(params, *data)`, which gives `(value, gradient)` as `adjoint.value_and_grad` does; `g.delayed(params, *data)` is
    the same as a `Delayed`; `g.total(params, *data)` is the value alone, as a function that programs of ours
    differentiate, also twice. Data are collections of Dask's (arrays in chunks along axis 0 only, dataframes), lists
    of `Delayed` with equal numbers of partitions, or arrays of NumPy's with equal numbers of rows, `np.memmap` too.

    Raises
    ------
    OptionError
        For a wrong option; when called without data, with arrays beside data of Dask's, or if all counts are 0.
    ShapeError
        When called, if data have chunks along another axis, or unequal partitions.
    PartitionError
        When called, if a partition raises or cannot be made, or each worker that ran it died: `index` says which.
    PartitionLostError
        When called, if the data of a partition were on a worker alone that has died.

    References
    ----------
    Dean & Ghemawat, "MapReduce: simplified data processing on large clusters", 2004.

    Examples
    --------
    >>> import numpy as np
    >>> def loss(w, x, y): return np.sum((x @ w - y) ** 2)
    >>> g = value_and_grad(loss, rows=2)
    >>> x = np.array([[1.0], [2.0], [3.0]])
    >>> g(np.array([1.0]), x, np.array([1.0, 1.0, 1.0]))
    (np.float64(5.0), array([16.]))
    """
    check_callable(loss)
    return Distributed(Sum(loss, argnums, has_aux, reduction, split_every, rows, threads, compile))


class Distributed:
    """The function that `value_and_grad` returns.

    Attributes
    ----------
    total : the value alone, as a function that programs of yours differentiate: a `Total`.

    Examples
    --------
    >>> import numpy as np
    >>> g = value_and_grad(lambda w, x: np.sum((x - w) ** 2), rows=2)
    >>> g(1.0, np.arange(3.0)), g.total(1.0, np.arange(3.0))
    ((np.float64(2.0), 0.0), np.float64(2.0))
    """

    def __init__(self, of: Sum) -> None:
        self.of, self.total = of, Total(of)

    def __repr__(self) -> str:
        return f"Σ∇({name_of(self.of.loss)})"

    def __call__(self, /, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
        """The value and the gradient."""
        return self.of.run(self.of.slope, args, kwargs)

    def delayed(self, /, *args: Any, **kwargs: Any) -> Any:
        """The same as a `Delayed` of two items, which computes nothing; parameters may be `Delayed` themselves."""
        partitions = self.of.partitions(args, kwargs)
        return self.of.lazy(
            Call(self.of.slope, partitions.args, partitions.places, kwargs, partitions.alone), partitions
        )


@rule(Distributed.__call__)
def distributed_rule(self: Distributed, /, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
    """The value and the gradient, of which no derivative is taken."""
    bar = unknown(
        "a gradient over partitions",
        "`g(params, *data)` hands out numbers",
        "call `g.total(params, *data)`, which is the value as a function that is differentiated, also twice",
    )
    return self(*args, **kwargs), lambda y_bar: (None, *[bar] * (len(args) + len(kwargs)))

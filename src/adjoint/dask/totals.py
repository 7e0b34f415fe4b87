"""A sum over partitions as a function that programs of ours differentiate."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjoint.rules import non_differentiable, rule
from adjoint.runtime.argnums import name_of
from adjoint.tangents import unknown
from adjoint.tangents.accumulate import dotted, scaled

from .partitions import is_far
from .products import product
from .slopes import Value
from .sums import Sum


class Total:
    """The sum over all partitions, or the mean, as a function: `total(params, *data)`, by a rule of its own.

    It takes the keywords that the loss does, as `g(params, *data)` does. `nn.fit` takes it as a loss whose batch is the
    data, `Objective` within a function of the parameters. It gives the value alone, also with `has_aux`. Derivatives of
    first and second order are taken over the partitions; those by the data are refused.

    Examples
    --------
    >>> import numpy as np
    >>> from adjoint import grad
    >>> from adjoint.dask import value_and_grad
    >>> total = value_and_grad(lambda w, x: np.sum((x - w) ** 2), rows=2).total
    >>> total(1.0, np.arange(3.0)), grad(total)(1.0, np.arange(3.0))
    (np.float64(2.0), 0.0)
    """

    def __init__(self, of: Sum) -> None:
        self.of = of

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """The value."""
        of = self.of
        value = of.run(Value(of.loss, of.has_aux, of.mean), args, kwargs)[0]
        return value[0] if of.has_aux else value

    def __repr__(self) -> str:
        return f"Σ({name_of(self.of.loss)})"


class PartitionedRun:
    """A run over all partitions: the value, and the gradients at the places of their arguments."""

    def __init__(self, of: Sum, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.of, self.args, self.kwargs = of, args, kwargs
        self.places = of.places(args, kwargs)
        value, bars = of.run(of.slope, args, kwargs)
        self.value = value[0] if of.has_aux else value
        self.bars = (bars,) if of.is_single else bars

    def placed(self, bars: Any) -> list[Any]:
        """Cotangents of all arguments, those by keyword last; only those that are differentiated have a known one."""
        found: list[Any] = [
            unknown("data that are spread over partitions", WHY, WAY_OUT)
            if is_far(x) or isinstance(x, np.ndarray)
            else unknown(f"argument {i}, a constant that each partition is given", CONSTANT, NAMED.format(i))
            for i, x in enumerate(self.args)
        ]
        found += [
            unknown(
                f"the keyword `{name}`, a constant that each partition is given", CONSTANT, NAMED.format(f'"{name}"')
            )
            for name in self.kwargs
        ]
        for place, bar in zip(self.places, bars, strict=True):
            found[place] = bar
        return found

    def product(self, along: Any) -> Any:
        """The Hessian times tangents of the arguments that are differentiated."""
        return product(self.of, self.args, self.kwargs, self.places, tuple(along))


WHY = "a gradient is added up over the partitions, and so is by what all of them share"
WAY_OUT = "name it by `argnums=`, if each partition gets the whole of it; else use `adjoint.dask.map_partitions`"

CONSTANT = "a gradient is by what `argnums` names, the first argument if it is not given"
NAMED = "name it, `adjoint.dask.value_and_grad(loss, argnums=(0, {}))`, and take the value of `.total`"


def run_of(of: Sum, args: tuple[Any, ...], kwargs: dict[str, Any]) -> PartitionedRun:
    """A run over all partitions, of which nothing but `value_of` and `pulled` has derivatives."""
    return PartitionedRun(of, args, kwargs)


non_differentiable(run_of)


@rule(Total.__call__)
def total_rule(self: Total, /, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
    """x̄ = ȳ Σᵢ ∇ lossᵢ."""
    run = run_of(self.of, args, kwargs)
    given = (*args, *kwargs.values())
    return value_of(run, *given), lambda y_bar: (None, *pulled(run, y_bar, *given))


def value_of(run: PartitionedRun, *args: Any) -> Any:
    """The value of a run, as a function of the arguments, those by keyword last."""
    return run.value


@rule(value_of)
def value_of_rule(run: PartitionedRun, *args: Any) -> tuple[Any, Any]:
    """x̄ = ȳ Σᵢ ∇ lossᵢ."""
    return value_of(run, *args), lambda y_bar: (None, *pulled(run, y_bar, *args))


def pulled(run: PartitionedRun, y_bar: Any, *args: Any) -> Any:
    """The cotangents of all arguments, as a function of ȳ and of the arguments."""
    return run.placed([None if y_bar is None else scaled(bar, y_bar) for bar in run.bars])


def product_of(run: PartitionedRun, along: Any, *args: Any) -> Any:
    """The Hessian times tangents, as a function of the arguments."""
    return run.product(along)


@rule(product_of)
def product_of_rule(run: PartitionedRun, along: Any, *args: Any) -> tuple[Any, Any]:
    """The product, of which no derivative is taken."""
    bar = unknown(
        "a second derivative over partitions",
        "sums over partitions have derivatives of the second order at most",
        "add up what has a third derivative without partitions, with `adjoint.hessian(loss)` on arrays for example",
    )
    return product_of(run, along, *args), lambda y_bar: (None, *[bar] * (1 + len(args)))


@rule(pulled)
def pulled_rule(run: PartitionedRun, y_bar: Any, *args: Any) -> tuple[Any, Any]:
    """By ȳ ⟨∇, v⟩, by the arguments ȳ H v."""

    def pulled_back(x_bars: Any) -> tuple[Any, ...]:
        along = [None if x_bars is None else x_bars[i] for i in run.places]
        slope = dotted(tuple(run.bars), tuple(along))
        products = [None] * len(along) if x_bars is None else product_of(run, along, *args)
        return None, slope, *run.placed([None if p is None else scaled(p, y_bar) for p in products])

    return pulled(run, y_bar, *args), pulled_back

"""Slopes of a partition: the value and the gradient, and those of the count that a sum is divided by."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np

from adjoint import value_and_grad
from adjoint.derivatives import begin
from adjoint.errors import NotScalarError
from adjoint.rules.knots import call_compiled
from adjoint.runtime.argnums import Argnums, is_one, name_of, place_of, wanted_by
from adjoint.tangents import release, scalar_seed
from adjoint.tangents.form import check_scalar, describe
from adjoint.tangents.sweep import in_sweep

from .parts import Part

Compile = bool | Literal["strict"]


class Slope:
    """The job of a partition: the value and the gradient, and that of a count that is a float."""

    def __init__(self, loss: Callable[..., Any], argnums: Argnums, has_aux: bool, mean: bool, compile: Compile) -> None:
        self.has_aux, self.mean = has_aux, mean
        self.compile: Compile = compile
        self.wanted, self.is_single = wanted_by(argnums), is_one(argnums)
        self.g: Any = value_and_grad(loss, argnums, has_aux, compile=compile)

    def __call__(self, *args: Any, **kwargs: Any) -> Part:
        """The part of a partition."""
        if self.mean:
            return self.of_quotient(self.g.__wrapped__, args, kwargs)
        with told_of_sums():
            value, bars = self.g(*args, **kwargs)
        value, aux = value if self.has_aux else (value, None)
        return Part(value, bars, 0, [aux] if self.has_aux else [])

    def of_quotient(self, loss: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Part:
        """The part of a partition of which sum and count are differentiated: one run, and a sweep for each."""
        places = [place_of(loss, which, args, kwargs) for which in self.wanted]
        run = PulledRun(loss, args, kwargs, places, self.compile)
        value, count, aux = parts_of(run.y, self.has_aux)
        seed = scalar_seed(value, name_of(loss))
        bars = run.pulled(self.placed(seed, None))
        slope = None
        if not is_whole(count):
            slope = run.pulled(self.placed(None, scalar_seed(count, f"the count of {name_of(loss)}")))
        if self.is_single:
            bars, slope = bars[0], None if slope is None else slope[0]
        return Part(value, bars, count, [aux] if self.has_aux else [], slope)

    def placed(self, of_value: Any, of_count: Any) -> Any:
        """The cotangent of what the loss returns."""
        return ((of_value, of_count), None) if self.has_aux else (of_value, of_count)


class PulledRun:
    """A run of a function, from which cotangents of the arguments at some places are pulled back."""

    def __init__(
        self, f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], places: list[int], compile: Compile
    ) -> None:
        needs = (False, *[i in places for i in range(len(args) + len(kwargs))])
        compiled = call_compiled(f, args, kwargs, compile) if compile else None
        found = begin(needs, f, args, kwargs) if compiled is None else (*compiled, (f, *args, *kwargs.values()))
        self.y, self.back, self.given = found
        self.places = places
        self.taken: dict[int, Any] = {}

    def pulled(self, y_bar: Any) -> tuple[Any, ...]:
        """The cotangents of the arguments at these places, for nobody else."""
        bars = in_sweep(self.back, y_bar)
        return tuple([release(bars[1 + i], self.given[1 + i], self.taken) for i in self.places])


class Value:
    """The job of a partition where no gradient is asked for."""

    def __init__(self, loss: Callable[..., Any], has_aux: bool, mean: bool) -> None:
        self.loss, self.has_aux, self.mean = loss, has_aux, mean

    def __call__(self, *args: Any, **kwargs: Any) -> Part:
        """The part of a partition."""
        found = self.loss(*args, **kwargs)
        if self.mean:
            value, count, aux = parts_of(found, self.has_aux)
        else:
            (value, aux), count = found if self.has_aux else (found, None), 0
            with told_of_sums():
                check_scalar(value, name_of(self.loss))
        return Part(value, None, count, [aux] if self.has_aux else [])


class Count:
    """The count that a loss returns beside the sum, as a function of the same arguments."""

    def __init__(self, loss: Callable[..., Any], has_aux: bool) -> None:
        self.loss, self.has_aux = loss, has_aux

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The count."""
        found = self.loss(*args, **kwargs)
        return (found[0] if self.has_aux else found)[1]


@contextlib.contextmanager
def told_of_sums() -> Iterator[None]:
    """Say of a loss that returns something beside its sum which option there is for it."""
    try:
        yield
    except NotScalarError as error:
        if "returns a tuple" not in error.what and "returns an array" not in error.what:
            raise
        raise NotScalarError(
            error.what,
            "a loss is the sum over one partition, and these are added up",
            OF_ARRAYS if "returns an array" in error.what else OF_TUPLES,
            error.place,
        ) from error


OF_ARRAYS = "return `np.sum(...)`; `map_partitions` gives an array of each partition"
OF_TUPLES = (
    'return the sum alone; write `reduction="mean"` where it returns `(sum, count)`, and `has_aux=True` where '
    "something else stands beside the sum"
)


def is_whole(count: Any) -> bool:
    """Tell whether a count has no derivatives: it is no float."""
    number = isinstance(count, int | np.integer | np.bool_)
    return number or isinstance(count, np.ndarray) and count.dtype.kind in "biu" and count.size == 1


def parts_of(y: Any, has_aux: bool) -> tuple[Any, Any, Any]:
    """The sum, the count and what stands beside them, None where there is nothing, of what a loss returns.

    Raises
    ------
    NotScalarError
        If a loss whose sums are divided by their counts returns something else, or a count that is no number.
    """
    pair, aux = y if has_aux and is_pair(y) else (y, None)
    if not is_pair(pair) or has_aux and pair is y:
        given, form, way_out = "", "a pair `(sum, count)`", "np.sum(...), len(x)"
        if has_aux:
            given, form, way_out = " and `has_aux`", "`((sum, count), aux)`", "(np.sum(...), len(x)), aux"
        raise NotScalarError(
            f'with reduction="mean"{given}, the loss is to return {form}, and returns {describe(y)}',
            "sums and counts are added up over the partitions, and divided then",
            f'return `{way_out}`, or write `reduction="sum"`',
        )
    value, count = pair
    if not is_whole(count) and not (isinstance(count, float | np.floating | np.ndarray) and np.size(count) == 1):
        raise NotScalarError(
            f"the count of a partition is {describe(count)}",
            "sums are divided by the sum of the counts",
            "return a number beside the sum: `len(x)`, or the sum of the weights",
        )
    return value, (int(np.asarray(count).item()) if is_whole(count) else count), aux


def is_pair(y: Any) -> bool:
    """Tell whether something is a tuple of two."""
    return isinstance(y, tuple) and len(y) == 2

"""Functions of another framework within programs of ours: one mechanism, which a framework gives a graph of a run.

A run is made once for a value and all of its derivatives, so that what draws numbers or counts does so once.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Sequence
from types import BuiltinFunctionType, FunctionType, MappingProxyType, MethodType
from typing import Any, ClassVar

from adjoint.rules import non_differentiable, rule
from adjoint.tangents import tangent, unknown, zeros_like
from adjoint.trees import (
    Structure,
    are_parameters,
    build,
    collect,
    every_place,
    first_places,
    scatter,
    structure_of,
    values_of,
)

from .programs import Wrapped, replaced


class Graph:
    """A run of a framework's, from arrays that have derivatives, its inputs, to arrays."""

    values: list[Any]
    """The arrays that came out, as NumPy's."""

    def pull(self, bars: Sequence[Any]) -> list[Any]:
        """x̄ = Jᵀ ȳ of the inputs; None in ȳ is zero."""
        raise NotImplementedError

    def further(self, bars: Sequence[Any]) -> Graph:
        """The same as a run, from the items of ȳ that are not None and from the inputs."""
        raise NotImplementedError


class ForeignRun:
    """A run for arguments: which of their ends have derivatives, the structure of the result, and the graph between."""

    def __init__(self, form: Structure, moving: Sequence[int], result: Structure, ends: Sequence[int], graph: Graph):
        self.form, self.moving, self.result, self.ends, self.graph = form, moving, result, ends, graph


class Foreign(Wrapped):
    """A function of another framework as one of NumPy's arrays, also in lists, tuples, dicts and records."""

    maker: ClassVar[str]
    """The name of what makes it."""

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """The result of `f`, with arrays in place of its own."""
        return self.value(self.form_of(args, kwargs))

    def form_of(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Structure:
        """The structure of arguments, each place for itself: what is there twice moves twice."""
        return structure_of((args, kwargs), self.is_foreign).apart()

    def is_foreign(self, x: Any) -> bool:
        """True if `x` is passed on as it is."""
        raise NotImplementedError

    def is_constant(self, x: Any) -> bool:
        """True if a function of the framework's is one without numbers of ours, whatever it holds."""
        return False

    def value(self, form: Structure) -> Any:
        """The result for arguments of this structure."""
        raise NotImplementedError

    def run(self, form: Structure, moving: Sequence[int]) -> ForeignRun:
        """A run for arguments of this structure, of which these ends have derivatives."""
        raise NotImplementedError


def unknown_within(form: Structure, is_foreign: Callable[[Any], bool]) -> list[Any]:
    """The cotangents of ends of arguments that are passed on as they are and may hold numbers; None for all others."""
    flags = zip(form.paths(), form.ends, are_parameters(form), form.are_buffers, strict=True)
    return [
        None
        if is_one or buffer or not may_hold_numbers(x, is_foreign)
        else unknown(
            f"numbers within argument {path[2:]} of a function of another framework",
            f"there is a {type(x).__name__}, which is passed on as it is",
            "give its arrays as arguments of their own, and put them together within the function",
        )
        for path, x, is_one, buffer in flags
    ]


def unknown_captured(function: Foreign) -> Any:
    """The cotangent of a function of another framework: by what it captures or holds no derivative is known."""
    form = structure_of((function.f,), lambda x: is_wrapper(x) or function.is_foreign(x))
    bar = unknown(
        f"what `{reprlib.repr(function)}` captures or holds",
        "the other framework sees the arguments alone",
        f"pass it as an argument: `{function.maker}(lambda w, x: ...)(w, x)`",
    )
    flags = zip(form.ends, are_parameters(form), strict=True)
    bars = [
        bar if is_one or not function.is_constant(x) and may_hold_numbers(x, function.is_foreign) else None
        for x, is_one in flags
    ]
    if all([each is None for each in bars]):
        return None
    return tangent(function, ("f",), scatter(first_places(form), bars)[0])


def is_wrapper(x: Any) -> bool:
    """True if `x` is a framework's own kind of function, made of another one, as `jax.jit` makes one."""
    return callable(x) and hasattr(x, "__wrapped__") and not isinstance(x, type | FunctionType | MethodType | Foreign)


def may_hold_numbers(x: Any, is_foreign: Callable[[Any], bool]) -> bool:
    """True if numbers that are differentiated may be in what is passed on as it is."""
    if is_wrapper(x):
        return may_hold_numbers(x.__wrapped__, is_foreign)
    if isinstance(x, type | BuiltinFunctionType):
        return False
    if isinstance(x, FunctionType):
        return bool(x.__closure__ or x.__defaults__ or x.__kwdefaults__)
    return callable(x) or isinstance(x, MappingProxyType) or is_foreign(x) or zeros_like(x) is not None


def unknown_of(function: Foreign, form: Structure) -> tuple[Any, list[Any]]:
    """The cotangents of the function itself, and of those ends of its arguments that have no derivative."""
    return unknown_captured(function), unknown_within(form, function.is_foreign)


def run_of(f: Foreign, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ForeignRun:
    """A run, of which nothing but `arrays_of` and `pulled` has derivatives."""
    form = f.form_of(args, kwargs)
    return f.run(form, [i for i, is_one in enumerate(are_parameters(form)) if is_one])


def further_of(graph: Graph, bars: Sequence[Any]) -> Graph:
    """The pullback of a run as a run."""
    return graph.further(bars)


non_differentiable(run_of, further_of, unknown_of)


@rule(Foreign.__call__)
def foreign_rule(self: Foreign, /, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
    """x̄ = Jᵀ ȳ, by the framework."""
    run = run_of(self, args, kwargs)
    ends = values_of(run.form, (args, kwargs))
    inputs = [ends[i] for i in run.moving]
    captured, others = unknown_of(self, run.form)

    def foreign_back(y_bar: Any) -> tuple[Any, ...]:
        y_bars = collect(every_place(run.result), y_bar, len(run.result.ends))
        bars = pulled(run.graph, [y_bars[i] for i in run.ends], *inputs)
        of_args, of_kwargs = scatter(first_places(run.form), replaced(others, run.moving, bars))
        return captured, *of_args, *of_kwargs.values()

    return build(run.result, replaced(run.result.ends, run.ends, arrays_of(run.graph, *inputs))), foreign_back


def arrays_of(graph: Graph, *inputs: Any) -> list[Any]:
    """The results, as a function of the inputs."""
    return [*graph.values]


@rule(arrays_of)
def arrays_rule(graph: Graph, *inputs: Any) -> tuple[Any, Any]:
    """x̄ = Jᵀ ȳ, by the framework."""

    def arrays_back(y_bars: Any) -> tuple[Any, ...]:
        return (None, *([None] * len(inputs) if y_bars is None else pulled(graph, y_bars, *inputs)))

    return arrays_of(graph, *inputs), arrays_back


def pulled(graph: Graph, y_bars: Any, *inputs: Any) -> list[Any]:
    """The cotangents of the inputs, as a function of ȳ and of the inputs."""
    return graph.pull(y_bars)


@rule(pulled)
def pulled_rule(graph: Graph, y_bars: Any, *inputs: Any) -> tuple[Any, Any]:
    """The same by a run of the pullback."""
    there = [i for i, bar in enumerate(y_bars) if bar is not None]
    bars = [y_bars[i] for i in there]
    further = further_of(graph, y_bars)

    def pulled_back(x_bars: Any) -> tuple[Any, ...]:
        given = [None] * len(inputs) if x_bars is None else x_bars
        found = pulled(further, given, *bars, *inputs)
        return None, replaced([None] * len(y_bars), there, found[: len(bars)]), *found[len(bars) :]

    return arrays_of(further, *bars, *inputs), pulled_back

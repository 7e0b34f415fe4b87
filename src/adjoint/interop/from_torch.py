"""Functions and modules of PyTorch's within programs of ours."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from adjoint.errors import NotDifferentiableError, calling_place, check_callable
from adjoint.rules import non_differentiable, rule
from adjoint.trees import is_parameter

from .programs import unknown_within


def from_torch(f: Callable[..., Any]) -> FromTorch:
    """A function or a module of PyTorch's as one of NumPy's arrays, inside of programs that are differentiated.

    x̄ = Jᵀ ȳ by PyTorch, and second derivatives by its own second derivatives. Parameters of a module are
    constants; to differentiate by them, pass them as arguments (`torch.func.functional_call`).

    Parameters
    ----------
    f : takes tensors, by position, and returns a tensor, or a tuple of tensors.

    Returns
    -------
    A function of arrays and numbers, which `f` gets as tensors of their dtypes. Other arguments are passed on, and a
    derivative by numbers in them is refused. It returns arrays.

    Raises
    ------
    NotDifferentiableError
        When called, if `f` returns something else than tensors on the CPU.

    Examples
    --------
    >>> import adjoint, torch
    >>> import numpy as np
    >>> softplus = from_torch(torch.nn.Softplus())
    >>> adjoint.grad(lambda x: np.sum(softplus(x) ** 2))(np.zeros(2)).round(4)
    array([0.6931, 0.6931])
    """
    check_callable(f)
    return FromTorch(f)


class FromTorch:
    """What `from_torch` gives."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f = f
        functools.update_wrapper(self, f, updated=())

    def __call__(self, /, *args: Any) -> Any:
        """What `f` returns, as arrays."""
        with torch.no_grad():
            return as_arrays(self.f(*[as_tensor(x) for x in args]))

    def __repr__(self) -> str:
        return f"from_torch({self.f!r})"


class Graph:
    """PyTorch's graph of one run, by which cotangents are computed."""

    def __init__(self, f: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self.f, self.args = f, args
        self.which = [i for i, x in enumerate(args) if is_parameter(x)]
        tensors = [as_tensor(x) for x in args]
        self.inputs = [tensors[i].requires_grad_() for i in self.which]
        with torch.enable_grad():
            self.output = f(*tensors)
        self.value = as_arrays(self.output)
        self.is_tuple = isinstance(self.value, tuple)
        self.shapes = [y.shape for y in (self.value if self.is_tuple else (self.value,))]

    def pull(self, bars: list[Any]) -> tuple[Any, ...]:
        """x̄ of the arguments that have derivatives."""
        return cotangents(self.output, self.inputs, [as_tensor(bar) for bar in bars], False)

    def of_bars(self, n: int, *given: Any) -> Any:
        """The same as a function of tensors: of ȳ, item by item, then of the arguments."""
        args = [*given[n:]]
        inputs = [args[i] if args[i].requires_grad else args[i].requires_grad_() for i in self.which]
        with torch.enable_grad():
            return cotangents(self.f(*args), inputs, given[:n], True)


def cotangents(output: Any, inputs: Any, bars: Any, is_graph: bool) -> tuple[Any, ...]:
    """PyTorch's gradients of ⟨ȳ, y⟩, zeros where nothing flows."""
    pairs = zip(output if isinstance(output, tuple) else (output,), bars, strict=True)
    flowing = [(y, bar.to(y.dtype)) for y, bar in pairs if y.requires_grad]
    if not flowing or not inputs:
        return tuple([torch.zeros_like(x) for x in inputs])
    ys, weights = zip(*flowing, strict=True)
    found = torch.autograd.grad(
        ys, inputs, weights, retain_graph=True, create_graph=is_graph, allow_unused=True, materialize_grads=True
    )
    return tuple(found)


def bars_of(graph: Graph, y_bar: Any) -> list[Any]:
    """The cotangent of a result, item by item; zeros for None."""
    bars = (y_bar,) if not graph.is_tuple or y_bar is None else y_bar
    given = [None] * len(graph.shapes) if y_bar is None else bars
    return [np.zeros(shape) if bar is None else bar for shape, bar in zip(graph.shapes, given, strict=True)]


def graph_of(f: Callable[..., Any], args: tuple[Any, ...]) -> Graph:
    """A run of PyTorch's, of which nothing but `value` and `pulled` has derivatives."""
    return Graph(f, args)


non_differentiable(graph_of)


@rule(FromTorch.__call__)
def from_torch_rule(self: FromTorch, /, *args: Any) -> tuple[Any, Any]:
    """x̄ = Jᵀ ȳ, by PyTorch."""
    graph = graph_of(self.f, args)
    others = unknown_within(args)

    def from_torch_back(y_bar: Any) -> tuple[Any, ...]:
        bars = pulled(graph, y_bar, *args)
        return None, *[other if bar is None else bar for bar, other in zip(bars, others, strict=True)]

    return value(graph, *args), from_torch_back


def value(graph: Graph, *args: Any) -> Any:
    """What a graph was made for, as a function of the arguments."""
    return graph.value


@rule(value)
def value_rule(graph: Graph, *args: Any) -> tuple[Any, Any]:
    """x̄ = Jᵀ ȳ, by PyTorch."""
    return value(graph, *args), lambda y_bar: (None, *pulled(graph, y_bar, *args))


def pulled(graph: Graph, y_bar: Any, *args: Any) -> Any:
    """The cotangents of the arguments, as a function of ȳ and of the arguments; None of what has none."""
    return placed(graph.which, len(args), as_arrays(graph.pull(bars_of(graph, y_bar))))


@rule(pulled)
def pulled_rule(graph: Graph, y_bar: Any, *args: Any) -> tuple[Any, Any]:
    """The same by a graph of the pullback."""
    bars = bars_of(graph, y_bar)
    further = graph_of(functools.partial(graph.of_bars, len(bars)), (*bars, *args))

    def pulled_back(x_bars: Any) -> tuple[Any, ...]:
        found = pulled(further, None if x_bars is None else tuple([x_bars[i] for i in graph.which]), *bars, *args)
        of_bars = tuple(found[: len(bars)])
        return None, of_bars if graph.is_tuple else of_bars[0], *found[len(bars) :]

    return placed(graph.which, len(args), value(further, *bars, *args)), pulled_back


def placed(which: list[int], n: int, bars: Any) -> list[Any]:
    """Cotangents at the places of their arguments."""
    at = {place: i for i, place in enumerate(which)}
    return [bars[at[i]] if i in at else None for i in range(n)]


def as_tensor(x: Any) -> Any:
    """An array or a number as a tensor that shares no memory with it; all else as it is."""
    return torch.from_numpy(np.array(x)) if isinstance(x, np.ndarray | np.generic) or is_parameter(x) else x


def as_arrays(output: Any) -> Any:
    """The tensors that a function has returned as arrays."""
    if isinstance(output, tuple):
        return tuple([as_arrays(y) for y in output])
    if not isinstance(output, torch.Tensor) or output.device.type != "cpu":
        raise NotDifferentiableError(
            f"what is called by `from_torch` returns a {type(output).__name__}",
            "it is to be a tensor on the CPU, or a tuple of such",
            "let it return that: `from_torch(lambda x: module(x).cpu())`",
            calling_place(),
        )
    return output.detach().numpy().copy()

"""Functions and modules of PyTorch's within programs of ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from adjoint.errors import NotDifferentiableError, check_callable
from adjoint.trees import Structure, build, is_parameter, structure_of

from .as_torch import moves
from .foreign import Foreign, Graph, Run
from .programs import like, replaced, users_place


def from_torch(f: Callable[..., Any]) -> FromTorch:
    """A function or a module of PyTorch's as one of NumPy's arrays, inside of programs that are differentiated.

    x̄ = Jᵀ ȳ by PyTorch, from the graph of the one run that gave the value, and further derivatives by derivatives of
    that graph: a `Dropout` draws once, and a `BatchNorm` counts a batch once. A derivative that takes several runs
    (the columns of `hessian`) draws in each. Parameters of a module are constants; to differentiate by them, pass them
    as arguments (`torch.func.functional_call`).

    Parameters
    ----------
    f : takes tensors, and returns tensors, also in tuples, lists, dicts and records.

    Returns
    -------
    A function of arrays and numbers, also in tuples, lists, dicts and records, which `f` gets as tensors of their
    dtypes; integers, tensors, modules and all else are passed on as they are. It returns arrays in place of tensors.

    Raises
    ------
    NotDifferentiableError
        When called, if `f` returns no tensors, or other ones than NumPy has.

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


class FromTorch(Foreign):
    """What `from_torch` gives."""

    maker = "from_torch"

    def __repr__(self) -> str:
        return f"{self.maker}({self.f!r})"

    def is_foreign(self, x: Any) -> bool:
        """True if `x` is passed on as it is."""
        return isinstance(x, torch.Tensor | torch.nn.Module)

    def is_constant(self, x: Any) -> bool:
        """True if `x` is a module that holds parameters of PyTorch's, and no arrays."""
        return isinstance(x, torch.nn.Module) and not any([isinstance(end, np.ndarray) for end in structure_of(x).ends])

    def value(self, form: Structure) -> Any:
        """The result for arguments of this structure."""
        with torch.inference_mode(False), torch.no_grad():
            result, ends = self._result(form, list(map(as_tensor, form.ends)))
        return build(result, replaced(result.ends, ends, [as_array(result.ends[i]) for i in ends]))

    def run(self, form: Structure, moving: Sequence[int]) -> Run:
        """A run for arguments of this structure, of which these ends have derivatives."""
        with torch.inference_mode(False), torch.enable_grad():
            tensors = list(map(as_tensor, form.ends))
            inputs = [tensors[i].requires_grad_() for i in moving]
            given = [x.clone() for x in inputs]  # a function may store into what it is given, but not into a leaf
            result, ends = self._result(form, replaced(tensors, moving, given))
            return Run(form, moving, result, ends, OfCall(inputs, [result.ends[i] for i in ends]))

    def _result(self, form: Structure, tensors: list[Any]) -> tuple[Structure, list[int]]:
        """The structure of the result, and at which ends tensors are."""
        args, kwargs = build(form, tensors)
        result = structure_of(self.f(*args, **kwargs), self.is_foreign).apart()
        ends = [i for i, end in enumerate(result.ends) if isinstance(end, torch.Tensor)]
        check_tensors([result.ends[i] for i in ends], result)
        return result, ends


class OfTensors(Graph):
    """PyTorch's graph of one run, by which cotangents are computed."""

    def __init__(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        self.inputs, self.outputs = inputs, outputs
        self.values = list(map(as_array, outputs))

    def pull(self, bars: Sequence[Any]) -> list[Any]:
        """x̄ = Jᵀ ȳ of the inputs."""
        with torch.inference_mode(False):
            return list(map(as_array, self._cotangents(self._tensors(bars), False)))

    def further(self, bars: Sequence[Any]) -> Graph:
        """The same as a graph, from the items of ȳ that are not None and from the inputs."""
        with torch.inference_mode(False), torch.enable_grad():
            tensors = self._tensors(bars)
            found = self._cotangents(tensors, True)
            return OfTensors([*[bar for bar in tensors if bar is not None], *self.inputs], found)

    def _tensors(self, bars: Sequence[Any]) -> list[Any]:
        """ȳ as tensors; those of outputs that may move can be differentiated by."""
        return [
            None if bar is None else torch.from_numpy(like(bar, y)).requires_grad_(y.dtype.kind in "fc")
            for bar, y in zip(bars, self.values, strict=True)
        ]

    def _cotangents(self, bars: Sequence[Any], is_graph: bool) -> Sequence[Any]:
        """PyTorch's gradients of ⟨ȳ, y⟩, zeros where nothing flows."""
        pairs = zip(self.outputs, bars, strict=True)
        flowing = [(y, bar) for y, bar in pairs if y.requires_grad and bar is not None]
        if not flowing or not self.inputs:
            return [torch.zeros_like(x, requires_grad=False) for x in self.inputs]
        ys, weights = zip(*flowing, strict=True)
        found: Sequence[Any] = torch.autograd.grad(
            ys, self.inputs, weights, retain_graph=True, create_graph=is_graph, materialize_grads=True
        )
        return found


class OfCall(OfTensors):
    """The graph of a call itself, of which it is told where PyTorch has noted nothing."""

    def _cotangents(self, bars: Sequence[Any], is_graph: bool) -> Sequence[Any]:
        told = [y for y, bar in zip(self.outputs, bars, strict=True) if bar is not None and moves(y)]
        if self.inputs and told and not any([y.requires_grad for y in told]):
            raise NotDifferentiableError(
                "what is called by `from_torch` gives tensors that need no gradient",
                "it runs under `torch.no_grad()`, detaches, or does not use its arguments: no derivative is known",
                "leave that out; where the derivative is to be zero, put the call into `adjoint.stop_gradient(...)`",
                users_place(),
            )
        return super()._cotangents(bars, is_graph)


def as_tensor(x: Any) -> Any:
    """An array or a number as a tensor that shares no memory with it; all else as it is."""
    if is_parameter(x) or isinstance(x, np.ndarray | np.generic) and x.dtype.kind in "biu":
        return torch.from_numpy(np.array(x))
    return x


def as_array(tensor: Any) -> np.ndarray[Any, Any]:
    """The numbers of a tensor, in memory of their own."""
    return np.array(tensor.detach().resolve_conj().resolve_neg().numpy())


def check_tensors(tensors: Sequence[Any], result: Structure) -> None:
    """Raise `NotDifferentiableError` for a result without tensors, or with such as NumPy has not."""
    wrong = next((t for t in tensors if not is_of_numpy(t)), None)
    if wrong is None and tensors:
        return
    found = type(result.root.model).__name__ + ("" if tensors else ", without tensors")
    raise NotDifferentiableError(
        "what is called by `from_torch` returns a "
        + (found if wrong is None else f"tensor on {wrong.device}, {wrong.layout}, of {wrong.dtype}"),
        "it is to be tensors on the CPU, dense, of numbers that NumPy has",
        "let it return that: `from_torch(lambda x: module(x).cpu())`, `.to_dense()`, `.float()`",
        users_place(),
    )


def is_of_numpy(tensor: Any) -> bool:
    """True if NumPy has such arrays."""
    if tensor.device.type != "cpu" or tensor.layout is not torch.strided:
        return False
    return tensor.dtype not in NOT_OF_NUMPY


NOT_OF_NUMPY = (torch.bfloat16, torch.complex32)
"""Dtypes that derivatives may have, and arrays have not."""

"""Functions and modules of PyTorch's within programs of ours."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from adjoint.errors import NotDifferentiableError, check_callable
from adjoint.trees import Structure, build, is_parameter, structure_of

from .as_torch import moves, tensor_of
from .foreign import Foreign, ForeignRun, Graph
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
        When called, if `f` returns no tensors, or other ones than NumPy has; for a second derivative of a function that
        PyTorch differentiates once (`once_differentiable`).

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
    """Function that `from_torch` gives."""

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
        return build(result, replaced(result.ends, ends, [copied_array(result.ends[i]) for i in ends]))

    def run(self, form: Structure, moving: Sequence[int]) -> ForeignRun:
        """A run for arguments of this structure, of which these ends have derivatives."""
        with torch.inference_mode(False), torch.enable_grad():
            tensors = list(map(as_tensor, form.ends))
            inputs = [tensors[i].requires_grad_() for i in moving]
            given = [x.clone() for x in inputs]  # a function may store into what it is given, but not into a leaf
            result, ends = self._result(form, replaced(tensors, moving, given))
            return ForeignRun(form, moving, result, ends, OfCall(inputs, [result.ends[i] for i in ends]))

    def _result(self, form: Structure, tensors: list[Any]) -> tuple[Structure, list[int]]:
        """The structure of the result, and at which ends tensors are."""
        args, kwargs = build(form, tensors)
        try:
            result = structure_of(self.f(*args, **kwargs), self.is_foreign).apart()
        except Exception as error:  # whatever a module raises
            explain(error, tensors)
            raise
        ends = [i for i, end in enumerate(result.ends) if isinstance(end, torch.Tensor)]
        check_tensors([result.ends[i] for i in ends], result)
        return result, ends


class OfTensors(Graph):
    """PyTorch's graph of one run, by which cotangents are computed."""

    def __init__(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        self.inputs, self.outputs = inputs, outputs
        self.values = list(map(copied_array, outputs))

    def pull(self, bars: Sequence[Any]) -> list[Any]:
        """x̄ = Jᵀ ȳ of the inputs."""
        with torch.inference_mode(False):
            return list(map(copied_array, self._cotangents(self._tensors(bars), False)))

    def further(self, bars: Sequence[Any]) -> Graph:
        """The same as a graph, from the items of ȳ that are not None and from the inputs."""
        with torch.inference_mode(False), torch.enable_grad():
            tensors = self._tensors(bars)
            found = self._cotangents(tensors, True)
            check_differentiable(found)
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


def check_differentiable(bars: Sequence[Any]) -> None:
    """Raise `NotDifferentiableError` for cotangents of which PyTorch knows no derivative.

    They are linear in those of the result, which need a gradient. PyTorch itself gives zeros where it is not told to be
    strict: of a function that is `once_differentiable`, it notes an error which leads to none of the inputs.
    """
    is_cut = any([not bar.requires_grad and bool(bar.detach().any()) for bar in bars])
    seen, waiting = set(), [bar.grad_fn for bar in bars]
    while waiting and not is_cut:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            is_cut = node.name() == "torch::autograd::Error"
            waiting += [before for before, _ in node.next_functions]
    if is_cut:
        raise NotDifferentiableError(
            "what is called by `from_torch` has first derivatives alone, and is differentiated twice",
            "the `backward` of a function of PyTorch's is `once_differentiable`, or computes apart from its graph",
            "write that `backward` by operations of PyTorch's on tensors, without `once_differentiable`; forward mode "
            "differentiates it too, reverse mode once does not",
            users_place(),
        )


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


def explain(error: Exception, tensors: Sequence[Any]) -> None:
    """Say by a note what to do where PyTorch refuses the dtypes of tensors, or to make arrays of them."""
    dtypes = sorted({str(x.dtype) for x in tensors if isinstance(x, torch.Tensor)})
    if "Can't call numpy()" in str(error):
        error.add_note(
            "what is called by `from_torch` is differentiated by PyTorch: compute with tensors there, and put what "
            "NumPy computes outside, or into `as_torch`; after `detach` no derivative is known"
        )
    elif dtypes and re.search(r"dtype|scalar type|[Ii]nput type|have the type|Double|Float|Long", str(error)):
        error.add_note(
            f"`from_torch` hands over tensors of the arrays' own dtypes, here {' and '.join(dtypes)}: give arrays of "
            "the module's, `x.astype(np.float32)`, or make the module one of theirs, `module.double()`"
        )


def as_tensor(x: Any) -> Any:
    """An array or a number as a tensor that shares no memory with it; all else as it is.

    Raises
    ------
    NotDifferentiableError
        For numbers that PyTorch has not.
    """
    if not (is_parameter(x) or isinstance(x, np.ndarray | np.generic) and x.dtype.kind in "biu"):
        return x
    array = np.array(x)
    return tensor_of(array.astype(array.dtype.newbyteorder("=")), "what is called by `from_torch` is given")


def copied_array(tensor: Any) -> np.ndarray[Any, Any]:
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

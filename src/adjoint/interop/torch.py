"""Functions of ours in PyTorch, and modules of PyTorch's in programs of ours."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from adjoint import vjp
from adjoint.errors import NotDifferentiableError, calling_place, check_callable
from adjoint.trees import Structure, are_parameters, build, structure_of

from .from_torch import from_torch
from .programs import HIGHEST, Moving, Program, Pulled, Pushed, check_order, cotangent, like, moving_among

__all__ = ["as_module", "as_torch", "from_torch"]

DTYPES = (torch.float32, torch.float64, torch.complex64, torch.complex128, torch.float16)
"""Numbers that have derivatives in both worlds."""


def as_torch(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of NumPy's arrays as one of PyTorch's tensors, with first and second derivatives by this library.

    x̄ = Jᵀ ȳ in `backward`, ẏ = J ẋ in forward mode; `torch.func.vmap` runs the samples one after another. What
    `torch.compile` makes of a program is broken off there. `f` is handed read-only arrays that share memory with
    the tensors, and may not store into them.

    Parameters
    ----------
    f : takes arrays, numbers and whatever else; it may capture arrays, which are constants.

    Returns
    -------
    A function of the same arguments: tensors in them, also in tuples, lists, dicts and records, reach `f` as arrays of
    the same shape and dtype. In its result arrays and numbers are tensors, in the dtype that `f` gives them.

    Raises
    ------
    NotDifferentiableError
        When called, for a tensor that is not on the CPU, not dense, or of a dtype which NumPy has not; for a third
        derivative.

    Examples
    --------
    >>> import numpy as np, torch
    >>> norm = as_torch(lambda x: np.sqrt(np.sum(x**2)))
    >>> x = torch.tensor([3.0, 4.0], requires_grad=True)
    >>> norm(x).backward()
    >>> x.grad
    tensor([0.6000, 0.8000])
    """
    check_callable(f)

    @functools.wraps(f, updated=())
    def with_tensors(*args: Any, **kwargs: Any) -> Any:
        form = structure_of((args, kwargs), is_tensor)
        places = [i for i, end in enumerate(form.ends) if is_tensor(end)]
        return run(Program(f, form, places), [form.ends[i] for i in places])

    made: Callable[..., Any] = torch.compiler.disable(with_tensors)  # type: ignore[no-untyped-call, unused-ignore]
    return made


def is_tensor(x: Any) -> bool:
    """Whether `x` is one of PyTorch's tensors."""
    return isinstance(x, torch.Tensor)


class Run:
    """A run of a program: its pullback, where one was made, and the structure of its result, of which some ends are
    tensors."""

    back: Any = None
    result: Structure
    ends: list[int]

    def __init__(self, program: Callable[..., Any]) -> None:
        self.program = program
        self.is_recorded = torch.is_grad_enabled()  # within `forward` it is off


def run(program: Callable[..., Any], tensors: Sequence[Any]) -> Any:
    """The result of a program of arrays for tensors, with tensors in it."""
    current = Run(program)
    outputs = Call.apply(current, *tensors)
    values = [*current.result.ends]
    for place, output in zip(current.ends, outputs, strict=True):
        values[place] = output
    return build(current.result, values)


class Call(torch.autograd.Function):
    """A program of arrays as a node of PyTorch's graph; so are its derivatives."""

    @staticmethod
    def forward(current: Run, *tensors: Any) -> tuple[Any, ...]:
        """The tensors of the result."""
        arrays = [as_array(t) for t in tensors]
        which = moving_among(arrays)
        is_needed = current.is_recorded and any([t.requires_grad for t in tensors])
        if is_needed and current.program.order < HIGHEST:
            y, current.back = vjp(Moving(current.program, arrays, which), *[arrays[i] for i in which])
        else:
            y = current.program(*arrays)
        current.result = structure_of(y)
        current.ends = [i for i, is_leaf in enumerate(current.result.are_leaves) if is_leaf]
        return tuple([torch.from_numpy(np.array(current.result.ends[i])) for i in current.ends])

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Any, ...]) -> None:
        """Keep what derivatives need."""
        ctx.current = inputs[0]
        ctx.save_for_backward(*inputs[1:])
        ctx.save_for_forward(*inputs[1:])
        ctx.moving = [i for i, y in enumerate(output) if moves(y)]
        ctx.mark_non_differentiable(*[y for y in output if not moves(y)])

    @staticmethod
    def backward(ctx: Any, *y_bars: Any) -> tuple[Any, ...]:
        """x̄ = Jᵀ ȳ, by the pullback of this run, or as a node where a further derivative may be asked for."""
        tensors, current = ctx.saved_tensors, ctx.current
        check_order(current.program)
        which = [i for i, t in enumerate(tensors) if moves(t)]
        ends, y_bars = [current.ends[i] for i in ctx.moving], tuple([y_bars[i] for i in ctx.moving])
        if current.back is not None and not torch.is_grad_enabled():
            bars = current.back(cotangent(current.result, ends, [as_array(bar) for bar in y_bars]))
            found = [torch.from_numpy(like(b, as_array(tensors[i]))) for b, i in zip(bars, which, strict=True)]
        else:
            which = [i for i in which if ctx.needs_input_grad[1 + i]]
            pulled = Pulled(current.program, len(tensors), which, current.result, ends)
            found = [b.to(tensors[i].dtype) for b, i in zip(run(pulled, [*tensors, *y_bars]), which, strict=True)]
        at = dict(zip(which, found, strict=True))
        return None, *[at.get(i) for i in range(len(tensors))]

    @staticmethod
    def jvp(ctx: Any, _: None, *dots: Any) -> tuple[Any, ...]:
        """ẏ = J ẋ."""
        tensors, current = ctx.saved_tensors, ctx.current
        check_order(current.program)
        which = [i for i, dot in enumerate(dots) if dot is not None and moves(tensors[i])]
        ends = [current.ends[i] for i in ctx.moving]
        pushed = Pushed(current.program, len(tensors), which, current.result, ends)
        found = dict(zip(ctx.moving, run(pushed, [*tensors, *[dots[i] for i in which]]), strict=True))
        return tuple([found.get(i) for i in range(len(current.ends))])

    @staticmethod
    def vmap(info: Any, in_dims: tuple[Any, ...], current: Run, *tensors: Any) -> tuple[Any, Any]:
        """One sample after another."""
        samples = []
        for k in range(info.batch_size):
            one = Run(current.program)
            given = [t if d is None else t.select(d, k) for t, d in zip(tensors, in_dims[1:], strict=True)]
            samples.append(Call.apply(one, *given))
            current.result, current.ends = one.result, one.ends
        if not samples:
            raise NotDifferentiableError(
                "`vmap` runs over no samples",
                "what one of them gives is known when the function has run",
                "leave the call off where there are none",
                calling_place(),
            )
        outputs = tuple([torch.stack(found) for found in zip(*samples, strict=True)])
        return outputs, (0,) * len(outputs)


def moves(tensor: Any) -> bool:
    """Whether a tensor has derivatives."""
    return bool(tensor.dtype.is_floating_point or tensor.dtype.is_complex)


def as_array(tensor: Any) -> np.ndarray[Any, Any]:
    """The numbers of a tensor, read-only, where they lie."""
    if tensor.device.type != "cpu":
        raise NotDifferentiableError(
            f"a tensor lies on the device {tensor.device}",
            "NumPy computes on the CPU",
            "hand over `x.cpu()`",
            calling_place(),
        )
    if tensor.layout is not torch.strided or moves(tensor) and tensor.dtype not in DTYPES:
        raise NotDifferentiableError(
            f"a tensor is {tensor.layout}, of {tensor.dtype}",
            "NumPy has dense arrays, of float16, float32, float64 and complex numbers of these",
            "hand over `x.to_dense()`, or `x.float()`",
            calling_place(),
        )
    array = np.asarray(tensor.detach().resolve_conj().resolve_neg().numpy()).view()
    array.flags.writeable = False
    return array


def as_module(model: Any) -> Any:
    """A model, such as `adjoint.nn` makes them, as a `torch.nn.Module` whose parameters PyTorch trains.

    Parameters
    ----------
    model : any nesting of records, lists, tuples and dicts that can be called. It is not changed.

    Returns
    -------
    A module: its parameters are copies of those of the model, by the same paths (`layers.0.weight`), and it is called
    as the model is, with tensors. `module.model()` gives the model with the present parameters.

    Raises
    ------
    StructureError
        If the model cannot be mapped over.

    Examples
    --------
    >>> import numpy as np, torch
    >>> from adjoint import nn
    >>> module = as_module(nn.Dense(3, 2, rng=np.random.default_rng(0)))
    >>> [name for name, _ in module.named_parameters()]
    ['weight', 'bias']
    >>> module(torch.ones(5, 3)).shape
    torch.Size([5, 2])
    """
    check_callable(model)
    return ModelModule(model)


def called(model: Any, *args: Any, **kwargs: Any) -> Any:
    """The model's own call."""
    return model(*args, **kwargs)


class ModelModule(torch.nn.Module):
    """What `as_module` gives."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self._form = structure_of(model)
        flags = zip(self._form.paths(), self._form.ends, are_parameters(self._form), strict=True)
        self._places = [i for i, is_one in enumerate(are_parameters(self._form)) if is_one]
        self._paths = [path for path, end, is_one in flags if is_one and self._add(path, end)]

    def _add(self, path: str, end: Any) -> bool:
        *folders, name = path.split(".")
        module: torch.nn.Module = self
        for folder in folders:
            if folder not in module._modules:
                module.add_module(folder, torch.nn.Module())
            module = module._modules[folder]
        module.register_parameter(name, torch.nn.Parameter(torch.from_numpy(np.array(end))))
        return True

    def _with(self, values: Sequence[Any]) -> Any:
        ends = [*self._form.ends]
        for place, value in zip(self._places, values, strict=True):
            ends[place] = value
        return build(self._form, ends)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the model returns, with the present parameters."""
        return as_torch(called)(self._with([self.get_parameter(path) for path in self._paths]), *args, **kwargs)

    def model(self) -> Any:
        """The model with the present parameters."""
        return self._with([self.get_parameter(path).detach().numpy().copy() for path in self._paths])

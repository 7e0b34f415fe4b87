"""Functions of ours in PyTorch."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch

from adjoint import vjp
from adjoint.errors import NotDifferentiableError, check_callable
from adjoint.trees import Structure, build, structure_of

from .programs import (
    Moving,
    Program,
    Pulled,
    Pushed,
    WrappedFunction,
    check_order,
    cotangent,
    like,
    moving_among,
    seen,
    users_place,
    within,
)
from .results import Expected, Terms

DTYPES = (torch.float32, torch.float64, torch.complex64, torch.complex128, torch.float16)
"""Numbers that have derivatives in both worlds."""

HIGHEST = 3
"""The highest order of derivatives: `torch.autograd.functional.hvp` takes three, the last one of what is linear."""


def as_torch(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of NumPy's arrays as one of PyTorch's tensors, with derivatives of three orders by this library.

    x̄ = Jᵀ ȳ in `backward`, ẏ = J ẋ in forward mode; `torch.func.vmap` runs the samples one after another. What
    `torch.compile` makes of a program is broken off there. `f` is handed read-only arrays that share memory with
    the tensors, and may not store into them. It is taken to be pure: forward mode and higher derivatives run it again.

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
        When called, for a tensor that is not on the CPU, not dense, or of a dtype that NumPy does not have; for a
        fourth derivative.

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
    check_ours(f, "as_torch", "`adjoint.interop.torch.from_torch(module)` is one of arrays, for programs of NumPy's")
    return AsTorch(f)


def check_ours(f: Any, maker: str, way_out: str) -> None:
    """Raise `NotDifferentiableError` for a module of PyTorch's in place of a function of arrays."""
    if isinstance(f, torch.nn.Module):
        raise NotDifferentiableError(
            f"`{maker}` is given a {type(f).__name__}, which is a module of PyTorch's already",
            "what is handed over computes with arrays of NumPy's",
            f"use it as it is; {way_out}",
            users_place(),
        )


class AsTorch(WrappedFunction):
    """The function that `as_torch` returns."""

    def __repr__(self) -> str:
        return f"as_torch({self.f!r})"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """The result of `f`, with tensors in place of arrays."""
        return called(self.f, args, kwargs)


@torch.compiler.disable  # type: ignore[no-untyped-call, untyped-decorator, unused-ignore]
def called(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result of `f` for tensors, with tensors in it."""
    form = structure_of((args, kwargs), is_tensor)
    places = [i for i, end in enumerate(form.ends) if is_tensor(end)]
    return run(Program(f, form, places), [form.ends[i] for i in places])


def is_tensor(x: Any) -> bool:
    """True if `x` is one of PyTorch's tensors."""
    return isinstance(x, torch.Tensor)


def check_no_tensors(result: Structure) -> None:
    """Raise `NotDifferentiableError` where a function of arrays returns tensors: nothing would flow through them."""
    if any(map(is_tensor, result.ends)):
        raise NotDifferentiableError(
            "a function in PyTorch returns a tensor of PyTorch's",
            "within it there are arrays, and derivatives go through the arrays that it returns",
            "return arrays: call functions of PyTorch by `from_torch`, and leave out `torch.as_tensor`",
            users_place(),
        )


class ProgramRun:
    """A run of a program: its pullback, where one was made, and the structure of its result, of which some ends are
    tensors."""

    back: Any = None
    is_needed = False
    result: Structure
    ends: list[int]

    def __init__(self, program: Any) -> None:
        self.program = program
        self.is_recorded = torch.is_grad_enabled()  # within `forward` it is off

    @contextlib.contextmanager
    def as_called(self) -> Iterator[None]:
        """Run the program as where it was called: `np.asarray` of a tensor whose gradient would be lost raises."""
        with torch.set_grad_enabled(self.is_recorded), within("PyTorch", self.program):
            yield

    def begin(self, arrays: Sequence[Any]) -> Any:
        """The result for arrays; keeps the pullback."""
        which = moving_among(arrays)
        with self.as_called():
            y, self.back = vjp(Moving(self.program, arrays, which), *[arrays[i] for i in which])
        return y


def run(program: Callable[..., Any], tensors: Sequence[Any]) -> Any:
    """The result of a program of arrays for tensors, with tensors in it."""
    tracing = sys.modules.get("torch.fx.experimental.proxy_tensor")
    if tracing is not None and tracing.get_innermost_proxy_mode() is not None:
        raise traced()
    current = ProgramRun(program)
    outputs = Call.apply(current, *tensors)
    values = [*current.result.ends]
    for place, output in zip(current.ends, outputs, strict=True):
        values[place] = output
    return build(current.result, values)


class Call(torch.autograd.Function):
    """A program of arrays as a node of PyTorch's graph; so are its derivatives."""

    @staticmethod
    def forward(current: ProgramRun, *tensors: Any) -> tuple[Any, ...]:
        """The tensors of the result."""
        arrays = [shared_array(t) for t in tensors]
        needed = current.is_recorded and any([t.requires_grad for t in tensors])
        current.is_needed = needed and current.program.order < HIGHEST
        if current.is_needed and not isinstance(current.program, Pushed):
            y = current.begin(arrays)
        else:  # of a tangent nobody asks for a pullback, as a rule: it is made when somebody does
            with current.as_called():
                y = current.program(*arrays)
        current.result = structure_of(y, is_tensor)
        check_no_tensors(current.result)
        current.ends = [i for i, is_leaf in enumerate(current.result.are_leaves) if is_leaf]
        given = [np.array(current.result.ends[i]) for i in current.ends]
        return tuple([tensor_of(array, "a function in PyTorch returns") for array in given])

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
        check_order(current.program, HIGHEST)
        ends, moving = [current.ends[i] for i in ctx.moving], [y_bars[i] for i in ctx.moving]
        which = [i for i, t in enumerate(tensors) if moves(t)]
        if current.is_needed and not torch.is_grad_enabled():
            if current.back is None:
                current.begin([shared_array(t) for t in tensors])
            back: Any = functools.partial(Back.apply, current, ends, [shared_array(tensors[i]) for i in which])
        else:
            which = [i for i in which if ctx.needs_input_grad[1 + i]]
            back = functools.partial(
                pulled, Pulled(current.program, len(tensors), which, current.result, ends), tensors
            )
        at = dict(zip(which, one_by_one(back, moving), strict=True))
        return None, *[at.get(i) for i in range(len(tensors))]

    @staticmethod
    def jvp(ctx: Any, _: None, *dots: Any) -> tuple[Any, ...]:
        """ẏ = J ẋ."""
        tensors, current = ctx.saved_tensors, ctx.current
        check_order(current.program, HIGHEST)
        which = [i for i, dot in enumerate(dots) if dot is not None and moves(tensors[i])]
        ends = [current.ends[i] for i in ctx.moving]
        pushed = Pushed(current.program, len(tensors), which, current.result, ends)
        y_dots = one_by_one(lambda *given: tuple(run(pushed, [*tensors, *given])), [dots[i] for i in which])
        found = dict(zip(ctx.moving, y_dots, strict=True))
        return tuple([found.get(i) for i in range(len(current.ends))])

    @staticmethod
    def vmap(info: Any, in_dims: tuple[Any, ...], current: ProgramRun, *tensors: Any) -> tuple[Any, Any]:
        """One sample after another."""
        samples: list[Any] = []
        expected: Any = None
        for k in range(info.batch_size):
            one = ProgramRun(current.program)
            given = [t if d is None else t.select(d, k) for t, d in zip(tensors, in_dims[1:], strict=True)]
            outputs = Call.apply(one, *given)
            expected = expected or expected_of(one)
            at = dict(zip(one.ends, outputs, strict=True))
            samples.append([at[node.end] for node in expected.nodes(one.result)])
            current.result, current.ends = expected.form, [*expected.ends]
        if not samples:
            raise NotDifferentiableError(
                "`vmap` runs over no samples",
                "what one of them gives is known when the function has run",
                "leave the call off where there are none",
                users_place(),
            )
        stacked = tuple([torch.stack(found) for found in zip(*samples, strict=True)])
        return stacked, (0,) * len(stacked)


def expected_of(first: ProgramRun) -> Expected:
    """The structure that the other samples are to return, from the first one."""
    form = first.result.apart()
    ends = [i for i, is_leaf in enumerate(form.are_leaves) if is_leaf]
    return Expected(form, ends, [np.asarray(form.ends[i]) for i in ends], None, OF_SAMPLES)


OF_SAMPLES = Terms(
    "PyTorch",
    "under `torch.func.vmap` the samples run one after another, and each is to return what the first one does",
    "let it return the same structure, shapes, kinds of numbers and constants for every sample, or call it in a loop",
)


def pulled(program: Pulled, tensors: Sequence[Any], *y_bars: Any) -> tuple[Any, ...]:
    """x̄ = Jᵀ ȳ as a node, in the dtypes of the tensors."""
    found = run(program, [*tensors, *y_bars])
    return tuple([bar.to(tensors[i].dtype) for bar, i in zip(found, program.which, strict=True)])


class Back(torch.autograd.Function):
    """x̄ = Jᵀ ȳ by the pullback of one run, also for a batch of ȳ."""

    @staticmethod
    def forward(current: ProgramRun, ends: list[int], arrays: list[Any], *y_bars: Any) -> tuple[Any, ...]:
        """The cotangents of the arrays that have derivatives."""
        bars = current.back(cotangent(current.result, ends, list(map(shared_array, y_bars))))
        return tuple([torch.from_numpy(like(bar, array)) for bar, array in zip(bars, arrays, strict=True)])

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Any, ...]) -> None:
        """Keep nothing: it runs where no further derivative is asked for."""

    @staticmethod
    def vmap(info: Any, in_dims: tuple[Any, ...], current: ProgramRun, ends: Any, arrays: Any, *y_bars: Any) -> Any:
        """One after another, of one run."""
        samples = []
        for k in range(info.batch_size):
            given = [bar if d is None else bar.select(d, k) for bar, d in zip(y_bars, in_dims[3:], strict=True)]
            samples.append(Back.apply(current, ends, arrays, *given))
        if not samples:
            return tuple([torch.from_numpy(np.zeros((0, *x.shape), x.dtype)) for x in arrays]), (0,) * len(arrays)
        return tuple([torch.stack(found) for found in zip(*samples, strict=True)]), (0,) * len(arrays)


def one_by_one(f: Callable[..., tuple[Any, ...]], given: Sequence[Any]) -> tuple[Any, ...]:
    """The results of `f` for (co)tangents, or for each of a batch that `torch.autograd` has made of them.

    It does so for `is_grads_batched=True` and `vectorize=True`; unlike those of `torch.func.vmap` such tensors do not
    ask a function for its way. PyTorch has private names alone for it, which `tests/interop/test_private_names.py` has
    checked with 2.13.
    """
    if not any(map(torch._C._functorch.is_legacy_batchedtensor, given)):
        return f(*given)
    level = torch._C._vmapmode_increment_nesting() - 1
    torch._C._vmapmode_decrement_nesting()
    first = next(filter(torch._C._functorch.is_legacy_batchedtensor, given))
    size = torch._remove_batch_dim(first, level, 1, 0).shape[0]
    batch = [torch._remove_batch_dim(x, level, size, 0) for x in given]
    samples = [f(*xs) for xs in zip(*batch, strict=True)] or [f(*[x.new_zeros(x.shape[1:]) for x in batch])]
    found = [None if xs[0] is None else torch.stack(xs)[:size] for xs in zip(*samples, strict=True)]
    return tuple([None if x is None else torch._add_batch_dim(x, 0, level) for x in found])


def tensor_of(array: np.ndarray[Any, Any], what: str) -> Any:
    """An array as a tensor that shares its memory.

    Raises
    ------
    NotDifferentiableError
        For numbers that PyTorch has not, and what is no number.
    """
    try:
        return torch.from_numpy(array)
    except TypeError as error:
        raise NotDifferentiableError(
            f"{what} an array of {array.dtype}, which PyTorch has not",
            "PyTorch has numbers of 64 bits at most, and flags",
            "make one of them: `x.astype(np.float64)`",
            users_place(),
        ) from error


def moves(tensor: Any) -> bool:
    """True if a tensor has derivatives."""
    return bool(tensor.dtype.is_floating_point or tensor.dtype.is_complex)


def shared_array(tensor: Any) -> np.ndarray[Any, Any]:
    """The numbers of a tensor, read-only, where they lie."""
    if tensor.device.type != "cpu":
        raise NotDifferentiableError(
            f"a tensor lies on the device {tensor.device}",
            "NumPy computes on the CPU",
            "give numbers in its place: it has none" if tensor.is_meta else "hand over `x.cpu()`",
            users_place(),
        )
    is_dense = tensor.layout is torch.strided and not tensor.is_nested and not tensor.is_quantized
    if not is_dense or moves(tensor) and tensor.dtype not in DTYPES:
        kind = "nested, " if tensor.is_nested else ""
        raise NotDifferentiableError(
            f"a tensor is {kind}{tensor.layout}, of {tensor.dtype}",
            "NumPy has dense arrays, of float16, float32, float64 and complex numbers of the latter two",
            way_to_array(tensor),
            users_place(),
        )
    try:
        array: np.ndarray[Any, Any] = seen(np.asarray(tensor.detach().resolve_conj().resolve_neg().numpy()))
    except RuntimeError as error:
        if "tensor subclasses" not in str(error):
            raise
        raise traced() from error
    return array


def traced() -> NotDifferentiableError:
    """The error for a graph that PyTorch makes of operations alone: what is computed here would be a constant in it."""
    return NotDifferentiableError(
        "a function of `as_torch` is called where PyTorch writes down a graph of its own operations",
        "`torch.func.linearize`, `make_fx`, `torch.export` and AOTAutograd keep no call of Python's, and no numbers",
        "use `torch.func.jvp` in place of `torch.func.linearize`, and `torch.compile`, which breaks off there, to "
        "compile what is around it",
        users_place(),
    )


def way_to_array(tensor: Any) -> str:
    """A way out for a tensor that is none of NumPy's arrays."""
    if tensor.is_nested:
        return "call it for each part, `[f(part) for part in x.unbind()]`"
    if tensor.is_quantized:
        return "hand over `x.dequantize()`"
    if tensor.layout is not torch.strided:
        return "hand over `x.to_dense()`"
    if tensor.dtype.is_complex:
        return "hand over `x.to(torch.complex64)`"
    if torch.is_autocast_enabled("cpu"):
        return 'leave `torch.autocast` for it, `with torch.autocast("cpu", enabled=False):`, and hand over `x.float()`'
    return "hand over `x.float()`"

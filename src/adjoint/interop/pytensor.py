"""Functions of ours as Ops of PyTensor, with derivatives of every order: in models of PyMC too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from pytensor.gradient import DisconnectedType
from pytensor.graph.basic import Apply
from pytensor.graph.op import Op

from adjoint import pullback
from adjoint.errors import NotDifferentiableError, calling_place, check_callable
from adjoint.tangents import densify

__all__ = ["as_op"]


def as_op(
    f: Callable[..., Any], itypes: Sequence[Any], otypes: Sequence[Any], infer_shape: Callable[..., Any] | None = None
) -> Op:
    """A function of NumPy's arrays as an Op of PyTensor, with the derivative that this library takes of it.

    It is called as `pytensor.compile.ops.as_op` is, and its result has a gradient: that of a second Op, which has one
    again. PyTensor runs both by `perform`, in Python.

    Parameters
    ----------
    f : takes an array for each of `itypes`, and returns one array or number, or a tuple of them if there are several
        `otypes`. It is taken to be pure: it does not change its arguments.
    itypes, otypes : the types of arguments and results, `pytensor.tensor.dvector` for example.
    infer_shape : as for `as_op` of PyTensor: `(fgraph, node, shapes)` to the shapes of the results.

    Returns
    -------
    An Op. The gradient by integers is zero.

    Raises
    ------
    NotDifferentiableError
        While it runs, if a result has another number of axes than its type says, or there are not as many results.
    AdjointError
        Where the gradient runs: if `f` cannot be differentiated.

    Examples
    --------
    >>> import numpy as np, pytensor, pytensor.tensor as pt
    >>> length = as_op(lambda x: np.sqrt(np.sum(x**2)), [pt.dvector], [pt.dscalar])
    >>> x = pt.dvector("x")
    >>> pytensor.grad(length(x), x).eval({x: np.array([3.0, 4.0])})
    array([0.6, 0.8])
    """
    check_callable(f)
    return AdjointOp(f, tuple(itypes), tuple(otypes), infer_shape)


class AdjointOp(Op):
    """A function of arrays as a node of PyTensor's graphs."""

    __props__ = ("f", "itypes", "otypes")

    def __init__(self, f: Any, itypes: tuple[Any, ...], otypes: tuple[Any, ...], infer_shape: Any) -> None:
        self.f = f
        self.itypes = itypes
        self.otypes = otypes
        if infer_shape is not None:
            self.infer_shape = infer_shape

    def __str__(self) -> str:
        return f"AdjointOp{{{getattr(self.f, '__name__', type(self.f).__name__)}}}"

    def make_node(self, *inputs: Any) -> Apply:
        """A call of it in a graph."""
        if len(inputs) != len(self.itypes):
            raise TypeError(f"{self} takes {len(self.itypes)} arguments, and is called with {len(inputs)}")
        variables = [t.filter_variable(x) for t, x in zip(self.itypes, inputs, strict=True)]
        return Apply(self, variables, [t() for t in self.otypes])

    def perform(self, node: Any, inputs: Any, output_storage: Any) -> None:
        """Run the function."""
        y = self.f(*inputs)
        results = y if isinstance(y, tuple | list) else (y,)
        if len(results) != len(self.otypes):
            raise _misfit(self, f"gives {len(results)} results", f"{len(self.otypes)} types of results")
        for storage, result, t in zip(output_storage, results, self.otypes, strict=True):
            if np.ndim(result) != t.ndim:
                raise _misfit(self, f"gives a result of {np.ndim(result)} axes", f"a type of {t.ndim}")
            storage[0] = np.array(result, t.dtype)

    def _gradients(self, inputs: Any, outputs: Any, cotangents: Any) -> list[Any]:
        moving = tuple([i for i, t in enumerate(self.itypes) if t.dtype.startswith("float")])
        bars = [
            y.zeros_like() if isinstance(d.type, DisconnectedType) else d.astype(y.dtype)
            for y, d in zip(outputs, cotangents, strict=True)
        ]
        types = tuple([self.itypes[i] for i in moving])
        pulled = AdjointOp(Pulled(self.f, len(inputs), moving), (*self.itypes, *self.otypes), types, _as_inputs(moving))
        found = dict(zip(moving, pulled(*inputs, *bars, return_list=True), strict=True)) if moving else {}
        return [found[i] if i in found else x.zeros_like(dtype="float64") for i, x in enumerate(inputs)]

    if hasattr(Op, "pullback"):  # since PyTensor 3

        def pullback(self, inputs: Any, outputs: Any, cotangents: Any) -> list[Any]:
            """The cotangents of the inputs."""
            return self._gradients(inputs, outputs, cotangents)

    else:

        def L_op(self, inputs: Any, outputs: Any, output_grads: Any) -> list[Any]:  # noqa: N802
            """The cotangents of the inputs."""
            return self._gradients(inputs, outputs, output_grads)


class Pulled:
    """The cotangents of a function's floating-point arguments, of its arguments and the cotangents of its results."""

    def __init__(self, f: Any, n: int, moving: tuple[int, ...]) -> None:
        self.f = f
        self.n = n
        self.moving = moving

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        xs, bars = values[: self.n], values[self.n :]
        y, back = pullback(self.f, *xs)
        found = back(_seed(y, bars))[1:]
        return tuple([densify(found[i], xs[i]) for i in self.moving])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pulled) and (self.f, self.n, self.moving) == (other.f, other.n, other.moving)

    def __hash__(self) -> int:
        return hash((Pulled, self.f, self.n, self.moving))


def _seed(y: Any, bars: tuple[Any, ...]) -> Any:
    """The cotangent of what a function has returned, from those of an Op's results."""
    if not isinstance(y, tuple | list):
        return bars[0] if isinstance(y, np.ndarray) else bars[0][()]
    parts = [bar if isinstance(part, np.ndarray) else bar[()] for part, bar in zip(y, bars, strict=True)]
    return parts if isinstance(y, list) else tuple(parts)


def _as_inputs(moving: tuple[int, ...]) -> Callable[..., Any]:
    def infer_shape(fgraph: Any, node: Any, shapes: Any) -> list[Any]:
        return [shapes[i] for i in moving]

    return infer_shape


def _misfit(op: Op, what: str, wanted: str) -> NotDifferentiableError:
    return NotDifferentiableError(
        f"the function of `{op}` {what}, and there is {wanted}",
        "the graph is made for the types that are given",
        "give the types of what the function returns: `as_op(f, itypes, otypes)`",
        calling_place(),
    )

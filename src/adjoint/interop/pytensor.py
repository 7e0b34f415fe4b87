"""Functions of ours as Ops of PyTensor, with derivatives of every order: in models of PyMC too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MethodType
from typing import Any

import numpy as np

from adjoint import pullback
from adjoint.errors import NotDifferentiableError, OptionError, check_callable
from adjoint.identity import Same
from adjoint.runtime.travelling import with_texts
from adjoint.tangents import densify

from ..installed import told

try:
    from pytensor.gradient import DisconnectedType, grad_undefined
    from pytensor.graph.basic import Apply
    from pytensor.graph.op import Op
    from pytensor.graph.type import Type
except ModuleNotFoundError as error:
    raise told(error, "pytensor") from None

from .programs import seen, users_place, within

__all__ = ["as_op"]


def as_op(
    f: Callable[..., Any],
    itypes: Type[Any] | Sequence[Type[Any]],
    otypes: Type[Any] | Sequence[Type[Any]],
    infer_shape: Callable[..., Any] | None = None,
) -> Op:
    """A function of NumPy's arrays as an Op of PyTensor, with the derivative that this library takes of it.

    It is called as `pytensor.compile.ops.as_op` is, and its result has a gradient: that of a second Op, which has one
    again. PyTensor runs both by `perform`, in Python.

    Parameters
    ----------
    f : takes an array for each of `itypes`, and returns one array or number, or a tuple of them if there are several
        `otypes`. It is taken to be pure: the arrays are read-only.
    itypes, otypes : the types of arguments and results, `pytensor.tensor.dvector` for example: lists of them, or the
        only one.
    infer_shape : as for `as_op` of PyTensor: `(fgraph, node, shapes)` to the shapes of the results.

    Returns
    -------
    An Op. The gradient by integers is zero, that by complex numbers undefined. Two Ops are equal, and their calls
    merged, if they are of the very same function and types. An Op goes to other processes as `grad(f)` does.

    Raises
    ------
    NotDifferentiableError
        While it runs, if a result has another number of axes than its type says, or numbers that the type does not
        hold, or there are not as many results; when a gradient is made, if one flows to a complex result.
    OptionError
        If something else than types is given for them.
    AdjointError
        Where the gradient runs: if `f` cannot be differentiated.

    Examples
    --------
    >>> import numpy as np, pytensor, pytensor.tensor as pt
    >>> length = as_op(lambda x: np.sqrt(np.sum(x**2)), pt.dvector, pt.dscalar)
    >>> x = pt.dvector("x")
    >>> pytensor.grad(length(x), x).eval({x: np.array([3.0, 4.0])})
    array([0.6, 0.8])
    """
    check_callable(f)
    return AdjointOp(f, _types(itypes, "itypes"), _types(otypes, "otypes"), infer_shape)


def _types(given: Any, name: str) -> tuple[Any, ...]:
    """The types of arguments or results, of which the only one may stand alone."""
    found = tuple(given) if isinstance(given, list | tuple) else (given,)
    wrong = next((t for t in found if not isinstance(t, Type)), None)
    if wrong is not None:
        raise OptionError(
            f"`{name}` has {wrong!r}, which is no type of PyTensor's",
            "a graph is made for types of arguments and results",
            "write `pytensor.tensor.dvector`, or a list of such types",
            users_place(),
        )
    return found


class AdjointOp(Op):
    """A function of arrays as a node of PyTensor's graphs."""

    def __init__(self, f: Any, itypes: tuple[Any, ...], otypes: tuple[Any, ...], infer_shape: Any) -> None:
        self.f = f
        self.itypes = itypes
        self.otypes = otypes
        self.shapes = infer_shape
        if infer_shape is not None:
            self.infer_shape = infer_shape

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AdjointOp) and type(self) is type(other) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((AdjointOp, self._key()))

    def _key(self) -> tuple[Any, ...]:
        """The key that two Ops have in common that compute the same."""
        return identity_of(self.f), self.itypes, self.otypes, identity_of(self.shapes)

    def __reduce__(self) -> Any:
        return with_texts(AdjointOp, (self.f, self.itypes, self.otypes, self.shapes))

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
        with within("PyTensor"):
            y = self.f(*[seen(x) for x in inputs])
        results = y if isinstance(y, tuple | list) else (y,)
        if len(results) != len(self.otypes):
            raise _misfit(self, f"gives {len(results)} results", f"{len(self.otypes)} types of results")
        for storage, result, t in zip(output_storage, results, self.otypes, strict=True):
            if np.ndim(result) != t.ndim:
                raise _misfit(self, f"gives a result of {np.ndim(result)} axes", f"a type of {t.ndim}")
            storage[0] = self._held(result, t)

    def _held(self, result: Any, t: Any) -> Any:
        """A result as an array of a type, which has to hold its numbers."""
        given = np.asarray(result)
        found = given.astype(t.dtype) if np.can_cast(given.dtype, t.dtype, "same_kind") else None
        if found is None or given.dtype.kind in "iu" and not np.array_equal(found, given):
            raise _misfit(self, f"gives a result of {given.dtype}", f"a type of {t.dtype}, which does not hold it")
        fixed = getattr(t, "shape", (None,) * given.ndim)
        if any([n is not None and n != m for n, m in zip(fixed, given.shape, strict=True)]):
            raise _misfit(self, f"gives a result of the shape {given.shape}", f"a type of the shape {fixed}")
        return found.copy() if found is result else found

    def _gradients(self, inputs: Any, outputs: Any, cotangents: Any) -> list[Any]:
        for y, d in zip(outputs, cotangents, strict=True):
            if y.dtype.startswith("complex") and not isinstance(d.type, DisconnectedType):
                raise NotDifferentiableError(
                    f"the gradient of `{self}` by a complex result is asked for",
                    "the two libraries have other conventions for derivatives by complex numbers",
                    "return the real and the imaginary part, `z.real, z.imag`",
                    users_place(),
                )
        moving = tuple([i for i, t in enumerate(self.itypes) if t.dtype.startswith("float")])
        bars = [
            y.zeros_like() if isinstance(d.type, DisconnectedType) else d.astype(y.dtype)
            for y, d in zip(outputs, cotangents, strict=True)
        ]
        types = tuple([self.itypes[i] for i in moving])
        pulled = AdjointOp(
            OpGradient(self.f, len(inputs), moving), (*self.itypes, *self.otypes), types, AsInputs(moving)
        )
        found = dict(zip(moving, pulled(*inputs, *bars, return_list=True), strict=True)) if moving else {}
        return [found[i] if i in found else self._still(i, x) for i, x in enumerate(inputs)]

    def _still(self, i: int, x: Any) -> Any:
        """The gradient by what is no floating-point number: zero, and by complex numbers not defined."""
        if x.dtype.startswith("complex"):
            return grad_undefined(self, i, x, "take the real and the imaginary part as two arguments")
        return x.zeros_like(dtype="float64")

    if hasattr(Op, "pullback"):  # since PyTensor 3

        def pullback(self, inputs: Any, outputs: Any, cotangents: Any) -> list[Any]:
            """The cotangents of the inputs."""
            return self._gradients(inputs, outputs, cotangents)

    else:

        def L_op(self, inputs: Any, outputs: Any, output_grads: Any) -> list[Any]:  # noqa: N802
            """The cotangents of the inputs."""
            return self._gradients(inputs, outputs, output_grads)


class OpGradient:
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
        return isinstance(other, OpGradient) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((OpGradient, self._key()))

    def _key(self) -> tuple[Any, ...]:
        return identity_of(self.f), self.n, self.moving


def identity_of(f: Any) -> Any:
    """The identity of a function: equal objects may change apart, and some have no `==`.

    >>> identity_of(print) == identity_of(print), identity_of([].append) == identity_of([].append)
    (True, False)
    """
    if isinstance(f, OpGradient | AsInputs) or f is None:
        return f
    if isinstance(f, MethodType):
        return f.__func__, Same(f.__self__)
    return Same(f)


def _seed(y: Any, bars: tuple[Any, ...]) -> Any:
    """The cotangent of what a function has returned, from those of an Op's results."""
    if not isinstance(y, tuple | list):
        return bars[0] if isinstance(y, np.ndarray) else bars[0][()]
    parts = [bar if isinstance(part, np.ndarray) else bar[()] for part, bar in zip(y, bars, strict=True)]
    return parts if isinstance(y, list) else tuple(parts)


class AsInputs:
    """The shapes of cotangents: those of some inputs."""

    def __init__(self, moving: tuple[int, ...]) -> None:
        self.moving = moving

    def __call__(self, fgraph: Any, node: Any, shapes: Any) -> list[Any]:
        return [shapes[i] for i in self.moving]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AsInputs) and self.moving == other.moving

    def __hash__(self) -> int:
        return hash((AsInputs, self.moving))


def _misfit(op: Op, what: str, wanted: str) -> NotDifferentiableError:
    return NotDifferentiableError(
        f"the function of `{op}` {what}, and there is {wanted}",
        "the graph is made for the types that are given",
        "give the types of what the function returns: `as_op(f, itypes, otypes)`",
        users_place(),
    )

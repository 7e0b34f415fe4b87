"""The derivative of a program as one primitive of JAX's that is linear: transposed, batched, and run on the host."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import jax
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

import adjoint
from adjoint.errors import NotDifferentiableError
from adjoint.trees import structure_of

from .programs import Pulled, Pushed, like, users_place, within
from .results import Expected, Terms

IN_JAX = Terms(
    "JAX",
    "what it returns was given, or found by a run on zeros, as under `jit` and `vmap` numbers are not known",
    "let it return the same structure, shapes and kinds of numbers whatever it is given, and say so by "
    "`as_jax(f, result_shape_dtypes=...)`; text and other constants are the same each time",
    (
        "it is differentiated here, as a function of arrays of NumPy's; that one is captured, or comes from JAX",
        "pass what it captures as an argument, `as_jax(lambda w, x: ...)(w, x)`; make a function of JAX's one of "
        "arrays of NumPy's by `from_jax`",
    ),
)


class Map:
    """A program of `n` arrays whose result is as expected, and which of them have derivatives.

    Where the arrays are known, so are the arrays of the result, `known`.
    """

    def __init__(
        self, program: Any, n: int, which: tuple[int, ...], expected: Expected, known: tuple[Any, ...] | None = None
    ) -> None:
        self.program, self.n, self.which, self.expected, self.known = program, n, which, expected, known
        self.shapes = expected.shapes
        self.moving = [i for i, s in enumerate(self.shapes) if np.dtype(s.dtype).kind in "fc"]
        self.moving_ends = [expected.ends[i] for i in self.moving]

    def value(self, *arrays: Any) -> tuple[Any, ...]:
        """The arrays of the result."""
        if self.known is not None:
            return tuple(map(jax.numpy.asarray, self.known))
        at = (self.program.n, self._value_at) if isinstance(self.program, Pulled) else None
        found: tuple[Any, ...] = on_host(self._value, self.shapes, *arrays, at=at)
        return found

    def _value(self, *arrays: Any) -> tuple[Any, ...]:
        return with_shapes(self.expected.leaves(self.program(*arrays)), self.shapes)

    def _value_at(self, *arrays: Any) -> Callable[..., tuple[Any, ...]]:
        back = self.program.at(*arrays)
        return lambda *y_bars: with_shapes(self.expected.leaves(back(*y_bars)), self.shapes)

    def pulled(self, arrays: Sequence[Any]) -> Map:
        """x̄ as a function of the arrays and of ȳ."""
        bars = [jax.ShapeDtypeStruct(arrays[i].shape, arrays[i].dtype) for i in self.which]
        result = structure_of(tuple([np.zeros(s.shape, s.dtype) for s in bars]))
        which = (*self.which, *range(self.n, self.n + len(self.moving)))
        expected = Expected(result, range(len(bars)), bars, None, IN_JAX)
        return Map(Conjugated(self), self.n + len(self.moving), which, expected)


class Conjugated(Pulled):
    """JAX transposes where we take the adjoint: Jᵀ ȳ is the conjugate of Jᴴ applied to that of ȳ."""

    def __init__(self, the_map: Map) -> None:
        super().__init__(the_map.program, the_map.n, the_map.which, the_map.expected.form, the_map.moving_ends)

    def __call__(self, *given: Any) -> Any:
        """x̄ for the arrays and ȳ."""
        y_bars = [np.conj(y_bar) for y_bar in given[self.n :]]
        return tuple([np.conj(bar) for bar in Pulled.__call__(self, *given[: self.n], *y_bars)])

    def at(self, *arrays: Any) -> Callable[..., Any]:
        """x̄ as a function of ȳ: the program runs once."""
        back = super().at(*arrays)
        return lambda *y_bars: tuple([np.conj(bar) for bar in back(*[np.conj(y_bar) for y_bar in y_bars])])


At = tuple[int, Callable[..., Callable[..., Any]]] | None
"""The number of arrays that are a point, and what makes of them a function of the others."""


def on_host(f: Callable[..., Any], shapes: tuple[Any, ...], *arrays: Any, at: At = None) -> Any:
    """The arrays that a function of NumPy's arrays returns; it runs once for each sample, or `at` each point."""
    host = functools.partial(of_samples, f, shapes, [np.ndim(x) for x in arrays], at)
    return tuple(host_p.bind(*arrays, host=host, shapes=shapes))


host_p = Primitive("adjoint_host")
host_p.multiple_results = True


def called_back(*arrays: Any, host: Callable[..., Any], shapes: tuple[Any, ...]) -> Any:
    """The arrays of the host, from within a program of JAX's."""

    def guarded(*given: Any) -> Any:
        try:
            with within("JAX"):
                return host(*map(np.asarray, given))
        except Exception as error:
            raise error.with_traceback(own_frames(error.__traceback__))  # noqa: B904 (JAX makes a text of it)

    return jax.pure_callback(guarded, shapes, *arrays)


def called_at_once(*arrays: Any, host: Callable[..., Any], shapes: tuple[Any, ...]) -> Any:
    """The same of arrays that are known, without a program of JAX's, which would be compiled at each call."""
    with jax.ensure_compile_time_eval():
        return list(map(jax.numpy.asarray, host(*map(np.asarray, arrays))))


def batched(arrays: Any, dims: Any, *, host: Callable[..., Any], shapes: tuple[Any, ...]) -> Any:
    """One call for all samples: what is the same for all of them has an axis of one."""
    moved = [x[None] if d is None else jax.numpy.moveaxis(x, d, 0) for x, d in zip(arrays, dims, strict=True)]
    size = max([x.shape[0] if d is not None else 0 for x, d in zip(moved, dims, strict=True)])
    of_all = tuple([jax.ShapeDtypeStruct((size, *s.shape), s.dtype) for s in shapes])
    outputs = host_p.bind(*moved, host=host, shapes=of_all)
    return outputs, [0] * len(outputs)


host_p.def_impl(called_at_once)
host_p.def_abstract_eval(lambda *_, host, shapes: [jax.core.ShapedArray(s.shape, s.dtype) for s in shapes])
mlir.register_lowering(host_p, mlir.lower_fun(called_back, multiple_results=True))
batching.primitive_batchers[host_p] = batched


def of_samples(f: Callable[..., Any], shapes: Sequence[Any], depths: Sequence[int], at: At, *given: Any) -> Any:
    """The results of `f` for each sample of arrays, which have axes of `vmap` before those of one sample."""
    heads = [x.shape[: x.ndim - depth] for x, depth in zip(given, depths, strict=True)]
    batch = np.broadcast_shapes(*heads)
    if not batch:
        return f(*given)
    if at is not None and 0 not in batch and all([n == 1 for head in heads[: at[0]] for n in head]):
        n, of_point = at
        f = of_point(*[x[(0,) * len(head)] for x, head in zip(given[:n], heads[:n], strict=True)])
        given, heads = given[n:], heads[n:]
    found = tuple([np.zeros((*batch, *s.shape), s.dtype) for s in shapes])
    for lane in np.ndindex(batch):
        sample = [
            x[tuple([min(i, n - 1) for i, n in zip(lane, h, strict=True)])] for x, h in zip(given, heads, strict=True)
        ]
        for whole, one in zip(found, f(*sample), strict=True):
            whole[lane] = one
    return found


def own_frames(trace: TracebackType | None) -> TracebackType | None:
    """A traceback from the first frame that is not of this library."""
    first = trace
    while first is not None and first.tb_frame.f_code.co_filename.startswith(HERE):
        first = first.tb_next
    return first or trace


HERE = str(Path(adjoint.__file__).parent)


def with_shapes(values: Sequence[Any], shapes: Sequence[Any]) -> tuple[Any, ...]:
    """The values as arrays of these dtypes, whose shapes they have; zeros for None."""
    return tuple([fitting(v, s) for v, s in zip(values, shapes, strict=True)])


def fitting(value: Any, expected: Any) -> np.ndarray[Any, Any]:
    """A value as an array of this shape and dtype; zeros for None.

    Raises
    ------
    NotDifferentiableError
        For integers that do not fit.
    """
    array = np.zeros(expected.shape, expected.dtype)
    with np.errstate(over="ignore"):
        found = like(value, array)
    if (
        array.dtype.kind in "iu"
        and value is not None
        and not np.array_equal(found, np.broadcast_to(value, array.shape))
    ):
        raise NotDifferentiableError(
            f"a function in JAX returns integers that {array.dtype} does not hold",
            "JAX has no larger ones, unless it is told otherwise or the result is given with such",
            'say `jax.config.update("jax_enable_x64", True)`, or return floating-point numbers',
            users_place(),
        )
    return found


linear_p = Primitive("adjoint_linear")
linear_p.multiple_results = True


def along(the_map: Map, primals: Sequence[Any], dots: Sequence[Any]) -> Any:
    """ẏ = J ẋ of the results that have derivatives."""
    shapes = tuple([the_map.shapes[i] for i in the_map.moving])
    return linear_p.bind(*primals, *dots, the_map=the_map, transposed=False, shapes=shapes, depth=0)


def run(*given: Any, the_map: Map, transposed: bool, shapes: tuple[Any, ...], depth: int) -> Any:
    """ẏ = J ẋ, or x̄ = Jᵀ ȳ, on the host."""
    return on_host(of_arrays(the_map, transposed, shapes, depth), shapes, *given)


def run_at_once(*given: Any, the_map: Map, transposed: bool, shapes: tuple[Any, ...], depth: int) -> Any:
    """The same of arrays that are known, so that errors are the program's own."""
    with jax.ensure_compile_time_eval(), within("JAX", the_map):
        found = of_arrays(the_map, transposed, shapes, depth)(*map(np.asarray, given))
        return list(map(jax.numpy.asarray, found))


def of_arrays(m: Map, transposed: bool, shapes: tuple[Any, ...], depth: int) -> Callable[..., tuple[Any, ...]]:
    """The derivative of a program as a function of NumPy's arrays; (co)tangents have `depth` axes of batches."""
    f = Conjugated(m) if transposed else Pushed(m.program, m.n, m.which, m.expected.form, m.moving_ends)
    of_one = [jax.ShapeDtypeStruct(s.shape[depth:], s.dtype) for s in shapes]

    def host(*arrays: Any) -> tuple[Any, ...]:
        given = arrays[m.n :]
        if not depth:
            return with_shapes(f(*arrays), shapes)
        derivative = f.at(*arrays[: m.n])
        found = tuple([np.zeros(s.shape, s.dtype) for s in shapes])
        for lane in np.ndindex(given[0].shape[:depth]):
            for whole, one in zip(found, with_shapes(derivative(*[x[lane] for x in given]), of_one), strict=True):
                whole[lane] = one
        return found

    return host


def shapes_of(*_: Any, the_map: Map, transposed: bool, shapes: tuple[Any, ...], depth: int) -> Any:
    """Result of the primitive."""
    return [jax.core.ShapedArray(s.shape, s.dtype) for s in shapes]


def transpose(bars: Any, *given: Any, the_map: Map, transposed: bool, shapes: tuple[Any, ...], depth: int) -> Any:
    """J and Jᵀ are the transposed of each other."""
    n = the_map.n
    full = [ad.instantiate_zeros(bar) for bar in bars]
    others = tuple([jax.ShapeDtypeStruct(x.aval.shape, x.aval.dtype) for x in given[n:]])
    params = {"the_map": the_map, "transposed": not transposed, "shapes": others, "depth": depth}
    found = linear_p.bind(*given[:n], *full, **params)
    return [None] * n + list(found)


def batch(given: Any, dims: Any, **params: Any) -> Any:
    """At one point all (co)tangents by one run of the program; else sample after sample."""
    n = params["the_map"].n
    moved = [x if d is None else jax.numpy.moveaxis(x, d, 0) for x, d in zip(given, dims, strict=True)]
    if all([d is None for d in dims[:n]]):
        size = next(x.shape[0] for x, d in zip(moved, dims, strict=True) if d is not None)
        dots = [
            jax.numpy.broadcast_to(x, (size, *x.shape)) if d is None else x
            for x, d in zip(moved[n:], dims[n:], strict=True)
        ]
        shapes = tuple([jax.ShapeDtypeStruct((size, *s.shape), s.dtype) for s in params["shapes"]])
        outputs = linear_p.bind(*given[:n], *dots, **params | {"shapes": shapes, "depth": params["depth"] + 1})
        return outputs, [0] * len(outputs)
    mapped = [i for i, d in enumerate(dims) if d is not None]

    def one(samples: Any) -> Any:
        at = dict(zip(mapped, samples, strict=True))
        return linear_p.bind(*[at.get(i, x) for i, x in enumerate(moved)], **params)

    samples = [moved[i] for i in mapped]
    if any([isinstance(x, jax.core.Tracer) for x in moved]) or not len(samples[0]):
        outputs = jax.lax.map(one, samples)
    else:  # a loop of JAX's would be compiled at each call
        outputs = list(map(jax.numpy.stack, zip(*map(one, zip(*samples, strict=True)), strict=True)))
    return outputs, [0] * len(outputs)


def differentiated(primals: Any, dots: Any, **params: Any) -> Any:
    """The primitive is linear in the tangents; by the point at which it is taken it has no derivative."""
    n = params["the_map"].n
    if not all([isinstance(dot, ad.Zero) or dot.dtype == jax.dtypes.float0 for dot in dots[:n]]):
        raise NotDifferentiableError(
            "a function that `as_jax` has made is differentiated twice",
            "its first derivatives are made for both modes, and JAX cannot ask for further ones then",
            "use `as_jax(f, reverse_only=True)`, which has second derivatives too, by reverse mode",
            users_place(),
        )
    y_dots = linear_p.bind(*primals[:n], *[ad.instantiate_zeros(dot) for dot in dots[n:]], **params)
    return linear_p.bind(*primals, **params), y_dots


linear_p.def_impl(run_at_once)
linear_p.def_abstract_eval(shapes_of)
mlir.register_lowering(linear_p, mlir.lower_fun(run, multiple_results=True))
ad.primitive_jvps[linear_p] = differentiated
ad.primitive_transposes[linear_p] = transpose
batching.primitive_batchers[linear_p] = batch

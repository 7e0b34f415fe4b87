"""Functions of JAX's within programs of ours."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import numpy as np
from jax import numpy as jnp

from adjoint.errors import NotDifferentiableError, check_callable
from adjoint.trees import Structure, are_parameters, build, structure_of

from .foreign import Foreign, ForeignRun, Graph
from .programs import like, replaced, users_place


def from_jax(f: Callable[..., Any]) -> FromJax:
    """A function of JAX's as one of NumPy's arrays, to be used inside of programs that are differentiated.

    x̄ = Jᵀ ȳ by `jax.vjp`; the pullback is a function of JAX's again, so that second derivatives are by JAX too.

    Parameters
    ----------
    f : takes and returns arrays, also in tuples, lists, dicts and records; `jax.jit(f)` too.

    Returns
    -------
    A function of arrays and numbers, also in tuples, lists, dicts and records; all else is passed on as it is. It
    returns NumPy's arrays in place of JAX's.

    Raises
    ------
    NotDifferentiableError
        When called with an array or a NumPy number of double precision, or with integers of more than 32 bits, while
        JAX has single precision alone; if `f` returns numbers that NumPy has not (bfloat16).

    Examples
    --------
    >>> import adjoint, jax
    >>> import numpy as np
    >>> softplus = from_jax(jax.nn.softplus)
    >>> adjoint.grad(lambda x: np.sum(softplus(x) ** 2))(np.zeros(2, np.float32)).round(4)
    array([0.6931, 0.6931], dtype=float32)
    """
    check_callable(f)
    return FromJax(f)


class FromJax(Foreign):
    """Function that `from_jax` gives."""

    maker = "from_jax"

    def __repr__(self) -> str:
        return f"{self.maker}({self.f!r})"

    def is_foreign(self, x: Any) -> bool:
        """True if `x` is passed on as it is."""
        return isinstance(x, jax.Array)

    def value(self, form: Structure) -> Any:
        """The result for arguments of this structure."""
        for x in form.ends:
            check_precision(x)
        moving = [i for i, moves in enumerate(are_parameters(form)) if moves]  # arrays of JAX's, as in a derivative
        call = Call(self, form, moving)
        arrays = call(*[jnp.asarray(form.ends[i]) for i in moving])
        with explained():
            return build(call.result, replaced(call.result.ends, call.ends, list(map(np.array, arrays))))

    def run(self, form: Structure, moving: Sequence[int]) -> ForeignRun:
        """A run for arguments of this structure, of which these ends have derivatives."""
        for x in form.ends:
            check_precision(x)
        call = Call(self, form, moving)
        graph = Pullback(call, [jnp.asarray(form.ends[i]) for i in moving])
        return ForeignRun(form, moving, call.result, call.ends, graph)


class Call:
    """A call of a function of JAX's, as one of the arrays at some ends of its arguments; the result's are a tuple."""

    result: Structure
    ends: list[int]

    def __init__(self, foreign: FromJax, form: Structure, moving: Sequence[int]) -> None:
        self.foreign, self.form, self.moving = foreign, form, moving

    def __call__(self, *moved: Any) -> tuple[Any, ...]:
        """The arrays of the result, in whose structure they are at `ends`."""
        args, kwargs = build(self.form, replaced(self.form.ends, self.moving, moved))
        with explained():
            y = self.foreign.f(*args, **kwargs)
        result = structure_of(y, self.foreign.is_foreign).apart()
        ends = [i for i, end in enumerate(result.ends) if isinstance(end, jax.Array)]
        arrays = tuple([result.ends[i] for i in ends])
        check_numbers(arrays)
        for i in ends:
            result.ends[i] = None  # an array of a trace that ends here
        self.result, self.ends = result, ends
        return arrays


@contextlib.contextmanager
def explained() -> Iterator[None]:
    """Say by a note what to do where JAX cannot make a number or an array of NumPy's of what it traces."""
    try:
        yield
    except (jax.errors.TracerArrayConversionError, jax.errors.ConcretizationTypeError) as error:
        error.add_note(
            "what is called by `from_jax` is differentiated by JAX: compute by `jax.numpy` there, and put what NumPy "
            "or Python computes outside, or into `as_jax`; within a function of JAX's leave `from_jax` off"
        )
        raise


def check_numbers(arrays: Sequence[Any]) -> None:
    """Raise `NotDifferentiableError` for arrays of a result that NumPy does not compute with."""
    for a in arrays:
        if not isinstance(a.dtype, np.dtype) or a.dtype.kind not in "fciub":
            raise NotDifferentiableError(
                f"what is called by `from_jax` returns an array of {a.dtype}",
                "it is to be numbers that NumPy has, and flags",
                "let it return `y.astype(jnp.float32)`, and of a key `jax.random.key_data(key)`",
                users_place(),
            )


class Pullback(Graph):
    """A run of a function of arrays of JAX's, which returns a tuple of them, with its pullback."""

    def __init__(self, f: Callable[..., Any], inputs: Sequence[Any]) -> None:
        self.f, self.inputs = f, inputs
        outputs, self.back = jax.vjp(f, *inputs)
        self.values = list(map(np.array, outputs))

    def pull(self, bars: Sequence[Any]) -> list[Any]:
        """x̄ = Jᵀ ȳ of the inputs."""
        found = self.back(tuple([bar_of(bar, y) for bar, y in zip(bars, self.values, strict=True)]))
        return [np.conj(np.array(bar)) for bar in found]

    def further(self, bars: Sequence[Any]) -> Graph:
        """The same as a run, from the items of ȳ that are not None and from the inputs."""
        there = [i for i, bar in enumerate(bars) if bar is not None]

        def of_bars(*given: Any) -> Any:
            y_bars = replaced([None] * len(bars), there, given[: len(there)])
            outputs, back = jax.vjp(self.f, *given[len(there) :])
            return tuple(map(jnp.conj, back(tuple(map(bar_of, y_bars, outputs)))))

        return Pullback(of_bars, [*[jnp.asarray(like(bars[i], self.values[i])) for i in there], *self.inputs])


def bar_of(bar: Any, output: Any) -> Any:
    """A cotangent as JAX has it: of a complex array the conjugate of ours."""
    if output.dtype.kind not in "fc":
        return np.zeros(output.shape, jax.dtypes.float0)
    return jnp.zeros_like(output) if bar is None else jnp.conj(jnp.asarray(bar, output.dtype))


def check_precision(x: Any) -> None:
    """Raise for numbers that JAX would round to single precision, or cut to 32 bits, without a word."""
    if not isinstance(x, np.ndarray | np.generic) or x.dtype.kind not in "fciu":
        return
    if x.dtype.char in "gG":
        raise NotDifferentiableError(
            f"a function of JAX's is given an array of {x.dtype}",
            "JAX has numbers of 64 bits at most",
            "hand over `x.astype(np.float64)`",
            users_place(),
        )
    dtype = jnp.asarray(np.zeros(0, x.dtype)).dtype
    if dtype != x.dtype and (x.dtype.kind in "fc" or not np.array_equal(x.astype(dtype), x)):
        raise NotDifferentiableError(
            f"a function of JAX's is given an array of {x.dtype}",
            "JAX has 32 bits of each number alone, unless it is told otherwise",
            'say `jax.config.update("jax_enable_x64", True)`, or hand over `x.astype(np.float32)`',
            users_place(),
        )

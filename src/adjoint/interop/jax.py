"""Functions of ours in JAX, in both modes, under `jit` and `vmap`; `Tangent` as a node of JAX's trees."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from adjoint import Tangent
from adjoint.errors import NotDifferentiableError, OptionError, check_callable
from adjoint.tangents.structural import class_of, fields_of, new_tangent
from adjoint.trees import build, structure_of

from ..installed import told

try:
    import jax
    from jax import numpy as jnp
except ModuleNotFoundError as error:
    raise told(error, "jax") from None

from .from_jax import from_jax
from .linear import IN_JAX, Map, along, with_shapes
from .programs import Program, WrappedFunction, check_order, moving_among, users_place, within
from .results import Checked, Expected, check_own

__all__ = ["as_jax", "from_jax"]


def as_jax(f: Callable[..., Any], result_shape_dtypes: Any = None, *, reverse_only: bool = False) -> Callable[..., Any]:
    """A function of NumPy's arrays as one of JAX's, with first derivatives in both modes by this library.

    `f` runs on the host, by `jax.pure_callback`, under `jit` and `vmap` too (sample after sample), and is taken to be
    pure. Its floating-point results get the dtype of its arguments, which in JAX is float32 unless `jax_enable_x64`.

    Parameters
    ----------
    f : takes arrays, numbers and whatever else; it may capture arrays, which are constants.
    result_shape_dtypes : the result, with `jax.ShapeDtypeStruct` in place of its arrays. Without it `f` runs once on
        zeros, for each kind of arguments.
    reverse_only : whether derivatives are by reverse mode alone, and then second ones too.

    Returns
    -------
    A function of the same arguments: JAX's arrays in them, also in tuples, lists, dicts and records, reach `f` as
    arrays; all else is constant. In its result arrays and numbers are arrays of JAX's.

    Raises
    ------
    NotDifferentiableError
        When given numbers that NumPy does not have (bfloat16), or typed keys; when differentiated twice, without
        `reverse_only`; three times with it; by JAX, as its own error, where the result has other shapes than were
        expected.
    OptionError
        If `result_shape_dtypes` holds no `jax.ShapeDtypeStruct`, or `reverse_only` is no flag.

    Examples
    --------
    >>> import jax, numpy as np
    >>> norm = as_jax(lambda x: np.sqrt(np.sum(x**2)))
    >>> jax.jit(jax.vmap(jax.grad(norm)))(jax.numpy.array([[3.0, 4.0], [0.0, 2.0]]))
    Array([[0.6, 0.8],
           [0. , 1. ]], dtype=float32)
    """
    check_callable(f)
    check_options(result_shape_dtypes, reverse_only)

    return AsJax(f, result_shape_dtypes, reverse_only)


class AsJax(WrappedFunction):
    """The function that `as_jax` returns."""

    def __init__(self, f: Callable[..., Any], result_shape_dtypes: Any, reverse_only: bool) -> None:
        super().__init__(f)
        self.result_shape_dtypes, self.reverse_only = result_shape_dtypes, reverse_only

    def __repr__(self) -> str:
        return f"as_jax({self.f!r})"

    def __reduce__(self) -> Any:
        return AsJax, (self.f, self.result_shape_dtypes, self.reverse_only)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """The result of `f`, with arrays of JAX's in place of NumPy's."""
        form = structure_of((args, kwargs), is_array)
        places = [i for i, end in enumerate(form.ends) if is_array(end)]
        arrays = [form.ends[i] for i in places]
        for a in arrays:
            check_dtype(a, "given")
        return called(Program(self.f, form, places), arrays, self.result_shape_dtypes, self.reverse_only)


def check_options(result_shape_dtypes: Any, reverse_only: Any) -> None:
    """Raise `OptionError` for options of other kinds."""
    if not isinstance(reverse_only, bool):
        raise OptionError(
            f"`reverse_only` is {reverse_only!r}",
            "it says whether derivatives are by reverse mode alone",
            "write `as_jax(f, reverse_only=True)`, or leave it off",
            users_place(),
        )
    ends = [] if result_shape_dtypes is None else structure_of(result_shape_dtypes, is_end).ends
    if result_shape_dtypes is not None and (not any(map(is_shape, ends)) or any(map(is_array, ends))):
        raise OptionError(
            f"`result_shape_dtypes` is {reprlib.repr(result_shape_dtypes)}",
            "it is what the function returns, with `jax.ShapeDtypeStruct` in place of each array",
            "write `jax.ShapeDtypeStruct((3,), jnp.float32)`, or a tuple or dict of such ones",
            users_place(),
        )


def is_array(x: Any) -> bool:
    """Tell whether `x` is an array of JAX's, or stands for one."""
    return isinstance(x, jax.Array)


def check_dtype(a: Any, what: str) -> None:
    """Raise `NotDifferentiableError` for numbers that NumPy does not compute with."""
    if jnp.issubdtype(a.dtype, jax.dtypes.prng_key):
        raise NotDifferentiableError(
            f"a function in JAX is {what} an array of typed keys, {a.dtype}",
            "it runs on arrays of NumPy's, and these are keys of `jax.random.key`",
            "hand over the numbers of a key, `jax.random.key_data(key)`: `np.random.default_rng` takes them",
            users_place(),
        )
    if not isinstance(a.dtype, np.dtype) or a.dtype.kind not in "fciub":
        raise NotDifferentiableError(
            f"a function in JAX is {what} an array of {a.dtype}",
            "it runs on arrays of NumPy's, which have no such numbers",
            "hand over `x.astype(jnp.float32)`",
            users_place(),
        )


def is_shape(x: Any) -> bool:
    """Tell whether `x` says of what shape and dtype an array is."""
    return isinstance(x, jax.ShapeDtypeStruct)


def called(program: Program, arrays: Sequence[Any], given: Any, reverse_only: bool) -> Any:
    """The result of a program, with arrays of JAX's in it."""
    still = jax.lax.stop_gradient(arrays)
    is_known = not any([isinstance(a, jax.core.Tracer) for a in still])
    y = run_of(program, still, is_known) if is_known or given is None else None
    which = tuple(moving_among(arrays))
    expected = expected_of(y if given is None else given, [arrays[i].dtype for i in which])
    known = with_shapes(expected.leaves(y), expected.shapes) if is_known else None
    if not is_known and any([0 in s.shape for s in expected.shapes]):
        jax.debug.callback(Emptiness(program, expected), *still)
    the_map = Map(Checked(program, expected), len(arrays), which, expected, known)
    outputs = (by_reverse if reverse_only else in_both_modes)(the_map, arrays)
    values = [*expected.form.ends]
    for place, output in zip(expected.ends, outputs, strict=True):
        values[place] = output
    return build(expected.form, values)


def run_of(program: Program, arrays: Sequence[Any], is_known: bool) -> Any:
    """Form of what a program returns for arrays, or where they are not known for zeros."""
    with jax.ensure_compile_time_eval(), within("JAX", program):
        if is_known:
            return program(*map(np.asarray, arrays))
        try:
            with np.errstate(all="ignore"):
                return program(*[np.zeros(a.shape, a.dtype) for a in arrays])
        except Exception as error:
            error.add_note(
                "`as_jax` runs a function on zeros to find what it returns, where numbers are not known, as under "
                "`jit` and `vmap`: give `result_shape_dtypes` if it takes no zeros"
            )
            raise


def expected_of(y: Any, moving: Sequence[Any]) -> Expected:
    """The structure that is expected, from a result or from what was given for one."""
    form = structure_of(y, is_end).apart()
    flags = enumerate(zip(form.ends, form.are_leaves, strict=True))
    ends = [i for i, (end, leaf) in flags if leaf or is_flag(end)]
    for i in ends:
        if not is_shape(form.ends[i]):
            check_own(form.ends[i], is_array, IN_JAX)
    return Expected(form, ends, [shape_of(form.ends[i], moving) for i in ends], is_array, IN_JAX)


def is_end(x: Any) -> bool:
    """True if `x` is an array of JAX's, or says what one is."""
    return is_array(x) or is_shape(x)


def is_flag(x: Any) -> bool:
    """The truth of `x`, which depends on numbers."""
    return isinstance(x, bool | np.bool_)


class Emptiness:
    """Compares a result with what is expected; JAX does not run what gives empty arrays alone."""

    def __init__(self, program: Program, expected: Expected) -> None:
        self.program, self.expected = program, expected

    def __call__(self, *arrays: Any) -> None:
        """Raise `NotDifferentiableError` for a result that is not as expected."""
        self.expected.leaves(self.program(*map(np.asarray, arrays)))


def shape_of(end: Any, moving: Sequence[Any]) -> Any:
    """Shape and dtype of a result: a floating-point one has the precision of the arguments."""
    if is_shape(end):
        check_dtype(end, "to return")
        return end
    dtype = jnp.asarray(np.zeros(0, np.asarray(end).dtype)).dtype
    if dtype.kind in "fc" and moving:
        common = jnp.result_type(*moving)
        dtype = jnp.result_type(common, np.complex64) if dtype.kind == "c" else np.zeros(0, common).real.dtype
    return jax.ShapeDtypeStruct(np.shape(end), dtype)


def in_both_modes(the_map: Map, arrays: Sequence[Any]) -> Any:
    """The value, with tangents by the linear primitive."""
    call = jax.custom_jvp(the_map.value)

    @call.defjvp
    def call_jvp(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
        y_dots = along(the_map, primals, [tangents[i] for i in the_map.which])
        found = iter(y_dots)
        dots = [next(found) if i in the_map.moving else zero(s) for i, s in enumerate(the_map.shapes)]
        return call(*primals), tuple(dots)

    return call(*arrays)


def by_reverse(the_map: Map, arrays: Sequence[Any]) -> Any:
    """The value, with cotangents by a function of the same kind."""
    call = jax.custom_vjp(the_map.value)

    def backward(given: tuple[Any, ...], bars: tuple[Any, ...]) -> Any:
        check_order(the_map.program, 2)
        pulled = by_reverse(the_map.pulled(given), [*given, *[bars[i] for i in the_map.moving]])
        at = dict(zip(the_map.which, pulled, strict=True))
        return tuple([at.get(i, zero(x)) for i, x in enumerate(given)])

    call.defvjp(lambda *given: (call(*given), given), backward)
    try:
        return call(*arrays)
    except TypeError as error:
        if "custom_vjp" not in str(error):
            raise
        raise NotDifferentiableError(
            "a function that `as_jax(f, reverse_only=True)` has made is differentiated by forward mode",
            "it has derivatives by reverse mode alone, of first and second order",
            "use `jax.jacrev` in place of `jax.jacfwd` and `jax.jacrev(jax.jacrev(f))` in place of `jax.hessian`, or "
            "leave `reverse_only` off for `jax.jvp`",
            users_place(),
        ) from error


def zero(x: Any) -> Any:
    """The zero tangent of an array: of an integer one, of which nothing flows."""
    if np.dtype(x.dtype).kind in "fc":
        return jnp.zeros(x.shape, x.dtype)
    return np.zeros(x.shape, jax.dtypes.float0)


def _flatten(tangent: Tangent[Any]) -> tuple[Any, Any]:
    fields = fields_of(tangent)
    return [(jax.tree_util.GetAttrKey(name), part) for name, part in fields.items()], (class_of(tangent), tuple(fields))


def _unflatten(form: Any, parts: Any) -> Tangent[Any]:
    return new_tangent(form[0], dict(zip(form[1], parts, strict=True)))


jax.tree_util.register_pytree_with_keys(Tangent, _flatten, _unflatten)

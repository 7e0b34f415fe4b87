"""Jacobians: all first derivatives of a function at once, by columns, by rows, or by groups that share a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, ParamSpec, TypeVar, overload

from .api import Compile
from .blocks import Mode, attempted, blocks_of, refuse_aux
from .derivatives.slots import places_of
from .errors import check_callable
from .maps import LinearMap
from .of_functions import AUTO, MAX_BYTES, MOST, OPTIONS, SHOWN, Asked, OfFunction, asked_of, of_call_or_function
from .options import NO, NONE, refuse_options
from .result_types import Array, Matrix
from .runtime.argnums import Argnums, is_one
from .sparse import sparse_blocks
from .tangents.blocks import arranged, parts

P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A")


@overload
def jacobian(
    f: Callable[P, float | Array],
    /,
    *,
    argnums: Literal[0] = 0,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: None = None,
    compile: Compile = False,
    has_aux: Literal[False] = False,
) -> Matrix[P]: ...
@overload
def jacobian(
    f: Callable[P, Any],
    /,
    *,
    argnums: int | str = 0,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
    has_aux: Literal[False] = False,
) -> Callable[P, Any]: ...
@overload
def jacobian(
    f: Callable[P, Any],
    /,
    *,
    argnums: Sequence[int | str],
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
    has_aux: Literal[False] = False,
) -> Callable[P, tuple[Any, ...]]: ...
@overload
def jacobian(
    f: Callable[P, tuple[Any, A]],
    /,
    *,
    argnums: Argnums = 0,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
    has_aux: Literal[True],
) -> Callable[P, tuple[Any, A]]: ...
@overload
def jacobian(
    f: Callable[..., float | Array],
    x: float | Array,
    /,
    *,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: None = None,
    compile: Compile = False,
    has_aux: Literal[False] = False,
) -> tuple[Array]: ...
@overload
def jacobian(
    f: Callable[..., Any],
    /,
    *args: Any,
    argnums: int | str,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
    has_aux: Literal[False] = False,
    **kwargs: Any,
) -> Any: ...
@overload
def jacobian(
    f: Callable[..., Any],
    /,
    *args: Any,
    argnums: Sequence[int | str] | None = None,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
    has_aux: Literal[False] = False,
    **kwargs: Any,
) -> tuple[Any, ...]: ...
@overload
def jacobian(
    f: Callable[..., tuple[Any, A]],
    /,
    *args: Any,
    argnums: Argnums | None = None,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
    has_aux: Literal[True],
    **kwargs: Any,
) -> tuple[Any, A]: ...
@overload
def jacobian(
    f: Callable[P, Any],
    /,
    *,
    argnums: Argnums = 0,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
    has_aux: bool,
) -> Callable[P, Any]: ...
@overload
def jacobian(
    f: Callable[..., Any],
    /,
    *args: Any,
    argnums: Argnums | None = None,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
    has_aux: bool,
    **kwargs: Any,
) -> Any: ...
def jacobian(
    f: Callable[..., Any],
    /,
    *args: Any,
    argnums: Argnums | None = NONE,
    mode: Mode = AUTO,
    max_bytes: float = MOST,
    sparsity: Any = NONE,
    compile: Compile = NO,
    has_aux: bool = NO,
    **kwargs: Any,
) -> Any:
    """The Jacobians of a function by each of its arguments: Jᵢ[k, l] = ∂yₖ/∂xₗ.

    Of a call, `jacobian(f, *args)`, it is a tuple with one for each argument; of a function, `jacobian(f)`, the
    function that gives the Jacobian by the first, or by those that `argnums` names, as `grad` does.

    The Jacobian of an array with respect to an array is an array, of the shape of the result followed by that of the
    argument. With structures (lists, tuples, dicts, records) the Jacobian has the structure of the result. In place of
    each number or array there it has the structure of the argument, with such an array at each leaf. float32 with
    respect to float32 stays float32; integers count as real numbers.

    Parameters
    ----------
    f : the function; its results and the arguments asked for consist of real numbers and arrays.
    args, kwargs : its arguments; those given by keyword are constants.
    argnums : the argument (its position or name), or several of them; if nothing is said, all of those of the call, and
        the first of a function.
    mode : "forward" takes one tangent for each number of the arguments, "reverse" one cotangent for each number of the
        result; "auto" takes what is less (a program that stores is always taken in reverse). What only computes may run
        once for each tangent; anything else, what draws or prints, at most twice by "auto" and once by the others.
    max_bytes : how much memory the Jacobians may take.
    sparsity : "auto", a result of `find_sparsity`, or a pattern that says where entries may be. A pattern is a matrix
        (an array, or sparse) with a row for each number of the result and a column for each number of the argument.
        Then columns that share no row are taken together, or rows that share no column, and the Jacobian is a
        `scipy.sparse.csr_array` with such rows and columns. It is compared with a derivative along a random direction.
    compile : run it as compiled loops, 32 directions at a time, as `grad` does with `compile`; what cannot be compiled
        runs as it does without, with one `CompileFallbackWarning`, or raises if this is "strict".
    has_aux : `f` returns `(y, aux)`; only y is differentiated, and the result is `(Jacobian, aux)`. Neither with
        `sparsity` nor compiled.

    Returns
    -------
    A tuple with a Jacobian for each argument; that of one argument if `argnums` names just that. Without arguments, a
    function with the name and signature of `f`, which gives that; it can be pickled if `f` can.

    Raises
    ------
    NotDifferentiableError
        If the result or an argument asked for is not made of real numbers, or there is no such argument.
    TooLargeError
        If more memory would be needed than `max_bytes`.
    SparsityError
        If there are entries where the pattern has none, or it has another shape.
    NotScalarError
        With `has_aux`, if `f` does not return a pair.
    OptionError
        If there is no such option or mode, if an option of a call may be a keyword of `f`, or if what follows `f` may
        be meant as `argnums` (0, or a name). Also if `has_aux` is asked for with `sparsity`.
    CompileError
        With `compile="strict"`, if it cannot be compiled.

    References
    ----------
    Griewank and Walther, Evaluating Derivatives, 2nd ed., sections 3.1, 3.2 (modes) and chapter 8 (sparsity).

    Examples
    --------
    >>> import numpy as np
    >>> jacobian(lambda x: x * x, np.array([1.0, 2.0]))[0]
    array([[2., 0.],
           [0., 4.]])
    >>> jacobian(lambda x: x * x)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    >>> jacobian(lambda p: {"sum": p["a"] + p["b"]}, {"a": 1.0, "b": np.ones(2)}, argnums=0)
    {'sum': {'a': array([1., 1.]), 'b': array([[1., 0.],
           [0., 1.]])}}
    >>> jacobian(lambda x: (x * x, "seen"), has_aux=True)(3.0)
    (array(6.), 'seen')
    """
    return of_call_or_function(
        "jacobian", _jacobian, f, args, kwargs, argnums, mode, max_bytes, sparsity, compile, has_aux
    )


def _jacobian(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], asked: Asked) -> Any:
    """One Jacobian, or a tuple of them; with what `f` gives beside, if it does."""
    y, found = _value_and_jacobian(f, args, kwargs, asked, False)
    return (found, y[1]) if asked.has_aux else found


def _value_and_jacobian(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], asked: Asked, with_value: bool = True
) -> tuple[Any, Any]:
    """The value of a call, if it is asked for, and one Jacobian, or a tuple of them."""
    places = places_of(f, asked.argnums, args, kwargs)
    single, mode, sparsity = is_one(asked.argnums), asked.mode, asked.sparsity
    given = f, args, places, mode, kwargs, asked.compile
    if asked.has_aux:
        refuse_aux(f, sparsity, asked.compile)
    compile = asked.compile and not asked.has_aux
    compiled = attempted(False, given, asked.max_bytes, sparsity, with_value) if compile else None
    if sparsity is not None:
        y, sparse = compiled or sparse_blocks(LinearMap(f, args, places, mode, kwargs), sparsity, with_value)
        return y, sparse[0] if single else sparse
    y, of_y, of_xs, blocks = compiled or blocks_of(f, args, places, mode, asked.max_bytes, kwargs, asked.has_aux)
    found, first = [], 0
    for of_x in of_xs:
        n = first + len(parts(of_x))
        found.append(arranged(of_y, [arranged(of_x, row[first:n])[0] for row in blocks])[0])
        first = n
    return y, found[0] if single else tuple(found)


@overload
def value_and_jacobian(
    f: Callable[P, R],
    argnums: int | str = 0,
    *,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
    has_aux: bool = False,
) -> Callable[P, tuple[R, Any]]: ...
@overload
def value_and_jacobian(
    f: Callable[P, R],
    argnums: Sequence[int | str],
    *,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
    has_aux: bool = False,
) -> Callable[P, tuple[R, tuple[Any, ...]]]: ...
def value_and_jacobian(
    f: Callable[P, R],
    argnums: Argnums = 0,
    *,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
    has_aux: bool = False,
    **unknown: Any,
) -> Callable[P, tuple[R, Any]]:
    """The function that gives the value of `f` and its Jacobian, as `jacobian(f)` does, by one run of `f`.

    Parameters
    ----------
    f, argnums, mode, max_bytes, sparsity, compile, has_aux : as for `jacobian`; with `has_aux` the value is the pair.

    Returns
    -------
    A function with the name and signature of `f`, which gives `(y, J)`; J is a tuple if `argnums` names several
    arguments. It can be pickled if `f` can.

    Raises
    ------
    NotDifferentiableError
        If `argnums` names no arguments; when called, as `jacobian` does.
    TooLargeError, SparsityError, CompileError
        When called, as `jacobian` does.
    OptionError
        If there is no such option.

    Examples
    --------
    >>> import numpy as np
    >>> value_and_jacobian(lambda x: x * x)(np.array([1.0, 2.0]))
    (array([1., 4.]), array([[2., 0.],
           [0., 4.]]))
    """
    check_callable(f)
    refuse_options("value_and_jacobian", unknown, OPTIONS["jacobian"])
    verb = "value_and_jacobian"
    return OfFunction(f, _value_and_jacobian, asked_of(verb, argnums, mode, max_bytes, sparsity, compile, has_aux))


SHOWN[_jacobian] = "J"
SHOWN[_value_and_jacobian] = "value and J"

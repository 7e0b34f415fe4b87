"""Hessians: all second derivatives of a function at once, or those on the diagonal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, ParamSpec, TypeVar, overload

import numpy as np

from .api import Compile
from .blocks import Mode, attempted, blocks_of, compiled_diagonal, refuse_aux
from .derivatives import begin
from .derivatives.lanes import stacked_diagonal
from .derivatives.slots import needed, places_of, zeros_of
from .gradients import grad
from .maps import LinearMap
from .of_functions import AUTO, MAX_BYTES, MOST, SHOWN, Asked, of_call_or_function
from .options import NO, NONE
from .result_types import Array, Gradient, Matrix
from .runtime.argnums import Argnums, is_one
from .sparse import sparse_blocks
from .tangents import zeros_like
from .tangents.blocks import arranged, parts
from .tangents.vectors import unravel

P = ParamSpec("P")
A = TypeVar("A")


@overload
def hessian(
    f: Callable[P, Any],
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
def hessian(
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
def hessian(
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
def hessian(
    f: Callable[..., Any],
    x: float | Array,
    /,
    *,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: None = None,
    compile: Compile = False,
    has_aux: Literal[False] = False,
) -> Array: ...
@overload
def hessian(
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
def hessian(
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
) -> Any: ...
@overload
def hessian(
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
def hessian(
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
def hessian(
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
def hessian(
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
def hessian(
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
    """The second derivatives of a real scalar function: H[k, l] = ∂²f/∂xₖ∂xₗ.

    Without arguments, `hessian(f)`, it is the function that gives the Hessian by the first, as `jacobian` has it.

    For an array of shape s the result has shape s + s; for a dict, it is a dict of dicts, and so for other structures.
    Of several arguments it is a tuple of tuples, one Hᵢⱼ for each pair.

    Parameters
    ----------
    f : a function with a real scalar result, or an array of one number.
    args, kwargs : its arguments; those given by keyword are constants.
    argnums : the argument, or several of them; if nothing is said, all of those of the call, and the first of a
        function.
    mode : "reverse" takes the reverse of the gradient once for each number of the arguments (it is symmetric, so that
        rows are as good as columns), "forward" its tangent; "auto" is what is quicker.
    max_bytes : how much memory it may take.
    sparsity : as for `jacobian`, of the gradient; for one argument.
    compile : as for `jacobian`.
    has_aux : `f` returns `(loss, aux)`; only the loss is differentiated, and the result is `(H, aux)`. Neither with
        `sparsity` nor compiled.

    Returns
    -------
    H, if there is one argument or `argnums` names one; else a tuple of tuples. Without arguments, the function that
    gives that.

    Raises
    ------
    NotScalarError
        If the result is not a real scalar; with `has_aux`, if `f` does not return a pair.
    NotDifferentiableError, TooLargeError, SparsityError, OptionError
        As `jacobian` does.

    References
    ----------
    Griewank and Walther, Evaluating Derivatives, 2nd ed., chapter 5 (second-order adjoints).

    Examples
    --------
    >>> import numpy as np
    >>> hessian(lambda x: x[0] ** 2 * x[1], np.array([3.0, 2.0]))
    array([[4., 6.],
           [6., 0.]])
    >>> hessian(lambda x: x**3)(2.0)
    array(12.)
    >>> hessian(lambda x: (x**3, "seen"), has_aux=True)(2.0)
    (array(12.), 'seen')
    >>> hessian(lambda x, y: x * x * y, 3.0, 2.0)[0][1]
    array(6.)
    """
    return of_call_or_function(
        "hessian", _hessian, f, args, kwargs, argnums, mode, max_bytes, sparsity, compile, has_aux
    )


def _hessian(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], asked: Asked) -> Any:
    """One Hessian, or a tuple of tuples of them; with what `f` gives beside, if it does."""
    argnums, mode, sparsity = asked.argnums, asked.mode, asked.sparsity
    places = places_of(f, argnums, args, kwargs)
    slopes = grad(f, places, asked.has_aux)
    if asked.has_aux:
        refuse_aux(f, sparsity, asked.compile)
    alone = is_one(argnums) or argnums is None and len(args) == 1
    given = f, args, places, mode, kwargs, asked.compile
    compiled = attempted(True, given, asked.max_bytes, sparsity, False) if asked.compile and not asked.has_aux else None
    if sparsity is not None:
        sparse = (compiled or sparse_blocks(LinearMap(slopes, args, places, mode, kwargs), sparsity, False))[1]
        return sparse[0] if alone else sparse
    ways: Mode = "reverse" if mode == "auto" else mode
    y, of_ys, of_xs, blocks = compiled or blocks_of(slopes, args, places, ways, asked.max_bytes, kwargs, asked.has_aux)
    found, i = [], 0
    for of_y in of_ys:
        row, first, n = [], 0, i + len(parts(of_y))
        for of_x in of_xs:
            last = first + len(parts(of_x))
            row.append(arranged(of_y, [arranged(of_x, items[first:last])[0] for items in blocks[i:n]])[0])
            first = last
        found.append(tuple(row))
        i = n
    H = found[0][0] if alone else tuple(found)
    return (H, y[1]) if asked.has_aux else H


@overload
def hessian_diag(f: Callable[P, Any], /, *, argnums: Literal[0] = 0, compile: Compile = False) -> Gradient[P]: ...
@overload
def hessian_diag(f: Callable[P, Any], /, *, argnums: int | str, compile: Compile = False) -> Callable[P, Any]: ...
@overload
def hessian_diag(
    f: Callable[P, Any], /, *, argnums: Sequence[int | str], compile: Compile = False
) -> Callable[P, tuple[Any, ...]]: ...
@overload
def hessian_diag(
    f: Callable[..., Any], /, *args: Any, argnums: int | str, compile: Compile = False, **kwargs: Any
) -> Any: ...
@overload
def hessian_diag(
    f: Callable[..., Any],
    /,
    *args: Any,
    argnums: Sequence[int | str] | None = None,
    compile: Compile = False,
    **kwargs: Any,
) -> tuple[Any, ...]: ...
def hessian_diag(
    f: Callable[..., Any], /, *args: Any, argnums: Argnums | None = NONE, compile: Compile = NO, **kwargs: Any
) -> Any:
    """The diagonal of the Hessian of a real scalar function: ∂²f/∂xₖ².

    It takes a product with the Hessian for each number of the arguments, several in one run, and never keeps more rows
    of the Hessian than run together.

    Parameters
    ----------
    f : a function with a real scalar result, or an array of one number.
    args, kwargs : its arguments; those given by keyword are constants.
    argnums : the argument (its position or name), or several of them; if nothing is said, all of those of the call, and
        the first of a function.
    compile : run it as compiled loops, as `hessian` does with `compile`.

    Returns
    -------
    A tuple with one diagonal for each argument, in its structure and shapes; that of one argument if `argnums` names
    just that. Without arguments, `hessian_diag(f)`, the function that gives that of the first.

    Raises
    ------
    NotScalarError
        If the result is not a real scalar.
    NotDifferentiableError
        If an argument asked for is not made of real numbers, or there is no such argument.
    CompileError
        With `compile="strict"`, if it cannot be compiled.

    References
    ----------
    Griewank and Walther, Evaluating Derivatives, 2nd ed., section 5.1 (second-order adjoints, one for each direction).

    Examples
    --------
    >>> import numpy as np
    >>> hessian_diag(lambda x: (x**3).sum() + x[0] * x[1], np.array([1.0, 2.0]))
    (array([ 6., 12.]),)
    >>> hessian_diag(lambda x: (x**3).sum())(np.array([1.0, 2.0]))
    array([ 6., 12.])
    """
    return of_call_or_function("hessian_diag", _diagonal, f, args, kwargs, argnums, compile=compile)


def _diagonal(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], asked: Asked) -> Any:
    """The diagonals of the blocks on the diagonal."""
    places = places_of(f, asked.argnums, args, kwargs)
    if asked.compile:
        compiled = compiled_diagonal((f, args, places, "forward", kwargs, asked.compile))
        if compiled is not None:
            found = unravel(*compiled)
            return found[0] if is_one(asked.argnums) else found
    of_xs = zeros_of(f, args, places)
    y, back, given = begin(needed(len(args) + len(kwargs), places), grad(f, places), args, kwargs)
    of_y, xs = zeros_like(y), tuple([given[1 + i] for i in places])
    rows = [stacked_diagonal(back, of_y, part, xs, places) for part in range(len(parts(of_xs)))]
    found = arranged(of_xs, [_as(like, row) for like, row in zip(parts(of_xs), rows, strict=True)])[0]
    return found[0] if is_one(asked.argnums) else found


def _as(like: Any, row: Any) -> Any:
    """Numbers in a row in the shape of what they belong to."""
    return row.reshape(np.shape(like)) if isinstance(like, np.ndarray) else row[0]


SHOWN[_hessian] = "∇²"
SHOWN[_diagonal] = "diag ∇²"

"""Jacobians and Hessians: all derivatives of a function at once, by columns, by rows, or by groups that share a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

import numpy as np

from .api import Compile, grad
from .derivatives import begin
from .derivatives.choice import is_structured_call, may_run_again
from .derivatives.lanes import stacked_columns, stacked_rows
from .derivatives.slots import check_size, count, dtype_of, needed, places_of, zeros_of
from .errors import NotDifferentiableError, calling_place, check_callable
from .forward import linearize, repeated
from .maps import LinearMap
from .rules.registry import non_differentiable
from .runtime.argnums import Argnums, is_one, name_of
from .runtime.targets import only_once
from .sparsity import sparse_blocks
from .tangents import zeros_like
from .tangents.blocks import arranged, parts, unit, units
from .tangents.form import check_real

Mode = Literal["auto", "forward", "reverse"]

MAX_BYTES = 2 * 1024**3
"""How much memory a Jacobian may take unless more is allowed."""


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
    **kwargs: Any,
) -> tuple[Any, ...]: ...
def jacobian(
    f: Callable[..., Any],
    /,
    *args: Any,
    argnums: Argnums | None = None,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
    **kwargs: Any,
) -> Any:
    """The Jacobians of a function by each of its arguments: Jᵢ[k, l] = ∂yₖ/∂xₗ.

    Of an array by an array it is an array, of the shape of the result followed by that of the argument. Of structures
    (lists, tuples, dicts, records) it has the structure of the result, with that of the argument in place of each
    number or array there, and such an array in place of each of these. float32 by float32 stays float32; integers count
    as real numbers.

    Parameters
    ----------
    f : the function; its results and the arguments asked for consist of real numbers and arrays.
    args, kwargs : its arguments; those given by keyword are constants.
    argnums : the argument (its position or name), or several of them; all of them if nothing is said.
    mode : "forward" takes one tangent for each number of the arguments, "reverse" one cotangent for each number of the
        result; "auto" takes what is less (a program that stores is always taken in reverse). What only computes may run
        once for each tangent; anything else, what draws or prints, at most twice by "auto" and once by the others.
    max_bytes : how much memory the Jacobians may take.
    sparsity : "auto", or a pattern where entries may be: a matrix with a row for each number of the result and a
        column for each number of the argument (of SciPy's sparse ones or an array), or what `find_sparsity` gave.
        Then columns that share no row are taken together, or rows that share no column, and the Jacobian is a
        `scipy.sparse.csr_array` with such rows and columns. It is compared with a derivative along a random direction.
    compile : run it as compiled loops, 32 directions at a time, as `grad` does with `compile`; what cannot be compiled
        runs as it does without, with one `CompileFallbackWarning`, or raises if this is "strict".

    Returns
    -------
    A tuple with a Jacobian for each argument; that of one argument if `argnums` names just that.

    Raises
    ------
    NotDifferentiableError
        If the result or an argument asked for is not made of real numbers, or there is no such argument or mode.
    TooLargeError
        If more memory would be needed than `max_bytes`.
    SparsityError
        If there are entries where the pattern has none, or it has another shape.
    CompileError
        With `compile="strict"`, if it cannot be compiled.

    Source
    ------
    Griewank and Walther, Evaluating Derivatives, 2nd ed., sections 3.1, 3.2 (modes) and chapter 8 (sparsity).

    Examples
    --------
    >>> import numpy as np
    >>> jacobian(lambda x: x * x, np.array([1.0, 2.0]))[0]
    array([[2., 0.],
           [0., 4.]])
    >>> jacobian(lambda p: {"sum": p["a"] + p["b"]}, {"a": 1.0, "b": np.ones(2)}, argnums=0)
    {'sum': {'a': array([1., 1.]), 'b': array([[1., 0.],
           [0., 1.]])}}
    """
    check_callable(f)
    _check_mode(mode)
    places = places_of(f, argnums, args, kwargs)
    single = is_one(argnums)
    compiled = attempted(False, (f, args, places, mode, kwargs, compile), max_bytes, sparsity) if compile else None
    if sparsity is not None:
        sparse: Any = compiled or sparse_blocks(LinearMap(f, args, places, mode, kwargs), sparsity)
        return sparse[0] if single else sparse
    of_y, of_xs, blocks = compiled or blocks_of(f, args, places, mode, max_bytes, kwargs)[1:]
    found, first = [], 0
    for of_x in of_xs:
        n = first + len(parts(of_x))
        found.append(arranged(of_y, [arranged(of_x, row[first:n])[0] for row in blocks])[0])
        first = n
    return found[0] if single else tuple(found)


def hessian(
    f: Callable[..., Any],
    /,
    *args: Any,
    argnums: Argnums | None = None,
    mode: Mode = "auto",
    max_bytes: float = MAX_BYTES,
    sparsity: Any = None,
    compile: Compile = False,
    **kwargs: Any,
) -> Any:
    """The second derivatives of a real scalar function: H[k, l] = ∂²f/∂xₖ∂xₗ.

    By an array it is an array of its shape, twice; by a structure it has that structure, with the structure again in
    place of each number or array. Of several arguments it is a tuple of tuples, one Hᵢⱼ for each pair.

    Parameters
    ----------
    f : a function with a real scalar result, or an array of one number.
    args, kwargs : its arguments; those given by keyword are constants.
    argnums : the argument, or several of them; all of them if nothing is said.
    mode : "reverse" takes the reverse of the gradient once for each number of the arguments (it is symmetric, so that
        rows are as good as columns), "forward" its tangent; "auto" is what is quicker.
    max_bytes : how much memory it may take.
    sparsity : as for `jacobian`, of the gradient; for one argument.
    compile : as for `jacobian`.

    Returns
    -------
    H, if there is one argument or `argnums` names one; else a tuple of tuples.

    Raises
    ------
    NotScalarError
        If the result is not a real scalar.
    NotDifferentiableError, TooLargeError, SparsityError
        As `jacobian` does.

    Source
    ------
    Griewank and Walther, Evaluating Derivatives, 2nd ed., chapter 5 (second-order adjoints).

    Examples
    --------
    >>> import numpy as np
    >>> hessian(lambda x: x[0] ** 2 * x[1], np.array([3.0, 2.0]))
    array([[4., 6.],
           [6., 0.]])
    >>> hessian(lambda x, y: x * x * y, 3.0, 2.0)[0][1]
    array(6.)
    """
    check_callable(f)
    _check_mode(mode)
    places = places_of(f, argnums, args, kwargs)
    slopes = grad(f, places)
    alone = is_one(argnums) or argnums is None and len(args) == 1
    compiled = attempted(True, (f, args, places, mode, kwargs, compile), max_bytes, sparsity) if compile else None
    if sparsity is not None:
        sparse: Any = compiled or sparse_blocks(LinearMap(slopes, args, places, mode, kwargs), sparsity)
        return sparse[0] if alone else sparse
    ways: Mode = "reverse" if mode == "auto" else mode
    of_ys, of_xs, blocks = compiled or blocks_of(slopes, args, places, ways, max_bytes, kwargs)[1:]
    found, i = [], 0
    for of_y in of_ys:
        row, first, n = [], 0, i + len(parts(of_y))
        for of_x in of_xs:
            last = first + len(parts(of_x))
            row.append(arranged(of_y, [arranged(of_x, items[first:last])[0] for items in blocks[i:n]])[0])
            first = last
        found.append(tuple(row))
        i = n
    return found[0][0] if alone else tuple(found)


def blocks_of(
    f: Any, args: tuple[Any, ...], places: tuple[int, ...], mode: Mode, max_bytes: float, kwargs: dict[str, Any]
) -> Any:
    """The value of `f`, zero tangents of it and of the arguments at these places, and one array of derivatives for each
    part of the one and each part of the others."""
    name, of_xs = name_of(f), zeros_of(f, args, places)
    again = mode == "forward" and may_run_again(f, args, kwargs)
    if mode == "forward" and not again:
        y, push = linearize(f, *args, **kwargs)
        return y, *columns_of(push, y, of_xs, len(args), places, max_bytes, name)
    y, back, given = begin(needed(len(args) + len(kwargs), places), f, args, kwargs)
    if mode == "forward" or mode == "auto" and count(zeros_like(y)) > count(of_xs):
        push = repeated(f, args, kwargs, y) if again else _pushing(f, args, kwargs, y)
        if push is not None:
            return y, *columns_of(push, y, of_xs, len(args), places, max_bytes, name)
    return y, *rows_of(back, y, given, places, max_bytes, name)


def _pushing(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], y: Any) -> Any:
    """ẋ ↦ J ẋ of a call that has given `y`; None of one that is recorded."""
    if may_run_again(f, args, kwargs):
        return repeated(f, args, kwargs, y)
    return linearize(f, *args, **kwargs)[1] if is_structured_call(f, args, kwargs) else None


def blocks_of_map(map_: LinearMap, max_bytes: float) -> tuple[Any, Any, list[list[Any]]]:
    """Zero tangents and blocks, as `blocks_of` gives them, of a map whose matrix comes whole."""
    matrix = map_.matrix(max_bytes)
    shapes_y, shapes_x = [[np.shape(part) for part in parts(of)] for of in (map_.of_y, map_.of_xs)]
    rows, columns = [np.cumsum([int(np.prod(s)) for s in shapes])[:-1] for shapes in (shapes_y, shapes_x)]
    blocks = [
        [block.reshape(a + b) for block, b in zip(np.split(band, columns, 1), shapes_x, strict=True)]
        for band, a in zip(np.split(matrix, rows), shapes_y, strict=True)
    ]
    return map_.of_y, map_.of_xs, blocks


def columns_of(
    push: Any, y: Any, of_xs: Any, n: int, places: tuple[int, ...], max_bytes: float, name: str
) -> tuple[Any, Any, list[list[Any]]]:
    """The blocks by columns, one tangent each; `n` is the number of arguments."""
    of_y = zeros_like(y)
    check_real("the result", y, of_y, name)
    check_size(of_y, of_xs, max_bytes, name)
    shapes, dtypes = [np.shape(part) for part in parts(of_y)], [dtype_of(part) for part in parts(of_y)]
    blocks: list[list[Any]] = [[] for _ in shapes]
    for b, like in enumerate(parts(of_xs)):
        columns = stacked_columns(push, of_y, of_xs, b, n, places)
        of_like, joined = np.shape(like), {dtype: np.result_type(dtype, dtype_of(like)) for dtype in {*dtypes}}
        for a, shape in enumerate(shapes):
            column = columns[a].transpose(*range(1, 1 + len(shape)), 0) if shape else columns[a]
            blocks[a].append(_block(column, shape + of_like, joined[dtypes[a]]))
    return of_y, of_xs, blocks


def rows_of(
    back: Any, y: Any, given: tuple[Any, ...], places: tuple[int, ...], max_bytes: float, name: str
) -> tuple[Any, Any, list[list[Any]]]:
    """The blocks by rows, one run of the pullback each; `given` are the function and its arguments."""
    of_y, xs = zeros_like(y), tuple([given[1 + i] for i in places])
    of_xs = zeros_like(xs)
    check_real("the result", y, of_y, name)
    check_size(of_y, of_xs, max_bytes, name)
    shapes, dtypes = [np.shape(part) for part in parts(of_xs)], [dtype_of(part) for part in parts(of_xs)]
    blocks: list[list[Any]] = []
    for a, like in enumerate(parts(of_y)):
        rows = stacked_rows(back, of_y, a, xs, places)
        blocks.append(
            [
                _block(rows[b], np.shape(like) + shape, np.result_type(dtypes[b], dtype_of(like)))
                for b, shape in enumerate(shapes)
            ]
        )
    return of_y, of_xs, blocks


def _block(items: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """Stacked rows or columns as a block of that shape."""
    block = items.reshape(shape)
    return block if block.dtype == dtype else block.astype(dtype)


@only_once
def attempted(second: bool, given: tuple[Any, ...], max_bytes: float, sparsity: Any) -> Any:
    """The blocks, or the sparse matrices, by compiled programs; None where there are none."""
    from .compiled_maps import CompiledMap, NotCompiledError, ProductMap

    try:
        map_ = ProductMap(*given) if second else CompiledMap(*given)
        found: Any = blocks_of_map(map_, max_bytes) if sparsity is None else sparse_blocks(map_, sparsity)
        map_.settle()
        return found
    except NotCompiledError:
        return None


def _check_mode(mode: str) -> None:
    if mode not in ("auto", "forward", "reverse"):
        raise NotDifferentiableError(
            f"`mode` is {mode!r}",
            "derivatives are taken by columns or by rows",
            'say "forward", "reverse" or "auto"',
            calling_place(),
        )


non_differentiable(_check_mode, unit, units)

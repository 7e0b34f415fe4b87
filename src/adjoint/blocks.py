"""The derivative of a call in one array for each part of its result and each part of its arguments: by columns, by
rows, or by compiled programs."""

from __future__ import annotations

import functools
from typing import Any, Literal

import numpy as np

from .derivatives import begin
from .derivatives.choice import is_structured_call, may_run_again
from .derivatives.lanes import stacked_columns, stacked_rows
from .derivatives.slots import check_size, count, dtype_of, needed, zeros_of
from .errors import OptionError, calling_place
from .forward import linearize, repeated
from .maps import Array, LinearMap, unit_rows
from .rules.registry import non_differentiable
from .runtime.argnums import name_of
from .runtime.targets import only_once
from .sparse import sparse_blocks
from .tangents import zeros_like
from .tangents.blocks import parts, unit, units
from .tangents.form import check_pair, check_real

Mode = Literal["auto", "forward", "reverse"]


def blocks_of(
    f: Any,
    args: tuple[Any, ...],
    places: tuple[int, ...],
    mode: Mode,
    max_bytes: float,
    kwargs: dict[str, Any],
    has_aux: bool = False,
) -> Any:
    """The value of `f`, zero tangents of it and of the arguments at these places, and one array of derivatives for each
    part of the one and each part of the others. With `has_aux` they are those of the first of the pair that `f` gives.
    """
    name, of_xs = name_of(f), zeros_of(f, args, places)
    again = mode == "forward" and may_run_again(f, args, kwargs)
    if mode == "forward" and not again:
        y, push = linearize(f, *args, **kwargs)
        first, push = _first_pushed(y, push, name) if has_aux else (y, push)
        return y, *columns_of(push, first, of_xs, len(args), places, max_bytes, name)
    y, back, given = begin(needed(len(args) + len(kwargs), places), f, args, kwargs)
    first, back = _first_pulled(y, back, name) if has_aux else (y, back)
    if mode == "forward" or mode == "auto" and count(zeros_like(first)) > count(of_xs):
        push = repeated(f, args, kwargs, y) if again else _pushing(f, args, kwargs, y)
        if push is not None:
            push = _first_pushed(y, push, name)[1] if has_aux else push
            return y, *columns_of(push, first, of_xs, len(args), places, max_bytes, name)
    return y, *rows_of(back, first, given, places, max_bytes, name)


def _first_pushed(y: Any, push: Any, name: str) -> tuple[Any, Any]:
    """The first of a pair, and its tangent alone by what gives that of the pair."""
    check_pair(y, name)
    return y[0], lambda *dots: push(*dots)[0]


def _first_pulled(y: Any, back: Any, name: str) -> tuple[Any, Any]:
    """The first of a pair, and its pullback by that of the pair: nothing flows to the other."""
    check_pair(y, name)
    return y[0], lambda y_bar: back((y_bar, None))


def refuse_aux(f: Any, sparsity: Any, compile: Any) -> None:
    """Say that a pair has no sparse Jacobian, and no compiled one."""
    if sparsity is not None:
        raise OptionError(
            "`has_aux` is asked for with `sparsity`",
            "a sparse Jacobian is that of the whole result",
            "leave one of them off",
            calling_place(),
        )
    if compile:
        from .compiled.fallbacks import refuse
        from .compiled.values import CannotCompile

        refuse(f, CannotCompile("a Jacobian beside another result (`has_aux`)"), compile)


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
def attempted(second: bool, given: tuple[Any, ...], max_bytes: float, sparsity: Any, with_value: bool = False) -> Any:
    """The result of `blocks_of`, or the value and the sparse matrices, by compiled programs; None where there are none.

    The value is None unless it is asked for.
    """
    from .compiled_maps import CompiledMap, NotCompiledError, ProductMap

    try:
        map_ = ProductMap(*given) if second else CompiledMap(*given)
        y = map_.value if with_value else None
        found: Any = (
            (y, *blocks_of_map(map_, max_bytes)) if sparsity is None else sparse_blocks(map_, sparsity, with_value)
        )
        map_.settle()
        return found
    except NotCompiledError:
        return None


def _unit_rows_from(n: int, first: int, start: int, stop: int) -> Array:
    return unit_rows(n, first + start, first + stop)


@only_once
def compiled_diagonal(given: tuple[Any, ...]) -> Any:
    """The numbers on the diagonal of a Hessian in one row, and zero tangents of the arguments; None where there is no
    compiled program."""
    from .compiled_maps import LANES, NotCompiledError, ProductMap

    map_ = ProductMap(*given)
    n = map_.shape[1]
    found = [np.zeros(0)]
    try:
        for first in range(0, n, LANES):
            k = min(LANES, n - first)
            rows = map_.pushes(k, functools.partial(_unit_rows_from, n, first))
            found.append(np.diagonal(rows[:, first : first + k]))
        map_.settle()
    except NotCompiledError:
        return None
    return np.concatenate(found), map_.of_xs


non_differentiable(unit, units, refuse_aux)

"""Sparse Jacobians: where entries may be, which columns or rows share a run, and the entries from as few runs.

The pattern is that of the program which computes derivatives. At a point that is a linear map, ẋ ↦ J ẋ or ȳ ↦ Jᵀ ȳ,
and nan runs through whatever depends on what it was put into: through a product with a number that happens to be zero
there, not through the elements of an array that were not touched. So the pattern holds for all points at which the
program takes the same branches, and its functions the same choices: indexes, the mask of `where`, the order of `sort`.
Whatever the library differentiates is seen through: slices, loops, stores, the user's functions and rules. One run for
each column would be needed; but columns that lie together are probed together, and split where something moves, so that
the number of runs grows with the logarithm of that of the columns (and with the number of colours).

It is larger than the true one where a library's function mixes what it is given: a product with a matrix whose zeros
are stored, a Fourier transform, a linear solve. Where it says that nothing can be shared, random numbers take the place
of nan: the pattern is then that of the entries which are not zero at this point.

A missed entry would be a silently wrong Jacobian. Each Jacobian is therefore compared with one more derivative, along a
random direction.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .coloring import colors_of, colors_of_blocks
from .derivatives.choice import DEBUGGER
from .derivatives.slots import places_of
from .errors import MissingLibraryError, SparsityError, calling_place, check_callable
from .maps import Array, LinearMap
from .options import NONE, options_of, refuse_foreign, refuse_nothing
from .rules.registry import not_implemented
from .runtime.argnums import Argnums
from .tangents.vectors import dimension

Apply = Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class Sparsity:
    """The pattern of a Jacobian: where it may have entries, and which columns or rows share none.

    Attributes
    ----------
    shape : the number of rows (numbers of the result) and of columns (numbers of the arguments).
    rows, columns : the places of the entries, row by row.
    structural : whether it has the entries that happen to be zero at the point it was found at. It then holds wherever
        the program takes the same branches and its functions the same choices (indexes, the mask of `where`, the order
        of `sort`) as at that point; else only there.

    Examples
    --------
    >>> pattern = find_sparsity(lambda x: x[1:] - x[:-1], np.arange(4.0))
    >>> pattern
    Sparsity(3 × 4, 6 entries, 2 groups of columns, 2 of rows)
    >>> pattern.rows, pattern.columns
    (array([0, 0, 1, 1, 2, 2]), array([0, 1, 1, 2, 2, 3]))
    """

    shape: tuple[int, int]
    rows: Array
    columns: Array
    structural: bool = True

    @functools.cached_property
    def colors_of_columns(self) -> Array:
        """A number for each column; those with the same share no row."""
        return colors_of(self.columns, self.rows, self.shape[1], self.shape[0])

    @functools.cached_property
    def colors_of_rows(self) -> Array:
        """A number for each row; those with the same share no column."""
        return colors_of(self.rows, self.columns, self.shape[0], self.shape[1])

    @property
    def groups(self) -> tuple[int, int]:
        """The number of runs that give all entries: forward, a colour of columns each; in reverse, a colour of rows."""
        columns, rows = self.colors_of_columns, self.colors_of_rows
        return int(columns.max(initial=-1)) + 1, int(rows.max(initial=-1)) + 1

    @property
    def matrix(self) -> Any:
        """The pattern as a `scipy.sparse.csr_array` of True."""
        return _csr(np.ones(len(self.rows), bool), self.rows, self.columns, self.shape)

    def __repr__(self) -> str:
        (m, n), (columns, rows) = self.shape, self.groups
        entries = f"{len(self.rows)} entr{'y' if len(self.rows) == 1 else 'ies'}"
        return f"Sparsity({m} × {n}, {entries}, {columns} groups of columns, {rows} of rows)"


def find_sparsity(f: Callable[..., Any], /, *args: Any, argnums: Argnums | None = NONE, **kwargs: Any) -> Sparsity:
    """Find where the Jacobian of `f` has entries, for arguments of these shapes.

    The numbers of the result are its rows, those of the arguments (in turn) its columns. To be given to
    `jacobian(..., sparsity=)` as often as the function is differentiated: columns are then grouped only once.

    Parameters
    ----------
    f : the function; its results and the arguments asked for consist of real numbers and arrays.
    args, kwargs : its arguments; those given by keyword are constants.
    argnums : the argument, or several of them; all of them if nothing is said.

    Returns
    -------
    A `Sparsity`. It has all entries that are not zero at this point. If it is `structural`, it also has those that are
    not zero where the program takes the same branches and its functions the same choices (the mask of `where`, the
    order of `sort`). Elsewhere there may be more; `jacobian` finds that out.

    Raises
    ------
    NotDifferentiableError
        If the result or an argument asked for is not made of real numbers.
    OptionError
        If `argnums` may be a keyword of `f`, or no argument is given by position.

    References
    ----------
    Curtis, Powell and Reid, "On the estimation of sparse Jacobian matrices", 1974.
    Coleman and Moré, "Estimation of sparse Jacobian matrices and graph coloring problems", 1983.
    On probing by blocks: Griewank and Mitev, "Detecting Jacobian sparsity patterns by Bayesian probing", 2002.

    Examples
    --------
    >>> find_sparsity(lambda x: x[2:] - 2 * x[1:-1] + x[:-2], np.ones(100))
    Sparsity(98 × 100, 294 entries, 3 groups of columns, 3 of rows)
    """
    check_callable(f)
    (asked,) = options_of("find_sparsity", f, argnums=argnums)
    if kwargs:
        refuse_foreign("find_sparsity", f, kwargs)
    if not args:
        refuse_nothing("find_sparsity", f, kwargs)
    return _searched(LinearMap(f, args, places_of(f, asked, args, kwargs), "auto", kwargs))[0]


def sparse_blocks(map_: LinearMap, sparsity: Any, with_value: bool = False) -> tuple[Any, tuple[Any, ...]]:
    """The value, if it is asked for, and one `scipy.sparse.csr_array` for each argument: its Jacobian, by groups of
    columns or rows."""
    y, whole = map_.value if with_value else None, sparse_matrix(map_, sparsity)[0]
    if len(map_.places) == 1:
        return y, (whole,)
    ends = np.cumsum([dimension(zeros) for zeros in map_.of_xs])
    return y, tuple([whole[:, end - dimension(zeros) : end] for end, zeros in zip(ends, map_.of_xs, strict=True)])


def sparse_matrix(map_: LinearMap, sparsity: Any) -> tuple[Any, Sparsity]:
    """The matrix of a linear map as a `scipy.sparse.csr_array`, and its pattern."""
    _sparse()
    if isinstance(sparsity, str) and sparsity == "auto":
        pattern, data = _searched(map_)
    else:
        pattern = _given(sparsity, map_)
        data, wrong = _entries(map_, pattern)
        if wrong is not None:
            raise SparsityError(
                f"the Jacobian of `{map_.name}` has entries in {wrong} where the pattern has none",
                "along a random direction it is not what the entries of the pattern make it",
                'find the pattern anew (`sparsity="auto"`, or `find_sparsity` at this point), or leave `sparsity` off',
                calling_place(),
            )
    return _csr(data, pattern.rows, pattern.columns, pattern.shape), pattern


# ---- the pattern


def _searched(map_: LinearMap) -> tuple[Sparsity, Array]:
    """The pattern at a point, and the entries; every place is one if they do not explain a random direction."""
    pattern = _found(map_)
    data, wrong = _entries(map_, pattern)
    if wrong is not None:
        pattern = _dense(map_)
        data, _ = _entries(map_, pattern)
    return pattern, data


def _found(map_: LinearMap) -> Sparsity:
    """The pattern at a point: by nan if that is of use, else by random numbers."""
    least: Sparsity | None = None
    ways = map_.ways
    for structural in (True, False) if DEBUGGER.get() is None else (False,):
        for forward in ways:
            found = _probed(map_, forward, structural)
            if found is None:
                continue
            if least is None or _runs(found, ways) < _runs(least, ways) / (1 if structural is least.structural else 2):
                least = found
            if _runs(least, ways) <= max(min(least.shape) // 2, 3):
                return least
    return least or _dense(map_)


def _runs(pattern: Sparsity, ways: list[bool]) -> int:
    columns, rows = pattern.groups
    return min([columns if forward else rows for forward in ways])


def _probed(map_: LinearMap, forward: bool, structural: bool) -> Sparsity | None:
    """The pattern by the runs of one direction; None if too few of them can be shared."""
    m, n = map_.shape
    inputs, outputs = (n, m) if forward else (m, n)
    apply = map_.push if forward else map_.pull
    rng = np.random.default_rng(0)

    def moved(at: Array) -> Array:
        vector = np.zeros(inputs)
        vector[at] = np.nan if structural else rng.standard_normal(len(at))
        with np.errstate(all="ignore"):
            return np.asarray(apply(vector) != 0)

    try:
        found = _touched(moved, inputs, outputs)
    except (ValueError, ArithmeticError):  # of functions that take no nan
        found = None
    if found is None:
        return None
    at = np.repeat(np.arange(inputs), [len(touched) for touched in found])
    to = np.concatenate([*found, np.zeros(0, np.intp)])
    rows, columns = (to, at) if forward else (at, to)
    return _sorted(m, n, rows, columns, structural)


def _touched(moved: Apply, n: int, m: int) -> list[Array] | None:
    """The outputs, of `m`, that each of `n` inputs moves, found by blocks of inputs that are split in two.

    Blocks are probed together if what each may move has nothing in common. None if too few can be."""
    blocks = [(0, n, np.flatnonzero(moved(np.arange(n))))]
    while any([stop - start > 1 for start, stop, _ in blocks]):
        wide = [i for i, (start, stop, touched) in enumerate(blocks) if stop - start > 1 and len(touched)]
        colors = colors_of_blocks([blocks[i][2] for i in wide], m)
        if colors is None:
            return None
        halves: dict[tuple[int, int], list[int]] = {}
        for i, color in zip(wide, colors, strict=True):
            halves.setdefault((color, 0), []).append(i)
            halves.setdefault((color, 1), []).append(i)
        split: dict[int, list[tuple[int, int, Array]]] = {}
        for (_, side), together in halves.items():
            ranges = [_half(*blocks[i][:2], side) for i in together]
            hit = moved(np.concatenate([np.arange(start, stop) for start, stop in ranges]))
            for i, (start, stop) in zip(together, ranges, strict=True):
                touched = blocks[i][2]
                split.setdefault(i, []).append((start, stop, touched[hit[touched]]))
        blocks = [
            part
            for i, (start, stop, touched) in enumerate(blocks)
            for part in split.get(i) or _singles(start, stop, touched)
        ]
    return [touched for _, _, touched in blocks]


def _half(start: int, stop: int, side: int) -> tuple[int, int]:
    middle = (start + stop) // 2
    return (start, middle) if side == 0 else (middle, stop)


def _singles(start: int, stop: int, touched: Array) -> list[tuple[int, int, Array]]:
    """A block that needs no splitting: of one input, or of inputs that move nothing."""
    return [(i, i + 1, touched) for i in range(start, stop)]


def _given(sparsity: Any, map_: LinearMap) -> Any:
    """A pattern of the user's."""
    if not isinstance(sparsity, Sparsity):
        sparse = _sparse()
        if (
            isinstance(sparsity, tuple)
            and len(sparsity) == len(map_.places)
            and all([np.ndim(p) != 1 for p in sparsity])
        ):
            sparsity = sparse.hstack([sparse.csr_array(p) for p in sparsity])
        if isinstance(sparsity, str) or not sparse.issparse(sparsity) and np.ndim(sparsity) != 2:
            raise SparsityError(
                f"the pattern given for the Jacobian of `{map_.name}` is {sparsity!r}",
                "a pattern has a row for each number of the result and a column for each number of the argument",
                'give "auto", a matrix, or what `find_sparsity` gives; for several arguments a tuple of matrices',
                calling_place(),
            )
        entries = sparse.coo_array(sparsity)
        (m, n), (rows, columns) = entries.shape, entries.coords
        sparsity = _sorted(m, n, rows, columns, True)
    if sparsity.shape != map_.shape:
        raise SparsityError(
            f"the pattern has the shape {sparsity.shape}, and the Jacobian of `{map_.name}` is {map_.shape}",
            "it has a row for each number of the result and a column for each number of the arguments",
            "give one of that shape",
            calling_place(),
        )
    return sparsity


def _dense(map_: LinearMap) -> Sparsity:
    m, n = map_.shape
    return Sparsity((m, n), np.repeat(np.arange(m), n), np.tile(np.arange(n), m))


def _sorted(m: int, n: int, rows: Array, columns: Array, structural: bool) -> Sparsity:
    """The pattern with these entries, row by row and each once."""
    at = np.unique(rows.astype(np.int64) * n + columns)
    return Sparsity((int(m), int(n)), at // max(n, 1), at % max(n, 1), structural)


# ---- entries


def _entries(map_: LinearMap, pattern: Sparsity) -> tuple[Array, str | None]:
    """The entries of the Jacobian in this pattern, and the row or column in which there are others."""
    ways = map_.ways
    columns, rows = pattern.groups
    forward = ways[0] if len(ways) == 1 or columns == rows else columns < rows
    colors = pattern.colors_of_columns if forward else pattern.colors_of_rows
    at, to = (pattern.columns, pattern.rows) if forward else (pattern.rows, pattern.columns)
    apply, all_of = (map_.push, map_.pushes) if forward else (map_.pull, map_.pulls)
    found = all_of(columns if forward else rows, lambda *some: (colors == np.arange(*some)[:, None]).astype(np.float64))
    data = found[colors[at], to] if len(found) else np.zeros(0)
    wrong = _unexplained(apply, all_of, data, at, to, np.finfo(map_.dtype).eps, len(colors))
    return data.astype(map_.dtype, copy=False), None if wrong is None else f"{'row' if forward else 'column'} {wrong}"


def _unexplained(apply: Apply, all_of: Any, data: Array, at: Array, to: Array, eps: float, n: int) -> int | None:
    """The first output that moves otherwise than the entries say, along a random direction.

    Each output is held to its own rounding: to that of its terms, and, where what computes it cancels, to what the same
    direction gives in other units. What still differs is asked for by the inputs at which it has no entry.
    """
    v = np.random.default_rng(1).standard_normal(n)
    expected = apply(v)
    with np.errstate(all="ignore"):
        terms = data * v[at]
        found = np.bincount(to, terms, minlength=len(expected))
        scale = np.bincount(to, np.abs(terms), minlength=len(expected))
        apart, allowed = np.abs(found - expected), min(1e4 * eps, eps**0.5) * (scale + np.abs(expected))
        # Where the derivative is not finite, nothing can be compared.
        doubted = np.isfinite(expected) & np.isfinite(allowed) & ~(apart <= allowed)
        if doubted.any():
            again = [units * apply(v / units) for units in (3.0, 5.0, 7.0)]
            doubted &= ~(apart <= 1e3 * np.max(np.abs(again - expected), axis=0))
    outputs = np.flatnonzero(doubted)

    def elsewhere(start: int, stop: int) -> Array:
        rows = np.tile(v, (stop - start, 1))
        for row, output in zip(rows, outputs[start:stop], strict=True):
            row[at[to == output]] = 0.0
        return rows

    moved = all_of(len(outputs), elsewhere)[np.arange(len(outputs)), outputs]
    wrong = outputs[np.abs(moved) > 0.0]
    return int(wrong[0]) if len(wrong) else None


def _csr(data: Array, rows: Array, columns: Array, shape: tuple[int, int]) -> Any:
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=shape[0]))])
    return _sparse().csr_array((data, columns, starts), shape=shape)


def _sparse() -> Any:
    """`scipy.sparse`."""
    try:
        return importlib.import_module("scipy.sparse")
    except ImportError:
        raise MissingLibraryError(
            "a sparse Jacobian is an array of SciPy's, which is not installed",
            "`scipy.sparse` has the arrays that keep no zeros",
            'install it: pip install "scipy>=1.15", or leave `sparsity` off',
            calling_place(),
        ) from None


not_implemented(
    sparse_blocks,
    find_sparsity,
    why="a sparse Jacobian is made of single entries, outside of what is differentiated",
    way_out="leave `sparsity` off where the Jacobian itself is differentiated",
)

__all__ = ["Sparsity", "find_sparsity"]

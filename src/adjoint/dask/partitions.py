"""Partitions of data: blocks of Dask's collections, or rows of NumPy's arrays."""

from __future__ import annotations

import inspect
import math
import uuid
from collections.abc import Sequence
from typing import Any

import numpy as np

from adjoint.errors import NotDifferentiableError, OptionError, ShapeError, calling_place
from adjoint.installed import needed
from adjoint.runtime.argnums import name_of
from adjoint.wrappers import signature_of

CHUNK = 8 << 20
"""The bytes of a chunk of arrays in memory or in a file, where the number of its rows is not given."""


class Partitions:
    """The arguments of a call: the whole ones, and at the places of the data a block for each partition.

    `alone` says to a user how one partition is taken out of the data `x`; `token` is in the names of this call's tasks.
    """

    def __init__(
        self, args: Sequence[Any], places: Sequence[int], blocks: Sequence[tuple[Any, ...]], far: bool, alone: str
    ) -> None:
        self.args = [None if i in places else x for i, x in enumerate(args)]
        self.places, self.blocks, self.is_far = tuple(places), blocks, far
        self.data = [args[i] for i in places] if far else []
        self.alone, self.token = alone, uuid.uuid4().hex

    def __len__(self) -> int:
        return len(self.blocks)


def is_collection(x: Any) -> bool:
    """Tell whether `x` is one of Dask's collections, or one `Delayed`."""
    return hasattr(type(x), "__dask_graph__") and not is_of_xarray(x)


def is_of_xarray(x: Any) -> bool:
    """True if `x` is a labelled array, or several, which are like collections whatever they hold."""
    return any([base.__module__.partition(".")[0] == "xarray" for base in type(x).__mro__])


def is_delayed(x: Any) -> bool:
    """Tell whether `x` is one `Delayed` or one future of Dask's."""
    kind = type(x)
    return (
        is_collection(x) and not hasattr(kind, "to_delayed") or kind.__module__ == "distributed.client" and has_key(x)
    )


def has_key(x: Any) -> bool:
    """Tell whether `x` has the name of a task: a future has."""
    return hasattr(x, "key") and hasattr(x, "status")


def is_list_of_delayed(x: Any) -> bool:
    """Tell whether `x` is a list of partitions."""
    return isinstance(x, list | tuple) and len(x) > 0 and all([is_delayed(item) for item in x])


def is_far(x: Any) -> bool:
    """Tell whether `x` is data of Dask's."""
    return is_collection(x) and hasattr(type(x), "to_delayed") or is_list_of_delayed(x)


def partitions_of(args: Sequence[Any], wanted: Sequence[int], rows: int | None) -> Partitions:
    """The partitions of the data among arguments; those at the places `wanted` are none.

    Raises
    ------
    NotDifferentiableError
        If an argument that is differentiated is data of Dask's.
    OptionError
        If there are no data, or arrays beside data of Dask's.
    ShapeError
        If data have several chunks along another axis than the first, or not the same partitions.
    """
    for place in wanted:
        if place < len(args) and is_far(args[place]):
            raise NotDifferentiableError(
                f"argument {place} ({type(args[place]).__name__}) is of Dask's, and is differentiated",
                "a gradient is added up over the partitions, and so is by what all of them share",
                "name the parameters by `argnums=`, and give them as arrays, numbers or models",
                calling_place(),
            )
    for i, x in enumerate(args):
        if i not in wanted and not is_far(x) and not isinstance(x, np.ndarray):
            check_no_data(x, f"argument {i}")
    for i, x in enumerate(args):
        if isinstance(x, np.ndarray) and x.dtype == object and is_list_of_delayed(x.ravel().tolist()):
            raise OptionError(
                f"argument {i} is an array of `Delayed`, as `to_delayed` gives it",
                "data are collections of Dask's, or lists of `Delayed`",
                "give the collection itself, or `list(blocks.ravel())`",
                calling_place(),
            )
    places = [i for i, x in enumerate(args) if i not in wanted and is_far(x)]
    arrays = [i for i, x in enumerate(args) if i not in wanted and isinstance(x, np.ndarray) and x.ndim]
    if places and arrays:
        raise OptionError(
            f"argument {arrays[0]} is an array of NumPy's beside data of Dask's",
            "it may be data, which are to be cut into partitions, or a constant that each partition needs",
            "make it data by `dask.array.from_array(x, chunks=...)`, or bind a constant into the loss "
            "(`functools.partial`)",
            calling_place(),
        )
    if places:
        columns = [blocks_of(args[i], i) for i in places]
        listed = any([isinstance(args[i], (list, tuple)) for i in places])
        check_equal([len(column) for column in columns], places, "partitions", LISTED if listed else ALIKE)
        check_rows([args[i] for i in places], places)
        alone = (
            "x[{index}].compute()" if isinstance(args[places[0]], (list, tuple)) else "x.partitions[{index}].compute()"
        )
        return Partitions(args, places, list(zip(*columns, strict=True)), True, alone)
    if arrays:
        return chunks_of(args, arrays, rows)
    raise OptionError(
        "there are no data",
        "no argument but those that are differentiated is an array, a collection of Dask's or a list of `Delayed`",
        "give the data after the parameters: `g(params, x, y)`; parts of data as a list of `Delayed`, "
        "`[dask.delayed(x) for x in parts]`"
        + (", which stands in no other list: `[a, b]` for `[[a, b]]`" if any(map(is_nested, args)) else ""),
        calling_place(),
    )


def is_nested(x: Any) -> bool:
    """True if lists of partitions stand in a list."""
    return isinstance(x, list | tuple) and any(map(is_list_of_delayed, x))


def check_call(f: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
    """Raise `TypeError`, as a call does, for arguments that the function of each partition does not take.

    One without a signature of its own says so itself: what is written in C, compiled by Numba, dispatched by types.
    """
    try:
        inspect.signature(f, follow_wrapped=False)
    except (TypeError, ValueError):
        return
    try:
        signature_of(f).bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{name_of(f)}() {error}") from None


def check_no_data(x: Any, name: str) -> None:
    """Raise `OptionError` for what may be data, and would be given to each partition as a whole."""
    if is_delayed(x) or isinstance(x, (list, tuple)) and any(map(is_delayed, x)) and not is_far(x):
        raise OptionError(
            f"{name} is "
            + (f"a {type(x).__name__}, some of it" if isinstance(x, (list, tuple)) else "one")
            + " `Delayed`",
            "data are a list of `Delayed`, one for each partition; a constant would be computed for each of them",
            "write `[x]` for one partition, and `dask.delayed(x)` for those that are not; compute a constant first, "
            "`x.compute()`, and bind it into the loss (`functools.partial`)",
            calling_place(),
        )
    if is_of_xarray(x):
        raise OptionError(
            f"{name} is a {type(x).__name__} of xarray's",
            "data are arrays of NumPy's and collections of Dask's, by position",
            "give the array within it, `x.data`, of each variable of a `Dataset` that the loss takes",
            calling_place(),
        )
    numbers = isinstance(x, (list, tuple)) and len(x) > 0 and all([isinstance(item, (int, float)) for item in x])
    if is_far(x) or numbers or hasattr(x, "__array__") and np.ndim(x):
        raise OptionError(
            f"{name} is a {type(x).__name__}, which each partition would be given as a whole",
            "data are arrays of NumPy's and collections of Dask's, by position",
            "give data by position, `.to_numpy()` or `np.asarray` of it; bind a constant into the loss "
            "(`functools.partial`)",
            calling_place(),
        )


def blocks_of(x: Any, place: int) -> list[Any]:
    """The blocks of data as a list of `Delayed`."""
    dask = needed("dask", "dask")
    if isinstance(x, list | tuple):
        return [item if is_collection(item) else dask.delayed(item) for item in x]
    chunks = getattr(x, "chunks", None)
    if chunks is not None and (not chunks or any([len(sizes) > 1 for sizes in chunks[1:]])):
        others = ", ".join([f"{axis}: -1" for axis in range(1, len(chunks))])
        raise ShapeError(
            f"argument {place} is cut into chunks along another axis than the first"
            if chunks
            else f"argument {place} is an array of Dask's without an axis",
            "a partition is some rows, and all of each",
            f'write `x.rechunk({{0: "auto", {others}}})`' if chunks else "give `.compute()` of it",
            calling_place(),
        )
    return list(np.ravel(np.asarray(x.to_delayed(), dtype=object)))


ALIKE = "cut them alike: `y.rechunk({0: x.chunks[0]})`, or `.repartition` of a dataframe"
LISTED = "give lists of one length, with the blocks of a partition at the same place"


def check_equal(numbers: Sequence[int], places: Sequence[int], of: str, way_out: str = ALIKE) -> None:
    """Raise `ShapeError` unless the data have equal numbers of something."""
    for number, place in zip(numbers, places, strict=True):
        if number != numbers[0]:
            raise ShapeError(
                f"argument {places[0]} has {numbers[0]} {of}, and argument {place} has {number}",
                "a loss gets the blocks of the same index together",
                way_out,
                calling_place(),
            )


def check_rows(data: Sequence[Any], places: Sequence[int]) -> None:
    """Raise `ShapeError` where two arrays of Dask's have partitions of other sizes, as far as these are known."""
    known = [(x.chunks[0], place) for x, place in zip(data, places, strict=True) if hasattr(x, "chunks")]
    for sizes, place in known[1:]:
        for i, (a, b) in enumerate(zip(known[0][0], sizes, strict=True)):
            if not (math.isnan(a) or math.isnan(b)):
                check_equal([a, b], [known[0][1], place], f"rows in partition {i}")


def chunks_of(args: Sequence[Any], places: Sequence[int], rows: int | None) -> Partitions:
    """The partitions of arrays: some rows each, as many as the bytes of a chunk allow, whatever runs them."""
    data = [args[i] for i in places]
    check_equal([len(x) for x in data], places, "rows", "give arrays with equal numbers of rows, one for each example")
    n = len(data[0])
    if rows is None:
        rows = max(1, CHUNK // max(1, sum([x.nbytes // max(1, n) for x in data])))
    alone = f"x[{{index}} * {rows}:][:{rows}]"
    starts = range(0, max(n, 1), rows)
    return Partitions(args, places, [tuple([x[i : i + rows] for x in data]) for i in starts], False, alone)

"""Arrays of samples in batches, as often as they are run through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from adjoint.errors import OptionError, StructureError, calling_place
from adjoint.nn.arguments import check_flags, is_whole
from adjoint.nn.given import generator


class Minibatches:
    """The batches that `minibatches` gives: they can be run through again, and have a length."""

    def __init__(self, arrays: tuple[Any, ...], size: int, rng: np.random.Generator | None, drop_last: bool) -> None:
        self._arrays, self._size, self._rng = arrays, size, rng
        self._samples = len(arrays[0])
        self._batches = self._samples // size if drop_last else -(-self._samples // size)

    def __len__(self) -> int:
        return self._batches

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        order = None if self._rng is None else self._rng.permutation(self._samples)
        for start in range(0, self._batches * self._size, self._size):
            chosen: Any = slice(start, start + self._size)
            if order is not None:
                chosen = order[chosen]
            yield tuple([array[chosen] for array in self._arrays])

    def __repr__(self) -> str:
        return f"Minibatches({len(self)} of {self._size}, {self._samples} samples)"


def minibatches(
    *arrays: Any, size: int = 32, rng: np.random.Generator | int | None = None, drop_last: bool = False
) -> Minibatches:
    """The samples of arrays in batches of a size; the last one has what is left.

    Parameters
    ----------
    arrays : one or several, samples along the first axis: `minibatches(x, y)`.
    size : samples in a batch.
    rng : draws a new order each time they are run through (a generator, or a seed); without one they come as they are.
    drop_last : whether to leave out what is left for the last one, where that is less than a batch: `BatchNorm` trains
        on no batch of one sample. With `rng` others are left out each time.

    Returns
    -------
    An iterable of tuples, one array for each that was given. It can be run through as often as one likes; `len` says
    how many batches there are. In order they are views, so that nothing is copied.

    Raises
    ------
    StructureError
        If the arrays have different numbers of samples, or none; if a list is ragged, or one of them is a tuple of
        arrays or a dict; or if `drop_last` leaves nothing.
    OptionError
        If the size is no positive whole number, `drop_last` no flag, or `rng` no generator and no seed.

    Examples
    --------
    >>> x, y = np.arange(10.0).reshape(5, 2), np.arange(5)
    >>> [(a.shape, b.tolist()) for a, b in minibatches(x, y, size=2)]
    [((2, 2), [0, 1]), ((2, 2), [2, 3]), ((1, 2), [4])]
    >>> shuffled = minibatches(y, size=3, rng=np.random.default_rng(0))
    >>> [b.tolist() for b, in shuffled], [b.tolist() for b, in shuffled]
    ([[2, 4, 3], [0, 1]], [[4, 1, 2], [0, 3]])
    """
    if not is_whole(size) or size < 1:
        raise OptionError(
            f"size={size!r} is no size of a batch",
            "a batch has one sample or more",
            "give a whole number",
            calling_place(),
        )
    check_flags(drop_last=drop_last)
    given = tuple([as_samples(array) for array in arrays])
    lengths = [len(array) for array in given]
    if not lengths:
        raise _no_samples()
    if len(set(lengths)) > 1:
        raise StructureError(
            f"arrays of {', '.join(map(str, lengths))} samples do not belong together",
            "each sample has one entry in every array, along its first axis",
            "give arrays of the same length",
            calling_place(),
        )
    batches = Minibatches(given, int(size), None if rng is None else generator(rng), drop_last)
    if not len(batches):
        raise StructureError(
            f"{lengths[0]} samples make no batch of {size}",
            "what is less than a batch is left out, with `drop_last`",
            "give a smaller size, or leave `drop_last` out",
            calling_place(),
        )
    return batches


def as_samples(x: Any) -> np.ndarray:
    """An array of samples, along its first axis."""
    if isinstance(x, Mapping) or isinstance(x, tuple) and any([getattr(part, "ndim", 0) for part in x]):
        raise StructureError(
            f"a {type(x).__name__} of arrays is no array of samples",
            "each array is an argument by itself, with its samples along the first axis",
            "give them one after the other: `minibatches(*arrays)`, `minibatches(*arrays.values())`",
            calling_place(),
        )
    try:
        array = np.asarray(x)
    except ValueError:
        raise StructureError(
            "the samples of a list differ in shape",
            "batches are arrays, of samples that are all alike",
            "pad them to the same shape, or give `fit` a list of batches of your own",
            calling_place(),
        ) from None
    if not array.ndim or not len(array):
        raise _no_samples()
    return array


def _no_samples() -> StructureError:
    return StructureError(
        "there are no samples to make batches of",
        "samples lie along the first axis of each array",
        "give one array or several with samples, and the size by its name: `size=32`",
        calling_place(),
    )

"""Arrays of samples in batches, as often as they are run through."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from adjoint import OptionError, StructureError
from adjoint.errors import calling_place


class Minibatches:
    """What `minibatches` gives: it can be run through again, and has a length."""

    def __init__(self, arrays: tuple[Any, ...], size: int, rng: np.random.Generator | None) -> None:
        self._arrays, self._size, self._rng = arrays, size, rng
        self._samples = len(arrays[0])

    def __len__(self) -> int:
        return -(-self._samples // self._size)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        order = None if self._rng is None else self._rng.permutation(self._samples)
        for start in range(0, self._samples, self._size):
            chosen: Any = slice(start, start + self._size)
            if order is not None:
                chosen = order[chosen]
            yield tuple([array[chosen] for array in self._arrays])

    def __repr__(self) -> str:
        return f"Minibatches({len(self)} of {self._size}, {self._samples} samples)"


def minibatches(*arrays: Any, size: int = 32, rng: np.random.Generator | int | None = None) -> Minibatches:
    """The samples of arrays in batches of a size; the last one has what is left.

    Parameters
    ----------
    arrays : one or several, samples along the first axis: `minibatches(x, y)`.
    size : samples in a batch.
    rng : draws a new order each time they are run through (a generator, or a seed); without one they come as they are.

    Returns
    -------
    An iterable of tuples, one array for each that was given. It can be run through as often as one likes; `len` says
    how many batches there are. In order they are views, so that nothing is copied.

    Raises
    ------
    StructureError
        If the arrays have different numbers of samples, or none.
    OptionError
        If the size is no positive whole number.

    Examples
    --------
    >>> x, y = np.arange(10.0).reshape(5, 2), np.arange(5)
    >>> [(a.shape, b.tolist()) for a, b in minibatches(x, y, size=2)]
    [((2, 2), [0, 1]), ((2, 2), [2, 3]), ((1, 2), [4])]
    >>> shuffled = minibatches(y, size=3, rng=np.random.default_rng(0))
    >>> [b.tolist() for b, in shuffled], [b.tolist() for b, in shuffled]
    ([[2, 4, 3], [0, 1]], [[4, 1, 2], [0, 3]])
    """
    if not isinstance(size, (int, np.integer)) or size < 1:
        raise OptionError(
            f"size={size!r} is no size of a batch",
            "a batch has one sample or more",
            "give a whole number",
            calling_place(),
        )
    given = tuple([np.asarray(array) for array in arrays])
    lengths = [len(array) if array.ndim else None for array in given]
    if not lengths or None in lengths or 0 in lengths:
        raise StructureError(
            "there are no samples to make batches of",
            "samples lie along the first axis of each array",
            "give one array or several with samples",
            calling_place(),
        )
    if len(set(lengths)) > 1:
        raise StructureError(
            f"arrays of {', '.join(map(str, lengths))} samples do not belong together",
            "each sample has one entry in every array, along its first axis",
            "give arrays of the same length",
            calling_place(),
        )
    return Minibatches(given, int(size), None if rng is None else np.random.default_rng(rng))

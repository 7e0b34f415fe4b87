"""Functions that flip, shift or repeat entries."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import operator

import numpy as np

from .lifting import array_rule
from .linear import axes_of, cast, scatter

# Flipped and shifted


def undone_back(a, undo):
    """The back of a function whose effect on a cotangent `undo` takes back."""
    kind = a.dtype

    def back(y_bar):
        return (cast(undo(y_bar), kind),)

    return back


@array_rule(np.flip, linear="m")
def flip_rule(m: np.ndarray, axis=None):
    """The entries in reverse order."""
    return np.flip(m, axis), undone_back(m, lambda d: np.flip(d, axis))


@array_rule(np.flipud, linear="m")
def flipud_rule(m: np.ndarray):
    """The rows in reverse order."""
    return np.flipud(m), undone_back(m, lambda d: np.flip(d, 0))


@array_rule(np.fliplr, linear="m")
def fliplr_rule(m: np.ndarray):
    """The columns in reverse order."""
    return np.fliplr(m), undone_back(m, lambda d: np.flip(d, 1))


@array_rule(np.rot90, linear="m")
def rot90_rule(m: np.ndarray, k=1, axes=(0, 1)):
    """m turned by 90 degrees, k times."""
    return np.rot90(m, k, axes), undone_back(m, lambda d: np.rot90(d, -k, axes))


def _turned(shift):
    return -(shift if isinstance(shift, np.ndarray) else operator.index(shift))


@array_rule(np.roll, linear="a")
def roll_rule(a: np.ndarray, shift, axis=None):
    """The entries shifted around."""
    back_shift = tuple(map(_turned, shift)) if isinstance(shift, tuple | list) else _turned(shift)
    kind = a.dtype

    def roll_back(y_bar):
        return cast(np.roll(y_bar, back_shift, axis), kind), None

    return np.roll(a, shift, axis), roll_back


# Repeated


@array_rule(np.repeat, np.ndarray.repeat, np.generic.repeat, linear="a")
def repeat_rule(a: np.ndarray, repeats, axis=None):
    """Each entry several times, so āᵢ = Σ ȳ over its copies."""
    shape, kind = a.shape, a.dtype
    along = 0 if axis is None else axes_of(axis, a.ndim)[0]
    n = a.size if axis is None else shape[along]

    def repeat_back(y_bar):
        flat = (n,) if axis is None else shape
        if np.ndim(repeats) == 0:
            a_bar = np.sum(np.reshape(y_bar, (*flat[:along], n, int(repeats), *flat[along + 1 :])), axis=along + 1)
        else:
            a_bar = scatter(y_bar, (slice(None),) * along + (np.repeat(np.arange(n), repeats),), flat, kind)
        return cast(np.reshape(a_bar, shape), kind), None

    return np.repeat(a, repeats, axis), repeat_back


@array_rule(np.tile, linear="A")
def tile_rule(A: np.ndarray, reps):  # noqa: N803
    """The whole array several times along each axis, so Ā = Σ ȳ over its copies."""
    shape, kind = A.shape, A.dtype
    counts = tuple(reps) if np.ndim(reps) else (reps,)
    ndim = max(len(shape), len(counts))
    counts = (1,) * (ndim - len(counts)) + counts
    widened = (1,) * (ndim - len(shape)) + shape

    def tile_back(y_bar):
        pairs = tuple(k for pair in zip(counts, widened, strict=True) for k in pair)
        a_bar = np.sum(np.reshape(y_bar, pairs), axis=tuple(range(0, 2 * ndim, 2)))
        return cast(np.reshape(a_bar, shape), kind), None

    return np.tile(A, reps), tile_back


@array_rule(np.resize, linear="a")
def resize_rule(a: np.ndarray, new_shape):
    """The entries in order, as often as they are needed."""
    y = np.resize(a, new_shape)
    shape, kind, size = a.shape, a.dtype, a.size

    def resize_back(y_bar):
        if size == 0:
            return np.zeros(shape, kind), None
        positions = np.resize(np.arange(size), new_shape)
        return np.reshape(scatter(y_bar, positions, (size,), kind), shape), None

    return y, resize_back

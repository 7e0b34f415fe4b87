"""Functions that flip, shift, repeat, pad or cut out entries."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ...tangents import unbroadcast
from .lifting import array_rule, refuse, refuse_out
from .linear import axes_of, cast, scatter, scatter_diagonal

# Flipped and shifted


def _undone_back(a, undo):
    kind = a.dtype

    def undone_back(y_bar):
        return (cast(undo(y_bar), kind),)

    return undone_back


@array_rule(np.flip, returns="array alike")
def flip_rule(m: np.ndarray, axis=None):
    """The entries in reverse order."""
    return np.flip(m, axis), _undone_back(m, lambda d: np.flip(d, axis))


@array_rule(np.flipud, returns="array alike")
def flipud_rule(m: np.ndarray):
    """The rows in reverse order."""
    return np.flipud(m), _undone_back(m, lambda d: np.flip(d, 0))


@array_rule(np.fliplr, returns="array alike")
def fliplr_rule(m: np.ndarray):
    """The columns in reverse order."""
    return np.fliplr(m), _undone_back(m, lambda d: np.flip(d, 1))


@array_rule(np.rot90, returns="array")
def rot90_rule(m: np.ndarray, k=1, axes=(0, 1)):
    """m turned by 90 degrees, k times."""
    return np.rot90(m, k, axes), _undone_back(m, lambda d: np.rot90(d, -k, axes))


@array_rule(np.roll, returns="array alike")
def roll_rule(a: np.ndarray, shift, axis=None):
    """The entries shifted around."""
    back_shift = tuple(-s for s in shift) if isinstance(shift, tuple | list) else -shift
    kind = a.dtype

    def roll_back(y_bar):
        return cast(np.roll(y_bar, back_shift, axis), kind), None

    return np.roll(a, shift, axis), roll_back


# Repeated


@array_rule(np.repeat, np.ndarray.repeat, np.generic.repeat, returns="array")
def repeat_rule(a: np.ndarray, repeats, axis=None):
    """Each entry several times, so āᵢ = Σ ȳ over its copies."""
    shape, kind = a.shape, a.dtype
    along = 0 if axis is None else axes_of(axis, a.ndim)[0]
    n = a.size if axis is None else shape[along]

    def repeat_back(y_bar):
        flat = (n,) if axis is None else shape
        if np.ndim(repeats) == 0:
            a_bar = np.sum(np.reshape(y_bar, (*flat[:along], n, repeats, *flat[along + 1 :])), axis=along + 1)
        else:
            a_bar = scatter(y_bar, (slice(None),) * along + (np.repeat(np.arange(n), repeats),), flat, kind)
        return cast(np.reshape(a_bar, shape), kind), None

    return np.repeat(a, repeats, axis), repeat_back


@array_rule(np.tile, returns="array")
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


@array_rule(np.resize, returns="array")
def resize_rule(a: np.ndarray, new_shape):
    """The entries in order, as often as they are needed."""
    y = np.resize(a, new_shape)
    shape, kind, size = a.shape, a.dtype, a.size

    def resize_back(y_bar):
        positions = np.resize(np.arange(size), new_shape)
        return np.reshape(scatter(y_bar, positions, (size,), kind), shape), None

    return y, resize_back


@array_rule(np.pad, returns="array")
def pad_rule(array: np.ndarray, pad_width, mode="constant", **kwargs):
    """a with a margin: of constants, or of copies (edge, reflect, symmetric, wrap), whose ȳ goes to what they copy."""
    y = np.pad(array, pad_width, mode, **kwargs)
    shape, kind = array.shape, array.dtype
    if mode == "constant":
        widths = _widths(pad_width, array.ndim)
        inner = tuple(slice(before, before + n) for (before, _), n in zip(widths, shape, strict=True))

        def pad_back(y_bar):
            return cast(y_bar[inner], kind), None

        return y, pad_back
    if mode not in ("edge", "reflect", "symmetric", "wrap") or kwargs.get("reflect_type", "even") != "even":
        refuse(f"np.pad(mode={mode!r})", "its margin is computed, not copied", "use another mode, or np.concatenate")
    size = array.size

    def copied_pad_back(y_bar):
        source = np.pad(np.reshape(np.arange(size), shape), pad_width, mode)
        return np.reshape(scatter(y_bar, source, (size,), kind), shape), None

    return y, copied_pad_back


def _widths(pad_width, ndim):
    """The margins before and after, for each axis."""
    if isinstance(pad_width, dict):
        sides = {axis % ndim: (w, w) if isinstance(w, int) else w for axis, w in pad_width.items()}
        return [sides.get(axis, (0, 0)) for axis in range(ndim)]
    return [(int(a), int(b)) for a, b in np.broadcast_to(np.asarray(pad_width), (ndim, 2))]


# Diagonals and triangles


@array_rule(np.diag, returns="array")
def diag_rule(v: np.ndarray, k=0):
    """The diagonal of a matrix, or the matrix of a diagonal: each is the adjoint of the other."""
    shape, kind = v.shape, v.dtype

    def diag_back(y_bar):
        if len(shape) == 1:
            return (cast(np.diagonal(y_bar, k), kind),)
        return (cast(scatter_diagonal(y_bar, shape, k, 0, 1), kind),)

    return np.diag(v, k), diag_back


@array_rule(np.diagflat, returns="array")
def diagflat_rule(v: np.ndarray, k=0):
    """The matrix that has the entries of v on a diagonal."""
    shape = v.shape
    return np.diagflat(v, k), _undone_back(v, lambda d: np.reshape(np.diagonal(d, k), shape))


@array_rule(np.diagonal, np.ndarray.diagonal, returns="array")
def diagonal_rule(a: np.ndarray, offset=0, axis1=0, axis2=1):
    """Diagonals of two of the axes, along a last one."""
    shape = a.shape
    y = np.diagonal(a, offset, axis1, axis2)
    return y, _undone_back(a, lambda d: scatter_diagonal(d, shape, offset, axis1, axis2))


@array_rule(np.linalg.diagonal, returns="array")
def linalg_diagonal_rule(x: np.ndarray, /, *, offset=0):
    """Diagonals of the last two axes."""
    return diagonal_rule(x, offset, -2, -1)


@array_rule(np.trace, np.ndarray.trace, returns="array")
def trace_rule(a: np.ndarray, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """y = Σ aᵢᵢ, so ā = ȳ I."""
    refuse_out(out)
    shape, kind = a.shape, a.dtype
    n = np.diagonal(a, offset, axis1, axis2).shape

    def trace_back(y_bar):
        d = np.broadcast_to(np.expand_dims(y_bar, -1), n)
        return (cast(scatter_diagonal(d, shape, offset, axis1, axis2), kind),)

    return np.trace(a, offset, axis1, axis2, dtype), trace_back


@array_rule(np.linalg.trace, returns="array")
def linalg_trace_rule(x: np.ndarray, /, *, offset=0, dtype=None):
    """The trace over the last two axes."""
    return trace_rule(x, offset, -2, -1, dtype)


@array_rule(np.tril, returns="array triangle")
def tril_rule(m: np.ndarray, k=0):
    """m with zeros above a diagonal."""
    return np.tril(m, k), _triangle_back(m, lambda d: np.tril(d, k))


@array_rule(np.triu, returns="array triangle")
def triu_rule(m: np.ndarray, k=0):
    """m with zeros below a diagonal."""
    return np.triu(m, k), _triangle_back(m, lambda d: np.triu(d, k))


def _triangle_back(m, cut):
    # One vector counts as every row of the matrix.
    like = m

    def triangle_back(y_bar):
        return (unbroadcast(cut(y_bar), like),)

    return triangle_back

"""Views of `np.lib.stride_tricks`, in which an entry of an array may come more than once."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from ..registry import non_differentiable, rule
from .lifting import array_rule, refuse
from .linear import scatter


@array_rule(sliding_window_view, linear="x")
def sliding_window_view_rule(x: np.ndarray, window_shape, axis=None, *, subok=False, writeable=False):
    """y = all windows of some shape, so that x̄ has the sum of ȳ over the windows in which an entry is."""
    shape, kind, size = x.shape, x.dtype, x.size

    def sliding_window_view_back(y_bar):
        source = sliding_window_view(np.reshape(np.arange(size), shape), window_shape, axis)
        return np.reshape(scatter(y_bar, source, (size,), kind), shape), None

    return sliding_window_view(x, window_shape, axis, writeable=writeable), sliding_window_view_back


@rule(as_strided)
def as_strided_rule(x: np.ndarray, shape=None, strides=None, subok=False, writeable=True):
    """y = the entries of x at other steps through its memory; each has the sum of ȳ over where it comes."""
    y = as_strided(x, shape, strides, writeable=writeable)
    of, kind, size = x.shape, x.dtype, x.size
    source, inside = _entries(x, y)
    if not inside:
        refuse("as_strided", "it reads memory that is not of the array it is given", "give it the whole array")

    def as_strided_back(y_bar):
        return np.reshape(scatter(y_bar, source, (size,), kind), of), None

    return y, as_strided_back


def _entries(x, y):
    """The entry of `x` that each entry of a view `y` is, both starting at the same place; and whether there is one for
    all."""
    own, found = _offsets(x).ravel(), _offsets(y)
    order = np.argsort(own, kind="stable")
    if own.size == 0:
        return found, found.size == 0
    source = order[np.clip(np.searchsorted(own, found, sorter=order), 0, own.size - 1)]
    return source, bool(np.all(own[source] == found))


def _offsets(a):
    """The offset of each entry from the first, in bytes."""
    total = np.zeros(a.shape, np.intp)
    for axis, (n, step) in enumerate(zip(a.shape, a.strides, strict=True)):
        total = total + np.reshape(np.arange(n) * step, tuple(-1 if i == axis else 1 for i in range(a.ndim)))
    return total


non_differentiable(_entries)

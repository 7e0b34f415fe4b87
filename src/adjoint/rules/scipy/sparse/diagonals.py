"""Matrices that are made of diagonals: DIA, where no other format is asked for."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.sparse as sp

from ...numpy.lifting import refuse
from ...numpy.linear import bring_back, scatter
from ...registry import non_differentiable, rule
from .patterns import check_same, data_bar_of, is_by_data


def _of_diagonals(f):
    def of_diagonals_rule(diagonals, *args, **options):
        y = f(diagonals, *args, **options)
        if not is_by_data(y):
            why = "its entries are not one array in a fixed order, as those of COO, CSR, CSC and DIA are"
            refuse(f"scipy.sparse.{f.__name__}(format={y.format!r})", why, "pass format='csr'")
        at, sizes = numbered_diagonals(f, diagonals, y, args, options)

        def of_diagonals_back(y_bar):
            stored = np.flatnonzero(at >= 0)
            d = scatter(np.ravel(data_bar_of(y_bar, y))[stored], np.ravel(at)[stored], (sum(sizes),), y.data.dtype)
            if len(sizes) == 1 and np.ndim(diagonals[0]) == 0:
                return (bring_back(d, diagonals),)
            ends = np.cumsum(sizes)
            parts = zip(ends, sizes, diagonals, strict=True)
            bars = [bring_back(np.reshape(d[e - n : e], np.shape(x)), x) for e, n, x in parts]
            return (np.stack(bars) if isinstance(diagonals, np.ndarray) else bars,)

        return y, of_diagonals_back

    of_diagonals_rule.__name__ = f"{f.__name__}_rule"
    of_diagonals_rule.__doc__ = "Each entry is one of a diagonal."
    return of_diagonals_rule


def numbered_diagonals(f, diagonals, y, args, options):
    """The place of each entry among all numbers in the diagonals, and how many each diagonal has."""
    if np.ndim(diagonals[0]) == 0:
        sizes, numbers = [len(diagonals)], [*np.arange(1.0, 1 + len(diagonals))]
    else:
        sizes = [np.size(x) for x in diagonals]
        ends = np.cumsum(sizes)
        parts = zip(ends, sizes, diagonals, strict=True)
        numbers = [np.reshape(np.arange(e - n + 1.0, e + 1.0), np.shape(x)) for e, n, x in parts]
    result = f(numbers, *args, **options)
    check_same(result, y, f.__name__)
    return result.data.astype(np.intp) - 1, sizes


non_differentiable(numbered_diagonals)

for _f in (sp.diags, getattr(sp, "diags_array", sp.diags)):
    rule(_f)(_of_diagonals(_f))


@rule(sp.spdiags)
def spdiags_rule(data, diags, m=None, n=None, format=None):  # noqa: A002
    """Each entry is one of the rows of data."""
    y = sp.spdiags(data, diags, m, n, format)
    at = numbered_rows(data, diags, m, n, format, y)

    def spdiags_back(y_bar):
        stored = np.flatnonzero(at >= 0)
        d = np.ravel(data_bar_of(y_bar, y))[stored]
        flat = scatter(d, np.ravel(at)[stored], (np.size(data),), y.data.dtype)
        return bring_back(np.reshape(flat, np.shape(data)), data), None, None, None, None

    return y, spdiags_back


def numbered_rows(data, diags, m, n, format, y):  # noqa: A002
    """The place of each entry in the data, -1 for none."""
    if not is_by_data(y):
        why = "its entries are not one array in a fixed order, as those of COO, CSR, CSC and DIA are"
        refuse(f"scipy.sparse.spdiags(format={y.format!r})", why, "pass format='csr'")
    numbers = np.reshape(np.arange(1.0, 1 + np.size(data)), np.shape(data))
    result = sp.spdiags(numbers, diags, m, n, format)
    check_same(result, y, "spdiags")
    return result.data.astype(np.intp) - 1


non_differentiable(numbered_rows)

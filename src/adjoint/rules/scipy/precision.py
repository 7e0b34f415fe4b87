"""Numbers in double precision, as SciPy's compiled code takes them."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls

import numpy as np


def in_doubles(x):
    """An array in double precision; its cotangent is in that of `x`.

    >>> in_doubles([1, 2])
    array([1., 2.])
    """
    values = np.asarray(x)
    return values.astype(np.complex128 if np.iscomplexobj(values) else np.float64)

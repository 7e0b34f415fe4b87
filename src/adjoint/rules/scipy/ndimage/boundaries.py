"""Images beyond their edges, and dtypes of results."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, index, operator, import-untyped"

import numpy as np

from ...numpy.lifting import refuse_out
from ..margins import surrounded

PADDING = {
    "reflect": "symmetric",
    "grid-mirror": "symmetric",
    "mirror": "reflect",
    "nearest": "edge",
    "wrap": "wrap",
    "grid-wrap": "wrap",
    "constant": "constant",
    "grid-constant": "constant",
}


def extended(x, pads, mode, cval):
    """The image with margins. An axis of one entry has nothing to be mirrored in."""
    kind = PADDING[mode]
    return surrounded(x, pads, cval) if kind == "constant" else np.pad(x, pads, kind)


def each(value, n):
    """One value for each of n axes.

    >>> each("wrap", 2), each([1, 2], 2)
    (['wrap', 'wrap'], [1, 2])
    """
    return [value] * n if isinstance(value, str) or np.ndim(value) == 0 else list(value)


def numbers(x):
    """The image as an array that can be differentiated."""
    values = np.asarray(x)
    return values if values.dtype.kind in "fc" else values * 1.0


def stored(result, x, output):
    """The result in the dtype that it is stored in: that of the image, unless another one is asked for."""
    if output is None:
        dtype = np.asarray(x).dtype
    else:
        refuse_out(output if isinstance(output, np.ndarray) else None)
        dtype = np.dtype(output)
    return result.astype(np.result_type(dtype, np.complex64) if np.iscomplexobj(result) else dtype)

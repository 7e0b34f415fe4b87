"""`Bounds`: a record of the lower and the upper ones."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
from scipy.optimize import Bounds

from ...fields import assembled
from ...numpy.lifting import composed


@composed(Bounds)
def bounds(lb=-np.inf, ub=np.inf, keep_feasible=False):
    """Both as arrays of one shape."""
    low, high, _ = np.broadcast_arrays(np.atleast_1d(lb), np.atleast_1d(ub), np.atleast_1d(keep_feasible))
    return assembled(Bounds, ("lb", "ub"), low, high)

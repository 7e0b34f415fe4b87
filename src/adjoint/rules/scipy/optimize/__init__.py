"""Rules for `scipy.optimize`: by the implicit function theorem at the solution, not through the iterations.

By what the function captures and by `args`. A start, a bracket and the derivatives that a solver is given decide only
how it gets there.
"""

from .. import results  # noqa: F401
from . import bounds, constraints, fits, minima, minimisers, programs, refused, roots  # noqa: F401

"""The versions of SciPy that the rules are for: loaded when the program has imported it."""

from __future__ import annotations

import warnings

import scipy

OLDEST = (1, 15)
"""The rules are held against this version and newer ones; older ones compute some functions otherwise."""

if tuple(map(int, scipy.__version__.split(".")[:2])) < OLDEST:
    warnings.warn(
        f"the rules for SciPy are tested with 1.{OLDEST[1]} and newer; in {scipy.__version__} some functions compute "
        "something else, and their derivatives may be wrong: `pip install 'scipy>=1.15'`",
        stacklevel=2,
    )

"""Samples for the modules `math` and `cmath`."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np
from rules.sampling import Sample, sample

REAL: dict[str, list[float]] = {
    "exp": [0.7, -2.0], "expm1": [0.7], "exp2": [0.7], "log": [0.7], "log1p": [0.7], "log2": [0.7], "log10": [0.7],
    "sqrt": [0.7], "cbrt": [0.7, -2.0], "sin": [0.7], "cos": [0.7], "tan": [0.7], "asin": [0.7, -0.9],
    "acos": [0.7, -0.9], "atan": [0.7], "sinh": [0.7], "cosh": [0.7], "tanh": [0.7], "asinh": [0.7, -3.0],
    "acosh": [1.7], "atanh": [0.7, -0.3], "degrees": [0.7], "radians": [0.7], "erf": [0.7, -1.2], "erfc": [0.7, -1.2],
    "gamma": [0.7, 4.5, -1.3], "lgamma": [0.7, 4.5, -1.3, 30.0], "fabs": [0.7, -0.7],
}  # fmt: skip
PAIRS: dict[str, list[tuple[float, float]]] = {
    "log": [(0.7, 3.0)], "pow": [(0.7, 2.5), (2.0, -1.0)], "hypot": [(0.7, -2.0)],
    "atan2": [(0.7, -2.0), (-0.7, 0.5)], "copysign": [(0.7, -2.0), (-0.7, -2.0)], "fmod": [(5.3, 2.0), (-5.3, 2.0)],
    "remainder": [(5.3, 2.0), (-5.3, 2.0)],
}  # fmt: skip
COMPLEX = ["exp", "log", "log10", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan"]
COMPLEX += ["sinh", "cosh", "tanh", "asinh", "acosh", "atanh"]


def of_numbers(f: Any, *x: float) -> list[Sample]:
    """Of numbers of Python and of NumPy, and of arrays without axes."""
    return [
        sample(f, *x),
        sample(f, *map(np.float64, x)).but(order=1),
        sample(f, *map(np.float32, x)).but(order=1),
        sample(f, np.array(x[0]), *x[1:]).but(order=1, single=False),
    ]


SAMPLES = [
    *[s for name, xs in REAL.items() for x in xs for s in of_numbers(getattr(math, name), x)],
    *[s for name, pairs in PAIRS.items() for pair in pairs for s in of_numbers(getattr(math, name), *pair)],
    *[sample(getattr(cmath, name), z) for name in COMPLEX for z in (0.7 + 0.3j, -0.4 - 1.2j, np.complex128(1.5 + 2j))],
    *[sample(getattr(cmath, name), 0.7) for name in ("exp", "log", "sqrt", "sin", "tanh")],
    sample(math.hypot, 0.7, -2.0, 1.5, 3),
    sample(math.dist, [0.7, 1.0], (2.0, -1.0)),
    sample(math.dist, np.array([0.7, 1.0]), (2.0, -1.0)).but(single=False),
    sample(math.fsum, [0.7, 1.0, np.float32(2.0)]).but(order=1),
    sample(math.fsum, (0.7, 1.0)),
    sample(math.prod, [0.7, 2.0, -1.5]),
    sample(math.prod, (0.7, 2.0), start=3.0),
    sample(math.prod, [np.array([1.0, 2.0]), 3.0]),
    sample(math.prod, [1 + 2j, 3.0, 2 - 1j]),
    sample(math.prod, []).but(order=1),
    sample(math.ldexp, 0.7, 3),
    sample(math.frexp, 5.3).but(order=1),
    sample(math.modf, 2.7),
    sample(math.modf, -2.7),
    sample(math.nextafter, 0.7, 1.0).but(order=1),
    sample(cmath.sqrt, -2.0),
    sample(cmath.log, -2.0 + 0.5j, 3.0),
    sample(cmath.phase, 1.0 - 2j),
    sample(cmath.polar, 1.0 - 2j),
    sample(cmath.rect, 1.5, 0.7),
]
if hasattr(math, "sumprod"):
    SAMPLES += [sample(math.sumprod, [0.7, 1.0], (2.0, -1.0))]
if hasattr(math, "fma"):
    SAMPLES += [sample(math.fma, 0.7, 2.0, -1.0)]

"""`np.char` and `np.strings`, and what writes a number: texts carry no derivative."""

import warnings

import numpy as np

from ..registry import find_rules, non_differentiable

for _module in (np.char, np.strings):
    for _name in _module.__all__:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what is deprecated
            _f = getattr(_module, _name)
        if callable(_f) and find_rules(_f) is None:
            non_differentiable(_f)

for _name in ("dragon4_positional", "dragon4_scientific"):  # to be seen in NumPy 2.0
    if hasattr(np.polynomial.polyutils, _name):
        non_differentiable(getattr(np.polynomial.polyutils, _name))

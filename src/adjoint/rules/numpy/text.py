"""`np.char` and `np.strings`: texts carry no derivative."""

import numpy as np

from ..registry import find_rules, non_differentiable

for _module in (np.char, np.strings):
    for _name in _module.__all__:
        if find_rules(getattr(_module, _name)) is None:
            non_differentiable(getattr(_module, _name))

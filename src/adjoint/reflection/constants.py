"""Constants of programs that are built or changed by hand."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from ..ir.nodes import Const
from ..origin import module_of


def constant(x: Any) -> Const:
    """A constant; of a function of `math` or NumPy, spelled as programs spell it.

    >>> import operator
    >>> constant(math.cos), constant(np.linalg.solve), constant(operator.mul), constant(2.0)
    (math.cos, np.linalg.solve, mul, 2.0)
    """
    name = getattr(x, "__name__", None)
    if not isinstance(name, str):
        return Const(x)
    if vars(math).get(name) is x:
        return Const(x, f"math.{name}")
    if vars(np).get(name) is x:
        return Const(x, f"np.{name}")
    module = module_of(x)
    if module.startswith("numpy.") and "._" not in module and vars(sys.modules.get(module, np)).get(name) is x:
        return Const(x, f"np.{module.partition('.')[2]}.{name}")
    return Const(x)

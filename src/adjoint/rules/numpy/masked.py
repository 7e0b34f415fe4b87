"""`np.ma`: masked arrays are refused as a whole."""

import numpy as np

from ..registry import find_rules, not_implemented

WHY = "what a mask hides must not flow, and no rule looks at masks"
WAY_OUT = "use `np.where`, or the `where=` of reductions, or index with the mask"

for _name, _f in vars(np.ma).items():
    if callable(_f) and not _name.startswith("_") and find_rules(_f) is None:
        not_implemented(_f, why=WHY, way_out=WAY_OUT)
        if type(_f).__module__.startswith("numpy.ma") and find_rules(type(_f).__call__) is None:
            not_implemented(type(_f).__call__, why=WHY, way_out=WAY_OUT)

for _name, _f in vars(np.ma.MaskedArray).items():
    if callable(_f) and not _name.startswith("_") and find_rules(_f) is None:
        not_implemented(_f, why=WHY, way_out=WAY_OUT)

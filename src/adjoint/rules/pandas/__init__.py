"""Series and frames of pandas that hold numbers: loaded when a program has imported pandas.

What is not among these rules is refused where a derivative would have to go through it; of data it runs as it is.
"""

from . import functions, kinds, operators, reductions, selections

__all__ = ["functions", "kinds", "operators", "reductions", "selections"]

"""Rules for `scipy.sparse`: COO, CSR, CSC and, in part, DIA, arrays and matrices, by their data."""

import scipy.sparse

from ..effects import declare
from . import diagonals, products, refused, structure  # noqa: F401

declare(scipy.sparse, shows="*", but="load_npz rand random random_array save_npz")

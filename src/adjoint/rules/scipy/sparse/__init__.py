"""Rules for `scipy.sparse`: COO, CSR, CSC and, in part, DIA, arrays and matrices, by their data."""

from . import diagonals, products, refused, structure  # noqa: F401

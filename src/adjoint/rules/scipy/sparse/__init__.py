"""Rules for `scipy.sparse`: COO, CSR and CSC, arrays and matrices, by their data."""

from . import products, refused, structure  # noqa: F401

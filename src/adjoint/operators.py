"""Derivatives at a point as linear operators on vectors, as SciPy takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .derivatives import begin
from .errors import CotangentError, MissingLibraryError, calling_place
from .tangents.blocks import parts
from .tangents.form import check_real
from .tangents.vectors import dimension, ravel, unravel

Array = np.ndarray[Any, Any]


class Operator:
    """A linear map of what has some structure, which is a matrix as well: its numbers in a row are a vector.

    `scipy.sparse.linalg.aslinearoperator` takes it, and `linear_operator()` calls that. The numbers of several
    arguments follow one another; those of arrays are in C order, those of a dict or a record in that of its items.
    Products have its `dtype`; those with complex vectors are complex, of the same precision.
    """

    __slots__ = ("_transposed",)

    def _zeros(self) -> tuple[Any, Any]:
        """Zeros of what the map gives, and the tuple of those of what it takes."""
        raise NotImplementedError

    def __call__(self, *args: Any) -> Any:
        """The value of the map."""
        raise NotImplementedError

    @property
    def shape(self) -> tuple[int, int]:
        """The number of numbers that the map gives, and of those that it takes."""
        of_y, of_xs = self._zeros()
        return dimension(of_y), dimension(of_xs)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the numbers of the matrix."""
        items = [part for of in self._zeros() for part in parts(of)]
        return np.result_type(*[np.asarray(part).dtype for part in items]) if items else np.dtype(np.float64)

    def matvec(self, v: Any) -> Array:
        """The product with a vector of shape (n,) or (n, 1)."""
        of_y, of_xs = self._real()
        row = _row(v, dimension(of_xs), "matvec")
        return _like(v, self._of_parts(lambda part: ravel(self(*unravel(part, of_xs)), of_y), row))

    def rmatvec(self, u: Any) -> Array:
        """The product of the transpose with a vector of shape (m,) or (m, 1)."""
        of_y, of_xs = self._real()
        row, back = _row(u, dimension(of_y), "rmatvec"), self._transpose()
        return _like(u, self._of_parts(lambda part: ravel(tuple(back(unravel(part, of_y))[1:]), of_xs), row))

    def linear_operator(self) -> Any:
        """The same as a `scipy.sparse.linalg.LinearOperator`.

        Raises
        ------
        MissingLibraryError
            Without SciPy.
        """
        try:
            from scipy.sparse.linalg import aslinearoperator
        except ImportError:
            raise MissingLibraryError(
                "`linear_operator` needs SciPy",
                "the operator is one of its classes",
                "install it: `pip install scipy`; `matvec` and `rmatvec` work without",
                calling_place(),
            ) from None
        return aslinearoperator(self)

    def _real(self) -> tuple[Any, Any]:
        """The zeros of both sides, which must be real."""
        of_y, of_xs = self._zeros()
        check_real("what the map gives", of_y, of_y, repr(self))
        check_real("what the map takes", of_xs, of_xs, repr(self))
        return of_y, of_xs

    def _of_parts(self, product: Callable[[Array], Array], given: Array) -> Array:
        """A product in the precision of the map; of complex numbers that of their real parts, and of the others."""
        dtype = self.dtype
        if given.dtype.kind != "c":
            return product(given).astype(dtype, copy=False)
        real, imaginary = product(given.real), product(given.imag)
        found = np.empty(real.shape, np.result_type(dtype, np.complex64))
        found.real, found.imag = real, imaginary
        return found

    def _transpose(self) -> Any:
        """The pullback of the map, which is the transpose at any point."""
        if getattr(self, "_transposed", None) is None:
            self._transposed = begin(None, self.__call__, self._zeros()[1], {})[1]
        return self._transposed


def _row(v: Any, n: int, product: str) -> Array:
    """A vector of `n` numbers, of one axis."""
    row = _numbers(v)
    if row.shape not in ((n,), (n, 1)):
        raise CotangentError(
            f"`{product}` is given an array of shape {row.shape}",
            f"the product is with a vector of {n} numbers",
            f"pass one of shape ({n},); a tangent of the structure of the arguments goes to the map itself",
            calling_place(),
        )
    return row.reshape(n)


def _numbers(given: Any) -> Array:
    """Numbers in the precision in which products are taken."""
    found = np.asarray(given)
    return found.astype(np.complex128 if found.dtype.kind == "c" else np.float64, copy=False)


def _like(given: Any, row: Array) -> Array:
    """A product as a column, if a column was given."""
    return row[:, None] if np.ndim(given) == 2 else row


def rows_of_columns(columns: Any, n: int) -> Array:
    """The columns of a matrix of shape (n, k) as rows."""
    matrix = _numbers(columns)
    if matrix.ndim != 2 or len(matrix) != n:
        raise CotangentError(
            f"`matmat` is given an array of shape {matrix.shape}",
            f"the product is with the columns of a matrix of {n} rows",
            f"pass one of shape ({n}, k)",
            calling_place(),
        )
    return np.ascontiguousarray(matrix.T)

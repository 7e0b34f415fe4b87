"""The real vector space that a value lies in: autograd's `vspace`, over numbers, arrays, tuples, lists and dicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...errors import NotDifferentiableError, calling_place
from ...rules.registry import non_differentiable
from ...tangents.form import describe
from ...tangents.tuples import tuple_like


class VSpace:
    """The space of values with the structure, the shapes and the dtypes of one; `vspace(x)` gives it.

    Its methods take and give values of the space. Of complex numbers the real and the imaginary parts are coordinates,
    and ⟨x, y⟩ is Re Σ conj(x) y.

    Parameters
    ----------
    value : a number or an array, or any nesting of tuples, lists and dicts of these.

    Examples
    --------
    >>> space = VSpace((1.0, np.ones(2)))
    >>> space.size, space.ones()
    (3, (array(1.), array([1., 1.])))
    >>> space.inner_prod((2.0, np.zeros(2)), space.ones())
    np.float64(2.0)
    """

    def __init__(self, value: Any) -> None:
        self.form = _form(value)

    @property
    def shape(self) -> Any:
        """The shape of an array; the spaces of its items for a container."""
        return self.form.shape if isinstance(self.form, _Array) else each(of_form, self.form)

    @property
    def ndim(self) -> int:
        """The number of axes of the array."""
        return len(self.shape)

    @property
    def dtype(self) -> Any:
        """The dtype of the array."""
        return self.form.dtype

    @property
    def iscomplex(self) -> bool:
        """True for a space of arrays of complex numbers."""
        return isinstance(self.form, _Array) and self.form.dtype.kind == "c"

    @property
    def size(self) -> int:
        """The number of real coordinates."""
        return sum([leaf.size for leaf in leaves(self.form)])

    def zeros(self) -> Any:
        """The zero, new."""
        return each(lambda leaf: np.zeros(leaf.shape, leaf.dtype), self.form)

    def ones(self) -> Any:
        """The sum of the standard basis."""
        return each(lambda leaf: np.full(leaf.shape, leaf.unit, leaf.dtype), self.form)

    def randn(self) -> Any:
        """A value whose coordinates are drawn from the normal distribution, by NumPy's global generator."""
        return each(_Array.randn, self.form)

    def standard_basis(self) -> Iterator[Any]:
        """One value for each coordinate, in which that is 1 and all others are 0."""
        for k, leaf in enumerate(leaves(self.form)):
            for place in np.ndindex(*leaf.shape):
                for one in (1.0, 1.0j) if leaf.dtype.kind == "c" else (1.0,):
                    basis = self.zeros()
                    found = leaves(basis)
                    found[k][place] = one
                    yield basis

    def add(self, x: Any, y: Any) -> Any:
        """x + y."""
        return each(lambda a, b: a + b, x, y)

    def mut_add(self, x: Any, y: Any) -> Any:
        """x + y, where None stands for zero; a new value."""
        return self.add(self.zeros(), y) if x is None else self.add(x, y)

    def scalar_mul(self, x: Any, a: Any) -> Any:
        """a x."""
        return each(lambda leaf: leaf * a, x)

    def inner_prod(self, x: Any, y: Any) -> Any:
        """⟨x, y⟩ = Re Σ conj(x) y."""
        return sum([_inner(a, b) for a, b in zip(leaves(x), leaves(y), strict=True)])

    def covector(self, x: Any) -> Any:
        """The value as a cotangent of autograd's convention: conj x."""
        return each(np.conj, x) if any([leaf.dtype.kind == "c" for leaf in leaves(self.form)]) else x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VSpace) and bool(self.form == other.form)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"VSpace({self.form})"


class _Array:
    """The shape and the dtype of an array or a number."""

    def __init__(self, value: Any) -> None:
        a = np.asarray(value)
        self.shape = a.shape
        self.dtype = a.dtype if a.dtype.kind in "fc" else np.dtype(float)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape)) * (2 if self.dtype.kind == "c" else 1)

    @property
    def unit(self) -> complex:
        return 1.0 + 1.0j if self.dtype.kind == "c" else 1.0

    def randn(self) -> Any:
        real = np.asarray(np.random.standard_normal(self.shape))
        if self.dtype.kind != "c":
            return real.astype(self.dtype)
        return (real + 1j * np.random.standard_normal(self.shape)).astype(self.dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Array) and self.shape == other.shape and self.dtype == other.dtype

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{self.shape}: {self.dtype}"


def vspace(value: Any) -> VSpace:
    """The vector space of a value: autograd's `vspace`.

    Parameters
    ----------
    value : numbers and arrays of numbers (integers count as float64), in tuples, lists and dicts.

    Raises
    ------
    NotDifferentiableError
        If there is something else in it.

    Examples
    --------
    >>> vspace((1.0, np.zeros(2))).zeros()
    (array(0.), array([0., 0.]))
    >>> vspace(1j).size
    2
    """
    return VSpace(value)


def of_form(form: Any) -> VSpace:
    """The space whose form is known."""
    made = VSpace.__new__(VSpace)
    made.form = form
    return made


def _form(x: Any) -> Any:
    if isinstance(x, tuple | list | dict):
        return each(_form, x)
    if isinstance(x, int | float | complex | np.number) or isinstance(x, np.ndarray) and x.dtype.kind in "iufc":
        return _Array(x)
    raise NotDifferentiableError(
        f"{describe(x)} lies in no vector space",
        "only numbers, arrays of numbers, and tuples, lists and dicts of these have one in autograd",
        "give such; `adjoint.gradient` takes objects as well",
        calling_place(),
    )


def each(f: Callable[..., Any], x: Any, *others: Any) -> Any:
    """The structure of `x` with `f` of its leaves, and of those at the same places of the others.

    >>> each(lambda a, b: a + b, {"a": [1, 2]}, {"a": [3, 4]})
    {'a': [4, 6]}
    """
    if isinstance(x, tuple | list):
        items = [each(f, item, *[other[i] for other in others]) for i, item in enumerate(x)]
        return items if isinstance(x, list) else tuple_like(type(x), items)
    if isinstance(x, dict):
        return {key: each(f, item, *[other[key] for other in others]) for key, item in x.items()}
    return f(x, *others)


def leaves(x: Any) -> list[Any]:
    """The numbers and arrays of a structure, those of a dict in the order of its keys.

    >>> leaves(((1, [2]), {"a": 3}))
    [1, 2, 3]
    """
    if isinstance(x, tuple | list):
        return [leaf for item in x for leaf in leaves(item)]
    if isinstance(x, dict):
        return [leaf for key in sorted(x, key=str) for leaf in leaves(x[key])]
    return [x]


def _inner(a: Any, b: Any) -> Any:
    return np.real(np.sum(np.conj(a) * b)) if np.iscomplexobj(a) or np.iscomplexobj(b) else np.sum(a * b)


def one_of(x: Any) -> Any:
    """Ones of the form of `x`."""
    return vspace(x).ones()


def basis_of(y: Any) -> list[Any]:
    """The standard basis of the space of `y`."""
    return list(vspace(y).standard_basis())


non_differentiable(vspace, of_form, VSpace.zeros, VSpace.ones, VSpace.randn, VSpace.standard_basis)
non_differentiable(one_of, basis_of)

__all__ = ["VSpace", "vspace"]

"""`np.poly1d`: a polynomial is a record of its coefficients, the highest power first."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, attr-defined"

import operator

import numpy as np

from ..fields import assembled, declare_properties, field_of
from ..registry import non_differentiable, not_implemented
from .lifting import composed

declare_properties(np.poly1d, "coeffs")


def coefficients(p):
    """Of a polynomial; else the numbers themselves, in a row."""
    return field_of(p, "coeffs") if isinstance(p, np.poly1d) else np.atleast_1d(np.asarray(p))


def polynomial(coeffs):
    """The polynomial of a row of coefficients: leading zeros are no part of it."""
    return assembled(np.poly1d, ("coeffs",), coeffs[first_of(coeffs) :])


def first_of(coeffs):
    """The place of the first coefficient that counts.

    >>> first_of(np.array([0.0, 2.0, 0.0])), first_of(np.zeros(2))
    (1, 1)
    """
    (places,) = np.nonzero(coeffs)
    return int(places[0]) if len(places) else max(len(coeffs) - 1, 0)


def is_scalar(x):
    """Tell whether a factor is a number."""
    return np.isscalar(x)


non_differentiable(first_of, is_scalar)


@composed(np.poly1d)
def made(c_or_r, r=False, variable=None):
    """By coefficients, or by roots."""
    row = coefficients(c_or_r)
    return polynomial(np.poly(row) if r and not isinstance(c_or_r, np.poly1d) else row)


@composed(np.poly1d.__call__)
def value(self, val):
    """p(x); of another polynomial, the polynomial p(q)."""
    if not isinstance(val, np.poly1d):
        return np.polyval(field_of(self, "coeffs"), val)
    total = np.zeros(1)
    for c in field_of(self, "coeffs"):
        total = np.polyadd(np.polymul(total, field_of(val, "coeffs")), np.stack((c,)))
    return polynomial(total)


@composed(np.poly1d.__neg__)
def negative(self):
    """-p."""
    return polynomial(-field_of(self, "coeffs"))


@composed(np.poly1d.__pos__)
def itself(self):
    """p."""
    return polynomial(field_of(self, "coeffs") * 1.0)


@composed(np.poly1d.__add__, np.poly1d.__radd__)
def total(self, other):
    """By the coefficients."""
    return polynomial(np.polyadd(field_of(self, "coeffs"), coefficients(other)))


@composed(np.poly1d.__sub__)
def difference(self, other):
    """By the coefficients."""
    return polynomial(np.polysub(field_of(self, "coeffs"), coefficients(other)))


@composed(np.poly1d.__rsub__)
def difference_from(self, other):
    """By the coefficients."""
    return polynomial(np.polysub(coefficients(other), field_of(self, "coeffs")))


@composed(np.poly1d.__mul__, np.poly1d.__rmul__)
def product(self, other):
    """By the coefficients."""
    return polynomial(np.polymul(field_of(self, "coeffs"), coefficients(other)))


@composed(np.poly1d.__truediv__)
def quotient(self, other):
    """By a number; or what division by a polynomial gives, and what is left."""
    if is_scalar(other):
        return polynomial(field_of(self, "coeffs") / other)
    found, rest = np.polydiv(field_of(self, "coeffs"), coefficients(other))
    return polynomial(found), polynomial(rest)


@composed(np.poly1d.__pow__)
def power(self, val):
    """pⁿ for a whole n."""
    found = np.ones(1)
    for _ in range(operator.index(val)):
        found = np.polymul(field_of(self, "coeffs"), found)
    return polynomial(found)


@composed(np.poly1d.__getitem__)
def coefficient(self, val):
    """Of the power xⁿ."""
    row = field_of(self, "coeffs")
    place = len(row) - 1 - val
    return row[place] if 0 <= place < len(row) else 0.0


@composed(np.poly1d.deriv)
def derivative(self, m=1):
    """p'."""
    return polynomial(np.polyder(field_of(self, "coeffs"), m))


@composed(np.poly1d.integ)
def integral(self, m=1, k=0):
    """∫ p."""
    return polynomial(np.polyint(field_of(self, "coeffs"), m, k))


@composed(np.poly1d.roots.fget)
def roots(self):
    """The roots of p."""
    return np.roots(field_of(self, "coeffs"))


# Functions of coefficients that take a polynomial, too


@composed(np.polyval, types={"p": np.poly1d})
def value_of(p, x):
    """p(x)."""
    return p(x)


@composed(np.polyder, types=np.poly1d)
def derivative_of(p, m=1):
    """p'."""
    return derivative(p, m)


@composed(np.polyint, types=np.poly1d)
def integral_of(p, m=1, k=None):
    """∫ p."""
    return integral(p, m, 0 if k is None else k)


@composed(np.roots, types=np.poly1d)
def roots_of(p):
    """The roots of p."""
    return np.roots(field_of(p, "coeffs"))


non_differentiable(np.poly1d.order.fget, np.poly1d.variable.fget, np.poly1d.__len__, np.poly1d.__str__)
non_differentiable(np.poly1d.__repr__, np.poly1d.__eq__, np.poly1d.__ne__)

not_implemented(
    np.poly1d.__rtruediv__,
    np.poly1d.__setitem__,
    why="NumPy divides by the coefficients one by one, or stores into the polynomial",
    way_out="work with the coefficients, `p.coeffs`, and make a polynomial of them",
)

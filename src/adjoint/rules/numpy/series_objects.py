"""The classes of `numpy.polynomial`: a series is a record of its coefficients, its domain and its window.

Loaded when it is seen.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, attr-defined"

from typing import Any

import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial, polyutils

from ...tangents import unbroadcast
from ..fields import assembled, field_of
from ..registry import Back, non_differentiable, not_implemented, rule
from .lifting import composed, refuse

Series = polynomial.ABCPolyBase
CLASSES = (
    polynomial.Polynomial,
    chebyshev.Chebyshev,
    legendre.Legendre,
    hermite.Hermite,
    hermite_e.HermiteE,
    laguerre.Laguerre,
)
FIELDS = ("coef", "domain", "window")


def coefficients(p):
    """Of a series; of anything else, itself."""
    return field_of(p, "coef") if isinstance(p, Series) else p


def interval(p, name):
    """The domain or the window of a series: its own, or that of its class."""
    return field_of(p, name) if is_own(p, name) else getattr(type(p), name)


def is_own(p, name):
    """Tell whether a series has an attribute that is not just that of its class."""
    return name in vars(p)


def operation(cls, name):
    """The function by which a class works with coefficients, `polyadd` say."""
    return getattr(cls, name)


non_differentiable(is_own, operation)


def with_coefficients(p, coef):
    """A series on the same domain."""
    return assembled(type(p), FIELDS, coef, interval(p, "domain"), interval(p, "window"))


# How they are made


def _declare_constructor(cls: type) -> None:
    @composed(cls)
    def series(coef: Any, domain: Any = None, window: Any = None, symbol: str = "x") -> Any:
        """A series by its coefficients."""
        row = np.atleast_1d(np.asarray(coef)) * 1.0
        return assembled(cls, FIELDS, row, _ends(domain), _ends(window))


def _ends(interval):
    return None if interval is None else np.asarray(interval) * 1.0


for _cls in CLASSES:
    _declare_constructor(_cls)


@composed(polyutils.getdomain)
def domain_of(x):
    """The smallest interval with all points in it."""
    points = np.asarray(x)
    if np.iscomplexobj(points):
        refuse("np.polynomial.polyutils.getdomain", "it is a rectangle for complex points", "give the domain")
    return np.stack((np.min(points), np.max(points)))


def domain_around(x):
    """The domain of a fit to these points."""
    domain = polyutils.getdomain(x)
    return domain + np.array([-1.0, 1.0]) if domain[0] == domain[1] else domain


def domain_given(cls, domain):
    """Its ends; [] stands for the domain of the class."""
    return _ends(domain) if len(domain) else cls.domain


@composed(Series.fit.__func__)
def fitted(cls, x, y, deg, domain=None, rcond=None, full=False, w=None, window=None, symbol="x"):
    """By least squares, in the window onto which the domain is mapped."""
    if full:
        refuse(f"{cls.__name__}.fit(full=True)", "it also gives what is found on the way", "leave `full` off")
    ends = domain_around(x) if domain is None else domain_given(cls, domain)
    frame = cls.window if window is None else _ends(window)
    coef = operation(cls, "_fit")(polyutils.mapdomain(x, ends, frame), y, deg, w=w, rcond=rcond)
    return assembled(cls, FIELDS, coef, ends, frame)


@composed(Series.fromroots.__func__)
def from_roots(cls, roots, domain=[], window=None, symbol="x"):  # noqa: B006 - as NumPy has it
    """c ∏ (x - rᵢ) with the roots rᵢ, c = 1 outside of the window."""
    row = np.atleast_1d(np.asarray(roots)) * 1.0
    ends = polyutils.getdomain(row) if domain is None else domain_given(cls, domain)
    frame = cls.window if window is None else _ends(window)
    offset, scale = polyutils.mapparms(ends, frame)
    coef = operation(cls, "_fromroots")(offset + scale * row) / scale ** len(row)
    return assembled(cls, FIELDS, coef, ends, frame)


@composed(Series.identity.__func__)
def identity(cls, domain=None, window=None, symbol="x"):
    """p(x) = x."""
    ends = cls.domain if domain is None else _ends(domain)
    frame = cls.window if window is None else _ends(window)
    offset, scale = polyutils.mapparms(frame, ends)
    return assembled(cls, FIELDS, operation(cls, "_line")(offset, scale), ends, frame)


@composed(Series.basis.__func__)
def member(cls, deg, domain=None, window=None, symbol="x"):
    """The member of the basis of this degree."""
    ends = cls.domain if domain is None else _ends(domain)
    frame = cls.window if window is None else _ends(window)
    return assembled(cls, FIELDS, np.eye(int(deg) + 1)[-1], ends, frame)


# What is computed with them


@composed(Series.__call__)
def value(self, arg):
    """p(x), the coefficients being those of x mapped from the domain onto the window."""
    if isinstance(arg, Series):
        why = "a series of a series is worked out with objects"
        refuse(f"{type(self).__name__}(...) of a series", why, "evaluate both at numbers, or use `convert`")
    x = polyutils.mapdomain(arg, interval(self, "domain"), interval(self, "window"))
    return operation(type(self), "_val")(x, field_of(self, "coef"))


def _declare_operators(name: str, operation_name: str) -> None:
    @composed(getattr(Series, f"__{name}__"))
    def combined(self: Any, other: Any) -> Any:
        """By the coefficients."""
        found = operation(type(self), operation_name)(field_of(self, "coef"), coefficients(other))
        return with_coefficients(self, found)

    @composed(getattr(Series, f"__r{name}__"))
    def reflected(self: Any, other: Any) -> Any:
        """The same of a number or of coefficients and a series."""
        return with_coefficients(self, operation(type(self), operation_name)(other, field_of(self, "coef")))


for _name in ("add", "sub", "mul"):
    _declare_operators(_name, f"_{_name}")


@composed(Series.__divmod__)
def quotient_and_rest(self, other):
    """By the coefficients."""
    quotient, rest = operation(type(self), "_div")(field_of(self, "coef"), coefficients(other))
    return with_coefficients(self, quotient), with_coefficients(self, rest)


@composed(Series.__floordiv__, Series.__truediv__)
def quotient(self, other):
    """By the coefficients."""
    found, _ = operation(type(self), "_div")(field_of(self, "coef"), coefficients(other))
    return with_coefficients(self, found)


@composed(Series.__mod__)
def rest(self, other):
    """By the coefficients."""
    _, found = operation(type(self), "_div")(field_of(self, "coef"), coefficients(other))
    return with_coefficients(self, found)


@composed(Series.__pow__)
def power(self, other):
    """pⁿ for a whole n."""
    return with_coefficients(self, operation(type(self), "_pow")(field_of(self, "coef"), other, maxpower=None))


@composed(Series.__neg__)
def negative(self):
    """-p."""
    return with_coefficients(self, -field_of(self, "coef"))


@composed(Series.__pos__, Series.copy)
def copied(self):
    """p."""
    return with_coefficients(self, field_of(self, "coef") * 1.0)


@composed(Series.mapparms)
def mapping(self):
    """The offset and the scale of x in the window."""
    return polyutils.mapparms(interval(self, "domain"), interval(self, "window"))


@composed(Series.deriv)
def derivative(self, m=1):
    """p' as a series."""
    _, scale = polyutils.mapparms(interval(self, "domain"), interval(self, "window"))
    return with_coefficients(self, operation(type(self), "_der")(field_of(self, "coef"), m, scale))


@composed(Series.integ)
def integral(self, m=1, k=[], lbnd=None):  # noqa: B006 - as NumPy has it
    """∫ p as a series."""
    offset, scale = polyutils.mapparms(interval(self, "domain"), interval(self, "window"))
    bound = 0 if lbnd is None else offset + scale * lbnd
    return with_coefficients(self, operation(type(self), "_int")(field_of(self, "coef"), m, k, bound, 1.0 / scale))


@composed(Series.roots)
def roots(self):
    """The roots of p."""
    found = operation(type(self), "_roots")(field_of(self, "coef"))
    return polyutils.mapdomain(found, interval(self, "window"), interval(self, "domain"))


@composed(Series.linspace)
def points_and_values(self, n=100, domain=None):
    """Points over the domain, and the values there."""
    ends = interval(self, "domain") if domain is None else domain
    x = np.linspace(ends[0], ends[1], n)
    return x, self(x)


@composed(Series.truncate)
def truncated(self, size):
    """Without the higher terms."""
    return with_coefficients(self, field_of(self, "coef")[:size])


@composed(Series.cutdeg)
def cut(self, deg):
    """Without the terms of higher degree."""
    return with_coefficients(self, field_of(self, "coef")[: deg + 1])


@composed(Series.trim)
def trimmed(self, tol=0):
    """Without the last terms that are small."""
    return with_coefficients(self, polyutils.trimcoef(field_of(self, "coef"), tol))


# Another basis, or another domain


def in_basis(cls, coef, offset, scale, kind):
    """The coefficients in the basis of `kind` of p(offset + scale t), those of p being in the basis of `cls`.

    >>> in_basis(polynomial.Polynomial, np.array([0.0, 0.0, 1.0]), 0.0, 1.0, chebyshev.Chebyshev)
    array([0.5, 0. , 0.5])
    """
    return operation(cls, "_val")(kind(operation(kind, "_line")(offset, scale)), coef).coef


def overlap(row, bar):
    """⟨row, bar⟩, of which one may have lost zeros at its end."""
    n = min(len(row), len(bar))
    return np.vdot(row[:n], bar[:n])


@rule(in_basis, linear="coef")
def in_basis_rule(cls: Any, coef: Any, offset: Any, scale: Any, kind: Any) -> tuple[Any, Back]:
    """q(t) = p(a + b t), which is linear in c; ∂q/∂a = p'(a + b t), and ∂q/∂b = t p'(a + b t)."""

    def in_basis_back(y_bar: Any) -> tuple[Any, ...]:
        units = np.eye(len(coef))
        slope = in_basis(cls, operation(cls, "_der")(coef), offset, scale, kind)
        risen = operation(kind, "_mul")(operation(kind, "_line")(0.0, 1.0), slope)
        coef_bar = np.stack([overlap(in_basis(cls, unit, offset, scale, kind), y_bar) for unit in units])
        return None, coef_bar, *[unbroadcast(overlap(d, y_bar), x) for d, x in ((slope, offset), (risen, scale))], None

    return in_basis(cls, coef, offset, scale, kind), in_basis_back


@composed(Series.convert)
def converted(self, domain=None, kind=None, window=None):
    """The same function in another basis, or on another domain."""
    to = type(self) if kind is None else kind
    ends = to.domain if domain is None else _ends(domain)
    frame = to.window if window is None else _ends(window)
    offset, scale = polyutils.mapparms(frame, ends)
    own_offset, own_scale = polyutils.mapparms(interval(self, "domain"), interval(self, "window"))
    coef = in_basis(type(self), field_of(self, "coef"), own_offset + own_scale * offset, own_scale * scale, to)
    return assembled(to, FIELDS, coef, ends, frame)


@composed(Series.cast.__func__)
def in_this_basis(cls, series, domain=None, window=None):
    """A series in the basis of this class."""
    return series.convert(domain, cls, window)


non_differentiable(Series.degree, Series.__len__, Series.__eq__, Series.__ne__, Series.__repr__, Series.__str__)
non_differentiable(Series.has_samecoef, Series.has_samedomain, Series.has_samewindow, Series.has_sametype)

not_implemented(
    Series.__rdivmod__,
    Series.__rfloordiv__,
    Series.__rmod__,
    why="NumPy divides numbers by a series for its own use only",
    way_out="make a series of the number",
)
not_implemented(
    Series, why="it is what the classes of series have in common", way_out="make one of these, `Polynomial` say"
)

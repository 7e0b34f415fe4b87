"""Operators and the builtins of arithmetic: for numbers and, element by element, for arrays that broadcast."""

from __future__ import annotations

import cmath
import math
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ...tangents import Unknown, along_partial, apply_partial, unbroadcast
from ..products import pow_products, truediv_products
from ..registry import Back, Numeric, non_differentiable, rule, scalar_rule

Real = int | float
Number = int | float | complex


# `np.float64` is a `float` and an `np.generic`: rules for numbers therefore stand beside rules for anything `Numeric`,
# never beside rules for `np.generic`.


def _for_numbers(partials: Callable[..., Any]) -> Callable[..., Any]:
    """The same partials for a first argument that is a number: `x += y` rebinds a number, but writes into an array."""
    copied = types.FunctionType(partials.__code__, partials.__globals__, partials.__name__)
    copied.__annotations__ = {**partials.__annotations__, partials.__code__.co_varnames[0]: Number | np.generic}
    return copied


# Sums, products, quotients


@scalar_rule(operator.pos)
def pos_partial(a, y):  # type: ignore[no-untyped-def]
    return 1


@scalar_rule(operator.neg)
def neg_partial(a, y):  # type: ignore[no-untyped-def]
    return -1


@scalar_rule(operator.add)
def add_partials(a, b, y):  # type: ignore[no-untyped-def]
    return 1, 1


@scalar_rule(operator.sub)
def sub_partials(a, b, y):  # type: ignore[no-untyped-def]
    return 1, -1


@scalar_rule(operator.mul)
def mul_partials(a, b, y):  # type: ignore[no-untyped-def]
    return b, a


@scalar_rule(operator.truediv, singular=True, products=truediv_products)
def truediv_partials(a, b, y):  # type: ignore[no-untyped-def]
    return 1 / b, -y / b


# Division of Python's numbers by zero raises, so no partial is infinite here.
@scalar_rule(operator.truediv)
def number_truediv_partials(a: Number, b: Number, y):  # type: ignore[no-untyped-def]
    return 1 / b, -y / b


# NumPy's are divided by zero, also by one of Python's.
@scalar_rule(operator.truediv, singular=True, products=truediv_products)
def numpy_truediv_partials(a: np.float64 | np.complex128, b: Number, y):  # type: ignore[no-untyped-def]
    return 1 / np.asarray(b)[()], -y / np.asarray(b)[()]


@scalar_rule(operator.truediv, singular=True, products=truediv_products)
def truediv_by_numpy_partials(a: Number, b: np.float64 | np.complex128, y):  # type: ignore[no-untyped-def]
    return 1 / b, -y / b


@scalar_rule(operator.truediv, singular=True, products=truediv_products)
def truediv_of_numpy_partials(a: np.float64 | np.complex128, b: np.float64 | np.complex128, y):  # type: ignore[no-untyped-def]
    return 1 / b, -y / b


# Integers may be too large for a float of their own; quotients of integers are rounded once.
@scalar_rule(operator.truediv)
def integer_truediv_partials(a: int, b: int, y):  # type: ignore[no-untyped-def]
    return 1 / b, -a / (b * b)


@scalar_rule(operator.mod)
def mod_partials(a, b, y):  # type: ignore[no-untyped-def]
    return 1, -(a // b)


@rule(operator.mod)
def format_rule(a: str | bytes, b: Any) -> tuple[Any, Back]:
    """`"%s" % b`."""

    def format_back(_: Any) -> tuple[Any, ...]:
        return None, None

    return a % b, format_back


@rule(divmod)
def divmod_rule(a: Numeric, b: Numeric) -> tuple[Any, Back]:
    """`q, r = a // b, a - q b`; q is piecewise constant."""
    q, r = divmod(a, b)  # type: ignore[operator]

    def divmod_back(y_bar: Any) -> tuple[Any, ...]:
        r_bar = y_bar[1]
        if r_bar is None:
            return None, None
        return unbroadcast(r_bar, a), unbroadcast(-q * r_bar, b)

    return (q, r), divmod_back


non_differentiable(operator.floordiv)


# Powers


@scalar_rule(operator.pow, pow, singular=True, products=pow_products)
def pow_partials(base, exp, y):  # type: ignore[no-untyped-def]
    return exp * base ** np.where((exp == 0) & (base == 0), 1.0, exp - 1), by_exponent(base, y)


@scalar_rule(operator.pow, pow, singular=True, products=pow_products)
def power_partials(base: np.ndarray, exp: Real, y):  # type: ignore[no-untyped-def]
    return exp * base ** (exp - 1) if exp else exp / np.where(base == 0, np.inf, base), by_exponent(base, y)


@scalar_rule(operator.pow, pow, singular=True)
def complex_pow_partials(base: Number, exp: Number, y):  # type: ignore[no-untyped-def]
    return exp * base ** (exp - 1) if base else 1.0 if exp == 1 else 0.0, y * cmath.log(base) if base else 0.0


@scalar_rule(operator.pow, pow, singular=True)
def real_pow_partials(base: Real, exp: Real, y):  # type: ignore[no-untyped-def]
    return (
        exp * y / base  # of a negative base; the types say of its powers that they are real
        if isinstance(y, complex)
        else exp * base ** (exp - 1)
        if exp >= 1 or base
        else math.inf
        if exp
        else 0.0,
        by_exponent_of_number(base, y) if base else 0.0,
    )


@rule(pow)
def modular_pow_rule(base: int, exp: int, mod: int) -> tuple[Any, Back]:
    """`pow(base, exp, mod)` of integers."""

    def modular_pow_back(_: Any) -> tuple[Any, ...]:
        return None, None, None

    return pow(base, exp, mod), modular_pow_back


def undefined(x: Any) -> Any:
    """nan: a partial that is none."""
    return x * math.nan


def undefined_tangent(d: Any, y: Any, x: Any) -> Any:
    """nan where something moves."""
    return along_partial(d[0], math.nan, True)


@rule(undefined, forward=undefined_tangent)
def undefined_rule(x: Any) -> tuple[Any, Back]:
    """nan where something flows."""

    def undefined_back(y_bar: Any) -> tuple[Any, ...]:
        return (apply_partial(y_bar, math.nan, True),)

    return undefined(x), undefined_back


def by_exponent_of_number(base: Any, y: Any) -> Any:
    """∂(baseᵉˣᵖ)/∂exp = y log(base); nan for a negative base with a real power y, which is none for the exponents
    beside this one.

    >>> by_exponent_of_number(2.0, 1.0), by_exponent_of_number(-1.0, -1.0), by_exponent_of_number(-1.0, 1j)
    (0.6931471805599453, nan, (-3.141592653589793+0j))
    """
    if isinstance(y, complex):
        return y * cmath.log(base)
    return y * math.log(base) if base > 0 else undefined(base)


def by_exponent(base: Any, y: Any) -> Any:
    """The same element by element, and 0 where the base is 0, as 0ᵖ is 0 for all p > 0. Where nothing flows to the
    exponent nothing may flow on to a negative base: its logarithm is not taken.

    >>> import numpy as np
    >>> by_exponent(np.array([1.0, 0.0, -1.0]), np.array([1.0, 0.0, 1.0]))
    array([ 0.,  0., nan])
    """
    if np.iscomplexobj(y):
        return y * np.log(np.where(base == 0, 1, base) + 0j)
    return np.where(base < 0, undefined(base), y * np.log(np.where(base <= 0, 1, base)))


# Absolute value and complex numbers


@scalar_rule(operator.abs, abs)
def array_abs_partial(a, y):  # type: ignore[no-untyped-def]
    return np.conj(a) / np.where(y == 0, np.inf, y) if np.iscomplexobj(a) else np.sign(a)


@scalar_rule(operator.abs, abs)
def abs_partial(a: Real, y):  # type: ignore[no-untyped-def]
    return 1.0 if a > 0 else -1.0 if a < 0 else 0.0


@scalar_rule(operator.abs, abs)
def complex_abs_partial(a: complex, y):  # type: ignore[no-untyped-def]
    return a.conjugate() / y if y else 0.0


@scalar_rule(float, returns=None)
def float_partial(x, y):  # type: ignore[no-untyped-def]
    return 1


@rule(float)
def parse_float_rule(x: str | bytes) -> tuple[Any, Back]:
    """`float("0.5")`."""

    def parse_float_back(_: Any) -> tuple[Any, ...]:
        return (None,)

    return float(x), parse_float_back


@scalar_rule(float.__float__, returns=None)
def float_method_partial(self, y):  # type: ignore[no-untyped-def]
    return 1


@scalar_rule(complex, returns=None)
def complex_partial(real, y):  # type: ignore[no-untyped-def]
    return 1


@scalar_rule(complex, returns=None)
def complex_partials(real, imag, y):  # type: ignore[no-untyped-def]
    return 1, 1j


@rule(complex)
def parse_complex_rule(real: str) -> tuple[Any, Back]:
    """`complex("1+2j")`."""

    def parse_complex_back(_: Any) -> tuple[Any, ...]:
        return (None,)

    return complex(real), parse_complex_back


@rule(complex.conjugate)
def complex_conjugate_rule(self: complex) -> tuple[Any, Back]:
    """y = conj(z) is not holomorphic: z̄ = conj(ȳ)."""

    def complex_conjugate_back(y_bar: Any) -> tuple[Any, ...]:
        return (y_bar.conjugate(),)

    return self.conjugate(), complex_conjugate_back


@scalar_rule(float.conjugate, int.conjugate)
def real_conjugate_partial(self, y):  # type: ignore[no-untyped-def]
    return 1


# In-place twins


scalar_rule(operator.iadd)(_for_numbers(add_partials))
scalar_rule(operator.isub)(_for_numbers(sub_partials))
scalar_rule(operator.imul)(_for_numbers(mul_partials))
scalar_rule(operator.itruediv)(_for_numbers(truediv_partials))
scalar_rule(operator.imod)(_for_numbers(mod_partials))


scalar_rule(operator.ipow, singular=True)(_for_numbers(pow_partials))
scalar_rule(operator.ipow, singular=True)(complex_pow_partials)
scalar_rule(operator.ipow, singular=True)(real_pow_partials)


# What compares, counts and rounds


_REAL: Any = (np.float16, np.float32, np.float64, np.longdouble)


@rule(float.as_integer_ratio, *[cls.as_integer_ratio for cls in _REAL])
def as_integer_ratio_rule(self: Any) -> tuple[Any, Back]:
    """Two integers that hold the number exactly: what a float is made of from them has a derivative by it, and neither
    of them has one of its own."""

    def as_integer_ratio_back(y_bar: Any) -> tuple[Any, ...]:
        return (None if y_bar is None or all([d is None for d in y_bar]) else _of_a_ratio(),)

    return self.as_integer_ratio(), as_integer_ratio_back


def _of_a_ratio() -> Any:
    return Unknown(
        "the integers of `as_integer_ratio`",
        "they hold all digits of the number, and jump from one number to the next",
        "compute with the number itself; or make it a constant: `adjoint.stop_gradient(x).as_integer_ratio()`",
    )


non_differentiable(_of_a_ratio)


def _bitwise(f: Callable[..., Any]) -> None:
    """Bits of numbers carry no derivative; `|` and `&` of dicts and sets are another matter."""

    @rule(f)
    def bitwise_rule(a: Numeric, b: Numeric) -> tuple[Any, Back]:
        def bitwise_back(_: Any) -> tuple[Any, ...]:
            return None, None

        return f(a, b), bitwise_back


for _operator in (operator.and_, operator.or_, operator.xor, operator.iand, operator.ior, operator.ixor):
    _bitwise(_operator)

non_differentiable(operator.lt, operator.le, operator.eq, operator.ne, operator.ge, operator.gt)
non_differentiable(operator.is_, operator.is_not, operator.not_, operator.truth, bool)
non_differentiable(operator.invert, operator.inv, operator.lshift, operator.rshift)
non_differentiable(int, operator.index)
non_differentiable(round, float.__round__)
non_differentiable(float.__int__, float.__trunc__, float.__floor__, float.__ceil__)
non_differentiable(bin, oct, hex, chr, float.hex)
non_differentiable(int.as_integer_ratio)
non_differentiable(ord, int.bit_length, int.bit_count, int.to_bytes, int.from_bytes, float.fromhex)
non_differentiable(float.is_integer)

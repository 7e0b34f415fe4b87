"""Powers, choices, tests: what is done to numbers entry by entry."""

from __future__ import annotations

import builtins
import math
import operator
from typing import Any

import numpy as np

from .. import arrays
from ..elementary import (
    ABS,
    AND,
    DIV,
    ELEMENTARY,
    EQ,
    FLOAT,
    GE,
    GT,
    ISINF,
    LE,
    LT,
    MUL,
    NOT,
    OR,
    POW,
    QUOTIENT,
    RINT,
    SELECT,
    Elementary,
)
from ..kernel import Atom, Lit, Reg
from ..lower import Lower
from ..values import NONE, ZERO, Arr, CannotCompile, Known, Value, is_number, option
from ..writer import Writer, wider_of
from .calls import MEANINGS, Meaning, converted, entrywise, kind_of, means, unary


@means(math.pow, np.float_power)
def float_power(lower: Lower, base: Value, exp: Value) -> Value:
    """xᵖ of floats."""
    return power(lower, unary(lower, base, lambda x: lower.w.as_kind(x, "f")), exp)


@means(operator.pow, builtins.pow, np.power)
def power(lower: Lower, base: Value, exp: Value) -> Value:
    """xᵖ: whole powers are products."""
    w = lower.w
    entry = isinstance(base, Arr) or not w.of_numpy.isdisjoint((base, exp))
    if isinstance(exp, Lit) and exp.kind != "b" and float(exp.value).is_integer() and 0 < exp.value <= 8:
        found = unary(lower, base, lambda x: product(lower, x, int(exp.value), exp.kind))
        if isinstance(found, Reg) and not (entry and found.kind == "f"):
            large = w.op(ISINF, found) if found.kind == "f" else w.op(GE, w.op(ABS, power_of(w, base, exp)), LARGEST)
            w.check(large)
        return found
    if isinstance(exp, Lit) and exp.value == 0.5:
        return entrywise(lower, ELEMENTARY[np.sqrt if entry else math.sqrt], [base])
    if isinstance(exp, Lit) and exp.value in (-1, -2):
        return unary(
            lower,
            base,
            lambda x: inverse_power(lower, x, -int(exp.value), not entry, QUOTIENT if isinstance(base, Arr) else DIV),
        )
    scalars = is_number(base) and is_number(exp)
    if scalars and base.kind != "f" and exp.kind != "f":
        return integer_power(w, w.as_kind(base, "i"), w.as_kind(exp, "i"))

    def one(x: Atom, p: Atom) -> Atom:
        if x.kind != "f" and p.kind != "f":
            raise CannotCompile("powers of arrays of integers")
        raises = scalars and not entry
        if raises:
            w.check(w.op(LE, x, 0.0), "a power of a number that is not positive")
        y = w.op(POW, w.as_kind(x, "f"), w.as_kind(p, "f"))
        if raises:
            w.check(w.op(ISINF, y))
        return y

    return one(base, exp) if scalars else arrays.elementwise(w, one, [base, exp], "f")


INTEGER_POWER = Elementary("ipow", "{0} ** {1}", "i", operator.pow)
LARGEST = 2.0**62
"""What integers of 64 bits surely hold."""


def integer_power(w: Writer, base: Atom, exp: Atom) -> Atom:
    """A power of integers, where it is one that 64 bits hold."""
    w.check(w.op(LT, exp, 0))
    w.check(w.op(GE, w.op(POW, w.op(ABS, w.op(FLOAT, base)), w.op(FLOAT, exp)), LARGEST))
    return w.op(INTEGER_POWER, base, exp)


def power_of(w: Writer, base: Atom, exp: Lit) -> Atom:
    """A power of an integer as a float."""
    return w.op(POW, w.op(FLOAT, base) if base.kind == "i" else w.as_kind(base, "f"), float(exp.value))


def product(lower: Lower, x: Atom, n: int, kind: str) -> Atom:
    """xⁿ by squaring."""
    w = lower.w
    x = w.as_kind(x, kind) if kind == "f" else x
    if n == 1:
        return x
    half = product(lower, x, n // 2, kind)
    square = w.mul(half, half)
    return w.mul(square, x) if n % 2 else square


def inverse_power(lower: Lower, x: Atom, n: int, raises: bool, quotient: Elementary) -> Atom:
    """1 / xⁿ."""
    w = lower.w
    below = product(lower, w.as_kind(x, "f"), n, "f")
    if raises:
        w.check(w.op(EQ, below, 0))
    return w.op(quotient, 1.0, below)


@means(np.where)
def where(lower: Lower, cond: Value, a: Value, b: Value) -> Value:
    """Entry by entry one of two."""
    w = lower.w
    kind = wider_of([Reg("", kind_of(lower, x)) for x in (a, b)])

    def one(c: Atom, x: Atom, y: Atom) -> Atom:
        return w.op(SELECT, w.as_kind(c, "b"), w.as_kind(x, kind), w.as_kind(y, kind))

    if all(is_number(x) for x in (cond, a, b)):
        return one(cond, a, b)
    return arrays.elementwise(w, one, [cond, a, b], kind)


@means(np.round, np.around)
def rounded(lower: Lower, a: Value, decimals: Value = ZERO) -> Value:
    """The nearest multiple of a power of ten, as NumPy has it; half way the even one."""
    w = lower.w
    places = option(decimals)
    if type(places) is not int or kind_of(lower, a) != "f":
        raise CannotCompile("`round` of integers, or to such digits")
    up, digits = places > 0, Lit(10.0 ** abs(places))

    def one(x: Atom) -> Atom:
        if places == 0:
            return w.op(RINT, x)
        scaled, back = (MUL, DIV) if up else (DIV, MUL)
        return w.op(back, w.op(RINT, w.op(scaled, x, digits)), digits)

    return unary(lower, a, one)


@means(builtins.round)
def rounded_to_integer(lower: Lower, x: Value) -> Value:
    """The nearest integer of a number."""
    if isinstance(x, Arr) and not x.shape:
        x = x.at(())
    if not is_number(x):
        raise CannotCompile("`round` of what is no number")
    return x if x.kind == "i" else converted(lower, int, unary(lower, x, lambda e: lower.w.op(RINT, e)))


@means(np.clip)
def clip(lower: Lower, a: Value, a_min: Value = NONE, a_max: Value = NONE, **others: Value) -> Value:
    """Entries with what lies beyond a bound replaced by that bound; at a bound, an entry is still itself."""
    if not others.keys() <= {"min", "max"}:
        raise CannotCompile("`clip` with such arguments")
    low, high = others.get("min", a_min), others.get("max", a_max)
    for bound, beyond in ((low, np.less), (high, np.greater)):
        if not (isinstance(bound, Known) and bound.value is None):
            a = where(lower, entrywise(lower, ELEMENTARY[beyond], [a, bound]), bound, a)
    return a


def _logical(fn: Any, *functions: Any) -> None:
    def logical(lower: Lower, a: Value, b: Value) -> Value:
        w = lower.w

        def one(x: Atom, y: Atom) -> Atom:
            return w.op(fn, w.as_kind(x, "b"), w.as_kind(y, "b"))

        return one(a, b) if is_number(a) and is_number(b) else arrays.elementwise(w, one, [a, b], "b")

    for f in functions:
        MEANINGS[f] = logical


_logical(AND, np.logical_and)
_logical(OR, np.logical_or)


@means(np.iscomplexobj)
def is_complex(lower: Lower, a: Value) -> Value:
    return Lit(False)


def _extremum(larger: bool) -> Meaning:
    def extremum(lower: Lower, *xs: Value) -> Value:
        w = lower.w
        if len(xs) == 1 and isinstance(xs[0], Arr) and xs[0].ndim == 1:
            row = arrays.located(w, xs[0])
            w.check(w.op(EQ, row.shape[0], 0))
            return w.for_each(row.shape[0], lambda i, s: [better(w, row.at((i,)), s)], [row.at((Lit(0),))], start=1)[0]
        items = arrays.items_of(w, xs[0]) if len(xs) == 1 else list(xs)
        if not items or not all(is_number(x) for x in items):
            raise CannotCompile("`max` or `min` of such arguments")
        found: Any = items[0]
        for x in items[1:]:
            found = better(w, x, found)
        return found

    def better(w: Writer, x: Atom, found: Atom) -> Atom:
        return w.op(SELECT, w.op(GT if larger else LT, x, found), x, found)

    return extremum


MEANINGS[builtins.max] = _extremum(True)
MEANINGS[builtins.min] = _extremum(False)


# ---- tests


def _identical(wanted: bool) -> Meaning:
    def identical(lower: Lower, a: Value, b: Value) -> Value:
        if isinstance(a, Known) and isinstance(b, Known):
            return Lit((a.value is b.value) is wanted)
        if isinstance(a, Known) != isinstance(b, Known):
            known, other = (a, b) if isinstance(a, Known) else (b, a)
            if known.value is not None and not (is_number(other) or isinstance(other, Arr | tuple)):
                raise CannotCompile("`is` of two objects")
            return Lit(not wanted)
        raise CannotCompile("`is` of two numbers or arrays")

    return identical


MEANINGS[operator.is_], MEANINGS[operator.is_not] = _identical(True), _identical(False)


@means(operator.not_)
def negated(lower: Lower, x: Value) -> Value:
    return lower.w.op(NOT, arrays.truth(lower.w, x))

"""Functions of scalars: how they are written, of which kind they are, and where plain Python raises."""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import functions
from .kernel import wider


@dataclass(frozen=True, eq=False, slots=True)
class Elementary:
    """A function of scalars.

    `text` is how it is written, `kind` that of its result ("=": the widest of its arguments, at least an int), `plain`
    what computes it of constants. The rule of `ruled` has its partials. `dear` ones are kept rather than computed
    again.
    """

    name: str
    text: str
    kind: str
    plain: Callable[..., Any]
    ruled: Any = None
    dear: bool = False

    def __repr__(self) -> str:
        return self.name

    @property
    def arity(self) -> int:
        """The number of arguments."""
        return sum(f"{{{k}}}" in self.text for k in range(3))

    def kind_of(self, kinds: list[str]) -> str:
        """The kind of the result."""
        if self.kind != "=":
            return self.kind
        found = "i"
        for kind in kinds:
            found = wider(found, kind)
        return found


Guard = Callable[..., Any]
"""`(writer, args, y)` gives a scalar that is true where plain Python raises; None if there is no such case."""

ELEMENTARY: dict[Any, tuple[Elementary, Guard | None]] = {}
"""By the functions that programs call."""


def _known(fn: Elementary, *functions: Any, guard: Guard | None = None) -> Elementary:
    for function in functions:
        ELEMENTARY[function] = fn, guard
    return fn


def _same(name: str, text: str, kind: str, function: Any, *others: Any, ruled: Any = None) -> Elementary:
    """A function that is the same for arrays; `ruled` if it has a derivative."""
    return _known(Elementary(name, text, kind, function, ruled), function, *others)


def _smooth(name: str, text: str, function: Any, *others: Any) -> Elementary:
    return _same(name, text, "=", function, *others, ruled=function)


# ---- arithmetic


def _zero_divisor(w: Any, args: Any, y: Any) -> Any:
    return w.op(EQ, args[1], 0)


ADD = _smooth("add", "{0} + {1}", operator.add, np.add)
PLUS = Elementary("plus", "plus({0}, {1})", "f", operator.add, operator.add)
"""A term more of a sum whose order is free."""
SUB = _smooth("sub", "{0} - {1}", operator.sub, np.subtract)
MUL = _smooth("mul", "{0} * {1}", operator.mul, np.multiply)
NEG = _smooth("neg", "-{0}", operator.neg, np.negative)
POS = _smooth("pos", "+{0}", operator.pos, np.positive)
DIV = Elementary("truediv", "{0} / {1}", "f", operator.truediv, operator.truediv)
QUOTIENT = Elementary("quotient", "{0} / {1}", "f", operator.truediv, np.true_divide)
"""Of entries of arrays, where a divisor may be 0."""
FLOORDIV = Elementary("floordiv", "{0} // {1}", "=", operator.floordiv)
MOD = Elementary("mod", "{0} % {1}", "=", operator.mod, operator.mod)
_known(DIV, operator.truediv, guard=_zero_divisor)
_known(QUOTIENT, np.true_divide)
_known(FLOORDIV, operator.floordiv, np.floor_divide, guard=_zero_divisor)
_known(MOD, operator.mod, np.remainder, guard=_zero_divisor)
ABS = _known(Elementary("abs", "abs({0})", "=", abs, operator.abs), abs, operator.abs)
SIZE = _known(Elementary("abs", "abs({0})", "=", np.abs, np.abs), np.abs)
for _fabs in (math.fabs, np.fabs):
    _known(Elementary("fabs", "math.fabs({0})", "f", math.fabs, _fabs), _fabs)
OF_ENTRIES = {DIV: QUOTIENT, ABS: SIZE}
"""What has another rule for entries of arrays than for numbers of Python's."""

# ---- tests

EQ = _same("eq", "{0} == {1}", "b", operator.eq, np.equal)
NE = _same("ne", "{0} != {1}", "b", operator.ne, np.not_equal)
LT = _same("lt", "{0} < {1}", "b", operator.lt, np.less)
LE = _same("le", "{0} <= {1}", "b", operator.le, np.less_equal)
GT = _same("gt", "{0} > {1}", "b", operator.gt, np.greater)
GE = _same("ge", "{0} >= {1}", "b", operator.ge, np.greater_equal)
NOT = _same("not", "not {0}", "b", operator.not_, np.logical_not)
AND = Elementary("and", "{0} and {1}", "b", lambda a, b: a and b)
OR = Elementary("or", "{0} or {1}", "b", lambda a, b: a or b)
ISNAN = _same("isnan", "math.isnan({0})", "b", math.isnan, np.isnan)
ISINF = _same("isinf", "math.isinf({0})", "b", math.isinf, np.isinf)
ISFINITE = _same("isfinite", "math.isfinite({0})", "b", math.isfinite, np.isfinite)

# ---- choices and conversions

SELECT = Elementary("select", "{1} if {0} else {2}", "?", lambda c, a, b: a if c else b)
STOP = Elementary("stop", "({0})", "=", lambda x: x)
"""Its argument, as a constant."""
LINK = Elementary("link", "({0})", "f", lambda value, carrier: value)
"""The first argument, with the derivative of the second."""
FLOAT = Elementary("float", "float({0})", "f", float)
INT = Elementary("int", "int({0})", "i", int)
BOOL = Elementary("bool", "{0} != 0", "b", bool)
MAXIMUM = _smooth("maximum", "maximum({0}, {1})", np.maximum)
MINIMUM = _smooth("minimum", "minimum({0}, {1})", np.minimum)
SIGN = _same("sign", "np.sign({0})", "=", np.sign)
for _name in ("floor", "ceil", "trunc"):
    _same(_name, f"np.{_name}({{0}})", "f", getattr(np, _name))
RINT = _same("rint", "np.rint({0})", "f", np.rint)
_known(Elementary("floor", "int(math.floor({0}))", "i", math.floor), math.floor)
_known(Elementary("ceil", "int(math.ceil({0}))", "i", math.ceil), math.ceil)

# ---- functions of mathematics


def _negative(w: Any, args: Any, y: Any) -> Any:
    return w.op(LT, args[0], 0.0)


def _not_positive(w: Any, args: Any, y: Any) -> Any:
    return w.op(LE, args[0], 0.0)


def _infinite(w: Any, args: Any, y: Any) -> Any:
    return w.op(ISINF, args[0])


def _overflow(w: Any, args: Any, y: Any) -> Any:
    return w.op(ISINF, y)


def _not_finite(w: Any, args: Any, y: Any) -> Any:
    return w.op(NOT, w.op(ISFINITE, y))


def _beyond_one(w: Any, args: Any, y: Any) -> Any:
    return w.op(GT, w.op(ABS, args[0]), 1.0)


def _below_one(w: Any, args: Any, y: Any) -> Any:
    return w.op(LT, args[0], 1.0)


def _from_one_on(w: Any, args: Any, y: Any) -> Any:
    return w.op(GE, w.op(ABS, args[0]), 1.0)


def _up_to_minus_one(w: Any, args: Any, y: Any) -> Any:
    return w.op(LE, args[0], -1.0)


def _function(name: str, of_numpy: Any, guard: Guard | None = None) -> Elementary:
    """A function that `math` and NumPy have."""
    plain = getattr(math, name)
    fn = Elementary(name, f"math.{name}({{0}})", "f", plain, of_numpy, dear=True)
    own = Elementary(name, fn.text, "f", plain, plain, dear=True)
    _known(own, plain, guard=guard)
    return _known(fn, of_numpy)


EXP = _function("exp", np.exp, _overflow)
LOG = _function("log", np.log, _not_positive)
SQRT = _function("sqrt", np.sqrt, _negative)
for _name, _of_numpy, _guard in (
    ("sin", np.sin, _infinite), ("cos", np.cos, _infinite), ("tan", np.tan, _infinite),
    ("asin", np.arcsin, _beyond_one), ("acos", np.arccos, _beyond_one), ("atan", np.arctan, None),
    ("sinh", np.sinh, _overflow), ("cosh", np.cosh, _overflow), ("tanh", np.tanh, None),
    ("asinh", np.arcsinh, None), ("acosh", np.arccosh, _below_one), ("atanh", np.arctanh, _from_one_on),
    ("expm1", np.expm1, _overflow), ("log1p", np.log1p, _up_to_minus_one),
    ("log2", np.log2, _not_positive), ("log10", np.log10, _not_positive),
):  # fmt: skip
    _function(_name, _of_numpy, _guard)
ERF = _known(Elementary("erf", "math.erf({0})", "f", math.erf, math.erf, dear=True), math.erf)
ERFC = _known(Elementary("erfc", "math.erfc({0})", "f", math.erfc, math.erfc, dear=True), math.erfc)
for _cbrt in (np.cbrt, math.cbrt):
    _known(Elementary("cbrt", "np.cbrt({0})", "f", _cbrt, _cbrt, dear=True), _cbrt)
_known(Elementary("exp2", "np.exp2({0})", "f", math.exp2, math.exp2, dear=True), math.exp2, guard=_overflow)
_known(Elementary("fmod", "np.fmod({0}, {1})", "f", math.fmod, math.fmod), math.fmod, guard=_zero_divisor)
for _ufunc in (np.fmax, np.fmin, np.fmod, np.logaddexp2):
    _known(Elementary(_ufunc.__name__, f"np.{_ufunc.__name__}({{0}}, {{1}})", "f", _ufunc, _ufunc), _ufunc)
_known(Elementary("exp2", "np.exp2({0})", "f", np.exp2, np.exp2, dear=True), np.exp2)
_known(Elementary("logaddexp", "np.logaddexp({0}, {1})", "f", np.logaddexp, np.logaddexp, dear=True), np.logaddexp)
_ATAN2 = "math.atan2({0}, {1})"
_known(Elementary("atan2", _ATAN2, "f", math.atan2, math.atan2, dear=True), math.atan2)
_known(Elementary("atan2", _ATAN2, "f", math.atan2, np.arctan2, dear=True), np.arctan2)
for _hypot, _sign in ((np.hypot, np.copysign), (math.hypot, math.copysign)):
    _known(Elementary("hypot", "math.hypot({0}, {1})", "f", math.hypot, _hypot), _hypot)
    _known(Elementary("copysign", "math.copysign({0}, {1})", "f", math.copysign, _sign), _sign)
_known(Elementary("square", "{0} * {0}", "=", np.square, np.square), np.square)
for _function_of_numbers, _ruled, _name in (
    (functions.sinc, np.sinc, "sinc"), (functions.digamma, functions.digamma, "digamma"),
    (math.gamma, math.gamma, "math.gamma"), (math.lgamma, math.lgamma, "math.lgamma"),
):  # fmt: skip
    _of_number = Elementary(_name, f"{_name}({{0}})", "f", _function_of_numbers, _ruled, dear=True)
    _known(_of_number, _ruled, guard=_not_finite if _ruled in (math.gamma, math.lgamma) else None)
_known(
    Elementary("polygamma", "polygamma({0}, {1})", "f", functions.polygamma, functions.polygamma, dear=True),
    functions.polygamma,
)
POW = Elementary("pow", "{0} ** {1}", "f", operator.pow, np.power, dear=True)
"""Of floats, by a float; whole powers are products."""

CONVERSIONS: dict[Any, Elementary] = {
    builtins.float: FLOAT, builtins.int: INT, builtins.bool: BOOL, np.float64: FLOAT, np.int64: INT, np.bool_: BOOL,
    math.trunc: INT,
}  # fmt: skip


CHEAP = (ADD, SUB, MUL, MAXIMUM, MINIMUM, SELECT, LT, LE, GT, GE, EQ, NE, AND, OR, NOT)
"""What never fails and costs next to nothing, and may thus be computed where nobody needs it."""

"""Elementwise functions of lists and tuples, of which NumPy makes arrays: the cotangents are lists and tuples again."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import operator
from typing import Any

import numpy as np

from ..registry import Back, find_rules, rule
from .lifting import lifted
from .linear import nested


def _call_of(f: Any) -> Any:
    """The rule that `f` has for arrays."""
    rules = find_rules(f)
    assert rules is not None
    return next(method.call for method in rules.methods if method.partials is not None)


def _unary_on_sequences(f: Any) -> None:
    call = _call_of(f)

    def sequence_rule(x):
        return call(x)

    rule(f)(lifted(sequence_rule, list | tuple))


def _binary_on_sequences(f: Any, array: Any = object) -> None:
    call = _call_of(f)
    for first, second in ((list | tuple, array), (array, list | tuple), (list | tuple, list | tuple)):
        if array is object or array in (first, second):
            rule(f)(_sequences_rule(call, first, second))


def _sequences_rule(call: Any, first: Any, second: Any) -> Any:
    def sequences_rule(a: Any, b: Any) -> tuple[Any, Back]:
        left = np.asarray(a) if isinstance(a, list | tuple) else a
        y, back = call(left, np.asarray(b) if isinstance(b, list | tuple) else b)

        def sequences_back(y_bar: Any) -> tuple[Any, ...]:
            a_bar, b_bar = back(y_bar)
            return (
                nested(a_bar, a) if isinstance(a, list | tuple) else a_bar,
                nested(b_bar, b) if isinstance(b, list | tuple) else b_bar,
            )

        return y, sequences_back

    sequences_rule.__annotations__ = {"a": first, "b": second}
    return sequences_rule


UNARY: tuple[Any, ...] = (
    np.positive, np.negative, np.square, np.reciprocal, np.sqrt, np.cbrt, np.exp, np.exp2, np.expm1, np.log,
    np.log2, np.log10, np.log1p, np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.sinh, np.cosh, np.tanh,
    np.arcsinh, np.arccosh, np.arctanh, np.deg2rad, np.radians, np.rad2deg, np.degrees, np.sinc, np.abs, np.fabs,
    np.real, np.imag, np.i0,
)  # fmt: skip
BINARY: tuple[Any, ...] = (
    np.add, np.subtract, np.multiply, np.true_divide, np.remainder, np.fmod, np.power, np.float_power, np.logaddexp,
    np.logaddexp2, np.arctan2, np.hypot, np.copysign, np.maximum, np.minimum, np.fmax, np.fmin,
    np.heaviside, np.nextafter,
)  # fmt: skip

OPERATORS: tuple[Any, ...] = (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.mod, operator.pow,
)  # fmt: skip

for _f in UNARY:
    _unary_on_sequences(_f)
for _f in BINARY:
    _binary_on_sequences(_f)
for _f in OPERATORS:
    _binary_on_sequences(_f, np.ndarray)

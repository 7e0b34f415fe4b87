"""Operators as they are written, and how tightly they bind."""

from __future__ import annotations

import operator

from ..ir import intrinsics as ir
from .names import BITAND, BITOR, BITXOR, COMPARE, POWER, PRODUCT, SHIFT, SUM

BINARY_LEVEL = {
    "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "//": PRODUCT, "%": PRODUCT, "@": PRODUCT, "**": POWER,
    "<<": SHIFT, ">>": SHIFT, "&": BITAND, "|": BITOR, "^": BITXOR,
}  # fmt: skip
BINARY = {
    operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/", operator.floordiv: "//",
    operator.mod: "%", operator.matmul: "@", operator.pow: "**", operator.lshift: "<<", operator.rshift: ">>",
    operator.and_: "&", operator.or_: "|", operator.xor: "^",
}  # fmt: skip
COMPARISONS = {
    operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=", operator.eq: "==", operator.ne: "!=",
    operator.is_: "is", operator.is_not: "is not",
}  # fmt: skip
UNARIES = {operator.neg: "-", operator.pos: "+", operator.invert: "~"}
SYMBOLS = {id(function): (symbol, BINARY_LEVEL[symbol]) for function, symbol in BINARY.items()}
SYMBOLS |= {id(function): (symbol, COMPARE) for function, symbol in COMPARISONS.items()}
PREFIX = {id(function): symbol for function, symbol in UNARIES.items()}
NEGATED = {
    id(operator.is_): "is not",
    id(operator.is_not): "is",
    id(operator.contains): "not in",
    id(ir.not_contains): "in",
}

"""Operations on the bits of integers; on flags they are those of logic."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .. import arrays
from ..elementary import ABS, AND, FLOAT, GE, GT, LT, MINIMUM, NE, NOT, OR, POW, Elementary
from ..kernel import Atom
from ..lower import Lower
from ..values import CannotCompile, Value, is_number
from .calls import MEANINGS, entrywise, kind_of, means
from .scalars import LARGEST

BITS = {
    operator.and_: (Elementary("bit_and", "({0} & {1})", "i", operator.and_), AND, np.bitwise_and),
    operator.or_: (Elementary("bit_or", "({0} | {1})", "i", operator.or_), OR, np.bitwise_or),
    operator.xor: (Elementary("bit_xor", "({0} ^ {1})", "i", operator.xor), NE, np.bitwise_xor),
}
COMPLEMENT = Elementary("complement", "(-1 - {0})", "i", operator.invert)
LEFT = Elementary("lshift", "({0} << {1})", "i", operator.lshift)
RIGHT = Elementary("rshift", "({0} >> {1})", "i", operator.rshift)


def _of_bits(on_integers: Elementary, on_flags: Elementary) -> Any:
    def of_bits(lower: Lower, a: Value, b: Value) -> Value:
        w = lower.w
        kinds = {kind_of(lower, a), kind_of(lower, b)}
        if "f" in kinds:
            raise CannotCompile("operations on the bits of floats")
        kind, fn = ("b", on_flags) if kinds == {"b"} else ("i", on_integers)

        def one(x: Atom, y: Atom) -> Atom:
            return w.op(fn, w.as_kind(x, kind), w.as_kind(y, kind))

        return one(a, b) if is_number(a) and is_number(b) else arrays.elementwise(w, one, [a, b], kind)

    return of_bits


for _plain, (_on_integers, _on_flags, _of_numpy) in BITS.items():
    MEANINGS[_plain] = MEANINGS[_of_numpy] = _of_bits(_on_integers, _on_flags)


@means(operator.invert, np.invert)
def inverted(lower: Lower, a: Value) -> Value:
    """Flags the other way round, or -1 - a."""
    if kind_of(lower, a) == "f":
        raise CannotCompile("operations on the bits of floats")
    return entrywise(lower, (NOT if kind_of(lower, a) == "b" else COMPLEMENT, None), [a])


@means(operator.lshift)
def left(lower: Lower, a: Value, n: Value) -> Value:
    """a·2ⁿ of numbers; what Python raises at, and what 64 bits do not hold, is left to it."""
    w = lower.w
    a, n = integers(lower, a, n)
    w.check(w.op(LT, n, 0))
    w.check(w.op(GT, n, 62))
    w.check(w.op(GE, w.mul(w.op(ABS, w.op(FLOAT, a)), w.op(POW, 2.0, w.op(FLOAT, n))), LARGEST))
    return w.op(LEFT, a, n)


@means(operator.rshift)
def right(lower: Lower, a: Value, n: Value) -> Value:
    """a / 2ⁿ, rounded down, of numbers."""
    w = lower.w
    a, n = integers(lower, a, n)
    w.check(w.op(LT, n, 0))
    return w.op(RIGHT, a, w.op(MINIMUM, n, 63))


def integers(lower: Lower, *xs: Value) -> list[Atom]:
    """Numbers as integers."""
    if not all(is_number(x) and x.kind != "f" for x in xs):
        raise CannotCompile("shifts of the bits of arrays")
    return [lower.w.as_kind(x, "i") for x in xs]

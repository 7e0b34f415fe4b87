"""Generators of random numbers: those that a program makes of numbers are its own, and a second run makes them anew."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..ir import intrinsics
from ..ir.nodes import Call, Const, Star
from ..ir.types import Fn, Inert, Scalar, Type
from ..ops.draws import DRAWING
from .infer import type_of
from .uses import is_call_of

_MAKING = (np.random.default_rng, np.random.RandomState, random.Random)


def makes_generator(s: Any) -> bool:
    """Tell whether a statement makes a generator of numbers, and of nothing that is there already."""
    if not isinstance(s, Call) or s.how is not None or not isinstance(s.fn, Const):
        return False
    given = (*s.args, *(v for _, v in s.kwargs))
    making = any([s.fn.value is make for make in _MAKING])
    return making and not any([isinstance(a, Star) or not isinstance(type_of(a), Scalar) for a in given])


def takes_generator(values: Sequence[Any]) -> bool:
    """Tell whether there is a generator among a function and its arguments, or what functions among these hold."""
    return any([_is_of_generator(type_of(a)) for a in values if not isinstance(a, Star)])


def _is_of_generator(t: Type) -> bool:
    return isinstance(t, Inert) and t.cls in DRAWING or isinstance(t, Fn) and any(map(_is_of_generator, t.parts))


def holds_own(made: Mapping[Any, Any], a: Any) -> bool:
    """Tell whether a value is such a generator, or a function that captures one; `made` has the statements."""
    s: Any = made.get(a)
    if is_call_of(s, (intrinsics.make_function,)):
        return any([holds_own(made, held) for held in s.args[2:]])
    return makes_generator(s)

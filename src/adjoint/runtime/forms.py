"""The untyped IR of functions, in the forms in which they are written out where they are called."""

from __future__ import annotations

import types
from typing import Any

from ..frontend import lower_code
from ..identity import IdentityMap
from ..ir.nodes import Const, Function
from ..rules.registry import check_rule_came_along
from ..transforms.thrown import THROWS
from .generated import generated_ir
from .spec import ORIGINALS, lowered

_GENERATORS: dict[Any, IdentityMap[Function]] = {}
"""Generators by their forms: whether their receiver leaves them, how many of them stand within each other, whether they
manage what is around, and whether they step."""
_THROWING: IdentityMap[Function] = IdentityMap()


def lowered_in_form(function: types.FunctionType, *form: Any) -> Function:
    """The untyped IR of a function; of a generator in a form that `lowered_generator` says."""
    if form == THROWS:
        return lowered_throwing(function)
    return lowered_generator(function, *form) if form else lowered(function)


def lowered_generator(
    function: types.FunctionType, leaves: bool, within: int, manages: bool = False, steps: bool = False
) -> Function:
    """The untyped IR of a generator function, in which each `yield` is a call; if its receiver `leaves` it, one that
    tells so. One `within` so many of itself has variables of its own; one that `manages` may wait within `try`. Of a
    `__next__` that `steps`, the IR that says whether there is nothing more."""
    code, known = function.__code__, _GENERATORS.setdefault((leaves, within, manages, steps), IdentityMap())
    found = known.get(code)
    if found is None:
        check_rule_came_along(function)
        forms = {"generator": not steps, "leaves": leaves, "manages": manages, "steps": steps}
        found = known[code] = lower_code(code, function.__globals__, None, **forms)
    return found


def lowered_throwing(function: types.FunctionType) -> Function:
    """The untyped IR of a function that gives the exceptions which it makes behind its result, if its text says that it
    may make any."""
    code = function.__code__
    if generated_ir(code) is not None or ORIGINALS.get(code) is not None:
        return lowered(function)
    found = _THROWING.get(code)
    if found is None:
        check_rule_came_along(function)
        found = lower_code(code, function.__globals__, throws=True)
        throws = [a for a in found.body.results[1:2] if not isinstance(a, Const) or a.value]
        found = _THROWING[code] = found if throws else lowered(function)
    return found

"""Derivatives of programs, as programs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..depth import with_room
from ..ir.nodes import Block, Function
from ..transforms.nested import without_own_bar
from ..transforms.simplify import substitute
from .checking import check_program
from .making import spec_for, typed_for, with_signature_of
from .program import Program


@with_room
def reverse_differentiate(program: Program, /, *args: Any, **kwargs: Any) -> Program:
    """The program of `(y, back)`, for the types of these arguments.

    Parameters
    ----------
    program : a program.
    args, kwargs : arguments, or types alone, as in `of`; without any, those of the program, or any types.

    Returns
    -------
    A program of the same parameters and the same signature; `.python` is its text. ``back(ȳ)`` gives the cotangent of
    the function itself and of each parameter. That of the function is None, or a `Tangent` of what a closure captures:
    then the text has the function as its first parameter, and `adjoint.ir.function` hands it over.

    Raises
    ------
    AdjointError
        Where something cannot be differentiated in its structure; it says where and what to do.

    Examples
    --------
    >>> import math
    >>> from adjoint import ir
    >>> def f(x): return math.sin(x) * x
    >>> print(ir.reverse_differentiate(ir.of(f), float).python)
    def f_rrule(x):
        t1 = math.sin(x)
        def f_pullback(y_bar):
            t2 = y_bar * x
            x_bar = y_bar * t1
            return None, x_bar + t2 * math.cos(x)
        return t1 * x, f_pullback
    <BLANKLINE>
    """
    check_program("reverse_differentiate", program)
    of_what, flat = typed_for(program, args, kwargs)
    ir = spec_for(of_what, flat).ir
    assert ir is not None
    if len(ir.params) > len(program.params):
        ir, flat = _of_the_original(ir), flat[1:]
    return Program(with_signature_of(ir, program), program.own, flat).copy


def _of_the_original(ir: Function) -> Function:
    """The program of `(y, back)` of what was loaded, whose first argument is the original, as that of the original."""
    loaded, own, *rest = ir.params
    body = substitute(without_own_bar(ir).body, {loaded: own})
    return replace(ir, body=Block((own, *rest), body.statements, body.results))

"""Derivatives of programs, as programs."""

from __future__ import annotations

from typing import Any

from .checking import check_program
from .making import spec_for, typed_for, with_signature_of
from .program import Program


def reverse_differentiate(program: Program, /, *args: Any, **kwargs: Any) -> Program:
    """The program of `(y, back)`, for the types of these arguments.

    Parameters
    ----------
    program : a program.
    args, kwargs : arguments, or types alone, as in `of`; without any, those of the program, or any types.

    Returns
    -------
    A program of the same parameters; `.python` is its text. ``back(ȳ)`` gives the cotangent of the function itself and
    of each parameter.

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
    made, flat = typed_for(program, args, kwargs)
    ir = spec_for(made, flat).ir
    assert ir is not None
    if len(ir.params) > len(program.params):  # the function object is the first argument of what is loaded
        return Program(ir, made, flat).copy
    return Program(with_signature_of(ir, program), program.own, flat).copy

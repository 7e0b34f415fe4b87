"""Programs of derivatives that stand in programs: gradients, derivatives in forward mode, and their tangents."""

from __future__ import annotations

import types
from typing import Any

from ..errors import AdjointError
from ..ir.types import Fn, Type
from ..rules.registry import find_rules
from ..transforms.context import Context
from ..transforms.nested import gradient_program, shares
from .frules import derivative_of
from .generation import GRADIENTS, Generation
from .spec import Spec, compiled, lowered
from .typeof import function_of, typeof


def gradient(
    self: Generation,
    context: Context,
    function: Any,
    arg_types: tuple[Type, ...],
    needs: tuple[bool, ...],
    component: int | None,
) -> tuple[Any, bool] | None:
    """The program of a function's gradient, and whether it takes the function object; None if there is none."""
    function = function_of(function) if isinstance(function, Fn) else function
    spec = _followed(self, function, arg_types, needs)
    if spec is None or spec.ir is None:
        return None
    context.caller.uses.add(spec)
    if component not in spec.programs:
        program, _ = compiled(spec, gradient_program(spec.ir, spec.name, component, _shares(spec)), releases=True)
        spec.programs[component] = program
        GRADIENTS[program.__code__] = (function, needs, component, spec.takes_self), spec
    return spec.programs[component], spec.takes_self


def _followed(
    generation: Generation, function: types.FunctionType, arg_types: tuple[Type, ...], needs: tuple[bool, ...]
) -> Spec | None:
    """The rule of a function that a derivative is of, for arguments in the order of its parameters."""
    try:
        ir = lowered(function)
        if ir.signature.varargs or ir.signature.varkw or ir.signature.kwonly or len(ir.params) != len(arg_types):
            return None  # defaults, or arguments by name: they are bound at run time
        spec = generation.spec(function, arg_types, needs)
    except AdjointError:
        return None
    return spec if spec.done else None


def _shares(spec: Spec) -> bool:
    """Tell whether the reverse of a program may touch cotangents that others see."""
    return any(part.primal is None or shares(part.primal, find_rules) for part in spec.all())


def derivative(
    self: Generation, context: Context, function: Any, arg_types: tuple[Type, ...], order: int
) -> tuple[Any, bool] | None:
    """The program of a function's derivative by its first argument, a number, and whether it takes the function object;
    None if there is none."""
    function = function_of(function) if isinstance(function, Fn) else function
    spec = _followed(self, function, arg_types, (False, *[i == 0 for i in range(len(arg_types) - 1)]))
    program = None if spec is None else derivative_of(spec)
    if spec is None or program is None:
        return None
    context.caller.uses.add(spec)
    if order == 1 or spec.takes_self:
        return (program, spec.takes_self) if order == 1 else None
    return derivative(self, context, program, (typeof(program), *arg_types[1:]), order - 1)


Generation.gradient, Generation.derivative = gradient, derivative

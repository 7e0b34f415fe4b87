"""Programs as functions: what is built or edited is called, differentiated and pickled as what a person wrote."""

from __future__ import annotations

import inspect
from typing import Any

from ..depth import with_room
from ..ir.verification import verify
from ..rules.knots import call_pullback
from ..rules.numpy.callables import PROGRAMS
from ..rules.registry import Back, non_differentiable, rule
from ..runtime.binding import Layout, bind, gathered, lay_out
from ..runtime.spec import reads_self
from ..tangents import tangent
from ..wrappers import PLAIN, TRANSPARENT
from .checking import check_program
from .loading import loaded, signature_of
from .program import Program

Values = tuple[Any, ...]


@with_room
def function(program: Program) -> ProgramFunction:
    """A program as a function of its parameters.

    Parameters
    ----------
    program : one that `of` gave, that was built by hand, or that a pass made of these.

    Returns
    -------
    A function with the name, signature and defaults of the original; it can be differentiated, and pickled if what the
    program refers to can. Of a program for certain types, each call asks whether its arguments are of these: of a list
    or dict, all items, which takes 2 ms for 100,000 floats. One for any types asks nothing.

    Raises
    ------
    VerificationError
        If the program is not well formed.
    StructureError
        When called, if the program is for certain types, and the arguments are of others.

    Examples
    --------
    >>> import math
    >>> from adjoint import grad, ir
    >>> def f(x): return x * math.sin(x)
    >>> turned = ir.function(ir.replace_calls(ir.of(f, 1.0), {math.sin: math.cos}))
    >>> turned(0.5) == 0.5 * math.cos(0.5)
    True
    >>> round(grad(turned)(0.5), 6) == round(math.cos(0.5) - 0.5 * math.sin(0.5), 6)
    True
    """
    check_program("function", program)
    verify(program.function)
    return PlainFunction(program) if is_plain(program) else ProgramFunction(program)


def is_plain(program: Program) -> bool:
    """True if a program reads nothing of its function object, and has a signature of the kind ``(a, b=default)``: then
    it is what its Python function is."""
    signature = signature_of(program.function)
    return signature.positional == len(signature.names) and not signature.posonly and not reads_self(program.function)


class ProgramFunction:
    """A function whose program is data."""

    _static_ = ("_held", "_loaded")

    def __init__(self, program: Program) -> None:
        self.program = program = program.copy
        own = program.own
        self.__name__ = self.__qualname__ = program.name
        self.__doc__ = getattr(own, "__doc__", None)
        self.__module__ = getattr(own, "__module__", None) or type(self).__module__
        self._loaded = loaded(program)
        self._loaded.__defaults__ = getattr(own, "__defaults__", None)
        self._held = (own,) if reads_self(program.function) else ()  # the first argument of what is loaded
        self.__signature__ = inspect.signature(self._loaded if own is None else own)

    def __reduce__(self) -> Any:
        return type(self), (self.program,)

    def __repr__(self) -> str:
        return f"<function of the program of {self.__name__}>"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self._loaded(*self._held, *bound(self.program, self._loaded, args, kwargs)[0])


class PlainFunction(ProgramFunction):
    """One that passes a call on as it is."""

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self._loaded(*args, **kwargs)


TRANSPARENT[PlainFunction] = PLAIN[PlainFunction] = "_loaded"


def bound(program: Program, default: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Values, Layout]:
    """The values of the parameters for a call, and how they are laid out; `default` is the function of a program that
    is of none."""
    return bind(_bound_by(program, default), signature_of(program.function), args, kwargs)


def _bound_by(program: Program, default: Any) -> Any:
    """The function whose defaults complete a call."""
    return default if program.own is None else program.own


def _layout(program: Program, default: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Layout:
    """Layout of the values of a call."""
    return bound(program, default, args, kwargs)[1]


non_differentiable(_layout, _bound_by)


@rule(ProgramFunction.__call__, calls=True)
def program_function_rule(self: ProgramFunction, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """Its derivative is that of its program."""
    flat, layout = bound(self.program, self._loaded, args, kwargs)
    held = self._held
    y, back = call_pullback(self._loaded, *held, *flat)

    def own_back(y_bar: Any) -> Any:
        bars = back(y_bar)
        own_bar = bars[1] if held else None
        if own_bar is not None:
            own_bar = tangent(self, ("program",), tangent(self.program, ("own",), own_bar))
        return (own_bar, *bars[1 + len(held) :])

    return y, gathered(layout, self._loaded, own_back)


def recorded_call(self: ProgramFunction, /, *args: Any, **kwargs: Any) -> Any:
    """The call that is recorded, where the program changes what others can see."""
    layout = _layout(self.program, self._loaded, args, kwargs)
    flat = lay_out(layout, _bound_by(self.program, self._loaded), (*args, *kwargs.values()))
    return self._loaded(self.program.own, *flat) if self._held else self._loaded(*flat)


PROGRAMS[ProgramFunction.__call__] = recorded_call

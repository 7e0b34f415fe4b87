"""Programs as functions: what is built or edited is called, differentiated and pickled as what a person wrote."""

from __future__ import annotations

import inspect
import itertools
import linecache
import re
import textwrap
import types
import weakref
from dataclasses import replace
from typing import Any

from ..codegen import emit
from ..errors import StructureError, calling_place
from ..ir.intrinsics import check
from ..ir.nodes import Block, Call, Const, Function, Signature, Var
from ..ir.types import UNKNOWN, Type
from ..ir.verification import verify
from ..rules.knots import call_pullback
from ..rules.registry import Back, rule
from ..runtime.binding import Layout, bind, gathered
from ..runtime.spec import reads_self, remember_lowered
from ..runtime.typeof import typeof
from ..tangents import tangent
from ..wrappers import TRANSPARENT
from .checking import check_program
from .copying import copied
from .kinds import kind_of_value, lies_within, words_of
from .program import Program

Values = tuple[Any, ...]
_numbers = itertools.count(1)


def function(program: Program) -> ProgramFunction:
    """A program as a function of its parameters.

    Parameters
    ----------
    program : one that `of` gave, that was built by hand, or that a pass made of these.

    Returns
    -------
    A function with the name, signature and defaults of the original; it can be differentiated, and pickled if what the
    program refers to can.

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


class IsOf:
    """Asks whether an argument is of the type that a program is for."""

    def __init__(self, program: Program, name: str, t: Type) -> None:
        self.function, self.for_any = program.name, program.for_any
        self.name, self.type = name, t

    def holds_of(self, t: Type) -> bool:
        """True if all values of a type are of this one."""
        return lies_within(t, self.type)

    def __call__(self, value: Any) -> None:
        if not self.holds_of(found := typeof(value)):
            raise StructureError(
                f"the program of `{self.function}` is not for `{self.name}={value!r}`",
                f"it was made for {words_of(self.type)}, and that is {kind_of_value(value, found)}",
                f"make one for such arguments, or take that for any: {self.for_any}",
                calling_place(),
            )


def asking(program: Program) -> Function:
    """A program that first asks whether its arguments are of the types that it is for."""
    function, types = copied(program.function), program.types or ()
    tests = [
        Call((), Const(check), (param, Const(IsOf(program, param.name, t), "test")))
        for param, t in zip(function.params[1:], types, strict=False)
        if t != UNKNOWN
    ]
    body = function.body
    return replace(function, body=Block(body.params, (*tests, *body.statements), body.results)) if tests else function


class PlainFunction(ProgramFunction):
    """One that passes a call on as it is."""

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self._loaded(*args, **kwargs)


TRANSPARENT[PlainFunction] = "_loaded"


def bound(program: Program, default: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Values, Layout]:
    """The values of the parameters for a call, and how they are laid out; `default` is the function of a program that
    is of none."""
    return bind(default if program.own is None else program.own, signature_of(program.function), args, kwargs)


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


def signature_of(function: Function) -> Signature:
    """The signature of a program; of what was built by hand without one, its parameters by position."""
    if function.signature.names or len(function.params) == 1:
        return function.signature
    names = tuple([param.name or f"x{i}" for i, param in enumerate(function.params[1:], start=1)])
    return Signature(names, len(names), len(names))


def loaded(program: Program) -> types.FunctionType:
    """The Python function of a program, whose source is that text; what is differentiated is the program itself."""
    ir = asking(program)
    holds = reads_self(ir)
    emitted = emit(ir, drop_self=not holds)
    name = emitted.name
    while re.search(rf"\b{name}\b", emitted.text.partition("\n")[2]) or name in emitted.links:
        name += "_"  # the body means something else by it
    if name != emitted.name:
        emitted = emit(ir, name=name, drop_self=not holds)
    filename = f"<adjoint ir {program.name} {next(_numbers)}>"
    text = f"def factory({', '.join(emitted.links)}):\n{textwrap.indent(emitted.text, '    ')}    return {name}\n"
    module = compile(text, filename, "exec", dont_inherit=True)
    factory = next(c for c in module.co_consts if isinstance(c, types.CodeType))
    scope = getattr(program.own, "__globals__", None)
    made: types.FunctionType = types.FunctionType(factory, {} if scope is None else scope)(*emitted.links.values())
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    weakref.finalize(made.__code__, linecache.cache.pop, filename, None).atexit = False
    remember_lowered(made.__code__, _flat(ir, holds))
    return made


def _flat(ir: Function, holds: bool) -> Function:
    """A program with one argument by position for each parameter, and for the function object, if it `holds` that."""
    names, params = signature_of(ir).names, ir.params
    if holds:
        names, params = ("own", *names), (Var(ir.name), *params)
    body = Block(params, ir.body.statements, ir.body.results)
    return Function(ir.name, body, Signature(names, 0, len(names)), ir.filename, ir.firstline)

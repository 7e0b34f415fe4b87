"""The Python functions of programs as data, and of the functions that these make."""

from __future__ import annotations

import itertools
import linecache
import re
import textwrap
import types
import weakref
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ..codegen import Emitted, emit
from ..depth import with_room
from ..errors import StructureError, calling_place
from ..ir.intrinsics import Template, check
from ..ir.nodes import Block, Call, Const, Function, Signature, Statement, Var
from ..ir.types import UNKNOWN, Array, Type
from ..runtime.spec import reads_self, remember_lowered
from ..runtime.typeof import typeof
from ..spelling import identifier, plain
from ..tangents.showing import cut
from .copying import are_alike, copied
from .given_up import as_run
from .kinds import classes_of, kind_of_value, lies_within, words_of
from .program import Program
from .resolving import resolved
from .rewriting import rewritten
from .templates import Scope, as_read, function_of, template_of, verify_all, with_inner

_numbers = itertools.count(1)


class IsOf:
    """Asks whether an argument is of the type that a program is for."""

    def __init__(self, program: Program, name: str, t: Type) -> None:
        self.function, self.for_any = program.name, program.for_any
        self.name, self.type = name, t
        self.classes = classes_of(t)
        """Those whose objects are all of the type."""
        self.dtype = np.dtype(t.dtype) if isinstance(t, Array) and t.scalar is False and t.dtype else None
        self.ndim = getattr(t, "ndim", None)

    def holds_of(self, t: Type) -> bool:
        """True if all values of a type are of this one."""
        return lies_within(t, self.type)

    def _is_such(self, array: np.ndarray) -> bool:
        """True if an array is of the type, without making its own."""
        if self.dtype is None:  # NumPy takes None for float64
            return False
        return array.dtype == self.dtype and array.dtype.isnative and self.ndim in (None, array.ndim)

    def __call__(self, value: Any) -> None:
        cls = type(value)
        if cls in self.classes or cls is np.ndarray and self._is_such(value):
            return
        if not self.holds_of(found := typeof(value)):
            raise StructureError(
                f"the program of `{self.function}` is not for `{self.name}{_given(value)}`",
                f"it was made for {words_of(self.type)}, and that is {kind_of_value(value, found)}",
                f"make one for such arguments, or take that for any: {self.for_any}",
                calling_place(),
            )


def _given(value: Any) -> str:
    """A number or a text as it is given for a parameter; of anything else nothing, which may be long."""
    literal = plain(value)
    return "" if literal is None else f"={cut(literal)}"


def tests_of(program: Program) -> list[IsOf | None]:
    """Questions, one for each argument, of the types that a program is for; None for one of any type."""
    pairs = zip(program.params[1:], program.types or (), strict=False)
    return [None if t == UNKNOWN else IsOf(program, param.name, t) for param, t in pairs]


def asking(program: Program) -> Function:
    """A program that first asks whether its arguments are of the types that it is for."""
    function = settled(program)
    pairs = zip(function.params[1:], tests_of(program), strict=False)
    tests = [Call((), Const(check), (param, Const(test, "test"))) for param, test in pairs if test is not None]
    body = function.body
    return replace(function, body=Block(body.params, (*tests, *body.statements), body.results)) if tests else function


def signature_of(function: Function) -> Signature:
    """The signature of a program; of what was built by hand without one, its parameters by position."""
    if function.signature.names or len(function.params) == 1:
        return function.signature
    names = tuple([param.name or f"x{i}" for i, param in enumerate(function.params[1:], start=1)])
    return Signature(names, len(names), len(names))


@with_room
def settled(program: Program) -> Function:
    """The program that runs and is differentiated, with nodes of its own: functions that it makes are of Python again,
    those that were changed too.

    Raises
    ------
    VerificationError
        If the program is not well formed.
    """
    verify_all(program.function)
    scope: Scope = getattr(program.own, "__globals__", {})

    def change(s: Statement) -> Statement:
        template = template_of(s)
        if template is None or template.program is None:
            return s
        inner, original = template.program, as_read(template, scope)
        if original is not None and (are_alike(inner, original) or are_alike(inner, resolved(original, scope))):
            return with_inner(s, None)
        return _making(s, template, inner, scope)

    return copied(rewritten(program.function, change))


def _making(s: Statement, template: Template, inner: Function, scope: Scope) -> Statement:
    """The statement that makes a function whose program was changed: one with the same parameters and captures, which
    calls that program. It captures the function of the program as the last."""
    assert isinstance(s, Call)
    captured = template.code.co_freevars
    run = f"{max(captured, default='')}_run"  # in the order of their names, as in all code
    while run in inner.signature.names:
        run += "_"
    code = _calling(run, template, inner)
    remember_lowered(code, inner)
    made = replace(template, code=code, cells=(*template.cells, False), program=None)
    own, *values = s.args[1:]
    value = Const(loaded(Program(inner, function_of(template, scope))))
    n = len(captured)
    return replace(s, args=(Const(made), own, *values[:n], value, *values[n:]))


def _calling(run: str, template: Template, inner: Function) -> types.CodeType:
    """Code that calls the function of a program by a name that it captures. What the program reads of its function
    object, it reads of one with the same cells."""
    captured = template.code.co_freevars
    held = ", ".join([*captured, "None"])
    own = captured[template.itself] if template.itself >= 0 else f"lambda: ({held})"
    given = [own] * reads_self(inner) + [*inner.signature.names]
    text = (
        f"def {identifier(inner.name)}({parameters_of(inner.signature)}):\n"
        f"    return {run}({', '.join(given)})\n"
        f"    {held}  # captured in any case\n"
    )
    filename = _filename(inner.name)
    factory, lines = _factory((*captured, run), text, filename)
    code = next(c for c in factory.co_consts if isinstance(c, types.CodeType))
    code = code.replace(co_qualname=template.code.co_qualname)
    _keep(lines, filename, code)
    return code


def _filename(name: str) -> str:
    return f"<adjoint ir {name} {next(_numbers)}>"


def _factory(links: Iterable[str], text: str, filename: str) -> tuple[types.CodeType, str]:
    """The code of a function that is given what a text names, and makes the function in it; and the whole text."""
    whole = f"def factory({', '.join(links)}):\n{textwrap.indent(text, '    ')}"
    module = compile(whole, filename, "exec", dont_inherit=True)
    return next(c for c in module.co_consts if isinstance(c, types.CodeType)), whole


def _keep(text: str, filename: str, code: types.CodeType) -> None:
    """Keep the text of code as long as that."""
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    weakref.finalize(code, linecache.cache.pop, filename, None).atexit = False


def parameters_of(signature: Signature) -> str:
    """The parameters of a signature as Python writes them, without their defaults.

    >>> parameters_of(Signature(("a", "b", "c", "rest", "more"), 1, 2, 1, True, True))
    'a, /, b, *rest, c, **more'
    """
    names = [*signature.names]
    more = [f"**{names.pop()}"] if signature.varkw else []
    rest = [f"*{names.pop()}"] if signature.varargs else ["*"] * bool(signature.kwonly)
    first = names[: signature.positional]
    if signature.posonly:
        first.insert(signature.posonly, "/")
    return ", ".join([*first, *rest, *names[signature.positional :], *more])


def emitted_apart(ir: Function, drop_self: bool) -> Emitted:
    """The text of a program under a name by which its body means nothing else."""
    emitted = emit(ir, drop_self=drop_self)
    name = emitted.name
    while re.search(rf"\b{name}\b", emitted.text.partition("\n")[2]) or name in emitted.links:
        name += "_"
    return emitted if name == emitted.name else emit(ir, name=name, drop_self=drop_self)


def of_text(program: Program, emitted: Emitted, filename: str) -> types.FunctionType:
    """The function of the text of a program, which is kept as that of a file."""
    factory, text = _factory(emitted.links, f"{emitted.text}return {emitted.name}\n", filename)
    scope = getattr(program.own, "__globals__", None)
    made: types.FunctionType = types.FunctionType(factory, {} if scope is None else scope)(*emitted.links.values())
    _keep(text, filename, made.__code__)
    return made


@with_room
def loaded(program: Program) -> types.FunctionType:
    """The Python function of a program, whose source is that text; what is differentiated is the program itself."""
    ir = asking(program)
    holds = reads_self(ir)
    emitted = emitted_apart(ir, drop_self=not holds)
    typed = program.types is not None  # it may be a derivative
    emitted = replace(emitted, links={name: as_run(x, typed) for name, x in emitted.links.items()})
    made = of_text(program, emitted, _filename(program.name))
    made.__qualname__ = getattr(program.own, "__qualname__", program.name)  # Python's errors have it
    remember_lowered(made.__code__, _flat(ir, holds))
    return made


def _flat(ir: Function, holds: bool) -> Function:
    """A program with one argument by position for each parameter, and for the function object, if it `holds` that."""
    names, params = signature_of(ir).names, ir.params
    if holds:
        names, params = ("own", *names), (Var(ir.name), *params)
    body = Block(params, ir.body.statements, ir.body.results)
    return Function(ir.name, body, Signature(names, 0, len(names)), ir.filename, ir.firstline)

"""Functions that a program makes, as programs in it: to print, to walk and to change."""

from __future__ import annotations

import copyreg
import types
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from ..errors import AdjointError, PicklingError, calling_place
from ..ir.intrinsics import Template, make_function
from ..ir.nodes import Block, Call, Const, Function, Statement, blocks_of
from ..ir.verification import verify
from ..runtime.spec import lowered
from ..runtime.travelling import asked_by

Scope = dict[str, Any]


def template_of(s: Statement) -> Template | None:
    """The template that a statement makes a function from, if it makes one.

    >>> template_of(Call((), Const(len), (Const("a"),))) is None
    True
    """
    if not (isinstance(s, Call) and isinstance(s.fn, Const) and s.fn.value is make_function and s.args):
        return None
    template = getattr(s.args[0], "value", None)
    return template if isinstance(template, Template) else None


def inner_of(s: Statement) -> Function | None:
    """The program of the function that a statement makes, where it has one."""
    template = template_of(s)
    return None if template is None else template.program


def with_inner(s: Statement, inner: Function | None) -> Statement:
    """The statement that makes a function of another program; of None, as the engine has it."""
    template = template_of(s)
    assert template is not None and isinstance(s, Call)
    return replace(s, args=(Const(replace(template, program=inner)), *s.args[1:]))


def regions_of(s: Statement) -> Iterator[Block]:
    """The regions of a statement, and the body of the function that it makes."""
    yield from blocks_of(s)
    if (inner := inner_of(s)) is not None:
        yield inner.body


def statements_in(block: Block) -> Iterator[Statement]:
    """All statements in order, each before those of its regions."""
    todo = [iter(block.statements)]  # not by recursion: an `elif` is a branch in the one before
    while todo:
        for s in todo[-1]:
            yield s
            todo += [iter(inner.statements) for inner in reversed([*regions_of(s)])]
            break
        else:
            todo.pop()


def verify_all(function: Function) -> None:
    """Check a function, and those that it makes."""
    verify(function)
    for s in statements_in(function.body):
        if (inner := inner_of(s)) is not None:
            verify(inner)


def as_read(template: Template, scope: Scope) -> Function | None:
    """The program of a function that is made from a template, as it was read; None if it has none, as generators."""
    try:
        return lowered(function_of(template, scope))
    except AdjointError:
        return None


def function_of(template: Template, scope: Scope) -> types.FunctionType:
    """A function that is made from a template and captures nothing yet."""
    code = template.code
    return types.FunctionType(code, scope, code.co_name, None, tuple([types.CellType() for _ in code.co_freevars]))


class _Code:
    """The code of a template in a pickle: `pickle` itself has no form for it."""

    def __init__(self, code: types.CodeType) -> None:
        self.code = code

    def __deepcopy__(self, memo: dict[int, Any]) -> _Code:
        return self

    def __reduce__(self) -> Any:
        if asked_by() or types.CodeType in copyreg.dispatch_table:
            return _Code, (self.code,)
        raise PicklingError(
            f"the program makes the function `{self.code.co_name}`, and `pickle` has no form for its code",
            "it sends functions by their names in a module, and one that is made inside of another has none there",
            "use cloudpickle: `cloudpickle.dumps(...)` in place of `pickle.dumps(...)`, and `pickle.loads` as before",
            calling_place(),
        )


def _made(code: _Code, *parts: Any) -> Template:
    return Template(code.code, *parts)


def _parts(template: Template) -> Any:
    """The call that makes a template again."""
    return _made, (_Code(template.code), *[getattr(template, field.name) for field in fields(template)[1:]])


copyreg.pickle(Template, _parts)
"""Not a method: `ir` knows nothing of pickles."""

"""From a Python function to its IR: what it does, said exactly, with nothing known yet about types."""

from __future__ import annotations

import ast
from dataclasses import replace
from types import CodeType, FunctionType
from typing import Any

from ..errors import SourceUnavailableError, UnsupportedSyntaxError
from ..ir.nodes import UNDEF, Atom, Block, Function, Signature, Var
from ..ir.prune import prune
from . import assignments, attempts, calls, classes, expressions, loops, patterns, statements  # noqa: F401  (they register)
from .beside import remembered_by
from .builder import FALSE, Builder
from .exits import Failing, flow_of
from .fields import Fields
from .functions import open_cells
from .generators import ITEM, as_generator
from .initialiser import as_initialiser
from .instructions import parameter_names
from .sets import note_sets
from .source import Found, find, name_of, span_of
from .stepping import ENDED, as_step
from .thrown import exits_of

GENERATOR, COROUTINE, ASYNC_GENERATOR = 0x20, 0x80, 0x200


def lower(function: Any) -> Function:
    """Lower a Python function to untyped IR.

    The first parameter of the result is the function object itself, then come the parameters in the order of the
    signature; defaults are left to the caller.

    Raises
    ------
    SourceUnavailableError, SourceChangedError
        If there is no source, or not that of this function any more.
    UnsupportedSyntaxError
        If it uses Python that cannot be differentiated.

    >>> from adjoint.ir.printer import format_function
    >>> def f(x, y):
    ...     return x * y + 1
    >>> print(format_function(lower(f)))
    1: (%1, %2, %3)
      %4 = mul(%2, %3)
      %5 = add(%4, 1)
      return %5
    """
    if type(function) is not FunctionType:
        raise SourceUnavailableError(
            f"cannot differentiate {getattr(function, '__qualname__', None) or function!r}: it has no Python source",
            f"it is a {type(function).__name__}",
            "write a rule for it",
        )
    return lower_code(function.__code__, function.__globals__)


def lower_code(
    code: CodeType,
    namespace: dict[str, Any],
    found: Found | None = None,
    initialiser: bool = False,
    constructs: bool = False,
    generator: bool = False,
    leaves: bool = False,
    manages: bool = False,
    steps: bool = False,
    throws: bool = False,
) -> Function:
    """Lower the code object of a function whose globals are `namespace`; `found` is its node, if known already.

    As an `initialiser`, an `__init__` is lowered as a function that returns its object; where it `constructs`, it may
    return nothing itself. As a `generator`, a function is lowered with calls of `yield_` for whoever runs through it;
    where that one `leaves` it, they tell so. If it `manages` what is around, it may wait within `try`. A `__next__`
    that `steps` has two results: what it gives, and whether there is nothing more. One that `throws` gives, behind its
    result, whether an exception that is made here leaves it, and which.
    """
    found = found or find(code, namespace)
    node: Any = found.node
    remembered = remembered_by(code, namespace, found)
    note_sets(node, code)
    copies: dict[ast.AST, ast.AST] = {}
    fields = None
    if initialiser:
        fields = None if isinstance(node, ast.Lambda) else Fields(node.body, code.co_varnames[0], found.chain)
        node, copies = as_initialiser(node, code.co_varnames[0], constructs)
    refused, changed = None, dict.fromkeys(code.co_varnames[: int(initialiser)])
    if generator:
        node, copies, refused = as_generator(node, leaves, manages)
    if steps:
        (node, copies, refused), changed = as_step(node), {ENDED: None}
    me = Var(name_of(node))
    try:
        b = Builder(code, namespace, found.source, found.chain, me)
        b.fields, b.generator, b.manages = fields, generator and refused is None, manages
        if refused is not None and steps:
            b.refuse(refused, "`StopIteration` within `try` or `with`", "who takes it is known only when it runs")
        if refused is not None:
            b.expr(refused)
        b.visible |= {ITEM} if generator else {ENDED} if steps else set()
        b.env |= {ENDED: FALSE} if steps else {}
        assigned = b.scope.assigned
        assigned.update({new: {**assigned.get(old, {}), **changed} for new, old in copies.items()})
        if throws:
            b.throwing = Failing(".thrown0", ".made0")
            b.env.update({b.throwing.raised: FALSE, b.throwing.error: UNDEF})
        return replace(prune(_lower(b, node, found.source.filename)), remembers=remembered)
    except RecursionError:
        raise UnsupportedSyntaxError(
            f"cannot differentiate {code.co_qualname}",
            "its statements or expressions are nested too deeply",
            "divide it into several functions, or write a rule for it",
            found.source.place(span_of(_header(node))),
        ) from None


def _lower(b: Builder, node: Any, filename: str) -> Function:
    code, me = b.code, b.me
    if code.co_flags & (COROUTINE | ASYNC_GENERATOR):
        b.refuse(
            _header(node), "asynchronous code", "it runs in pieces, between which others run", "await the data first"
        )
    if code.co_flags & GENERATOR and not b.generator:
        b.expr(b.scope.yields or node)
    names = parameter_names(code)
    params = tuple(Var(name) for name in names)
    b.env.update(zip(names, params, strict=True))
    open_cells(b, node)
    results = _results(b, node)
    arguments = node.args
    signature = Signature(
        names,
        len(arguments.posonlyargs),
        code.co_argcount,
        code.co_kwonlyargcount,
        arguments.vararg is not None,
        arguments.kwarg is not None,
    )
    results = (*results, b.env[ENDED]) if ENDED in b.env else results
    body = Block((me, *params), tuple(b.statements), results)
    return Function(me.name, body, signature, filename, code.co_firstlineno, code.co_freevars, span_of(node))


def _results(b: Builder, node: Any) -> tuple[Atom, ...]:
    """Lower the body; gives what the function returns, or throws."""
    if not isinstance(node.body, list):
        return (b.expr(node.body),)
    body = list(node.body)
    if flow_of(body).falls:
        body.append(ast.copy_location(ast.Return(None), body[-1]))
    thrown = [] if b.throwing is None else [*b.throwing]
    b.block(exits_of(b, body) if thrown else body)
    return tuple([b.env[key] for key in (".value", *thrown)])


def _header(node: Any) -> ast.AST:
    """The words `def name` alone: carets under a whole function would say little."""
    if isinstance(node, ast.Lambda):
        return node
    start = node.col_offset
    end = start + len("async def " if isinstance(node, ast.AsyncFunctionDef) else "def ") + len(node.name)
    return ast.Pass(lineno=node.lineno, col_offset=start, end_lineno=node.lineno, end_col_offset=end)

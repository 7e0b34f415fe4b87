"""The kinds of nodes that each field of a node holds, checked: nodes can be made and assigned by hand."""

from __future__ import annotations

from typing import Any, NoReturn

from ..errors import VerificationError
from ..spelling import uncalled
from .nodes import Block, Call, Closure, Const, Function, If, Loop, Signature, Star, Undef, Var

ATOMS = (Var, Const, Undef)
STATEMENTS = (Call, If, Loop, Closure)
_WORDS: dict[Any, tuple[str, str]] = {
    (Var,): ("a variable", 'write `ir.Var("y")`'),
    ATOMS: ("an atom", "write `ir.Const(...)` for a constant, and the `ir.Var` itself for a variable"),
    (*ATOMS, Star): ("an atom", "write `ir.Const(...)` for a constant, and the `ir.Var` itself for a variable"),
    STATEMENTS: ("a statement", "give `ir.Call`, `ir.If`, `ir.Loop` or `ir.Closure`"),
    (Block,): ("a block", "write `ir.Block(params, statements, results)`"),
    (Block, type(None)): ("a block", "write `ir.Block(params, statements, results)`, or None for a `for`"),
    (Function,): ("a function", "write `ir.Function(name, block)`"),
    (Signature,): ("a signature", "write `ir.Signature(names, posonly, positional)`"),
    (str,): ("a name", "write it as text"),
    (int, type(None)): ("a number", "give the place of a carried value, or None"),
}
SEVERAL: dict[type, dict[str, tuple[type, ...]]] = {
    Call: {"outs": (Var,), "args": (*ATOMS, Star)},
    If: {"outs": (Var,)},
    Loop: {"outs": (Var,), "inits": ATOMS, "sequences": ATOMS},
    Block: {"params": (Var,), "statements": STATEMENTS, "results": ATOMS},
}
"""The fields that hold tuples, by the kinds of what is in them."""
ONE: dict[type, dict[str, tuple[type, ...]]] = {
    Call: {"fn": ATOMS},
    If: {"cond": ATOMS, "then": (Block,), "orelse": (Block,)},
    Loop: {"cond": (Block, type(None)), "body": (Block,), "exit_flag": (int, type(None))},
    Closure: {"out": (Var,), "function": (Function,)},
    Function: {"name": (str,), "body": (Block,), "signature": (Signature,)},
    Star: {"value": ATOMS},
}
"""The fields that hold one node, by its kinds."""


def check_fields(node: Any) -> None:
    """Raise `VerificationError` where a field of a node, or of one in it, holds something of another kind.

    >>> check_fields(Function("f", Block((Var("f"),), (), (Const(1.0),))))
    """
    cls = type(node)
    for name, kinds in SEVERAL.get(cls, {}).items():
        held = getattr(node, name)
        if type(held) is not tuple:
            _fail(held, cls, name, "a tuple", "write `(x, y)`, or `(x,)` for one")
        for x in held:
            _check(x, kinds, cls, name)
    for name, kinds in ONE.get(cls, {}).items():
        _check(getattr(node, name), kinds, cls, name)
    if cls is Call:
        _check_keywords(node.kwargs)
    elif cls is Const and isinstance(node.value, (*ATOMS, Star)):
        _fail(node.value, cls, "value", "a value", "write the variable or constant itself, without `ir.Const`")


def _check(x: Any, kinds: tuple[type, ...], cls: type, name: str) -> None:
    if not isinstance(x, kinds):
        _fail(x, cls, name, *_WORDS[kinds])
    check_fields(x)


def _check_keywords(kwargs: Any) -> None:
    pairs = type(kwargs) is tuple and all([type(pair) is tuple and len(pair) == 2 for pair in kwargs])
    if not pairs or not all([isinstance(name, str | None) for name, _ in kwargs]):
        _fail(kwargs, Call, "kwargs", "a tuple of pairs", 'write `(("key", ir.Const(...)),)`')
    for _, value in kwargs:
        _check(value, ATOMS, Call, "kwargs")


def _fail(x: Any, cls: type, name: str, wanted: str, way_out: str) -> NoReturn:
    raise VerificationError(
        f"{uncalled(x)[0]} is not {wanted}, in `{name}` of an `ir.{cls.__name__}`",
        f"`{name}` holds {'nodes' if wanted == 'a tuple' else wanted} alone",
        way_out,
    )

"""Comparison of what two code objects do, whichever pieces their texts were compiled in.

The compiler writes the call of an attribute of what it saw imported, `np.sum(x)`, otherwise than the call of a method,
and it sees only what it is handed: IPython compiles each statement of a cell by itself. Instructions are compared as
if all such calls were written in one way. Positions, docstrings and constants that are never loaded do not count, nor
do the checks that beartype adds.
"""

from __future__ import annotations

import dis
from bisect import bisect_left
from types import CodeType
from typing import Any, NamedTuple

from .rewriting import added

_DROPPED = frozenset(("NOP", "EXTENDED_ARG", "PUSH_NULL"))
"""Instructions that only pad, or tell the call of an imported function from that of a method."""

_SAME = {"LOAD_METHOD": "LOAD_ATTR"}
_PAIRS = {
    "LOAD_FAST_LOAD_FAST": ("LOAD_FAST", "LOAD_FAST"),
    "STORE_FAST_LOAD_FAST": ("STORE_FAST", "LOAD_FAST"),
    "STORE_FAST_STORE_FAST": ("STORE_FAST", "STORE_FAST"),
}
"""Two in one, from Python 3.13 on, where nothing stands between them."""

_CONSTANTS = frozenset((*dis.hasconst, dis.opmap.get("KW_NAMES", -1)))
_NAMED = frozenset((*dis.hasname, *dis.haslocal, *dis.hasfree))
_JUMPS = frozenset((*dis.hasjrel, *dis.hasjabs))

VARARGS, VARKEYWORDS = 0x04, 0x08
_KIND = VARARGS | VARKEYWORDS | 0x20 | 0x80 | 0x200
"""Flags of what a call takes and gives: stars, and generators and coroutines."""


def alike(code: CodeType, other: CodeType) -> bool:
    """Tell whether code that runs does the same as another one, which a text gave.

    >>> import ast
    >>> def compiled(tree):
    ...     scope = {}
    ...     exec(compile(tree, "", "exec"), scope)
    ...     return scope["f"].__code__
    >>> whole = ast.parse("import math\\ndef f(x): return math.sin(x) * 2")
    >>> alone = ast.Module(whole.body[1:], [])
    >>> alike(compiled(whole), compiled(alone))
    True
    >>> alike(compiled(whole), compiled("import math\\ndef f(x): return math.sin(x) * 2.0"))
    False
    """
    return code == other or _form(code, True) == _form(other, False)  # most are equal, which is seen in C


def parameter_names(code: CodeType) -> tuple[str, ...]:
    """The names of a code object's parameters: positional, keyword-only, `*args`, `**kwargs`."""
    stars = bool(code.co_flags & VARARGS) + bool(code.co_flags & VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]


class _Target(int):
    """The target of a jump, counted in instructions."""


class _Instruction(NamedTuple):
    """An instruction with what it means in place of numbers: a name, a constant, a target."""

    operation: str
    operand: Any


def _form(code: CodeType, checked: bool) -> tuple[Any, ...]:
    """Everything of a code object that shows when it runs; where it is `checked`, without what beartype added."""
    kept = _kept(code, checked)
    instructions = [(i.operation, _operand(i.operand, checked)) for i in _instructions(code, kept)]
    return _signature(code), code.co_freevars, code.co_cellvars, instructions, _handlers(code, kept)


def _signature(code: CodeType) -> tuple[Any, ...]:
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount
    return code.co_name, counts, parameter_names(code), code.co_flags & _KIND


def _kept(code: CodeType, checked: bool) -> list[dis.Instruction]:
    checks = added(code) if checked else ()
    return [i for i in dis.get_instructions(code) if i.opname not in _DROPPED and i.offset not in checks]


def _offsets(kept: list[dis.Instruction]) -> list[int]:
    return [i.offset for i in kept for _ in _PAIRS.get(i.opname, "1")]


def _instructions(code: CodeType, kept: list[dis.Instruction]) -> list[_Instruction]:
    offsets = _offsets(kept)
    found: list[_Instruction] = []
    for i in kept:
        names = _PAIRS.get(i.opname)
        if names is None:
            found.append(_Instruction(_SAME.get(i.opname, i.opname), _operand_of(i, code, offsets)))
        else:
            found += [_Instruction(name, variable) for name, variable in zip(names, i.argval, strict=True)]
    return found


def _operand_of(i: dis.Instruction, code: CodeType, offsets: list[int]) -> Any:
    if i.arg is not None and i.opcode in _CONSTANTS:
        return code.co_consts[i.arg]
    if i.opcode in _JUMPS:
        return _Target(bisect_left(offsets, i.argval))
    if i.opname == "LOAD_SUPER_ATTR":
        return i.argval, (i.arg or 0) & 3
    return i.argval if i.opcode in _NAMED else i.arg


def _handlers(code: CodeType, kept: list[dis.Instruction]) -> list[tuple[Any, ...]]:
    """The instructions that are watched for exceptions, and the targets of these."""
    offsets = _offsets(kept)
    found = []
    for entry in dis.Bytecode(code).exception_entries:  # type: ignore[attr-defined]
        start, end, target = (bisect_left(offsets, at) for at in (entry.start, entry.end, entry.target))
        if start < end:
            found.append((start, end, target, entry.lasti))
    return found


def _operand(value: Any, checked: bool) -> Any:
    """The key that tells operands apart; 1, 1.0 and True are equal, and so are 0.0 and -0.0."""
    if isinstance(value, CodeType):
        return _form(value, checked)
    if isinstance(value, tuple):
        return tuple, [_operand(item, checked) for item in value]
    if isinstance(value, frozenset):
        return frozenset, sorted(repr(_operand(item, checked)) for item in value)
    return type(value), repr(value)

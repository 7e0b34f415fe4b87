"""Code that tools write into a file while it is imported: the asserts of pytest, the checks of beartype."""

from __future__ import annotations

import ast
import contextlib
import dis
import sys
from collections.abc import Callable, Iterator
from types import CodeType, SimpleNamespace
from typing import Any

from ..errors import SourceUnavailableError
from .nodes import copied

_PYTEST, _PASSED = "@pytest_ar", "_call_assertion_pass"
"""The names of pytest's module in code, and what is called where each assert that holds is reported."""

_CHECK, _DECORATOR = "__die_if_unbearable_beartype__", "__beartype__"
"""The functions that beartype calls after each annotated assignment, and around each annotated function and each
class."""

_JUMPS = frozenset((*dis.hasjrel, *dis.hasjabs))


def names_within(code: CodeType) -> set[str]:
    """The names of globals and attributes in a code object and in those within it."""
    names = set(code.co_names)
    return names.union(*[names_within(c) for c in code.co_consts if isinstance(c, CodeType)])


def added(code: CodeType) -> set[int]:
    """The offsets of the instructions that beartype added to a code object, not to those within it.

    What is more than the calls it is known to add is not among them, and so differs from the text.

    >>> f = "def f(x):\\n y = x\\n{} return y"
    >>> texts = f.format(" __die_if_unbearable_beartype__(y, float)\\n"), f.format(" check(y, float)\\n")
    >>> [len(added(compile(text, "", "exec").co_consts[0])) > 0 for text in texts]
    [True, False]
    """
    if not {_CHECK, _DECORATOR}.intersection(code.co_names):
        return set()
    instructions = list(dis.get_instructions(code))
    found: set[int] = set()
    for at, i in enumerate(instructions):
        if i.opname == "LOAD_GLOBAL" and i.argval in (_CHECK, _DECORATOR):
            part = _check_at(instructions[at:]) if i.argval == _CHECK else _decorator_at(instructions[at:])
            found.update(instruction.offset for instruction in part)
    return found


def _check_at(rest: list[dis.Instruction]) -> list[dis.Instruction]:
    """The statement that begins with the first of these, if it is the call of a check."""
    end = next(_returns_to(rest, 0), 0)
    return rest[: end + 1] if end and rest[end].opname == "POP_TOP" else []


def _decorator_at(rest: list[dis.Instruction]) -> list[dis.Instruction]:
    """The instructions that make the decorator which the first of these begins, and those of its call, if there are
    both."""
    returns = _returns_to(rest, 1)
    made, call = next(returns, 0), next(returns, 0)
    if not call or rest[call].opname != "CALL" or rest[call].arg != 0:
        return []
    before = [rest[call - 1]] if rest[call - 1].opname == "PRECALL" else []
    return [*rest[: made + 1], *before, rest[call]]


def _returns_to(rest: list[dis.Instruction], height: int) -> Iterator[int]:
    """The place where the stack comes to a height above that before the first of these, as long as nothing jumps."""
    now, before = 0, -1
    for at, i in enumerate(rest):
        if i.opcode in _JUMPS:
            return
        before, now = now, now + dis.stack_effect(i.opcode, i.arg)
        if now < height and at:
            return
        if now == height and before != height:
            yield at


def rewriting(names: set[str]) -> tuple[bool, bool]:
    """Tell whether code with these names has the asserts of pytest in it, and whether those that hold are reported.

    >>> rewriting({"@pytest_ar", "np"}), rewriting({"np"})
    ((True, False), (False, False))
    """
    asserts = _PYTEST in names
    return asserts, asserts and _PASSED in names


def with_asserts_rewritten(tree: ast.Module, lines: list[str], filename: str, reported: bool) -> ast.Module:
    """A copy of a tree with its asserts as pytest rewrites them.

    Raises
    ------
    SourceUnavailableError
        If this pytest has another way.
    """
    made: ast.Module = copied(tree)
    rewrite: Callable[..., Any] | None = getattr(sys.modules.get("_pytest.assertion.rewrite"), "rewrite_asserts", None)
    if rewrite is not None:
        with contextlib.suppress(TypeError, AttributeError):
            rewrite(
                made, "".join(lines).encode(), filename, SimpleNamespace(getini=lambda name: True) if reported else None
            )
            return made
    raise SourceUnavailableError(
        f"cannot differentiate what pytest has rewritten in {filename}",
        "this pytest rewrites asserts in a way that is not known here",
        "run pytest with `--assert=plain`, or use another version of it",
    )

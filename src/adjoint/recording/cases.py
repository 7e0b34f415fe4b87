"""The reverse of one operation of a recorded program, and the code for it.

The reverse program goes through the steps from the last to the first. A step is a pair: the number of the operation,
and what the forward program noted for it, which is its `back`, or the holder of a slot.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import Any

from ..frontend.walking import all_nodes

RETURN, YIELD = "return", "yield"
"""The variables of what a function returns, and of what a generator goes on from: no names of the user's."""


@dataclass(frozen=True)
class Case:
    """One operation, by its number in the steps.

    `kind` says how it reverses: "back" by what the step holds, "copy" by handing on, "drop" by forgetting, "load" and
    "store" by adding to and taking from a slot, "each" by an item of a list of cotangents, "yield" and "resume" where a
    generator stops. `out` is whose cotangent it takes (a name, or a tuple of them), `operands` to whose it adds.
    """

    kind: str
    out: Any
    operands: tuple[str | None, ...]
    node: Any
    slot: Any = None


def bar(name: str) -> str:
    """The variable of a cotangent."""
    return f"{name}_bar"


def code_of(case: Case) -> list[str]:
    """The lines that reverse a step of this case.

    An operation may be noted more than once, when something within it did not come to its end: what it gives is added.
    """
    match case.kind:
        case "back":
            return _by_back(case)
        case "copy":
            return [*_adds(case.operands[0], bar(case.out)), f"{bar(case.out)} = None"]
        case "drop":
            return [f"{bar(case.out)} = None"]
        case "load":
            holder, slot = _slot(case)
            return [f"{holder} = back", f"sweep.add({holder}, {slot}, {bar(case.out)})", f"{bar(case.out)} = None"]
        case "store":
            holder, slot = _slot(case)
            return [f"{holder} = back", *_adds(case.operands[0], f"sweep.take({holder}, {slot})")]
        case "each":
            bars = bar(case.out)  # none of a comprehension that an exception ended
            return _adds(case.operands[0], f"{bars}.pop() if {bars} else None")
        case "items":
            return [f"{bar(case.out)} = back(sweep)"]
        case "yield":
            received = f"(yield {bar(YIELD)})"
            return [*(_adds(case.operands[0], received) or [received]), f"{bar(YIELD)} = None"]
        case "resume":
            return [f"{bar(YIELD)} = {bar(case.out)}", f"{bar(case.out)} = None"]
    raise AssertionError(case.kind)


def _slot(case: Case) -> tuple[str, str]:
    """The holder of a variable that is shared, in words, and its slot in there."""
    return ("cell" if case.slot == 0 else "namespace"), repr(case.slot)


def _by_back(case: Case) -> list[str]:
    reverse = f"back(sweep, {_structure(case.out)})"
    operands = [(i, name) for i, name in enumerate(case.operands, start=1) if name is not None]
    out = leaves(case.out)
    if not out and not operands:
        return [reverse]
    if not out and len(operands) == 1:
        return _adds(operands[0][1], f"{reverse}[{operands[0][0]}]")
    if isinstance(case.out, str) and not operands:
        return [f"{bar(case.out)} = {reverse}[0]"]
    lines = [f"d = {reverse}"]
    if isinstance(case.out, str) and operands[0][1] == case.out:
        lines.append(f"{bar(case.out)} = add(d[0], d[{operands.pop(0)[0]}])")
    else:
        lines += _unstructured(case.out, "d[0]")
    for i, operand in operands:
        lines += _adds(operand, f"d[{i}]")
    return lines


def _adds(name: str | None, d: str) -> list[str]:
    return [] if name is None else [f"{bar(name)} = add({bar(name)}, {d})"]


def _structure(out: Any) -> str:
    if out is None:
        return "None"
    if isinstance(out, str):
        return bar(out)
    return "(" + "".join(f"{_structure(o)}, " for o in out) + ")"


def _unstructured(out: Any, d: str) -> list[str]:
    """Lines that keep what stays of the cotangents that were given: nothing, unless the operation did not come to its
    end."""
    if out is None:
        return []
    if isinstance(out, str):
        return [f"{bar(out)} = {d}"]
    names = leaves(out)
    if not names:
        return []
    given = " = ".join(bar(name) for name in names)
    return [f"if {d} is None:", f"    {given} = None"]


def leaves(out: Any) -> list[str]:
    """The names in a structure."""
    if out is None:
        return []
    return [out] if isinstance(out, str) else [name for item in out for name in leaves(item)]


def without_unread(cases: list[Case], params: tuple[str, ...]) -> list[Case]:
    """The cases without operands whose cotangents nobody takes: what is only ever a list has none by value."""
    taken = {RETURN, *params, *(name for case in cases for name in leaves(case.out))}
    return [replace(case, operands=tuple(o if o in taken else None for o in case.operands)) for case in cases]


def variables(cases: list[Case], params: tuple[str, ...]) -> list[str]:
    """All variables that have cotangents but are no parameters, in order of appearance."""
    found: dict[str, None] = {}
    for case in cases:
        for name in (*leaves(case.out), *(o for o in case.operands if o is not None)):
            found.setdefault(name)
    return [name for name in found if name != RETURN and name not in params]


WIDTH = 100


def _unset(names: list[str]) -> list[str]:
    """The lines that let variables be None, none of them long."""
    lines: list[str] = []
    for name in map(bar, names):
        if lines and len(lines[-1]) + len(name) < WIDTH:
            lines[-1] += f" = {name}"
        else:
            lines.append(name)
    return [f"    {line} = None" for line in lines]


def reverse_function(
    name: str, cases: list[Case], params: tuple[str, ...], generator: bool, node: Any
) -> ast.FunctionDef:
    """The reverse program: it walks the steps from the last to the first; it gives the parameters' cotangents."""
    cases = without_unread(cases, params)
    own, others = list(params), variables(cases, params) + ([YIELD] if generator else [])
    head = [f"def {name}(steps, sweep, {bar(RETURN)}):", *_unset(own), *_unset(others)]
    head += ["    for k, back in reversed(steps):"]
    tail = [f"    return ({''.join(f'{bar(p)}, ' for p in params)})"]
    if generator and not any(case.kind == "yield" for case in cases):
        tail.append("    yield")
    return _placed([*_at(head, node), *(_choice(cases, 1, " " * 8) or _at(["        pass"], node)), *_at(tail, node)])


Lines = list[tuple[str, Any]]
"""Lines, each with the node that it stands for."""


def _at(lines: list[str], node: Any, indent: str = "") -> Lines:
    return [(indent + line, node) for line in lines]


CHAIN = 16
"""So many cases stand in one chain of `elif`; more are halved first."""


def _choice(cases: list[Case], first: int, indent: str) -> Lines:
    """The case of step `k`, of those numbered from `first`."""
    inner = indent + "    "
    if len(cases) > CHAIN:
        half, node = len(cases) // 2, cases[0].node
        lines = [(f"{indent}if k < {first + half}:", node), *_choice(cases[:half], first, inner)]
        return [*lines, (f"{indent}else:", node), *_choice(cases[half:], first + half, inner)]
    if len(cases) == 1:
        return _at(code_of(cases[0]) or ["pass"], cases[0].node, indent)
    chain: Lines = []
    for i, case in enumerate(cases):
        test = f"{'elif' if i else 'if'} k == {first + i}:" if i < len(cases) - 1 else "else:"
        chain += [(indent + test, case.node), *_at(code_of(case) or ["pass"], case.node, inner)]
    return chain


def _placed(lines: Lines) -> ast.FunctionDef:
    """The function that lines define: each stands where its operation does, and errors in reverse name that line."""
    function: Any = ast.parse("\n".join([line for line, _ in lines])).body[0]
    for inner in all_nodes(function):
        if "lineno" in inner._attributes:
            _place(inner, lines[inner.lineno - 1][1])
    return function  # type: ignore[no-any-return]


def moved(code: Any, node: Any) -> Any:
    """Code that stands where a node does."""
    for inner in all_nodes(code):
        if "lineno" in inner._attributes:
            _place(inner, node)
    return code


def placed(code: Any, node: Any) -> Any:
    """Code of which what does not stand somewhere yet stands where a node does."""
    for inner in all_nodes(code):
        if "lineno" in inner._attributes and not hasattr(inner, "lineno"):
            _place(inner, node)
    return code


def _place(inner: Any, node: Any) -> None:
    inner.lineno, inner.end_lineno = node.lineno, node.end_lineno
    inner.col_offset, inner.end_col_offset = node.col_offset, node.end_col_offset

"""Places at which the values that an instruction takes end, read from the code of a function."""

from __future__ import annotations

import dis
import types
from typing import Any, NamedTuple

_JUMPS = frozenset(dis.hasjrel) | frozenset(dis.hasjabs)
_DEEPEST = 8


class Step(NamedTuple):
    """An instruction, by how much it makes the stack grow (None where that depends on more), and whether one jumps to
    it."""

    opname: str
    argval: Any
    argrepr: str
    grows: int | None
    joins: bool

    @property
    def calls(self) -> bool:
        """True if an attribute is read to be called."""
        return self.opname == "LOAD_METHOD" or self.opname == "LOAD_ATTR" and "NULL" in self.argrepr


def steps_of(code: types.CodeType) -> list[Step]:
    """The instructions of a code; those that stand for two are two."""
    found = []
    for i in dis.get_instructions(code):
        if "FAST_" in i.opname and isinstance(i.argval, tuple):
            names = [("LOAD" if part.startswith("LOAD") else "STORE") + "_FAST" for part in _halves(i.opname)]
            found += [
                Step(op, name, "", 1 if op == "LOAD_FAST" else -1, i.is_jump_target and k == 0)
                for k, (op, name) in enumerate(zip(names, i.argval, strict=True))
            ]
            continue
        grows = None if i.opcode in _JUMPS else dis.stack_effect(i.opcode, i.arg)
        name = "LOAD_FAST" if i.opname.startswith("LOAD_FAST") else i.opname
        value = code.co_consts[i.arg] if i.opname == "KW_NAMES" and i.arg is not None else i.argval
        found.append(Step(name, value, i.argrepr, grows, i.is_jump_target))
    return found


def _halves(opname: str) -> list[str]:
    middle = opname.index("_FAST_") + len("_FAST_")
    return [opname[:middle], opname[middle:]]


class Stored(NamedTuple):
    """A store into an item: where the container ends, the key and the value, which is None if computed in place."""

    container: int | None
    key: int
    value: int | None


def before(steps: list[Step], at: int | None) -> int | None:
    """Place at which the value ends that lies below the one that ends here; None where that depends on the way
    taken."""
    grown = 0
    while at is not None and at >= 0:
        grows = steps[at].grows
        if grows is None or steps[at + 1].joins:
            return None
        grown += grows
        at -= 1
        if grown == 1:
            return at
    return None


def path_to(steps: list[Step], at: int | None) -> tuple[str, int] | None:
    """The local variable that a value is read from, and by how many indices."""
    for depth in range(_DEEPEST):
        if at is None or at < 0 or steps[at + 1].joins:
            return None
        if steps[at].opname == "LOAD_FAST":
            return steps[at].argval, depth
        if steps[at].opname != "BINARY_SUBSCR":
            return None
        at = before(steps, at - 1)
    return None


def stored_by(steps: list[Step], i: int) -> Stored:
    """Values that a store into an item takes."""
    if [step.opname for step in steps[i - 3 : i]] == ["BINARY_OP", "SWAP", "SWAP"]:
        left = before(steps, i - 4)
        return Stored(read_to_be_stored(steps, left), (left or 0) - 3, None)
    container = before(steps, i - 1)
    return Stored(container, i - 1, before(steps, container))


def read_to_be_stored(steps: list[Step], at: int | None) -> int | None:
    """Place at which the container ends of an item that is read to be computed in place: `a[i] += x`."""
    if at is None or [step.opname for step in steps[max(at - 2, 0) : at + 1]] != ["COPY", "COPY", "BINARY_SUBSCR"]:
        return None
    return before(steps, at - 3)


def items_before(steps: list[Step], at: int, n: int) -> list[int | None]:
    """Places at which the `n` values end that a display takes."""
    ends: list[int | None] = [at - 1]
    while len(ends) < n:
        ends.append(before(steps, ends[-1]))
    return ends[:n]

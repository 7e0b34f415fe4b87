"""Stores of a function into what it has made itself, read from its code: `out = np.zeros(2); out[0] = t`."""

from __future__ import annotations

import builtins
import dis
import types
from functools import cached_property
from typing import Any, NamedTuple

from ..transforms.effects import makes

_MADE = frozenset(
    ["BUILD_LIST", "BUILD_MAP", "BUILD_SET", "BUILD_CONST_KEY_MAP", "LIST_EXTEND", "DICT_UPDATE", "SET_UPDATE"]
    + ["LOAD_CONST", "LOAD_SMALL_INT", "BINARY_OP", "UNARY_NEGATIVE", "COMPARE_OP", "FORMAT_VALUE", "BUILD_STRING"]
)
"""Operations whose result nobody else has."""
_JUMPS = frozenset(dis.hasjrel) | frozenset(dis.hasjabs)


class Step(NamedTuple):
    """An instruction, and by how much it makes the stack grow; None where that depends on more."""

    opname: str
    argval: Any
    argrepr: str
    grows: int | None

    @property
    def calls(self) -> bool:
        """Whether an attribute is read to be called."""
        return self.opname == "LOAD_METHOD" or self.opname == "LOAD_ATTR" and "NULL" in self.argrepr


def steps_of(code: types.CodeType) -> list[Step]:
    """The instructions of a code; those that stand for two are two."""
    found = []
    for i in dis.get_instructions(code):
        if "FAST_" in i.opname and isinstance(i.argval, tuple):
            names = [("LOAD" if part.startswith("LOAD") else "STORE") + "_FAST" for part in _halves(i.opname)]
            found += [
                Step(op, name, "", 1 if op == "LOAD_FAST" else -1) for op, name in zip(names, i.argval, strict=True)
            ]
            continue
        grows = None if i.opcode in _JUMPS else dis.stack_effect(i.opcode, i.arg)
        name = "LOAD_FAST" if i.opname.startswith("LOAD_FAST") else i.opname
        value = code.co_consts[i.arg] if i.opname == "KW_NAMES" and i.arg is not None else i.argval
        found.append(Step(name, value, i.argrepr, grows))
    return found


def _halves(opname: str) -> list[str]:
    middle = opname.index("_FAST_") + len("_FAST_")
    return [opname[:middle], opname[middle:]]


class Own:
    """The stores of a code into what it has surely made itself."""

    def __init__(self, code: types.CodeType, names: dict[str, Any]) -> None:
        self.steps = steps_of(code)
        self.names = names
        n = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
        self.params = frozenset(code.co_varnames[:n])
        self.first = code.co_varnames[0] if n else None

    @cached_property
    def variables(self) -> frozenset[str]:
        """Local variables that are bound to nothing but what was made here."""
        bound: dict[str, bool] = {}
        for i, step in enumerate(self.steps):
            if step.opname == "STORE_FAST":
                bound[step.argval] = bound.get(step.argval, True) and self._is_made(i - 1)
        return frozenset([name for name, made in bound.items() if made]) - self.params

    def stores(self, i: int) -> bool:
        """Whether a store into an item goes into such a variable."""
        below = {"STORE_SUBSCR": 1, "DELETE_SUBSCR": 1, "STORE_SLICE": 2}.get(self.steps[i].opname)
        at: int | None = i - 1
        for _ in range(below or 0):
            at = self._before(at)
        return below is not None and self._is_variable(at)

    def initialises(self, i: int, name: str) -> bool:
        """Whether a store, in a method of this name, is one into a field of the object that is being made."""
        step, before = self.steps[i], self.steps[i - 1]
        of_first = before.opname == "LOAD_FAST" and before.argval == self.first
        return step.opname == "STORE_ATTR" and name in ("__init__", "__post_init__") and of_first

    def adds(self, i: int) -> bool:
        """Whether what an operation in place adds to is such a variable."""
        return self._is_variable(self._before(i - 1))

    def is_called(self, i: int) -> bool:
        """Whether an attribute is read to be called, also with arguments by a star."""
        if self.steps[i].calls or [step.opname for step in self.steps[i + 1 : i + 2]] == ["PUSH_NULL"]:
            return True
        at = i - 1
        while at >= 0 and self.steps[at].opname == "LOAD_ATTR":
            at -= 1
        return at >= 1 and self.steps[at - 1].opname == "PUSH_NULL"

    def calls(self, i: int) -> bool:
        """Whether what a method is read from is such a variable."""
        return self._is_variable(i - 1)

    def _is_variable(self, at: int | None) -> bool:
        if at is None or at < 0:
            return False
        step = self.steps[at]
        return step.opname == "LOAD_FAST" and step.argval in self.variables

    def _before(self, at: int | None) -> int | None:
        """Where the value ends that lies below the one that ends here."""
        grown = 0
        while at is not None and at >= 0:
            grows = self.steps[at].grows
            if grows is None:
                return None
            grown += grows
            at -= 1
            if grown == 1:
                return at
        return None

    def _is_made(self, at: int) -> bool:
        step = self.steps[at]
        if step.opname in _MADE:
            return True
        if not step.opname.startswith("CALL"):
            return False
        before, given = self._before(at), self._given(at)
        if before is None or given is None:
            return False
        loads = [s for s in self.steps[before + 1 : at] if s.opname != "PUSH_NULL"]
        first = loads[0]
        if first.opname != "LOAD_GLOBAL":
            return False
        f = self.names.get(first.argval, getattr(builtins, str(first.argval), None))
        if isinstance(f, types.ModuleType):
            f = getattr(f, str(loads[1].argval), None)
        return makes(f, *given)

    def _given(self, at: int) -> tuple[int, tuple[str, ...]] | None:
        """How many arguments a call is given by position, and the names of the others; None where stars tell."""
        step, before = self.steps[at], self.steps[at - 1]
        if step.opname not in ("CALL", "CALL_KW"):
            return None
        before = self.steps[at - 2] if before.opname == "PRECALL" else before
        names = before.argval if step.opname == "CALL_KW" or before.opname == "KW_NAMES" else ()
        return step.argval - len(names), names


def all_code(code: types.CodeType) -> list[types.CodeType]:
    """A code, and that of what is defined in it."""
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return [code, *[found for c in inner for found in all_code(c)]]

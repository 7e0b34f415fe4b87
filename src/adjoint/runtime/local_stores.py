"""Stores of a function into what it has made itself, read from its code: `out = np.zeros(2); out[0] += t`."""

from __future__ import annotations

import builtins
import sys
import types
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ..classify import method_of
from ..ops.questions import writing_names
from ..transforms.effects import is_maker, makes
from .code_stack import before, items_before, path_to, read_to_be_stored, steps_of, stored_by

_DISPLAYS = frozenset(["BUILD_LIST", "BUILD_MAP", "BUILD_CONST_KEY_MAP"])
_MADE = frozenset(
    ["BUILD_SET", "LIST_EXTEND", "DICT_UPDATE", "SET_UPDATE"]
    + ["BINARY_OP", "UNARY_NEGATIVE", "COMPARE_OP", "FORMAT_VALUE", "BUILD_STRING"]
)
"""Operations whose result nobody else has; its items may be anybody's."""
_ALL = 100
"""As many levels as there are."""
_NUMBERS = 200
"""Of arrays that hold nothing but numbers, whatever is stored into them."""


class Own:
    """The stores of a code into what it has surely made itself."""

    def __init__(self, code: types.CodeType, names: dict[str, Any]) -> None:
        self.steps = steps_of(code)
        self.names = names
        n = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
        self.params = frozenset(code.co_varnames[:n])
        self.first = code.co_varnames[0] if n else None

    @cached_property
    def variables(self) -> dict[str, int]:
        """Local variables that are bound to nothing but what was made here, and how many levels of each nobody else
        has: its items, the items of these."""
        bound = self._bound.copy()
        for i, step in enumerate(self.steps):
            name, most = self._limit(i, step.opname)
            if bound.get(name, _NUMBERS) < _NUMBERS:
                bound[name] = min(bound[name], most)
        return {name: levels for name, levels in bound.items() if levels and name not in self.params}

    @cached_property
    def _bound(self) -> dict[str, int]:
        """Number of levels that nobody else has of what variables are bound to."""
        bound: dict[str, int] = {}
        for i, step in enumerate(self.steps):
            if step.opname == "STORE_FAST":
                bound[step.argval] = min(bound.get(step.argval, _NUMBERS), self._levels(i - 1))
        return bound

    def stores(self, i: int) -> bool:
        """Tell whether a store goes into what nobody else has: into such a variable, an item of it, a field."""
        step = self.steps[i]
        if step.opname == "STORE_ATTR":
            path = path_to(self.steps, i - 1)
            return path is not None and path[1] == 0 and self._has_field(path[0], step.argval)
        if step.opname == "STORE_SUBSCR":
            return self._is_own(stored_by(self.steps, i).container)
        return step.opname in ("DELETE_SUBSCR", "STORE_SLICE") and self._is_own(self._sliced(i))

    def initialises(self, i: int, name: str) -> bool:
        """Tell whether a store, in a method of this name, is one into a field of the object that is being made."""
        step, before = self.steps[i], self.steps[i - 1]
        of_first = before.opname == "LOAD_FAST" and before.argval == self.first
        return step.opname == "STORE_ATTR" and name in ("__init__", "__post_init__") and of_first

    def adds(self, i: int) -> bool:
        """Tell whether what an operation in place adds to is such a variable, or an item that nobody else has."""
        left = before(self.steps, i - 1)
        path = path_to(self.steps, left)
        if path is not None and path[1] == 0:
            return self._is_own(left)
        return self._is_own(read_to_be_stored(self.steps, left), 1)

    def is_called(self, i: int) -> bool:
        """Tell whether an attribute is read to be called, also with arguments by a star."""
        if self.steps[i].calls or [step.opname for step in self.steps[i + 1 : i + 2]] == ["PUSH_NULL"]:
            return True
        if sys.version_info >= (3, 13):
            return False  # what is pushed for no owner stands behind what is called; before, in front of it
        at = i - 1
        while at >= 0 and self.steps[at].opname == "LOAD_ATTR":
            at -= 1
        return at >= 1 and self.steps[at - 1].opname == "PUSH_NULL"

    def calls(self, i: int) -> bool:
        """Tell whether what a method is read from is such a variable, or an item that nobody else has."""
        return self._is_own(i - 1)

    def _is_own(self, at: int | None, below: int = 0) -> bool:
        """Tell whether nobody else has a value, and what is so many levels below it."""
        path = path_to(self.steps, at)
        return path is not None and self.variables.get(path[0], 0) > path[1] + below

    def _sliced(self, i: int) -> int | None:
        """Place at which the container ends of a store with a slice, or of an item that is deleted."""
        below = before(self.steps, i - 1)
        return before(self.steps, below) if self.steps[i].opname == "STORE_SLICE" else below

    def _limit(self, i: int, opname: str) -> tuple[str, int]:
        """The variable into which something is put, and how many levels of it nobody else has from then on."""
        if opname == "STORE_SUBSCR":
            container, key, value = stored_by(self.steps, i)
            path = path_to(self.steps, container)
            levels = 1 if value is None else self._levels(value)
            levels = levels if self._is_index(key, path) else max(levels - 1, 0)
        elif opname == "STORE_SLICE":
            path, levels = path_to(self.steps, self._sliced(i)), 0
        elif opname in ("LOAD_METHOD", "LOAD_ATTR") and self.steps[i].argval in writing_names():
            path, levels = path_to(self.steps, i - 1), 0
        else:
            return "", 0
        return ("", 0) if path is None else (path[0], path[1] + 1 + levels)

    def _is_index(self, at: int, path: tuple[str, int] | None) -> bool:
        """Tell whether a store at an index puts its value there, and not the items of it, as at a slice."""
        step = self.steps[at]
        if step.opname == "LOAD_FAST" and step.argval in self._counters or path is not None and path[0] in self._dicts:
            return True
        return step.opname == "BINARY_OP" or step.opname == "LOAD_CONST" and isinstance(step.argval, (int, str))

    @cached_property
    def _dicts(self) -> frozenset[str]:
        """Variables that are bound to displays of dicts alone."""
        return self._bound_by(lambda at: self.steps[at].opname in ("BUILD_MAP", "BUILD_CONST_KEY_MAP"))

    @cached_property
    def _counters(self) -> frozenset[str]:
        """Variables that are bound to numbers alone, as those of loops over `range`."""
        return self._bound_by(lambda at: self._levels(at) > 0 or self._counts(at))

    def _bound_by(self, how: Callable[[int], bool]) -> frozenset[str]:
        stores = [(i - 1, step.argval) for i, step in enumerate(self.steps) if step.opname == "STORE_FAST"]
        return frozenset([name for _, name in stores]) - {name for at, name in stores if not how(at)} - self.params

    def _counts(self, at: int) -> bool:
        """Tell whether what a loop binds is a number of `range`, or the first of what `enumerate` gives."""
        steps = self.steps[: at + 1]
        of = enumerate if steps[-1].opname == "UNPACK_SEQUENCE" else range
        steps = steps[:-1] if of is enumerate else steps
        loops = [step.opname for step in steps[-3:]] == ["CALL", "GET_ITER", "FOR_ITER"]
        return loops and self._called(len(steps) - 3) is of

    def _has_field(self, name: str, field: str) -> bool:
        """Tell whether a variable is bound to new objects alone of classes where a store into a field runs nothing."""
        made = [self._called(i - 1) for i, s in enumerate(self.steps) if s.opname == "STORE_FAST" and s.argval == name]
        return name in self.variables and all([isinstance(cls, type) and _is_open(cls, field) for cls in made])

    def _levels(self, at: int | None) -> int:
        """Number of levels of a value that nobody else has: of `[0.0] * n` all, of `[x]` one, of `x` none."""
        if at is None or at < 0 or self.steps[at + 1].joins:
            return 0
        step = self.steps[at]
        if step.opname in ("LOAD_CONST", "LOAD_SMALL_INT"):
            return _ALL
        if step.opname in _DISPLAYS:
            return self._levels_of_display(at)
        if step.opname == "BINARY_OP" and step.argrepr == "*":
            ends = [end for end in items_before(self.steps, at, 2) if end is not None]
            return min([self._levels(end) for end in ends if self.steps[end].opname in _DISPLAYS], default=1)
        if step.opname.startswith("CALL"):
            return self._levels_of_call(at)
        return 1 if step.opname in _MADE else self._levels_of_loop(at)

    def _levels_of_display(self, at: int) -> int:
        step = self.steps[at]
        n = step.argval * (2 if step.opname == "BUILD_MAP" else 1) + (step.opname == "BUILD_CONST_KEY_MAP")
        items = items_before(self.steps, at, n)
        return min([1 + self._levels(end) for end in items], default=_ALL)

    def _levels_of_call(self, at: int) -> int:
        below = before(self.steps, at)
        inner = None if below is None else self._comprehension(below + 1, at)
        if inner is not None:
            return 1 + inner
        f, given = self._called(at), self._given(at)
        if f is None or given is None:
            return 0
        if given == (1, ()) and f in (np.zeros, np.ones, np.empty, np.eye):
            return _NUMBERS
        new = is_maker(f) if isinstance(f, type) else makes(f, *given)
        return _ALL if new and given == (0, ()) and f in (list, dict) else int(new)

    def _comprehension(self, start: int, at: int) -> int | None:
        """Number of levels that nobody else has of what a comprehension that is a function of its own collects."""
        made = [i for i in range(start, at) if self.steps[i].opname == "MAKE_FUNCTION"]
        code = self.steps[made[0] - 1].argval if made else None
        if not isinstance(code, types.CodeType) or code.co_name not in ("<listcomp>", "<dictcomp>"):
            return None
        inner = Own(code, self.names)
        ends = [i for i, step in enumerate(inner.steps) if step.opname in ("LIST_APPEND", "MAP_ADD")]
        return min([inner._levels(i - 1) for i in ends], default=0)

    def _levels_of_loop(self, at: int) -> int:
        """The same of a comprehension that stands in the code, as a loop: since Python 3.12."""
        if [step.opname for step in self.steps[at - 1 : at + 1]] == ["END_FOR", "POP_TOP"]:
            at -= 1
        if self.steps[at].opname != "END_FOR":
            return 0
        nested, collected = 1, list[int]()
        while nested and at > 2:
            at -= 1
            step = self.steps[at]
            nested += {"END_FOR": 1, "FOR_ITER": -1}.get(step.opname, 0)
            if step.opname in ("LIST_APPEND", "MAP_ADD") and step.argval == 1 + nested:
                collected.append(1 + self._levels(at - 1))
        made = [step.opname for step in self.steps[at - 2 : at]] in (["BUILD_LIST", "SWAP"], ["BUILD_MAP", "SWAP"])
        return min(collected, default=0) if made else 0

    def _called(self, at: int) -> Any:
        """Function that a call calls by a global name, or by one of a module; None where that is not known."""
        below = before(self.steps, at) if self.steps[at].opname.startswith("CALL") else None
        if below is None:
            return None
        loads = [s for s in self.steps[below + 1 : at] if s.opname != "PUSH_NULL"]
        if loads[0].opname != "LOAD_GLOBAL":
            return None
        f = self.names.get(loads[0].argval, getattr(builtins, str(loads[0].argval), None))
        return getattr(f, str(loads[1].argval), None) if isinstance(f, types.ModuleType) else f

    def _given(self, at: int) -> tuple[int, tuple[str, ...]] | None:
        """Number of arguments that a call is given by position, and the names of the others; None where stars tell."""
        step, before = self.steps[at], self.steps[at - 1]
        if step.opname not in ("CALL", "CALL_KW"):
            return None
        before = self.steps[at - 2] if before.opname == "PRECALL" else before
        names = before.argval if step.opname == "CALL_KW" or before.opname == "KW_NAMES" else ()
        return step.argval - len(names), names


def _is_open(cls: type, field: str) -> bool:
    """Tell whether a store into a field of an object of a class puts it there, and runs nothing."""
    found: Any = method_of(cls, field)
    store: Any = cls.__setattr__
    plain = type(found) is types.MemberDescriptorType or not hasattr(found, "__set__")
    return plain and store is object.__setattr__


def all_code(code: types.CodeType) -> list[types.CodeType]:
    """A code, and that of what is defined in it."""
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return [code, *[found for c in inner for found in all_code(c)]]

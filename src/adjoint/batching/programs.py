"""Programs for all lanes together: IR whose calls of what lanes cannot go through are made by `call_along`.

A value is *mapped* if it may hold lanes. Operators and functions of NumPy take lanes as they are; a call of anything
else that is given mapped values is made along the lanes. An array into which something mapped is stored has lanes from
there on: each lane stores into its own.
"""

from __future__ import annotations

import operator
import sys
import types
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..codegen import emit, load
from ..identity import IdentityMap
from ..ir import changes, exceptions, intrinsics
from ..ir.nodes import (
    Block,
    Call,
    Closure,
    Const,
    Function,
    If,
    Loop,
    Star,
    Statement,
    Var,
    atoms_of,
    free_variables,
)
from ..ir.types import Array, Dict, List, Scalar, Tuple, Unknown
from ..ir.watch import watched
from ..ops.questions import is_writer, of_numpy, writing_names
from ..ops.registry import find_op
from ..origin import module_of
from ..rules.registry import find_rules
from ..runtime.effects import effects_of
from ..runtime.spec import Spec
from ..tangents.lanes import NoLanes
from ..transforms.memory import is_data
from ..transforms.reuse import in_place
from ..transforms.simplify import substitute

Along = Callable[[Any], Any]
"""Makes of a function what calls it along lanes."""

OPERATORS = frozenset([
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.matmul,
    operator.pow, operator.neg, operator.pos, operator.invert, operator.abs, abs, operator.lt, operator.le, operator.gt,
    operator.ge, operator.eq, operator.ne, operator.and_, operator.or_, operator.xor,
    operator.not_,
])  # fmt: skip
OF_OBJECTS = frozenset([operator.eq, operator.ne])
"""Operators that are of all objects."""
DISPLAYS = frozenset([
    intrinsics.make_tuple, intrinsics.make_list, intrinsics.make_dict, intrinsics.unpack, intrinsics.iterate, zip,
    enumerate, reversed, list, tuple, dict, slice, len, sum, changes.copied, changes.list_append,
    intrinsics.load_global, intrinsics.captured, intrinsics.capture,
])  # fmt: skip
"""Functions that only move values, or go through them one by one."""
STORES = frozenset([changes.stored, changes.stored_unseen, changes.set_item])
_SAME = frozenset(["shape", "ndim", "size", "dtype"])
"""Attributes of arrays that are the same in all lanes."""
_READ = frozenset([*_SAME, "T", "mT", "real", "imag"])
"""Attributes that lanes have as arrays do."""


def batched(function: Function, flags: Iterable[bool], along: Along, once: Along, spread: Any) -> Function:
    """The program for lanes in those parameters that have a flag; `spread` gives an array lanes of its own. Calls that
    are given no lanes are made by what `once` makes of their function, if anything unknown may run in them."""
    body = _Batching(along, once, spread).whole(function.body, flags)
    return replace(function, body=body)


def loaded(function: Function, scope: dict[str, Any], qualname: str, drop_self: bool) -> Any:
    """The Python function of such a program, whose globals are `scope`, with the full name of the user's."""
    printed, _ = in_place(function)
    emitted = emit(printed, drop_self=drop_self)
    name = f"{function.name} in lanes"
    made = load(emitted, globals=scope, filename=name, user_filename=function.filename, qualname=qualname)
    for cell in made.__closure__ or ():
        if isinstance(cell.cell_contents, Spec):
            cell.cell_contents = cell.cell_contents.rule
    _remember(made.__code__)
    return made


_LOADED: IdentityMap[bool] = IdentityMap()


def _remember(code: types.CodeType) -> None:
    _LOADED[code] = True
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            _remember(inner)


def is_loaded(code: types.CodeType) -> bool:
    """True of the code of a program for lanes, or of a function in it."""
    return _LOADED.get(code) is not None


class _Batching:
    def __init__(self, along: Along, once: Along, spread: Any) -> None:
        self.along, self.once, self.spread = along, once, spread
        self.mapped: set[Var] = set()

    def whole(self, block: Block, flags: Iterable[bool]) -> Block:
        self.mapped.update(v for v, flag in zip(block.params, flags, strict=True) if flag)
        known = -1
        while known != len(self.mapped):  # what is stored into later has lanes from the beginning of a loop
            known = len(self.mapped)
            self.mark(block)
        return self.block(block)

    # ---- what is mapped

    def is_mapped(self, atoms: Iterable[Any]) -> bool:
        return any(a in self.mapped for a in atoms if isinstance(a, Var))

    def mark(self, block: Block) -> None:
        for s in block.statements:
            match s:
                case Call():
                    if self.is_mapped(atoms_of(s)) and not self.is_same(s):
                        self.mapped.update(s.outs)
                case If():
                    self.mark(s.then)
                    self.mark(s.orelse)
                    pairs = zip(s.outs, s.then.results, s.orelse.results, strict=True)
                    self.mapped.update(out for out, *results in pairs if self.is_mapped(results))
                case Loop():
                    self.mark_loop(s)
                case Closure(out, function):
                    self.mapped.update(function.body.params)
                    self.mark(function.body)
                    if self.is_mapped(free_variables(function.body)):
                        self.mapped.add(out)

    def mark_loop(self, s: Loop) -> None:
        n, body = s.carried, s.body
        self.mapped.update(v for v, q in zip(body.params[n:], s.sequences, strict=True) if self.is_mapped([q]))
        known = -1
        while known != len(self.mapped):
            known = len(self.mapped)
            for i, init in enumerate(s.inits):
                if self.is_mapped([init, body.params[i], body.results[i]]):
                    self.mapped.add(body.params[i])
                    if s.cond is not None:
                        self.mapped.add(s.cond.params[i])
            if s.cond is not None:
                self.mark(s.cond)
            self.mark(body)
        self.mapped.update(out for out, r in zip(s.outs, body.results, strict=True) if self.is_mapped([r]))
        self.mapped.update(out for out, v in zip(s.outs, body.params[:n], strict=False) if self.is_mapped([v]))

    @staticmethod
    def is_same(s: Call) -> bool:
        """True if the result is the same in all lanes, whatever the arguments."""
        if not isinstance(s.fn, Const) or not s.args or not isinstance(x := s.args[0], Var):
            return False
        if s.fn.value is getattr and isinstance(x.type, Array):
            return isinstance(s.args[1], Const) and s.args[1].value in _SAME
        return s.fn.value is len and isinstance(x.type, Array)

    # ---- the program

    def block(self, block: Block) -> Block:
        statements: list[Statement] = []
        for s in block.statements:
            match s:
                case Call():
                    statements += self.call(s)
                case If() if s.is_attempt and self.is_mapped(free_variables(s.then)):
                    raise NoLanes("an exception that is caught")
                case If():
                    statements.append(replace(s, then=self.block(s.then), orelse=self.block(s.orelse)))
                case Loop():
                    statements += self.loop(s)
                case Closure():
                    body = self.block(s.function.body)
                    statements.append(replace(s, function=replace(s.function, body=body)))
        return Block(block.params, tuple(statements), block.results)

    def loop(self, s: Loop) -> list[Statement]:
        """A loop; an array that it carries, and that has lanes after a round, has them before the first."""
        before: list[Statement] = []
        inits = list(s.inits)
        for i, init in enumerate(inits):
            v = s.body.params[i]
            if v in self.mapped and not self.is_mapped([init]) and isinstance(v.type, Array) and not v.type.scalar:
                inits[i] = new = Var(v.name, v.type)
                before.append(Call((new,), self.spread, (init,), (), s.span))
        cond = None if s.cond is None else self.block(s.cond)
        return [*before, replace(s, inits=tuple(inits), cond=cond, body=self.block(s.body))]

    def call(self, s: Call) -> list[Statement]:
        if isinstance(s.fn, Const) and s.fn.value is intrinsics.observe:
            return []  # what lanes are is nothing to remember of values
        if isinstance(s.fn, Const) and acts(s):
            raise NoLanes(f"`{s.fn!r}` may change what all lanes share")
        if not self.is_mapped(atoms_of(s)):
            return [s] if _surely_computes(s) else [self.made_along(s, self.once)]
        if isinstance(s.fn, Const) and s.fn.value in IN_PLACE and _is_array_without_axes(s):
            raise NoLanes("an array without axes that is changed in place")
        if isinstance(s.fn, Const) and s.fn.value in STORES and isinstance(s.args[0], Var):
            return self.store(s)
        if isinstance(s.fn, Const) and self.takes_lanes(s):
            return [replace(s, how=None)]
        return [self.made_along(s)]

    def store(self, s: Call) -> list[Statement]:
        target: Any = s.args[0]
        if self.is_mapped(s.args[1:2]):
            return [self.made_along(s)]
        if target in self.mapped or not isinstance(target.type, Array):
            return [replace(s, how=None)]
        new = Var(target.name, target.type)
        stored: Any = substitute(Block((), (s,), ()), {target: new}).statements[0]
        return [Call((new,), self.spread, (target,), (), s.span), replace(stored, how=None)]

    def made_along(self, s: Call, along: Along | None = None) -> Call:
        along = self.along if along is None else along
        if isinstance(s.fn, Const) and s.fn.value is watched:
            fn: Any = s.args[0]
            return self.made_along(replace(s, fn=fn, args=s.args[1:]), along)
        if isinstance(s.fn, Const):
            return replace(s, fn=Const(along(s.fn.value), s.fn.label), how=None)
        return replace(s, fn=Const(along(None), "call"), args=(s.fn, *s.args), how=None)

    def takes_lanes(self, s: Call) -> bool:
        """True if a call of a known function can be given lanes as it is."""
        f = s.fn.value  # type: ignore[union-attr]
        try:
            if f in OF_OBJECTS and not all(map(_is_of_numbers, s.args)):
                return False
            if f in OPERATORS or f in DISPLAYS:
                return f is not intrinsics.make_dict or not self.is_mapped(s.args[::2])
        except TypeError:
            return False
        if f is operator.getitem:
            return not self.is_mapped(s.args[1:]) or any(isinstance(a, Star) for a in s.args)
        if f is getattr and len(s.args) == 2:
            x, name = s.args
            is_array = isinstance(x, Var) and isinstance(x.type, Array)
            return is_array and isinstance(name, Const) and name.value in _READ
        row = find_op(f)
        if any([f is one for one in OF_MEMORY]):
            return False
        if row is not None and row.lanes is not None and row.functions[0] in _NOT_DISPATCHED:
            return False
        return isinstance(f, np.ufunc) or type(f) is type(np.sum) and of_numpy(f) and not is_writer(f)


def _is_of_numbers(a: Any) -> bool:
    return isinstance(a, Const) or isinstance(a, Var) and isinstance(a.type, (Array, Scalar))


def acts(s: Call) -> bool:
    """True if a known function may change what it is given, or uses it up; stores of the IR are proven to be alone."""
    f = s.fn.value  # type: ignore[union-attr]
    if module_of(f).startswith(("adjoint.ir.changes", "adjoint.tangents.", "adjoint.rules.")):
        return False
    if f is intrinsics.invoke or f is intrinsics.invoke_whole:
        name = s.args[1]
        return not isinstance(name, Const) or name.value in writing_names()
    if any([f is one for one in _ACTING]):
        return True
    method = isinstance(f, (types.MethodDescriptorType, types.BuiltinMethodType)) and f.__name__ in writing_names()
    return method and type(getattr(f, "__self__", None)) is not types.ModuleType or is_writer(f)


_ACTING = (next, exceptions.enter, exceptions.leave, exceptions.let_go, exceptions.opened, exceptions.generator_of)


def _surely_computes(s: Call) -> bool:
    """True of a call of what is known, and runs nothing of the user's: it is made once for all lanes."""
    if not isinstance(s.fn, Const) or _looks_up(s):
        return False
    f = s.fn.value
    if any([f is one for one in _MOVING]) or _reads(f, s.args):
        return True
    if not all(map(_is_plain, (*s.args, *[v for _, v in s.kwargs]))):
        return False
    ours = module_of(f) in (intrinsics.__name__, changes.__name__)
    return ours or (rules := find_rules(f)) is not None and not rules.is_users and not effects_of(f).acts


def _reads(f: Any, args: Any) -> bool:
    """True where a field of a record is read, or an item of a container by a plain key: nothing else runs."""
    if f is getattr:
        return len(args) == 2
    of_container = f is operator.getitem and isinstance(getattr(args[0], "type", None), (List, Tuple, Dict))
    return of_container and _is_plain(args[1])


_MOVING = (
    *(intrinsics.make_tuple, intrinsics.make_list, intrinsics.load_global, intrinsics.captured, intrinsics.capture),
    *(intrinsics.default, intrinsics.make_function, intrinsics.check, intrinsics.expect),
)
"""Functions that only move values, whatever they are, or ask something of their types."""


def _is_plain(a: Any) -> bool:
    """True of numbers, arrays, texts and containers of these, which have no code of their own."""
    if isinstance(a, Const):
        of_library = isinstance(a.value, type) and a.value.__module__ in ("builtins", "numpy")
        return of_library or not callable(a.value)
    return not isinstance(a, Star) and is_data(a.type)


def _looks_up(s: Call) -> bool:
    """True of an attribute of an object that nothing is known of: to read it may run code."""
    x = s.args[0] if s.args else None
    return s.fn.value is getattr and isinstance(x, Var) and isinstance(x.type, Unknown)  # type: ignore[union-attr]


def _is_array_without_axes(s: Call) -> bool:
    t = getattr(s.args[s.fn.value is changes.in_place], "type", None)  # type: ignore[union-attr]
    return isinstance(t, Array) and t.ndim == 0 and t.scalar is not True


OF_IN_PLACE = {
    getattr(operator, f"i{name}"): getattr(operator, name)
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")
}
"""Operators that are of the operators in place."""
IN_PLACE = frozenset([changes.in_place, *OF_IN_PLACE])
OF_MEMORY = (
    as_strided, np.ndarray.view, np.shares_memory, np.may_share_memory, np.frombuffer, np.ndarray.__sizeof__,
    sys.getsizeof,
)  # fmt: skip
"""Functions for which it counts how an array lies in memory: lanes may lie there otherwise than in the loop."""
_NOT_DISPATCHED = frozenset([np.array, np.asarray, np.asanyarray, np.ascontiguousarray])

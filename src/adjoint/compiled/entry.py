"""Calls of compiled programs: which one is for the arguments, what runs it, and what happens where there is none."""

from __future__ import annotations

import threading
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..classify import Kind, passed_on
from ..errors import AdjointError, OptionError, calling_place
from ..rules.registry import find_rules
from ..runtime.argnums import name_of
from ..runtime.binding import bind
from ..runtime.spec import Spec
from ..runtime.tables import find_primal, table_of
from ..runtime.typeof import typeof
from ..tangents.fields import record_fields
from .delayed import LearntError
from .effects import hand_back, may_store, stored_arrays, with_own
from .fallbacks import SAID, gave_up, refuse
from .inputs import Inputs, Path, is_called_as_record
from .numba_cache import TO_MAKERS, by_numba
from .programs import Program, gradient_program, value_program
from .reading import Reading, reading_of
from .seeded import Seeded
from .values import CannotCompile, NoCompiler
from .writer import Writer

COMPILER: list[Callable[[str, str], Callable[..., Any]]] = [by_numba]
"""What makes source into what runs; tests put Python itself in its place."""

STILL = (bool, str, bytes, type(None))
"""Arguments of these have no derivative."""

MAX_PROGRAMS = 16
"""Of one function; the oldest are forgotten."""

Build = Callable[[Spec, Sequence[Any], tuple[int, ...], Inputs, Any], Any]
"""Makes a program for a function and arguments, by which of them it is differentiated."""
Made = tuple[Reading, Any]
_PROGRAMS: WeakKeyDictionary[Spec, dict[Any, list[Made]]] = WeakKeyDictionary()
_SLOTS: WeakKeyDictionary[types.CodeType, dict[Any, tuple[Any, ...]]] = WeakKeyDictionary()
_LOCK = threading.RLock()


def called(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], mode: Any) -> Any:
    """The value of a call by its compiled program; the plain call where there is none."""
    found = evaluated(f, args, kwargs, mode)
    if found is None:
        return f(*args, **kwargs)
    program, values, outs, finals = found
    stored = stored_arrays(program.inputs, values)
    hand_back(stored, finals)
    return program.rebuilt(with_own(program.inputs, program.result, outs, stored))


def evaluated(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], mode: Any
) -> tuple[Program, tuple[Any, ...], list[Any], list[Any]] | None:
    """The compiled program of a call, the function and its arguments, the numbers and arrays of the result, and what
    becomes of the arrays that it stores into; None where there is none, or where plain Python may raise."""
    found = find(f, args, kwargs, (), mode, value_program)
    if found is None:
        return None
    program, _, values, given = found
    status, outs = run(program, f, mode, given)
    if status:
        gave_up(f, args, kwargs, program.inputs, values, status, mode)
        return None
    n = len(outs) - len(program.inputs.copies)
    return program, values, list(outs[:n]), list(outs[n:])


def run(program: Any, f: Any, mode: Any, given: Sequence[Any]) -> tuple[int, Sequence[Any]]:
    """Run a program of `f`: whether plain Python has to run in its place, and what it gives."""
    try:
        return program.run(*given)  # type: ignore[no-any-return]
    except CannotCompile as reason:  # which turns out when it first runs
        refuse(f, reason, mode)
        return SAID, ()


def value_and_gradients(
    f: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    wanted: tuple[int | str, ...],
    mode: Any,
    has_aux: bool = False,
) -> tuple[Any, tuple[Any, ...]] | None:
    """The value and the gradients by the arguments of these positions and names; None where there is no compiled
    program, or where plain Python may raise."""
    if has_aux:
        refuse(f, CannotCompile("a function that gives more than its value (`has_aux`)"), mode)
        return None
    found = find(f, args, kwargs, wanted, mode, gradient_program)
    if found is None:
        return None
    program, slots, values, given = found
    shadows = program.shadows(given)
    status, outs = run(program, f, mode, [*given, *shadows])
    if status:
        gave_up(f, args, kwargs, program.inputs, values, status, mode)
        return None
    stored = stored_arrays(program.inputs, values)
    n = len(outs) - len(stored)
    hand_back(stored, outs[n:])
    bars = [*shadows, *outs[1:n]]
    return program.rebuilt([outs[0]]), tuple([program.gradient(k, values[k], bars) for k in slots])


@dataclass(frozen=True, eq=False)
class SeededCall:
    """A call by a program that takes directions."""

    program: Seeded
    slots: tuple[int, ...]
    """Where among the function and its arguments those are by which it is differentiated."""
    values: tuple[Any, ...]
    """The function and its arguments."""
    given: list[Any]
    """What the kernel takes of these."""

    @property
    def moved(self) -> list[Any]:
        """The numbers and arrays by which it is differentiated."""
        return [self.given[i] for i in self.program.chosen]

    @property
    def paths(self) -> list[Path]:
        """The paths to these in the call."""
        return [self.program.inputs.paths[i] for i in self.program.chosen]


def seeded_call(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], wanted: tuple[int | str, ...], mode: Any, build: Any
) -> SeededCall | None:
    """A call by the program that `build` makes; None where there is none."""
    found = find(f, args, kwargs, wanted, mode, build)
    return None if found is None else SeededCall(*found)


def find(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], wanted: tuple[int | str, ...], mode: Any, build: Build
) -> tuple[Any, tuple[int, ...], tuple[Any, ...], list[Any]] | None:
    """The program, where among the function and its arguments those are that are wanted, all of these, and what the
    kernel takes of them."""
    if mode not in (True, "strict", None):
        raise OptionError(
            f"the option `compile` is {mode!r}",
            "it says whether a function is compiled, and whether it must be",
            'pass True, False or "strict"',
            calling_place(),
        )
    try:
        function, own, flat = _flat(f, args, kwargs)
        rules = find_rules(function) if wanted else None
        if rules is not None and not rules.is_users:
            raise CannotCompile(
                f"a function of `{function.__module__}`, whose derivative is by a rule",
                why="the rule has no form in loops, and the code of the function is not looked into",
                way_out="write out its formula, or leave `compile` off",
            )
        values, slots = (function, *flat), _slots(function, wanted, own, len(args), len(flat))
        for k in slots:
            if k is None or type(values[k]) in STILL:
                return None  # plain Python says what is wrong
        program, given = _program(function, values, slots, build)
        stores = may_store(program.inputs, values, given)
    except (CannotCompile, AdjointError) as reason:
        refuse(f, reason if isinstance(reason, CannotCompile) else CannotCompile(reason.what), mode)
        return None
    if stores:
        return program, slots, values, given
    gave_up(f, args, kwargs, program.inputs, values, CannotCompile("a store into a read-only array"), mode)
    return None


def _flat(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[types.FunctionType, int, tuple[Any, ...]]:
    """The function behind a callable, how many of its arguments are not those of the callable, and all of them in the
    order of its parameters."""
    given = len(args)
    f, args, kwargs = passed_on(f, args, kwargs, _ENTERED)
    if is_called_as_record(f):
        f, args, kwargs = passed_on(f, args, kwargs)
    if type(f) is not types.FunctionType:
        raise CannotCompile(f"`{name_of(f)}`, which is no function of Python")
    own = len(args) - given
    table = table_of(f)
    if table.simple and not kwargs and len(args) == table.n:
        return f, own, args
    return f, own, bind(f, table.signature, args, kwargs)[0]


_ENTERED: frozenset[Kind] = frozenset(["bound", "partial", "static", "cached", "compiled"])
"""What passes a call on, and holds nothing that the kernel reads but arguments."""


def _slots(
    function: types.FunctionType, wanted: tuple[int | str, ...], own: int, given: int, n: int
) -> tuple[Any, ...]:
    """The places of the wanted arguments among the function and its parameters."""
    known, key = _SLOTS.setdefault(function.__code__, {}), (wanted, own, given, n)
    if key not in known:
        known[key] = tuple([_slot(function, which, own, given, n) for which in wanted])
    return known[key]


def _slot(function: types.FunctionType, which: int | str, own: int, given: int, n: int) -> int | None:
    """The place of an argument among the function and its `n` parameters, of which so many are `given` by position;
    None if there is none."""
    sig = table_of(function).signature
    names, n = sig.names[: sig.positional + sig.kwonly], sig.positional if sig.varargs else n
    if isinstance(which, str):
        return 1 + names.index(which) if which in names else None
    which = which + given if which < 0 else which
    if not 0 <= which + own < n:
        if sig.varargs and which + own >= n:
            raise CannotCompile(f"a gradient by the argument {which}, one of `*args`")
        return None
    return 1 + which + own


def _program(
    function: types.FunctionType, call: tuple[Any, ...], slots: tuple[int, ...], build: Build
) -> tuple[Any, list[Any]]:
    """The program for arguments of these kinds, made if need be, and what it takes of the call."""
    wanted = slots if len(slots) == 1 else tuple(sorted(set(slots)))
    spec, in_memory = _typed(function, call[1:])
    programs = _PROGRAMS.setdefault(spec, {}).setdefault((build, wanted, COMPILER[0]), [])
    found, given = _fitting(programs, call)
    if given is None:
        with _LOCK:
            found, given = _fitting(programs, call)
            if given is None:
                inputs, found = _made(spec, call, wanted, Inputs(Writer(), in_memory), build, COMPILER[0])
                read = reading_of(inputs, call)
                programs.insert(0, (read, found))
                del programs[MAX_PROGRAMS:]
                given = read(call)
    if isinstance(found, CannotCompile):
        raise CannotCompile(
            found.what, found.where, found.why, found.way_out
        )  # a new one: the frames of one that is raised hold the arguments
    if given is None:
        raise CannotCompile("arguments that change while they are read")
    return found, given


def _typed(function: types.FunctionType, flat: tuple[Any, ...]) -> tuple[Spec, bool]:
    """The typed program; what has none for such arguments is not read again at each call."""
    table = table_of(function)
    kinds = (id(function.__globals__), *map(typeof, flat)) if table.refused else None
    if kinds in table.refused:
        raise CannotCompile(table.refused[kinds])
    try:
        return find_primal(function, table, flat)
    except AdjointError as error:
        table.refused[id(function.__globals__), *map(typeof, flat)] = error.what
        raise CannotCompile(error.what) from None


def _fitting(programs: list[Made], call: tuple[Any, ...]) -> tuple[Any, list[Any] | None]:
    """The program made for a call of these kinds, and what it takes of the call; None for both if there is none."""
    for read, found in [*programs]:
        given = read(call)
        if given is not None:
            return found, given
    return None, None


def _made(
    spec: Spec, args: Any, wanted: tuple[int, ...], inputs: Inputs, build: Build, compiler: Any
) -> tuple[Inputs, Any]:
    """The program, or why there is none. It is lowered again where it turns out on the way what it stores into."""
    while True:
        try:
            return inputs, build(spec, args, wanted, inputs, compiler)
        except LearntError as error:
            inputs = inputs.learnt(error)
        except NoCompiler:  # which may change
            raise
        except CannotCompile as reason:
            return inputs, CannotCompile(reason.what, reason.where, reason.why, reason.way_out)
        except AdjointError as error:  # of a function that is met on the way
            return inputs, CannotCompile(error.what)
        except Exception as fault:  # ours, which must not end the user's program
            why = f"a fault of the compiled tier ({type(fault).__name__}: {fault}), {TO_MAKERS}"
            return inputs, CannotCompile(why)


def source_of(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The source of value and gradients by all arguments that are floats, or hold such.

    Raises
    ------
    CompileError
        If there is no such program.
    """
    text: str = gradients_of(f, args, kwargs, lambda f, names, call, wanted, program: program.text)
    return text


def gradients_of(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], give: Callable[..., Any]) -> Any:
    """The result of `give(f, names, call, wanted, program)`, with the program of value and gradients by all arguments
    that are floats, or hold such. It gets the names of the parameters, the function and its arguments, and which are
    wanted.

    Raises
    ------
    CompileError
        If there is no such program, or `give` says so.
    """
    try:
        function, _, flat = _flat(f, args, kwargs)
        wanted = tuple([1 + i for i, x in enumerate(flat) if _moves(x)])
        spec, in_memory = find_primal(function, table_of(function), flat)
        inputs = Inputs(Writer(), in_memory)
        call = (function, *flat)
        program = _made(spec, call, wanted, inputs, gradient_program, lambda name, text: None)[1]
        if isinstance(program, CannotCompile):
            raise program
        return give(f, table_of(function).signature.names, call, wanted, program)
    except CannotCompile as reason:
        refuse(f, reason, "strict")
        raise AssertionError("unreachable") from reason


def _moves(x: Any) -> bool:
    """Tell whether an argument is a float, an array of floats, or a container or an object of some."""
    if isinstance(x, float | np.ndarray):
        return not isinstance(x, np.ndarray) or x.dtype.kind == "f"
    if isinstance(x, tuple | list):
        return any(map(_moves, x))
    fields = record_fields(x)
    return fields is not None and any(map(_moves, fields.values()))

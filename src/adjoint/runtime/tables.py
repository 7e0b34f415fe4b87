"""Tables of generated rules: by the identity of the code, the classes of the arguments, then guards."""

from __future__ import annotations

import functools
import logging
import types
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ..depth import with_room
from ..errors import AdjointError, MutationError
from ..ir.lattice import join, keyed
from ..ir.nodes import Signature
from ..ir.types import BOTTOM, UNKNOWN, Array, Dict, Fn, Type
from ..origin import is_ours
from ..pause import paused
from ..rules.libraries import on_change
from ..transforms.memory import Memory, settled, used_by
from .generated import generated_ir
from .generation import Generation
from .guards import guard_of
from .profiles import NEWS, Profile
from .spec import LOCK, Spec, lowered
from .typeof import type_changed, typeof
from .varying import Varying

log = logging.getLogger("adjoint")

MAX_PER_KEY = 6
MAX_CODES = 2048
MAX_KEYS = 4096
MAX_LAYOUTS = 64

Values = tuple[Any, ...]
Needs = tuple[bool, ...] | None


class Table:
    """The generated rules of one code object."""

    def __init__(self, code: types.CodeType, signature: Signature) -> None:
        self.code = code
        self.signature = signature
        self.simple = not (signature.kwonly or signature.varargs or signature.varkw)
        self.n = signature.positional
        self.writes = False
        """True if there are programs that change their arguments."""
        self.entries: dict[Any, list[tuple[Any, Spec]]] = {}
        self.forms: dict[Any, Any] = {}
        """The layouts of outermost calls, by the number of their values by position, and the names."""
        self.layouts: dict[Any, Any] = {}
        """Layouts of calls with keywords, or that leave something off, which cotangents they want, and whether
        all parameters are given in their order. By what is wanted of the call, the number of its values by position,
        and the names."""
        self.refused: dict[Any, str] = {}
        """The kinds of arguments for which there is no typed program without rules, and why."""
        self.profiles: dict[Any, list[Profile]] = {}
        """Types that were seen in runs of the programs that observe, by their keys."""
        self.varying: dict[Any, Varying] = {}
        """Types that were found in the fields of arguments, by the keys of programs."""
        self.memory = Memory()
        """Types that the fields of references were found to hold."""
        self.steady, self.located = Memory(located=True, steady=True), Memory(located=True)
        """The same, where lists and dicts are memory as well; and where arrays are, too."""
        self.shares: Memory | None = None
        """By which of these there are programs with references."""
        self.weighed = 0
        """Number of calls that have been reversed by their structure, before that was weighed against memory."""
        self.preferred = False
        """True if programs with references are preferred to others, which would do."""
        self.looked = 0
        """Number of times that such a program was looked for, where none had been found, for a tangent."""


TABLES: OrderedDict[int, Table] = OrderedDict()
"""By the identity of the code, which the table holds."""

STATISTICS = {"generated": 0}

WHOLE = "whole"
"""Marks the keys of programs that give value and cotangents at once."""
WRITING, WRITING_WHOLE = "writing", "writing, whole"
"""Mark the keys of programs that change their arguments, and of those that give value and cotangents at once."""
SHARING, STEADY, LOCATING = "sharing", "steady", "locating"
REFERRING = (SHARING, STEADY, LOCATING)
"""Mark the keys of programs whose objects are references, which others may have; of those where lists, dicts and arrays
are memory as well."""
PRIMAL, IN_MEMORY = "primal", "in memory"
"""Mark the keys of typed programs without rules; of those whose arrays are taken as memory."""

on_change.append(TABLES.clear)

on_drop: list[Callable[[types.CodeType], None]] = []
"""Functions that are told of the codes of which programs are forgotten, as they took for granted what is not so."""


def table_of(function: types.FunctionType) -> Table:
    """The table of a function's code; the least recently made ones are forgotten when there are too many."""
    table = TABLES.get(id(function.__code__))
    if table is None:
        with LOCK:
            if (made := TABLES.get(id(function.__code__))) is not None:  # by another thread, meanwhile
                return made
            table = Table(function.__code__, paused(with_room(lowered))(function).signature)
            TABLES[id(function.__code__)] = table
            while len(TABLES) > MAX_CODES:
                TABLES.popitem(last=False)
    return table


def find_spec(function: types.FunctionType, table: Table, flat: Values, needs: Needs = None) -> Spec:
    """The generated rule for these arguments (in the order of the parameters), made if need be; one that takes nothing
    for granted."""
    spec = _find(function, table, flat, needs, (needs, *map(type, flat)))
    return spec.generic or spec


def find_now(function: types.FunctionType, table: Table, flat: Values, needs: Needs) -> Spec:
    """The same, or one that takes for granted what runs before have shown."""
    return _find(function, table, flat, needs, (needs, *map(type, flat)))


def find_whole(function: types.FunctionType, table: Table, args: Values, needs: tuple[bool, ...]) -> Spec:
    """The same for the program that gives value and cotangents at once."""
    return _find(function, table, args, needs, (WHOLE, needs, *map(type, args)))


def find_writing(function: types.FunctionType, table: Table, flat: Values, needs: Needs, whole: bool = False) -> Spec:
    """The same for a program that may change its arguments; as a `whole`, one that gives value and cotangents."""
    return _find(function, table, flat, needs, (WRITING_WHOLE if whole else WRITING, needs, *map(type, flat)))


def find_sharing(function: types.FunctionType, table: Table, args: Values, needs: Needs, memory: Memory) -> Spec:
    """The same for a program whose objects are references, or that takes all for memory."""
    return _find(function, table, args, needs, (kind_of(memory), needs, *map(type, args)))


def forget_sharing(table: Table, memory: Memory) -> None:
    """Forget such programs: fields hold what they did not take for granted."""
    with LOCK:
        for key in [key for key in table.entries if key[0] is kind_of(memory)]:
            del table.entries[key]
    for forget in on_drop:
        forget(table.code)


def kind_of(memory: Memory) -> str:
    """The kind of programs for which objects are memory as this says."""
    return STEADY if memory.steady else LOCATING if memory.located else SHARING


def _find(function: types.FunctionType, table: Table, flat: Values, needs: Needs, key: Any) -> Spec:
    """The program under a key whose guard holds, made if there is none."""
    for guard, spec in table.entries.get(key, ()):
        if guard(function, *flat):
            return spec
    return generate(function, table, flat, needs, key)


def find_primal(function: types.FunctionType, table: Table, args: Values) -> tuple[Spec, bool]:
    """The typed program for these arguments, without a rule, and whether others may see what it stores into its arrays:
    whoever reads it then has to take them as memory."""
    for kind in (PRIMAL, IN_MEMORY):
        for guard, spec in table.entries.get((kind, *map(type, args)), ()):
            if guard(function, *args):
                return spec, kind is IN_MEMORY
    try:
        return generate(function, table, args, None, (PRIMAL, *map(type, args))), False
    except MutationError:
        return generate(function, table, args, None, (IN_MEMORY, *map(type, args))), True


@paused
@with_room
def generate(
    function: types.FunctionType,
    table: Table,
    flat: Values,
    needs: Needs,
    key: Any,
    arg_types: tuple[Type, ...] | None = None,
) -> Spec:
    """Generate the rule for these arguments, under a lock; keep it under `key`.

    With too many kinds of arguments under one key the rule is made for any: unless `arg_types` says which are meant.
    """
    with LOCK:
        known = table.entries.setdefault(key, [])
        for guard, spec in known:
            if guard(function, *flat):
                return spec
        examples: Values = (function, *flat)
        observes, shares, writes = False, key[0] in REFERRING, key[0] in (WRITING, WRITING_WHOLE)
        if arg_types is not None:
            if len(known) >= MAX_PER_KEY:
                known.clear()
            if len(table.entries) > MAX_KEYS:
                table.entries.clear()
                table.varying.clear()
                table.entries[key] = known
        elif len(known) < MAX_PER_KEY:
            arg_types = tuple([(type_changed(x) if writes else None) or typeof(x, mixed=shares) for x in flat])
            if table.signature.varkw and not flat[-1] and not shares and not is_ours(function.__code__.co_filename):
                arg_types = (*arg_types[:-1], keyed({}))  # `**options`, where none were given: nobody else has it
            observes = key[0] not in (PRIMAL, IN_MEMORY) and generated_ir(function.__code__) is None
        else:
            now, seen = [typeof(x, mixed=shares) for x in flat], [spec.types[1:] for _, spec in known]
            arg_types, examples = tuple(map(_joined, zip(now, *seen, strict=True))), ()
            log.info("%s: too many kinds of arguments, one rule for all of them from here on", function.__qualname__)
        own: Type = typeof(function, mixed=shares)
        if not examples:
            free = (UNKNOWN,) * len(function.__closure__ or ())
            own = Fn(function.__code__, free, scope=function.__globals__)
        wanted = needs if needs is not None else (True,) * (1 + len(flat))
        memory = table.located if key[0] is LOCATING else table.steady if key[0] is STEADY else table.memory
        if shares:
            known_now = Memory(located=memory.located, steady=memory.steady)
            if memory.located:
                arg_types = _told_empty(arg_types, flat)
            own, arg_types, observes = settled(known_now, own), tuple([settled(known_now, t) for t in arg_types]), False
        elif writes and arg_types is not None:
            n = len(flat) - bool(table.signature.varkw)  # those are its own
            arg_types = (*_told_empty(arg_types[:n], flat[:n]), *arg_types[n:])
        profile = _profile_of(function, table, flat, key) if observes else None
        varying = table.varying.setdefault(key, Varying())
        joined = varying.begin(examples, None if profile is None else profile.joined)
        try:
            spec = _spec_of(function, (own, *arg_types), wanted, examples, key, profile, varying, memory)
        except AdjointError:
            if profile is None or profile.generic is None:
                raise
            known.insert(0, profile.generic)
            return profile.generic[1]  # type: ignore[no-any-return]
        guard = guard_of(spec, function, len(flat))
        spec.forget()
        if profile is not None and (profile.observes or profile.assumes):
            spec.profile = profile
            if profile.generic is None:
                profile.generic, profile.joined = (guard, spec), joined
            elif profile.assumes:
                spec.generic = profile.generic[1]
        if examples:
            known.insert(0, (guard, spec))
        else:
            known.append((guard, spec))  # the generic rule comes last
        while len(known) > 2 * MAX_PER_KEY:  # what was taken as constant has changed again and again
            known.pop(MAX_PER_KEY)
        STATISTICS["generated"] += 1
        return spec


def _told_empty(types_: tuple[Type, ...], values: Values) -> tuple[Type, ...]:
    """Types of values, of which empty dicts are told from others."""
    return tuple([Dict(BOTTOM) if type(x) is dict and not x else t for t, x in zip(types_, values, strict=True)])


def _joined(kinds: tuple[Type, ...]) -> Type:
    """One type for what an argument was seen to be: of arrays of several ranks an array, of what always was the same
    that, else anything."""
    t = functools.reduce(join, kinds)
    ranks = isinstance(t, Array) and all([isinstance(kind, Array) and kind.scalar is False for kind in kinds])
    return t if ranks or all([kind == t for kind in kinds]) else UNKNOWN


def _spec_of(
    function: types.FunctionType,
    arg_types: tuple[Type, ...],
    needs: tuple[bool, ...],
    examples: Values,
    key: Any,
    profile: Profile | None,
    varying: Varying,
    memory: Memory,
) -> Spec:
    """Generate the rule; once more where plain calls turn out to store into fields that were taken for known."""
    loose, spec = frozenset[str](), None
    while spec is None:
        primal, writes = key[0] in (PRIMAL, IN_MEMORY), key[0] in (WRITING, WRITING_WHOLE)
        held = Memory(memory) if key[0] in REFERRING else None
        generation = Generation(primal, key[0] is IN_MEMORY, profile, loose, varying, writes, held)
        try:
            spec = generation.spec(function, arg_types, needs, examples, whole=key[0] in (WHOLE, WRITING_WHOLE))
        except AdjointError:
            if not generation.contradicted:
                raise
        if spec is not None and held is not None:
            if (held, held.wider) != (memory, memory.wider):  # what is called stores what had been read before
                memory, spec = held, None
                continue
            spec.memory = used_by([part.primal for part in spec.all() if part.primal is not None], held)
        if generation.contradicted:
            loose, spec = loose | generation.contradicted, None
    return spec


def _profile_of(function: types.FunctionType, table: Table, flat: Values, key: Any) -> Profile | None:
    """Types that were seen in runs of the program for such arguments; None where no more programs are made of that."""
    profiles = table.profiles.setdefault(key, [])
    profile = next((p for p in profiles if p.generic is not None and p.generic[0](function, *flat)), None)
    if profile is None:
        profile = Profile(table, key)
        profiles.append(profile)
        del profiles[:-MAX_PER_KEY]
    if profile.is_exhausted:
        return None
    profile.begin((function, *flat))
    return profile


def settle() -> None:
    """Forget the programs of whose runs something new has been seen: the next ones are made with that."""
    with LOCK:
        profiles = [*dict.fromkeys(NEWS)]
        del NEWS[: len(profiles)]
    for profile in profiles:
        if profile.generic is not None and not profile.generic[1].has_effects:
            drop(profile)


def drop(profile: Profile) -> None:
    """Forget the programs that are made with what has been seen so far."""
    with LOCK:
        entries = profile.table.entries
        if profile.key in entries:
            others = [(guard, spec) for guard, spec in entries[profile.key] if spec.profile is not profile]
            entries[profile.key] = others
    for forget in on_drop:
        forget(profile.table.code)

"""Effects of programs: whether a run of one may do what cannot be done again, read from its typed IR."""

from __future__ import annotations

import builtins
import types
from collections.abc import Container, Iterator, Mapping
from typing import Any

import numpy as np

from ..classify import uncached
from ..frontend.listing import is_listing
from ..identity import is_hashable
from ..ir import intrinsics
from ..ir.exceptions import give_up, opened
from ..ir.lattice import kinds_of
from ..ir.nodes import Atom, Block, Call, Const, Loop, Star, Statement, Var, atoms_of
from ..ir.ordered import ASKING
from ..ir.runs import runs_of
from ..ir.types import (
    BOTTOM,
    Among,
    Array,
    Dict,
    Fn,
    Inert,
    Known,
    List,
    Located,
    Maybe,
    Nested,
    Record,
    Scalar,
    Tuple,
    Type,
    Variadic,
)
from ..ir.watch import watched
from ..ops.data import RUN_THROUGH
from ..ops.questions import called_by, called_in
from ..ops.texts import OF_TEXTS
from ..rules.outside import shows_iterator
from ..rules.registry import find_rules
from ..transforms.facts import Callee, Dynamic, Structural
from ..transforms.inactive_calls import bound_types
from ..transforms.infer import type_of
from ..transforms.plain_methods import methods_of
from ..transforms.uses import calls_of, is_call_of
from .effects import SETTLED, effects_of, only_computing
from .generated import generated_ir
from .giving_up import if_refused, may_act
from .implicit_calls import acts_in_making
from .program_calls import called, function_called, shared_calls_of, statements_of
from .typeof import typeof

_HELD = (Located, Array, Dict, Fn, Inert, Known, List, Maybe, Nested, Scalar, Tuple, Variadic)
"""Types of values that are no iterators."""


Reading = tuple[Any, tuple[Type, ...]]
"""A function that is called plainly, as it has been read: its code, and the types of itself and of its arguments."""


NONE_READ: Mapping[Reading, Type] = types.MappingProxyType({})


def has_effects(block: Block, generated: bool = False, computing: Mapping[Reading, Type] = NONE_READ) -> bool:
    """Tell whether a program does more than compute, but for what is known only when it runs: that is asked then. One
    that has been generated calls what it has been given by rules, and runs through what it has made. Plain calls that
    are `computing` have been read, and do nothing else."""
    return _acts(block, None if generated else {*made_in(block, computing)}, computing)


def acts_itself(spec: Any) -> bool:
    """Tell whether what is generated for a function does so, without what it calls; that of this library does not."""
    if spec.computes or str(spec.globals.get("__name__")).startswith("adjoint."):
        return False
    return spec.primal is None or has_effects(spec.primal.body, generated_ir(spec.code) is not None, spec.computing)


def is_plain_data(t: Type) -> bool:
    """Tell whether values of a type are numbers, arrays of them, texts, or tuples of these."""
    if isinstance(t, Tuple):
        return t.cls is tuple and all(map(is_plain_data, t.items))
    if isinstance(t, Array):
        return t.kind in tuple("biufc")
    if isinstance(t, Variadic):
        return is_plain_data(t.item)
    return isinstance(t, Scalar) or isinstance(t, Inert) and t.cls in DATA


def is_read(s: Call, f: Any, computing: Mapping[Reading, Type]) -> bool:
    """Tell whether a plain call is of a function that has been read for these arguments, and only computes."""
    return type_read(s, f, computing) is not None


def type_read(s: Call, f: Any, computing: Mapping[Reading, Type]) -> Type | None:
    """The type of what a plain call gives, if it is such a one."""
    own = uncached(f)
    if type(own) is not types.FunctionType or s.fn.value is not f or not computing:  # type: ignore[union-attr]
        return None
    t = typeof(own)
    given = bound_types(t, own, s.args, s.kwargs) if isinstance(t, Fn) else None
    return None if given is None else computing.get((own.__code__, (t, *given)))


def calls_of_users(block: Block) -> bool:
    """Tell whether a program calls, or hands on, a function with a derivative that a user has declared."""
    found = (a.value for s in statements_of(block) if isinstance(s, Call) for a in atoms_of(s) if isinstance(a, Const))
    return any(callable(f) and (rules := find_rules(f)) is not None and rules.is_users for f in found)


def made_in(block: Block, computing: Mapping[Reading, Type] = NONE_READ) -> Iterator[Var]:
    """The variables for what the program has made itself, or what is asked when it runs: no iterator of somebody's."""
    runs = {out for s in statements_of(block) if _is_reading_of_iterator(s) for out in s.outs}
    for s in statements_of(block):
        if is_question(s):
            yield from [] if is_question(s, only_computing) else s.args[:1]  # type: ignore[union-attr, misc]
        elif isinstance(s, Call) and (s.how is None and called(s) in runs or _gives_held(s, computing)):
            yield from s.outs


def _is_reading_of_iterator(s: Statement) -> bool:
    """Tell whether a statement reads a method that gives a new iterator: of another one of that name it is asked before
    whether it only computes."""
    name = s.args[1] if is_call_of(s, (builtins.getattr,)) else None  # type: ignore[union-attr]
    return isinstance(name, Const) and name.value in RUN_THROUGH


def _gives_held(s: Call, computing: Mapping[Reading, Type]) -> bool:
    f = function_called(s)
    if f is None:
        return False
    if s.how is None and isinstance(s.fn, Const) and isinstance(type_read(s, f, computing), _HELD):
        return True
    return effects_of(f).gives_own


def _is_handed_data(s: Call, f: Any) -> bool:
    """Tell whether all that a function would call, if it were a function, is a number, a text, or left off."""
    first = called(s) is not s.fn
    named = [(name, v) for name, v in s.kwargs if name is not None]
    given = [*s.args[first:], *[v for _, v in named]]
    if len(named) < len(s.kwargs) or any([isinstance(a, Star) for a in given]):
        return not called_by(f)
    called_here = called_in(f, len(given) - len(named), [name for name, _ in named])
    return all([is_plain_data(type_of(given[i])) for i in called_here])  # type: ignore[arg-type]


def _acts(block: Block, made: set[Var] | None, computing: Mapping[Reading, Type]) -> bool:
    if made is None:
        return any(map(_generated_acts, statements_of(block)))
    methods = methods_of(block)
    asked: set[Any] = {s.args[0] for s in calls_of(block.statements) if is_question(s, only_computing)}
    through = (a for s in statements_of(block) for a in run_through(s))
    calls = shared_calls_of(block)
    return any(call_acts(s, methods, computing, asked) for s in calls) or any(may_be_iterator(a, made) for a in through)


def _generated_acts(s: Statement) -> bool:
    known = isinstance(s, Call) and isinstance(s.fn, Const) and not isinstance(s.how, Dynamic)
    return known and find_rules(s.fn.value) is not None and effects_of(s.fn.value).acts  # type: ignore[union-attr]


def call_acts(
    s: Statement, methods: Mapping[Any, Any], computing: Mapping[Reading, Type] = NONE_READ, asked: Container[Atom] = ()
) -> bool:
    """Tell whether a statement calls what acts; of what is found when it runs, or read for itself, that is asked
    there, and of the functions that are `asked` before."""
    if not isinstance(s, Call) or isinstance(s.how, (Dynamic, Callee)):
        return False
    f = function_called(s) or methods.get(s.fn)
    if f is None:
        return s.how is None and called(s) not in asked
    if s.how is None and is_hashable(f) and f in OF_TEXTS:
        return not _is_handed_data(s, f)
    if s.how is None and is_read(s, f, computing):
        return False
    return s.how is None and _is_called_plainly(f) or find_rules(f) is not None and effects_of(f).acts


def run_through(s: Statement) -> list[Any]:
    """The values that a statement runs through."""
    if isinstance(s, Loop):
        return list(s.sequences)
    if not isinstance(s, Call) or isinstance(s.how, (Dynamic, Callee)):
        return []
    stars = [a.value for a in s.args if isinstance(a, Star)]
    f = function_called(s)
    if isinstance(s.how, Structural) and s.how.kind == "new":  # it stores what it is given, as it is
        return stars
    if f is None or not effects_of(f).runs_through:
        return stars
    given = (*s.args, *(v for _, v in s.kwargs)) if f is not intrinsics.make_function else s.args[2:]
    return [*stars, *(a for a in given if not isinstance(a, Star))]


def is_question(s: Statement, of: Any = None) -> bool:
    """Tell whether a statement asks whether the run may go on; with `of`, that question."""
    asks = is_call_of(s, (intrinsics.check,))
    return asks and (of is None or s.args[1].value is of)  # type: ignore[union-attr]


def calls_unseen(block: Block) -> bool:
    """Tell whether a program calls what only the run shows, and asks first whether that only computes."""
    return any(is_question(s, only_computing) for s in statements_of(block))


def asks_before_acting(primal: Any) -> bool:
    """Tell whether a program that acts asks whether it may, wherever it does."""
    return primal is not None and any(is_question(s, may_act) for s in statements_of(primal.body))


def asks(block: Block) -> bool:
    """Tell whether a program asks such questions, gives up where an exception comes, compares objects, or makes a list
    of what a generator gives, or of the keys of groups, before it has used any of that."""
    return any(map(_asks, statements_of(block)))


def _asks(s: Statement) -> bool:
    if is_question(s) and not is_question(s, may_act) and not is_question(s, if_refused):
        return True
    if is_call_of(s, (give_up, opened, runs_of, *ASKING)):
        return True
    return isinstance(s, Call) and isinstance(s.fn, Const) and is_listing(s.fn.value)


DATA = frozenset([*SETTLED, list, dict, set, bool, range, type(None), np.ndarray, np.float64, np.int64, np.bool_])


def _is_called_plainly(f: Any) -> bool:
    """Tell whether a plain call of a function acts: making an object of a user's class does what its methods do."""
    if isinstance(f, type):
        return f.__module__ != "builtins" and find_rules(f) is None and acts_in_making(f)
    return effects_of(f).acts


def may_be_iterator(a: Atom | Star, made: set[Var]) -> bool:
    """Tell whether a value may be an iterator that was there before the program ran."""
    if not isinstance(a, Var) or a in made:
        return False
    t: Type = type_of(a)
    return is_surely_iterator(a) if isinstance(t, (Record, Among)) else t != BOTTOM and not isinstance(t, _HELD)


def is_surely_iterator(a: Any) -> bool:
    """Tell whether a value is of a class whose objects are iterators, or show one."""
    return any([hasattr(kind.cls, "__next__") or shows_iterator(kind.cls) for kind in kinds_of(type_of(a))])


def watches(block: Block) -> bool:
    """Tell whether a program calls what may change its arguments, and is refused where it did."""
    called = (s.fn for s in statements_of(block) if isinstance(s, Call))
    return any(isinstance(fn, Const) and fn.value is watched for fn in called)

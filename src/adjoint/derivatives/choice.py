"""The choice between recording a call and reversing it in its structure."""

from __future__ import annotations

import types
from contextvars import ContextVar
from typing import Any, Protocol

import numpy as np

from ..cells import captured_by
from ..classify import Kind, classify, passed_on
from ..errors import (
    AdjointError,
    GivenUpError,
    MutationError,
    NoRuleError,
    SourceUnavailableError,
    UnsupportedSyntaxError,
)
from ..rules.libraries import on_change
from ..rules.outside import acts, is_iterator, runs_through
from ..rules.registry import find_rules, has_rules, non_differentiable
from ..runtime.binding import bind
from ..runtime.effects import in_trial
from ..runtime.implicit_calls import PLAIN
from ..runtime.implicit_values import holds_storing
from ..runtime.profiles import NEWS
from ..runtime.spec import CALLERS, SPECIAL, Spec
from ..runtime.tables import Needs, find_spec, settle, table_of
from ..tangents.fields import holds_besides
from ..tangents.held import own_dict
from ..tangents.sweep import thread
from ..wrappers import plainly
from .named import Named
from .plans import forget_plans, forget_plans_of


class Debugger(Protocol):
    """A debugger, which takes the derivatives of a context in its own way."""

    def record(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """`(y, back)` of a call, and what the function and its arguments looked like before."""

    def judge(self, y_bar: Any, bars: tuple[Any, ...], name: str) -> None:
        """Look at what a pullback gave that may have been made outside of the context."""

    def judge_within(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], bars: tuple[Any, ...]) -> None:
        """Look at a gradient that is differentiated in its turn."""


DEBUGGER: ContextVar[Debugger | None] = ContextVar("debugger", default=None)

REFUSALS = (MutationError, UnsupportedSyntaxError, NoRuleError, SourceUnavailableError)
"""Refusals of the structured way, after which a program may be recorded."""

_RECORDED: dict[Any, tuple[Any, ...]] = {}
"""Calls by what they are of, with the code that their keys name."""
_CODES: set[int] = set()
"""The codes of what is called in these, by identity."""
_GIVEN_UP: dict[Any, int] = {}
"""How often such calls have been given up in a row."""
_LEFT: dict[Any, int] = {}
"""How often those are recorded before their structure is tried again."""
MAX_LEFT = 256
MAX_CALLS = 1000
_UNCALLED = PLAIN | {list, tuple, dict, set}
"""Classes of values that nobody calls."""


def identity_of_call(f: Any, args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """The identity of a call, and the objects that must be kept alive for as long as that is to hold."""
    codes: list[Any] = []
    for x in (f, *args):
        codes.append(type(x))
        codes += (None,) if type(x) in _UNCALLED else _codes_of(x)
    return tuple(map(id, codes)), tuple(codes)


def _codes_of(x: Any, depth: int = 4) -> list[Any]:
    """The code of what is called, and of the functions that it captures or holds, and these."""
    function = _function_of(x)
    if function is None:
        return [None]
    captured = list(captured_by(function).values()) if depth else []
    if depth and x is not function and not isinstance(x, Named | type):
        captured += (own_dict(x) or {}).values()  # an object may call what it holds: each is a call of its own
    return [function.__code__, *[code for c in captured if callable(c) for code in _codes_of(c, depth - 1)]]


def _function_of(x: Any) -> Any:
    """The function of Python behind a callable, or behind that which a derivative is of; None of anything else."""
    for _ in range(10):
        held = x
        if isinstance(x, Named):
            x = x.__wrapped__
        elif callable(x):  # else its class makes whatever it likes of a name that it does not know
            x = passed_on(x, (), {})[0]
        if type(x) is types.FunctionType:
            return x
        if x is held:
            return None
    return None


def is_to_be_recorded(f: Any, args: tuple[Any, ...]) -> bool:
    """Tell whether such a call has been recorded before, or is given objects whose special methods store."""
    return has_been_recorded(f, args) or any(map(holds_storing, args))


def has_been_recorded(f: Any, args: tuple[Any, ...]) -> bool:
    """Tell whether such a call has been recorded: this is asked before every call, and of most the code says no at
    once."""
    if not was_recorded(f) or (key := identity_of_call(f, args)[0]) not in _RECORDED:
        return False
    if (left := _LEFT.get(key)) is not None:
        _LEFT[key] = left - 1
        if left <= 0:
            _RECORDED.pop(key, None)
            _LEFT.pop(key, None)
    return left is None or left > 0


def was_recorded(f: Any) -> bool:
    """Tell whether any call of the function behind a callable has been recorded."""
    if not _CODES:
        return False
    function = f if type(f) is types.FunctionType else _function_of(f)
    return id(None if function is None else function.__code__) in _CODES


def keeps_structure(f: Any, spec: Spec) -> bool:
    """Tell whether a function is reversed by its structure: it cannot be refused after it has done something that
    cannot be done again, and no loop copies to store an item."""
    return f in SPECIAL or f in CALLERS or not half_way(spec) and not spec.copies


def half_way(spec: Spec) -> bool:
    """Tell whether a program may be refused after it has done something that cannot be done again."""
    return spec.acts_unasked and spec.may_be_refused


def runs_once(spec: Spec) -> bool:
    """Tell whether a run of a program cannot be done again: it acts, and is not given up before it does."""
    return spec.has_effects and (spec.acts_unasked or not spec.may_be_refused)


class NotKept(Exception):
    """Says that a call is not to be reversed by its structure, for which `spec` has been generated."""

    def __init__(self, f: types.FunctionType, spec: Spec, args: tuple[Any, ...]) -> None:
        self.may_store = not all(map(_is_flat, args))
        """True if the program may store into its arguments: into numbers and arrays it would have been refused."""
        held = not all(map(_is_flat, captured_by(f).values()))
        self.may_share = self.may_store or held or not half_way(spec) or len(spec.all()) <= MAX_READ
        """True if a program in which objects are memory may be another one: of many functions, called with numbers and
        arrays, one will act as it does here."""


MAX_READ = 8
"""The number of functions in a program that acts, up to which it is read in other ways, too."""


def _is_flat(x: Any) -> bool:
    return type(x) in _UNCALLED and not isinstance(x, list | tuple | dict | set) or type(x) is np.ndarray


def kept_for(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], needs: Needs) -> Spec | None:
    """The program of a call that is reversed by its structure; None where a rule says it all, `NotKept` where it
    is not to be kept."""
    found = generated_for(f, args, kwargs, needs)
    if found is not None and not keeps_structure(*found):
        raise NotKept(*found, args)
    return None if found is None else found[1]


def acts_on(f: Any, args: tuple[Any, ...]) -> bool:
    """Tell whether a function that has rules acts, or runs through an iterator that it is given."""
    return acts(f) or runs_through(f) and any(map(is_iterator, args))


def in_structure(f: Any, spec: Spec | None, given: tuple[Any, ...], run: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`run(*args, **kwargs)`, a run of `f(*given)` by its structure, for which `spec` has been generated, if anything.
    Where it cannot be done again, a refusal on its way stands."""
    acting = acts_on(f, given) if spec is None else runs_once(spec)
    try:
        if not acting and (spec is None or spec.may_be_refused):
            return in_trial(run, *args, **kwargs)
        return run(*args, **kwargs)
    except REFUSALS as error:
        if acting:
            error.final = True
        raise
    finally:
        if NEWS and not thread.state.trial:
            settle()


def is_structured(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], needs: Needs) -> bool:
    """Tell whether a call is reversed by its structure; one of `REFUSALS` if it cannot be."""
    found = generated_for(f, args, kwargs, needs)
    return found is None or keeps_structure(*found)


def is_structured_call(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> bool:
    """Tell whether an outermost call is reversed by its structure, and not recorded; nothing is run."""
    if DEBUGGER.get() is not None or is_to_be_recorded(f, args):
        return False
    try:
        return is_structured(f, args, kwargs or {}, None)
    except REFUSALS:
        return False


def may_run_again(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Tell whether an outermost call is reversed by its structure and only computes: a second run is as the first."""
    if DEBUGGER.get() is not None or is_to_be_recorded(f, args):
        return False
    if any(map(holds_besides, (*args, *kwargs.values()))):
        return False  # the reverse refuses what flows to such a field
    try:
        found = generated_for(f, args, kwargs, None)
    except REFUSALS:
        return False
    if found is None:
        rules = find_rules(f)
        return not acts_on(f, args) and (rules is None or not rules.is_users)
    return keeps_structure(*found) and found[1].only_computes


def generated_for(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], needs: Needs
) -> tuple[types.FunctionType, Spec] | None:
    """The function behind a callable, and what is generated for such a call of it; None where a rule says it all."""
    if hasattr(type(f), "__adjoint_derivative__") and not kwargs:
        return generated_for(type(f).__adjoint_derivative__(f)[0], args, kwargs, None)
    if type(f) is not types.FunctionType:
        function, given, named = passed_on(f, args, kwargs, _FOLLOWED)
        if type(function) is not types.FunctionType:
            inner = _inner(function)
            return None if inner is None else generated_for(inner, given, named, None)
        if given is not args or named is not kwargs:  # by the class of an object nothing is asked for it
            by_class = needs is not None and len(given) == 1 + len(args) and given[0] is f
            needs = (False, *needs) if by_class and needs is not None else None
        f, args, kwargs = function, given, named
    if has_rules(f) or f in SPECIAL or f in CALLERS:
        return None
    table = table_of(f)
    if table.simple and not kwargs and len(args) == table.n:
        return f, find_spec(f, table, args, needs)
    flat, _ = bind(f, table.signature, args, kwargs)
    return f, find_spec(f, table, flat)


_FOLLOWED: frozenset[Kind] = frozenset(["bound", "static", "partial", "cached", "object", "class"])


def differentiated(f: Any) -> Any:
    """The function that is differentiated where a callable adds nothing to it, and has no rule; else the callable."""
    held = f if type(f) is types.FunctionType else plainly(f)
    return f if held is f or has_rules(f) else held


def _inner(f: Any) -> Any:
    """The function that runs once in each derivative of a gradient, or the compiled one in its place."""
    c = classify(f)
    if c.kind == "gradient":
        return type(f).__adjoint_gradient__(f)[0]
    return c.callee if c.kind == "compiled" and not has_rules(f) else None


def remember(f: Any, args: tuple[Any, ...], refusal: AdjointError | None = None) -> None:
    """Have such calls recorded from here on, if this one is not the first: what a first call makes for all others, as a
    cache, may have been in the way. Of those that are given up as they run, some are recorded."""
    key, codes = identity_of_call(f, args)
    if len(_RECORDED) > MAX_CALLS or len(_GIVEN_UP) > MAX_CALLS:
        forget()
    if refusal is not None:
        times = _GIVEN_UP[key] = _GIVEN_UP.get(key, 0) + 1
        if times == 1:
            return
        if isinstance(refusal, GivenUpError):
            _LEFT[key] = min(2**times, MAX_LEFT)
    _RECORDED[key] = codes
    _CODES.add(id(codes[1]))
    forget_plans_of(codes[1])


def refused(f: Any) -> None:
    """Note that a call has been refused by its structure: those like it have no plans."""
    function = f if type(f) is types.FunctionType else _function_of(f)
    if function is not None:
        forget_plans_of(function.__code__)


def completed(f: Any, args: tuple[Any, ...]) -> None:
    """Note that a call has not been given up."""
    if _GIVEN_UP:
        _GIVEN_UP.pop(identity_of_call(f, args)[0], None)


def forget() -> None:
    """Forget which calls are recorded, and of which the way is known."""
    for known in (_GIVEN_UP, _LEFT):
        known.clear()
    _RECORDED.clear()
    _CODES.clear()
    forget_plans()


on_change.append(forget)
non_differentiable(is_structured_call, may_run_again)

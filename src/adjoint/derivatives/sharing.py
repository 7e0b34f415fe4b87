"""Calls that change objects which others may have: run on these, by a program whose objects are references.

What all objects hold is asked before, and put back where the run does not come to its end: the call is recorded then,
and has the error in its place. A program that prints or draws besides is not run twice: an error stands where it was.
"""

from __future__ import annotations

import functools
import logging
from types import FunctionType
from typing import Any

from ..errors import AdjointError, GivenUpError, MutationError, UnsupportedSyntaxError
from ..faults import show_fault
from ..rules.libraries import quietly
from ..rules.registry import has_rules
from ..runtime.generated import generated_ir
from ..runtime.implicit_values import holds_storing
from ..runtime.spec import LOCK, Spec
from ..runtime.survey import Survey
from ..runtime.tables import TABLES, Needs, Table, find_sharing, forget_sharing, table_of
from ..tangents.sweep import in_pass, thread
from .anew import run_plainly
from .choice import REFUSALS, has_been_recorded, keeps_structure
from .parameters import with_receiver
from .plans import forget_plans_of

log = logging.getLogger("adjoint")

Args = tuple[Any, ...]
MAX_ATTEMPTS = 8
"""The number of times that something new may be found in fields."""


def is_sharing(f: Any, args: Args) -> bool:
    """Tell whether a function has been found to change objects that others may have, and such a call is not
    recorded."""
    function = with_receiver(f, args, {})[0]
    table = TABLES.get(id(function.__code__)) if type(function) is FunctionType else None
    return table is not None and table.shares is not None and not has_been_recorded(f, args)


def may_share(f: Any, args: Args) -> bool:
    """Tell whether a call is given objects whose special methods store, and has not been recorded: only a program whose
    objects are memory knows what these do."""
    function = with_receiver(f, args, {})[0]
    if type(function) is not FunctionType or has_rules(function) or not any(map(holds_storing, args)):
        return False
    if has_been_recorded(f, args):
        return False
    try:
        table_of(function)
    except REFUSALS:
        return False
    return True


MAX_LOOKED = 3


def turns_out_sharing(f: Any, args: Args, refusal: Any) -> bool:
    """The same of a function that was refused by its structure, and of which no gradient has been taken before; some
    calls are looked at."""
    if not may_share(f, args) if refusal is None else not _may_be_followed(refusal):
        return False
    table = TABLES.get(id(f.__code__)) if type(f) is FunctionType else None
    if table is None or table.looked >= MAX_LOOKED or has_been_recorded(f, args):
        return False
    table.looked += 1
    return sharing_program(f, args) is not None


def _may_be_followed(refusal: Any) -> bool:
    """Tell whether a program with objects as memory may follow what was refused where they are values."""
    return isinstance(refusal, (MutationError, UnsupportedSyntaxError)) and not (
        refusal.final or isinstance(refusal, GivenUpError)
    )


def shared_call(f: Any, needs: Needs, args: Args, refusal: AdjointError | None = None) -> tuple[Any, Any, Args] | None:
    """`(y, back)` of an outermost call that changes objects which others may have, with one argument for each
    parameter, and what function and arguments looked like before; None where it is to be recorded."""
    if refusal is not None and not _may_be_followed(refusal):
        return None
    found = program_and_survey(f, needs, args, anew=True)
    if found is None:
        return None
    spec, survey = found
    hand_over, given = handing_over_of()(f, args, needs)
    plain = run_plainly(spec, survey, f, args) if spec.memory.latest else None  # its errors are those of the caller
    if spec.memory.latest and plain is None:
        return None
    try:
        y, back = _run(spec, f, args)
        if plain is not None and not plain.settle(y):
            survey.restore()
            return None
    except Exception as error:
        if spec.has_effects:  # what it has done is done, and its stores are those of Python up to here
            if isinstance(error, AdjointError):
                error.final = True
            raise
        survey.restore()
        show_fault(error)
        log.debug("%r is recorded", f, exc_info=True)
        return None
    if survey.shares_unchanged:
        survey.restore()
        return None
    return y, lambda y_bar: hand_over(back(y_bar)), given


def _run(spec: Spec, f: Any, args: Args) -> Any:
    state = thread.state
    trial, state.trial = state.trial, not spec.has_effects
    try:
        rule, values = spec.on(f, args)
        return in_pass(rule, *values)
    finally:
        state.trial, state.links = trial, {}


def try_in_place(f: Any, args: Args) -> None:
    """Run the program of a call on the objects that it changes, and put back what they held."""
    found = program_and_survey(f, None, args)
    if found is not None:
        try:
            _run(found[0], f, args)
        finally:
            found[1].restore()


def sharing_program(f: Any, args: Args) -> Spec | None:
    """The program of a call that changes objects which others may have; None of any other. Nothing is run."""
    found = program_and_survey(f, None, args)
    return None if found is None else found[0]


def program_and_survey(f: Any, needs: Needs, args: Args, anew: bool = False) -> tuple[Spec, Survey] | None:
    """The program for a call, and what the objects in its arguments hold; one that finds the latest result is for who
    has it computed `anew`."""
    if thread.state.trial or type(f) is not FunctionType or has_rules(f) or generated_ir(f.__code__) is not None:
        return None
    table = TABLES.get(id(f.__code__))
    if table is None or len(args) != len(table.signature.names):
        return None
    handing_over_of()
    for memory in (table.memory, table.steady, table.located) if table.shares is None else (table.shares,):
        if (program := program_in(f, table, needs, args, memory)) is not None:
            return program if anew or not program[0].memory.latest else None
    return None


@functools.cache
def handing_over_of() -> Any:
    """The function that hands cotangents over, loaded when something is to be handed over: it knows the places of
    values."""
    with quietly():
        from .shadows import handing_over
    return handing_over


def surveyed(spec: Spec, memory: Any, f: Any, args: Args) -> Survey | None:
    """A survey of what a call can reach, if that is as its program takes for granted; None where it may be another
    program's."""
    if memory.tables or memory.latest:
        return None
    found = [scope.get(name) for (_, name), scope in [*memory.roots.items()]]
    survey = Survey((f, *args, *found), memory.located, [*memory.scopes.values()])
    known = survey.is_whole and survey.fits(spec) and not (memory.located and survey.key_types() - memory.key_types)
    return survey if known else None


def program_in(f: FunctionType, table: Table, needs: Needs, args: Args, memory: Any) -> tuple[Spec, Survey] | None:
    """The program for such arguments, and for what the objects in them hold; and these."""
    for attempt in range(MAX_ATTEMPTS):
        roots = len(memory.roots)
        found = [scope.get(name) for (_, name), scope in [*memory.roots.items()]]
        survey, touched = Survey((f, *args, *found), memory.located, [*memory.scopes.values()]), memory.touched
        if not survey.is_whole:
            return None
        if memory.located and not (found_keys := survey.key_types()) <= memory.key_types:
            with LOCK:
                memory.key_types |= found_keys
                forget_sharing(table, memory)
        if not attempt and table.shares is None:
            with LOCK:
                survey.learn(memory)
        try:
            spec = find_sharing(f, table, args, needs, memory)
        except REFUSALS:
            log.debug("%r has no program with references", f, exc_info=True)
            spec = None
        if spec is not None and len(memory.roots) > roots:
            continue  # what a program reaches by names is surveyed as well
        met = spec is not None and survey.meets_tables(memory)
        if met or memory.touched > touched:  # what was read before that was found may have been taken for a constant
            with LOCK:
                forget_sharing(table, memory)
            continue
        if spec is not None and survey.fits(spec):
            if not keeps_structure(f, spec) or survey.shared and spec.has_effects:
                return None
            if table.shares is not memory:
                table.shares = memory
                forget_plans_of(f.__code__)
            return spec, survey
        with LOCK:
            if not survey.learn(memory) and len(memory.roots) == roots:
                return None
            forget_sharing(table, memory)
    return None

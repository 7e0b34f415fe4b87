"""The frame of entry plans, printed: what is asked before a program runs, and what a thread keeps while it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ..ir.nodes import Loop, statements_within
from ..pause import rarely_collected
from ..rules.registry import RULES
from ..runtime.implicit_values import holds_storing, readers_of
from ..runtime.profiles import NEWS, Mispredicted
from ..runtime.spec import Spec
from ..runtime.tables import settle
from ..tangents.sweep import ASSUMING, check_taken, thread
from .choice import DEBUGGER, REFUSALS
from .handing import is_closed, is_walked

NONE_LOOKED_AT: Mapping[str, str] = MappingProxyType({})


def names_of(spec: Spec) -> list[str]:
    """The names of the arguments in a plan."""
    return [f"a{i}" for i in range(len(spec.types) - 1)]


def asking(
    plan: Any,
    spec: Spec,
    moving: Sequence[str] = (),
    asked: Sequence[str] = (),
    stores: bool = False,
    looks: Mapping[str, str] = NONE_LOOKED_AT,
) -> list[str]:
    """The lines of a plan that ask its guard, and what is `asked` besides. It does not run in a trial, of a function
    with a rule, or for a debugger; and if its program `stores`, in no run that takes something for granted. Arguments
    of which there are `looks` are `whole_...` where their cotangents come complete."""
    name, condition, args = plan.name, " and ".join([f"({plan.condition})", *asked]), names_of(spec)
    open_ = [(a, t) for a, t in zip(args, spec.types[1:], strict=True) if not (stores or is_closed(t))]
    known = readers_of(plan.classes) if open_ else {}
    hidden = [
        f"{f'not ({{*map(type, {a})}} == {{str}}) and ' * is_walked(t)}"
        f"{f'not (whole_{a} := {looks[a]}({a})) and ' if a in looks else ''}{name(holds_storing)}({a}, {name(known)})"
        for a, t in open_
    ]
    trial = "trial" if stores else "trial is True"
    barred = " or ".join([trial, f"f in {name(RULES)}", f"{name(DEBUGGER)}.get() is not None", *hidden])
    return [
        f"def plan({', '.join(['f', *args, *moving])}):",
        "    try:",
        f"        if not ({condition}):",
        "            return None",
        "    except (AttributeError, ValueError, LookupError):",
        "        return None",
        f"    state = {name(thread)}.state",
        "    trial = state.trial",
        f"    if {barred}:",
        "        return None",
    ]


def of_run(
    plan: Any, spec: Spec, program: Any, gives: str, sweeps: bool = False, moving: Sequence[str] = ()
) -> list[str]:
    """The lines that run a program; one that `sweeps` gives cotangents as well."""
    name, program = plan.name, rarely_collected(program) if _tapes(spec) else program
    return [
        f"        {gives} = {name(program)}({', '.join(['f'] * spec.takes_self + [*names_of(spec), *moving])})",
        *(["        if state.bars:", f"            {name(check_taken)}(state.bars)"] if sweeps else []),
    ]


def failing(plan: Any, spec: Spec) -> list[str]:
    """The lines that have a call go the general way where its run is refused."""
    name = plan.name
    lines = [f"    except {name(REFUSALS)}:", "        return None"]
    if spec.may_be_refused:
        lines += [f"    except {name(Mispredicted)}:", "        if trial:", "            raise", "        return None"]
    return lines


def running(
    plan: Any, spec: Spec, body: Sequence[str], caught: Sequence[str], tables: Mapping[str, str], trial: str = ""
) -> list[str]:
    """The lines that run a `body`, for which these tables of the thread begin so; and for which it is in a `trial`, as
    it is where the program may be refused."""
    name, refusable = plan.name, spec.may_be_refused
    trial = trial or str(ASSUMING) * refusable
    settled = [f"            if {name(NEWS)}:", f"                {name(settle)}()"] if refusable else []
    return [
        *[f"    {table}, state.{table} = state.{table}, {start}" for table, start in tables.items()],
        *[f"    state.trial = {trial}"] * bool(trial),
        "    try:",
        *body,
        *caught,
        "    finally:",
        *[f"        state.{table} = {table}" for table in tables],
        *(
            ["        state.trial = trial", "        if not trial:", "            state.links = {}", *settled]
            if trial
            else []
        ),
    ]


def _tapes(spec: Spec) -> bool:
    """Tell whether a run may write down any number of things: a loop, or a function that calls itself, is in it."""
    parts = spec.all()
    primals = [part.primal for part in parts]
    loops = any([p is None or any([isinstance(s, Loop) for s in statements_within(p.body)]) for p in primals])
    return loops or not spec.resolved or any([part in used.all() for part in parts for used in part.uses])

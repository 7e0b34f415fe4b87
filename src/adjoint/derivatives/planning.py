"""Printing of entry plans: guard, program, and what is handed over. What a type proves is not asked again."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

from ..ir.types import Type
from ..rules.registry import RULES
from ..runtime.frules import push_of
from ..runtime.spec import Spec
from ..runtime.tables import TABLES, WHOLE, table_of
from ..runtime.targets import only_once
from ..tangents import scalar_seed
from ..tangents.sweep import failed, hidden_refusal
from .choice import keeps_structure, was_recorded
from .framing import NONE_LOOKED_AT, asking, failing, of_run, running
from .handing import fitting, hand_of, handed, is_closed
from .looking import look_of
from .ordering import Ordered
from .plans import PRODUCT, TANGENT, plans_to_add_to
from .results import result_of
from .storing_plans import handing_of, storing_plan
from .weighing import to_be_weighed


@only_once
def plan_gradient(call: Ordered, single: bool) -> None:
    """Make the plan of a gradient that has just been taken the general way, if types tell all that is asked there. A
    `single` gradient comes by itself, others as a tuple."""
    f, args, wanted, places = call
    if was_recorded(f):
        return
    needs = (False, *[i in places for i in range(len(args))])
    storing_plan(f, wanted, args, needs, handing_of(places, single))
    if (found := _entry(f, args, (WHOLE, needs, *map(type, args)))) is not None:
        plans, guard, spec = found
        types = spec.types[1:]
        plan = guard.written.copy()
        looks = {f"a{i}": look for i in places if (look := look_of(plan, spec, i + 1, args[i])) is not None}
        given = [_handed(plan, i, types[i], looks) for i in places]
        result = given[0] if single else "(" + "".join([f"{d}, " for d in given]) + ")"
        lines = _run(plan, spec, spec.program, "y, d", "memo", "bars", looks=looks)
        plans.add(wanted, len(args), plan.define("plan", [*lines, "    taken = {}", f"    return y, {result}"]))


def _handed(plan: Any, i: int, t: Type, looks: Mapping[str, str]) -> str:
    """The expression for what is handed over for an argument: its cotangent as it is, where that comes complete."""
    d = handed(plan.name, f"d[{i + 1}]", f"a{i}", t)
    return f"d[{i + 1}] if whole_a{i} else {d}" if f"a{i}" in looks else d


def plan_pullback(f: Any, wanted: Any, args: tuple[Any, ...]) -> None:
    """Make the plan of a pullback that has just been made the general way, if types tell all that is asked there."""
    if not was_recorded(f) and (found := _entry(f, args, (None, *map(type, args)))) is not None:
        plans, guard, spec = found
        plan = guard.written.copy()
        result = ", ".join([f"a{i}" for i in range(len(args))])
        lines = _run(plan, spec, spec.rule, "y, back", "memo")
        y = result_of(plan.name, spec, f"f, ({result},)")
        made = plan.define("plan", [*lines, f"    return {y}, back, (f, {result})"])
        made.hand = hand_of(spec.types[1:])
        plans.add(wanted, len(args), made)


@only_once
def plan_tangent(f: Any, args: tuple[Any, ...], dots: tuple[Any, ...], finish: Callable[..., Any]) -> None:
    """Make the plan of a tangent that has just been computed the general way, if types tell all that is asked there.
    `finish` makes of the tangent, the result and what is given the tangent for the user."""
    if (found := _along(f, args, dots)) is not None:
        plans, plan, spec, moving, fits = found
        given = ", ".join([*moving, *[f"a{i}" for i in range(len(args))], ""])
        lines = [
            *_run(plan, spec, spec.push, "y, y_dot", "memo", moving=moving, fits=fits),
            "    if type(y) is float and type(y_dot) is float:",
            "        return y, y_dot",
            f"    return y, {plan.name(finish)}(y_dot, y, ({given}))",
        ]
        plans.add((TANGENT, *[d is not None for d in dots]), len(args), plan.define("plan", lines))


@only_once
def plan_product(f: Any, args: tuple[Any, ...], dots: tuple[Any, ...], zeros: tuple[Any, ...], name: str) -> None:
    """Make the plan of a product of the Hessian that has just been taken by reverse over forward, if types tell all
    that is asked there. `zeros` are cotangents of the arguments."""
    if (found := _along(f, args, dots)) is None:
        return
    plans, plan, spec, moving, fits = found
    push, types = spec.push, spec.types[1:]
    own = (f,) if spec.takes_self else ()
    values = (*own, *args, *[d for d in dots if d is not None])
    asked = (False, *[False for _ in own], *[zero is not None for zero in zeros], *[False for _ in moving])
    for guard, reverse in table_of(push).entries.get((asked, *map(type, values)), ()):
        if guard(push, *values) and all(map(is_closed, types)) and not reverse.may_be_refused and reverse.resolved:
            break
    else:
        return
    given, first = ", ".join(["f"] * len(own) + [*[f"a{i}" for i in range(len(args))], *moving]), 1 + len(own)
    bars = [
        "None" if zero is None else handed(plan.name, f"d[{first + i}]", f"a{i}", types[i])
        for i, zero in enumerate(zeros)
    ]
    lines = [
        *_run(
            plan,
            spec,
            _bars_of(push, reverse, name),
            "y, d",
            "memo",
            "bars",
            moving=moving,
            fits=[*fits, f"{plan.name(guard)}({plan.name(push)}, {given})"],
        ),
        "    taken = {}",
        f"    return ({''.join([f'{bar}, ' for bar in bars])})",
    ]
    plans.add((PRODUCT, *[d is not None for d in dots]), len(args), plan.define("plan", lines))


def _bars_of(push: Any, reverse: Spec, name: str) -> Callable[..., Any]:
    """The value of a tangent-linear program, and the cotangents of what it takes for a tangent of 1."""
    rule = functools.partial(reverse.rule, push) if reverse.takes_self else reverse.rule

    def bars_of(*values: Any) -> tuple[Any, Any]:
        (y, _), back = rule(*values)
        bars = back((None, scalar_seed(y, name)))
        return y, bars

    return bars_of


def _along(f: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> Any:
    """The plans that may be added to, what begins with the guard of a call along tangents, its program, the names of
    the tangents, and what asks for their form; None where types do not tell all."""
    needs = tuple([d is not None for d in dots])
    if was_recorded(f) or (found := _entry(f, args, ((False, *needs), *map(type, args)))) is None:
        return None
    plans, guard, spec = found
    plan = guard.written.copy()
    moving = [i for i, needed in enumerate(needs) if needed]
    fits = [fitting(plan.name, f"d{i}", f"a{i}", spec.types[1 + i]) for i in moving]
    known = push_of(spec) is not None and None not in fits
    return (plans, plan, spec, [f"d{i}" for i in moving], fits) if known else None


def _entry(f: Any, args: tuple[Any, ...], key: Any) -> Any:
    """The plans that may be added to, and guard and program of a call; None where the way is not told by types."""
    if type(f) is not FunctionType or f in RULES:
        return None
    table = TABLES.get(id(f.__code__))
    if table is None or table.writes or table.shares is not None or len(table.signature.names) != len(args):
        return None
    if (plans := plans_to_add_to(f)) is None:
        return None
    for guard, spec in table.entries.get(key, ()):
        if guard(f, *args):
            known = (
                spec.is_for_known
                and not spec.has_effects
                and keeps_structure(f, spec)
                and not to_be_weighed(table, spec)
            )
            return (plans, guard, spec) if known else None
    return None


def _run(
    plan: Any,
    spec: Spec,
    program: Any,
    gives: str,
    *tables: str,
    moving: Sequence[str] = (),
    fits: Sequence[str] = (),
    looks: Mapping[str, str] = NONE_LOOKED_AT,
) -> list[str]:
    """The lines of a plan that ask its guard and run its program, with these tables of the thread for itself. Where
    arguments are `moving` along tangents that have these names, it asks whether they have the form that `fits`."""
    body = of_run(plan, spec, program, gives, "bars" in tables, moving)
    caught = failing(plan, spec) + (_told(plan.name) if "bars" in tables else [])
    asked = asking(plan, spec, moving, fits, looks=looks)
    return [*asked, *running(plan, spec, body, caught, dict.fromkeys(tables, "{}"))]


def _told(name: Callable[[Any], str]) -> list[str]:
    """The lines that tell of an error of a whole run; one that hides a refusal goes the general way."""
    return [
        "    except Exception as error:",
        f"        if {name(hidden_refusal)}(error) is not None:",
        "            return None",
        f"        {name(failed)}(error)",
        "        raise",
    ]

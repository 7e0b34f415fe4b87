"""Products of Hessians and vectors, by reverse over forward: H v is the gradient of the tangent x ↦ ⟨∇f(x), v⟩.

The tangent-linear program is one like any other: its reverse is taken by its structure, and costs a few gradients.
"""

from __future__ import annotations

import logging
from typing import Any

from ..errors import AdjointError
from ..runtime.dispatch import needing
from ..runtime.frules import push_of
from ..runtime.jvp_pullbacks import check_all_known
from ..runtime.spec import Spec
from ..runtime.tables import find_now, find_spec, table_of
from ..runtime.targets import only_once
from ..tangents import densify, scalar_seed
from ..tangents.lane_runs import has_lanes
from ..tangents.sweep import in_pass, in_sweep, thread
from .choice import DEBUGGER, REFUSALS, generated_for, in_structure, is_to_be_recorded, keeps_structure
from .ordering import in_line, planned_in_line
from .planning import plan_product
from .plans import PRODUCT
from .pullback import released
from .shared_along import shared_product
from .sharing import is_sharing, turns_out_sharing
from .writing import is_writing, run_on_copies

log = logging.getLogger("adjoint")

Args = tuple[Any, ...]


@only_once
def planned_product(f: Any, args: Args, dots: Args, kwargs: dict[str, Any]) -> Args | None:
    """H v of an outermost call by its plan; None where it has none."""
    given, line = planned_in_line(f, PRODUCT, args, dots, kwargs)
    return given if given is None or line is None else tuple([given[i] for i in line.places])


@only_once
def product_in_line(f: Any, args: Args, dots: Args, kwargs: dict[str, Any], zeros: Args, name: str) -> Args | None:
    """`product_along` of any outermost call."""
    if (line := in_line(f, args, dots, kwargs)) is None:
        return None if kwargs else product_along(f, args, dots, zeros, name)
    asked = dict(zip(line.places, zeros, strict=True))
    of_values = tuple([asked.get(i) for i in range(len(line.values))])
    bars = product_along(line.function, line.values, line.dots, of_values, name)
    return None if bars is None else tuple([bars[i] for i in line.places])


@only_once
def product_along(f: Any, args: Args, dots: Args, zeros: Args, name: str) -> Args | None:
    """H v of an outermost call, one for each argument: None for those that have no derivative.

    `dots` is v, `zeros` are cotangents of the arguments as they are before the call. None where there is no program for
    that: then nothing has been done.
    """
    needs = tuple([zero is not None for zero in zeros])
    if DEBUGGER.get() is not None or thread.state.trial or all([d is None for d in dots]) or has_lanes(dots):
        return None
    given = (f, args, dots, needs, name)
    sharing = is_sharing(f, args)
    found, refusal = (None, None) if sharing or is_writing(f) else _in_structure(*given)
    if found is not None:
        plan_product(f, args, dots, zeros, name)
    elif not sharing:
        moving = (False, *[d is not None for d in dots])
        found = run_on_copies(f, args, moving, lambda spec: push_of(spec) and (_product, spec, *given))
    if found is None and (sharing or turns_out_sharing(f, args, refusal)):
        found = shared_product(*given)
    return None if found is None else released(found, zeros, None)


def _in_structure(f: Any, args: Args, *given: Any) -> tuple[Args | None, AdjointError | None]:
    """The same of a function that is reversed by its structure and does no more than compute; and why it is not."""
    if is_to_be_recorded(f, args):
        return None, None
    moving = (False, *[d is not None for d in given[0]])
    try:
        found = generated_for(f, args, {}, moving)
        if found is None or found[0] is not f or not keeps_structure(*found) or found[1].has_effects:
            return None, None
        table = table_of(f)
        if not table.simple or len(args) != table.n or push_of(found[1]) is None:
            return None, None
        return in_structure(f, found[1], args, _by_current, moving, f, args, *given), None
    except REFUSALS as error:
        log.debug("%r has no product by reverse over forward", f, exc_info=True)
        return None, error


def _by_current(moving: tuple[bool, ...], f: Any, args: Args, *given: Any) -> Args | None:
    """By the program that takes for granted what runs before have shown, where that may be done."""
    return _product(find_now(f, table_of(f), args, moving), f, args, *given)


def _product(spec: Spec, f: Any, args: Args, dots: Args, needs: tuple[bool, ...], name: str) -> Args | None:
    spec = spec.allowed
    push = push_of(spec)
    if push is None:
        return None
    own = (f,) if spec.takes_self else ()
    moving = [densify(d, x) for d, x in zip(dots, args, strict=True) if d is not None]
    values = (*own, *args, *moving)
    asked = (False, *[False for _ in own], *needs, *[False for _ in moving])
    if not spec.writes and not find_spec(push, table_of(push), values, asked).resolved:
        return None  # what is found when it runs costs more here than by reverse over reverse
    (y, _), back = in_pass(needing(asked), push, *values)
    bars = in_sweep(back, (None, scalar_seed(y, name)))[1 + len(own) :][: len(args)]
    check_all_known(bars, args)
    return tuple(bars)

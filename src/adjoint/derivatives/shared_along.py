"""Tangents of calls that change objects which others may have, and products of their Hessians: by programs that do the
same to the tangents of these objects, which stand beside them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ..faults import show_fault
from ..runtime.frules import push_of, slots_that_move
from ..runtime.spec import Spec
from ..runtime.tables import table_of
from ..tangents import scalar_seed
from ..tangents.beside import Crossing, TangentMemory
from ..tangents.sweep import in_pass, in_sweep, thread
from .sharing import handing_over_of, is_sharing, program_and_survey, program_in

log = logging.getLogger("adjoint")

Args = tuple[Any, ...]


def pushed_shared(f: Any, args: Args, dots: Args) -> tuple[Any, Any] | None:
    """Value and tangent of such a call; None where there is no program for that. `dots` begin with that of `f`."""

    def run(spec: Spec, push: FunctionType, moving: Args, beside: TangentMemory) -> tuple[Any, Any]:
        y, y_dot = in_pass(push, *spec.on(f, args)[1], *moving)
        return y, beside.handed(y, y_dot)

    return _beside(f, args, dots, run) if dots[0] is None and is_sharing(f, args) else None


def shared_product(f: Any, args: Args, dots: Args, needs: tuple[bool, ...], name: str) -> Args | None:
    """H v of such a call: the gradient of its tangent, which changes the same objects; None where there is no program
    for that."""

    def run(spec: Spec, push: FunctionType, moving: Args, beside: TangentMemory) -> Args | None:
        given = spec.on(f, args)[1]
        own = len(given) - len(args)
        values = (*given, *moving)
        asked = (False, *[False] * own, *needs, *[False for _ in moving])
        table = table_of(push)
        memory = table.steady if spec.memory.steady else table.located if spec.memory.located else table.memory
        if (found := program_in(push, table, asked, values, memory)) is None:
            return None
        hand_over, _ = handing_over_of()(push, values, asked)
        rule, flat = found[0].on(push, values)
        (y, _), back = in_pass(rule, *flat)
        bars = in_sweep(lambda d: hand_over(back(d)), (None, scalar_seed(y, name)))
        return tuple(bars[1 + own :][: len(args)])

    return _beside(f, args, (None, *dots), run)  # type: ignore[no-any-return]


def _beside(f: Any, args: Args, dots: Args, run: Callable[[Spec, FunctionType, Args, TangentMemory], Any]) -> Any:
    """The result of `run` for the program of a call, its tangent-linear one and the tangents that this is given; where
    it does not come to its end, all objects are as before, and this is None."""
    found = program_and_survey(f, (False, *[True for _ in args]), args)
    push = None if found is None else push_of(found[0])
    if found is None or push is None or found[0].has_effects:  # where it is left half-way, it would run once more
        return None
    spec, survey = found
    if survey.shared:
        return None
    state, beside = thread.state, TangentMemory()
    outer, trial, state.beside, state.trial = state.beside, state.trial, beside, True
    try:
        given = zip((f, *args), dots, slots_that_move(spec), strict=True)
        return run(spec, push, tuple([beside.of(x, d) for x, d, moves in given if moves]), beside)
    except Crossing:
        return None
    except Exception as error:
        survey.restore()
        show_fault(error)
        log.debug("%r has no tangents beside", f, exc_info=True)
        return None
    finally:
        state.beside, state.trial, state.links = outer, trial, {}

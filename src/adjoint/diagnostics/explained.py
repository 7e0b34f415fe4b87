"""`explain`: everything about the derivative of one call that is worth knowing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec

import numpy as np

from ..derivatives import record, transformed_codes
from ..errors import AdjointError, check_callable
from ..runtime.argnums import name_of
from ..runtime.called import refuse_types
from ..tangents.sweep import in_sweep
from .explanation import Explanation

P = ParamSpec("P")


def explain(f: Callable[P, Any], /, *args: P.args, **kwargs: P.kwargs) -> Explanation:
    """Everything in `f`, and in what it calls, that cannot be differentiated, at once; where derivatives end; what is
    transformed, recorded, ruled, or run as it is.

    `f` is run once, and what it can reach is put back afterwards: its arguments, what it captures, globals, what these
    hold, random number generators. What else it does (printing, files), it does. What would be refused runs plainly.
    Where only a run tells whether `f` is recorded, it is run before as well, without effects.

    Parameters
    ----------
    f : any callable of ordinary Python.
    args, kwargs : its arguments.

    Returns
    -------
    Explanation : prints as text; `refused`, `ends`, `functions`, `reached` and `silent` are for programs.

    Raises
    ------
    NotDifferentiableError
        If `f` is not callable.

    Examples
    --------
    >>> def f(x, y): return int(x) * y
    >>> found = explain(f, 2.5, 3.0)
    >>> found.silent, found.reached
    (('x',), ('y',))
    >>> found.ends[0].code, found.ends[0].why
    ('int(x)', 'what it gives changes in jumps or not at all')
    """
    from ..recording.observer import observed_by
    from .explaining import Explainer, names_of_arguments, nonzero_parts, treated, way_of_rule
    from .flowing import Watch, carries, probing
    from .state import State

    check_callable(f)
    explainer = Explainer()
    structure: Any = None
    back: Any = None
    y: Any = None
    names, given = names_of_arguments(f, len(args), list(kwargs)), (*args, *kwargs.values())
    state = State({name_of(f): f, **dict(zip(names, given, strict=True))})

    def reached_by(y_bar: Any, make: Any) -> tuple[str, ...]:
        """The parts of the arguments, and of what `f` captures, that something flows to."""
        if back is None:
            return ()
        of_f, *bars = in_sweep(back, y_bar, make)
        own = [part.removeprefix(".") or name_of(f) for part in nonzero_parts("", of_f)]
        return (*own, *[part for name, bar in zip(names, bars, strict=True) for part in nonzero_parts(name, bar)])

    of_lanes = getattr(type(f), "__adjoint_loop__", None)
    with state.kept(), np.errstate(all="ignore"):
        loop = "" if of_lanes is None else of_lanes(f, args, kwargs)
        with observed_by(explainer):
            try:
                structure = transformed_codes(f, args, kwargs)
                y, back, _ = record(f, args, kwargs)
            except AdjointError as error:
                explainer.refused(error, None)
            except TypeError as error:
                refuse_types(args, kwargs, f"the function is run, and fails with them: {error}")
                raise
        watches: list[Watch] = []

        def watching(apart: Any) -> Watch:
            watches.append(Watch(apart))
            return watches[-1]

        reached = reached_by(explainer.cotangent(y), watching)
        calls = [call for watch in watches for call in watch.calls]
        explainer.lost(calls, lambda call: reached_by(None, probing(call)))
        ends = tuple(explainer.found(lambda key: reached_by(None, probing(key))))
    silent = [n for n, x in zip(names, given, strict=True) if carries(x) and not _is_among(n, reached)]

    def way_of(function: Any) -> str:
        if structure is None:
            return "recorded"
        codes, every = structure
        return "run as it is" if every and function.__code__ not in codes else "transformed"

    way = (None if explainer.entries else way_of_rule(f)) or ("recorded" if structure is None else "transformed")
    return Explanation(
        name_of(f),
        way,
        tuple(explainer.refusals.values()),
        ends,
        treated(explainer, way_of),
        reached,
        tuple(silent),
        loop,
    )


def _is_among(name: str, parts: tuple[str, ...]) -> bool:
    """Tell whether an argument, or a part of it, is among these."""
    return any(part == name or part.startswith((f"{name}.", f"{name}[")) for part in parts)

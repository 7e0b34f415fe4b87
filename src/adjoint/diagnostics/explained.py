"""`explain`: everything about the derivative of one call that is worth knowing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec

import numpy as np

from ..derivatives import record, transformed_codes
from ..errors import AdjointError
from ..runtime.argnums import name_of
from .explanation import Explanation

P = ParamSpec("P")


def explain(f: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Explanation:
    """Everything in `f`, and in what it calls, that cannot be differentiated, at once; where derivatives end; what is
    transformed, recorded, ruled, or run as it is.

    `f` is run once, on deep copies: the arguments, what `f` captures and the state of random number generators stay
    as they are. What else it does (printing, files, globals), it does. What would be refused runs plainly.

    Parameters
    ----------
    f : any callable of ordinary Python.
    args, kwargs : its arguments.

    Returns
    -------
    Explanation : prints as text; `refused`, `ends`, `functions`, `reached` and `silent` are for programs.

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
    from ..recording.sweep import Sweep
    from .copies import copied, random_state_kept
    from .explaining import Explainer, carries, names_of_arguments, nonzero_parts, probing, treated, way_of_rule

    explainer, structure, back, y = Explainer(), None, None, None
    names, given = names_of_arguments(f, len(args), list(kwargs)), (*args, *kwargs.values())
    function, values, named = copied(f, args, kwargs)
    with random_state_kept(function, values, named), observed_by(explainer), np.errstate(all="ignore"):
        try:
            structure = transformed_codes(f, args, kwargs)
            y, back, _ = record(function, values, named)
        except AdjointError as error:
            explainer.refused(error, None)

    def reached_by(y_bar: Any, make: Any) -> tuple[str, ...]:
        """The parts of the arguments, and of what `f` captures, that something flows to."""
        if back is None:
            return ()
        with np.errstate(all="ignore"):
            of_f, *bars = back(y_bar, make)
        own = [part.removeprefix(".") for part in nonzero_parts("", of_f)]
        return (*own, *[part for name, bar in zip(names, bars, strict=True) for part in nonzero_parts(name, bar)])

    reached = reached_by(explainer.cotangent(y), Sweep)
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
    )


def _is_among(name: str, parts: tuple[str, ...]) -> bool:
    """Whether an argument, or a part of it, is among these."""
    return any(part == name or part.startswith((f"{name}.", f"{name}[")) for part in parts)

"""Functions with several results, element by element: `fresnel`, `airy`, `ellipj`."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from collections.abc import Callable
from typing import Any

from ....tangents import Unknown, apply_partial, is_whole, unbroadcast
from ...registry import rule


def several(*functions: Any) -> Callable[[Any], Any]:
    """Declare the partials of functions with several results: `@several(f)` over `partials(*args, ys)`, which gives for
    each argument the partials of all results.

    >>> import numpy as np
    >>> from adjoint.rules.registry import find_rules
    >>> def circle(t): return np.cos(t), np.sin(t)
    >>> @several(circle)
    ... def circle_partials(t, ys): return ((-ys[1], ys[0]),)
    >>> float(find_rules(circle).select((float,)).call(0.0)[1]((3.0, 2.0))[0])
    2.0
    """

    def register(partials: Any) -> Any:
        for f in functions:
            rule(f)(_rule_of(f, partials))
        return partials

    return register


def _rule_of(f: Any, partials: Any) -> Any:
    def several_rule(*args: Any) -> Any:
        ys = f(*args)

        def several_back(y_bar: Any) -> Any:
            return tuple([flown(y_bar, ps, x) for ps, x in zip(partials(*args, ys), args, strict=True)])

        return ys, several_back

    several_rule.__name__ = several_rule.__qualname__ = f"{f.__name__}_rule"
    return several_rule


def flown(y_bar: Any, ps: Any, x: Any) -> Any:
    """Σ ȳₖ · conj(pₖ), brought back to x."""
    if isinstance(ps, Unknown):
        return None if is_whole(x) else ps
    total = None
    for d, p in zip(y_bar, ps, strict=True):
        if d is not None:
            total = apply_partial(d, p) if total is None else total + apply_partial(d, p)
    return unbroadcast(total, x)

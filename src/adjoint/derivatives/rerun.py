"""Calls whose reverse runs them again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..cells import held_by
from ..errors import MutationError, calling_place
from ..rules.outside import is_iterator
from ..rules.registry import Back, non_differentiable
from ..runtime.argnums import name_of
from ..runtime.dispatch import call_pullback
from ..runtime.effects import refuse_effects
from ..runtime.targets import special
from ..tangents.blocks import parts
from ..tangents.sweep import in_pass, thread
from .choice import generated_for, keeps_structure


def run_again(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`f(*args, **kwargs)`, of which the reverse pass keeps nothing."""
    return f(*args, **kwargs)


@special(run_again)
def run_again_rule(f: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> tuple[Any, Back]:
    """The derivative is that of a second run."""
    check_runs_again(function, args, kwargs)
    y = function(*args, **kwargs)
    seen = some_of(y)

    def run_again_back(y_bar: Any) -> tuple[Any, ...]:
        again, back = in_pass(call_pullback, function, *args, **kwargs)
        check_same(seen, some_of(again), function)
        f_bar, *bars = back(y_bar)
        n = len(args)
        return None, f_bar, tuple(bars[:n]), dict(zip(kwargs, bars[n:], strict=True))

    return y, run_again_back


def check_runs_again(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise, so that the program is recorded, if a second run would find another state than the first."""
    found = generated_for(f, args, kwargs, None)
    if found is not None and thread.state.trial and found[1].has_effects:
        refuse_effects(f)
    given = (*args, *kwargs.values(), *held_by(f))
    if any(map(is_iterator, given)) or found is not None and not keeps_structure(*found):
        raise MutationError(
            f"`{name_of(f)}`, which is checkpointed, may store where others see it",
            "a second run would not be the same",
            "let it return what it computes",
            calling_place(),
        )


SAMPLES = 64
"""The number of numbers of each array of a result that are looked at."""


def some_of(y: Any) -> list[Any]:
    """Some of the numbers of a result."""
    found = []
    for part in parts(y):
        flat = np.ravel(part) if np.size(part) <= SAMPLES else part.flat[:: np.size(part) // SAMPLES]
        found.append(np.array(flat))
    return found


def check_same(first: list[Any], second: list[Any], f: Any) -> None:
    """Raise if a function did not do the same in its second run; sums may be rounded otherwise."""
    same = len(first) == len(second)
    for a, b in zip(first, second, strict=False):
        with np.errstate(all="ignore"):
            near = 1e-3 * np.max(np.abs(a[np.isfinite(a)]), initial=0.0)
            same = same and a.shape == b.shape and np.allclose(a, b, rtol=1e-3, atol=near, equal_nan=True)
    if not same:
        raise MutationError(
            f"`{name_of(f)}`, which is checkpointed, gave another result when it ran again",
            "what it reads has changed since, or it draws random numbers",
            "pass it all that its result depends on: draw random numbers outside",
            calling_place(),
        )


non_differentiable(check_runs_again, check_same, some_of)

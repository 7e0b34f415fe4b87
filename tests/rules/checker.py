"""Running a rule by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint import testing
from adjoint.rules import registry


def run_rule(f: Any, *args: Any, **kwargs: Any) -> tuple[Any, Callable[[Any], Any], registry.Method]:
    """`(y, back)` of the rule for these arguments, and the rule."""
    rules = registry.find_rules(f)
    assert rules is not None and rules.differentiable, f"no rule for {f!r}"
    method = rules.select(tuple(map(type, args)))
    assert method is not None, f"no rule of {f!r} for {[type(x).__name__ for x in args]}"
    y, back = method.call(*args, **kwargs)
    return y, back, method


def check_rule(
    f: Any, *args: Any, constant: tuple[int | str, ...] = (), rtol: float | None = None, **kwargs: Any
) -> None:
    """`adjoint.testing.check_rule` with keyword arguments as they are."""
    rules = registry.find_rules(f)
    names = rules.methods[0].names if rules is not None else ()
    still = [i if isinstance(i, str) or i < len(args) else names[i] for i in constant]
    still = [i for i in still if i in kwargs or i in range(len(args))]
    testing.check_rule(f, *args, kwargs=kwargs, rtol=rtol, constant=tuple(still))

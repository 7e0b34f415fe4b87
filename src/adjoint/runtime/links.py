"""Links: what a run that only computes has found for its calls of functions in Python.

Nothing that such a run does changes names, classes or code. What a guard asks of these has held throughout the run once
it has held in it; a later call asks of its values alone. Links go with the run.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any

from ..rules.registry import RULES, non_differentiable
from ..tangents.sweep import ASSUMING, thread
from .spec import Spec

MAX_LINKS = 12
"""Largest number of programs that one kind of call is linked to."""

Link = tuple[Callable[..., bool], Any, bool, CodeType]
"""The test of values that a program is for, the program, whether it takes the function, and the code of the key."""


def add_link(key: Any, guard: Any, spec: Spec) -> None:
    """Remember for the rest of this run, if it only computes, that the guard of a program has held."""
    state = thread.state
    if state.trial is ASSUMING:
        links: list[Link] = state.links.setdefault(key, [])
        if len(links) < MAX_LINKS:
            links.append((_of_values(guard), spec.rule, spec.takes_self, spec.code))


def _of_values(guard: Any) -> Callable[..., bool]:
    """Questions of a guard about values."""
    if guard.of_values is None:
        rest = guard.written.without_lasting()
        rest.conditions.append(f"f not in {rest.name(RULES)}")
        guard.of_values = rest.compile(guard.parameters)
    of_values: Callable[..., bool] = guard.of_values
    return of_values


non_differentiable(add_link)

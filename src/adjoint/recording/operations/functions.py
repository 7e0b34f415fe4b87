"""Functions that are written in Python: their forward programs, with steps of their own."""

from __future__ import annotations

import os
import sys
import types
from typing import Any

from ...errors import AdjointError
from ...ops.data import finds_names
from ...origin import is_made_up, is_users
from ...rules.registry import non_differentiable
from ...runtime.binding import check_arguments
from ...runtime.refusing import no_rule, refuse_asynchronous
from ...runtime.wrapped import special_method
from ...tangents.data import framework_of, is_of_data
from ..program import Program, default_slot, is_generated, known_program, program_of
from ..sweep import Sweep
from .base import WAYS, Record, Result, is_passive, unfinished, with_first
from .contents import carries
from .opaque import opaque, plain

Args = tuple[Any, ...]
Kwargs = dict[str, Any]


BY_RULE: list[Any] = []
"""Other ways to call a function, which give `(y, back)`, or None: `structured` says so itself."""

LOOKED_INTO = frozenset(
    [
        "abc",
        "argparse",
        "bisect",
        "collections",
        "contextlib",
        "copy",
        "dataclasses",
        "enum",
        "functools",
        "heapq",
        "numbers",
        "operator",
        "statistics",
        "types",
        "typing",
        "random",
        "_collections_abc",
        "_weakrefset",
        "weakref",
    ]
)
"""Modules of the standard library whose functions are recorded like the user's."""


def is_library(f: Any) -> bool:
    """Tell whether a function is of a library whose code is not looked into."""
    if is_generated(f):
        return False  # looked into already
    if hasattr(f, "__wrapped__"):  # around a function of the user's, perhaps
        return is_of_data(f) and isinstance(f.__wrapped__, types.FunctionType) and is_library(f.__wrapped__)
    if is_of_data(f):
        return True
    module = (f.__globals__.get("__name__") or "").partition(".")[0]
    if module in ("numpy", "scipy"):
        return True
    return module in sys.stdlib_module_names and module not in LOOKED_INTO and not is_users(f.__code__.co_filename)


def _tell_of_framework(error: Exception, f: Any, values: Args) -> None:
    """Say of an error in the code of a framework, which is followed for want of a rule, what the user can do."""
    root = str(f.__globals__["__name__"]).partition(".")[0]
    if isinstance(error, AdjointError):
        folder = os.path.join(os.path.dirname(sys.modules[root].__file__ or ""), "")
        if error.place is not None and error.place.filename.startswith(folder):
            raise no_rule(f) from error
    elif any(map(carries, values)):
        hint = no_rule(f).way_out
        if hint not in getattr(error, "__notes__", ()):
            error.add_note(hint)


def run(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """A function written in Python: its forward program, with steps of its own."""
    if finds_names(f) and all(map(is_passive, (*args[1:], *kwargs.values()))):
        return plain(f, args, kwargs)
    program = known_program(f)
    if program is None or not program.is_followed:  # it may have been shown, and never run
        refuse_asynchronous(f)
        if is_library(f):
            return opaque(f, args, kwargs)
        if f.__globals__.get("__name__", "").startswith("namedtuple_"):
            y, back = WAYS["named tuple"](args[0], args[1:], kwargs, f)
            return y, with_first(back)
        if is_made_up(f):
            found = WAYS["made up"](record, k, f, args, kwargs)
            if found is not None:
                return found  # type: ignore[no-any-return]
        program = program_of(f)
        program.is_followed = True
    elif not kwargs:
        for by_rule in BY_RULE:
            if (found := by_rule(program, f, args)) is not None:
                return found  # type: ignore[no-any-return]
    if program.generator:
        return WAYS["generator"](program, f, args, kwargs)  # type: ignore[no-any-return]
    layout = program.layout(f, len(args), tuple(kwargs))
    steps: list[Any] = []
    forward = program.forward_of(f)
    try:
        y = forward(steps.append, *args, **kwargs)
    except BaseException as error:
        if steps:
            record((k, unfinished(run_back(program, steps, layout))))
        elif type(error) is TypeError:
            check_arguments(f, args, kwargs)
        if isinstance(error, Exception) and framework_of(f.__globals__.get("__name__")) is not None:
            _tell_of_framework(error, f, (*args, *kwargs.values()))
        raise
    program.calls += 1
    program.steps += len(steps)
    return y, run_back(program, steps, layout)


def run_back(program: Program, steps: list[Any], layout: Any) -> Any:
    """The reverse of a function that was recorded."""

    def reverse(sweep: Sweep, y_bar: Any) -> Any:
        bars = program.reverse(steps, sweep, y_bar)
        return (None, *arranged(sweep, layout, bars))

    return reverse


def arranged(sweep: Sweep, layout: Any, bars: Any) -> Any:
    """The cotangents of parameters as those of the arguments."""
    places, defaults = layout
    for i, holder, slot in defaults:
        sweep.add(holder, slot, bars[i])
    given = []
    for i, inner in places:
        bar = bars[i]
        given.append(bar if inner is None or bar is None else bar.get(inner) if isinstance(bar, dict) else bar[inner])
    return given


def options(record: Record, k: int, values: Kwargs) -> None:
    """The dict that `**options` took: a new one, whose items are those of the parameter's cotangent."""

    def reverse(sweep: Sweep, y_bar: Any) -> Any:
        return None, sweep.take_slots(values) or None

    record((k, reverse))


def with_defaults(record: Record, k: int, f: Any) -> Any:
    """A function that was made with these defaults."""
    slots = [default_slot(f, which) for which in (*range(len(f.__defaults__ or ())), *(f.__kwdefaults__ or ()))]

    def reverse(sweep: Sweep, y_bar: Any) -> Any:
        return (None, *[sweep.take(holder, slot) for holder, slot in slots])

    record((k, reverse))
    return f


def written(cls: type, *names: str) -> Any:
    """The first of these methods that a class has in Python, if it can be looked into."""
    for name in names:
        found = special_method(cls, name)
        if found is not None and not is_made_up(found) and not is_library(found):
            return found
    return None


non_differentiable(is_library, check_arguments, written)

__all__ = ["BY_RULE", "arranged", "is_library", "options", "program_of", "run", "run_back", "with_defaults", "written"]

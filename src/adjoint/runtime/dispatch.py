"""The knot: `(y, back)` of any callable, by its rule or by one that is generated.

Inside, `back(ȳ)` gives the cotangents of the function itself, of each positional argument, then of each keyword
argument.
"""

from __future__ import annotations

import functools
import re
import types
from collections.abc import Callable
from typing import Any

from ..rules import knots
from ..rules.registry import RULES, Back
from ..tangents import scalar_seed
from ..tangents.lane_runs import lane_count
from ..tangents.sweep import ASSUMING, in_pass, in_run, in_sweep, thread
from .binding import gathered, lay_out
from .calls import spec_of_call
from .effects import repeatable
from .links import add_link
from .ready import ABSENT, KINDS, handler_now, learn, new_entries
from .spec import CALLERS, SPECIAL, Spec
from .tables import TABLES
from .targets import CALLABLES, HANDLED, find_target, without_first
from .typeof import is_nested


@functools.cache
def needing(needs: tuple[bool, ...] | None) -> Callable[..., tuple[Any, Back]]:
    """`(y, back)` of any call, for some of its slots: the cotangents of the others are not asked for, and not computed
    where that is cheap to know. `needs` has one flag for the function and one per argument; None stands for all.

    What is quick is written out, so that a call costs one frame: recursion through it goes nearly as deep as Python's.
    """
    of_object = None if needs is None else (False, *needs)
    entries, own = new_entries(), object()

    def pullback(
        f: Any, a: Any = ABSENT, b: Any = ABSENT, c: Any = ABSENT, /, *more: Any, **kwargs: Any
    ) -> tuple[Any, Back]:
        cls = type(f)
        table: Any = None
        key: Any = None
        if cls is types.FunctionType:
            if a is not ABSENT and not kwargs and not more and (state := thread.state).trial is ASSUMING:
                key = own, id(f.__code__), type(a), type(b), type(c)
                try:
                    links = state.links.get(key, ())
                except TypeError:  # the class of an argument is no key
                    links, key = (), None
                for holds, rule, of_self, _ in links:
                    if b is ABSENT:
                        if holds(f, a):
                            return rule(f, a) if of_self else rule(a)  # type: ignore[no-any-return]
                    elif c is ABSENT:
                        if holds(f, a, b):
                            return rule(f, a, b) if of_self else rule(a, b)  # type: ignore[no-any-return]
                    elif holds(f, a, b, c):
                        return rule(f, a, b, c) if of_self else rule(a, b, c)  # type: ignore[no-any-return]
            table = TABLES.get(id(f.__code__))
        if table is None and not more and not kwargs and cls in KINDS:
            try:
                entry = entries.get((f, type(a), type(b), type(c)))
            except TypeError:  # the class of an argument is no key
                entry = None
            if entry is not None:
                return entry(a) if b is ABSENT else entry(a, b) if c is ABSENT else entry(a, b, c)
        args = (a, b, c, *more) if c is not ABSENT else (a, b) if b is not ABSENT else () if a is ABSENT else (a,)
        if not kwargs and cls in KINDS:
            if table is not None and table.simple and len(args) == table.n and f not in RULES:
                for guard, spec in table.entries.get((needs, *map(type, args)), ()):
                    if guard(f, *args):
                        if spec.asks:
                            spec = repeatable(spec, f)
                        if key is not None:
                            add_link(key, guard, spec)
                        return spec.rule(f, *args) if spec.takes_self else spec.rule(*args)  # type: ignore[no-any-return]
            if f in SPECIAL and (handler := handler_now(f, args, needs)) is not None:
                return handler(f, *args)  # type: ignore[no-any-return]
        if table is not None and (found := table.layouts.get((needs, len(args), *kwargs))) and f not in RULES:
            layout, wanted, in_order = found
            flat = lay_out(layout, f, (*args, *kwargs.values())) if layout.holds(f) else ()
            for guard, spec in table.entries.get((wanted, *map(type, flat)), ()):
                if guard(f, *flat):
                    if spec.asks:
                        spec = repeatable(spec, f)
                    y, back = spec.rule(f, *flat) if spec.takes_self else spec.rule(*flat)
                    return y, back if in_order else gathered(layout, f, back)
        elif (handler := HANDLED.get(cls)) is not None and lane_count() is None and f not in RULES:
            return handler(needs)(f, *args, **kwargs)  # type: ignore[no-any-return]
        elif not kwargs and (function := CALLABLES.get(cls)) is not None and cls.__call__ is function:
            if a is not ABSENT and not more and (state := thread.state).trial is ASSUMING:
                key = own, cls, type(a), type(b), type(c)
                for holds, rule, of_self, _ in state.links.get(key, ()):
                    if holds(function, f, *args):
                        y, back = rule(function, f, *args) if of_self else rule(f, *args)
                        return y, without_first(back)
            table = TABLES.get(id(function.__code__))
            if table is not None and table.simple and len(args) + 1 == table.n and function not in RULES:
                for guard, spec in table.entries.get((of_object, cls, *map(type, args)), ()):
                    if guard(function, f, *args):
                        if spec.asks:
                            spec = repeatable(spec, f)
                        if key is not None:
                            add_link(key, guard, spec)
                        y, back = spec.rule(function, f, *args) if spec.takes_self else spec.rule(f, *args)
                        return y, without_first(back)
        target, target_args, adapt = find_target(f, args, kwargs, needs)
        y, back = target(*target_args)
        if cls in KINDS and not kwargs and 1 <= len(args) <= 3:
            learn(entries, f, args, needs)
        return y, back if adapt is None else adapt(back)

    if needs is not None:
        asked = ["f" if not i else str(i) for i, need in enumerate(needs) if need]
        pullback.__name__ = f"pullback_wrt_{'_'.join(asked) or 'none'}_of_{len(needs) - 1}"
    pullback.__qualname__ = pullback.__name__
    CALLERS.add(pullback)
    return pullback


def __getattr__(name: str) -> Any:
    """The functions that `needing` makes, by name: a pickle of a derivative's program has these names."""
    if (old := _FLAGS.fullmatch(name)) is not None:
        return needing(tuple([flag == "1" for flag in old[1]]))
    if (found := _MADE.fullmatch(name)) is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if found[1] is None:
        return needing(None)
    asked = found[1].split("_")
    return needing(("f" in asked, *[str(i) in asked for i in range(1, 1 + int(found[2]))]))


_FLAGS = re.compile(r"pullback_([01]+)")
"""Their names in older pickles, for one version more."""
_MADE = re.compile(r"pullback(?:_wrt_(\w*)_of_(\d+))?")


call_pullback = needing(None)

CALLERS.add(knots.call_pullback)
knots.tie(pullback=call_pullback, needing=needing)


def run_whole(spec: Spec, f: Any, args: tuple[Any, ...]) -> Any:
    """The value and the cotangents that it gives."""
    spec = spec.allowed
    return in_run(spec.program, f, *args) if spec.takes_self else in_run(spec.program, *args)


def structured_value_and_bars(
    f: Any, needs: tuple[bool, ...], args: tuple[Any, ...], kwargs: dict[str, Any], name: str
) -> Any:
    """The same for any call that is reversed by its structure."""
    if not kwargs and is_nested(f):
        spec, values = spec_of_call(f, args, {}, needs, whole=True)
        y, bars = in_run(spec.program, *values)
        return y, bars[1:]
    y, back = in_pass(needing(needs), f, *args, **kwargs)
    return y, in_sweep(back, scalar_seed(y, name))

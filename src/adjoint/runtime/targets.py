"""Targets of calls met at run time: rules, generated rules, and handlers of the runtime, which give `(y, back)`.

`find_target` is for the call itself. `open_target` is for its derivatives: what it finds is differentiated in its turn,
so that derivatives of any order are those of programs.
"""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..classify import kind_of
from ..errors import AdjointError
from ..ir import intrinsics
from ..rules.calls import of_numbers
from ..rules.found_by import has_identity, is_by_identity
from ..rules.knots import call_pullback, handler_of
from ..rules.outside import DRAWING
from ..rules.python.iteration import KNOWN, draw
from ..rules.registry import Back, find_rules, has_rules, non_differentiable
from ..rules.rulesets import RuleSet
from ..tangents.lane_runs import has_lanes, lane_count
from ..tangents.lanes import NoLanes
from ..tangents.sweep import thread
from ..transforms.folds import FOLDS
from ..wrappers import PASSING, called_for
from .binding import bind, gather, gathered, lay_out, layout_of, refuse_arguments
from .calls import is_resolved, spec_of_call
from .effects import check_repeatable, repeatable
from .operands import is_first
from .refusing import no_rule, unknown_keyword
from .slots import RuleBack, arranged
from .spec import CALLERS, OPERATORS, SPECIAL
from .tables import MAX_CODES, MAX_LAYOUTS, Needs, Values, find_spec, table_of
from .typeof import is_nested, typeof

Kwargs = dict[str, Any]
Target = tuple[Any, Values, Any]
"""The function to call for `(y, back)`, its arguments, and how its `back` becomes one for all slots (None if it is that
already)."""

CALLABLES: dict[type, types.FunctionType] = {}
"""The `__call__` of the user's classes, as met."""
HANDLED: dict[type, Callable[[Needs], Any]] = {}
"""Handlers of all objects of a class, for what is needed: of bound methods, and of partial functions."""
CHOICES: dict[Any, Any] = {}
TOLD: dict[Any, Callable[[tuple[bool, ...]], Any]] = {}
"""Handlers of functions that the runtime itself knows, where not all cotangents are needed."""


def special(f: Any) -> Callable[[Any], Any]:
    """Declare how a function is treated that the runtime itself knows: `handler(f, *args, **kwargs) -> (y, back)`,
    where `back` gives the cotangents of `f`, of each argument, then of each keyword."""

    def register(handler: Any) -> Any:
        SPECIAL[f] = handler
        return handler

    return register


BY_CODE: dict[int, Any] = {}
"""Such handlers of functions that a library makes anew each time, by the identity of their code."""

ONLY_ONCE: set[Any] = set()
"""Functions that give None where they are differentiated: they run compiled programs, and those are not differentiated
again."""


def only_once(f: Any) -> Any:
    """Declare that a function runs compiled programs, and gives None where there are none."""
    ONLY_ONCE.add(f)
    SPECIAL[f] = _none_again
    return f


def _none_again(own: Any, /, *args: Any) -> tuple[Any, Back]:
    return None, lambda y_bar: (None,) * (1 + len(args))


def chosen(f: Any) -> Callable[[Any], Any]:
    """Declare how the handler of such a function is chosen: `choose(*args) -> handler`.

    What the choice looks at has no derivative: only the handler is differentiated again.
    """

    def register(choose: Any) -> Any:
        SPECIAL[f] = CHOICES[f] = choose
        return choose

    return register


# ---- the call


def find_target(f: Any, args: Values, kwargs: Kwargs, needs: Needs = None) -> Target:
    """The rule of a call. `back` gives the cotangents of `f`, of each positional argument, then of each keyword."""
    if lane_count() is not None and has_lanes(args):
        raise NoLanes  # rules are about single values
    if PASSING and (passed := called_for(f, args, kwargs)) is not None:
        return find_target(passed, args, kwargs, needs)
    kind = type(f)
    if thread.state.trial and not is_followed(f, kind):
        check_repeatable(f, args, kwargs)
    if kind is types.FunctionType and f in CALLERS:
        if _is_cached(args):
            return functools.partial(_callable(_innermost(args), (), {}, needs), **kwargs), (call_pullback, *args), None
        inner, values = open_target(args[0], args[1:], kwargs)
        return find_target(inner, values, {})
    if not kwargs and is_nested(f):
        spec, values = spec_of_call(f, args, {}, needs)
        return spec.rule, values, without_first
    handler = _special(f, args)
    rules = None if handler else _rules_of(f, args)
    if rules is not None:
        found = _ruled(rules, args, kwargs, needs)
        if found is not None:
            return found
        handler = _unruled(f, rules, args)
    if handler is None and kind is types.FunctionType:
        return _transformed(f, args, kwargs, needs)
    if handler is None and not kwargs and isinstance(kind.__call__, types.FunctionType) and kind.__call__ in SPECIAL:
        return SPECIAL[kind.__call__], (kind.__call__, f, *args), without_first
    if handler is None and (call := _own_call(f, args, kwargs)) is not None:
        wanted = None if needs is None else (False, *needs)
        spec = repeatable(find_spec(call, table_of(call), (f, *args), wanted), f)
        return *spec.on(call, (f, *args)), without_first
    handler = handler or _callable(f, args, kwargs, needs)
    return functools.partial(handler, **kwargs) if kwargs else handler, (f, *args), None


def is_followed(f: Any, cls: type) -> bool:
    """Tell whether what a call of it does is asked for later: of a function in Python, and of what calls one."""
    if cls is types.FunctionType:
        return f not in SPECIAL and not has_rules(f)
    call = getattr(cls, "__call__", None)  # noqa: B004 - the method itself is wanted
    if isinstance(call, types.FunctionType):
        return True
    kind = kind_of(f)
    if kind == "bound":
        return not isinstance(f.__self__, DRAWING)  # of Cython's, before NumPy 2.2
    if kind == "class" and isinstance(f.__init__, types.FunctionType) and not has_rules(f):
        return True
    return kind in ("partial", "cached", "static", "object")


def _innermost(args: Values) -> Any:
    """Function that is differentiated in `pullback(pullback, ..., f, *args)`."""
    return next(a for a in args if not (isinstance(a, types.FunctionType) and a in CALLERS))


def _is_cached(args: Values) -> bool:
    return kind_of(_innermost(args)) == "cached"


def _special(f: Any, args: Values) -> Any:
    """The handler of what the runtime itself knows."""
    if type(f) is types.FunctionType and (handler := BY_CODE.get(id(f.__code__))) is not None:
        return handler
    if not is_by_identity(f) or f not in SPECIAL:
        return None
    return CHOICES[f](*args) if f in CHOICES else SPECIAL[f]


def _rules_of(f: Any, args: Values) -> RuleSet | None:
    rules = find_rules(f) if has_identity(f) else None
    return None if rules is None or overridden(f, args) else rules


def _unruled(f: Any, rules: RuleSet, args: Values) -> Any:
    """The handler where a function has rules, but none for these arguments."""
    # An array may stand for its `flat`, which is an iterator.
    if not rules.differentiable or f is next and not isinstance(args[0], (Iterator, np.ndarray)):
        return plainly
    return iterated if f not in OPERATORS and not of_numbers(f) and any(map(runs_users_code, args)) else None


def _own_call(f: Any, args: Values, kwargs: Kwargs) -> types.FunctionType | None:
    """The `__call__` of the user's class, if it takes just these arguments."""
    call = type(f).__dict__.get("__call__")
    if kwargs or not isinstance(call, types.FunctionType) or has_rules(call):
        return None
    if len(CALLABLES) > MAX_CODES:
        CALLABLES.clear()
    CALLABLES[type(f)] = call
    table = table_of(call)
    own = f.__class__ is type(f)  # a proxy has the fields of another object
    return call if own and table.simple and len(args) + 1 == table.n else None


def _transformed(f: types.FunctionType, args: Values, kwargs: Kwargs, needs: Needs) -> Target:
    table = table_of(f)
    if table.simple and not kwargs and len(args) == table.n:
        return *repeatable(find_spec(f, table, args, needs), f).on(f, args), None
    flat, layout = bind(f, table.signature, args, kwargs)
    wanted = layout.needs(needs)
    if len(table.layouts) < MAX_LAYOUTS:
        table.layouts[(needs, len(args), *kwargs)] = layout, wanted, layout.in_order
    spec = repeatable(find_spec(f, table, flat, wanted), f)
    return *spec.on(f, flat), functools.partial(gathered, layout, f)


def without_first(back: Any) -> Any:
    return lambda y_bar: back(y_bar)[1:]


# ---- rules


def _ruled(rules: RuleSet, args: Values, kwargs: Kwargs, needs: Needs) -> Target | None:
    found = select(rules, args, kwargs)
    if found is None:
        return None
    method, picks, slots = found
    values = (*args, *kwargs.values())
    keywords = {k: v for i, (k, v) in enumerate(kwargs.items(), start=len(args)) if i not in picks}
    if needs is not None and "needs" in (method.call.__kwdefaults__ or {}) and len(picks) == len(args):
        keywords["needs"] = needs[1 : 1 + len(args)]
    call = functools.partial(method.call, **keywords) if keywords else method.call
    return call, tuple([values[i] for i in picks]), lambda back: RuleBack(back, slots)


def select(rules: RuleSet, args: Values, kwargs: Kwargs) -> tuple[Any, tuple[int, ...], tuple[int, ...]] | None:
    """The rule of a call, which of its values go by position, and where in its cotangents that of each is."""
    if not rules.differentiable:
        return None
    n, keywords = len(args), tuple(kwargs)
    if kwargs and not rules.fits(n, keywords):
        rules.function(*args, **kwargs)  # it raises, and says why
    moved = rules.moved(n, keywords) if kwargs else ()
    picks = (*range(n), *(n + keywords.index(k) for k in moved))
    values = (*args, *kwargs.values())
    method = rules.select(tuple([type(values[i]) for i in picks]))
    if method is None:
        rules.check_number(len(picks))
        return None
    given = [k for k in keywords if k not in moved]
    if unknown := method.unknown(given):
        raise unknown_keyword(rules.name, unknown[0])
    return method, picks, (*range(n), *method.places(len(picks), keywords))


# ---- handlers


def plainly(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """A call through which nothing flows."""
    n = 1 + len(args) + len(kwargs)
    return f(*args, **kwargs), lambda y_bar: (None,) * n


def as_it_is(f: Any, x: Any) -> tuple[Any, Back]:
    """Pullback of a function that gives its argument."""
    return x, lambda y_bar: (None, y_bar)


def runs_own_code(x: Any) -> bool:
    """Tell whether iterating over `x` runs code that is written in Python."""
    method = None if isinstance(x, KNOWN) else _iterates(x)
    if not isinstance(method, types.FunctionType):
        return False
    return method.__name__ != "__getitem__" or not has_rules(method)  # `np.r_[...]` is nothing to be run through


def _iterates(x: Any) -> Any:
    return getattr(type(x), "__iter__", None) or getattr(type(x), "__getitem__", None)


def runs_users_code(x: Any) -> bool:
    """Tell whether that code is the user's: the rules of a library's functions take its own objects as they are."""
    return runs_own_code(x) and not _iterates(x).__module__.startswith(("numpy.", "scipy."))


def iterated(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """`zip(xs, ys)` and the like of the user's own iterables, `dict(m)` of the user's own mappings."""
    start = draw if f is next else intrinsics.entries if f is dict and hasattr(args[0], "keys") else intrinsics.iterate
    pairs = [call_pullback(start, v) if runs_users_code(v) else (v, None) for v in args]
    y, back = call_pullback(f, *[v for v, _ in pairs], **kwargs)

    def iterated_back(y_bar: Any) -> Values:
        f_bar, *bars = back(y_bar)
        given = [
            bar if turn is None or bar is None else turn(bar)[1] for bar, (_, turn) in zip(bars, pairs, strict=False)
        ]
        return (f_bar, *given, *bars[len(pairs) :])

    return y, iterated_back


def bound(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """A Python function, its arguments laid out for its parameters."""
    layout = _layout(f, len(args), tuple(kwargs))
    if layout is None:
        refuse_arguments(f, args, kwargs)
    flat = lay_out(layout, f, (*args, *kwargs.values()))
    y, back = _flat_rule(f, flat)(f, *flat)
    return y, lambda y_bar: gather(layout, f, back(y_bar))


def _layout(f: Any, n: int, keywords: tuple[str, ...]) -> Any:
    return layout_of(f, table_of(f).signature, n, keywords)


def _flat_rule(f: Any, flat: Values) -> Any:
    return find_spec(f, table_of(f), flat).with_self


non_differentiable(runs_own_code, runs_users_code, _layout, _flat_rule)


def _callable(f: Any, args: Values, kwargs: Kwargs, needs: Needs = None) -> Any:
    handler = handler_of(f, needs is not None and not any(needs[1:]))
    if handler is not None:
        return handler
    if not callable(f) or not any(typeof(a).differentiable for a in (*args, *kwargs.values())):
        return plainly  # where it can't be called, Python says so
    raise no_rule(f)


# ---- what is differentiated again


def open_target(f: Any, args: Values, kwargs: Kwargs) -> tuple[Any, Values]:
    """A function `target(*values) -> (y, back)` that is itself differentiated, and its values, one for each slot: `f`,
    the arguments, the keywords. `back` gives their cotangents."""
    values = (f, *args, *kwargs.values())
    kind = type(f)
    if kind is types.FunctionType and f in CALLERS:
        # The derivative of (f, args) -> (y, back) is that of the rule of `f`, whose slots it has.
        inner, values = open_target(args[0], args[1:], kwargs)
        return open_target(inner, values, {})
    handler = _special(f, args)
    if kind is types.FunctionType and handler is None and not has_rules(f):
        table = table_of(f)
        if table.simple and not kwargs and len(args) == table.n:
            return find_spec(f, table, args).with_self, values
    if handler is None or f in FOLDS:
        program = _program(f, args, kwargs)
        if program is not None:
            return program, values
    rules = None if handler else _rules_of(f, args)
    if rules is not None:
        found = select(rules, args, kwargs)
        if found is not None:
            method, picks, slots = found
            names = tuple((k, i) for i, k in enumerate(kwargs, start=len(args)) if i not in picks)
            return opened_rule(method.call, picks, names, slots), values
        handler = _unruled(f, rules, args)
    if handler is None:
        handler = bound if kind is types.FunctionType else _callable(f, args, kwargs)
    return _by_place(handler, 1 + len(args), tuple(kwargs)) if kwargs else handler, values


def _program(f: Any, args: Values, kwargs: Kwargs) -> Any:
    """The rule of the call as a program, if its types say all that there is to be known."""
    try:
        spec, _ = spec_of_call(f, args, kwargs)
    except AdjointError:
        return None  # the call itself says it, with its place
    return spec.without_slot if is_resolved(spec) else None


def opened_rule(call: Any, picks: tuple[int, ...], names: tuple[tuple[str, int], ...], slots: tuple[int, ...]) -> Any:
    """A rule as a function of the function and all values of the call."""

    def opened(f: Any, *values: Any) -> tuple[Any, Back]:
        y, back = call(*[values[i] for i in picks], **{name: values[i] for name, i in names})
        return y, lambda y_bar: arranged(None if y_bar is None else back(y_bar), slots)

    return opened


def _by_place(handler: Any, n: int, names: tuple[str, ...]) -> Any:
    """A handler whose keywords are given by position."""

    def by_place(*values: Any) -> tuple[Any, Back]:
        return handler(*values[:n], **dict(zip(names, values[n:], strict=True)))  # type: ignore[no-any-return]

    return by_place


def overridden(f: Any, args: tuple[Any, ...]) -> bool:
    """Tell whether `f` is an operator that the class of an operand defines in Python: then that counts, not the
    rule."""
    names = OPERATORS.get(f)
    if names is None:
        return False
    if f is operator.getitem and isinstance(getattr(type(args[0]), "__missing__", None), types.FunctionType):
        return True
    pairs = [(type(a), name) for a, name in zip(args, names, strict=False) if name and not isinstance(a, KNOWN)]
    own = any([isinstance(getattr(cls, name, None), types.FunctionType) for cls, name in pairs])
    reflected = names[1] is not None and names[1].startswith("__r") and len(args) == 2
    return own and not (reflected and is_first(names[0].strip("_"), *args))

"""The knot of forward mode: `(y, ẏ)` of any call, by the tangent-linear program that is generated for it.

What has none (variables that are rebound after their capture, iterators that only the run shows, rules that say neither
that they are linear nor what their partials are) is transposed: the pullback is linear, and its pullback is ẋ ↦ J ẋ.
"""

from __future__ import annotations

import functools
import inspect
import operator
import types
from typing import Any

import numpy as np

from ..classify import classify, kind_of
from ..identity import IdentityMap
from ..ir import changes, intrinsics
from ..ir.nodes import Call
from ..rules import knots
from ..rules.found_by import OF_OBJECTS, has_identity
from ..rules.registry import Back, find_rules, has_rules, non_differentiable
from ..tangents import quietly, tangent
from ..tangents.lane_runs import in_lanes
from ..tangents.sweep import in_noted_sweep, in_pass, in_sweep, thread
from ..transforms.facts import Spliced
from .binding import lay_out, layout_of
from .calls import is_resolved, spec_of_call
from .dispatch import call_pullback
from .effects import check_repeatable, refuse_effects, repeatable
from .frules import push_of
from .generation import GRADIENTS
from .implicit_calls import may_change
from .jvp import (
    NUMBERS,
    Names,
    Slots,
    Values,
    attribute_along,
    by_partials,
    by_tangent,
    call_pushforward,
    called_along,
    called_partial,
    choice,
    completed,
    entered_along,
    entries_along,
    in_turn,
    item_along,
    made_along,
    method_along,
    ordered_along,
    partial_along,
    passed_along,
    picked,
    quietly_along,
    rearranged,
    split,
    tangent_along,
    through,
    together,
    transposed_along,
    transposed_here,
    transposing_along,
    unmoved,
)
from .jvp_construct import construction_along, going_on_along
from .jvp_items import replaced, replaced_along
from .jvp_programs import by_program
from .jvp_pullbacks import BackDot, back_along, gradient_along, pulled_back_along
from .jvp_stars import applied_along, as_taken
from .spec import CALLERS, SPECIAL
from .tables import find_now, find_spec, table_of
from .targets import chosen, is_followed, overridden, select
from .towers import OfFace, OfGenerated, OfOther, laid_back, laid_back_along, lowered, relaid, relaid_along


def program_of(f: Any, args: Values, dots: Values, names: Names | None = ()) -> Any:
    """Function that gives `(y, ẏ)` of a call: one function of the function, the arguments, their tangents and names
    (None: the arguments are in the order of the parameters)."""
    if names is None:
        return in_order_of_parameters(f, args, dots)
    still = all([d is None for d in dots])
    if thread.state.trial:
        if not is_followed(f, type(f)):
            check_repeatable(f, args, {})
        elif still and may_change(f):
            refuse_effects(f)
    if still:
        return unmoved
    if type(f) is types.FunctionType and (f in PUSHERS or f in FACES):
        return of_tower((f, args, dots))
    if (own := OWN.get(f if type(f) is types.FunctionType else type(f))) is not None:
        return own
    if type(f) is types.FunctionType and (plan := GRADIENTS.get(f.__code__)) is not None:
        return functools.partial(gradient_along, plan[0])
    if isinstance(dots[0], BackDot):
        return back_along
    if type(f) is types.FunctionType and (f in CALLERS or f in _RUNNERS):
        return called_along if f in _RUNNERS else pulled_back_along
    if f is operator.getitem and type(args[0]) in (tuple, list, dict):
        return item_along
    if f is transposed_here:
        return transposing_along
    if f is replaced:
        return replaced_along
    if f is functools.partial:
        return partial_along
    if type(f) in OF_OBJECTS and (rules := find_rules(f)) is not None:
        return ruled(rules, args, dots, names)
    kind = kind_of(f)
    if kind == "partial":
        return called_partial
    if kind == "cached":
        return transposed_along  # what is remembered holds no tangents
    if kind == "static" or kind == "object" and not classify(f).args:
        return passed_along
    if f is getattr:
        return attribute_along
    if f is intrinsics.make_tuple or f is intrinsics.make_list:
        return made_along
    if (f is intrinsics.unpack or f is tuple or f is list) and type(args[0]) in (tuple, list, np.ndarray):
        return rearranged
    if f is intrinsics.dict_from_items and not any(d is not None for d in (() if dots[1] is None else dots[1])):
        return entries_along
    if f is intrinsics.entries and type(args[0]) is dict:
        return entered_along
    if f is intrinsics.apply and _can_be_spliced(args):
        return applied_along
    rules = find_rules(f) if has_identity(f) else None
    if rules is not None and not overridden(f, args):
        return ruled(rules, args, dots, names)
    if kind in ("bound", "method"):
        return method_along
    if f is changes.initialise:
        return going_on_along(*args)
    if kind == "class" and f not in SPECIAL:
        return construction_along(f)
    if kind in _IN_C:
        return transposed_along
    if (found := generated(f, args, dots, names)) is not None:
        return functools.partial(through, *found)
    return by_parameters(f, args, dots, names) or transposed_along


choice[:] = [program_of]
knots.tie(pushforward=call_pushforward)


def _can_be_spliced(args: Values) -> bool:
    """Tell whether what is spliced into a call has its items in order, and is what it seems."""
    first = len(args) - len(args[2])
    mappings = [x for name, x in zip(args[2], args[first:], strict=True) if name is None]
    return all(type(x) is dict for x in mappings) and all(
        type(x) in (tuple, list) for star, x in zip(args[1], args[3:], strict=False) if star
    )


_RUNNERS = (in_sweep, in_noted_sweep, in_pass, in_lanes)

_IN_C = ("builtin", "descriptor")
"""Kinds of what is called without a program of Python in between."""

PUSHERS = {call_pushforward, knots.call_pushforward}
"""Functions that give tangents of calls."""

FACES: set[Any] = set()
"""Functions that users call for that: `f(function, args, tangents)`, where the tangent of the function may be left
off."""


OWN: IdentityMap[Any] = IdentityMap()
"""Programs of what the library offers, by function or by the class of what is called."""
OWN[relaid], OWN[laid_back], OWN[quietly], OWN[tangent] = relaid_along, laid_back_along, quietly_along, tangent_along


# ---- what is found for a call


def ruled(rules: Any, args: Values, dots: Values, names: Names) -> Any:
    """By a rule: that says that it is linear, what its partials are, or what gives tangents; else by transposing it."""
    if not rules.differentiable:
        return unmoved
    positional, keywords = split(args, names)
    found = select(rules, positional, keywords)
    if found is None:
        return transposed_along
    method = found[0]
    if method.forward is not None and (own := by_own_tangent(method, found[2], args, dots, names)) is not None:
        return own
    if method.program is not None and keywords.get("out") is None:
        return functools.partial(by_program, method.program)
    if method.linear_in_each:
        return in_each(len(positional), args, dots, names)
    if method.linear_in_all:
        return together if all(d is None for d in dots[1 + len(positional) :]) else transposed_along
    if method.linear and (groups := moving_groups(method, args, dots, names)) is not None:
        return functools.partial(in_turn, groups)
    if method.partials is not None and not names:
        return functools.partial(by_partials, method.partials, method.singular)
    return transposed_along


def by_own_tangent(method: Any, slots: Slots, args: Values, dots: Values, names: Names) -> Any:
    """By what the rule declares, if it does for such a call."""
    positional, keywords = split(args, names)
    known = max(len(method.names), len(positional) if method.varargs else 0)
    picks = tuple([1 + slots.index(k) if k in slots else -1 for k in range(known)])
    if any(d is not None and 1 + i not in picks for i, d in enumerate(dots[1:])):
        return None  # what moves is none of its parameters
    if method.forward_for is not None and not method.forward_for(picked(picks, dots), *positional, **keywords):
        return None
    return functools.partial(by_tangent, method.forward, picks, laid_out(method, slots))


def laid_out(method: Any, slots: Slots) -> Any:
    """Places of the arguments of a call in the order of the parameters of a tangent, with the defaults of the others;
    None if it takes any keywords."""
    defaults = _defaults_of(method.forward)
    return defaults and tuple([(slots.index(k) if k in slots else -1, x) for k, x in enumerate(defaults)])


@functools.lru_cache(maxsize=1000)
def _defaults_of(tangent: Any) -> Values | None:
    """Of the parameters of a tangent after the tangents and the result."""
    parameters = [*inspect.signature(tangent).parameters.values()][2:]
    by_position = all(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
    return tuple([p.default for p in parameters]) if by_position else None


def in_each(n: int, args: Values, dots: Values, names: Names) -> Any:
    """By a function that is linear in each of its `n` arguments by position while the others stay."""
    if {"out", "order", "dtype", "casting"} & {*names} or any(d is not None for d in dots[1 + n :]):
        return transposed_along
    moving = [i for i in range(n) if dots[1 + i] is not None]
    if not all(isinstance(args[i], NUMBERS) for i in moving):
        return transposed_along
    return functools.partial(in_turn, tuple([frozenset([i]) for i in moving]))


def moving_groups(method: Any, args: Values, dots: Values, names: Names) -> Any:
    """The places of the arguments in which the function is linear together, for each group of which something moves;
    None if something else moves as well."""
    n = len(args) - len(names)
    known = [*(method.names + ("",) * n)[:n], *names]
    moving = {name for name, d in zip(known, dots[1:], strict=True) if d is not None}
    if not moving <= {*method.silent, *(name for group in method.linear for name in group)}:
        return None
    if any(k == "order" and x in ("A", "K") for k, x in zip(known, args, strict=True)):
        return None  # as the argument lies in memory
    groups = [group for group in method.linear if moving & {*group}]
    return tuple([frozenset(i for i, k in enumerate(known) if k in group and args[i] is not None) for group in groups])


def in_order_of_parameters(f: Any, args: Values, dots: Values) -> Any:
    """Function that gives the tangent of a call whose arguments are in the order of the parameters of a function."""
    needs = tuple([d is not None for d in dots])
    table = table_of(f)
    spec = find_spec(f, table, args, needs)
    push, n = push_of(spec), 1 + len(args)
    if push is not None:
        first = 0 if spec.takes_self else 1
        slots = (*range(first, n), *[n + i for i, needed in enumerate(needs) if needed])
        return functools.partial(through, push, slots)
    signature = table.signature
    m, k = signature.positional, signature.positional + signature.kwonly
    rest, options = ((k,) if signature.varargs else ()), ((len(args) - 1,) if signature.varkw else ())
    order = (*range(m), *rest, *range(m, k), *options)
    keywords = (*signature.names[m:k], *[None for _ in options])
    return functools.partial(as_taken, order, tuple([i in rest or i in options for i in order]), keywords)


def generated(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Slots] | None:
    """The tangent-linear program of a call, and its values; None if there is none."""
    needs = tuple([d is not None for d in dots])
    n = 1 + len(args)
    moving = tuple([n + i for i, needed in enumerate(needs) if needed])
    if type(f) is types.FunctionType and not names:
        if f in SPECIAL or f in CALLERS or has_rules(f):
            return None
        table = table_of(f)
        if table.simple and len(args) == table.n:
            spec = repeatable(find_now(f, table, args, needs), f)
            push = push_of(spec)
            return None if push is None else (push, (*range(0 if spec.takes_self else 1, n), *moving))
    spec = repeatable(spec_of_call(f, *split(args, names), needs)[0], f)
    push = push_of(spec) if is_resolved(spec) else None
    return None if push is None else (push, (*range(n), *moving))


def by_parameters(f: Any, args: Values, dots: Values, names: Names) -> Any:
    """Function that gives the tangent of a call by the tangent-linear program of the function in Python that it comes
    to, in which more calls may be found when they run; None if there is none."""
    called = classify(f)
    function, receiver = (f, ()) if called.kind == "python" else (called.callee, called.args)
    if type(function) is not types.FunctionType or called.kind not in ("python", "object"):
        return None
    if function in SPECIAL or function in CALLERS or has_rules(function):
        return None
    table = table_of(function)
    layout = layout_of(function, table.signature, len(receiver) + len(args) - len(names), names)
    if layout is None:
        return None
    flat = lay_out(layout, function, (*receiver, *args))
    needs = layout.needs(tuple([d is not None for d in (*[None for _ in receiver], *dots)]))
    spec = repeatable(find_now(function, table, flat, needs), f)
    push = push_of(spec)
    if push is None:
        return None
    n = 1 + len(flat)
    slots = (*range(0 if spec.takes_self else 1, n), *[n + i for i, needed in enumerate(needs or ()) if needed])
    return functools.partial(ordered_along, push, slots, function, layout, bool(receiver))


def of_tower(call: Values) -> Any:
    """Function that gives the tangent of one that gives tangents."""
    height = 1
    while type(call[0]) is types.FunctionType and call[0] in PUSHERS:
        call, height = call[1], height + 1
    f, args, *_ = call
    if type(f) is types.FunctionType and f in FACES:
        _, given, tangents = args
        return functools.partial(lowered, height, OfFace(1 + len(given) - len(tangents)), (call_pushforward,) * 2)
    program = program_of(*call)
    if isinstance(program, functools.partial) and program.func is by_partials:
        program = written_out(*call) or program
    if is_generated(program):
        push, slots = program.args
        return functools.partial(lowered, height, OfGenerated(slots, len(args)), (push,))
    fixed = program.args if isinstance(program, functools.partial) else ()
    base = (getattr(program, "func", program), *fixed)
    return functools.partial(lowered, height, OfOther(len(fixed)), base)


def written_out(f: Any, args: Values, dots: Values, names: Names = ()) -> Any:
    """The program of a call whose partials can be written out, so that their tangents are those of a program; None if
    they cannot."""
    spec = spec_of_call(f, *split(args, names), tuple([d is not None for d in dots]))[0]
    if not is_resolved(spec) or spec.primal is None:
        return None
    if not all(isinstance(s, Call) and isinstance(s.how, Spliced | None) for s in spec.primal.body.statements):
        return None
    found = generated(f, args, dots, names)
    return found and functools.partial(through, *found)


def is_generated(program: Any) -> bool:
    """Tell whether a call has a tangent-linear program."""
    return isinstance(program, functools.partial) and program.func is through


non_differentiable(program_of, by_parameters, written_out, by_own_tangent, laid_out, generated, in_order_of_parameters)
non_differentiable(push_of, moving_groups)


@chosen(knots.call_pushforward)
@chosen(call_pushforward)
def choose_pushforward(function: Any, args: Values, dots: Values, names: Names = ()) -> Any:
    """The derivative of taking a tangent: that of the program which gives it."""
    program = program_of(function, args, dots, names)
    fixed = program.args if isinstance(program, functools.partial) else ()
    plain = program.func if isinstance(program, functools.partial) else program
    n = 1 + len(fixed)

    def pushforward_rule(f: Any, function: Any, args: Values, dots: Values, *more: Names) -> tuple[Any, Back]:
        (y, y_dot), back = call_pullback(plain, *fixed, function, args, dots, *more)
        return (y, completed(y_dot, y)), lambda d: (None, *back(d)[n:])

    return pushforward_rule

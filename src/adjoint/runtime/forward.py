"""The knot of forward mode: `(y, ẏ)` of any call, by the tangent-linear program that is generated for it.

What has none (variables that are rebound after their capture, iterators that only the run shows, rules that say neither
that they are linear nor what their partials are) is transposed: the pullback is linear, and its pullback is ẋ ↦ J ẋ.
"""

from __future__ import annotations

import functools
import operator
import types
from typing import Any

import numpy as np

from ..ir.nodes import Const
from ..rules.registry import Back, find_rules, has_rules, knot, non_differentiable
from ..tangents import accumulate, along_partial, densify, item_bar, one_like, quietly, unbroadcast, zeros_like
from ..tangents.sweep import in_sweep
from ..transforms.calls import Rules
from ..transforms.tangent_linear import Unable, tangent_linear
from .calls import is_resolved, spec_of_call
from .dispatch import call_pullback
from .spec import BY_IDENTITY, CALLERS, LOCK, SPECIAL, Spec, compiled
from .tables import find_spec, table_of
from .targets import chosen, overridden, select
from .world import GRADIENTS, World

Values = tuple[Any, ...]
Names = tuple[str, ...]
Slots = tuple[int, ...]
"""Where the values of a program are among the function, its arguments and all their tangents."""

NUMBERS = (float, int, complex, np.ndarray, np.generic)


def call_pushforward(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """The value of `f(*args)`, whose last arguments are given by these names, and the tangent of its result.

    `dots` are the tangents of `f` and of each argument, None for what stays. That of a number or an array is never
    None.
    """
    program = program_of(f, args, dots, names)
    y, y_dot = program(f, args, dots, names)
    return y, zeros_like(y) if y_dot is None and isinstance(y, NUMBERS) else y_dot


def program_of(f: Any, args: Values, dots: Values, names: Names = ()) -> Any:
    """What gives `(y, ẏ)` of a call: a function of the function, the arguments, their tangents and names."""
    if all([d is None for d in dots]):
        return unmoved
    if isinstance(f, types.FunctionType) and f in PUSHERS:
        return of_pushforward(*args)
    if isinstance(f, types.FunctionType) and f in FACES:
        return faced
    if isinstance(f, types.FunctionType) and (plan := GRADIENTS.get(f.__code__)) is not None:
        return gradient_program(plan, args, dots)
    if f is operator.getitem and type(args[0]) in (tuple, list, dict):
        return item_along
    rules = find_rules(f) if isinstance(f, BY_IDENTITY) else None
    if rules is not None and not overridden(f, args):
        return ruled(rules, args, dots, names)
    if (found := generated(f, args, dots, names)) is not None:
        return functools.partial(through, *found)
    return transposed_along


PUSHERS = {call_pushforward}
"""Functions that give tangents of calls."""

FACES: set[Any] = set()
"""What users call for that: `f(function, args, tangents)`, where the tangent of the function may be left off."""


def split(args: Values, names: Names) -> tuple[Values, dict[str, Any]]:
    """The arguments by position, and those by name."""
    n = len(args) - len(names)
    return args[:n], dict(zip(names, args[n:], strict=True))


# ---- programs


def unmoved(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A call of which nothing moves."""
    positional, keywords = split(args, names)
    return f(*positional, **keywords), None


def transposed(f: Any, args: Values, kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """The value of a call and ẋ ↦ J ẋ, as the pullback of its pullback."""
    y, back = call_pullback(f, *args, **kwargs)
    _, again = call_pullback(in_sweep, back, zeros_like(y))
    return y, lambda dots: again(dots)[2]


def transposed_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """The same, along one tangent."""
    positional, keywords = split(args, names)
    y, push = transposed(f, positional, keywords)
    return y, push(dots)


def through(push: Any, slots: Slots, f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """By the program that was generated."""
    values = (f, *args, *[densify(d, x) for d, x in zip(dots, (f, *args), strict=True)])
    result: tuple[Any, Any] = push(*[values[i] for i in slots])
    return result


def nested(push: Any, slots: Slots, f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A tangent of a tangent: that of the program which was generated for the inner one."""
    inner, inner_args, inner_dots, *_ = args
    known = (inner, inner_args, [densify(d, x) for d, x in zip(inner_dots, (inner, *inner_args), strict=True)])
    return call_pushforward(push, laid(slots, known), (None, *laid(slots, dots[1:4], len(inner_args))))


def nested_twice(push: Any, slots: Slots, f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A tangent of a tangent of a tangent: one less, of the program which was generated for the innermost one."""
    _, (inner, inner_args, inner_dots, *_), along, *_ = args
    known = (inner, inner_args, [densify(d, x) for d, x in zip(inner_dots, (inner, *inner_args), strict=True)])
    n = len(inner_args)
    call = (push, laid(slots, known), (None, *laid(slots, along[1:4], n)))
    of_values = None if dots[2] is None else laid(slots, dots[2], n)
    of_dots = None if dots[3] is None else (None, *laid(slots, dots[3][1:4], n))
    return call_pushforward(call_pushforward, call, (None, None, of_values, of_dots))


def faced(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A tangent of what users call for tangents."""
    function, inner, tangents = args
    left_off = (None,) * (1 + len(inner) - len(tangents))
    call = (function, tuple(inner), (*left_off, *tangents))
    of_tangents = None if dots[3] is None else (*left_off, *dots[3])
    return call_pushforward(call_pushforward, call, (None, dots[1], dots[2], of_tangents))


def along_program(
    program: Any, fixed: Values, f: Any, args: Values, dots: Values, names: Names = ()
) -> tuple[Any, Any]:
    """A tangent of what gives a tangent by a rule, or by moving values."""
    still = (None,) * (1 + len(fixed))
    return call_pushforward(program, (*fixed, *args[:3], args[3] if len(args) > 3 else ()), (*still, *dots[1:4], None))


def laid(slots: Slots, call: Any, n: int = 0) -> Values:
    """The values of a program, from the function, the arguments and the tangents of the call that it is for."""
    f, args, dots, *_ = call
    flat = (f, *(args or (None,) * n), *(dots or (None,) * (n + 1)))
    return tuple([flat[i] for i in slots])


def together(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A function that is linear in all its arguments together."""
    positional, keywords = split(args, names)
    y = f(*positional, **keywords)
    return y, unbroadcast(f(*[densify(d, x) for d, x in zip(dots[1:], positional, strict=False)], **keywords), y)


def in_turn(groups: Any, f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A function that is linear in the arguments at the places of each group together, while the others stay."""
    positional, keywords = split(args, names)
    y, y_dot = f(*positional, **keywords), None
    for group in groups:
        moved = [densify(dots[i + 1], x) if i in group else x for i, x in enumerate(args)]
        positional, keywords = split(tuple(moved), names)
        y_dot = accumulate(y_dot, f(*positional, **keywords))
    return y, y_dot


def item_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """An item of a container."""
    return f(*args), item_bar(dots[1], args[1])


def by_partials(
    partials: Any, singular: bool, f: Any, args: Values, dots: Values, names: Names = ()
) -> tuple[Any, Any]:
    """ẏ = Σ ẋᵢ ∂y/∂xᵢ."""
    y = f(*args)
    ps = quietly(partials, *args, y) if singular else partials(*args, y)
    y_dot = None
    for d, p in zip(dots[1:], ps if isinstance(ps, tuple) else (ps,), strict=True):
        if d is not None:
            y_dot = accumulate(y_dot, along_partial(d, p, singular))
    return y, unbroadcast(y_dot, y)


def gradient_along(push: Any, plan: Any, f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """The value and the gradient of a function, and their tangents: ẏ = ⟨∇f, ẋ⟩ has the gradients ∇f by ẋ and
    H ẋ by x.

    Source: Griewank and Walther, Evaluating Derivatives, 2nd ed., section 5.4 (there by forward over reverse).
    """
    function, values, moving, places, component = plan(f, args, dots)
    (y, y_dot), back = call_pullback(call_pushforward, function, values, moving)
    bars = back((None, one_like(y)))
    _, f_bar, args_bar, dots_bar = bars[:4]
    n = len(values)
    by_value = (f_bar, *(args_bar or (None,) * n))
    by_dot = dots_bar or (None,) * (n + 1)
    grads = tuple([by_dot[i] if asked else None for i, asked in enumerate(places)])
    grads_dot = tuple([by_value[i] if asked else None for i, asked in enumerate(places)])
    if component is not None:
        x = (function, *values)[component]
        return densify(grads[component], x), densify(grads_dot[component], x)
    return (y, grads), (y_dot, grads_dot)


# ---- what is found for a call


def ruled(rules: Any, args: Values, dots: Values, names: Names) -> Any:
    """By a rule: that says that it is linear, or what its partials are; else by transposing it."""
    if not rules.differentiable:
        return unmoved
    positional, keywords = split(args, names)
    found = select(rules, positional, keywords)
    if found is None:
        return transposed_along
    method = found[0]
    if method.linear and method.linear[0][0].startswith("*"):
        return together if all(d is None for d in dots[1 + len(positional) :]) else transposed_along
    if method.linear and (groups := moving_groups(method, args, dots, names)) is not None:
        return functools.partial(in_turn, groups)
    if method.partials is not None and not names:
        return functools.partial(by_partials, method.partials, method.singular)
    return transposed_along


def moving_groups(method: Any, args: Values, dots: Values, names: Names) -> Any:
    """The places of the arguments in which the function is linear together, for each group of which something moves;
    None if something else moves as well."""
    n = len(args) - len(names)
    known = [*(method.names + ("",) * n)[:n], *names]
    moving = {name for name, d in zip(known, dots[1:], strict=True) if d is not None}
    if not moving <= {*method.silent, *(name for group in method.linear for name in group)}:
        return None
    groups = [group for group in method.linear if moving & {*group}]
    return tuple([frozenset(i for i, k in enumerate(known) if k in group and args[i] is not None) for group in groups])


def generated(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Slots] | None:
    """The tangent-linear program of a call, and its values; None if there is none."""
    needs = tuple([d is not None for d in dots])
    n = 1 + len(args)
    moving = tuple([n + i for i, needed in enumerate(needs) if needed])
    if isinstance(f, types.FunctionType) and not names:
        if f in SPECIAL or f in CALLERS or has_rules(f):
            return None
        table = table_of(f)
        if table.simple and len(args) == table.n:
            spec = find_spec(f, table, args, needs)
            push = push_of(spec)
            return None if push is None else (push, (*range(0 if spec.takes_self else 1, n), *moving))
    spec, _ = spec_of_call(f, *split(args, names), needs)
    push = push_of(spec) if is_resolved(spec) else None
    return None if push is None else (push, (*range(n), *moving))


def push_of(spec: Spec) -> Any:
    """The tangent-linear program of a rule's function, made when it is first asked for; None if there is none."""
    if spec.push is NotImplemented:
        with LOCK:
            if spec.push is NotImplemented:
                spec.push = _made(spec)
    return spec.push


def _made(spec: Spec) -> Any:
    if spec.primal is None:
        return None
    rules = Rules(Const(knot(), "pullback"), None, World().partials, find_rules)  # type: ignore[arg-type]
    try:
        ir = tangent_linear(spec.primal, rules, spec.needs, Const(call_pushforward, "pushforward"))
    except Unable as reason:
        spec.unable = str(reason)
        return None
    made, spec.push_text = compiled(spec, ir)
    return made


def of_pushforward(f: Any, args: Values, dots: Values, names: Names = ()) -> Any:
    """What gives the tangent of a tangent of this call."""
    if isinstance(f, types.FunctionType) and f in PUSHERS:
        program = program_of(*args)
        return functools.partial(nested_twice, *program.args) if is_generated(program) else transposed_along
    program = program_of(f, args, dots, names)
    if is_generated(program):
        return functools.partial(nested, *program.args)
    fixed = program.args if isinstance(program, functools.partial) else ()
    return functools.partial(along_program, getattr(program, "func", program), fixed)


def is_generated(program: Any) -> bool:
    """Whether a call has a tangent-linear program."""
    return isinstance(program, functools.partial) and program.func is through


def gradient_program(plan: Any, args: Values, dots: Values) -> Any:
    """The program of a gradient and its tangent."""
    function, needs, component, takes_self = plan

    def given(f: Any, args: Values, dots: Values) -> Any:
        own = args[0] if takes_self else function
        values, moving = (args[1:], dots[2:]) if takes_self else (args, dots[1:])
        own_dot = dots[1] if takes_self else None
        along = [
            zeros_like(x) if d is None and asked else d for d, x, asked in zip(moving, values, needs[1:], strict=True)
        ]
        return own, values, (own_dot, *along), needs, component

    return functools.partial(gradient_along, None, given)


non_differentiable(program_of, generated, push_of, moving_groups)


@chosen(call_pushforward)
def choose_pushforward(function: Any, args: Values, dots: Values, names: Names = ()) -> Any:
    """The derivative of taking a tangent: that of the program which gives it."""
    program = program_of(function, args, dots, names)
    fixed = program.args if isinstance(program, functools.partial) else ()
    plain = program.func if isinstance(program, functools.partial) else program
    n = 1 + len(fixed)

    def pushforward_rule(f: Any, function: Any, args: Values, dots: Values, *more: Names) -> tuple[Any, Back]:
        y, back = call_pullback(plain, *fixed, function, args, dots, *more)
        return y, lambda d: (None, *back(d)[n:])

    return pushforward_rule

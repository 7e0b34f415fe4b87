"""The registry, in which rules are declared and found: the function object first, the types of the arguments second.

A rule knows nothing of the engine. `rule` declares `(args) -> (y, back)`, `scalar_rule` the partials of an elementwise
function, `non_differentiable` functions through which nothing flows.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import BuiltinMethodType, FunctionType
from typing import Any, TypeVar

import numpy as np

from ..errors import NoRuleError, calling_place
from ..identity import Same, is_hashable
from ..origin import module_of
from ..tangents import is_whole, stops_at, unknown
from ..tangents.unknown import check_known
from .calls import are_usual, check_are_numbers, dtypes_of, has_narrow, of_times, refuse_stores
from .checked import (
    check_bars,
    check_dot,
    check_kept,
    check_keywords,
    check_pair,
    checked,
    checked_tangent,
    is_of_another_precision,
)
from .declarations import (
    check_function,
    check_functions,
    check_products,
    check_program,
    check_reasons,
    check_returns,
    check_tangent_of,
    check_written,
    full_name_of,
    groups_of,
    is_by_us,
)
from .elementwise import elementwise, word_of
from .found_by import BY_CLASS, OF_OBJECTS, has_identity
from .holding import holding
from .kept import contents
from .knots import Back as Back
from .knots import call_pullback
from .libraries import LIBRARIES, load_seen, on_change, quietly
from .marks import check_unmarked, mark, unmark
from .rulesets import OURS, Method, RuleSet
from .selection import Accepted
from .signatures import accepted_by, keyword_only, positional

R = TypeVar("R", bound=Callable[..., Any])

Numeric = int | float | complex | np.ndarray | np.generic
"""What elementwise rules are for: numbers of Python and NumPy, and arrays."""

RULES: dict[Any, RuleSet] = {}
"""All rules, by `key_of` their functions."""


def key_of(f: Any) -> Any:
    """The key under which rules of `f` are kept: `f`; but `np.add.at`, made anew at each access, by owner and name.

    An object whose `__hash__` must not be run, or raises, is kept by its identity.
    """
    if type(f) is FunctionType:
        return f  # as most often
    if isinstance(f, BuiltinMethodType) and f.__self__ is not None and not inspect.ismodule(f.__self__):
        owner = f.__self__
        return (owner if isinstance(owner, type | np.ufunc) else type(owner), f.__name__)
    return f if is_hashable(f) else Same(f)


def find_rules(f: Any) -> RuleSet | None:
    """All rules of `f`, or None."""
    if f.__class__ is not type(f):  # a proxy, equal to what it stands for
        return None
    key = key_of(f)
    found = RULES.get(key)
    if found is None and LIBRARIES and load_seen():
        found = RULES.get(key)
    if found is None and type(f) in BY_CLASS:
        with quietly():
            BY_CLASS[type(f)](f)
        found = RULES.get(key)
    return found


def has_rules(f: Any) -> bool:
    """Tell whether a function has rules of its own: those of a library are loaded when one of its functions is met."""
    if f.__class__ is not type(f):
        return False
    key = key_of(f)
    if key in RULES or type(f) in BY_CLASS:
        return True
    module = module_of(f)
    return bool(LIBRARIES) and module.startswith("scipy.") and load_seen() and key in RULES


def check_rule_came_along(f: Any) -> None:
    """Raise `NoRuleError` for a copy of a function whose rule is elsewhere: its own code would be taken instead."""
    if f not in RULES:
        check_unmarked(f)


def changed() -> None:
    """Tell of a change that has been made: whoever looks up a rule from here on finds the new one."""
    for listener in on_change:
        listener()


def _rules_of(f: Any) -> RuleSet:
    check_function(f)
    key = key_of(f)
    if not has_identity(f):
        OF_OBJECTS.add(type(f))
    if key not in RULES:
        RULES[key] = RuleSet(f, getattr(f, "__name__", repr(f)))
    return RULES[key]


def _declare(
    functions: tuple[Any, ...], method: Method, signature: Callable[..., Any], skip_last: bool = False
) -> None:
    default = Numeric if skip_last else object
    # Annotations are looked at when the rule is first asked for: importing hundreds of rules must not take long.
    accepted = functools.cache(functools.partial(accepted_by, signature, default, skip_last, method.required))
    for f in functions:
        rules = _rules_of(f)
        rules.add(method, accepted)
        _note_users(rules, not signature.__module__.startswith(OURS))
    changed()


def _note_users(rules: RuleSet, declared_by_user: bool) -> None:
    if declared_by_user:
        rules.is_users = True
        mark(rules.function)


def rule(
    *functions: Any,
    returns: str | None = None,
    linear: str = "",
    calls: bool = False,
    forward: Callable[..., Any] | None = None,
    forward_for: Callable[..., bool] | None = None,
    program: Callable[..., Any] | None = None,
) -> Callable[[R], R]:
    """Declare the derivative of a function: `@rule(f)` over `f_rule(*args, **kwargs) -> (y, back)`.

    `back(ȳ)` returns a tuple with one cotangent per positional argument, then one per keyword-only parameter (None
    where nothing flows), and may leave off the last ones that have defaults. The annotations of positional parameters
    say for which types the rule is (multiple dispatch; none: any). Neither ȳ nor the arguments may be changed.

    Parameters
    ----------
    functions : the functions that the rule is for.
    returns : what type the result has, if that is known from the arguments' types: "elementwise", "like" (the first
        argument), "reduction" (a number unless `axis` is given), "array", "float", "int", "bool", "str".
    linear : the parameters in each of which `f` is linear while the others stay: `"a"`, `"a b"` for a product, `"x+y"`
        if it is linear in both together, `"*"` in all, `"*xs*"` in each of all. Forward mode then needs no more:
        ẏ = f(ȧ, b) + f(a, ḃ). After a bar parameters that carry no derivative, even if what is passed has one:
        `"d | like"`.
    calls : whether a rule of this library runs functions that it is handed; a user's may.
    forward : where there is a better way than to transpose the pullback, the tangent ẏ = J ẋ of the result:
        `forward(dots, y, *args, **kwargs)`. `dots` has the tangent of each parameter, None for one that stays.
    forward_for : of which calls that holds, `forward_for(dots, *args, **kwargs)`; all others are transposed.
    program : a function of Python with the parameters and the meaning of `f`: forward mode gives the tangent of that.

    Returns
    -------
    A decorator, which gives back the function that it decorates.

    Raises
    ------
    RuleError
        If no functions are given, something that is not callable, or options that do not fit the rule.

    Examples
    --------
    >>> import adjoint, math
    >>> def area(r): return math.pi * r ** 2
    >>> @adjoint.rule(area)
    ... def area_rule(r):
    ...     def area_back(a_bar): return (a_bar * 2 * math.pi * r,)
    ...     return area(r), area_back
    >>> round(adjoint.grad(area)(1.0), 4)
    6.2832
    """

    check_functions(functions, "rule")

    def register(call: R) -> R:
        check_written(call, "rule")
        check_returns(call, returns)
        check_tangent_of(call, forward, forward_for)
        check_program(call, program, forward)
        groups, silent = groups_of(call, linear)
        names, required, star = positional(call)
        ours = (call.__module__ or "").startswith(OURS)
        form = call if ours else checked(call, required, len(names))
        method = Method(
            holding(form, call_pullback) if calls or not ours else form,
            call.__name__,
            names,
            required,
            star is not None,
            returns=returns,
            linear=groups,
            silent=silent,
            forward=forward if ours or forward is None else checked_tangent(call, forward),
            forward_for=forward_for,
            program=program,
            named=keyword_only(call),
        )
        _declare(functions, method, call)
        return call

    return register


def scalar_rule(
    *functions: Any,
    singular: bool = False,
    returns: str | None = "elementwise",
    call: Callable[..., Any] | None = None,
    products: Callable[..., Any] | None = None,
) -> Callable[[R], R]:
    """Declare an elementwise function by its partials: `@scalar_rule(f)` over `partial(x, y)`, where `y` is the result.

    For several arguments the partials come as a tuple: `partials(a, b, y) -> (∂y/∂a, ∂y/∂b)`. They are for numbers
    and for arrays that broadcast; for a complex function they are its (holomorphic) derivative, ∂y/∂x. One that nobody
    knows is `unknown("the order v")`. The body must be one `return`.

    Parameters
    ----------
    functions : the functions that the rule is for.
    singular : the partial can be infinite where the cotangent is zero (`sqrt`, `log`): 0 · ∞ counts as 0.
    returns : as for `rule`.
    call : the rule in the form of `rule`, for calls with keywords that change what the function means (`key` of `max`).
    products : with `singular`, ȳ times the partials of real arrays, where that takes fewer operations than to compute
        the partials first: `products(y_bar, x, y)`, or None where there is no such way. If it has a keyword `needs`, it
        is told which cotangents are needed, a flag for each argument, and may give None for the others.

    Returns
    -------
    A decorator, which gives back the function that it decorates.

    Raises
    ------
    RuleError
        If no functions are given, something that is not callable, or options that do not fit the rule.

    Examples
    --------
    >>> import adjoint
    >>> def cube(x): return x * x * x
    >>> @adjoint.rules.scalar_rule(cube)
    ... def cube_partial(x, y): return 3 * x * x
    >>> adjoint.grad(cube)(2.0)
    12.0
    """
    check_functions(functions, "scalar_rule")

    def register(partials: R) -> R:
        check_written(partials, "scalar_rule")
        check_returns(partials, returns)
        names = positional(partials)[0][:-1]
        check_products(partials, products, len(names))
        for f in functions:
            name = f"{getattr(f, '__name__', 'f')}_rule"
            closed = call or elementwise(f, partials, singular, name, partials.__module__.startswith(OURS), products)
            given = word_of(f, returns)
            _declare((f,), Method(closed, name, names, len(names), False, partials, singular, given), partials, True)
        return partials

    return register


def _check_given(functions: tuple[Any, ...], name: str) -> None:
    """Raise `RuleError` unless functions are given; ours may be those that a version of a library does not have."""
    if functions or not is_by_us(3):
        check_functions(functions, name, decorates=False)


def non_differentiable(*functions: Any, returns: str | None = None) -> None:
    """Declare functions through which nothing flows: they run as they are, and their results count as constants.

    Parameters
    ----------
    functions : the functions, each one that can be called.
    returns : the class of their results, by its name, where it is always the same.

    Raises
    ------
    RuleError
        If no functions are given, or something that is not callable.

    Examples
    --------
    >>> import adjoint
    >>> def bucket(x): return round(x * 10)
    >>> adjoint.rules.non_differentiable(bucket)
    >>> adjoint.grad(lambda x: x * bucket(x))(0.42)
    4.0
    """
    _check_given(functions, "non_differentiable")
    for f in functions:
        rules = _rules_of(f)
        rules.differentiable = False
        rules.returns = returns
        _note_users(rules, not is_by_us(2))
    changed()


non_differentiable(check_keywords, check_pair, check_bars, check_dot, refuse_stores, dtypes_of, stops_at, has_narrow)
non_differentiable(check_are_numbers, are_usual, of_times, contents, check_kept, is_of_another_precision)
non_differentiable(is_whole, unknown, check_known)


def not_implemented(*functions: Any, why: str, way_out: str) -> None:
    """Declare functions whose derivative is not known: where one meets a value that is differentiated, it is refused.

    Parameters
    ----------
    functions : the functions, each one that can be called.
    why, way_out : the reason and the advice, as the message gives them.

    Raises
    ------
    RuleError
        If no functions are given, something that is not callable, or a reason that is not text.

    Examples
    --------
    >>> import adjoint
    >>> def riddle(x): return x
    >>> adjoint.rules.not_implemented(riddle, why="nobody has solved it", way_out="ask something else")
    >>> adjoint.grad(riddle)(1.0)
    Traceback (most recent call last):
        ...
    adjoint.errors.NoRuleError: `riddle` meets a value that is differentiated, and its derivative is not known
      ...
    why: nobody has solved it
    help: ask something else
    """
    _check_given(functions, "not_implemented")
    check_reasons(why=why, way_out=way_out)
    for f in functions:

        def refusing_rule(*args: Any, _name: str = full_name_of(f), **kwargs: Any) -> tuple[Any, Back]:
            what = f"`{_name}` meets a value that is differentiated, and its derivative is not known"
            raise NoRuleError(what, why, way_out, calling_place())

        rules = _rules_of(f)
        rules.refusal = why
        _note_users(rules, not is_by_us(2))
        method = Method(refusing_rule, f"{rules.name}_refused", (), 0, True)
        rules.add(method, lambda: Accepted((), (object,), 0))
    changed()


def opt_out(*functions: Any) -> None:
    """Forget the rules of these functions, so that their code is looked into instead.

    Parameters
    ----------
    functions : the functions, each one that can be called.

    Raises
    ------
    RuleError
        If no functions are given, or something that is not callable.

    Examples
    --------
    >>> import adjoint
    >>> def twice(x): return 2 * x
    >>> adjoint.rules.non_differentiable(twice)
    >>> adjoint.rules.opt_out(twice)
    >>> adjoint.grad(twice)(1.0)
    2.0
    """
    _check_given(functions, "opt_out")
    for f in functions:
        RULES.pop(key_of(f), None)
        unmark(f)
    changed()

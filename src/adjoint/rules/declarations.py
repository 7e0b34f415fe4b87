"""Declarations of rules, held to the rule's own parameters when it is made."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import RuleError, calling_place
from ..ops.words import WORDS
from ..tangents.form import describe
from .checked import rule_error
from .rulesets import OURS
from .signatures import asks_by_name, is_plain, parameters_of, positional

Groups = tuple[tuple[str, ...], ...]


def check_functions(functions: tuple[Any, ...], name: str, decorates: bool = True) -> None:
    """Raise `RuleError` unless functions are given, and nothing else."""
    if not functions:
        raise RuleError(
            f"`{name}` is given no function",
            "a rule is found by the function that it is for",
            f"write `@{name}(f)` above the rule of `f`" if decorates else f"pass the functions: `{name}(f)`",
            calling_place(),
        )
    for f in functions:
        check_function(f)


def check_function(f: Any) -> None:
    """Raise `RuleError` unless `f` can be called."""
    if not callable(f):
        raise RuleError(
            f"{f!r} is not callable", "a rule is for a function", "pass the function itself", calling_place()
        )


def check_reasons(**reasons: Any) -> None:
    """Raise `RuleError` unless what is to be said is text."""
    for name, text in reasons.items():
        if not isinstance(text, str):
            raise RuleError(
                f"`not_implemented` says `{name}={text!r}`",
                "it is printed where the function is refused",
                f'write a sentence: `{name}="..."`',
                calling_place(),
            )


def check_written(call: Any, name: str) -> None:
    """Raise `RuleError` unless what is decorated is a function."""
    if not callable(call):
        raise RuleError(
            f"`{name}` decorates {describe(call)}",
            "a rule is written as a function",
            f"write `@{name}(f)` above a `def`",
            calling_place(),
        )


def check_returns(call: Any, returns: Any) -> None:
    """Raise `RuleError` unless `returns` is a word that is known."""
    if returns is not None and returns not in WORDS:
        raise rule_error(
            call,
            f"says `returns={returns!r}`",
            "it says what type the result has, in words that are known",
            'leave it off, or say "elementwise", "like", "reduction", "array", "float", "int", "bool" or "str"',
        )


def groups_of(call: Any, linear: Any) -> tuple[Groups, tuple[str, ...]]:
    """The parameters that a rule is linear in, and those that carry no derivative, from `linear="a b+c | d"`; raises
    `RuleError` unless these are its parameters."""
    if not isinstance(linear, str):
        raise rule_error(call, f"says `linear={linear!r}`", *_IN_WORDS)
    if not linear:
        return (), ()
    in_groups, _, still = linear.partition("|")
    groups, silent = tuple([tuple(group.split("+")) for group in in_groups.split()]), tuple(still.split())
    named = [name.strip("*") for group in (*groups, silent) for name in group]
    if unknown := [name for name in named if name not in known_parameters(call) and name != ""]:
        names = ", ".join(f"`{name}`" for name in dict.fromkeys(unknown))
        raise rule_error(call, f"says `linear={linear!r}`, and has no parameter {names}", *_IN_WORDS)
    starred = [name for group in groups for name in group if "*" in name]
    if "" in (name for group in groups for name in group) or starred and len(groups) + len(groups[0]) > 2:
        raise rule_error(call, f"says `linear={linear!r}`", *_IN_WORDS)
    if twice := [name for name in dict.fromkeys(named) if named.count(name) > 1]:
        names = ", ".join(f"`{name}`" for name in twice)
        raise rule_error(call, f"says `linear={linear!r}`, with {names} twice", *_ONCE)
    return groups, silent


_IN_WORDS = (
    "`linear` names parameters of the rule",
    'say "a", "a b" for a product, "a+b" for what is linear in both together, "*" for all',
)


_ONCE = (
    "a parameter is in one term, or carries no derivative",
    'name it once: "a b" for what is linear in either, "a+b" in both together, "a | b" where nothing flows to `b`',
)


def known_parameters(call: Any) -> tuple[str, ...]:
    """The names of a function's parameters, of all kinds."""
    if is_plain(call):
        code = call.__code__
        stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
        found: tuple[str, ...] = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]
        return found
    return tuple([p.name for p in parameters_of(call)])


def check_tangent_of(call: Any, forward: Any, forward_for: Any) -> None:
    """Raise `RuleError` unless `forward` and `forward_for` can be called with the parameters of the rule."""
    if forward is None and forward_for is None:
        return
    _, required, star = positional(call)
    if forward is None:
        raise rule_error(
            call,
            "says `forward_for=` and no `forward=`",
            "it says for which calls `forward` holds",
            "give `forward=` as well, or leave it off",
        )
    for option, given, first in (("forward", forward, ("dots", "y")), ("forward_for", forward_for, ("dots",))):
        if given is None:
            continue
        takes = f"`{option}` is called with {', '.join(first)} and the arguments of the rule"
        way_out = f"write `def {option}({', '.join((*first, *positional(call)[0]))}): ...`"
        if not callable(given):
            raise rule_error(call, f"says `{option}={given!r}`", takes, way_out)
        if not _takes(given, len(first) + required, star is not None):
            name = getattr(given, "__name__", option)
            raise rule_error(call, f"says `{option}={name}`, which takes other arguments", takes, way_out)


def check_program(call: Any, program: Any, forward: Any) -> None:
    """Raise `RuleError` unless `program` can be called as the function of the rule, and is the one way forward."""
    if program is None:
        return
    order, required, star = positional(call)
    way_out = f"write `def program({', '.join(order)}): ...`"
    if not callable(program):
        raise rule_error(call, f"says `program={program!r}`", "forward mode follows a function of Python", way_out)
    if not _takes(program, required, star is not None):
        name = getattr(program, "__name__", "program")
        why = "it is called as the function is that the rule is for"
        raise rule_error(call, f"says `program={name}`, which takes other arguments", why, way_out)
    if forward is not None:
        why = "each gives the tangent"
        raise rule_error(call, "says `program=` and `forward=`", why, "leave one of them off")


def check_products(partials: Any, products: Any, n: int) -> None:
    """Raise `RuleError` unless `products` can be called with ȳ, the `n` arguments and the result."""
    if products is not None and not (callable(products) and _takes(products, n + 2, False)):
        raise rule_error(
            partials,
            f"says `products={getattr(products, '__name__', repr(products))}`, which takes other arguments",
            "`products` is called with ȳ, the arguments and the result",
            f"write `def products({', '.join(('y_bar', *positional(partials)[0]))}): ...`",
        )


def _takes(f: Callable[..., Any], n: int, star: bool) -> bool:
    """Tell whether a function can be called with `n` arguments by position, and with more if `star`."""
    try:
        names, required, stars = positional(f)
        asks = asks_by_name(f)
    except (ValueError, TypeError):
        return True  # a builtin that does not say
    return required <= n and (stars is not None or n <= len(names) and not star) and not asks


def is_by_us(depth: int) -> bool:
    """Tell whether what is declared is declared by this library: in the frame `depth` calls out."""
    return (sys._getframe(depth).f_globals.get("__name__") or "").startswith(OURS)


def full_name_of(f: Any) -> str:
    """The name of a function, with its module if that is NumPy's or SciPy's."""
    module = getattr(f, "__module__", None)
    if isinstance(owner := getattr(f, "__self__", None), np.ufunc):
        return f"numpy.{owner.__name__}.{f.__name__}"
    name: str = getattr(f, "__qualname__", None) or getattr(f, "__name__", None) or repr(f)
    return f"{module}.{name}" if module and module.partition(".")[0] in ("numpy", "scipy") else name

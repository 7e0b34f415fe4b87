"""Refusals of what is no program, and no function to call in one."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import OptionError, calling_place
from ..ir.nodes import Call, Closure, Const, If, Loop, Statement, Undef, Var
from ..runtime.argnums import name_of
from ..spelling import is_name, uncalled
from .program import Program


def check_program(what: str, program: Any, *also: type) -> None:
    """Raise `OptionError` unless this is a program, or one of the nodes that are taken `also`."""
    if isinstance(program, (Program, *also)):
        return
    is_function = callable(program)
    name = name_of(program) if is_function else uncalled(program)[0]
    raise OptionError(
        f"`ir.{what}` takes a program, and is given {f'the function `{name}`' if is_function else f'`{name}`'}",
        "a program is data, which is made of a function or built by hand",
        f"make it by `ir.of({name})`" if is_function else "make it by `ir.of(f)` or `ir.Builder`",
        calling_place(),
    )


def check_called(what: str, fn: Any) -> None:
    """Raise `OptionError` for what cannot be called in a program."""
    value = fn.value if isinstance(fn, Const) else fn
    if not callable(value) and not isinstance(fn, (Var, Undef)):
        raise OptionError(
            f"`ir.{what}` is given {uncalled(value)[0]} as a function, and it cannot be called",
            "a program calls functions, or variables that hold one",
            "give the function itself, such as `operator.mul` or `math.sin`",
            calling_place(),
        )


def check_function(what: str, f: Any, does: str, example: str) -> None:
    """Raise `OptionError` for what is no function where one is handed over that `does` something."""
    if not callable(f):
        raise OptionError(
            f"{what} is {uncalled(f)[0]}, and no function",
            f"it {does}",
            f"give one: `{example}`",
            calling_place(),
        )


def check_mapping(what: str, functions: Any) -> None:
    """Raise `OptionError` for what is no dict of functions."""
    if not isinstance(functions, Mapping):
        raise OptionError(
            f"`ir.{what}` is given {uncalled(functions)[0]} for functions",
            "it needs to know which function is called in place of which",
            "give a dict: `{math.sin: math.cos}`",
            calling_place(),
        )


def check_names(names: Iterable[str]) -> None:
    """Raise `OptionError` for names that no function and no parameters can have, or that come twice."""
    seen: set[str] = set()
    for i, name in enumerate(names):
        if not is_name(name) or i and name in seen:
            raise OptionError(
                f"`ir.Builder` is given the name {uncalled(name)[0]}{' twice' if is_name(name) else ''}",
                "a program is a function of Python, whose parameters have names of their own",
                'write `ir.Builder("f", "x", "y")`',
                calling_place(),
            )
        if i:
            seen.add(name)


def check_part(what: str, make: Any, given: int) -> None:
    """Raise `OptionError` for what is no function of so many variables, of a branch or of a loop."""
    takes = "nothing" if not given else "a variable" if given == 1 else f"{given} variables"
    names = "".join([f" x{i}," for i in range(given)]).rstrip(",")
    problem = "" if callable(make) else f"is {uncalled(make)[0]}, and no function"
    try:
        if callable(make):
            inspect.signature(make).bind(*[None] * given)
    except TypeError:
        problem = f"cannot be called with {takes}"
    except ValueError:
        return  # its signature is not known
    if problem:
        raise OptionError(
            f"the {what} {problem}",
            f"it adds statements to the program, and is given {takes}"
            + (": what is carried, and of a `for` the item" if given else ""),
            f"write `lambda{names}: b.call(...)`",
            calling_place(),
        )


def check_count(what: str, found: int, wanted: int, why: str) -> None:
    """Raise `OptionError` for a block that gives another number of values than are wanted."""
    if found != wanted:
        raise OptionError(
            f"the {what} gives {found} value{'s' * (found != 1)}, and {wanted} {'is' if wanted == 1 else 'are'} needed",
            why,
            "return as many, several as a tuple: `(s, t)`",
            calling_place(),
        )


def check_given(what: str, found: Any) -> None:
    """Raise `OptionError` for what forgets to give something on to the next round."""
    if found is None:
        raise OptionError(
            f"the {what} of a loop gives None",
            "each round is given what the one before gives",
            "return it: `lambda s, x: b.call(operator.add, s, x)`",
            calling_place(),
        )


def statements_of(found: Any) -> list[Statement]:
    """The statements that a change gives for one."""
    kinds = (Call, If, Loop, Closure)
    if isinstance(found, kinds):
        return [found]
    several = [] if found is None else list(found) if isinstance(found, Iterable) else [found]
    for s in several:
        if not isinstance(s, kinds):
            raise OptionError(
                f"the function given to `ir.rewrite` gives {uncalled(s)[0]} for a statement",
                "it gives a statement, several of them, or None to leave it out",
                "give `ir.Call`, `ir.If`, `ir.Loop` or `ir.Closure`, or the statement itself",
                calling_place(),
            )
    return several

"""The function whose program is meant by a callable."""

from __future__ import annotations

import types
from typing import Any, get_origin

from ..classify import kind_of, passed_on
from ..errors import OptionError, SourceUnavailableError, calling_place
from ..origin import is_ours
from ..rules.registry import has_rules
from ..spelling import is_name, uncalled
from .calls import program_of_call
from .refusing import refuse_asynchronous

_CLASS = "it is a class: a call of it makes an object, and the program is that of several methods"
_NOT_PYTHON = "it is not a function that is written in Python"


def function_of_call(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[types.FunctionType, tuple[Any, ...], dict[str, Any]]:
    """The function behind a callable, and what it is called with: of a gradient, the program that calls it."""
    if kind_of(f) == "gradient":
        if not (args or kwargs):
            raise _of_no_arguments(f)
        return program_of_call(len(args), tuple(kwargs)), (f, *args, *kwargs.values()), {}
    if not callable(f):
        words, way_out = uncalled(f)
        raise SourceUnavailableError(
            f"there is no source of {words} to show",
            "it is not a function, and cannot be called",
            way_out,
            calling_place(),
        )
    function, args, kwargs = passed_on(f, args, kwargs)
    if type(function) is not types.FunctionType or function is not f and _is_known(function):
        if is_ours(function_file(type(f).__call__)):
            raise _of_an_object_of_ours(f)
        a_class = isinstance(f, type)
        raise SourceUnavailableError(
            f"there is no source of `{getattr(f, '__qualname__', f)}` to show",
            _CLASS if a_class else _known(function) if type(function) is types.FunctionType else _NOT_PYTHON,
            "show a function that makes one and uses it" if a_class else "show the function that calls it",
            calling_place(),
        )
    refuse_asynchronous(function)
    return function, args, kwargs


def _of_an_object_of_ours(f: Any) -> SourceUnavailableError:
    """The error for the function of a program, and for a Jacobian, a Hessian, a `vmap` or a checkpoint of one."""
    what = f"there is no source of `{f!r}` to show"
    if hasattr(f, "program"):
        why = "it reads variables that it captures, or takes arguments by name: its program is called with more"
        way_out = "print the program, `ir.of(g)`, or its derivative, `ir.reverse_differentiate(ir.of(g), ...)`"
        return SourceUnavailableError(what, why, way_out, calling_place())
    name = getattr(getattr(f, "_f", None), "__name__", "")
    name = name if is_name(name) else "f"
    shown = f"code_adjoint(grad({name}), ...)" if repr(f).startswith("∇²") else f"code_adjoint({name}, ...)"
    why = "it has no program of its own: a call of it runs those of the function, as often as it needs them"
    return SourceUnavailableError(what, why, f"show what it runs: `{shown}`", calling_place())


def _of_no_arguments(f: Any) -> SourceUnavailableError:
    name = getattr(f, "__name__", "f")
    return SourceUnavailableError(
        f"there is no source of the gradient of `{name}` to show",
        "its program is made when it is called, for the types of its arguments",
        f"give arguments, or their types: `code_adjoint(grad({name}), float)`",
        calling_place(),
    )


def _known(function: types.FunctionType) -> str:
    """The reason why the source of a function does not count."""
    ours = is_ours(function.__code__.co_filename)
    return "it is a function of this library" if ours else "it has a rule, which is used in place of its source"


def function_file(method: Any) -> str:
    """The file of a method that is written in Python."""
    return getattr(getattr(method, "__code__", None), "co_filename", "")


def _is_known(function: types.FunctionType) -> bool:
    """Tell whether a function is this library's, or has a rule: its source is not what is differentiated."""
    return is_ours(function.__code__.co_filename) or has_rules(function)


def are_types(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Tell whether types stand for all the arguments of a call.

    >>> are_types((float, list[float]), {}), are_types((float, 2.0), {}), are_types((), {})
    (True, False, False)
    """
    given = (*args, *kwargs.values())
    return bool(given) and all([isinstance(x, type) or get_origin(x) is not None for x in given])


def refuse_types(args: tuple[Any, ...], kwargs: dict[str, Any], why: str) -> None:
    """Raise `OptionError` where types stand for all the arguments of a call that is to be run."""
    if are_types(args, kwargs):
        names = ", ".join([getattr(x, "__name__", str(x)) for x in (*args, *kwargs.values())])
        raise OptionError(
            f"types are given in place of arguments: {names}",
            why,
            "give arguments, such as `2.0` for `float`; types are enough for `ir.of` and `code_adjoint`",
            calling_place(),
        )

"""Running functions by their IR: the function itself, and every function of the tests' that it calls."""

import copy
import inspect
import types
from collections.abc import Callable
from typing import Any

import pytest

from adjoint.errors import SourceUnavailableError
from adjoint.frontend import lower
from adjoint.ir.interpret import interpret
from adjoint.ir.verification import verify


def bind(function: Any, args: Any, kwargs: Any) -> list[Any]:
    """The values of all parameters, in the order of the lowered function's."""
    signature = inspect.signature(function, follow_wrapped=False)
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    order = {"VAR_POSITIONAL": 1, "VAR_KEYWORD": 2}
    names = sorted(signature.parameters, key=lambda n: order.get(signature.parameters[n].kind.name, 0))
    return [bound.arguments[name] for name in names]


def run_deep(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a function through its IR, and what it calls too, where that has source and is not of a library."""
    home = function.__code__.co_filename if isinstance(function, types.FunctionType) else None

    def apply(fn: Any, args: Any, kwargs: Any) -> Any:
        if isinstance(fn, types.MethodType):
            return apply(fn.__func__, (fn.__self__, *args), kwargs)
        if isinstance(fn, types.FunctionType) and fn.__code__.co_filename == home:
            try:
                lowered = lower(fn)
            except SourceUnavailableError:
                return fn(*args, **kwargs)
            verify(lowered)
            return interpret(lowered, fn, *bind(fn, args, kwargs), apply=apply)
        return fn(*args, **kwargs)

    return apply(function, args, kwargs)


def outcome(call: Callable[..., Any], *args: Any) -> Any:
    """What a call gives: its result, or the type and message of its exception (a TypeError's is worded otherwise)."""
    try:
        return call(*copy.deepcopy(args))
    except Exception as error:
        return type(error), "" if isinstance(error, TypeError) else str(error).partition("\n")[0]


@pytest.fixture
def same() -> Callable[..., None]:
    """Assert that a function and its IR do the same."""

    def check(function: Any, *args: Any) -> None:
        __tracebackhide__ = True
        assert outcome(run_deep, function, *args) == outcome(function, *args)

    return check

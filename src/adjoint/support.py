"""The answer whether a function is differentiated, and how."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .classify import classify, descriptor_of
from .errors import AdjointError, SourceUnavailableError
from .origin import is_settled, own_name
from .rules.found_by import is_by_identity
from .rules.listing import entry_of, public_name
from .runtime.callables import handler_of
from .runtime.refusing import no_rule
from .runtime.spec import SPECIAL, lowered


@dataclass(frozen=True)
class Support:
    """The answer of `supports`; true where a derivative is found.

    Attributes
    ----------
    name : the function.
    how : "rule" (there is a rule for it), "source" (its source is read, with what it calls), "constant" (nothing flows
        through it), "refused" (its derivative is not known, by decision) or "missing" (no rule, no source). `explain`
        says what becomes of a call of a "source".
    reason : why, in words.

    Examples
    --------
    >>> import math
    >>> answer = supports(math.floor)
    >>> answer.name, answer.how, bool(answer)
    ('math.floor', 'constant', False)
    """

    name: str
    how: str
    reason: str

    def __bool__(self) -> bool:
        return self.how in ("rule", "source")

    def __str__(self) -> str:
        return f"{self.name}: {self.how} ({self.reason})"


def supports(f: Callable[..., Any]) -> Support:
    """Tell whether `f` is differentiated, and how: by a rule, or by its source; or why it is not.

    It asks for the function alone. The reason names the parameters by which no derivative is known, and the uses that
    the rule refuses, such as values of an argument. What is looked into may call what has no rule:
    `explain(f, *args)` says what becomes of one call.

    Parameters
    ----------
    f : any callable.

    Returns
    -------
    A `Support`, which is true where `f` is differentiated, and says how and why.

    Raises
    ------
    NotDifferentiableError
        If `f` is not callable.

    Examples
    --------
    >>> import math, numpy as np
    >>> supports(np.linalg.inv)
    Support(name='numpy.linalg.inv', how='rule', reason='there is a rule for it')
    >>> bool(supports(math.floor)), supports(math.floor).how
    (False, 'constant')
    >>> supports(lambda x: x * x).how
    'source'
    >>> print(supports(compile))
    compile: missing (it is not written in Python, so that there is no source to look into)
    """
    f = _innermost(f)
    if not callable(f):
        raise no_rule(f)
    entry = entry_of(f)
    if entry is None:
        return Support(public_name(f), *_without_rule(f))
    if entry.how == "constant":
        return Support(entry.name, "constant", CONSTANT)
    if entry.how == "refused":
        return Support(entry.name, "refused", entry.reason)
    by = f"; by {', '.join(f'`{name}`' for name in entry.unknown)} it is refused" if entry.unknown else ""
    uses = f"; it is refused: {'; '.join(entry.uses)}" if entry.uses else ""
    return Support(entry.name, "rule", f"there is a rule for it{by}{uses}")


CONSTANT = "it tests, counts, chooses or prints, or is constant piece by piece: nothing flows through it"


def _innermost(f: Any) -> Any:
    """The function that partial applications, caches and bound methods are of."""
    while entry_of(f) is None:
        c = classify(f)
        if c.kind == "method":
            inner = descriptor_of(f)
        else:
            inner = None if c.kind == "class" or c.kind == "object" and c.args else c.callee
        if inner is None:
            break
        f = inner
    return f


def _without_rule(f: Any) -> tuple[str, str]:
    from .recording.operations import HELPERS  # noqa: F401  (loads all that is known)
    from .recording.operations.base import HANDLERS, METHODS

    if f in (eval, exec, locals):
        return "missing", "code that is made while a program runs is not looked into"
    if is_by_identity(f) and (f in SPECIAL or f in HANDLERS or _method(f) in METHODS):
        return "rule", "what it does is known to the engine"
    call = getattr(type(f), "__call__", None)  # noqa: B004 - the method itself is wanted
    code = f if type(f) is types.FunctionType else call
    if not isinstance(f, type) and code is call and entry_of(call) is not None:
        return "rule", "there is a rule for calling it"
    if not isinstance(f, type) and isinstance(code, types.FunctionType):
        return _of_source(code)
    try:
        is_of_library = isinstance(f, type) and is_settled(sys.modules.get(f.__module__))
        if not is_of_library and handler_of(f) is not None:
            return "source", "its class is looked into"
    except AdjointError as error:
        return "missing", error.why
    return "missing", no_rule(f).why


def _method(f: Any) -> Any:
    return getattr(f, "__objclass__", None), own_name(f)


def _of_source(f: types.FunctionType) -> tuple[str, str]:
    if f.__code__.co_flags & _ASYNCHRONOUS:
        return "missing", "asynchronous functions are not looked into"
    from .recording.operations.functions import is_library

    if is_library(f):
        return "missing", no_rule(f).why
    try:
        lowered(f)
    except SourceUnavailableError as error:
        return "missing", error.why
    except AdjointError:
        pass  # it is recorded as it runs
    return "source", "it is looked into"


_ASYNCHRONOUS = inspect.CO_COROUTINE | inspect.CO_ITERABLE_COROUTINE | inspect.CO_ASYNC_GENERATOR

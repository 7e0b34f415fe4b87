"""The culprit where a derivative is not that of finite differences."""

from __future__ import annotations

import functools
import types
from typing import Any

from ..derivatives import record, stop_gradient
from ..errors import AdjointError, Place, WrongGradientError, calling_place
from ..origin import is_users
from ..recording.observer import Observer, Operation, observed_by
from ..recording.operations.base import HANDLERS
from ..recording.operations.ruled import snapshot
from ..rules.registry import find_rules
from ..runtime.argnums import name_of
from ..runtime.dispatch import call_pullback
from .comparing import Comparison, compare
from .explaining import SHAPES, full_name, looked_into
from .flowing import carries
from .state import State

OFTEN = 3
"""So many runs of one operation are checked."""


class _Calls(Observer):
    """Notes what is called, with the values of then."""

    def __init__(self) -> None:
        self.found: list[Operation] = []
        self.as_they_are: dict[str, None] = {}
        """Calls that run as they are, nothing of which is looked into."""
        self._seen: dict[Any, int] = {}

    def ended(self, site: Any, role: str, value: Any) -> Any:
        return lambda sweep, y_bar: (None, None)

    def done(self, operation: Operation, back: Any) -> Any:
        site, callee = operation.site, operation.callee
        key = None if site is None else (site.code, site.lasti)
        self._seen[key] = self._seen.get(key, 0) + 1
        rules = _rules(callee)
        checkable = looked_into(callee) or rules is not None and (not _stops(callee) or _is_numeric(operation))
        if checkable and self._seen[key] <= OFTEN:
            kwargs = {name: snapshot(value) for name, value in operation.kwargs.items()}
            self.found.append(operation._replace(args=snapshot(tuple(operation.args)), kwargs=kwargs))
        elif any(map(_is_cut, operation.args)):
            self.found.append(operation)
        if (rules is None or _is_users_own(operation)) and not _is_known(callee):
            self.as_they_are.setdefault(_where(operation))
        return back


def _is_known(callee: Any) -> bool:
    """Tell whether something is looked into when it is called, or has a reverse without having a rule."""
    if isinstance(callee, type):
        new: Any = callee.__new__
        return callee is super or new is object.__new__
    if looked_into(callee) or isinstance(getattr(type(callee), "__call__", None), types.FunctionType):  # noqa: B004
        return True
    try:
        return callee in HANDLERS or callee in SHAPES
    except TypeError:
        return False


def _is_users_own(operation: Operation) -> bool:
    """Tell whether an operation is given an object of the user's, so that it may call special methods of its class."""
    return any(_is_object_of_users(x) for x in operation.args)


def _is_object_of_users(x: Any) -> bool:
    return any(
        type(f) is types.FunctionType and is_users(f.__code__.co_filename) and name.startswith("__")
        for name, f in vars(type(x)).items()
        if name != "__init__"
    )


def _stops(callee: Any) -> bool:
    """Tell whether it is declared that nothing flows through a function."""
    callee = callee.func if isinstance(callee, functools.partial) else callee
    rules = _rules(callee) if callable(callee) and not looked_into(callee) else None
    return rules is not None and not rules.differentiable


def _is_cut(x: Any) -> bool:
    """Tell whether a value is `stop_gradient`, or a function of the user's that is declared so: others may call it."""
    return x is stop_gradient or type(x) is types.FunctionType and is_users(x.__code__.co_filename) and _stops(x)


def _is_numeric(operation: Operation) -> bool:
    """Tell whether an operation makes numbers of numbers."""
    return carries(operation.result) and any(map(carries, operation.operands))


def _rules(callee: Any) -> Any:
    try:
        return find_rules(callee)
    except TypeError:
        return None


def blamed(
    f: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    state: State,
    found: Comparison,
    by: dict[str, Comparison | None],
    stops: list[str],
) -> WrongGradientError | str:
    """The error for a wrong gradient: it names the first operation whose own reverse is wrong, the innermost first.

    Or why it may be right nevertheless: the program declares that nothing flows somewhere, or can reach what cannot be
    put back between runs. `by` are the comparisons by each argument alone, `stops` the places where a plain run came to
    what stops gradients.
    """
    calls = _Calls()
    try:
        with state.kept(), observed_by(calls):
            record(f, args, kwargs)
    except AdjointError:
        calls.found.clear()
    what = f"the gradient of `{name_of(f)}` is wrong: {found}"
    stop: Operation | None = None
    inner = [operation for operation in calls.found if looked_into(operation.callee)]
    for operation in calls.found:
        if looked_into(operation.callee):
            continue
        if any(map(_is_cut, operation.args)):
            stop = stop or operation
            continue
        local = _locally(operation)
        if local is None or not local.differs:
            continue
        called_back = any(type(x) is types.FunctionType for x in operation.args)
        if not _stops(operation.callee) and not (stops and called_back):
            return _of_operation(what, operation, local)
        stop = stop or operation
    stops = stops if stop is None else [_where(stop)]
    if stops:
        return f"the program stops gradients, which finite differences do not know of: {', '.join(stops)}"
    if state.lost:
        lost = ", ".join(state.lost)
        return f"it is {found}; this may come from state that could not be restored between runs: {lost}"
    for operation in inner:
        local = _locally(operation)
        if local is not None and local.differs:
            return _of_operation(what, operation, local)
    return _of_whole(what, f, by, list(calls.as_they_are))


MISTAKE = "this is a mistake of `adjoint`"
REPORT = (
    "please report it with the function and its arguments. `adjoint.inspect.code_adjoint` shows what is generated; "
    "until it is corrected, a rule (`@adjoint.rule`) can stand for the function"
)


def _where(operation: Operation) -> str:
    at = None if operation.site is None else operation.site.place()
    return f"`{full_name(operation.callee)}`" if at is None else f"`{at.code()}` ({at.filename}:{at.span[0]})"


def _locally(operation: Operation) -> Comparison | None:
    """The reverse of one operation by itself."""
    names, n = tuple(operation.kwargs), len(operation.args)
    inputs = (operation.callee, *operation.args, *operation.kwargs.values())

    def run(function: Any, *values: Any) -> Any:
        return function(*values[:n], **dict(zip(names, values[n:], strict=True)))

    def differentiate(function: Any, *values: Any) -> Any:
        return call_pullback(function, *values[:n], **dict(zip(names, values[n:], strict=True)))

    try:
        needs = (False, *(True,) * (len(inputs) - 1))
        return compare(State({"inputs": inputs}), inputs, run, differentiate, needs)
    except Exception:
        return None  # it cannot be asked for by itself


def _of_operation(what: str, operation: Operation, local: Comparison) -> WrongGradientError:
    name = full_name(operation.callee)
    at = None if operation.site is None else operation.site.place()
    code = name if at is None else at.code()
    if looked_into(operation.callee):
        way_out = f"{MISTAKE} in how the operations of `{name}` are put together: one by one they are right; {REPORT}"
    else:
        way_out = f"correct the rule of `{name}`"
    return WrongGradientError(what, f"the reverse of `{code}` is wrong by itself: {local}", way_out, at)


ONE_BY_ONE = (
    "each operation that was looked at is reversed rightly by itself, so that it is in how they are put together"
)


def _of_whole(what: str, f: Any, by: dict[str, Comparison | None], suspects: list[str]) -> WrongGradientError:
    """The error where no operation is wrong by itself."""
    rules = find_rules(f)
    ruled = rules is not None and rules.is_users
    why = ["a rule says what it is" if ruled else ONE_BY_ONE]
    for name, comparison in by.items():
        if comparison is not None and comparison.numeric.settled:
            verdict = "it is wrong" if comparison.differs else "it is right"
            why.append(f"  by `{name}` {verdict}: {comparison}")
    if suspects:
        why.append(f"  suspects, which run as they are: {', '.join(suspects)}")
    return WrongGradientError(
        what,
        "\n".join(why),
        f"correct the rule of `{name_of(f)}`"
        if ruled
        else f"{MISTAKE}, unless the program reads what changes from run to run (a clock, a file); {REPORT}",
        _definition(f),
    )


def _definition(f: Any) -> Place | None:
    code = getattr(getattr(f, "__func__", f), "__code__", None)
    return (
        calling_place() if code is None else Place(code.co_filename, (code.co_firstlineno, 0, code.co_firstlineno, 0))
    )

"""Functions that the IR calls where Python has `except`, `raise` and `with`."""

from __future__ import annotations

import builtins
import contextlib
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..errors import PASSING, GivenUpError, class_name

LOCKS: tuple[Any, ...] = (type(threading.Lock()), type(threading.RLock()))

LETTING: tuple[Any, ...] = (
    *(np.errstate, np.printoptions, warnings.catch_warnings, contextlib.redirect_stdout, contextlib.redirect_stderr),
    *LOCKS,
)
"""Context managers that change nothing of the program's, and take no exception."""

MAX_DEPTH = 10
"""Exceptions that come from others are looked into so deep."""

MANAGERS = (*LETTING, contextlib.suppress)

_HELPER: Any = contextlib.contextmanager(lambda: iter(())).__code__


_PLAIN = frozenset(["__doc__", "__init__", "__new__", "__str__"])

_BUILTIN = [
    cls
    for cls in vars(builtins).values()
    if isinstance(cls, type) and issubclass(cls, BaseException) and vars(cls).keys() <= _PLAIN
]
"""Builtin classes of exceptions that keep their arguments, and do nothing else."""

INITS = [vars(cls)["__init__"] for cls in (BaseException, *_BUILTIN, StopIteration)]
"""The methods by which these keep them; a `StopIteration` has the first as its value as well."""

ARGS = vars(BaseException)["args"]

TAKEN = "taken"
"""Result of a manager that is written out, and that has taken an exception."""


def completes() -> NoReturn:
    """Tell whether a block comes to its end: the condition of an attempt (see `ir.nodes.ATTEMPT`), never called."""
    raise AssertionError


def caught() -> Any:
    """The exception that has left the first block of an attempt, in its second one."""
    return sys.exc_info()[1]


def matches(error: BaseException, classes: Any) -> bool:
    """Tell whether `except classes` catches an exception: none that `adjoint` raises through the program."""
    todo = classes if isinstance(classes, tuple) else (classes,)
    if not all(isinstance(c, type) and issubclass(c, BaseException) for c in todo):
        raise TypeError("catching classes that do not inherit from BaseException is not allowed")
    return not isinstance(error, PASSING) and any(c in type(error).__mro__ for c in todo)


class Catching(NamedTuple):
    """Exceptions that the handlers around a place catch: those of these classes. They are `needed` if a handler looks
    into them, or at what was changed before they came."""

    needed: bool = False
    classes: tuple[type, ...] = ()


def throwing(around: Catching, f: Any, *args: Any, **kwargs: Any) -> tuple[Any, bool, Any]:
    """Result of a call, the flag that an exception leaves it which is followed, and that: where the function is not
    written out, Python raises."""
    return f(*args, **kwargs), False, None


def returned(value: Any) -> Any:
    """Result of such a call, where no exception has left it."""
    return value


def made_here(error: Any) -> Any:
    """Exception that is raised: of a class that is raised, one of it is made."""
    return error() if isinstance(error, type) and issubclass(error, BaseException) else error


def missing(x: Any, name: str, *value: Any) -> AttributeError:
    """Exception that Python raises where `x.name` is read, or stored into, and there is no such attribute."""
    try:
        setattr(x, name, *value) if value else getattr(x, name)
    except AttributeError as error:
        return error.with_traceback(None)
    raise AssertionError(f"{class_name(type(x))!r} object has an attribute {name!r}")


def caused(error: BaseException, cause: Any) -> BaseException:
    """Exception that is raised `from` another one, or from none."""
    error.__cause__ = cause() if isinstance(cause, type) else cause
    return error


def is_made(error: Any, around: Catching) -> bool:
    """Tell whether an exception is followed to its handler: none is where it has not been found to be."""
    return False


def is_init(static: Any) -> bool:
    """Tell whether a method of a class is one by which exceptions keep their arguments, and do nothing else."""
    return any([static is f for f in INITS])


def is_followed(cls: Any) -> bool:
    """Tell whether what an exception of a class holds is known: its arguments, and what its `__init__` stores."""
    if not isinstance(cls, type) or not issubclass(cls, BaseException) or issubclass(cls, PASSING):
        return False
    others = [base for base in cls.__mro__ if base not in (BaseException, StopIteration, object, *_BUILTIN)]
    return type(cls) is type and not any([_is_special(base) for base in others])


_HOOKS = ("__new__", "__setattr__", "__getattribute__", "__getattr__", "__del__", "args", "__class__", "__eq__")


def _is_special(cls: type) -> bool:
    """Tell whether a class says itself how exceptions are made, or how their fields are stored and read."""
    return cls.__module__ == "builtins" or any([name in vars(cls) for name in _HOOKS])


def swallows(given: Any, error: BaseException) -> bool:
    """Tell whether `with` goes on behind an exception, where `__exit__` has given this."""
    return bool(given) and not isinstance(error, PASSING)


def lets_pass(given: Any) -> None:
    """Say that `__exit__` of a manager takes no exception; what it has given shows it when types are known."""


def raise_again() -> NoReturn:
    """`raise`, of the exception that has left the first block of an attempt."""
    raise  # noqa: PLE0704 - in the second block


def give_up(error: BaseException) -> NoReturn:
    """Leave a run where an exception has come that is not followed: it is recorded instead. An interrupt leaves it."""
    if isinstance(error, (KeyboardInterrupt, *PASSING)):
        raise  # noqa: PLE0704 - in the second block
    raise GivenUpError(
        "cannot differentiate the way on from an exception",
        "what was done before it came is seen then, or its handler looks into it",
        "test for the condition instead, or write a rule for the function",
    )


def opened(error: BaseException) -> BaseException:
    """An exception that a handler looks into: the run is given up if it may carry what is differentiated."""
    if not _is_plain(error):
        give_up(error)
    return error


def _is_plain(x: Any, depth: int = 0) -> bool:
    """Tell whether an exception, with those that it came from, carries whole numbers and texts alone."""
    if x is None or type(x) in (str, bytes, int, bool):
        return True
    if depth > MAX_DEPTH or not isinstance(x, (tuple, BaseException)):
        return False
    parts = x if type(x) is tuple else (*x.args, *vars(x).values(), x.__cause__, x.__context__)  # type: ignore[union-attr]
    return all([_is_plain(part, depth + 1) for part in parts])


def let_go(manager: Any, error: BaseException) -> None:
    """`__exit__` of a manager that is known, where a run is given up: the program's own does nothing any more."""
    leave(manager, error)


def enter(manager: Any) -> Any:
    """First step of `with`: `__enter__`, looked for in the class as Python does."""
    for name in ("__enter__", "__exit__"):
        if not hasattr(type(manager), name):
            raise TypeError(f"{class_name(type(manager))!r} object does not support the context manager protocol")
    return type(manager).__enter__(manager)


def leave(manager: Any, error: Any) -> Any:
    """Last step of `with`: `__exit__`, which is told of the exception that has come, or of None."""
    return type(manager).__exit__(manager, *told_of(error))


def generator_of(f: Any) -> Any:
    """The generator function of which `contextlib.contextmanager` has made this one, or that is the same as this class;
    None of anything else."""
    if f is contextlib.nullcontext or f is contextlib.closing:
        return nothing_around if f is contextlib.nullcontext else closed_afterwards
    return f.__closure__[0].cell_contents if getattr(f, "__code__", None) is _HELPER else None


def nothing_around(enter_result: Any = None) -> Iterator[Any]:
    """`contextlib.nullcontext` as a generator."""
    yield enter_result


def closed_afterwards(thing: Any) -> Iterator[Any]:
    """`contextlib.closing` as a generator."""
    try:
        yield thing
    finally:
        thing.close()


def told_of(error: Any) -> tuple[Any, Any, Any]:
    """Arguments of `__exit__` that tell of an exception."""
    return (None, None, None) if error is None else (type(error), error, error.__traceback__)

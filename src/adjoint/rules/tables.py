"""Rules of labelled arrays, by programs that compute the same with their numbers.

A rule runs the library's function, whose result the program sees, labels and all. What it is made of is told by a
program of arrays; that both give the same numbers is compared whenever they run.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ..errors import NoRuleError, calling_place
from ..tangents import Unknown
from ..tangents.data import holds_data
from ..tangents.lanes import Lanes, NoLanes
from ..tangents.tables import CHANGED, KINDS, Kind, kind_of, precision
from ..tangents.unknown import unknown
from .knots import call_pullback
from .registry import RULES, Back, non_differentiable, rule
from .signatures import as_declared

R = TypeVar("R", bound=Callable[..., Any])


def refuse(what: str, why: str) -> None:
    """Raise: this use has no rule, and arrays are the way out."""
    raise NoRuleError(
        f"{what} has no rule for this use",
        why,
        "take the numbers out, `.to_numpy()`, and compute with arrays",
        calling_place(),
    )


def kind_known(x: Any) -> Kind:
    """The kind of a labelled array, which has to hold numbers."""
    kind = kind_of(x)
    if kind is None:
        refuse(f"a `{type(x).__name__}` of other than real numbers", "texts, dates and complex numbers are no vector")
    assert kind is not None
    return kind


def labels_of(x: Any) -> Any:
    """The labels, and the class that they are of."""
    kind = kind_known(x)
    values = kind.seen(x)
    return type(x), kind.labels(x), precision(values.dtype), values.shape


def with_labels(a: Any, labels: Any) -> Any:
    """A labelled array of numbers."""
    if a is None or isinstance(a, Unknown | Lanes) or type(a) in KINDS:
        return a
    cls, of_kind, dtype, shape = labels
    return KINDS[cls].labelled(np.array(np.broadcast_to(a, shape), dtype), of_kind)


def labelled_rule(how: str) -> Callable[[R], R]:
    """Note of a rule that it is one of labelled arrays, and whether what it gives may be a view of one."""

    def note(call: R) -> R:
        call.of_tables = how  # type: ignore[attr-defined]
        return call

    return note


MAY_VIEW = (np.asarray, np.array, np.asanyarray, np.ascontiguousarray)


def is_table(x: Any) -> bool:
    """Tell whether a value is of a class of labelled arrays."""
    return type(x) in KINDS


def holds_numbers(x: Any) -> bool:
    """True if a labelled array is a vector: it holds numbers alone."""
    return kind_of(x) is not None


def copied(x: Any) -> Any:
    """The numbers of a labelled array, as an array of their own, and what flags count as; anything else is itself."""
    if type(x) not in KINDS:
        return x
    found = None if kind_of(x) is not None else KINDS[type(x)].constants(x)
    return kind_known(x).values(x) if found is None else found


def check_known(x: Any) -> None:
    """Refuse an object of a library of data that is of no class which is known, such as one that is derived from a
    frame's."""
    if type(x) not in KINDS and holds_data(type(x)):
        refuse(f"a `{type(x).__name__}`", "what its class makes of its numbers is not known")


non_differentiable(kind_known, labels_of, is_table, check_known, holds_numbers)


def values_of(x: Any) -> Any:
    """The same, as a step of a program."""
    check_known(x)
    return copied(x)


@rule(values_of, linear="x")
@labelled_rule("apart")
def values_of_rule(x: Any) -> tuple[Any, Back]:
    """x̄ has the labels of x."""
    check_known(x)
    if not is_table(x):
        return x, lambda y_bar: (y_bar,)
    if not holds_numbers(x):
        return values_of(x), lambda y_bar: (y_bar,)  # flags: who has lost numbers in them asks for what flows here
    labels = labels_of(x)
    return values_of(x), lambda y_bar: (with_labels(y_bar, labels),)


@rule(with_labels, linear="a")
@labelled_rule("apart")
def with_labels_rule(a: Any, labels: Any) -> tuple[Any, Back]:
    """ā are the numbers of ȳ."""
    return with_labels(a, labels), lambda y_bar: (values_of(y_bar), None)


def as_result(z: Any, y: Any) -> Any:
    """The result `y` of the library, for the numbers `z` that a program has found."""
    return y


def along(dots: Any, y: Any, z: Any, y_again: Any) -> Any:
    """The tangent has the labels of the result."""
    return with_labels(dots[0], labels_of(y)) if is_table(y) else dots[0]


@rule(as_result, forward=along)
@labelled_rule("apart")
def as_result_rule(z: Any, y: Any) -> tuple[Any, Back]:
    """z̄ are the numbers of ȳ."""
    return as_result(z, y), lambda y_bar: (values_of(y_bar), None)


def result(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result of the library's function."""
    return f(*args, **kwargs)


def check_numbers(f: Any, y: Any) -> None:
    """Refuse a call that gives other than numbers."""
    if is_table(y) and kind_of(y) is None or not is_table(y) and np.asarray(y).dtype.kind not in "fiu":
        refuse(name_of(f), "what it gives holds other than real numbers")


def check_same(f: Any, z: Any, y: Any) -> None:
    """Refuse a call whose result is not made of the numbers that were found."""
    check_numbers(f, y)
    kind = kind_of(y)
    numbers = np.asarray(copied(y) if kind is None else kind.seen(y))
    same = np.shape(z) == numbers.shape and bool(
        np.all(z == numbers)
    )  # as most often; the other takes ten times as long
    if not same and (np.shape(z) != numbers.shape or not np.allclose(z, numbers, rtol=1e-6, atol=0.0, equal_nan=True)):
        refuse(name_of(f), "the library makes something else of these labels and options than arrays would give")


def name_of(f: Any) -> str:
    """The function, for an error."""
    return f"`{getattr(f, '__qualname__', None) or getattr(f, '__name__', f)}`"


non_differentiable(result, check_numbers, check_same)


def declare_by_arrays(*functions: Any, **types: Any) -> Callable[[R], R]:
    """Declare the derivative of functions of labelled arrays by a program of the same numbers: `@declare_by_arrays(f)`
    over `g`, whose parameters are those of `f`. `types` are the classes of parameters for which that holds."""

    def register(program: R) -> R:
        for f in functions:
            declare(f, program, program, types)
        return program

    return register


def declare(f: Any, program: Any, like: Any, types: dict[str, Any]) -> None:
    """The same of one function, with the parameters of `like`."""

    def table_program(*args: Any, **kwargs: Any) -> Any:
        y = result(f, args, kwargs)
        if y is NotImplemented:
            return y
        z = program(*args, **kwargs)
        check_same(f, z, y)
        return as_result(z, y)

    declared = as_declared(like)

    def array_rule(*args: Any, **kwargs: Any) -> tuple[Any, Back]:
        y, back = call_pullback(table_program, *args, **kwargs)
        return y, lambda y_bar: declared(back(y_bar)[1:], tuple(kwargs))

    array_rule.__name__ = array_rule.__qualname__ = f"{getattr(f, '__name__', 'f')}_rule"
    array_rule.__doc__ = program.__doc__
    array_rule.__annotations__ = types
    array_rule.__signature__ = inspect.signature(like)  # type: ignore[attr-defined]
    array_rule.__module__ = program.__module__
    how = "view" if isinstance(f, type) or f in MAY_VIEW else "apart"
    rule(f, program=table_program)(labelled_rule(how)(array_rule))


def is_of_tables(call: Any) -> bool:
    """Tell whether a rule is one of labelled arrays."""
    return getattr(call, "of_tables", None) is not None


def gives_apart(call: Any) -> bool:
    """Tell whether what a rule gives surely shares no memory with what it is given: no view of a labelled array."""
    return getattr(call, "of_tables", "apart") == "apart"


def declare_ufuncs(table: Any, program: Callable[[Any], Any]) -> None:
    """Declare all ufuncs of one or two operands that combine numbers one by one, where an operand is of these classes:
    `program(f)` is that of a ufunc."""
    for f, rules in [*RULES.items()]:
        single = isinstance(f, np.ufunc) and f.nin < 3 and f.nout == 1 and f.signature is None
        if single and any([method.partials is not None for method in rules.methods]):
            _declare_ufunc(f, table, program(f))


def _declare_ufunc(f: Any, table: Any, program: Any) -> None:
    def of_one(x: Any) -> Any:
        return program(x)

    def of_two(x: Any, y: Any) -> Any:
        return program(x, y)

    if f.nin == 1:
        declare(f, program, of_one, {"x": table})
        return
    for types in ({"x": table, "y": object}, {"x": object, "y": table}, {"x": table, "y": table}):
        declare(f, program, of_two, types)


# The same numbers at other places

REPLACING = frozenset(["fill_value", "na_value", "inplace", "data", "dtype"])
"""Keywords of functions that put other numbers in place of some."""


def selecting(*functions: Any, filling: bool = False) -> None:
    """Declare functions each number of whose result is one of the numbers of a labelled array: which one depends on
    labels and keys alone. With `filling`, there may be others, for which there is a `fill_value`."""
    for f in functions:
        _select(f, filling)


def _select(f: Any, filling: bool) -> None:
    def selecting_along(dots: Any, y: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        if any([dot is not None for dot in dots[1:]]):
            refuse(name_of(f), "only the labelled array that it is a method of may move")
        moving = with_labels(dots[0], labels_of(self))
        if type(moving) is Lanes:
            raise NoLanes
        more = {"fill_value": 0.0} if filling else {}
        return f(moving, *args, **kwargs, **more) - f(0.0 * moving, *args, **kwargs, **more)  # without constants in it

    def selecting_rule(self: Any, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
        check_known(self)
        labels, shape = labels_of(self), np.shape(self)
        if not REPLACING.isdisjoint(kwargs) or any(map(is_callable, (*args, *kwargs.values()))):
            refuse(name_of(f), "which numbers it gives depends on more than labels and keys")
        keys = kept((args, kwargs))
        y = f(self, *args, **kwargs)
        check_numbers(f, y)
        check_floats(f, y)
        others = [unknown(*OF_KEYS) if is_numeric(x) else None for x in (*args, *kwargs.values())]

        def selecting_back(y_bar: Any) -> tuple[Any, ...]:
            at = sources(f, labels, shape, keys)
            if is_table(y_bar) and np.size(y_bar) != at.size:
                return unknown(*CHANGED), *others
            numbers = np.ravel(values_of(y_bar)) + np.zeros(at.size)
            if not filling and is_asked_elsewhere(numbers, at):
                return unknown(*OF_LABELS), *others
            return with_labels(sent(numbers, at, shape), labels), *others

        return y, selecting_back

    selecting_rule.__name__ = f"{getattr(f, '__name__', 'f')}_rule"
    selecting_rule.__doc__ = "Each number of the result is one of x, or none."
    rule(f, forward=selecting_along)(labelled_rule("view")(selecting_rule))


OF_LABELS = (
    "numbers among the labels",
    "they are no numbers of the labelled array, and what they were made of is not known",
    "take the numbers out first, `.to_numpy()`, and compute with arrays",
)


OF_KEYS = (
    "a number that a labelled array is given to pick or to fill by",
    "only its own numbers are followed",
    "take the numbers out first, `.to_numpy()`, and compute with arrays",
)


def is_numeric(x: Any) -> bool:
    """Tell whether an argument is a float, or holds some: what is picked by is a label, a place or a flag."""
    if isinstance(x, float | complex | np.floating | np.complexfloating):
        return True
    return isinstance(x, np.ndarray) and x.dtype.kind in "fc" or kind_of(x) is not None


def check_floats(f: Any, y: Any) -> None:
    """Refuse a result of numbers through which nothing flows."""
    if isinstance(y, np.ndarray) and y.dtype.kind not in "fc":
        refuse(name_of(f), "it gives other numbers than it is given, and nothing flows through integers")


def is_asked_elsewhere(d: Any, at: Any) -> bool:
    """Tell whether something flows to what is no number of the labelled array."""
    return bool(np.any(d[at < 0] != 0.0))


def is_callable(key: Any) -> bool:
    """Tell whether a key is a function of the numbers."""
    return callable(key) and not isinstance(key, type)


def kept(x: Any) -> Any:
    """Keys as they are now."""
    if isinstance(x, tuple):
        return tuple([kept(item) for item in x])
    if isinstance(x, dict):
        return {key: kept(item) for key, item in x.items()}
    return x.copy() if isinstance(x, list | np.ndarray) or is_table(x) else x


def sources(f: Any, labels: Any, shape: tuple[int, ...], keys: Any) -> Any:
    """The number that each entry of the result is, -1 for none: of two numberings it is the same, of what is no number
    not."""
    cls, of_kind = labels[:2]
    numbers = np.arange(np.prod(shape, dtype=int), dtype=float).reshape(shape)
    first, second = [
        np.asarray(copied(f(KINDS[cls].labelled(a, of_kind), *keys[0], **keys[1])), float).ravel()
        for a in (numbers, 3.0 * numbers + 7.0)
    ]
    return np.where(second == 3.0 * first + 7.0, first, -1.0).astype(np.intp)


def sent(d: Any, at: Any, shape: tuple[int, ...]) -> Any:
    """The cotangents at their places, those at one place as their sum."""
    if type(d) is Lanes:
        raise NoLanes
    known = np.flatnonzero(at >= 0)
    whole = np.zeros(shape).ravel()
    np.add.at(whole, at[known], d[known])
    return whole.reshape(shape)


@rule(sent, linear="d")
def sent_rule(d: Any, at: Any, shape: tuple[int, ...]) -> tuple[Any, Back]:
    """d̄ᵢ is ȳ at its place, 0 of what has none."""
    y = sent(d, at, shape)
    return y, lambda y_bar: (np.where(at < 0, 0.0, np.ravel(y_bar)[at]) if at.size else np.zeros(0), None, None)


non_differentiable(is_asked_elsewhere, is_callable, kept, sources)

"""Calls along lanes: each function by its record, by its program for lanes, or one lane after the other."""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import AdjointError
from ..identity import IdentityMap
from ..ir.nodes import Const, Function
from ..ops.questions import is_writer
from ..ops.registry import find_op
from ..origin import is_ours, own_name
from ..rules.outside import is_iterator
from ..rules.registry import RULES
from ..runtime.binding import bind
from ..runtime.callables import function_behind
from ..runtime.generated import generated_ir
from ..runtime.spec import CALLERS, Spec
from ..runtime.tables import find_primal, table_of
from ..tangents.lanes import Lanes, NoLanes, current
from .checks import check_computes, check_once, check_same_object, check_single, known_refusal, refusal
from .joining import BackAlong, joined_values, single_lanes
from .programs import OF_MEMORY, OPERATORS, batched, is_loaded, loaded
from .values import holds_lanes, lane_of

VERBS: dict[type, Callable[..., Any]] = {}
"""Of classes of functions of this library: how one is called along lanes, `verb(f, args, kwargs)`."""
PULLBACKS: list[Callable[[Any], Callable[..., Any]]] = []
"""The function that gives of `(f, *args) -> (y, back)` the same along lanes (`derivatives` ties it here)."""
CALLS: dict[Any, Callable[..., Any]] = {}
"""Of functions that call others, and of what is asked of a value: how it is done along lanes."""


def call_along(f: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)` for all lanes."""
    return way_of(f)(f, args, kwargs)


class Along:
    """A function as programs for lanes call it."""

    __slots__ = ("__name__", "f", "way")

    def __init__(self, f: Any) -> None:
        self.f, self.way = f, way_of(f)
        self.__name__ = own_name(f) or type(f).__name__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.way(self.f, args, kwargs)


class Once:
    """A function as programs for lanes call it where it is given none: once for all lanes, as it only computes."""

    __slots__ = ("__name__", "f")

    def __init__(self, f: Any) -> None:
        self.f = f
        self.__name__ = own_name(f) or type(f).__name__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return call_once(self.f, *args, **kwargs)


def call_once(f: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)` of what has no lanes.

    Raises
    ------
    NoLanes
        If it does more than compute: the loop does so once for each lane.
    """
    check_once(f, args, kwargs)
    return call_along(f, *args, **kwargs)


def once(f: Any) -> Any:
    """The function that calls another one without lanes; of None the one that does so with its first argument."""
    return call_once if f is None else Once(f)


def way_of(f: Any) -> Any:
    """The way in which a function is called along lanes, `way(f, args, kwargs)`."""
    kind = type(f)
    if any([f is known for known in OF_MEMORY]):
        return each_lane
    if kind in VERBS:
        return VERBS[kind]
    if kind in _WAYS:
        return _WAYS[kind]
    if (handler := _found(CALLS, f)) is not None:
        return lambda f, args, kwargs: handler(*args, **kwargs)
    if kind is types.FunctionType:
        return _way_of_function(f)
    if isinstance(getattr(kind, "__call__", None), types.FunctionType):  # noqa: B004 - the method itself is wanted
        return _of_object
    if _is_method_of_container(f):
        return _of_container
    row = find_op(f)
    if row is not None and row.lanes is not None:
        return lambda f, args, kwargs: _by_record(row.lanes, f, args, kwargs)
    if isinstance(f, np.ufunc) or type(f) is type(np.sum) and not is_writer(f):
        return _as_it_is
    return each_lane


def _of_object(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return call_along(type(f).__call__, f, *args, **kwargs)


def _of_method(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return call_along(function_behind(f), f.__self__, *args, **kwargs)


def _of_partial(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return call_along(f.func, *f.args, *args, **{**f.keywords, **kwargs})


def _of_container(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method of a list, a tuple, a dict or a set: which of its items is meant is asked of the lanes themselves."""
    holder = f.__self__ if isinstance(f, types.BuiltinMethodType) else args[0] if args else None
    check_same_object((holder, args))
    if type(holder) not in (list, tuple):
        return each_lane(f, args, kwargs)
    check_single(f, args, kwargs)
    return f(*args, **kwargs)


def _is_method_of_container(f: Any) -> bool:
    if isinstance(f, types.BuiltinMethodType):
        return type(f.__self__) in _CONTAINERS
    return isinstance(f, types.MethodDescriptorType) and f.__objclass__ in _CONTAINERS


_CONTAINERS = (list, tuple, dict, set, frozenset)


def _as_it_is(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return f(*args, **kwargs)


def _by_record(lanes: Any, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if holds_lanes(args) or holds_lanes(kwargs):
        with contextlib.suppress(NoLanes, TypeError):  # a use that the record does not know
            return lanes(*args, **kwargs)
    return each_lane(f, args, kwargs)


def along(f: Any) -> Any:
    """The function that calls another one along lanes; of None the one that does so with its first argument."""
    return call_along if f is None else Along(f)


def _found(table: dict[Any, Any], f: Any) -> Any:
    try:
        return table.get(f)
    except TypeError:  # no key
        return None


def spread(x: Any) -> Any:
    """An array of which each lane has its own."""
    if type(x) is not np.ndarray or current.count is None:
        return x
    return Lanes(np.repeat(x[None], current.count, axis=0))


def each_lane(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of what only computes, one lane after the other; once where nothing has lanes."""
    check_single(f, args, kwargs)
    n = current.count
    of_values = holds_lanes(args) or holds_lanes(kwargs)
    if holds_lanes(f) and not isinstance(f, types.BuiltinMethodType) or of_values and not n:
        raise NoLanes
    if not of_values and any([isinstance(x, _GOES_THROUGH) or is_iterator(x) for x in args]):
        return f(*args, **kwargs)  # what that gives may be lanes
    with single_lanes():
        if not of_values and not holds_lanes(f):
            return f(*args, **kwargs)
        try:
            of_each = [lane_of((args, kwargs), i) for i in range(n)]  # type: ignore[arg-type]
            return joined_values([f(*one, **by_name) for one, by_name in of_each])
        except Exception as error:  # of one lane: the program must not catch it for all of them
            raise NoLanes(f"{type(error).__name__}: {error}") from error


_GOES_THROUGH: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()), types.MappingProxyType)


# ---- functions written in Python


def _way_of_function(f: types.FunctionType) -> Any:
    """The way to call a function with lanes: by its program for lanes; a function of this library takes lanes as they
    are, or is called lane by lane."""
    if f in CALLERS:
        call = PULLBACKS[0](f)
        return lambda f, args, kwargs: call(*args, **kwargs)
    if is_loaded(f.__code__):
        return _as_it_is
    if generated_ir(f.__code__) is not None:
        return _generated_along
    if is_inner(f):
        return ours_along
    row = find_op(f)
    if row is not None and row.lanes is not None:
        return lambda f, args, kwargs: _by_record(row.lanes, f, args, kwargs)
    if (f.__module__ or "").partition(".")[0] in ("numpy", "scipy"):
        return each_lane
    return users_along


def is_inner(f: Any) -> bool:
    """True of a function of this library that is no program: layers and losses are programs as any other."""
    return is_ours(f.__code__.co_filename) and not str(f.__module__).startswith("adjoint.nn")


def _generated_along(f: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    ir: Any = generated_ir(f.__code__)
    return _program(f.__code__, ir, (False, *map(holds_lanes, args)), f.__globals__)(f, *args)


def users_along(f: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A function of the user's, by its program for lanes."""
    spec, flat = primal_of(f, args, kwargs)
    assert spec.primal is not None
    program = program_of(spec, spec.primal, (False, *map(holds_lanes, flat)))
    return program(f, *flat) if spec.takes_self else program(*flat)


def ours_along(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A function of this library: some work on arrays as a whole and take lanes, others are called lane by lane."""
    if str(f.__module__).startswith(_STORING):
        return f(*args, **kwargs)
    if not takes_lanes(f):
        return each_lane(f, args, kwargs)
    try:
        found = f(*args, **kwargs)
    except (NoLanes, Exception):  # noqa: B014 - what is wrong with a single lane is raised again
        return each_lane(f, args, kwargs)
    if type(found) is tuple and len(found) == 2 and type(found[1]) is types.FunctionType:
        return found[0], Turning(found[1], lambda: each_lane(f, args, kwargs)[1])
    return found


class Turning:
    """A pullback for all lanes together, or else those of each, which are made when they are needed."""

    __slots__ = ("back", "each")

    def __init__(self, back: Any, each: Callable[[], Any] | None = None) -> None:
        self.back, self.each = back, each

    def __call__(self, y_bar: Any) -> Any:
        if self.each is None:
            return self.back(y_bar)
        try:
            return self.back(y_bar)
        except (NoLanes, Exception):  # noqa: B014 - what is wrong with a single lane is raised again
            return self.each()(y_bar)


_STORING = ("adjoint.tangents.buffers", "adjoint.ir.changes", "adjoint.ir.heaps", "adjoint.tangents.sweep")
"""The places of functions that store: a lane by itself is a copy."""
_OF_ARRAYS = (
    "adjoint.tangents.", "adjoint.ir.", "adjoint.rules.elementwise", "adjoint.rules.opened", "adjoint.rules.products",
    "adjoint.rules.numpy.products", "adjoint.rules.numpy.linear", "adjoint.rules.python.scalars",
)  # fmt: skip
"""The places of the functions that cotangents go through."""


def takes_lanes(f: Any) -> bool:
    """True of a function of this library that works on arrays as a whole, or is the rule of one that does."""
    return str(f.__module__).startswith(_OF_ARRAYS) or rules_in_lanes().get(f) is not None


@functools.cache
def rules_in_lanes() -> IdentityMap[bool]:
    """The rules of elementwise operations, and of those whose record says how they take lanes."""
    found: IdentityMap[bool] = IdentityMap()
    for f, rules in RULES.items():
        if rule_takes_lanes(f):
            for method in rules.methods:
                found[method.call] = True
    return found


def rule_takes_lanes(f: Any) -> bool:
    """True of a function whose rule takes lanes: an elementwise one, and one that lanes of cotangents go through."""
    if isinstance(f, np.ufunc) or f in OPERATORS:
        return True
    if getattr(f, "__objclass__", None) is np.generic:
        return False
    row = find_op(f)
    return row is not None and row.rule_in_lanes


def primal_of(f: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Spec, tuple[Any, ...]]:
    """The typed program of a call that only computes, and the values of all parameters.

    Raises
    ------
    NoLanes
        If there is none.
    """
    if (known := known_refusal(f, args)) is not None:
        raise NoLanes(known)
    try:
        table = table_of(f)
        flat = (
            args if table.simple and not kwargs and len(args) == table.n else bind(f, table.signature, args, kwargs)[0]
        )
        spec, in_memory = find_primal(lane_of(f, 0), table, lane_of(flat, 0))
    except AdjointError as error:
        raise refusal(error, f, args) from None
    check_computes(spec, f)
    if in_memory:
        raise NoLanes(f"`{f.__name__}` stores into arrays that others see")
    return spec, flat


# ---- programs


def _of_spec(spec: Spec, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return rule_along(spec, args)


_WAYS: dict[type, Any] = {
    Spec: _of_spec, types.MethodType: _of_method, functools.partial: _of_partial, Along: _as_it_is, Once: _as_it_is,
    Turning: _as_it_is, BackAlong: _as_it_is,
}  # fmt: skip


def rule_along(spec: Spec, args: tuple[Any, ...]) -> Any:
    """The value and the pullback of a program's call; `args` has the function first where the program takes it."""
    assert spec.ir is not None
    flags = tuple(map(holds_lanes, args))
    program = program_of(spec, spec.ir, flags if spec.takes_self else (False, *flags))
    return program(*args)


def program_of(spec: Spec, ir: Function, flags: tuple[bool, ...]) -> Any:
    """The program for lanes of the IR of a spec."""
    return _program(spec, ir, flags, spec.globals, not spec.takes_self)


_PROGRAMS: IdentityMap[dict[Any, tuple[Function, Any]]] = IdentityMap()


def _program(owner: Any, ir: Function, flags: tuple[bool, ...], scope: dict[str, Any], drop_self: bool = False) -> Any:
    """The program for lanes where there are flags, kept for as long as its owner lives."""
    known = _PROGRAMS.get(owner)
    if known is None:
        known = _PROGRAMS[owner] = {}
    key = id(ir), flags
    if key not in known:
        made = batched(ir, flags, along, once, Const(spread))
        code = owner.code if isinstance(owner, Spec) else owner
        known[key] = ir, loaded(made, scope, code.co_qualname, drop_self)
    return known[key][1]

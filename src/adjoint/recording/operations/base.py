"""The things that all operations share.

An operation is called as `operation(record, k, ...)`: it does what the program says, writes down `(k, back)`, and gives
the result. `back(sweep, ȳ)` gives what stays of ȳ (None; ȳ itself if the operation never came to its end), then one
cotangent for each operand, of what these have by value; what has places it adds to the sweep.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ...rules.registry import non_differentiable
from ...tangents import Tangent, Unknown
from ...tangents.fields import hides_zeros
from ...tangents.structural import class_of
from ..cuts import noted
from ..places import place
from ..reached import note_stored
from ..sweep import Sweep, is_valued

Record = Callable[[Any], None]
Way = TypeVar("Way", bound=Callable[..., Any])
Back = Callable[[Sweep, Any], Any]
Result = tuple[Any, Back]

NOTHING = (None,) * 256


def nothing(sweep: Sweep, y_bar: Any) -> tuple[Any, ...]:
    """The reverse of an operation through which nothing flows."""
    return NOTHING


HANDLERS: dict[Any, Any] = {}
"""Functions and classes that the runtime itself knows: `handler(record, k, f, args, kwargs) -> (y, back)`."""

METHODS: dict[tuple[type, str], Any] = {}
"""Methods of builtin classes: `handler(record, k, self, args, kwargs) -> (y, back)`, `self` being the first operand."""


WAYS: dict[str, Any] = {}
"""Services of modules further up for those below, by name: these say so themselves, as each needs the other."""


def does(name: str) -> Callable[[Way], Way]:
    """Declare what does something for modules further down."""

    def register(way: Way) -> Way:
        WAYS[name] = way
        return way

    return register


def handles(*functions: Any) -> Callable[[Any], Any]:
    """Declare the handler of functions."""

    def register(handler: Any) -> Any:
        for f in functions:
            HANDLERS[f] = handler
        return handler

    return register


def handles_methods(cls: type, *names: str) -> Callable[[Any], Any]:
    """Declare the handler of methods of a builtin class."""

    def register(handler: Any) -> Any:
        for name in names:
            METHODS[cls, name] = handler
        return handler

    return register


def kept(record: Record, k: int, value: Any) -> Any:
    """A value under another name, or with none of its own."""
    record((k, None))
    return value


def keep(record: Record, k: int, holder: Any, value: Any) -> Any:
    """A store into a slot of `holder` that the program itself makes."""
    if noted.open:
        note_stored((holder,), (value,))
    record((k, holder))
    return value


def load(record: Record, k: int, holder: Any, value: Any) -> Any:
    """A value read from a slot of `holder`."""
    record((k, holder))
    return value


def same(f: Any) -> Any:
    """Identity that stands where decorators stood."""
    return f


def read_slot(y: Any, holder: Any, slot: Any) -> Result:
    """A value that was read from a slot of `holder`."""
    if not is_valued(y):
        return y, nothing

    def slot_back(sweep: Sweep, y_bar: Any) -> Any:
        sweep.add(holder, slot, y_bar)
        return NOTHING

    return y, slot_back


def without_first(back: Back) -> Back:
    """The same without the first operand."""

    def reverse(sweep: Sweep, y_bar: Any) -> Any:
        d = back(sweep, y_bar)
        return (d[0], *d[2:])

    return reverse


def as_is(back: Back) -> Back:
    """The same."""
    return back


def turned(back: Back) -> Back:
    """The same of two operands in the other order."""

    def turned_back(sweep: Sweep, y_bar: Any) -> Any:
        d = back(sweep, y_bar)
        return d[0], d[2], d[1]

    return turned_back


def dropped(back: Back) -> Back:
    """The reverse of a call whose result nobody has: what has the cotangent was another one."""

    def dropped_back(sweep: Sweep, y_bar: Any) -> Any:
        back(sweep, None)
        return (y_bar, *NOTHING)

    return dropped_back


def with_first(back: Back) -> Back:
    """The same with one more operand in front, to which nothing flows."""

    def reverse(sweep: Sweep, y_bar: Any) -> Any:
        d = back(sweep, y_bar)
        return (d[0], None, *d[1:])

    return reverse


def unfinished(back: Any) -> Any:
    """The `back` of an operation that an exception ended: what was to come of it has no cotangent."""

    def reverse(sweep: Sweep, y_bar: Any) -> Any:
        return (y_bar, *back(sweep, None)[1:])

    return reverse


BOUND = frozenset([types.MethodType, types.BuiltinFunctionType, types.MethodWrapperType])
"""Classes of bound methods."""


def of_bound(method: Any) -> Callable[[Back], Back]:
    """Adapter of the reverse of a function to a bound method: the first operand is what it is bound to. A
    number or a tuple has its cotangent there in a slot of the method."""
    owner = method.__self__
    if not is_valued(owner):
        return without_first

    def adapt(back: Back) -> Back:
        def reverse(sweep: Sweep, y_bar: Any) -> Any:
            d = back(sweep, y_bar)
            sweep.add(method, ".__self__", d[1])
            return (d[0], *d[2:])

        return reverse

    return adapt


def behind_super(proxy: Any) -> Callable[[Back], Back]:
    """Adapter of the reverse of a function of an object to one of `super()`, which stands for the object: the
    cotangent of a number or a tuple waits there."""

    def adapt(back: Back) -> Back:
        def reverse(sweep: Sweep, y_bar: Any) -> Any:
            d = back(sweep, y_bar)
            sweep.add(proxy, ".__self__", d[1])
            return (d[0], None, *d[2:])

        return reverse

    return adapt


def bound_to(method: Any, owner: Any) -> Back:
    """The reverse of binding a method to an object, which is the operand."""
    if type(method) not in BOUND or method.__self__ is not owner or not is_valued(owner):
        return nothing
    return lambda sweep, y_bar: (None, sweep.take(method, ".__self__"), *NOTHING[:2])


def adapting(record: Record, adapt: Callable[[Back], Back]) -> Record:
    """A record for an operation within another one, whose operands are laid out differently."""
    return lambda step: record((step[0], adapt(step[1])))


def after(back: Back, earlier: Back) -> Back:
    """The reverse of an operation before which others ran that gave it nothing."""
    if earlier is nothing:
        return back

    def reverse(sweep: Sweep, y_bar: Any) -> Any:
        d = back(sweep, y_bar)
        earlier(sweep, None)
        return d

    return reverse


def only_result(back: Back) -> Back:
    """The same without operands."""

    def reverse(sweep: Sweep, y_bar: Any) -> Any:
        return back(sweep, y_bar)[0], *NOTHING

    return reverse


PASSIVE = frozenset(
    [
        *(bool, str, bytes, type(None), range, slice, types.ModuleType, type, np.dtype, types.FunctionType),
        *(np.bool_, np.str_, np.bytes_),
    ]
)


def is_passive(x: Any) -> bool:
    """Tell whether a value certainly carries no derivative."""
    cls = type(x)
    if cls in PASSIVE:
        return True
    if cls is tuple:
        return all(map(is_passive, x))
    return False


def is_nonzero(d: Any) -> bool:
    """Tell whether anything flows in a cotangent."""
    if d is None:
        return False
    if type(d) is float or type(d) is np.float64:  # most are
        return bool(d != 0.0)
    if isinstance(d, Unknown):
        return True
    if isinstance(d, list | tuple):
        return any(map(is_nonzero, d))
    if isinstance(d, dict):
        return any(map(is_nonzero, d.values()))
    if isinstance(d, Tangent):
        hidden = hides_zeros(class_of(d))
        return any([d[name] is not None if hidden else is_nonzero(d[name]) for name in d])
    return bool(np.any(np.asarray(d) != 0))


non_differentiable(is_passive, is_nonzero)

__all__ = [
    "HANDLERS", "METHODS", "NOTHING", "Back", "Record", "Result", "adapting", "after", "bound_to", "handles",
    "handles_methods", "is_nonzero", "is_passive", "keep", "kept", "load", "nothing", "of_bound", "only_result",
    "place", "read_slot", "same", "unfinished", "with_first", "without_first",
]  # fmt: skip

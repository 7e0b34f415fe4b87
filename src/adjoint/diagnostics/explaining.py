"""The way in which `explain` finds out: it looks on at a recording, in which what would be refused runs plainly, and
then asks of each place where a derivative may have ended what it would have flowed to."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..classify import APPLIED, passed_on
from ..derivatives import stop_gradient
from ..errors import AdjointError, Place, Site
from ..finite.differences import random_like
from ..finite.structure import cotangent_like, leaves
from ..origin import module_of, own_name
from ..recording.observer import Observer, Operation
from ..recording.operations.base import HANDLERS, NOTHING, is_nonzero, nothing
from ..recording.operations.functions import is_library
from ..recording.operations.opaque import Losing
from ..recording.places import place, scatter_cotangent
from ..recording.sweep import Sweep, add
from ..rules.registry import find_rules
from ..tangents.tables import is_table
from ..tangents.windows import DIFFERENTIABLE
from ..wrappers import signature_of
from .explanation import ASKED, End, Refusal, Treated
from .flowing import ZERO, Flowing, Key, Probe, Tally, carries

SHAPES = frozenset(
    [
        len,
        type,
        isinstance,
        id,
        callable,
        np.shape,
        np.ndim,
        np.size,
        np.zeros_like,
        np.ones_like,
        np.empty_like,
        print,
        range,
    ]
)
"""Functions that ask for nothing but the kind or the size of a thing: no derivative is lost in them."""

JUMPS = "what it gives changes in jumps or not at all"
CUT = "the program cuts the derivative here"
CAST = "a store into an array of integers"


class Known(NamedTuple):
    """A function with what is known of all its calls."""

    callee: Any
    inside: bool
    """True if it is recorded itself."""
    is_named: bool
    silent: bool | None


class Explainer(Observer):
    """Looks on at one run for `explain`."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)
        self.refusals: dict[tuple[str, Place | None], Refusal] = {}
        self.ends: dict[Key, str] = {}
        """Why a derivative may have ended."""
        self.tallies: dict[Key, Tally] = {}
        """Operands of operations on numbers and arrays, with what has flowed to them."""
        self.treated: dict[tuple[str, str], int] = {}
        """The number of calls of functions without source, by name and way."""
        self.entries: list[Any] = []
        self.codes: dict[int, types.CodeType] = {}
        """Those of what was entered, by identity: Python hashes all of a code object."""
        self._places: dict[tuple[int, int], tuple[Any, Place | None]] = {}
        self._tallies: dict[int, list[Tally]] = {}
        self._known: dict[int, Known] = {}

    def place_at(self, site: Site | None) -> Place | None:
        """The place of a site, which comes again and again in loops."""
        if site is None:
            return None
        key = id(site.code), site.lasti
        if key not in self._places:
            self._places[key] = site.code, site.place()
        return self._places[key][1]

    # ---- what it is told

    def entered(self, f: Any, refusals: list[AdjointError]) -> None:
        for error in refusals:
            self.refused(error, None)
        self.entries.append(f)
        self.codes[id(f.__code__)] = f.__code__

    def refused(self, error: AdjointError, site: Site | None) -> None:
        at = error.place or self.place_at(site)
        found = Refusal(type(error).__name__, error.what, at, error.why, error.way_out)
        self.refusals.setdefault((error.what, at), found)

    def ended(self, site: Site | None, role: str, value: Any) -> Any:
        if not carries(value):
            return nothing
        key = self.place_at(site), role
        self.ends.setdefault(key, role + ASKED)
        own, d = place(value), self.cotangent(value)

        def ended_back(sweep: Sweep, y_bar: Any) -> Any:
            return (
                (None, scatter_cotangent(sweep, own, d)) if isinstance(sweep, Probe) and sweep.key == key else NOTHING
            )

        return ended_back

    def known(self, callee: Any) -> Known:
        """Facts about a function, which runs again and again in loops."""
        found = self._known.get(id(callee))
        if found is None or found.callee is not callee:
            found = self._known[id(callee)] = Known(callee, looked_into(callee), _is_named(callee), _silence(callee))
        return found

    def done(self, operation: Operation, back: Any) -> Any:
        callee, key = operation.callee, (self.place_at(operation.site), "")
        if back is nothing and any(refusal.place == key[0] for refusal in self.refusals.values()):
            return back
        known = self.known(callee)
        if known.is_named and not known.inside:
            self.note(callee)
        if is_cast(operation):
            self.ends.setdefault(key, CAST)
            return self._cast(operation, back, key)
        if is_silent(operation, known):
            self.ends.setdefault(key, CUT if callee is stop_gradient else JUMPS)
            return self._silent(operation, key)
        if not known.inside and all(map(is_number_or_array, (*operation.operands, operation.result))):
            return Flowing(self, operation, back, self._tallies_of(key[0], len(operation.operands)))
        return self.guarded(operation, back)

    def note(self, callee: Any) -> None:
        """A function that is not looked into was called; of a class, it may be that its `__init__` is."""
        init: Any = getattr(callee, "__init__", None) if isinstance(callee, type) else None
        if isinstance(init, types.FunctionType) and id(init.__code__) in self.codes:
            return
        rules = find_rules(callee) if _hashable(callee) else None
        own = _hashable(callee) and callee in HANDLERS or isinstance(callee, types.MethodDescriptorType)
        ruled = own if rules is None else rules.differentiable
        usual = "ruled" if ruled and callee is not stop_gradient else "run as it is"
        key = full_name(callee), getattr(type(callee), "__adjoint_way__", usual)
        self.treated[key] = self.treated.get(key, 0) + 1

    def found(self, reached: Callable[[Key], tuple[str, ...]]) -> Iterator[End]:
        """The ends that something of the arguments comes to: one for each place and reason."""
        ends: dict[tuple[Place | None, str, str], dict[str, None]] = {}
        for key, why in self.ends.items():
            tally = self.tallies.get(key)
            if tally is not None and tally.is_factor and tally.flowing:
                continue  # a factor that is zero now and then
            at, role = key
            end = at, "" if why == ZERO else role, why + (tally.times() if tally is not None else "")
            ends.setdefault(end, {}).update(dict.fromkeys(reached(key)))
        for (at, _, why), names in ends.items():
            if names:
                yield End(tuple(names), at, "" if at is None else at.code(), why)

    def lost(self, calls: list[Losing], reached: Callable[[Any], tuple[str, ...]]) -> None:
        """Calls that are not looked into, to which something flows: those that would pass it on are refused."""
        for call in calls:
            error = call.unknown.error
            if error is not None and reached(call):
                self.refused(error, None)

    # ---- what is done in reverse

    def cotangent(self, value: Any) -> Any:
        """A random cotangent of a value, so that no two cancel."""
        return cotangent_like(value, lambda leaf: random_like(leaf, self.rng))

    def guarded(self, operation: Operation, back: Any) -> Any:
        """A `back` whose refusal is noted, where something flows to it from the result."""

        def guarded_back(sweep: Sweep, y_bar: Any) -> Any:
            try:
                return back(sweep, y_bar)
            except AdjointError as error:
                if not isinstance(sweep, Probe):
                    self.refused(error, operation.site)
                return NOTHING

        return guarded_back

    def _silent(self, operation: Operation, key: Key) -> Any:
        """The `back` of what nothing flows through."""
        probes = [(i, place(x), self.cotangent(x)) for i, x in enumerate(operation.operands) if carries(x)]

        def silent_back(sweep: Sweep, y_bar: Any) -> Any:
            if not (isinstance(sweep, Probe) and sweep.key == key):
                return NOTHING
            d: list[Any] = [None] * (1 + len(operation.operands))
            for i, own, bar in probes:
                d[1 + i] = scatter_cotangent(sweep, own, bar)
            return d

        return silent_back

    def _cast(self, operation: Operation, back: Any, key: Key) -> Any:
        """The `back` of a store that rounds what it is given."""
        guarded = self.guarded(operation, back)
        probes = [
            (place(x), self.cotangent(x)) if carries(x) and x is not operation.args[0] else None
            for x in operation.operands
        ]

        def cast_back(sweep: Sweep, y_bar: Any) -> Any:
            d = guarded(sweep, y_bar)
            if not (isinstance(sweep, Probe) and sweep.key == key):
                return d
            given = [None if probe is None else scatter_cotangent(sweep, *probe) for probe in probes]
            return [d[0], *map(add, (*d[1:], *NOTHING), given)]

        return cast_back

    def _tallies_of(self, at: Place | None, n: int) -> list[Tally]:
        """The tallies of the first operands at a place, which is one object each time."""
        found = self._tallies.setdefault(id(at), [])
        for i in range(len(found), n):
            key = at, str(i)
            found.append(self.tallies.setdefault(key, Tally(key)))
        return found


def way_of_rule(f: Any) -> str | None:
    """The way of a callable that has rules; None if it has none."""
    f = passed_on(f, (), {}, APPLIED)[0]
    rules = find_rules(f) if _hashable(f) else None
    return None if rules is None else "ruled" if rules.differentiable else "run as it is"


def looked_into(callee: Any) -> bool:
    """Tell whether a function is recorded itself, so that its inside tells everything."""
    f = getattr(callee, "__func__", callee)
    return type(f) is types.FunctionType and find_rules(f) is None and f not in HANDLERS and not is_library(f)


def is_silent(operation: Operation, known: Known) -> bool:
    """Tell whether an operation takes numbers that are differentiated, and gives what nothing flows to."""
    y = operation.result
    if known.inside or known.silent is False or y is None or not any(map(carries, operation.operands)):
        return False
    if known.silent or isinstance(y, bool | str | bytes | np.bool_):
        return True
    if not isinstance(y, np.ndarray) or y.dtype.kind in "fcO":
        return False
    return y.dtype.kind not in DIFFERENTIABLE or not all(map(is_of_integers, operation.operands))


def is_of_integers(x: Any) -> bool:
    """Tell whether a value holds integers only, which count as the real numbers that they are."""
    if isinstance(x, list | tuple | dict):
        return all(map(is_of_integers, x.values() if isinstance(x, dict) else x))
    if not isinstance(x, int | float | complex | np.generic | np.ndarray):
        return not carries(x)
    return np.asarray(x).dtype.kind in "biu"


def _silence(callee: Any) -> bool | None:
    """True if nothing flows through a function by its rules, False if nothing is lost in it; None if its result
    tells."""
    if callee is getattr or not _hashable(callee) or callee in SHAPES:
        return False
    rules = find_rules(callee)
    return True if rules is not None and not rules.differentiable else None


def _is_named(callee: Any) -> bool:
    """Tell whether a function is told of among those that were called: operators and attributes are not."""
    return module_of(callee) not in ("_operator", "operator") and callee is not getattr


def is_cast(operation: Operation) -> bool:
    """Tell whether an operation stores numbers into an array of integers, and gives nothing."""
    owner = operation.args[0] if operation.args else None
    cast = isinstance(owner, np.ndarray) and owner.dtype.kind in "biu" and not looked_into(operation.callee)
    return cast and operation.result is None and any(carries(x) for x in operation.operands if x is not owner)


def is_number_or_array(x: Any) -> bool:
    """Tell whether a value is a number, or an array of numbers, and holds nothing else."""
    return (
        type(x) is float
        or isinstance(x, np.ndarray)
        or isinstance(x, int | float | complex | np.number)
        and place(x) is None
    )


def _hashable(x: Any) -> bool:
    try:
        hash(x)
    except Exception:
        return False
    return True


def full_name(f: Any) -> str:
    """The full name of a function, with its module or class; a generator of a recording is called as Python's is."""
    name = own_name(f) and getattr(f, "__qualname__", None) or own_name(f) or type(f).__name__
    owner = module_of(f)
    if owner.startswith("adjoint.recording."):
        return name[:1].lower() + name[1:]
    return name if owner in ("", "builtins", "__main__") else f"{owner.lstrip('_')}.{name}"


def names_of_arguments(f: Any, n: int, keywords: list[str]) -> list[str]:
    """The names of the arguments of a call."""
    try:
        parameters = list(signature_of(f).parameters.values())
        if not parameters:  # a cache in C does not say
            inner, given, _ = passed_on(f, (None,) * n, {})
            parameters = list(signature_of(inner).parameters.values()) if len(given) == n else []
    except (TypeError, ValueError):
        return [f"argument {i + 1}" for i in range(n)] + keywords
    names: list[str] = []
    for p in parameters:
        if p.kind is p.VAR_POSITIONAL:
            names += [f"{p.name}[{i}]" for i in range(n - len(names))]
        elif p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD):
            names.append(p.name)
    names += [f"argument {i + 1}" for i in range(len(names), n)]  # what is written in C may not say
    return [*names[:n], *keywords]


MANY = 3
"""Of an argument that holds more numbers than that, only the argument is named."""


def nonzero_parts(name: str, bar: Any) -> Iterator[str]:
    """The parts of an argument that have a cotangent."""
    if is_table(bar):
        yield from [name] if is_nonzero(bar) else []
        return
    found = [path for path, leaf in leaves(bar, integers=True) if is_nonzero(leaf)]
    if len(found) > MANY:
        yield name
        return
    for path in found:
        yield name + "".join(map(str, path))


def treated(explainer: Explainer, way_of: Any) -> tuple[Treated, ...]:
    """The functions that were met, and how each is differentiated."""
    found: dict[tuple[str, str], Treated] = {}
    for f in explainer.entries:
        code = f.__code__
        key, way = f.__qualname__.rpartition("<locals>.")[2], way_of(f)
        calls = found[key, way].calls + 1 if (key, way) in found else 1
        at = Place(code.co_filename, (code.co_firstlineno, 0, code.co_firstlineno, 0))
        found[key, way] = Treated(key, way, at, calls)
    others = [Treated(name, way, None, n) for (name, way), n in sorted(explainer.treated.items())]
    return (*found.values(), *others)

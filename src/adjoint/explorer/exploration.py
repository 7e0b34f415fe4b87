"""All that is found out about the derivative of one call."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..api import pullback
from ..derivatives import record
from ..derivatives.pullback import Pullback
from ..derivatives.residuals import residuals
from ..diagnostics import Explanation, explain
from ..diagnostics.explaining import names_of_arguments
from ..diagnostics.state import State
from ..errors import AdjointError, OptionError, calling_place
from ..inspection import spec_of_call
from ..origin import is_users
from ..progress import Progress
from ..recording.observer import observed_by
from ..reflection.functions import ProgramFunction
from ..rules.outside import is_iterator
from ..runtime.argnums import name_of
from ..runtime.called import function_of_call, refuse_types
from ..runtime.spec import Spec
from ..tangents.form import fit, form_of
from ..wrappers import signature_of
from .edited import with_text
from .followed import Follower
from .programs import Unit, halves_of, name_with_class, pass_on, refuse, stepwise, unit_of_call, unit_of_callee
from .quiet import unnoticed
from .ran import Codes, entered, rules_of, was_recorded
from .seeds import seed_for, words_of
from .shown import Shown, bytes_of, shown
from .sources import Key, Sources
from .timing import RUNS, Profile, measured

MOST = 12
"""So many functions are shown."""
ITEMS = 10_000
"""So many items an iterator gives at most that is run through."""
WARM = 3
"""The first runs may show what the program of later ones takes for granted."""
PATIENCE = 1.0
"""Seconds before the progress is shown."""


@dataclass(eq=False)
class Findings:
    """The content of a page."""

    name: str
    sources: Sources
    followed: Follower
    explanation: Explanation
    units: list[Unit] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """The names of functions that ran and are not shown."""
    near: dict[Key, list[Key]] = field(default_factory=dict)
    """The lines that no row of the reverse is made of, each with those whose rows are near to it."""
    arguments: list[tuple[str, Shown, Shown | None]] = field(default_factory=list)
    defaults: list[tuple[str, Shown, Shown | None]] = field(default_factory=list)
    """Arguments that were not given, with what they are by default."""
    value: Shown | None = None
    seed: Shown | None = None
    seeded: str = ""
    """Words for the cotangent that it began with."""
    error: AdjointError | None = None
    """Why there is no derivative."""
    profile: Profile | None = None
    sizes: dict[str, int] = field(default_factory=dict)
    """Bytes that are kept under a name for the reverse half."""
    unmeasured: str = ""
    """Why nothing was measured."""
    steps: bool = False
    """True if the call gives an iterator, which is run through."""


def explored(
    f: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    cotangent: Any,
    given: bool,
    profile: bool,
    progress: bool = False,
) -> Findings:
    """Findings on the derivative of a call; with `given`, for this cotangent of its result."""
    sources = Sources()
    edited, f = f, with_text(f)
    function, own_args, own_kwargs = function_of_call(f, args, kwargs)
    sources.add(function)
    names, values = names_of_arguments(f, len(args), list(kwargs)), (*args, *kwargs.values())
    before = [shown(x) for x in values]
    state = State({name_of(f): f, **dict(zip(names, values, strict=True))})
    with Progress(5, enabled=progress, unit="part", lines=False, after=PATIENCE) as bar:
        call, followed = Call(f, args, kwargs, lambda: unnoticed(state)), Follower(sources)
        with state.kept(), np.errstate(all="ignore"):
            try:
                value = followed.watched(call.run)
            except TypeError as error:
                refuse_types(args, kwargs, f"the function is run, and fails with them: {error}")
                raise
        bar.advance("run")
        with unnoticed(state):
            explanation = explain(call.f, *args, **kwargs)
        found = Findings(name_of(f), sources, followed, explanation, value=shown(value), steps=call.steps)
        bar.advance("explained")
        with call.kept(), np.errstate(all="ignore"), observed_by(found.followed):
            bars = call.followed(found, cotangent, given)
        bar.advance("followed")
        found.arguments = list(zip(names, before, bars, strict=False))
        if found.error is not None:
            found.unmeasured = "there is no derivative to measure"
        else:
            call.warm_up(found, lambda: has_effects(spec_of_call(function, own_args, own_kwargs, as_run=True)))
        unit, spec = unit_of_call(function, own_args, own_kwargs, sources)
        found.units.append(unit)
        found.defaults = [*_defaults(found, function, own_args, own_kwargs)]
        if inspect.isgeneratorfunction(function):
            stepwise(unit)
        if isinstance(edited, ProgramFunction):
            unit.why += ". Its source is the Python of its program, which `adjoint.ir.function` has written"
        if found.error is not None:
            refuse(unit, found.error)
        _callees(found, call.programs(found, spec), call.ran)
        found.near = pass_on(found.units, found.followed.called, sources)
        bar.advance("printed")
        if not found.unmeasured and not profile:
            found.unmeasured = "`profile=False` was asked for"
        if not found.unmeasured:
            call.measure(found, spec)
        bar.advance("measured")
    return found


@dataclass(eq=False)
class Call:
    """A call whose derivative is taken again and again, and the context in which a run of it leaves nothing behind."""

    f: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    kept: Callable[[], AbstractContextManager[None]]
    seed: Any = None
    """The cotangent that the reverse begins with."""

    steps: bool = False
    """True if it gives an iterator, which is run through."""
    ran: Codes = field(default_factory=dict)
    """The code that the last run of the derivative ran."""

    def run(self) -> Any:
        """The function alone; what is asked from here on is the list of what it gives, if that is an iterator."""
        y = self.f(*self.args, **self.kwargs)
        if not is_iterator(y):
            return y
        items = list(itertools.islice(y, ITEMS + 1))
        if len(items) > ITEMS:
            raise OptionError(
                f"`{name_of(self.f)}` gives more than {ITEMS:,} items",
                "an iterator is run through, so that the items and their cotangents are shown",
                "explore a function that takes some of them, as `itertools.islice` does",
                calling_place(),
            )
        self.f, self.steps = items_of(self.f), True
        return items

    def followed(self, found: Findings, cotangent: Any, given: bool) -> list[Shown | None]:
        """The cotangents of the arguments, from a recording that the follower looks on at. It is large, and gone when
        this returns."""
        recorded = False
        try:
            y, back, looked = record(self.f, self.args, self.kwargs)
            recorded = True
            self.seed, found.seeded = _seed(y, cotangent, given)
            found.seed = shown(self.seed)
            bars = Pullback(back, looked, self.f, y)(self.seed)
        except AdjointError as error:
            if given and recorded and found.seed is None:
                raise  # the cotangent is none of the result
            found.error = error
            return [None] * (len(self.args) + len(self.kwargs))
        return [None if bar is None else shown(bar) for bar in bars[1:]]

    def pull(self) -> tuple[Any, Any]:
        """The value, and the pullback."""
        return pullback(self.f, *self.args, **self.kwargs)

    def warm_up(self, found: Findings, acts: Callable[[], bool]) -> None:
        """Take the derivative as often as it needs until its program is the one that runs from then on; once, if it
        `acts`. The last run alone is traced: to make the program under a tracer takes twice as long."""
        try:
            for _ in range(0 if acts() else WARM - 1):
                with self.kept(), np.errstate(all="ignore"):
                    self.pull()[1](self.seed)
            with self.kept(), np.errstate(all="ignore"):
                self.ran = entered(lambda: self.pull()[1](self.seed))
        except AdjointError as error:
            found.unmeasured = error.what

    def programs(self, found: Findings, spec: Spec | None) -> list[Spec]:
        """The rules that may have run: those that are called from this one, and of the functions that were called on
        the way, of which only the run showed that they are. What ran is first."""
        specs = [*spec.all()] if spec is not None else []
        for function in found.followed.functions.values():
            specs += [each for made in rules_of(function.__code__) if made.rule is not None for each in made.all()]
        known = [each for each in dict.fromkeys(specs) if each.rule is not None and each.ir is not None]
        return sorted(known, key=lambda each: id(each.rule.__code__) not in self.ran)

    def measure(self, found: Findings, spec: Spec | None) -> None:
        """Add the profile of the derivative, and what its pullback keeps."""
        halves = {code: half for unit in found.units for code, half in unit.codes.items()}
        for each in self.programs(found, spec):
            halves |= {code: half for code, half in halves_of(each.rule.__code__).items() if code not in halves}
        with np.errstate(all="ignore"):
            runs = 1 if spec is None or has_effects(spec) else RUNS
            placed = [unit.placed for unit in found.units if unit.placed is not None]
            found.profile = measured(
                self.run, self.pull, self.seed, halves, found.sources, self.kept, placed=placed, runs=runs
            )
            with self.kept():
                found.sizes = {name: bytes_of(x) for name, x in residuals(self.pull()[1]).items()}
        if not found.profile.seconds:
            found.unmeasured = "its program was not seen to run line by line"


def items_of(f: Any) -> Any:
    """The function that gives what is in the iterator that another one gives."""

    @functools.wraps(f)
    def items(*args: Any, **kwargs: Any) -> list[Any]:
        return list(f(*args, **kwargs))

    return items


def _defaults(
    found: Findings, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Iterator[tuple[str, Shown, Shown | None]]:
    """Arguments that a call leaves out, with their cotangents: those of the outermost call, which came first."""
    unit = found.units[0]
    tracks = found.followed.tracks.get(found.sources.key(unit.filename, unit.flow.line), {})
    parameters = signature_of(function).parameters
    given = [*itertools.islice(parameters, len(args)), *kwargs]
    for name, parameter in parameters.items():
        if parameter.default is not parameter.empty and name not in given:
            first = next(tracks[name].moments(), None) if name in tracks else None
            yield (name, shown(parameter.default), None) if first is None else (name, first.value, first.bar)


def _seed(y: Any, cotangent: Any, given: bool) -> tuple[Any, str]:
    """The cotangent that the reverse begins with, and what to say of it."""
    if given:
        return fit(cotangent, form_of(y), "`explore`"), "the one that was asked for"
    return seed_for(y), words_of(y)


def has_effects(spec: Spec | str) -> bool:
    """True if a program may do more than compute, so that it is not to run often: one that is recorded may."""
    return not isinstance(spec, Spec) or spec.has_effects


def _callees(found: Findings, specs: list[Spec], ran: Codes) -> None:
    """Add the functions of the user's that ran on the way, whose derivatives are among these."""
    own = found.units[0]
    for function in found.followed.functions.values():
        code = function.__code__
        if not is_users(code.co_filename) or any(_lies_in(code, unit) for unit in found.units):
            continue
        if len(found.units) >= MOST:
            found.left_out.append(name_with_class(function))
            continue
        unit = unit_of_callee(function, specs, was_recorded(function, ran), found.sources, own)
        if unit is not None:
            found.units.append(unit)


def _lies_in(code: Any, unit: Unit) -> bool:
    """True if a function stands in the text of another one."""
    line: int = code.co_firstlineno
    return bool(code.co_filename == unit.filename) and unit.first <= line < unit.first + len(unit.source)

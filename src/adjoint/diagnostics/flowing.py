"""Sweeps by which `explain` sees what flows where, and the operations on numbers and arrays that it sees them pass."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import AdjointError, Place
from ..finite.structure import cotangent_like
from ..recording.observer import Operation
from ..recording.operations.base import NOTHING, is_nonzero
from ..recording.operations.opaque import Losing
from ..recording.places import gather_cotangent, place, scatter_cotangent
from ..recording.sweep import Sweep, add, is_valued
from ..tangents.windows import DIFFERENTIABLE

if TYPE_CHECKING:
    from .explaining import Explainer

ZERO = "its derivative is zero here"
PRODUCTS = frozenset([operator.mul, operator.imul, operator.matmul, operator.imatmul, np.multiply, np.matmul, np.dot])
"""Products: where a factor is zero now and then, nothing ends for the other one."""


Key = tuple[Place | None, str]
"""The key of an end: where, and what for (nothing for the operation itself, a number for one operand)."""


class Probe(Sweep):
    """A sweep in which one end alone gives cotangents, to see what they flow to: a place, or a call that is not looked
    into."""

    __slots__ = ("key",)
    key: Any

    def lost(self, call: Losing, flows: bool) -> Any:
        """Cotangents for the operands of such a call, if it is this one."""
        if self.key is not call:
            return NOTHING
        pairs = zip(call.values, call.places, strict=True)
        return [
            None,
            *[scatter_cotangent(self, at, cotangent_like(x, np.ones_like)) if carries(x) else None for x, at in pairs],
        ]


class Watch(Sweep):
    """A sweep that notes to which calls that are not looked into something flows."""

    __slots__ = ("calls",)

    def __init__(self, apart: Any) -> None:
        super().__init__(apart)
        self.calls: list[Losing] = []

    def lost(self, call: Losing, flows: bool) -> Any:
        if flows:
            self.calls.append(call)
        return NOTHING


def probing(key: Any) -> Callable[[Any], Probe]:
    """The function that makes a sweep for one end."""

    def make(apart: Any) -> Probe:
        probe = Probe(apart)
        probe.key = key
        return probe

    return make


class Tally:
    """The number of times that something flowed to an operand, and that nothing did where something came from the
    result."""

    __slots__ = ("flowing", "is_factor", "key", "stopped")

    def __init__(self, key: Key) -> None:
        self.key = key
        self.flowing = self.stopped = 0
        self.is_factor = False
        """True if it is one of a product to which nothing flowed, at some time."""

    def times(self) -> str:
        """The number of times that nothing flowed, in words, if something did at other times."""
        some = self.flowing and self.stopped
        return f", in {self.stopped} of {self.stopped + self.flowing} runs of this line" if some else ""


class Flowing:
    """The `back` of an operation on numbers and arrays, where it is noticed if nothing flows on to an operand.

    There is one for each operation that runs, so it is one object, with no functions of its own.
    """

    __slots__ = ("back", "explainer", "operation", "own", "shared", "stopped", "tallies")

    def __init__(self, explainer: Explainer, operation: Operation, back: Any, tallies: list[Tally]) -> None:
        self.explainer = explainer
        self.operation = operation
        self.back = back
        self.tallies = tallies
        """Those of the operands, and perhaps more."""
        self.own = own = place(operation.result)
        arrays = [x for x in operation.operands if isinstance(x, np.ndarray)] if own is not None else ()
        self.shared = any(np.may_share_memory(own, x) for x in arrays)  # it is handed on
        self.stopped: list[Tally] = []

    def __call__(self, sweep: Sweep, y_bar: Any) -> Any:
        if isinstance(sweep, Probe):
            return self._probed(sweep, y_bar)
        received = gather_cotangent(sweep, self.own, y_bar)
        y_bar = scatter_cotangent(sweep, self.own, received)
        explainer, operands = self.explainer, self.operation.operands
        guarded = explainer.guarded(self.operation, self.back)
        if self.shared or not is_nonzero(received):
            return guarded(sweep, y_bar)
        places = [place(x) for x in operands]
        before = [(at, gather_cotangent(sweep, at, None)) for at in places if at is not None]
        n = len(explainer.refusals)
        d = (*guarded(sweep, y_bar), *NOTHING)[: 1 + len(operands)]
        if len(explainer.refusals) == n:
            for tally, x, at, bar in zip(self.tallies, operands, places, d[1:], strict=False):
                if carries(x):
                    self._count(tally, is_nonzero(bar if at is None else sweep.shadow(x)))
        for at, bar in before:
            scatter_cotangent(sweep, at, bar)
        return d

    def _count(self, tally: Tally, flows: bool) -> None:
        if flows:
            tally.flowing += 1
            return
        tally.stopped += 1
        self.stopped.append(tally)
        self.explainer.ends.setdefault(tally.key, ZERO)
        tally.is_factor |= self.operation.callee in PRODUCTS

    def _probed(self, sweep: Probe, y_bar: Any) -> Any:
        try:
            d = self.back(sweep, y_bar)
        except AdjointError:
            return self._given(sweep, NOTHING, None)
        return self._given(sweep, d, sweep.key) if any(t.key == sweep.key for t in self.stopped) else d

    def _given(self, sweep: Sweep, d: Any, key: Key | None) -> Any:
        """Cotangents for the operand of this key, or for all: they flow wherever what came of them does."""
        draw = self.explainer.cotangent
        bars = [
            scatter_cotangent(sweep, place(x), draw(x)) if carries(x) and key in (None, tally.key) else None
            for tally, x in zip(self.tallies, self.operation.operands, strict=False)
        ]
        return [None, *map(add, (*d[1:], *NOTHING), bars)]


def carries(x: Any) -> bool:
    """Tell whether a value holds numbers that may have a derivative; those of lists and the like count."""
    if isinstance(x, np.ndarray):
        return x.dtype.kind in DIFFERENTIABLE
    if isinstance(x, list | tuple | dict):
        return any(map(carries, x.values() if isinstance(x, dict) else x))
    return is_valued(x)

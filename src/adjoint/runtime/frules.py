"""Tangent-linear programs of generated rules, made when they are first asked for, with those that they call."""

from __future__ import annotations

from typing import Any

from ..depth import with_room
from ..ir.nodes import Atom, Const, Function
from ..pause import paused
from ..rules.knots import knot
from ..rules.registry import find_rules
from ..transforms.calls import Rules
from ..transforms.moving import Unable
from ..transforms.moving_memory import slots_that_move
from ..transforms.tables import by_rows
from ..transforms.tangent_linear import tangent_linear
from .generated import generated_ir
from .generation import Generation
from .jvp import call_pushforward
from .pushed import Pushed
from .spec import LOCK, Spec, compiled

Generation.pushes = staticmethod(lambda f: f is call_pushforward)


def push_of(spec: Spec) -> Any:
    """The tangent-linear program of a rule's function, made when it is first asked for; None if there is none."""
    if spec.push is NotImplemented:
        with LOCK:
            while spec.push is NotImplemented:
                _make(spec)
    return spec.push


@paused
@with_room
def _make(spec: Spec) -> None:
    """Make the program of a function and those that it calls; what turns out to have none is called otherwise the next
    time."""
    making = _Making()
    making.write(spec)
    if any([called.push is None for called in making.assumed]):
        return
    made = {s: compiled(s, ir, forward=True) for s, ir in making.written.items()}
    for push, _ in made.values():
        for cell in push.__closure__ or ():
            if isinstance(cell.cell_contents, Pushed):
                called = cell.cell_contents.spec
                cell.cell_contents = made[called][0] if called in made else called.push
    for s, (push, text) in made.items():
        s.push_text, s.push = text, push


class _Making:
    """Programs of functions that call each other, before they are compiled."""

    def __init__(self) -> None:
        self.written: dict[Spec, Function] = {}
        self.assumed: set[Spec] = set()
        """Functions that were taken to have a program before that was known."""
        self.open: set[Spec] = set()
        self.rules = Rules(
            Const(knot(), "pullback"),
            None,  # type: ignore[arg-type]
            Generation().partials,
            find_rules,
            find_rules,
        )

    def write(self, spec: Spec) -> None:
        if spec.primal is None or spec.code is call_pushforward.__code__:  # of which towers are the tangents
            spec.push = None
            return
        self.open.add(spec)
        try:
            push = Const(call_pushforward, "pushforward")
            self.written[spec] = tangent_linear(by_rows(spec.primal), self.rules, spec.needs, push, self.called)
        except Unable as reason:
            spec.unable, spec.push = str(reason), None
        self.open.discard(spec)

    def called(self, spec: Spec) -> Atom | None:
        """Caller of the program of a function; None if it has none. Programs of derivatives are followed as such."""
        if generated_ir(spec.code) is not None:
            return None
        if spec.push is NotImplemented and spec in self.open:
            self.assumed.add(spec)
        elif spec.push is NotImplemented and spec not in self.written:
            self.write(spec)
        return None if spec.push is None else Const(Pushed(spec), f"{spec.name}_frule")


__all__ = ["push_of", "slots_that_move"]

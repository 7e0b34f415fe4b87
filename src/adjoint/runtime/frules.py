"""Tangent-linear programs of generated rules, made when they are first asked for, with those that they call."""

from __future__ import annotations

from typing import Any

from ..depth import with_room
from ..errors import AdjointError
from ..identity import IdentityMap
from ..ir.nodes import Atom, Const, Function
from ..pause import paused
from ..rules.knots import knot
from ..rules.registry import find_rules
from ..transforms.calls import Rules
from ..transforms.cotangent_map import bar_type
from ..transforms.moving import Unable
from ..transforms.moving_memory import slots_that_move
from ..transforms.nested import shares
from ..transforms.nested_along import derivative_program, gradient_along
from ..transforms.tables import by_rows
from ..transforms.tangent_linear import tangent_linear
from .generated import generated_ir
from .generation import GRADIENTS, Generation
from .jvp import call_pushforward
from .pushed import Pushed
from .spec import LOCK, Spec, compiled
from .typeof import typeof

FORWARD: IdentityMap[bool] = IdentityMap()
"""The codes of programs in forward mode: what they do is followed as that of any program."""
_OPEN: set[Spec] = set()
"""Functions whose tangent-linear programs are being made."""

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
        _link(push, {s: own for s, (own, _) in made.items()})
    for s, (push, text) in made.items():
        s.push_text, s.push = text, push


def _link(program: Any, made: dict[Spec, Any]) -> None:
    """Let a program call those of the functions that it calls, of which some are just `made`."""
    for cell in program.__closure__ or ():
        if isinstance(cell.cell_contents, Pushed):
            called = cell.cell_contents.spec
            cell.cell_contents = made.get(called, called.push)
    FORWARD[program.__code__] = True


def derivative_of(spec: Spec) -> Any:
    """The program of the derivative by the first argument, a number, of a rule's function; None if there is none."""
    if "derivative" not in spec.programs:
        with LOCK:
            spec.programs["derivative"] = _derivative_of(spec)
    return spec.programs["derivative"]


@paused
@with_room
def _derivative_of(spec: Spec) -> Any:
    if spec.primal is None or push_of(spec) is None:
        return None
    try:
        ir = derivative_program(by_rows(spec.primal), _Making().rules, _PUSH, _made)
    except Unable:
        return None
    program, _ = compiled(spec, ir, forward=True)
    _link(program, {})
    return program


def _made(spec: Spec) -> Atom | None:
    """Caller of the program of a function, which is there; None if it has none."""
    follows = generated_ir(spec.code) is None or FORWARD.get(spec.code) or GRADIENTS.get(spec.code)
    return Const(Pushed(spec), f"{spec.name}_frule") if follows and push_of(spec) is not None else None


_PUSH = Const(call_pushforward, "pushforward")


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
        _OPEN.add(spec)
        try:
            if (plan := GRADIENTS.get(spec.code)) is not None:
                self.written[spec] = _along(spec, *plan)
            else:
                self.written[spec] = tangent_linear(by_rows(spec.primal), self.rules, spec.needs, _PUSH, self.called)
        except Unable as reason:
            spec.unable, spec.push = str(reason), None
        finally:
            self.open.discard(spec)
            _OPEN.discard(spec)

    def called(self, spec: Spec) -> Atom | None:
        """Caller of the program of a function; None if it has none. Programs of derivatives are followed as such."""
        if generated_ir(spec.code) is not None and not (FORWARD.get(spec.code) or GRADIENTS.get(spec.code)):
            return None
        if spec.push is NotImplemented and spec in self.open:
            self.assumed.add(spec)
        elif spec.push is NotImplemented and spec not in self.written:
            self.write(spec)
        return None if spec.push is None else Const(Pushed(spec), f"{spec.name}_frule")


def _along(spec: Spec, plan: Any, of: Spec) -> Function:
    """The tangent-linear program of a gradient: by the gradient of the tangent-linear program of the function that it
    is `of`."""
    _, needs, component, takes_self = plan
    assert spec.primal is not None
    moving = spec.needs[1:] if takes_self else (False, *spec.needs[1:])
    if needs[0] or spec.takes_self or any([m and not n for m, n in zip(moving, needs, strict=True)]):
        raise Unable("a gradient of which more moves than it is by")
    if of in _OPEN or (push := push_of(of)) is None:
        raise Unable("a gradient of what has no tangent-linear program")
    first = 0 if takes_self else 1
    rule = _rule_of(push, spec, needs[first:])
    apart = any(part.primal is None or shares(part.primal, find_rules) for part in rule.all())
    form = component, takes_self, apart
    assert rule.ir is not None
    return gradient_along(by_rows(spec.primal), rule.ir, needs[first:], moving[first:], form)


def _rule_of(push: Any, spec: Spec, needs: tuple[bool, ...]) -> Spec:
    """The rule of a tangent-linear program, for the arguments of a gradient and tangents of those that it is by."""
    assert spec.primal is not None
    values = spec.primal.params[1:]
    dots = [bar_type(v) for v, needed in zip(values, needs, strict=True) if needed]
    types = typeof(push), *[v.type for v in values], *dots
    try:
        rule = Generation().spec(push, types, (False, *needs, *[True for _ in dots]))
    except AdjointError:
        raise Unable("a gradient of a tangent that is refused") from None
    if rule.ir is None or rule.takes_self or not rule.resolved or rule.all_guards() or rule.all_paths():
        raise Unable("a gradient of a tangent of which not all is known")
    return rule


__all__ = ["push_of", "slots_that_move"]

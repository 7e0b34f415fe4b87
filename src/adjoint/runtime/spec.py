"""Generating a rule: lower once per code, specialise for types, reverse, print, compile."""

from __future__ import annotations

import functools
import logging
import sys
import threading
import types
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..codegen import emit, load
from ..errors import AdjointError
from ..frontend import lower_code
from ..ir.nodes import Const, Function, atoms_of, blocks_of
from ..ir.types import BOTTOM, UNKNOWN, Fn, Type
from ..rules.numpy.shaping import ATTRIBUTES, INACTIVE_ATTRIBUTES
from ..rules.registry import Method, find_rules, knot
from ..transforms.infer import type_of
from ..transforms.nested import Gradient, gradient_program, shares, without_own_bar
from ..transforms.ownership import check_ownership
from ..transforms.readers import Readers
from ..transforms.reverse import Rules, reverse_differentiate
from ..transforms.specialise import NO_EXAMPLE, Context, Specialiser, is_active
from .generated import generated_ir, register
from .identity import IdentityMap
from .typeof import typeof

log = logging.getLogger("adjoint")
LOCK = threading.RLock()
_LIBRARIES = (sys.stdlib_module_names | {"numpy", "adjoint"}) - {"__main__"}

_LOWERED: IdentityMap[Function] = IdentityMap()
ORIGINALS: IdentityMap[types.CodeType] = IdentityMap()
"""Code of an `__init__` as a function that gives its object, to the code it was made from."""

_PARTIALS: dict[Any, Function] = {}
OPERATORS: dict[Any, tuple[str, str | None]] = {}
"""The special methods of operators: of the left operand, and reflected of the right one."""

CALLERS: set[Any] = set()
"""`call_pullback` and its forms for some of the slots."""

SPECIAL: dict[Any, Any] = {}
"""Functions that the runtime itself knows: handlers `(*args) -> (y, back)`."""
NESTED: dict[Any, str] = {}
"""Functions that give gradients, and in which form."""

BY_IDENTITY = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
    type,
    np.ufunc,
    type(np.sum),
    type(np.random.random),
)
"""What rules are kept for: hashed by identity, without running code of the user's."""

MAX_SPECS = 200
MAX_ATTEMPTS = 5


def lowered(function: types.FunctionType) -> Function:
    """The untyped IR of a function: its own if it was generated, else from its source."""
    code = function.__code__
    found = generated_ir(code) or _LOWERED.get(code)
    if found is None:
        original = ORIGINALS.get(code)
        if original is None:
            found = lower_code(code, function.__globals__)
        else:
            found = lower_code(original, function.__globals__, initialiser=True)
        _LOWERED[code] = found
    return found


def reads_self(ir: Function) -> bool:
    """Whether a function needs its function object: for what it captures or for defaults."""
    from ..ir.intrinsics import load_global

    own = ir.params[0]

    def read(block: Any) -> bool:
        for s in block.statements:
            by_name = isinstance(getattr(s, "fn", None), Const) and s.fn.value is load_global
            if not by_name and any(a is own for a in atoms_of(s)):
                return True
            if any(read(b) for b in blocks_of(s)):
                return True
        return any(r is own for r in block.results)

    return read(ir.body)


@dataclass(eq=False)
class Spec:
    """One generated rule: a function's code for types of its arguments (the function itself first)."""

    name: str
    types: tuple[Type, ...]
    needs: tuple[bool, ...]
    takes_self: bool
    globals: dict[str, Any] = field(repr=False)
    result_type: Type = BOTTOM
    result_active: bool = False
    done: bool = False
    guards: dict[tuple[int, str], tuple[Any, str, Any]] = field(default_factory=dict, repr=False)
    paths: dict[Any, tuple[int, tuple[str, ...], Type]] = field(default_factory=dict, repr=False)
    uses: set[Spec] = field(default_factory=set, repr=False)
    ir: Function | None = field(default=None, repr=False)
    primal: Function | None = field(default=None, repr=False)
    text: str = field(default="", repr=False)
    rule: Any = None
    program: Any = None
    programs: dict[int | None, Any] = field(default_factory=dict, repr=False)

    def __call__(self, *args: Any) -> Any:
        return self.rule(*args)

    @property
    def __name__(self) -> str:
        return f"{self.name}_rrule"

    def on(self, function: Any, flat: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
        """The rule, and what it is called with."""
        return self.rule, (function, *flat) if self.takes_self else flat

    @functools.cached_property
    def with_self(self) -> Any:
        """The rule as one whose first argument is the function, needed or not."""
        assert self.ir is not None
        return self.rule if self.takes_self else _compiled(self, self.ir, drop_self=False)[0]

    @functools.cached_property
    def without_slot(self) -> Any:
        """The rule of a function that needs no function object, without that in its arguments and cotangents."""
        assert self.ir is not None and not self.takes_self
        return _compiled(self, without_own_bar(self.ir))[0]

    def all(self) -> set[Spec]:
        """This rule and those that it calls."""
        todo, seen = [self], set[Spec]()
        while todo:
            spec = todo.pop()
            if spec not in seen:
                seen.add(spec)
                todo += spec.uses
        return seen

    def all_guards(self) -> dict[tuple[int, str], tuple[Any, str, Any]]:
        """What this rule and those it calls rely on."""
        return {key: guard for spec in self.all() for key, guard in spec.guards.items()}

    def forget(self) -> None:
        """Let go of the values that the guard has been made from."""
        for spec in self.all():
            spec.guards = {}


class World:
    """What specialisation and reversal ask of the rest of the system, during one generation."""

    def __init__(self) -> None:
        self.specs: dict[Any, Spec] = {}
        self.running: list[types.CodeType] = []
        self.plain: set[Any] = set()

    find_rules = staticmethod(find_rules)
    typeof = staticmethod(typeof)

    def generated(self, fn: Any) -> Any:
        """A call of a generated rule, in a program that is itself generated, as one of the function it is."""
        if isinstance(fn, Const) and isinstance(fn.value, Spec) and fn.value.done:
            return Const(fn.value.rule, fn.label)
        return fn

    def is_special(self, f: Any) -> bool:
        """Whether the runtime itself knows how to differentiate `f`."""
        return type(f).__hash__ is not None and (f in SPECIAL or f in CALLERS)

    def overridden(self, f: Any, arg_types: list[Type]) -> bool:
        """Whether `f` is an operator that the class of an operand may define."""
        classes = [getattr(t, "cls", None) for t in arg_types]
        return f in OPERATORS and any(
            cls is not None and cls.__module__ not in ("builtins", "numpy") for cls in classes
        )

    def attribute_rule(self, name: str) -> tuple[bool, Method | None]:
        """Whether an attribute of numbers carries no derivative; the rule of one that does."""
        call = ATTRIBUTES.get(name)
        method = None if call is None else Method(_attribute(call), f"{name}_rule", ("x", "name"), 2, False)
        return name in INACTIVE_ATTRIBUTES, method

    def lower(self, context: Context, function: Any) -> Function:
        """The untyped IR of a callee: a function, or the type of one that is made by the caller."""
        if isinstance(function, Fn):
            return lowered(types.FunctionType(function.code, function.scope, closure=_cells(function.code)))
        return lowered(function)

    def callee(
        self,
        context: Context,
        function: Any,
        arg_types: tuple[Type, ...],
        needs: tuple[bool, ...],
        examples: tuple[Any, ...] = (),
    ) -> Spec | None:
        """The generated rule of a callee, made if need be; None if it is not to be called directly."""
        if isinstance(function, Fn):
            function = types.FunctionType(function.code, function.scope, closure=_cells(function.code))
        records = any(example is not NO_EXAMPLE for example in examples)
        if records and function.__code__ in self.running:
            return None  # a tree of records is walked along at run time
        try:
            spec = self.spec(function, arg_types, needs, examples if records else ())
        except AdjointError:
            return None  # met again, with its place, if the call is ever reached
        if not spec.done and spec is not context.caller:
            return None  # mutual recursion: the other function is found when the program runs
        context.caller.uses.add(spec)
        return spec

    def spec(
        self,
        function: types.FunctionType,
        arg_types: tuple[Type, ...],
        needs: tuple[bool, ...],
        examples: tuple[Any, ...] = (),
        whole: bool = False,
    ) -> Spec:
        """Generate the rule of `function` for these types; as a `whole`, the program that gives value and cotangents at
        once."""
        known = tuple(id(example) for example in examples if example is not NO_EXAMPLE)
        key = (function.__code__, id(function.__globals__), arg_types, needs, known)
        if key in self.specs:
            return self.specs[key]
        if len(self.specs) > MAX_SPECS:
            raise AdjointError("too many specialisations in one generation")
        ir = lowered(function)
        spec = Spec(ir.name, arg_types, needs, reads_self(ir), function.__globals__)
        self.specs[key] = spec
        self.running.append(function.__code__)
        typed = self._specialise(spec, ir, arg_types, needs, examples)
        self.running.pop()
        spec.primal = typed
        if generated_ir(function.__code__) is None:  # what is generated stores where its original did
            own = ORIGINALS.get(function.__code__) is not None
            check_ownership(typed, Readers(lowered, spec.guards), typed.params[1:2] if own else ())
        rules = Rules(Const(knot(), "pullback"), _needing, self.partials, find_rules)
        spec.ir = reverse_differentiate(typed, rules, needs, generated_ir(function.__code__) is not None)
        if not whole or spec in spec.uses:
            spec.rule, spec.text = _compiled(spec, spec.ir)
        if whole:
            spec.program, spec.text = _compiled(spec, gradient_program(spec.ir, spec.name))
        spec.done = True
        return spec

    def gradient(
        self,
        context: Context,
        function: Any,
        arg_types: tuple[Type, ...],
        needs: tuple[bool, ...],
        component: int | None,
    ) -> tuple[Any, bool] | None:
        """The program of a function's gradient, and whether it takes the function object; None if there is none."""
        if isinstance(function, Fn):
            function = types.FunctionType(function.code, function.scope, closure=_cells(function.code))
        try:
            sig = lowered(function).signature
            if sig.varargs or sig.varkw or sig.kwonly or len(lowered(function).params) != len(arg_types):
                return None  # defaults, or arguments by name: they are bound at run time
            spec = self.spec(function, arg_types, needs)
        except AdjointError:
            return None
        if not spec.done or spec.ir is None:
            return None
        context.caller.uses.add(spec)
        if component not in spec.programs:
            apart = any(part.primal is None or shares(part.primal) for part in spec.all())
            spec.programs[component], _ = _compiled(spec, gradient_program(spec.ir, spec.name, component, apart))
        return spec.programs[component], spec.takes_self

    def about_gradients(self, f: Any) -> bool:
        """Whether a function makes or gives gradients."""
        return isinstance(f, types.FunctionType) and f in NESTED

    def makes_gradient(self, f: Any) -> str | None:
        """ "grad" or "value_and_grad", for these functions."""
        form = NESTED.get(f) if isinstance(f, types.FunctionType) else None
        return form if form in ("grad", "value_and_grad") else None

    def nested(self, f: Any) -> Gradient | None:
        """What a call of `f` asks for, if `f` gives gradients."""
        if isinstance(f, types.FunctionType) and NESTED.get(f) in ("gradient", "withgradient"):
            return Gradient(None, NESTED[f])
        return None

    def _specialise(
        self, spec: Spec, ir: Function, arg_types: Any, needs: tuple[bool, ...], examples: tuple[Any, ...]
    ) -> Function:
        for attempt in range(MAX_ATTEMPTS):
            if attempt == MAX_ATTEMPTS - 1:
                spec.result_type, spec.result_active = UNKNOWN, True
            context = Context(self, ir, spec.globals, spec)
            typed = Specialiser(context).run(arg_types, needs, examples)
            found = type_of(typed.result), is_active(typed.result)
            spec.guards, spec.paths = context.guards, context.paths
            # A recursive function is read again until what it says of itself is what it assumed.
            if found == (spec.result_type, spec.result_active) or attempt == MAX_ATTEMPTS - 1:
                break
            spec.result_type, spec.result_active = found
            if spec not in spec.uses:
                break
        return typed

    def is_users(self, f: types.FunctionType) -> bool:
        """Whether a function is the user's own, not one of a library."""
        return (f.__module__ or "").partition(".")[0] not in _LIBRARIES and "-packages" not in f.__code__.co_filename

    def read(self, context: Context, function: Any, t: Fn, arg_types: list[Type]) -> Function | None:
        """The typed IR of a function that is called plainly, with the types of its arguments as far as they are known;
        None if it is known already."""
        ir = self.lower(context, function)
        n = len(ir.params)
        all_types = (t, *arg_types, *(UNKNOWN,) * n)[:n]
        if (t.code, all_types) in self.plain or len(self.plain) > MAX_SPECS:
            return None
        self.plain.add((t.code, all_types))
        scope = t.scope if isinstance(function, Fn) else function.__globals__
        return Specialiser(Context(self, ir, scope, plain=True)).run(all_types, (False,) * len(all_types))

    def partials(self, method: Method) -> Function:
        """The IR of a scalar rule's partials."""
        if method.partials not in _PARTIALS:
            function: Any = method.partials
            ir = lowered(function)
            context = Context(self, ir, function.__globals__)
            n = len(ir.params)
            _PARTIALS[function] = Specialiser(context).run((UNKNOWN,) * n, (False,) * n)
        return _PARTIALS[method.partials]


def _compiled(spec: Spec, ir: Function, drop_self: bool | None = None) -> tuple[Any, str]:
    drop_self = not spec.takes_self if drop_self is None else drop_self
    emitted = emit(ir, drop_self=drop_self)
    made = load(emitted, globals=spec.globals, filename=spec.name, user_filename=ir.filename)
    for cell in made.__closure__ or ():
        if cell.cell_contents is spec:  # it calls itself: without a frame in between
            cell.cell_contents = made if ir is spec.ir and spec.rule is None else spec.rule
    register(made, ir, emitted.names, drop_self, frozenset(emitted.links))
    log.debug("generated %s for (%s)", ir.name, ", ".join(map(repr, spec.types)))
    return made, emitted.text


@functools.cache
def _attribute(rule: Any) -> Any:
    """The rule of an attribute as one of `getattr(x, name)`."""

    def attribute_rule(x: Any, name: str) -> Any:
        y, back = rule(x)

        def attribute_back(y_bar: Any) -> Any:
            return (*back(y_bar), None)

        return y, attribute_back

    attribute_rule.__name__ = rule.__name__
    return attribute_rule


def _needing(needs: tuple[bool, ...]) -> Const:
    """`pullback` for some of the slots only."""
    from .dispatch import needing

    return Const(needing(needs), None)


def _cells(code: types.CodeType) -> tuple[types.CellType, ...]:
    return tuple(types.CellType() for _ in code.co_freevars)


__all__ = ["LOCK", "Spec", "World", "lowered"]

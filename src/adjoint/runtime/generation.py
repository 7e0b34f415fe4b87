"""One generation: rules, callees, gradients and types, as specialisation and reversal ask for them."""

from __future__ import annotations

import types
from typing import Any

from ..errors import AdjointError
from ..frontend import rebound_globals
from ..identity import IdentityMap, is_hashable
from ..ir.nodes import Const, Function
from ..ir.types import BOTTOM, UNKNOWN, Fn, Known, Record, Type
from ..origin import is_mixin, is_ours, is_read, is_users
from ..rules.knots import knot, pullback_for
from ..rules.numpy.attributes import MEMORY_ATTRIBUTES
from ..rules.outside import settled_rules
from ..rules.registry import find_rules
from ..rules.rulesets import Method
from ..transforms.base_cases import with_base_cases
from ..transforms.calls import Rules
from ..transforms.confined import check_confined
from ..transforms.context import Context
from ..transforms.facts import NO_EXAMPLE
from ..transforms.heap import settled
from ..transforms.inactive_calls import check_paths
from ..transforms.infer import without_label
from ..transforms.lifted import parts_of
from ..transforms.memory import Memory
from ..transforms.memory import settled as settled_type
from ..transforms.nested import Gradient, gradient_program
from ..transforms.objects import ANY
from ..transforms.ownership import check_ownership
from ..transforms.readers import Readers
from ..transforms.resizing import resized
from ..transforms.results import given_by
from ..transforms.reverse import reverse_differentiate
from ..transforms.specialise import Specialiser
from ..transforms.tables import by_rows
from ..transforms.unseen import found_at_run_time
from .acting import Reading
from .asking import with_questions
from .attribute_rules import attribute_rule
from .calling import held_and_called
from .computing import settled_reading
from .forms import lowered_in_form
from .generated import generated_ir, is_derivative, type_of_closure
from .implicit_calls import CALLED, calls_may_change, may_be_made, may_change, stores, stores_as_key
from .implicit_values import check_named, check_seen
from .kinds import limits_of
from .listing import listing
from .overriding import is_ruled, may_be_own, operator_methods, overridden
from .profiles import Profile
from .pushed import Pushed
from .spec import (
    CALLERS,
    MAX_ATTEMPTS,
    MAX_CYCLE,
    MAX_LABELLED,
    MAX_NESTED,
    MAX_REPEATS,
    MAX_SPECS,
    NESTED,
    ORIGINALS,
    SPECIAL,
    Spec,
    compiled,
    lowered,
    reads_self,
)
from .typeof import function_of, type_changed, typeof
from .varying import Varying

_PARTIALS: dict[Any, Function] = {}
GRADIENTS: IdentityMap[tuple[tuple[Any, tuple[bool, ...], int | None, bool], Spec]] = IdentityMap()
"""By the code of a program of gradients: of which function, by which slots, which alone, and if it takes itself; and
the rule of the function."""


class Generation:
    """The rest of the system, as specialisation and reversal ask it of the system, during one generation."""

    def __init__(
        self,
        only_primal: bool = False,
        in_memory: bool = False,
        profile: Profile | None = None,
        loose: frozenset[str] = frozenset(),
        varying: Varying | None = None,
        writes: bool = False,
        memory: Memory | None = None,
    ) -> None:
        """With `only_primal` no rules are made: typed programs are asked for; with `in_memory` arrays are memory, where
        all see what is stored; with `writes` the outermost program may change its arguments; with `memory` objects are
        references. What fields with `loose` names hold is not known."""
        self.only_primal, self.in_memory, self.writes = only_primal, in_memory, writes
        self.profile, self.memory = profile, memory
        self.varying = varying or Varying()
        self.specs, self.open = dict[Any, Spec](), list[Spec]()
        self.assumed, self.repeats = set[Spec](), 0
        self.plain: dict[Any, bool] = {}
        self.computing: dict[Reading, Type] = {}
        self.loose, self.loosening, self.fields = loose, set[str](), set[str]()

    find_rules = staticmethod(find_rules)
    settled_rules: Any = staticmethod(settled_rules)
    listing: Any = staticmethod(listing)
    type_changed: Any = staticmethod(type_changed)
    type_of_closure: Any = staticmethod(type_of_closure)

    def typeof(self, value: Any, settles: bool = True) -> Type:
        """The type of a value; with `memory` one of which objects are references, if it `settles`."""
        t = typeof(value, mixed=self.memory is not None)
        return t if self.memory is None or not settles else settled_type(self.memory, t)

    def generated(self, fn: Any) -> Any:
        """A call of a generated rule, in a program that is itself generated, as one of the function it is."""
        value: Any = getattr(fn, "value", None)
        done = value.rule if isinstance(value, Spec) and value.done else None
        return fn if done is None and not isinstance(value, Pushed) else Const(done or value.spec.push, fn.label)

    def rebinds(self, function: Function, scope: dict[str, Any], name: str) -> bool:
        """Tell whether a global name may be bound anew while a function of its file runs."""
        return name in rebound_globals(function.filename, scope)

    def is_special(self, f: Any) -> bool:
        """Tell whether the runtime itself knows how to differentiate `f`."""
        return is_hashable(f) and (f in SPECIAL or f in CALLERS)

    attribute_rule: Any = staticmethod(attribute_rule)
    pushes: Any = staticmethod(lambda f: False)  # whether it gives tangents of calls: `runtime.frules` says it
    overridden: Any = staticmethod(overridden)
    operator_methods: Any = staticmethod(operator_methods)
    may_be_own: Any = staticmethod(may_be_own)
    is_ruled: Any = staticmethod(is_ruled)
    about_gradients: Any = staticmethod(lambda f: isinstance(f, types.FunctionType) and f in NESTED)
    leads_to_memory: Any = staticmethod(lambda name: name in MEMORY_ATTRIBUTES)  # of arrays
    stored_fields: Any = staticmethod(lambda cls, n, names: None)  # of a new object: `runtime.fields` says it
    is_ordinary: Any = staticmethod(lambda cls: False)  # may objects be taken for their fields? said there as well
    is_followed = says_attributes = is_ordinary
    gradient: Any = None  # the program of a gradient, and of a derivative by a number: `runtime.nesting` says them
    derivative: Any = None
    may_be_made: Any = staticmethod(may_be_made)
    dataclass_fields: Any = staticmethod(lambda cls, n, names: None)  # of a new object of one
    kept_in: Any = None  # the fields in which objects keep earlier results: `runtime.remembering` says it
    names_stored: Any = staticmethod(lambda cls: frozenset())  # under which methods of a class store; said there

    @property
    def contradicted(self) -> frozenset[str]:
        """The names of fields that were taken for known, and that plain calls store into."""
        return frozenset(self.fields if ANY in self.loosening else self.fields & self.loosening) - self.loose

    def lower(self, context: Context, function: Any, *form: Any) -> Function:
        """The untyped IR of a callee, or of the type of one, in a form that `forms` says."""
        return lowered_in_form(function_of(function) if isinstance(function, Fn) else function, *form)

    def may_be_inlined(self, context: Context, function: Any, surely: bool) -> bool:
        """Tell whether a function, or one of this type, may be written out where it is called: both were written by
        people, in one file, and see the same names; `surely`, if it has to be, in any file that is looked into."""
        code = function.code if isinstance(function, Fn) else function.__code__
        if self.only_primal and not surely or context.caller is None or is_ours(code.co_filename):
            return False
        near = self.scope_of(function) is context.globals and code.co_filename == context.function.filename
        made = generated_ir(code) is not None or generated_ir(context.caller.code) is not None
        near = near or surely and (self.reads(code.co_filename) or is_mixin(code))
        return near and not made and ORIGINALS.get(code) is None

    def scope_of(self, function: Any) -> dict[str, Any]:
        """The globals of a function, or of one of this type."""
        found: dict[str, Any] = function.scope if isinstance(function, Fn) else function.__globals__
        return found

    def check_seen(self, context: Context, function: Any, types: list[Type]) -> None:
        """Refuse a function that names what Python may run by itself, and that may store."""
        own = function_of(function) if isinstance(function, Fn) else function
        context.caller.barred += check_seen(own, types, self.memory is not None)

    def callee(
        self,
        context: Context,
        function: Any,
        arg_types: tuple[Type, ...],
        needs: tuple[bool, ...],
        examples: tuple[Any, ...] = (),
        growing: tuple[int, ...] = (),
    ) -> Spec | None:
        """The generated rule of a callee, made if need be; None if it is not to be called directly. The lists of its
        `growing` parameters may grow once it has returned."""
        if context.caller is None:
            return None  # what is only read calls nothing by its rule
        function = function_of(function) if isinstance(function, Fn) else function
        records = any(example is not NO_EXAMPLE for example in examples)
        apart = generated_ir(function.__code__) is None  # what is made captures by position
        nested = sum(spec.code is function.__code__ for spec in self.open)
        if nested or sum(key[0] is function.__code__ for key in self.specs) >= MAX_LABELLED:
            arg_types = tuple(map(without_label, arg_types))  # one program for all texts and flags
        most, far = (1, 0) if records else limits_of(arg_types, MAX_NESTED, MAX_CYCLE)
        if nested >= most:
            return None  # a tree of records, or arguments that nest deeper with each call: found at run time
        try:
            spec = self.spec(function, arg_types, needs, examples if records else (), False, growing, apart)
        except AdjointError:
            return None  # met again, with its place, if the call is ever reached
        if not spec.done:
            near = not records and spec in self.open[-far:] and self.repeats < MAX_REPEATS
            if spec is not context.caller and not near:
                return None  # mutual recursion through many functions: found when the program runs
            self.assumed.add(spec)
        context.caller.uses.add(spec)
        return spec

    def spec(
        self,
        function: types.FunctionType,
        arg_types: tuple[Type, ...],
        needs: tuple[bool, ...],
        examples: tuple[Any, ...] = (),
        whole: bool = False,
        growing: tuple[int, ...] = (),
        apart: bool = False,
    ) -> Spec:
        """Generate the rule; as a `whole`, one that gives cotangents at once; `apart`, those of captures one by one."""
        known = tuple(id(example) for example in examples if example is not NO_EXAMPLE)
        parts = parts_of(arg_types[0]) if apart and needs[0] and reads_self(lowered(function)) else ()
        key = (function.__code__, id(function.__globals__), arg_types, needs, known, growing, parts)
        if key in self.specs:
            return self.specs[key]
        if len(self.specs) > MAX_SPECS:
            raise AdjointError("too many specialisations in one generation")
        ir = lowered(function)
        written = generated_ir(function.__code__) is None
        barred = check_seen(function, arg_types, self.memory is not None) if written else []
        spec = Spec(ir.name, arg_types, needs, reads_self(ir), function.__code__, function.__globals__, growing=growing)
        spec.is_called, spec.writes = bool(self.open), self.writes and not self.open
        spec.parts, spec.barred = parts, barred
        self.specs[key] = spec
        self.open.append(spec)
        try:
            self._generate(spec, function, ir, examples, whole)
        except AdjointError:
            self.drop_users(spec)
            raise
        finally:
            self.open.pop()
        return spec

    def _generate(
        self, spec: Spec, function: types.FunctionType, ir: Function, examples: tuple[Any, ...], whole: bool
    ) -> None:
        try:
            typed = self._checked(spec, function, ir, examples)
        except AdjointError:
            if not spec.is_virtual or spec.makes_classes:
                raise
            spec.real = None  # with objects for all that was taken for its fields, others may be right
            typed = self._checked(spec, function, ir, examples)
        if generated_ir(function.__code__) is None and not (self.only_primal or is_ours(ir.filename)):
            typed, spec.computes = with_questions(with_base_cases(typed, spec), self.computing)
        spec.primal, spec.unseen, spec.computing = typed, False, self.computing
        if self.only_primal:
            spec.done = True
            return
        spec.unseen = found_at_run_time(typed.body.statements, settled_rules)
        rules = Rules(Const(knot(), "pullback"), _needing, self.partials, find_rules, settled_rules)
        again = is_derivative(function.__code__)
        spec.ir = reverse_differentiate(by_rows(typed), rules, spec.needs, again, spec.parts, spec.is_called)
        if not whole or spec in self.assumed:
            spec.rule, spec.text = compiled(spec, spec.ir)
        if whole:
            spec.program, spec.text = compiled(spec, gradient_program(spec.ir, spec.name), releases=True)
        spec.done = True

    def _checked(self, spec: Spec, function: types.FunctionType, ir: Function, examples: tuple[Any, ...]) -> Function:
        """The typed program, whose stores nobody else can see."""
        typed = self._specialise(spec, ir, examples)
        check_named(typed.body, spec.barred)
        check_paths(typed, [names[-1] for _, names, _ in spec.paths.values() if names], spec.guards, spec.set)
        ours = function.__globals__.get("__name__", "").startswith("adjoint.rules.")
        if generated_ir(function.__code__) is None and not ours:  # what is generated stores where its original did
            own = typed.params[1:2] if ORIGINALS.get(function.__code__) is not None else ()
            typed = check_ownership(typed, Readers(lowered, spec.guards), own, self.in_memory)
        typed = resized(typed)
        if self.memory is not None:
            check_confined(typed, find_rules, len(self.open) == 1, stores_as_key, self.memory.steady)
        return typed

    def makes_gradient(self, f: Any) -> str | None:
        """ "grad" or "value_and_grad", for these functions."""
        form = NESTED.get(f) if isinstance(f, types.FunctionType) else None
        return form if form in ("grad", "value_and_grad") else None

    def nested(self, f: Any) -> Gradient | None:
        """Gradient that a call of `f` asks for, if `f` gives gradients."""
        if isinstance(f, types.FunctionType) and NESTED.get(f) in ("gradient", "withgradient"):
            return Gradient(None, NESTED[f])
        return None

    def _specialise(self, spec: Spec, ir: Function, examples: tuple[Any, ...]) -> Function:
        for attempt in range(MAX_ATTEMPTS):
            if attempt == MAX_ATTEMPTS - 1:
                spec.result_type, spec.result_active = UNKNOWN, True
            spec.uses = set()
            own = generated_ir(spec.code) is not None or is_ours(ir.filename)
            profile, real = (None, None) if own else (self.profile, spec.real)
            context = Context(self, ir, spec.globals, spec, spec.growing, spec.writes, profile=profile, real=real)
            typed = settled(lambda: Specialiser(context).run(spec.types, spec.needs, examples), context)  # noqa: B023
            found = given_by(typed, spec.needs)
            if found[0] == BOTTOM and context.waits and all([used.done or used is spec for used in spec.uses]):
                found = UNKNOWN, True  # no end of the recursion has been seen so far
            spec.guards, spec.paths = context.guards, context.paths
            spec.set, spec.written = context.set, context.written
            # A recursive function is read again until what it says of itself is what was assumed of it.
            if found == (spec.result_type, spec.result_active) or attempt == MAX_ATTEMPTS - 1:
                break
            spec.result_type, spec.result_active = found
            if spec not in self.assumed:
                break
            self.drop_users(spec)
            self.repeats += 1
        return typed

    def drop_users(self, spec: Spec) -> None:
        """Forget what relied on a function before it was read to its end."""
        if spec in self.assumed:
            self.specs = {k: other for k, other in self.specs.items() if other in self.open or spec not in other.all()}

    def reads(self, filename: str) -> bool:
        """Tell whether code of a file is read as the user's is: where objects are memory, that of no library is."""
        return is_users(filename) if self.memory is not None else is_read(filename)

    def stores(self, f: Any, called: bool = False) -> bool:
        """Tell whether a function (or one of this type) stores into what it did not make, or may do so: of one that is
        surely `called`, calls of what is not known count."""
        unknown = CALLED if called else True
        if isinstance(f, Fn):
            if f.scope is None:
                return False
            captured = dict(zip(f.code.co_freevars, f.captures, strict=False))
            run = held_and_called(f.code, f.scope, captured, f.defaults, dict(f.keywords)) if called else []
            if not all([isinstance(t, (Fn, Known, Record)) for t in run]):
                return True
            inner = [t for t in captured.values() if isinstance(t, Fn) or t in run]
            classes = tuple([t.cls for t in captured.values() if isinstance(t, Record)])
            return stores(function_of(f), classes, unknown) or any([self.stores(t, called) for t in inner])
        if isinstance(f, Record):
            return calls_may_change(f.cls, unknown)
        return may_change(f.value if isinstance(f, Known) else f, unknown=unknown)

    def read(self, context: Context, function: Any, t: Fn, arg_types: list[Type]) -> tuple[Function | None, bool, Any]:
        """The typed IR of a function that is called plainly, for types as far as they are known; whether it calls what
        its code does not tell all of; and its key in `plain`. Of a function that has been read there is no IR."""
        ir = self.lower(context, function)
        key = t.code, (t, *arg_types, *(UNKNOWN,) * len(ir.params))[: len(ir.params)]
        if key in self.plain or len(self.plain) > MAX_SPECS:
            return None, self.plain.get(key, True), key
        self.plain[key] = False  # while it is being read: it is what the rest of it is
        scope = t.scope if isinstance(function, Fn) else function.__globals__
        plain = Context(self, ir, scope, plain=True, set=context.set)
        try:
            typed = settled_reading(lambda: Specialiser(plain).run(key[1], (False,) * len(ir.params)), self, key)
        except AdjointError:
            self.plain[key] = True
            raise
        context.guards.update(plain.guards)
        return typed, plain.unsure, key

    def partials(self, method: Method) -> Function:
        """The IR of a scalar rule's partials."""
        if method.partials not in _PARTIALS:
            function: Any = method.partials
            context = Context(self, lowered(function), function.__globals__)
            n = len(context.function.params)
            _PARTIALS[function] = Specialiser(context).run((UNKNOWN,) * n, (False,) * n)
        return _PARTIALS[method.partials]


def _needing(needs: tuple[bool, ...]) -> Const:
    return Const(pullback_for(*needs), None)

"""Generated rules, and what is known of functions by identity: their lowered code, operators, special handlers."""

from __future__ import annotations

import builtins
import functools
import logging
import operator
import threading
import types
from dataclasses import dataclass, field
from types import CellType, CodeType
from typing import Any

from ..codegen import Emitted, emit, load
from ..depth import with_room
from ..frontend import lower_code
from ..frontend.texts import take_text_of
from ..identity import IdentityMap
from ..ir.intrinsics import load_global
from ..ir.nodes import Atom, Block, Call, Closure, Const, Function, Loop, Var, atoms_of, blocks_of
from ..ir.types import BOTTOM, UNKNOWN, Type
from ..rules.registry import check_rule_came_along
from ..tangents.data import is_of_data
from ..tangents.sweep import ASSUMING, thread
from ..transforms.facts import Dynamic
from ..transforms.lifted import Parts
from ..transforms.memory import Memory
from ..transforms.nested import without_own_bar
from ..transforms.reuse import copies_by_rule, copies_in_loop, in_place, reads_grown
from ..transforms.summary import Summary, summarise
from ..transforms.uses import calls_of
from .acting import Reading, acts_itself, asks, asks_before_acting, calls_of_users, calls_unseen, watches
from .around import looks_around
from .generated import generated_ir, register
from .looking import looks_for_fields
from .refusing import no_rule

log = logging.getLogger("adjoint")
LOCK = threading.RLock()

_LOWERED: IdentityMap[Function] = IdentityMap()
"""The untyped IR of functions, by their code."""
ORIGINALS: IdentityMap[tuple[types.CodeType, bool]] = IdentityMap()
"""Code of an `__init__` as a function that gives its object, to the code it was made from, and whether it constructs:
a call of the class runs it, which takes no result of it."""

OPERATORS: dict[Any, tuple[str, str | None]] = {}
"""The special methods of operators: of the left operand, and reflected of the right one."""

CALLERS: set[Any] = set()
"""`call_pullback` and its forms for some of the slots."""

STEPS: set[Any] = set()
"""Those that are steps, or are for integers: of numbers they have no derivative."""

COMPARISONS = frozenset([operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne])

SPECIAL: dict[Any, Any] = {}
"""Functions that the runtime itself knows: handlers `(*args) -> (y, back)`."""
NESTED: dict[Any, str] = {}
"""Functions that give gradients, and in which form."""

MAX_SPECS = 200
MAX_ATTEMPTS = 5
MAX_NESTED = 4
MAX_LABELLED = 8
"""Programs of one function, in one generation, after which texts and flags that it is given are not told apart."""
MAX_CYCLE = 3
MAX_REPEATS = 40


def lowered(function: types.FunctionType) -> Function:
    """The untyped IR of a function: its own if it was generated, else from its source."""
    code = function.__code__
    found = generated_ir(code) or _LOWERED.get(code)
    if found is None:
        check_rule_came_along(function)
        take_text_of(function)
        if is_of_data(function):
            raise no_rule(function)
        original = ORIGINALS.get(code)
        if original is None:
            found = lower_code(code, function.__globals__)
        else:
            found = lower_code(original[0], function.__globals__, initialiser=True, constructs=original[1])
        _LOWERED[code] = found
    return found


def remember_lowered(code: CodeType, ir: Function) -> None:
    """Let code be read as this program, not from its text."""
    _LOWERED[code] = ir


def reads_self(ir: Function) -> bool:
    """Tell whether a function needs its function object: for what it captures or for defaults."""
    own = ir.params[0]

    def read(block: Any) -> bool:
        for s in block.statements:
            by_name = isinstance(getattr(s, "fn", None), Const) and s.fn.value is load_global
            if not by_name and own in atoms_of(s):
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
    code: CodeType = field(repr=False)
    globals: dict[str, Any] = field(repr=False)
    growing: tuple[int, ...] = ()
    """The places of parameters whose lists may grow once the function has returned."""
    parts: Parts = ()
    """The captures of the function, where the rule gives a cotangent of each in place of that of the function."""
    writes: bool = False
    """True if the program may change its arguments: it works on copies, and writes into them in the end."""
    written: builtins.set[tuple[Any, ...]] = field(default_factory=builtins.set)
    """The places of those that it changes, and of what it changes in them."""
    memory: Memory = field(default_factory=Memory, repr=False)
    """Types of the fields of references, in a program that has some."""
    entry: Any = field(default=None, repr=False)
    """Questions about these before it runs."""
    result_type: Type = BOTTOM
    result_active: bool = False
    done: bool = False
    unseen: bool = True
    copying: bool = False
    asked: bool = False
    is_called: bool = False
    """True if only programs of its generation call the rule: of a number it gives a cotangent in any case."""
    known: Summary | None = field(default=None, repr=False)
    guards: dict[tuple[int, str], tuple[Any, str, Any]] = field(default_factory=dict, repr=False)
    paths: dict[Any, tuple[Any, tuple[Any, ...], Any]] = field(default_factory=dict, repr=False)
    set: dict[str, Any] = field(default_factory=dict, repr=False)
    inits: builtins.set[CodeType] = field(default_factory=builtins.set, repr=False)
    """The code of each `__init__` that only stores, and stands in the program as these stores."""
    barred: list[type] = field(default_factory=list, repr=False)
    """Classes that are named in the source, and of which the program may make no object."""
    real: builtins.set[Any] | None = field(default_factory=builtins.set, repr=False)
    """Calls that give objects that others see, of those that might be their fields alone; None where all are
    objects."""
    is_virtual: bool = False
    """True if objects are taken for their fields."""
    makes_classes: bool = False
    """True if these are of classes that are made inside, and can be taken for nothing else."""
    computing: dict[Reading, Any] = field(default_factory=dict, repr=False)
    """Readings of the functions that are called plainly, and only compute."""
    uses: builtins.set[Spec] = field(default_factory=builtins.set, repr=False)
    waiting: list[CellType] = field(default_factory=list, repr=False)
    ir: Function | None = field(default=None, repr=False)
    primal: Function | None = field(default=None, repr=False)
    text: str = field(default="", repr=False)
    rule: Any = None
    program: Any = None
    programs: dict[Any, Any] = field(default_factory=dict, repr=False)
    push: Any = NotImplemented
    push_text: str = field(default="", repr=False)
    unable: str = ""
    computes: bool = False
    """True if it was seen before that the program does nothing else, without what it calls."""
    profile: Any = field(default=None, repr=False)
    """Types that results were seen to have, where the program notes that or takes it for granted."""
    generic: Spec | None = field(default=None, repr=False)
    """The program that takes nothing for granted, of one that does."""

    def __call__(self, *args: Any) -> Any:
        return self.rule(*args)

    @property
    def __name__(self) -> str:
        return f"{self.name}_rrule"

    def on(self, function: Any, flat: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
        """The rule, and what it is called with."""
        return self.rule, (function, *flat) if self.takes_self else flat

    @property
    def is_for_known(self) -> bool:
        """Tell whether the guard says of each argument what it is."""
        return UNKNOWN not in self.types[1:]

    @functools.cached_property
    @with_room
    def resolved(self) -> bool:
        """Tell whether nothing in the program, and in those that it calls, is left to be found when it runs."""
        return all(spec.primal is not None and not waits(spec.primal.body) for spec in self.all())

    @functools.cached_property
    @with_room
    def has_effects(self) -> bool:
        """Tell whether the program, or one that it calls, may do more than to compute: print, draw, remember."""
        return any(map(acts_itself, self.all()))

    @functools.cached_property
    @with_room
    def acts_unasked(self) -> bool:
        """Tell whether the program, or one that it calls, does more than to compute, and does not ask before."""
        return self.has_effects and any(
            [not asks_before_acting(spec.primal) and acts_itself(spec) for spec in self.all()]
        )

    @property
    def all_written(self) -> builtins.set[tuple[Any, ...]]:
        """The places of what the program changes, or the one that takes nothing for granted."""
        return self.written if self.generic is None else self.written | self.generic.written

    @functools.cached_property
    @with_room
    def looks_around(self) -> bool:
        """True if the program, or one that it calls, may get hold of what is neither an argument nor made by it."""
        primals = [spec.primal for spec in self.all()]
        return not self.resolved or any([primal is None or looks_around(primal.body) for primal in primals])

    @functools.cached_property
    @with_room
    def sees_only_arguments(self) -> bool:
        """True if the program, and those that it calls, read nothing but arguments, functions where they stand, and the
        variables that this function itself captures."""
        others = [spec.primal for spec in self.all() - {self}]
        if self.primal is None or looks_around(self.primal.body, True, self.primal.params[0]):
            return False
        return self.resolved and not any([p is None or looks_around(p.body, numbers=True) for p in others])

    @functools.cached_property
    @with_room
    def looked_into(self) -> list[Any]:
        """The modules and classes of which the program, or one that it calls, reads attributes as it runs."""
        calls = [s for spec in self.all() if spec.primal is not None for s in calls_of(spec.primal.body.statements)]
        read = [s.args[0] for s in calls if isinstance(s.fn, Const) and s.fn.value is getattr]
        return [*{id(a.value): a.value for a in read if isinstance(a, Const)}.values()]

    @functools.cached_property
    @with_room
    def only_computes(self) -> bool:
        """True if a second run is as the first, whatever is called: all of that is known, and none is a user's rule."""
        if not self.resolved or self.has_effects or self.calls_unseen:
            return False
        return not any(calls_of_users(spec.primal.body) for spec in self.all() if spec.primal is not None)

    @functools.cached_property
    @with_room
    def calls_unseen(self) -> bool:
        """True if the program, or one that it calls, calls what only the run shows to compute."""
        return any(calls_unseen(spec.primal.body) for spec in self.all() if spec.primal is not None)

    @property
    def allowed(self) -> Spec:
        """The program itself in a run that may be done again; in any other the one that takes nothing for granted."""
        return self if self.generic is None or thread.state.trial is ASSUMING else self.generic

    @functools.cached_property
    def asks(self) -> bool:
        """Tell whether it depends on the run whether the program may be called."""
        return self.generic is not None or self.has_effects

    @functools.cached_property
    def may_be_refused(self) -> bool:
        """Tell whether the program may be refused on its way: for what is found then, or what a plain call changed."""
        primals = [spec.primal.body for spec in self.all() if spec.primal is not None]
        return self.generic is not None or not self.resolved or any(watches(b) or asks(b) for b in primals)

    @functools.cached_property
    @with_room
    def copies(self) -> bool:
        """True if a loop of the program, or of one that it calls, copies a container in each round to store an item."""
        primals = [s.primal.body for s in self.all() if s.primal is not None]
        return any(s.copying for s in self.all()) or any(reads_grown(b) or copies_by_rule(b) for b in primals)

    @functools.cached_property
    @with_room
    def looks_for_fields(self) -> bool:
        """True if a loop of the program, or a function that it calls, looks for fields of what only the run shows."""
        inner = [spec.primal.body for spec in self.all() - {self} if spec.primal is not None]
        own = [] if self.primal is None else [s.body for s in self.primal.body.statements if isinstance(s, Loop)]
        return any(map(looks_for_fields, (*inner, *own)))

    @property
    def printed(self) -> Function:
        """The rule's program as it is printed."""
        assert self.ir is not None
        return in_place(self.ir)[0]

    @functools.cached_property
    def with_self(self) -> Any:
        """The rule as one whose first argument is the function, needed or not."""
        assert self.ir is not None
        return self.rule if self.takes_self else compiled(self, self.ir, drop_self=False)[0]

    @functools.cached_property
    def without_slot(self) -> Any:
        """The rule of a function that needs no function object, without that in its arguments and cotangents."""
        assert self.ir is not None and not self.takes_self
        return compiled(self, without_own_bar(self.ir))[0]

    @property
    def summary(self) -> Summary | None:
        """Effects of the function on its arguments, found when first asked; None while that is not known."""
        if self.primal is not None and not self.asked:
            self.asked = True  # a function that calls itself is not known to itself
            self.known = summarise(self.primal)
        return self.known

    def all(self) -> builtins.set[Spec]:
        """This rule and those that it calls."""
        todo, seen = [self], builtins.set[Spec]()
        while todo:
            spec = todo.pop()
            if spec not in seen:
                seen.add(spec)
                todo += spec.uses
        return seen

    def all_guards(self) -> dict[tuple[int, str], tuple[Any, str, Any]]:
        """Assumptions of this rule and those it calls."""
        return {key: guard for spec in self.all() for key, guard in spec.guards.items()}

    def all_paths(self) -> dict[Any, tuple[Any, tuple[Any, ...], Any]]:
        """Assumptions of this rule and those it calls on what is found from global names on."""
        paths = {key: path for spec in self.all() for key, path in spec.paths.items()}
        return {key: path for key, path in paths.items() if not isinstance(path[0], int)}

    def forget(self) -> None:
        """Let go of the values that the guard has been made from."""
        for spec in self.all():
            spec.guards = {}


def waits(block: Block) -> bool:
    """Tell whether a program finds something when it runs: what it makes a function of, a call of that tells."""
    inner = [s for s in block.statements if not isinstance(s, Closure)]
    return any([isinstance(s, Call) and isinstance(s.how, Dynamic) or any(map(waits, blocks_of(s))) for s in inner])


def emitted_in_place(
    spec: Spec, ir: Function, drop_self: bool | None = None, releases: bool = False
) -> tuple[Emitted, Function, dict[Var, Atom]]:
    """The text of IR that is of a rule; the IR with stores in place, of which it is, and what stands in it for versions
    that are gone."""
    printed, same = in_place(ir)
    drop_self = not spec.takes_self if drop_self is None else drop_self
    named = {*spec.code.co_varnames, *spec.code.co_cellvars}
    of_ours = (lambda name: name not in named) if releases else None
    return emit(printed, drop_self=drop_self, releases=of_ours), printed, same


@with_room
def compiled(
    spec: Spec, ir: Function, drop_self: bool | None = None, forward: bool = False, releases: bool = False
) -> tuple[Any, str]:
    """The program of IR, and its text. One that `releases` lets go of arrays that the user has not named."""
    drop_self = not spec.takes_self if drop_self is None else drop_self
    emitted, printed, same = emitted_in_place(spec, ir, drop_self, releases)
    spec.copying = spec.copying or not forward and copies_in_loop(printed.body)
    own = spec.code.co_qualname
    made = load(emitted, globals=spec.globals, filename=spec.name, user_filename=ir.filename, qualname=own)
    first = ir is spec.ir and spec.rule is None
    for cell in made.__closure__ or ():
        called = cell.cell_contents
        if isinstance(called, Spec):  # a function calls itself, or one that calls it: without a frame in between
            if called.rule is None and not (called is spec and first):
                called.waiting.append(cell)
            else:
                cell.cell_contents = made if called is spec and first else called.rule
    while first and spec.waiting:
        spec.waiting.pop().cell_contents = made
    names = {**emitted.names, **{v: emitted.names[w] for v, w in same.items() if w in emitted.names}}
    register(made, ir, names, drop_self, frozenset(emitted.links))
    log.debug("generated %s for (%s)", ir.name, ", ".join(map(repr, spec.types)))
    return made, emitted.text

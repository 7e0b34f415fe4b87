"""Context of a specialisation: the protocol of the runtime, and what is known of the function besides its IR."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..ir.nodes import Function, Var
from ..ir.types import Fn, Type
from .facts import Exactly


class Generation(Protocol):
    """Questions of specialisation to the runtime."""

    only_primal: bool  # the typed programs are all that is wanted: nothing is kept, and no call is made plainly
    writes: bool  # the outermost program may change its arguments
    plain: dict[Any, bool]
    """Whether functions that are called plainly may store into what is not their own."""
    computing: dict[Any, Type]
    """Types of what those give that only compute, by their code and the types of themselves and of their arguments."""
    loose: frozenset[str]
    """The names of fields of which it is not known what they hold: plain calls store into them."""
    loosening: set[str]
    """Those that were met on the way."""
    fields: set[str]
    """The names of fields of which it was taken for known what they hold."""

    memory: Any
    """What the fields of objects hold that others may have; None where these are values."""

    open: list[Any]
    varying: Any
    """The types and the values that fields of objects were found to have, in all programs of one kind of call."""

    def find_rules(self, f: Any) -> Any: ...
    def settled_rules(self, f: Any) -> Any: ...
    def typeof(self, value: Any, settles: bool = True) -> Type: ...
    def type_changed(self, value: Any) -> Type | None: ...
    def generated(self, fn: Any) -> Any: ...
    def rebinds(self, function: Function, scope: Any, name: str) -> bool: ...
    def is_special(self, f: Any) -> bool: ...
    def overridden(self, f: Any, arg_types: list[Type]) -> bool: ...
    def operator_methods(self, f: Any) -> tuple[tuple[str, ...], str | None]: ...
    def stored_fields(
        self, cls: type, n: int, names: tuple[str, ...]
    ) -> tuple[tuple[str, int | None, Any], ...] | None: ...
    def scope_of(self, function: Any) -> dict[str, Any]: ...
    def is_ordinary(self, cls: type) -> bool: ...
    def is_followed(self, cls: type) -> bool: ...
    def says_attributes(self, cls: Any) -> bool: ...
    def may_be_made(self, cls: type) -> bool: ...
    def is_ruled(self, cls: type) -> bool: ...
    def dataclass_fields(self, cls: type, n: int, names: tuple[str, ...]) -> Any: ...
    def kept_in(self, cls: type) -> Any: ...
    def names_stored(self, cls: type) -> frozenset[str]: ...
    def may_be_own(self, f: Any, arg_types: list[Type], tested: bool = False) -> bool: ...
    def attribute_rule(self, name: str) -> tuple[bool, Any]: ...
    def leads_to_memory(self, name: str) -> bool: ...
    def lower(self, context: Any, function: Any, *form: Any) -> Function: ...
    def may_be_inlined(self, context: Any, function: Any, surely: bool) -> bool: ...
    def check_seen(self, context: Any, function: Any, types: list[Type]) -> None: ...
    def callee(
        self,
        caller: Any,
        fn: Any,
        types: tuple[Type, ...],
        needs: tuple[bool, ...],
        examples: tuple[Any, ...] = (),
        growing: tuple[int, ...] = (),
    ) -> Any: ...
    def reads(self, filename: str) -> bool: ...
    def listing(self, function: Any) -> Any: ...
    def stores(self, f: Any, called: bool = False) -> bool: ...
    def read(self, caller: Any, fn: Any, t: Fn, types: list[Type]) -> tuple[Function | None, bool, Any]: ...
    def about_gradients(self, f: Any) -> bool: ...
    def makes_gradient(self, f: Any) -> str | None: ...
    def pushes(self, f: Any) -> bool: ...
    def nested(self, f: Any) -> Any: ...
    def type_of_closure(self, function: Function, held: dict[Var, Type], scope: dict[str, Any]) -> Type: ...
    def derivative(self, caller: Any, fn: Any, types: tuple[Type, ...], order: int) -> tuple[Any, bool] | None: ...
    def gradient(
        self, caller: Any, fn: Any, types: tuple[Type, ...], needs: tuple[bool, ...], component: int | None
    ) -> tuple[Any, bool] | None: ...


@dataclass
class Context:
    """Facts about the function besides its IR."""

    generation: Generation
    function: Function
    globals: dict[str, Any]
    caller: Any = None
    growing: tuple[int, ...] = ()
    """The places of parameters whose lists may grow once the function has returned."""
    writes: bool = False
    """Whether the program may change its arguments."""
    real: Any = None
    """The calls that make objects which others see; None where no object is taken for its fields."""
    grows: bool = False
    """Whether lists that virtual objects hold grow."""
    collects: bool = False
    """Lists grow of what generators give, which nobody has meanwhile."""
    stores: bool = False
    """Whether functions that are written out where they are called store into fields."""
    written: set[tuple[Any, ...]] = field(default_factory=set)
    """The places of what it changes: the number of a parameter, then the names of fields."""
    handed: dict[Function, set[Any]] = field(default_factory=dict)
    """By the function that makes it, memory that is handed to others which store into it."""
    started: set[Any] = field(default_factory=set)
    """The calls that make generators which begin there, before anybody asks for an item."""
    uses: dict[Function, Any] = field(default_factory=dict)
    """How the functions that are read use their variables: the same each time that they are read."""
    groups: dict[Any, Any] = field(default_factory=dict)
    """Empty displays that become lists of objects, and what these are: `groups` says it."""
    standing: set[Any] | None = field(default_factory=set)
    """The loops and places where objects stand for arguments that they begin with; None where none may."""
    sites: dict[Any, Any] = field(default_factory=dict)
    """Where the items of objects are made that are dicts or lists, by where these are made."""
    plain: bool = False
    """Whether the function is only read, for what it stores into."""
    guards: dict[tuple[int, str], tuple[Any, str, Any]] = field(default_factory=dict)
    paths: dict[Any, tuple[Any, tuple[Any, ...], Any]] = field(default_factory=dict)
    """What it relies on of what is found from a parameter or a global name on: its type, its length, or that it is not
    there."""
    set: dict[str, Any] = field(default_factory=dict)
    """The attributes that plain calls set, and where."""
    profile: Any = None
    """What calls gave whose result only the run shows; None where nothing is noted, and nothing taken for granted."""
    waits: bool = False
    """Whether it takes something for granted: that it gives nothing may mean that its end has not been seen yet."""
    thrown: int = 0
    """The number of exceptions met so far that are followed to their handlers."""
    unsure: bool = False
    """Whether there are plain calls of which their code does not tell what they store into."""

    def require(self, what: str, found: bool) -> None:
        """Have the program read again, if something was found that has to be known of it from the beginning."""
        if found and not getattr(self, what):
            setattr(self, what, True)
            raise Again

    def rely(self, param: Any, names: tuple[Any, ...], t: Type | range | Exactly) -> None:
        """Rely on the type of what is found there, on how many items it has, or on its value."""
        kind = t if isinstance(t, range) else "value" if isinstance(t, Exactly) else None
        self.paths[param, names, kind] = param, names, t

    def follow(self, function: Function, v: Any) -> None:
        """Have the program read again, with the memory that a variable stands for followed from where it is made."""
        if v not in self.handed.setdefault(function, set()):
            self.handed[function].add(v)
            raise Again

    def start(self, site: Any) -> None:
        """Have the program read again, with a generator that begins where it is made."""
        if site not in self.started:
            self.started.add(site)
            raise Again

    def begin(self, sites: Iterable[Any], form: Any, anew: bool = False) -> None:
        """Have the program read again, with lists that begin at these sites as lists of objects; `anew` where they have
        begun in another form."""
        new = {site: form for site in sites if site not in self.groups or anew and self.groups[site] != form}
        if new:
            self.groups.update(new)
            raise Again


class Again(Exception):
    """Something was found that holds for the whole program, which is read again."""

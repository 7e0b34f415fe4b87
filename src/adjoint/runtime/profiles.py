"""What calls gave whose result only the run shows, and programs that take it for granted, each time checked.

A program with such calls *observes*: it notes the type of each result. When the call from outside is over, the program
is forgotten, and the next one is made for the types that were seen, with a check behind each of these calls. Where a
result is of another type the run is abandoned (`Mispredicted`), what was taken for granted is widened, and the run is
done again by the program that takes nothing for granted. So only runs are made this way which may be done again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir import intrinsics
from ..ir.nodes import Const, Var
from ..ir.types import (
    BOTTOM,
    NONE,
    UNKNOWN,
    Array,
    Bottom,
    Dict,
    Inert,
    Keyed,
    List,
    Maybe,
    Scalar,
    Tuple,
    Type,
    Unknown,
    join,
)
from .typeof import guard_of_type, typeof

MAX_GENERATIONS = 3
"""How many programs note what is not known, before those that are made only rely on what is."""
MAX_PROGRAMS = 8
MAX_KINDS = 3
MAX_SITES = 200


class Mispredicted(BaseException):
    """A result is of another type than was taken for granted; raised through the program, to the call from outside."""

    def __init__(self, site: Site) -> None:
        super().__init__("a result is of another type than before")
        self.site = site


class Site:
    """A call of which only the run shows what it gives, and what it has given so far."""

    __slots__ = ("checks", "kinds", "profile", "type")

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.type: Type = BOTTOM
        self.kinds: tuple[Type, ...] = ()
        self.checks: tuple[Callable[[Any], bool], ...] = ()

    def note(self, value: Any) -> None:
        """Note the type of a result."""
        t = typeof(value)
        if t in self.kinds or self.type == UNKNOWN:
            return
        self.kinds = (*self.kinds, t)
        joined = join(self.type, t)
        known = is_checked(t) and is_checked(joined) and len(self.kinds) <= MAX_KINDS
        self.type = joined if known else UNKNOWN
        self.checks = tuple(map(guard_of_type, self.kinds)) if known else ()
        self.profile.note()

    def holds(self, value: Any) -> bool:
        """Whether a result is of a type that has been seen."""
        return any([check(value) for check in self.checks])

    def check(self, value: Any) -> None:
        """Abandon the run if a result is of another type."""
        if not self.holds(value):
            self.note(value)
            raise Mispredicted(self)


class Profile:
    """The sites of one program and of those that are generated with it, by where they stand. The program is kept in
    `table` under `key`."""

    def __init__(self, table: Any, key: Any) -> None:
        self.table, self.key = table, key
        self.sites: dict[Any, Site] = {}
        self.generations = 0
        self.has_news = False
        self.assumes = False
        """Whether the program that was made last takes anything for granted."""
        self.generic: Any = None
        """The program that takes nothing for granted, with its guard."""

    def begin(self) -> None:
        """Another program is made."""
        self.generations += 1
        self.has_news = self.assumes = False

    def note(self) -> None:
        """Something new has been seen."""
        if not self.has_news:
            self.has_news = True
            NEWS.append(self)

    def foresee(self, key: Any, value: Var) -> tuple[Type, tuple[Const, Const] | None]:
        """The type of what is made at a place of the program, and what is to be called with it then."""
        t = value.type
        if not is_vague(t) or key not in self.sites and len(self.sites) >= MAX_SITES:
            return t, None
        site = self.sites.setdefault(key, Site(self))
        none = site.type == NONE and value.active
        if site.type == UNKNOWN or value.active and not (none or site.type.differentiable):
            return t, None
        if site.type == BOTTOM or none:
            return t, (OBSERVE, Const(site)) if self.generations <= MAX_GENERATIONS else None
        self.assumes = True
        return site.type, (EXPECT, Const(site))

    @property
    def is_worth_another(self) -> bool:
        """Whether another program is to be made: of what has been seen since the last one, or of less than that."""
        return self.assumes or any([site.type not in (BOTTOM, UNKNOWN) for site in self.sites.values()])

    @property
    def is_exhausted(self) -> bool:
        """Whether so many programs were made that nothing is taken for granted any more."""
        return self.generations >= MAX_PROGRAMS


def is_vague(t: Type) -> bool:
    """Whether a type leaves open what the value is made of."""
    if isinstance(t, Tuple):
        return any(map(is_vague, t.items))
    if isinstance(t, Keyed):
        return any([is_vague(u) for _, u in t.entries])
    if isinstance(t, List | Dict):
        return is_vague(t.item)
    return isinstance(t, Unknown) or isinstance(t, Array) and t.ndim is None


def is_checked(t: Type) -> bool:
    """Whether a value of a type is told by a quick look at it: numbers, arrays, and what holds just these."""
    if isinstance(t, Tuple):
        return t.cls is tuple and all(map(is_checked, t.items))
    if isinstance(t, Keyed):
        return all([is_checked(u) or isinstance(u, Inert) for _, u in t.entries])
    if isinstance(t, List | Dict):
        return not isinstance(t.item, Bottom) and is_checked(t.item)
    if isinstance(t, Array):
        return t.kind in "fc" and bool(t.dtype)
    if isinstance(t, Maybe):
        return is_checked(t.item)
    return isinstance(t, Scalar | Bottom) or t == NONE


NEWS: list[Profile] = []
"""Of which something new has been seen."""
OBSERVE, EXPECT = Const(intrinsics.observe), Const(intrinsics.expect)

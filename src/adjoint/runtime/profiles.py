"""Profiles: result types that only the run shows, and speculation on them, checked each time.

A program with such calls *observes*: it notes the type of each result. When the call from outside is over, the program
is forgotten, and the next one is made for the types that were seen, with a check behind each of these calls. Where a
result is of another type the run is abandoned (`Mispredicted`), what was taken for granted is widened, and the run is
done again by the program that takes nothing for granted. So only runs are made this way which may be done again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..errors import Abandoned
from ..ir import intrinsics
from ..ir.lattice import join
from ..ir.nodes import Const, Var
from ..ir.types import (
    BOOL,
    BOTTOM,
    COMPLEX,
    FLOAT,
    INT,
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
    Variadic,
)
from .conditions import guard_of_type
from .typeof import MAX_TUPLE, typeof

MAX_GENERATIONS = 3
"""Number of programs that note what is not known, before those that are made only rely on what is."""
MAX_PROGRAMS = 8
MAX_KINDS = 3
MAX_SITES = 200
MAX_KNOWN = 8
"""Items up to which a tuple of any length is taken for one of just this length: loops over that are written out."""


class Mispredicted(Abandoned):
    """A result is of another type than was taken for granted; raised through the program, to the call from outside."""

    def __init__(self) -> None:
        super().__init__("a result is of another type than before")


class Seen(NamedTuple):
    """The types of the results of a call so far, and their join: UNKNOWN where no quick look tells them."""

    type: Type = BOTTOM
    kinds: tuple[Type, ...] = ()


class Site:
    """A call of which only the run shows what it gives."""

    __slots__ = ("profile", "seen")

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.seen = Seen()

    def __repr__(self) -> str:
        return "site"

    def note(self, value: Any) -> None:
        """Note the type of a result."""
        t, seen = _quick_type(value), self.seen
        if t in seen.kinds or seen.type == UNKNOWN:
            return
        kinds, joined = (*seen.kinds, t), join(seen.type, t)
        known = is_checked(t) and is_checked(joined) and len(kinds) <= MAX_KINDS and not _mixes(seen.type, t)
        self.seen = Seen(joined if known else UNKNOWN, kinds)
        self.profile.note()


def _mixes(a: Type, b: Type) -> bool:
    """Tell whether what is true or false stands in one of two types where a number that moves stands in the other."""
    if isinstance(a, Tuple) and isinstance(b, Tuple):
        return any([_mixes(x, y) for x, y in zip(a.items, b.items, strict=False)])
    return Bottom not in (type(a), type(b)) and (a == BOOL) != (b == BOOL)


_EXACT: dict[Type, type] = {BOOL: bool, INT: int, FLOAT: float, COMPLEX: complex}


class Expectation:
    """The types that one program takes for granted at a site: what others see later does not change them."""

    __slots__ = ("checks", "exact", "site")

    def __init__(self, site: Site, kinds: tuple[Type, ...]) -> None:
        self.site = site
        self.exact = _EXACT.get(kinds[0]) if len(kinds) == 1 else None
        """The class that says it all, if one does."""
        self.checks = tuple(map(guard_of_type, kinds))

    def check(self, value: Any) -> None:
        """Abandon the run if a result is of another type."""
        for check in self.checks:
            if check(value):
                return
        self.site.note(value)
        raise Mispredicted


class Profile:
    """The sites of one program and of those that are generated with it, by where they stand. The program is kept in
    `table` under `key`."""

    def __init__(self, table: Any, key: Any) -> None:
        self.table, self.key = table, key
        self.sites: dict[Any, Site] = {}
        self.generations = 0
        self.has_news = False
        self.assumes = False
        """True if the program that was made last takes anything for granted."""
        self.observes = False
        """True if it notes anything."""
        self.generic: Any = None
        """The program that takes nothing for granted, with its guard."""
        self.joined: Any = None
        """Types that it takes varying fields to have: so do all others, for they give way to it."""

    def begin(self) -> None:
        """Another program is made."""
        self.generations += 1
        self.has_news = self.assumes = self.observes = False

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
        seen = site.seen  # by one look: other threads note
        none = seen.type == NONE and value.active
        if seen.type == UNKNOWN or value.active and not (none or seen.type.differentiable):
            return t, None
        if isinstance(t, Variadic) and isinstance(seen.type, Tuple) and len(seen.type.items) > MAX_KNOWN:
            return t, None
        if seen.type == BOTTOM or none:
            self.observes = self.generations <= MAX_GENERATIONS
            return t, (OBSERVE, Const(site)) if self.observes else None
        self.assumes = True
        return seen.type, (EXPECT, Const(Expectation(site, seen.kinds)))

    @property
    def is_exhausted(self) -> bool:
        """True if so many programs were made that nothing is taken for granted any more."""
        return self.generations >= MAX_PROGRAMS


def is_vague(t: Type) -> bool:
    """Tell whether a type leaves open what the value is made of."""
    if isinstance(t, Tuple):
        return any(map(is_vague, t.items))
    if isinstance(t, Keyed):
        return any([is_vague(u) for _, u in t.entries])
    if isinstance(t, (List, Dict)):
        return is_vague(t.item)
    return isinstance(t, (Unknown, Variadic)) or isinstance(t, Array) and t.ndim is None


def is_checked(t: Type) -> bool:
    """Tell whether a value of a type is told by a quick look at it: numbers, arrays, and what holds just these."""
    if isinstance(t, Tuple):
        return t.cls is tuple and all(map(is_checked, t.items))
    if isinstance(t, Keyed):
        return all([is_checked(u) or isinstance(u, Inert) for _, u in t.entries])
    if isinstance(t, Array):
        return t.kind in "fc" and bool(t.dtype)
    if isinstance(t, Maybe):
        return is_checked(t.item)
    return isinstance(t, (Scalar, Bottom)) or t == NONE


def _quick_type(value: Any) -> Type:
    """The type of a result, without a look at each item of a list or a dict: their items are sites of their own."""
    cls = type(value)
    if cls is tuple:
        return Tuple(tuple(map(_quick_type, value))) if len(value) <= MAX_TUPLE else UNKNOWN
    return typeof(value) if cls in _QUICK or issubclass(cls, np.generic) else UNKNOWN


_QUICK = frozenset([float, int, complex, bool, type(None), np.ndarray])
NEWS: list[Profile] = []
"""Profiles of which something new has been seen."""
OBSERVE, EXPECT = Const(intrinsics.observe), Const(intrinsics.expect)

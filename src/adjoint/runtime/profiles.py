"""Profiles: result types that only the run shows, and speculation on them, checked each time.

A program with such calls *observes*: it notes the type of each result. When the call from outside is over, the program
is forgotten, and the next one is made for the types that were seen, with a check behind each of these calls. Where a
result is of another type the run is abandoned (`Mispredicted`), what was taken for granted is widened, and the run is
done again by the program that takes nothing for granted. So only runs are made this way which may be done again.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
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
    Record,
    Scalar,
    Tuple,
    Type,
    Unknown,
    Variadic,
)
from .conditions import guard_of_type
from .kinds import MAX_KINDS as MAX_SPLIT
from .kinds import Held, Place, kind_of
from .typeof import MAX_TUPLE, typeof

MAX_GENERATIONS = 5
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

    __slots__ = ("kinds", "place", "profile", "seen")

    def __init__(self, profile: Profile, place: Place | None = None) -> None:
        self.profile, self.place = profile, place
        self.seen = Seen()
        self.kinds: tuple[Type, ...] = ()
        """Kinds of the results so far, by which what they are given to is split; with UNKNOWN it is not."""

    def __repr__(self) -> str:
        return "site"

    def note(self, value: Any) -> None:
        """Note the type of a result, and of which kind it is."""
        self.note_kind(kind_of(value))
        self.note_type(_quick_type(value))

    def note_kind(self, kind: Type) -> None:
        """Note a kind of results."""
        if kind not in self.kinds and UNKNOWN not in self.kinds:
            self.kinds = (*self.kinds, kind if len(self.kinds) < MAX_SPLIT else UNKNOWN)
            if self.place not in (None, (list,), (dict,)):  # those say nothing of whose items they are
                self.profile.learned.setdefault(self.place, {})[kind] = None
            self.profile.note()

    def note_type(self, t: Type) -> None:
        """Note a type of results."""
        seen = self.seen
        if t not in seen.kinds and seen.type != UNKNOWN:
            self.seen = _seen_with(seen, t)
            self.profile.note()

    def begin_with(self, kinds: Iterable[Type]) -> None:
        """Take it for seen that results are of these kinds."""
        for kind in kinds:
            self.kinds = (*self.kinds, kind)
            if self.seen.type != UNKNOWN:
                self.seen = _seen_with(self.seen, kind)


def _seen_with(seen: Seen, t: Type) -> Seen:
    """A record of the results seen, with one more type."""
    kinds, joined = (*seen.kinds, t), join(seen.type, t)
    known = is_checked(t) and is_checked(joined) and len(kinds) <= MAX_KINDS and not _mixes(seen.type, t)
    return Seen(joined if known else UNKNOWN, kinds)


def _mixes(a: Type, b: Type) -> bool:
    """Tell whether what is true or false stands in one of two types where a number that moves stands in the other."""
    if isinstance(a, Tuple) and isinstance(b, Tuple):
        return any([_mixes(x, y) for x, y in zip(a.items, b.items, strict=False)])
    return Bottom not in (type(a), type(b)) and (a == BOOL) != (b == BOOL)


TEXT = Inert(str)
_EXACT: dict[Type, type] = {BOOL: bool, INT: int, FLOAT: float, COMPLEX: complex, TEXT: str}


def _exact_class(t: Type) -> type | None:
    """The class that tells values of a type, if it does."""
    if isinstance(t, Record):
        return t.cls
    return list if t == List(UNKNOWN) else dict if t == Dict(UNKNOWN) else _EXACT.get(t)


class Expectation:
    """The types that one program takes for granted at a site: what others see later does not change them."""

    __slots__ = ("checks", "exact", "site")

    def __init__(self, site: Site, kinds: tuple[Type, ...]) -> None:
        self.site = site
        self.exact = _exact_class(kinds[0]) if len(kinds) == 1 else None
        """The class that says it all, if one does."""
        self.checks = tuple(map(guard_of_type, kinds))

    def check(self, value: Any) -> None:
        """Abandon the run if a result is of another type."""
        for check in self.checks:
            if check(value):
                return
        self.site.note(value)
        raise Mispredicted


class OfClass:
    """The check that an object has no attribute of a name itself, which its class has."""

    __slots__ = ("absent", "profile")

    def __init__(self, profile: Profile, name: str) -> None:
        self.profile, self.absent = profile, name

    def __call__(self, value: Any) -> None:
        if self.absent in value.__dict__:
            self.profile.hidden.add(self.absent)
            self.profile.note()
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
        self.hidden: set[str] = set()
        """Attributes of classes that objects have themselves."""
        self.learned: dict[Place, dict[Type, None]] = {}
        """Kinds that were read at places, whoever reads there."""
        self.roots: tuple[Any, ...] = ()
        """The values for which a program is made that may take something for granted."""

    def begin(self, roots: tuple[Any, ...] = ()) -> None:
        """Another program is made, for such values."""
        self.generations += 1
        self.roots = roots if self.generic is not None else ()
        self.__dict__.pop("held", None)
        self.has_news = self.assumes = self.observes = False

    def note(self) -> None:
        """Something new has been seen."""
        if not self.has_news:
            self.has_news = True
            NEWS.append(self)

    @functools.cached_property
    def held(self) -> Held:
        """Kinds of what fields and items hold that these reach."""
        return Held(self.roots)

    def site_at(self, key: Any, place: Place | None) -> Site | None:
        """The site at a place of the program; a new one knows what the fields or items hold that are read there."""
        if (site := self.sites.get(key)) is None and len(self.sites) < MAX_SITES:
            site = self.sites[key] = Site(self, place)
            if self.roots and place is not None:
                site.begin_with(dict.fromkeys([*self.held.at(place), *self.learned.get(place, ())]))
        return site

    def foresee(self, key: Any, value: Var, place: Place | None = None) -> tuple[Type, tuple[Const, Const] | None]:
        """The type of what is made at a place of the program, and what is to be called with it then."""
        t = value.type
        if not is_vague(t) or (site := self.site_at(key, place)) is None:
            return t, None
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

    def kinds_at(self, key: Any) -> tuple[Site, tuple[Type, ...]] | None:
        """The site of what is made at a place, and the kinds by which calls that are given it are split; None where
        they are not."""
        site = self.sites.get(key) if self.generic is not None else None
        return None if site is None or not site.kinds or UNKNOWN in site.kinds else (site, site.kinds)

    most = MAX_GENERATIONS

    def granted(self, site: Site, kinds: tuple[Type, ...]) -> tuple[Type, tuple[Const, Const]]:
        """The one kind of what is made at a place, taken for granted, and what is to be called with it."""
        self.assumes = True
        return kinds[0], (EXPECT, Const(Expectation(site, kinds)))

    def expected(self, key: Any, t: Type) -> tuple[Type, tuple[Const, Const]] | None:
        """The type that is taken for granted of what a split call gives in other cases, and what is to be called with
        it; None where that cannot be checked. Where nothing is known of it the run is abandoned."""
        if (site := self.site_at(key, None)) is None or not is_checked(joined := join(t, site.seen.type)):
            return None
        kinds = dict.fromkeys([u for u in (t, *site.seen.kinds) if u != BOTTOM])
        self.assumes = True
        return joined, (EXPECT, Const(Expectation(site, tuple(kinds))))

    def of_class(self, name: str) -> OfClass | None:
        """A check that an attribute of an object is that of its class; None where it was another one, and in the
        program that takes nothing for granted."""
        if self.generic is None or name in self.hidden:
            return None
        self.assumes = True
        return OfClass(self, name)

    def noted(self, site: Site, value: Var) -> tuple[Const, tuple[Any, ...]]:
        """The call that notes of which kind a value is."""
        self.observes = True
        return OBSERVE, (value, Const(site))

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
    return isinstance(t, (Scalar, Bottom)) or t in (NONE, TEXT)


def _quick_type(value: Any) -> Type:
    """The type of a result, without a look at each item of a list or a dict: their items are sites of their own."""
    cls = type(value)
    if cls is tuple:
        return Tuple(tuple(map(_quick_type, value))) if len(value) <= MAX_TUPLE else UNKNOWN
    return typeof(value) if cls in _QUICK or issubclass(cls, np.generic) else UNKNOWN


_QUICK = frozenset([str, float, int, complex, bool, type(None), np.ndarray])
NEWS: list[Profile] = []
"""Profiles of which something new has been seen."""
OBSERVE, EXPECT = Const(intrinsics.observe), Const(intrinsics.expect)

"""The rules of one function, and which of them is for a call: by the types of its arguments."""

from __future__ import annotations

import functools
import inspect
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import numpy as np

from ..errors import RuleError
from ..origin import module_of
from ..tangents.tables import KINDS
from .checked import SAME_PARAMETERS, rule_error
from .faithful import check_faithful, check_hooks
from .opened import opened
from .selection import Accepted, narrowest

OURS = __name__.partition(".")[0] + "."
"""Our own rules are held to the same by tests, not while they run."""

MAX_KINDS = 500
"""Of arguments for which the rule of a function is remembered: classes made while a program runs do not pile up."""


@dataclass(eq=False, slots=True)
class Method:
    """One rule of a function, for the types that its annotations name.

    `call(*args, **kwargs)` gives `(y, back)`. `names` are its positional parameters, `named` those that are
    keyword-only, whose cotangents come after those of all positional arguments, in the order of their declaration.
    `partials` is the source form of a scalar rule. `returns` says what type the result has, in a word of `ops.words`,
    where no operation does (None if that is not known before it runs).
    `linear` are the groups of parameters in each of which the function is linear while the others stay, `silent` those
    that carry no derivative. `direct` are functions (the other argument, ȳ) that give the cotangents of a product's two
    arguments if they are float64 arrays. `bars` says, for what is needed, which function (ȳ, the arguments, y) gives
    the cotangents without a pullback where all arguments are float64 arrays or real numbers. `forward` gives the
    tangent of the result, for the calls that `forward_for` is true of. `program` is a function of Python with the same
    meaning, which forward mode follows.
    """

    call: Callable[..., tuple[Any, Any]]
    name: str
    names: tuple[str, ...]
    required: int
    varargs: bool
    partials: Callable[..., Any] | None = None
    singular: bool = False
    returns: str | None = None
    linear: tuple[tuple[str, ...], ...] = ()
    silent: tuple[str, ...] = ()
    direct: tuple[Any, ...] = ()
    bars: Callable[[tuple[bool, ...]], Any] | None = None
    forward: Callable[..., Any] | None = None
    forward_for: Callable[..., bool] | None = None
    program: Callable[..., Any] | None = None
    named: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        form = getattr(self.call, "form", None) if self.singular else None
        if form is not None:
            self.bars = functools.partial(opened, form)

    def __repr__(self) -> str:
        return f"<rule {self.name}>"

    def unknown(self, keywords: Sequence[str]) -> list[str]:
        """The keywords, of those given, that the rule is not written for."""
        return _unknown(self.call, tuple(keywords)) if keywords else []

    def places(self, n: int, keywords: Sequence[str]) -> list[int]:
        """Places of the cotangents of these keywords, of a call with `n` positional arguments."""
        known = {*self.names, *self.named}
        after = [*self.named, *[name for name in keywords if name not in known]]
        first = max(n, len(self.names))
        return [self.names.index(k) if k in self.names else first + after.index(k) for k in keywords]

    @property
    def linear_in_each(self) -> bool:
        """Tell whether the function is linear in each of all arguments while the others stay: `"*xs*"`."""
        return bool(self.linear) and self.linear[0][0].endswith("*") and self.linear[0][0] != "*"

    @property
    def linear_in_all(self) -> bool:
        """Tell whether it is linear in all of them together: `"*"`, `"*xs"`."""
        return bool(self.linear) and self.linear[0][0].startswith("*") and not self.linear_in_each


@functools.lru_cache(1024)
def _unknown(call: Any, keywords: tuple[str, ...]) -> list[str]:
    parameters = inspect.signature(call).parameters.values()
    users = not inspect.unwrap(call).__module__.startswith(OURS)  # it is told so where it is called
    if users or any(p.kind is p.VAR_KEYWORD for p in parameters):
        return []
    return sorted({*keywords} - {p.name for p in parameters}, key=keywords.index)


def fits(f: Any, n: int, keywords: tuple[str, ...]) -> bool:
    """Tell whether a function takes `n` arguments by position and these keywords, as far as it says what it takes.

    >>> fits(zip, 2, ("strict",)), fits(zip, 2, ("strct",)), fits(max, 1, ("key",))
    (True, False, True)
    """
    if isinstance(f, np.ufunc):
        return _OF_UFUNCS.issuperset(keywords)
    try:
        inspect.signature(f).bind(*(None,) * n, **dict.fromkeys(keywords))
    except ValueError:  # it does not say
        return f not in _KEYWORDS or _KEYWORDS[f].issuperset(keywords)
    except TypeError:
        return False
    return True


def takes(f: Any, n: int) -> bool:
    """Tell whether a function takes `n` arguments by position, as far as it says what it takes.

    >>> takes(sorted, 1), takes(sorted, 2), takes(zip, 5)
    (True, False, True)
    """
    own = type(f) is FunctionType  # what it wraps may take less
    if f is np.arange:
        return True  # it says that `dtype` has to be named, and takes it
    try:
        parameters = [*inspect.signature(f, follow_wrapped=not own).parameters.values()]
    except (ValueError, TypeError):  # it does not say
        return True
    written = own or type(getattr(f, "__wrapped__", None)) is FunctionType
    if any(p.kind is p.VAR_POSITIONAL or p.kind is p.VAR_KEYWORD and not written for p in parameters):
        return True  # methods of arrays hand on all that they are given, by position too
    return n <= sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)


def _raised(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
    """The error of a call with more arguments by position than the function takes."""
    f(*args, **kwargs)
    what = f"the rule of `{getattr(f, '__name__', f)}` is called with {len(args)} positional arguments"
    raise RuleError(what, "by its signature the function takes fewer", "give the last ones by keyword")


_KEYWORDS: dict[Any, frozenset[str]] = {
    **dict.fromkeys((map, filter, range, next, iter, slice, set, frozenset, getattr, vars, dir), frozenset()),
    **dict.fromkeys((functools.reduce, itertools.islice, itertools.chain, math.hypot), frozenset()),
    **dict.fromkeys((max, min), frozenset(["key", "default"])),
    zip: frozenset(["strict"]),
    itertools.zip_longest: frozenset(["fillvalue"]),
    itertools.product: frozenset(["repeat"]),
}
"""What builtins take by keyword that have no signature."""

_OF_UFUNCS = frozenset(
    ["out", "where", "casting", "order", "dtype", "subok", "signature", "sig", "axes", "axis", "keepdims"]
)
"""What ufuncs take by keyword; their arguments they take by position."""


@dataclass(eq=False, slots=True)
class RuleSet:
    """All rules of one function; `differentiable` is False if nothing flows through it, `refusal` says why its
    derivative is not known, where that is so. `is_users` tells whether any of it was declared outside this library."""

    function: Any
    name: str
    differentiable: bool = True
    returns: str | None = None
    refusal: str | None = None
    is_users: bool = False
    _methods: list[tuple[Method, Callable[[], Accepted]]] = field(default_factory=list)
    _cache: dict[tuple[type, ...], Method | None] = field(default_factory=dict)
    _fits: dict[tuple[int, tuple[str, ...]], bool] = field(default_factory=dict)

    @property
    def methods(self) -> list[Method]:
        """The rules, in the order of their declaration."""
        return [method for method, _ in self._methods]

    def add(self, method: Method, accepted: Callable[[], Accepted]) -> None:
        """Add a rule for positional arguments of these types; later ones replace equal ones."""
        self._methods.append((method, accepted))
        self._cache.clear()

    def moved(self, n: int, keywords: tuple[str, ...]) -> tuple[str, ...]:
        """Keywords that name the positional parameters after the first `n`: they are passed by position."""
        for method, _ in self._methods:
            names = method.names[n : max(method.required, n)]
            if names and all(name in keywords for name in names):
                return names
        return ()

    def fits(self, n: int, keywords: tuple[str, ...]) -> bool:
        """Tell whether the function takes `n` arguments by position and these keywords, as far as it says what it
        takes."""
        key = n, keywords
        if key not in self._fits:
            if len(self._fits) > MAX_KINDS:
                self._fits.clear()
            self._fits[key] = fits(self.function, n, keywords)
        return self._fits[key]

    def select(self, types: tuple[type, ...]) -> Method | None:
        """The rule for arguments of these types, or None: then the function is looked into."""
        try:
            return self._cache[types]
        except KeyError:
            found = self._resolve(types)
            if len(self._cache) > MAX_KINDS:
                self._cache.clear()
            self._cache[types] = found
            return found

    def check_number(self, n: int) -> None:
        """Raise `RuleError` if all rules are the user's, and none takes so many positional arguments: they would be
        passed over in silence."""
        accepted = [a() for _, a in self._methods]
        declared = [inspect.unwrap(method.partials or method.call) for method, _ in self._methods]
        if not accepted or any(a.takes(n) for a in accepted) or any(f.__module__.startswith(OURS) for f in declared):
            return
        what = f"takes {accepted[-1].number()}, and is called with {n}"
        raise rule_error(declared[-1], what, *SAME_PARAMETERS)

    def _resolve(self, types: tuple[type, ...]) -> Method | None:
        index = narrowest([accepted() for _, accepted in self._methods], types)
        if index is None:
            return None
        method = self._methods[index][0]
        if len(types) > method.required and not takes(self.function, len(types)):
            return Method(functools.partial(_raised, self.function), f"{self.name}_refused", (), 0, True)
        of_tables = hasattr(method.call, "of_tables")  # they run what the class makes of the function
        ours = (method.call.__module__ or "").partition(".")[0] == "adjoint"
        own = module_of(self.function).startswith(OURS)
        if ours and not own and not of_tables and not KINDS.keys().isdisjoint(types):
            return None  # it is for arrays
        if ours and not of_tables:
            for cls in types:
                check_faithful(cls)
            check_hooks(self.function, types)
        return method

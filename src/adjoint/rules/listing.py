"""Functions that have rules, by the names that users know: for `adjoint rules`, `supports` and `docs/supported`."""

from __future__ import annotations

import builtins
import fnmatch
import functools
import importlib
import inspect
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from ..origin import module_of
from .libraries import NAMES, load_seen
from .registry import RULES, find_rules, key_of
from .rulesets import Method, RuleSet
from .unknown import unknown_by
from .uses import refused_uses

STANDARD = (
    "builtins",
    "math",
    "cmath",
    "operator",
    "itertools",
    "functools",
    "statistics",
    "random",
    "collections",
    "copy",
    "dataclasses",
    "fractions",
    "decimal",
    "time",
    "warnings",
    "logging",
    "io",
)
NUMPY = ("numpy", "numpy.linalg", "numpy.fft", "numpy.random", "numpy.polynomial", "numpy.lib.stride_tricks")
SCIPY = (*NAMES, "scipy.sparse.linalg", "scipy.sparse.csgraph", "scipy.spatial.distance", "scipy.spatial.transform")
"""Modules by whose names functions are known."""

UFUNC = ("reduce", "accumulate", "outer", "at", "reduceat")
"""Methods of NumPy's elementwise functions."""

DISTRIBUTION = ("pdf", "logpdf", "cdf", "logcdf", "sf", "logsf", "ppf", "isf")
"""What the distributions of `scipy.stats` have, which are objects."""


@dataclass(frozen=True)
class Listed:
    """A function with rules: its name and other names, its library and the family of its rules, how it is treated.

    `how` is "partials" for an elementwise function, "rule", "program" (by a function of the same meaning), "constant"
    (nothing flows) or "refused", with the `reason`. `forward` says from what forward mode is made, `linear` in which
    parameters it is linear, `unknown` by which it is refused: no derivative by them is known.
    """

    name: str
    aliases: tuple[str, ...]
    library: str
    family: str
    how: str
    reason: str = ""
    linear: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    key: Any = None

    @property
    def is_known(self) -> bool:
        """True if it is of the standard library, NumPy or SciPy, and not the user's."""
        return self.library in (*STANDARD, "numpy") or self.library.startswith("scipy.")

    @property
    def forward(self) -> str:
        """From what forward mode is made: "partials", "linear" (f itself), "program", "transposed" (the pullback)."""
        if self.how in ("constant", "refused"):
            return ""
        return "linear" if self.linear else {"partials": "partials", "program": "program"}.get(self.how, "transposed")

    @property
    def uses(self) -> tuple[str, ...]:
        """The uses of the function that its rule refuses, in words."""
        methods = RULES[self.key].methods if self.how not in ("constant", "refused") else ()
        return tuple(dict.fromkeys(use for method in methods for use in refused_uses(declared(method))))


def listed(pattern: str = "") -> list[Listed]:
    """All functions with rules, in the order of their names; those that `pattern` is part of, or matches as a glob.

    Functions of `adjoint` itself, of which generated code is made, are not among them. The libraries that have been
    imported by now count.

    >>> [entry.name for entry in listed("numpy.linalg.?r")]
    ['numpy.linalg.qr']
    >>> listed("math.sin")[0].how
    'partials'
    """
    load_seen()
    names = names_by_key()
    found = [describe(key, rules, names) for key, rules in RULES.items() if not _is_ours(rules.function)]
    return sorted([entry for entry in found if matches(entry, pattern)], key=lambda entry: entry.name.lower())


def matches(entry: Listed, pattern: str) -> bool:
    """Tell whether a name of the function has `pattern` in it, or matches it as a glob."""
    if any(sign in pattern for sign in "*?["):
        return any(fnmatch.fnmatchcase(name, pattern) for name in (entry.name, *entry.aliases))
    return any(pattern in name for name in (entry.name, *entry.aliases))


def import_libraries(names: Iterable[str] = SCIPY) -> list[str]:
    """Import libraries, as far as they are installed, so that their rules are loaded; those that are not there."""
    missing = []
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            missing.append(name)
    load_seen()
    return missing


def _is_ours(f: Any) -> bool:
    return module_of(f).partition(".")[0] == "adjoint"


def describe(key: Any, rules: RuleSet, names: dict[Any, list[str]]) -> Listed:
    """The entry of the listing for a function with rules."""
    known = names.get(key) or [name_of(rules.function)]
    method = next(iter(rules.methods), None)
    library = "" if _is_of_another(rules.function, known[0]) else library_of(known[0])
    how = how_of(rules)
    family = family_of(method, library) if how not in ("constant", "refused") and method is not None else ""
    linear = tuple(dict.fromkeys("+".join(group) for method in rules.methods for group in method.linear))
    unknown = tuple(dict.fromkeys(name for method in rules.methods for name in unknown_by(declared(method))))
    return Listed(known[0], tuple(known[1:]), library, family, how, rules.refusal or "", linear, unknown, key)


def _is_of_another(f: Any, name: str) -> bool:
    """Tell whether a function goes by the name of another one, as what `functools.wraps` is told to wrap does."""
    module, _, own = name.rpartition(".")
    there = held(sys.modules.get(module or "builtins"), own)
    return there is not None and there is not f


def how_of(rules: RuleSet) -> str:
    """The way a function is treated; see `Listed`."""
    if not rules.differentiable:
        return "constant"
    methods = [method for method in rules.methods if not (rules.refusal and method.name == f"{rules.name}_refused")]
    if not methods:
        return "refused"
    if any(method.partials is not None for method in methods):
        return "partials"
    return "program" if any(_made_by(method.call) == "composed_rule" for method in methods) else "rule"


def family_of(method: Method, library: str) -> str:
    """The family of rules that a rule belongs to: the name of its module, below that of the library."""
    module: str = declared(method).__module__
    ours = module.removeprefix(f"{__package__}.")
    if ours == module:
        return module
    inner = ours.partition(".")[2] or ours
    return inner.removeprefix(library.partition(".")[2] + ".")


_INNER = {"lifted_rule": "call", "composed_rule": "program", "several_rule": "partials"}
"""What the rules that are made of others call those."""


def declared(method: Method) -> Any:
    """The function that was declared as a rule, as partials, or as a program."""
    found: Any = method.partials or inspect.unwrap(method.call)
    while (inner := _INNER.get(_made_by(found))) is not None:
        cells = dict(zip(found.__code__.co_freevars, found.__closure__, strict=True))
        found = inspect.unwrap(cells[inner].cell_contents)
    return found


def _made_by(call: Callable[..., Any]) -> str:
    code = getattr(call, "__code__", None)
    return code.co_name if code is not None else ""


def library_of(name: str) -> str:
    """The library by whose name a function goes: "scipy.special", "numpy", "math"; "builtins" for what needs no import.

    >>> library_of("scipy.special.gamma"), library_of("numpy.linalg.inv"), library_of("math.sin"), library_of("sum")
    ('scipy.special', 'numpy', 'math', 'builtins')
    """
    first, *rest = name.split(".")
    if first == "scipy" and len(rest) > 1:
        return f"{first}.{rest[0]}"
    return "builtins" if hasattr(builtins, first) else first


def names_by_key() -> dict[Any, list[str]]:
    """The public names of functions and methods, by the key under which their rules are kept, the best one first."""
    found: dict[Any, list[str]] = {}
    for prefix, holder in _holders():
        for name in public(holder):
            try:
                value = held(holder, name)
                value = value.fget if isinstance(value, property) else value
                if callable(value):
                    found.setdefault(key_of(value), []).append(f"{prefix}{name}")
            except TypeError:
                continue  # what is not hashable
    for key, names in found.items():
        first, *others = sorted(dict.fromkeys(names), key=lambda name: _rank(name, key))
        found[key] = [first, *[name for name in others if "._" not in name]]
    return found


def _rank(name: str, key: Any) -> tuple[bool, bool, int, str]:
    """Names as they are written most: without underscores, as the function calls itself, short."""
    last = name.rpartition(".")[2]
    own = getattr(key, "__name__", key[1] if isinstance(key, tuple) else None)
    return last.startswith("_"), last != own, name.count("."), name


def _holders() -> Iterator[tuple[str, Any]]:
    """Modules and classes with the names that lead to what they hold."""
    for name in (*STANDARD, *NUMPY, *SCIPY):
        module = sys.modules.get(name)
        if module is None:
            continue
        prefix = "" if name == "builtins" else f"{name}."
        yield prefix, module
        for inner in public(module):
            value = held(module, inner)
            by_its_name = isinstance(value, type | np.ufunc) and value.__name__ == inner
            if by_its_name or name == "scipy.stats" and hasattr(value, "logpdf"):
                yield f"{prefix}{inner}.", value


def held(holder: Any, name: str) -> Any:
    """The value that a module or a class holds under a name; None for what is there only to say that it is gone, or
    will be."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return getattr(holder, name, None)
    except (TypeError, ImportError, Warning):
        return None


def public(holder: Any) -> list[str]:
    """The names that a module or a class gives out; of classes also the special methods."""
    if isinstance(holder, ModuleType):
        return [name for name in getattr(holder, "__all__", None) or dir(holder) if not name.startswith("_")]
    if isinstance(holder, type):
        return list(vars(holder))
    return list(DISTRIBUTION if hasattr(holder, "pdf") else UFUNC)


def name_of(f: Any) -> str:
    """The name of a function by itself: that by which it is imported, where its module gives it out.

    >>> import numpy as np
    >>> name_of(np.linalg.inv), name_of(np.ndarray.sum), name_of(np.add.reduce), name_of(abs)
    ('numpy.linalg.inv', 'numpy.ndarray.sum', 'numpy.add.reduce', 'abs')
    """
    owner = getattr(f, "__self__", None)
    own: str = getattr(f, "__qualname__", None) or getattr(f, "__name__", None) or type(f).__qualname__
    if owner is not None and not isinstance(owner, ModuleType):
        holder = owner if isinstance(owner, type) or hasattr(owner, "__name__") else type(owner)
        return f"{name_of(holder)}.{getattr(f, '__name__', own)}"
    if (holder := getattr(f, "__objclass__", None)) is not None:
        return f"{name_of(holder)}.{f.__name__}"
    module = module_of(f)
    if type(f) is np.ufunc and not module:
        module = "numpy"
    for public_name in (module.lstrip("_"), module.partition("._")[0]):
        if held(sys.modules.get(public_name), own) is f:
            module = public_name
            break
    return f"{module}.{own}" if module and module != "builtins" else own


def entry_of(f: Any) -> Listed | None:
    """The entry of the listing for one function; None if it has no rules."""
    rules = find_rules(f)
    if rules is None:
        return None
    return describe(key_of(f), rules, _names(len(RULES), len(sys.modules)))


def public_name(f: Any) -> str:
    """The best of the public names of something, with rules or without; `name_of` where it has none."""
    try:
        names = _names(len(RULES), len(sys.modules)).get(key_of(f))
    except TypeError:  # what is not hashable
        names = None
    return names[0] if names else name_of(f)


_names = functools.lru_cache(maxsize=1)(lambda rules, modules: names_by_key())
"""The names, found anew when there are more rules or modules."""

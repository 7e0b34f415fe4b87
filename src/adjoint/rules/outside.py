"""Effects of functions outside of the program: output, input, random draws, settings, and iterators that move on.

A run that is refused half-way is done again only where nothing of this can have happened before. Of a function without
a rule nothing is known: it counts as one that acts, and one that is not listed here runs through what it is given.
"""

from __future__ import annotations

import _random
import builtins
import dis
import functools
import importlib
import inspect
import math
import operator
import types
import warnings
from typing import Any

import numpy as np

from ..classify import classify
from ..identity import is_hashable
from ..ir import changes, checks, exceptions, intrinsics
from ..ir.counters import count_on
from ..ir.operations import VERSION
from ..ir.watch import watched
from ..ops import Effect, World, Write
from ..ops.data import only_reads
from ..ops.draws import DRAWING
from ..ops.questions import OPTIONAL, called_by, possible, writing_names
from ..ops.texts import ASKING_ENVIRONMENT, CALLING, CLASSES, ENVIRONMENT, OF_TEXTS
from ..origin import is_held, module_of
from .python.iteration import KNOWN
from .registry import find_rules

_ACTING_MODULES = frozenset(["logging", "random", "numpy.random", "numpy.random.mtrand"])
"""Modules whose functions draw, or write to a log."""

_STILL = frozenset(
    [
        *(isinstance, issubclass, callable, hasattr, getattr, type, id, hash, len, repr, str, format, ascii),
        *(bool, float, int, complex, abs, round, divmod, pow, slice, range, vars, dir, object),
        *(intrinsics.make_tuple, intrinsics.make_list, intrinsics.make_dict, intrinsics.make_set),
        *(intrinsics.format_value, intrinsics.fstring, intrinsics.is_sequence, intrinsics.is_mapping),
        *(intrinsics.load_global, intrinsics.capture, intrinsics.capture_cell, intrinsics.default),
        *(intrinsics.raise_, intrinsics.gives_entries, intrinsics.runs_once),
        *(exceptions.caught, exceptions.matches, exceptions.swallows, exceptions.raise_again, exceptions.told_of),
        *(exceptions.enter, exceptions.leave, exceptions.give_up, exceptions.let_go, exceptions.lets_pass),
        *(exceptions.opened, exceptions.missing),
        *(intrinsics.observe, intrinsics.expect, intrinsics.check),
        *(checks.check_given, checks.check_lengths, checks.check_several, checks.check_unpacks),
    ]
)
"""Functions that run through none of their arguments."""
_RUNNING_THROUGH = frozenset(
    [
        *(operator.contains, operator.countOf, operator.indexOf, operator.iadd, operator.iconcat, operator.ior),
        *(operator.setitem, operator.call, operator.length_hint),
        *(intrinsics.unpack, intrinsics.not_contains, intrinsics.merge_dicts),
        *(intrinsics.make_function, intrinsics.spread),
        *(intrinsics.dict_from_items, intrinsics.iterate, intrinsics.settled, intrinsics.entries, intrinsics.apply),
        *(
            intrinsics.invoke,
            intrinsics.invoke_whole,
            changes.extended,
            changes.updated,
            changes.set_item,
            changes.stored,
            changes.stored_unseen,
        ),
        *(
            changes.in_place,
            changes.item_in_place,
            changes.call_method,
            changes.call_with,
            changes.changed,
            changes.initialise,
        ),
        *(getattr(math, name, None) for name in ("fsum", "prod", "dist", "sumprod", "hypot")),
    ]
)
"""Functions of `operator`, `math` and the IR that run through an argument, or may."""


_OF_DERIVATIVES = (
    *("api", "gradients", "jacobians", "hessians", "directional", "curvature", "checkpoints", "batching.mapped"),
    *("compat.autograd.operators", "compat.autograd.by_name"),
)
_LISTED = frozenset(
    ["math", "cmath", "_operator", "adjoint.ir.intrinsics", "adjoint.ir.changes", "adjoint.ir.classes"]
    + [f"adjoint.{name}" for name in _OF_DERIVATIVES]
)
"""Modules of functions that run through nothing but what `_RUNNING_THROUGH` names: what the function of a derivative
does is asked where its program runs."""


def acts(f: Any) -> bool:
    """Tell whether a call of a function may do more than compute: print, draw, read on, set; of one without a rule,
    yes.

    >>> import time
    >>> acts(print), acts(math.sin), acts(np.random.normal), acts(time.monotonic)
    (True, False, True, True)
    """
    ours = any([module_of(x).startswith("adjoint.") for x in (f, type(f))])
    if type(f) is type(np.test):
        return True
    if isinstance(f, types.CodeType) or ours:
        return f is watched or f is count_on
    if isinstance(owner := getattr(f, "__self__", None), np.ufunc) and find_rules(owner) is not None:
        return str(f.__name__) == "at"
    c = classify(f)
    if c.kind == "method":
        return isinstance(c.receiver, DRAWING) or acts(getattr(type(c.receiver), f.__name__, None))
    if c.kind == "bound" and type(c.receiver) is ENVIRONMENT:
        return f.__name__ not in ASKING_ENVIRONMENT
    if c.kind in _PASSING or c.kind == "object" and not c.args:
        return isinstance(c.receiver, DRAWING) or c.callee is None or acts(c.callee)
    call = getattr(type(f), "__call__", None)  # noqa: B004 - the method itself is wanted
    plain = issubclass(type(f), type | types.FunctionType)  # what a proxy says of its class is another one's
    if not plain and call is not None and find_rules(call) is not None:
        return acts(call)
    if not is_hashable(f) or find_rules(f) is None:
        return not (_is_known_to_compute(f) or only_reads(f))
    return any([isinstance(e, World) or _is_store(e) for e in possible(f)]) or _is_of_acting(f) or _may_draw(f)


@functools.lru_cache(maxsize=1000)
def _may_draw(f: Any) -> bool:
    """Tell whether a function or class of SciPy's takes a generator of random numbers, and makes one where none is
    given."""
    if not module_of(f).startswith("scipy.") or not isinstance(f, (type, types.FunctionType)):
        return False
    if "." in f.__qualname__ or isinstance(f, type) and not f.__module__.endswith("qmc"):
        return False  # a distribution draws by methods, which are known
    try:
        parameters = inspect.signature(f).parameters
    except (TypeError, ValueError):
        return False
    return any([name in parameters and parameters[name].default is None for name in _GENERATORS])


_GENERATORS = ("rng", "random_state", "seed")


def _is_store(effect: Effect) -> bool:
    """Tell whether an effect writes into what a call is given, not only into an `out` or a memo. An option that
    sorts or fills does the same again."""
    if not isinstance(effect, Write) or effect.how in (VERSION, "advances") or effect.ref in OPTIONAL:
        return False
    return not effect.option or not effect.how


_PASSING = frozenset(["bound", "partial", "static", "cached"])
"""Kinds of what acts if that does to which a call is passed on."""

_VALUES = (
    str,
    bytes,
    int,
    float,
    complex,
    bool,
    tuple,
    frozenset,
    range,
    list,
    dict,
    set,
    np.generic,
    np.ndarray,
    *CLASSES,
)
_COMPUTING = frozenset(
    [functools.lru_cache, functools.cache, functools.wraps, builtins.getattr, importlib.import_module]
    + [warnings.simplefilter, warnings.filterwarnings]  # a filter that is there already is not put twice
)
"""Functions that do nothing which a second call would do again: what is imported once more is there."""
_CLASSES = frozenset(
    ["builtins", "functools", "collections", "itertools", "types", "enum", "fractions", "decimal", "datetime", "numpy"]
)
"""Modules of classes of which making an object is all that a call does."""


def _is_known_to_compute(f: Any) -> bool:
    """Tell whether a function without a rule is known to do nothing else: a class of values, a method of one that
    reads."""
    if isinstance(f, type):
        if f in exceptions.MANAGERS:
            return True
        known = f.__module__ in _CLASSES or f.__module__.startswith("scipy.") and not _may_draw(f)
        return known and is_held(f) or _only_makes(f)
    owner = getattr(f, "__objclass__", None)
    if isinstance(owner, type):
        return issubclass(owner, _VALUES) and f.__name__ not in writing_names() and f not in CALLING
    return is_hashable(f) and (f in _COMPUTING or f in OF_TEXTS and not called_by(f))


def _only_makes(cls: type) -> bool:
    """Tell whether all that a call of a class runs is known: a named tuple, or one without `__new__` and `__init__`."""
    if type(cls).__call__ is not type.__call__:
        return False
    new, init = [next(base for base in type.mro(cls) if name in vars(base)) for name in ("__new__", "__init__")]
    named = issubclass(cls, tuple) and "_fields" in vars(new)
    return (named or new.__module__ in _CLASSES) and init.__module__ in _CLASSES


def _is_of_acting(f: Any) -> bool:
    """Tell whether a function is one of a module, or a method of a class, that acts."""
    if isinstance(f, type):
        return False
    owner = getattr(f, "__objclass__", None) or getattr(f, "__self__", None)
    cls = owner if isinstance(owner, type) else type(owner)
    if issubclass(cls, (*DRAWING, _random.Random)):
        return True
    return module_of(f).partition("._")[0] in _ACTING_MODULES


def runs_through(f: Any) -> bool:
    """Tell whether a function may run through something that it is given, at once or later.

    >>> runs_through(sum), runs_through(zip), runs_through(operator.add), runs_through(isinstance)
    (True, True, False, False)
    """
    if not is_hashable(f):
        return True
    if f in _STILL or isinstance(f, np.ufunc):
        return False
    return module_of(f) not in _LISTED or f in _RUNNING_THROUGH


_NO_ITERATORS = frozenset(
    [float, int, bool, complex, str, list, tuple, dict, np.ndarray, np.float64, types.FunctionType]
)


def is_iterator(x: Any) -> bool:
    """Tell whether something is used up by who runs through it. Those that rules give are made by the program
    itself."""
    cls = type(x)
    return cls not in _NO_ITERATORS and (hasattr(cls, "__next__") or shows_iterator(cls)) and not isinstance(x, KNOWN)


def shows_iterator(cls: type) -> bool:
    """Tell whether the `__iter__` of a class of the user's may give an iterator that was there before: it calls nothing
    that would make one."""
    own = getattr(cls, "__iter__", None)
    return isinstance(own, types.FunctionType) and not _calls(own.__code__)


@functools.lru_cache(maxsize=1000)
def _calls(code: types.CodeType) -> bool:
    return bool(code.co_flags & inspect.CO_GENERATOR) or any("CALL" in s.opname for s in dis.get_instructions(code))


def settled_rules(f: Any) -> Any:
    """The rules of a function that neither acts nor draws from iterators; None of any other."""
    return None if acts(f) or runs_through(f) else find_rules(f)


__all__ = ["DRAWING", "acts", "is_iterator", "runs_through", "settled_rules", "shows_iterator"]

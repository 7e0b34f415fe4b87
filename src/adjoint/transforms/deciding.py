"""Questions that constants and types decide: comparisons, methods of texts, and of which class a value is."""

from __future__ import annotations

import abc
import builtins
import inspect
import operator
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir import intrinsics
from ..ir.made_classes import layout_of_class
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import ABSENT, INT, NONE, Array, Default, Dict, Inert, List, Record, Ref, Scalar, Tuple, Type, Variadic
from . import texts
from .facts import Apart, Exactly, Items
from .infer import representative, type_of
from .virtual_classes import NUMBERS, classes_of, fold_has

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

_PLAIN = (int, str, bool)
"""Classes of constants that are compared as everybody knows."""
_LITERALS = (*_PLAIN, float, complex, bytes, type(None))
"""Classes of constants that say what they are."""


# ---- of which class a value is


def fold_instance(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """`isinstance(x, cls)`, where the class of `x` is known; a metaclass, or a `__class__` of its own, may lie."""
    if len(args) != 2 or kwargs:
        return None
    fact = r.sp.facts.get(args[1])
    atoms = fact.atoms if isinstance(fact, Items) else args[1:]
    own = classes_among(args[0])
    classes: list[Any] = [a.value for a in atoms if isinstance(a, Const)]
    apart = [cls for cls in classes if _is_apart(cls, own)]
    plain = [cls for cls in classes if cls in apart or all([_says_plainly(cls, of) for of in own])]
    if not own or len(plain) < len(atoms):
        return None
    t = type_of(args[0])
    known = {issubclass(cls, tuple(classes)) for cls in own}
    if isinstance(args[0], Var) and isinstance(t, Scalar) and any(map(_is_of_numbers, classes)):
        known = {t == INT and any([all([issubclass(of, cls) for of in _INTEGERS]) for cls in classes]), True}
    if len(known) > 1 or known == {False} and isinstance(args[0], Var) and t == Inert(str):
        return None  # one that counts as a float may be an int, or one of NumPy's; a text of another class is one, too
    for cls in apart:
        r.guard(cls, "register", Apart(_of_builtins(own)))
    return [Const(known.pop())]


def fold_class(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """`type(x)` of an object whose class is known."""
    t: Any = type_of(args[0]) if len(args) == 1 and not kwargs else None
    known = type(t) in (Record, Ref) and layout_of_class(t.cls) is None
    return [Const(t.cls, t.cls.__name__)] if known else None


def _says_plainly(cls: Any, own: type) -> bool:
    """Tell whether a class alone says what its instances are: an abstract one may have others registered."""
    if type(cls) is not abc.ABCMeta:
        return type(cls) is type
    counted = own is int and issubclass(own, cls)  # what has been registered stays so
    return (cls in own.__mro__ or counted) and has_usual_hook(cls)


def _is_apart(cls: Any, own: Collection[type]) -> bool:
    """Tell whether classes of Python's and of NumPy's are not registered as those of an abstract one."""
    if type(cls) is not abc.ABCMeta or not has_usual_hook(cls):
        return False
    return all([of.__module__ in ("builtins", "numpy") for of in own]) and Apart(_of_builtins(own)).holds(cls)


def _of_builtins(own: Collection[type]) -> tuple[type, ...]:
    """The classes that a value may have, if it may have one of these: a number may be another one."""
    return NUMBERS if any([issubclass(of, NUMBERS) for of in own]) else (*own,)


_INTEGERS = (int, bool, np.integer)
"""Classes of what counts as an integer."""


def has_usual_hook(cls: type) -> bool:
    """Tell whether an abstract class leaves it to its metaclass what its subclasses are."""
    return inspect.getattr_static(cls, "__subclasshook__") is object.__dict__["__subclasshook__"]


def _is_of_numbers(cls: type) -> bool:
    """Tell whether a number may be an instance of a class: of Python's, of NumPy's, or of what they derive from."""
    return any([issubclass(cls, of) or issubclass(of, cls) for of in (int, float, complex, np.number, np.bool_)])


def classes_among(a: Atom) -> Collection[type]:
    """The classes of which a value may be; of a number one of those that it may have. None where any is possible."""
    if isinstance(a, Const):
        return (type(a.value),) if type(a.value) in _LITERALS else ()
    t: Type = type_of(a)
    if isinstance(t, Record):
        return (t.cls,) if inspect.getattr_static(t.cls, "__class__") is object.__dict__["__class__"] else ()
    if isinstance(t, Array):
        return classes_of(t)
    if isinstance(t, (Scalar, Tuple, Variadic, List, Dict)):
        cls = t.cls if isinstance(t, Default) else representative(t)
        return () if cls is None else (cls,)
    return (t.cls,) if isinstance(t, Inert) and t.cls in _LITERALS else ()


def fold_is_scalar(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """`np.isscalar(x)` of a number, a text, an array or a container."""
    if len(args) != 1 or kwargs:
        return None
    t = type_of(args[0])
    if isinstance(t, Array):
        return None if t.scalar is None or t.kind not in "biufc" else [Const(t.scalar)]
    if isinstance(t, (Tuple, List, Dict)):
        return [Const(False)]
    return [Const(True)] if isinstance(t, Scalar) or t == Inert(str) else None


# ---- constants


def fold_comparison(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """`a == b`, `a < b` and the others, of two constants."""
    values = [a.value if isinstance(a, Const) else None for a in args if isinstance(a, Const) or type_of(a) == NONE]
    if kwargs or len(values) != 2 or not all([type(v) in (*_PLAIN, type(None)) for v in values]):
        return None
    alike = sum([type(v) is str for v in values]) != 1 and None not in values
    compare: Any = s.fn.value  # type: ignore[union-attr]
    return [Const(compare(*values))] if alike or compare in (operator.eq, operator.ne) else None


def fold_text(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """A method of a constant text: `method.lower()`."""
    values = [a.value for a in args if isinstance(a, Const)]
    if kwargs or len(values) < len(args) or type(values[0]) is not str or any([type(v) is not str for v in values]):
        return None
    return [Const(s.fn.value(*values))]  # type: ignore[union-attr]


_METHODS = (
    *(str.lower, str.upper, str.casefold, str.title, str.capitalize, str.strip, str.lstrip, str.rstrip),
    *(str.startswith, str.endswith, str.removeprefix, str.removesuffix, str.replace, str.isidentifier),
)
"""Methods of texts whose arguments are texts, and that give one or a flag."""


def fold_is_sequence(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """Fold the question whether a pattern of items may match."""
    t = type_of(args[0])
    if isinstance(t, (List, Tuple, Variadic)):
        return [Const(True)]
    return [Const(False)] if isinstance(t, (Dict, Scalar, Array)) or t == Inert(str) else None


def fold_is_mapping(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """Fold the question whether a pattern of keys may match."""
    t = type_of(args[0])
    if isinstance(t, Dict):
        return [Const(True)]
    return [Const(False)] if isinstance(t, (List, Tuple, Variadic, Scalar, Array)) or t == Inert(str) else None


def fold_match_argument(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """The attribute that a positional pattern is about, by what the class says; under a guard."""
    cls: Any = args[0].value if isinstance(args[0], Const) else None
    index: Any = args[1].value if isinstance(args[1], Const) else None
    mro = cls.__mro__ if isinstance(cls, type) else ()
    owner = next((base for base in mro if "__match_args__" in vars(base)), None)
    names: Any = None if owner is None else vars(owner)["__match_args__"]
    if type(names) is not tuple or index >= len(names) or not all([type(name) is str for name in names]):
        return None
    for base in mro[: mro.index(owner)]:
        r.guard(base, "__match_args__", ABSENT)
    r.guard(owner, "__match_args__", Exactly(names))
    return [Const(names[index])]


FOLDS: dict[Any, Any] = {
    **texts.FOLDS,
    builtins.isinstance: fold_instance,
    builtins.type: fold_class,
    np.isscalar: fold_is_scalar,
    **dict.fromkeys(_METHODS, fold_text),
    builtins.hasattr: fold_has,
    intrinsics.is_sequence: fold_is_sequence,
    intrinsics.is_mapping: fold_is_mapping,
    intrinsics.match_argument: fold_match_argument,
    **dict.fromkeys((operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge), fold_comparison),
}

"""Classes whose `__init__` only stores what it is given: the fields of a new object, known before it is made."""

from __future__ import annotations

import abc
import dataclasses
import dis
import inspect
import types
from typing import Any

from ..errors import AdjointError
from ..identity import IdentityMap
from ..ir import changes
from ..ir.classes import is_frozen
from ..ir.nodes import Call, Const, Var
from ..origin import is_made_up, is_missing, is_read_class
from ..tangents import plain_tuple
from ..transforms.objects import ANY
from ..transforms.own_attributes import STORES_PLAINLY
from .generation import Generation
from .implicit_calls import check_class, functions_in, is_read_on
from .initialise import initialiser
from .layouts import Layout, layout_of
from .local_stores import all_code
from .spec import lowered
from .wrapped import check_special

Sources = tuple[tuple[str, int | None, Any], ...]
"""Of each field its name, the place of its value among the arguments, and its default if it is given by none."""

_SIMPLE = (type(None), bool, int, float, complex, str)


def stored_fields(cls: type, n: int, names: tuple[str, ...]) -> Sources | None:
    """The fields of `cls(...)` with `n` arguments and these keywords; None where it does more than to store.

    >>> @dataclasses.dataclass
    ... class Pair:
    ...     a: float
    ...     b: float = 2.0
    >>> stored_fields(Pair, 1, ())
    (('a', 0, None), ('b', None, 2.0))
    """
    if type(cls) is not type or issubclass(cls, BaseException) or cls.__module__ == "builtins":
        return None
    try:
        check_class(cls)
        if issubclass(cls, tuple):
            made = _of_named_tuple(cls)
        elif cls.__new__ is not object.__new__ or not isinstance(cls.__init__, types.FunctionType) or _has_own(cls):
            return None
        else:
            made = _of_dataclass(cls) if dataclasses.is_dataclass(cls) else _of_init(cls.__init__)
    except AdjointError:
        return None
    if made is None:
        return None
    stored, signature = made
    places = {name: i for i, name in enumerate(names, start=n)}
    try:
        bound = signature.bind(*range(n), **places).arguments
    except TypeError:
        return None  # Python says it
    found: list[tuple[str, int | None, Any]] = []
    for field, source in stored:
        at = bound.get(source) if isinstance(source, str) else None
        value = signature.parameters[source].default if isinstance(source, str) else source[0]
        if at is None and type(value) not in _SIMPLE or not issubclass(cls, tuple) and not _is_kept(cls, field):
            return None
        found.append((field, at, None if at is not None else value))
    return tuple(found)


def is_ordinary(cls: type) -> bool:
    """Tell whether objects of a class are made, stored into and read as those of `object` are. Its other special
    methods may do anything: of an object that is not made, Python calls none by itself."""
    return is_followed(cls) and not says_attributes(cls)


def says_attributes(cls: Any) -> bool:
    """Tell whether a class says itself how attributes are stored, or what those are that an object has not."""
    return hasattr(cls, "__getattr__") or cls.__setattr__ not in STORES_PLAINLY and not is_frozen(cls)


def is_followed(cls: type) -> bool:
    """Tell whether an object of a class may be its fields as long as nobody else has it: it is ordinary, but for what
    methods in Python do with attributes."""
    if type(cls) not in (type, abc.ABCMeta) or cls.__module__ == "builtins" or issubclass(cls, (BaseException, tuple)):
        return False
    if cls is types.SimpleNamespace:
        return True
    own: Any = cls
    if getattr(own, "__abstractmethods__", None):
        return False  # Python says it
    plain = own.__new__ is object.__new__ and not hasattr(cls, "__del__")
    plain = plain and own.__getattribute__ is object.__getattribute__
    init = own.__init__ is object.__init__ or type(inspect.getattr_static(cls, "__init__")) is types.FunctionType
    if not plain or not init:
        return False
    try:
        check_special(cls)
    except AdjointError:
        return False
    return is_read_class(cls)


def _has_own(cls: Any) -> bool:
    """Tell whether a class says itself how fields are stored, or does something when an object goes."""
    return hasattr(cls, "__del__") or cls.__setattr__ is not object.__setattr__ and not is_frozen(cls)


def _is_kept(cls: Any, name: str) -> bool:
    return changes.is_plain_field(cls, name) and cls.__getattribute__ is object.__getattribute__


def _of_named_tuple(cls: Any) -> Any:
    if not hasattr(cls, "_fields") or plain_tuple(cls) is not cls or cls.__init__ is not object.__init__:
        return None
    return [(name, name) for name in cls._fields], inspect.signature(cls)


def _of_dataclass(cls: Any) -> Any:
    """By the `__init__` that `dataclass` wrote."""
    if not is_made_up(cls.__init__) or changes.runs_post_init(cls):
        return None
    signature = inspect.signature(cls)
    fields = [f.name for f in dataclasses.fields(cls)]
    return ([(name, name) for name in fields], signature) if {*signature.parameters} == {*fields} else None


def _of_init(init: types.FunctionType) -> Any:
    """By an `__init__` that consists of `self.name = parameter`, or a constant."""
    ir = lowered(initialiser(init))
    own, new, *params = ir.params
    given = lowered(init).result
    if not isinstance(given, Const) or given.value is not None:
        return None  # Python says it
    if ir.signature.varargs or ir.signature.varkw or not isinstance(new, Var):
        return None
    stored: dict[str, Any] = {}
    for s in ir.body.statements:
        if not isinstance(s, Call) or not isinstance(s.fn, Const) or s.fn.value is not changes.set_attribute:
            return None
        target, name, value = s.args
        if target is not new or not isinstance(name, Const):
            return None
        if isinstance(value, Const):
            stored[name.value] = (value.value,)
        elif value in params:
            stored[name.value] = value.name
        else:
            return None
        new = s.out
    if ir.body.results[0] is not new:
        return None
    signature = inspect.signature(init)
    return list(stored.items()), signature.replace(parameters=[*signature.parameters.values()][1:])


@dataclasses.dataclass(frozen=True)
class Given:
    """A field of a new dataclass object: the place of its value among the arguments, its default, or what makes one."""

    name: str
    place: int | None
    default: Any = None
    factory: Any = None


def dataclass_fields(cls: type, n: int, names: tuple[str, ...]) -> tuple[Given, ...] | None:
    """The fields of `cls(...)` with `n` arguments and these keywords, in the order in which the `__init__` that
    `dataclass` wrote stores them; None of any other class, and where that raises.

    >>> @dataclasses.dataclass
    ... class Walk:
    ...     at: float
    ...     seen: list = dataclasses.field(default_factory=list)
    >>> [(field.name, field.place, field.factory) for field in dataclass_fields(Walk, 1, ())]
    [('at', 0, None), ('seen', None, <class 'list'>)]
    """
    if not dataclasses.is_dataclass(cls) or not is_made_up(cls.__init__):  # type: ignore[arg-type]
        return None
    fields = dataclasses.fields(cls)
    if not all([_is_kept(cls, f.name) for f in fields]):
        return None  # a descriptor stands there
    taken = [f.name for f in fields if f.init]
    if {*inspect.signature(cls).parameters} != {*taken}:
        return None  # an `InitVar`
    positional = [f.name for f in fields if f.init and not f.kw_only]
    places = dict(zip(positional, range(n), strict=False))
    if n > len(positional) or any([name in places or name not in taken for name in names]):
        return None  # Python says it
    places.update({name: i for i, name in enumerate(names, start=n)})
    found = []
    for f in fields:
        simple = not is_missing(f.default) and type(f.default) in _SIMPLE
        if f.name in places:
            found.append(Given(f.name, places[f.name]))
        elif simple:
            found.append(Given(f.name, None, f.default))
        elif not is_missing(f.default_factory):
            found.append(Given(f.name, None, None, f.default_factory))
        elif f.init or not is_missing(f.default):
            return None
    return tuple(found)


# ---- stores into them


_NAMES: IdentityMap[tuple[Layout, frozenset[str]]] = IdentityMap()
"""The names that the methods of classes store under, each with the layout that they were found for."""


def names_stored(cls: type) -> frozenset[str]:
    """The names that the methods of a class store under, but for what is done where an object is made.

    >>> class Walk:
    ...     def __init__(self): self.at = 0.0
    ...     def step(self): self.at += 0.1
    >>> names_stored(Walk)
    frozenset({'at'})
    """
    known = _NAMES.get(cls)
    if known is None or known[0] is not layout_of(cls):
        found = [f for base in cls.__mro__ for name, x in vars(base).items() for f in written_in(name, x)]
        codes = [code for f in found for code in all_code(f.__code__)]
        names = [step.argval for code in codes for step in _stores_of(code)]
        names += [ANY for code in codes if not _BY_NAME.isdisjoint(code.co_names)]
        known = _NAMES[cls] = layout_of(cls), frozenset(names)
    return known[1]


_BY_NAME = frozenset(["setattr", "delattr", "__setattr__", "__delattr__"])
"""Functions that store under a name that they are given."""


def written_in(name: str, x: Any) -> list[types.FunctionType]:
    """The functions behind an attribute of a class, but for those that make an object."""
    if name in ("__init__", "__new__", "__post_init__"):
        return []
    found = [x.__func__] if isinstance(x, (classmethod, staticmethod)) else [x, *functions_in(name, x)]
    return [f for f in found if type(f) is types.FunctionType and is_read_on(f)]


def _stores_of(code: types.CodeType) -> list[dis.Instruction]:
    return [step for step in dis.get_instructions(code) if step.opname in ("STORE_ATTR", "DELETE_ATTR")]


Generation.stored_fields, Generation.names_stored = staticmethod(stored_fields), staticmethod(names_stored)
Generation.is_ordinary, Generation.dataclass_fields = staticmethod(is_ordinary), staticmethod(dataclass_fields)
Generation.is_followed, Generation.says_attributes = staticmethod(is_followed), staticmethod(says_attributes)

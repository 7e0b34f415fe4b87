"""Attributes, by what the base is: of modules and classes, numbers, containers, records, and whatever else."""

from __future__ import annotations

import abc
import collections
import dataclasses
import enum
import functools
import inspect
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UnsupportedSyntaxError
from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import (
    ABSENT,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    Array,
    Default,
    Deque,
    Dict,
    Fn,
    Inert,
    Keyed,
    Known,
    List,
    Record,
    Scalar,
    Tuple,
    Type,
)
from ..ops.arithmetic import join_all
from ..ops.data import reading_methods
from ..ops.draws import OF_PYTHON, draw_of, is_draw
from ..ops.logs import method_of_logger
from ..ops.python import WRITING_OPERATORS
from ..ops.questions import mutators
from ..origin import is_settled, looks_up_plainly
from . import chosen_functions, memory, named_fields, references, superclasses, virtual
from .dispatching import bound_by_choice
from .effects import writes
from .exceptions import check_attribute, is_field
from .facts import Bound, Dynamic, Exactly, Likely, Path, Ruled, Structural, is_active
from .flat import check_flat
from .frames import place_of
from .global_counters import counter_type
from .global_names import attribute_of, attribute_of_class
from .heap import is_plain
from .infer import is_constant, type_of, type_of_constant
from .missing import raised
from .objects import read_field, users_class
from .options import class_option_at, option_at, texts_at
from .partials import class_method
from .replacing import replaced, replaces
from .sorting import most_common
from .splitting import Method, of_one_kind
from .virtual_classes import has, option_of, texts_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

Folded = list[Atom] | None
MISSING = object()


def fold_attribute(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`base.name`: of constants, numbers, containers and the user's objects, each its own way."""
    if len(args) == 3 and not kwargs and (known := has(r, *args[:2])) is not None:
        if not known:
            return [args[2]]
        args = args[:2]
    if len(args) in (2, 3) and not isinstance(args[1], Const) and not kwargs:
        chosen = chosen_functions.by_name(r, s, args[0], args[1], args[2] if len(args) == 3 else None)
        if chosen is None and len(args) == 2 and s.out not in r.uses.only_called:
            chosen = named_fields.read(r, s, *args)
        if chosen is not None:
            return [chosen]
    if len(args) == 3 and isinstance(fact := r.sp.facts.get(args[2]), Bound) and args[2] not in r.made:
        how = Dynamic() if is_active(args[2]) else None
        r.append(Call((args[2],), s.fn, (fact.receiver, Const(fact.name)), (), s.span, how))  # type: ignore[arg-type]
    if len(args) != 2 or not isinstance(args[1], Const):
        return None
    base, name = args[0], args[1].value
    writing = name in WRITING_OPERATORS or name == "shuffle"
    asked = isinstance(r.sp.facts.get(base), superclasses.Above) or virtual.is_of_items(r, s, base)
    if writing and not asked and not isinstance(type_of(base), Record) and not r.context.plain:
        r.store(s, "method changes")
    t = type_of(base)
    if t == Inert(str) and s.out in r.uses.only_called and isinstance(vars(str).get(name), types.MethodDescriptorType):
        return _bound(r, s, base, name, getattr(str, name))
    if isinstance(base, Const):
        if (found := attribute_of(r, s, base, name)) is not None:
            return found
        return constant_attribute(r, s, base, name)
    if isinstance(t, (Array, Scalar)):
        return raised(r, s, base, name) or _number_attribute(r, s, base, t, name)
    if isinstance(t, Tuple) and name in getattr(t.cls, "_fields", ()):
        if isinstance(inspect.getattr_static(t.cls, name), property):
            return _unknown_attribute(r, s, base, name)
        return [r.item(base, t.cls._fields.index(name), s.span, s.out.name)]  # type: ignore[attr-defined]
    if isinstance(t, Tuple) and (found := _method_of_named(r, s, base, t, name)) is not None:
        return found
    if isinstance(t, Tuple) and name == "_replace" and s.out in r.uses.only_called and replaces(t):
        return _bound(r, s, base, name, replaced)
    if (
        isinstance(t, Default)
        and name == "most_common"
        and t.cls is collections.Counter
        and s.out in r.uses.only_called
    ):
        return _bound(r, s, base, name, most_common)
    if isinstance(t, Deque) and name == "maxlen":
        out = Var(s.out.name, INT if t.bounded else NONE, False)
        r.append(Call((out,), s.fn, tuple(args), (), s.span))
        return [out]
    classes = {List: list, Deque: collections.deque, Dict: dict, Keyed: dict, Tuple: tuple}
    cls: Any = t.cls if isinstance(t, Default) else classes.get(type(t))
    cls = dict if cls is collections.OrderedDict and name in _AS_DICTS else cls
    if cls is not None and isinstance(getattr(cls, name, None), types.MethodDescriptorType):
        if name in mutators() and s.out not in r.uses.only_called and not r.context.plain:
            if (held := virtual.method_value(r, s, base, name, getattr(cls, name))) is not None:  # type: ignore[arg-type]
                return [held]
            r.store(s, "method changes")
        return _bound(r, s, base, name, getattr(cls, name))
    if isinstance(fact := r.sp.facts.get(base), superclasses.Above) and base not in r.sp.heap:
        return references.behind(r, s, fact, name)
    if (found := attribute_of_class(r, s, base, name)) is not None:
        return found
    if base in r.sp.heap and isinstance(base, Var) and not isinstance(t, Fn):
        return virtual.attribute(r, s, base, getattr(t, "cls", object), name)
    if (own := memory.class_of(t)) is not None:
        return references.read(r, s, base, own, name)
    if isinstance(t, Record):
        return _record_attribute(r, s, base, t, name)
    if isinstance(t, Fn) and name in changes.OF_FUNCTIONS and not r.context.plain:
        raise UnsupportedSyntaxError(
            f"`{name}` of a function",
            "what flows into the function by this name is not followed",
            "use the variable itself",
            place_of(r.context.function, s),
        )
    method = draw_of(t, name) or method_of_logger(t, name)
    if method is not None and (method in OF_PYTHON or r.generation.find_rules(method) is not None):
        return _bound(r, s, base, name, method)
    if t == Inert(dataclasses.Field) and name == "name":
        out = Var(s.out.name, Inert(str), False)
        r.append(Call((out,), s.fn, (base, Const(name)), (), s.span))
        return [out]
    if isinstance(t, Inert) and issubclass(t.cls, enum.Enum) and name in ("name", "value"):
        out = Var(s.out.name, join_all([type_of_constant(getattr(member, name)) for member in t.cls]), False)
        r.append(Call((out,), s.fn, (base, Const(name)), (), s.span))
        return [out]
    check_attribute(r, s, base, name)
    return _unknown_attribute(r, s, base, name)


def fold_annotated(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """A function is of the type that it was made with."""
    if any(map(is_active, args[2:])):
        raise UnsupportedSyntaxError(
            "an annotation that is differentiated",
            "what flows to it is not followed",
            "annotate by types",
            place_of(r.context.function, s),
        )
    if args[0] in r.sp.heap:
        return [args[0]]
    out = Var(s.out.name, type_of(args[0]), is_active(args[0]))
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("same") if out.active else None))
    return [out]


def constant_attribute(r: Resolver, s: Call, base: Const, name: str) -> Folded:
    """`base.name` of what is known: a constant of its own under a guard, or a value of which the type is known."""
    try:
        value = getattr(base.value, name)
    except AttributeError:
        return None
    is_class = issubclass(type(base.value), type)  # a proxy only says so
    if is_class and (found := class_method(r, s, base.value, name)) is not None:
        return found
    if type(base.value) is dataclasses.Field and name == "name":
        return [Const(value)]
    if is_class and inspect.getattr_static(base.value, name, None) is value:
        option = option_of(r, base.value, name, value) if type(value) is tuple else None
        if (given := option or texts_of(r, s, base.value, name, value)) is not None:
            return [given]
    label = f"{base.label}.{name}" if base.label else None
    if name in ("__name__", "__qualname__") and type(base.value) in (type, abc.ABCMeta):
        r.context.guards[id(base.value), name] = (base.value, name, Exactly(value))
        return [Const(value)]
    module = isinstance(base.value, types.ModuleType)
    safe = module and is_settled(base.value)
    if isinstance(base.value, np.ufunc) and callable(value):
        return [Const(value, label)]  # `np.add.at`
    if (is_constant(value) or is_draw(value)) and (module or isinstance(base.value, type)):
        r.guard(base.value, name, value)  # tests put functions of their own in place of a library's
        return [Const(value, label)]
    if safe and type(value) in (int, float):
        return [Const(value, label)]
    known = UNKNOWN if not safe else type_of_constant(value)
    held = module or is_class and inspect.getattr_static(base.value, name, None) is value
    if held and not safe and is_plain(value) and not r.context.plain:
        r.guard(base.value, name, value)
        known = type_of_constant(value)
    if held and (counter := counter_type(value)) is not None:
        r.guard(base.value, name, value)
        known = counter
    if isinstance(value, enum.Enum) and type(value) is base.value:
        r.guard(base.value, name, value)
        known = Inert(type(value))
    out = Var("", known, False)
    r.append(Call((out,), s.fn, (base, Const(name)), (), s.span))
    return [out]


def _number_attribute(r: Resolver, s: Call, base: Atom, t: Array | Scalar, name: str) -> Folded:
    if name == "__class__":
        return [r.general(s, Const(type), [base], [])]
    known: Type = UNKNOWN
    if isinstance(t, Array) and name == "ndim" and t.ndim is not None:
        return [Const(t.ndim)]  # which decides the branches on it
    if isinstance(t, Array) and name == "shape" and t.ndim is not None:
        known = Tuple((INT,) * t.ndim)
    elif name in ("ndim", "size"):
        known = INT
    elif isinstance(t, Array) and name == "dtype" and t.dtype and t.kind in "fc":
        known = Known(np.dtype(t.dtype))
    if isinstance(t, Array) and r.generation.leads_to_memory(name) and not r.context.plain:
        r.store(s, "attribute gives the memory of")
    inactive, method = r.generation.attribute_rule(name)
    if inactive or not is_active(base) and not callable(getattr(class_of(t), name, None)):
        if name in ("T", "mT") and isinstance(t, Array):
            known = t
        out = Var(s.out.name, known, False)
        r.append(Call((out,), s.fn, (base, Const(name)), (), s.span))
        return [out]
    if name == "flat" and method is not None and not r.context.plain:
        check_flat(r, s)
    if method is not None:
        out = Var(s.out.name, _part(t, name), True)
        how = Structural(name) if t == COMPLEX and name in ("real", "imag") else Ruled(method)
        r.append(Call((out,), s.fn, (base, Const(name)), (), s.span, how))
        return [out]
    function = getattr(class_of(t), name, None)
    if function is None:
        return None
    if isinstance(t, Array) and t.scalar is None:  # a method of arrays does not take what may be a number
        rules = r.generation.find_rules(function)
        if rules is not None and not rules.differentiable:
            return None
    if s.out not in r.uses.only_called and not r.context.plain and writes(function, [base], ()):
        r.store(s, "method changes")
    return _bound(r, s, base, name, function)


def _part(t: Array | Scalar, name: str) -> Type:
    """The type of what an attribute of a number or an array shows of it."""
    if isinstance(t, Scalar):
        return FLOAT if t.kind in ("float", "complex") and name in ("real", "imag") else UNKNOWN
    if name in ("T", "mT"):
        return t
    if name == "flat":
        return Array(t.kind, t.dtype, 1, False)
    if name in ("real", "imag"):
        return Array("f", "", t.ndim, t.scalar) if t.kind == "c" else t
    return UNKNOWN


def class_of(t: Array | Scalar) -> type:
    """The class that the methods of numbers of this type are those of."""
    if isinstance(t, Scalar):
        return {"bool": bool, "int": int, "float": float, "complex": complex}[t.kind]
    return np.generic if t.scalar else np.ndarray


def _bound(r: Resolver, s: Call, base: Atom, name: str, function: Any) -> Folded:
    """A method: nothing is written where it is called at once."""
    out = Var(s.out.name, UNKNOWN, is_active(base))
    r.sp.facts[out] = Bound(base, name, function)
    if s.out not in r.uses.only_called and not chosen_functions.is_default(r, s):
        how = Dynamic() if is_active(base) else None
        r.append(Call((out,), s.fn, (base, Const(name)), (), s.span, how))
    return [out]


def _method_of_named(r: Resolver, s: Call, base: Atom, t: Tuple, name: str) -> Folded:
    """A method or a property that the user has given to a named tuple."""
    own: Any = users_class(t)
    if own is None or name in ("_asdict", "_replace") or own.__getattribute__ is not tuple.__getattribute__:
        return None
    static = inspect.getattr_static(t.cls, name, None)
    function = static.fget if isinstance(static, property) else static
    if type(function) is not types.FunctionType:
        return None
    r.guard(t.cls, name, static)
    return _bound(r, s, base, name, static) if static is function else [r.general(s, Const(function), [base], [])]


def _record_attribute(r: Resolver, s: Call, base: Atom, t: Record, name: str) -> Folded:
    static = inspect.getattr_static(t.cls, name, MISSING)
    if type(static) is types.FunctionType:  # a wrapper in C may say that it is one
        if name in reading_methods(t.cls) and not is_active(base):
            return _unknown_attribute(r, s, base, name)  # it is asked for that when it runs
        if not _from_class(r, base, t, name):
            found = _unknown_attribute(r, s, base, name)
            if found is not None and isinstance(found[0], Var):
                r.sp.facts.setdefault(found[0], Likely(base, static))
            return found
        r.guard(t.cls, name, static)
        return _bound(r, s, base, name, static)
    check_attribute(r, s, base, name)
    if name == "__class__" and static is object.__dict__["__class__"]:
        return r.call(Call(s.outs, Const(type), (), (), s.span), Const(type), [base], [])
    if isinstance(static, functools.singledispatchmethod) and _from_class(r, base, t, name):
        return bound_by_choice(r, s, base, t.cls, name)
    if isinstance(static, staticmethod):
        r.guard(t.cls, name, static.__func__)
        return [Const(static.__func__)]
    if type(static) is classmethod and _from_class(r, base, t, name) and (made := class_method(r, s, t.cls, name)):
        return made
    if isinstance(static, property) and static.fget is not None:
        r.guard(t.cls, name, static)
        return [r.general(s, Const(static.fget), [base], [])]
    if class_option_at(r, t.cls, name, static) and not is_field(t, name) and _from_class(r, base, t, name):
        return [Const(static)]
    data = static is MISSING or isinstance(static, types.MemberDescriptorType) or not hasattr(static, "__get__")
    data = data or is_field(t, name)
    if not data or name == "__dict__" or hasattr(t.cls, "__getattr__") or not looks_up_plainly(t.cls):
        return None if is_active(base) else _unknown_attribute(r, s, base, name)
    u: Type = UNKNOWN
    fact = r.sp.facts.get(base)
    example: Any = MISSING
    if isinstance(fact, Path):
        example = getattr(fact.example, name, MISSING)
        if example is not MISSING:
            u = asked = r.sp.written.type_of_field(example) or r.generation.typeof(example)
            if (joined := r.generation.varying.joined_field(fact.example, name, example, u)) is not None:
                (u, asked), example = joined, MISSING  # others will be read here
            if asked != UNKNOWN:
                r.context.rely(fact.param, (*fact.names, name), asked)
            if isinstance(u, Known):
                return [Const(u.value)]
            if (option := option_at(r, fact, name, example)) is not None:
                return [option]
    elif t.fields is not None:
        stored, u = read_field(r, base, t, name)
        if stored is not None:
            return [stored]
    out = Var(s.out.name or name, u, is_active(base) and u.differentiable)
    if isinstance(fact, Path) and example is not MISSING:
        r.sp.facts[out] = texts_at(r, fact, (name,), example) or Path(fact.param, (*fact.names, name), example)
    r.append(Call((out,), s.fn, (base, Const(name)), (), s.span, Structural("field") if out.active else None))
    return [out]


def _from_class(r: Resolver, base: Atom, t: Record, name: str) -> bool:
    """Tell whether an object has no attribute of its own that hides the one of its class; under a guard."""

    if not t.cls.__dictoffset__:
        return True
    if t.fields is not None:
        return name not in dict(t.fields)
    if base in r.sp.open and r.context.profile is not None and (test := r.context.profile.of_class(name)) is not None:
        r.append(Call((), Const(intrinsics.check), (base, Const(test)), ()))
        return True
    fact = r.sp.facts.get(base)
    if not isinstance(fact, Path) or name in vars(fact.example):
        return False
    r.context.rely(fact.param, (*fact.names, name), ABSENT)
    return True


def _unknown_attribute(r: Resolver, s: Call, base: Atom, name: str) -> Folded:
    if not is_active(base):
        out = Var(s.out.name, UNKNOWN, False)
        r.append(Call((out,), s.fn, (base, Const(name)), (), s.span))
        if base in r.sp.kinds and s.out in r.uses.only_called:
            r.sp.facts[out] = Method(base, name)
        return [out]
    if (one := of_one_kind(r, s, base)) is not None:
        return fold_attribute(r, s, [one, Const(name)], [])
    if s.out in r.uses.only_called:
        out = Var(s.out.name, UNKNOWN, True)
        r.sp.facts[out] = Bound(base, name)
        return [out]
    return None


_AS_DICTS = ("keys", "values", "items", "get", "setdefault", "pop", "update", "clear")
"""Methods of an `OrderedDict` that do what those of a dict do."""

"""Calls whose meaning specialisation knows: names, attributes, tuples, closures, stores.

Each fold gets the resolver, the statement and its new arguments; it writes out what remains of the call and returns
the atoms of its outs, or None where the call is to be resolved like any other.
"""

from __future__ import annotations

import builtins
import inspect
import operator
import sys
import types
from typing import TYPE_CHECKING, Any

from ..errors import MutationError, UnsupportedSyntaxError
from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import (
    BOTTOM,
    INT,
    UNKNOWN,
    Array,
    Dict,
    Fn,
    Inert,
    Known,
    List,
    Record,
    Scalar,
    Tuple,
    Type,
    join,
)
from ..tangents import add_at_location, buffer_like, element_buffer, freeze_elements, take_at_location
from .infer import element_of, is_rank0, type_of, type_of_constant
from .ownership import place_of
from .resolve import is_constant

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

Folded = list[Atom] | None
MISSING = object()


def fold_global(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    name = args[1].value  # type: ignore[union-attr]
    scope = r.context.globals
    value = scope[name] if name in scope else getattr(builtins, name, MISSING)
    read = Call((), Const(intrinsics.load_global), (Const(None), Const(name)))
    if value is MISSING:
        out = Var(s.out.name, UNKNOWN, False)
        r.append(Call((out,), read.fn, read.args, (), s.span))
        return [out]
    if name in scope:
        r.guard(scope, name, value)
    if is_constant(value):
        return [Const(value, name)]
    out = Var("", r.world.typeof(value), False)
    r.append(Call((out,), read.fn, read.args, (), s.span))
    return [out]


def fold_capture(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    from .specialise import Structural, is_active

    function, name, index = args[0], args[1].value, args[2].value  # type: ignore[union-attr]
    t = type_of(function)
    u = t.captures[index] if isinstance(t, Fn) and index < len(t.captures) else UNKNOWN
    if isinstance(u, Known):
        return [Const(u.value, name)]
    active = is_active(function) and u.differentiable
    out = Var(name, u, active)
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("capture") if active else None))
    return [out]


def fold_default(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    from .specialise import Structural, is_active

    t = type_of(args[0])
    index = args[2].value  # type: ignore[union-attr]
    u = t.defaults[index] if isinstance(t, Fn) and 0 <= index < len(t.defaults) else UNKNOWN
    active = is_active(args[0]) and u.differentiable
    out = Var("", u, active)
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("capture") if active else None))
    return [out]


def fold_function(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    from .specialise import Structural, is_active

    template = args[0].value  # type: ignore[union-attr]
    n = len(template.code.co_freevars)
    values = args[2:]
    captures = tuple(
        UNKNOWN if cell else type_of(v) for cell, v in zip(template.cells, values[:n], strict=True)
    )
    t = Fn(template.code, captures, tuple(type_of(v) for v in values[n:]), template, r.context.globals)
    active = any(map(is_active, values))
    out = Var(s.out.name, t, active)
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("function") if active else None))
    return [out]


def fold_attribute(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    if len(args) != 2 or not isinstance(args[1], Const):
        return None
    base, name = args[0], args[1].value
    if isinstance(base, Const):
        return _constant_attribute(r, s, base, name)
    t = type_of(base)
    if isinstance(t, Array | Scalar):
        return _number_attribute(r, s, base, t, name)
    if isinstance(t, Tuple) and name in getattr(t.cls, "_fields", ()):
        return [r.item(base, t.cls._fields.index(name), s.span, s.out.name)]  # type: ignore[attr-defined]
    cls = {List: list, Dict: dict, Tuple: tuple}.get(type(t))
    if cls is not None and isinstance(getattr(cls, name, None), types.MethodDescriptorType):
        return _bound(r, s, base, name, getattr(cls, name))
    if isinstance(t, Record):
        return _record_attribute(r, s, base, t, name)
    return _unknown_attribute(r, s, base, name)


def _constant_attribute(r: Resolver, s: Call, base: Const, name: str) -> Folded:
    try:
        value = getattr(base.value, name)
    except AttributeError:
        return None
    label = f"{base.label}.{name}" if base.label else None
    library = getattr(base.value, "__name__", "").partition(".")[0]
    module = isinstance(base.value, types.ModuleType)
    safe = module and (library in sys.stdlib_module_names or library == "numpy")
    if is_constant(value) and (module or isinstance(base.value, type)):
        if not safe:
            r.guard(base.value, name, value)
        return [Const(value, label)]
    if safe and type(value) in (int, float):
        return [Const(value, label)]
    out = Var("", UNKNOWN if not safe else type_of_constant(value), False)
    r.append(Call((out,), s.fn, (base, Const(name)), (), s.span))
    return [out]


def _number_attribute(r: Resolver, s: Call, base: Atom, t: Array | Scalar, name: str) -> Folded:
    from .specialise import Ruled, is_active

    known: Type = UNKNOWN
    if isinstance(t, Array) and name == "shape" and t.ndim is not None:
        known = Tuple((INT,) * t.ndim)
    elif name in ("ndim", "size"):
        known = INT
    inactive, method = r.world.attribute_rule(name)
    if inactive or not is_active(base) and not callable(getattr(_class_of(t), name, None)):
        if name == "T" and isinstance(t, Array):
            known = t
        out = Var(s.out.name, known, False)
        r.append(Call((out,), s.fn, (base, Const(name)), (), s.span))
        return [out]
    if method is not None:
        kind = t.kind if isinstance(t, Array) else "f"
        u: Type = Array("f" if name != "T" and kind == "c" else kind, "", t.ndim, t.scalar) if isinstance(
            t, Array
        ) else UNKNOWN
        out = Var(s.out.name, u, True)
        r.append(Call((out,), s.fn, (base, Const(name)), (), s.span, Ruled(method)))
        return [out]
    function = getattr(_class_of(t), name, None)
    if function is None:
        return None
    return _bound(r, s, base, name, function)


def _class_of(t: Array | Scalar) -> type:
    import numpy as np

    if isinstance(t, Scalar):
        return {"bool": bool, "int": int, "float": float, "complex": complex}[t.kind]
    return np.ndarray


def _bound(r: Resolver, s: Call, base: Atom, name: str, function: Any) -> Folded:
    """A method: nothing is written where it is called at once."""
    from .specialise import Bound, Dynamic, is_active

    out = Var(s.out.name, UNKNOWN, is_active(base))
    r.sp.facts[out] = Bound(base, name, function)
    if s.out not in r.only_called:
        how = Dynamic() if is_active(base) else None
        r.append(Call((out,), s.fn, (base, Const(name)), (), s.span, how))
    return [out]


def _record_attribute(r: Resolver, s: Call, base: Atom, t: Record, name: str) -> Folded:
    from .specialise import Path, Structural, is_active

    static = inspect.getattr_static(t.cls, name, MISSING)
    if isinstance(static, types.FunctionType):
        r.guard(t.cls, name, static)
        return _bound(r, s, base, name, static)
    if isinstance(static, staticmethod):
        r.guard(t.cls, name, static.__func__)
        return [Const(static.__func__)]
    if isinstance(static, property) and static.fget is not None:
        return [r.general(s, Const(static.fget), [base], [])]
    data = static is MISSING or isinstance(static, types.MemberDescriptorType) or not hasattr(static, "__get__")
    if not data or hasattr(t.cls, "__getattr__") or t.cls.__getattribute__ is not object.__getattribute__:
        return None if is_active(base) else _unknown_attribute(r, s, base, name)
    u: Type = UNKNOWN
    fact = r.sp.facts.get(base) if isinstance(base, Var) else None
    example: Any = MISSING
    if isinstance(fact, Path):
        example = getattr(fact.example, name, MISSING)
        if example is not MISSING:
            u = r.world.typeof(example)
            r.context.paths[(fact.param, (*fact.names, name))] = (fact.param, (*fact.names, name), u)
            if isinstance(u, Known):
                return [Const(u.value)]
    active = is_active(base) and u.differentiable
    out = Var(s.out.name or name, u, active)
    if example is not MISSING:
        r.sp.facts[out] = Path(fact.param, (*fact.names, name), example)
    r.append(Call((out,), s.fn, (base, Const(name)), (), s.span, Structural("field") if active else None))
    return [out]


def _unknown_attribute(r: Resolver, s: Call, base: Atom, name: str) -> Folded:
    from .specialise import Bound, is_active

    if not is_active(base):
        out = Var(s.out.name, UNKNOWN, False)
        r.append(Call((out,), s.fn, (base, Const(name)), (), s.span))
        return [out]
    if s.out in r.only_called:
        out = Var(s.out.name, UNKNOWN, True)
        r.sp.facts[out] = Bound(base, name)
        return [out]
    return None


def fold_tuple(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    from .specialise import Items, Structural, is_active

    active = any(map(is_active, args))
    out = Var(s.out.name, Tuple(tuple(type_of(a) for a in args)), active)
    r.sp.facts[out] = Items(tuple(args))
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("tuple") if active else None))
    return [out]


def fold_list(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    from .specialise import Structural, is_active

    active = any(map(is_active, args))
    item: Type = BOTTOM
    for a in args:
        item = join(item, type_of(a))
    out = Var(s.out.name, List(item), active)
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("list") if active else None))
    return [out]


def fold_item(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    from .specialise import Items, Structural, is_active

    container, index = args
    fact = r.sp.facts.get(container) if isinstance(container, Var) else None
    if isinstance(fact, Items) and isinstance(index, Const) and type(index.value) is int:
        if -len(fact.atoms) <= index.value < len(fact.atoms):
            return [fact.atoms[index.value]]
    if not is_active(container) or is_active(index) and not isinstance(type_of(index), Scalar):
        return None
    t = type_of(container)
    u = r.result(operator.getitem, args)
    if isinstance(t, Tuple) and isinstance(index, Const) and type(index.value) is int:
        kind = "part"
    elif isinstance(t, Array) or isinstance(t, List) and isinstance(type_of(index), Scalar):
        kind = "element"
    else:
        return None
    active = u.differentiable
    out = Var(s.out.name, u, active)
    if isinstance(t, List) and r.grows and not (isinstance(index, Const) and index.value >= 0):
        index = r.emit_call(intrinsics.position, [container, index], s.span)
    r.append(Call((out,), s.fn, (container, index), (), s.span, Structural(kind) if active else None))
    return [out]


def fold_buffer(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """A buffer of a reverse program that is itself differentiated."""
    from .specialise import Structural, is_active

    if not is_active(args[0]):
        return None
    kind = "same" if s.fn.value in (intrinsics.freeze, freeze_elements) else "buffer"  # type: ignore[union-attr]
    out = Var(s.out.name, type_of(args[0]), True)
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural(kind)))
    return [out]


def fold_unpack(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    from .specialise import Items, is_active

    if not all(isinstance(a, Const) for a in args[1:]):
        return None
    value, before = args[0], args[1].value  # type: ignore[union-attr]
    t = type_of(value)
    fact = r.sp.facts.get(value) if isinstance(value, Var) else None
    if len(s.outs) == 1:
        if isinstance(t, Tuple) and len(args) == 2 and len(t.items) == before:
            return [value]
        return None
    if len(args) == 2:
        if isinstance(fact, Items) and len(fact.atoms) == before:
            return list(fact.atoms)
        if isinstance(t, Tuple) and len(t.items) == before:
            return [r.item(value, i, s.span, out.name) for i, out in enumerate(s.outs)]
        if isinstance(t, Inert) and isinstance(value, Const):
            return None
    if not is_active(value):
        item = element_of(t)
        outs = [Var(o.name, List(item) if len(args) == 3 and i == before else item) for i, o in enumerate(s.outs)]
        r.append(Call(tuple(outs), s.fn, tuple(args), (), s.span))
        return list(outs)
    whole = Call((Var(""),), s.fn, s.args, (), s.span)
    packed = r.general(whole, s.fn, args, [])
    items = element_of(t)
    parts: list[Type] = [items] * len(s.outs)
    if len(args) == 3:
        parts[before] = List(items)
    packed = _retyped(r, packed, Tuple(tuple(parts)))
    return [r.item(packed, i, s.span, out.name) for i, out in enumerate(s.outs)]


def _retyped(r: Resolver, atom: Atom, t: Type) -> Atom:
    """The call just written, with a better type for its out."""
    last = r.sp.statements.pop()
    assert isinstance(last, Call) and isinstance(atom, Var)
    out = Var(atom.name, t, atom.active and t.differentiable)
    r.append(Call((out,), last.fn, last.args, last.kwargs, last.span, last.how))
    return out


def fold_same(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`is` and `is not` against None, where the type decides."""
    if isinstance(args[1], Const) and args[1].value is None and isinstance(args[0], Var):
        t = type_of(args[0])
        none = t == Inert(type(None))
        if none or isinstance(t, Scalar | Array | List | Dict | Tuple | Record | Fn):
            return [Const(none == (s.fn.value is operator.is_))]  # type: ignore[union-attr]
    return None


def fold_in_place(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    from .specialise import Spliced, is_active

    operation = s.fn.value  # type: ignore[union-attr]
    t = type_of(args[0])
    plain = PLAIN[operation]
    if isinstance(t, Scalar | Tuple) or is_rank0(t) or t == Inert(str):
        return r.call(Call(s.outs, Const(plain), s.args, (), s.span), Const(plain), list(args), [])
    if isinstance(t, List) and operation is operator.iadd:
        items = args[1]
        if not isinstance(type_of(items), List):
            items = r.emit_call(list, [items], s.span)
        return r.call(Call(s.outs, Const(plain), s.args, (), s.span), Const(plain), [args[0], items], [])
    if isinstance(t, Array):
        u = type_of(args[1])
        active = is_active(args[0]) or is_active(args[1]) and t.kind in "fc"
        rules = r.world.find_rules(plain)
        method = rules.select((_class_of(t), float)) if rules else None
        if active and (method is None or method.partials is None or not isinstance(u, Array | Scalar)):
            return None
        out = Var(s.out.name, t, active)
        how = Spliced(method) if active else None
        r.append(Call((out,), Const(intrinsics.in_place), (s.fn, *args), (), s.span, how))
        return [out]
    if is_active(args[0]) or is_active(args[1]):
        return None
    out = Var(s.out.name, UNKNOWN, False)
    r.append(Call((out,), Const(intrinsics.in_place_unseen), (s.fn, *args), (), s.span))
    return [out]


PLAIN = {
    getattr(operator, "i" + name.strip("_")): getattr(operator, name)
    for name in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift".split()
}


def fold_append(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    from .specialise import Structural, is_active

    items, value = args
    t = type_of(items)
    item = join(t.item, type_of(value)) if isinstance(t, List) else UNKNOWN
    active = is_active(items) or is_active(value)
    # The cotangent of a list that is also read by index may be longer than the list was here.
    place = r.emit_call(len, [items], s.span) if active and r.reads_items else None
    out = Var(s.outs[-1].name, List(item), active)
    how = Structural("append", place) if active else None
    r.append(Call((out,), Const(intrinsics.list_append), (items, value), (), s.span, how))
    return [out]


def fold_method(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`target.name(...)` for a name that may change the target in place."""
    from .specialise import Bound, is_active

    target, name, rest = args[0], args[1].value, args[2:]  # type: ignore[union-attr]
    t = type_of(target)
    if isinstance(t, List) and name == "append" and len(rest) == 1:
        return [Const(None), *(fold_append(r, s, [target, rest[0]], []) or [])]
    active = any(map(is_active, [target, *rest, *(v for _, v in kwargs)]))
    if isinstance(t, List) and name == "extend" and active:
        out = r.call(Call((s.outs[1],), Const(operator.iadd), (), (), s.span), Const(operator.iadd), [target, rest[0]], [])
        return [Const(None), *out]
    if not active and not isinstance(t, Record):
        result = Var(s.outs[0].name, UNKNOWN, False)
        grown: Type = t
        if isinstance(t, List) and name in ("insert", "extend"):
            extra = type_of(rest[-1]) if name == "insert" else element_of(type_of(rest[0]))
            grown = List(join(t.item, extra))
        elif isinstance(t, List) and name in ("pop",):
            result = Var(s.outs[0].name, t.item, False)
        elif not isinstance(t, List | Array):
            grown = UNKNOWN
        out = Var(s.outs[1].name, grown, False)
        r.append(Call((result, out), s.fn, tuple(args), tuple(kwargs), s.span))
        return [result, out]
    if isinstance(t, List | Dict | Array) and name not in ("sort_values",):
        raise MutationError(
            f"`.{name}(...)` changes a {type(t).__name__.lower()} in place",
            place=place_of(r.context.function, s),
        )
    method = Var("")
    fn = r.call(Call((method,), Const(getattr), (), (), s.span), Const(getattr), [target, Const(name)], [])[0]
    if isinstance(fn, Var) and fn not in r.sp.facts and is_active(target):
        r.sp.facts[fn] = Bound(target, name)
    return [r.general(Call((s.outs[0],), s.fn, (), (), s.span), fn, rest, kwargs), target]


def fold_set_item(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    from .specialise import Structural, is_active

    target, _, value = args
    t = type_of(target)
    active = is_active(target) or is_active(value) and (not isinstance(t, Array) or t.kind in "fc")
    if isinstance(t, List):
        t = List(join(t.item, type_of(value)))
    elif isinstance(t, Dict):
        t = Dict(join(t.item, type_of(value)))
    elif not isinstance(t, Array):
        t = UNKNOWN if not isinstance(t, Record) else t
    if isinstance(t, Record) or active and t == UNKNOWN:
        return None
    out = Var(s.out.name, t, active)
    fn = Const(intrinsics.stored) if isinstance(t, List | Dict | Array) else s.fn
    r.append(Call((out,), fn, tuple(args), (), s.span, Structural("set_item") if active else None))
    return [out]


def fold_set_attribute(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    from .specialise import Structural, is_active

    target, _, value = args
    active = is_active(target) or is_active(value)
    out = Var(s.out.name, type_of(target), active)
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("set_attribute") if active else None))
    return [out]


def fold_cell(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    from .specialise import Structural

    kind = s.fn.value.__name__  # type: ignore[union-attr]
    out = Var(s.out.name if s.outs else "", UNKNOWN, True)
    r.append(Call((out,) if s.outs else (), s.fn, tuple(args), (), s.span, Structural(kind)))
    return [out] if s.outs else []


def fold_location(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """The cotangents of shared variables, in a reverse program that is itself differentiated."""
    raise UnsupportedSyntaxError(
        f"`{r.context.function.name}` has no second derivative yet",
        "a variable in it is bound again after an inner function has captured it",
        "give the new value a name of its own",
        place_of(r.context.function, s),
    )


def fold_source(kind: str) -> Any:
    """`zip`, `enumerate` and `reversed` of sequences, which loops run through part by part."""

    def fold(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
        from .specialise import Source

        if kwargs or s.out not in r.only_iterated or not args:
            return None
        if not all(isinstance(type_of(a), List | Tuple | Array) or type_of(a) == Inert(range) for a in args):
            return None
        out = Var("", UNKNOWN, False)
        if kind == "enumerate":
            start: Atom = args[1] if len(args) == 2 else Const(0)
            if len(args) > 2 or not isinstance(start, Const):
                return None
            n = r.emit_call(len, [args[0]], s.span)
            stop = n if start.value == 0 else r.emit_call(operator.add, [start, n], s.span)
            counts = r.emit_call(range, [stop] if start.value == 0 else [start, stop], s.span)
            r.sp.facts[out] = Source("zip", (counts, args[0]))
            return [out]
        r.sp.facts[out] = Source(kind, tuple(args))
        return [out]

    return fold


FOLDS: dict[Any, Any] = {
    intrinsics.load_global: fold_global,
    intrinsics.capture: fold_capture,
    intrinsics.default: fold_default,
    intrinsics.make_function: fold_function,
    builtins.getattr: fold_attribute,
    intrinsics.make_tuple: fold_tuple,
    intrinsics.make_list: fold_list,
    operator.getitem: fold_item,
    intrinsics.unpack: fold_unpack,
    operator.is_: fold_same,
    operator.is_not: fold_same,
    **dict.fromkeys(PLAIN, fold_in_place),
    intrinsics.call_method: fold_method,
    intrinsics.set_item: fold_set_item,
    intrinsics.set_attribute: fold_set_attribute,
    intrinsics.make_cell: fold_cell,
    intrinsics.capture_cell: fold_cell,
    intrinsics.load_cell: fold_cell,
    intrinsics.store_cell: fold_cell,
    intrinsics.freeze: fold_buffer,
    add_at_location: fold_location,
    take_at_location: fold_location,
    intrinsics.captured: fold_capture,
    buffer_like: fold_buffer,
    element_buffer: fold_buffer,
    freeze_elements: fold_buffer,
    builtins.zip: fold_source("zip"),
    builtins.enumerate: fold_source("enumerate"),
}
if hasattr(intrinsics, "list_append"):
    FOLDS[intrinsics.list_append] = fold_append

"""Classes made inside the function, by what stands for them: their objects are their fields, or the class is refused.

What stands for a class is never made: so nobody sees which class an object is of but by what is answered here.
"""

from __future__ import annotations

import builtins
import operator
import types
from typing import TYPE_CHECKING, Any

from ..errors import UnsupportedSyntaxError
from ..ir import changes
from ..ir.made_classes import (
    BASE,
    MADE_BY,
    PROPERTY,
    RECEIVER,
    STATIC,
    VALUE,
    Layout,
    hidden,
    is_special,
)
from ..ir.nodes import Atom, Call, Const
from ..ir.types import Array, Dict, Inert, List, Scalar, Tuple
from ..origin import module_of
from .frames import place_of
from .infer import type_of
from .inner_layouts import is_instance, layout_of, maker, refusal
from .objects import by_method

if TYPE_CHECKING:
    from .resolve import Args, Kwargs, Resolver

_HIDDEN = (MADE_BY, BASE, RECEIVER, "__own_", "__get_", "__set_", "__value_", "__field_", "__function_")
_STORES = (changes.set_attribute, changes.hold_field)
_ASKING = frozenset(["iter", "next", "len", "enumerate", "zip", "sum", "list", "tuple", "map", "filter", "reversed"])
_ALSO = frozenset(["abs", "float", "min", "max", "sorted", "bool", "divmod", "pow", "round", "int"])
_OPERATORS = ("_operator", "operator")
_COMPARING = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
_DATA = (Scalar, Array, List, Tuple, Dict, Inert)


def asked(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> list[Atom] | None:
    """The answer to a call that asks for the class of something; None of any other call that is followed."""
    value = fn.value if isinstance(fn, Const) else None
    layouts = [layout_of(a) for a in (*args, *[v for _, v in kwargs])]
    if not any(layouts) or not isinstance(fn, Const):
        return None
    if len(args) == 2 and value is builtins.getattr and layouts[0] is not None:
        return _read(r, s, args, layouts[0])
    if len(args) == 3 and any([value is f for f in _STORES]):
        if (own := _own_field(r, args[0], args[1])) is not None:
            return r.call(Call(s.outs, fn, s.args, s.kwargs, s.span), fn, [args[0], Const(own), args[2]], [])
        _check_store(r, s, args, layouts[0])
        return None
    if len(args) == 1 and value is type and is_instance(args[0]):
        return [r.emit_call(getattr, [args[0], Const(MADE_BY)], s.span, s.out.name)]
    if value is isinstance and len(args) == 2:
        return [Const(_is_of(r, s, args))]
    if value is super and len(args) == 2:
        return [_above(r, s, args)]
    if len(args) == 2 and module_of(value) in _OPERATORS and _derives(layouts[1], layouts[0]):
        raise refusal(r, s, layouts[1])  # type: ignore[arg-type]  # Python asks the method of the second one first
    if len(args) == 2 and any([value is f for f in _COMPARING]):
        found = _compared(r, s, value, args)
        return None if found is None else [found]
    if not _follows(value):
        raise refusal(r, s, next(x for x in layouts if x is not None))
    return None


def _derives(layout: Layout | None, other: Layout | None) -> bool:
    """Tell whether a class is derived from another one."""
    if layout is None or other is None or layout is other:
        return False
    return layout.base is other or _derives(layout.base, other)


def _compared(r: Resolver, s: Call, f: Any, args: Args) -> Atom | None:
    """A comparison of objects, by the method that it is; without one they are equal that are the same."""
    found = by_method(r, s, operator.eq if f is operator.ne and not _has(args[0], "__ne__") else f, args)
    if found is not None:
        return found if f is not operator.ne or _has(args[0], "__ne__") else r.emit_call(operator.not_, [found], s.span)
    virtual = all([is_instance(a) and a in r.sp.heap for a in args])
    if f not in (operator.eq, operator.ne) or not virtual or any([_has(a, "__eq__") for a in args]):
        return None
    return Const((args[0] is args[1]) is (f is operator.eq))


def _has(a: Atom, name: str) -> bool:
    layout = layout_of(a)
    return layout is not None and name in layout.kinds


def _follows(f: Any) -> bool:
    """Tell whether a function does not look at the class of what it is given, or hands it on to such."""
    if isinstance(f, type):
        return f is not type and f is not super
    module = module_of(f)
    if module.startswith("adjoint.ir."):
        return module != "adjoint.ir.classes"
    name = getattr(f, "__name__", "")
    if isinstance(f, types.FunctionType):
        return True
    return module in _OPERATORS or module == "builtins" and name in _ASKING | _ALSO


def _read(r: Resolver, s: Call, args: Args, layout: Layout) -> list[Atom] | None:
    """An attribute of what stands for a class or its object."""
    base, name = args[0], args[1].value if isinstance(args[1], Const) else ""
    if name == MADE_BY and is_instance(base):
        return [maker(r, base)]
    if name.startswith(_HIDDEN):
        return None
    cls = type_of(base).cls  # type: ignore[attr-defined]
    if cls is layout.instance:
        if name == "__class__":
            return [r.emit_call(getattr, [base, Const(MADE_BY)], s.span, s.out.name)]
        if is_special(name):
            raise refusal(r, s, layout)
        if layout.kinds.get(name) == STATIC:
            return r.call(Call(s.outs, s.fn, s.args, s.kwargs, s.span), Const(getattr), [maker(r, base), args[1]], [])
        own = hidden(name, "field")
        if base not in r.sp.heap or own not in r.sp.heap.names(base):  # type: ignore[arg-type]
            return None
        return r.call(Call(s.outs, s.fn, s.args, s.kwargs, s.span), Const(getattr), [base, Const(own)], [])
    behind = layout.base if cls is layout.super else layout
    kinds = behind.kinds if behind is not None else {}
    if cls is layout.namespace and name == "__name__":
        return [Const(layout.name)]
    if is_special(name) and (name in kinds or name == "__init__" and cls is layout.super):
        return r.call(Call(s.outs, s.fn, s.args, s.kwargs, s.span), Const(getattr), [base, Const(hidden(name))], [])
    if name not in kinds or cls is layout.namespace and kinds[name] == PROPERTY:
        raise refusal(r, s, layout)
    return None


def _own_field(r: Resolver, a: Atom, name: Atom) -> str | None:
    """The field of an object that hides an attribute of its class."""
    layout, heap = layout_of(a), r.sp.heap
    if layout is None or not is_instance(a) or a not in heap or a in heap.items or not isinstance(name, Const):
        return None
    return hidden(name.value, "field") if layout.kinds.get(name.value) == VALUE and layout.slots is None else None


def _check_store(r: Resolver, s: Call, args: Args, layout: Layout | None) -> None:
    """Refuse stores that hide what the class has, or that its text does not show."""
    name = args[1].value if isinstance(args[1], Const) else ""
    if layout is None or name.startswith(_HIDDEN):
        return
    cls, kind = type_of(args[0]).cls, layout.kinds.get(name)  # type: ignore[attr-defined]
    own = layout.owner(name)
    if cls is layout.namespace:
        allowed = layout.own.get(name) == VALUE
    else:
        allowed = kind is None and not is_special(name) or kind == PROPERTY and name in own.setters
        allowed = allowed and (layout.slots is None or name in layout.slots or kind == PROPERTY)
    if not allowed or not name or cls is layout.super:
        raise refusal(r, s, layout)


def _is_of(r: Resolver, s: Call, args: Args) -> bool:
    """Tell whether an object is of a class, where one of them is made inside the function."""
    given, cls = layout_of(args[0]), args[1]
    asked_for = layout_of(cls)
    if given is not None and not is_instance(args[0]) or asked_for is not None and is_instance(cls):
        raise refusal(r, s, given or asked_for)  # type: ignore[arg-type]
    if given is None:
        if isinstance(type_of(args[0]), _DATA):
            return False
    elif asked_for is not None:
        heap, related = r.sp.heap, False
        own: Any = maker(r, args[0])
        while True:
            if heap.now(own) is heap.now(cls):
                return True
            related = related or layout_of(own) is asked_for
            if layout_of(own).base is None:  # type: ignore[union-attr]
                break
            own = heap.get(heap.now(own), BASE)  # type: ignore[arg-type]
        if not related:
            return False
    elif isinstance(cls, Const) and type(cls.value) is type:
        return cls.value is object
    raise refusal(r, s, given or asked_for)  # type: ignore[arg-type]


def _above(r: Resolver, s: Call, args: Args) -> Atom:
    """`super()` in a method."""
    layout, own = layout_of(args[0]), layout_of(args[1])
    if layout is None or own is None or type_of(args[0]).cls is not layout.namespace or not is_instance(args[1]):  # type: ignore[attr-defined]
        raise refusal(r, s, layout or own)  # type: ignore[arg-type]
    behind = Const(None) if layout.base is None else r.emit_call(getattr, [args[0], Const(BASE)], s.span)
    return r.emit_call(layout.super, [behind, args[1]], s.span, s.out.name)


def fold_plain(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom]:
    """An attribute of a class, which is no descriptor."""
    value = args[0]
    t = type_of(value)
    own = layout_of(value)
    if isinstance(t, _DATA) or own is not None and not _asks(own) and not isinstance(value, Const):
        return [value]
    if isinstance(value, Const) and not any([hasattr(type(value.value), n) for n in ("__get__", "__set_name__")]):
        return [value]
    raise UnsupportedSyntaxError(
        "a class made inside a function has an attribute that may be a descriptor",
        "what Python reads of it for an object is not followed",
        "define the class outside of the function",
        place_of(r.context.function, s),
    )


def _asks(layout: Layout) -> bool:
    return any([name in layout.kinds for name in ("__get__", "__set__", "__set_name__", "__delete__")])

"""Methods of objects that others may have, as values: callbacks in lists, heaps and fields.

    push(queue, (t, self.arrive))                 push(queue, (t, self.arrive))
    t, call = pop(queue)                      →   t, call = pop(queue)
    call()                                        if call is `arrive` of a Desk: Desk.arrive(call.__self__)
                                                  else: Desk.leave(call.__self__)

Such a value is a reference, whose class says of which method. So it goes wherever references go.
"""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

from ..ir.methods import Method, method_class
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import Bottom, Ref, Type
from .infer import type_of
from .memory import class_of, classes_of

if TYPE_CHECKING:
    from .resolve import Resolver


def is_method(cls: Any) -> bool:
    """Tell whether a class stands for a method."""
    return isinstance(cls, type) and issubclass(cls, Method)


def equals_itself(t: Type) -> bool:
    """Tell whether what is of a type is equal to itself alone, or is a method: Python calls nothing to find out."""
    classes: tuple[Any, ...] = classes_of(t)
    return (
        isinstance(t, Bottom)
        or bool(classes)
        and all([is_method(cls) or cls.__eq__ is object.__eq__ for cls in classes])
    )


def value(r: Resolver, s: Call, base: Atom, name: str, function: Any) -> Atom:
    """`base.name`, which is more than called."""
    cls: Any = class_of(type_of(base))
    out = Var(s.out.name or name, Ref(method_class(cls, name, function)), False)
    r.append(Call((out,), Const(builtins.getattr), (base, Const(name)), (), s.span))
    return out


def receiver(r: Resolver, s: Call, method: Atom, cls: type[Method]) -> Atom:
    """The object to which a method is bound."""
    out = Var("", Ref(cls.owner), False)
    r.append(Call((out,), Const(builtins.getattr), (method, Const("__self__")), (), s.span))
    return out

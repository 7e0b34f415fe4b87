"""Objects of plain classes that are made on the way: their attributes are variables of the program, which all names of
an object lead to."""

from __future__ import annotations

import inspect
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..ir.changes import keeps
from ..origin import is_made_up, is_users
from .arrays import located
from .values import Arr, CannotCompile, Items, Method, Object, Unset, Value, arrays_in, leaves, same

if TYPE_CHECKING:
    from .lower import Lower

ALLOWED = {"__init__", "__call__", "__repr__", "__str__"}
"""What a class may say of its objects besides what their methods do."""

Field = tuple[Object, str]
State = list[dict[str, Any]]


class Assigned(Exception):
    """A loop assigns attributes of objects that were there before: it carries them."""

    def __init__(self, fields: Sequence[Field]) -> None:
        super().__init__()
        self.fields = fields


class Heap:
    """The objects that have been made, and what their attributes are now."""

    def __init__(self) -> None:
        self.objects: list[Object] = []

    def state(self) -> State:
        """The values of all attributes."""
        return [dict(x.fields) for x in self.objects]

    def restore(self, state: State) -> None:
        """Let all be as it was; later objects are forgotten."""
        del self.objects[len(state) :]
        for x, fields in zip(self.objects, state, strict=True):
            x.fields = dict(fields)

    def changed(self, state: State) -> list[Field]:
        """The attributes that are not what they were, of objects that were there."""
        pairs = zip(self.objects, state, strict=False)
        return [(x, n) for x, old in pairs for n, v in x.fields.items() if n not in old or not same(v, old[n])]

    def check(self, state: State, carried: Sequence[Field]) -> None:
        """Raise if a round has assigned more than what is carried on."""
        known = dict(zip(self.objects, state, strict=False))
        more = [field for field in self.changed(state) if field not in carried]
        if any(name not in known[x] for x, name in more):
            raise CannotCompile("an attribute that is first assigned in a loop")
        if more:
            raise Assigned(more)


def init_of(lower: Lower, cls: Any) -> types.FunctionType | None:
    """The method that makes the objects of a class, if it only assigns attributes, and the class is plain in all else;
    None otherwise."""
    init = lower.method_of(cls, "__init__")
    new: Any = cls.__new__
    if type(cls) is not type or new is not object.__new__ or not isinstance(init, types.FunctionType):
        return None
    special = [f for name, f in functions_of(cls) if name.startswith("__") and name not in ALLOWED]
    if not is_users(init.__code__.co_filename) or any(is_users(f.__code__.co_filename) for f in special):
        return None
    return init


def functions_of(cls: type) -> list[tuple[str, types.FunctionType]]:
    """The functions of a class and its bases, by their names."""
    return [(name, f) for base in cls.__mro__ for name, f in vars(base).items() if isinstance(f, types.FunctionType)]


def has_operators(cls: type) -> bool:
    """Tell whether a class says itself what operators, lengths, items or attributes of its objects are."""
    named = [f for name, f in functions_of(cls) if name.startswith("__") and name != "__call__"]
    return any(not is_made_up(f) and is_users(f.__code__.co_filename) for f in named)


def made(lower: Lower, cls: type, init: types.FunctionType, args: Sequence[Value], kwargs: dict[str, Value]) -> Object:
    """An object, by its `__init__`."""
    found = Object(cls)
    lower.heap.objects.append(found)
    lower.in_memory = True
    lower.call_function(init, [found, *args], kwargs)
    return found


def assign(lower: Lower, target: Value, name: str, value: Value) -> None:
    """`target.name = value`."""
    if not isinstance(target, Object):
        raise CannotCompile(f"the attribute `{name}`, which is assigned")
    if not keeps(target.cls, name):
        raise CannotCompile(f"the attribute `{name}`, whose class does more than keep it")
    if any(isinstance(x, Items) and not x.named or isinstance(x, Arr) and x.listed for x in parts_of(value)):
        raise CannotCompile(f"the attribute `{name}`, which holds a list or a dict")
    for a in arrays_in(value):
        located(lower.w, a)
    target.fields[name] = value


def parts_of(value: Value) -> list[Value]:
    """A value, and all that it consists of."""
    items = value if isinstance(value, tuple) else value.items if isinstance(value, Items) else ()
    return [value, *[part for item in items for part in parts_of(item)]]


def attribute(x: Object, name: str) -> Value:
    """`x.name`: what has been assigned, or a method."""
    if name in x.fields:
        if isinstance(x.fields[name], Unset):
            raise CannotCompile(f"the attribute `{name}`, which may be missing")
        return x.fields[name]
    if isinstance(inspect.getattr_static(x.cls, name, None), types.FunctionType):
        return Method(x, name)
    raise CannotCompile(f"the attribute `{name}` of `{x.cls.__name__}`")


def method(lower: Lower, x: Object, name: str, args: Sequence[Value], kwargs: dict[str, Value]) -> Value:
    """A call of a method."""
    if name in x.fields:
        return lower.apply(x.fields[name], list(args), kwargs)
    found = lower.method_of(x.cls, name)
    if not isinstance(found, types.FunctionType):
        raise CannotCompile(f"`.{name}` of `{x.cls.__name__}`")
    return lower.call_function(found, [x, *args], kwargs)


def holds_objects(values: Sequence[Value]) -> bool:
    """Tell whether there are such objects among values."""
    return any(isinstance(leaf, Object) for v in values for leaf in leaves(v))

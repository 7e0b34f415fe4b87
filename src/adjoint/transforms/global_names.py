"""Global names, attributes of functions and classes: constants under a guard, or memory if the program stores there."""

from __future__ import annotations

import abc
import builtins
import operator
import types
from typing import TYPE_CHECKING, Any, NoReturn

from ..errors import MutationError, UnsupportedSyntaxError
from ..ir import changes, intrinsics
from ..ir.named import Names, names_in, names_of_class
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import ABSENT, UNKNOWN, Dict, List, Record, Scalar, Tuple
from ..origin import is_read_class
from . import references
from .facts import GlobalName, Path
from .frames import place_of
from .global_counters import counter_type
from .global_tables import is_table, type_of_table
from .infer import is_constant, type_of
from .memory import Memory, class_of, hold, is_held, takes_references
from .options import texts_at

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

Folded = list[Atom] | None
MISSING = object()


def fold_global(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`name`, which is global or builtin."""
    name = args[1].value  # type: ignore[union-attr]
    function, scope = r.sp.frame.function, r.sp.frame.scope
    value = scope[name] if name in scope else getattr(builtins, name, MISSING)
    read = Call((), Const(intrinsics.load_global), (Const(None), Const(name)))
    if scope is not r.context.globals and name in scope:  # of another module
        read = Call((), Const(operator.getitem), (Const(scope), Const(name)))
    rebinds = value is MISSING or r.generation.rebinds(function, scope, name)
    if (rebinds or _is_touched(r, scope, name)) and (found := _loaded(r, s, scope, name)) is not None:
        return found
    if rebinds:
        out = Var(s.out.name, UNKNOWN, False)
        r.append(Call((out,), read.fn, read.args, (), s.span))
        return [out]
    r.guard(scope, name, value if name in scope else ABSENT)
    if is_constant(value):
        return [Const(value, name)]
    table = type_of_table(r, s, scope, name) if name in scope else None
    out = Var("", counter_type(value) or table or r.generation.typeof(value), False)
    t, memory = out.type, r.generation.memory
    holds = isinstance(t, (Record, Tuple)) or isinstance(t, (List, Dict)) and not isinstance(t.item, Scalar)
    path = Path(GlobalName(scope, name), (), value)
    if name in scope and (texts := texts_at(r, path, (), value)) is not None:
        r.sp.facts[out] = texts
    elif memory is None and name in scope and not r.context.plain and holds:
        r.sp.facts[out] = path
    if r.generation.memory is not None and takes_references([out]):
        r.generation.memory.roots.setdefault((id(scope), name), scope)
    r.append(Call((out,), read.fn, read.args, (), s.span))
    return [out]


def fold_store_global(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`name = value`, under `global name`."""
    name, scope = args[1].value, r.sp.frame.scope  # type: ignore[union-attr]
    kind = UnsupportedSyntaxError if r.context.plain else MutationError
    if r.generation.memory is None or r.context.plain or name not in scope:
        raise kind(
            f"cannot differentiate the assignment to the global name `{name}`",
            "others can see it change",
            "return the new value instead",
            place_of(r.sp.frame.function, s),
        )
    store_into(r, s, scope, _label(scope), name, args[2])
    return []


def _loaded(r: Resolver, s: Call, scope: dict[str, Any], name: str) -> Folded:
    """The value of a name that is memory; None where it is none."""
    if r.generation.memory is None or r.context.plain or name not in scope or is_constant(scope[name]):
        return None
    return load_from(r, s, scope, _label(scope), name)


def _label(scope: dict[str, Any]) -> str:
    return str(scope.get("__name__", "")).rpartition(".")[2].strip("_") or "names"


def _is_touched(r: Resolver, scope: dict[str, Any], name: str) -> bool:
    """Tell whether a program assigns to a name somewhere: in a notebook, a function of another file may do so."""
    names = None if r.generation.memory is None else r.generation.memory.scopes.get(id(scope))
    return names is not None and name in names.__touched__


def sees_names(r: Resolver, f: Any) -> bool:
    """Tell whether a function may touch names that are memory: it is read where it is called, whatever it is given."""
    written = type(f) is types.FunctionType and r.generation.reads(f.__code__.co_filename)
    return written and r.generation.memory is not None and not r.context.plain


def attribute_of(r: Resolver, s: Call, base: Const, name: str) -> Folded:
    """`f.name` of a function, or of a class, where that is memory; None of anything else."""
    if isinstance(base.value, type):
        return _of_class(r, s, base.value, name)
    scope = _scope_of_function(r, base.value, name)
    return None if scope is None else load_from(r, s, scope, base.value.__name__, name)


def store_into_attribute(r: Resolver, s: Call, base: Const, name: str, value: Atom) -> None:
    """Write out `f.name = value`, where that is memory; any other store into what is known is refused."""
    scope = _scope_of_function(r, base.value, name) or _scope_of_class(r, base.value, name)
    if scope is None:
        r.store(s, "store changes")
    else:
        store_into(r, s, scope, base.value.__name__, name, value)


def _scope_of_function(r: Resolver, f: Any, name: str) -> Any:
    """The attributes of a function that is known, where one of this name is to be memory; None of anything else."""
    if r.generation.memory is None or r.context.plain or type(f) is not types.FunctionType:
        return None
    return vars(f) if name in vars(f) and name not in changes.OF_FUNCTIONS else None


def _scope_of_class(r: Resolver, cls: Any, name: str) -> Any:
    """A class of the user's that has such an attribute itself, which is data."""
    if r.generation.memory is None or r.context.plain or type(cls) not in (type, abc.ABCMeta):
        return None
    own = name in vars(cls) and not name.startswith("__") and not hasattr(type(vars(cls)[name]), "__get__")
    return cls if own and is_read_class(cls) else None


def attribute_of_class(r: Resolver, s: Call, base: Any, name: str) -> Folded:
    """`base.name` of an object that has no such field, where the program stores into that of its class; None of
    anything else."""
    memory: Memory = r.generation.memory
    if memory is None or r.context.plain:
        return None
    own = class_of(t) if not isinstance(t := type_of(base), Record) else t.cls
    if own is None or not (found := _owner(r, own, name)):
        return None
    if isinstance(t, Record):
        if not r.sp.heap.is_object(base) or name in r.sp.heap.names(base):
            return None
    elif (own, name) in memory:
        raise MutationError(
            f"`.{name}`, which some objects have themselves and others by their class",
            "the program stores into that of the class, and which of them is read is known only as it runs",
            "give one of the two another name",
            place_of(r.sp.frame.function, s),
        )
    else:
        memory.hidden.add((own, name))
    return _of_class(r, s, found, name)


def _owner(r: Resolver, cls: type, name: str) -> type | None:
    """The class in which an attribute is found that is memory: programs store into it, or it is a list or a dict that
    they may change; None of any other."""
    owner = next((c for c in cls.__mro__ if name in vars(c)), None)
    names = r.generation.memory.scopes.get(id(owner))
    if names is not None and name in names.__touched__:
        return owner
    value = vars(owner)[name] if owner is not None and not name.startswith("__") else None
    held = type(value) in (list, dict) and type(owner) in (type, abc.ABCMeta) and is_read_class(owner)  # type: ignore[arg-type]
    return owner if held and not is_table(r.generation.typeof(value, False)) else None


def _of_class(r: Resolver, s: Call, cls: type, name: str) -> Folded:
    """`cls.name`, where programs store into it; None of any other."""
    if r.generation.memory is None or r.context.plain or not (owner := _owner(r, cls, name)):
        return None
    for before in cls.__mro__[: cls.__mro__.index(owner)]:
        r.guard(before, name, ABSENT)
    return load_from(r, s, owner, owner.__name__, name)


def load_from(r: Resolver, s: Call, scope: Any, label: str, name: str) -> Folded:
    """The present value of a name of a scope, or of a class; None of what is neither data nor memory."""
    memory: Memory = r.generation.memory
    t = r.generation.typeof(_held(scope, name))
    if not is_held(t):
        return None
    names = _touched(r, s, scope, label, name)
    hold(memory, type(names), name, t)
    return references.read(r, s, Const(names), type(names), name)


def store_into(r: Resolver, s: Call, scope: Any, label: str, name: str, value: Atom) -> None:
    """Let a name of a scope, or of a class, stand for a value."""
    names = _touched(r, s, scope, label, name)
    hold(r.generation.memory, type(names), name, r.generation.typeof(_held(scope, name)))
    references.store(r, s, Const(names), type(names), name, value)


def _held(scope: Any, name: str) -> Any:
    """The present value of a name of a scope, or of a class."""
    return vars(scope)[name] if isinstance(scope, type) else scope[name]


def _touched(r: Resolver, s: Call, scope: Any, label: str, name: str) -> Names:
    """The scope as an object. A function that touches it is written out where it is called: what it does with it is
    then seen there."""
    memory: Memory = r.generation.memory
    names: Names | None = memory.scopes.get(id(scope))
    if names is None:
        made = names_of_class(scope) if isinstance(scope, type) else names_in(scope, label)
        names = memory.scopes.setdefault(id(scope), made)
    names.__touched__.add(name)
    if r.generation.open[0] is not r.context.caller:
        memory.opened.add(r.context.caller.code)
        _refuse_within(r, s)
    return names


def _refuse_within(r: Resolver, s: Call) -> NoReturn:
    raise MutationError(
        f"`{r.context.function.name}` stores into a name that others can see",
        "what flows there is followed where the function is called",
        "return the new value instead",
        place_of(r.sp.frame.function, s),
    )

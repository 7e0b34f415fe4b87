"""Methods that Python calls by itself, of objects that others may have: they are called where the program has an
operator, an item or a question.

    p[3] = x          type(p).__setitem__(p, 3, x)
    p += q       →    p = type(p).__iadd__(p, q)
    if p: ...         if type(p).__bool__(p): ...

So what they store and compute is in the program as what any method does.
"""

from __future__ import annotations

import inspect
import operator
import types
from typing import TYPE_CHECKING, Any

from ..errors import MutationError
from ..identity import is_hashable
from ..ir import changes, checks, intrinsics
from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import BOOL, INT, UNKNOWN, Among, Record, Ref, Scalar, Type
from ..origin import module_of
from . import contents
from .callees import callee
from .frames import place_of
from .infer import type_of
from .memory import classes_of
from .remembered import check_found
from .virtual_sequences import items_at

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver
    from .specialise import Specialiser

Args = list[Any]

_BY_NAME: dict[Any, str] = {
    changes.set_item: "__setitem__",
    changes.delete_item: "__delitem__",
    operator.contains: "__contains__",
    abs: "__abs__",
    next: "__next__",
}


def call(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> list[Atom] | None:
    """A call for which Python calls a method of an object; None of any other."""
    value = fn.value if isinstance(fn, Const) and is_hashable(fn.value) else None
    if value is None or not args or kwargs or any([isinstance(a, Star) for a in args]):
        return None
    if r.context.plain or not any([isinstance(type_of(a), Ref) for a in args]):
        return None
    if value in (bool, operator.not_):
        return _asked(r, s, value, args[0])
    if value in _BY_NAME:
        return _by_name(r, s, value, args)
    if module_of(value) != "_operator" or not r.generation.overridden(value, [type_of(a) for a in args]):
        return None
    if value is operator.getitem and len(s.args) == 2:
        check_found(r, s, args[0], args[1])
    found = _operated(r, s, value, args)
    return None if found is None else [found]


def truth(sp: Specialiser, a: Atom, read: Atom) -> Atom:
    """The condition of a branch on an object: the answer of its method, if it has one. The program has `read` it."""
    if (items := items_at(sp.resolver, a)) is None:
        items = items_at(sp.resolver, a := contents.truth(sp, a, read))
    if items is not None:
        return Const(bool(items))
    t = type_of(a)
    if not isinstance(t, (Ref, Among)) or sp.context.plain:
        return a
    _check_asked_once(sp.resolver, t, Call((), Const(bool), (read,), ()))
    if isinstance(t, Among):
        return a
    asked = _truth(sp.resolver, Call((Var(""),), Const(bool), (), ()), a)
    return a if asked is None else asked


def _method(r: Resolver, owner: Any, name: str) -> Any:
    """The function of this name of an object's class, on which the program relies from then on; None of what it is
    otherwise."""
    t = type_of(owner)
    static = inspect.getattr_static(t.cls, name, None) if isinstance(t, Ref) else None
    if type(static) is not types.FunctionType:
        return None
    r.guard(t.cls, name, static)  # type: ignore[attr-defined]
    return static


def _result(r: Resolver, s: Call, method: Any, args: Args) -> Atom:
    """The result of a method, written out where Python calls it."""
    name = s.outs[0].name if s.outs else ""
    found = callee(r, Call((Var(name),), Const(method), (), (), s.span), Const(method), args, [])
    if found is None or type_of(found) == UNKNOWN:
        raise MutationError(
            f"`{method.__name__}` of an object that others may have",
            "Python calls it by itself, and what it does is known only when it runs",
            "call functions of numbers and arrays, and methods of the objects",
            place_of(r.context.function, s),
        )
    return found


def _by_name(r: Resolver, s: Call, value: Any, args: Args) -> list[Atom] | None:
    method = _method(r, args[0], _BY_NAME[value])
    if method is None or value is next and len(args) > 1:
        return None
    given = _result(r, s, method, args)
    if value is operator.contains:
        return [given] if type_of(given) == BOOL else None
    return [given] if value in (abs, next) else [args[0]] * len(s.outs)


def _operated(r: Resolver, s: Call, value: Any, args: Args) -> Atom | None:
    """The result of an operator: of the left operand's method, or of the right one's, in Python's order."""
    left, *right = args
    names, reflected = r.generation.operator_methods(value)
    own = next((method for name in names if (method := _method(r, left, name)) is not None), None)
    other = _method(r, right[0], reflected) if right and reflected is not None else None
    classes = [t.cls for t in map(type_of, args) if isinstance(t, Record)]
    if len(classes) == 2 and classes[1] is not classes[0] and issubclass(classes[1], classes[0]):
        return None  # whose method comes first
    if not isinstance(type_of(left), (Ref, Scalar)):
        return None
    if len(classes) == 2 and classes[1] is classes[0]:
        other = None  # Python does not ask it
    for method, given in ((own, args), (other, args[::-1])):
        if method is not None and not _is_refused(found := _result(r, s, method, given)):
            return found
    return None


def _is_refused(a: Atom) -> bool:
    """Tell whether a method leaves an operation to the other operand."""
    return isinstance(a, Const) and a.value is NotImplemented


def _check_asked_once(r: Resolver, t: Type, s: Call) -> None:
    """Refuse to ask an object whether it is true that a branch has given: `a or b` has asked it, and Python need not
    ask it again."""
    methods = [getattr(cls, name, None) for cls in classes_of(t) for name in ("__bool__", "__len__")]
    if s.args[0] in r.uses.joined and any([type(method) is types.FunctionType for method in methods]):
        raise MutationError(
            "the truth of an object that others may have, after `and`, `or` or a conditional expression",
            "Python asks it once where these stand in a condition, and its method may store",
            "ask it first: `known = bool(x)`",
            place_of(r.context.function, s),
        )


def _asked(r: Resolver, s: Call, value: Any, owner: Atom) -> list[Atom] | None:
    _check_asked_once(r, type_of(owner), s)
    asked = _truth(r, s, owner)
    return None if asked is None else r.call(s, Const(value), [asked], [])


def _truth(r: Resolver, s: Call, owner: Atom) -> Atom | None:
    """Tell whether an object counts as true, by `__bool__`, else by its length; None if only the run shows that."""
    if (method := _method(r, owner, "__bool__")) is not None:
        found = _result(r, s, method, [owner])
        return found if type_of(found) == BOOL or _is_bool(found) else None
    if inspect.getattr_static(type_of(owner).cls, "__bool__", None) is not None:  # type: ignore[attr-defined]
        return None
    if (method := _method(r, owner, "__len__")) is None:
        return None
    found = _result(r, s, method, [owner])
    if type_of(found) != INT:
        return None
    r.append(Call((), Const(intrinsics.check), (found, Const(checks.check_length)), (), s.span))
    return r.emit_call(operator.ne, [found, Const(0)], s.span)


def _is_bool(a: Atom) -> bool:
    return isinstance(a, Const) and type(a.value) is bool

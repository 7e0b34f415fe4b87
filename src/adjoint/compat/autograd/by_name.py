"""autograd's operators that take arguments by their names."""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ...derivatives.named import Named, name_after
from ...errors import NotDifferentiableError, calling_place, check_callable
from ...rules.registry import non_differentiable
from ...runtime.argnums import name_of
from .operators import grad
from .wrap_util import ByArgument


def grad_named(fun: Callable[..., Any], argname: str) -> ByArgument:
    """The gradient by the positional parameter of this name.

    Parameters
    ----------
    fun : a function with a real scalar result.
    argname : the name of the parameter, which is passed by position.

    Raises
    ------
    NotDifferentiableError
        If there is no such parameter.

    Examples
    --------
    >>> grad_named(lambda x, y: x * y, "y")(2.0, 3.0)
    2.0
    """
    check_callable(fun)
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [p.name for p in inspect.signature(fun).parameters.values() if p.kind in kinds]
    if argname not in names:
        raise NotDifferentiableError(
            f"`{name_of(fun)}` has no parameter {argname!r} that is passed by position",
            "`grad_named` looks for it among " + ", ".join([f"`{name}`" for name in names]),
            "give one of these, or use `adjoint.grad(f, argnums='name')`, which takes keywords too",
            calling_place(),
        )
    return grad(fun, names.index(argname))


def multigrad_dict(fun: Callable[..., Any]) -> Callable[..., OrderedDict[str, Any]]:
    """The gradients by all arguments, in a dict by their names; those of `*args` and `**kwargs` under theirs.

    Parameters
    ----------
    fun : a function with a real scalar result.

    Examples
    --------
    >>> dict(multigrad_dict(lambda x, y=3.0: x * y)(2.0))
    {'x': 3.0, 'y': 2.0}
    """
    check_callable(fun)
    return OfNames(fun)


class OfNames(Named):
    """The function that `multigrad_dict` makes."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self._f = f
        name_after(self, f)

    def __reduce__(self) -> Any:
        return OfNames, (self._f,)

    def __call__(self, /, *args: Any, **kwargs: Any) -> OrderedDict[str, Any]:
        names, (positional, star, only, keywords) = bound(self._f, args, kwargs)
        f = self._f

        def of_dict(given: dict[str, Any]) -> Any:
            places = [given[name] for name in positional]
            rest = given[star] if star else ()
            named = given[keywords] if keywords else {}
            by_name = {name: given[name] for name in only}
            return f(*places, *rest, **by_name, **named)

        found = grad(of_dict)(dict(names))
        return OrderedDict([(name, found[name]) for name in names])


def bound(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The arguments of a call by name, with defaults; and which of them go by position, by `*` and by `**`."""
    signature = inspect.signature(f)
    call = signature.bind(*args, **kwargs)
    call.apply_defaults()
    by_kind: dict[Any, list[str]] = {}
    for name, p in signature.parameters.items():
        by_kind.setdefault(p.kind, []).append(name)
    kind = inspect.Parameter
    plain = [*by_kind.get(kind.POSITIONAL_ONLY, []), *by_kind.get(kind.POSITIONAL_OR_KEYWORD, [])]
    stars = [*by_kind.get(kind.VAR_POSITIONAL, []), None]
    return dict(call.arguments), (
        plain,
        stars[0],
        by_kind.get(kind.KEYWORD_ONLY, []),
        [*by_kind.get(kind.VAR_KEYWORD, []), None][0],
    )


non_differentiable(bound)

__all__ = ["grad_named", "multigrad_dict"]

"""Signatures of rules: the names of its positional parameters, and for which types they are."""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType
from typing import Any

from ..errors import RuleError, calling_place
from .selection import Accepted, Classes, classes_of


def accepted_by(signature: Callable[..., Any], default: Any, skip_last: bool, required: int) -> Accepted:
    """The arguments that a rule takes; parameters without annotation take `default`, and so do those of `Any`."""
    names, _, star = positional(signature)
    most, anything = classes_of(default), classes_of(Any)
    found = _classes(signature, names if star is None else (*names, star))
    found = {name: most if classes == anything else classes for name, classes in found.items()}
    types = [found.get(name, most) for name in (names[:-1] if skip_last else names)]
    return Accepted(tuple(types), None if star is None else found.get(star, most), required)


def parameters_of(f: Any) -> list[inspect.Parameter]:
    """The parameters of a callable; a signature that a function has been given is taken as it is, which is quicker."""
    own = f.__dict__.get("__signature__") if type(f) is FunctionType else None
    return [*(own if isinstance(own, inspect.Signature) else inspect.signature(f)).parameters.values()]


def is_plain(f: Any) -> bool:
    """Tell whether the code of a function says what `inspect` says, sooner."""
    return type(f) is FunctionType and not {"__wrapped__", "__signature__"} & {*f.__dict__}


def asks_by_name(f: Any) -> bool:
    """Tell whether a function has keyword-only parameters without defaults."""
    if is_plain(f):
        return bool(f.__code__.co_kwonlyargcount > len(f.__kwdefaults__ or ()))
    return any([p.kind is p.KEYWORD_ONLY and p.default is p.empty for p in parameters_of(f)])


def positional(f: Any) -> tuple[tuple[str, ...], int, str | None]:
    """The names of a function's positional parameters, how many have no default, and the name of its `*args`."""
    if is_plain(f):
        code, n = f.__code__, f.__code__.co_argcount
        star = code.co_varnames[n + code.co_kwonlyargcount] if code.co_flags & inspect.CO_VARARGS else None
        return code.co_varnames[:n], n - len(f.__defaults__ or ()), star
    parameters = parameters_of(f)
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    star = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), None)
    return tuple(p.name for p in positional), sum(p.default is p.empty for p in positional), star


def keyword_only(f: Any) -> tuple[str, ...]:
    """The names of a function's keyword-only parameters, but of `needs`, by which a rule is told what is asked for.

    >>> keyword_only(lambda a, *, lower=0, upper=1: a)
    ('lower', 'upper')
    """
    if is_plain(f):
        n, code = f.__code__.co_argcount, f.__code__
        names = code.co_varnames[n : n + code.co_kwonlyargcount]
    else:
        names = tuple([p.name for p in parameters_of(f) if p.kind is p.KEYWORD_ONLY])
    return tuple([name for name in names if name != "needs"])


def _said(hint: str, scope: dict[str, Any]) -> Any:
    """The type that the text of an annotation says: types by their names, of other types, in brackets, or one of
    several.

    >>> _said("dict[str, float] | None", {})
    dict[str, float] | None
    """

    def said(node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name) if name in scope or hasattr(builtins, name):
                return scope[name] if name in scope else getattr(builtins, name)
            case ast.Name(id=name):
                raise NameError(f"name {name!r} is not defined")
            case ast.Attribute(value=owner, attr=name):
                return getattr(said(owner), name)
            case ast.Subscript(value=owner, slice=index):
                return said(owner)[said(index)]
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return said(left) | said(right)
            case ast.Tuple(elts=items):
                return tuple(map(said, items))
            case ast.List(elts=items):
                return [*map(said, items)]
        return ast.literal_eval(node)

    found = said(ast.parse(hint.strip(), mode="eval").body)
    return _said(found, scope) if isinstance(found, str) else found


def _classes(signature: Callable[..., Any], names: Sequence[str]) -> dict[str, Classes]:
    """The classes that these parameters are annotated with; `RuleError` where it says something else."""
    written = getattr(signature, "__annotations__", {})
    scope = getattr(inspect.unwrap(signature), "__globals__", {})
    hints = {name: written[name] for name in names if name in written}
    try:  # `typing.get_type_hints` takes ten times as long
        hints = {name: _said(hint, scope) if isinstance(hint, str) else hint for name, hint in hints.items()}
    except (NameError, SyntaxError, ValueError, AttributeError, TypeError) as error:
        raise RuleError(
            f"the annotations of the rule `{signature.__name__}` cannot be read: {error}",
            "they say for which types of arguments the rule is",
            "annotate with names that its module knows, or with the classes themselves, not as strings",
            calling_place(),
        ) from None
    found = {}
    for name, hint in hints.items():
        try:
            found[name] = classes_of(hint)
        except TypeError:
            raise RuleError(
                f"the annotation of `{name}` in the rule `{signature.__name__}` is not of classes: {hint!r}",
                "a rule is chosen by the classes of the arguments",
                "annotate with the class, and look at the value inside the rule",
                calling_place(),
            ) from None
    return found


def methods_of(classes: Iterable[type], *names: str) -> tuple[Any, ...]:
    """The functions behind methods and properties of these names, each once; not all versions of a library have all.

    >>> from fractions import Fraction
    >>> [f.__name__ for f in methods_of((Fraction, int), "numerator", "limit_denominator", "no_such_name")]
    ['numerator', 'limit_denominator']
    """
    found: dict[Any, None] = {}
    for cls in classes:
        for name in names:
            method = inspect.getattr_static(cls, name, None)
            method = method.fget if isinstance(method, property) else getattr(cls, name, None)
            if inspect.isfunction(method):
                found[method] = None
    return tuple(found)


def as_declared(f: Callable[..., Any]) -> Callable[[tuple[Any, ...], tuple[str, ...]], tuple[Any, ...]]:
    """A function that lays out cotangents of a call as a rule gives them. It takes those of the arguments as they were
    given, and the keywords among these. First come those by position, then those of keyword-only parameters as they are
    declared, then those of what two stars took.

    >>> as_declared(lambda a, b=1, *, c=2, d=3, **more: a)(("ā", "d̄", "ē", "b̄"), ("d", "e", "b"))
    ('ā', 'b̄', None, 'd̄', 'ē')
    """
    order, by_name = positional(f)[0], keyword_only(f)

    def laid_out(bars: tuple[Any, ...], names: tuple[str, ...]) -> tuple[Any, ...]:
        n = len(bars) - len(names)
        named = dict(zip(names, bars[n:], strict=True))
        declared = (*order[n:], *by_name)
        others = [bar for name, bar in named.items() if name not in (*order, *by_name)]
        return (*bars[:n], *[named.get(name) for name in declared], *others)

    return laid_out

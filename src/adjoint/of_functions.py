"""Jacobians and Hessians with arguments and without: of a call at once, of a function as a function."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Final

from .api import Compile
from .blocks import Mode
from .derivatives.named import NamedFunction, name_after
from .errors import OptionError, calling_place, check_callable
from .options import NO, NONE, default, options_of, refuse_foreign, refuse_options
from .rules.registry import non_differentiable
from .runtime.argnums import Argnums, name_of, wanted_by
from .wrappers import signature_of

MAX_BYTES = 2 * 1024**3
"""The memory that a Jacobian may take unless more is allowed."""
AUTO: Final[Any] = default("auto")
MOST: Final = default(MAX_BYTES)


@dataclasses.dataclass(frozen=True, slots=True)
class Asked:
    """The request for a Jacobian or a Hessian, by its options."""

    argnums: Argnums | None
    mode: Mode
    max_bytes: float
    sparsity: Any
    compile: Compile
    has_aux: bool


def asked_of(verb: str, argnums: Any, mode: Any, max_bytes: Any, sparsity: Any, compile: Any, has_aux: Any) -> Asked:
    """The options of a call, looked at."""
    _check_mode(mode)
    if argnums is not None:
        wanted_by(argnums, verb)
    return Asked(argnums, mode, max_bytes, sparsity, compile, has_aux)


def of_call_or_function(
    verb: str,
    of_call: Callable[..., Any],
    f: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    argnums: Any,
    mode: Any = AUTO,
    max_bytes: Any = MOST,
    sparsity: Any = NONE,
    compile: Any = NO,
    has_aux: Any = NO,
) -> Any:
    """The result of `of_call` for a call of `f`; without arguments by position, the function that gives it for those it
    is given."""
    check_callable(f)
    called = bool(args)
    if kwargs and not called:
        taken = OPTIONS[verb]
        where = f"give it by position: `{verb}({name_of(f)}, {next(iter(kwargs))})`, or `{verb}({name_of(f)})(...)`"
        refuse_options(verb, kwargs, taken, where if next(iter(kwargs)) in signature_of(f).parameters else "")
    if called and argnums is NONE:
        _refuse_places(verb, f, args)
    options = options_of(
        verb,
        f if called else None,
        argnums=argnums,
        mode=mode,
        max_bytes=max_bytes,
        sparsity=sparsity,
        compile=compile,
        has_aux=has_aux,
    )
    if not called:
        return OfFunction(f, of_call, by_first(asked_of(verb, *options)))
    asked = asked_of(verb, *options)
    if kwargs:
        refuse_foreign(verb, f, kwargs)
        if _are_named(asked.argnums, args):
            args, kwargs = by_position(f, args, kwargs)
    return of_call(f, args, kwargs, asked)


OPTIONS = {
    "jacobian": ("argnums", "mode", "max_bytes", "sparsity", "compile", "has_aux"),
    "hessian": ("argnums", "mode", "max_bytes", "sparsity", "compile", "has_aux"),
    "hessian_diag": ("argnums", "compile"),
}


def _refuse_places(verb: str, f: Any, args: tuple[Any, ...]) -> None:
    """Raise `OptionError` where arguments are chosen as other tools have it, `jacobian(f, 0)(x)`: by what else would be
    the point."""
    if len(args) != 1 or not _are_places(args[0], list(signature_of(f).parameters)):
        return
    given = repr(args[0])
    point = f"as the point write `{verb}({name_of(f)}, {float(args[0])})`" if isinstance(args[0], int) else ""
    point = point or f"at that point write `{verb}({name_of(f)})({given})`"
    raise OptionError(
        f"`{verb}({name_of(f)}, {given})` may be meant by argument {given}, or at the point {given}",
        "arguments are chosen by `argnums`, a keyword; what follows the function is where it is differentiated",
        f"by arguments write `{verb}({name_of(f)}, argnums={given})(x)`; {point}",
        calling_place(),
    )


def _are_places(given: Any, names: list[str]) -> bool:
    """Tell whether all this may be are arguments of a function with such names."""
    if type(given) in (tuple, list):
        return len(given) > 0 and all([type(one) in (int, str) and _are_places(one, names) for one in given])
    return type(given) is str and given in names or type(given) is int and -len(names) <= given < len(names)


class OfFunction(NamedFunction):
    """The derivatives of a function by arguments that it is given later."""

    def __init__(self, f: Callable[..., Any], of_call: Callable[..., Any], asked: Asked) -> None:
        self._f = f
        self._of_call = of_call
        self._asked = asked
        name_after(self, f)

    def __reduce__(self) -> Any:
        return OfFunction, (self._f, self._of_call, self._asked)

    def __repr__(self) -> str:
        return f"{SHOWN[self._of_call]}({name_of(self._f)})"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if kwargs and _are_named(self._asked.argnums, args):
            args, kwargs = by_position(self._f, args, kwargs)
        return self._of_call(self._f, args, kwargs, self._asked)


def _are_named(argnums: Any, args: tuple[Any, ...]) -> bool:
    """Tell whether some of the arguments that are asked for may be given by keyword."""
    wanted = argnums if isinstance(argnums, (tuple, list)) else () if argnums is None else (argnums,)
    return any([isinstance(which, str) or isinstance(which, int) and which >= len(args) for which in wanted])


def by_position(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The same call with all that can be given by position.

    >>> by_position(lambda x, y, *, z: 0.0, (), {"y": 2.0, "z": 3.0, "x": 1.0})
    ((1.0, 2.0), {'z': 3.0})
    """
    try:
        call = signature_of(f).bind(*args, **kwargs)
    except TypeError:  # the call itself says what is wrong
        return args, kwargs
    return call.args, call.kwargs


SHOWN: dict[Any, str] = {}
"""The texts by which functions of derivatives are shown, by what they do of a call."""


def by_first(asked: Asked) -> Asked:
    """The same of a function: by its first argument, if nothing is said."""
    return asked if asked.argnums is not None else dataclasses.replace(asked, argnums=0)


def _check_mode(mode: str) -> None:
    if mode not in ("auto", "forward", "reverse"):
        raise OptionError(
            f"`mode` is {mode!r}",
            "derivatives are taken by columns or by rows",
            'say "forward", "reverse" or "auto"',
            calling_place(),
        )


non_differentiable(asked_of, by_first, by_position, _are_named, _refuse_places)

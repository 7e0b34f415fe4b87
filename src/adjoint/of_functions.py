"""Jacobians and Hessians with arguments and without: of a call at once, of a function as a function."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Final

from .api import Compile
from .blocks import Mode
from .derivatives.named import NamedFunction, name_after
from .errors import NotDifferentiableError, calling_place, check_callable
from .options import NO, default, options_of, refuse_foreign
from .rules.registry import non_differentiable
from .runtime.argnums import Argnums, name_of

MAX_BYTES = 2 * 1024**3
"""How much memory a Jacobian may take unless more is allowed."""
NONE: Final[Any] = default(None)
AUTO: Final[Any] = default("auto")
MOST: Final = default(MAX_BYTES)


@dataclasses.dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a Jacobian or a Hessian, by its options."""

    argnums: Argnums | None
    mode: Mode
    max_bytes: float
    sparsity: Any
    compile: Compile
    has_aux: bool


def asked_of(argnums: Any, mode: Any, max_bytes: Any, sparsity: Any, compile: Any, has_aux: Any) -> Asked:
    """The options of a call, looked at."""
    _check_mode(mode)
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
    """What `of_call` gives for a call of `f`; without arguments, the function that gives it for those it is given."""
    check_callable(f)
    called = args or kwargs
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
        return OfFunction(f, of_call, by_first(asked_of(*options)))
    if kwargs:
        refuse_foreign(verb, f, kwargs)
    return of_call(f, args, kwargs, asked_of(*options))


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
        return self._of_call(self._f, args, kwargs, self._asked)


SHOWN: dict[Any, str] = {}
"""How functions of derivatives are shown, by what they do of a call."""


def by_first(asked: Asked) -> Asked:
    """The same of a function: by its first argument, if nothing is said."""
    return asked if asked.argnums is not None else dataclasses.replace(asked, argnums=0)


def _check_mode(mode: str) -> None:
    if mode not in ("auto", "forward", "reverse"):
        raise NotDifferentiableError(
            f"`mode` is {mode!r}",
            "derivatives are taken by columns or by rows",
            'say "forward", "reverse" or "auto"',
            calling_place(),
        )


non_differentiable(by_first, _check_mode)

"""Options of a derivative, which are passed by keyword beside the keywords of the function itself.

No option hides a parameter of the function: where both have the same name, and it is passed, the call is refused.
"""

from __future__ import annotations

import functools
from typing import Any, Final, Generic, TypeVar, cast

from .errors import OptionError, calling_place
from .rules.registry import non_differentiable
from .runtime.argnums import name_of
from .wrappers import signature_of

T = TypeVar("T")


class Default(Generic[T]):
    """The value of an option that is not passed; it is shown as that value is."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def __repr__(self) -> str:
        return repr(self.value)


@functools.cache
def default(value: T) -> T:
    """What stands for a value as the default of an option, so that one that is passed can be told from it."""
    return cast(T, Default(value))


NO: Final = default(False)


def options_of(verb: str, f: Any, **options: Any) -> tuple[Any, ...]:
    """The values of the options of a call; `OptionError` for one that is also a parameter of `f`, if that is given.

    >>> options_of("gradient", lambda x: x, check=NO, compile="strict")
    (False, 'strict')
    """
    passed = [name for name, value in options.items() if type(value) is not Default]
    if passed and f is not None:
        own = signature_of(f).parameters
        for name in passed:
            if name in own and own[name].kind is not own[name].POSITIONAL_ONLY:
                of = name_of(f)
                raise OptionError(
                    f"`{name}` is an option of `{verb}` and a parameter of `{of}`",
                    "nobody can tell which of the two is meant",
                    f"bind the parameter first: `{verb}(functools.partial({of}, {name}=...), ...)`; for the option, "
                    f"give `{verb}` a function without such a parameter",
                    calling_place(),
                )
    return tuple([value.value if type(value) is Default else value for value in options.values()])


_OTHERS = {
    "argnum": "write `argnums=`: an int or a name, or several of them",
    "wrt": "write `argnums=`: an int or a name, or several of them",
    "argnames": "write `argnums=`, which takes names as well",
    "holomorphic": "leave it off: the gradient of a real function of complex numbers is that of its real and imaginary "
    "parts; `adjoint.calculus.derivative` and `jvp` take holomorphic functions",
    "allow_int": "leave it off: an int that is differentiated counts as a real number, 3 as 3.0",
    "reduce_axes": "leave it off",
    "create_graph": "leave it off: every derivative can be differentiated again",
    "retain_graph": "leave it off: a pullback may be called as often as one likes",
    "allow_unused": "leave it off: where nothing flows the gradient is zero",
    "jit": "write `compile=True`",
    "nopython": "write `strict=True`: what cannot be compiled is an error",
    "fullgraph": "write `strict=True`: what cannot be compiled is an error",
    "static_argnums": "leave it off: what is no number and no array is a constant by itself",
    "static_argnames": "leave it off: what is no number and no array is a constant by itself",
    "donate_argnums": "leave it off",
    "order": "differentiate again: `grad(grad(f))`, or `adjoint.calculus.derivative(f, n=2)`",
}
"""What to write in place of the options of other tools."""


def refuse_options(verb: str, unknown: dict[str, Any], taken: tuple[str, ...]) -> None:
    """Raise `OptionError` for options that a verb does not have."""
    for name in unknown:
        if name not in taken:
            listed = ", ".join(f"`{option}`" for option in taken)
            raise OptionError(
                f"`{verb}` has no option `{name}`",
                f"its options are {listed}; arguments of the function go to the function that `{verb}(f)` gives",
                _OTHERS.get(name, f"use one of these, or pass it there: `{verb}(f)(..., {name}=...)`"),
                calling_place(),
            )


_OF_FUNCTIONS = {
    "argnums": "write `grad(f, argnums=...)(x)`; of `gradient(f, x, y)`, `vjp` and `pullback` take the items you need",
    "has_aux": "write `grad(f, has_aux=True)(x)`, or `value_and_grad`; a pullback of a pair takes `(1.0, None)`",
    **{name: hint for name, hint in _OTHERS.items() if name not in ("argnum", "wrt", "argnames")},
}
_OF_FUNCTIONS.update(dict.fromkeys(("argnum", "wrt", "argnames"), _OF_FUNCTIONS["argnums"]))
"""What to write in place of options that a call of a verb does not have: they would be arguments of the function."""


def refuse_foreign(verb: str, f: Any, kwargs: dict[str, Any]) -> None:
    """Raise `OptionError` for an option of other verbs or tools among the keywords of a function without such a one."""
    foreign = [name for name in kwargs if name in _OF_FUNCTIONS]
    own = signature_of(f).parameters if foreign else {}
    if not own or any([p.kind is p.VAR_KEYWORD for p in own.values()]):
        return
    for name in foreign:
        if name not in own:
            raise OptionError(
                f"`{verb}` has no option `{name}` here, and `{name_of(f)}` no such parameter",
                "keywords that are no options are arguments of the function",
                _OF_FUNCTIONS[name],
                calling_place(),
            )


non_differentiable(options_of, refuse_foreign, refuse_options)

"""Options of a derivative, which are passed by keyword beside the keywords of the function itself.

No option hides a keyword of the function: where one is passed that the function may take as well, because it has such
a parameter or takes any, the call is refused.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any, Final, Generic, TypeVar, cast

from .errors import OptionError, calling_place
from .rules.registry import non_differentiable
from .runtime.argnums import name_of
from .wrappers import callees, signature_of

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
    """The stand-in for a value as the default of an option, so that one that is passed can be told from it."""
    return cast(T, Default(value))


NO: Final = default(False)
NONE: Final[Any] = default(None)


def options_of(verb: str, f: Any, **options: Any) -> tuple[Any, ...]:
    """The values of the options of a call; `OptionError` for one that may as well be a keyword of `f`, if it is given.

    >>> options_of("gradient", lambda x: x, check=NO, compile="strict")
    (False, 'strict')
    """
    passed = [name for name, value in options.items() if type(value) is not Default]
    if passed and f is not None:
        taken, any_other = _keywords_of(f)
        for name in passed:
            if any_other or name in taken:
                raise _doubtful(verb, name, name_of(f), name in taken)
    return tuple([value.value if type(value) is Default else value for value in options.values()])


def _keywords_of(f: Any) -> tuple[frozenset[str], bool]:
    """The names of the keywords that a function takes, and whether it takes any other."""
    parameters = [p for one in callees(f) or [f] for p in signature_of(one).parameters.values()]
    named = frozenset([p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)])
    return named, any([p.kind is p.VAR_KEYWORD for p in parameters])


def _doubtful(verb: str, name: str, of: str, is_parameter: bool) -> OptionError:
    """The error for an option that may be meant for the function."""
    made = f"`{_CURRIED[verb]}(f, {name}=...)(x)`, where" if verb in _CURRIED else ""
    apart = f"{made} keywords of the second call go to `f`" if made else f"give `{verb}` a `lambda` without keywords"
    return OptionError(
        f"`{name}` is an option of `{verb}` and "
        + (f"a parameter of `{of}`" if is_parameter else f"may be a keyword of `{of}`, which takes any"),
        "nobody can tell which of the two is meant",
        f"bind the keyword first: `{verb}(functools.partial({of}, {name}=...), ...)`; for the option, {apart}",
        calling_place(),
    )


_CURRIED = {
    "gradient": "grad",
    "withgradient": "value_and_grad",
    "jacobian": "jacobian",
    "hessian": "hessian",
    "hessian_diag": "hessian_diag",
}
"""Verbs whose options can be given apart from the arguments, and what takes them."""


_ARGNUMS = "write `argnums=`: an int or a name, or several of them"
_HINTS = {
    "argnum": _ARGNUMS,
    "wrt": _ARGNUMS,
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
    "vectorize": "leave it off: directions are taken together where that is quicker",
    "strategy": 'write `mode="forward"` or `mode="reverse"`',
    "axis_name": "leave it off: lanes are joined after the call, `vmap(f)(xs).sum(0)`",
    "spmd_axis_name": "leave it off: there is one device",
    "axis_size": "leave it off: the number of lanes is that of the arguments",
    "in_dims": "write `in_axes=`",
    "out_dims": "write `out_axes=`",
    "randomness": "leave it off: each lane draws its own numbers, as a loop does; what lanes share is drawn before",
    "policy": "checkpoint the parts that are to run again: what is outside of them is kept",
    "prevent_cse": "leave it off",
    "concrete": "leave it off: programs see their values",
    "use_reentrant": "leave it off",
    "preserve_rng_state": "leave it off, and draw random numbers outside: the function runs twice",
}
"""The options of other tools, and what to write in their place."""

_HAS_ARGNUMS = frozenset(
    ["grad", "value_and_grad", "jacobian", "value_and_jacobian", "hessian", "hessian_diag", "elementwise_grad"]
)
_OF_GRAD = "write `grad(f, argnums=...)(x)`"
_AUX_OF_GRAD = "write `grad(f, has_aux=True)(x)`, or `value_and_grad`"
_AUX_OF_PULLBACK = f"{_AUX_OF_GRAD}; a pullback of a pair takes `(1.0, None)`"
_AUX_ALONG = "leave it off: of a function that returns a pair the tangent is a pair, and the second may be ignored"
_ARGNUMS_ALONG = "give None as the tangent of what does not move: `{verb}(f, (x, y), (v, None))`"
_OF_VERBS = {
    ("jvp", "has_aux"): _AUX_ALONG,
    ("pushforward", "has_aux"): _AUX_ALONG,
    ("linearize", "has_aux"): _AUX_ALONG,
    ("vjp", "has_aux"): _AUX_OF_PULLBACK,
    ("pullback", "has_aux"): _AUX_OF_PULLBACK,
    ("rrule", "has_aux"): _AUX_OF_PULLBACK,
    ("hvp", "has_aux"): "differentiate the loss alone: `hvp(lambda x: f(x)[0], (x,), (v,))`",
    ("ggnvp", "has_aux"): "give the result alone: `ggnvp(lambda x: f(x)[0], loss, (x,), (v,))`",
    ("hessian_diag", "has_aux"): "differentiate the loss alone: `hessian_diag(lambda x: f(x)[0])(x)`",
    ("elementwise_grad", "has_aux"): "differentiate the result alone: `elementwise_grad(lambda x: f(x)[0])(x)`",
    ("derivative", "has_aux"): "leave it off: the result may be a pair, and so is the derivative",
    ("derivative", "argnums"): "it is by the first argument: write `derivative(lambda y: f(x, y))(y)`",
    ("jvp", "argnums"): _ARGNUMS_ALONG,
    ("pushforward", "argnums"): _ARGNUMS_ALONG,
    ("hvp", "argnums"): _ARGNUMS_ALONG,
    ("ggnvp", "argnums"): "give None as the tangent of what does not move",
    ("linearize", "argnums"): "give None as the tangent of what does not move: `push(v, None)`",
    ("checkpoint", "static_argnums"): "leave it off: what is no number and no array is handed over as it is",
    ("jacobian", "chunk_size"): "leave it off: directions are taken together as memory allows; see `max_bytes=`",
    ("hessian", "chunk_size"): "leave it off: directions are taken together as memory allows; see `max_bytes=`",
}
"""The same, where it depends on the verb."""


def hint_for(verb: str, name: str) -> str | None:
    """The advice in place of an option that a verb does not have; None if nobody has such a one.

    >>> hint_for("jacobian", "wrt")
    'write `argnums=`: an int or a name, or several of them'
    >>> hint_for("gradient", "wrt")
    'write `grad(f, argnums=...)(x)`; of `gradient(f, x, y)`, `vjp` and `pullback` take the items you need'
    """
    by_place = name in ("argnums", "argnum", "wrt", "argnames")
    known = _OF_VERBS.get((verb, "argnums" if by_place else name))
    if known is not None:
        return known.format(verb=verb)
    if by_place and verb not in _HAS_ARGNUMS:
        return f"{_OF_GRAD}; of `gradient(f, x, y)`, `vjp` and `pullback` take the items you need"
    return _AUX_OF_GRAD if name == "has_aux" else _HINTS.get(name)


def refuse_options(verb: str, unknown: dict[str, Any], taken: tuple[str, ...], where: str = "") -> None:
    """Raise `OptionError` for options that a verb does not have; `where` says where arguments of the function go."""
    for name in unknown:
        if name not in taken:
            listed = f"its options are {', '.join([f'`{option}`' for option in taken])}" if taken else "it has none"
            raise OptionError(
                f"`{verb}` has no option `{name}`",
                f"{listed}; arguments of the function go to the function that `{verb}(f)` gives",
                hint_for(verb, name)
                or near(name, taken)
                or where
                or f"{_OR[bool(taken)]}pass it there: `{verb}(f)(..., {name}=...)`",
                calling_place(),
            )


_OR = ("", "use one of these, or ")


def near(name: str, taken: tuple[str, ...]) -> str | None:
    """The option that somebody may have meant who has misspelled one.

    >>> near("in_axis", ("in_axes", "out_axes")), near("color", ("in_axes",))
    ('write `in_axes=`, if that is meant', None)
    """
    import difflib

    found = difflib.get_close_matches(name, taken, 1, 0.7)
    return f"write `{found[0]}=`, if that is meant" if found else None


def refuse_foreign(verb: str, f: Any, kwargs: dict[str, Any]) -> None:
    """Raise `OptionError` for an option of other verbs or tools among the keywords of a function without such a one."""
    hints = {name: hint for name in kwargs if (hint := hint_for(verb, name)) is not None}
    if not hints:
        return
    taken, any_other = _keywords_of(f)
    if any_other or not taken and not signature_of(f).parameters:
        return
    for name, hint in hints.items():
        if name not in taken:
            raise OptionError(
                f"`{verb}` has no option `{name}` here, and `{name_of(f)}` no such parameter",
                "keywords that are no options are arguments of the function",
                hint,
                calling_place(),
            )


def refuse_nothing(verb: str, f: Any, kwargs: dict[str, Any]) -> None:
    """Raise `OptionError` where a function that takes arguments by position is given none: nothing would be
    differentiated."""
    if not kwargs:
        refuse_no_call(verb, f)
    parameters = signature_of(f).parameters.values()
    named = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if not kwargs and not named or not is_call(f, (), kwargs):
        return  # a function of nothing, or Python says what is missing
    of, x = name_of(f), next((name for name in (*kwargs, *named)), "x")
    raise OptionError(
        f"`{verb}` of `{of}` is asked for by no argument",
        "it is by the arguments that are given by position; those by keyword are constants",
        f"write `{verb}({of}, {x})`"
        + (
            f'; `grad({of}, "{x}")({x}={x})` is by one that is given by keyword'
            if kwargs
            else f", or `grad({of})({x})`"
        ),
        calling_place(),
    )


def refuse_no_call(verb: str, f: Any) -> None:
    """Raise Python's own error, with a note, where what evaluates a derivative is given a function alone that needs
    arguments."""
    needed = [p.name for p in signature_of(f).parameters.values() if p.default is p.empty and p.kind in _BY_PLACE]
    if not needed or is_call(f, (), {}):
        return
    try:
        f()
    except TypeError as error:
        of, given = name_of(f), ", ".join(needed)
        curried = {"gradient": "grad", "withgradient": "value_and_grad"}.get(verb)
        error.add_note(
            f"`{verb}` evaluates at once: write `{verb}({of}, {given})`"
            + (f", or `{curried}({of})({given})`" if curried else "")
        )
        raise


_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def is_call(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Tell whether a function takes such arguments, as far as its signature says."""
    try:
        signature_of(f).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


non_differentiable(hint_for, is_call, options_of, refuse_foreign, refuse_no_call, refuse_nothing, refuse_options)

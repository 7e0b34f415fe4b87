"""Gradients as functions: what `grad` and `value_and_grad` make of a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, ParamSpec, TypeVar, overload

from .api import Compile, check_call, compiled_call, flags_of, gradient, withgradient
from .derivatives import begin, is_compiled, value_and_bars
from .derivatives.choice import differentiated
from .derivatives.named import NamedFunction, name_after
from .derivatives.ordering import ordered, planned_gradient
from .derivatives.planning import plan_gradient
from .errors import check_callable
from .options import refuse_foreign, refuse_options
from .result_types import Gradient, ValueAndGradient
from .rules.registry import non_differentiable
from .runtime.argnums import Argnums, defaults_of, is_one, name_of, place_of, wanted_by
from .runtime.forward import OWN
from .runtime.jvp_pullbacks import made_of_along
from .runtime.spec import NESTED
from .tangents import release, scalar_seed
from .tangents.form import check_pair
from .tangents.sweep import in_sweep

P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A")


@overload
def grad(
    f: Callable[P, Any],
    argnums: Literal[0] = 0,
    has_aux: Literal[False] = False,
    *,
    check: bool = False,
    compile: Compile = False,
) -> Gradient[P]: ...
@overload
def grad(
    f: Callable[P, Any],
    argnums: int | str,
    has_aux: Literal[False] = False,
    *,
    check: bool = False,
    compile: Compile = False,
) -> Callable[P, Any]: ...
@overload
def grad(
    f: Callable[P, Any],
    argnums: Sequence[int | str],
    has_aux: Literal[False] = False,
    *,
    check: bool = False,
    compile: Compile = False,
) -> Callable[P, tuple[Any, ...]]: ...
@overload
def grad(
    f: Callable[P, tuple[Any, A]],
    argnums: Argnums = 0,
    *,
    has_aux: Literal[True],
    check: bool = False,
    compile: Compile = False,
) -> Callable[P, tuple[Any, A]]: ...
@overload
def grad(
    f: Callable[P, tuple[Any, A]],
    argnums: Argnums,
    has_aux: Literal[True],
    *,
    check: bool = False,
    compile: Compile = False,
) -> Callable[P, tuple[Any, A]]: ...
@overload
def grad(
    f: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False, *, check: bool = False, compile: Compile = False
) -> Callable[P, Any]: ...
def grad(
    f: Callable[P, Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    *,
    check: bool = False,
    compile: Compile = False,
    **unknown: Any,
) -> Callable[P, Any]:
    """The function that gives the gradient of `f` with respect to some of its arguments.

    Parameters
    ----------
    f : a function with a real scalar result; an array of one number, (1,) or (1, 1), counts as a scalar.
    argnums : the argument (its position or name), or several of them: then the gradients come as a tuple.
    has_aux : `f` returns `(loss, aux)`; only the loss is differentiated, and the result is `(gradient, aux)`.
    check : compare with finite differences, as `gradient` does.
    compile : run value and gradient as one compiled program, in loops (it needs Numba). What
        cannot be compiled runs as it does without, with one `CompileFallbackWarning`; "strict" raises in its place.

    Returns
    -------
    A function with the name and signature of `f`; it can be pickled if `f` can.

    Raises
    ------
    CompileError
        When called with `compile="strict"`, if `f` cannot be compiled.
    NotScalarError
        When called, if the result is not a real scalar.
    NotDifferentiableError
        When called, if there is no such argument, or it carries no derivative.
    OptionError
        If there is no such option.

    Examples
    --------
    >>> def f(x, scale=2.0): return scale * x * x
    >>> grad(f)(3.0)
    12.0
    >>> grad(f, "scale")(3.0, scale=1.0)
    9.0
    >>> grad(lambda x: (x * x, "seen"), has_aux=True)(3.0)
    (6.0, 'seen')
    """
    check_callable(f)
    refuse_options("grad", unknown, OPTIONS)
    return Differentiated(f, argnums, False, has_aux, check, compile)


@overload
def value_and_grad(
    f: Callable[P, R],
    argnums: Literal[0] = 0,
    has_aux: bool = False,
    *,
    check: bool = False,
    compile: Compile = False,
) -> ValueAndGradient[P, R]: ...
@overload
def value_and_grad(
    f: Callable[P, R], argnums: int | str, has_aux: bool = False, *, check: bool = False, compile: Compile = False
) -> Callable[P, tuple[R, Any]]: ...
@overload
def value_and_grad(
    f: Callable[P, R],
    argnums: Sequence[int | str],
    has_aux: bool = False,
    *,
    check: bool = False,
    compile: Compile = False,
) -> Callable[P, tuple[R, tuple[Any, ...]]]: ...
def value_and_grad(
    f: Callable[P, R],
    argnums: Argnums = 0,
    has_aux: bool = False,
    *,
    check: bool = False,
    compile: Compile = False,
    **unknown: Any,
) -> Callable[P, tuple[R, Any]]:
    """The function that gives the value of `f` and its gradient, as `grad` does.

    With `has_aux`, `f` returns `(loss, aux)`; only the loss is differentiated, and the value is the pair.

    Parameters
    ----------
    f : a function with a real scalar result; an array of one number, (1,) or (1, 1), counts as a scalar.
    argnums : the argument (its position or name), or several of them: then the gradients come as a tuple.
    has_aux : `f` returns `(loss, aux)`.
    check : compare with finite differences, as `gradient` does.
    compile : run value and gradient as one compiled program, as `grad` does.

    Returns
    -------
    A function with the signature of `f`, which returns `(value, gradient)` from one run.

    Raises
    ------
    CompileError, NotScalarError, NotDifferentiableError, OptionError
        As `grad` does.

    Examples
    --------
    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    >>> value_and_grad(lambda x: (x * x, "seen"), has_aux=True)(3.0)
    ((9.0, 'seen'), 6.0)
    """
    check_callable(f)
    refuse_options("value_and_grad", unknown, OPTIONS)
    return Differentiated(f, argnums, True, has_aux, check, compile)


OPTIONS = ("argnums", "has_aux", "check", "compile")


class Differentiated(NamedFunction):
    """A function's gradient as a function with its name and signature."""

    def __init__(
        self,
        f: Callable[..., Any],
        argnums: Argnums,
        with_value: bool,
        has_aux: bool,
        check: bool = False,
        compile: Compile = False,
    ) -> None:
        self._f = f
        self._wanted = wanted_by(argnums)
        self._single = is_one(argnums)
        self._with_value = with_value
        self._has_aux = has_aux
        self._check = check
        self._compile = compile
        self._asked = None if check or compile or has_aux else self._wanted[0] if self._single else self._wanted
        name_after(self, f)

    def __reduce__(self) -> Any:
        argnums = self._wanted[0] if self._single else self._wanted
        return Differentiated, (self._f, argnums, self._with_value, self._has_aux, self._check, self._compile)

    def of(self, f: Callable[..., Any], wanted: tuple[int, ...]) -> Differentiated:
        """The same of another function, by other arguments."""
        argnums = wanted[0] if self._single else wanted
        return Differentiated(f, argnums, self._with_value, self._has_aux, self._check, self._compile)

    def __repr__(self) -> str:
        return f"∇({name_of(self._f)})"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        f, wanted, asked = differentiated(self._f), self._wanted, self._asked
        if asked is not None and (known := planned_gradient(f, asked, args, kwargs)) is not None:
            return known if self._with_value else known[1]
        if kwargs:
            refuse_foreign("value_and_grad" if self._with_value else "grad", f, kwargs)
        if missing := defaults_of(f, wanted, len(args), kwargs):
            kwargs = {**kwargs, **missing}
        mode = self._compile or not self._has_aux and is_compiled(f)
        if self._check:
            places = [place_of(f, which, args, kwargs) for which in wanted]
            check_call(f, args, kwargs, places, "with aux" if self._has_aux else "gradient", mode and not self._has_aux)
        if mode:
            compiled = compiled_call(f, args, kwargs, wanted, mode, self._has_aux)
            if compiled is not None:
                y, grads = compiled
                result = grads[0] if self._single else grads
                return self._handed_over(y, result)
        places = [place_of(f, which, args, kwargs) for which in wanted]
        needs = flags_of(1 + len(args) + len(kwargs), places)
        if self._has_aux:
            y, back, given = begin(needs, f, args, kwargs)
            check_pair(y, name_of(f))
            bars = in_sweep(back, (scalar_seed(y[0], name_of(f)), None))
        else:
            y, bars, given = value_and_bars(f, needs, args, kwargs, name_of(f))
            if asked is not None and (call := ordered(f, asked, args, kwargs)) is not None:
                plan_gradient(call, self._single)
        taken: dict[int, Any] = {}
        grads = tuple([release(bars[1 + i], given[1 + i], taken) for i in places])
        return self._handed_over(y, grads[0] if self._single else grads)

    def _handed_over(self, y: Any, result: Any) -> Any:
        """The results that are asked for beside the gradient."""
        if self._with_value:
            return y, result
        return (result, y[1]) if self._has_aux else result


def _description(g: Differentiated) -> tuple[Any, tuple[int | str, ...], bool, bool]:
    """The description of what a call of `g` asks for, for programs that it occurs in."""
    return g._f, () if g._has_aux else g._wanted, g._single, g._with_value


Differentiated.__adjoint_gradient__ = staticmethod(_description)  # type: ignore[attr-defined]
OWN[grad] = OWN[value_and_grad] = made_of_along
NESTED.update({gradient: "gradient", withgradient: "withgradient", grad: "grad", value_and_grad: "value_and_grad"})

non_differentiable(_description, check_pair)

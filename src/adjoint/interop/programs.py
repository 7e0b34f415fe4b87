"""Functions of arrays alone, and their derivatives as such functions: what every bridge is built of.

A framework hands over arrays and takes arrays. `Program` puts them where they belong among the arguments; `Pulled` and
`Pushed` are its derivatives, which are ordinary functions again, so that theirs are made in the same way.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from types import MethodType
from typing import Any

import numpy as np

from adjoint import jvp, linearize, vjp
from adjoint.cells import held_by
from adjoint.derivatives.named import Importable
from adjoint.errors import AdjointError, MutationError, NotDifferentiableError, Place, calling_place, raising_place
from adjoint.trees import Structure, build, collect, first_places, scatter


def users_place() -> Place | None:
    """The place in the user's file that a framework calls this library for."""
    return calling_place(("jax.", "torch.", "pytensor."))


class Wrapped(Importable):
    """A function that a bridge makes of `f`; a pickle of it is one of `f` and of how it was made."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f = f
        own: Any = self
        functools.update_wrapper(own, f, updated=())

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    def __reduce__(self) -> Any:
        return type(self), (self.f,)


class WrappedFunction(Wrapped):
    """One that is a method where it stands in a class."""

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        function: Any = self
        return self if instance is None else MethodType(function, instance)


class Program:
    """A call of `f`, as a function of the arrays at some ends of its arguments."""

    order = 0

    def __init__(self, f: Callable[..., Any], form: Structure, places: Sequence[int]) -> None:
        self.f, self.form, self.places = f, form, tuple(places)

    def __call__(self, *arrays: Any) -> Any:
        """Result of `f` for arguments with these arrays."""
        args, kwargs = build(self.form, replaced(self.form.ends, self.places, arrays))
        return self.f(*args, **kwargs)


class Moving:
    """A function of arrays, as one of some of them; the others stay."""

    def __init__(self, program: Callable[..., Any], arrays: Sequence[Any], which: Sequence[int]) -> None:
        self.program, self.arrays, self.which = program, arrays, which

    def __call__(self, *moved: Any) -> Any:
        """The value for these arrays."""
        return self.program(*replaced(self.arrays, self.which, moved))


class Derived:
    """A derivative of a program of `n` arrays by some of them; of its result the numbers stand at some ends."""

    def __init__(self, program: Any, n: int, which: Sequence[int], result: Structure, ends: Sequence[int]) -> None:
        self.program, self.n, self.which, self.result, self.ends = program, n, which, result, ends
        self.order = program.order + 1


class Pulled(Derived):
    """x̄ = Jᵀ ȳ by some of the arrays, as a function of all `n` arrays, then of ȳ at the ends of the result."""

    def __call__(self, *given: Any) -> Any:
        """The cotangents of the arrays, as a tuple."""
        arrays = given[: self.n]  # in place of `at`: a function that is made and called is recorded at third order
        back = vjp(Moving(self.program, arrays, self.which), *[arrays[i] for i in self.which])[1]
        return back(cotangent(self.result, self.ends, given[self.n :]))

    def at(self, *arrays: Any) -> Callable[..., Any]:
        """The same as a function of ȳ: the program runs once."""
        back = vjp(Moving(self.program, arrays, self.which), *[arrays[i] for i in self.which])[1]
        return lambda *y_bars: back(cotangent(self.result, self.ends, y_bars))


class Pushed(Derived):
    """ẏ = J ẋ by some of the arrays, as a function of all `n` arrays, then of ẋ."""

    def __call__(self, *given: Any) -> Any:
        """The tangents at the ends of the result, as a list; None for a zero."""
        arrays = given[: self.n]
        moving = Moving(self.program, arrays, self.which)
        y_dot = jvp(moving, tuple([arrays[i] for i in self.which]), given[self.n :])[1]
        return self._at_ends(y_dot)

    def at(self, *arrays: Any) -> Callable[..., Any]:
        """The same as a function of ẋ: the program runs once."""
        moving = Moving(self.program, arrays, self.which)
        push = linearize(moving, *[arrays[i] for i in self.which])[1]
        return lambda *dots: self._at_ends(push(*dots))

    def _at_ends(self, y_dot: Any) -> list[Any]:
        dots = collect(first_places(self.result), y_dot, len(self.result.ends))
        return [dots[i] for i in self.ends]


@contextlib.contextmanager
def within(framework: str, program: Any = None) -> Iterator[None]:
    """Run a function of the user's, whose arrays lie in memory of a framework's; tell of a store into one.

    An error of an array of the framework's that it captures, or hands to the framework, gets a note.

    Raises
    ------
    MutationError
        For the error that NumPy raises then.
    """
    try:
        yield
    except AdjointError:
        raise
    except Exception as error:
        if isinstance(error, ValueError) and "read-only" in str(error):
            raise MutationError(
                f"a function in {framework} stores into an array that is read-only",
                f"the arrays that it is given are: they share memory with those of {framework}",
                "store into a copy, `x = x.copy()`, or compute a new array: `x = x + 1.0`, `np.sort(x)`",
                raising_place(error),
            ) from error
        name, words = ARRAYS.get(framework, ("", ()))
        if name and (any([word in str(error) for word in words]) or captures(program, words)):
            error.add_note(
                f"a function in {framework} is given arrays of NumPy's: pass {name} that it captures as an argument, "
                f"`{framework_of(framework, 'as')}(lambda x, t: ...)(x, t)`, and call functions of {framework} by "
                f"`{framework_of(framework, 'from')}`"
            )
        raise


ARRAYS = {"PyTorch": ("a tensor", ("Tensor",)), "JAX": ("an array of JAX's", ("Tracer", "traced array"))}
"""Names of such arrays for notes, and words of errors that are about them."""


def framework_of(framework: str, direction: str) -> str:
    """The name of the function that goes to a framework, or comes from it."""
    return f"{direction}_{framework.lower().removeprefix('py')}"


def captures(program: Any, kinds: Sequence[str]) -> bool:
    """True if the function of a program captures or names something of these classes."""
    while hasattr(program, "program"):
        program = program.program
    f = getattr(program, "f", None)
    code, named = getattr(f, "__code__", None), getattr(f, "__globals__", {})
    held = [*held_by(f), *[named.get(name) for name in (code.co_names if code else ())]]
    return any([base.__name__ in kinds for x in held for base in type(x).__mro__])


def seen(array: Any) -> Any:
    """An array as one that cannot be stored into; what is no array as it is."""
    if not isinstance(array, np.ndarray):
        return array
    view = array.view()
    view.flags.writeable = False
    return view


def check_order(program: Any, highest: int) -> None:
    """Raise `NotDifferentiableError` for a program that has no further derivative."""
    if program.order >= highest:
        raise NotDifferentiableError(
            f"a derivative of order {highest + 1} is asked for of a function within another framework",
            f"derivatives up to order {highest} are handed over",
            "take it in `adjoint` itself: hand over `adjoint.grad(f)` in place of `f`",
            users_place(),
        )


def replaced(values: Sequence[Any], places: Sequence[int], others: Sequence[Any]) -> list[Any]:
    """The values, with others at some places."""
    at = {place: i for i, place in enumerate(places)}
    return [others[at[i]] if i in at else value for i, value in enumerate(values)]


def cotangent(result: Structure, ends: Sequence[int], bars: Sequence[Any]) -> Any:
    """The cotangent of a result that has these at some of its ends, and nothing at the others."""
    return scatter(first_places(result), replaced([None] * len(result.ends), ends, bars))


def moving_among(arrays: Sequence[Any]) -> list[int]:
    """The places of the arrays that have derivatives: those of floating-point and complex numbers."""
    return [i for i, array in enumerate(arrays) if np.dtype(array.dtype).kind in "fc"]


def like(bar: Any, array: Any) -> np.ndarray[Any, Any]:
    """A cotangent with the shape and the dtype of its array, for nobody else; zeros for None."""
    if bar is None:
        return np.zeros_like(array)
    return np.array(np.broadcast_to(bar, array.shape), dtype=array.dtype, order="C")

"""`debug_nans` stops at the first nan or infinity of a reverse pass, and says where it comes from."""

import math
import statistics
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import grad, gradient, jacobian, pullback, value_and_grad
from adjoint.errors import NonFiniteError
from adjoint.inspect import debug_nans

HERE = str(Path(__file__))
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def norm(x: float, y: float) -> float:
    return math.sqrt(x * x + y * y)


def of_arrays(a: Any) -> Any:
    b = a * 1.0
    return np.sqrt(b).sum()


def in_place(a: Any) -> Any:
    a[0] = np.sqrt(a[0])
    a += 1.0
    return a.sum()


def in_loop(x: float) -> float:
    for i in range(3):
        x = math.sqrt(x - i) if i == 2 else x
    return x


def of_list(xs: list[float]) -> float:
    xs.append(xs[0] ** 0.5)
    return xs[-1]


def of_method(x: float) -> float:
    return float(np.linalg.norm(np.array([x, x])))


CASES: list[tuple[Callable[..., Any], tuple[Any, ...], str, str]] = [
    (norm, (0.0, 0.0), "the reverse of `math.sqrt(x * x + y * y)` makes inf", "operand 1: 0.0"),
    (
        of_arrays,
        (np.array([0.0, 1.0]),),
        "the reverse of `np.sqrt(b)` makes inf",
        "operand 1: [0. 1.] (shape (2,), float64)",
    ),
    (in_place, (np.array([0.0, 1.0]),), "the reverse of `np.sqrt(a[0])` makes inf", "operand 1: 0.0 (float64)"),
    (in_loop, (2.0,), "the reverse of `math.sqrt(x - i)` makes inf", "operand 1: 0.0"),
    (of_list, ([0.0],), "the reverse of `xs[0] ** 0.5` makes inf", "operand 1: 0.0"),
]


@pytest.mark.parametrize(("f", "args", "what", "operand"), CASES, ids=[c[0].__name__ for c in CASES])
def test_the_first_infinity_is_named(f: Any, args: Any, what: str, operand: str) -> None:
    with pytest.raises(NonFiniteError) as caught, debug_nans():
        gradient(f, *args)
    error = caught.value
    assert error.what == what
    assert operand in error.why
    assert error.place is not None and error.place.filename == HERE
    assert isinstance(error, FloatingPointError)


def test_the_whole_message() -> None:
    with pytest.raises(NonFiniteError) as caught, debug_nans():
        gradient(norm, 0.0, 0.0)
    line = norm.__code__.co_firstlineno + 1
    assert (
        str(caught.value)
        == f"""\
the reverse of `math.sqrt(x * x + y * y)` makes inf
  {HERE}:{line}:12
    return math.sqrt(x * x + y * y)
           ^^^^^^^^^^^^^^^^^^^^^^^^
why: the cotangent of its result is 1.0, that of operand 1 is inf
  operand 1: 0.0
  result: 0.0
help: keep the operands where the derivative is finite; what `np.where` does not choose is computed and reversed as \
well, so that its argument must be safe there too"""
    )


def test_values_are_those_of_then() -> None:
    def f(a: Any) -> Any:
        y = np.sqrt(a).sum()
        a[:] = 7.0
        return y * a[0]

    with pytest.raises(NonFiniteError) as caught, debug_nans():
        gradient(f, np.array([0.0, 4.0]))
    assert "operand 1: [0. 4.] (shape (2,), float64)" in caught.value.why


def test_what_the_forward_run_had_is_said() -> None:
    def f(a: Any) -> Any:
        b = np.log(a)
        return (b * b).sum()

    with pytest.raises(NonFiniteError) as caught, debug_nans():
        gradient(f, np.array([0.0, 1.0]))
    line = f.__code__.co_firstlineno + 1
    assert caught.value.what == "the reverse of `b * b` makes inf"
    assert caught.value.why.endswith(f"the forward run already had inf at {HERE}:{line}, `np.log(a)`")


def test_what_came_in_is_said() -> None:
    with debug_nans():
        _, back = pullback(norm, 3.0, 4.0)
        with pytest.raises(NonFiniteError) as caught:
            back(float("nan"))
    assert str(caught.value) == (
        "the cotangent that `back` was given has nan in it: nan\n"
        "why: it was there before anything was reversed\n"
        "help: look at what computes it"
    )
    _, back = pullback(norm, 0.0, 0.0)
    with pytest.raises(NonFiniteError, match="was given has inf"), debug_nans():
        back(float("inf"))


def test_sums_are_looked_at() -> None:
    def f(x: float) -> float:
        y = x * 1.0
        return y * 1e308 + y * 1.5e308

    with pytest.raises(NonFiniteError) as caught, debug_nans():
        gradient(f, 0.1)
    assert caught.value.what == "the cotangents of what `x * 1.0` gave add up to inf"


def test_a_pullback_from_outside_is_looked_at_as_a_whole() -> None:
    _, back = pullback(norm, 0.0, 0.0)
    with pytest.raises(NonFiniteError) as caught, debug_nans():
        back(1.0)
    assert str(caught.value) == (
        "∂(norm) gives nan\n"
        "why: the cotangent that it was given is finite; it was made outside of `debug_nans`, "
        "where no step is looked at\n"
        "help: call `pullback` within `debug_nans`, of a smaller part of the program"
    )


def test_finite_derivatives_are_those_of_outside() -> None:
    programs: list[tuple[Any, tuple[Any, ...]]] = [(norm, (3.0, 4.0)), (of_arrays, (np.array([4.0, 9.0]),))]
    for f, args in programs:
        outside = gradient(f, *args)
        with debug_nans():
            inside = gradient(f, *args)
        np.testing.assert_allclose(np.array(inside), np.array(outside), rtol=1e-15)
    with debug_nans():
        assert gradient(of_list, [4.0]) == ([0.25],)
        assert grad(grad(math.sin))(0.5) == pytest.approx(-math.sin(0.5))
        assert value_and_grad(lambda x: x * x)(3.0) == (9.0, 6.0)
        np.testing.assert_array_equal(jacobian(np.cumsum, np.ones(2))[0], [[1.0, 0.0], [1.0, 1.0]])


def test_second_derivatives_are_looked_at() -> None:
    with pytest.raises(NonFiniteError), debug_nans():
        gradient(lambda x: gradient(lambda t: t**1.5, x)[0], 0.0)


def test_nothing_outside_is_slower_or_other() -> None:
    def f(x: float) -> float:
        return x * x

    before = gradient(f, 3.0)
    with debug_nans():
        gradient(f, 3.0)
    made = adjoint.inspect.cache_info().generated
    assert gradient(f, 3.0) == before and adjoint.inspect.cache_info().generated == made
    with pytest.raises(ValueError, match="on purpose"), debug_nans():
        raise ValueError("on purpose")
    assert math.isnan(gradient(norm, 0.0, 0.0)[0])


def test_other_threads_are_not_looked_at() -> None:
    found: list[Any] = []
    with debug_nans():
        thread = threading.Thread(target=lambda: found.append(gradient(norm, 0.0, 0.0)))
        thread.start()
        thread.join()
    assert math.isnan(found[0][0])


def test_calls_of_libraries_are_named_as_a_whole() -> None:
    def f(x: float) -> Any:
        return statistics.NormalDist(1e200, x).zscore(x)

    with pytest.raises(NonFiniteError) as caught, debug_nans():
        gradient(f, 1e-300)
    assert caught.value.what == "the reverse of `statistics.NormalDist(1e200, x).zscore(x)` makes inf"


def test_it_stops_in_a_gradient_that_is_differentiated_again() -> None:
    def root(v: Any) -> Any:
        return v**0.5

    def f(x: float) -> Any:
        terms = []
        for k in range(3):
            terms.append(root(x * k))
        return sum(terms)

    for g in (f, lambda x: np.sqrt(x - 2.0)):
        with pytest.raises(NonFiniteError) as caught, debug_nans():
            gradient(grad(g), 2.0)
        assert caught.value.place is not None and caught.value.place.filename == __file__
    with debug_nans():
        assert gradient(grad(lambda x: x**3), 2.0) == (12.0,)

"""What the compiled tier once got wrong: global arrays, faults of its own, methods that are replaced, errors of what is
never read, large integers; and what it keeps of the arguments of a call that it refuses."""

from __future__ import annotations

import dataclasses
import gc
import warnings
import weakref
from typing import Any

import numpy as np
import pytest
from compiled import refusals

import adjoint
from adjoint.compiled import entry, lower, programs
from adjoint.errors import CompileError, OptionError

X = np.array([0.7, -0.4, 1.3, 0.2])


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def test_a_store_into_a_global_array_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "G", np.ones(3))
    compiled = adjoint.compile(refusals.stores_into_a_global)
    assert compiled(X) == pytest.approx((1.4 + 2) * -0.4)
    assert refusals.G[0] == 1.4


def test_arrays_that_are_filled_with_arrays() -> None:
    _, found = adjoint.value_and_grad(refusals.filled_with_an_array, compile="strict")(X)
    np.testing.assert_allclose(found, 8 * X)


@pytest.mark.parametrize(
    ("f", "args", "error"),
    [
        (refusals.unread_index_out_of_bounds, (X,), IndexError),
        (refusals.negative_length, (X,), ValueError),
    ],
)
def test_errors_of_what_is_never_read(f: Any, args: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        f(*args)
    with pytest.raises(error):
        adjoint.value_and_grad(f, compile="strict")(*args)


def test_a_list_of_a_negative_length_is_empty() -> None:
    g = adjoint.value_and_grad(refusals.negative_length_of_a_list, compile="strict")
    assert g(X, 3)[0] == 3 * X[0]
    assert g(X, -3)[0] == 0.0


@pytest.mark.parametrize("f", [refusals.integer_or_float, refusals.integer_carried_as_float])
@pytest.mark.parametrize("n", [3, 2**53 + 1, 2**60 + 1])
def test_integers_that_floats_do_not_hold(f: Any, n: int) -> None:
    if n > 2**53:
        with pytest.raises(CompileError, match="64 bits do not hold"):
            adjoint.value_and_grad(f, compile="strict")(X, n)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if n > 2**53 else "error", adjoint.errors.CompileFallbackWarning)
        value, found = adjoint.value_and_grad(f, compile=True)(X, n)
    assert value == f(X, n)
    np.testing.assert_array_equal(found, adjoint.grad(f)(X, n))


def test_an_attribute_that_stands_before_a_method() -> None:
    class Model:
        def __init__(self, w):
            self.w = w

        def act(self, z):
            return z * self.w

        def loss(self, x):
            return self.act(x) ** 2

    model = Model(2.0)
    g = adjoint.value_and_grad(lambda x: model.loss(x), compile="strict")
    assert g(1.5) == (9.0, 12.0)
    model.act = lambda z: z * z
    assert g(1.5)[0] == pytest.approx(1.5**4)
    del model.act
    assert g(1.5) == (9.0, 12.0)


def test_a_method_that_is_replaced() -> None:
    class Model:
        def __init__(self) -> None:
            self.w = 3.0

        def applied(self, x: Any) -> Any:
            return x * self.w

        def __call__(self, x: Any) -> Any:
            return self.applied(x) + 1.0

    model = Model()
    by_name = adjoint.value_and_grad(lambda x: model.applied(x), compile="strict")
    called = adjoint.value_and_grad(lambda x: model(x), compile="strict")
    assert by_name(2.0) == (6.0, 3.0) and called(2.0) == (7.0, 3.0)
    Model.applied = lambda self, x: x * 7.0  # type: ignore[method-assign]
    assert by_name(2.0) == (14.0, 7.0) and called(2.0) == (15.0, 7.0)
    Model.__call__ = lambda self, x: x * x  # type: ignore[method-assign]
    assert called(2.0) == (4.0, 4.0)


def test_nothing_is_kept_of_what_is_refused() -> None:
    def refused(x: Any) -> Any:
        return np.sum(np.unique(x))

    g = adjoint.value_and_grad(refused, compile="strict")
    left = []
    for _ in range(5):
        x = np.ones(10)
        left.append(weakref.ref(x))
        with pytest.raises(CompileError):
            g(x)
        del x
    gc.collect()
    assert [r() for r in left] == [None] * 5


def test_a_fault_of_ours_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any) -> Any:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(lower.Lower, "call", broken)
    with pytest.warns(adjoint.errors.CompileFallbackWarning, match="ZeroDivisionError: planted"):
        assert adjoint.value_and_grad(lambda x: x * x, compile=True)(3.0) == (9.0, 6.0)


def polynomial(x: Any, *c: Any, scale: float = 2.0, **more: Any) -> Any:
    return scale * sum(ck * x**k for k, ck in enumerate(c)) + more.get("shift", 0.0)


def test_functions_of_many_arguments() -> None:
    g = adjoint.value_and_grad(polynomial, (0, "scale"), compile="strict")
    value, (x_bar, scale_bar) = g(0.5, 1.0, 3.0, 2.0, shift=4.0)
    assert (value, x_bar, scale_bar) == (10.0, 10.0, 3.0)
    with pytest.raises(OptionError, match="may be a keyword of `polynomial`"):
        adjoint.pullback(polynomial, 0.5, 1.0, 3.0, shift=4.0, compile="strict")

    def shifted(x: float, *coefficients: float) -> float:
        return polynomial(x, *coefficients, shift=4.0)

    _, back = adjoint.pullback(shifted, 0.5, 1.0, 3.0, compile="strict")
    assert back(1.0)[1:] == adjoint.pullback(polynomial, 0.5, 1.0, 3.0, shift=4.0)[1](1.0)[1:4]
    with pytest.raises(CompileError, match="a gradient by the argument 1"):
        adjoint.value_and_grad(polynomial, 1, compile="strict")(0.5, 1.0)
    assert adjoint.compile(polynomial)(0.5, 1.0, 3.0) == 5.0


@dataclasses.dataclass(frozen=True)
class State:
    x: float
    v: float

    def step(self, k: float, h: float) -> State:
        return dataclasses.replace(self, x=self.x + h * self.v, v=self.v - h * k * self.x)


def test_objects_with_replaced_fields() -> None:
    def oscillator(k: float, s: State) -> float:
        for _ in range(20):
            s = s.step(k, 0.05)
        return s.x**2 + s.v

    g = adjoint.value_and_grad(oscillator, compile="strict")
    value, found = g(2.0, State(1.0, 0.5))
    plain, expected = adjoint.value_and_grad(oscillator)(2.0, State(1.0, 0.5))
    assert value == pytest.approx(plain) and found == pytest.approx(expected)


def test_what_is_refused_as_a_whole_is_shown_by_its_first_line() -> None:
    with pytest.raises(CompileError, match=r"refusals\.py") as caught:
        adjoint.value_and_grad(refusals.stores_into_a_global, compile="strict")(X.astype(complex))
    assert "def stores_into_a_global" in str(caught.value)

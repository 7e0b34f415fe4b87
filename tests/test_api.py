"""The face: what `gradient`, `grad` and their kin promise, apart from right numbers."""

import functools
import gc
import inspect
import math
import pickle
import weakref
from typing import Any, NamedTuple

import numpy as np
import pytest

import adjoint
from adjoint import Tangent, grad, gradient, pullback, rrule, rule, stop_gradient, value_and_grad, withgradient
from adjoint.errors import NotDifferentiableError, NotScalarError
from adjoint.inspect import code_adjoint, code_ir, code_primal
from adjoint.rules import non_differentiable, opt_out, scalar_rule


def scaled(x: float, y: float = 2.0, *, z: float = 1.0) -> float:
    """x² y z."""
    return x * x * y * z


class Model:
    """A model with one weight."""

    def __init__(self, w: float) -> None:
        self.w = w

    def __call__(self, x: float) -> float:
        return self.w * x

    def loss(self, x: float) -> float:
        return self(x) * x

    by_x = grad(loss, 1)
    by_model = grad(loss, "self")


class Point(NamedTuple):
    x: float
    y: float


# ---- pullback


def test_pullback_gives_value_and_cotangents() -> None:
    y, back = pullback(math.hypot, 3.0, 4.0)
    assert (y, back(1.0)) == (5.0, (None, 0.6, 0.8))
    assert str(back) == repr(back) == "∂(hypot) of a, b, y"


def test_pullback_of_a_closure_gives_the_captured_values() -> None:
    w = 3.0
    _, back = pullback(lambda x: w * x, 2.0)
    f_bar, x_bar = back(1.0)
    assert (f_bar.w, x_bar) == (2.0, 3.0)


def test_pullback_uses_keywords() -> None:
    y, back = pullback(scaled, 3.0, z=2.0)
    assert (y, back(1.0)[1]) == (36.0, 24.0)


@pytest.mark.parametrize("callable_", [Model(2.0), Model(2.0).__call__, functools.partial(Model.__call__, Model(2.0))])
def test_pullback_of_any_callable(callable_: Any) -> None:
    y, back = pullback(callable_, 3.0)
    assert (y, back(1.0)[-1]) == (6.0, 2.0)


def test_back_is_the_same_every_time_and_shares_nothing() -> None:
    x, y_bar = np.arange(3.0), np.ones(3)
    _, back = pullback(lambda x: x + 0.0, x)
    first, second = back(y_bar)[1], back(y_bar)[1]
    assert first is not y_bar and not np.shares_memory(first, second)
    first[:] = 9
    assert (second == 1).all() and (y_bar == 1).all() and (x == np.arange(3.0)).all()


def test_nothing_flows_for_nothing() -> None:
    _, back = pullback(lambda x, y: x * y, 2.0, np.ones(2))
    assert back(None) == (None, None, None)


@pytest.mark.parametrize("y_bar", [1, 1.0, True, np.float32(1), np.ones(()), np.int64(1)])
def test_the_cotangent_of_a_number_is_any_real_number(y_bar: Any) -> None:
    _, back = pullback(lambda x: x * x, 3.0)
    (x_bar,) = back(y_bar)[1:]
    assert x_bar == 6.0 and type(x_bar) is float


def test_the_cotangent_of_an_array_may_be_a_list_and_takes_its_precision() -> None:
    _, back = pullback(lambda x: x * x, np.ones(2, np.float32))
    (x_bar,) = back([1.0, 2.0])[1:]
    assert x_bar.dtype == np.float32 and x_bar.tolist() == [2.0, 4.0]


def test_cotangents_of_structures_have_their_structure() -> None:
    _, back = pullback(lambda p: {"p": p, "m": Model(p.x)}, Point(2.0, 3.0))
    (p_bar,) = back({"p": (1.0, None), "m": Tangent(Model, {"w": 5.0})})[1:]
    assert type(p_bar) is Point and p_bar.x == 6.0


def test_rrule_goes_by_rules_alone() -> None:
    y, back = rrule(math.sin, 0.0)
    assert (y, back(1.0)) == (0.0, (None, 1.0))
    with pytest.raises(adjoint.errors.NoRuleError, match="`scaled` has no rule\n"):
        rrule(scaled, 1.0)
    with pytest.raises(adjoint.errors.NoRuleError, match="`<lambda>` has no rule") as caught:
        rrule(lambda x: x, 1.0)
    assert "adjoint.pullback" in caught.value.way_out and "written in Python" not in caught.value.why
    with pytest.raises(adjoint.errors.NoRuleError, match="`sin` has no rule for arguments of these types"):
        rrule(math.sin, "1")
    with pytest.raises(adjoint.errors.NotDifferentiableError, match="3 is not callable"):
        rrule(3)


# ---- gradient


def test_gradient_is_the_tuple_of_all_gradients() -> None:
    assert gradient(scaled, 3.0, 2.0) == (12.0, 9.0)
    assert withgradient(scaled, 3.0, 2.0) == (18.0, (12.0, 9.0))


def test_gradient_is_zero_where_nothing_flows_and_none_where_nothing_can() -> None:
    g = gradient(lambda x, xs, s, m: 1.0, 2.0, np.ones(2, np.float32), "s", Model(3.0))
    assert g[0] == 0.0 and g[1].dtype == np.float32 and not g[1].any() and g[2] is None and g[3].w == 0.0


@pytest.mark.parametrize("result", [np.ones(2), 1j, None, True, "s", (1.0,), [1.0], np.ones((1, 0)), np.array([1j])])
def test_gradient_needs_a_real_scalar(result: Any) -> None:
    for call in (gradient, withgradient, lambda f, x: grad(f)(x), lambda f, x: value_and_grad(f)(x)):
        way_out = "jacobian.*pullback" if isinstance(result, np.ndarray) else "use `adjoint.pullback`"
        if result is None:
            way_out = "help: let it return the number: `return loss`"
        elif isinstance(result, bool | str):
            way_out = "help: return the number that they are made of"
        with pytest.raises(NotScalarError, match=f"(?s)not a real scalar.*{way_out}"):
            call(lambda x: result, 1.0)


@pytest.mark.parametrize("one", [np.ones(()), np.float32(1), np.float64(1), 1, np.int64(1)])
def test_what_counts_as_a_real_scalar(one: Any) -> None:
    assert gradient(lambda x: one * x, 2.0) == (1.0,)


def test_gradients_share_no_memory() -> None:
    x, y = np.ones(3), np.ones(3)
    for gx, gy in (gradient(lambda x, y: (x + y).sum(), x, y), grad(lambda x, y: (x + y).sum(), (0, 1))(x, y)):
        assert not np.shares_memory(gx, gy)


# ---- grad, value_and_grad


def test_grad_keeps_name_and_signature() -> None:
    g = grad(scaled)
    assert (g.__name__, g.__doc__, repr(g)) == ("scaled", "x² y z.", "∇(scaled)")
    assert inspect.signature(g) == inspect.signature(scaled)


@pytest.mark.parametrize("argnums", [0, "x", -2, (0, "y"), ["x", "z"], ()])
def test_grad_can_be_pickled(argnums: Any) -> None:
    g = grad(scaled, argnums)
    assert pickle.loads(pickle.dumps(g))(3.0, 2.0, z=2.0) == g(3.0, 2.0, z=2.0)
    v = value_and_grad(scaled, argnums)
    assert pickle.loads(pickle.dumps(v))(3.0, 2.0) == v(3.0, 2.0)


@pytest.mark.parametrize(
    ("argnums", "args", "kwargs", "expected"),
    [
        (0, (3.0,), {}, 12.0),
        ("x", (), {"x": 3.0}, 12.0),
        (0, (), {"x": 3.0}, 12.0),
        (-1, (3.0, 2.0), {}, 9.0),
        ("z", (3.0,), {"z": 2.0}, 18.0),
        ("z", (3.0,), {}, 18.0),
        ("y", (3.0,), {}, 9.0),
        (1, (3.0,), {}, 9.0),
        (("x", "y"), (3.0,), {}, (12.0, 9.0)),
        ([0, 1], (3.0, 2.0), {}, (12.0, 9.0)),
        ((1, 1), (3.0, 2.0), {}, (9.0, 9.0)),
        ((0,), (3.0,), {}, (12.0,)),
    ],
)
def test_argnums(argnums: Any, args: Any, kwargs: Any, expected: Any) -> None:
    assert grad(scaled, argnums)(*args, **kwargs) == expected


@pytest.mark.parametrize("argnums", [3, -3, "w", (0, "w")])
def test_argnums_that_are_not_there(argnums: Any) -> None:
    with pytest.raises(NotDifferentiableError, match="was not given an argument"):
        grad(scaled, argnums)(1.0, 2.0)


@pytest.mark.parametrize("argnums", [1.5, None, ("x", None), {0: 1}])
def test_argnums_that_are_none(argnums: Any) -> None:
    with pytest.raises(NotDifferentiableError, match="`argnums` is"):
        grad(scaled, argnums)


def test_an_argument_without_derivative() -> None:
    with pytest.raises(NotDifferentiableError, match="is a str, which carries no derivative"):
        grad(lambda x, s: x, 1)(1.0, "s")


def test_has_aux() -> None:
    f = value_and_grad(lambda x: (x * x, {"seen": x}), has_aux=True)
    assert f(3.0) == ((9.0, {"seen": 3.0}), 6.0)
    for wrong in (lambda x: x * x, lambda x: (x, 1, 2), lambda x: [x, x]):
        with pytest.raises(NotScalarError, match=r"a pair `\(loss, aux\)`"):
            value_and_grad(wrong, has_aux=True)(3.0)


def test_grad_of_methods_and_as_a_method() -> None:
    model = Model(3.0)
    assert grad(model.loss)(2.0) == 12.0
    assert model.by_x(2.0) == 12.0
    assert model.by_model(2.0) == Tangent(Model, {"w": 4.0})
    assert gradient(model, 2.0) == (3.0,)


def test_grad_of_what_has_a_rule() -> None:
    assert grad(math.sin)(0.0) == 1.0
    assert type(grad(np.sin)(np.float32(0.0))) is np.float32


def test_partial_functions_of_grad() -> None:
    assert functools.partial(grad(scaled), y=3.0)(2.0) == 12.0


def test_gradients_of_gradients() -> None:
    assert grad(grad(lambda x: x**3))(2.0) == 12.0
    assert gradient(lambda x: gradient(lambda y: x * y**2, x)[0], 3.0) == (12.0,)
    assert grad(lambda x: value_and_grad(lambda y: y**3)(x)[1])(2.0) == 12.0
    assert grad(lambda x: pullback(lambda y: y**3, x)[1](1.0)[1])(2.0) == 12.0
    assert grad(lambda d: pullback(lambda y: y**3, 2.0)[1](d)[1])(1.0) == 12.0


# ---- rules


def test_stop_gradient() -> None:
    assert gradient(lambda x: x * stop_gradient(x), 3.0) == (3.0,)
    xs = [np.ones(2)]
    assert stop_gradient(xs) is xs


def test_a_rule_of_ones_own() -> None:
    def area(r: float) -> float:
        return r * r

    f = lambda r: area(r) + r  # noqa: E731
    assert gradient(f, 2.0) == (5.0,)

    @rule(area)
    def area_rule(r: float) -> Any:
        return area(r), lambda y_bar: (100.0 * y_bar,)

    assert gradient(f, 2.0) == (101.0,)
    opt_out(area)
    assert gradient(f, 2.0) == (5.0,)
    non_differentiable(area)
    assert gradient(f, 2.0) == (1.0,)
    opt_out(area)


def test_rules_dispatch_on_annotations() -> None:
    def size(x: Any) -> Any:
        return x

    @rule(size)
    def size_of_number(x: float) -> Any:
        return 1.0, lambda y_bar: (10.0,)

    @rule(size)
    def size_of_array(x: np.ndarray) -> Any:
        return 2.0, lambda y_bar: (np.full(x.shape, 20.0),)

    assert gradient(size, 3.0) == (10.0,)
    assert gradient(size, np.ones(2))[0].tolist() == [20.0, 20.0]
    assert pullback(size, [1.0])[0] == [1.0]


def test_a_scalar_rule_serves_numbers_and_arrays_and_second_derivatives() -> None:
    def cube(x: Any) -> Any:
        return x * x * x

    @scalar_rule(cube)
    def cube_partial(x: Any, y: Any) -> Any:
        return 3 * x * x

    assert grad(cube)(2.0) == 12.0
    assert grad(grad(cube))(2.0) == 12.0
    assert gradient(lambda x: cube(x).sum(), np.array([1.0, 2.0]))[0].tolist() == [3.0, 12.0]


def test_second_derivative_through_a_rule_of_ones_own() -> None:
    def square(x: float) -> float:
        return x * x

    @rule(square)
    def square_rule(x: float) -> Any:
        def square_back(y_bar: float) -> Any:
            return (2 * x * y_bar,)

        return square(x), square_back

    assert grad(grad(lambda x: square(x) * x))(3.0) == 18.0


# ---- looking at it


def shown(x: float, y: float = 3.0) -> float:
    z = math.sin(x)
    return z * y


def test_what_is_generated_can_be_looked_at() -> None:
    assert "sin" in code_ir(shown)
    assert "sin" in code_primal(shown, 1.0)
    text = code_adjoint(shown, 1.0)
    assert text.startswith("def shown_rrule(") and "math.cos(x)" in text
    assert code_adjoint(shown, 1.0, y=2.0) == text
    compile(text, "shown", "exec")


def test_looking_runs_nothing() -> None:
    def loud(x: float) -> float:
        raise AssertionError("it ran")

    assert "raise" in code_adjoint(loud, 1.0)


OTHERS = [functools.partial(shown, y=2.0), functools.lru_cache(shown), Model(2.0), Model(2.0).loss]


@pytest.mark.parametrize("f", OTHERS)
def test_code_of_other_callables(f: Any) -> None:
    assert "_rrule(" in code_adjoint(f, 1.0)


def test_code_of_what_is_not_python() -> None:
    with pytest.raises(adjoint.errors.SourceUnavailableError, match="no source of `sin` to show"):
        code_adjoint(math.sin, 1.0)


def test_only_pullback_keeps_what_it_needs() -> None:
    class Big(np.ndarray):
        pass

    seen: list[weakref.ref[Any]] = []

    def note(a: Any) -> None:
        seen.append(weakref.ref(a))

    non_differentiable(note)

    def f(x: Any) -> Any:
        h = np.sin(x)
        note(h)
        return (h * h).sum()

    gradient(f, np.ones(4))
    gc.collect()
    assert seen.pop()() is None
    _, back = pullback(f, np.ones(4))
    assert seen[0]() is not None
    del back
    gc.collect()
    assert seen[0]() is None


def test_a_wrong_number_of_arguments_says_of_what() -> None:
    def area(w: float, *, h: float) -> float:
        return w * h

    class Model:
        def loss(self, x: float) -> float:
            return x

    def caught(x: float) -> Any:
        try:
            return area(x, x, h=x)
        except ValueError:
            return x

    def drawn(x: float) -> Any:
        def terms(a: float) -> Any:
            yield a

        return sum(terms())  # type: ignore[call-arg]

    for f, args in ((area, (1.0,)), (area, (1.0, 2.0)), (Model().loss, ()), (caught, (2.0,)), (drawn, (2.0,))):
        with pytest.raises(TypeError) as plain:
            f(*args)  # type: ignore[operator]
        for take in (gradient, pullback):
            with pytest.raises(TypeError) as found:
                take(f, *args)  # type: ignore[operator, arg-type]
            assert str(found.value) == str(plain.value)


def scaled_square(x: float, k: float = 2.0) -> float:
    return x * x * k


def test_gradients_take_keywords_as_constants() -> None:
    assert gradient(scaled_square, 1.0, k=3.0) == gradient(scaled_square, 1.0, k=3.0, check=True) == (6.0,)
    assert withgradient(scaled_square, 1.0, k=3.0) == (3.0, (6.0,))
    assert gradient(lambda x: gradient(scaled_square, x, k=x)[0], 2.0) == (8.0,)

    def recorded(x: float) -> float:
        held: list[float] = []
        held.append(x)
        return float(withgradient(scaled_square, x, k=held[0])[1][0])

    assert gradient(recorded, 2.0) == (8.0,)

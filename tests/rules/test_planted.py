"""Errors planted in copies of rules: what checks the rules finds all of them, and nothing in a correct copy.

A copy is a function of its own, with a rule that does what that of the original does, except for one error. Each kind
of error is caught for the reason that it is wrong for, by the samples' own check, variants and second order included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from rules.sampling import Sample, normal, sample, uniform
from rules.variants import check, check_needs

from adjoint import stop_gradient
from adjoint.errors import RuleError
from adjoint.rules import non_differentiable
from adjoint.rules.libraries import load_seen
from adjoint.rules.registry import RULES, find_rules, rule, scalar_rule
from adjoint.tangents.lanes import Lanes
from adjoint.testing import GradientMismatch, check_rule

A = normal(3, 4)
SQUARE = normal(3, 3) + 3 * np.eye(3)
V = normal(4, seed=1)
TIED = np.array([[1.0, 3.0, 3.0, 0.5], [2.0, 2.0, -1.0, 0.0]])

ROWS = {
    "sin": sample(np.sin, A).but(complex=True),
    "exp": sample(np.exp, A).but(complex=True),
    "sqrt": sample(np.sqrt, uniform(0.5, 2.0, 3)),
    "multiply": sample(np.multiply, A, V).but(complex=True),
    "divide": sample(np.divide, A, uniform(0.5, 2.0, 3, 1)).but(complex=True),
    "hypot": sample(np.hypot, A, V + 4.0),
    "sum": sample(np.sum, A, axis=1),
    "mean": sample(np.mean, A, axis=0),
    "prod": sample(np.prod, A, axis=1),
    "var": sample(np.var, A, axis=0),
    "max": sample(np.max, A, axis=1),
    "matmul": sample(np.matmul, A, normal(4, 2, seed=2)).but(complex=True),
    "outer": sample(np.outer, V, A[:, 0]).but(complex=True),
    "inv": sample(np.linalg.inv, SQUARE).but(complex=True),
    "solve": sample(np.linalg.solve, SQUARE, V[:3]).but(complex=True),
    "det": sample(np.linalg.det, np.stack([SQUARE, SQUARE.T])),
    "cumsum": sample(np.cumsum, A, axis=1),
    "cumprod": sample(np.cumprod, A, axis=1),
    "transpose": sample(np.transpose, A),
    "take": sample(np.take, A, [2, 0, 2], axis=1),
    "where": sample(np.where, A > 0, A, V),
    "concatenate": sample(np.concatenate, [A, A[:1] + 1.0]),
}
"""Twenty-two functions: elementwise, reductions, products, linear algebra, scans, shaping, indexing."""

NONLINEAR = ("sin", "exp", "sqrt", "multiply", "divide", "hypot", "prod", "var", "matmul", "outer", "inv", "solve")
"""Those whose `back` depends on the arguments, by whose copies it is seen whether that is differentiated."""

WITH_CONJ = ("sin", "exp", "multiply", "divide", "matmul", "outer", "inv", "solve")
BROADCASTING = ("multiply", "divide", "hypot", "where")


Change = Callable[..., Any]
"""`change(back, args, y_bar)` is what a wrong `back` gives, `back(*args, y_bar)` what the right one does."""


def copy_of(s: Sample, change: Change) -> Sample:
    """The sample of a function that does what another does, with a rule that differs from its by a change."""
    method, kwargs, n = method_of(s), s.kwargs, len(s.args)

    def copied(*args: Any) -> Any:
        return s.f(*args, **kwargs)

    def right(*values: Any) -> Any:
        return method.call(*values[:-1], **kwargs)[1](values[-1])[:n]

    def copied_rule(*args: Any) -> Any:
        return s.f(*args, **kwargs), lambda y_bar: change(right, args, y_bar)

    # As those of the library itself, it is held to nothing while it runs.
    copied_rule.__module__ = "adjoint.rules.planted"
    rule(copied)(copied_rule)
    return s.but(of=copied, f=copied, kwargs={}, lists=False)


def method_of(s: Sample) -> Any:
    """The rule that is copied."""
    rules = find_rules(s.f)
    assert rules is not None
    method = rules.select(tuple(map(type, s.args)))
    assert method is not None
    return method


def in_first(change: Callable[[Any], Any]) -> Change:
    """An error in the cotangent of the first argument that has one; in that of its items if it is a list."""

    def changed(back: Any, args: Any, y_bar: Any) -> Any:
        bars = back(*args, y_bar)
        i = 0 if bars[0] is not None else 1
        bar = [change(b) for b in bars[i]] if isinstance(bars[i], list) else change(bars[i])
        return (*bars[:i], bar, *bars[i + 1 :])

    return changed


def writing_into_y_bar(back: Any, args: Any, y_bar: Any) -> Any:
    bars = back(*args, y_bar)
    np.multiply(y_bar, 2.0, out=y_bar)
    return bars


def writing_into_an_argument(back: Any, args: Any, y_bar: Any) -> Any:
    bars = back(*args, y_bar)
    x = next(x for x in (*args, *args[0]) if isinstance(x, np.ndarray) and x.dtype.kind in "fc")
    np.multiply(x, 2.0, out=x)
    return bars


def remembering() -> Change:
    """A cotangent that is given out again, to whoever asks."""
    known: dict[int, Any] = {}

    def remembered(back: Any, args: Any, y_bar: Any) -> Any:
        if id(y_bar) not in known:
            known[id(y_bar)] = y_bar, [np.copy(b) if isinstance(b, np.ndarray) else b for b in back(*args, y_bar)]
        return tuple(known[id(y_bar)][1])

    return remembered


def without_the_path_of_arguments(back: Any, args: Any, y_bar: Any) -> Any:
    return back(*[stop_gradient(x) for x in args], y_bar)


def without_the_path_of_y_bar(back: Any, args: Any, y_bar: Any) -> Any:
    return back(*args, stop_gradient(y_bar))


WRONG = {"derivative", "adjoint identity"}
EVERY = tuple(ROWS)
PLANTED: dict[str, tuple[Change, tuple[str, ...], set[str], str]] = {
    "sign": (in_first(lambda d: -d), EVERY, WRONG, "as it is"),
    "factor": (in_first(lambda d: 1.01 * d), EVERY, WRONG, "as it is"),
    "no conj": (in_first(lambda d: d.conj()), WITH_CONJ, WRONG, "complex"),
    "shape": (in_first(lambda d: d[None] * 1.0), EVERY, {"shape"}, "as it is"),
    "no unbroadcast": (
        lambda back, args, y_bar: (*back(*args, y_bar)[:-1], np.ones_like(y_bar) * back(*args, y_bar)[-1]),
        BROADCASTING,
        {"shape"},
        "as it is",
    ),
    "dtype": (in_first(lambda d: d.astype(np.result_type(d, np.float64))), EVERY, {"dtype"}, "float32"),
    "ȳ changed": (writing_into_y_bar, EVERY, {"changed y_bar"}, "as it is"),
    "argument changed": (writing_into_an_argument, EVERY, {"changed argument"}, "as it is"),
    "second order by arguments": (without_the_path_of_arguments, NONLINEAR, WRONG, "as it is"),
    "second order by ȳ": (without_the_path_of_y_bar, EVERY, WRONG, "as it is"),
}


@pytest.fixture(autouse=True)
def without_traces() -> Iterator[None]:
    load_seen()  # what is loaded later is no trace
    known = set(RULES)
    yield
    for key in set(RULES) - known:
        del RULES[key]


@pytest.mark.parametrize("name", ROWS)
def test_a_correct_copy_passes(name: str) -> None:
    check(copy_of(ROWS[name], lambda back, args, y_bar: back(*args, y_bar)))


@pytest.mark.parametrize(("error", "name"), [(error, name) for error in PLANTED for name in PLANTED[error][1]])
def test_an_error_is_caught(error: str, name: str) -> None:
    change, _, kinds, variant = PLANTED[error]
    order = 2 if error.startswith("second order") else 1
    with pytest.raises(GradientMismatch) as caught:
        check(copy_of(ROWS[name], change).but(order=order))
    found = {difference.kind for difference in caught.value.differences}
    assert found & kinds
    assert caught.value.__notes__[0].startswith(f"variant: {variant};")
    forward = any(difference.place == "forward" for difference in caught.value.differences)
    assert ("∂" in caught.value.name) == (order == 2 and not forward)


@pytest.mark.parametrize("name", [name for name in ROWS if name != "concatenate"])
def test_memory_that_is_given_twice_is_caught(name: str) -> None:
    with pytest.raises(GradientMismatch) as caught:
        check(copy_of(ROWS[name], remembering()))
    assert {difference.kind for difference in caught.value.differences} == {"aliasing"}


def first(x: Any) -> Any:
    """The first of the true items of each row."""
    return x & (np.cumsum(x, axis=1) == 1)


TIES = {
    "max": (sample(np.max, TIED, axis=1), lambda x: first(x == x.max(axis=1, keepdims=True))),
    "min": (sample(np.min, -TIED, axis=1), lambda x: x == x.min(axis=1, keepdims=True)),
    "maximum": (sample(np.maximum, TIED, TIED.copy()), lambda x: np.ones(x.shape, bool)),
    "abs": (sample(np.absolute, np.zeros((2, 3))), lambda x: np.ones(x.shape, bool)),
}
"""At ties: all to the first, all to each of them, all to one side; a slope of 1 at 0."""


@pytest.mark.parametrize("name", TIES)
def test_a_wrong_rule_for_ties_is_caught(name: str) -> None:
    row, share = TIES[name]
    at_kink = row.but(smooth=False, order=1)

    def wrong(back: Any, args: Any, y_bar: Any) -> Any:
        d = y_bar[:, None] if y_bar.ndim == 1 else y_bar
        return (d * share(args[0]), *[0.0 * x for x in args[1:]])

    check(copy_of(at_kink, lambda back, args, y_bar: back(*args, y_bar)))
    with pytest.raises(GradientMismatch) as caught:
        check(copy_of(at_kink, wrong))
    assert {difference.kind for difference in caught.value.differences} <= WRONG


# What only forward mode and several seeds use


def ruled(f: Callable[..., Any], written: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """A function with a rule that is taken for one of the library's, which is held to nothing while it runs."""
    written.__module__ = "adjoint.rules.planted"
    rule(f, **options)(written)
    return f


def squared(linear: str) -> Callable[..., Any]:
    def f(a: Any) -> Any:
        return a * a

    return ruled(f, lambda a: (a * a, lambda y_bar: (2.0 * a * y_bar,)), linear=linear)


def shifted(linear: str) -> Callable[..., Any]:
    def f(a: Any) -> Any:
        return a + 1.0

    return ruled(f, lambda a: (a + 1.0, lambda y_bar: (1.0 * y_bar,)), linear=linear)


def scaled_by_square(linear: str) -> Callable[..., Any]:
    def f(a: Any, b: Any) -> Any:
        return a * b * b

    return ruled(f, lambda a, b: (a * b * b, lambda y_bar: (b * b * y_bar, 2.0 * a * b * y_bar)), linear=linear)


DECLARED = {
    "a square": (squared, "", "a", (A,)),
    "a shift": (shifted, "", "a", (A,)),
    "a square in the second": (scaled_by_square, "", "a b", (V, V[::-1] + 1.0)),
    "each, not both together": (scaled_by_square, "a", "a+b", (V, V[::-1] + 1.0)),
}
"""What a function may be declared to be linear in, and what not."""


@pytest.mark.parametrize("name", DECLARED)
def test_linearity_that_is_declared_and_is_not_there_is_caught(name: str) -> None:
    planted, right, wrong, args = DECLARED[name]
    check_rule(planted(right), *args)
    with pytest.raises(GradientMismatch) as caught:
        check_rule(planted(wrong), *args)
    assert {(d.place.split()[0], d.kind) for d in caught.value.differences} == {("forward", "derivative")}


@pytest.mark.parametrize("factor", [1.0, 1.001])
def test_partials_that_are_wrong_only_in_forward_mode_are_caught(factor: float) -> None:
    def f(x: Any, w: Any) -> Any:
        return np.sin(x) * w

    def partials(x: Any, w: Any, y: Any) -> Any:
        return np.cos(x) * w, np.sin(x)

    def wrong(x: Any, w: Any, y: Any) -> Any:
        return np.cos(x) * w, 1.001 * np.sin(x)

    scalar_rule(f)(partials)
    if factor != 1.0:
        method = method_of(sample(f, A, A))
        method.partials = wrong
        with pytest.raises(GradientMismatch) as caught:
            check_rule(f, A, A + 1.0)
        assert {(d.place, d.kind) for d in caught.value.differences} == {("forward", "derivative")}
    else:
        check_rule(f, A, A + 1.0)


def mixed(d: Any) -> Any:
    return Lanes(np.roll(d.data, 1, axis=0)) if type(d) is Lanes else d


def failing(d: Any) -> Any:
    return d[..., 10**6] if type(d) is Lanes else d


LANES = {"mixed": (mixed, "derivative"), "failing": (failing, "failed")}


@pytest.mark.parametrize("name", LANES)
def test_a_rule_that_mixes_lanes_or_fails_at_them_is_caught(name: str) -> None:
    change, kind = LANES[name]

    def of(change: Callable[[Any], Any]) -> Callable[..., Any]:
        def f(a: Any) -> Any:
            return np.sin(a)

        return ruled(f, lambda a: (np.sin(a), lambda y_bar: (change(y_bar) * np.cos(a),)))

    check_rule(of(lambda d: d), A)
    with pytest.raises(GradientMismatch) as caught:
        check_rule(of(change), A)
    assert {d.kind for d in caught.value.differences} == {kind}
    assert {d.place.split("[")[0] for d in caught.value.differences} <= {"lanes in reverse", "lanes forward"}


SIZES = {
    "tiny": lambda a: 1e-9 * np.sin(a),
    "about 1": lambda a: np.sin(a),
    "large": lambda a: 1e6 * np.sin(a),
}


@pytest.mark.parametrize("name", SIZES)
def test_an_error_is_caught_whatever_the_size_of_the_derivative(name: str) -> None:
    def of(factor: float) -> Callable[..., Any]:
        def f(a: Any) -> Any:
            return SIZES[name](a)

        size = abs(SIZES[name](np.pi / 2))
        return ruled(f, lambda a: (SIZES[name](a), lambda y_bar: (factor * size * y_bar * np.cos(a),)))

    check_rule(of(1.0), A)
    with pytest.raises(GradientMismatch) as caught:
        check_rule(of(1.001), A)
    assert {d.kind for d in caught.value.differences} <= WRONG


# What is declared beside a rule


def sines(**options: Any) -> Callable[..., Any]:
    """sin(a) b, with a rule that is right and what `options` say of it."""

    def f(a: Any, b: Any) -> Any:
        return np.sin(a) * b

    return ruled(f, lambda a, b: (f(a, b), lambda y_bar: (y_bar * np.cos(a) * b, y_bar * np.sin(a))), **options)


def sines_along(dots: Any, y: Any, a: Any, b: Any) -> Any:
    by_a = 0.0 if dots[0] is None else dots[0] * np.cos(a) * b
    return by_a if dots[1] is None else by_a + dots[1] * np.sin(a)


def as_if_all_moved(dots: Any, y: Any, a: Any, b: Any) -> Any:
    return dots[0] * np.cos(a) * b + dots[1] * np.sin(a)


def forgetting_the_second(dots: Any, y: Any, a: Any, b: Any) -> Any:
    return sines_along(dots, y, a, b) if dots[0] is not None else np.zeros_like(y)


def twice_where_one_moves(dots: Any, y: Any, a: Any, b: Any) -> Any:
    return sines_along(dots, y, a, b) * (2.0 if dots[1] is None else 1.0)


def writing_into_a_tangent(dots: Any, y: Any, a: Any, b: Any) -> Any:
    y_dot = sines_along(dots, y, a, b)
    np.multiply(dots[0 if dots[1] is None else 1], 2.0, out=dots[0 if dots[1] is None else 1])
    return y_dot


FORWARD: dict[str, tuple[Any, set[str]]] = {
    "None is not expected": (as_if_all_moved, {"failed"}),
    "the second alone is forgotten": (forgetting_the_second, {"derivative"}),
    "the first alone counts twice": (twice_where_one_moves, {"derivative"}),
    "another shape": (lambda dots, y, a, b: sines_along(dots, y, a, b)[None], {"shape"}),
    "a scalar": (lambda dots, y, a, b: float(np.sum(sines_along(dots, y, a, b))), {"shape"}),
    "another dtype": (lambda dots, y, a, b: sines_along(dots, y, a, b) + 0j, {"dtype"}),
    "nothing": (lambda dots, y, a, b: None, {"derivative"}),
    "a tangent is changed": (writing_into_a_tangent, {"changed tangent"}),
}


def test_a_right_tangent_passes() -> None:
    check_rule(sines(forward=sines_along), A, A + 1.0, order=2)
    check_rule(sines(forward=as_if_all_moved, forward_for=lambda dots, a, b: all(d is not None for d in dots)), A, A)


@pytest.mark.parametrize("name", FORWARD)
def test_a_wrong_tangent_is_caught(name: str) -> None:
    tangent, kinds = FORWARD[name]
    with pytest.raises(GradientMismatch) as caught:
        check_rule(sines(forward=tangent), A, A + 1.0)
    assert {d.kind for d in caught.value.differences} & kinds
    assert {d.place.split("[")[0].split()[0] for d in caught.value.differences} == {"forward"}


@pytest.mark.parametrize("returns", ["float", "int", "complex", "reduction", "bool", "str"])
def test_a_wrong_type_of_the_result_is_caught(returns: str) -> None:
    check_rule(sines(returns="elementwise"), A, A)
    if returns == "reduction":  # of one axis it may be an array
        check_rule(sines(returns=returns), A, A)
        return
    with pytest.raises(GradientMismatch) as caught:
        check_rule(sines(returns=returns), A, A)
    assert {(d.place, d.kind) for d in caught.value.differences} == {("result", "type")}


PRODUCTS = {
    "wrong": lambda y_bar, x, y: y_bar / y,
    "only some": lambda y_bar, x, y: y_bar / (2.0 * y) if y_bar.size < 2 else y_bar / y,
    "too many": lambda y_bar, x, y: (y_bar / (2.0 * y),) * 2,
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_that_are_not_those_of_the_partials_are_caught(name: str) -> None:
    def declared(products: Any) -> Any:
        def root(x: Any) -> Any:
            return np.sqrt(x)

        def partial(x: Any, y: Any) -> Any:
            return 0.5 / y

        partial.__module__ = "adjoint.rules.planted"
        scalar_rule(root, singular=True, products=products)(partial)
        return root

    x = uniform(0.5, 2.0, 3)
    check_rule(declared(lambda y_bar, x, y: y_bar / (2.0 * y)), x)
    check_rule(declared(lambda y_bar, x, y: None), x)
    with pytest.raises((GradientMismatch, RuleError, ValueError)):
        check_rule(declared(PRODUCTS[name]), x)


@pytest.mark.parametrize("place", range(2))
def test_a_cotangent_that_is_wrong_where_it_alone_is_needed_is_caught(place: int) -> None:
    def f(x: Any, y: Any) -> Any:
        return x * y

    def planted(x: Any, y: Any, *, needs: Any = (True, True), wrong: float = 1.0) -> Any:
        factor = wrong if needs == (place == 0, place == 1) else 1.0
        return x * y, lambda d: (factor * d * y, factor * d * x)

    ruled(f, planted)
    check_needs(sample(f, A, A))
    ruled(f, lambda x, y, *, needs=(True, True): planted(x, y, needs=needs, wrong=2.0))
    with pytest.raises(AssertionError, match=f"only argument {place} is needed"):
        check_needs(sample(f, A, A))


def test_a_cotangent_for_what_carries_none_is_caught() -> None:
    def f(x: Any, how: Any, more: Any) -> Any:
        return 2.0 * x

    for wrong in ((0.0, None), (None, 1.0), (None, [1.0])):
        ruled(f, lambda x, how, more, wrong=wrong: (2.0 * x, lambda y_bar: (2.0 * y_bar, *wrong)))
        with pytest.raises(GradientMismatch) as caught:
            check_rule(f, A, "text", None)
        assert {d.kind for d in caught.value.differences} == {"structure"}


def test_a_linear_map_that_cannot_be_used_again_is_caught() -> None:
    def f(a: Any) -> Any:
        return np.sin(a)

    def tangent(dots: Any, y: Any, a: Any) -> Any:
        return dots[0] * np.cos(a)

    ruled(f, lambda a: (np.sin(a), lambda y_bar: (y_bar * np.cos(a),)), forward=tangent)
    check_rule(f, A)
    known: list[Any] = []

    def remembered(y_bar: Any) -> Any:
        known.append(1)
        return y_bar * (1.0 if len(known) < 12 else 1.5)

    non_differentiable(remembered)
    ruled(f, lambda a: (np.sin(a), lambda y_bar: (remembered(y_bar) * np.cos(a),)))
    with pytest.raises(GradientMismatch):
        check_rule(f, A)

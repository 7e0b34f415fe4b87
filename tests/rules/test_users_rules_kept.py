"""A user's rule: cotangents in the precision of the arguments, and nothing that is stored into what it is given."""

from __future__ import annotations

from collections import Counter, deque
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import gradient, pullback, rule, value_and_grad
from adjoint.calculus import pushforward
from adjoint.errors import RuleError
from adjoint.rules import scalar_rule
from adjoint.rules.kept import LIMIT, contents, is_kept
from adjoint.testing import check_gradient, check_rule

DOUBLE = np.float64(2.0)


def squared(x: Any) -> Any:
    return x * x


@rule(squared)
def squared_rule(x: Any) -> Any:
    return x * x, lambda d: (DOUBLE * np.asarray(x, np.result_type(x, np.float64)) * d,)


def cubed(x: Any) -> Any:
    return x * x * x


@scalar_rule(cubed)
def cubed_partial(x: Any, y: Any) -> Any:
    return np.float64(3.0) * x * x


def weighted(xs: Any, options: Any) -> Any:
    return xs[0] * options["w"]


@rule(weighted)
def weighted_rule(xs: Any, options: Any) -> Any:
    def weighted_back(d: Any) -> Any:
        return [np.asarray(d * options["w"], float)], {"w": np.asarray(d * xs[0], float)}

    return xs[0] * options["w"], weighted_back


def recorded(f: Any) -> Any:
    def kept(*args: Any) -> Any:
        try:
            return f(*args)
        finally:
            pass

    return kept


@pytest.mark.parametrize("f", [squared, cubed])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_cotangents_have_the_precision_of_the_argument(f: Any, dtype: Any) -> None:
    x = np.array([1.0, 2.0], dtype)
    total = lambda v: f(v).sum()  # noqa: E731
    for g in (total, recorded(total)):
        (d,) = gradient(g, x)
        assert d.dtype == dtype
        np.testing.assert_allclose(d, 2 * x if f is squared else 3 * x * x)
    assert pullback(f, x)[1](np.ones(2))[1].dtype == dtype
    assert pushforward(f, (x,), (np.ones(2, dtype),))[1].dtype == dtype
    assert gradient(lambda v: gradient(total, v)[0].sum(), x)[0].dtype == dtype
    assert type(gradient(f, dtype(3.0))[0]) is dtype
    assert type(gradient(f, 3.0)[0]) is float


def test_complex_arguments() -> None:
    x = np.array([1.0 + 2.0j], np.complex64)
    assert pullback(squared, x)[1](np.ones(1, complex))[1].dtype == np.complex64


def test_arrays_in_containers() -> None:
    xs, options = [np.ones(2, np.float32)], {"w": np.full(2, 2.0, np.float32)}
    for f in (weighted, recorded(weighted)):
        _, xs_bar, options_bar = pullback(f, xs, options)[1](np.ones(2, np.float32))
        assert (xs_bar[0].dtype, options_bar["w"].dtype) == (np.float32, np.float32)


def test_a_complex_cotangent_of_a_real_argument_is_refused() -> None:
    def f(x: Any) -> Any:
        return x * 2

    @rule(f)
    def f_rule(x: Any) -> Any:
        return x * 2, lambda d: (d * 2j,)

    with pytest.raises(RuleError, match="`.*f_rule`.*which is real"):
        gradient(lambda x: f(x).sum(), np.ones(2))


# ---- stores


def storing(where: str) -> Any:
    """A function whose rule stores into what it is given."""

    def f(x: Any, items: Any = ()) -> Any:
        return x * x

    @rule(f)
    def storing_rule(x: Any, items: Any = ()) -> Any:
        y = x * x
        if where == "argument":
            x[0] = 5.0
        elif where == "view":
            x[::2].fill(5.0)
        elif where == "nan":
            x[0] = np.nan
        elif where == "list":
            items.append(1.0)
        elif where == "item":
            items[0][0] = 7.0

        def storing_back(d: Any) -> Any:
            if where == "cotangent":
                d *= 2
            elif where == "argument in the pullback":
                x[0] = 5.0
            return (2 * x * d,)

        return y, storing_back

    return f


WHERE = ["argument", "view", "nan", "list", "item", "cotangent", "argument in the pullback"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("where", WHERE)
def test_a_rule_that_stores_is_an_error_that_names_it(where: str) -> None:
    f = storing(where)

    def once(x: Any) -> Any:
        return f(x, [np.ones(2)]).sum()

    for way in (
        lambda x: gradient(once, x),
        lambda x: gradient(recorded(once), x),
        lambda x: gradient(lambda v: once(v * 1.0), x),
        lambda x: pullback(once, x)[1](1.0),
        lambda x: pushforward(once, (x,), (np.ones(2),)),
        lambda x: value_and_grad(once, compile=True)(x),
        lambda x: adjoint.hessian(once, x),
    ):
        with pytest.raises(RuleError, match="the rule `.*storing_rule` stores into"):
            way(np.array([1.0, 2.0]))


def test_a_rule_that_stores_into_its_own_is_none() -> None:
    assert gradient(lambda x: storing("nothing")(x).sum(), np.array([1.0, np.inf]))[0].tolist() == [2.0, np.inf]


@pytest.mark.parametrize(
    ("items", "store"),
    [
        (lambda: deque([1.0]), lambda items: items.append(2.0)),
        (lambda: deque([1.0, 2.0]), lambda items: items.rotate(1)),
        (lambda: {1.0}, lambda items: items.add(2.0)),
        (lambda: {1.0, 2.0}, lambda items: (items.remove(1.0), items.add(3.0))),
        (lambda: bytearray(b"a"), lambda items: items.append(1)),
        (lambda: {"a": 1.0}, lambda items: items.update(b=items.pop("a"))),
        (lambda: {"a": 1.0}, lambda items: items.update(b=2.0)),
        (lambda: {"a": deque([np.ones(2)])}, lambda items: items["a"][0].fill(2.0)),
        (lambda: [1.0, 2.0], lambda items: items.reverse()),
    ],
)
def test_a_rule_that_changes_a_container_is_an_error(items: Any, store: Any) -> None:
    def f(x: Any, items: Any) -> Any:
        return x * x

    @rule(f)
    def changing_rule(x: Any, items: Any) -> Any:
        if store is not None:
            store(items)
        return x * x, lambda d: (2 * x * d, None)

    held = items()
    with pytest.raises(RuleError, match="the rule `.*changing_rule` stores into an argument"):
        gradient(lambda x: f(x, held), 2.0)
    store = None
    assert gradient(lambda x: f(x, held), 2.0) == (4.0,)


LARGE: tuple[tuple[Any, Any], ...] = (
    (lambda: np.ones(100_000), lambda x: np.add(x, 1.0, out=x)),
    (lambda: np.ones((500, 300)).T[::2], lambda x: x.fill(2.0)),
    (lambda: [1.0] * 100_000, lambda x: x.append(1.0)),
    (lambda: dict.fromkeys(range(100_000), 1.0), lambda x: x.pop(5)),
    (lambda: set(range(100_000)), lambda x: x.discard(5)),
    (lambda: deque([1.0] * 100_000), lambda x: x.pop()),
    (lambda: bytearray(100_000), lambda x: x.append(1)),
)


@pytest.mark.parametrize(("make", "change"), LARGE)
def test_what_is_large_is_compared_in_part(make: Any, change: Any) -> None:
    x = make()
    contents(abs, "call", (x,))  # that all is compared at the first call is said below
    before = contents(abs, "call", (x,))
    assert all(map(is_kept, before)) and all(c.limit == LIMIT for c in before)
    change(x)
    assert not all(map(is_kept, before))


def test_one_entry_of_what_is_large_is_noticed_at_the_first_call_and_by_checks() -> None:
    at: list[int] = []

    def f(x: Any) -> Any:
        return x * x

    @rule(f)
    def one_rule(x: Any) -> Any:
        for i in at:
            x[i] += 1.0
        return x * x, lambda d: (2 * x * d,)

    def total(x: Any) -> Any:
        return np.sum(f(x))

    x, error = np.ones(5000), "one_rule` stores into an argument"
    at.append(3)
    with pytest.raises(RuleError, match=error):
        gradient(total, x)
    gradient(total, x)  # is beyond what is seen now
    for check in (check_gradient, check_rule):
        with pytest.raises(RuleError, match=error):
            check(total if check is check_gradient else f, x)
    with pytest.raises(RuleError, match=error):
        gradient(total, x, check=True)
    at[:] = [0]
    with pytest.raises(RuleError, match=error):
        gradient(total, x)


def test_a_rule_costs_the_same_however_large_what_it_is_given_is() -> None:
    x, moved = np.ones(10_000_000), Counter[str]()
    contents(abs, "back", (x,))

    class Watched(np.ndarray):
        def tobytes(self, *args: Any) -> bytes:
            moved["entries"] += self.size
            return super().tobytes(*args)

    for _ in range(3):
        assert all(map(is_kept, contents(abs, "back", (x,))))
    contents(abs, "back", (x.view(Watched),))  # the first of its type
    assert moved["entries"] == x.size
    contents(abs, "back", (x.view(Watched),))
    assert moved["entries"] == x.size


def test_a_tangent_that_stores_is_an_error() -> None:
    def f(x: Any) -> Any:
        return x * x

    def forward(dots: Any, y: Any, x: Any) -> Any:
        dots[0][0] = 3.0
        return 2 * x * dots[0]

    @rule(f, forward=forward)
    def f_rule(x: Any) -> Any:
        return x * x, lambda d: (2 * x * d,)

    with pytest.raises(RuleError, match="stores into what its tangent is given"):
        pushforward(f, (np.ones(2),), (np.ones(2),))

"""The checker: it passes what is right and is seen to fail on every planted error."""

import functools
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import adjoint
from adjoint import Tangent, nn, rule, stop_gradient
from adjoint.errors import AdjointError, NoRuleError, RuleError
from adjoint.finite.structure import component, cotangent_like, duplicate, identical, leaves, rebuild
from adjoint.rules import opt_out, scalar_rule
from adjoint.testing import GradientMismatch, check_gradient, check_rule
from adjoint.testing.check import check_pullback
from adjoint.testing.report import Difference

A = np.array([[1.0, 2.0, -0.5], [0.3, -1.2, 0.7]])
B = np.array([[0.5, 1.5], [-2.0, 0.4], [1.1, 0.9]])
V = np.array([0.7, -1.1, 2.0])


def planted(f: Callable[..., Any], back: Callable[..., Any], *args: Any, **options: Any) -> list[Any]:
    """The differences found when `back(y_bar, *args)` is said to be the pullback of `f`."""

    def differentiate(f: Callable[..., Any], *args: Any) -> Any:
        return f(*args), lambda y_bar: back(y_bar, *args)

    try:
        check_pullback(differentiate, f, *args, **options)
    except GradientMismatch as error:
        return error.differences
    return []


def kinds(differences: list[Any]) -> set[str]:
    return {difference.kind for difference in differences}


WRONG = {"derivative", "adjoint identity"}


def test_a_mismatch_is_of_the_family() -> None:
    found = GradientMismatch("f", [Difference("args[0]", "derivative", "2.0", "3.0", "1.0")])
    assert isinstance(found, AdjointError) and isinstance(found, AssertionError)
    again = pickle.loads(pickle.dumps(found))
    assert str(again) == str(found) and again.differences == found.differences


def test_a_right_pullback_passes() -> None:
    assert planted(lambda x, y: x * y, lambda d, x, y: (None, d * y, d * x), 1.5, -2.0) == []
    assert planted(lambda a, b: a @ b, lambda d, a, b: (None, d @ b.T, a.T @ d), A, B) == []
    assert planted(lambda a, v: a + v, lambda d, a, v: (None, d * 1.0, d.sum(axis=0)), A, V) == []
    assert planted(lambda z: z * z, lambda d, z: (None, d * 2 * np.conj(z)), 1.0 + 2.0j) == []


@pytest.mark.parametrize(
    ("error", "back"),
    [
        ("sign", lambda d, x, y: (None, d * y, -d * x)),
        ("factor", lambda d, x, y: (None, d * y * 1.001, d * x)),
        ("swapped", lambda d, x, y: (None, d * x, d * y)),
        ("nothing flows", lambda d, x, y: (None, d * y, None)),
        ("constant in y_bar", lambda d, x, y: (None, y, x)),
        ("nan", lambda d, x, y: (None, d * y, float("nan"))),
    ],
)
def test_wrong_scalar_derivatives_are_caught(error: str, back: Callable[..., Any]) -> None:
    assert kinds(planted(lambda x, y: x * y, back, 1.5, -2.0)) & WRONG, error


def test_a_missing_transpose_is_caught_by_shape_or_by_value() -> None:
    square = A[:, :2]
    assert "shape" in kinds(planted(lambda a, b: a @ b, lambda d, a, b: (None, d @ b.T, d.T @ a), A, B))
    found = planted(lambda a, b: a @ b, lambda d, a, b: (None, d @ b, a.T @ d), square, square.copy() * 2)
    assert kinds(found) == WRONG
    assert found[0].place == "args[0]"


def test_a_dropped_broadcast_sum_is_caught() -> None:
    assert kinds(planted(lambda a, v: a + v, lambda d, a, v: (None, d * 1.0, d * 1.0), A, V)) == {"shape"}
    assert kinds(planted(lambda a, v: a + v, lambda d, a, v: (None, d * 1.0, d[0] * 1.0), A, V)) == WRONG


@pytest.mark.parametrize(
    "back",
    [
        lambda d, x, y: (None, d, d),
        lambda d, x, y: (None, d, d * 1.0),
        lambda d, x, y: (None, *(lambda g: (g, g[:]))(d * 1.0)),
    ],
)
def test_cotangents_that_share_memory_are_caught(back: Callable[..., Any]) -> None:
    assert kinds(planted(lambda x, y: x + y, back, V, V * 2.0)) == {"aliasing"}


def test_a_cotangent_that_is_a_primal_is_caught() -> None:
    assert "aliasing" in kinds(planted(lambda x: x * x, lambda d, x: (None, x), V))


def test_writing_into_y_bar_or_an_argument_is_caught() -> None:
    def writes_y_bar(d: Any, x: Any) -> Any:
        d *= 2.0
        return None, d / 2.0

    def writes_argument(d: Any, x: Any) -> Any:
        x += 1.0
        return None, d * 1.0

    assert "changed y_bar" in kinds(planted(lambda x: x * 1.0, writes_y_bar, V))
    assert "changed argument" in kinds(planted(lambda x: x * 1.0, writes_argument, V.copy()))


def test_a_wrong_branch_is_caught() -> None:
    f = lambda x: x * x if x > 1.0 else 3.0 * x  # noqa: E731
    assert kinds(planted(f, lambda d, x: (None, 3.0 * d), 2.0)) == WRONG
    assert planted(f, lambda d, x: (None, 2.0 * x * d), 2.0) == []


@pytest.mark.parametrize(
    ("back", "kind"),
    [
        (lambda d, x: (None, d.astype(np.float64)), "dtype"),
        (lambda d, x: (None, d + 0j), "dtype"),
        (lambda d, x: (None, d[None] * 1), "shape"),
        (lambda d, x: (d * 1,), "count"),
        (lambda d, x: (None, d * 1, None), "count"),
        (lambda d, x: None, "count"),
        (lambda d, x: d * 1, "count"),
    ],
)
def test_wrong_dtype_shape_and_count_are_caught(back: Callable[..., Any], kind: str) -> None:
    assert kinds(planted(lambda x: x * 1, back, V.astype(np.float32))) == {kind}


def test_a_cotangent_of_another_structure_is_caught() -> None:
    f = lambda xs: xs[0] * xs[1]  # noqa: E731
    assert kinds(planted(f, lambda d, xs: (None, d), [1.0, 2.0])) == {"structure"}
    assert kinds(planted(f, lambda d, xs: (None, [d * xs[1]]), [1.0, 2.0])) == {"structure"}


def test_back_that_differs_when_called_again_is_caught() -> None:
    calls = []

    def back(d: Any, x: Any) -> Any:
        calls.append(d)
        return None, d * len(calls)

    assert "second call" in kinds(planted(lambda x: x, back, 2.0))


def test_a_result_that_differs_by_a_bit_is_caught() -> None:
    def differentiate(f: Callable[..., Any], x: float) -> Any:
        return np.nextafter(f(x), 2 * f(x)).item(), lambda d: (None, 2.0 * d)

    with pytest.raises(GradientMismatch, match="value"):
        check_pullback(differentiate, lambda x: 2.0 * x, 1.5)


def test_kinks_are_recognised() -> None:
    assert kinds(planted(abs, lambda d, x: (None, d), 0.0)) == {"unsettled"}
    assert kinds(planted(lambda x: float(x > 1.0), lambda d, x: (None, d), 1.0)) == {"unsettled"}


@pytest.mark.parametrize(
    "f",
    [
        lambda a: a[np.nonzero(a)],
        lambda a: [v for v in a if v],
        lambda a: {"a": a[0]} if a[1] == 0 else {"b": a[0]},
        lambda a: a[0] if a[1] == 0 else a,
    ],
)
def test_a_result_of_another_structure_next_to_the_arguments(f: Callable[..., Any]) -> None:
    with pytest.raises(GradientMismatch) as caught:
        check_gradient(f, np.array([1.0, 0.0, 2.0]))
    assert {(d.kind, d.numeric) for d in caught.value.differences} == {("unsettled", "nan")}
    check_gradient(f, np.array([1.0, 0.5, 2.0]))


def test_it_is_there_without_an_import_of_its_own() -> None:
    program = "import sys, adjoint; assert 'adjoint.testing' not in sys.modules; print(adjoint.testing.check_gradient)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("<function check_gradient")
    with pytest.raises(AttributeError, match="module 'adjoint' has no attribute 'nothing'"):
        adjoint.nothing  # noqa: B018


def test_the_message_is_a_table() -> None:
    def differentiate(f: Callable[..., Any], m: Any) -> Any:
        return f(m), lambda d: (None, {"w": [-3.0 * d]})

    with pytest.raises(GradientMismatch) as caught:
        check_pullback(differentiate, lambda m: 3.0 * m["w"][0], {"w": [2.0]})
    first, head, row, *_ = str(caught.value).splitlines()
    assert first == "the derivative of <lambda> is wrong:"
    assert head.split() == ["place", "kind", "analytic", "numeric", "error"]
    assert row.split()[:2] == ["args[0]['w'][0]", "derivative"]
    assert pickle.loads(pickle.dumps(caught.value)).differences == caught.value.differences


@dataclass(frozen=True)
class Model:
    weight: Any
    label: str = "model"


class Slotted:
    __slots__ = ("_hidden", "left", "unset")

    def __init__(self, left: Any) -> None:
        self.left = left


class Pair(NamedTuple):
    a: Any
    b: Any


def test_leaves_of_every_structure() -> None:
    slope = 3.0
    value = (
        [1.0, "text", None, True, 2],
        {"k": Model(V), "p": Pair(1j, {})},
        Slotted((np.float32(2.0),)),
        lambda x: slope * x,
        functools.partial(pow, 2.5),
        SimpleNamespace(u=0.5),
    )
    found = {"".join(map(str, path)): leaf for path, leaf in leaves(value)}
    assert list(found) == [
        "[0][0]",
        "[1]['k'].weight",
        "[1]['p'][0]",
        "[2].left[0]",
        "[3].slope",
        "[4].args[0]",
        "[5].u",
    ]
    assert "[0][4]" in {"".join(map(str, path)) for path, _ in leaves(value, integers=True)}
    copied = duplicate(value)
    assert identical(copied[:3], value[:3]) and copied[1]["k"].weight is not V
    doubled = rebuild(lambda path, leaf: 2 * leaf, value)
    assert doubled[3](1.0) == 6.0 and doubled[4](2) == 25.0 and doubled[2].left == (4.0,) and doubled[0][4] == 4


def test_cotangents_follow_the_structure() -> None:
    bar = cotangent_like([Model(2.0), Pair(1.0, "b")], lambda leaf: 10.0 * leaf)
    assert bar == [Tangent(Model, {"weight": 20.0, "label": None}), Pair(10.0, None)]
    path = next(leaves([Model(2.0)]))[0]
    assert component(bar, path) == 20.0
    assert component([None], path) is None


def test_identity_is_to_the_bit() -> None:
    assert identical(float("nan"), float("nan"))
    assert not identical(0.0, -0.0)
    assert not identical(1.0, np.float64(1.0))
    assert not identical(V, V.astype(np.float32))
    assert not identical([1.0], (1.0,))


PLANTED_RULES = {
    "sign": (lambda x, y: x * y, lambda d, x, y: (d * y, -d * x), (V, V + 1.0), WRONG),
    "factor": (lambda x, y: x * y, lambda d, x, y: (2.0 * d * y, d * x), (1.5, 0.5), WRONG),
    "missing transpose": (lambda a, b: a @ b, lambda d, a, b: (d @ b, a.T @ d), (A[:, :2], B[:2]), WRONG),
    "dropped broadcast sum": (lambda a, v: a + v, lambda d, a, v: (d * 1.0, d[0] * 1.0), (A, V), WRONG),
    "wrong branch": (lambda x, y: x if x > y else y, lambda d, x, y: (None, d), (2.0, 1.0), WRONG),
}


@pytest.mark.parametrize("error", PLANTED_RULES)
def test_a_wrong_rule_is_caught_by_itself_and_inside_a_function(error: str) -> None:
    formula, wrong, args, expected = PLANTED_RULES[error]

    def f(x, y):
        return formula(x, y)

    @rule(f)
    def f_rule(x, y):
        def f_back(d):
            return wrong(d, x, y)

        return f(x, y), f_back

    def program(x, y):
        z = f(x, y)
        return z * z

    with pytest.raises(GradientMismatch) as caught:
        check_rule(f, *args)
    assert kinds(caught.value.differences) & expected
    with pytest.raises(GradientMismatch) as caught:
        check_gradient(program, *args)
    assert kinds(caught.value.differences) & expected


def test_a_rule_that_writes_into_its_cotangent_is_an_error_that_names_it() -> None:
    def f(x, y):
        return x + y

    @rule(f)
    def f_rule(x, y):
        return f(x, y), lambda d: (np.multiply(d, 2.0, out=d), d)

    for check in (check_rule, lambda f, *args: check_gradient(lambda x, y: f(x, y) ** 2, *args)):
        with pytest.raises(RuleError, match="f_rule` stores into the cotangent"):
            check(f, V, V * 2.0)


def test_a_rule_that_hands_out_what_is_not_its_own_is_caught() -> None:
    buffer = np.zeros(3)

    def f(x):
        return x * 2.0

    @rule(f)
    def f_rule(x):
        def f_back(d):
            np.multiply(d, 2.0, out=buffer)
            return (buffer,)

        return f(x), f_back

    with pytest.raises(GradientMismatch):
        check_rule(f, V)


def product(x, y):
    return x * y


@pytest.fixture
def declare() -> Iterator[Callable[..., None]]:
    """Declare a rule for `product`, until the test ends."""

    def declared(back: Callable[..., Any], value: Callable[..., Any] = product) -> None:
        @rule(product)
        def product_rule(x, y):
            return value(x, y), lambda y_bar: back(x, y, y_bar)

    yield declared
    opt_out(product)


FORGETFUL: list[int] = []
GIVEN: dict[int, Any] = {}


def grow(x: Any, y: Any, d: Any) -> Any:
    d += 1.0
    return d * y, d * x


def spoil(x: Any, y: Any, d: Any) -> Any:
    x[0] = 7.0
    return d * y, d * x


def alternate(x: Any, y: Any, d: Any) -> Any:
    FORGETFUL.append(1)
    return d * y * len(FORGETFUL), d * x


def remember(x: Any, y: Any, d: Any) -> Any:
    return GIVEN.setdefault(id(x), d * y), d * x


def without_writing(x: Any, y: Any, d: Any) -> Any:
    x_bar = d * y
    x_bar.flags.writeable = False
    return x_bar, d * x


RULE_ERRORS = [
    (lambda x, y, d: (d * x, d * y), "derivative"),
    (lambda x, y, d: (d * y, d * x * 1.001), "derivative"),
    (lambda x, y, d: (d * y, None), "derivative"),
    (lambda x, y, d: (d * y, d * x, None, None, None), RuleError),
    (lambda x, y, d: ((d * y).astype(np.float16), d * x), "derivative"),  # of the right dtype, but rounded
    (lambda x, y, d: ((d * y)[None] * 1, d * x), RuleError),
    (lambda x, y, d: (1j * d * y, d * x), RuleError),
    (lambda x, y, d: (x, y), "adjoint identity"),
    (lambda x, y, d: (d, d * x), "derivative"),
    (grow, RuleError),
    (spoil, RuleError),
    (alternate, "second call"),
    (remember, "aliasing"),
    (without_writing, "aliasing"),
]


@pytest.mark.parametrize(("back", "kind"), RULE_ERRORS)
def test_objects_to_a_wrong_back_of_a_rule(declare: Any, back: Any, kind: Any) -> None:
    """What a user's rule is held to wherever it runs is an error of the rule, all else a difference."""
    declare(back)
    with pytest.raises(GradientMismatch if isinstance(kind, str) else kind) as caught:
        check_rule(product, V, V * 2.0)
    if isinstance(kind, str):
        assert kind in kinds(caught.value.differences)


def test_objects_to_what_is_no_tuple_and_to_a_wrong_value(declare: Any) -> None:
    declare(lambda x, y, d: None)
    with pytest.raises(RuleError, match="NoneType"):
        check_rule(product, V, V)
    opt_out(product)
    declare(lambda x, y, d: (d * y, d * x), lambda x, y: 2 * x * y)
    with pytest.raises(GradientMismatch, match="value"):
        check_rule(product, V, V)


def test_objects_to_a_wrong_partial_and_to_no_rule(declare: Any) -> None:
    with pytest.raises(NoRuleError, match="`product` has no rule"):
        check_rule(product, 2.0, 3.0)

    @scalar_rule(product)
    def product_partials(x, y, z):
        return y, y

    with pytest.raises(GradientMismatch, match=r"args\[1\]"):
        check_rule(product, 2.0, 3.0)
    opt_out(product)
    declare(lambda x, y, d: (d * y, d * x))
    check_rule(product, 2.0, 3.0, order=3)


def test_keywords_are_checked_where_they_are_floats() -> None:
    def scaled(x, factor=1.0, power=1.0):
        return factor * x**power

    @rule(scaled)
    def scaled_rule(x, factor=1.0, power=1.0):
        def scaled_back(d):
            return d * factor * power * x ** (power - 1), d * x**power, None

        return factor * x**power, scaled_back

    check_rule(scaled, 1.5, kwargs={"factor": 2.0}, order=2)
    with pytest.raises(GradientMismatch, match="power "):
        check_rule(scaled, 1.5, kwargs={"factor": 2.0, "power": 3.0})
    check_rule(scaled, 1.5, kwargs={"power": 3.0}, constant=("power",))
    check_rule(scaled, 1.5, 2.0, 3.0, constant=(2,))
    with pytest.raises(GradientMismatch, match="nothing flows here"):
        check_rule(scaled, 1.5, kwargs={"factor": 2.0}, constant=("factor",))


def test_second_derivatives_go_through_what_back_computes() -> None:
    def cube(x):
        return x**3

    @rule(cube)
    def cube_rule(x):
        def cube_back(d):
            return (d * 3 * stop_gradient(x) ** 2,)

        return x**3, cube_back

    check_rule(cube, 1.5)
    with pytest.raises(GradientMismatch, match=r"∂\(cube\)"):
        check_rule(cube, 1.5, order=2)

    def twice(x):
        return 2.0 * x

    @rule(twice)
    def twice_rule(x):
        return 2.0 * x, lambda d: (2.0 * stop_gradient(d),)

    with pytest.raises(GradientMismatch, match="y_bar"):
        check_rule(twice, 1.5, order=2, forward=False)


def test_second_derivatives_where_a_first_is_zero_but_for_rounding() -> None:
    """A bias before a `BatchNorm` has no effect: its gradient is what rounding leaves of sums of the others' size."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        model, x = nn.Chain(nn.Dense(2, 2, rng=rng), nn.BatchNorm(2)), rng.normal(size=(6, 2))
        check_gradient(lambda m, x=x: np.sum(m.train(x)[0] ** 3), model, order=2)


@pytest.mark.parametrize("share", [1e-4, -1e-2])
def test_a_small_part_of_a_value_that_is_wrong_is_caught_beside_a_large_one(share: float) -> None:
    def differentiate(f: Callable[..., Any], x: float) -> Any:
        large, small = f(x)
        return (large, small * (1 + share)), lambda d: (None, 2.0 * d[0] + 2e-9 * d[1])

    with pytest.raises(GradientMismatch, match="value"):
        check_pullback(differentiate, lambda x: (2.0 * x, 2e-9 * x), 1.5, exact=False)


def test_a_kink_has_the_mean_of_both_sides() -> None:
    check_rule(np.maximum, V, V.copy(), smooth=False)
    check_rule(abs, 0.0, smooth=False)
    assert kinds(planted(abs, lambda d, x: (None, d), 0.0, smooth=False)) == WRONG


def test_iterators_have_the_cotangents_of_lists() -> None:
    check_rule(map, lambda x: x**3, [1.5, 2.5], order=2)
    check_rule(dict.values, {"a": 1.5})


def test_the_engine_passes() -> None:
    model = Model(A)
    check_gradient(lambda m, x: np.tanh(m.weight @ x).sum(), model, V, order=2)
    check_gradient(lambda z: z * abs(z), 1.0 + 2.0j)
    check_rule(np.matmul, A, B)
    check_rule(np.sum, A, kwargs={"axis": 0}, order=2)


def test_sparse_matrices_count_by_their_data() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    check_rule(sparse.csr_array.tocsc, sparse.csr_array(A))  # with its rules comes what a matrix holds
    a = sparse.csr_array(A)
    (path,) = [path for path, _ in leaves(a)]
    assert str(path[0]) == ".data" and not np.shares_memory(duplicate(a).indices, a.indices)
    assert identical(duplicate(a), a) and not identical(2.0 * a, a)
    assert not identical(sparse.csr_array((a.data, a.indices[::-1], a.indptr)), a)

    def doubled(a):
        return a * 2.0

    wrong = planted(doubled, lambda d, a: (None, Tangent(type(a), {"data": 3.0 * d.data})), a)
    assert kinds(wrong) == WRONG and wrong[0].place == "args[0].data"
    assert planted(doubled, lambda d, a: (None, Tangent(type(a), {"data": 2.0 * d.data})), a) == []

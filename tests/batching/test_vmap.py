"""`vmap` of programs: what the loop gives, in one run where that can be."""

from __future__ import annotations

import collections
import functools
import itertools
import math
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from batching.programs import MODEL, NUMBERS, OTHERS, PROGRAMS, ROWS, WEIGHTS, Program, branches, loss, softmax

import adjoint
from adjoint import grad, hessian, hvp, jvp, vmap
from adjoint.batching.attempts import attempts_of
from adjoint.batching.mapped import Mapped, lanes
from adjoint.batching.stacking import stacked
from adjoint.errors import BatchError, OptionError, ShapeError, TooLargeError
from adjoint.finite.structure import leaves


def loop(program: Program) -> Any:
    """What the loop gives, written out."""
    f, args, axes, _ = program
    each = axes if isinstance(axes, tuple) else (axes,) * len(args)

    def lane(x: Any, axis: Any, i: int) -> Any:
        if isinstance(axis, dict):
            return {key: lane(x[key], at, i) for key, at in axis.items()}
        return x if axis is None else np.moveaxis(x, axis, 0)[i]

    sizes = [leaf.shape[axis] for x, axis in zip(args, each, strict=True) if isinstance(axis, int) for leaf in [x]]
    n = sizes[0] if sizes else 4
    return stacked([f(*[lane(x, axis, i) for x, axis in zip(args, each, strict=True)]) for i in range(n)], 0)


def check(got: Any, want: Any) -> None:
    a, b = dict(leaves(got)), dict(leaves(want))
    assert a.keys() == b.keys()
    for path, leaf in b.items():
        np.testing.assert_allclose(a[path], leaf, rtol=1e-12, atol=1e-12)
        assert np.asarray(a[path]).dtype == np.asarray(leaf).dtype


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_the_loop(name: str) -> None:
    program = PROGRAMS[name]
    check(vmap(program.f, program.axes, strict=program.together)(*program.args), loop(program))
    check(vmap(program.f, program.axes)(*program.args), loop(program))  # once more, by what is kept
    if not program.together:
        with pytest.raises(BatchError, match="cannot be run for all lanes together"):
            vmap(program.f, program.axes, strict=True)(*program.args)


@pytest.mark.parametrize("name", ["softmax", "stores", "branch", "exception", "shared", "pairs", "recursion"])
def test_gradients_through_it_are_those_of_the_loop(name: str) -> None:
    f, args, axes, _ = PROGRAMS[name]
    each = axes if isinstance(axes, tuple) else (axes,) * len(args)
    n = next(x.shape[axis] for x, axis in zip(args, each, strict=True) if axis is not None)

    def by_loop(*xs: Any) -> Any:
        return sum(np.sum(f(*[x if a is None else x[i] for x, a in zip(xs, each, strict=True)]) ** 2) for i in range(n))

    def by_vmap(*xs: Any) -> Any:
        return np.sum(vmap(f, axes)(*xs) ** 2)

    for i in range(len(args)):
        np.testing.assert_allclose(grad(by_vmap, i)(*args), grad(by_loop, i)(*args), rtol=1e-9, atol=1e-12)


def test_derivatives_of_second_order_and_forward() -> None:
    def by_vmap(w: Any) -> Any:
        return np.sum(vmap(loss, (None, 0, 0))(w, ROWS, ROWS[:, :2]) ** 2)

    def by_loop(w: Any) -> Any:
        return sum(loss(w, x, x[:2]) ** 2 for x in ROWS)

    d = np.ones_like(WEIGHTS)
    np.testing.assert_allclose(hessian(by_vmap)(WEIGHTS), hessian(by_loop)(WEIGHTS), rtol=1e-9)
    np.testing.assert_allclose(hvp(by_vmap, (WEIGHTS,), (d,)), hvp(by_loop, (WEIGHTS,), (d,)), rtol=1e-9)
    np.testing.assert_allclose(jvp(by_vmap, (WEIGHTS,), (d,))[1], jvp(by_loop, (WEIGHTS,), (d,))[1], rtol=1e-9)


def test_what_a_function_captures_has_derivatives() -> None:
    def by_vmap(w: Any) -> Any:
        return np.sum(vmap(lambda x: np.sin(w * x))(ROWS))

    np.testing.assert_allclose(grad(by_vmap)(2.0), np.sum(ROWS * np.cos(2.0 * ROWS)))
    other = vmap(lambda x: np.sin(2.0 * x), 1, 1)(ROWS)
    np.testing.assert_allclose(grad(lambda x: np.sum(vmap(np.sin, 1, 1)(x) * other))(ROWS), np.cos(ROWS) * other)


def test_gradients_of_each_example_by_a_model() -> None:
    def of(model: Any, x: Any) -> Any:
        return np.sum(model(x) ** 2)

    found = vmap(grad(of), (None, 0), strict=True)(MODEL, ROWS)
    singles = [[leaf for _, leaf in leaves(grad(of)(MODEL, x))] for x in ROWS]
    for (_, got), each in zip(leaves(found), zip(*singles, strict=True), strict=True):
        np.testing.assert_allclose(got, np.stack(each), rtol=1e-12)


# ---- what does more than compute runs once for each lane


def test_effects_come_once_for_each_lane(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[float] = []

    def notes(v: Any) -> Any:
        seen.append(float(v[0]))
        print("lane")
        return np.sum(v**2)

    for f in (notes, grad(notes), lambda v: notes(v) * 2, grad(lambda v: notes(v) + v[0])):
        seen.clear()
        vmap(f)(ROWS)
        assert seen == [float(row[0]) for row in ROWS]
        assert capsys.readouterr().out == "lane\n" * len(ROWS)

    def prints(v: Any) -> Any:
        print("lane")
        return np.sum(v**2)

    np.testing.assert_allclose(grad(lambda xs: np.sum(vmap(prints)(xs)))(ROWS), 2 * ROWS)
    assert capsys.readouterr().out == "lane\n" * len(ROWS)


def test_random_draws_are_those_of_the_loop() -> None:
    def noisy(rng: np.random.Generator) -> Any:
        return lambda v: np.sum(v * rng.normal(size=3))

    for wrap in (lambda f: f, grad):
        got = vmap(wrap(noisy(np.random.default_rng(1))))(ROWS)
        one = wrap(noisy(np.random.default_rng(1)))
        np.testing.assert_allclose(got, np.stack([one(row) for row in ROWS]))
    got = grad(lambda xs: np.sum(vmap(noisy(np.random.default_rng(1)))(xs)))(ROWS)
    draws = np.random.default_rng(1)
    np.testing.assert_allclose(got, np.stack([draws.normal(size=3) for _ in ROWS]))


def test_what_a_function_changes_is_changed_as_in_the_loop() -> None:
    def sets(v: Any) -> Any:
        v[0] = 9.0
        return v.sum()

    def counts(v: Any, seen: Any = [0]) -> Any:  # noqa: B006 - that is what is looked at
        seen[0] += 1
        return v * seen[0]

    def through_vectorize(v: Any) -> Any:
        kept = {"sum": 0.0}

        def adds(t: Any) -> Any:
            kept["sum"] = kept["sum"] + t
            return t * kept["sum"]

        return np.vectorize(adds)(v) * kept["sum"]

    xs = ROWS.copy()
    np.testing.assert_allclose(vmap(sets)(xs), 9.0 + ROWS[:, 1:].sum(axis=1))
    assert (xs[:, 0] == 9.0).all()
    np.testing.assert_allclose(vmap(counts)(ROWS), ROWS * np.arange(1, 5)[:, None])
    np.testing.assert_allclose(vmap(through_vectorize)(ROWS), np.stack([through_vectorize(row) for row in ROWS]))


class Holder:
    def __init__(self) -> None:
        self.s, self.n, self.d = {0}, 0, {"n": 1.0}


def captured_state() -> dict[str, Callable[[], Any]]:
    """Functions that change what they capture, or use it up, each made anew; they are given numbers."""

    def sets() -> Any:
        s: set[int] = set()
        return lambda a: (s.add(len(s)), a * len(s))[1]

    def counts() -> Any:
        c = itertools.count(1)
        return lambda a: a * next(c)

    def runs_through() -> Any:
        it = iter([1.0, 2.0, 3.0, 4.0, 5.0])

        def f(a: Any) -> Any:
            for x in it:
                return a * x
            return a

        return f

    def sums() -> Any:
        gen = (i for i in range(5))
        return lambda a: a + sum(gen)

    def pops() -> Any:
        d = collections.deque([1.0, 2.0, 3.0, 4.0, 5.0])
        return lambda a: a * d.popleft()

    def updates() -> Any:
        c: collections.Counter[str] = collections.Counter()
        return lambda a: (c.update("ab"), a * c["a"])[1]

    def fills() -> Any:
        d: dict[int, Any] = collections.defaultdict(lambda: len(d) + 1)
        return lambda a: a * d[len(d)]

    def extends() -> Any:
        b = bytearray()
        return lambda a: (b.append(1), a * len(b))[1]

    def attributes() -> Any:
        h = Holder()
        return lambda a: (h.s.add(len(h.s)), a * len(h.s))[1]

    def variables() -> Any:
        h = Holder()
        return lambda a: (vars(h).update(n=h.n + 1), a * h.n)[1]

    def defaults() -> Any:
        return lambda a, s=collections.deque([1.0, 2.0, 3.0, 4.0, 5.0]): a * s.pop()  # noqa: B008

    found = locals()
    return {name: make for name, make in found.items() if callable(make)}


@pytest.mark.parametrize("name", captured_state())
def test_captured_state_is_changed_by_each_lane(name: str) -> None:
    want = np.stack([f(a) for f in [captured_state()[name]()] for a in NUMBERS])
    np.testing.assert_allclose(vmap(captured_state()[name]())(NUMBERS), want)
    with pytest.raises(BatchError):
        vmap(captured_state()[name](), strict=True)(NUMBERS)
    of_each = [grad(f)(a) for f in [captured_state()[name]()] for a in NUMBERS]
    np.testing.assert_allclose(vmap(grad(captured_state()[name]()))(NUMBERS), of_each)


def test_derivatives_through_memory_that_lanes_share_are_refused() -> None:
    a, items = np.zeros(1), [0.0]

    def adds(v: Any) -> Any:
        a[:] += v
        return a[0] * 2

    def puts(v: Any) -> Any:
        items[0] = items[0] + v
        return items[0] * 2

    for f in (adds, puts):
        np.testing.assert_allclose(vmap(f)(np.ones(3)), [2.0, 4.0, 6.0])
        with pytest.raises(BatchError, match="may change what its lanes share"):
            grad(lambda x, f=f: np.sum(vmap(f)(x)))(np.ones(3))


def zero_dimensional(a: Any) -> Any:
    x = np.array(a)
    y = x
    y += 1
    return x


def zero_dimensional_view(v: Any) -> Any:
    r = v.copy()
    s = r[..., 0]
    s += 1
    return r


SMALL = ROWS.astype(np.float32)
KINDS = {
    "array without axes": (zero_dimensional, NUMBERS),
    "view without axes": (zero_dimensional_view, ROWS),
    "long integers": (lambda i: (int(i) * 2**62 * 4 + 5) % 7, np.arange(3)),
    "long powers": (lambda i: (int(i) + 2) ** 70 % 1000, np.arange(3)),
    "integers in a list": (lambda v: sum([*v.tolist(), 2**62, 2**62, 2**62]) // 4, np.arange(6).reshape(2, 3)),
    "flags that are counted": (lambda a: bool(a > 1) + bool(a > 0), NUMBERS),
    "flags of floats": (lambda v: ((float(v[0]) > 0) + (float(v[1]) > 0)) / 2, ROWS),
    "inverted flags": (lambda a: ~bool(a > 1), NUMBERS),
    "class of a float": (lambda a: a if type(float(a)) is float else -a, NUMBERS),
    "class of a sine": (lambda a: a if type(math.sin(a)) is float else -a, NUMBERS),
    "class of an item": (lambda v: v if isinstance(v[..., 0], np.ndarray) else -v, ROWS),
    "one object": (lambda v: v if np.asarray(v) is v else -v, ROWS),
    "one memory": (lambda v: v if np.shares_memory(v, v[1:]) else -v, ROWS),
    "float beside float32": (lambda v: np.float32(2) * float(v[0]), SMALL),
    "float32 array": (lambda a: np.ones(2, np.float32) * float(a), NUMBERS),
    "sine of float32": (lambda v: v * math.sin(v[0]), SMALL),
    "choice of floats": (lambda v: np.where(v > 0, v, float(v[0])), SMALL),
    "narrow integers": (lambda i: np.ones(2, np.int8) * int(i), np.arange(3)),
    "item": (lambda v: v * v[0].item(), SMALL),
    "sums of lists": (lambda v: v * sum(v.tolist()), SMALL),
    "none": (lambda v: v * (1 if v is None else 2), ROWS),
}


@pytest.mark.filterwarnings("ignore:Bitwise inversion")  # what Python 3.12 says of `~` of a bool
@pytest.mark.parametrize("chunk_size", [None, 1, 2])
@pytest.mark.parametrize("name", KINDS)
def test_numbers_are_of_the_kind_that_the_loop_has(name: str, chunk_size: int | None) -> None:
    f, xs = KINDS[name]
    check(vmap(f, chunk_size=chunk_size)(xs), np.stack([np.asarray(f(x)) for x in xs]))


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_matrices_are_those_of_the_loop() -> None:
    found = vmap(lambda v: v + v)(np.matrix([[1.0, 2.0], [3.0, 4.0]]))
    np.testing.assert_allclose(np.asarray(found).reshape(2, 2), [[2.0, 4.0], [6.0, 8.0]])
    with pytest.raises(BatchError, match="matrix"):
        vmap(lambda v: v * v, strict=True)(np.matrix([[1.0, 2.0], [3.0, 4.0]]))


def test_results_share_no_memory() -> None:
    first, second = vmap(lambda v: (v * 2,) * 2)(ROWS)
    assert not np.shares_memory(first, second)
    kept = np.ones(2)
    assert vmap(lambda v: kept, out_axes=None)(ROWS) is not kept


def test_an_exception_of_one_lane_is_raised() -> None:
    def refuses(v: Any) -> Any:
        if v[0] < 0:
            raise ValueError(f"negative: {v[0]:.3f}")
        return v

    with pytest.raises(ValueError, match=f"negative: {ROWS[ROWS[:, 0] < 0][0, 0]:.3f}"):
        vmap(refuses)(ROWS)
    with pytest.raises(ZeroDivisionError):
        vmap(lambda a: 1.0 / int(a))(NUMBERS * 0)


def test_arguments_stay_as_they_are() -> None:
    xs, ys = ROWS.copy(), OTHERS.copy()
    first = vmap(lambda v, w: v * w)(xs, ys)
    first[...] = 0.0
    same = vmap(lambda v: v)(xs)
    same[...] = 0.0
    np.testing.assert_array_equal(xs, ROWS)
    np.testing.assert_array_equal(ys, OTHERS)


# ---- axes, chunks, nothing


@pytest.mark.parametrize("in_axis", [0, 1, -1, -2])
@pytest.mark.parametrize("out_axis", [0, 1, -1])
def test_axes(in_axis: int, out_axis: int) -> None:
    want = np.stack([softmax(row) for row in np.moveaxis(ROWS, in_axis, 0)], axis=out_axis)
    np.testing.assert_allclose(vmap(softmax, in_axis, out_axis)(ROWS), want)
    np.testing.assert_allclose(vmap(lambda v: branches(softmax(v) - 0.3), in_axis, out_axis)(ROWS).shape, want.shape)


def test_axes_of_results_and_keywords() -> None:
    f = vmap(lambda v, *, w: {"s": v.sum(), "c": 1, "v": v * w}, out_axes={"s": 0, "c": None, "v": 1})
    found = f(ROWS, w=OTHERS)
    np.testing.assert_allclose(found["s"], ROWS.sum(axis=1))
    np.testing.assert_allclose(found["v"], (ROWS * OTHERS).T)
    assert found["c"] == 1
    assert vmap(lambda v: (v, v), out_axes=(0, 1))(ROWS)[1].shape == (3, 4)


@pytest.mark.parametrize("chunk_size", [1, 2, 3, 4, 100])
def test_chunks(chunk_size: int) -> None:
    program = PROGRAMS["gradient"]
    got = vmap(program.f, program.axes, chunk_size=chunk_size)(*program.args)
    check(got, loop(program))
    f = vmap(lambda v: (v, {"sum": v.sum()}), 1, (1, {"sum": 0}), chunk_size=chunk_size)
    np.testing.assert_allclose(f(ROWS)[0], ROWS)
    np.testing.assert_allclose(f(ROWS)[1]["sum"], ROWS.sum(axis=0))
    np.testing.assert_allclose(grad(lambda x: np.sum(f(x)[0] ** 2))(ROWS), 2 * ROWS)


def test_no_lanes() -> None:
    assert vmap(lambda v: np.outer(v, v))(np.ones((0, 3))).shape == (0, 3, 3)
    assert vmap(grad(lambda v: np.sum(v**2)), strict=True)(np.ones((0, 3))).shape == (0, 3)
    with pytest.raises(BatchError, match="there are no lanes"):
        vmap(branches)(np.ones((0, 3)))


def test_one_lane_and_numbers() -> None:
    np.testing.assert_allclose(vmap(branches, strict=True)(ROWS[:1]), [branches(ROWS[0])])
    assert vmap(lambda a: a > 1.0)(NUMBERS).dtype == bool
    assert vmap(lambda a: 1)(NUMBERS).tolist() == [1] * 4
    assert vmap(lambda a: None)(NUMBERS) is None


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: vmap(np.sin)(3.0), ShapeError, "argument 0 has no axis"),
        (lambda: vmap(np.sin)([1.0, 2.0]), ShapeError, r"argument 0\[0\] has no axis"),
        (lambda: vmap(np.add)(ROWS, ROWS[:2]), ShapeError, "different numbers of lanes"),
        (lambda: vmap(np.add, (0,))(ROWS, ROWS), OptionError, "has 1 axes, and add got 2 arguments"),
        (lambda: vmap(np.sin, 5)(ROWS), ShapeError, "has no axis 5"),
        (lambda: vmap(np.sin, "rows"), OptionError, "`'rows'` is no axis for `in_axes`"),
        (lambda: vmap(np.sin, ("rows",)), OptionError, "`'rows'` is no axis for `in_axes`"),
        (lambda: vmap(np.sin, out_axes={"a": "rows"}), OptionError, "`'rows'` is no axis for `out_axes`"),
        (lambda: vmap(np.add, in_axes={"x": 0, "y": None}), OptionError, "by keyword are always mapped along axis 0"),
        (lambda: vmap(np.sin, None)(ROWS), OptionError, "nothing is mapped over"),
        (lambda: vmap(np.sin, ({"a": 0},))(ROWS), OptionError, "have not the form of argument 0"),
        (lambda: vmap(lambda v: v[v > 0])(ROWS), ShapeError, r"of lane \d has the shape"),
        (lambda: vmap(lambda v: "text")(ROWS), ShapeError, "cannot be stacked: it is a str"),
        (lambda: vmap(lambda v: (v,) if v[0] > 0 else v)(ROWS), ShapeError, "of lane 3 is a"),
        (lambda: vmap(np.sin, out_axes=5)(ROWS), OptionError, "no axis of the result"),
        (lambda: vmap(np.sin, out_axes=None)(ROWS), ShapeError, "differs between the lanes"),
        (lambda: vmap(lambda v: (v, v), out_axes=(0,))(ROWS), OptionError, "have not the form of the result"),
        (lambda: vmap(np.sin, chunk_size=0), OptionError, "no number of lanes"),
        (lambda: grad(lambda x: np.sum(vmap(lambda v: 2.0, out_axes=None)(x)))(ROWS), BatchError, "out_axes=None"),
    ],
)  # fmt: skip
def test_wrong_use_is_refused(call: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        call()


def test_why_it_runs_as_a_loop() -> None:
    def printing(v: Any) -> Any:
        print(v[0])
        return v

    why = adjoint.explain(vmap(branches), ROWS).loop
    assert "a branch on a value that differs between the lanes" in why and "programs.py" in why
    assert "does more than compute" in adjoint.explain(vmap(printing), ROWS).loop
    assert adjoint.explain(vmap(softmax), ROWS).loop == ""
    assert "run one after the other" in str(adjoint.explain(vmap(branches), ROWS))
    with pytest.raises(BatchError, match="a branch on a value"):
        vmap(branches, strict=True)(ROWS)


def test_a_gradient_with_a_loop_within_is_explained() -> None:
    def of_lanes(row: Any) -> Any:
        return np.sum(vmap(bent)(row) ** 2)

    found = adjoint.explain(vmap(grad(of_lanes)), np.array([[0.5, 1.5], [2.5, -0.5]]))
    assert found.way == "transformed" and found.reached == ("argument 1",)


@pytest.mark.parametrize("derivative", [lambda f: grad(f), lambda f: lambda x: jvp(f, (x,), (x,))])
def test_no_lanes_of_a_loop_are_refused_in_derivatives_too(derivative: Any) -> None:
    with pytest.raises(BatchError, match="there are no lanes"):
        derivative(lambda x: np.sum(vmap(bent)(x)))(np.zeros(0))


def bent(a: Any) -> Any:
    return a**3 if a > 1.3 else -(a**2)


def test_loops_in_gradients_of_lanes_are_differentiated_again() -> None:
    def of_lanes(row: Any) -> Any:
        return np.sum(vmap(bent)(row) ** 2)

    def of_loop(row: Any) -> Any:
        return sum([bent(a) ** 2 for a in row])

    x = np.array([[0.5, 1.5], [2.5, -0.5]])
    expected = [hessian(of_loop)(row).sum(0) for row in x]
    np.testing.assert_allclose(grad(lambda x: np.sum(vmap(grad(of_lanes))(x)))(x), expected)
    (found,) = adjoint.vjp(vmap(grad(of_lanes)), x)[1](np.ones_like(x))
    np.testing.assert_allclose(found, expected)


def test_pickled_named_and_in_threads() -> None:
    f = vmap(softmax, 1)
    assert repr(f) == "vmap(softmax)" and f.__name__ == "softmax"
    np.testing.assert_allclose(pickle.loads(pickle.dumps(f))(ROWS), f(ROWS))
    found: list[Any] = []
    g = vmap(grad(loss), (None, 0, 0))
    threads = [threading.Thread(target=lambda: found.append(g(WEIGHTS, ROWS, ROWS[:, :2]))) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 4 and all([np.array_equal(x, found[0]) for x in found])


def test_a_method_is_mapped() -> None:
    class Scale:
        def __init__(self) -> None:
            self.factor = 3.0

        @functools.partial(vmap, in_axes=(None, 0))
        def scaled(self, v: Any) -> Any:
            return v * self.factor

    made = Scale()
    np.testing.assert_allclose(made.scaled(NUMBERS), NUMBERS * 3.0)
    np.testing.assert_allclose(vmap(np.ones(3).__mul__)(NUMBERS), np.ones((4, 3)) * NUMBERS[:, None])


# ---- options of what is mapped


def test_options_of_jacobians_hold_within_lanes() -> None:
    for verb in (adjoint.jacobian, hessian):
        f = softmax if verb is adjoint.jacobian else lambda v: np.sum(v**3) * v[0]
        with pytest.raises(TooLargeError):
            vmap(verb(f, max_bytes=1))(ROWS)
        size = 9 * 8
        want = np.stack([verb(f)(row) for row in ROWS])
        for options in ({"max_bytes": size}, {"mode": "forward"}, {"mode": "reverse"}, {}):
            np.testing.assert_allclose(vmap(verb(f, **options))(ROWS), want, rtol=1e-10, atol=1e-12)
        with pytest.raises(TooLargeError):
            vmap(verb(f, max_bytes=size - 1))(ROWS)


def test_a_strict_map_within_another_one() -> None:
    m = np.arange(24.0).reshape(2, 3, 4)
    inner = vmap(lambda v: v @ v, strict=True)
    want = (m**2).sum(axis=2)
    np.testing.assert_allclose(vmap(lambda rows: inner(rows), strict=True)(m), want)
    np.testing.assert_allclose(vmap(inner, strict=True)(m), want)
    np.testing.assert_allclose(vmap(inner)(m), want)
    found = vmap(grad(lambda rows: np.sum(vmap(lambda v: v @ v, strict=True)(rows))), strict=True)(m)
    np.testing.assert_allclose(found, 2 * m)
    with pytest.raises(BatchError):
        vmap(lambda rows: vmap(branches, strict=True)(rows - 12.0))(m)
    np.testing.assert_allclose(vmap(lambda rows: vmap(branches, strict=True)(rows))(m[:, 1:] + 1.0), 2 * m[:, 1:] + 2.0)


# ---- the loop costs what a loop costs


def test_a_call_that_diverges_is_not_tried_together_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    together = Mapped.together

    def counted(self: Mapped, *given: Any) -> Any:
        tried.append(1)
        return together(self, *given)

    def turns(v: Any) -> Any:
        return v * 2 if v[0] > 0 else v

    monkeypatch.setattr(Mapped, "together", counted)
    for _ in range(200):
        np.testing.assert_allclose(vmap(turns)(ROWS), np.stack([turns(row) for row in ROWS]))
    assert 3 <= len(tried) <= 10
    tried.clear()
    for _ in range(70):
        vmap(turns)(np.abs(ROWS))  # these agree, and are found to
    before = len(tried)
    for _ in range(5):
        vmap(turns)(np.abs(ROWS))
    assert len(tried) == before + 5
    with pytest.raises(BatchError):
        vmap(turns, strict=True)(ROWS)


def test_what_is_left_out_is_kept_by_kinds_of_arguments() -> None:
    def turns(v: Any, w: Any) -> Any:
        return v * w if np.sum(v) > 0 else v

    known = attempts_of(turns, (ROWS, 2.0))
    known.note(together=False)
    assert attempts_of(turns, (ROWS[:2], 3.0)).is_left_out()
    assert not attempts_of(turns, (ROWS[0], 3.0)).is_left_out()
    assert not attempts_of(grad(turns), (ROWS, 2.0)).is_left_out()
    assert not attempts_of(turns, (ROWS.astype(np.float32), 2.0)).is_left_out()
    for i in range(200):
        attempts_of(turns, (np.zeros((1,) * (i % 30)), 2.0))
    assert not attempts_of(functools.partial(turns, w=2.0), (ROWS,)).is_left_out()


def test_the_lanes_of_the_loop_are_those_of_any_axis() -> None:
    args = (ROWS, {"a": OTHERS.T, "b": 2.0}, NUMBERS)
    for (x, d, a), named in lanes(args, {"k": ROWS}, [0, {"a": 1, "b": None}, 0, 0], 4):
        i = int(np.flatnonzero(a == NUMBERS)[0])
        assert np.shares_memory(x, ROWS)
        np.testing.assert_array_equal(x, ROWS[i])
        np.testing.assert_array_equal(d["a"], OTHERS[i])
        np.testing.assert_array_equal(named["k"], ROWS[i])
        assert type(a) is np.float64

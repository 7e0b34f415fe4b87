"""Operations that write into arrays: values, what aliases what, and cotangents of all memory and all numbers.

An operation is a map from the contents of all memory involved, and the numbers given by value, to the contents
afterwards and the result. Its reverse is held against central differences, while the program's arrays are overwritten.
"""

from __future__ import annotations

import contextlib
import operator
import warnings

import numpy as np
import pytest

from adjoint.errors import MutationError, NoRuleError
from adjoint.recording.memory import check_order
from adjoint.recording.operations import array_functions  # noqa: F401 - declares handlers
from adjoint.recording.operations.arrays import inplace_array, with_out
from adjoint.recording.operations.base import HANDLERS, METHODS
from adjoint.recording.operations.ruled import opaque, ruled
from adjoint.recording.places import gather_cotangent, place
from adjoint.recording.sweep import Sweep
from adjoint.rules.registry import find_rules
from adjoint.tangents.windows import Memory, add_to, overlaps_itself, owner_of, take_from

# ---- how operations are run


class Plainly:
    """Operations as NumPy does them."""

    def inplace(self, fn, a, b):
        return fn(a, b)

    def out(self, f, *args, **kwargs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # `where` without `out`
            return f(*args, **kwargs)

    handled = by_rule = unknown = out

    def method(self, a, name, *args, **kwargs):
        return getattr(a, name)(*args, **kwargs)


class Recorded:
    """Operations as they are recorded."""

    def __init__(self):
        self.steps = []

    def step(self, found, operands):
        y, back = found
        self.steps.append((y, back, operands))
        return y

    def inplace(self, fn, a, b):
        return self.step(inplace_array(fn, a, b), (a, b))

    def out(self, f, *args, **kwargs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return self.step(with_out(None, 0, f, args, kwargs), (*args, *kwargs.values()))

    def handled(self, f, *args, **kwargs):
        return self.step(HANDLERS[f](None, 0, f, args, kwargs), (*args, *kwargs.values()))

    def by_rule(self, f, *args, **kwargs):
        return self.step(ruled(find_rules(f), f, args, kwargs), (*args, *kwargs.values()))

    def unknown(self, f, *args, **kwargs):
        return self.step(opaque(f, args, kwargs), (*args, *kwargs.values()))

    def method(self, a, name, *args, **kwargs):
        handler = METHODS[np.ufunc if isinstance(a, np.ufunc) else np.ndarray, name]
        return self.step(handler(None, 0, a, args, kwargs), (a, *args, *kwargs.values()))


def leaves(x):
    """The floats in a structure, with those in arrays."""
    if isinstance(x, np.ndarray):
        return x.ravel().tolist() if x.dtype.kind in "fc" else []
    if isinstance(x, list | tuple):
        return [v for item in x for v in leaves(item)]
    return [x] if isinstance(x, float | complex | np.inexact) else []


def dot(a, b):
    """Re Σ conj(a) b, nothing counting as zero."""
    return sum((np.conj(x) * y).real for x, y in zip(a, b, strict=True))


def copied(x):
    if isinstance(x, np.ndarray):
        return x.copy("K")
    if isinstance(x, list):
        return [copied(item) for item in x]
    return x


def widened(x):
    """The same in double precision, in which differences are taken."""
    if isinstance(x, np.ndarray) and x.dtype.kind in "fc":
        return x.astype(complex if x.dtype.kind == "c" else float)
    if isinstance(x, list):
        return [widened(item) for item in x]
    return x


def moved(x, dx, h):
    if isinstance(x, np.ndarray):
        x = x.copy("K")
        if x.dtype.kind in "fc":
            x += h * dx
        return x
    if isinstance(x, list):
        return [moved(item, d, h) for item, d in zip(x, dx, strict=True)]
    return x + h * dx if isinstance(x, float | complex) else x


def drawn(rng, x):
    """A random structure like `x`; of floats only."""
    if isinstance(x, np.ndarray):
        d = rng.normal(size=x.shape)
        return (d + 1j * rng.normal(size=x.shape) if x.dtype.kind == "c" else d) if x.dtype.kind in "fc" else None
    if isinstance(x, list):
        return [drawn(rng, item) for item in x]
    return (
        rng.normal() + (1j * rng.normal() if isinstance(x, complex) else 0) if isinstance(x, float | complex) else None
    )


def outputs(memory, y):
    """What there is afterwards: all memory, and a result that is not of it."""
    owners = [owner_of(a) for a in memory if isinstance(a, np.ndarray)]
    parts = y if isinstance(y, tuple | list) else () if y is None else (y,)
    return [*memory, *[p for p in parts if not isinstance(p, np.ndarray) or all(owner_of(p) is not o for o in owners)]]


class Spoiled:
    """The program's memory, overwritten for as long as the reverse runs: it is to read nothing of it."""

    def __init__(self, values):
        self.arrays = [(a, a.copy("K")) for a in values if isinstance(a, np.ndarray) and a.flags.writeable]
        self.lists = [(xs, list(xs)) for xs in values if isinstance(xs, list)]

    def __enter__(self):
        for a, _ in self.arrays:
            a[...] = np.nan if a.dtype.kind in "fc" else 1
        for xs, _ in self.lists:
            xs[:] = ["spoiled"] * (len(xs) + 1)

    def __exit__(self, *args):
        for a, items in self.arrays:
            a[...] = items
        for xs, items in self.lists:
            xs[:] = items


def reverse(steps, memory, numbers, finals, seeds):
    """The cotangents of memory and numbers, from those of what there is afterwards."""
    sweep, y_bars, number_bars = Sweep(), {}, [0.0] * len(numbers)
    for value, seed in zip(finals, seeds, strict=True):
        if isinstance(value, np.ndarray):
            sweep.add_array(value, None if seed is None else seed.astype(value.dtype))
        elif isinstance(value, list):
            for i, d in enumerate(seed):
                sweep.add(value, i, d)
        else:
            y_bars[id(value)] = seed
    with Spoiled(finals):
        for y, back, operands in reversed(steps):
            parts = [y_bars.pop(id(part), None) for part in (y if isinstance(y, tuple) else (y,))]
            bars = back(sweep, tuple(parts) if isinstance(y, tuple) else parts[0])
            assert isinstance(bars, tuple) and bars[0] is None and len(bars) >= len(operands) + 1, bars
            for x, bar in zip(operands, bars[1:], strict=False):
                assert bar is None or not isinstance(x, np.ndarray | list)
                for item, d in zip(x, bar or (None,) * len(x), strict=True) if isinstance(x, tuple) else [(x, bar)]:
                    if d is not None:
                        assert isinstance(item, complex | np.complexfloating) or not np.iscomplexobj(d)
                        for i in [i for i, n in enumerate(numbers) if n is item]:  # others are constants
                            number_bars[i] += d
    return [gather_cotangent(sweep, place(m), None) for m in memory], number_bars


def settled(bars, like):
    """Cotangents as rows of floats, zeros where nothing flowed."""
    if isinstance(like, np.ndarray):
        if like.dtype.kind not in "fc":
            return []
        return [0.0] * like.size if bars is None else leaves(np.asarray(bars))
    if isinstance(like, list):
        return [v for i, item in enumerate(like) for v in settled(None if bars is None else bars[i], item)]
    return [0.0 if bars is None else bars] if isinstance(like, float | complex) else []


def check(program, memory, numbers=(), tolerance=1e-6):
    """Hold `program(run, memory, numbers)`, which gives a result, against NumPy and against differences."""
    rng, wide, numbers = np.random.default_rng(0), [widened(m) for m in memory], list(numbers)
    plain, used, recorded = [copied(m) for m in memory], [copied(m) for m in memory], Recorded()
    wanted = outputs(plain, program(Plainly(), plain, numbers))
    finals = outputs(used, program(recorded, used, numbers))
    for got, want in zip(finals, wanted, strict=True):
        assert type(got) is type(want) and np.asarray(got).dtype == np.asarray(want).dtype
        np.testing.assert_array_equal(got, want)
    seeds = [drawn(rng, value) for value in finals]
    rows = []
    for _ in range(2):  # `back` runs as often as one likes
        memory_bars, number_bars = reverse(recorded.steps, used, numbers, finals, seeds)
        rows.append(settled(memory_bars, memory) + number_bars)
    assert rows[0] == rows[1]
    for _ in range(3):
        dm, dn = drawn(rng, wide), drawn(rng, numbers)
        ends = []
        for h in (1e-6, -1e-6):
            at = moved(wide, dm, h)
            ends.append(flat(outputs(at, program(Plainly(), at, moved(numbers, dn, h))), seeds))
        slope = dot(flat(seeds, seeds), [(a - b) / 2e-6 for a, b in zip(*ends, strict=True)])
        assert abs(dot(rows[0], leaves(dm) + leaves(dn)) - slope) <= tolerance * (1 + abs(slope))


def flat(values, seeds):
    """The floats of what has a seed."""
    row = []
    for value, seed in zip(values, seeds, strict=True):
        row += [] if seed is None else flat(value, seed) if isinstance(seed, list) else np.ravel(value).tolist()
    return row


def array(*shape, seed=1, dtype=float, positive=True):
    rng = np.random.default_rng(seed)
    a = rng.uniform(0.5, 2.0, shape) if positive else rng.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.normal(size=shape)
    return np.asarray(a).astype(dtype)


# ---- `a += b`

ALL = [operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ipow]
MORE = [*ALL, operator.imod, operator.ifloordiv]


@pytest.mark.parametrize("fn", MORE)
@pytest.mark.parametrize("b", [(3, 4), (4,), (3, 1), (1, 1), ()])
def test_in_place_with_an_array(fn, b):
    check(lambda run, m, x: run.inplace(fn, m[0], m[1]), [array(3, 4), array(*b, seed=2)])


@pytest.mark.parametrize("fn", MORE)
@pytest.mark.parametrize("x", [1.7, np.float64(1.7)])
@pytest.mark.parametrize("shape", [(3,), (), (0,), (2, 3)])
def test_in_place_with_a_number(fn, x, shape):
    check(lambda run, m, n: run.inplace(fn, m[0], n[0]), [array(*shape)], (x,))


VIEWS = {
    "row": lambda a: a[1],
    "column": lambda a: a[:, 1],
    "step": lambda a: a[::2],
    "reversed": lambda a: a[::-1, ::-1],
    "transposed": lambda a: a.T,
    "flat": lambda a: a.reshape(-1),
    "diagonal": lambda a: np.lib.stride_tricks.as_strided(a, (4,), (a.strides[0] + 8,)),
    "element": lambda a: a[1, 2, ...],
    "none": lambda a: a[2:2],
}


@pytest.mark.parametrize("fn", MORE)
@pytest.mark.parametrize("view", VIEWS)
def test_in_place_on_a_view(fn, view):
    def program(run, m, x):
        part = VIEWS[view](m[0])
        return run.inplace(fn, part, x[0])

    check(program, [array(4, 4)], (1.3,))


@pytest.mark.parametrize("fn", ALL)
@pytest.mark.parametrize(
    "views",
    [
        lambda a: (a, a),
        lambda a: (a[1:], a[:-1]),
        lambda a: (a[:-1], a[1:]),
        lambda a: (a, a[::-1]),
        lambda a: (a, a[0]),
        lambda a: (a[1:3], a[:, :1][1:3]),
        lambda a: (a, a.T),
        lambda a: (a[:, 0], np.broadcast_to(a[0, 0, ...], (4,))),
        lambda a: (a, np.broadcast_to(a[0], (4, 4))),
        lambda a: (a[0], np.lib.stride_tricks.sliding_window_view(a[1], 1)[:, 0]),
        lambda a: (a[:2, :2], np.lib.stride_tricks.sliding_window_view(a[0], 2)[:2]),
    ],
)
def test_in_place_with_what_lies_in_the_same_memory(fn, views):
    check(lambda run, m, x: run.inplace(fn, *views(m[0])), [array(4, 4)])


@pytest.mark.parametrize("fn", ALL)
@pytest.mark.parametrize(
    "dtypes", [("f4", "f4"), ("f4", "f8"), ("f8", "f4"), ("c16", "c16"), ("c16", "f8"), ("c8", "f4")]
)
def test_in_place_keeps_the_dtype(fn, dtypes):
    a, b = (array(3, seed=i, dtype=t) for i, t in enumerate(dtypes))
    check(lambda run, m, x: run.inplace(fn, m[0], m[1]), [a, b], tolerance=1e-4)


@pytest.mark.parametrize("fn", ALL)
@pytest.mark.parametrize("x", [1.5, 0.5 + 1.5j])
def test_in_place_on_complex_numbers(fn, x):
    check(lambda run, m, n: run.inplace(fn, m[0], n[0]), [array(3, dtype=complex)], (x,))
    check(lambda run, m, n: run.inplace(fn, m[0].real, m[0].imag), [array(3, dtype=complex)])


@pytest.mark.parametrize("fn", ALL)
def test_in_place_with_lists_and_tuples(fn):
    check(lambda run, m, x: run.inplace(fn, m[0], m[1]), [array(3), [1.5, 0.5, 2.5]])
    check(lambda run, m, x: run.inplace(fn, m[0], (x[0], x[1], 2)), [array(3)], (1.25, 0.75))
    check(lambda run, m, x: run.inplace(fn, m[0], [m[0][1], m[0][0]]), [array(2, 3)])


@pytest.mark.parametrize("a", [array(3, 3), array(3, 3, dtype=complex), array(2, 3, 3), array(2, 3)])
def test_matrix_product_in_place(a):
    check(lambda run, m, x: run.inplace(operator.imatmul, m[0], m[1]), [a, array(3, 3, seed=2)])
    if a.shape == (3, 3):
        check(lambda run, m, x: run.inplace(operator.imatmul, m[0], m[0].T), [a])


def test_division_by_zero_gives_nothing_where_nothing_flows():
    a, b = array(3), np.array([1.0, 0.0, 2.0])
    with np.errstate(all="ignore"):
        _, back = inplace_array(operator.itruediv, a, b)
    sweep = Sweep()
    sweep.add_array(a, np.array([1.0, 0.0, 1.0]))
    back(sweep, None)
    assert sweep.shadow(a).tolist() == [1.0, 0.0, 0.5]
    assert np.isfinite(sweep.shadow(b)).all()


@pytest.mark.parametrize("fn", [operator.iadd, operator.imul])
def test_integers_have_the_derivative_of_the_formula(fn):
    a, b = np.array([2, 3]), np.array([5, 7])
    _, back = inplace_array(fn, a, b)
    sweep = Sweep()
    sweep.add_array(a, np.array([1.0, 10.0]))
    back(sweep, None)
    wanted = ([1, 10], [1, 10]) if fn is operator.iadd else ([5, 70], [2, 30])
    assert (sweep.shadow(a).tolist(), sweep.shadow(b).tolist()) == wanted


@pytest.mark.parametrize("fn", [operator.iand, operator.ior, operator.ixor, operator.ilshift, operator.irshift])
def test_nothing_flows_through_bits(fn):
    a = np.array([2, 3])
    y, back = inplace_array(fn, a, 1)
    assert y is a and a.tolist() == fn(np.array([2, 3]), 1).tolist()
    sweep = Sweep()
    sweep.add_array(a, np.array([1.0, 10.0]))
    assert back(sweep, None)[2] is None
    assert not sweep.take_array(a).any() if sweep.shadow(a) is not None else True


def test_in_place_raises_what_numpy_raises():
    for fn, a, b in [
        (operator.iadd, np.arange(3), 0.5),
        (operator.itruediv, np.arange(3), 2),
        (operator.iadd, np.zeros(3), 1j),
        (operator.iadd, np.zeros(3), np.zeros(4)),
        (operator.iadd, np.broadcast_to(1.0, (3,)), 1.0),
    ]:
        with pytest.raises((TypeError, ValueError)) as plain:
            fn(a, b)
        with pytest.raises(type(plain.value)) as recorded:
            inplace_array(fn, a, b)
        assert str(recorded.value) == str(plain.value)


def test_stores_that_cannot_be_followed_are_refused():
    window = np.lib.stride_tricks.sliding_window_view(np.arange(4.0), 2, writeable=True)
    for a in (window, np.array([1.0, None]), np.frombuffer(bytearray(16))):
        with pytest.raises(MutationError):
            inplace_array(operator.iadd, a, 1.0)


# ---- `out=`, `where=`

OUT = {
    "add": lambda run, m, x: run.out(np.add, m[0], m[1], out=m[2]),
    "add, a tuple": lambda run, m, x: run.out(np.add, m[0], m[1], out=(m[2],)),
    "add, by position": lambda run, m, x: run.out(np.add, m[0], m[1], m[2]),
    "add numbers": lambda run, m, x: run.out(np.add, x[0], x[1], out=m[0]),
    "add into itself": lambda run, m, x: run.out(np.add, m[0], m[0], m[0]),
    "multiply": lambda run, m, x: run.out(np.multiply, m[0], m[1], out=m[0]),
    "multiply by a number": lambda run, m, x: run.out(np.multiply, m[0], x[0], out=m[1]),
    "overlapping": lambda run, m, x: run.out(np.multiply, m[0][1:], m[0][:-1], out=m[0][:-1]),
    "power": lambda run, m, x: run.out(np.power, m[0], x[0], out=m[0]),
    "exp": lambda run, m, x: run.out(np.exp, m[0], out=m[0]),
    "exp of a part": lambda run, m, x: run.out(np.exp, m[0][::2, 1], out=m[0][1, :2]),
    "sqrt": lambda run, m, x: run.out(np.sqrt, m[0], m[1]),
    "maximum": lambda run, m, x: run.out(np.maximum, m[0], m[1], out=m[0]),
    "floor": lambda run, m, x: run.out(np.floor, m[0], out=m[0]),
    "sign": lambda run, m, x: run.out(np.sign, m[0], m[1]),
    "round": lambda run, m, x: run.out(np.round, m[0], 1, m[1]),
    "divmod": lambda run, m, x: run.out(np.divmod, m[0], m[1], out=(m[2], m[0])),
    "divmod, one": lambda run, m, x: run.out(np.divmod, m[0], m[1], out=(None, m[0])),
    "modf": lambda run, m, x: run.out(np.modf, m[0], m[1], m[2]),
    "conjugate": lambda run, m, x: run.out(np.conj, m[0], out=m[1]),
    "matmul": lambda run, m, x: run.out(np.matmul, m[0], m[1].T, out=m[2][:, :3]),
    "dot": lambda run, m, x: run.out(np.dot, m[0], m[1].T, m[3]),
    "dot into itself": lambda run, m, x: run.out(np.dot, m[3], m[3][::-1], out=m[3]),
    "method dot": lambda run, m, x: run.out(np.ndarray.dot, m[0], m[1].T, out=m[3]),
    "einsum": lambda run, m, x: run.out(np.einsum, "ij,kj->ki", m[0], m[1], out=m[3]),
    "einsum into itself": lambda run, m, x: run.out(np.einsum, "ij,jk->ki", m[3], m[3], out=m[3]),
    "take from itself": lambda run, m, x: run.out(np.take, m[3], [2, 0, 0], 0, out=m[3]),
    "outer": lambda run, m, x: run.out(np.outer, m[0][:, 0], m[1][:, 1], m[3]),
    "sum": lambda run, m, x: run.out(np.sum, m[0], axis=0, out=m[1][0]),
    "sum into itself": lambda run, m, x: run.out(np.sum, m[0], 0, None, m[0][1]),
    "sum of all": lambda run, m, x: run.out(np.sum, m[0], out=m[1][0, 1, ...]),
    "method sum": lambda run, m, x: run.out(np.ndarray.sum, m[0], 1, None, m[1][:, 1]),
    "reduce": lambda run, m, x: run.out(np.add.reduce, m[0], 0, out=m[1][0]),
    "reduce, a tuple": lambda run, m, x: run.out(np.multiply.reduce, m[0], 0, out=(m[1][0],)),
    "accumulate": lambda run, m, x: run.out(np.add.accumulate, m[0], 1, out=m[0]),
    "table of products": lambda run, m, x: run.out(np.multiply.outer, m[0][:, 0], m[1][:, 1], out=m[3]),
    "mean": lambda run, m, x: run.out(np.mean, m[0], axis=1, out=m[1][:, 0]),
    "prod": lambda run, m, x: run.out(np.prod, m[0], axis=0, out=m[0][0]),
    "var": lambda run, m, x: run.out(np.var, m[0], axis=0, out=m[0][0]),
    "max": lambda run, m, x: run.out(np.max, m[0], 0, m[0][0]),
    "median": lambda run, m, x: run.out(np.median, m[0], 0, out=m[1][0]),
    "cumsum": lambda run, m, x: run.out(np.cumsum, m[0], axis=1, out=m[0]),
    "cumprod": lambda run, m, x: run.out(np.cumprod, m[0], 0, None, m[0]),
    "clip": lambda run, m, x: run.out(np.clip, m[0], x[0], x[1], out=m[0]),
    "method clip": lambda run, m, x: run.out(np.ndarray.clip, m[0], x[0], x[1], m[0]),
    "take": lambda run, m, x: run.out(np.take, m[0], [2, 0, 2], axis=0, out=m[1]),
    "take, clipped": lambda run, m, x: run.out(np.take, m[0], [5, 0, -2], 0, m[1], "clip"),
    "concatenate": lambda run, m, x: run.out(np.concatenate, (m[0][:1], m[1][:2]), out=m[2]),
    "concatenate its columns": lambda run, m, x: run.out(np.concatenate, [m[0][:2, 1], m[0][:1, 2]], 0, m[0][:, 3]),
    "stack": lambda run, m, x: run.out(np.stack, [m[0][1], m[1][0], m[0][2]], out=m[2]),
    "choose": lambda run, m, x: run.out(np.choose, [0, 1, 1, 0], (m[0][0], m[1][1]), out=m[0][2]),
    "trace": lambda run, m, x: run.out(np.trace, m[3], out=m[0][0, 0, ...]),
    "nansum": lambda run, m, x: run.out(np.nansum, m[0], axis=0, out=m[1][0]),
    "lists": lambda run, m, x: run.out(np.add, [x[0], x[1], 1.0, 2.0], m[0], out=m[1]),
}


@pytest.mark.parametrize("case", OUT)
def test_out(case):
    memory = [array(3, 4), array(3, 4, seed=2), array(3, 4, seed=3), array(3, 3, seed=4)]
    if case != "lists":
        check(OUT[case], memory, (0.9, 1.6))
        check(OUT[case], [m.astype("f4") for m in memory], (0.9, 1.6), tolerance=1e-4)
    if case in ("add", "multiply", "exp", "overlapping", "matmul", "sum", "cumsum", "conjugate", "einsum", "power"):
        check(OUT[case], [m * (1 + 0.5j) for m in memory], (0.9, 1.6))


def test_out_with_lists():
    def program(run, m, x):
        return run.out(np.add, m[1], m[0], out=m[2])

    check(program, [array(4), [0.5, 0.25, 1.0, 2.0], array(4)])


def test_out_gives_what_was_given_and_returns_it():
    for f, args, out in [(np.exp, (array(3),), array(3)), (np.sum, (array(3),), array())]:
        y, _ = with_out(None, 0, f, args, {"out": out})
        assert y is out


def test_out_of_another_dtype():
    real, precise = array(3), array(3, dtype="c16")
    check(lambda run, m, x: run.out(np.exp, m[0], out=m[1]), [real, precise])
    check(lambda run, m, x: run.out(np.abs, m[0], out=m[1]), [precise, array(3, dtype="c16", seed=4)])
    check(lambda run, m, x: run.out(np.multiply, m[0], m[1], out=m[1]), [real, precise])
    check(lambda run, m, x: run.out(np.add, m[0], x[0], out=m[1]), [real, array(3, dtype="f4")], (1.5,), tolerance=1e-4)
    check(lambda run, m, x: run.out(np.add, m[0], x[0], out=m[1], casting="unsafe"), [real, np.arange(3)], (1.5,))
    check(lambda run, m, x: run.out(np.sqrt, m[0], dtype=complex, out=m[1]), [-real, precise])
    check(lambda run, m, x: run.out(np.power, m[0], 0.5, out=m[1], dtype=complex), [-real, precise])
    check(lambda run, m, x: run.out(np.greater, m[0], 1.0, out=m[1]), [real, np.zeros(3, bool)])
    check(lambda run, m, x: run.out(np.greater, m[0], 1.0, out=m[1]), [real, array(3)])
    check(lambda run, m, x: run.out(np.multiply, m[0], m[1], m[0], casting="unsafe"), [real, precise.real.copy()])


@pytest.mark.parametrize("f", [np.exp, np.log, np.sqrt, np.negative, np.square, np.floor, np.tanh])
def test_where_leaves_the_rest(f):
    a = array(3, 4)
    mask = a > 1.2
    check(lambda run, m, x: run.out(f, m[0], out=m[1], where=m[2]), [a, array(3, 4, seed=2), mask])
    check(lambda run, m, x: run.out(f, m[0], out=m[0], where=m[1]), [a, mask])
    check(lambda run, m, x: run.out(f, m[0], out=m[0], where=m[1]), [a, mask[1]])
    zeros = np.where(mask, a, 0.0)
    out = array(3, 4)
    with np.errstate(all="ignore"):
        _, back = with_out(None, 0, f, (zeros,), {"out": out, "where": mask})
    sweep = Sweep()
    sweep.add_array(out, np.ones((3, 4)))
    back(sweep, None)
    assert (sweep.shadow(out) == ~mask).all()
    if f is not np.floor:
        assert np.isfinite(sweep.shadow(zeros)).all() and (sweep.shadow(zeros)[~mask] == 0).all()


def test_where_keeps_out_what_has_no_derivative():
    for f in (np.fmod, np.divmod):
        a, b, out = array(3), np.array([0.4, 0.0, 0.3]), array(3)
        outs = (np.empty(3), out) if f is np.divmod else out
        _, back = with_out(None, 0, f, (a, b), {"out": outs, "where": b != 0})
        sweep = Sweep()
        sweep.add_array(out, np.ones(3))
        back(sweep, (None, None) if f is np.divmod else None)
        assert sweep.shadow(a).tolist() == [1.0, 0.0, 1.0] and sweep.shadow(out).tolist() == [0.0, 1.0, 0.0]
        assert sweep.shadow(b).tolist() == [-np.trunc(a[0] / 0.4), 0.0, -np.trunc(a[2] / 0.3)]


def test_where_of_two():
    memory = [array(3, 4), array(3, 4, seed=2), array(3, 4, seed=3) > 1.2]
    check(lambda run, m, x: run.out(np.multiply, m[0], 2.0, out=m[0], where=m[2]), memory)
    check(lambda run, m, x: run.out(np.divide, m[0], m[1], out=m[0], where=m[2]), memory)
    check(lambda run, m, x: run.out(np.multiply, m[0], m[0].T, out=m[0], where=m[1]), [array(3, 3), memory[2][:, :3]])
    check(lambda run, m, x: run.out(np.multiply, x[0], x[1], out=m[0], where=m[1]), [memory[0], memory[2]], (2.5, 3.5))
    check(lambda run, m, x: run.out(np.add, m[0], x[0], m[0], where=True), memory[:1], (2.5,))
    check(lambda run, m, x: run.out(np.add, m[0], x[0], m[0], where=False), memory[:1], (2.5,))
    check(lambda run, m, x: run.out(np.add, m[0], x[0], m[0], where=[True, False, True, True]), memory[:1], (2.5,))
    check(lambda run, m, x: run.out(np.divmod, m[0], 0.4, out=(m[1], m[0]), where=m[2]), memory)
    check(lambda run, m, x: run.out(np.sum, m[0], 0, out=m[1][0], where=m[2]), memory)


def test_where_without_out():
    mask = np.array([True, False, True])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        a = array(3)
        y, back = with_out(None, 0, np.multiply, (a, 2.5), {"where": mask})
    sweep = Sweep()
    sweep.add_array(y, np.array([1.0, 10.0, 100.0]))
    bars = back(sweep, None)
    assert sweep.shadow(a).tolist() == [2.5, 0.0, 250.0]
    assert np.isclose(bars[2], a[0] + 100 * a[2])


def test_draws_into_an_array_are_constants():
    rng, a = np.random.default_rng(1), array(3)
    y, back = with_out(None, 0, np.random.Generator.standard_normal, (rng,), {"out": a})
    assert y is a and a.tolist() == np.random.default_rng(1).standard_normal(3).tolist()
    sweep = Sweep()
    sweep.add_array(a, np.ones(3))
    back(sweep, None)
    assert sweep.shadow(a) is None


def test_no_out_is_none_of_its_business():
    assert with_out(None, 0, np.add, (array(3), 1.0), {}) is None
    assert with_out(None, 0, np.add, (array(3), 1.0), {"out": None}) is None
    assert with_out(None, 0, np.sum, (array(3), 0, None, None), {}) is None
    assert with_out(None, 0, np._core.umath._ones_like, (array(3),), {"out": array(3)}) is None


# ---- `np.add.at`


@pytest.mark.parametrize(
    "name", ["add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "floor_divide"]
)
@pytest.mark.parametrize("index", [[0, 2, 2, 1, 2], [-1, 1], 1, slice(1, 3), np.array([True, False, True, True]), []])
def test_at(name, index):
    f = getattr(np, name)
    count = np.arange(4)[index].shape
    b = array(*count, seed=3)
    check(lambda run, m, x: run.method(f, "at", m[0], index, m[1]), [array(4), b])
    check(lambda run, m, x: run.method(f, "at", m[0], index, x[0]), [array(4)], (1.7,))
    check(lambda run, m, x: run.method(f, "at", m[0][::-1, 1], index, m[1]), [array(4, 3), b])
    if isinstance(index, list) and index:
        check(
            lambda run, m, x: run.method(f, "at", m[0], m[1], m[2]), [array(4), np.array(index), array(*count, seed=5)]
        )
        check(lambda run, m, x: run.method(f, "at", m[0], index, m[1]), [array(4), b.tolist()])
        check(lambda run, m, x: run.method(f, "at", m[0], (index, [0]), m[0][: len(index), 1]), [array(5, 3)])
        check(lambda run, m, x: run.method(f, "at", m[0], index, m[1]), [array(4, 2), array(2, seed=2)])


def test_at_of_one_operand():
    for f in (np.negative, np.exp, np.square, np.floor):
        check(lambda run, m, x, f=f: run.method(f, "at", m[0], [0, 2, 2]), [array(4)])


def test_at_of_complex_numbers_and_others():
    check(lambda run, m, x: run.method(np.multiply, "at", m[0], [0, 0, 1], m[1]), [array(2, dtype=complex), array(3)])
    check(
        lambda run, m, x: run.method(np.add, "at", m[0], [0, 0, 1], x[0]),
        [array(2, dtype="f4")],
        (2.5,),
        tolerance=1e-4,
    )
    check(lambda run, m, x: run.method(np.multiply, "at", m[0], (), x[0]), [array()], (2.5,))


def test_at_without_a_rule_is_refused_where_something_flows():
    a = array(3)
    _, back = METHODS[np.ufunc, "at"](None, 0, np.ldexp, (a, [0], 2), {})
    sweep = Sweep()
    sweep.add_array(a, np.array([1.0, 0.0, 0.0]))
    back(sweep, None)
    assert sweep.shadow(a).tolist() == [4.0, 0.0, 0.0]
    unknown = pytest.importorskip("scipy.special._ufuncs")._kolmogp
    _, back = METHODS[np.ufunc, "at"](None, 0, unknown, (a, [0]), {})
    with pytest.raises(NoRuleError):
        back(sweep, None)
    other = Sweep()
    other.add_array(a, np.array([0.0, 1.0, 0.0]))
    back(other, None)


# ---- functions that store

INDICES = np.array([[0, 2], [1, -1], [3, 3]])

STORES = {
    "copyto": lambda run, m, x: run.handled(np.copyto, m[0], m[1]),
    "copyto a number": lambda run, m, x: run.handled(np.copyto, m[0], x[0]),
    "copyto a row": lambda run, m, x: run.handled(np.copyto, m[0], m[1][1]),
    "copyto where": lambda run, m, x: run.handled(np.copyto, m[0], m[1], where=m[2]),
    "copyto where row": lambda run, m, x: run.handled(np.copyto, m[0], m[1][0], where=m[2][1]),
    "copyto its own": lambda run, m, x: run.handled(np.copyto, m[0][:-1], m[0][1:]),
    "copyto cast": lambda run, m, x: run.handled(np.copyto, m[3], m[0], "unsafe"),
    "copyto a tuple": lambda run, m, x: run.handled(np.copyto, m[0], (x[0], x[1], 1.0, 2)),
    "put": lambda run, m, x: run.handled(np.put, m[0], [0, 5, 0, -1], m[1][0]),
    "put fewer": lambda run, m, x: run.handled(np.put, m[0], [0, 5, 3], m[1][0, :2]),
    "put more": lambda run, m, x: run.handled(np.put, m[0], [[0, 5]], m[1]),
    "put a number": lambda run, m, x: run.handled(np.put, m[0], 7, x[0]),
    "put clipped": lambda run, m, x: run.handled(np.put, m[0], [-3, 40], m[1][0], mode="clip"),
    "put wrapped": lambda run, m, x: run.handled(np.put, m[0], [-13, 40, -1], m[1], "wrap"),
    "put a tuple": lambda run, m, x: run.handled(np.put, m[0], [1, 2], (x[0], x[1])),
    "put by index": lambda run, m, x: run.handled(np.put, m[0], m[3].ravel(), m[1]),
    "put into a part": lambda run, m, x: run.handled(np.put, m[0][::2, ::-1], [1, 2, 7], m[1]),
    "put its own": lambda run, m, x: run.handled(np.put, m[0], [1, 2, 3], m[0][0]),
    "method put": lambda run, m, x: run.method(m[0], "put", [0, 5, 0, -1], m[1][0]),
    "method put wrapped": lambda run, m, x: run.method(m[0], "put", [20], x[0], mode="wrap"),
    "put along": lambda run, m, x: run.handled(np.put_along_axis, m[0], INDICES, m[1][:, :2], 1),
    "put along 0": lambda run, m, x: run.handled(np.put_along_axis, m[0], np.array([[0, 2, 1, 1]]), x[0], axis=0),
    "put along row": lambda run, m, x: run.handled(np.put_along_axis, m[0], INDICES, m[1][0, :2], 1),
    "put along all": lambda run, m, x: run.handled(np.put_along_axis, m[0], INDICES[0], m[1][0, :2], None),
    "diagonal": lambda run, m, x: run.handled(np.fill_diagonal, m[0], x[0]),
    "diagonal values": lambda run, m, x: run.handled(np.fill_diagonal, m[0], m[1][0]),
    "diagonal again": lambda run, m, x: run.handled(np.fill_diagonal, m[0], m[1][0, :2]),
    "diagonal matrix": lambda run, m, x: run.handled(np.fill_diagonal, m[0], m[1]),
    "diagonal of tall": lambda run, m, x: run.handled(np.fill_diagonal, m[0].T, m[1][0]),
    "diagonal wrapped": lambda run, m, x: run.handled(np.fill_diagonal, m[0].reshape(6, 2), m[1], wrap=True),
    "diagonal of cube": lambda run, m, x: run.handled(np.fill_diagonal, m[0].reshape(-1)[:8].reshape(2, 2, 2), m[1][0]),
    "place": lambda run, m, x: run.handled(np.place, m[0], m[2], m[1]),
    "place few": lambda run, m, x: run.handled(np.place, m[0], m[2], (x[0], x[1])),
    "putmask": lambda run, m, x: run.handled(np.putmask, m[0], m[2], m[1]),
    "putmask few": lambda run, m, x: run.handled(np.putmask, m[0], m[2], m[1][0, :3]),
    "putmask a number": lambda run, m, x: run.handled(np.putmask, m[0], mask=m[2], values=x[0]),
    "putmask part": lambda run, m, x: run.handled(np.putmask, m[0][:, ::2], m[2][:, 1:3], m[1][0, :3]),
    "fill": lambda run, m, x: run.method(m[0], "fill", x[0]),
    "fill with its own": lambda run, m, x: run.method(m[0], "fill", m[0][1, 1, ...]),
    "fill a part": lambda run, m, x: run.method(m[0][1:, ::2], "fill", x[0]),
    "sort": lambda run, m, x: run.method(m[0], "sort"),
    "sort 0": lambda run, m, x: run.method(m[0], "sort", 0, "stable"),
    "sort a part": lambda run, m, x: run.method(m[0][:, ::-2], "sort", axis=0),
    "partition": lambda run, m, x: run.method(m[0], "partition", 2),
    "partition 0": lambda run, m, x: run.method(m[0].T, "partition", (1, 2), axis=0),
    "setitem": lambda run, m, x: run.method(m[0], "__setitem__", (0, slice(None)), m[1][1]),
    "setitem number": lambda run, m, x: run.method(m[0], "__setitem__", ([0, 0, 1], 1), x[0]),
    "getitem": lambda run, m, x: run.method(m[0], "__getitem__", (0, 1)),
    "getitem row": lambda run, m, x: run.method(m[0], "__getitem__", ([0, 1, 1],)),
    "iadd": lambda run, m, x: run.method(m[0], "__iadd__", m[1][1]),
    "ipow": lambda run, m, x: run.method(m[0], "__ipow__", x[1]),
    "mul": lambda run, m, x: run.method(m[0], "__mul__", x[0]),
    "rsub": lambda run, m, x: run.method(m[0], "__rsub__", x[0]),
    "rpow": lambda run, m, x: run.method(m[0], "__rpow__", x[0]),
    "matmul": lambda run, m, x: run.method(m[0], "__matmul__", m[1].T),
    "floordiv": lambda run, m, x: run.method(m[0], "__floordiv__", x[0]),
}  # fmt: skip


@pytest.mark.parametrize("case", STORES)
def test_stores(case):
    memory = [array(3, 4), array(3, 4, seed=2), array(3, 4, seed=3) > 1.2, np.array([[0, 5], [3, 0]])]
    if case == "copyto cast":
        memory[3] = np.zeros((3, 4), int)
    check(STORES[case], memory, (0.75, 1.25))
    if case != "put along all":  # which NumPy refuses
        check(STORES[case], [np.asfortranarray(m) for m in memory], (0.75, 1.25))
    check(STORES[case], [m.astype("f4") if m.dtype.kind == "f" else m for m in memory], (0.75, 1.25), tolerance=1e-4)
    if not any(word in case for word in ("floordiv", "cast")):
        complexes = [array(3, 4, dtype=complex), array(3, 4, seed=2, dtype=complex), *memory[2:]]
        check(STORES[case], complexes, (0.75, 1.25))
        check(STORES[case], [complexes[0], *memory[1:]], (0.75, 1.25))


def test_stores_of_lists():
    check(lambda run, m, x: run.handled(np.put, m[0], [1, 2, 0], m[1]), [array(4), [0.5, 1.5]])
    check(lambda run, m, x: run.handled(np.copyto, m[0], m[1]), [array(4, 2), [0.5, 1.5]])
    check(lambda run, m, x: run.handled(np.place, m[0], m[1], m[2]), [array(4), np.arange(4) > 1, [0.5, 1.5]])


def test_stores_into_integers_give_nothing():
    for f, args in [(np.copyto, (2.5, "unsafe")), (np.put, ([0, 1], 2.5)), (np.place, ([True, False, True], [2.5]))]:
        check(lambda run, m, x, f=f, args=args: run.handled(f, m[0], *args), [np.arange(3)])
    check(lambda run, m, x: run.method(m[0], "fill", x[0]), [np.arange(3)], (2.5,))


def test_stores_of_nothing():
    check(lambda run, m, x: run.handled(np.put, m[0], [], m[1]), [array(3), array(2)])
    check(lambda run, m, x: run.handled(np.put, m[0], [1], m[1]), [array(3), array(0)])
    check(lambda run, m, x: run.handled(np.copyto, m[0], x[0]), [array(0)], (2.5,))
    check(lambda run, m, x: run.handled(np.place, m[0], m[1], m[2]), [array(3), np.zeros(3, bool), array(2)])
    check(lambda run, m, x: run.handled(np.fill_diagonal, m[0], x[0]), [array(0, 0)], (2.5,))
    check(lambda run, m, x: run.method(m[0], "sort"), [array(0)])
    check(lambda run, m, x: run.method(m[0], "fill", x[0]), [array()], (2.5,))
    check(lambda run, m, x: run.handled(np.copyto, m[0], m[1]), [array(), array(seed=2)])
    check(lambda run, m, x: run.handled(np.put, m[0], 0, x[0]), [array()], (2.5,))


def test_sorting_what_is_equal_and_what_is_no_number():
    a = np.array([2.0, 1.0, np.nan, 2.0, 1.0])
    for name, args in (("sort", ()), ("partition", (2,))):
        b = a.copy()
        _, back = METHODS[np.ndarray, name](None, 0, b, args, {})
        sweep = Sweep()
        sweep.add_array(b, np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
        back(sweep, None)
        bars = sweep.shadow(b)
        assert sorted(bars[[1, 4]]) == [1.0, 2.0] and sorted(bars[[0, 3]]) == [3.0, 4.0] and bars[2] == 5.0


def test_partition_of_many():
    a = np.random.default_rng(0).normal(size=1000)
    old = a.copy()
    _, back = METHODS[np.ndarray, "partition"](None, 0, a, (500,), {})
    sweep = Sweep()
    sweep.add_array(a, a.copy())
    back(sweep, None)
    assert (sweep.shadow(a) == old).all()


@pytest.mark.parametrize("shape", [(), (5,), (2, 2)])
@pytest.mark.parametrize("dtype", [float, complex])
def test_nan_to_num_in_place(shape, dtype):
    a = array(*shape, dtype=dtype)

    def program(run, m, x):
        return run.handled(np.nan_to_num, m[0], copy=False, nan=x[0], posinf=x[1])

    check(program, [a], (0.5, 1.5))
    check(lambda run, m, x: run.handled(np.nan_to_num, m[0], False), [a])
    check(lambda run, m, x: run.handled(np.nan_to_num, m[0]), [array(3)])


def test_nan_to_num_of_what_is_no_number():
    a = np.array([1.0, np.nan, np.inf, -np.inf, np.nan])
    y, back = HANDLERS[np.nan_to_num](None, 0, np.nan_to_num, (a, False, 0.5), {"posinf": 1.5, "neginf": -1.5})
    assert y is a and a.tolist() == [1.0, 0.5, 1.5, -1.5, 0.5]
    sweep = Sweep()
    sweep.add_array(a, np.array([1.0, 10.0, 100.0, 1000.0, 10000.0]))
    assert back(sweep, None) == (None, None, None, 10010.0, 100.0, 1000.0)
    assert sweep.shadow(a).tolist() == [1.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "make", [np.random.default_rng, np.random.RandomState, lambda s: np.random.Generator(np.random.MT19937(s))]
)
@pytest.mark.parametrize("shape", [(6,), (5, 3), (0,), (4, 0), (1,), (3, 4, 2)])
def test_shuffle(make, shape):
    f = type(make(0)).shuffle
    rngs = []

    def program(run, m, x):
        rngs.append(make(3))
        return run.handled(f, rngs[-1], m[0])

    check(program, [array(*shape)])
    assert (
        len({str(rng.bit_generator.state if hasattr(rng, "bit_generator") else rng.get_state()) for rng in rngs}) == 1
    )
    if len(shape) > 1 and f is np.random.Generator.shuffle:
        check(lambda run, m, x: run.handled(f, make(3), m[0], axis=1), [array(*shape)])
        check(lambda run, m, x: run.handled(f, make(3), m[0].T, -1), [array(*shape)])
    if len(shape) == 1 and shape[0]:
        check(lambda run, m, x: run.handled(f, make(3), m[0][::-2]), [array(*shape)])


@pytest.mark.parametrize("shape", [(6,), (5, 3), (3, 4, 2), (1,)])
def test_random_orders(shape):
    generator, state = np.random.Generator, np.random.RandomState
    for f, make, args, kwargs in [
        (generator.permutation, np.random.default_rng, (), {}),
        (generator.permutation, np.random.default_rng, (-1,), {}),
        (generator.permuted, np.random.default_rng, (), {}),
        (generator.permuted, np.random.default_rng, (), {"axis": 0}),
        (generator.choice, np.random.default_rng, (), {}),
        (generator.choice, np.random.default_rng, ((2, 3),), {"axis": -1}),
        (state.permutation, state, (), {}),
        (state.choice, state, (4,), {}),
    ]:
        if f is state.choice and len(shape) > 1:
            continue
        way = "by_rule" if f in (generator.choice, state.choice) else "handled"
        check(lambda run, m, x: getattr(run, way)(f, make(3), m[0], *args, **kwargs), [array(*shape)])  # noqa: B023
    check(lambda run, m, x: run.by_rule(generator.choice, np.random.default_rng(3), a=m[0], size=2), [array(*shape)])
    check(lambda run, m, x: run.by_rule(generator.choice, np.random.default_rng(3), (x[0], x[1]), 5), [], (1.5, 2.5))
    check(lambda run, m, x: run.by_rule(generator.choice, np.random.default_rng(3), m[0], 5), [[1.5, 2.5, 3.5]])
    check(lambda run, m, x: run.by_rule(generator.choice, np.random.default_rng(3), 4, 5), [])
    check(lambda run, m, x: run.handled(generator.permutation, np.random.default_rng(3), 4), [])


def test_shuffle_of_the_module():
    np.random.seed(5)
    a = array(5)
    wanted, twin = a.copy(), np.random.RandomState(5)
    twin.shuffle(wanted)
    bound = np.random.shuffle
    _, back = HANDLERS[bound.__func__](None, 0, bound.__func__, (bound.__self__, a), {})
    assert (a == wanted).all() and np.random.random() == twin.random_sample()


def test_what_stores_before_it_has_read_everything_is_refused():
    a = array(3, 3)
    with pytest.raises(MutationError):
        with_out(None, 0, np.concatenate, ([a[1:], a[:1]],), {"out": a})
    with pytest.raises(MutationError):
        with_out(None, 0, np.stack, ((a[1], a[0], a[2]), 0, a), {})
    for f, args in [
        (np.fill_diagonal, (a, a[::-1, 0])),
        (np.place, (a, a > 0, a.reshape(-1)[1:])),
        (np.put_along_axis, (a, np.array([0, 1]), a[0], None)),
    ]:
        with pytest.raises(MutationError):
            HANDLERS[f](None, 0, f, args, {})


@pytest.mark.parametrize(
    "name, args", [("resize", ((2,),)), ("setfield", (1.0, float)), ("byteswap", (True,)), ("byteswap", (1,))]
)
def test_what_is_refused(name, args):
    with pytest.raises(MutationError):
        METHODS[np.ndarray, name](None, 0, array(4), args, {})


# ---- views

VIEWED = {
    "reshape": lambda run, m: run.by_rule(np.reshape, m[0], (4, 3)),
    "method reshape": lambda run, m: run.by_rule(np.ndarray.reshape, m[0], 2, 6),
    "ravel": lambda run, m: run.by_rule(np.ravel, m[0]),
    "method ravel": lambda run, m: run.by_rule(np.ndarray.ravel, m[0]),
    "transpose": lambda run, m: run.by_rule(np.ndarray.transpose, m[0]),
    "swapaxes": lambda run, m: run.by_rule(np.swapaxes, m[0], 0, 1),
    "moveaxis": lambda run, m: run.by_rule(np.moveaxis, m[0], 0, 1),
    "squeeze": lambda run, m: run.by_rule(np.ndarray.squeeze, m[0][:1]),
    "expand_dims": lambda run, m: run.by_rule(np.expand_dims, m[0], 0),
    "atleast_3d": lambda run, m: run.by_rule(np.atleast_3d, m[0]),
    "asarray": lambda run, m: run.by_rule(np.asarray, m[0]),
    "array without copy": lambda run, m: run.by_rule(np.array, m[0], copy=None),
    "astype without copy": lambda run, m: run.by_rule(np.ndarray.astype, m[0], m[0].dtype, copy=False),
    "flip": lambda run, m: run.by_rule(np.flip, m[0], 0),
    "real": lambda run, m: run.by_rule(np.real, m[0]),
    "view": lambda run, m: run.method(m[0], "view"),
    "view as the same": lambda run, m: run.method(m[0], "view", m[0].dtype),
    "split": lambda run, m: run.by_rule(np.split, m[0], 2, axis=1)[1],
    "atleast_1d": lambda run, m: run.by_rule(np.atleast_1d, m[0], m[0][0])[1],
    "strided": lambda run, m: run.unknown(np.lib.stride_tricks.as_strided, m[0], (4,), (8,)),
}
COPIED = {
    "ravel": lambda run, m: run.by_rule(np.ravel, m[0].T),
    "reshape": lambda run, m: run.by_rule(np.reshape, m[0][:, 1:], (9,)),
    "flatten": lambda run, m: run.by_rule(np.ndarray.flatten, m[0]),
    "astype": lambda run, m: run.by_rule(np.ndarray.astype, m[0], float),
    "copy": lambda run, m: run.by_rule(np.copy, m[0]),
    "array": lambda run, m: run.by_rule(np.array, m[0]),
}
READ = {
    "broadcast_to": lambda run, m: run.by_rule(np.broadcast_to, m[0][0], (3, 4)),
    "diagonal": lambda run, m: run.by_rule(np.diagonal, m[0]),
    "windows": lambda run, m: run.unknown(np.lib.stride_tricks.sliding_window_view, m[0], 2, 1)[:, 0],
    "windows of rows": lambda run, m: run.unknown(np.lib.stride_tricks.sliding_window_view, m[0][0], 3),
}


@pytest.mark.parametrize("case", VIEWED)
def test_views_have_the_memory_of_their_array(case):
    def program(run, m, x):
        y = VIEWED[case](run, m)
        assert owner_of(y) is m[0]
        run.inplace(operator.imul, y, x[0])
        run.inplace(operator.iadd, m[0], m[1])
        return run.inplace(operator.imul, y, x[1])

    check(program, [array(3, 4), array(3, 4, seed=2)], (1.5, 0.5))
    if case not in ("ravel", "method ravel", "reshape", "method reshape", "strided"):
        check(program, [np.asfortranarray(array(3, 4)), array(3, 4, seed=2)], (1.5, 0.5))


@pytest.mark.parametrize("case", COPIED)
def test_copies_have_memory_of_their_own(case):
    def program(run, m, x):
        y = COPIED[case](run, m)
        assert owner_of(y) is not m[0]
        run.inplace(operator.imul, m[0], x[0])
        run.inplace(operator.imul, y, x[1])
        return run.inplace(operator.ipow, y, 2.0)

    check(program, [array(3, 4)], (1.5, 0.5))


@pytest.mark.parametrize("case", READ)
def test_views_that_are_only_read(case):
    def program(run, m, x):
        y = READ[case](run, m)
        assert owner_of(y) is m[0]
        run.inplace(operator.imul, m[0], x[0])
        z = run.by_rule(np.multiply, y, x[1])
        run.inplace(operator.imul, m[0], x[0])
        return run.inplace(operator.iadd, z, y)

    check(program, [array(3, 4)], (1.5, 0.5))


def test_results_are_laid_out_as_numpy_lays_them_out():
    a = array(2, 3, 4)
    for part in (
        a,
        a.T,
        a.transpose(1, 0, 2),
        a[::-1],
        a[:, ::2],
        np.asfortranarray(a),
        np.broadcast_to(a[0], (2, 3, 4)),
    ):
        y, _ = ruled(find_rules(np.exp), np.exp, (part,), {})
        assert y.strides == np.exp(part).strides


def test_bits_of_floats_are_not_read():
    for dtype in (np.int64, np.uint8, np.float32, ">f8"):
        with pytest.raises(NoRuleError):
            METHODS[np.ndarray, "view"](None, 0, array(4), (dtype,), {})
    for a, dtype in (
        (np.arange(4), np.uint8),
        (np.zeros(4, bool), np.uint8),
        (array(4), complex),
        (array(4, dtype=complex), float),
    ):
        y, _ = METHODS[np.ndarray, "view"](None, 0, a, (dtype,), {})
        assert y.dtype == dtype and owner_of(y) is a


def test_parts_of_complex_numbers_are_views():
    def program(run, m, x):
        run.inplace(operator.imul, run.method(m[0], "view", float), x[0])
        run.inplace(operator.imul, m[0].imag, x[1])
        run.inplace(operator.ipow, m[0], 2)
        return run.inplace(operator.iadd, run.method(m[1], "view", complex), m[0])

    check(program, [array(3, dtype=complex), array(6)], (1.5, 0.5))


# ---- shadows

WINDOWS = {
    "all": lambda a: a,
    "rows again": lambda a: np.broadcast_to(a, (2, 4, 5)),
    "a row again": lambda a: np.broadcast_to(a[1], (4, 5)),
    "a column again": lambda a: np.broadcast_to(a[:, 1:2], (4, 5)),
    "an element again": lambda a: np.broadcast_to(a[1, 1, ...], (2, 3)),
    "windows": lambda a: np.lib.stride_tricks.sliding_window_view(a, (2, 3)),
    "windows back": lambda a: np.lib.stride_tricks.sliding_window_view(a, (2, 3))[::-1, :, :, ::-1],
    "windows again": lambda a: np.broadcast_to(np.lib.stride_tricks.sliding_window_view(a[0], 2), (3, 4, 2)),
    "none": lambda a: np.lib.stride_tricks.sliding_window_view(a, 2, axis=1)[2:2],
    "a band": lambda a: np.lib.stride_tricks.as_strided(a, (3, 3), (8, 16)),
}


def test_memory_of_any_layout():
    a = array(2, 3, 4)
    for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2), (2, 0, 1)):
        owner = np.exp(a.transpose(order))
        assert owner.base is None
        memory = Memory(owner)
        add_to(memory.window(owner[1:, ::-1, 1:3]), 1.0)
        wanted = np.zeros(owner.shape)
        wanted[1:, ::-1, 1:3] += 1.0
        assert (memory.main == wanted).all() and memory.window(owner[0]).shape == owner[0].shape


@pytest.mark.parametrize("view", WINDOWS)
@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "i4", "i8"])
def test_windows_on_shadows(view, dtype):
    a = (10 * array(4, 5)).astype(dtype)
    if np.dtype(dtype).itemsize != 8 and view == "a band":
        return
    part = WINDOWS[view](a)
    numbers = WINDOWS[view](np.arange(20.0).reshape(4, 5)).astype(int)
    memory = Memory(a)
    d = array(*part.shape, seed=3, dtype="c16" if dtype == "c16" else "f8")
    wanted = np.zeros(20, memory.main.dtype)
    for i, x in zip(numbers.ravel(), d.ravel(), strict=True):
        wanted[i] += x
    add_to(memory.window(part), d)
    np.testing.assert_allclose(memory.main.ravel(), wanted, rtol=1e-5)
    add_to(memory.window(part), 2.0)  # of any shape that broadcasts
    for i in numbers.ravel():
        wanted[i] += 2.0
    np.testing.assert_allclose(memory.main.ravel(), wanted, rtol=1e-5)
    add_to(memory.main, 1.0)
    wanted += 1.0
    taken = take_from(memory.window(part))
    assert taken.shape == part.shape
    seen = set()
    for i, x in zip(numbers.ravel(), taken.ravel(), strict=True):
        assert np.isclose(x, 0 if i in seen else wanted[i], rtol=1e-5)
        seen.add(i)
    np.testing.assert_allclose(memory.main.ravel(), [0 if i in seen else x for i, x in enumerate(wanted)], rtol=1e-5)


def test_what_overlaps_itself():
    a = array(4, 5)
    for view, part in WINDOWS.items():
        assert overlaps_itself(part(a)) == (view not in ("all", "none")), view
    assert not overlaps_itself(a.T[::-1, ::2]) and not overlaps_itself(np.broadcast_to(a[1], (1, 5)))


@pytest.mark.parametrize("to", [(0, 1), (2, 4), (12, -4), (15, -1), (3, 3), (8, 2)])
@pytest.mark.parametrize("source", [(0, 1), (1, 4), (13, -4), (7, -1), (3, 3), (6, 2)])
def test_stores_that_come_before_all_is_read_are_found(to, source):
    def part(a, where):
        return np.lib.stride_tricks.as_strided(a[where[0] :], (4,), (8 * where[1],))

    a = np.arange(16.0)
    wanted = a.copy()
    part(wanted, to)[...] = part(a, source)
    try:
        check_order(part(a, to), part(a, source))
        found = False
    except MutationError:
        found = True
    part(a, to)[...] = part(a, source)
    assert found == (a != wanted).any()


# ---- programs of many operations

PARTS = [
    lambda a, rng: a,
    lambda a, rng: a[::-1],
    lambda a, rng: a.T,
    lambda a, rng: a[:, ::-1].T,
    lambda a, rng: a[:, ::-1],
    lambda a, rng: np.broadcast_to(a[rng.integers(4)], (4, 4)),
    lambda a, rng: np.broadcast_to(a[:, rng.integers(4), None], (4, 4)),
    lambda a, rng: np.broadcast_to(a[1, 2, ...], (4, 4)),
    lambda a, rng: np.lib.stride_tricks.sliding_window_view(a.reshape(-1), 4)[rng.integers(9) :][:4],
]
ANY_NUMBER = [lambda a, rng: a[rng.integers(4)], lambda a, rng: a[:, rng.integers(4)], *PARTS[:4]]
STEPS = [
    lambda run, a, b, x, rng: run.inplace(operator.iadd, a, b),
    lambda run, a, b, x, rng: run.inplace(operator.isub, a, b),
    lambda run, a, b, x, rng: run.inplace(operator.imul, a, b),
    lambda run, a, b, x, rng: run.inplace(operator.itruediv, a, x),
    lambda run, a, b, x, rng: run.out(np.sin, b, out=a),
    lambda run, a, b, x, rng: run.out(np.tanh, b, out=a, where=rng.integers(2, size=a.shape) == 1),
    lambda run, a, b, x, rng: run.out(np.multiply, a, b, a),
    lambda run, a, b, x, rng: run.out(np.cumsum, b, axis=0, out=a),
    lambda run, a, b, x, rng: run.out(np.sum, a, axis=0, out=a[-1]) if a.ndim == 2 else None,
    lambda run, a, b, x, rng: run.handled(np.copyto, a, b, where=rng.integers(2, size=a.shape) == 1),
    lambda run, a, b, x, rng: run.handled(np.put, a, rng.integers(-4, 4, 5), b),
    lambda run, a, b, x, rng: run.handled(np.putmask, a, rng.integers(2, size=a.shape) == 1, b),
    lambda run, a, b, x, rng: run.method(a, "sort", axis=0),
    lambda run, a, b, x, rng: run.method(a[1:2], "fill", x),
    lambda run, a, b, x, rng: run.method(np.add, "at", a, rng.integers(-4, 4, 4), b),
    lambda run, a, b, x, rng: run.method(np.multiply, "at", a, rng.integers(0, 4, 4), b),
    lambda run, a, b, x, rng: run.method(a, "__setitem__", (rng.integers(0, 4, 4),), b),
    lambda run, a, b, x, rng: run.handled(np.random.Generator.shuffle, np.random.default_rng(3), a),
]


@pytest.mark.parametrize("seed", range(60))
def test_programs(seed):
    def program(run, m, x):
        rng = np.random.default_rng([7, seed])
        for _ in range(6):
            a, b = m[rng.integers(2)], m[rng.integers(2)]
            parts = ANY_NUMBER if rng.integers(2) else ANY_NUMBER[2:]
            a = parts[rng.integers(len(parts))](a, rng)
            b = (PARTS if a.ndim == 2 else ANY_NUMBER[:2])[rng.integers(2 if a.ndim == 1 else len(PARTS))](b, rng)
            STEPS[rng.integers(len(STEPS))](run, a, b, x[rng.integers(2)], rng)
            for part in m:
                run.out(np.tanh, part, out=part)

    memory = [array(4, 4, positive=False), array(4, 4, seed=2, positive=False)]
    with contextlib.suppress(MutationError):  # a row that is copied into a column
        check(program, memory, (1.5, 0.5), tolerance=1e-5)

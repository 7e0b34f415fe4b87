"""Forward mode and Hessians times vectors of programs that change what others may have: tangents stand beside."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from adjoint import Tangent, grad, hvp, jvp
from adjoint.derivatives import sharing
from adjoint.errors import MutationError
from adjoint.ir import heaps
from adjoint.ir import located as ops
from adjoint.runtime.tables import TABLES
from adjoint.tangents import beside
from adjoint.tangents.fields import record_fields
from adjoint.tangents.structural import fields_of as parts_of
from adjoint.transforms import again, moving_memory


@dataclass
class Body:
    x: float
    v: float
    n: int = 0

    def step(self, dt: float) -> None:
        self.v = self.v - dt * self.x
        self.x = self.x + dt * self.v * self.v
        self.n += 1


class Slotted:
    __slots__ = ("to", "x")

    def __init__(self, x: float, to: Any = None) -> None:
        self.x, self.to = x, to


class Scaled:
    scale = 2.0

    def __init__(self, x: float) -> None:
        self.x = x


@dataclass
class Log:
    values: list[float] = field(default_factory=list)
    table: dict[str, float] = field(default_factory=dict)
    best: Any = None


def bodies(xs: Any, dt: Any) -> Any:
    for _ in range(4):
        for b in xs:
            b.step(dt)
    return sum(b.x * b.x + b.v for b in xs)


def linked(head: Any, k: Any) -> Any:
    node = head
    while node is not None:
        node.x = node.x * k
        if node.to is not None:
            node.to.x += node.x
        node = node.to
    return head.x * head.to.x * head.to.to.x


def inserted(head: Any, x: Any) -> Any:
    for i in range(3):
        head.to = Slotted(head.x * x + i, head.to)
    s, node = 0.0, head
    while node is not None:
        s = s + node.x * node.x
        node = node.to
    return s


def defaults_of_the_class(a: Any, b: Any) -> Any:
    a.x *= b.scale
    b.scale = a.x * b.x
    return a.scale * a.x + b.scale * b.x


def logged(log: Any, x: Any) -> Any:
    for i in range(3):
        log.values.append(x * i * log.table["a"])
        log.table["a"] = log.values[-1] + x
        log.table["b"] = log.table["a"] * log.values[0]
    log.best = log.values
    log.best[0] *= x
    return sum(log.values) + log.table["a"] * log.table["b"]


def rows(m: Any) -> Any:
    n = len(m)
    for i in range(n - 1):
        a, b = m[i], m[i + 1]
        b[0] = b[0] * a[0] + a[1]
        m[i], m[i + 1] = m[i + 1], m[i]
    return m[0][0] * m[n - 1][1] * m[1][0]


def rows_of_arrays(m: Any, k: Any) -> Any:
    m.append(m[0] * k)
    m[0][1:] *= m[1][:-1]
    m[-1] += m[0]
    first = m.pop(0)
    first[0] = k
    return (first * m[-1]).sum() + sum(r.max() for r in m)


def windows(a: Any, k: Any) -> Any:
    b = a[1:]
    for i in range(len(b)):
        b[i] = b[i] * a[i]
    c = a.reshape(2, -1)
    c[0] += c[1] * k
    a *= k
    a[a > 1.0] -= 0.5 * k
    return (a.T @ a) + b.sum()


def added_at(a: Any, w: Any) -> Any:
    np.add.at(a, np.array([0, 2, 0]), w * w)
    a[np.array([1, 3])] = w[:2]
    a -= w.sum()
    return (a * a).sum()


def written_out(a: Any, k: Any) -> Any:
    np.multiply(a, k, out=a)
    np.sqrt(a, out=a)
    np.copyto(a, a + k)
    a.fill(k)
    return a.sum() * k


def lists(xs: Any, x: Any) -> Any:
    xs.append(x * x)
    xs.insert(1, x)
    xs.extend([x, 2.0 * x])
    y = xs.pop(0) * xs.pop()
    del xs[0]
    ys = xs
    ys[0] += y
    xs[:] = [v * y for v in xs]
    return sum(ys) + y * len(ys)


def groups(xs: Any) -> Any:
    h: dict[int, list[float]] = {}
    for x in xs:
        h.setdefault(int(x), []).append(x * x)
    return sum(sum(v) ** 2 for v in h.values())


def missing(xs: Any) -> Any:
    h = defaultdict(list)
    for x in xs:
        h[int(x)].append(x * x)
    s = 0.0
    for k in h:
        s += sum(h[k]) ** 2 * (k + 1)
    return s


def sums(out: Any, x: Any, y: Any) -> Any:
    d, total = defaultdict(float), 0.0
    for i in range(7):
        d[i * 5 % 3] += x * i * y
    for k, v in d.items():
        total += v * v * k
        out.append(v * x)
    for k in d:
        total += d[k] * x
    return total * out[0]


def momentum(p: Any, v: Any, lr: Any) -> Any:
    for _ in range(3):
        for k in p:
            v[k] = 0.9 * v[k] - lr * p[k] * p[k]
            p[k] = p[k] + v[k]
    return sum(x * x for x in p.values())


def arrays_in_dicts(p: Any, lr: Any) -> Any:
    for _ in range(2):
        for k in p:
            p[k] -= lr * p[k] ** 2
    return (p["w"] @ p["w"]) * p["b"].sum()


def scale_all(xs: Any, k: Any) -> None:
    for i in range(len(xs)):
        xs[i] = xs[i] * k + i


def by_a_helper(pair: Any, k: Any) -> Any:
    for xs in pair:
        scale_all(xs, k)
        k = k * xs[0]
    pair[0], pair[1] = pair[1], pair[0]
    return pair[0][0] * pair[1][1] + k


STATE = [1.5, 2.5]
OWN = Body(0.5, 1.5)


def with_globals(xs: Any) -> Any:
    xs[0] = xs[0] * STATE[1] * OWN.x
    xs.append(xs[0] * xs[0])
    return xs[-1] * STATE[0]


def capturing(scale: Any) -> Any:
    def f(xs: Any) -> Any:
        xs[0] *= scale[0]
        xs.append(xs[0] * scale[1])
        return xs[-1] * xs[0]

    return f


captured = capturing([1.5, 0.5])


def counted(xs: Any) -> Any:
    xs.n += 1
    xs.x = xs.x * xs.n
    return xs.x * xs.x * xs.v


def extremes(xs: Any) -> Any:
    xs[0] = min(xs[0], xs[1], xs[2] * 0.5)
    xs[1] = max(xs[0], xs[1])
    a, *rest = xs
    return a * rest[0] * list(rest)[1]


def of_body(b: Body, x: float, v: float) -> Tangent:  # type: ignore[type-arg]
    return Tangent(type(b), {"x": x, "v": v, "n": 0.0})


CASES: dict[str, Any] = {
    "bodies": (bodies, lambda: ([Body(1.0, 2.0), Body(0.5, 0.3)], 0.1)),
    "one twice": (bodies, lambda: ([(b := Body(1.0, 2.0)), b], 0.1)),
    "linked": (linked, lambda: (Slotted(1.0, Slotted(2.0, Slotted(0.5))), 1.5)),
    "inserted": (inserted, lambda: (Slotted(1.0), 0.7)),
    "class": (defaults_of_the_class, lambda: (Scaled(1.5), Scaled(0.5))),
    "logged": (logged, lambda: (Log([1.5], {"a": 0.5, "b": 0.0}), 1.2)),
    "rows": (rows, lambda: ([[1.0, 2.0], [3.0, 4.0], [5.0, 0.6]],)),
    "one row": (rows, lambda: ([(r := [1.0, 2.0]), r, [5.0, 0.6]],)),
    "arrays": (rows_of_arrays, lambda: ([np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.1, 0.2])], 0.8)),
    "windows": (windows, lambda: (np.array([0.4, 0.9, 1.3, 2.0]), 1.1)),
    "added": (added_at, lambda: (np.array([0.4, 0.9, 1.3, 2.0]), np.array([0.5, 1.5, 2.0]))),
    "out": (written_out, lambda: (np.array([0.4, 0.9]), 1.3)),
    "lists": (lists, lambda: ([1.0, 2.0, 3.0], 0.5)),
    "groups": (groups, lambda: ([0.3, 1.2, 0.7, 2.1, 1.9],)),
    "missing": (missing, lambda: ([0.3, 1.2, 0.7, 2.1, 1.9],)),
    "sums": (sums, lambda: ([1.0], 0.7, 1.3)),
    "none": (missing, lambda: ([],)),
    "momentum": (momentum, lambda: ({"a": 1.0, "b": 2.0}, {"a": 0.1, "b": 0.2}, 0.1)),
    "dicts": (arrays_in_dicts, lambda: ({"w": np.array([1.0, 2.0]), "b": np.array([0.5])}, 0.1)),
    "helper": (by_a_helper, lambda: ([[1.0, 2.0], [3.0, 4.0]], 0.5)),
    "globals": (with_globals, lambda: ([1.0, 2.0],)),
    "captured": (captured, lambda: ([1.0, 2.0],)),
    "counted": (counted, lambda: (Body(1.5, 0.5, 2),)),
    "extremes": (extremes, lambda: ([1.5, 0.5, 4.0],)),
}
RNG = np.random.default_rng(7)


def moved(x: Any, seen: dict[int, Any] | None = None) -> Any:
    """A random tangent of a value, as users write it: the same for what is met twice."""
    seen = {} if seen is None else seen
    if isinstance(x, float):
        return float(RNG.normal())
    if isinstance(x, int | str | type(None)):
        return 0.0 if type(x) is int else None
    if id(x) in seen:
        return seen[id(x)]
    if isinstance(x, np.ndarray):
        d: Any = RNG.normal(size=x.shape)
    elif isinstance(x, list):
        d = [moved(item, seen) for item in x]
    elif isinstance(x, dict):
        d = {key: moved(item, seen) for key, item in x.items()}
    else:
        d = Tangent(type(x), {name: moved(item, seen) for name, item in fields_of(x).items()})
    seen[id(x)] = d
    return d


def fields_of(x: Any) -> dict[str, Any]:
    return dict(record_fields(x) or vars(x))


def shifted(x: Any, d: Any, h: float, seen: dict[int, Any] | None = None) -> Any:
    """`x + h d`, changed in place where it can be."""
    seen = {} if seen is None else seen
    if d is None or isinstance(x, int | str | type(None)):
        return x
    if isinstance(x, float):
        return x + h * d
    if id(x) in seen:
        return x
    seen[id(x)] = x
    if isinstance(x, np.ndarray):
        x += h * d
    elif isinstance(x, list | dict):
        for key, item in [*enumerate(x)] if isinstance(x, list) else [*x.items()]:
            x[key] = shifted(item, d[key], h, seen)
    else:
        for name, item in fields_of(x).items():
            setattr(x, name, shifted(item, getattr(d, name), h, seen))
    return x


def product(g: Any, d: Any, seen: set[int]) -> float:
    """⟨g, d⟩ of a gradient, which has what is met twice at its first place."""
    if g is None or d is None:
        return 0.0
    if isinstance(g, list | tuple):
        return sum(product(a, b, seen) for a, b in zip(g, d, strict=True))
    if isinstance(g, dict):
        return sum(product(g[key], d[key], seen) for key in g)
    if isinstance(g, Tangent):
        return sum(product(part, parts_of(d)[name], seen) for name, part in parts_of(g).items())
    return float(np.sum(np.asarray(g) * np.asarray(d)))


def state(x: Any) -> Any:
    if isinstance(x, np.ndarray):
        return x.tolist()
    if isinstance(x, list | tuple):
        return [state(item) for item in x]
    if isinstance(x, dict):
        return {key: state(item) for key, item in x.items()}
    return x if isinstance(x, float | int | str | type(None)) else (type(x), state(fields_of(x)))


def made_of(f: Any) -> list[Any]:
    """The programs that change their arguments, or have memory."""
    kinds = ("writing", "sharing", "steady", "locating")
    return [s for key, found in TABLES[id(f.__code__)].entries.items() if key[0] in kinds for _, s in found]


@pytest.mark.parametrize("case", CASES)
def test_tangents(case: str) -> None:
    """Value, tangent and state are those of the program, and of differences; nothing is taken by rows."""
    f, make = CASES[case]
    dots = moved(list(make()))
    plain = make()
    y = f(*plain)
    h = 1e-6
    wanted = (f(*shifted(list(make()), dots, h)) - f(*shifted(list(make()), dots, -h))) / (2 * h)
    for _ in range(3):
        args = make()
        found, dot = jvp(f, args, tuple(dots))
        assert found == y
        assert state(args) == state(plain)
        assert dot == pytest.approx(wanted, rel=1e-6, abs=1e-7)
    if case != "windows":  # whose ranks are not known
        assert [s for s in made_of(f) if s.push not in (None, NotImplemented)], [s.unable for s in made_of(f)]


@pytest.mark.parametrize("case", CASES)
def test_products_of_hessians(case: str) -> None:
    """H v is the difference of gradients along v."""
    f, make = CASES[case]
    dots = moved(list(make()))
    g = grad(f, argnums=tuple(range(len(dots))))
    h = 1e-5
    one, other = g(*shifted(list(make()), dots, h)), g(*shifted(list(make()), dots, -h))
    other_way = moved(list(make()))
    wanted = (product(one, other_way, set()) - product(other, other_way, set())) / (2 * h)
    plain = make()
    f(*plain)
    for _ in range(3):
        args = make()
        found = hvp(f, args, tuple(dots))
        assert state(args) == state(plain)
        assert product(found, other_way, set()) == pytest.approx(wanted, rel=2e-5, abs=2e-5)


@pytest.mark.parametrize("case", CASES)
def test_tangents_and_gradients_agree(case: str) -> None:
    f, make = CASES[case]
    dots = moved(list(make()))
    g = grad(f, argnums=tuple(range(len(dots))))(*make())
    assert jvp(f, make(), tuple(dots))[1] == pytest.approx(product(g, dots, set()), rel=1e-9, abs=1e-12)


def test_programs_are_readable() -> None:
    xs = [1.0, 2.0, 3.0]
    jvp(lists, (xs, 0.5), ([1.0, 0.0, 0.0], 1.0))
    jvp(bodies, ([Body(1.0, 2.0)], 0.1), ([of_body(Body(0.0, 0.0), 1.0, 0.0)], 0.0))
    (text,) = {s.push_text for s in made_of(bodies) if s.push_text}
    assert "b_dot.x = " in text and "for b, b_dot in zip(xs, xs_dot)" in text


def test_results_that_are_memory() -> None:
    def f(xs: Any, b: Any) -> Any:
        xs[0] *= b.x
        xs.append(xs[0])
        b.v = xs[1] * b.x
        return xs, b, (b, 1.0)

    for _ in range(3):
        y, dot = jvp(f, ([1.0, 2.0], Body(3.0, 4.0)), ([0.1, 0.2], of_body(Body(0.0, 0.0), 0.3, 0.4)))
        assert y[0] == [3.0, 2.0, 3.0] and y[1] is y[2][0]
        assert dot[0] == pytest.approx([0.6, 0.2, 0.6])
        assert (dot[1].x, dot[1].v) == (0.3, pytest.approx(2.0 * 0.3 + 0.2 * 3.0))
        assert dot[2][0] == dot[1] and dot[2][1] == 0.0


def test_what_raises_half_way_leaves_what_python_leaves() -> None:
    def f(xs: Any, b: Any) -> Any:
        for i in range(len(xs)):
            xs[i] = xs[i] * b.x
            b.x = b.x - 1.0
            if b.x < 0.0:
                raise ValueError("left")
        return sum(xs)

    plain: Any = ([1.0, 2.0, 3.0], Body(1.5, 0.0))
    with pytest.raises(ValueError, match="left"):
        f(*plain)
    for _ in range(3):
        good: Any = ([1.0, 2.0], Body(4.0, 0.0))
        assert jvp(f, good, ([1.0, 0.0], of_body(good[1], 0.0, 0.0)))[1] == 4.0
        args: Any = ([1.0, 2.0, 3.0], Body(1.5, 0.0))
        with pytest.raises(ValueError, match="left"):
            jvp(f, args, ([1.0, 0.0, 0.0], of_body(args[1], 1.0, 0.0)))
        assert state(args) == state(plain)
        args = ([1.0, 2.0, 3.0], Body(1.5, 0.0))
        with pytest.raises(ValueError, match="left"):
            hvp(f, args, ([1.0, 0.0, 0.0], of_body(args[1], 1.0, 0.0)))
        assert state(args) == state(plain)


def test_views_of_one_array_in_two_fields() -> None:
    """Each has a tangent of its own: that the two are one is for rows of the Jacobian to say."""

    def f(b: Any) -> Any:
        b.x[0] *= 2.0
        return (b.x * b.v).sum()

    a = np.array([1.0, 2.0, 3.0])
    for _ in range(3):
        b = Body(a[:2].copy(), a[1:].copy())  # type: ignore[arg-type]
        d = Tangent(Body, {"x": np.array([1.0, 0.0]), "v": np.array([0.0, 1.0]), "n": 0.0})
        assert jvp(f, (b,), (d,))[1] == 6.0
        whole = a.copy()
        b = Body(whole[:2], whole[1:])  # type: ignore[arg-type]
        g = grad(f)(Body((w := a.copy())[:2], w[1:]))  # type: ignore[arg-type]
        assert jvp(f, (b,), (d,))[1] == pytest.approx(product(g, d, set()))


@pytest.mark.parametrize(("planted", "case"), [("store_item", "rows"), ("append_item", "groups"), ("add_at", "added")])
def test_a_store_that_is_not_made_beside_is_found(monkeypatch: Any, planted: str, case: str) -> None:
    """The checks above see a tangent that misses a store."""
    f, make = CASES[case]
    op = getattr(ops, planted)
    monkeypatch.setitem(moving_memory._OF_MEMORY, op, lambda dots, s, F: dots.run(s, F))
    TABLES.clear()
    dots = moved(list(make()))
    h = 1e-6
    wanted = (f(*shifted(list(make()), dots, h)) - f(*shifted(list(make()), dots, -h))) / (2 * h)
    grad(f)(*make())
    found = jvp(f, make(), tuple(dots))[1]
    TABLES.clear()
    assert found != pytest.approx(wanted, rel=1e-4)


def test_two_names_of_one_object_have_one_tangent() -> None:
    """Without that, what is stored by one name would not be read by the other."""
    b = Body(1.0, 2.0)
    memory = beside.TangentMemory()
    pair = memory.of([b, b, [b]])
    assert pair[0] is pair[1] is pair[2][0]
    a = np.arange(6.0)
    whole, part = memory.of(a), memory.of(a[2:])
    part[0] = 5.0
    assert whole[2] == 5.0


def test_programs_are_looked_for_a_few_times() -> None:
    """A function of which there is none does not pay for the search at each call."""

    def f(x: Any) -> Any:
        return x * x

    jvp(f, (2.0,), (1.0,))
    table = TABLES[id(f.__code__)]
    refusal = MutationError("a store", "others see it", "copy", None)
    for _ in range(10):
        sharing.turns_out_sharing(f, (2.0,), refusal)
    assert table.looked == sharing.MAX_LOOKED
    assert not sharing.turns_out_sharing(f, (2.0,), None)


def test_each_operation_of_memory_has_a_tangent_and_is_read_again() -> None:
    made = {fn for name, fn in vars(ops).items() if getattr(fn, "__module__", "") == ops.__name__ and name[0] != "_"}
    made |= {*heaps.ASKED}
    assert made - moving_memory._OF_MEMORY.keys() == moving_memory.LOOKING | {ops.copy_of}
    assert made - again._AGAIN.keys() == set()

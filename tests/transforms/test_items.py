"""Lists and dicts of anything whose items are replaced one by one, by place or by key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from ways import check_everywhere, slope

from adjoint import grad, hvp
from adjoint.derivatives.choice import is_structured_call

STRUCTURED: list[Callable[..., Any]] = []
RECORDED: list[Callable[..., Any]] = []


def structured(f: Callable[..., Any]) -> Callable[..., Any]:
    STRUCTURED.append(f)
    return f


def recorded(f: Callable[..., Any]) -> Callable[..., Any]:
    RECORDED.append(f)
    return f


@dataclass
class Pt:
    a: float
    b: float


@structured
def lstore(x, n=20):
    h = np.ones(3) * x
    H = [None] * n
    for t in range(n):
        H[t] = h
        h = np.tanh(h) * x
    s = 0.0
    for t in range(n):
        s += H[t].sum()
    return s


@structured
def lstore2(x, n=20):
    H = [np.zeros(3) for _ in range(n)]
    H[0] = np.ones(3) * x
    for t in range(1, n):
        H[t] = np.tanh(H[t - 1]) * x
    return sum([h.sum() for h in H])


@structured
def dstore(x, n=20):
    d = {}
    d[0] = x
    for t in range(1, n):
        d[t] = d[t - 1] * 0.9 + x
    return d[n - 1]


@structured
def dacc(x, n=20):
    d = {"a": 0.0, "b": 0.0}
    for t in range(n):
        k = "a" if t % 3 else "b"
        d[k] += x * t
    return d["a"] * d["b"]


@structured
def lobj(x, n=20):
    pts = [(0.0, 0.0)] * n
    for t in range(n):
        pts[t] = (x * t, x + t)
    return sum(a * b for a, b in pts)


@structured
def stored_then_changed_copy(x):
    h = np.ones(3) * x
    H = [None] * 3
    for t in range(3):
        H[t] = h.copy()
        h[t] = 5.0 * x
    return sum(a.sum() * i for i, a in enumerate(H))


@structured
def list_in_list(x):
    row = [x, x * x]
    H = [None] * 3
    for t in range(3):
        H[t] = row
        row = row[:]
        row[0] = row[1] * x
    return sum(r[0] * r[1] for r in H)


@structured
def same_object(x):
    H = [np.ones(2) * x] * 4
    for t in range(1, 4):
        H[t] = H[t - 1]
    H[0] = H[3] * x
    return H[0].sum() * H[2].sum()


@structured
def item_read_then_replaced(x):
    H = [np.ones(2) * x, np.ones(2)]
    s = 0.0
    for _t in range(3):
        old = H[0]
        H[0] = old * x + H[1]
        s += old.sum() * H[0].sum()
    return s


@structured
def returned_container(x):
    H = [x] * 3
    d = {}
    for t in range(3):
        H[t] = (x * t, x)
        d[t] = H[t]
    a, b = d[1]
    return a * b + H[2][0]


@structured
def dict_overwrite(x):
    d = {"a": x}
    for t in range(4):
        d["a"] = d["a"] * x + t
        d["b" + str(t)] = d["a"]
    return d["b1"] * d["b3"] + d["a"]


@structured
def dict_of_arrays(x):
    d = {}
    for k in ("u", "v", "w"):
        d[k] = np.ones(2) * x
    for t in range(3):
        for k in ("u", "v"):
            d[k] = np.tanh(d[k] + d["w"] * t)
    return d["u"].sum() * d["v"].sum()


@structured
def dict_get(x):
    d = {}
    for w in "abacab":
        d[w] = d.get(w, 0.0) + x * len(d)
    return d["a"] * d["b"]


@structured
def dict_values(x):
    d = {}
    for t in range(4):
        d[t] = x * t
    return sum(v * v for v in d.values()) + sum(k * v for k, v in d.items()) + sum(d[k] for k in sorted(d))


@structured
def groups(x):
    vals = [x * i for i in range(6)]
    g = {}
    for i, v in enumerate(vals):
        k = i % 2
        if k not in g:
            g[k] = 0.0
        g[k] += v * v
    return g[0] * g[1]


@structured
def objs(x):
    P = [Pt(0.0, 0.0)] * 3
    for t in range(3):
        P[t] = Pt(x * t, x + t)
    for t in range(1, 3):
        P[t] = Pt(P[t - 1].a + P[t].b * x, P[t].a)
    return P[2].a * P[1].b


@structured
def swap_items(x):
    H = [np.ones(2) * x, np.arange(2.0), np.ones(2) * 2]
    for _t in range(4):
        H[0], H[1] = H[1] * x, H[0]
        H[2] = H[0] + H[1]
    return H[2].sum()


@structured
def bubble(x):
    a = [x * v for v in (3.0, 1.0, 2.0, 5.0, 4.0)]
    n = len(a)
    for i in range(n):
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return sum(v * (i + 1) for i, v in enumerate(a))


@structured
def tuples(x):
    st = [(0.0, 1.0)] * 4
    st[0] = (x, 1.0)
    for t in range(1, 4):
        q, p = st[t - 1]
        st[t] = (q + 0.1 * p, p - 0.1 * q * x)
    return st[-1][0] * st[2][1]


@structured
def nonechecks(x):
    best = [None] * 4
    for t in range(4):
        v = x * (t - 1.5)
        if best[t % 2] is None or v > best[t % 2]:
            best[t % 2] = v
    return best[0] * best[1]


@structured
def in_branch(x):
    d = {"p": x, "q": 1.0}
    if x > 0.5:
        d["p"] = x * x
    else:
        d["q"] = x
    for t in range(2):
        if t:
            d["q"] = d["p"] * x
        else:
            d["r"] = d["q"]
    return d["p"] * d["q"] * d["r"]


@structured
def passed_on(x):
    def total(H):
        return sum(v for v in H)

    H = [x, x, x]
    s = 0.0
    for t in range(3):
        H[t] = H[t - 1] * x + t
        s += total(H)
    return s


@structured
def passed_dict(x):
    def energy(p):
        return p["a"] * p["b"] + p["a"] ** 2

    p = {"a": x, "b": 2.0}
    s = 0.0
    for _t in range(3):
        g = energy(p)
        p["a"] = p["a"] - 0.1 * g
        p["b"] = p["b"] * x
        s += energy(p)
    return s


@structured
def enumerated(x):
    H = [x * i for i in range(4)]
    for i, h in enumerate(list(H)):
        H[i] = h * h + H[i - 1]
    return sum(H)


@structured
def complexes(x):
    H = [0j] * 3
    for t in range(3):
        H[t] = complex(x, t) * (H[t - 1] + 1)
    return abs(H[2])


@structured
def int_float(x):
    H = [0] * 4
    for t in range(4):
        H[t] = t if t % 2 else x * t
    return sum(H) * H[2]


@structured
def multi_key(x):
    d = {}
    for i in range(3):
        for j in range(3):
            d[i, j] = x * i + (d[i - 1, j] if i else 1.0) * 0.5
    return d[2, 2] * d[1, 1]


@structured
def key_float(x):
    d = {}
    for i in range(3):
        d[i / 2] = x**i
    return d[0.5] + d[1.0] * d[0.0]


@structured
def counts_and_sums(x):
    c = {}
    s = {}
    for i, w in enumerate("abcab"):
        c[w] = c[w] + 1 if w in c else 1
        s[w] = s[w] + x * i if w in s else x * i
    return sum(s[w] / c[w] for w in "abc")


@recorded
def stored_then_changed(x):
    h = np.ones(3) * x
    H = [None] * 3
    for t in range(3):
        H[t] = h
        h[t] = 5.0 * x
    return sum(a.sum() for a in H)


@recorded
def dict_deleted(x):
    d = {}
    for t in range(4):
        d[t] = x * t
        if t > 1:
            del d[t - 1]
    return sum(d.values())


@recorded
def memo_rec(x):
    memo = {}

    def fib(n):
        if n in memo:
            return memo[n]
        v = x if n < 2 else fib(n - 1) * 0.5 + fib(n - 2) * x
        memo[n] = v
        return v

    return fib(8)


@recorded
def groups_lists(x):
    g = {}
    for i in range(6):
        k = i % 2
        if k not in g:
            g[k] = []
        g[k].append(x * i)
    return sum(g[0]) * sum(g[1])


@recorded
def groups_setdefault(x):
    g = {}
    for i in range(6):
        g.setdefault(i % 2, []).append(x * i)
    return sum(g[0]) * sum(g[1])


@recorded
def alias_dict(x):
    d = {"a": x}
    e = d
    for _t in range(2):
        d["a"] = d["a"] * x
    return e["a"]


@recorded
def kept_versions(x):
    H = [x, x, x]
    out = []
    for t in range(3):
        H[t] = H[t - 1] * x + t
        out.append(list(H))
    return out[0][2] * out[1][1] * out[2][0]


@recorded
def adam(x):
    p = {"w": np.ones(3) * x, "b": np.zeros(2)}
    m = {k: np.zeros_like(v) for k, v in p.items()}
    for _t in range(3):
        for k in p:
            g = 2 * p[k] + 1.0
            m[k] = 0.9 * m[k] + 0.1 * g
            p[k] = p[k] - 0.1 * m[k] / (np.sqrt(m[k] ** 2) + 1e-3)
    return (p["w"] ** 2).sum() + p["b"].sum() * x


@recorded
def listpop_mix(x):
    H = [x, x * x, 2.0]
    for t in range(2):
        H[t] = H[-1] * x
        H.append(H[0])
    return sum(H)


@recorded
def slices(x):
    H = [x, x * x, 2.0, 3.0]
    for t in range(2):
        H[t] = H[t + 1] * x
        H[2:4] = [H[0], H[1]]
    return sum(v * (i + 1) for i, v in enumerate(H))


@pytest.mark.parametrize("f", [*STRUCTURED, *RECORDED], ids=lambda f: f.__name__)
def test_right_in_all_ways(f: Any) -> None:
    check_everywhere(f, 0.7)


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_reversed_in_their_structure(f: Any) -> None:
    assert is_structured_call(f, (0.7,))


@pytest.mark.parametrize("f", [*STRUCTURED, *RECORDED], ids=lambda f: f.__name__)
def test_second_derivatives(f: Any) -> None:
    second = slope(grad(f), 0.7, 1e-5)
    assert grad(grad(f))(0.7) == pytest.approx(second, rel=1e-4, abs=1e-5)
    assert hvp(f, (0.7,), (2.0,))[0] == pytest.approx(2 * second, rel=1e-4, abs=1e-5)

"""Programs that store into lists and dicts that others may have, with arrays in them: as values where nothing is stored
into any array, and as memory else."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hvp, jvp, pullback
from adjoint.runtime.tables import TABLES

# mypy: disable-error-code="no-untyped-def, no-untyped-call, attr-defined"


KEPT: dict[str, Any] = {}
ROWS: list[Any] = []
ZEROS = np.zeros(4)


class Momentum:
    def __init__(self, rate):
        self.rate, self.kept = rate, {}

    def update(self, params, slopes):
        for key, slope in slopes.items():
            self.kept[key] = 0.9 * self.kept.get(key, 0.0) + slope
            params[key] = params[key] - self.rate * self.kept[key]


class Layer:
    def __init__(self, w):
        self.w, self.seen = w, []

    def __call__(self, x):
        y = np.tanh(self.w * x)
        self.seen.append(y)
        return y


def trained(w, b):
    held: list[Any] = [{}, {}]
    params = held[0] if b > 0.0 else held[1]
    params["w"], params["b"], rule = w, b, Momentum(0.1)
    for _ in range(4):
        rule.update(params, {"w": 2.0 * params["w"] + params["b"], "b": np.sum(params["w"]) + 3.0 * params["b"]})
    return np.sum(params["w"] ** 2) + params["b"] ** 2


def stepped(params):
    before = params["w"]
    for _ in range(3):
        params["w"] = params["w"] - 0.1 * params["w"] * params["b"]
    params["b"] = before
    return np.sum(params["w"] * params["b"])


def views(w, b):
    kept = KEPT
    kept["a"] = w
    for _ in range(2):
        kept["t"] = kept["a"][::-1]
        kept["a"] = kept["a"] + 0.1 * kept["t"] * b
    return np.sum(kept["t"] * kept["a"] * w)


def two_names(w, b):
    kept = KEPT
    kept["a"], kept["b"] = w, w
    kept["a"] = kept["a"] * b
    kept["b"], kept["a"] = kept["a"], kept["b"]
    return np.sum(kept["a"] * kept["b"] * kept["b"])


def listed(w, b):
    rows = ROWS
    rows += [w, w * b]
    for i in range(3):
        rows.append(rows[i] * rows[i + 1] + 0.1)
        rows[i] = rows[i + 1] - b
    last = rows.pop()
    rows.reverse()
    return np.sum(last * rows[0]) + np.sum(rows[-1])


def layers(w, b):
    stack = ROWS
    layer = Layer(w)
    stack += [layer, layer, Layer(w * b)]
    x = w
    for one in stack:
        x = one(x)
    layer.seen[0] = layer.seen[1] * 2.0
    return np.sum(x) + np.sum(layer.seen[0] * layer.seen[1])


def unread(w, b):
    kept = KEPT
    kept["a"], kept["b"] = w * b, w
    kept["a"] = kept["b"] * 2.0
    kept["b"] = w * w * w
    if b > 100.0:
        kept["a"] = kept["b"]
    return np.sum(kept["a"])


def none_at_first(w, b):
    kept = KEPT
    kept["last"], kept["total"] = None, w * 0.0
    for k in range(3):
        x = w * (b + k)
        if kept["last"] is not None:
            kept["total"] = kept["total"] + kept["last"] * x
        kept["last"] = x
    return np.sum(kept["total"])


def summed_of_items(w, b):
    kept = KEPT
    kept["a"] = w
    total = 0.0
    for i in range(len(w)):
        total = total + kept["a"][i] * b
        kept["a"] = kept["a"] * 1.1
    return total


# ---- with stores into arrays


def stored_later(w, b):
    held: list[Any] = [{}, {}]
    kept = held[0] if b > 0.0 else held[1]
    x = w * b
    kept["a"], kept["n"] = x, 0.0
    kept["n"] = 1.0
    x[0] = b * 5.0
    return np.sum(kept["a"] ** 2) * kept["n"]


def item_added_in_place(w, b):
    held: list[Any] = [{}, {}]
    kept = held[0] if b > 0.0 else held[1]
    x = w * 1.0
    kept["a"] = x
    kept["a"] += w * b
    kept["c"] = kept["a"]
    return np.sum(x * kept["c"])


def by_out(w, b):
    held: list[Any] = [{}, {}]
    kept = held[0] if b > 0.0 else held[1]
    x = w * 1.0
    kept["a"] = x
    kept["c"] = np.multiply(w, b, out=x)
    return np.sum(kept["a"] * kept["c"])


def sorted_in_place(w, b):
    held: list[Any] = [{}, {}]
    kept = held[0] if b > 0.0 else held[1]
    x = w * b
    kept["a"] = x
    x.sort()
    kept["b"] = x[0]
    return np.sum(kept["a"] * np.arange(len(w))) + kept["b"]


def copied_to(w, b):
    kept = ROWS
    x = np.zeros(len(w))
    kept += [x, w]
    kept[1] = w * b
    np.copyto(x, w * w)
    return np.sum(kept[0] * kept[1])


def filled(w, b):
    held: list[Any] = [{}, {}]
    kept = held[0] if b > 0.0 else held[1]
    x = w * 1.0
    kept["a"], kept["b"] = x, 0.0
    kept["b"] = b
    x.fill(b)
    return np.sum(kept["a"] * w) * kept["b"]


def part_stored(w, b):
    held: list[Any] = [{}, {}]
    kept = held[0] if b > 0.0 else held[1]
    x = w * 1.0
    kept["a"] = x[1:]
    kept["n"] = 2.0
    x[1:] = x[1:] * b
    return np.sum(kept["a"]) * kept["n"]


def helper_stores(w, b):
    held: list[Any] = [{}, {}]
    kept = held[0] if b > 0.0 else held[1]

    def put(x, v):
        x[0] = v

    x = w * 1.0
    kept["a"] = x
    kept["b"] = b
    put(x, b * b)
    return np.sum(kept["a"] * w) * kept["b"]


def by_flat(w, b):
    x = w * 1.0
    held: list[Any] = [{}, {}]
    kept = held[0] if b > 0.0 else held[1]
    kept["a"] = x
    x.flat[1] = b
    return np.sum(kept["a"] * w)


def by_rows(w, b):
    x = np.outer(w, w)
    held: list[Any] = [{}, {}]
    kept = held[0] if b > 0.0 else held[1]
    kept["a"] = x
    for row in x:
        row[0] = b
    return np.sum(kept["a"] * x)


def by_real(w, b):
    x = w * 1.0
    held: list[Any] = [{}, {}]
    kept = held[0] if b > 0.0 else held[1]
    kept["a"] = x
    x.real = w * b
    return np.sum(kept["a"] * w)


def by_put(w, b):
    x = w * 1.0
    held: list[Any] = [{}, {}]
    kept = held[0] if b > 0.0 else held[1]
    kept["a"] = x
    np.put(x, [1, 2], b)
    np.fill_diagonal(x.reshape(2, 2), b)
    np.add.at(x, [3, 3], b)
    return np.sum(kept["a"] * w)


def by_star(w, b):
    x = w * 1.0
    held: list[Any] = [{}, {}]
    kept = held[0] if b > 0.0 else held[1]
    kept["a"] = x
    args = [x, w * b]
    np.copyto(*args)
    return np.sum(kept["a"] * w)


STEADY = [
    trained,
    views,
    two_names,
    listed,
    layers,
    unread,
    none_at_first,
    summed_of_items,
]
STORING = [
    stored_later,
    item_added_in_place,
    by_out,
    sorted_in_place,
    copied_to,
    filled,
    part_stored,
    helper_stores,
]
ANYHOW = [by_flat, by_rows, by_real, by_put, by_star]
W = np.array([0.7, -0.3, 0.4, 1.1])


def run(f, w, b):
    """The results of a program that is begun with the same containers."""
    KEPT.update({"a": ZEROS, "b": ZEROS, "t": ZEROS, "total": ZEROS, "last": None})
    ROWS.clear()
    return f(w, b)


def differences(f, w, b, h=1e-6):
    def at(i, d):
        shifted = w.copy()
        shifted[i] += d
        return run(f, shifted, b)

    by_w = np.array([(at(i, h) - at(i, -h)) / (2 * h) for i in range(len(w))])
    return by_w, (run(f, w.copy(), b + h) - run(f, w.copy(), b - h)) / (2 * h)


@pytest.mark.parametrize("f", STEADY + STORING + ANYHOW, ids=lambda f: f.__name__)
def test_gradients(f):
    for b in (0.6, 1.3):
        wanted, y = differences(f, W, b), run(f, W.copy(), b)
        left = repr(KEPT), len(ROWS)
        for _ in range(3):
            w = W.copy()
            found = run(lambda *args: gradient(f, *args), w, b)
            np.testing.assert_allclose(found[0], wanted[0], rtol=1e-6, atol=1e-8)
            assert found[1] == pytest.approx(wanted[1], rel=1e-6, abs=1e-8)
            assert (w == W).all() and left == (repr(KEPT), len(ROWS))
        found, back = run(lambda *args: pullback(f, *args), W.copy(), b)
        first, second = back(1.0), back(2.0)
        assert found == y
        np.testing.assert_allclose(first[1], wanted[0], rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(second[1], 2.0 * np.asarray(wanted[0]), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", STEADY + STORING, ids=lambda f: f.__name__)
def test_along_tangents(f):
    b, rng = 0.6, np.random.default_rng(0)
    dw, db = rng.standard_normal(4), 0.3
    by_w, by_b = differences(f, W, b)
    for _ in range(2):
        y, dot = run(lambda *args: jvp(f, args, (dw, db)), W.copy(), b)
        assert y == run(f, W.copy(), b)
        assert dot == pytest.approx(by_w @ dw + by_b * db, rel=1e-6, abs=1e-7)
    h = 1e-5
    ends = [run(lambda *args: gradient(f, *args), W + s * h * dw, b + s * h * db) for s in (1, -1)]
    along = run(lambda *args: hvp(f, args, (dw, db)), W.copy(), b)
    for d, high, low in zip(along, *ends, strict=True):
        np.testing.assert_allclose(d, (np.asarray(high) - low) / (2 * h), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("f", [f for f in STEADY + STORING if f is not none_at_first], ids=lambda f: f.__name__)
def test_what_arrays_are(f):
    run(lambda *args: gradient(f, *args), W.copy(), 0.6)
    kinds = {key[0] for key, found in TABLES[id(f.__code__)].entries.items() if found}
    assert kinds & {"steady", "locating"} == ({"steady"} if f in STEADY else {"locating"})


def of_params(params: Any) -> Any:
    return stepped(params)


def test_arrays_in_arguments():
    def make():
        return {"w": W.copy(), "b": 0.5 * W}

    plain = make()
    y = of_params(plain)
    for _ in range(4):
        params = make()
        before = copy.deepcopy(params)
        found, back = pullback(of_params, params)
        assert found == y
        for key in plain:
            np.testing.assert_array_equal(params[key], plain[key])
        d = back(1.0)[1]
        assert back(1.0)[1]["w"].tolist() == d["w"].tolist()
        for key in before:
            for i in range(4):
                ends = []
                for s in (1, -1):
                    shifted = copy.deepcopy(before)
                    shifted[key][i] += s * 1e-6
                    ends.append(of_params(shifted))
                assert d[key][i] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-5, abs=1e-8)


def one_in_two(params, w):
    params["a"] = params["a"] * w
    params["n"] = params["n"] + 1.0
    return np.sum(params["a"] * w) * params["n"]


def test_an_array_by_two_ways():
    for _ in range(4):
        w = W.copy()
        y, back = pullback(one_in_two, {"a": w, "n": 0.5}, w)
        d = back(1.0)
        assert y == pytest.approx(np.sum(W**3) * 1.5)
        total = d[1]["a"] + d[2] if d[1]["a"] is not None and d[2] is not None else d[2]
        assert total is not None
        by_one, by_two = W * W * 1.5, 2 * W * W * 1.5
        whole = by_one + by_two
        given = [x for x in (d[1]["a"], d[2]) if x is not None]
        fits = any([np.allclose(x, whole) for x in given]) or np.allclose(sum(given), whole)
        assert fits

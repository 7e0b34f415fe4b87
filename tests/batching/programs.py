"""Programs of single examples, as people write them: each with its stacked arguments and their axes."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import Any, NamedTuple

import numpy as np

import adjoint
from adjoint import grad, nn, vmap

RNG = np.random.default_rng(0)
ROWS, OTHERS = RNG.normal(size=(4, 3)), RNG.normal(size=(4, 3))
NUMBERS = np.abs(RNG.normal(size=4)) + 0.5
WEIGHTS, SEVERAL = RNG.normal(size=(2, 3)), RNG.normal(size=(4, 2, 3))


class Program(NamedTuple):
    """A function, its arguments, their axes, and whether it runs for all lanes together."""

    f: Any
    args: tuple[Any, ...]
    axes: Any = 0
    together: bool = True


@dataclasses.dataclass
class Point:
    x: float
    y: float

    def norm(self):
        return math.sqrt(self.x**2 + self.y**2)


class Model:
    def __init__(self):
        self.w = np.ones(3)

    def __call__(self, x):
        return np.tanh(self.w @ x)


def helper(x):
    return x * math.exp(-x)


def calls_a_helper(x):
    s = 0.0
    for i in range(3):
        s = s + helper(x) * i
    return s


def stores(v):
    out = np.zeros(3)
    for i in range(3):
        out[i] = v[i % 2] * i
    return out


def filter_by_stores(v):
    out = np.empty_like(v)
    out[0] = v[0]
    for i in range(1, len(v)):
        out[i] = out[i - 1] * 0.5 + v[i]
    return out


def rows_and_columns(v):
    w = np.zeros((2, 3))
    w[0] = v
    w[1] = v * 2
    w[:, 1] += 1
    return w


def in_place(v):
    y = v.copy()
    y += 1
    y[0] *= 3
    return y


def swaps(v):
    v = v.copy()
    v[0], v[1] = v[1], v[0]
    return v


def appends(v):
    out = []
    for e in v:
        out.append(e * e)
    return sum(out)


def runge_kutta(y0):
    f = lambda y: np.array([y[1], -y[0]])  # noqa: E731
    y, h = y0[:2], 0.1
    for _ in range(5):
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + f(y + h * k3))
    return y


def newton(a):
    x = a
    while abs(x * x - a) > 1e-10:
        x = 0.5 * (x + a / x)
    return x


def factorised(v):
    a = np.outer(v, v) + np.eye(len(v))
    return np.sum(np.log(np.diag(np.linalg.cholesky(a)))) + np.linalg.solve(a, v) @ v


def recursive(v, n=3):
    return v if n == 0 else np.sin(recursive(v, n - 1))


def softmax(v):
    e = np.exp(v - v.max())
    return e / e.sum()


def by_class(v):
    return v * (2 if type(v) is np.ndarray else 3) + isinstance(v[0], float)


def caught(a):
    try:
        return math.sqrt(a - 0.8)
    except ValueError:
        return 0.0


def branches(v):
    return v * 2 if v[0] > 0 else v


def in_a_dict(v):
    return {"sum": v.sum(), "parts": (v, 3.0, None), "list": [v[0]]}


def loss(w, x, y):
    return np.sum((np.tanh(w @ x) - y) ** 2)


def pairs(v):
    return vmap(lambda row: np.sin(v @ row) + v)(OTHERS)


MODEL = nn.Chain(nn.Dense(3, 4, np.tanh, rng=np.random.default_rng(1)), nn.Dense(4, 2, rng=np.random.default_rng(2)))


def loss_of_model(model, x, y):
    return np.sum((model(x) - y) ** 2)


PROGRAMS = {
    "helper": Program(calls_a_helper, (NUMBERS,)),
    "stores": Program(stores, (ROWS,)),
    "filter": Program(filter_by_stores, (ROWS,)),
    "rows and columns": Program(rows_and_columns, (ROWS,)),
    "in place": Program(in_place, (ROWS,)),
    "swap": Program(swaps, (ROWS,)),
    "append": Program(appends, (ROWS,)),
    "comprehension": Program(lambda v: np.array([e**2 for e in v]), (ROWS,)),
    "list of numbers": Program(lambda v: np.array([v[0] * 2, v[1], 3.0]), (ROWS,)),
    "runge-kutta": Program(runge_kutta, (ROWS,)),
    "newton": Program(newton, (np.array([2.0, 2.0, 2.0]),)),
    "newton, other rounds": Program(newton, (np.array([2.0, 3.0, 1e6]),), 0, False),
    "factors": Program(factorised, (ROWS,)),
    "recursion": Program(recursive, (ROWS,)),
    "softmax": Program(softmax, (ROWS,)),
    "softmax of columns": Program(softmax, (ROWS,), 1),
    "filter of columns": Program(filter_by_stores, (ROWS,), -1),
    "where": Program(lambda v: np.where(v > 0, v, 0.1 * v), (ROWS,)),
    "masks": Program(lambda b, v: np.where(b, v, 0), (ROWS > 0, ROWS)),
    "max and min": Program(lambda a: max(a, 0.7) + min(1.0, a), (NUMBERS,)),
    "sort": Program(lambda v: np.sort(v)[::-1] * np.arange(len(v)), (ROWS,)),
    "argmax": Program(lambda v: v[np.argmax(v)], (ROWS,)),
    "index": Program(lambda v: v[::-1][1:] * v[[0, 1]], (ROWS,)),
    "table": Program(lambda i: np.arange(5.0)[i] * 2, (np.arange(4),)),
    "integers": Program(lambda i: i // 2 + i % 3, (np.arange(4),)),
    "float32": Program(lambda v: v * 2.5 + np.float32(1), (ROWS.astype(np.float32),)),
    "complex": Program(lambda v: np.abs(np.fft.fft(v)), (ROWS,)),
    "fixed precision": Program(lambda a: round(a, 1) + float(a), (NUMBERS,)),
    "einsum": Program(lambda v, w: np.einsum("i,i->", v, w) + np.dot(v, w) + v @ w, (ROWS, OTHERS)),
    "axes 0 and 1": Program(lambda v, w: v * w, (ROWS, OTHERS.T.copy()), (0, 1)),
    "shared": Program(loss, (WEIGHTS, ROWS, ROWS[:, :2]), (None, 0, 0)),
    "partial": Program(lambda v: functools.partial(np.dot, v)(v), (ROWS,)),
    "map": Program(lambda v: sum(map(lambda e: e * 2, v)), (ROWS,)),
    "generator": Program(lambda v: sum(e * e for e in v), (ROWS,)),
    "unpacking": Program(lambda v: (lambda a, b, c: a + b * c)(*v), (ROWS,)),
    "class of a value": Program(by_class, (ROWS,), 0, False),
    "dataclass": Program(lambda v: Point(v[0], v[1]).norm(), (ROWS,)),
    "object": Program(lambda v: Model()(v), (ROWS,)),
    "object that is mapped": Program(Model(), (ROWS,)),
    "tree": Program(lambda d: d["a"] * d["b"][0], ({"a": ROWS, "b": [2.0]},), ({"a": 0, "b": None},)),
    "result in containers": Program(in_a_dict, (ROWS,)),
    "unmapped result": Program(lambda v: 3.0, (ROWS,)),
    "model": Program(loss_of_model, (MODEL, ROWS, ROWS[:, :2]), (None, 0, 0)),
    "gradient": Program(grad(loss), (WEIGHTS, ROWS, ROWS[:, :2]), (None, 0, 0)),
    "gradient of a model": Program(grad(loss_of_model), (MODEL, ROWS, ROWS[:, :2]), (None, 0, 0)),
    "gradient of stores": Program(grad(lambda v: np.sum(filter_by_stores(v) ** 2)), (ROWS,)),
    "gradient of a helper": Program(grad(calls_a_helper), (NUMBERS,)),
    "gradient within": Program(lambda v: grad(lambda u: np.sum(u**3) * v[0])(v), (ROWS,)),
    "second gradient": Program(grad(grad(helper)), (NUMBERS,)),
    "value and gradient": Program(adjoint.value_and_grad(loss, (0, 1)), (WEIGHTS, ROWS, ROWS[:, :2]), (None, 0, 0)),
    "with aux": Program(grad(lambda v: (np.sum(v**2), {"seen": v[0]}), has_aux=True), (ROWS,)),
    "jacobian": Program(adjoint.jacobian(softmax), (ROWS,)),
    "hessian": Program(adjoint.hessian(lambda v: np.sum(v**3) * v[0]), (ROWS,)),
    "jvp": Program(lambda v, d: adjoint.jvp(softmax, (v,), (d,)), (ROWS, OTHERS)),
    "hvp": Program(lambda v, d: adjoint.hvp(lambda u: np.sum(u**3), (v,), (d,)), (ROWS, OTHERS)),
    "pullback": Program(lambda v: adjoint.pullback(softmax, v)[1](v)[1], (ROWS,)),
    "mapped again": Program(vmap(loss, (None, 0, 0)), (SEVERAL, ROWS, ROWS[:, :2]), (0, None, None)),
    "pairs": Program(pairs, (ROWS,)),
    "branch": Program(branches, (ROWS,), 0, False),
    "branch that all take": Program(branches, (np.abs(ROWS),)),
    "exception": Program(caught, (np.array([0.5, 1.0, 2.0]),), 0, False),
    "mask as an index": Program(lambda v: v[v > 0].sum(), (ROWS,), 0, False),
    "texts": Program(lambda v: v * len({f"{v[0]:.1f}": 1}), (ROWS,), 0, False),
}  # fmt: skip

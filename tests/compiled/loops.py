"""Programs of loops and arrays, as people write them."""

# ruff: noqa: E741, B007, SIM
import math
from dataclasses import dataclass

import numpy as np

R = np.random.default_rng(3)
V = R.normal(size=5)
U = R.normal(size=5)
M = R.normal(size=(4, 5))
S = R.normal(size=(3, 3))
POS = np.abs(V) + 0.3
W = R.normal(size=(5, 4))
SCALE = 1.7


@dataclass
class Params:
    w: np.ndarray
    b: float


def uses_max(x):
    return np.max(x) * 2 + np.min(x * x)


def uses_ties(x):
    y = np.maximum(x, 0.0)
    return y.max() + np.min(y)


def uses_maxaxis(a):
    return np.sum(np.max(a, axis=1) ** 2) + np.sum(a.min(axis=0, keepdims=True) * a)


def uses_softmax(x):
    e = np.exp(x - np.max(x))
    p = e / np.sum(e)
    return -np.log(p[0]) * p[2]


def uses_lists(x):
    return sum([v * v for v in x]) + len(x)


def uses_lists2(x):
    ys = [math.sin(v) * i for i, v in enumerate(x)]
    return np.sum(np.array(ys) ** 2)


def uses_rows(a):
    t = 0.0
    for row in a:
        t += np.sum(row**2) * row[0]
    return t


def uses_rnn(x):
    h = np.zeros(5)
    for i in range(4):
        h = np.tanh(W @ x[:4] + h * x[i])
    return np.sum(h**2)


def uses_inplace(x):
    y = x.copy()
    for i in range(1, len(y)):
        y[i] += y[i - 1] * y[i]
    return y[-1] * y[1]


def uses_iadd(x):
    y = np.zeros(5)
    for i in range(3):
        y += x * i
        y *= np.cos(x)
    return y.sum()


def uses_slices(x):
    y = np.empty_like(x)
    y[1:] = x[1:] * x[:-1]
    y[0] = x[0]
    y[1:] += 2 * x[:-1]
    return np.sum(y[::2] ** 2) + y[::-1][0]


def uses_while(x):
    i = 0
    s = 1.0
    while s < 20.0 and i < 4:
        s = s * (1 + x[i] ** 2)
        i += 1
    return s


def uses_break(x):
    s = 0.0
    for v in x:
        if v > 1.0:
            break
        s += v * v
    return s


def uses_global(x):
    return np.sum(np.exp(x * SCALE) @ W)


def uses_record(p):
    return np.sum(p.w**2) * p.b + p.w[0]


def uses_mean(a):
    return np.mean(a) ** 2 + np.sum(a.mean(axis=0) ** 3)


def uses_pow(x):
    return np.sum(x**3.5) + x[0] ** -2 + x[1] ** 0.5 + 2.0 ** x[2]


def uses_where(x):
    return np.sum(np.where(x > 0, x**2, np.sin(x)))


def uses_clip(x):
    return np.sum(np.clip(x, -0.5, 0.5) * x)


def uses_nested(x):
    def inner(a, b=2.0):
        return a * b

    return inner(x[0]) + inner(x[1], b=x[2])


def uses_helper(x):
    return helper(x[0], x[1]) + helper(x[2], k=3)


def helper(a, k=2):
    return a * k + math.exp(a)


def uses_tuple(t):
    a, (b, c) = t
    return a * b.sum() * c


def uses_dist(a):
    n = a.shape[0]
    t = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            d = 0.0
            for k in range(a.shape[1]):
                d += (a[i, k] - a[j, k]) ** 2
            t += math.sqrt(d)
    return t


def uses_matmul(a):
    return np.sum((a @ W @ a) ** 2)


def uses_T(a):
    return np.sum(a.T @ a * S[0, 0])


def uses_broadcast(a):
    return np.sum(np.exp(a[:, None, :] - a[None, :, :]))


def uses_reshape(a):
    return np.sum(a.reshape(5, 4) @ a) + np.sum(a.ravel()[3:7] ** 2)


def uses_concat(x):
    return np.sum(np.concatenate([x, x[:2] * 3]) ** 2) + np.sum(np.stack([x, x * x])[1])


def uses_cumsum(x):
    return np.sum(np.cumsum(x) ** 2)


def uses_outer(x):
    return np.sum(np.outer(x, x) * np.outer(x, np.arange(5)))


def uses_lin(x):
    return np.sum(np.linspace(x[0], x[1], 7) ** 2)


def uses_minmax(x):
    return max(x[0], x[1], x[2]) * min(x[3], 2.0)


def uses_abs(x):
    return np.sum(np.abs(x)) + abs(x[0]) + math.fabs(x[1])


def uses_int(x):
    idx = np.array([0, 2, 2])
    return np.sum(x[idx] ** 2)


def uses_hist(x):
    h = np.zeros(3)
    for i in range(len(x)):
        h[i % 3] += x[i] ** 2
    return np.sum(h**3)


def uses_if(x):
    if x[0] > 0:
        y = x[1] * 2
        z = 1.0
    else:
        y = x[2] ** 2
        z = x[3]
    return y * z


def uses_sign(x):
    return np.sum(np.sign(x) * x) + np.floor(x[0]) * x[1]


def uses_hyp(x):
    return np.hypot(x[0], x[1]) + np.arctan2(x[0], x[2]) + np.logaddexp(x[1], x[3]) + math.atan2(x[0], x[1])


def uses_erf(x):
    return math.erf(x[0]) + np.log1p(x[1] ** 2) + np.expm1(x[2]) + np.sinh(x[3]) * np.cosh(x[3])


def uses_ode(x):
    y = x.copy()
    h = 0.1
    for _ in range(5):
        k1 = y * (1 - y)
        k2 = (y + h * k1) * (1 - (y + h * k1))
        y = y + h / 2 * (k1 + k2)
    return np.sum(y)


def uses_mlp(p, x):
    h = np.tanh(p.w * x + p.b)
    return h @ h


def uses_hmm(a):
    alpha = np.zeros((4, 5))
    alpha[0] = np.exp(a[0])
    for t in range(1, 4):
        m = np.max(a[t])
        alpha[t] = np.exp(a[t] - m) * (alpha[t - 1] @ np.ones((5, 5))) * 0.1
    return np.log(np.sum(alpha[-1]))


def uses_swap(x):
    a, b = x[0], x[1]
    for i in range(6):
        a, b = b, a * b + x[2]
    return a


def uses_unbound(x):
    for v in x:
        last = v * v
    return last


def uses_comp2(a):
    return sum([np.sum(r) ** 2 for r in a])


def uses_dict(x):
    d = {"a": x[0] * 2, "b": x[1]}
    return d["a"] * d["b"]


def uses_append(x):
    ys = []
    for v in x:
        ys.append(v * v)
    return sum(ys)


def uses_chosen_bounds(x):
    """Bounds of loops that are expressions, which loops of the reverse sweep run through from the other end."""
    y, two, three = x * 1.0, np.zeros(2), np.zeros(3)
    for i in range(3):
        for _ in x if i else two:
            y *= 0.8
        for _ in range(len(two if i < 1 else three), len(x if i > 1 else two) + 5, 2):
            y *= 1.1
        for _ in range(len(x if i else two), len(three if i < 1 else two) - 3, -2):
            y *= 1.2
    return np.sum(y)


def uses_guarded(x):
    """Entries that are asked for where they are, and are not there."""
    s, own = 0.0, np.sin(x)
    for i in range(len(x)):
        if len(x) > 9:
            s += x[9] * x[i]
        if x[i] > 1e6:
            s += x[10**9]
        if len(own) > 7:
            s += own[7] * x[i]
        if len(x) > 2:
            s += x[2] * x[i]
        s += x[i] ** 2
    return s


def uses_taps(x):
    """A filter, whose loop goes on beyond its taps."""
    h, total = x[:2], 0.0
    for lag in range(len(x)):
        acc = 0.0
        for t in range(lag, len(x)):
            if lag < len(h):
                acc += h[lag] * x[t] * x[t - lag]
        total += acc * acc
    return total


def uses_neg(x):
    return x[-1] * x[-2]


def uses_str(x, mode="a"):
    return np.sum(x) if mode == "a" else np.prod(x)


def by_solve(a, x):
    b = a @ a.T + 2.0 * np.eye(len(a))
    y = np.linalg.solve(b, x[: len(a)])
    z = np.linalg.solve(a, np.outer(x[: len(a)], x[:2]))
    return y @ y + np.sum(z * z)


def by_factorisations(a):
    b = a @ a.T + 2.0 * np.eye(len(a))
    factor = np.linalg.cholesky(b)
    sign, size = np.linalg.slogdet(a)
    return np.sum(factor * a) + sign * size + np.linalg.det(a) + np.sum(np.linalg.inv(a)[0] * a[1])


PROGRAMS = {
    uses_max: (V,),
    by_solve: (S, V),
    by_factorisations: (S,),
    uses_ties: (V,),
    uses_maxaxis: (M,),
    uses_softmax: (V,),
    uses_lists: (V,),
    uses_lists2: (V,),
    uses_rows: (M,),
    uses_rnn: (V,),
    uses_inplace: (V,),
    uses_iadd: (V,),
    uses_slices: (V,),
    uses_while: (V,),
    uses_break: (V,),
    uses_global: (V,),
    uses_record: (Params(V, 1.3),),
    uses_mean: (M,),
    uses_pow: (POS,),
    uses_where: (V,),
    uses_clip: (V,),
    uses_nested: (V,),
    uses_helper: (V,),
    uses_tuple: ((1.2, (V, 0.7)),),
    uses_dist: (M,),
    uses_matmul: (M,),
    uses_T: (S,),
    uses_broadcast: (M,),
    uses_reshape: (M,),
    uses_concat: (V,),
    uses_cumsum: (V,),
    uses_outer: (V,),
    uses_lin: (V,),
    uses_minmax: (V,),
    uses_abs: (V,),
    uses_int: (V,),
    uses_hist: (V,),
    uses_if: (V,),
    uses_sign: (V,),
    uses_hyp: (POS,),
    uses_erf: (V,),
    uses_ode: (V,),
    uses_mlp: (Params(V, 0.2), U),
    uses_hmm: (M,),
    uses_swap: (V,),
    uses_unbound: (V,),
    uses_comp2: (M,),
    uses_dict: (V,),
    uses_append: (V,),
    uses_chosen_bounds: (V,),
    uses_guarded: (V,),
    uses_taps: (V,),
    uses_neg: (V,),
    uses_str: (V,),
}

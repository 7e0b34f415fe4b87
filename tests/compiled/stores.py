"""Programs that store into arrays which they read, before and after."""

# ruff: noqa: E741, B007, SIM
import math

import numpy as np

R = np.random.default_rng(5)
V = R.normal(size=6) * 0.5
M = R.normal(size=(5, 5)) * 0.5


def by_stencil(x):
    y = x.copy()
    for _ in range(3):
        for i in range(1, len(y) - 1):
            y[i] = y[i - 1] * y[i + 1] + np.sin(y[i])
    return np.sum(y**2)


def by_ahead(x):
    y = x.copy()
    for i in range(len(y) - 1):
        y[i] = y[i + 1] * y[i]
    return np.sum(y * y)


def by_reverse(x):
    y = x.copy()
    for i in range(len(y) - 1, 0, -1):
        y[i - 1] = y[i] * y[i - 1]
    return y[0] + y[2] ** 2


def by_swap(x):
    y = x.copy()
    for i in range(3):
        t = y[i]
        y[i] = y[5 - i] ** 2
        y[5 - i] = t * y[i]
    return np.sum(y * y)


def by_bubble(x):
    y = x.copy()
    for i in range(len(y)):
        for j in range(len(y) - 1):
            if y[j] > y[j + 1]:
                t = y[j]
                y[j] = y[j + 1]
                y[j + 1] = t
    s = 0.0
    for i in range(len(y)):
        s += y[i] * y[i] * (i + 1)
    return s


def by_gauss(a):
    A = a.copy() + 5 * np.eye(5)
    n = 5
    for k in range(n):
        for i in range(k + 1, n):
            f = A[i, k] / A[k, k]
            for j in range(k, n):
                A[i, j] -= f * A[k, j]
    d = 1.0
    for k in range(n):
        d *= A[k, k]
    return d


def by_inplacechol(a):
    A = a @ a.T + 5 * np.eye(5)
    n = 5
    for j in range(n):
        for k in range(j):
            for i in range(j, n):
                A[i, j] -= A[i, k] * A[j, k]
        d = math.sqrt(A[j, j])
        for i in range(j, n):
            A[i, j] /= d
    s = 0.0
    for j in range(n):
        s += math.log(A[j, j]) * A[n - 1, j]
    return s


def by_twice(x):
    y = np.zeros(6)
    for r in range(2):
        for i in range(6):
            y[i] = y[i] * x[i] + x[i] * (r + 1)
    return np.sum(y**3)


def by_dyn(x):
    y = x.copy()
    for i in range(6):
        k = (i * i) % 4
        y[k] = y[k] * y[i]
    return np.sum(y * y)


def by_step2(x):
    y = x.copy()
    for i in range(0, 6, 2):
        y[i] = y[i] * y[i + 1]
    for i in range(5, 0, -2):
        y[i] = y[i] * y[i - 1]
    return np.sum(y * y)


def by_read_before(x):
    y = np.zeros(7)
    s = 0.0
    for i in range(6):
        s += y[i] * x[i]
        y[i + 1] = x[i] * s + x[i]
    return s


def by_rebound(x):
    h = x
    for i in range(4):
        g = h * h
        h = np.sin(g) + h[::-1] * x
    return np.sum(h)


def by_rows(a):
    b = a.copy()
    for i in range(1, 5):
        b[i] = b[i] * b[i - 1]
        b[i, 0] = b[i, 1] * 2
    return np.sum(b**2)


def by_cond(x):
    y = x.copy()
    s = 0.0
    for i in range(6):
        if y[i] > 0:
            y[i] = y[i] ** 2
            s += y[i] * y[0]
        elif i > 2:
            y[i - 1] = y[i - 1] * y[i]
            s += y[i - 1]
    return s + np.sum(y)


def by_while(x):
    y = x.copy()
    i = 0
    n = 0
    while i < 5:
        y[i] = y[i] * y[i + 1] + y[i] ** 2
        n += 1
        i += 1 if n % 2 else 2
    return np.sum(y * y)


def by_nested_while(x):
    s = 0.0
    for i in range(6):
        t = x[i]
        k = 0
        while abs(t) > 0.05 and k < 8:
            t = t * t * x[i - 1]
            k += 1
            s += t * k
    return s


def by_local(x):
    s = 0.0
    for i in range(4):
        t = np.zeros(3)
        for j in range(3):
            t[j] = x[j] * x[i]
        for j in range(1, 3):
            t[j] += t[j - 1] ** 2
        s += t[2] * t[1]
    return s


def by_localvec(x):
    s = 0.0
    for i in range(4):
        t = np.exp(x * x[i])
        u = t / np.sum(t)
        s += u[1] * u @ x
    return s


def by_fib(x):
    a, b = x[0], x[1]
    for i in range(8):
        a, b = b, a * b + x[2]
    return a * b


def by_carry_arr(x):
    u = x.copy()
    v = x * 2
    for i in range(3):
        u, v = v, u * x + v
    return np.sum(u * v)


def by_ode_ip(x):
    y = x.copy()
    n = 6
    s = 1 / 4
    for _ in range(4):
        k1 = np.zeros(n)
        k1[1:] = x[1:] * y[:-1]
        k1[0] = x[0] * y[0]
        k2 = np.zeros(n)
        z = y + s / 2 * k1
        k2[1:] = x[1:] * z[:-1]
        y = y + s * k2
    return y[-1] + y[0]


def by_breaknest(a):
    s = 0.0
    for i in range(5):
        p = 1.0
        for j in range(5):
            p *= a[i, j]
            if p < 0:
                break
            s += p * a[j, i]
    return s


def by_continue(x):
    s = 0.0
    for v in x:
        if v < 0:
            continue
        s = s * v + v
    return s


def by_elses(x):
    t = 0.0
    for i in range(6):
        if x[i] > 0.3:
            t += x[i] ** 2
        elif x[i] > 0:
            t *= x[i]
        else:
            t -= math.exp(x[i]) * t
    return t


def by_scan2(a):
    c = np.zeros((5, 5))
    for i in range(5):
        for j in range(5):
            v = a[i, j]
            if i > 0:
                v += c[i - 1, j] * 0.5
            if j > 0:
                v += np.sin(c[i, j - 1])
            c[i, j] = v * v
    return c[4, 4]


def by_mask(x):
    y = x.copy()
    y[y < 0.1] = 0.5 * x[0]
    kept = x[x > 0.0]
    return np.sum(y * y) + np.sum(kept * kept * kept) * len(kept)


def by_mask_in_rounds(x):
    y = x.copy()
    for k in range(3):
        low = y < 0.2 * k
        y[low] = y[low] * x[k] + 1.0
        y[~low] *= 1.1
    return np.sum(y * x)


def by_mask_of_matrix(a):
    b = a.copy()
    b[a > 0.3] *= 2.0
    rows = b[np.sum(a, axis=1) > 0.0]
    b[np.sum(a, axis=0) > 0.1] = 0.25
    return np.sum(rows * rows) + np.sum(b * a) + np.sum(a[a < 0.0])


def by_empty_mask(x):
    none = x[x > 100.0]
    y = x.copy()
    y[x > 100.0] = none * 2.0
    return np.sum(none) + y[0] * y[1]


PROGRAMS = {
    by_stencil: (V,),
    by_ahead: (V,),
    by_reverse: (V,),
    by_swap: (V,),
    by_bubble: (V,),
    by_gauss: (M,),
    by_inplacechol: (M,),
    by_twice: (V,),
    by_dyn: (V,),
    by_step2: (V,),
    by_read_before: (V,),
    by_rebound: (V,),
    by_rows: (M,),
    by_cond: (V,),
    by_while: (V,),
    by_nested_while: (V,),
    by_local: (V,),
    by_localvec: (V,),
    by_fib: (V,),
    by_carry_arr: (V,),
    by_ode_ip: (V,),
    by_breaknest: (M,),
    by_continue: (V,),
    by_elses: (V,),
    by_scan2: (M,),
    by_mask: (V,),
    by_mask_in_rounds: (V,),
    by_mask_of_matrix: (M,),
    by_empty_mask: (V,),
}

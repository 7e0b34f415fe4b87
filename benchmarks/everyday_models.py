"""Everyday programs: models of science."""

# ruff: noqa: B007, B905, E731, E741 - they stand as people write them

from __future__ import annotations

import abc
import functools
import math

import numpy as np
from everyday_table import program

rng = np.random.default_rng(0)


class Solver(abc.ABC):
    def __init__(self, f, dt):
        self.f, self.dt = (f, dt)

    @abc.abstractmethod
    def step(self, t, y): ...

    def solve(self, y, n):
        t = 0.0
        out = [y]
        for _ in range(n):
            y = self.step(t, y)
            t += self.dt
            out.append(y)
        return out


class RK4(Solver):
    def step(self, t, y):
        f, h = (self.f, self.dt)
        k1 = f(t, y)
        k2 = f(t + h / 2, [a + h / 2 * b for a, b in zip(y, k1)])
        k3 = f(t + h / 2, [a + h / 2 * b for a, b in zip(y, k2)])
        k4 = f(t + h, [a + h * b for a, b in zip(y, k3)])
        return [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]


class LV:
    def __init__(self, a, b, c, d):
        self.a, self.b, self.c, self.d = (a, b, c, d)

    def __call__(self, t, y):
        u, v = y
        return [self.a * u - self.b * u * v, -self.c * v + self.d * u * v]


@program(1.0, 0.5, 1.0, 0.5)
def rk4_lv(a, b, c, d):
    s = RK4(LV(a, b, c, d), 0.01)
    return sum(y[0] * y[1] for y in s.solve([1.0, 0.5], 100))


class NpEuler(Solver):
    def step(self, t, y):
        return y + self.dt * self.f(t, y)


@program(1.2, 0.3)
def np_ode(a, b):
    A = np.array([[0, 1.0], [-1, 0]])
    s = NpEuler(lambda t, y: a * A @ y - b * y, 0.01)
    return sum(float(y @ y) for y in s.solve(np.array([1.0, 0.0]), 100))


class Pendulum:
    g = 9.81

    def __init__(self, l, th):
        self.l, self.th, self.w = (l, th, 0.0)

    @property
    def energy(self):
        return 0.5 * (self.l * self.w) ** 2 - self.g * self.l * math.cos(self.th)

    def step(self, dt):
        self.w -= dt * self.g / self.l * math.sin(self.th)
        self.th += dt * self.w


class Sim:
    def __init__(self, bodies):
        self.bodies = bodies
        self.t = 0.0
        self.hist = []

    def run(self, n, dt):
        for _ in range(n):
            for b in self.bodies:
                b.step(dt)
            self.t += dt
            self.hist.append(sum(b.energy for b in self.bodies))
        return self.hist


@program(1.0, 0.3)
def pendulums(l, th):
    return sum(Sim([Pendulum(l * k, th) for k in (1, 2, 3)]).run(100, 0.01))


class Kalman:
    def __init__(self, q, r):
        self.F = np.array([[1.0, 1.0], [0.0, 1.0]])
        self.H = np.array([[1.0, 0.0]])
        self.Q = np.eye(2) * q
        self.R = np.array([[r]])
        self.x = np.zeros(2)
        self.P = np.eye(2)
        self.ll = 0.0

    def predict(self):
        self.x = self.F @ self.x
        self.P = self.F @ self.P @ self.F.T + self.Q

    def update(self, z):
        y = z - self.H @ self.x
        S = self.H @ self.P @ self.H.T + self.R
        K = self.P @ self.H.T @ np.linalg.inv(S)
        self.x = self.x + K @ y
        self.P = (np.eye(2) - K @ self.H) @ self.P
        self.ll += -0.5 * (np.log(np.linalg.det(S)) + float(y @ np.linalg.inv(S) @ y))


@program(0.1, 0.2, [float(i % 5) for i in range(50)])
def kalman(q, r, zs):
    k = Kalman(q, r)
    for z in zs:
        k.predict()
        k.update(z)
    return k.ll


class Layer:
    pass


class Lin(Layer):
    def __init__(self, W, b):
        self.W, self.b = (W, b)

    def forward(self, x):
        self.x = x
        return self.W @ x + self.b


class Relu(Layer):
    def forward(self, x):
        self.mask = x > 0
        return x * self.mask


class Net:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for l in self.layers:
            x = l.forward(x)
        return x


@program(
    Net([Lin(rng.normal(size=(8, 4)), np.zeros(8)), Relu(), Lin(rng.normal(size=(2, 8)), np.zeros(2))]),
    [rng.normal(size=4) for _ in range(20)],
)
def net_batch(net, xs):
    return sum(float(np.sum(net(x) ** 2)) for x in xs)


class Kernel:
    def __add__(self, o):
        return SumK(self, o)

    def __mul__(self, o):
        return ProdK(self, o)


class RBF(Kernel):
    def __init__(self, l):
        self.l = l

    def __call__(self, a, b):
        return math.exp(-((a - b) ** 2) / (2 * self.l**2))


class Const(Kernel):
    def __init__(self, c):
        self.c = c

    def __call__(self, a, b):
        return self.c


class SumK(Kernel):
    def __init__(self, *ks):
        self.ks = ks

    def __call__(self, a, b):
        return sum(k(a, b) for k in self.ks)


class ProdK(Kernel):
    def __init__(self, *ks):
        self.ks = ks

    def __call__(self, a, b):
        return math.prod(k(a, b) for k in self.ks)


@program(1.0, 0.5, 0.3, [0.1 * i for i in range(12)])
def gp(l1, l2, c, xs):
    k = RBF(l1) * Const(c) + RBF(l2)
    K = np.array([[k(a, b) + (0.1 if i == j else 0) for j, b in enumerate(xs)] for i, a in enumerate(xs)])
    y = np.sin(xs)
    return float(y @ np.linalg.solve(K, y) + np.linalg.slogdet(K)[1])


class Expr:
    def __add__(s, o):
        return Add(s, o)

    def __mul__(s, o):
        return Mul(s, o)


class V(Expr):
    def __init__(s, n):
        s.n = n

    def ev(s, env):
        return env[s.n]


class C(Expr):
    def __init__(s, v):
        s.v = v

    def ev(s, env):
        return s.v


class Add(Expr):
    def __init__(s, a, b):
        s.a, s.b = (a, b)

    def ev(s, env):
        return s.a.ev(env) + s.b.ev(env)


class Mul(Expr):
    def __init__(s, a, b):
        s.a, s.b = (a, b)

    def ev(s, env):
        return s.a.ev(env) * s.b.ev(env)


EX = functools.reduce(lambda e, i: e * V("x") + C(0.1 * i) * V("y"), range(10), C(1.0))


@program(0.5, 0.3)
def exprtree(x, y):
    s = 0.0
    for i in range(20):
        s += EX.ev({"x": x * i * 0.1, "y": y})
    return s


@program([[4.0, 1.0, 2.0, 0.5], [1.0, 3.0, 0.0, 1.0], [2.0, 0.0, 5.0, 1.0], [0.5, 1.0, 1.0, 4.0]])
def lu(A):
    n = len(A)
    A = [r[:] for r in A]
    det = 1.0
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(A[i][k]))
        if p != k:
            A[k], A[p] = (A[p], A[k])
            det = -det
        det *= A[k][k]
        for i in range(k + 1, n):
            m = A[i][k] / A[k][k]
            for j in range(k, n):
                A[i][j] -= m * A[k][j]
    return det

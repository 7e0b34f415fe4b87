"""Programs with state: objects with methods that store, variables that inner functions share, logs."""

from __future__ import annotations

import math

import numpy as np


class Particle:
    """A mass on a spring."""

    def __init__(self, x, v):
        self.x = x
        self.v = v

    def step(self, dt, k):
        a = -k * self.x
        self.v = self.v + dt * a
        self.x = self.x + dt * self.v


def simulation(k, n):
    """An object with two fields, and a method that stores both."""
    p = Particle(1.0, 0.0)
    for _ in range(n):
        p.step(0.01, k)
    return p.x**2


class Decay:
    """A process with a log."""

    def __init__(self, k):
        self.k = k
        self.t = 0.0
        self.x = 1.0
        self.log = []

    def step(self):
        self.x -= self.k * self.x * 0.1
        self.t += 0.1
        self.log.append(self.x)


def simulation_log(k, n):
    """An object that appends to a list of its own."""
    process = Decay(k)
    for _ in range(n):
        process.step()
    return sum(process.log) * process.x


class Kalman:
    """A filter of a position and a velocity."""

    def __init__(self, q):
        self.x = np.zeros(2)
        self.P = np.eye(2)
        self.q = q
        self.F = np.array([[1.0, 0.1], [0.0, 1.0]])
        self.H = np.array([[1.0, 0.0]])

    def predict(self):
        self.x = self.F @ self.x
        self.P = self.F @ self.P @ self.F.T + self.q * np.eye(2)

    def update(self, z):
        y = z - self.H @ self.x
        s = self.H @ self.P @ self.H.T + np.eye(1)
        gain = self.P @ self.H.T @ np.linalg.inv(s)
        self.x = self.x + gain @ y
        self.P = (np.eye(2) - gain @ self.H) @ self.P
        return (y @ y).sum()


def kalman_object(q, zs):
    """A Kalman filter in a class."""
    kalman, total = Kalman(q), 0.0
    for z in zs:
        kalman.predict()
        total += kalman.update(z)
    return total


class Adam:
    """An optimiser with two dicts, which begin empty."""

    def __init__(self, lr):
        self.lr, self.t, self.m, self.v = lr, 0, {}, {}

    def update(self, params, slopes):
        self.t += 1
        for k, g in slopes.items():
            self.m[k] = 0.9 * self.m.get(k, 0.0) + 0.1 * g
            self.v[k] = 0.999 * self.v.get(k, 0.0) + 0.001 * g * g
            m, v = self.m[k] / (1 - 0.9**self.t), self.v[k] / (1 - 0.999**self.t)
            params[k] = params[k] - self.lr * m / (np.sqrt(v) + 1e-8)


def adam_object(w, b, n):
    """Steps by an optimiser in a class, of an array and a number."""
    params, optimizer = {"w": w, "b": b}, Adam(0.01)
    for _ in range(n):
        slopes = {"w": 2.0 * params["w"] + params["b"], "b": np.sum(params["w"]) + 3.0 * params["b"]}
        optimizer.update(params, slopes)
    return np.sum(params["w"] ** 2) + params["b"] ** 2


def shared_total(x, n):
    """An inner function that adds to a variable which it shares."""
    total = 0.0

    def add(v):
        nonlocal total
        total += v * x

    for i in range(n):
        add(math.sin(x * i))
    return total


def helper_appends(x, n):
    """An inner function that appends to a list which it captures."""
    out = []

    def push(v):
        out.append(v * v)

    for i in range(n):
        push(math.sin(x + i))
    return sum(out)


def filled_argument(a, x):
    """A recurrence that is stored into an array which is given."""
    a[0] = x
    for i in range(1, len(a)):
        a[i] = a[i - 1] * 0.99 + x
    return a[-1]


def object_argument(p, k, n):
    """An object that is given, with a method that stores both of its fields."""
    p.x, p.v = 1.0, 0.0
    for _ in range(n):
        p.step(0.01, k)
    return p.x**2


class Body:
    """One of some that attract each other."""

    def __init__(self, x, m):
        self.x, self.v, self.m = x, 0.0, m

    def push(self, a, dt):
        self.v += a * dt

    def move(self, dt):
        self.x += self.v * dt


def bodies_list(g, n):
    """Objects in a list, each of which looks at all others."""
    bodies = [Body(1.5 * i, 1.0 + 0.1 * i) for i in range(5)]
    for _ in range(n):
        for b in bodies:
            a = 0.0
            for other in bodies:
                if other is not b:
                    d = other.x - b.x
                    a += g * other.m * d / (abs(d) ** 3 + 0.01)
            b.push(a, 0.05)
        for b in bodies:
            b.move(0.05)
    return bodies[0].x * bodies[-1].x


class Control:
    """A controller that is called, and remembers."""

    def __init__(self, k):
        self.k, self.sum, self.last = k, 0.0, 0.0

    def __call__(self, e):
        self.sum += e * 0.1
        change, self.last = e - self.last, e
        return self.k * e + 0.1 * self.sum + 0.01 * change


def controlled(k, n):
    """A loop around an object that is called."""
    control, x = Control(k), 0.0
    for _ in range(n):
        x += 0.1 * control(1.0 - x)
    return x


def steps(x, n):
    """A generator of floats."""
    for _ in range(n):
        x = 0.99 * x + 0.1
        yield x


def generator_loop(x, n):
    """A loop over a generator."""
    total = 0.0
    for v in steps(x, n):
        total += v * v
    return total


def generator_sum(x, n):
    """The sum of what a generator gives."""
    return sum(steps(x, n))


def generator_left(x, n):
    """A loop that leaves a generator."""
    total = 0.0
    for i, v in enumerate(steps(x, 2 * n)):
        if i == n:
            break
        total += v * v
    return total


def smoothed(values, k):
    """A generator that runs through what it is given."""
    kept = 0.0
    for v in values:
        kept = (1.0 - k) * kept + k * v
        yield kept


def generator_pipeline(x, n):
    """Generators that run through each other, of which a part is taken."""
    return sum(a * b for a, b in zip(smoothed(steps(x, n), 0.3), range(n), strict=False) if a > 0.1)


def endless(x):
    """A generator that does not end."""
    while True:
        yield x
        x = 0.9 * x + 0.01


def generators_in_turns(x, n):
    """Items of two generators, one by one."""
    values, weights = endless(x), endless(x * x)
    total = next(values)
    for _ in range(n):
        total += next(values) * next(weights)
    return total


class Course:
    """An object that is run through by a generator."""

    def __init__(self, x, n):
        self.x = x
        self.n = n

    def __iter__(self):
        for i in range(self.n):
            yield self.x * i
            yield self.x + i


def iterated_object(x, n):
    """A loop over an object whose `__iter__` is a generator."""
    total = 0.0
    for v in Course(x, n):
        total += v * v
    return total

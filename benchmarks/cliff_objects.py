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

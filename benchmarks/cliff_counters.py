"""Programs that note something besides: counters, histories, settings; each is cheap, and was why all was recorded."""

from __future__ import annotations

import functools
import json
import re

import numpy as np

CALLS = 0
HISTORY: list[float] = []


def global_counter(x, n):
    """A global name counts the rounds."""
    global CALLS
    total = 0.0
    for i in range(n):
        CALLS += 1
        total += x * i
    return total


def function_counter(x, n):
    """An attribute of the function counts its calls."""
    function_counter.calls += 1
    return sum([x * i * x for i in range(n)])


function_counter.calls = 0


def counted(f):
    """A wrapper that counts."""

    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return f(*args, **kwargs)

    wrapper.calls = 0
    return wrapper


@counted
def square(x):
    return x * x


def decorated_counter(x, n):
    """A function that is called through the wrapper."""
    total = 0.0
    for i in range(n):
        total += square(x * i)
    return total


class Counted:
    """A callable that counts, as an optimizer is handed."""

    def __init__(self, f):
        self.f = f
        self.calls = 0

    def __call__(self, *args):
        self.calls += 1
        return self.f(*args)


COUNTED = Counted(lambda v: v * v)


def callable_counter(x, n):
    """A global object that counts its calls."""
    total = 0.0
    for i in range(n):
        total += COUNTED(x * i)
    return total


@np.errstate(all="ignore")
def log_sum(x):
    return np.sum(np.log(x))


def settings_decorated(x, n):
    """A function under settings of NumPy's, by a decorator."""
    total = 0.0
    for i in range(n):
        total += log_sum(x) * i
    return total


def texts_read(x, n):
    """Settings from JSON, and numbers from texts."""
    config = json.loads('{"rate": 0.5, "names": ["k1", "k2"]}')
    total = 0.0
    for name in config["names"] * n:
        match = re.match(r"k(\d)", name)
        total += x * config["rate"] * int(match.group(1))
    return total


PROGRAMS = {
    global_counter: ((0.5, 300), 8.0),
    function_counter: ((0.5, 300), 8.0),
    decorated_counter: ((0.5, 300), 8.0),
    callable_counter: ((0.5, 300), 8.0),
    settings_decorated: ((np.linspace(0.1, 1.0, 50), 20), 8.0),
    texts_read: ((0.5, 50), 30.0),  # what JSON gives, only the run shows
}
"""Each with its arguments, and the ratio that it may have."""

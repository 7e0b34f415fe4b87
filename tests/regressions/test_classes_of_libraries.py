"""Objects of an installed library's classes that a program makes for itself: they are their fields, as others are."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from adjoint.derivatives import choice
from adjoint.testing import check_gradient

from .differences import check

LIBRARY = """
import abc

import numpy as np

MADE = []
LAST = None


class Kernel(metaclass=abc.ABCMeta):
    scale = 1.0

    def __init__(self, length, bounds=(1.0, 2.0)):
        self.length = length
        self.bounds = bounds

    @abc.abstractmethod
    def __call__(self, X): ...

    @property
    def half(self):
        return self.length / 2.0

    @half.setter
    def half(self, value):
        self.length = 2.0 * value

    def __add__(self, other):
        return Sum(self, other if isinstance(other, Kernel) else Linear(other))

    def __mul__(self, other):
        return NotImplemented

    def __rmul__(self, other):
        return type(self)(self.length * other)

    def __iadd__(self, other):
        self.length = self.length + other
        return self

    def set_params(self, **params):
        for key, value in params.items():
            setattr(self, key, value)
        return self


class Linear(Kernel):
    def __call__(self, X):
        return X * self.length * self.scale


class Powers(Kernel):
    def __init__(self, length, bounds=(1.0, 2.0), nu=1.5):
        super().__init__(length, bounds)
        self.nu = nu

    def __call__(self, X):
        K = np.outer(X, X) * self.length**self.nu
        np.fill_diagonal(K, 1.0)
        return K * self.scale


class Sum(Kernel):
    def __init__(self, first, second):
        self.first, self.second = first, second

    def __call__(self, X):
        return self.first(X) + self.second(X)


class Total:
    __slots__ = ("rate", "sum")

    def __init__(self, rate):
        self.rate, self.sum = rate, 0.0

    def add(self, x):
        self.sum += x * self.rate


class Walk:
    def __init__(self, rate):
        self.rate, self.seen = rate, []

    def step(self, x):
        self.seen.append(x * self.rate)
        return self


class Listed:
    def __init__(self, rate):
        self.rate = rate
        MADE.append(self)


class Counted:
    n = 0

    def __init__(self, rate):
        Counted.n += 1
        self.rate = rate * Counted.n


class Remembered:
    def __init__(self, rate):
        global LAST
        self.rate = rate
        LAST = self


class Tripling:
    def __init__(self, rate):
        self.rate = rate

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 3.0)


class Growing:
    def __init__(self, rate):
        self.rate = rate

    def __bool__(self):
        self.rate = self.rate + 1.0
        return True


def configure(scale):
    Kernel.scale = scale


def double_all():
    for x in MADE:
        x.rate = x.rate * 2.0


def triple_last():
    LAST.rate = LAST.rate * 3.0


def exchange():
    plain, Linear.__call__ = Linear.__call__, lambda self, X: X * self.length * 7.0
    return plain


def put_back(plain):
    Linear.__call__ = plain


def triple(x):
    x.length = x.length * 3.0


def put_first(K, value):
    K[0] = value


def steps(x, n):
    for i in range(n):
        yield x.length * i


class changed:
    def __enter__(self):
        self.plain, Linear.__call__ = Linear.__call__, lambda self, X: X * self.length * 7.0

    def __exit__(self, *error):
        Linear.__call__ = self.plain
"""
L: Any = ModuleType("made_for_this_test")
X = np.array([0.3, 0.9, 1.4])


@pytest.fixture(scope="module", autouse=True)
def library(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path: Path = tmp_path_factory.mktemp("installed") / "site-packages"
    path.mkdir()
    (path / "library_of_kernels.py").write_text(LIBRARY)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(path)
        patch.setattr(sys.modules[__name__], "L", importlib.import_module("library_of_kernels"))
        yield


def of_a_base(p):
    return L.Powers(p[0])(X).sum() * p[1]


def by_a_property(p):
    k = L.Linear(p[0])
    k.half = p[1] * k.half
    return k(X).sum() * k.length


def by_names(p):
    return L.Linear(p[0]).set_params(length=p[1] * p[0])(X).sum()


def in_slots(p):
    total = L.Total(p[0])
    for i in range(3):
        total.add(p[1] * i)
    return total.sum


def with_a_list(p):
    walk = L.Walk(p[0])
    walk.step(p[1]).step(2.0)
    return sum(walk.seen) * len(walk.seen)


def of_one_of_two(p):
    k = L.Linear(p[0]) if p[1] > 0 else L.Powers(p[0])
    k.length = k.length * p[1]
    return k(X).sum()


def in_turns(p):
    return sum(L.steps(L.Linear(p[0]), 4)) * p[1]


def under_another_setting(p):
    k = L.Linear(p[0])
    y = k(X).sum()
    L.configure(3.0)
    z = k(X).sum()
    L.configure(1.0)
    return y * z * p[1]


def stored_into_by_a_function(p):
    k = L.Linear(p[0])
    L.triple(k)
    return k(X).sum() * p[1]


def an_array_that_a_function_stores_into(p):
    K = X * p[0]
    L.put_first(K, p[1])
    return (K * K).sum()


def new_field(p):
    k = L.Linear(p[0])
    k.extra = p[1]
    return k.extra * k.length * len(vars(k))


def of_two(p):
    return (L.Linear(p[0]) + L.Powers(p[1]))(X).sum()


def of_many(p):
    k = L.Linear(p[0])
    for i in range(3):
        k = k + L.Linear(p[1] * i)
    return k(X).sum()


def from_the_right(p):
    return (p[1] * 2.0 * L.Linear(p[0]))(X).sum()


OWN = [
    of_two,
    *(of_a_base, by_a_property, by_names, in_slots, with_a_list, in_turns),
    *(stored_into_by_a_function, an_array_that_a_function_stores_into, new_field),
]


def a_sum(p):
    return (L.Linear(p[0]) + L.Linear(p[1]) + 2.0)(X).sum() * p[1]


def seen_by_a_list(p):
    L.MADE.clear()
    x = L.Listed(p[0])
    L.double_all()
    return x.rate * p[1]


def counted(p):
    L.Counted.n = 0
    return L.Counted(p[0]).rate * L.Counted(p[1]).rate


def seen_by_a_global_name(p):
    x = L.Remembered(p[0])
    L.triple_last()
    return x.rate * p[1]


def with_stores_of_its_own(p):
    x = L.Tripling(p[0])
    x.rate = p[1]
    return x.rate * p[0]


def changed_by_a_question(p):
    x = L.Growing(p[0])
    return x.rate * p[1] if x else 0.0


def with_another_method(p):
    k = L.Linear(p[0])
    y = k(X).sum()
    with L.changed():
        z = k(X).sum()
    return y * z * p[1]


def exchanged_by_a_function(p):
    k = L.Linear(p[0])
    y = k(X).sum()
    plain = L.exchange()
    z = k(X).sum()
    L.put_back(plain)
    return y * z * p[1]


def in_place(p):
    k = L.Linear(p[0])
    same = k
    k += p[1]
    return k(X).sum() * same.length


def by_two_names(p):
    k = L.Linear(p[0])
    same = {"k": k}
    same["k"].length = p[1]
    return k(X).sum() * p[0]


def abstract(p):
    try:
        L.Kernel(p[0])
    except TypeError:
        return p[0] * p[1]
    return p[0]


SEEN = [
    *(a_sum, of_one_of_two, seen_by_a_list, counted, seen_by_a_global_name, with_stores_of_its_own),
    *(changed_by_a_question, with_another_method, by_two_names, abstract),
    *(under_another_setting, exchanged_by_a_function, in_place, of_many, from_the_right),
]


@pytest.mark.parametrize("f", OWN)
def test_its_structure_is_reversed(f: Any) -> None:
    for _ in range(2):
        check(f, np.array([0.7, 1.3]))
    assert not choice.has_been_recorded(f, (np.array([0.7, 1.3]),))


@pytest.mark.parametrize("f", OWN + SEEN)
@pytest.mark.parametrize("at", [(0.7, 1.3), (1.1, 0.6)])
def test_derivatives_are_those_of_differences(f: Any, at: Any) -> None:
    check(f, np.array(at))
    check_gradient(f, np.array(at), order=2)

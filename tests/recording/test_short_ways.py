"""Operations of recordings that most programs have: attributes, keywords, managers, arguments of far-reaching
functions."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import numpy as np
import pytest

from adjoint.recording import aliases
from adjoint.recording.entry import recorded as run_recorded
from adjoint.testing import check_gradient


class Guard:
    """A descriptor that watches stores, and leaves the value where it was."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __set__(self, owner: Any, value: Any) -> None:
        owner.__dict__[self.name] = value
        owner.__dict__["times"] = owner.__dict__.get("times", 0) + 1


class Slotted:
    __slots__ = ("a", "b")
    scale = 2.0

    def __init__(self, a: Any) -> None:
        self.a = a


class Text(str):
    __slots__ = ()
    size = 1.5


class Plain:
    rate = 0.5
    count = 0
    kept = Guard()

    def __init__(self, x: Any) -> None:
        self.kept = x
        self.x = x

    @property
    def double(self) -> Any:
        return 2.0 * self.x

    def method(self) -> Any:
        return self.x * self.rate


def attributes(x: float) -> float:
    try:
        s, p = Slotted(x), Plain(x * x)
        s.b = s.a * s.scale
        p.rate = x
        p.count += 1
        total = s.a * s.b + p.kept * p.times + p.double + p.method() + p.count
        total += getattr(p, "rate", 1.0) * getattr(p, "missing", x) + getattr(s, "b")  # noqa: B009
        total += 1.0 if hasattr(p, "double") and not hasattr(s, "c") and not hasattr(p, "absent") else 100.0
        del s.b
        total += 0.0 if hasattr(s, "b") else x
        total += Text("abc").size * x
    except* KeyError:
        total = 0.0
    return total


def class_attributes(x: float) -> float:
    class Own:
        scale = 1.0

    try:
        Own.scale = x * x
        own = Own()
        total = own.scale * x
        own.scale = 3.0 * x
        total += own.scale + Own.scale
        del own.scale
        total += own.scale
    except* KeyError:
        total = 0.0
    return total


def options(a: Any, *rest: Any, b: Any = 1.0, **others: Any) -> Any:
    return a * b + sum(rest) * sum(others.values())


def keywords(x: float) -> float:
    try:
        first, second, row = {"b": x * x, "c": 2.0 * x}, {"d": x}, (x, 3.0)
        total = options(x, **first, **second) + options(*row, x, e=x * 2.0, **second) + options(*[x, x], **first)
        second["d"] = 5.0
        (a, b), (c, *d) = row, (x, total, 1.0)
        total += a * b * c + sum(d)
        e, f = x * 2.0, total
        total += e * f
    except* KeyError:
        total = 0.0
    return total


def managed(x: float) -> float:
    total = 0.0
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            total += x * np.log(np.array([x, 2.0]))[0]
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            warnings.warn("said", UserWarning, stacklevel=1)
        total += x * len(found)
        try:
            with np.errstate(divide="raise"):
                total += float(np.array([x])[0] / np.array([0.0])[0])
        except FloatingPointError:
            total += x * x
    except* KeyError:
        total = 0.0
    return total


def signatures(x: float) -> float:
    try:
        names = [p.name for p in inspect.signature(options).parameters.values() if p.kind is not p.VAR_POSITIONAL]
        total = x * len(names)
    except* KeyError:
        total = 0.0
    return total


def texts(x: float) -> float:
    try:
        words = " a, b ,c".strip().split(",", 2)
        total = x * len(words) + x * "a-b".count("-") + (x if words[0].startswith("a") else 0.0)
    except* KeyError:
        total = 0.0
    return total


@pytest.mark.parametrize("f", [attributes, class_attributes, keywords, managed, signatures, texts])
def test_programs(f: Any) -> None:
    for x in (0.7, 1.9):
        check_gradient(f, x)
        y, back, _ = run_recorded(f, x)
        assert y == f(x)
        assert back(1.0) == back(1.0)


FAR = [[float(i), str(i)] for i in range(2000)]
SHARED = np.array([1.0, 2.0, 3.0])


def far(x: Any) -> Any:
    try:
        y = x * FAR[3][0] + SHARED
        y[0] = x[1]
    except* KeyError:
        y = x
    return np.sum(y * x)


def storing(x: Any) -> Any:
    try:
        x[0] = x[1] * x[2] + len(FAR)
    except* KeyError:
        pass
    return np.sum(x * SHARED)


def test_functions_that_reach_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their arguments count as met elsewhere: nothing else becomes of them."""
    for x in (np.array([0.5, 1.5, 2.5]), SHARED, np.arange(6.0)[::2]):
        for f in (far, storing):
            found = []
            for most in (aliases.MAX_REACHED, 10**9, 0):
                monkeypatch.setattr(aliases, "MAX_REACHED", most)
                given = x if f is far else x.copy()
                y, back, _ = run_recorded(f, given)
                found.append((y, back(1.0)[1].tolist(), back(1.0)[1].tolist(), given.tolist()))
            assert found[0] == found[1] == found[2]

"""Programs that call a library in Python that is installed: its code is read as the user's own is."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from adjoint import grad, pullback
from adjoint.derivatives import choice
from adjoint.derivatives.choice import generated_for, is_structured_call
from adjoint.errors import AdjointError

LIBRARY = """
import numpy as np

SEEN = []


def float_like(value, name, optional=False, strict=False):
    if optional and value is None:
        return None
    if isinstance(value, (int, np.integer, float, np.inexact)) and not isinstance(value, bool):
        return float(value)
    raise TypeError(f"{name} must be float_like")


def checked_shape(a, kind, n):
    if kind == "diag":
        if len(a.shape) != 2 or a.shape[1] != n:
            raise ValueError("wrong shape")
    elif kind == "full":
        raise ValueError("not here")
    return True


def blocks(values, n):
    d = np.zeros((n, n))
    for i, v in enumerate(values.ravel()):
        d[i, i] = v
    return d


def noise(dim, dt=1.0, var=1.0):
    if dim not in (2, 3):
        raise ValueError("dim")
    return blocks(np.arange(1.0, dim + 1) * dt, dim) * var


def filled(a):
    b = a.ravel()
    b[0] = 7.0
    return b


def logged(n):
    SEEN.append(n)
    return n * 2.0


def unnamed(flag):
    if flag:
        nowhere
    return 2.0


class Log:
    def inverse(self, z):
        return np.exp(z)


class Family:
    links = [Log]

    def __init__(self, link):
        self.link = link

    def _set(self, link):
        self._link = link
        if not isinstance(link, Log):
            raise TypeError("no link")

    def _get(self):
        return self._link

    link = property(_get, _set)

    def loglike(self, y, mu, scale=1.0):
        return np.sum((y * np.log(mu) - mu) / scale)


class Model:
    def __init__(self, y, x, family, scaletype=None):
        self.y, self.x, self.family, self.scaletype = y, x, family, scaletype

    def scale(self, mu):
        if not self.scaletype:
            return 1.0 if isinstance(self.family, Family) else np.sum(mu)
        return self.scaletype

    def asked(self, flag):
        self.nowhere
        return 2.0

    def loglike(self, params, scale=None):
        scale = float_like(scale, "scale", optional=True)
        mu = self.family.link.inverse(np.dot(self.x, params))
        if scale is None:
            scale = self.scale(mu)
        return self.family.loglike(self.y, mu, scale)


class Filter:
    def __init__(self, n):
        self.n = n
        self.x = np.zeros((n, 1))
        self.P = np.eye(n)
        self.steps = 0
        self._seen = None

    @property
    def seen(self):
        if self._seen is None:
            self._seen = self.x[0, 0] ** 2
        return self._seen

    def step(self, z):
        gain = self.P / (1.0 + self.P)
        self.x = self.x + gain @ (z - self.x)
        self.P = self.P - gain @ self.P
        self.steps += 1
        self._seen = None
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    file: Path = tmp_path_factory.mktemp("lib") / "site-packages" / "installed_models.py"
    file.parent.mkdir()
    file.write_text(LIBRARY)
    spec = importlib.util.spec_from_file_location("installed_models", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["installed_models"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["installed_models"]


def slopes(f: Any, x: Any, h: float = 1e-6) -> Any:
    steps = np.eye(x.size) * h
    return np.array([(f(x + s.reshape(x.shape)) - f(x - s.reshape(x.shape))) / (2 * h) for s in steps]).reshape(x.shape)


def check(f: Any, x: Any, structured: bool = True) -> None:
    choice.forget()
    assert is_structured_call(f, (x.copy(),)) is structured
    np.testing.assert_allclose(grad(f)(x.copy()), slopes(f, x), rtol=1e-5, atol=1e-6)
    y, back = pullback(f, x.copy())
    assert y == f(x)
    np.testing.assert_array_equal(back(1.0)[1], back(1.0)[1])


POINT = np.array([0.3, -0.2])


@pytest.mark.parametrize("scaletype", [None, 2.0])
def test_a_method_finds_what_a_property_gives(library: ModuleType, scaletype: Any) -> None:
    rng = np.random.default_rng(0)
    model = library.Model(rng.random(5), rng.random((5, 2)), library.Family(library.Log()), scaletype)
    check(model.loglike, POINT)
    found = generated_for(model.loglike, (POINT,), {}, None)
    assert found is not None and found[1].resolved and not found[1].has_effects


def test_a_link_that_is_set_anew_is_seen(library: ModuleType) -> None:
    class Half(library.Log):  # type: ignore[name-defined, misc]
        def inverse(self, z: Any) -> Any:
            return np.exp(z / 2)

    model = library.Model(np.ones(3), np.ones((3, 2)), library.Family(library.Log()))
    check(model.loglike, POINT)
    model.family.link = Half()
    check(model.loglike, POINT)
    model.scaletype = 3.0
    check(model.loglike, POINT)


def test_options_decide_what_a_validating_function_gives(library: ModuleType) -> None:
    def loss(x: Any, scale: Any = None) -> Any:
        scale = library.float_like(scale, "scale", optional=True)
        return np.sum(x**2) if scale is None else np.sum(x**3) * scale

    check(loss, POINT)
    check(lambda x: loss(x, 2.0), POINT)
    with pytest.raises(TypeError, match="scale must be float_like"):
        grad(lambda x: loss(x, "two"))(POINT)


def test_what_is_not_there_is_asked_for(library: ModuleType) -> None:
    model = library.Model(np.ones(3), np.ones((3, 2)), library.Family(library.Log()))
    with pytest.raises(NameError, match="nowhere"):
        grad(lambda x: np.sum(x) * library.unnamed(True))(POINT)
    with pytest.raises(AttributeError, match="nowhere"):
        grad(lambda x: np.sum(x) * model.asked(True))(POINT)


def test_validation_only_computes(library: ModuleType) -> None:
    def loss(x: Any) -> Any:
        a = np.ones((3, 2))
        library.checked_shape(a, "diag", 2)
        return sum([library.noise(dim=2, dt=0.5)[i, i] * v**2 for i, v in enumerate(x)])

    check(loss, POINT)


def test_an_object_of_a_library_is_its_fields(library: ModuleType) -> None:
    def loss(x: Any) -> Any:
        kf = library.Filter(2)
        kf.P = kf.P * x[0]
        total = 0.0
        for z in (1.0, 2.0, 0.5):
            kf.step(z * x[1])
            total = total + kf.seen + kf.seen * kf.steps
        return total

    check(loss, np.array([0.7, 1.2]))


def test_what_a_library_remembers_is_remembered_once(library: ModuleType) -> None:
    def loss(x: Any) -> Any:
        return np.sum(x**2) * library.logged(1)

    for _ in range(3):
        library.SEEN.clear()
        np.testing.assert_allclose(grad(loss)(POINT), 4 * POINT)
        assert library.SEEN == [1]


def test_what_a_library_stores_into_is_never_missed(library: ModuleType) -> None:
    def loss(x: Any) -> Any:
        w = np.array([1.0, 2.0])
        y = x * w
        return (y * library.filled(w)).sum()

    w = np.array([1.0, 2.0])

    def of_captured(x: Any) -> Any:
        y = x * w
        return (y * library.filled(w)).sum()

    np.testing.assert_allclose(grad(loss)(POINT), slopes(loss, POINT), rtol=1e-6)
    try:
        np.testing.assert_allclose(grad(of_captured)(POINT), np.array([7.0, 4.0]), rtol=1e-6)
    except AdjointError:
        np.testing.assert_array_equal(w, [1.0, 2.0])

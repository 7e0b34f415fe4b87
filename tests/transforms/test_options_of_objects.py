"""Flags, texts and lists of names that captured objects hold: programs are made for their values, under guards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, hessian, hvp, jacobian, jvp
from adjoint.derivatives import choice

X = np.linspace(-2.0, 2.0, 9)


def peak(x: Any, height: Any, centre: Any, width: Any) -> Any:
    return height * np.exp(-((x - centre) ** 2) / (2 * width**2))


class Settings:
    def __init__(self) -> None:
        self.loss, self.normalise, self.scale = "huber", True, 2.0
        self.names = ["height", "centre", "width"]
        self.prefix = "g"

    def of(self, r: Any) -> Any:
        if self.loss == "huber":
            found = np.sum(np.where(np.abs(r) < 1.0, r**2, 2 * np.abs(r) - 1.0))
        elif self.loss == "square":
            found = np.sum(r**2)
        else:
            found = np.sum(r) * len(self.loss)
        return found / len(r) if self.normalise else found * self.scale


class Fields:
    def __init__(self, **fields: Any) -> None:
        for name, value in fields.items():
            setattr(self, name, value)


SETTINGS, OTHER = Settings(), Settings()
NAMES = ("height", "centre", "width")
FLAG = True


def flags(p: Any) -> Any:
    return SETTINGS.of(peak(X, *p) - 0.3) + OTHER.of(p)


def by_dict(p: Any) -> Any:
    return np.sum(peak(X, **dict(zip(SETTINGS.names, p, strict=False))) ** 2)


def by_comprehension(p: Any) -> Any:
    given = {name: value * 2.0 for name, value in zip(NAMES, p, strict=False)}
    return np.sum(peak(X, **given)) + given["width"] * len(given)


def by_prefix(p: Any) -> Any:
    given = {f"{SETTINGS.prefix}_{name}": value for name, value in zip(SETTINGS.names, p, strict=False)}
    given["other"] = p[0] ** 2
    own = {key[len(SETTINGS.prefix) + 1 :]: v for key, v in given.items() if key.startswith(SETTINGS.prefix + "_")}
    return np.sum(peak(X, **own) ** 2) * given["other"]


def by_fields(p: Any) -> Any:
    made = Fields()
    for name, value in zip(SETTINGS.names, p, strict=False):
        setattr(made, name, value)
    return np.sum(peak(X, made.height, made.centre, made.width) ** 2)  # type: ignore[attr-defined]


PROGRAMS = [flags, by_dict, by_comprehension, by_prefix, by_fields]
AT = np.array([1.1, 0.2, 0.9])


@pytest.fixture(autouse=True)
def as_before() -> Any:
    yield
    for settings in (SETTINGS, OTHER):
        vars(settings).update(vars(Settings()))
    globals()["NAMES"] = ("height", "centre", "width")


def differences(f: Callable[[Any], Any], x: Any, h: float = 1e-6) -> Any:
    return np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])


def check(f: Callable[[Any], Any], at: Any = AT) -> None:
    for _ in range(2):
        assert np.allclose(grad(f)(at.copy()), differences(f, at), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", PROGRAMS)
def test_derivatives(f: Callable[[Any], Any]) -> None:
    check(f)
    v = np.array([0.3, -1.0, 0.5])
    assert np.allclose(jvp(f, (AT.copy(),), (v,))[1], differences(f, AT) @ v, rtol=1e-5)
    ends = [grad(f)(AT + h * v) for h in (1e-5, -1e-5)]
    assert np.allclose(hvp(f, (AT.copy(),), (v,))[0], (ends[0] - ends[1]) / 2e-5, rtol=1e-4, atol=1e-5)
    assert not choice.was_recorded(f)


@pytest.mark.parametrize("f", PROGRAMS)
def test_values_that_change(f: Callable[[Any], Any]) -> None:
    check(f)
    for name, value in [("loss", "square"), ("normalise", False), ("loss", "none"), ("prefix", "other"), ("scale", 3)]:
        setattr(SETTINGS, name, value)
        check(f)
    SETTINGS.names.reverse()
    check(f)
    SETTINGS.names[0], SETTINGS.names[1] = SETTINGS.names[1], SETTINGS.names[0]
    check(f)
    OTHER.loss, OTHER.normalise = "square", 0  # type: ignore[assignment]
    check(f)
    for i in range(6):
        SETTINGS.loss = "x" * i
        check(f)
    SETTINGS.names = ["height", "centre", "width"]
    check(f)
    globals()["NAMES"] = ("centre", "height", "width")
    check(f)


def test_second_derivatives_after_values_have_changed() -> None:
    def of_global(p: Any) -> Any:
        return np.sum(np.sin(p)) if SETTINGS.loss == "huber" else np.sum(p**3)

    made = Settings()

    def of_captured(p: Any) -> Any:
        return np.sum(np.sin(p)) if made.loss == "huber" else np.sum(p**3)

    for f, settings in ((of_global, SETTINGS), (of_captured, made)):
        assert np.allclose(hessian(f)(AT), np.diag(-np.sin(AT)))
        settings.loss = "other"
        assert np.allclose(hessian(f)(AT), np.diag(6 * AT))
        assert np.allclose(jacobian(grad(f))(AT), np.diag(6 * AT))
        assert np.allclose(hvp(f, (AT,), (AT,))[0], 6 * AT * AT)


def test_other_numbers_of_values() -> None:
    def given(p: Any) -> Any:
        found = dict(zip(SETTINGS.names, p, strict=False))
        return sum(value * (i + 1) for i, value in enumerate(found.values())) + len(found) * p[0]

    def fields(p: Any) -> Any:
        made = Fields(height=1.0, centre=2.0, width=3.0)
        for name, value in zip(SETTINGS.names, p, strict=False):
            setattr(made, name, value**2)
        return made.height + 2 * made.centre * made.width  # type: ignore[attr-defined]

    for f in (given, fields):
        for n in (3, 2, 5, 1, 3):
            check(f, np.arange(1.0, 1.0 + n))
    SETTINGS.names.append("height")
    for f in (given, fields):
        check(f, np.arange(1.0, 5.0))


def test_names_that_the_program_changes() -> None:
    made = Settings()

    def f(p: Any) -> Any:
        made.names.append("more")
        found = dict(zip(made.names, p, strict=False))
        made.names.pop(0)
        return sum(found.values()) * len(made.names) + found["height"] ** 2 if "height" in found else p[0]

    at, plain = np.array([0.5, 1.5, 2.5, 3.5]), Settings()
    for _ in range(3):
        made.names = ["height", "b"]
        grad_at = grad(f)(at.copy())
        made.names = ["height", "b"]
        expected = []
        for e in np.eye(4):
            ends = []
            for h in (1e-6, -1e-6):
                made.names = ["height", "b"]
                ends.append(f(at + h * e))
            expected.append((ends[0] - ends[1]) / 2e-6)
        assert np.allclose(grad_at, expected, rtol=1e-5)
    assert plain.names == ["height", "centre", "width"]


def switch() -> None:
    SETTINGS.normalise = not SETTINGS.normalise


def test_flags_that_a_plain_call_changes() -> None:
    def f(p: Any) -> Any:
        before = SETTINGS.of(p)
        switch()
        return before + SETTINGS.of(p)

    for _ in range(3):
        assert np.allclose(grad(f)(AT.copy()), differences(f, AT), rtol=1e-5)


def test_arguments_are_not_told_by_their_options() -> None:
    def f(p: Any, settings: Any) -> Any:
        return settings.of(p)

    for i in range(8):
        settings = Settings()
        settings.loss, settings.normalise = "ab" * i, bool(i % 2)
        found = grad(f)(AT.copy(), settings)
        assert np.allclose(found, differences(lambda p: settings.of(p), AT), rtol=1e-5)  # noqa: B023

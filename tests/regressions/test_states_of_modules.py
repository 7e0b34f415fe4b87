"""What modules hold, where functions bind it anew: it may have been None, a text, a flag or a function before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from adjoint import gradient, jvp
from adjoint.recording.entry import recorded

from . import settings

RESULT: Any = None
MODE: Any = "plain"
FLAG: Any = False
HOOK: Any = settings.constant


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    global RESULT, MODE, FLAG, HOOK
    settings.reset()
    RESULT, MODE, FLAG, HOOK = None, "plain", False, settings.constant
    OfClasses.level = None
    Shares.fields.clear()
    yield


def renew(x: Any) -> None:
    global RESULT, MODE, FLAG, HOOK
    RESULT = x * x
    MODE = x * x
    FLAG = x * x
    HOOK = lambda: x * x  # noqa: E731


def by_none(x: Any) -> Any:
    renew(x)
    return RESULT


def by_text(x: Any) -> Any:
    renew(x)
    return MODE


def by_flag(x: Any) -> Any:
    renew(x)
    return FLAG * 1.0


def by_function(x: Any) -> Any:
    renew(x)
    return HOOK()


def of_another_module(x: Any) -> Any:
    settings.renew(x)
    return settings.result


def number_of_another_module(x: Any) -> Any:
    settings.renew(x)
    return settings.scale


def stored_in_another_module(x: Any) -> Any:
    settings.latest = x * x
    return settings.latest


def text_of_another_module(x: Any) -> Any:
    settings.mode = x * x
    return settings.mode


def flag_of_another_module(x: Any) -> Any:
    settings.flag = x * x
    return 1.0 * settings.flag


def function_of_another_module(x: Any) -> Any:
    settings.hook = lambda: x * x
    return settings.hook()


class Shares:
    """All objects have one dict."""

    fields: dict[str, Any] = {}

    def __init__(self) -> None:
        self.__dict__ = self.fields


def in_a_shared_dict(x: Any) -> Any:
    a = Shares()
    a.v = x * x  # type: ignore[attr-defined]
    return Shares().v  # type: ignore[attr-defined]


class OfClasses(type):
    level: Any = None


class Levelled(metaclass=OfClasses):
    pass


def in_the_class_of_a_class(x: Any) -> Any:
    OfClasses.level = x * x
    return Levelled.level


PROGRAMS = [
    by_none, by_text, by_flag, by_function, of_another_module, number_of_another_module, stored_in_another_module,
    text_of_another_module, flag_of_another_module, function_of_another_module, in_a_shared_dict,
    in_the_class_of_a_class,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_recorded(f: Any) -> None:
    for at in (3.0, -2.0):
        y, back, *_ = recorded(f, at)
        assert (y, back(1.0), back(2.0)) == (at * at, (None, 2.0 * at), (None, 4.0 * at))


@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients(f: Any) -> None:
    for at in (3.0, -2.0):
        assert gradient(f, at) == (2.0 * at,)
        assert jvp(f, (at,), (1.0,)) == (at * at, 2.0 * at)
        assert gradient(lambda x: f(x) + f(2.0 * x), at) == (10.0 * at,)  # noqa: B023

"""Texts that stand at a call decide branches, by methods as well, and classes of numbers what `isinstance` tells."""

from __future__ import annotations

import abc
import datetime
import numbers
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import slope

from adjoint import grad, value_and_grad
from adjoint.derivatives.choice import is_structured_call

SEEN: list[str] = []


class Table:
    """Of which no number is."""


class Listed(abc.ABC):  # noqa: B024 - of which numbers may be registered
    """An abstract class without methods."""


def acting(method: str) -> float:
    SEEN.append(method)
    return 2.0


def table_of(k: int, method: str = "plain") -> float:
    method = method.lower()
    if method == "plain":
        return 1.0 + k
    if method.startswith("noted"):
        return acting(method)
    raise ValueError(method)


def by_default(x):
    return x * x * table_of(3)


def by_text(x):
    return x * x * table_of(3, "PLAIN ".strip())


def by_keyword(x):
    return x * x * table_of(3, method="Plain")


def by_class(x):
    if isinstance(x, Table):
        SEEN.append("table")
    elif isinstance(x, (datetime.date, np.datetime64)):
        SEEN.append("date")
    elif np.isscalar(x):
        return x * x
    return (x * x).sum()


def by_abstract_class(x):
    if isinstance(x, Listed):
        SEEN.append("listed")
        return x * 5.0
    return x * x


def by_none(x, order=None):
    if order == "C" or order == 3:
        SEEN.append("order")
    return x * x if order != "F" else x


def by_literal(x):
    return x * x if isinstance(3, int) and not isinstance("a", (Table, bytes)) else SEEN.append("literal")


PROGRAMS = [by_default, by_text, by_keyword, by_class, by_abstract_class, by_none, by_literal]


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("x", [1.5, np.float64(1.5), 2], ids=["float", "float64", "int"])
def test_branches_that_are_not_taken_are_not_read(f: Callable[[Any], Any], x: Any) -> None:
    SEEN.clear()
    value, d = value_and_grad(f)(x)
    assert value == f(x)
    assert d == pytest.approx(slope(f, x), rel=1e-6)
    assert is_structured_call(f, (x,))
    assert not SEEN


def test_arrays_are_no_scalars() -> None:
    np.testing.assert_allclose(grad(by_class)(np.array([0.5, 1.2])), [1.0, 2.4])
    assert is_structured_call(by_class, (np.array([0.5, 1.2]),))


def test_an_option_that_acts() -> None:
    SEEN.clear()
    assert grad(lambda x: x * x * table_of(3, "NOTED"))(1.5) == 6.0
    assert SEEN == ["noted"]
    assert grad(by_default)(1.5) == 12.0
    with pytest.raises(ValueError, match="other"):
        grad(lambda x: x * table_of(3, "Other"))(1.5)


def test_a_default_that_changes() -> None:
    def of(k, method="plain"):
        return table_of(k, method)

    def f(x):
        return x * of(1)

    SEEN.clear()
    assert grad(f)(1.5) == 2.0
    of.__defaults__ = ("noted",)
    assert f(1.5) == 3.0
    SEEN.clear()
    assert grad(f)(1.5) == 2.0
    assert SEEN == ["noted"]


def test_a_class_that_is_registered_later() -> None:
    class Late(abc.ABC):  # noqa: B024
        pass

    def f(x):
        return x * 5.0 if isinstance(x, Late) else x * x

    assert grad(f)(1.5) == 3.0
    Late.register(float)
    assert f(1.5) == 7.5
    assert grad(f)(1.5) == 5.0


def test_numbers_are_what_they_were() -> None:
    def f(x):
        if isinstance(x, (int, np.integer)):
            return x * 2.0
        return x * x if isinstance(x, numbers.Real) else x

    for x, d in ((1.5, 3.0), (np.float64(1.5), 3.0), (2, 2.0), (np.int64(2), 2.0)):
        assert grad(f)(x) == d

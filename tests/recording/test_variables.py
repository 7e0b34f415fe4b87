"""Which values hold a number that may be differentiated: this is asked of all that keys may be made of, and looks no
further than at their fields."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint.recording.own_tables import is_variable


class Holder:
    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


VARIABLE = [
    1.0,
    np.float64(1.0),
    np.ones(2),
    [1.0],
    {"a": 1.0},
    (1, (2.0,)),
    Holder(a=1.0),
    Holder(a=[1.0]),
    [Holder(a=1.0)],
]
FIXED = [None, True, "a", b"a", int, len, [], {}, Holder(), Holder(a="a"), Holder(a=Holder(b=1.0)), iter([1.0])]


@pytest.mark.parametrize("x", VARIABLE, ids=lambda x: type(x).__name__)
def test_numbers_are_found_in_values(x: Any) -> None:
    assert is_variable(x)


@pytest.mark.parametrize("x", FIXED, ids=lambda x: type(x).__name__)
def test_others_hold_none(x: Any) -> None:
    assert not is_variable(x)


def test_what_fields_lead_to_is_not_walked_through() -> None:
    """An object may lead to all that the library has made so far."""
    asked = []

    class Watched(dict):  # type: ignore[type-arg]
        def __iter__(self) -> Any:
            asked.append(self)
            return super().__iter__()

    chain: Any = Watched(end=1.0)
    for _ in range(2000):  # as deep as would end in an error
        chain = Holder(next=chain)
    assert not is_variable(chain) and not is_variable(Holder(next=Holder(table=Watched(a=1.0)))) and not asked

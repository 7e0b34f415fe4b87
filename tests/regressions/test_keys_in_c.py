"""Keys and predicates that are written in C and run functions of the user's which store: `np.vectorize`, functions of
plum, wrappers of wrapt. What is stored is followed, or refused where it cannot be looked into."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.runtime.handed import functions_in

from .differences import check

plum = pytest.importorskip("plum")
wrapt = pytest.importorskip("wrapt")

kept: dict[str, Any] = {}
last: Any = 1.0


def note(v: Any) -> Any:
    kept["v"] = v * v
    return v


def note_globally(v: Any) -> Any:
    global last
    last = v * v
    return v


by_entries = np.vectorize(note)
globally = np.vectorize(note_globally)
dispatched = plum.Dispatcher()


@dispatched
def chosen(v: float) -> Any:
    kept["v"] = v * v
    return v


@dispatched
def chosen(v: str) -> Any:  # noqa: F811
    return len(v)


@wrapt.decorator
def passing(wrapped: Any, instance: Any, args: Any, kwargs: Any) -> Any:
    return wrapped(*args, **kwargs)


wrapped = passing(note)
keys = [by_entries]


class Holder:
    key = by_entries


def smallest(x: Any) -> Any:
    return min([x, 2.0 * x], key=by_entries) * kept["v"]


def sorted_by(x: Any) -> Any:
    return sorted([x, 2.0 * x], key=by_entries)[0] * kept["v"]


def filtered(x: Any) -> Any:
    return next(filter(by_entries, [x, 2.0 * x])) * kept["v"]


def of_global(x: Any) -> Any:
    return min([x, 2.0 * x], key=globally) * last


def of_list(x: Any) -> Any:
    return min([x, 2.0 * x], key=keys[0]) * kept["v"]


def of_class(x: Any) -> Any:
    return max([x, 2.0 * x], key=Holder.key) * kept["v"]


def smallest_chosen(x: Any) -> Any:
    return min([x, 2.0 * x], key=chosen) * kept["v"]


def by_lambda(x: Any) -> Any:
    return min([x, 2.0 * x], key=lambda v: chosen(v)) * kept["v"]


def filtered_by_chosen(x: Any) -> Any:
    return list(filter(chosen, [x, 2.0 * x]))[0] * kept["v"]


def filtered_by_lambda(x: Any) -> Any:
    return list(filter(lambda v: chosen(v) > 0, [x, 2.0 * x]))[0] * kept["v"]


def taken(x: Any) -> Any:
    return list(itertools.takewhile(chosen, [x, 2.0 * x]))[0] * kept["v"]


def by_wrapped(x: Any) -> Any:
    return min([x, 2.0 * x], key=wrapped) * kept["v"]


def by_lambda_of_wrapped(x: Any) -> Any:
    return min([x, 2.0 * x], key=lambda v: wrapped(v)) * kept["v"]


FOLLOWED = [smallest, sorted_by, filtered, of_global, of_list, of_class]
FOLLOWED += [
    by_wrapped,
    by_lambda_of_wrapped,
    smallest_chosen,
    by_lambda,
    filtered_by_chosen,
    filtered_by_lambda,
    taken,
]


@pytest.mark.parametrize("f", FOLLOWED, ids=lambda f: f.__name__)
def test_what_they_store_is_followed(f: Any) -> None:
    check(f, 1.3, order=2)


@pytest.mark.parametrize("key", [by_entries, chosen])
def test_of_an_argument(key: Any) -> None:
    def program(x: Any, key: Any) -> Any:
        return min([x, 2.0 * x], key=key) * kept["v"]

    assert gradient(program, 1.3, key)[0] == pytest.approx(12 * 1.3**2)


def test_every_method_is_found() -> None:
    assert len({f.__code__ for f in functions_in([chosen])}) == 2

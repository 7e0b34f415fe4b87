"""Which stores of a method go into what it has made itself: what its code shows, and where something else gets in."""

from __future__ import annotations

import types
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint.runtime.implicit_calls import runs_stores

CACHE = [0.0]
OWN: list[Any] = []
FOREIGN: list[Any] = []


def _own(f: Any) -> Any:
    OWN.append(f)
    return f


def _foreign(f: Any) -> Any:
    FOREIGN.append(f)
    return f


class Vec:
    def __init__(self, d: Any) -> None:
        self.d = d


@_own
def aug(self: Any, o: Any) -> Any:
    out = [0.0] * 3
    for i in range(3):
        out[i] += self.d[i] * o.d[i]
    return Vec(out)


@_own
def aug_np(self: Any, o: Any) -> Any:
    out = np.zeros(3)
    for i in range(3):
        out[i] += self.d[i] * o.d[i]
    return Vec(out)


@_own
def aug_np2(self: Any, o: Any) -> Any:
    out = np.zeros((3, 3))
    for i in range(3):
        out[i, i] += self.d[i] * o.d[i]
        out[i] *= 2.0
        out[i][0] -= 2.0
    return Vec(out)


@_own
def aug_dict(self: Any, o: Any) -> Any:
    out = {}
    for i in range(3):
        out[i] = out.get(i, 0.0) + self.d[i]
        if i in out:
            out[i] += self.d[i]
        else:
            out[i] = 0.0
    return Vec(out)


@_own
def rows(self: Any, o: Any) -> Any:
    out = [[0.0] * 2 for _ in range(2)]
    for i in range(2):
        for j in range(2):
            out[i][j] += self.d[i] * o.d[j]
    return Vec(out)


@_own
def rows_plain(self: Any, o: Any) -> Any:
    out = [[0.0] * 2 for _ in range(2)]
    for i in range(2):
        for j in range(2):
            out[i][j] = self.d[i] * o.d[j]
    return Vec(out)


@_own
def rows_display(self: Any, o: Any) -> Any:
    out = [[0.0, 0.0], [0.0, 1.0]]
    for i in range(2):
        out[i][0] += self.d[i] * o.d[0]
    return Vec(out)


@_own
def comp_numbers(self: Any, o: Any) -> Any:
    out = [0.0 for _ in range(3)]
    out[1] += self.d[0]
    out[0] = self.d[1] * 2
    return Vec(out)


@_own
def comp_items(self: Any, o: Any) -> Any:
    out = [x for x in self.d]
    out[0] = self.d[1] * 2
    return Vec(out)


@_own
def dict_comp(self: Any, o: Any) -> Any:
    out = {i: 0.0 for i in range(3)}
    out[1] += self.d[0]
    return Vec(out)


@_own
def new_object(self: Any, o: Any) -> Any:
    new = Vec(self.d)
    new.e = 3.0
    return new


@_foreign
def aug_self(self: Any, o: Any) -> Any:
    self.d[0] += 1.0
    return self


@_foreign
def either(self: Any, o: Any) -> Any:
    out = self.d if o.d[0] > 0 else [0.0] * 3
    out[0] = 4.0
    return out


@_foreign
def or_(self: Any, o: Any) -> Any:
    out = self.d or [0.0] * 3
    out[0] = 4.0
    return out


@_foreign
def or_made(self: Any, o: Any) -> Any:
    out = None or self.d
    out[0] = 4.0
    return out


@_foreign
def item_given(self: Any, o: Any) -> Any:
    out = [0.0] * 3
    out[0] = self.d
    out[0] += [1.0]
    return out


@_foreign
def item_given_nested(self: Any, o: Any) -> Any:
    out = [[0.0] * 2 for _ in range(3)]
    out[0] = self.d
    out[0][0] = 1.0
    return out


@_foreign
def item_given_nested2(self: Any, o: Any) -> Any:
    out = [[0.0] * 2 for _ in range(3)]
    out[0][0] = self.d
    out[0][0] += [1.0]
    return out


@_foreign
def item_appended(self: Any, o: Any) -> Any:
    out = [0.0]
    out.append(self.d)
    out[1] += [1.0]
    return out


@_foreign
def item_updated(self: Any, o: Any) -> Any:
    out = {}
    out.update(a=self.d)
    out["a"] += [1.0]
    return out


@_foreign
def item_default(self: Any, o: Any) -> Any:
    out = {}
    out.setdefault("a", self.d)
    out["a"] += [1.0]
    return out


@_foreign
def item_bound(self: Any, o: Any) -> Any:
    out = [0.0]
    g = out.append
    g(self.d)
    out[1] += [1.0]
    return out


@_foreign
def item_extended(self: Any, o: Any) -> Any:
    out = [0.0]
    out += [self.d]
    out[1] += [1.0]
    return out


@_foreign
def slice_stored(self: Any, o: Any) -> Any:
    out = [0.0, 0.0]
    out[:1] = [self.d]
    out[0] += [1.0]
    return out


@_foreign
def copied(self: Any, o: Any) -> Any:
    out = list(self.d)
    out[0] += [1.0]
    return out


@_foreign
def copied_slice(self: Any, o: Any) -> Any:
    out = self.d[:]
    out[0] += [1.0]
    return out


@_foreign
def comp_foreign(self: Any, o: Any) -> Any:
    out = [x for x in self.d]
    out[0] += [1.0]
    return out


@_foreign
def comp_foreign_nested(self: Any, o: Any) -> Any:
    out = [r for r in self.d]
    out[0][0] = 1.0
    return out


@_foreign
def comp_cond(self: Any, o: Any) -> Any:
    out = [r if r else [0.0] for r in self.d]
    out[0][0] = 1.0
    return out


@_foreign
def display_foreign(self: Any, o: Any) -> Any:
    out = [0.0, self.d, 0.0]
    out[1] += [1.0]
    return out


@_foreign
def display_star(self: Any, o: Any) -> Any:
    out = [*self.d, 0.0]
    out[1] += [1.0]
    return out


@_foreign
def dict_star(self: Any, o: Any) -> Any:
    out = {**self.d, "a": 0.0}
    out["b"] += [1.0]
    return out


@_foreign
def times_foreign(self: Any, o: Any) -> Any:
    out = [self.d] * 2
    out[1] += [1.0]
    return out


@_foreign
def sum_foreign(self: Any, o: Any) -> Any:
    out = [0.0] + self.d
    out[1] += [1.0]
    return out


@_foreign
def swap(self: Any, o: Any) -> Any:
    out = [0.0, 1.0]
    out[0], self.d[0] = self.d[0], out[0]
    return out


@_foreign
def swap2(self: Any, o: Any) -> Any:
    out = [0.0, 1.0]
    out[0], x = self.d, 1.0
    out[0] += [x]
    return out


@_foreign
def loop_target(self: Any, o: Any) -> Any:
    out = [0.0, 1.0]
    for out[0] in self.d:
        pass
    out[0] += [1.0]
    return out


@_foreign
def unpacked(self: Any, o: Any) -> Any:
    out = [0.0, 1.0]
    out[0], out[1] = self.d
    out[0] += [1.0]
    return out


@_foreign
def other_name(self: Any, o: Any) -> Any:
    out = [[0.0], [1.0]]
    z = out
    z[0] = self.d
    out[0][0] = 1.0
    return out


@_foreign
def held(self: Any, o: Any) -> Any:
    out = [[0.0], [1.0]]
    z = [out]
    z[0][0] = self.d
    out[0][0] = 1.0
    return out


@_foreign
def row_named(self: Any, o: Any) -> Any:
    out = [[0.0], [1.0]]
    for row in out:
        row[0] = self.d
    out[0][0] += [1.0]
    return out


@_foreign
def rebound(self: Any, o: Any) -> Any:
    out = [0.0]
    out = self.d
    out[0] += 1.0
    return out


@_foreign
def in_loop(self: Any, o: Any) -> Any:
    for out in self.d:
        out[0] += 1.0
    return out


@_foreign
def walrus(self: Any, o: Any) -> Any:
    if out := self.d:
        out[0] += 1.0
    return out


@_foreign
def chained(self: Any, o: Any) -> Any:
    out = z = self.d
    out[0] += 1.0
    return z


@_foreign
def captured(self: Any, o: Any) -> Any:
    out = [0.0]

    def put() -> None:
        nonlocal out
        out = self.d

    put()
    out[0] += 1.0
    return out


@_foreign
def glob(self: Any, o: Any) -> Any:
    CACHE[0] += 1.0
    return self


@_foreign
def object_held(self: Any, o: Any) -> Any:
    new = Vec(self.d)
    new.d[0] = 1.0
    return new


@_foreign
def object_given(self: Any, o: Any) -> Any:
    new = o
    new.e = 1.0
    return new


@_foreign
def conditional_item(self: Any, o: Any) -> Any:
    out = [0.0]
    out[0] = self.d if self.d else 0.0
    out[0] += [1.0]
    return out


@_foreign
def conditional_container(self: Any, o: Any) -> Any:
    out = [[0.0]]
    (self.d if o else out)[0] = 1.0
    return out


@_foreign
def conditional_aug(self: Any, o: Any) -> Any:
    out = [[0.0]]
    (self.d if o else out)[0] += 1.0
    return out


@_foreign
def with_(self: Any, o: Any) -> Any:
    if o:
        out = [0.0]
    with self.d as out:
        out[0] = 1.0
    return out


@_foreign
def default_dict(self: Any, o: Any) -> Any:
    out = defaultdict(lambda: self.d)
    out[0] += [1.0]
    return out


@_foreign
def object_array(self: Any, o: Any) -> Any:
    out = np.zeros(2, dtype=object)
    out[0] = self.d
    out[0] += [1.0]
    return out


@_foreign
def as_array(self: Any, o: Any) -> Any:
    out = np.asarray(self.d)
    out[0] += 1.0
    return out


@_foreign
def array_of_object(self: Any, o: Any) -> Any:
    out = np.array([self.d, None], dtype=object)
    out[0] += [1.0]
    return out


@_foreign
def inplace_value(self: Any, o: Any) -> Any:
    out = [self.d]
    x = out[0]
    x += [1.0]
    return out


@_foreign
def matmul_in(self: Any, o: Any) -> Any:
    out = [0.0]
    out[0] = self.d
    out[0] @= o
    return out


@_foreign
def del_(self: Any, o: Any) -> Any:
    del self.d[0]
    return 0.0


@_foreign
def deep_appended(self: Any, o: Any) -> Any:
    out = [[], []]
    out[0].append(self.d)
    out[0][0] += [1.0]
    return out


@_foreign
def deep_named(self: Any, o: Any) -> Any:
    out = [[0.0], [1.0]]
    row = out[0]
    row += [self.d]
    out[0][1] += [1.0]
    return out


def _as_operator(f: Any) -> type:
    added = types.FunctionType(f.__code__, f.__globals__, "__add__", f.__defaults__, f.__closure__)
    return type("Adds", (), {"__add__": added, "__module__": __name__})


@pytest.mark.parametrize("f", OWN, ids=lambda f: str(f.__name__))
def test_stores_into_what_a_method_has_made_do_not_count(f: Callable[..., Any]) -> None:
    assert not runs_stores(_as_operator(f))


@pytest.mark.parametrize("f", FOREIGN, ids=lambda f: str(f.__name__))
def test_a_store_into_what_somebody_else_has_counts(f: Callable[..., Any]) -> None:
    assert runs_stores(_as_operator(f))

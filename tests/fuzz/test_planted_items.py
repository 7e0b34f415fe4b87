"""Errors planted in how items of lists, dicts and arrays are replaced in place: each is caught, by a program of a few
lines."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adjoint.codegen import located
from adjoint.inspect import cache_clear
from adjoint.transforms import resolve, structural

from .items import HEAD as OF_ITEMS
from .judge import Wrong, judge
from .programs import HEAD, START

Patch = pytest.MonkeyPatch


def plainly(patch: Patch, name: str, drops: str) -> None:
    """A handler of the reverse that leaves out one of the ways in which it adds to cotangents."""
    handler = structural.HANDLERS[name]

    def leaving(s: Any, d: Any, B: Any) -> None:
        setattr(B, drops, lambda *given: None)
        handler(s, d, B)
        delattr(B, drops)

    patch.setitem(structural.HANDLERS, name, leaving)


def store_drops_its_cotangent(patch: Patch) -> None:
    """A store into a row gives nothing to what is stored."""
    plainly(patch, "set_in_row", "add")


def anything_drops_its_cotangent(patch: Patch) -> None:
    """A store into a list of anything gives nothing to what is stored."""
    back = structural.version_back

    def dropping(s: Any, whole: Any, B: Any) -> None:
        if structural.is_loose(s.out):
            B.add = lambda *given: None
        back(s, whole, B)
        vars(B).pop("add", None)

    patch.setattr(structural, "version_back", dropping)


def entries_are_put_back(patch: Patch) -> None:
    """What an index picks of an array is put back, as a view would be."""
    patch.setattr(resolve, "is_lost", lambda *given: False)


def copies_are_by_rows(patch: Patch) -> None:
    """A copy that the engine takes has its items row by row."""
    patch.setattr(located, "order_of", lambda t: "")


ROWS = """
c = [[n0, n1], [0.3, n0]]
for i in range(2):
    c[i][0] = c[i - 1][1] * n0
    c[1][i] = c[0][0] + n1
return c[0][0] * c[1][1] + c[1][0]
"""
ANYTHING = """
h = [None] * 3
for i in range(3):
    h[i] = a0 * n0 if i == 0 else h[i - 1] * n1
return h[0].sum() + h[2][1]
"""
PICKED = """
m = np.outer(a0, a0) * n0
m[[0, 1]][1, 0] *= n1
return m.sum()
"""
TURNED = """
m = np.sin(a0.reshape(2, 2).T)
m.reshape(4)[1] = n0
return float((m @ m).sum() * n1)
"""
PLANTED: list[tuple[Callable[[Patch], None], str]] = [
    (store_drops_its_cotangent, ROWS),
    (anything_drops_its_cotangent, ANYTHING),
    (entries_are_put_back, PICKED),
    (copies_are_by_rows, TURNED),
]
"""Each with the body of a program by which it shows."""


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    yield
    cache_clear()


@pytest.mark.parametrize(("plant", "body"), PLANTED, ids=[plant.__name__ for plant, _ in PLANTED])
def test_it_is_caught(plant: Any, body: str, monkeypatch: Patch, tmp_path: Path) -> None:
    source = HEAD + OF_ITEMS + START + textwrap.indent(body.strip(), "    ") + "\n"
    assert judge(source, tmp_path, 1) == "structured"
    plant(monkeypatch)
    with pytest.raises(Wrong):
        judge(source, tmp_path, 1)

"""Rules of the module `itertools`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from rules.checker import check_rule, numeric_pullback, run_rule

from adjoint.rules import registry
from adjoint.rules.python.iteration import Materialised

XS = [1.5, -2.5, 3.5, 0.5]


@pytest.fixture(autouse=True)
def without_engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "_knot", [numeric_pullback])
    yield


def test_selections() -> None:
    check_rule(itertools.chain, XS, (1.5, "b"), np.array(XS))
    check_rule(itertools.chain)
    check_rule(itertools.chain.from_iterable, [XS, (1.5, 2.5)])
    check_rule(itertools.pairwise, XS)
    check_rule(itertools.pairwise, tuple(XS))
    check_rule(itertools.product, XS, (1.5, 2.5))
    check_rule(itertools.product, [1.5, 2.5], repeat=3)
    check_rule(itertools.combinations, XS, 2, constant=(1,))
    check_rule(itertools.combinations_with_replacement, XS, 2, constant=(1,))
    check_rule(itertools.permutations, XS)
    check_rule(itertools.permutations, XS, 2, constant=(1,))
    check_rule(itertools.compress, XS, [1, 0, True, False], constant=(1,))
    check_rule(itertools.repeat, 1.5, 3, constant=(1,))
    if hasattr(itertools, "batched"):
        check_rule(itertools.batched, XS, 3, constant=(1,))


def test_zip_longest() -> None:
    y, back, _ = run_rule(itertools.zip_longest, [1.5, 2.5], [3.5], fillvalue=7.5)
    assert list(y) == [(1.5, 3.5), (2.5, 7.5)]
    assert back([(1.0, 2.0), (3.0, 4.0)]) == ([1.0, 3.0], [2.0], 4.0)


def test_islice() -> None:
    for limits in [(3,), (1, None), (1, None, 2), (0,), (1, 9), (None,)]:
        check_rule(itertools.islice, XS, *limits, constant=(1, 2, 3))
    it = Materialised(XS)
    assert list(run_rule(itertools.islice, it, 2)[0]) == XS[:2] and list(it) == XS[2:]
    y, back, _ = run_rule(itertools.islice, itertools.count(1.5), 2)
    assert list(y) == [1.5, 2.5] and back([1.0, 1.0])[1:] == (None,)


def test_tests_choose() -> None:
    for f in (itertools.takewhile, itertools.dropwhile, itertools.filterfalse):
        check_rule(f, lambda x: x > 0, XS)
        check_rule(f, lambda x: x > 0, tuple(XS))
    y, back, _ = run_rule(itertools.filterfalse, None, [0.0, 1.5])
    assert list(y) == [0.0] and back([1.0]) == (None, [1.0, None])


def test_tee() -> None:
    y, back, _ = run_rule(itertools.tee, XS[:2])
    assert [list(it) for it in y] == [XS[:2]] * 2
    assert back(([1.0, 2.0], None)) == ([1.0, 2.0], None)
    assert back(([1.0, 2.0], [3.0, 4.0])) == ([4.0, 6.0], None)


def test_starmap() -> None:
    check_rule(itertools.starmap, lambda x, y: x * y**2, [(1.5, 2.5), [3.5, 0.5]])
    check_rule(itertools.starmap, pow, ((1.5, 2.5), (3.5, 0.5)))


def test_accumulate() -> None:
    check_rule(itertools.accumulate, XS)
    check_rule(itertools.accumulate, tuple(XS), lambda a, b: a * b)
    check_rule(itertools.accumulate, XS, initial=2.5)
    check_rule(itertools.accumulate, [])
    y, back, _ = run_rule(itertools.accumulate, XS)
    assert list(y) == list(itertools.accumulate(XS))
    assert back([None, 1.0, None, None]) == ([1.0, 1.0, None, None], None, None)

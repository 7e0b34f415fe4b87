"""Rules of the module `itertools`."""

from __future__ import annotations

import itertools

from rules.checker import run_rule

from adjoint.rules.python.iteration import Materialised

XS = [1.5, -2.5, 3.5, 0.5]


def test_zip_longest() -> None:
    y, back, _ = run_rule(itertools.zip_longest, [1.5, 2.5], [3.5], fillvalue=7.5)
    assert list(y) == [(1.5, 3.5), (2.5, 7.5)]
    assert back([(1.0, 2.0), (3.0, 4.0)]) == ([1.0, 3.0], [2.0], 4.0)


def test_islice() -> None:
    it = Materialised(XS)
    assert list(run_rule(itertools.islice, it, 2)[0]) == XS[:2] and list(it) == XS[2:]
    y, back, _ = run_rule(itertools.islice, itertools.count(1.5), 2)
    assert list(y) == [1.5, 2.5] and back([1.0, 1.0])[1:] == (None,)


def test_filterfalse_by_truth() -> None:
    y, back, _ = run_rule(itertools.filterfalse, None, [0.0, 1.5])
    assert list(y) == [0.0] and back([1.0]) == (None, [1.0, None])


def test_tee() -> None:
    y, back, _ = run_rule(itertools.tee, XS[:2])
    assert [list(it) for it in y] == [XS[:2]] * 2
    assert back(([1.0, 2.0], None)) == ([1.0, 2.0], None)
    assert back(([1.0, 2.0], [3.0, 4.0])) == ([4.0, 6.0], None)


def test_accumulate_where_little_flows() -> None:
    y, back, _ = run_rule(itertools.accumulate, XS)
    assert list(y) == list(itertools.accumulate(XS))
    assert back([None, 1.0, None, None]) == ([1.0, 1.0, None, None], None, None)

"""How operations are found, and how calls are laid out."""

from __future__ import annotations

import functools
import heapq
import itertools
import operator
import random
from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from adjoint.ops import OPS, UNSEEN, Write, find_op, holding, op, parameters_of
from adjoint.ops.questions import bound_to, called_by, is_maker, is_writer, makes, mutators, row_of, writing_names
from adjoint.transforms.outs import place_of_out

A = np.ones(2)
SAME: dict[str, tuple[Any, Any]] = {
    "a bound method": ([].append, list.append),
    "a method of an array": (A.sum, np.sum),
    "a method of a ufunc": (np.add.reduce, np.ufunc.reduce),
    "a ufunc of the user's": (np.frompyfunc(abs, 1, 1), np.ufunc.__call__),
    "a function that is a method": (np.random.shuffle, np.random.RandomState.shuffle),
    "a method in Python": (random.shuffle, random.Random.shuffle),
    "a method of a class": (itertools.chain.from_iterable, vars(itertools.chain)["from_iterable"]),
    "an alias": (np.amax, np.ndarray.max),
    "a method-wrapper": ([].__setitem__, list.__setitem__),
}


@pytest.mark.parametrize("way", SAME)
def test_all_ways_lead_to_one_row(way: str) -> None:
    f, g = SAME[way]
    assert find_op(f) is find_op(g) is not None


def test_what_is_not_known_has_no_row() -> None:
    class Odd:
        __hash__ = None  # type: ignore[assignment]

    assert [find_op(f) for f in (lambda x: x, Odd(), Odd().__init__, None, "append", functools.partial(len))] == [
        None
    ] * 6


def written(f: Any, args: Sequence[Any], kwargs: Sequence[tuple[str | None, Any]] = (), star: int = -1) -> set[str]:
    """The parameters that a call may write into."""
    row = row_of(f)
    assert row is not None
    bound = bound_to(f, row, args, kwargs, star)
    return {e.ref for e in holding(row.effects, bound) if isinstance(e, Write)}


def test_an_out_by_place_is_the_out_by_name() -> None:
    by_place: tuple[tuple[Any, tuple[Any, ...]], ...] = (
        *((np.add, (A, A, A)), (np.modf, (A, A, A)), (np.sum, (A, 0, None, A)), (np.ndarray.sum, (A, 0, None, A))),
        *(
            (A.sum, (0, None, A)),
            (np.add.reduce, (A, 0, None, A)),
            (np.dot, (A, A, A)),
            (np.fft.fft, (A, 2, 0, None, A)),
        ),
    )
    for f, args in by_place:
        assert written(f, args) == {"out"}, f
        assert written(f, args[:1], [("out", A)]) == {"out"}, f
        assert written(f, args[:1], [("out", None)]) == written(f, args[:1]) == set(), f


def test_options_decide() -> None:
    assert written(np.median, (A,)) == written(np.median, (A, 0, None, False)) == set()
    assert written(np.median, (A,), [("overwrite_input", True)]) == written(np.median, (A, 0, None, True)) == {"a"}
    assert written(np.median, (A,), [("overwrite_input", UNSEEN)]) == {"a"}
    assert written(np.nan_to_num, (A, False)) == {"x"} and written(np.nan_to_num, (A, True)) == set()
    assert makes(np.array, 1, ()) and not makes(np.array, 1, ("copy",)) and makes(np.array, 1, ("dtype",))
    assert makes(np.diff, 1, ()) and not makes(np.diff, 2, ())


def test_stars_may_give_anything_after_them() -> None:
    assert written(np.cumsum, (A, UNSEEN), (), 1) == {"out"} and written(np.cumsum, (A,), [(None, UNSEEN)]) == {"out"}
    assert written(np.median, (UNSEEN,), (), 0) == {"a", "out"} and written(np.kron, (UNSEEN,), (), 0) == set()


def test_places_of_out() -> None:
    far = place_of_out(np.where)
    assert [place_of_out(f) for f in (np.add, np.add.reduce, np.add.reduceat, np.concatenate)] == [2, 3, 4, 2]
    assert [place_of_out(f) for f in (np.linalg.outer, np.add.outer, np.vdot)] == [far] * 3 and place_of_out(
        len
    ) is None


def test_what_is_called() -> None:
    assert called_by(itertools.accumulate) == (1, "func") and called_by(sorted) == ("key",) and called_by(len) == ()


def test_names() -> None:
    assert {"append", "rotate", "difference_update", "fill", "sort"} <= mutators() <= writing_names()
    assert not {"copy", "partition_", "__init__", "byteswap", "shuffle"} & mutators()
    assert {"byteswap", "shuffle", "__iadd__", "__init__", "move_to_end"} <= writing_names()
    assert not any(map(is_writer, (str.partition, bytes.partition, object.__init__, operator.iadd, np.sum)))
    assert all(map(is_writer, (deque.rotate, OrderedDict.move_to_end, heapq.heappop, np.add.at, np.fill_diagonal)))


def test_a_row_that_is_declared_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def own(a: Any, b: Any) -> Any: ...

    monkeypatch.setitem(OPS, id(own), None)  # which is taken away again
    op(own, effects=(Write("b"),))
    row = find_op(own)
    assert row is not None and parameters_of(own, row).names == ("a", "b") and is_writer(own) and not is_maker(own)

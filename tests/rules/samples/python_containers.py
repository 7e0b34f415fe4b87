"""Samples for lists, tuples, sets, dicts and objects."""

import copy
import dataclasses
import operator
from collections import namedtuple
from types import SimpleNamespace
from typing import Any

import numpy as np
from rules.sampling import sample, sample_of


@dataclasses.dataclass
class Inner:
    u: Any


@dataclasses.dataclass
class Outer:
    x: Any
    inner: Inner
    items: list[Any]
    name: str = "outer"


Point = namedtuple("Point", "x y")
ARRAY = np.array([[1.0, 2.0], [3.0, 4.0]])
LIST = [1.5, "text", [2.5, 3.5], (4.5, None)]
TUPLE = (1.5, 2.5, (3.5, True), ARRAY)
D = {"a": 1.5, "b": [2.5, 3.5], "c": "text", "d": None}
OUTER = Outer(1.5, Inner(2.5), [3.5, Inner(4.5), (5.5,), {"k": Inner(6.5)}])
INDICES = [0, -1, 2, True, np.int64(1), slice(1, 3), slice(None, None, -2), slice(3, 1)]


def advanced(make: Any, x: float, y: float, z: float) -> Any:
    """What is left of an iterator of which an item is gone."""
    iterator = iter([x, y, z])
    next(iterator)
    return make(iterator)


SAMPLES = [
    s.but(lists=False)
    for s in [
        *[
            sample(f, x)
            for f in (list, tuple)
            for x in (LIST, TUPLE, [], (), Point(1.5, 2.5), ARRAY, np.arange(3, dtype=np.float32))
        ],
        *[sample_of(f, lambda x, y, z, f=f: advanced(f, x, y, z), 1.5, 2.5, 3.5) for f in (list, tuple)],
        *[sample_of(f, lambda d, f=f: f(d.values()), {"a": 1.5, "b": 2.5}) for f in (list, tuple)],
        sample_of(list, lambda d: list(d.items()), {"a": 1.5, "b": 2.5}),
        sample_of(set, lambda x, y: sorted(set([x, y, x])), 1.5, 2.5),  # noqa: C405
        sample_of(frozenset, lambda x, y: sorted(frozenset([x, y, x])), 1.5, 2.5),
        *[sample(f, x) for f in (copy.copy, copy.deepcopy) for x in (LIST, {"a": 1.0}, ARRAY)],
        sample(list.copy, LIST),
        *[sample(operator.getitem, xs, i) for xs in (LIST, TUPLE) for i in INDICES],
        sample(operator.getitem, Point(1.5, 2.5), 1),
        sample(operator.getitem, D, "b"),
        *[
            sample(f, x, y)
            for f in (operator.add, operator.concat)
            for x, y in [(LIST, [1.5]), (TUPLE, Point(1.5, 2.5)), ([], [])]
        ],
        sample(operator.iadd, TUPLE, (1.5,)),
        sample(operator.iconcat, TUPLE, (1.5,)),
        *[sample(operator.mul, [1.5, 2.5], n) for n in (0, 1, 3, -1)],
        *[sample(operator.mul, n, (1.5, 2.5)) for n in (0, 3)],
        sample(dict, D),
        sample(dict, [("a", 1.5), ["b", 2.5], ("a", 3.5)]),
        sample(dict, {"a": 1.5, "b": 2.5}, b=3.5, c=4.5),
        sample(dict, [("a", 1.5), ("b", 2.5)], b=3.5),
        sample(dict, a=1.5),
        sample(dict.copy, D),
        sample(operator.or_, D, {"a": 4.5, "e": 5.5}),
        sample(dict.fromkeys, ["a", "b"], 1.5),
        sample(dict.fromkeys, ["a", "b"]),
        sample(dict.get, D, "a"),
        sample(dict.get, D, "a", 7.5),
        sample(dict.get, D, "z", 7.5),
        sample(dict.get, D, "z"),
        sample(dict.values, D),
        sample(dict.items, D),
        sample(dict.values, {}),
        sample(vars, SimpleNamespace(a=1.5, b=[2.5])),
        sample(dataclasses.asdict, OUTER),
        sample(dataclasses.astuple, OUTER),
        sample_of(dataclasses.replace, lambda outer, x: dataclasses.replace(outer, x=x), OUTER, 7.5),
    ]
]

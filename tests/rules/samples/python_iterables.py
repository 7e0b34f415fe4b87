"""Samples for what consumes and makes iterables: builtins, `itertools`, `functools`, callables of `operator`."""

import functools
import itertools
import operator
from typing import Any

import numpy as np
from rules.sampling import sample, sample_of

XS = [3.5, 1.5, 2.5]
YS = [1.5, -2.5, 3.5, 0.5]
GET = operator.itemgetter.__call__


def weigh(x: Any, y: Any, scale: float = 1.0, offset: float = 0.0) -> Any:
    return x * y**2 * scale + offset


def squared_sum(a: Any, b: Any) -> Any:
    return a * a + b


def placed(x: float, y: float, z: float) -> Any:
    """The same iterator, asked by one after another."""
    it = iter([x, y, z])
    return next(it), list(it), next(it, x * y)


def two_ways(x: float, y: float) -> Any:
    first, second = itertools.tee([x, y])
    return list(first) + list(second)[:1]


SUMS = [
    XS,
    tuple(XS),
    [],
    [np.float32(1.5), np.float32(2.5)],
    [np.array([1.0, 2.0]), 3.0],
    np.array(XS),
    np.arange(6.0).reshape(2, 3),
    [1 + 2j, 3.0],
    range(3),
]
LIMITS = [(3,), (1, None), (1, None, 2), (0,), (1, 9), (None,)]

SAMPLES = [
    s.but(lists=False)
    for s in [
        *[sample(sum, xs) for xs in SUMS],
        *[sample(sum, xs, start=0.5) for xs in SUMS],
        sample(sum, [1, 2.5]).but(integers=True),
        sample(sum, [[1.5], [2.5, 3.5]], start=[0.5]),
        sample(sum, [(1.5,), (2.5, 3.5)], start=(0.5,)),
        sample_of(sum, lambda d: sum(d.values()), {"a": 1.5, "b": 2.5}),
        sample_of(sum, lambda x, y: sum({x, y}), 1.5, 2.5),
        *[
            s
            for f in (max, min)
            for s in [
                *[sample(f, xs) for xs in (XS, tuple(XS), np.array(XS))],
                sample(f, XS, key=lambda x: -x),
                sample(f, [], default=7.5),
                sample(f, XS, default=7.5),
                sample(f, [(1.5, "b"), (2.5, "a")], key=lambda pair: pair[1]),
                sample(f, 1.5, 2.5),
                sample(f, 2.5, 1),
                sample(f, 1.5, 2.5, key=lambda x: -x),
                sample(f, 1.5, 3.5, 2.5),
                sample(f, 1.5, np.float32(2.5), key=lambda x: -x),
                sample(f, [1.5, 2.0], [2.5, 3.0]),
                sample_of(f, lambda x, y, f=f: f({x, y}), 1.5, 2.5),
                sample_of(f, lambda x, y, f=f: f(iter([x, y])), 1.5, 2.5),
            ]
        ],
        *[sample(sorted, xs) for xs in (XS, tuple(XS), np.array(XS), [])],
        sample(sorted, XS, reverse=True),
        sample(sorted, [(1.5, "b"), (2.5, "a")], key=lambda pair: pair[1]),
        sample_of(sorted, lambda x, y: sorted(iter([x, y])), 2.5, 1.5),
        sample(reversed, XS),
        sample(reversed, tuple(XS)),
        sample(enumerate, XS),
        sample(enumerate, tuple(XS), start=1),
        sample(zip, XS, (1.5, "b"), np.array(XS)),
        sample(zip),
        sample(zip, [1.5], strict=True),
        sample_of(zip, lambda xs: list(zip(xs, itertools.count(), strict=False)), XS),
        sample_of(iter, placed, 1.5, 2.5, 3.5),
        sample_of(next, placed, 1.5, 2.5, 3.5),
        # functions of functions
        sample(map, lambda x: x**3, XS),
        sample(map, weigh, XS, (1.5, 2.5)),
        sample(map, operator.mul, XS, np.array(XS)),
        sample(map, abs, []),
        sample_of(map, lambda a, xs: list(map(lambda x: a * x, xs)), 1.5, XS),  # noqa: C417
        sample(filter, lambda x: x > 0, YS),
        sample_of(filter, lambda xs: list(filter(None, xs)), (0.5, 1.5)),
        *[sample(functools.reduce, weigh, xs) for xs in (XS, tuple(XS), np.array(XS))],
        *[sample(functools.reduce, operator.mul, xs, 2.5) for xs in (XS, tuple(XS), np.array(XS), [])],
        sample(functools.reduce, operator.mul, [1.5]),
        sample(GET, operator.itemgetter(1), XS),
        sample(GET, operator.itemgetter(1, -1, 1), tuple(XS)),
        sample(GET, operator.itemgetter("a"), {"a": 1.5, "b": 2.5}),
        sample(operator.attrgetter.__call__, operator.attrgetter("real"), 1.5),
        sample_of(operator.methodcaller.__call__, lambda z: operator.methodcaller("conjugate")(z), 1 + 2j),
        # itertools
        sample(itertools.chain, YS, (1.5, "b"), np.array(YS)),
        sample(itertools.chain),
        sample(itertools.chain.from_iterable, [YS, (1.5, 2.5)]),
        sample(itertools.pairwise, YS),
        sample(itertools.pairwise, tuple(YS)),
        sample(itertools.product, YS, (1.5, 2.5)),
        sample(itertools.product, [1.5, 2.5], repeat=3),
        sample(itertools.combinations, YS, 2),
        sample(itertools.combinations_with_replacement, YS, 2),
        sample(itertools.permutations, YS),
        sample(itertools.permutations, YS, 2),
        sample(itertools.compress, YS, [1, 0, True, False]),
        sample(itertools.repeat, 1.5, 3),
        *([sample(itertools.batched, YS, 3)] if hasattr(itertools, "batched") else []),
        sample(itertools.zip_longest, [1.5, 2.5], [3.5], fillvalue=7.5),
        *[sample(itertools.islice, YS, *limits) for limits in LIMITS],
        sample(itertools.takewhile, lambda x: x > 0, YS),
        sample(itertools.dropwhile, lambda x: x > 0, tuple(YS)),
        sample(itertools.filterfalse, lambda x: x > 0, YS),
        sample_of(itertools.cycle, lambda xs: list(itertools.islice(itertools.cycle(xs), 5)), XS),
        sample_of(itertools.tee, two_ways, 1.5, 2.5),
        sample(itertools.starmap, lambda x, y: x * y**2, [(1.5, 2.5), [3.5, 0.5]]),
        sample(itertools.starmap, pow, ((1.5, 2.5), (3.5, 0.5))),
        sample(itertools.accumulate, YS),
        sample(itertools.accumulate, tuple(YS), squared_sum),
        sample(itertools.accumulate, YS, initial=2.5),
        sample(itertools.accumulate, []),
    ]
]

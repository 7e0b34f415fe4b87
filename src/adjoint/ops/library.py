"""Memory effects and result types of functions of the standard library."""

from __future__ import annotations

import bisect
import copy
import functools
import heapq
import itertools
import time
import warnings

from ..ir.types import FLOAT, INT
from .effects import Alloc, Calls, Effects, Keeps, Returns, World, Write
from .given import Seen
from .python import ASKED, METHOD
from .registry import each, gives, op
from .words import like

op(heapq.heappush, effects=(Write("heap", "grows"), Keeps("item", "heap")), parameters="heap item")
op(heapq.heappop, effects=(Write("heap", "shrinks"), Returns("heap", "item")), parameters="heap")
op(heapq.heapify, effects=(Write("heap", "reorders"),), parameters="heap")
each(
    (Write("heap"), Keeps("item", "heap"), Returns("heap", "item"), Returns("item")),
    *(heapq.heapreplace, heapq.heappushpop),
    parameters="heap item",
)
each(
    (Write("a", "grows"), Keeps("x", "a"), Calls("key")),
    *(bisect.insort, bisect.insort_left, bisect.insort_right),
    parameters="a x lo hi",
)

# The class of what is copied may say what its copy is, by a method that is called.
each((Calls("key"),), bisect.bisect_left, bisect.bisect_right, parameters="a x lo hi key")
op(copy.copy, effects=(Calls("x", METHOD), Alloc("x"), Returns("x", "item")), parameters="x")
op(copy.deepcopy, effects=(Write("memo"), Calls("x", METHOD), Alloc()), parameters="x memo _nil")

op(
    functools.reduce,
    effects=(Calls("function"), Returns("iterable", "item"), Returns("initial")),
    parameters="function iterable initial",
)
op(functools.update_wrapper, effects=(Write("wrapper", ASKED), Keeps("wrapped", "wrapper")))

LAZY: Effects = (Returns("*", "lazy"),)
_CALLING = (itertools.takewhile, itertools.dropwhile, itertools.starmap, itertools.filterfalse)
each((*LAZY, Calls("function")), *_CALLING, parameters="function iterable")
op(itertools.accumulate, effects=(*LAZY, Calls("func")), parameters="iterable func")
op(itertools.groupby, effects=(*LAZY, Calls("key")), parameters="iterable key")
_KNOWN = (*_CALLING, itertools.accumulate, itertools.groupby)
each(LAZY, *[f for f in vars(itertools).values() if callable(f) and f not in _KNOWN and f.__module__ == "itertools"])
op(vars(itertools.chain)["from_iterable"], effects=LAZY, parameters="iterable")

CLOCKS = (time.time, time.perf_counter, time.monotonic, time.process_time, time.thread_time)
COUNTERS = (time.time_ns, time.perf_counter_ns, time.monotonic_ns, time.process_time_ns, time.thread_time_ns)
each((World("clock"),), *CLOCKS, *COUNTERS)
gives(lambda given: FLOAT, *CLOCKS)
gives(lambda given: INT, *COUNTERS)
each((World("clock"),), time.sleep, time.localtime, time.gmtime, time.ctime, time.asctime, time.strftime)
op(warnings.warn, effects=(World("out"),))

gives(like, copy.copy, copy.deepcopy)
gives(INT, bisect.bisect_left, bisect.bisect_right)
gives(Seen("it gives what a function gives, or an item"), functools.reduce, heapq.heappop)

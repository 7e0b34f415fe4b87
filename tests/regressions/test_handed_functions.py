"""Functions of the user's in the hands of code that is not looked into: callbacks, hooks, targets of threads. What they
store must not be lost: it is followed, or refused with a reason."""

from __future__ import annotations

import ast
import asyncio
import collections
import concurrent.futures
import contextvars
import cProfile
import functools
import io
import itertools
import json
import logging
import multiprocessing.dummy
import operator
import re
import sched
import threading
import timeit
import unittest.mock
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.errors import MutationError, NoRuleError, UnsupportedSyntaxError

from .differences import check

SEEN: list[Any] = []


def storing(call: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A program that hands over a closure that stores what is differentiated, in an item of a list."""

    def program(x: Any) -> Any:
        total = [0.0]

        def step(*given: Any) -> Any:
            total[0] += x * x
            return x * x

        call(step)
        return total[0] * x

    return program


def rebinding(call: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same, in a variable."""

    def program(x: Any) -> Any:
        total = 0.0

        def step(*given: Any) -> Any:
            nonlocal total
            total += x * x
            return "1"

        call(step)
        return total * x

    return program


class Counter:
    def __init__(self) -> None:
        self.total: Any = 0.0

    def add(self, *given: Any) -> Any:
        self.total += self.by * self.by  # type: ignore[attr-defined]
        return 1.0


def in_a_method(call: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same, in a field, by a bound method."""

    def program(x: Any) -> Any:
        counter = Counter()
        counter.by = x  # type: ignore[attr-defined]
        call(counter.add)
        return counter.total * x

    return program


UNSEEN: dict[str, Callable[[Any], Any]] = {
    "timeit": lambda f: timeit.timeit(f, number=1),
    "context": lambda f: contextvars.copy_context().run(f),
    "profile": lambda f: cProfile.Profile().runcall(f),
    "mock": lambda f: unittest.mock.Mock(side_effect=f)(),
    "json": lambda f: json.loads('{"a": 1}', object_hook=f),
    "partial": lambda f: timeit.timeit(functools.partial(f, 1), number=1),
    "scheduler": lambda f: sched.scheduler().enter(0, 1, f),
    "pattern": lambda f: re.compile("a").sub(f, "aba"),
}


@pytest.mark.parametrize("program", [storing, rebinding, in_a_method])
@pytest.mark.parametrize("name", UNSEEN)
def test_what_stores_is_not_handed_to_code_that_is_not_looked_into(name: str, program: Any) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="is handed .*, which stores") as caught:
        gradient(program(UNSEEN[name]), 1.5)
    assert caught.value.way_out and caught.value.place is not None


SEEN_THROUGH: dict[str, Callable[[Any], Any]] = {
    "sorted": lambda f: sorted([3, 1, 2], key=lambda v: (f(v), v)[1]),
    "map": lambda f: list(map(f, [1, 2])),
    "filter": lambda f: list(filter(f, [1, 2])),
    "reduce": lambda f: functools.reduce(f, [1, 2, 3]),
    "groupby": lambda f: [key for key, _ in itertools.groupby([1, 2], f)],
    "defaultdict": lambda f: collections.defaultdict(f)[3],
    "partial": lambda f: functools.partial(f, 1)(),
    "methodcaller": lambda f: operator.methodcaller("__call__")(f),
    "by_name": lambda f: f.__call__(),
    "finalize": lambda f: weakref.finalize(f, f)(),
    "vectorize": lambda f: np.vectorize(lambda v: (f(v), v)[1])(np.arange(3)),
    "along_axis": lambda f: np.apply_along_axis(lambda v: (f(v), v)[1], 0, np.ones((2, 2))),
    "fromfunction": lambda f: np.fromfunction(lambda v: (f(v), v)[1], (2,)),
    "piecewise": lambda f: np.piecewise(np.arange(3.0), [np.arange(3.0) > 1], [lambda v: (f(v), v)[1], 0]),
}
if hasattr(operator, "call"):
    SEEN_THROUGH["operator.call"] = lambda f: operator.call(f)


@pytest.mark.parametrize("program", [storing, in_a_method])
@pytest.mark.parametrize("name", SEEN_THROUGH)
def test_what_is_looked_into_is_followed(name: str, program: Any) -> None:
    check(program(SEEN_THROUGH[name]), 1.5)


def test_methods_of_containers() -> None:
    def appended(x: Any) -> Any:
        calls: list[Any] = []
        re.sub("a", functools.partial(lambda add, m: add(x * x) or "", calls.append), "aa")
        return calls[0]

    def called(x: Any) -> Any:
        calls: list[Any] = []
        calls.append.__call__(x * x)
        return calls[0]

    with pytest.raises(UnsupportedSyntaxError, match="which stores"):
        gradient(appended, 1.5)
    check(called, 1.5)


def note(t: Any) -> float:
    SEEN.append(t)
    return 1.0


def test_a_function_of_a_module() -> None:
    def program(x: Any) -> Any:
        SEEN.clear()
        SEEN.append(x)
        timeit.timeit(functools.partial(note, 2.0), number=1)
        return x * SEEN[-1] * SEEN[0]

    with pytest.raises(UnsupportedSyntaxError, match="`timeit` is handed `note`, which stores"):
        gradient(program, 1.5)


def test_what_is_captured_and_comes_out_is_refused() -> None:
    """As for the arguments of such a call: an error only if something flows."""
    with pytest.raises(NoRuleError):
        gradient(lambda x: np.frompyfunc(lambda t: t * x, 1, 1)(np.arange(3.0)).sum(), 1.5)
    with pytest.raises(NoRuleError):
        gradient(lambda x: contextvars.copy_context().run(lambda: x * x), 1.5)

    def named(x: Any) -> Any:
        totals = {"a": x}
        totals["b"] = x * len(re.sub("a", lambda m: f"<{x}>"[:2], "aa"))
        return totals["b"] * totals["a"]

    check(named, 1.5)


def test_stores_into_what_is_its_own_are_no_stores() -> None:
    def table(t: Any) -> Any:
        out = np.zeros(3)
        rows = [0.0]
        for i in range(3):
            out[i] = i * 2.0
            rows.append(out[i])
        n = 1.0
        n += len(rows)
        return n * t

    def program(x: Any) -> Any:
        kept = {"a": x}
        kept["b"] = x * len(np.vectorize(table)(np.arange(2.0)))
        return kept["b"] * kept["a"]

    check(program, 1.5)


class Runs(threading.Thread):
    def __init__(self, x: Any, out: list[Any]) -> None:
        super().__init__()
        self.x, self.out = x, out

    def run(self) -> None:
        self.out.append(self.x)


async def _awaited(f: Any) -> Any:
    return f()


def _started(f: Any) -> None:
    thread = threading.Thread(target=f)
    thread.start()
    thread.join()


def _mapped(f: Any) -> None:
    with multiprocessing.dummy.Pool(1) as pool:
        pool.map(f, [1])


THREADS: dict[str, Callable[[Any], Any]] = {
    "thread": _started,
    "timer": lambda f: threading.Timer(0, f).run(),
    "pool": lambda f: concurrent.futures.ThreadPoolExecutor(1).submit(f).result(),
    "dummy": lambda f: _mapped(f),
}


@pytest.mark.parametrize("program", [storing, rebinding, in_a_method])
@pytest.mark.parametrize("name", THREADS)
def test_threads_are_refused(name: str, program: Any) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="thread"):
        gradient(program(THREADS[name]), 1.5)


def test_threads_that_only_read_are_refused() -> None:
    with pytest.raises(UnsupportedSyntaxError, match="thread"):
        gradient(lambda x: concurrent.futures.ThreadPoolExecutor(1).submit(lambda: x * x).result() * x, 1.5)
    with pytest.raises(UnsupportedSyntaxError):
        gradient(lambda x: asyncio.run(_awaited(lambda: x * x)) * x, 1.5)

    def of_a_class(x: Any) -> Any:
        out: list[Any] = []
        thread = Runs(x, out)
        thread.start()
        thread.join()
        return out[0] * x

    with pytest.raises(UnsupportedSyntaxError, match="thread"):
        gradient(of_a_class, 1.5)


def test_threads_without_anything_differentiated() -> None:
    def program(x: Any) -> Any:
        out = [x]
        thread = threading.Thread(target=print, args=("",), kwargs={"end": ""})
        thread.start()
        thread.join()
        out.append(x * x)
        return out[0] * out[1]

    check(program, 1.5)


def test_the_fields_of_a_class_that_type_makes() -> None:
    def literal(x: Any) -> Any:
        return type("C", (), {"v": x, "w": x * x})().w * x  # type: ignore[attr-defined]

    def by_name(x: Any) -> Any:
        return type("C", (), dict(v=x * x)).v * x  # type: ignore[attr-defined]

    def of_a_base(x: Any) -> Any:
        class Base:
            w = x

        fields = {"v": x}
        C: Any = type("C", (Base,), fields)
        made = C()
        C.v *= x
        made.v += C.v
        return made.v * made.w * fields["v"]

    for program in (literal, by_name, of_a_base):
        check(program, 1.5, order=2)


def test_hooks_of_the_making_of_a_class() -> None:
    def subclass(x: Any) -> Any:
        total = [0.0]

        class Base:
            def __init_subclass__(cls) -> None:
                total[0] += x * x

        class C(Base):
            pass

        return total[0] * x

    def naming(x: Any) -> Any:
        total = [0.0]

        class D:
            def __set_name__(self, owner: Any, name: str) -> None:
                total[0] += x * x

        class C:
            d = D()

        return total[0] * x

    def end(x: Any) -> Any:
        total = [0.0]

        class C:
            def __del__(self) -> None:
                total[0] += x * x

        C()
        return total[0] * x

    for program in (subclass, naming):
        with pytest.raises(UnsupportedSyntaxError, match="the class `C` runs"):
            gradient(program, 1.5)
    with pytest.raises(UnsupportedSyntaxError, match="`C.__del__` stores"):
        gradient(end, 1.5)

    def named(x: Any) -> Any:
        class D:
            def __set_name__(self, owner: Any, name: str) -> None:
                self.name = "_" + name

            def __get__(self, obj: Any, cls: Any) -> Any:
                return getattr(obj, self.name)

            def __set__(self, obj: Any, value: Any) -> None:
                setattr(obj, self.name, value * x)

        class C:
            d = D()

        c: Any = C()
        c.d = x
        return c.d * x

    check(named, 1.5)


def test_a_descriptor_runs_as_often_as_in_the_plain_program() -> None:
    def program(x: Any) -> Any:
        total = [0.0]

        class D:
            def __get__(self, obj: Any, cls: Any) -> float:
                total[0] += x * x
                return 1.0

        class C:
            d = D()

        c = C()
        c.d  # noqa: B018
        by_object = total[0]
        return by_object * x + C.d * total[0]

    check(program, 1.5, order=2)


def test_arrays_in_files_of_memory() -> None:
    def program(x: Any) -> Any:
        file = io.BytesIO()
        np.save(file, np.array([x]))
        file.seek(0)
        return np.load(file)[0] * x

    def zipped(x: Any) -> Any:
        file = io.BytesIO()
        np.savez(file, a=np.array([x]))
        file.seek(0)
        return np.load(file)["a"][0] * x

    def kept(x: Any) -> Any:
        file = io.BytesIO()
        np.save(file, np.array([x]))
        return x * x

    for lost in (program, zipped):
        with pytest.raises(NoRuleError):
            gradient(lost, 1.5)
    check(kept, 1.5)


# ---- objects whose methods are called by a library


class Visitor(ast.NodeVisitor):
    def __init__(self, x: Any) -> None:
        self.x, self.total = x, 0.0

    def visit_Name(self, node: ast.Name) -> None:
        self.total += self.x


class Written:
    def __init__(self, x: Any) -> None:
        self.x, self.total = x, 0.0

    def write(self, text: str) -> None:
        self.total += self.x


class Encoder(json.JSONEncoder):
    def default(self, o: Any) -> str:
        SEEN.append(o.x)
        return ""


class Handler(logging.Handler):
    def __init__(self, x: Any) -> None:
        super().__init__()
        self.x, self.total = x, 0.0

    def emit(self, record: Any) -> None:
        self.total += self.x


def test_objects_with_methods_that_a_library_calls() -> None:
    def visited(x: Any) -> Any:
        visitor = Visitor(x)
        visitor.visit(ast.parse("a + b"))
        return visitor.total * x

    def printed(x: Any) -> Any:
        file: Any = Written(x)
        print("text", file=file)
        return file.total * x

    def dumped(x: Any) -> Any:
        file: Any = Written(x)
        json.dump([1], file)
        return file.total * x

    def encoded(x: Any) -> Any:
        SEEN.clear()
        json.dumps(Written(x), cls=Encoder)
        return SEEN[0] * x

    def logged(x: Any) -> Any:
        handler = Handler(x)
        logger = logging.getLogger("adjoint.tests")
        logger.addHandler(handler)
        logger.error("text")
        logger.removeHandler(handler)
        return handler.total * x

    for changing in (visited, printed, dumped):
        with pytest.raises(MutationError, match="changes what it is given"):
            gradient(changing, 1.5)
    for handed in (encoded, logged):
        with pytest.raises(UnsupportedSyntaxError, match="which stores"):
            gradient(handed, 1.5)


# ---- objects that are stored into arrays


class Quantity:
    def __init__(self, v: Any) -> None:
        self.v = v
        self.asked = 1.0

    def __float__(self) -> float:
        return float(self.v)


class Asked(Quantity):
    def __float__(self) -> float:
        self.asked *= self.v
        return float(self.v)


class Row(Quantity):
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.ones(2) * self.v


@pytest.mark.parametrize("cls", [Quantity, Asked])
def test_an_object_that_is_stored_into_an_array(cls: Any) -> None:
    def item(x: Any) -> Any:
        q, a = cls(x), np.zeros(3)
        a[0] = q
        a[1:] = q
        return a.sum() * q.asked

    def items(x: Any) -> Any:
        q, a = cls(x), np.zeros((2, 2))
        a[0] = [q, x]
        a[1] = (x * x, q)
        return (a * [[1, 2], [3, 4]]).sum() * q.asked

    def looped(x: Any) -> Any:
        a = np.zeros(3)
        for i in range(3):
            a[i] = cls(x * i)
        return (a * a).sum()

    for program in (item, items, looped):
        check(program, 1.5, order=2)


def test_other_ways_of_storing_objects_are_refused() -> None:
    def filled(x: Any) -> Any:
        a = np.zeros(2)
        a.fill(Quantity(x))
        return a.sum()

    def put(x: Any) -> Any:
        a = np.zeros(2)
        np.put(a, [0], Quantity(x))
        return a.sum()

    def flat(x: Any) -> Any:
        a = np.zeros(2)
        a.flat = Quantity(x)
        return a.sum()

    def rows(x: Any) -> Any:
        a = np.zeros(2)
        a[:] = Row(x)
        return a.sum()

    for program in (filled, put, flat, rows):
        with pytest.raises(UnsupportedSyntaxError, match="an object is stored into an array"):
            gradient(program, 1.5)


def test_what_only_a_function_handed_to_a_solver_appends_is_not_lost() -> None:
    """The list is empty where it is read, as far as the program itself says."""
    optimize = pytest.importorskip("scipy.optimize")

    def program(x: Any) -> Any:
        tried: list[Any] = []

        def f(t: Any) -> Any:
            tried.append(t)
            return t * t - x

        return optimize.brentq(f, 0.0, 5.0) * tried[-1]

    with pytest.raises(MutationError, match="changes `tried`"):
        gradient(program, 1.3)

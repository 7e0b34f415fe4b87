"""Where the items of containers come from, and where their cotangents go.

Operations on containers move items and compute nothing, so that numbers that are all different tell where each item
came from. A `Model` runs a few operations beside plain Python, gives a cotangent to each place that there is in the
end, and looks where it arrives.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest

from adjoint.recording.operations.calls import invoke, invoke_method
from adjoint.recording.sweep import Sweep, is_valued


def slots_of(x: Any) -> list[tuple[Any, Any]]:
    """The slots of a container, and what is in them."""
    if isinstance(x, list | deque):
        return list(enumerate(x))
    if isinstance(x, dict):
        return list(x.items())
    return [(element, element) for element in x] if isinstance(x, set | frozenset) else []


def containers_in(x: Any) -> Iterator[Any]:
    """What can change, in the order in which it is found."""
    if isinstance(x, tuple):
        for item in x:
            yield from containers_in(item)
    elif isinstance(x, list | deque | dict | set | frozenset):
        yield x
        for _, item in slots_of(x):
            yield from containers_in(item)


def look(x: Any) -> Any:
    """A value with the identities of its numbers, to compare."""
    if isinstance(x, float):
        return id(x)
    if isinstance(x, set | frozenset):
        return type(x), {element: look(element) for element in x}
    if isinstance(x, tuple):
        return type(x), [look(item) for item in x]
    if isinstance(x, list | deque | dict):
        return type(x), getattr(x, "maxlen", None), [(slot, look(item)) for slot, item in slots_of(x)]
    return x


def _all_of(steps: list[Any]) -> Any:
    """The reverse of an operation that did not come to its end."""

    def back(sweep: Sweep, y_bar: Any) -> Any:
        bars: Any = [None] * 9
        for step in reversed(steps):
            d = step[1](sweep, None)
            bars = [a if b is None else b for a, b in zip(bars, [*d, *bars], strict=False)]
        return bars

    return back


class Model:
    """A few operations one after the other, on containers of numbers that are all different."""

    def __init__(self, *containers: Any) -> None:
        self.backs: list[Any] = []
        self.numbers: dict[int, float] = {}
        self.sources: dict[int, Any] = {}
        self.containers: dict[int, Any] = {}
        self.results: list[Any] = []
        self.twins: dict[int, Any] = {}
        self.see(containers, None)

    def know(self, x: Any, source: Any) -> None:
        """Remember where a number was seen first."""
        if isinstance(x, float) and id(x) not in self.sources:
            self.numbers[id(x)], self.sources[id(x)] = x, source

    def see(self, values: tuple[Any, ...], step: int | None) -> None:
        """Remember where numbers are that were not seen before."""
        for holder in containers_in(values):
            if id(holder) not in self.containers:
                self.containers[id(holder)] = holder
                copy.deepcopy(holder, self.twins)
                for slot, item in slots_of(holder):
                    self.know(item, (holder, slot))
                    for j, part in enumerate(item if isinstance(item, tuple) else ()):
                        self.know(part, (holder, slot, j))
        for i, item in enumerate(values if step is not None else ()):
            self.know(item, (step, i, None))
            for j, part in enumerate(item if isinstance(item, tuple) else ()):
                self.know(part, (step, i, j))

    def do(self, f: Any, *args: Any, **kwargs: Any) -> Any:
        """An operation: a function, or a method of the first argument."""
        given = (*args, *kwargs.values())
        self.see(given, len(self.backs))
        twins = copy.deepcopy(given, self.twins)
        named = dict(zip(kwargs, twins[len(args) :], strict=True))
        plain = f if callable(f) else getattr(twins[0], f)
        wanted: Any = None
        error: Any = None
        try:
            wanted = plain(*twins[0 if callable(f) else 1 : len(args)], **named)
        except Exception as e:
            error = e
        steps: list[Any] = []
        try:
            if callable(f):
                y, back = invoke(steps.append, 0, f, args, kwargs)
            else:
                y, back = invoke_method(steps.append, 0, args[0], f, args[1:], kwargs)
        except Exception as e:
            assert type(e) is type(error) and str(e) == str(error)
            self.backs.append(_all_of(steps))
            self.results.append(None)
            y = None
        else:
            assert error is None
            self.backs.append(back)
            self.results.append(y)
        assert look(y) == look(wanted)
        if isinstance(y, list | deque | dict | set | frozenset) and id(y) not in self.containers:
            self.twins[id(y)] = wanted
        self.see((y,), None)
        for holder in self.containers.values():
            assert look(holder) == look(self.twins[id(holder)])
        return y

    def check(self) -> None:
        """What arrives is what was given."""
        places = [(x, slot, v) for x in self.containers.values() for slot, v in slots_of(x) if is_valued(v)]
        for holder in self.containers.values():
            if not isinstance(holder, frozenset):
                holder.clear()  # nothing may be read any more
        for seed in (1.0, 2.0):
            self._sweep(places, seed)

    def _sweep(self, places: list[Any], seed: float) -> None:
        sweep, bars = Sweep(), (seed * 1.5**i for i in range(10**6))
        wanted, found = dict.fromkeys(self.numbers, 0.0), dict.fromkeys(self.numbers, 0.0)

        def give(x: Any) -> Any:
            if isinstance(x, tuple):
                parts = tuple([give(item) for item in x])
                return parts if any(parts) else None
            if not isinstance(x, float):
                return None
            d = next(bars)
            wanted[id(x)] += d
            return d

        for holder, slot, value in places:
            sweep.add(holder, slot, give(value))
        for step in reversed(range(len(self.backs))):
            given = self.backs[step](sweep, give(self.results[step]))
            for key, (_, i, j) in self.of_step(step):
                d = given[1 + i] if j is None or given[1 + i] is None else given[1 + i][j]
                found[key] += d or 0.0
        for key, source in self.sources.items():
            if not isinstance(source[0], int):
                d = sweep.take(*source[:2])
                found[key] += (d if len(source) == 2 or d is None else d[source[2]]) or 0.0
        assert found == pytest.approx(wanted, rel=1e-9)
        assert not any(sweep.slots.values())

    def of_step(self, step: int) -> list[Any]:
        """The numbers that an operation was given."""
        return [
            (key, source) for key, source in self.sources.items() if isinstance(source[0], int) and source[0] == step
        ]

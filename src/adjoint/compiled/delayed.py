"""Arrays that are computed where they are read, as long as nothing that they read is stored into."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..ir import changes
from ..ir.intrinsics import invoke
from ..ir.nodes import Block, Call, Const, Function, blocks_of
from ..origin import is_users
from ..transforms.effects import IN_PLACE
from ..transforms.facts import Callee
from ..wrappers import called_by
from .arrays import located
from .kernel import Buf
from .links import Links
from .values import Arr, CannotCompile, arrays_in
from .writer import Writer

STORES = IN_PLACE | {
    *(changes.stored, changes.set_item, changes.stored_unseen, changes.in_place, changes.in_place_unseen)
}


class LearntError(Exception):
    """News of a program that has to be lowered again: an array that was passed in is stored into, a
    function calls itself, floats come into a list of integers, or others see what the program stores into its own
    arrays."""

    def __init__(self, stored: Buf | None = None, recursive: Function | None = None, widens: bool = False) -> None:
        super().__init__(stored, recursive, widens)
        self.stored, self.recursive, self.widens = stored, recursive, widens


class Delayed:
    """Statements put off in the functions that are being lowered, in the order in which it was."""

    def __init__(self, w: Writer, given: Sequence[Any]) -> None:
        self.w = w
        self.given = given
        self.params: set[Buf] = set()
        """Of functions that call themselves, which only read them."""
        self.arrs: list[Arr] = []
        self.stored: set[Buf] = set()
        self.maybe_copied: set[Buf] = set()
        """Where NumPy may have made a copy or not, by the strides."""
        self.links = Links(w)
        self.in_order: set[Buf] = set()
        """What NumPy gives another shape without a copy if it is in the order of C."""

    def note(self, value: Any) -> None:
        """A value may have to be computed before the next store."""
        self.arrs += [a for a in arrays_in(value) if a.buf is None]

    def before_store(self, target: Arr) -> Buf:
        """Compute what reads a buffer that is stored into, and give the buffer."""
        buf = located(self.w, target).buf
        assert buf is not None
        if buf in self.given:
            raise LearntError(buf)
        if buf in self.params:
            raise CannotCompile("a store into an array that is an argument of a function that calls itself")
        self.links.store(buf)
        self.stored.add(buf)
        self.compute({buf})
        return buf

    def before_region(self, block: Block, values: Sequence[Any]) -> None:
        """Compute what a region reads, which it may do many times, and what reads anything that it may store into."""
        for v in values:
            for a in arrays_in(v):
                located(self.w, a)
        if may_store(block):
            self.compute({a.buf for v in values for a in arrays_in(v) if a.buf not in self.given})

    def compute(self, stored: set[Any]) -> None:
        for a in self.arrs:
            if a.buf is None and a.reads & stored:
                located(self.w, a)
        self.arrs = [a for a in self.arrs if a.buf is None]

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Forget what is put off meanwhile: nobody outside can read it."""
        before = self.arrs
        self.arrs = [*before]
        try:
            yield
        finally:
            self.arrs = before

    def check(self) -> None:
        """Refuse a program that stores where NumPy may have made a copy, if arrays are seen by all."""
        if self.stored & self.maybe_copied:
            raise CannotCompile("a store into an array of which a part has been given another shape")


def may_store(block: Block, seen: frozenset[Any] = frozenset()) -> bool:
    """Tell whether a region may store into an array; `seen` are the functions that are looked through."""
    return any(
        isinstance(s, Call) and _may_store(s, seen) or any(may_store(b, seen) for b in blocks_of(s))
        for s in block.statements
    )


def _may_store(s: Call, seen: frozenset[Any]) -> bool:
    if isinstance(s.how, Callee) and s.how.handle.primal is not None:
        handle = s.how.handle
        return handle not in seen and may_store(handle.primal.body, seen | {handle})
    if not isinstance(s.fn, Const) or s.fn.value is invoke:
        return True
    code = getattr(called_by(s.fn.value) or s.fn.value, "__code__", None)
    return s.fn.value in STORES if code is None else s.fn.value in STORES or is_users(code.co_filename)

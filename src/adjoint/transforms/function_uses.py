"""Uses of the variables of a function: found once, however often it is read until its types settle."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from ..ir import exceptions
from ..ir.nodes import Const, Function, If, Var, blocks_of
from .context import Context
from .displays import Displays
from .growth import grown_after
from .sets import own_sets
from .uses import calls_of, conditions, only_raised, only_tested, put_back, single_purpose, stored_back

_LAZY = frozenset([map, filter, zip, enumerate, reversed, iter])
"""Functions that give an iterator, and take nothing of what they are given before they are asked."""


def uses_in(context: Context, function: Function, scope: dict[str, Any]) -> Uses:
    """The uses of the variables of a function with these globals."""
    if function not in context.uses:
        context.uses[function] = Uses(function, scope)
    return context.uses[function]  # type: ignore[no-any-return]


class Uses:
    """Uses of the variables of a function: the resolution of a call may rely on them."""

    def __init__(self, function: Function, scope: dict[str, Any]) -> None:
        self.displays = Displays(function, scope)
        lazy = {v for v, f in self.displays.functions.items() if f in _LAZY} | self.displays.expressions
        self.only_called, self.only_made, self.only_iterated, self.only_consumed = single_purpose(function, lazy)
        body = function.body.statements
        self.called = frozenset([id(s.fn.value) for s in calls_of(body) if isinstance(s.fn, Const)])
        """The constants that are called, by identity."""
        self.grown, self.stored_back, self.put_back = grown_after(function), stored_back(body), put_back(body)

    def calls_any(self, functions: Iterable[Any]) -> bool:
        """Tell whether one of these functions is called."""
        return not self.called.isdisjoint(map(id, functions))

    @functools.cached_property
    def only_tested(self) -> set[Var]:
        """Variables that decide which way the program goes, and nothing else."""
        return only_tested(self.displays.function)

    @functools.cached_property
    def conditions(self) -> set[Var]:
        """The same, with what `and` and `or` give such."""
        return conditions(self.displays.function)

    @functools.cached_property
    def only_raised(self) -> set[Var]:
        """Variables that are raised, and nothing else."""
        return only_raised(self.displays.function)

    @functools.cached_property
    def only_thrown(self) -> set[Var]:
        """Those that may also be handed to what notes that they were made here."""
        return only_raised(self.displays.function, exceptions.made_here)

    @functools.cached_property
    def joined(self) -> frozenset[Var]:
        """The outs of branches: `a or b` may have asked them already whether they are true."""
        found, todo = set[Var](), [self.displays.function.body]
        while todo:
            for s in todo.pop().statements:
                found.update(s.outs if isinstance(s, If) else ())
                todo += blocks_of(s)
        return frozenset(found)

    @functools.cached_property
    def own_sets(self) -> dict[Var, bool]:
        """Sets that are made and changed here, and of which nothing is read but what is in them."""
        return own_sets(self.displays.function, self.displays.functions)

    @functools.cached_property
    def given_sets(self) -> dict[Var, bool]:
        """The same, where parameters are given sets of which nobody else has one."""
        function = self.displays.function
        return own_sets(function, self.displays.functions, function.params)

"""Looks at trees of objects before a run, printed for their classes: they tell that cotangents will come complete.

What the programs show (`runtime.completeness`) is asked of the objects: that they have just the fields that their
cotangents name, in this order; that those which are read hold floats or objects of these classes, and the others
nothing that moves. So nothing is left to do where such cotangents are handed over. No code of the user's runs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from ..ir.types import FLOAT, Record
from ..runtime.completeness import NOTHING, NUMBER, Proof, Slot, Whole
from ..runtime.conditions import Guard
from ..runtime.implicit_values import readers_of
from ..runtime.spec import Spec
from ..spelling import quoted
from ..tangents.release import INERT, is_plain_record


def look_of(plan: Guard, spec: Spec, place: int, x: Any) -> str | None:
    """The name, in a plan, of the function that tells whether the gradient by an argument at a place comes complete;
    None where that is not seen from the programs, or is not so of `x`. Objects that it finds to be so are of classes
    that are under the guard of the plan, and run nothing by themselves."""
    if spec.result_type != FLOAT or not isinstance(spec.types[place], Record):
        return None
    proof = Proof()
    found = proof.resolved({Slot(spec, place)})
    (whole,) = found if len(found) == 1 else (None,)
    if not isinstance(whole, Whole):
        return None
    look = _Look(proof, frozenset(readers_of(plan.classes))).function(whole)
    return plan.name(look) if look(x) else None


class _Look:
    """The printing of one look."""

    def __init__(self, proof: Proof, known: frozenset[type]) -> None:
        self._proof, self._known = proof, known
        self._guard = Guard()
        self._order: list[Whole] = []
        """The objects of which there is a function each."""
        self._sets: dict[frozenset[type], frozenset[type]] = {}
        self._n = 0

    def function(self, whole: Whole) -> Any:
        """The look at an object whose cotangent is this."""
        first = self._name(whole)
        lines: list[str] = []
        for one in self._order:  # which grows
            lines += [f"def {self._name(one)}(x):", *self._lines(one, "x", "    "), "    return True"]
        lines += [
            "def look(x):",
            "    try:",
            f"        return type(x) is {self._guard.name(whole.cls)} and {first}(x)",
            "    except (ValueError, RecursionError):",  # fields more or less; objects that hold themselves
            "        return False",
        ]
        return self._guard.define("look", lines)

    def _name(self, whole: Whole) -> str:
        if whole not in self._order:
            self._order.append(whole)
        return f"look{self._order.index(whole)}"

    def _new(self, stem: str) -> str:
        self._n += 1
        return f"{stem}{self._n}"

    def _lines(self, whole: Whole, x: str, pad: str) -> Iterator[str]:
        """The lines that leave a look at `x` where it is not as its cotangent says."""
        if whole.cls not in self._known or not is_plain_record(whole.cls):
            yield f"{pad}return False"
            return
        name, fields = self._guard.name, self._new("f")
        keys = {field: self._new("n") for field in whole.fields}
        tests = [f"{key} is not {name(sys.intern(field))}" for field, key in keys.items()]
        inner: list[tuple[str, dict[type, Whole], str]] = []
        for field, options in whole.fields.items():
            held = f"{fields}[{quoted(field)}]"
            objects, others = self._accepted(options)
            if objects:
                inner.append((held, objects, f"elif c not in {name(others)}:" if others else "else:"))
            elif others == {float}:
                tests.append(f"type({held}) is not float")
            else:
                tests.append(f"type({held}) not in {name(others)}")
        yield f"{pad}{fields} = {x}.__dict__"
        yield f"{pad}{''.join([f'{key}, ' for key in keys.values()])}= {fields}"
        yield f"{pad}if {' or '.join(tests)}:"
        yield f"{pad}    return False"
        for held, objects, otherwise in inner:
            yield from self._at(held, objects, otherwise, pad)

    def _at(self, held: str, objects: dict[type, Whole], otherwise: str, pad: str) -> Iterator[str]:
        """The lines for what a field holds: an object of one of some classes, or what is left `otherwise`."""
        v, word = self._new("v"), "if"
        yield f"{pad}{v} = {held}"
        yield f"{pad}c = type({v})"
        for cls, whole in objects.items():
            yield f"{pad}{word} c is {self._guard.name(cls)}:"
            if any([self._accepted(options)[0] for options in whole.fields.values()]):
                yield f"{pad}    if not {self._name(whole)}({v}):"
                yield f"{pad}        return False"
            else:
                yield from self._lines(whole, v, pad + "    ")
            word = "elif"
        yield f"{pad}{otherwise}"
        yield f"{pad}    return False"

    def _accepted(self, options: list[tuple[type | None, set[Any]]]) -> tuple[dict[type, Whole], frozenset[type]]:
        """The classes of objects that a field may hold, with their cotangents, and the other classes of what it may."""
        objects: dict[type, Whole] = {}
        others: set[type] = set()
        asked: set[type] = set()
        for cls, given in options:
            (one,) = found if len(found := self._proof.resolved(given)) == 1 else (None,)
            if isinstance(one, Whole):
                if one.cls not in asked and cls in (None, one.cls):
                    objects[one.cls] = one
            elif one in (NUMBER, NOTHING):
                theirs = {float} if one is NUMBER else INERT
                others |= (theirs if cls is None else theirs & {cls}) - asked
            asked |= {cls} if cls is not None else set()
        return objects, self._sets.setdefault(frozenset(others), frozenset(others))

"""Errors planted in what strangers' programs have need of: each is caught, by a program of a few lines."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjoint.derivatives as derivatives
from adjoint.compiled import reverse
from adjoint.inspect import cache_clear
from adjoint.ir.types import Array
from adjoint.recording.operations import attributes, caches, managers
from adjoint.runtime import layouts
from adjoint.transforms import results

from .again import Siblings
from .judge import Program, Wrong, judged
from .programs import HEAD, ITERATORS
from .strange import STRANGE

Patch = pytest.MonkeyPatch


@dataclasses.dataclass(frozen=True)
class Planted:
    """An error: what it does to the engine, the features of a program by which it shows, and its body."""

    name: str
    plant: Callable[[Patch], None]
    features: str
    body: str

    def __str__(self) -> str:
        return self.name

    @property
    def source(self) -> str:
        """The program; where it draws from `u0`, that is the iterator that it is given."""
        given = "u0" if "u0" in self.body else "l0"
        head = HEAD + "".join(STRANGE[feature] for feature in self.features.split())
        head += f"{ITERATORS} = ('u0',)\n" if given == "u0" else ""
        return f"{head}\n\ndef f(n0, n1, {given}, a0):\n{textwrap.indent(self.body, '    ')}\n"


PLANTED: list[Planted] = []


def planted(name: str, features: str, body: str) -> Callable[[Any], Any]:
    """Declare a plant with the features and the body of a program."""

    def declare(plant: Callable[[Patch], None]) -> Any:
        PLANTED.append(Planted(name, plant, features, textwrap.dedent(body).strip()))
        return plant

    return declare


@planted("what a class says is looked at once", "state", "return Changing(n0).of(n1) + Changing(n1).v")
def classes_stay(patch: Patch) -> None:
    patch.setattr(layouts.Layout, "holds", lambda self: True)


@planted("what a refused run has drawn is drawn again", "protocols", "return drawn(u0, n0) * n1")
def effects_twice(patch: Patch) -> None:
    recording = derivatives.recording

    def after_a_run(f: Any, args: Any, kwargs: Any, needs: Any, refusal: Any = None) -> Any:
        if refusal is not None:
            f(*args, **kwargs)
        return recording(f, args, kwargs, needs, refusal)

    patch.setattr(derivatives, "recording", after_a_run)


@planted("a memo cache is shared between variables", "wrapped", "return cached_of(0.37, 2) * cached_of(n0, 2)")
def shared_memo(patch: Patch) -> None:
    patch.setattr(caches, "_same", lambda x, y: True)


@planted("a descriptor is not looked into", "classes", "l0[0] = Managed(n0).h\nreturn l0[0] * n1")
def descriptors_are_plain(patch: Patch) -> None:
    patch.setattr(attributes, "is_python", lambda f: False)


@planted(
    "what a context gives has no cotangent",
    "protocols",
    """
    with Lent(l0) as l9:
        n = l9[0] * n0
    return n
    """,
)
def contexts_give_nothing(patch: Patch) -> None:
    patch.setattr(managers, "_of_result", lambda back: lambda sweep, y_bar: (None,))


@planted("compiled: of what flows twice only the first counts", "", "return math.sin(n0) * n0 + n1")
def first_use_alone(patch: Patch) -> None:
    add = reverse.Reverse.add
    patch.setattr(reverse.Reverse, "add", lambda self, a, v: None if a in self.live else add(self, a, v))


@planted(
    "a dtype by position is not heeded",
    "kinds",
    """
    v = np.zeros(4, int)
    v[0] = n0 * 3.0
    return v[0] * n1
    """,
)
def all_are_floats(patch: Patch) -> None:
    given_by, floats = results.type_given, Array("f", "float64", 1, False)
    patch.setattr(
        results, "type_given", lambda row, given: floats if given.function is np.zeros else given_by(row, given)
    )


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    cache_clear()
    yield
    cache_clear()


def judge_in_all_ways(source: str, folder: Path) -> None:
    program = Program(source, folder)
    assert judged(program, 1) in ("structured", "recorded")
    Siblings().add(program, thorough=True)


@pytest.mark.parametrize("error", PLANTED, ids=str)
def test_it_is_caught(error: Planted, monkeypatch: Patch, tmp_path: Path) -> None:
    judge_in_all_ways(error.source, tmp_path)
    cache_clear()
    error.plant(monkeypatch)
    with pytest.raises(Wrong):
        judge_in_all_ways(error.source, tmp_path)


SIBLING = """
import math

def f(n0, n1, l0, a0):
    return n0 * n1 * RATE
"""


def test_what_others_have_changed_is_caught(tmp_path: Path) -> None:
    """A program that is another after ten others have run."""
    siblings = Siblings()
    texts = [SIBLING.replace("RATE", str(0.5 + i)) for i in range(11)]
    programs = [Program(text, tmp_path) for text in texts]
    for program in programs[:-1]:
        judged(program, 1)
        siblings.add(program)
    programs[0].f.__code__ = programs[3].f.__code__
    judged(programs[-1], 1)
    with pytest.raises(Wrong, match="after ten others") as caught:
        siblings.add(programs[-1])
    assert caught.value.source == texts[0]

"""Calls of functions that have rules as programs that are compiled: written out from the samples of the rules."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import itertools
import linecache
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from rules.sampling import Sample

from adjoint.compiled.elementary import ELEMENTARY
from adjoint.compiled.meanings.calls import MEANINGS, METHODS
from adjoint.compiled.values import constant

NUMBER = itertools.count()
WORDS = (int, str, bool, type(None))


@dataclass(frozen=True)
class Written:
    """A program of a scalar, its arguments, and the places of those by which it is differentiated."""

    f: Callable[..., Any]
    args: tuple[Any, ...]
    places: tuple[int, ...]


def written(s: Sample, known: bool) -> Written | None:
    """The sum of what a call gives, with weights; its options are constants of the program if they are `known`, and
    arguments of it otherwise. None where there is nothing to be differentiated, or no option to be handed over."""
    made = _Made(known)
    given = [made.text(x) for x in s.args] + [f"{name}={made.text(x)}" for name, x in s.kwargs.items()]
    y = s.f(*s.args, **s.kwargs)
    terms = list(made.terms("y", y))
    if not made.moved or not terms or (not known and not made.options):
        return None
    name = f"<sampled {next(NUMBER)}>"
    text = f"def sampled({', '.join(made.names)}):\n    y = f({', '.join(given)})\n    return {' + '.join(terms)}\n"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    space = {"f": s.f, "np": np, **made.constants}
    exec(compile(text, name, "exec"), space)  # noqa: S102 - what has just been written
    return Written(space["sampled"], tuple(made.args), tuple(made.moved))


class _Made:
    """The arguments of a program, its constants, and what it says of them."""

    def __init__(self, known: bool) -> None:
        self.known = known
        self.args: list[Any] = []
        self.names: list[str] = []
        self.moved: list[int] = []
        self.options = 0
        self.constants: dict[str, Any] = {}

    def text(self, x: Any) -> str:
        """An argument of the call."""
        if is_moved(x):
            self.moved.append(len(self.args))
            return self.argument(x)
        if is_option(x):
            if self.known:
                return repr(x)
            self.options += 1
            return self.argument(x)
        if isinstance(x, np.ndarray | list | tuple | np.generic):
            return self.argument(x)
        name = f"constant{len(self.constants)}"
        self.constants[name] = x
        return name

    def argument(self, x: Any) -> str:
        self.args.append(x)
        self.names.append(f"x{len(self.args)}")
        return self.names[-1]

    def terms(self, text: str, y: Any) -> Iterator[str]:
        """The floats of a result, with weights."""
        if isinstance(y, np.ndarray) and y.dtype == np.float64:
            weights = 1.0 + 0.25 * np.cos(np.arange(y.size, dtype=np.float64)).reshape(y.shape)
            yield f"np.sum({text} * {self.argument(weights)})"
        elif isinstance(y, float):
            yield f"{text} * {1.0 + 0.125 * len(self.args)}"
        elif type(y) in (list, tuple) or isinstance(y, tuple) and hasattr(y, "_fields"):
            for k, item in enumerate(y):
                yield from self.terms(f"{text}[{k}]", item)


def is_moved(x: Any) -> bool:
    """Whether an argument is of floats, and nothing else."""
    if isinstance(x, np.ndarray):
        return x.dtype == np.float64
    return isinstance(x, float) or type(x) in (list, tuple) and len(x) > 0 and all(map(is_moved, x))


def is_option(x: Any) -> bool:
    return type(x) in WORDS or isinstance(x, tuple) and all(type(item) in WORDS for item in x)


@functools.cache
def compiled() -> dict[Any, Any]:
    """The functions of numbers, and the methods of arrays, that have a form in loops."""
    if importlib.util.find_spec("scipy") is not None:
        importlib.import_module("adjoint.compiled.meanings.special")
    methods = {getattr(np.ndarray, name): f for name, f in METHODS.items()}
    return {**MEANINGS, **ELEMENTARY, **methods}


def infinity() -> Any:
    """∞ as compiled programs have it."""
    return constant(float("inf"))

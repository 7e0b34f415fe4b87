"""Functions that have rules, compiled: at the samples of their rules they are as without, or refused.

Compared are the value and derivatives of two orders. Options are constants of the program once, and known when it runs
only the other time. One sample of each function and form is looked at, all of them with `ADJOINT_THOROUGH=1`.
"""

from __future__ import annotations

import copy
import os
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from compiled import sampled
from compiled.arithmetic import as_compiled
from compiled.needs import needs_numba
from rules.sampling import Sample, sample
from rules.tables import FAMILIES, samples_of

from adjoint import Tangent, hvp, value_and_grad
from adjoint.compiled import entry, library, numba_cache
from adjoint.compiled.meanings.calls import MEANINGS
from adjoint.errors import CompileError

THOROUGH = os.environ.get("ADJOINT_THOROUGH", "") not in ("", "0")
NEVER = "fft", "emath", "poly1d", "series", "random", "scipy_"
"""Families of which nothing is compiled, or one function in a hundred."""


def compiled_samples() -> Iterator[tuple[str, Sample, bool]]:
    """Samples, with options that are constants and such as are known at run time only."""
    seen = set()
    for family in FAMILIES:
        if not THOROUGH and any(word in family for word in NEVER) and "special" not in family:
            continue
        for s in samples_of(family):
            form = s.of, len(s.args), tuple(sorted(s.kwargs))
            if THOROUGH or form not in seen and worth_while(s):
                for known in (True, False):
                    yield f"{family}-{s.label}-{'constant' if known else 'late'}", s, known
            seen.add(form)


def worth_while(s: Sample) -> bool:
    """Whether a function may be compiled at all."""
    try:
        return s.of in sampled.compiled() or not callable(s.of)
    except TypeError:
        return False


def numbers(x: Any) -> Any:
    if x is None:
        return np.zeros(0)
    if isinstance(x, Tangent):
        x = [x[name] for name in x]
    if isinstance(x, tuple | list):
        return np.concatenate([np.zeros(0), *map(numbers, x)])
    return np.ravel(np.asarray(x, float))


def close(a: Any, b: Any, rtol: float) -> bool:
    a, b = numbers(a), numbers(b)
    return a.shape == b.shape and np.allclose(a, b, rtol=rtol, atol=rtol, equal_nan=True)


def direction(x: Any, rng: Any) -> Any:
    if isinstance(x, tuple | list):
        return type(x)([direction(item, rng) for item in x])
    return rng.standard_normal(np.shape(x)) if isinstance(x, np.ndarray) else float(rng.standard_normal())


def differs(s: Sample, known: bool) -> str | None:
    """What is not as without compiling; None if nothing is, or if it is refused."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        program = sampled.written(s, known)
        if program is None:
            return None
        f, args, places = program.f, program.args, program.places
        try:
            y, bars = value_and_grad(f, places, compile="strict")(*copy.deepcopy(args))
        except CompileError:
            return None
        expected, plain = value_and_grad(f, places)(*copy.deepcopy(args))
        if not close(y, f(*copy.deepcopy(args)), 1e-11):
            return f"the value {y} for {expected}"
        for k, bar, want in zip(places, bars, plain, strict=True):
            if not close(bar, np.zeros_like(numbers(bar)) if want is None else want, 1e-8):
                return f"the derivative by argument {k}: {numbers(bar)} for {numbers(want)}"
        if any(not is_direction(args[k]) for k in places):
            return None
        along = [direction(x, np.random.default_rng(0)) if k in places else None for k, x in enumerate(args)]
        try:
            found = hvp(f, copy.deepcopy(args), along, compile="strict")
        except CompileError:
            return None
        curves = hvp(f, copy.deepcopy(args), along)
        wrong = [k for k in places if not close(found[k], curves[k], 1e-6)]
        return f"second derivatives by {wrong}: {[numbers(found[k]) for k in wrong]}" if wrong else None


def is_direction(x: Any) -> bool:
    return not isinstance(x, list | tuple)


CASES = [pytest.param(s, known, id=label) for label, s, known in compiled_samples()]


@pytest.mark.parametrize(("s", "known"), CASES)
def test_as_without_compiling(s: Sample, known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [as_compiled])
    assert differs(s, known) is None


V = np.array([0.3, -0.7, 1.4])


@needs_numba
@pytest.mark.parametrize("s", [sample(np.linalg.norm, V, 1), sample(np.var, V, ddof=1), sample(np.logaddexp, V, V * V)])
def test_by_numba(s: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [numba_cache.by_numba])
    assert differs(s, True) is None


def test_a_wrong_option_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted error: the norm of any order is the largest entry."""

    def wrong(lower: Any, x: Any, order: Any = None) -> Any:
        return lower.call_function(library.norm, [x, INFINITY])

    monkeypatch.setattr(entry, "COMPILER", [as_compiled])
    for known in (True, False):
        assert differs(sample(np.linalg.norm, V, 3), known) is None
    monkeypatch.setitem(MEANINGS, np.linalg.norm, wrong)
    for known in (True, False):
        assert "the value" in str(differs(sample(np.linalg.norm, V + 0.0, 3), known))


INFINITY = sampled.infinity()

"""Second derivatives by the tangents that rules give: the reverse of J ẋ is held to the reverse of Jᵀ ȳ."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from rules.sampling import Sample
from rules.tables import FAMILIES, samples_of
from rules.variants import converted, is_taken, to_complex, to_list, to_single
from turns import is_thorough

from adjoint import pullback
from adjoint.calculus import pushforward
from adjoint.finite.differences import random_like
from adjoint.finite.structure import cotangent_like, leaves
from adjoint.rules.registry import find_rules
from adjoint.testing.forward import tangents_of


def gives_tangent(s: Sample) -> bool:
    """Whether there is a rule for the call that says its tangent, and one for its second derivative."""
    rules = find_rules(s.f)
    if s.order < 2 or rules is None or not rules.differentiable:
        return False
    method = rules.select(tuple(map(type, s.args)))
    return method is not None and method.forward is not None


def samples() -> Iterator[tuple[str, Sample]]:
    """Of each form of a call with such a rule one sample (all in a thorough run), in some variants."""
    seen = set()
    for family in FAMILIES:
        for s in [] if family.startswith("scipy") else samples_of(family):
            form = s.f, len(s.args), tuple(sorted(s.kwargs))
            if gives_tangent(s) and (form not in seen or is_thorough()):
                seen.add(form)
                more = [*converted(s, to_single, "float32"), *converted(s, to_list, "lists", objects=False)]
                for v in (s, *more, *(converted(s, to_complex, "complex") if s.complex else ())):
                    if is_taken(v):
                        yield f"{family}-{v.label}", v


def of_tangent(s: Sample, args: Any, dots: Any, y_bar: Any) -> Any:
    """The derivative of ⟨ȳ, J ẋ⟩ by the arguments, of the tangent."""
    _, back = pullback(lambda *xs: pushforward(s.f, xs, dots, **s.kwargs)[1], *args)
    return back(y_bar)[1:]


def of_cotangents(s: Sample, args: Any, dots: Any, y_bar: Any) -> Any:
    """The same of the cotangents."""
    _, back = pullback(lambda *xs: pullback(s.f, *xs, **s.kwargs)[1](y_bar)[1:], *args)
    return back(dots)[1:]


@pytest.mark.parametrize("s", [pytest.param(s, id=label) for label, s in samples()])
def test_second_derivative(s: Sample) -> None:
    rng = np.random.default_rng(3)
    y, back = pullback(s.f, *s.args, **s.kwargs)
    y_bar = cotangent_like(y, lambda leaf: random_like(leaf, rng))
    bars = back(y_bar)[1:]
    dots = tangents_of(s.args, s.constant, rng)
    dots = tuple([None if bar is None else d for d, bar in zip(dots, bars, strict=True)])
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        y_dot = pushforward(s.f, s.args, dots, **s.kwargs)[1]
        if type(y_dot) is tuple:  # what does not move (the weights that `np.average` returns) has no cotangent
            y_bar = tuple([bar if np.any(d) else None for bar, d in zip(y_bar, y_dot, strict=True)])
        got, expected = of_tangent(s, s.args, dots, y_bar), of_cotangents(s, s.args, dots, y_bar)
    single = any(np.asarray(x).dtype in (np.float32, np.complex64) for _, x in leaves(s.args))
    for i, x in enumerate(s.args):
        if i in s.constant:
            continue
        for path, leaf in leaves(x):
            a, b = (_at(bar[i], path, leaf) for bar in (got, expected))
            np.testing.assert_allclose(a, b, rtol=2e-2 if single else 1e-6, atol=2e-3 if single else 1e-8)


def _at(bar: Any, path: Any, leaf: Any) -> Any:
    for step in path:
        bar = None if bar is None else bar[step if not hasattr(step, "key") else step.key]
    return np.zeros(np.shape(leaf)) if bar is None else bar

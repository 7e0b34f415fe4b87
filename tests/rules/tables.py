"""The tables of samples, loaded, and what they say of each function."""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rules.sampling import Sample

from adjoint.finite.structure import leaves
from adjoint.rules.listing import declared
from adjoint.rules.registry import RULES, find_rules, key_of
from adjoint.rules.signatures import positional

FAMILIES = sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).with_name("samples"))]))


@functools.cache
def samples_of(family: str) -> list[Sample]:
    """The samples of one table; none if its library is not installed."""
    try:
        return list(importlib.import_module(f"rules.samples.{family}").SAMPLES)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "scipy":
            return []
        raise


@dataclass
class Sampled:
    """What is checked of a function: derivatives by which parameters, of complex numbers, of the second order."""

    by: dict[str, None] = field(default_factory=dict)
    complex: bool = False
    second: bool = False


@functools.cache
def sampled() -> dict[Any, Sampled]:
    """What is checked, by the keys of the functions' rules, and by the rules themselves, which functions share."""
    found: dict[Any, Sampled] = {}
    for family in FAMILIES:
        for s in samples_of(family):
            for key in (key_of(s.of), *shared(key_of(s.of))):
                known = found.setdefault(key, Sampled())
                known.second |= s.order > 1
                known.complex |= s.complex or any(np.iscomplexobj(leaf) for _, leaf in leaves((s.args, s.kwargs)))
                if s.f is s.of:
                    known.by.update(dict.fromkeys(differentiated(s)))
    return found


def checked(key: Any) -> Sampled | None:
    """What is checked of a function, or of another that has the same rules; None if nothing is."""
    known = sampled()
    return next((known[k] for k in (key, *shared(key)) if k in known), None)


def shared(key: Any) -> list[Any]:
    """What functions with the same rules have in common: the rule as it is written; that of a method of ufuncs, such as
    `np.add.reduceat`, is made for each in the same way."""
    made = [declared(method) for method in RULES[key].methods] if key in RULES else []
    return [(key[1], f.__code__) if isinstance(key, tuple) and isinstance(key[0], np.ufunc) else f for f in made]


def differentiated(s: Sample) -> list[str]:
    """The parameters by which a call is differentiated."""
    rules = find_rules(s.f)
    method = rules.select(tuple(map(type, s.args))) if rules is not None and rules.differentiable else None
    if method is None:
        return []
    star = positional(method.call)[2]
    star = f"*{star}" if star else ""
    names = [*method.names, *[star] * len(s.args)]
    given = [(names[i], x) for i, x in enumerate(s.args) if i not in s.constant]
    known = inspect.signature(method.call).parameters
    given += [(name, x) for name, x in s.kwargs.items() if name not in s.constant and name in known]
    return [name for name, x in given if name and any(True for _ in leaves(x, s.integers))]

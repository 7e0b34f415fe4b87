"""Every public name of these modules of SciPy has a rule, carries no derivative, or is refused by name."""

from __future__ import annotations

import importlib
import types
from typing import Any

import pytest

from adjoint.rules.registry import find_rules

MODULES = [
    "fft",
    "integrate",
    "interpolate",
    "ndimage",
    "signal",
    "signal.windows",
    "spatial",
    "spatial.distance",
    "spatial.transform",
]


def names_of(module: Any) -> list[str]:
    """The public callables of a module; old names of its submodules are not its own."""
    return [
        name
        for name in getattr(module, "__all__", dir(module))
        if not name.startswith("_") and callable(getattr(module, name)) and not _is_beside(getattr(module, name))
    ]


def _is_beside(x: Any) -> bool:
    """What is no function of numbers: warnings, the runner of the tests, what the module has imported for types."""
    warning = isinstance(x, type) and issubclass(x, Warning | Exception)
    home = (getattr(x, "__module__", None) or "scipy").partition(".")[0]
    return warning or isinstance(x, types.ModuleType) or type(x).__name__ == "PytestTester" or home != "scipy"


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_is_known(name: str) -> None:
    module = pytest.importorskip(f"scipy.{name}")
    assert [key for key in names_of(module) if find_rules(getattr(module, key)) is None] == []


def test_the_modules_are_there() -> None:
    pytest.importorskip("scipy")
    for name in MODULES:
        assert len(names_of(importlib.import_module(f"scipy.{name}"))) > 2

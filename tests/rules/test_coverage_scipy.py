"""Every public function of a module of SciPy has a rule, carries no derivative, or is refused by name."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from adjoint.rules.registry import find_rules

pytest.importorskip("scipy")

MODULES = ["special", "stats"]


def public_names(module: Any) -> list[str]:
    """The functions of a module: no modules, warnings or errors."""
    names = [name for name in dir(module) if not name.startswith("_") and callable(getattr(module, name))]
    kinds = [(name, getattr(module, name)) for name in names]
    return [name for name, f in kinds if not (isinstance(f, type) and issubclass(f, Exception))]


@pytest.mark.parametrize("name", MODULES)
def test_every_function_is_known(name: str) -> None:
    module = importlib.import_module(f"scipy.{name}")
    functions = {key: getattr(module, key) for key in public_names(module)}
    missing = [
        key
        for key, f in functions.items()
        if find_rules(f) is None and find_rules(getattr(type(f), "__call__", None)) is None  # noqa: B004
    ]
    assert missing == []

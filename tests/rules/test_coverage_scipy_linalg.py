"""Every public function of these modules of SciPy has a rule, carries no derivative, or is refused with a reason."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import pytest

from adjoint.rules.registry import find_rules

pytest.importorskip("scipy")


def functions_of(name: str) -> dict[str, Any]:
    """The public functions of a module; classes and submodules apart."""
    module = importlib.import_module(name)
    found = {n: getattr(module, n) for n in module.__all__}
    return {n: f for n, f in found.items() if callable(f) and not inspect.isclass(f)}


@pytest.mark.parametrize("name", ["scipy.linalg", "scipy.optimize", "scipy.sparse", "scipy.sparse.linalg"])
def test_every_function_is_known(name: str) -> None:
    assert [n for n, f in functions_of(name).items() if find_rules(f) is None] == []

"""Where SciPy is not installed, its rules are not collected, and examples that import it are skipped."""

import importlib.util

import pytest

ABSENT = [name for name in ("scipy", "numba", "sklearn", "matplotlib") if importlib.util.find_spec(name) is None]

collect_ignore_glob = ["src/adjoint/rules/scipy/*", "tests/rules/samples/scipy_*"] if "scipy" in ABSENT else []
collect_ignore_glob += ["src/adjoint/rules/numba/*"] if "numba" in ABSENT else []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        examples = item.dtest.examples if isinstance(item, pytest.DoctestItem) else []
        for name in ABSENT:
            if any(f"import {name}" in example.source or f"from {name}" in example.source for example in examples):
                item.add_marker(pytest.mark.skip(reason=f"{name} is not installed"))

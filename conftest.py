"""Where SciPy, Numba or others are not installed, their rules are not collected, nor are examples that import them."""

import importlib.util

import pytest

ABSENT = [
    name
    for name in (
        "scipy",
        "numba",
        "sklearn",
        "matplotlib",
        "torch",
        "jax",
        "dask",
        "optree",
        "pandas",
        "xarray",
        "pytensor",
        "autograd",
    )
    if importlib.util.find_spec(name) is None
]

OF_SCIPY = ["src/adjoint/rules/scipy/*", "tests/rules/samples/scipy_*", "src/adjoint/compiled/meanings/special.py"]
collect_ignore_glob = OF_SCIPY if "scipy" in ABSENT else []
collect_ignore_glob += ["src/adjoint/rules/numba/*"] if "numba" in ABSENT else []

OF_FRAMEWORKS = {
    "torch": [f"src/adjoint/interop/{name}.py" for name in ("torch", "as_torch", "as_module", "from_torch")],
    "jax": ["src/adjoint/interop/jax.py", "src/adjoint/interop/from_jax.py", "src/adjoint/interop/linear.py"],
    "optree": ["src/adjoint/interop/optree.py"],
    "pytensor": ["src/adjoint/interop/pytensor.py"],
    "autograd": ["src/adjoint/rules/autograd/*"],
    "pandas": ["src/adjoint/rules/pandas/*", "src/adjoint/interop/pandas.py"],
    "xarray": ["src/adjoint/rules/xarray/*", "src/adjoint/interop/xarray.py"],
}
collect_ignore_glob += [file for name, files in OF_FRAMEWORKS.items() if name in ABSENT for file in files]


def needs_absent(item: pytest.Item) -> bool:
    """Whether an example imports what is not installed."""
    examples = item.dtest.examples if isinstance(item, pytest.DoctestItem) else []
    return any(f"{word} {name}" in e.source for name in ABSENT for word in ("import", "from") for e in examples)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    absent = [item for item in items if needs_absent(item)]
    if absent:  # not marked to be skipped: some examples have no line that could be told
        config.hook.pytest_deselected(items=absent)
        items[:] = [item for item in items if item not in absent]

"""Programs of other libraries: where one is missing, its file is skipped, which is said (`adjoint[realworld]`)."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

LIBRARIES = {
    "test_astropy.py": ["astropy"],
    "test_engineering.py": ["chemicals", "fluids", "ht", "thermo"],
    "test_filters.py": ["filterpy", "pykalman", "hmmlearn"],
    "test_fits.py": ["cma", "emcee", "lmfit", "pymoo", "uncertainties"],
    "test_networks.py": ["control", "networkx", "simpy", "skrf"],
    "test_pandas.py": ["pandas"],
    "test_physics.py": ["abel", "colour", "iapws", "sgp4", "skyfield"],
    "test_quantecon.py": ["quantecon"],
    "test_scikit_fem.py": ["skfem"],
    "test_scikit_learn.py": ["sklearn"],
    "test_solar.py": ["pvlib"],
    "test_statistics.py": ["lifelines", "statsmodels"],
    "test_tenpy.py": ["tenpy"],
    "test_units.py": ["pint", "tqdm"],
}


class Needing(pytest.Module):
    """A file of tests that imports libraries which may not be installed."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Its tests; a skip that names the first library that is missing."""
        for name in LIBRARIES[self.path.name]:
            pytest.importorskip(name)
        return super().collect()


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Look for the libraries of a file before it is imported."""
    return Needing.from_parent(parent, path=module_path) if module_path.name in LIBRARIES else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for doctests in none of these files: that would import them."""
    found = yield
    return [c for c in found if isinstance(c, Needing)] if file_path.name in LIBRARIES else found

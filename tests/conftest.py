"""What all tests share."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import adjoint


@pytest.fixture(autouse=True, scope="session")
def the_same_adjoint_in_subprocesses() -> Iterator[None]:
    """Subprocesses import the package that is tested, installed or not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(adjoint.__file__).parents[1]), prepend=os.pathsep)
        yield


@pytest.fixture(autouse=True, scope="session")
def no_cache_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compiled programs of tests are kept for the time of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADJOINT_CACHE_DIR", str(tmp_path_factory.mktemp("programs", numbered=True)))
        yield

"""Derivatives sent to other processes: by names, by cloudpickle to where the script is not, by joblib and Dask."""

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from interop.needed import needed

SCRIPT = Path(__file__).with_name("script.py")


def run(*args: Any) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *map(str, args)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_pools_that_pickle_by_name() -> None:
    run(SCRIPT, "names")


@pytest.mark.parametrize(("name", "package"), [("joblib", "joblib"), ("dask", "distributed")])
def test_pools_that_use_cloudpickle(name: str, package: str) -> None:
    needed(package)
    run(SCRIPT, name)


RECEIVER = """
import os, pickle, sys
import adjoint
with open(sys.argv[1], "rb") as file:
    jobs, bare = pickle.load(file)
f = pickle.loads(bare)
try:
    sys.exit(f"not refused: {adjoint.grad(f)(2.0)}")
except adjoint.errors.SourceUnavailableError as error:
    assert "adjoint.grad(f)" in str(error) and "put it into a module" in str(error), error
for name, (content, expected) in jobs.items():
    call, *args = pickle.loads(content)
    got = repr(call(*args))
    assert got == expected, f"{name}: {got}, not {expected}"
if sys.argv[2:]:
    import cloudpickle
    on = {name: (cloudpickle.dumps(pickle.loads(content)), expected) for name, (content, expected) in jobs.items()}
    with open(sys.argv[2], "wb") as file:
        pickle.dump((on, bare), file)
"""


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pickles of a script that is not there any more."""
    needed("cloudpickle")
    folder = tmp_path_factory.mktemp("sent")
    script, file = folder / "script.py", folder / "pickles"
    shutil.copy(SCRIPT, script)
    run(script, "values", file)
    script.unlink()
    return file


def test_a_process_that_has_no_script(sent: Path) -> None:
    run("-c", RECEIVER, sent)
    jobs, _ = pickle.loads(sent.read_bytes())
    assert b"nothing that a derivative needs" not in jobs["grad"][0]
    assert len(jobs["grad"][0]) < SCRIPT.stat().st_size


def test_from_process_to_process_and_without_asserts(sent: Path, tmp_path: Path) -> None:
    """What a process has received it can send on, to one that drops asserts and docstrings."""
    jobs, bare = pickle.loads(sent.read_bytes())
    names = jobs if os.environ.get("ADJOINT_THOROUGH") else ("asserting", "closure", "model", "object", "second")
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_bytes(pickle.dumps(({name: jobs[name] for name in names}, bare)))
    run("-c", RECEIVER, first, second)
    run("-OO", "-c", RECEIVER, second)


@pytest.mark.skipif(not os.environ.get("ADJOINT_THOROUGH"), reason="takes two processes more")
def test_a_program_of_the_command_line(tmp_path: Path) -> None:
    """It has no text before Python 3.13: what is made of it is sent, and refused where it is called."""
    needed("cloudpickle")
    file = tmp_path / "pickle"
    run("-c", COMMAND, file)
    expected = "6.0" if sys.version_info >= (3, 13) else "refused"
    assert run("-c", LOADED, file).strip() == expected


COMMAND = """
import sys, cloudpickle, adjoint
def f(x): return x * x
open(sys.argv[1], "wb").write(cloudpickle.dumps(adjoint.grad(f)))
"""
LOADED = """
import pickle, sys, adjoint
try:
    print(pickle.load(open(sys.argv[1], "rb"))(3.0))
except adjoint.errors.SourceUnavailableError as error:
    print("refused")
"""

"""autograd's own tests and examples, and lifelines, through `install`: with `ADJOINT_THOROUGH=1`, nothing is copied."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import numpy as np
import pytest

import adjoint

SOURCE = Path(adjoint.__file__).parents[1]
THOROUGH = bool(os.environ.get("ADJOINT_THOROUGH"))
PLUGIN = "from adjoint.compat.autograd import install\ninstall()\n"

OF_ITS_NUMPY = ("test_custom_where",)
"""`where` of autograd keeps numbers of Python, and takes keywords; NumPy's does neither."""
OF_ITS_TEXTS = ("test_wrapped_name_and_docs",)
OF_ITS_REFUSALS = ("test_rfftn_odd_not_implemented",)
"""autograd refuses real transforms of odd lengths, which have their derivative here."""
OF_ITS_TRACER = ("test_const_graph",)
"""They count how often what is recorded runs; nothing is recorded here."""
EXCEPTIONS = {
    "test_fft.py": OF_ITS_REFUSALS,
    "test_misc.py": OF_ITS_TRACER,
    "test_wrappers.py": (*OF_ITS_NUMPY, *OF_ITS_TEXTS),
}
"""What need not pass: by file, parts of the names of tests."""
FILES = ("test_core.py", "test_wrappers.py", "test_complex.py", "test_fft.py", "test_misc.py", "test_scalar_ops.py")
"""Files that run in some minutes; second derivatives of structures within structures take far longer."""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution of autograd, downloaded and unpacked."""
    if not THOROUGH:
        pytest.skip("needs ADJOINT_THOROUGH=1, and a network")
    folder = tmp_path_factory.mktemp("autograd")
    call = [sys.executable, "-m", "pip", "download", "--no-binary", ":all:", "--no-deps", "autograd", "-d", str(folder)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=600)
    found = list(folder.glob("autograd-*.tar.gz"))
    if not found:
        pytest.skip(f"autograd cannot be downloaded: {done.stderr[-200:]}")
    with tarfile.open(found[0]) as archive:
        archive.extractall(folder, filter="data")
    (folder / "installing_compat.py").write_text(PLUGIN)
    (folder / "pytest.ini").write_text("[pytest]\n")
    return next(path for path in folder.iterdir() if path.is_dir())


def environment(*more: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (SOURCE, *more))), "OMP_NUM_THREADS": "1"}


@pytest.mark.parametrize("name", FILES)
def test_its_tests_pass(sources: Path, name: str) -> None:
    call = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-p", "installing_compat"]
    call += ["-c", str(sources.parent / "pytest.ini"), "--rootdir", str(sources / "tests"), name, "-rf"]
    done = subprocess.run(
        call, cwd=sources / "tests", env=environment(sources.parent), capture_output=True, text=True, timeout=3000
    )
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    excused = EXCEPTIONS.get(name, ())
    assert [line for line in failed if not any(part in line for part in excused)] == []
    assert " passed" in done.stdout, done.stdout[-2000:]


FIT = """
import json, sys, warnings
if sys.argv[1] == "ours":
    from adjoint.compat.autograd import install
    install()
warnings.simplefilter("ignore")
import lifelines
from lifelines.datasets import load_rossi, load_waltons
name, table = sys.argv[2:]
data = load_rossi() if table == "rossi" else load_waltons()
fitter = getattr(lifelines, name)()
fitter.fit(data, "week", "arrest") if table == "rossi" else fitter.fit(data["T"], data["E"])
print(json.dumps([*fitter.summary["coef"], *fitter.summary["se(coef)"], fitter.log_likelihood_]))
"""


@pytest.mark.parametrize(
    ("fitter", "table"),
    [
        ("WeibullFitter", "waltons"),
        ("ExponentialFitter", "waltons"),
    ],
)
def test_fits_of_lifelines_are_those_by_autograd(fitter: str, table: str) -> None:
    pytest.importorskip("lifelines", exc_type=ImportError)
    if not THOROUGH:
        pytest.skip("needs ADJOINT_THOROUGH=1")
    found = []
    for by in ("autograd", "ours"):
        call = [sys.executable, "-c", FIT, by, fitter, table]
        done = subprocess.run(call, env=environment(), capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr[-2000:]
        found.append(np.array(json.loads(done.stdout.splitlines()[-1])))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-8, atol=1e-8)

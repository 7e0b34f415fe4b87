"""autograd's own tests and examples, and lifelines, through `install`: with `ADJOINT_THOROUGH=1`, nothing is copied."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjoint

SOURCE = Path(adjoint.__file__).parents[1]
THOROUGH = bool(os.environ.get("ADJOINT_THOROUGH"))
PLUGIN = "from adjoint.compat.autograd import install\ninstall()\n"

OF_ITS_NUMPY = {
    "test_wrappers.py": [
        "test_custom_where",
        "test_custom_where_dtypes[float-False-1-2.0]",
        "test_custom_where_dtypes[float-True-3.0-4.0]",
        "test_custom_where_dtypes[int-True-1-2]",
        "test_custom_where_dtypes[list-True-x3-y3]",
    ],
    "test_numpy.py": ["test_diagonal", "test_make_diagonal", "test_scalar_array_box_attributes"],
    "test_linalg.py": ["test_pinv"],
}
"""Its `where` keeps numbers of Python and takes keywords, its numbers have a `shape`; `make_diagonal` is its own, and
`pinv` is asked for a private name of NumPy."""
OF_ITS_TRACER = {
    "test_graphs.py": ["test_assignment_raises_error"],
    "test_logic.py": None,
    "test_misc.py": ["test_const_graph", "test_const_graph_args"],
}
"""Assignments are differentiated here; nothing is recorded, so that it cannot be counted, nor can rules be taken away
while a test runs (the whole file imports them)."""
OF_ITS_REFUSALS = {"test_fft.py": ["test_rfftn_odd_not_implemented"], "test_scipy.py": ["test_mvn_sing_cov"]}
OF_ITS_TEXTS = {"test_wrappers.py": ["test_wrapped_name_and_docs"]}
FAILING: dict[str, list[str] | None] = {}
"""Exactly these fail, by file; None: the file cannot be imported."""
for _part in (OF_ITS_NUMPY, OF_ITS_TRACER, OF_ITS_REFUSALS, OF_ITS_TEXTS):
    for _file, _names in _part.items():
        FAILING[_file] = None if _names is None else [*(FAILING.get(_file) or ()), *_names]


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


def run(sources: Path, name: str) -> tuple[list[str], str]:
    """The tests of a file that fail, and what was printed."""
    call = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-p", "installing_compat", "-rfE"]
    call += ["-c", str(sources.parent / "pytest.ini"), "--rootdir", str(sources / "tests"), name]
    done = subprocess.run(
        call, cwd=sources / "tests", env=environment(sources.parent), capture_output=True, text=True, timeout=3600
    )
    lines = [line.split(" - ")[0] for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return [line.partition("::")[2] for line in lines], done.stdout


FILES = [
    *("test_binary_ops", "test_builtins", "test_complex", "test_core", "test_dict", "test_direct", "test_fft"),
    *("test_graphs", "test_jacobian", "test_linalg", "test_list", "test_logic", "test_misc", "test_numpy"),
    *("test_scalar_ops", "test_scipy", "test_systematic", "test_tests", "test_truediv", "test_tuple"),
    *("test_ufunc_dispatch", "test_vspaces", "test_wrappers"),
]


@pytest.mark.parametrize("name", FILES)
def test_its_tests_pass(sources: Path, name: str) -> None:
    failed, printed = run(sources, f"{name}.py")
    expected = FAILING.get(f"{name}.py", [])
    if expected is None:
        assert "belongs to the tracer of autograd" in printed
    else:
        assert sorted(failed) == sorted(expected)
        assert " passed" in printed, printed[-2000:]


EXAMPLE = """
import runpy, signal, sys, types
by, path, seconds = sys.argv[1:]
if by == "ours":
    from adjoint.compat.autograd import install
    install()
import numpy as np
import matplotlib.pyplot as plt
plt.pause = plt.show = plt.savefig = lambda *args, **kwargs: None
np.random.seed(0)
made = types.ModuleType("data_mnist")  # which would be downloaded
def mnist():
    r = np.random.RandomState(1)
    labels = r.randint(0, 10, 1536)
    images = np.clip((r.rand(10, 28, 28) * 255)[labels] + 40 * r.randn(1536, 28, 28), 0, 255)
    return images[:1280], labels[:1280], images[1280:], labels[1280:]
made.mnist = mnist
sys.modules["data_mnist"] = made
class Stop(BaseException): pass
def stop(*args): raise Stop
signal.signal(signal.SIGALRM, stop)
signal.alarm(int(seconds))
try:
    runpy.run_path(path, run_name="__main__")
except Stop:
    pass
"""
ABOUT_ITS_TRACER = ("dot_graph", "print_trace", "rkhs")
"""They show how autograd's tracer is extended: they are refused, with the reason."""
NOT_RUN = ("__init__", "data", "data_mnist")
"""Modules that others import."""
CHAOTIC = {
    "gmm": 30,
    "rnn": 16,
    "lstm": 60,
    "gplvm": 60,
    "deep_gaussian_process": 30,
    "bayesian_neural_net": 600,
    "convnet": 0,
}
"""How many numbers are compared: training multiplies rounding, and one draws without a seed."""
CLOSE = {"ode_net": 1e-3, "negative_binomial_maxlike": 1e-6, "neural_net_regression": 1e-4}
"""The solver of `ode_net` chooses its steps; the others stop where gradients are small."""
SECONDS = 30


def numbers_of(printed: str) -> list[float]:
    return [
        float(x) for x in re.findall(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?", printed.replace("float64", ""))
    ]


EXAMPLES = [
    "bayesian_neural_net",
    "black_box_svi",
    "convnet",
    "deep_gaussian_process",
    "define_gradient",
    "dot_graph",
    "fixed_points",
    "gaussian_process",
    "generative_adversarial_net",
    "gmm",
    "gplvm",
    "hmm_em",
    "ica",
    "logistic_regression",
    "lstm",
    "mixture_variational_inference",
    "natural_gradient_black_box_svi",
    "negative_binomial_maxlike",
    "neural_net",
    "neural_net_regression",
    "ode_net",
    "print_trace",
    "rkhs",
    "rnn",
    "rosenbrock",
    "sinusoid",
    "tanh",
    "variational_autoencoder",
]


@pytest.mark.parametrize("name", EXAMPLES)
def test_its_examples_print_the_same_numbers(sources: Path, name: str) -> None:
    pytest.importorskip("autograd", exc_type=ImportError)
    pytest.importorskip("matplotlib", exc_type=ImportError)
    path, printed = sources / "examples" / f"{name}.py", {}
    for by in ("autograd", "ours"):
        call = [sys.executable, "-u", "-c", EXAMPLE, by, str(path), str(SECONDS)]
        more = {"MPLBACKEND": "Agg", "PYTHONPATH": os.pathsep.join([str(SOURCE), str(path.parent)])}
        done = subprocess.run(
            call, cwd=path.parent, env={**environment(), **more}, capture_output=True, text=True, timeout=20 * SECONDS
        )
        if by == "ours" and name in ABOUT_ITS_TRACER:
            assert "belongs to the tracer of autograd" in done.stderr
            return
        assert done.returncode == 0, done.stderr[-2000:]
        printed[by] = numbers_of(done.stdout)
    n = min(*map(len, printed.values()), CHAOTIC.get(name, 10**6))
    n -= 1 if n == min(map(len, printed.values())) and n > 1 else 0  # it may have been cut off
    rtol = CLOSE.get(name, 1e-5)
    np.testing.assert_allclose(printed["ours"][:n], printed["autograd"][:n], rtol=rtol, atol=1e-5)


FIT = """
import json, sys, warnings
if sys.argv[1] == "ours":
    from adjoint.compat.autograd import install
    install()
warnings.simplefilter("ignore")
import lifelines
from lifelines.datasets import load_rossi, load_waltons
name, table, options = sys.argv[2:]
data = load_rossi() if table == "rossi" else load_waltons()
fitter = getattr(lifelines, name)(**json.loads(options))
fitter.fit(data, "week", "arrest") if table == "rossi" else fitter.fit(data["T"], data["E"])
print(json.dumps([*fitter.summary["coef"], *fitter.summary["se(coef)"], fitter.log_likelihood_]))
"""


@pytest.mark.parametrize(
    ("fitter", "table", "options"),
    [
        ("WeibullFitter", "waltons", {}),
        ("ExponentialFitter", "waltons", {}),
        ("LogNormalFitter", "waltons", {}),
        ("LogLogisticFitter", "waltons", {}),
        ("GeneralizedGammaFitter", "waltons", {}),
        ("PiecewiseExponentialFitter", "waltons", {"breakpoints": [20, 40, 60]}),
        ("SplineFitter", "waltons", {"knot_locations": [6, 30, 60]}),
        ("WeibullAFTFitter", "rossi", {}),
        ("LogNormalAFTFitter", "rossi", {}),
        ("LogLogisticAFTFitter", "rossi", {}),
        ("PiecewiseExponentialRegressionFitter", "rossi", {"breakpoints": [20, 40], "penalizer": 0.01}),
        ("CoxPHFitter", "rossi", {"baseline_estimation_method": "spline", "n_baseline_knots": 3}),
    ],
)
def test_fits_of_lifelines_are_those_by_autograd(fitter: str, table: str, options: dict[str, Any]) -> None:
    pytest.importorskip("lifelines", exc_type=ImportError)
    if not THOROUGH:
        pytest.skip("needs ADJOINT_THOROUGH=1")
    found = []
    for by in ("autograd", "ours"):
        call = [sys.executable, "-c", FIT, by, fitter, table, json.dumps(options)]
        done = subprocess.run(call, env=environment(), capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stderr[-2000:]
        found.append(np.array(json.loads(done.stdout.splitlines()[-1])))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-8, atol=1e-8)

"""What works where SciPy is not installed: a process in which it, and what is built on it, cannot be imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BLOCKED = """\
import importlib.abc
import sys


class Absent(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("scipy", "sklearn", "matplotlib"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Absent())
"""

PROGRAM = """
import math
import statistics

import numpy as np

import adjoint
import adjoint.nn as nn
import adjoint.testing
from adjoint.cli import main
from adjoint.rules.listing import import_libraries, listed

A = np.array([[2.0, 1.0], [1.0, 3.0]])
X = np.array([0.5, -1.0])


def loss(x):
    return math.exp(x[0]) * np.linalg.solve(A, x).sum() + (np.sort(x) ** 3).sum() + np.fft.rfft(x).real[1]


def close(a, b):
    assert np.allclose(a, b), (a, b)


def near(f, x, h=1e-6):
    return np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])


g = adjoint.gradient(loss, X)[0]
close(g, near(loss, X))
close(adjoint.calculus.pushforward(loss, (X,), (np.ones(2),))[1], g.sum())
close(adjoint.jacobian(lambda x: np.tanh(A @ x), X)[0], (1 - np.tanh(A @ X) ** 2)[:, None] * A)
close(adjoint.hessian(loss, X), near(lambda x: adjoint.gradient(loss, x)[0], X))
close(adjoint.gradient(lambda x: statistics.fmean([x, 3 * x]), 2.0), 2.0)


def recorded(xs):
    kept = {"total": 0.0}
    for x in xs:
        kept["total"] += x * kept["total"] + x
    return kept["total"]


close(adjoint.gradient(recorded, [1.0, 2.0])[0], [3.0, 2.0])
adjoint.testing.check_rule(np.linalg.inv, A, order=2)
adjoint.testing.check_gradient(loss, X)

assert adjoint.inspect.supports(np.linalg.inv).how == "rule" and adjoint.inspect.supports(math.floor).how == "constant"
assert main(["rules", "numpy.linalg.*"]) == 0
assert main(["rules", "scipy.special"]) == 2
missing = import_libraries()
assert missing and all(name.startswith(("autograd", "scipy")) for name in missing), missing
assert not any(entry.library.startswith("scipy") for entry in listed())

for f in (adjoint.jacobian, adjoint.hessian):
    try:
        f(lambda x: x**2 if f is adjoint.jacobian else (x**3).sum(), X, sparsity="auto")
    except adjoint.errors.MissingLibraryError as error:
        assert "scipy>=1.15" in str(error) and "help: " in str(error)
    else:
        raise AssertionError(f"{f} is not refused")

model = nn.Chain(nn.Dense(2, 3, nn.relu, rng=np.random.default_rng(0)), nn.Dense(3, 1, rng=np.random.default_rng(1)))
slopes = adjoint.gradient(lambda m: nn.mse(m(np.ones((4, 2))), np.zeros((4, 1))), model)[0]
assert any(np.any(leaf) for leaf in nn.leaves(slopes))

root = adjoint.calculus.implicit(lambda x, p: x * x - p)(math.sqrt)
close(adjoint.gradient(root, 4.0), 0.25)
residuals = adjoint.optimize.Residuals(lambda p: p - np.arange(2.0))
close(residuals.jac(X), np.eye(2))
close(adjoint.stats.propagate(lambda p: A @ p, X, np.eye(2))[1], A @ A.T)
print("all of it works", sorted(name for name in sys.modules if name.partition(".")[0] == "scipy"))
"""


def test_without_scipy(tmp_path: Path) -> None:
    """The core is NumPy's: derivatives of all kinds, the listing of rules, networks; what needs SciPy says so."""
    path = tmp_path / "program.py"
    path.write_text(BLOCKED + PROGRAM, encoding="utf-8")
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["all of it works []"]), done.stderr

"""Derivatives of a notebook, run by a real kernel, in a process that has nothing but their pickles."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from interop.needed import needed
from tools.kernels import executed

MADE = """
import functools
import numpy as np
import adjoint
from adjoint import grad, hessian, jacobian, nn, value_and_grad, vmap
from adjoint.optimize import Objective

K = 3.0
"""
HELPER = """
def helper(x):
    return np.sum(x * x)
"""
FUNCTIONS = """
def f(x):
    return helper(x) * K

def closed(k):
    def inner(x): return k * helper(x)
    return inner

class Line:
    def __init__(self, w): self.w = w
    def __call__(self, x): return self.scaled(x)
    def scaled(self, x): return helper(self.w * x)

def loss(model, x):
    return np.sum(model(x) ** 2)
"""
JOBS = """
x, batch = np.array([1.0, 2.0]), np.ones((3, 2))
swish = lambda z: z / (1.0 + np.exp(-z))
rng = np.random.default_rng(0)
model = nn.Chain(nn.Dense(2, 3, lambda z: swish(z) * K, rng=rng), nn.Dense(3, 1, rng=rng))
jobs = {
    "grad": (grad(f), x),
    "value_and_grad": (value_and_grad(f), x),
    "hessian": (hessian(f), x),
    "vmap": (vmap(grad(f)), batch),
    "lambda": (grad(lambda x: f(x) * 2.0), x),
    "closure": (grad(closed(5.0)), x),
    "compile": (adjoint.compile(f), x),
    "compiled": (grad(f, compile=True), x),
    "Objective": (Objective(f).jac, x),
    "object": (value_and_grad(lambda m, x: m(x)), Line(x), x),
    "method": (grad(Line(x).scaled), x),
    "lambda in a model": (value_and_grad(loss), model, batch),
    "model alone": (jacobian(model), batch),
}
import cloudpickle, pickle
sent = {name: (cloudpickle.dumps(job), repr(job[0](*job[1:]))) for name, job in jobs.items()}
with open("pickles", "wb") as file:
    pickle.dump((sent, cloudpickle.dumps(f)), file)
print(len(sent), "sent")
"""

RECEIVER = """
import pickle, sys
import adjoint
with open(sys.argv[1], "rb") as file:
    sent, bare = pickle.load(file)
try:  # before any text has come
    sys.exit(f"not refused: {adjoint.grad(pickle.loads(bare))(2.0)}")
except adjoint.errors.SourceUnavailableError as error:
    assert "adjoint.grad(f)" in error.way_out
for name, (content, expected) in sent.items():
    call, *args = pickle.loads(content)
    got = repr(call(*args))
    assert got == expected, f"{name}: {got}, not {expected}"
print(len(sent), "as in the notebook")
"""


def test_pickles_of_a_notebook_in_a_fresh_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needed("cloudpickle")
    shown = executed([MADE, HELPER, FUNCTIONS, JOBS], tmp_path, monkeypatch)
    assert shown[-1] == "13 sent", shown
    command = [sys.executable, "-W", "ignore", "-c", RECEIVER, str(tmp_path / "pickles")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.strip() == "13 as in the notebook"

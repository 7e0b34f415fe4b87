"""The example scripts that go to other libraries, each where that is installed."""

import sys
from pathlib import Path

import numpy as np
import pytest
from interop.needed import needed

import adjoint

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def example(monkeypatch):
    """Gives a script, found as `python examples/<name>.py` would find it."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    names = []
    yield lambda name: names.append(name) or __import__(name)
    for name in names:
        sys.modules.pop(name, None)


def test_out_of_memory(example):
    dask = needed("dask")
    needed("scipy")
    script = example("out_of_memory")
    with dask.config.set(scheduler="sync"):
        found = script.fit(4, rows=2000)
    np.testing.assert_allclose(found.x, script.TRUTH, atol=0.2)


def test_a_layer_in_torch(example):
    needed("torch")
    module, error = example("torch_layer").main(steps=150)
    assert abs(module.rate.item() - 0.3) < 0.01 and error < 1e-4


def test_a_function_in_jax(example):
    needed("jax")
    script = example("jax_function")
    starts, _, slopes = script.main()
    for start, slope in zip(np.asarray(starts, float), slopes, strict=True):
        np.testing.assert_allclose(slope, adjoint.grad(script.height)(start), rtol=1e-3, atol=1e-5)

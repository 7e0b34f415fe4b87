"""The example scripts that go to other libraries, each where that is installed."""

import os
import subprocess
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


@pytest.mark.skipif(not os.environ.get("ADJOINT_THOROUGH"), reason="takes a minute")
def test_out_of_memory_on_workers_with_a_limit():
    """60 partitions of 16 MB are more than both workers may take; one of 480 MB is more than a worker survives."""
    needed("distributed")
    command = [sys.executable, str(EXAMPLES / "out_of_memory.py"), "--steps", "3", "--memory", "400MB"]
    done = subprocess.run([*command, "--partitions", "60"], capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.startswith("960 MB on workers of 400MB: loss 0."), done.stdout
    assert "died" not in done.stderr and "exceeded" not in done.stderr
    whole = [sys.executable, "-c", WHOLE, str(EXAMPLES)]
    done = subprocess.run(whole, capture_output=True, text=True, timeout=500)
    assert done.returncode == 1 and "each worker that ran partition 0 has died" in done.stderr, done.stderr[-3000:]


WHOLE = """
import sys
sys.path.insert(0, sys.argv[1])
if __name__ == "__main__":
    import out_of_memory
    out_of_memory.ROWS *= 30
    out_of_memory.fit.__defaults__ = (out_of_memory.ROWS, 20)
    out_of_memory.main(1, memory="400MB")
"""


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

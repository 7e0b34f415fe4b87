"""Functions that are pickled by value: their pickles drop the text and the file's name, so the text is sent along."""

import multiprocessing
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import adjoint
from adjoint import errors, grad, gradient
from adjoint.frontend import texts
from adjoint.frontend.texts import Piece

SENT = Path(__file__).with_name("sent.py")


def run(*args: Any, **options: Any) -> None:
    done = subprocess.run([sys.executable, *map(str, args)], capture_output=True, text=True, timeout=300, **options)
    assert done.returncode == 0, done.stderr


def test_a_script_with_joblib() -> None:
    pytest.importorskip("joblib")
    run(SENT, "joblib")


RECEIVER = """
import pickle, sys
import adjoint
with open(sys.argv[1], "rb") as file:
    carried, plain, ruled = pickle.load(file)
def refusal(call, *args):
    try:
        return f"not refused, {call(*args)}"
    except adjoint.errors.AdjointError as error:
        return str(error)
for name, call, args, expected in pickle.loads(plain):
    said = refusal(call, *args)
    dropped = "pickled by value" in said and "adjoint.grad(f)" in said  # by cloudpickle 3.1.3 and newer
    assert dropped or "cannot be read" in said or "is not what runs" in said, said
for name, call, args, expected in pickle.loads(carried):
    got = call(*args)
    assert got == expected, (name, got)
for name, call, x in pickle.loads(ruled):
    assert "is not here" in refusal(call, x), name
"""


def test_a_process_that_has_no_script(tmp_path: Path) -> None:
    """By cloudpickle alone, to where the script is not; then to where another file has its place."""
    pytest.importorskip("cloudpickle")
    script, file = tmp_path / "script.py", tmp_path / "pickle"
    shutil.copy(SENT, script)
    run(script, file)
    script.unlink()
    run("-W", "ignore", "-c", RECEIVER, file)
    lines = SENT.read_text().replace("x * x", "x * x * x").replace("helper(x) * K", "helper(x) + K")
    script.write_text(lines)
    run("-W", "ignore", "-c", RECEIVER, file)


@pytest.mark.parametrize("name", ["dask", "ray"])
def test_other_schedulers(name: str, tmp_path: Path) -> None:
    pytest.importorskip({"dask": "distributed"}.get(name, name))
    script = tmp_path / "script.py"
    script.write_text(SCHEDULED)
    run("-W", "ignore", script, name, env=os.environ | {"RAY_DEDUP_LOGS": "0"})


SCHEDULED = """
import sys
import numpy as np
from adjoint import grad, gradient
def helper(x): return np.sum(x * x)
def f(x): return helper(x) * 3.0
def closed(k):
    def inner(x): return k * helper(x)
    return inner
def plain(x): return gradient(f, x)[0]
CALLS = [grad(f), grad(lambda x: -helper(x)), grad(closed(5.0)), plain]
if __name__ == "__main__":
    if sys.argv[1] == "ray":
        import ray
        ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
        far = ray.remote(lambda g, x: g(x))
        got = ray.get([far.remote(g, 2.0) for g in CALLS])
    else:
        from distributed import Client
        with Client(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as client:
            got = [client.submit(g, 2.0).result() for g in CALLS]
    assert got == [12.0, -4.0, 20.0, 12.0], got
"""


def cube(x):
    return x**3


decorated = grad(cube)


def test_spawned_processes() -> None:
    """By pickle, functions go by their names."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(grad(cube), [2.0]) == [12.0]
        assert pool.map(gradient_of_cube, [2.0]) == [12.0]


def gradient_of_cube(x):
    return gradient(cube, x)[0]


def test_what_is_importable_is_pickled_by_its_name() -> None:
    assert pickle.dumps(decorated).find(b"def cube") == -1
    assert pickle.loads(pickle.dumps(grad(cube)))(2.0) == 12.0


def test_copies_in_one_process() -> None:
    cloudpickle = pytest.importorskip("cloudpickle")
    f = lambda x: x * x * 7.0  # noqa: E731
    g = cloudpickle.loads(cloudpickle.dumps(grad(f)))
    assert g(2.0) == 28.0 and g._f is not f
    assert g._f.__code__.co_filename in ("<dynamic-code>", __file__)  # before cloudpickle 3.1.3
    y, back = adjoint.pullback(g._f, 2.0)
    assert (y, back(1.0)) == (28.0, (None, 28.0))
    again = cloudpickle.loads(cloudpickle.dumps(grad(g._f)))
    assert again(2.0) == 28.0


def test_a_text_that_came_along_is_compared_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: a text of the function's name and line that says something else."""
    monkeypatch.setattr(texts, "_CARRIED", {})
    namespace: dict[str, Any] = {}
    exec(compile("def from_far(x):\n    return x * x\n", "<dynamic-code>", "exec"), namespace)
    f = namespace["from_far"]
    texts.keep([Piece("far.py", 1, "def from_far(x):\n    return x + x\n")])
    with pytest.raises(errors.SourceUnavailableError, match="pickled by value"):
        gradient(f, 3.0)
    texts.keep([Piece("far.py", 1, "def from_far(x):\n    return x * x\n")])
    assert gradient(f, 3.0) == (6.0,)
    assert len(texts._CARRIED) == 2


def test_kept_texts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "_CARRIED", {})
    monkeypatch.setattr(texts, "_LIMIT", 3)
    for i in range(5):
        texts.keep([Piece(f"far{i}.py", 1, f"x = {i}\n")])
    assert [piece.filename for piece in texts._CARRIED] == ["far2.py", "far3.py", "far4.py"]

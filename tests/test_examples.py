"""The example scripts, with few steps: they run, learn, and draw what they say."""

import ast
import io
import linecache
import os
import runpy
import shutil
import subprocess
import sys
import tokenize
from pathlib import Path

import numpy as np
import pytest

from adjoint.demos import polynomials

pytest.importorskip("matplotlib").use("Agg")
pytest.importorskip("sklearn")

EXAMPLES = Path(__file__).parents[1] / "examples"
SCRIPTS = [path for path in sorted(EXAMPLES.glob("*.py")) if not path.stem.startswith("tiny")]
"""All but the small engines of the course, which are read in parts and draw nothing."""
OF_BRIDGES = {"out_of_memory", "torch_layer", "jax_function"}
"""What `test_examples_of_bridges.py` runs."""


@pytest.fixture
def example(monkeypatch):
    """Gives the `main` of a script, found as `python examples/<name>.py` would find it."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    before = set(sys.modules)
    yield lambda name: __import__(name).main
    for name in set(sys.modules) - before:
        if (EXAMPLES / f"{name}.py").exists():
            del sys.modules[name]


def test_every_script_is_tested():
    scripts = {path.stem for path in EXAMPLES.glob("*.py") if "__main__" in path.read_text()}
    assert (
        scripts
        == {
            "moons",
            "clusters",
            "polynomial_rules",
            "polynomial_model",
            "polynomial_network",
            "digits",
            "characters",
            "hmc",
            "deblurring",
            "portfolio",
            "survival",
            "orbit",
        }
        | OF_BRIDGES
    )


def test_a_script_is_short():
    """Lines of code, without docstrings, comments and blanks: what a reader of the gallery has to read."""
    lengths = {path.stem: _lines_of_code(path.read_text("utf-8")) for path in SCRIPTS}
    assert {name: lines for name, lines in lengths.items() if lines > 40} == {}


def test_lines_of_code_are_counted():
    text = '"""A docstring\nof two lines."""\n\n# a comment\nx = (1,\n     2)\n\ndef f():\n    """It."""\n'
    text += '    return """a\n\nb"""\n'
    assert _lines_of_code(text) == 2 + 1 + 3


def test_moons(example, tmp_path):
    _, history, accuracy = example("moons")(steps=300, output=tmp_path)
    assert accuracy > 0.95 and history[-1] < history[0] / 3
    assert _pictures(tmp_path) == {"moons_data.png", "moons_history.png", "moons_boundary.png"}


def test_clusters(example, tmp_path):
    _, _, accuracy = example("clusters")(steps=100, output=tmp_path)
    assert accuracy > 0.95
    assert _pictures(tmp_path) == {"clusters_data.png", "clusters_history.png", "clusters_boundary.png"}


def test_polynomial_by_rules(example, tmp_path, capsys):
    fits, histories = example("polynomial_rules")(steps=40, output=tmp_path)
    assert "rules in a loop    20 of 40 steps" in capsys.readouterr().out, "it says how far it is"
    loop, mapped = fits.values()
    np.testing.assert_allclose(loop, mapped)
    np.testing.assert_allclose(*histories.values())
    assert _pictures(tmp_path) == {"polynomial_rules.png", "polynomial_rules_history.png"}


def test_polynomial_by_a_model(example, tmp_path):
    model, history = example("polynomial_model")(steps=40, output=tmp_path)
    fits, histories = example("polynomial_rules")(steps=40, output=tmp_path)
    np.testing.assert_allclose(model.weights, fits["rules in a loop"])
    np.testing.assert_allclose(history, histories["rules in a loop"])


def test_polynomial_comes_near_the_best_fit(example, tmp_path):
    """The series: descent comes within about 30 % of least squares, which is the least there is."""
    example("polynomial_model")
    x, y = polynomials.noisy_polynomial()
    _, history = example("polynomial_model")(steps=2000, output=tmp_path)
    best = np.mean((polynomials.evaluate(polynomials.least_squares(x, y))(x) - y) ** 2)
    target = np.mean((polynomials.evaluate(polynomials.TARGET)(x) - y) ** 2)
    assert best < target
    assert best < history[-1] < 1.4 * best


def test_polynomial_by_a_network(example, tmp_path):
    _, history = example("polynomial_network")(steps=400, output=tmp_path)
    assert np.mean(history[-20:]) < np.mean(history[:20]) / 4


def test_digits(example, tmp_path):
    _, history, accuracy = example("digits")(steps=140, output=tmp_path)
    assert accuracy > 0.85 and history["loss"][-1] < history["loss"][0] / 3 and len(history["accuracy"]) == 6
    assert _pictures(tmp_path) == {"digits.png", "digits_history.png"}


def test_characters(example, tmp_path):
    _, history, written = example("characters")(steps=150, output=tmp_path)
    assert history[-1] < history[0] / 10 and "that lay in the house\n that Jack built.\n\nthis is the" in written
    assert _pictures(tmp_path) == {"characters.png", "characters_history.png"}


def test_deblurring(example, tmp_path):
    restored, errors = example("deblurring")(steps=60, output=tmp_path)
    assert restored.shape == (120, 120) and errors[1] < 0.8 * errors[0]
    assert _pictures(tmp_path) == {"deblurring.png"}


def test_portfolio(example, tmp_path):
    frontier, shares, alone = example("portfolio")(output=tmp_path)
    assert np.all(np.diff(frontier[:, 0]) > -1e-3) and frontier[0, 0] < 0.5 * alone.min()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert _pictures(tmp_path) == {"portfolio.png"}


def test_survival(example, tmp_path):
    best, errors = example("survival")(output=tmp_path)
    truth = sys.modules["survival"].TRUTH
    assert all(abs(best[name] - truth[name]) < 3 * errors[name] for name in truth)
    assert best["treated"] > 3 * errors["treated"] and _pictures(tmp_path) == {"survival.png"}


def test_as_a_notebook(monkeypatch, tmp_path, capsys):
    """The command line is then that of the kernel."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["/lib/ipykernel_launcher.py", "-f", "/tmp/kernel.json"])
    source, cell = (EXAMPLES / "orbit.py").read_text("utf-8"), "/tmp/ipykernel_1/2.py"
    monkeypatch.setitem(linecache.cache, cell, (len(source), None, source.splitlines(True), cell))
    exec(compile(source, cell, "exec"), {"__name__": "__main__"})
    assert "period" in capsys.readouterr().out
    assert _pictures(tmp_path / "examples" / "output") == {"orbit.png"}


def test_orbit(example, tmp_path):
    best, errors = example("orbit")(output=tmp_path)
    truth = sys.modules["orbit"].TRUTH
    assert all(abs(best[name] - truth[name]) < 3 * errors[name] for name in truth)
    assert errors["period"] < 2.0 and _pictures(tmp_path) == {"orbit.png"}


def test_keplers_equation_is_solved_and_differentiated(example):
    from adjoint import grad

    example("orbit")
    anomaly = sys.modules["orbit"].anomaly
    for mean, e in ((0.3, 0.6), (2.0, 0.1), (-9.0, 0.59)):
        E = anomaly(mean, e)
        np.testing.assert_allclose(E - e * np.sin(E), mean, rtol=1e-12)
        np.testing.assert_allclose(grad(anomaly, (0, 1))(mean, e), np.array([1.0, np.sin(E)]) / (1 - e * np.cos(E)))


def test_draws_have_the_mean_and_the_covariance_of_a_gaussian(example):
    example("hmc")
    sample = sys.modules["hmc"].sample
    mean, root = np.array([1.0, -2.0, 0.5]), np.array([[2.0, 0.0, 0.0], [1.5, 0.5, 0.0], [0.0, 0.3, 1.0]])
    precision = np.linalg.inv(root @ root.T)

    def log_density(x):
        return -0.5 * (x - mean) @ precision @ (x - mean)

    draws, accepted = sample(log_density, np.zeros(3), draws=4000, rng=np.random.default_rng(0))
    np.testing.assert_allclose(np.mean(draws, axis=0), mean, atol=0.15)
    np.testing.assert_allclose(np.cov(np.transpose(draws)), root @ root.T, atol=0.3)
    assert 0.6 < accepted < 0.95


def test_draws_of_a_posterior_that_is_known(example, tmp_path):
    """Under that prior weights have Student's distribution around least squares, and n-k residuals over σ² are χ²."""
    draws, accepted = example("hmc")(steps=4000, output=tmp_path)
    inputs, values = polynomials.noisy_line()
    left = len(values) - 2
    least = np.linalg.lstsq(inputs, values)[0]
    squares = np.sum((values - inputs @ least) ** 2)
    covariance = np.linalg.inv(inputs.T @ inputs) * squares / (left - 2)
    weights = np.array([p["weights"] for p in draws])
    np.testing.assert_allclose(weights.mean(axis=0), least, atol=0.015)
    np.testing.assert_allclose(np.cov(weights.T), covariance, atol=0.1 * covariance.max())
    np.testing.assert_allclose(np.mean([np.exp(2 * p["log_sigma"]) for p in draws]), squares / (left - 2), rtol=0.08)
    assert 0.6 < accepted < 0.95 and _pictures(tmp_path) == {"hmc.png"}


def test_a_script_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["clusters.py", "--steps", "5", "--output", str(tmp_path), "--seed", "3"])
    monkeypatch.syspath_prepend(str(EXAMPLES))
    runpy.run_path(str(EXAMPLES / "clusters.py"), run_name="__main__")
    assert "accuracy" in capsys.readouterr().out
    assert "clusters_boundary.png" in _pictures(tmp_path)


@pytest.mark.parametrize(
    "path",
    [path for path in SCRIPTS if path.stem not in OF_BRIDGES],
    ids=lambda path: path.stem,
)
def test_a_script_runs_by_itself(path, tmp_path):
    """As one that was downloaded does: in an empty folder, with the package alone; bridges need other libraries."""
    shutil.copy(path, tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent / "src"), "MPLBACKEND": "Agg"}
    command = [sys.executable, path.name, "--steps", "4", "--output", "drawn"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert _pictures(tmp_path / "drawn")


def test_each_script_is_a_demo():
    from adjoint.cli import DEMOS

    scripts = {path.stem for path in EXAMPLES.glob("*.py") if "__main__" in path.read_text()}
    assert sorted(name for names in DEMOS.values() for name in names) == sorted(scripts - OF_BRIDGES)


def test_the_demo_command(tmp_path, capsys):
    from adjoint.cli import main

    assert main(["demo", "clusters", "--steps", "5", "--output", str(tmp_path)]) == 0
    assert "clusters_history.png" in _pictures(tmp_path)


def _lines_of_code(text):
    tree = ast.parse(text)
    code = {
        row
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.string.strip() and token.type != tokenize.COMMENT
        for row in range(token.start[0], token.end[0] + 1)
    }
    docstrings = [
        node for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    return len(code - {row for node in docstrings for row in range(node.lineno, node.end_lineno + 1)})


def _pictures(folder):
    return {path.name for path in folder.iterdir() if path.stat().st_size > 1000}

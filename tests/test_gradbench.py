"""GradBench's problems: derivatives against differences, through what the protocol calls; and the protocol itself."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjoint.compiled import entry, programs

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.gradbench import ba, lstm, ode, protocol, timing  # noqa: E402

R = np.random.default_rng(3)


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def differences(f: Callable[[np.ndarray], Any], x: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """The Jacobian of a function of an array, by central differences; the axes of the result come first."""
    found = []
    for k in range(x.size):
        e = np.zeros(x.size)
        e[k] = h
        d = e.reshape(x.shape)
        found.append((np.asarray(f(x + d)) - np.asarray(f(x - d))) / (2 * h))
    return np.moveaxis(np.array(found), 0, -1).reshape(*np.shape(found[0]), *x.shape)


def called(module: str, name: str, given: Any) -> Any:
    """The answer to a request of a function."""
    request = {"id": 7, "kind": "evaluate", "module": module, "function": name, "input": given}
    answer = json.loads(json.dumps(protocol.Session().answer(json.dumps(request))))
    assert answer["id"] == 7 and answer["success"], answer
    assert [t["name"] for t in answer["timings"]] == ["compile", "evaluate"]
    return answer["output"]


@pytest.mark.parametrize("problem", protocol.PROBLEMS)
def test_problems_have_functions(problem: str) -> None:
    assert protocol.functions_of(problem)


@pytest.mark.parametrize(
    ("module", "value", "derivative", "given", "key"),
    [
        ("ode", "primal", "gradient", {"x": R.random(5).tolist(), "s": 4}, "x"),
        ("ode", "primal", "gradient_in_loops", {"x": R.random(5).tolist(), "s": 4}, "x"),
        ("lse", "primal", "gradient", {"x": R.normal(size=6).tolist()}, "x"),
        ("llsq", "primal", "gradient", {"x": R.normal(size=4).tolist(), "n": 7}, "x"),
    ],
)
def test_gradients(module: str, value: str, derivative: str, given: dict[str, Any], key: str) -> None:
    def f(x: np.ndarray) -> Any:
        found = called(module, value, {**given, key: x.tolist()})
        return found[-1] if isinstance(found, list) else found

    assert np.allclose(called(module, derivative, given), differences(f, np.array(given[key])), rtol=1e-6, atol=1e-8)


def test_hello() -> None:
    assert called("hello", "square", 3.0) == 9.0
    assert called("hello", "double", 3.0) == 6.0


def test_mixture() -> None:
    d, k, n = 3, 2, 4
    shapes = {"alpha": (k,), "mu": (k, d), "q": (k, d), "l": (k, d * (d - 1) // 2)}
    given: dict[str, Any] = {name: (0.5 * R.normal(size=shape)).tolist() for name, shape in shapes.items()}
    given |= {"d": d, "k": k, "n": n, "m": 1, "gamma": 1.3, "x": R.normal(size=(n, d)).tolist()}
    found = called("gmm", "jacobian", given)
    assert set(found) == set(shapes)
    for name in shapes:
        expected = differences(
            lambda v, name=name: called("gmm", "objective", {**given, name: v.tolist()}), np.array(given[name])
        )
        assert np.allclose(found[name], expected, rtol=1e-6, atol=1e-7), name


def test_mixture_is_the_density() -> None:
    """One component without a prior's weight: the density of a Gaussian, by NumPy's own linear algebra."""
    d, n = 2, 5
    q, lower, x = np.array([[0.2, -0.3]]), np.array([[0.7]]), R.normal(size=(n, d))
    factor = np.array([[np.exp(0.2), 0.0], [0.7, np.exp(-0.3)]])
    squares = np.sum((x @ factor.T) ** 2, axis=1)
    gaussian = np.sum(-0.5 * squares + np.log(np.linalg.det(factor)) - d / 2 * np.log(2 * np.pi))
    given = {"d": d, "k": 1, "n": n, "m": 0, "gamma": 1.0, "alpha": [0.4], "mu": [[0.0, 0.0]]}
    given |= {"q": q.tolist(), "l": lower.tolist(), "x": x.tolist()}
    # Wishart's density of the factor, with d + 1 degrees of freedom: the sum of squares and a constant.
    frobenius = 0.5 * (np.exp(0.4) + np.exp(-0.6) + 0.49)
    log_gamma = d * (d - 1) / 4 * np.log(np.pi) + sum(np.log([0.5 * np.sqrt(np.pi), 1.0]))
    constant = 3 * d * -0.5 * np.log(2.0) - log_gamma
    assert np.isclose(called("gmm", "objective", given), gaussian - frobenius + constant, rtol=1e-12)


def test_lstm_in_both_spellings() -> None:
    layers, b, c = 2, 3, 5
    main, extra = R.normal(size=(2 * layers, 4 * b)), R.normal(size=(3, b))
    state, sequence = R.normal(size=(2 * layers, b)), (R.random((c, b)) < 0.5).astype(float)
    names = ("main_params", "extra_params", "state", "sequence")
    given = {name: a.tolist() for name, a in zip(names, (main, extra, state, sequence), strict=True)}
    assert np.isclose(
        lstm.objective(main, extra, state, sequence), lstm.objective_in_loops(main, extra, state, sequence)
    )
    found, in_loops = called("lstm", "jacobian", given), called("lstm", "jacobian_in_loops", given)
    assert np.allclose(found, in_loops, rtol=1e-12, atol=1e-14)
    by_main = differences(lambda v: lstm.objective(v, extra, state, sequence), main)
    by_extra = differences(lambda v: lstm.objective(main, v, state, sequence), extra)
    assert np.allclose(found, [*by_main.ravel(), *by_extra.ravel()], rtol=1e-6, atol=1e-8)


def test_ode_in_both_spellings() -> None:
    x = R.random(6)
    assert np.isclose(ode.last(x, 9), ode.last_in_loops(x, 9), rtol=1e-12)


def test_ode_ends_at_time_2() -> None:
    """y₀ = x₀ t and y₁ = x₀ x₁ t² / 2, which the method gives without error."""
    assert np.allclose(called("ode", "primal", {"x": [0.3, 0.7], "s": 3}), [2 * 0.3, 2 * 0.3 * 0.7], rtol=1e-12)


def test_kmeans() -> None:
    points = R.normal(size=(9, 2))
    centroids = points[:3] + 0.01  # each has a point of its own
    given = {"points": points.tolist(), "centroids": centroids.tolist()}

    def cost(v: np.ndarray) -> Any:
        return called("kmeans", "cost", {**given, "centroids": v.tolist()})

    nearest = np.argmin(np.sum((points[:, None] - centroids) ** 2, axis=2), axis=1)
    members = np.array([np.sum(nearest == j) for j in range(3)])
    assert np.all(members > 0)
    gradient = differences(cost, centroids)
    assert np.allclose(called("kmeans", "dir", given), gradient / (2.0 * members[:, None]), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("still", [False, True])
def test_bundle_adjustment(still: bool) -> None:
    n, m, p = 2, 3, 5
    cameras, points = 0.3 * R.normal(size=(n, 11)), R.normal(size=(m, 3))
    cameras[:, 5] -= 4.0
    if still:
        cameras[:, :3] = 0.0  # no rotation: the other branch
    weights, features = R.random(p) + 0.5, R.normal(size=(p, 2))
    observed = np.stack([np.arange(p) % n, np.arange(p) % m], axis=1)
    sizes = np.cumsum([0, cameras.size, points.size, p])

    def all_of(v: np.ndarray) -> np.ndarray:
        c, x, w = (v[i:j] for i, j in zip(sizes, sizes[1:], strict=False))
        distances, spread = ba.objective(c.reshape(n, 11), x.reshape(m, 3), w, features, observed)
        return np.concatenate([distances.ravel(), spread])

    rows, columns, entries = ba.jacobian(cameras, points, weights, features, observed)
    dense = np.zeros((3 * p, sizes[-1]))
    for i, (start, stop) in enumerate(zip(rows, rows[1:], strict=False)):
        dense[i, columns[start:stop]] = entries[start:stop]
    expected = differences(all_of, np.concatenate([cameras.ravel(), points.ravel(), weights]))
    if still:  # the branch of no rotation is another function there: differences leave it
        dense.reshape(3 * p, -1)[:, [11 * k + i for k in range(n) for i in range(3)]] = 0.0
        expected[:, [11 * k + i for k in range(n) for i in range(3)]] = 0.0
    assert np.allclose(dense, expected, rtol=1e-6, atol=1e-7)


def test_bundle_adjustment_on_the_wire() -> None:
    given = {"n": 2, "m": 3, "p": 20, "cam": [0.1, 0.2, 0.3, 0, 0, -5.0, 1, 0, 0, 0.01, 0.02], "x": [0.1, 0.2, 0.3]}
    given |= {"w": 0.8, "feat": [0.1, 0.2], "min_runs": 1, "min_seconds": 0}
    found = called("ba", "objective", given)
    assert set(found) == {"reproj_error", "w_err"}
    assert len(found["reproj_error"]["elements"]) == 2 and found["reproj_error"]["repeated"] == 20
    assert np.isclose(found["w_err"]["element"], 1 - 0.8**2)
    matrix = called("ba", "jacobian", given)
    assert {name: len(a) for name, a in matrix.items()} == {"rows": 31, "cols": 31, "vals": 31}
    assert matrix["rows"][:3] == [0, 15, 30] and matrix["rows"][-1] == 20 * 31
    assert matrix["cols"][:15] == [*range(11), 22, 23, 24, 31] and np.isclose(matrix["vals"][-1], -1.6)


def test_runs_as_often_and_as_long_as_asked() -> None:
    result, timings = timing.timed(lambda: 5, min_runs=4, min_seconds=0.0)
    assert result == 5 and [t["name"] for t in timings] == ["evaluate"] * 4
    timings = timing.timed(lambda: sum(range(1000)), min_runs=1, min_seconds=0.002)[1]
    assert sum(t["nanoseconds"] for t in timings) >= 2e6


def test_no_end_of_time() -> None:
    with pytest.raises(ValueError, match="no time to run for"):
        timing.timed(lambda: 5, min_seconds=float("inf"))


REQUEST = '{"id": 1, "kind": "evaluate", "module": "lse", "function": "primal", "input": '


@pytest.mark.parametrize(
    "line",
    [
        REQUEST + '{"x": [1e999]}}',
        REQUEST + '{"x": [NaN]}}',
        REQUEST + '{"x": [1], "min_seconds": 1e999}}',
        '{"id": 1, "kind": "evaluate", "module": ["lse"], "function": {}, "input": {"x": [1]}}',
        '{"id": 1, "kind": "evaluate"}',
        '{"id": 1e999, "kind": "define"}',
        '{"id": 1, "kind": ["start"], "x": ' + "[" * 100_000,
    ],
)
def test_lines_that_are_wrong_are_answered(line: str) -> None:
    with np.errstate(all="ignore"):
        answers = io.StringIO()
        protocol.serve([line + "\n"], answers)
    answer = json.loads(answers.getvalue(), parse_constant=protocol.refused)
    assert not answer["success"] and answer["error"]


def test_only_the_first_request_compiles() -> None:
    session = protocol.Session()
    line = json.dumps({"id": 1, "kind": "evaluate", "module": "hello", "function": "square", "input": 2})
    names = [[t["name"] for t in session.answer(line)["timings"]] for _ in range(2)]
    assert names == [["compile", "evaluate"], ["evaluate"]]


def test_what_is_printed_is_no_answer() -> None:
    program = (
        "import os\nfrom benchmarks.gradbench import __main__, hello, problem\n"
        "def loud(x): print('loud'); os.write(1, b'louder'); return x\n"
        "hello.FUNCTIONS['loud'] = problem.Function(hello.read, loud)\n__main__.main()"
    )
    line = b'{"id": 1, "kind": "evaluate", "module": "hello", "function": "loud", "input": 2}\n\xff\n'
    run = subprocess.run([sys.executable, "-c", program], input=line, capture_output=True, cwd=ROOT, check=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert [a["success"] for a in answers] == [True, False] and answers[0]["output"] == 2.0
    assert run.stderr.count(b"loud") == 4  # "louder" has one, and both are run twice


def test_the_protocol() -> None:
    requests = [
        {"id": 0, "kind": "start", "eval": "hello"},
        {"id": 1, "kind": "define", "module": "hello"},
        {"id": 2, "kind": "define", "module": "sorting"},
        {"id": 3, "kind": "evaluate", "module": "hello", "function": "square", "input": 1.5},
        {"id": 4, "kind": "evaluate", "module": "hello", "function": "cube", "input": 1.5},
        {"id": 5, "kind": "evaluate", "module": "sorting", "function": "sort", "input": []},
        {"id": 6, "kind": "evaluate", "module": "ode", "function": "primal", "input": {"s": 3}},
        {"id": 7, "kind": "analysis", "of": 3, "valid": True},
        {"id": 8, "kind": "something new"},
    ]
    lines = [*map(json.dumps, requests), "", "{not JSON", "[]"]
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "benchmarks.gradbench"],
        input="\n".join(lines), capture_output=True, text=True, cwd=ROOT, check=True,
    )  # fmt: skip
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert [a["id"] for a in answers] == [0, 1, 2, 3, 4, 5, 6, 7, 8, None, None]
    assert answers[0] == {"id": 0, "tool": "adjoint"}
    assert answers[1] == {"id": 1, "success": True}
    assert answers[2] == {"id": 2, "success": False, "error": "unknown module: sorting"}
    assert answers[3]["output"] == 2.25
    assert [a["success"] for a in answers[4:7]] == [False] * 3 and all(a["error"] for a in answers[4:7])
    assert answers[7:9] == [{"id": 7}, {"id": 8}]
    assert all(a["error"].startswith("no JSON") for a in answers[9:])

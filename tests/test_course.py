"""The notebooks of the course: their cells run here as where the site is built, and give what the seeds state."""

import math
import operator
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_docs import blocks, execute, failures

COURSE = Path(__file__).parents[1] / "docs" / "course"
ROW = re.compile(r"^(.{17})loss +([\d.]+) ", re.M)


def read(name: str, printed: list[str]) -> dict[str, Any]:
    """The namespace of a page after its cells have run, and what they have printed."""
    matplotlib = pytest.importorskip("matplotlib")
    page, namespace = COURSE / name, {"__name__": name}
    backend = matplotlib.get_backend()
    matplotlib.use("Agg")
    try:
        for block in blocks(page):
            if block.language == "{code-cell}":
                text = re.sub(r"^:.*\n", "", block.text, flags=re.M)
                printed.append(execute(text, "exec", f"<{name}:{block.line}>", namespace))
    finally:
        matplotlib.pyplot.close("all")
        matplotlib.use(backend)
    return namespace


@pytest.fixture(scope="module")
def rules() -> tuple[dict[str, Any], str]:
    printed: list[str] = []
    return read("rules.md", printed), "".join(printed)


@pytest.fixture(scope="module")
def networks() -> tuple[dict[str, Any], str]:
    printed: list[str] = []
    return read("networks.md", printed), "".join(printed)


def near(expected: Any, rel: float = 1e-9) -> Any:
    return pytest.approx(expected, rel=rel, abs=1e-12)


def test_models_of_the_seeds(rules: tuple[dict[str, Any], str]) -> None:
    assert "(0.5823447254418763, (None,))\n" in rules[1]
    layer, x = rules[0]["layer"], rules[0]["features"]
    y, (bar,) = rules[0]["withgradient"](lambda model: model(x)[0], layer)
    assert y == near(2.3) and bar.weights == near(x[None]) and bar.bias == near(np.ones(1))


def test_arithmetic(rules: tuple[dict[str, Any], str]) -> None:
    rrule = rules[0]["rrule"]
    for f, a, b, y, bars in [
        (operator.add, 1, 2, 3, (1.2, 1.2)),
        (operator.sub, 1, 2, -1, (1.2, -1.2)),
        (operator.mul, 2, 3, 6, (3.6, 2.4)),
        (operator.truediv, 2, 3, 2 / 3, (0.4, -0.8 / 3)),
    ]:
        value, back = rrule(f, a, b)
        assert value == near(y) and back(1.2) == (None, *map(near, bars))
    assert rrule(math.tan, 1.0) is None and rrule(operator.add, "a", "b") is None
    assert rrule(operator.mul, 1j, 2j) is None and rrule(operator.mul, 2.0, 1j) is None  # these need conjugates


def test_what_is_printed_of_a_chain(rules: tuple[dict[str, Any], str]) -> None:
    assert "0.9: 0.62161 0.58234 0.81294 -0.63680\n0.6: 0.82534 0.73478 0.67831 -0.38300\n" in rules[1]
    assert "kept: {'x': 2, 'y': 3}\n" in rules[1] and "kept: {'y': 3, 'z': 0.6666666666666666}\n" in rules[1]


def test_matrices(rules: tuple[dict[str, Any], str]) -> None:
    page = rules[0]
    np.testing.assert_allclose(page["Y"], [[142.37, 148.33], [117.73, 176.22], [11.31, 12.28]], rtol=1e-12)
    np.testing.assert_allclose(page["A_bar"], page["D"] @ page["X"].T, rtol=1e-15)
    np.testing.assert_allclose(page["X_bar"], page["A"].T @ page["D"], rtol=1e-15)
    left, right = np.sum(page["D"] * page["Y_dot"]), np.sum(page["A_bar"] * page["A_dot"])
    assert left == near(right + np.sum(page["X_bar"] * page["X_dot"]), 1e-8)


def test_polynomials_and_losses(rules: tuple[dict[str, Any], str]) -> None:
    page = rules[0]
    rrule, evalpoly, mse = page["rrule"], page["evalpoly"], page["mse"]
    y, back = rrule(evalpoly, 1.2, [2.0, 0.0, 3.0, 4.0])
    _, x_bar, weights_bar = back(1.0)
    assert y == near(13.232) and x_bar == near(24.48) and weights_bar == near([1.0, 1.2, 1.44, 1.728])
    assert rrule(evalpoly, 0.0, [2.0, 5.0])[1](1.0) == (None, 5.0, [1.0, 0.0])
    assert rrule(evalpoly, 0.0, [2.0])[1](1.0) == (None, 0.0, [1.0])
    y_hat, y = np.array([4.0, 2.0, -3.0, 1.5]), np.array([6.0, -2.0, -1.0, 1.5])
    loss, back = rrule(mse, y_hat, y)
    assert loss == 6.0 and [bar.tolist() for bar in back(1.0)[1:]] == [[-1, 2, -1, 0], [1, -2, 1, 0]]
    y_hat_bar = rrule(mse, np.ones((3, 2)), np.zeros((3, 2)))[1](1.0)[1]
    np.testing.assert_allclose(y_hat_bar, np.full((3, 2), 2 / 6), rtol=1e-15)
    shares = [rrule(mse, a, b, 4) for a, b in zip(y_hat.tolist(), y.tolist(), strict=True)]
    assert sum(share for share, _ in shares) == 6.0
    assert [back(1.0)[1] for _, back in shares] == [-1, 2, -1, 0]


def test_the_polynomial_is_fitted_three_ways(rules: tuple[dict[str, Any], str]) -> None:
    page, printed = rules
    losses = page["losses"]
    least = losses["least squares"]
    assert least == min(losses.values()) < losses["target"]
    assert losses["descent, a loop"] == near(losses["descent, map"]) and losses["descent, map"] < 1.3 * least
    assert page["history"] == near(page["history_by_map"]) and page["history"][0] > 10 * page["history"][-1]
    table = {name.strip(): float(loss) for name, loss in ROW.findall(printed)}
    assert table == {name: pytest.approx(loss, abs=0.006) for name, loss in losses.items()}


def test_layers(networks: tuple[dict[str, Any], str]) -> None:
    page, printed = networks
    assert "[21. 41. 61.]\n" in printed
    np.testing.assert_allclose(page["y"], [[152.37, 158.33], [137.73, 196.22], [41.31, 42.28]], rtol=1e-12)
    assert "sigmoid  f(0.5) = 0.622459   f'(0.5) = 0.235004\n" in printed
    assert "tanh     f(0.5) = 0.462117   f'(0.5) = 0.786448\n" in printed


def test_the_stable_cross_entropy(networks: tuple[dict[str, Any], str]) -> None:
    page, printed = networks
    assert "1.3920619774565" in printed and "nan\n[[" in printed
    labels = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    seeds = [[-0.2725248253978812, 0.19148083893721968, -0.2673946295195272]]
    np.testing.assert_allclose(page["logit_cross_entropy"](page["z"], labels), 1.3920619774565768, rtol=1e-12)
    by_labels = [[0.5671377593275841, 0.184785081489509, 0.5401391366394835]]
    z_bar, labels_bar = page["pullback"](page["logit_cross_entropy"], page["z"], labels)[1](1.0)[1:]
    np.testing.assert_allclose(z_bar[:, :1].T, seeds, rtol=1e-12)
    np.testing.assert_allclose(labels_bar[:, :1].T, by_labels, rtol=1e-12)
    z, d = np.array([[2.0, -1.0, 0.5]]), np.array([[0.46, 0.989, 0.68]])
    y, back = page["pullback"](page["softmax"], z)
    np.testing.assert_allclose(y, [[0.7855970345892759, 0.03911257327068745, 0.1752903921400367]], rtol=1e-12)
    expected = [[-0.04655011041061041, 0.01837295773064898, 0.028177152679961473]]
    np.testing.assert_allclose(back(d)[1], expected, rtol=1e-12)
    y, back = page["pullback"](page["log_softmax"], z)
    np.testing.assert_allclose(y, [[-0.24131129665715703, -3.241311296657157, -1.7413112966571571]], rtol=1e-12)
    expected = [[-1.3567911037678275, 0.8826622801879377, 0.47412882357988995]]
    np.testing.assert_allclose(back(np.ones((1, 3)))[1], expected, rtol=1e-12)


def test_the_moons_are_learned(networks: tuple[dict[str, Any], str]) -> None:
    page = networks[0]
    assert page["history"][-1] < 0.02 < page["history"][0]
    assert page["accuracy"](page["model"], page["x"], page["labels"]) > 0.99
    assert page["accuracy"](page["model"], page["x_held"], page["labels_held"]) > 0.98


IN_A_SECOND_FILE = [("expressions.md", "tiny_expressions"), ("ir.md", "tiny"), ("extensions.md", "tiny_extensions")]


@pytest.mark.parametrize(("name", "engine"), IN_A_SECOND_FILE)
def test_what_is_tried_runs_in_a_second_file(name: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page, imports = COURSE / name, f"from {engine} import *"
    assert f"`{imports}`" in " ".join(page.read_text(encoding="utf-8").partition("\n## ")[0].split())
    monkeypatch.syspath_prepend(str(COURSE.parents[1] / "examples"))
    namespace: dict[str, Any] = {"__name__": "second"}
    try:
        exec(imports, namespace)
        tried = [block for block in blocks(page) if block.language == "python" and ">>>" in block.text]
        assert len(tried) > 5 and failures(page, tried, namespace) == []
    finally:
        for module in ("tiny", "tiny_expressions", "tiny_extensions"):
            sys.modules.pop(module, None)


def typed(page: str) -> str:
    """The file of one who types the pieces of a page one below the other, with two empty lines between."""
    pieces = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    return "\n\n".join([piece for piece in pieces if not piece.startswith(">>>")])


@pytest.mark.parametrize(("name", "engine"), IN_A_SECOND_FILE)
def test_a_page_is_its_file(name: str, engine: str) -> None:
    page = (COURSE / name).read_text(encoding="utf-8")
    assert typed(page) == (COURSE.parents[1] / "examples" / f"{engine}.py").read_text(encoding="utf-8")
    assert typed(page.replace("```python\ndef ", "```python\nasync def ", 1)) != typed(page)

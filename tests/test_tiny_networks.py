"""The values that the seeds state of networks, by the small engine: its programs go through tuples number by number."""

import linecache
import math
from typing import Any

import numpy as np
import pytest
from test_tiny import load, near, tiny

SOURCE = """
import math

def sigmoid(x):
    return 1.0 / (1.0 + math.exp(-x))

def tanh(x):
    return 2.0 * sigmoid(2.0 * x) - 1.0

def total(xs):
    y = 0.0
    for i in range(len(xs)):
        y = y + xs[i]
    return y

def exps(xs):
    ys = ()
    for i in range(len(xs)):
        ys = ys + (math.exp(xs[i]),)
    return ys

def softmax(xs):
    es = exps(xs)
    s, ys = total(es), ()
    for i in range(len(xs)):
        ys = ys + (es[i] / s,)
    return ys

def logsoftmax(xs):
    s, ys = math.log(total(exps(xs))), ()
    for i in range(len(xs)):
        ys = ys + (xs[i] - s,)
    return ys

def mse(xs, targets):
    y = 0.0
    for i in range(len(xs)):
        y = y + (xs[i] - targets[i]) ** 2
    return y / len(xs)

def logit_cross_entropy(xs, targets):
    logs, y = logsoftmax(xs), 0.0
    for i in range(len(xs)):
        y = y - logs[i] * targets[i]
    return y

def mean_cross_entropy(columns, labels):
    y = 0.0
    for i in range(len(columns)):
        y = y + logit_cross_entropy(columns[i], labels[i])
    return y / len(columns)

def layer(a, x, b):
    rows = ()
    for i in range(len(a)):
        row = ()
        for j in range(len(x[0])):
            y = b[i]
            for k in range(len(x)):
                y = y + a[i][k] * x[k][j]
            row = row + (y,)
        rows = rows + (row,)
    return rows

def shifted(a, b):
    rows = ()
    for i in range(len(a)):
        row = ()
        for j in range(len(a[i])):
            row = row + (a[i][j] + b[i],)
        rows = rows + (row,)
    return rows
"""
program = load("networks", SOURCE, "<networks of the seeds>")


@pytest.fixture(autouse=True)
def _the_text_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests empty the cache of lines."""
    lines = SOURCE.splitlines(True)
    monkeypatch.setitem(linecache.cache, program.__file__, (len(SOURCE), None, lines, program.__file__))


LOGITS = (2.0, -1.0, 0.5)


def by_six_digits(expected: Any) -> Any:
    return pytest.approx(expected, rel=1e-5, abs=1e-9)


def tuples(rows: Any) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, rows))


def test_activations() -> None:
    for f, y, bar, of_four in [
        (program.sigmoid, 0.6224593312018546, 0.2350037122015945, (0.177894, 0.235004, 0.0971947, 0.235004)),
        (program.tanh, 0.46211715726000974, 0.7864477329659274, (0.30502, 0.786448, 0.058223, 0.786448)),
    ]:
        value, back = tiny.pullback(f, 0.5)
        assert value == near(y) and back(1.0) == (None, near(bar))
        assert [tiny.grad(f)(x) for x in (-1.2, 0.5, 2.1, -0.5)] == by_six_digits(list(of_four))


def test_softmax() -> None:
    ys, back = tiny.pullback(program.softmax, LOGITS)
    assert ys == near((0.7855970345892759, 0.03911257327068745, 0.1752903921400367))
    bar = (-0.04655011041061041, 0.01837295773064898, 0.028177152679961473)
    assert back((0.46, 0.989, 0.68)) == (None, near(bar)) and back((1.0,) * 3) == (None, near((0.0,) * 3))
    ys, back = tiny.pullback(program.softmax, (2.0, 0.4, 9.0))
    assert ys == by_six_digits((0.000910884, 0.000183904, 0.998905))
    assert back((-0.95, -8.6, 6.3)) == (None, by_six_digits((-0.0065954, -0.00273845, 0.00933385)))


def test_logarithm_of_softmax() -> None:
    ys, back = tiny.pullback(program.logsoftmax, LOGITS)
    assert ys == near((-0.24131129665715703, -3.241311296657157, -1.7413112966571571))
    assert back((1.0,) * 3) == (None, near((-1.3567911037678275, 0.8826622801879377, 0.47412882357988995)))
    ys, back = tiny.pullback(program.logsoftmax, (2.0, 0.4, 9.0))
    assert ys == by_six_digits((-7.0011, -8.6011, -0.00109539))
    assert back((1.0,) * 3) == (None, near((0.997267349055322, 0.9994482872893747, -1.996715636344697)))


def test_losses() -> None:
    xs, targets = (4.0, 2.0, -3.0, 1.5), (6.0, -2.0, -1.0, 1.5)
    y, back = tiny.pullback(program.mse, xs, targets)
    assert y == 6.0 and back(1.0) == (None, (-1.0, 2.0, -1.0, 0.0), (1.0, -2.0, 1.0, 0.0))
    y, back = tiny.pullback(program.logit_cross_entropy, xs, targets)
    assert y == near(-6.3613271992582145)
    assert back(1.0) == (
        None,
        near((-2.306426003013708, 2.4998708830375276, 1.003368103516293, -1.1968129835401118)),
        near((0.1974828446092856, 2.1974828446092856, 7.197482844609286, 2.6974828446092856)),
    )


def test_cross_entropy_of_columns() -> None:
    logits, labels = ((-0.5, 1.0), (0.6, 0.3), (-1.0, 0.4)), ((1, 0), (0, 1), (1, 0))
    y, back = tiny.pullback(program.mean_cross_entropy, logits, labels)
    _, logits_bar, labels_bar = back(1.0)
    slopes = (0.2725248253978812, -0.19148083893721965, 0.26739462951952725)
    assert y == near(1.3920619774565768)
    for bar, slope in zip(logits_bar, slopes, strict=True):
        assert bar == near((-slope, slope))
    assert [bar[0] for bar in labels_bar] == near([0.5671377593275841, 0.184785081489509, 0.5401391366394835])
    assert [bar[1] for bar in labels_bar] == near([0.06713775932758415, 0.284785081489509, 0.07347246997281694])


def test_layers() -> None:
    a = np.array([[4.4, 6.9, 6.2, 8.4], [9.2, 7.4, 8.0, 0.3], [0.6, 0.4, 0.5, 0.7]])
    x = np.array([[1.1, 6.5], [3.7, 8.5], [9.8, 6.6], [6.1, 2.4]])
    d = np.array([[5.6, 5.3], [2.8, 6.9], [8.9, 1.0]])
    y, back = tiny.pullback(program.layer, tuples(a), tuples(x), (0.0, 0.0, 0.0))
    assert np.array(y) == near(np.array([[142.37, 148.33], [117.73, 176.22], [11.31, 12.28]]))
    _, a_bar, x_bar, _ = back(tuples(d))
    assert np.array(a_bar) == near(d @ x.T) and np.array(x_bar) == near(a.T @ d)
    y, back = tiny.pullback(program.layer, tuples(a), tuples(x), (10.0, 20.0, 30.0))
    assert np.array(y) == near(np.array([[152.37, 158.33], [137.73, 196.22], [41.31, 42.28]]))
    assert back(((10.0, 11.0), (20.0, 21.0), (30.0, 31.0)))[3] == near((21.0, 41.0, 61.0))
    _, back = tiny.pullback(program.shifted, tuples(a), (10.0, 20.0, 30.0))
    d = np.array([[10.0, 11.0, 12.0, 13.0], [20.0, 21.0, 22.0, 23.0], [30.0, 31.0, 32.0, 33.0]])
    assert back(tuples(d)) == (None, tuples(d), near((46.0, 86.0, 126.0)))


def test_chains_by_hand() -> None:
    for x, y1, y2, y1_bar, x_bar in [
        (0.6, 0.82533, 0.73477, 0.67831, -0.383),
        (0.9, 0.6216, 0.5823, 0.8129, -0.6368),
    ]:
        a, back_of_cos = tiny.pullback(math.cos, x)
        b, back_of_sin = tiny.pullback(math.sin, a)
        a_bar = back_of_sin(1.0)[1]
        found = [a, b, a_bar, back_of_cos(a_bar)[1]]
        assert found == pytest.approx([y1, y2, y1_bar, x_bar], abs=1e-4)

"""Gradient descent on models of several forms."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose

from adjoint.errors import AdjointError
from adjoint.nn import Chain, Dense, gradient_descent, logit_cross_entropy, mse, onecold, onehot, supervised, tanh


@dataclass(frozen=True)
class Line:
    slope: float
    offset: np.ndarray
    times: int = 1

    def __call__(self, x):
        return self.slope * x * self.times + self.offset


X = np.linspace(-1, 1, 20)
Y = 3 * X - 1


@pytest.mark.parametrize("batch_size", [None, 5, 7])
def test_a_line(batch_size):
    start = Line(0.0, np.zeros(1))
    line, history = gradient_descent(
        start, mse, X, Y, 0.3, 200, batch_size, rng=np.random.default_rng(0), progress=False
    )
    assert_allclose([line.slope, line.offset[0]], [3, -1], atol=1e-6)
    assert len(history) == 200 and history[-1] < 1e-9 < history[0]
    assert (start.slope, start.offset[0]) == (0.0, 0.0), "the model that was passed in is not changed"
    assert line.times == 1 and isinstance(line.times, int)


def test_one_step_by_hand():
    line, history = gradient_descent(Line(0.0, np.zeros(1)), mse, X, Y, learning_rate=0.5, steps=1, progress=False)
    assert_allclose(history, [np.mean(Y**2)])
    assert_allclose(line.slope, np.mean(X * Y))
    assert_allclose(line.offset, np.mean(Y))


def test_a_network_learns_xor():
    x = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    classes = np.array([0, 1, 1, 0])
    rng = np.random.default_rng(0)
    model = Chain(Dense(2, 8, tanh, rng=rng), Dense(8, 2, rng=rng))
    model, history = gradient_descent(
        model, logit_cross_entropy, x, onehot(classes, 2), learning_rate=0.5, steps=300, progress=False
    )
    assert onecold(model(x)).tolist() == classes.tolist()
    assert history[-1] < 0.1 < history[0]


def test_a_batch_that_does_not_fit():
    with pytest.raises(ValueError, match="batch_size is 21, and there are 20 samples"):
        gradient_descent(Line(0.0, np.zeros(1)), mse, X, Y, batch_size=21, progress=False)
    with pytest.raises(ValueError, match="x has 20 samples and y has 19"):
        gradient_descent(Line(0.0, np.zeros(1)), mse, X, Y[1:], batch_size=2, progress=False)


def test_what_is_no_descent():
    for options, said in (
        ({"steps": -1}, "steps=-1 is no number of steps"),
        ({"steps": 1.5}, "steps=1.5 is no number of steps"),
        ({"batch_size": 2.5}, "batch_size is 2.5, and there are 20 samples"),
        ({"batch_size": 0}, "batch_size is 0, and there are 20 samples"),
        ({"learning_rate": "a"}, "learning_rate='a' is no learning rate"),
        ({"rng": "a"}, "rng='a' is no source of random numbers"),
        ({"loss": supervised(mse)}, "the loss takes .*, and not predictions and targets"),
        ({"x": 1.0, "batch_size": 2}, "there are no samples"),
        ({"y": [[1.0], [1.0, 2.0]], "batch_size": 2}, "the samples of a list differ in shape"),
    ):
        given = {"model": Line(0.0, np.zeros(1)), "loss": mse, "x": X, "y": Y} | options
        with pytest.raises(AdjointError, match=said):
            gradient_descent(**given, progress=False)


def test_a_seed_shuffles():
    start = Line(0.0, np.zeros(1))
    first, second = (gradient_descent(start, mse, X, Y, batch_size=3, rng=0, progress=False) for _ in range(2))
    assert first[1] == second[1] == gradient_descent(start, mse, X, Y, 0.1, 100, 3, rng=np.random.default_rng(0))[1]


def test_no_steps():
    start = Line(0.0, np.zeros(1))
    assert gradient_descent(start, mse, X, Y, steps=0) == (start, [])


def test_progress_goes_to_standard_error(capsys):
    gradient_descent(Line(0.0, np.zeros(1)), mse, X, Y, steps=20)
    out, err = capsys.readouterr()
    assert out == "" and len(err.splitlines()) == 10 and "20/20  loss" in err

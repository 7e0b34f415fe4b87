"""What holds of every loss: reductions, derivatives of both orders and modes, precisions, and bad input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from adjoint import gradient, jvp, nn
from adjoint.errors import OptionError, StructureError
from adjoint.testing import check_gradient

Loss = Callable[..., Any]
RNG = np.random.default_rng(0)
SHAPE = (4, 3)
P, Q, Z = RNG.uniform(0.1, 0.9, SHAPE), RNG.uniform(0.1, 0.9, SHAPE), RNG.normal(size=SHAPE)
ROWS = Q / Q.sum(axis=1, keepdims=True)
SIGNS = np.where(RNG.uniform(size=SHAPE) < 0.5, -1.0, 1.0)

OF_NUMBERS: dict[str, tuple[Loss, np.ndarray, np.ndarray, dict[str, Any]]] = {
    "mse": (nn.mse, Z, Q, {}),
    "mae": (nn.mae, Z, Q, {}),
    "huber": (nn.huber, Z, Q, {"delta": 0.7}),
    "poisson": (nn.poisson, P, Q, {}),
    "poisson of logarithms": (nn.poisson, Z, Q, {"log_input": True}),
    "binary cross entropy": (nn.binary_cross_entropy, P, Q, {}),
    "that of logits": (nn.logit_binary_cross_entropy, Z, Q, {}),
    "hinge": (nn.hinge, Z, SIGNS, {}),
}
OF_CLASSES: dict[str, tuple[Loss, np.ndarray, np.ndarray, dict[str, Any]]] = {
    "cross entropy": (nn.cross_entropy, P, ROWS, {}),
    "cross entropy of logits": (nn.logit_cross_entropy, Z, ROWS, {}),
    "cross entropy of logits, first axis": (nn.logit_cross_entropy, Z, ROWS, {"axis": 0}),
    "divergence": (nn.kl_divergence, P, ROWS, {}),
    "divergence of logarithms": (nn.kl_divergence, np.log(P), ROWS, {"log_input": True}),
    "divergence, first axis": (nn.kl_divergence, P, ROWS, {"axis": 0}),
}
ALL = OF_NUMBERS | OF_CLASSES
every = pytest.mark.parametrize("name", ALL)
reductions = pytest.mark.parametrize("reduction", ["mean", "sum", "none"])


@every
def test_reductions_agree(name: str) -> None:
    loss, x, y, options = ALL[name]
    each = loss(x, y, reduction="none", **options)
    left = SHAPE if name in OF_NUMBERS else SHAPE[1:] if options.get("axis") == 0 else SHAPE[:1]
    assert each.shape == left
    assert_allclose(loss(x, y, reduction="sum", **options), each.sum())
    assert_allclose(loss(x, y, **options), each.mean())
    assert np.ndim(loss(x, y, **options)) == 0


@every
@reductions
def test_derivatives(name: str, reduction: str) -> None:
    loss, x, y, options = ALL[name]
    check_gradient(loss, x, y, order=1 + (reduction == "none"), kwargs={**options, "reduction": reduction})


@every
def test_along_a_tangent(name: str) -> None:
    loss, x, y, options = ALL[name]
    dx = np.random.default_rng(1).normal(size=SHAPE)
    value, dot = jvp(lambda x: loss(x, y, **options), (x,), (dx,))
    assert_allclose(value, loss(x, y, **options))
    assert_allclose(dot, np.sum(gradient(lambda x: loss(x, y, **options), x)[0] * dx))


@every
@reductions
def test_float32_stays(name: str, reduction: str) -> None:
    loss, x, y, options = ALL[name]
    x = x.astype(np.float32)
    for targets in (y.astype(np.float32), np.ones(SHAPE, int), np.ones(SHAPE, int if loss is nn.hinge else bool)):
        kept = x.copy(), targets.copy()
        value = loss(x, targets, reduction=reduction, **options)
        assert value.dtype == np.float32
        slope = gradient(lambda x, y=targets: np.sum(loss(x, y, reduction=reduction, **options)), x)[0]
        assert slope.dtype == np.float32 and slope.shape == SHAPE
        assert np.array_equal(x, kept[0]) and np.array_equal(targets, kept[1])


@every
def test_an_empty_batch(name: str) -> None:
    loss, _, _, options = ALL[name]
    if options.get("axis") == 0:
        return
    empty = np.zeros((0, 3))
    assert loss(empty, empty, reduction="sum", **options) == 0
    assert loss(empty, empty, reduction="none", **options).size == 0
    assert gradient(lambda x: loss(x, empty, reduction="sum", **options), empty)[0].shape == (0, 3)
    with pytest.raises(StructureError, match="no mean of an empty batch"):
        loss(empty, empty, **options)
    with pytest.raises(StructureError, match="no mean of an empty batch"):
        gradient(lambda x: loss(x, empty, **options), empty)


@every
def test_bad_input(name: str) -> None:
    loss, x, y, options = ALL[name]
    with pytest.raises(OptionError, match="reduction='average' is not known"):
        loss(x, y, reduction="average", **options)
    with pytest.raises(StructureError, match=r"predictions and targets differ in shape: \(4, 3\) and \(3,\)"):
        loss(x, y[0], **options)
    with pytest.raises(StructureError, match="differ in shape"):
        gradient(lambda x: loss(x, y[0], **options), x)


@pytest.mark.parametrize("name", [name for name in OF_CLASSES if "first" not in name])
def test_an_axis_that_is_not_there(name: str) -> None:
    loss, x, y, options = ALL[name]
    for axis in (2, -3, 1.0, None, True):
        for labels in (y, np.zeros(4, int)):
            with pytest.raises((OptionError, StructureError), match="no axis of predictions|differ in shape"):
                loss(x, labels, axis=axis, **options)
        with pytest.raises(OptionError, match=f"axis={axis} is no axis of predictions of shape"):
            gradient(lambda x, axis=axis: loss(x, y, axis=axis, **options), x)
    with pytest.raises(OptionError, match=r"axis=-1 is no axis of predictions of shape \(\)"):
        loss(3.0, 0.5, **options)


@pytest.mark.parametrize("axis", [(0, 1), "1"])
def test_an_axis_that_is_no_number(axis: Any) -> None:
    for loss in (nn.cross_entropy, nn.logit_cross_entropy, nn.kl_divergence):
        with pytest.raises(OptionError, match="is no axis of predictions of shape"):
            loss(P, ROWS, axis=axis)


@pytest.mark.parametrize("loss", [nn.poisson, nn.kl_divergence])
def test_a_flag_that_is_none(loss: Any) -> None:
    for call in (loss, lambda *given, **options: gradient(lambda p: loss(p, given[1], **options), given[0])):
        with pytest.raises(OptionError, match="`log_input` is 'no', neither True nor False"):
            call(P, ROWS, log_input="no")


def test_labels_that_are_floats_are_told_from_others_of_another_shape() -> None:
    classes = np.arange(len(P)) % P.shape[1]
    for loss in (nn.cross_entropy, nn.logit_cross_entropy):
        with pytest.raises(StructureError, match="labels of float64, one for each sample, are no numbers of classes"):
            loss(P, classes.astype(float))
        with pytest.raises(StructureError, match="predictions and [a-z]+ differ in shape"):
            loss(P, classes + 0.5)


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_numbers(name: str) -> None:
    loss, x, y, options = ALL[name]
    a, b = float(x[0, 0]), float(y[0, 0])
    assert_allclose(loss(a, b, **options), loss(np.array([a]), np.array([b]), **options))
    assert_allclose(
        gradient(lambda a: loss(a, b, **options), a)[0],
        gradient(lambda x: loss(x, np.array([b]), **options), np.array([a]))[0][0],
    )


def test_huber_by_its_delta() -> None:
    check_gradient(lambda delta: nn.huber(Z, Q, delta=delta), 0.7, order=2)
    assert_allclose(nn.huber(Z, Q, delta=100.0), nn.mse(Z, Q) / 2)
    for delta in (0, "a", np.nan, None, np.ones(2)):
        with pytest.raises(OptionError, match="delta=.* is no positive number"):
            nn.huber(Z, Q, delta=delta)


def test_flags_have_no_sign() -> None:
    with pytest.raises(StructureError, match="the targets of a margin are flags"):
        nn.hinge(Z, SIGNS > 0)
    with pytest.raises(StructureError, match="the targets of a margin are flags"):
        gradient(lambda z: nn.hinge(z, SIGNS > 0), Z)


def test_kinks() -> None:
    zero = np.zeros(2)
    assert gradient(nn.mae, zero, zero)[0].tolist() == [0, 0]
    assert gradient(nn.huber, zero, np.array([1.0, -1.0]))[0].tolist() == [-0.5, 0.5], "at δ both branches agree"
    assert gradient(nn.hinge, np.ones(2), np.ones(2))[0].tolist() == [0, 0]
    slope = gradient(lambda z: nn.logit_binary_cross_entropy(z, np.ones(2), reduction="sum"), zero)[0]
    assert slope.tolist() == [-0.5, -0.5]
    curvature = gradient(lambda z: gradient(nn.logit_binary_cross_entropy, z, 1.0)[0], 0.0)[0]
    assert curvature == 0.25


def test_logits_of_any_size() -> None:
    z, y = np.array([1e4, -1e4, 1e4, -1e4]), np.array([1, 0, 0, 1])
    assert nn.logit_binary_cross_entropy(z, y, reduction="none").tolist() == [0, 0, 1e4, 1e4]
    assert gradient(lambda z: nn.logit_binary_cross_entropy(z, y, reduction="sum"), z)[0].tolist() == [0, 0, 1, -1]
    p = nn.sigmoid(z)
    assert np.isfinite(nn.binary_cross_entropy(p, y)) and np.isfinite(gradient(nn.binary_cross_entropy, p, y)[0]).all()


def test_counts_of_no_rate() -> None:
    assert nn.poisson(np.zeros(2), np.zeros(2)) == 0
    assert gradient(lambda r: nn.poisson(r, np.zeros(2), reduction="sum"), np.zeros(2))[0].tolist() == [1, 1]
    with np.errstate(divide="ignore"):
        assert nn.poisson(np.zeros(1), np.ones(1)) == np.inf


def test_divergence_of_what_is_impossible() -> None:
    p, y = np.array([[0.0, 1.0]]), np.array([[0.0, 1.0]])
    assert abs(nn.kl_divergence(p, y)) < 1e-15
    assert gradient(lambda p: nn.kl_divergence(p, y), p)[0][0, 0] == 0
    assert gradient(lambda y: nn.kl_divergence(p + 0.5, y), y)[0][0, 0] == -np.inf, "the slope of y log y"
    assert np.isfinite(nn.kl_divergence(p, y[:, ::-1]))


def test_divergence_is_the_cross_entropy_without_the_entropy() -> None:
    assert_allclose(nn.kl_divergence(P, ROWS), nn.cross_entropy(P, ROWS) - nn.cross_entropy(ROWS, ROWS))
    logs = nn.logsoftmax(Z)
    assert_allclose(
        nn.kl_divergence(logs, ROWS, log_input=True),
        nn.logit_cross_entropy(Z, ROWS) + np.mean(np.sum(ROWS * np.log(ROWS), axis=1)),
    )


@pytest.mark.parametrize("loss", [nn.cross_entropy, nn.logit_cross_entropy])
class TestLabels:
    """Numbers of classes are what rows of zeros and a one are."""

    @pytest.mark.parametrize("axis", [0, 1, -1, -2])
    @reductions
    def test_of_a_batch(self, loss: Loss, axis: int, reduction: str) -> None:
        classes = P.shape[axis]
        labels = np.random.default_rng(2).integers(0, classes, 12 // classes)
        rows = nn.onehot(labels, classes, axis=axis)
        options = {"axis": axis, "reduction": reduction}
        assert np.array_equal(loss(P, labels, **options), loss(P, rows, **options))
        ours, theirs = [gradient(lambda p, y=y: np.sum(loss(p, y, **options)), P)[0] for y in (labels, rows)]
        assert np.array_equal(ours, theirs)
        check_gradient(lambda p: loss(p, labels, **options), P, order=2)

    def test_of_sequences(self, loss: Loss) -> None:
        p = np.random.default_rng(3).uniform(0.1, 0.9, (2, 5, 3))
        labels = np.random.default_rng(4).integers(0, 3, (2, 5))
        each = loss(p, labels, reduction="none")
        assert each.shape == (2, 5)
        assert_allclose(each[1, 3], loss(p[1, 3], labels[1, 3]))
        assert_allclose(loss(p, labels), each.mean())
        check_gradient(lambda p: loss(p, labels, reduction="none"), p)
        check_gradient(lambda p: loss(p, labels[:, :3], axis=1, reduction="none"), p[:, :, :3])

    def test_of_one_sample(self, loss: Loss) -> None:
        assert_allclose(loss(P[0], 2), loss(P[0], nn.onehot(2, 3)))
        assert_allclose(loss(P[0], np.array(2)), loss(P[0], nn.onehot(2, 3)))

    def test_of_float32(self, loss: Loss) -> None:
        p = P.astype(np.float32)
        assert loss(p, [0, 1, 2, 0]).dtype == np.float32
        assert gradient(lambda p: loss(p, [0, 1, 2, 0]), p)[0].dtype == np.float32

    def test_one_class_and_an_empty_batch(self, loss: Loss) -> None:
        assert_allclose(loss(np.ones((2, 1)), [0, 0]), 0, atol=1e-15)
        assert loss(np.ones((0, 3)), np.zeros(0, int), reduction="sum") == 0
        with pytest.raises(StructureError, match="no mean of an empty batch"):
            loss(np.ones((0, 3)), np.zeros(0, int))

    def test_strangers_are_refused(self, loss: Loss) -> None:
        for label in (3, -1):
            with pytest.raises(StructureError, match=f"the label {label} is not one of 3 classes"):
                loss(P, [0, 1, label, 2])
        with pytest.raises(StructureError, match=r"predictions and labels differ in shape: \(4, 3\) and \(5,\)"):
            loss(P, [0, 1, 2, 0, 1])
        for labels in (np.array([0.0, 1.0, 2.0, 0.0]), np.array([True, False, True, False])):
            with pytest.raises(StructureError, match="differ in shape"):
                loss(P, labels)
            with pytest.raises(StructureError, match=f"labels of {labels.dtype}, one for each .*(?s:.*)whole numbers"):
                loss(P, labels)
            with pytest.raises(StructureError, match="are no numbers of classes"):
                gradient(lambda p, labels=labels: loss(p, labels), P)
        with pytest.raises(StructureError, match="predictions and targets differ in shape"):
            nn.kl_divergence(P, np.ones(4))
        with pytest.raises(StructureError, match=r"(?s)labels of <U1.*`nn.onehot\(labels, names\)`"):
            loss(P, ["a", "b", "c", "a"])


MASKED = np.array([[0.5, -np.inf, 0.2], [-np.inf, 1.0, 0.3]])


@pytest.mark.parametrize("labels", [np.array([0, 2]), np.array([[1.0, 0.0, 0.0], [0.0, 0.25, 0.75]])])
@pytest.mark.parametrize("wide", [False, True])
def test_a_masked_logit_costs_nothing(labels: Any, wide: bool) -> None:
    """0 log 0 is 0: the others cost what they cost alone."""
    more = 60 if wide else 0
    x = np.concatenate([MASKED, np.full((2, more), -np.inf)], axis=1)
    y = labels if labels.ndim == 1 else np.concatenate([labels, np.zeros((2, more))], axis=1)
    finite = np.isfinite(x)

    def f(z: Any) -> Any:
        full = np.where(finite, z, -np.inf)
        return nn.logit_cross_entropy(full, y)

    z = np.where(finite, x, 0.0)
    far = lambda z: nn.logit_cross_entropy(np.where(finite, z, -1e3), y)  # noqa: E731
    assert np.isfinite(f(z))
    assert_allclose(nn.logit_cross_entropy(x, y), far(z))
    slope = gradient(lambda x: nn.logit_cross_entropy(x, y), x)[0]
    assert_allclose(slope, gradient(far, z)[0])
    dot = np.cos(np.arange(x.size)).reshape(x.shape)
    assert_allclose(jvp(f, (z,), (dot,))[1], jvp(far, (z,), (dot,))[1])
    twice = gradient(lambda z: np.sum(gradient(f, z)[0] * dot), z)[0]
    assert_allclose(twice, gradient(lambda z: np.sum(gradient(far, z)[0] * dot), z)[0], atol=1e-15)


@pytest.mark.parametrize("classes", [3, 60])
@pytest.mark.parametrize("axis", [0, 1, 2, -1])
@reductions
def test_numbers_of_classes_are_as_one_hot_rows(classes: int, axis: int, reduction: str) -> None:
    rng = np.random.default_rng(1)
    shape = [2, 3]
    labels = rng.integers(0, classes, shape)
    shape.insert(axis if axis >= 0 else 2, classes)
    x = rng.normal(size=shape)
    rows = np.moveaxis(np.eye(classes)[labels], -1, axis)
    one = lambda x: nn.logit_cross_entropy(x, labels, axis=axis, reduction=reduction)  # noqa: E731
    other = lambda x: nn.logit_cross_entropy(x, rows, axis=axis, reduction=reduction)  # noqa: E731
    assert_allclose(one(x), other(x))
    dot = rng.normal(size=shape)
    assert_allclose(jvp(one, (x,), (dot,))[1], jvp(other, (x,), (dot,))[1])
    sloped = [lambda x, f=f: np.sum(np.sin(f(x))) for f in (one, other)]
    assert_allclose(gradient(sloped[0], x)[0], gradient(sloped[1], x)[0], atol=1e-14)
    twice = [gradient(lambda x, f=f: np.sum(gradient(f, x)[0] * dot), x)[0] for f in sloped]
    assert_allclose(twice[0], twice[1], atol=1e-14)
    assert gradient(sloped[0], x.astype(np.float32))[0].dtype == np.float32


def test_divergence_of_a_logarithm_of_zero() -> None:
    logs, y = np.array([[0.0, -np.inf]]), np.array([[1.0, 0.0]])
    assert nn.kl_divergence(logs, y, log_input=True) == 0
    assert_allclose(gradient(lambda p: nn.kl_divergence(p, y, log_input=True), logs)[0], [[-1.0, 0.0]])

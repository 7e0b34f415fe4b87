"""Three steps of each optimizer beside figures of the published formulas, worked out with 40 digits by hand.

The parameter is 1, and the gradients are 1, -2 and 1/2. η is 0.1, and all else is the default (momentum 0.9).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint.nn import optimizers as o

GRADIENTS = (1.0, -2.0, 0.5)

FIGURES: dict[str, tuple[Any, list[float]]] = {
    "sgd": (o.sgd(0.1), [0.9, 1.1, 1.05]),  # p - η g
    "momentum": (o.sgd(0.1, 0.9), [0.9, 1.01, 1.059]),  # m: 1, -1.1, -0.49
    "nesterov": (o.sgd(0.1, 0.9, nesterov=True), [0.81, 1.109, 1.1031]),  # g + 0.9 m: 1.9, -2.99, 0.059
    "rmsprop": (o.rmsprop(0.1), [0.6837722497945492, 0.969486532593383, 0.8962416914656409]),  # v: 0.1, 0.49, 0.466
    "rmsprop, centered": (
        o.rmsprop(0.1, centered=True),
        [0.6666666851851837, 0.9559753732268064, 0.8825411078879817],  # m: 0.1, -0.11, -0.049
    ),
    "adagrad": (o.adagrad(0.1), [0.9046537454093614, 0.9932152330951209, 0.9715983482387921]),  # s: 1.1, 5.1, 5.35
    "adam": (o.adam(0.1), [0.900000001, 0.9366103534720751, 0.9502794196738217]),  # m: 0.1, -0.11, -0.049
    "amsgrad": (o.adam(0.1, amsgrad=True), [0.900000001, 0.9366103534720751, 0.9480441804266212]),
    "nadam": (o.adam(0.1, nesterov=True), [0.8526315804210526, 0.9422968549593351, 0.9380431732260751]),
    "adamw": (o.adamw(0.1, weight_decay=0.01), [0.899000001, 0.934711353471075, 0.9474457083193506]),
    "lion": (o.lion(0.1, weight_decay=0.01), [0.899, 0.998101, 0.897102899]),  # signs: 1, -1, 1
}


def run(optimizer: Any, start: Any) -> list[Any]:
    """The parameter after each step."""
    model = {"p": start}
    state, seen = optimizer.init(model), []
    for g in GRADIENTS:
        updates, state = optimizer.update({"p": g * np.ones_like(start) if np.ndim(start) else g}, state, model)
        model = o.apply_updates(model, updates)
        seen.append(model["p"])
    return seen


@pytest.mark.parametrize("name", FIGURES)
def test_three_steps(name: str) -> None:
    optimizer, figures = FIGURES[name]
    found = run(optimizer, 1.0)
    assert found == pytest.approx(figures, rel=1e-14) and {type(p) for p in found} == {float}
    for p, figure in zip(run(optimizer, np.ones((2, 1))), figures, strict=True):
        np.testing.assert_allclose(p, [[figure], [figure]], rtol=1e-14)
    for p, figure in zip(run(optimizer, np.ones(2, np.float32)), figures, strict=True):
        assert p.dtype == np.float32
        np.testing.assert_allclose(p, [figure, figure], rtol=1e-5)


@pytest.mark.parametrize(
    ("what", "wrong"),
    [
        ("unbiased", lambda moments, decay, count: moments),
        ("unbiased", lambda moments, decay, count: {k: m / (1 - decay ** (count + 1)) for k, m in moments.items()}),
        ("means", lambda updates, before, decay: {k: (1 - decay) * before[k] + decay * g for k, g in updates.items()}),
        ("squared", lambda g: abs(g)),
    ],
)
def test_planted_errors_are_seen(what: str, wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"adjoint.nn.optimizers.scaling.{what}", wrong)
    optimizer, figures = FIGURES["adam"]
    assert run(optimizer, 1.0) != pytest.approx(figures, rel=1e-3)


def test_complex_parameters() -> None:
    """|g|² is 25: a step of Adam is g / |g|."""
    model = {"z": np.array([1 + 1j]), "c": 2j}
    for optimizer, moved in ((o.adam(0.5), -0.3 - 0.4j), (o.rmsprop(0.5, decay=0.75), -0.6 - 0.8j)):
        updates, _ = optimizer.update({"z": np.array([3 + 4j]), "c": 3 + 4j}, optimizer.init(model), model)
        assert updates["z"][0] == pytest.approx(moved) and updates["c"] == pytest.approx(moved)
        assert o.apply_updates(model, updates)["c"] == pytest.approx(2j + moved)


def test_schedules_by_hand() -> None:
    step = o.piecewise_constant_schedule(1.0, {2: 0.5, 4: 0.5})
    assert [step(t) for t in range(6)] == [1.0, 1.0, 0.5, 0.5, 0.25, 0.25]
    cosine = o.cosine_decay_schedule(2.0, 3, alpha=0.25)
    assert [cosine(t) for t in range(4)] == pytest.approx([2.0, 1.625, 0.875, 0.5])  # cos of 0, 60, 120, 180 degrees
    warm = o.warmup_exponential_decay_schedule(0.0, 1.0, 2, 1, 0.5, end_value=0.2)
    assert [warm(t) for t in range(6)] == [0.0, 0.5, 1.0, 0.5, 0.25, 0.2]
    model, optimizer = [1.0], o.sgd(o.linear_schedule(0.4, 0.0, 2))
    state = optimizer.init(model)
    for expected in (0.6, 0.4, 0.4):
        updates, state = optimizer.update([1.0], state, model)
        model = o.apply_updates(model, updates)
        assert model == pytest.approx([expected])

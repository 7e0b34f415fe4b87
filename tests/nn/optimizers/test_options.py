"""What optimizers and schedules are made of: ranges of numbers, and NumPy's numbers, which keep the precision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient, nn
from adjoint.errors import OptionError, StructureError
from adjoint.nn import optimizers as o

WRONG: dict[str, Any] = {
    "learning_rate='a'": lambda: o.adam("a"),  # type: ignore[arg-type]
    "learning_rate=-0.1": lambda: o.sgd(-0.1),
    "learning_rate=nan": lambda: o.adagrad(float("nan")),
    "learning_rate=inf": lambda: o.lion(float("inf")),
    "learning_rate=None": lambda: o.adamw(None),  # type: ignore[arg-type]
    "learning_rate=True": lambda: o.rmsprop(True),
    "learning_rate=array": lambda: o.sgd(np.ones(2)),  # type: ignore[arg-type]
    "learning_rate=Chain": lambda: o.sgd(o.sgd(0.1)),  # type: ignore[arg-type]
    "learning_rate=exponential_decay is no schedule": lambda: o.adam(o.exponential_decay),  # type: ignore[arg-type]
    "step_size='a'": lambda: o.scale("a"),
    "step_size_fn=0.1 is no schedule": lambda: o.scale_by_schedule(0.1),  # type: ignore[arg-type]
    "momentum=1.5": lambda: o.sgd(0.1, 1.5),
    "momentum=True": lambda: o.sgd(0.1, True),
    "momentum=-0.1": lambda: o.rmsprop(0.1, momentum=-0.1),
    "decay=1.5": lambda: o.trace(1.5),
    "decay=1.0": lambda: o.rmsprop(0.1, 1.0),
    "decay=-1": lambda: o.rmsprop(0.1, -1, centered=True),
    "b1=1.5": lambda: o.adam(0.1, b1=1.5),
    "b1=1 is no number from 0 up to 1, without 1": lambda: o.lion(0.1, b1=1),
    "b2=-0.5": lambda: o.adam(0.1, b2=-0.5, amsgrad=True),
    "b2='a'": lambda: o.adamw(0.1, b2="a"),
    "eps=-1e-08": lambda: o.adam(0.1, eps=-1e-8),
    "eps=None": lambda: o.adagrad(0.1, eps=None),
    "eps_root=-1": lambda: o.adam(0.1, eps_root=-1),
    "initial_scale=-1": lambda: o.rmsprop(0.1, initial_scale=-1),
    "initial_accumulator_value=-1": lambda: o.adagrad(0.1, -1),
    "weight_decay=-0.1": lambda: o.adamw(0.1, weight_decay=-0.1),
    "weight_decay='a'": lambda: o.lion(0.1, weight_decay="a"),  # type: ignore[arg-type]
    "max_delta=-1": lambda: o.clip(-1),
    "max_norm=0": lambda: o.clip_by_global_norm(0),
    "max_norm=nan": lambda: o.clip_by_global_norm(float("nan")),
    "threshold=-1": lambda: o.clip_by_block_rms(-1),
    "`adam` itself is no optimizer": lambda: o.chain(o.adam),  # type: ignore[arg-type]
    "a list is no optimizer": lambda: o.chain([o.adam(0.1)]),  # type: ignore[arg-type]
    "a float is no optimizer": lambda: o.masked(0.1, {"a": True}),  # type: ignore[arg-type]
    "`sgd` itself is no optimizer": lambda: o.selective_transform(o.sgd, freeze_mask={}),  # type: ignore[arg-type]
    "`nesterov` is asked for, and no `momentum`": lambda: o.sgd(0.1, nesterov=True),
    "`nesterov` is 'no'": lambda: o.sgd(0.1, 0.9, nesterov="no"),  # type: ignore[arg-type]
    "`nesterov` is 0": lambda: o.adam(0.1, nesterov=0),  # type: ignore[arg-type]
    "`nesterov` is 'yes'": lambda: o.rmsprop(0.1, nesterov="yes"),  # type: ignore[arg-type]
    "`nesterov` is None": lambda: o.trace(0.9, None),  # type: ignore[arg-type]
    "`nesterov` is 1": lambda: o.scale_by_adam(nesterov=1),  # type: ignore[arg-type]
    "`amsgrad` is 'no'": lambda: o.adamw(0.1, amsgrad="no"),  # type: ignore[arg-type]
    "`centered` is 0.9": lambda: o.rmsprop(0.1, centered=0.9),  # type: ignore[arg-type]
    "`eps_in_sqrt` is 1e-08": lambda: o.rmsprop(0.1, 0.9, 1e-8, 0.0, 1e-8),  # type: ignore[arg-type]
    "`bias_correction` is 'no'": lambda: o.scale_by_stddev(bias_correction="no"),  # type: ignore[arg-type]
    "`flip_sign` is -1": lambda: o.scale_by_learning_rate(0.1, flip_sign=-1),  # type: ignore[arg-type]
    "`staircase` is 2": lambda: o.exponential_decay(1.0, 2, 0.5, 0, 2),  # type: ignore[arg-type]
    "`staircase` is 'no'": lambda: o.warmup_exponential_decay_schedule(0.0, 1.0, 2, 2, 0.5, 0, "no"),  # type: ignore[arg-type]
    "value='a'": lambda: o.constant_schedule("a"),  # type: ignore[arg-type]
    "init_value=None": lambda: o.linear_schedule(None, 1.0, 2),  # type: ignore[arg-type]
    "end_value='a'": lambda: o.exponential_decay(1.0, 2, 0.5, end_value="a"),  # type: ignore[arg-type]
    "power=-1": lambda: o.polynomial_schedule(1.0, 0.0, -1, 2),
    "transition_steps='a'": lambda: o.exponential_decay(1.0, "a", 0.5),  # type: ignore[arg-type]
    "transition_begin=None": lambda: o.linear_schedule(1.0, 0.0, 2, None),  # type: ignore[arg-type]
    "decay_rate=-0.5": lambda: o.warmup_exponential_decay_schedule(0.0, 1.0, 2, 2, -0.5),
    "decay_steps='a'": lambda: o.warmup_cosine_decay_schedule(0.0, 1.0, 2, "a"),  # type: ignore[arg-type]
    "decay_steps=None": lambda: o.cosine_decay_schedule(1.0, None),  # type: ignore[arg-type]
    "warmup_steps='a'": lambda: o.warmup_cosine_decay_schedule(0.0, 1.0, "a", 2),  # type: ignore[arg-type]
    "alpha='a'": lambda: o.cosine_decay_schedule(1.0, 2, "a"),  # type: ignore[arg-type]
    "exponent=-1": lambda: o.cosine_decay_schedule(1.0, 2, exponent=-1),
    "boundaries_and_scales is a list": lambda: o.piecewise_constant_schedule(1.0, [1, 2]),  # type: ignore[arg-type]
    "boundaries_and_scales[2]='a'": lambda: o.piecewise_constant_schedule(1.0, {2: "a"}),  # type: ignore[dict-item]
    "boundary='a'": lambda: o.piecewise_constant_schedule(1.0, {"a": 1.0}),  # type: ignore[dict-item]
    "schedules[0]=0.1 is no schedule": lambda: o.join_schedules([0.1, 0.2], [3]),  # type: ignore[list-item]
    "boundaries[0]=None": lambda: o.join_schedules([abs, abs], [None]),  # type: ignore[list-item]
    "boundaries=[5, 2] do not ascend": lambda: o.join_schedules([abs] * 3, [5, 2]),
}


@pytest.mark.parametrize("said", WRONG)
def test_what_is_out_of_range_is_named(said: str) -> None:
    with pytest.raises(OptionError) as caught:
        WRONG[said]()
    error = caught.value
    assert error.what.startswith(said) and error.why and error.way_out
    assert error.place is not None and error.place.filename == __file__


@pytest.mark.parametrize("value", ["a", None, float("nan"), np.ones(2)])
def test_what_a_schedule_gives_is_a_number(value: Any) -> None:
    for optimizer in (o.sgd(lambda count: value), o.add_decayed_weights(lambda count: value)):
        with pytest.raises(OptionError, match=r"schedule\(0\)=.* is no finite number"):
            optimizer.update([1.0], optimizer.init([1.0]), [1.0])


def test_ends_of_ranges_and_whole_numbers() -> None:
    for optimizer in (
        *(o.sgd(0), o.sgd(1, 0), o.sgd(1, 1), o.adam(1, 0, 0, 1), o.adamw(1, weight_decay=0), o.adagrad(1, 0, 0)),
        *(o.clip(0), o.clip(np.inf), o.clip_by_global_norm(np.inf), o.clip_by_block_rms(np.inf), o.scale(-1)),
        *(o.sgd(lambda count: -1), o.scale_by_learning_rate(1, flip_sign=False)),
    ):
        updates, _ = optimizer.update([1.0, 2.0], optimizer.init([1.0, 1.0]), [1.0, 1.0])
        assert np.isfinite(updates).all()


NUMBERS: dict[str, Any] = {
    "sgd": lambda c: o.sgd(c(0.1), c(0.9), nesterov=True),
    "rmsprop": lambda c: o.rmsprop(c(0.1), c(0.9), c(1e-8), c(0.0), momentum=c(0.5), bias_correction=True),
    "centered": lambda c: o.rmsprop(c(0.1), c(0.5), c(1e-8), c(0.5), False, True),
    "adagrad": lambda c: o.adagrad(c(0.1), c(0.1), c(1e-7)),
    "adam": lambda c: o.adam(c(0.1), c(0.5), c(0.5), c(1e-8), c(1e-8), nesterov=True),
    "amsgrad": lambda c: o.adam(c(0.1), c(0.5), c(0.5), c(1e-8), c(1e-8), amsgrad=True),
    "lion": lambda c: o.lion(c(0.1), c(0.5), c(0.5), weight_decay=c(0.1)),
    "clip": lambda c: o.clip(c(0.1)),
    "norm": lambda c: o.clip_by_global_norm(c(0.1)),
    "block": lambda c: o.clip_by_block_rms(c(0.1)),
    "scale": lambda c: o.scale(c(0.1)),
    "schedule": lambda c: o.sgd(lambda count: c(0.1)),
    "decay": lambda c: o.add_decayed_weights(lambda count: c(0.1)),
    "cosine": lambda c: o.sgd(o.warmup_cosine_decay_schedule(c(0.1), c(0.2), c(1), c(2), c(0.1), c(1.0))),
    "exponential": lambda c: o.sgd(o.exponential_decay(c(0.1), c(2), c(0.5), c(0), end_value=c(0.0))),
    "steps": lambda c: o.sgd(o.piecewise_constant_schedule(c(0.1), {1: c(0.5)})),
}


@pytest.mark.parametrize("convert", [np.float64, np.float32, np.array])
@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_of_numpy_keep_the_precision(name: str, convert: Any) -> None:
    model = {"w": np.ones(3, np.float32), "b": np.array(1.0, np.float32), "n": 1.0}
    optimizer, plain = NUMBERS[name](convert), NUMBERS[name](float)
    state = other = optimizer.init(model)
    for _ in range(2):
        updates, state = optimizer.update({"w": model["w"] * 2, "b": model["b"], "n": 2.0}, state, model)
        expected, other = plain.update({"w": model["w"] * 2, "b": model["b"], "n": 2.0}, other, model)
        assert nn.tree_map(type, updates) == nn.tree_map(type, model)
        of_other = nn.named_leaves(other)
        for path, leaf in nn.named_leaves(state).items():
            assert type(leaf) is type(of_other[path]), path
            assert path[-1] in "nt" or leaf.dtype == np.float32, path
        np.testing.assert_allclose(nn.ravel(updates)[0], nn.ravel(expected)[0], rtol=1e-6)
        model = o.apply_updates(model, updates)


class Own(o.GradientTransformation):
    """A transformation whose step gives what a function makes."""

    def __init__(self, give: Any) -> None:
        self.give = give

    def step(self, updates: Any, state: Any, parameters: Any) -> Any:
        return self.give(updates, state)


@pytest.mark.parametrize(
    ("give", "said"),
    [
        (lambda u, s: u, "an update for each parameter"),
        (lambda u, s: None, "an update for each parameter"),
        (lambda u, s: ([*u.values()], s), "an update for each parameter"),
        (lambda u, s: ({"w": u["w"]}, s), "an update for each parameter"),
        (lambda u, s: ({**u, "x": 1.0}, s), "an update for each parameter"),
        (lambda u, s: ({**u, "w": 1.0}, s), r"an update of shape \(2,\) at `w`"),
        (lambda u, s: ({**u, "w": [1.0, 2.0]}, s), r"an update of shape \(2,\) at `w`"),
        (lambda u, s: ({**u, "b": np.ones(2)}, s), r"an update of shape \(\) at `b`"),
        (lambda u, s: ({**u, "b": None}, s), "numbers at `b` that can be added"),
        (lambda u, s: ({**u, "b": "1"}, s), "numbers at `b` that can be added"),
        (lambda u, s: ({**u, "b": 1j}, s), "numbers at `b` that can be added"),
        (lambda u, s: ({**u, "w": u["w"] * 1j}, s), "numbers at `w` that can be added"),
    ],
)
def test_what_a_step_of_ones_own_must_give(give: Any, said: str) -> None:
    model = {"w": np.ones(2), "b": 1.0}
    for optimizer in (Own(give), o.chain(o.adam(0.1), Own(give)), o.masked(Own(give), {"w": True, "b": True})):
        with pytest.raises(StructureError, match=f"`Own.step` does not give {said}"):
            optimizer.update(model, optimizer.init(model), model)
        with pytest.raises(StructureError, match=f"`Own.step` does not give {said}"):
            nn.fit(model, lambda m, x: np.sum(m["w"]) * m["b"] * x, [1.0], optimizer, progress=False)


@pytest.mark.parametrize("update", [-0.5, np.float32(-0.5), np.array(-0.5), -1])
def test_a_step_of_ones_own_may_give_numbers_for_arrays_of_no_axis(update: Any) -> None:
    model, optimizer = {"w": np.array(2.0, np.float32)}, Own(lambda u, s: ({"w": update}, s))
    updates, _ = optimizer.update(model, optimizer.init(model), model)
    done = nn.fit(model, lambda m, x: m["w"] * x, [1.0], optimizer, progress=False).model
    for array, expected in ((updates["w"], update), (done["w"], 2 + update)):
        assert isinstance(array, np.ndarray) and array.dtype == np.float32 and array == expected


def test_a_number_for_an_array_of_no_axis_has_derivatives() -> None:
    def final(rate: float) -> Any:
        model, optimizer = {"w": np.array(2.0)}, Own(lambda u, s: ({"w": -rate * 3.0}, s))
        updates, _ = optimizer.update(model, optimizer.init(model), model)
        return o.apply_updates(model, updates)["w"] ** 2

    assert gradient(final, 0.1)[0] == pytest.approx(2 * 1.7 * -3)


def test_at_its_norm_an_update_is_clipped() -> None:
    """Where the norm is just the largest one, the derivative is that of what is clipped, as optax has it."""
    optimizer, model = o.clip_by_global_norm(5.0), [0.0, 0.0]
    clip = lambda g: optimizer.update([g, 4.0], optimizer.init(model), model)[0][0]  # noqa: E731
    assert gradient(clip, 3.0)[0] == pytest.approx(1 - 9 / 25)
    assert gradient(clip, 2.9)[0] == 1.0


def test_a_step_of_ones_own_has_derivatives() -> None:
    def final(rate: float) -> Any:
        model = {"w": np.ones(2), "b": 1.0}
        optimizer = o.chain(Own(lambda u, s: ({path: -rate * g for path, g in u.items()}, s)), o.scale(2.0))
        updates, _ = optimizer.update({"w": np.ones(2), "b": 3.0}, optimizer.init(model), model)
        return np.sum(o.apply_updates(model, updates)["w"])

    assert gradient(final, 0.1)[0] == pytest.approx(-4.0)

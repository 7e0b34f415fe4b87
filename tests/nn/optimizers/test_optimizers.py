"""The contract of optimizers: immutable, ties stay, what is frozen stays, states of others are refused, derivatives."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp, nn
from adjoint.errors import OptionError, StructureError
from adjoint.nn import optimizers as o

ALL = {
    "sgd": o.sgd(0.05, 0.9, nesterov=True),
    "rmsprop": o.rmsprop(0.05, centered=True, momentum=0.5, bias_correction=True, eps=1e-3),
    "adagrad": o.adagrad(0.05),
    "adam": o.adam(0.05),
    "amsgrad": o.adam(0.05, amsgrad=True),
    "adamw": o.chain(o.clip_by_global_norm(1.0), o.adamw(o.exponential_decay(0.1, 10, 0.5), weight_decay=0.1)),
    "lion": o.chain(o.clip(0.5), o.lion(0.05)),
}

X = np.random.default_rng(0).normal(size=(10, 2))


def network(seed: int = 0, width: int = 3) -> Any:
    rng = np.random.default_rng(seed)
    return nn.Chain(nn.Dense(2, width, nn.tanh, rng=rng), nn.Dense(width, 2, rng=rng))


def loss(model: Any) -> Any:
    return ((model(X) - np.sin(X)) ** 2).mean()


def train(optimizer: Any, model: Any, steps: int = 20) -> tuple[Any, Any]:
    state = optimizer.init(model)
    for _ in range(steps):
        updates, state = optimizer.update(gradient(loss, model)[0], state, model)
        model = o.apply_updates(model, updates)
    return model, state


@pytest.mark.parametrize("name", ALL)
def test_all_go_down_and_change_nothing_of_what_they_are_given(name: str) -> None:
    optimizer, model = ALL[name], network()
    before = copy.deepcopy(nn.named_leaves(model))
    trained, state = train(optimizer, model)
    assert loss(trained) < 0.9 * loss(model) and type(trained) is nn.Chain
    np.testing.assert_equal(nn.named_leaves(model), before)
    kept, (g,) = copy.deepcopy(state), gradient(loss, trained)
    held = copy.deepcopy(nn.named_leaves(nn.as_model(g, like=trained)))
    first, second = (optimizer.update(g, state, trained) for _ in range(2))
    np.testing.assert_equal(state, kept)
    np.testing.assert_equal(nn.named_leaves(nn.as_model(g, like=trained)), held)
    np.testing.assert_equal(nn.named_leaves(first[0]), nn.named_leaves(second[0]))


@pytest.mark.parametrize("name", ALL)
def test_optimizers_and_states_can_be_pickled(name: str) -> None:
    model = network()
    trained, state = train(ALL[name], model, 3)
    again, before = pickle.loads(pickle.dumps((ALL[name], state)))
    (g,) = gradient(loss, trained)
    one, other = ALL[name].update(g, state, trained)[0], again.update(g, before, trained)[0]
    np.testing.assert_equal(nn.named_leaves(one), nn.named_leaves(other))
    assert type(ALL[name]).__name__ == "Chain" and repr(again) == repr(ALL[name])


@pytest.mark.parametrize("name", ALL)
def test_what_is_shared_is_updated_once_and_stays_shared(name: str) -> None:
    """Beside the same parameters as one layer that is called twice."""
    if name == "adamw":
        pytest.skip("its norm and its steps are checked by the others")
    rng = np.random.default_rng(3)
    layer = nn.Dense(2, 2, nn.tanh, rng=rng)

    @dataclass
    class Twice:
        layer: Any

        def __call__(self, x: Any) -> Any:
            return self.layer(self.layer(x))

    tied, state = train(ALL[name], nn.Chain(layer, layer), 10)
    once, _ = train(ALL[name], Twice(layer), 10)
    assert tied.layers[0] is tied.layers[1]
    np.testing.assert_allclose(tied.layers[0].weight, once.layer.weight, rtol=1e-10)
    states = nn.named_leaves(state)
    assert not any("layers.1" in path for path in states)


def test_tied_arrays_and_lists() -> None:
    w, items = np.array([1.0, 2.0]), [3.0]
    model = {"a": w, "b": w, "c": items, "d": (items, 4)}
    optimizer = o.sgd(0.1, 0.5)
    state = optimizer.init(model)
    for total in (1.0, 1.5):  # momentum of two ones and a two
        (g,) = gradient(lambda m: m["a"].sum() + m["b"].sum() + 2 * m["c"][0] * m["d"][0][0], model)
        updates, state = optimizer.update(g, state, model)
        before, model = model, o.apply_updates(model, updates)
        assert model["a"] is model["b"] and model["c"] is model["d"][0]
        np.testing.assert_allclose(model["a"], before["a"] - 0.1 * 2 * total)
    assert model["d"][1] == 4 and [*state[0].trace] == ["a", "c.0"]


@pytest.mark.parametrize("name", sorted(ALL))
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_arrays_of_no_axis_stay_arrays_and_tied(name: str, dtype: Any) -> None:
    w = np.array(1.0, dtype)
    model, optimizer = {"a": w, "net": {"b": [w]}, "c": np.array(2.0, dtype)}, ALL[name]
    state = optimizer.init(model)
    for _ in range(3):
        (g,) = gradient(lambda m: m["a"] ** 2 + 3 * m["net"]["b"][0] * m["c"], model)
        updates, state = optimizer.update(g, state, model)
        model = o.apply_updates(model, updates)
        assert model["a"] is model["net"]["b"][0] and updates["a"] is updates["net"]["b"][0]
        for path, leaf in [*nn.named_leaves(model).items(), *nn.named_leaves(state).items()]:
            assert isinstance(leaf, (np.ndarray, int)), path
    assert [*nn.named_leaves(model)] == ["a", "c"] and model["a"].dtype == dtype
    loaded = nn.load_state_dict({**model, "net": {"b": [model["a"]]}}, nn.state_dict(model))
    assert loaded["a"] is loaded["net"]["b"][0]
    vector, unravel = nn.ravel(model)
    again = unravel(vector + 1)
    assert vector.shape == (2,) and again["a"] is again["net"]["b"][0] and again["a"].shape == ()


def test_frozen_arrays_of_no_axis_stay_arrays() -> None:
    w = np.array(1.0)
    model = {"a": w, "b": w, "c": np.array(2.0)}
    optimizer = o.selective_transform(o.adam(0.1), freeze_mask=nn.tree_map(lambda p: p > 1.5, model))
    state = optimizer.init(model)
    for _ in range(2):
        (g,) = gradient(lambda m: m["a"] * m["b"] * m["c"], model)
        updates, state = optimizer.update(g, state, model)
        model = o.apply_updates(model, updates)
    assert model["a"] is model["b"] and model["a"] < 1 and model["c"] == 2
    assert isinstance(model["c"], np.ndarray) and isinstance(state.inner_state[0].mu["a"], np.ndarray)


def test_static_fields_integers_and_texts_are_left_alone() -> None:
    @dataclass
    class Norm:
        scale: Any
        eps: float = nn.field(default=1e-5, static=True)
        width: int = 3
        name: str = "norm"

    model, optimizer = Norm(np.ones(2)), o.adamw(0.1, weight_decay=0.5)
    (g,) = gradient(lambda m: (m.scale * m.width * m.eps).sum(), model)
    updates, state = optimizer.update(g, optimizer.init(model), model)
    assert (updates.eps, updates.width, updates.name) == (1e-5, 0, "norm")
    moved = o.apply_updates(model, updates)
    assert (moved.eps, moved.width) == (1e-5, 3) and [*state[0].mu] == ["scale"]


def test_nothing_flows_is_zero() -> None:
    model, optimizer = {"a": 1.0, "b": [np.ones(2)]}, o.sgd(0.5, 0.5)
    updates, _ = optimizer.update({"a": 2.0, "b": None}, optimizer.init(model), model)  # type: ignore[dict-item]
    assert updates["a"] == -1.0 and updates["b"][0].tolist() == [0.0, 0.0]
    assert o.apply_updates(model, {"a": None, "b": None}) == model  # type: ignore[comparison-overlap]


@pytest.mark.parametrize("how", ["mask", "function", "map"])
def test_frozen_parameters_do_not_move(how: str) -> None:
    model = network()
    masks = {
        "mask": nn.freeze(model, "layers.0", "*.bias"),
        "function": lambda parameters: nn.freeze(parameters, "layers.0.*", "*.bias"),
        "map": nn.tree_map_with_path(lambda path, p: path != "layers.1.weight", model),
    }
    optimizer = o.selective_transform(o.adamw(0.05), freeze_mask=masks[how])
    trained, state = train(optimizer, model, 5)
    for path, p in nn.named_leaves(trained).items():
        assert np.array_equal(p, nn.named_leaves(model)[path]) == (path != "layers.1.weight"), path
    assert [*state.inner_state[0].mu] == ["layers.1.weight"]


def test_a_mask_that_says_nothing_of_a_parameter_is_refused() -> None:
    for mask in ({"a": True}, {}, {"a": True, "b": 1.0}, network()):
        with pytest.raises(OptionError, match="a mask says nothing of `b`|a mask says nothing of `a`"):
            o.masked(o.scale(1.0), mask).init({"a": 1.0, "b": 2.0})


def test_a_mask_of_another_model_is_refused() -> None:
    tied = np.ones(2)
    for wrap in (lambda x: x, lambda x: o.chain(o.sgd(0.1), x)):
        with pytest.raises(
            OptionError, match="a mask has a flag at `bios`, and the model has nothing there; near is `b"
        ):
            wrap(o.masked(o.scale(1.0), {"bias": True, "bios": False})).init({"bias": 1.0})
        with pytest.raises(OptionError, match="a mask says True at `dec` and False at `enc`, where the model has one"):
            wrap(o.masked(o.scale(1.0), {"enc": False, "dec": True})).init({"enc": tied, "dec": tied})
    o.masked(o.scale(1.0), {"enc": False}).init({"enc": tied, "dec": tied})


STRANGERS: list[tuple[Any, Any, str]] = [
    (o.adam(0.1), o.adam(0.1).init(network(width=4)), r"the state has the shape \(2, 4\) at `layers\.0\.weight`"),
    (o.adam(0.1), o.adam(0.1).init({"layers": [{"weights": 1.0}]}), "it has `layers.0.weights`, .* near is"),
    (o.adam(0.1), o.adam(0.1).init([network().layers[0]]), "it has `0.weight`"),
    (o.adam(0.1), o.adam(0.1).init(nn.Chain(network().layers[0])), r"it has no `layers\.1\.weight`"),
    (o.adam(0.1), o.sgd(0.1, 0.9).init(network()), "`ScaleByAdam` has a ScaleByAdamState, and this is a TraceState"),
    (o.adam(0.1), o.sgd(0.1).init(network()), "and this is an EmptyState"),
    (o.adam(0.1), o.adamw(0.1).init(network()), "a tuple of 2 states, and this is a tuple of 3"),
    (o.adam(0.1), None, "a tuple of 2 states, and this is a NoneType"),
]


@pytest.mark.parametrize(("optimizer", "state", "said"), STRANGERS)
def test_states_of_others_are_refused(optimizer: Any, state: Any, said: str) -> None:
    model = network()
    (g,) = gradient(loss, model)
    with pytest.raises(StructureError, match=said):
        optimizer.update(g, state, model)


def test_gradients_of_others_are_refused() -> None:
    model, optimizer = network(), o.adam(0.1)
    state = optimizer.init(model)
    with pytest.raises(StructureError, match="a gradient of a Dense where the model has a Chain"):
        optimizer.update(gradient(lambda m: m.bias.sum(), model.layers[0])[0], state, model)
    with pytest.raises(StructureError, match=r"the gradient has the shape \(2, 4\) at `layers\.0\.weight`"):
        optimizer.update(gradient(loss, network(width=4))[0], state, model)
    with pytest.raises(StructureError, match="two models differ in structure"):
        o.apply_updates(model, {"a": 1.0})


def test_bad_options() -> None:
    for make in (
        lambda: o.adam(0.1, nesterov=True, amsgrad=True),
        lambda: o.cosine_decay_schedule(1.0, 0),
        lambda: o.join_schedules([], []),
        lambda: o.piecewise_constant_schedule(1.0, {1: -1.0}),
    ):
        with pytest.raises(OptionError):
            make()


class Stepless(o.GradientTransformation):
    """A transformation that is not done."""


def test_one_without_a_step() -> None:
    with pytest.raises(NotImplementedError, match="Stepless has no `step`"):
        Stepless().update([1.0], Stepless().init([1.0]), [1.0])


def quadratic(m: Any) -> Any:
    return ((m["w"] - np.array([1.0, 2.0])) ** 2).sum() * m["c"] + m["c"] ** 2


def slopes(final: Any, x: float, h: float = 1e-5) -> None:
    """Both modes, and the second derivative, beside finite differences."""
    slope = (final(x + h) - final(x - h)) / (2 * h)
    assert gradient(final, x)[0] == pytest.approx(slope, rel=2e-6)
    assert jvp(final, (x,), (1.0,))[1] == pytest.approx(slope, rel=2e-6)


MAKERS: dict[str, Any] = {
    "sgd": lambda x: o.sgd(x, 0.9),
    "momentum": lambda x: o.sgd(0.02, x, nesterov=True),
    "rmsprop": lambda x: o.rmsprop(x, centered=True, momentum=0.5),
    "adagrad": lambda x: o.adagrad(x),
    "adam": lambda x: o.adam(x, eps_root=1e-8),
    "adam's decay": lambda x: o.adam(0.05, b2=1 - x),
    "amsgrad": lambda x: o.adam(x, amsgrad=True),
    "adamw": lambda x: o.adamw(0.05, weight_decay=x),
    "lion": lambda x: o.lion(x),
    "clipping": lambda x: o.chain(o.clip_by_global_norm(x), o.sgd(0.1)),
    "a schedule": lambda x: o.sgd(o.cosine_decay_schedule(x, 5)),
}


@pytest.mark.parametrize("name", MAKERS)
def test_the_final_loss_by_what_an_optimizer_is_made_of(name: str) -> None:
    def final(x: float) -> Any:
        model, optimizer = {"w": np.array([0.5, -0.5]), "c": 1.5}, MAKERS[name](x)
        state = optimizer.init(model)
        for _ in range(3):
            (g,) = gradient(quadratic, model)
            updates, state = optimizer.update(g, state, model)
            model = o.apply_updates(model, updates)
        return quadratic(model)

    slopes(final, 0.1)


def test_the_learning_rate_of_a_network_to_second_order() -> None:
    start = nn.Chain(nn.Dense(2, 2, nn.tanh, rng=np.random.default_rng(0)), np.tanh)

    def final(rate: float) -> Any:
        model, optimizer = start, o.sgd(rate, 0.9)
        state = optimizer.init(model)
        for _ in range(2):
            (g,) = gradient(loss, model)
            updates, state = optimizer.update(g, state, model)
            model = o.apply_updates(model, updates)
        return loss(model)

    slopes(final, 0.1)
    h = 1e-5
    bend = (gradient(final, 0.1 + h)[0] - gradient(final, 0.1 - h)[0]) / (2 * h)
    assert gradient(lambda r: gradient(final, r)[0], 0.1)[0] == pytest.approx(bend, rel=1e-6)

"""One object at several places of a model is one parameter, before a step and after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

from adjoint import gradient, nn
from adjoint.errors import StructureError
from adjoint.nn import Chain, Dense, gradient_descent, leaves, mse, optimizers, tree_map


def layer() -> Dense:
    return Dense(2, 2, rng=np.random.default_rng(1))


def copied(model: Chain) -> Any:
    """The loss of the chain as a function of its first layer's numbers alone, by differences."""
    x, y = np.ones((3, 2)), np.zeros((3, 2))
    return mse(model(x), y)


def test_a_layer_that_is_used_twice_stays_one() -> None:
    d = layer()
    x, y = np.array([[1.0, 2.0], [0.5, -1.0]]), np.array([[0.3, 0.1], [0.2, 0.9]])
    trained, _ = gradient_descent(Chain(d, np.tanh, d), mse, x, y, steps=3, progress=False)
    assert trained.layers[0] is trained.layers[2] and trained.layers[0] is not d

    def step(weight: Any, bias: Any) -> tuple[Any, Any]:
        def loss(w: Any, b: Any) -> Any:
            made = Dense(2, 2)
            object.__setattr__(made, "weight", w)
            object.__setattr__(made, "bias", b)
            return mse(made(np.tanh(made(x))), y)

        h = 1e-6
        found = []
        for k, p in enumerate((weight, bias)):
            g = np.zeros_like(p)
            for i in np.ndindex(*p.shape):
                for sign in (1, -1):
                    moved = [weight.copy(), bias.copy()]
                    moved[k][i] += sign * h
                    g[i] += sign * loss(*moved) / (2 * h)
            found.append(p - 0.1 * g)
        return found[0], found[1]

    weight, bias = d.weight, d.bias
    for _ in range(3):
        weight, bias = step(weight, bias)
    np.testing.assert_allclose(trained.layers[0].weight, weight, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(trained.layers[0].bias, bias, rtol=1e-5, atol=1e-7)


@dataclass
class Tied:
    a: Any
    b: Any
    items: Any
    again: Any
    named: dict[str, Any]
    pair: tuple[Any, ...] = ()

    def __call__(self, x: Any) -> Any:
        total = x * self.a * self.b + self.items[0] * self.again[1] + self.named["w"]
        return total * self.pair[0] + self.pair[1]


def tied() -> Tied:
    a, items = np.array([1.0, 2.0]), [np.array([3.0, 4.0]), 2.0]
    return Tied(a, a, items, items, {"w": a}, (2.0, 2.0))


@pytest.mark.parametrize("recorded", [False, True])
def test_arrays_and_lists_stay_one(recorded: bool) -> None:
    model, x = tied(), np.array([0.5, 1.5])

    def plain(m: Any) -> Any:
        return m(x).sum()

    def kept(m: Any) -> Any:
        try:
            return m(x).sum()
        finally:
            pass

    (g,) = gradient(kept if recorded else plain, model)
    new = tree_map(lambda p, d: p if d is None else p - 0.1 * d, model, g)
    assert new.a is new.b and new.a is new.named["w"] and new.items is new.again and new.items[0] is new.again[0]
    # d/da of 2 (x a a + a + ...): 2 (2 x a + 1), d/d items[0] = 2 * items[1], d/d items[1] = 2 * sum(items[0])
    np.testing.assert_allclose(new.a, model.a - 0.1 * 2 * (2 * x * model.a + 1))
    np.testing.assert_allclose(new.items[0], model.items[0] - 0.1 * 2 * 2.0)
    assert new.items[1] == pytest.approx(2.0 - 0.1 * 2 * 7.0)
    inner = (x * model.a**2 + model.items[0] * 2.0 + model.a).sum()
    assert new.pair == pytest.approx((2.0 - 0.1 * inner, 2.0 - 0.1 * 2))


def test_momentum_keeps_what_is_shared() -> None:
    d = layer()
    model = Chain(d, np.tanh, d)
    velocity = tree_map(lambda p: 0 * p, model)
    assert velocity.layers[0] is velocity.layers[2]
    (g,) = gradient(copied, model)
    total = tree_map(lambda p, d: d, model, g)
    for _ in range(2):
        velocity = tree_map(lambda v, d: 0.5 * v + d, velocity, g)
        model = tree_map(lambda p, v: p - v, model, velocity)
    assert model.layers[0] is model.layers[2]
    np.testing.assert_allclose(d.weight - model.layers[0].weight, 2.5 * total.layers[0].weight)


def test_what_f_leaves_alone_is_the_same_object() -> None:
    model = tied()
    assert tree_map(lambda p: p, model) is model
    assert list(leaves(model))[0] is model.a


def test_another_model_must_share_the_same() -> None:
    d = layer()
    with pytest.raises(ValueError, match="one object in the model, and several in the other"):
        tree_map(lambda p, q: p + q, Chain(d, d), Chain(layer(), layer()))
    e = layer()
    both = tree_map(lambda p, q: p + q, Chain(d, d), Chain(e, e))
    np.testing.assert_array_equal(both.layers[0].weight, d.weight + e.weight)


def test_numbers_that_happen_to_be_equal_are_not_shared() -> None:
    one = 1.5
    assert tree_map(lambda p, d: p - d, [one, one], [1.0, 0.5]) == [0.5, 1.0]


def test_what_holds_itself_is_refused() -> None:
    items: list[Any] = [1.0]
    items.append(items)
    with pytest.raises(ValueError, match="holds itself"):
        tree_map(lambda p: p, items)


def averaged(p: Any, q: Any) -> Any:
    return 0.5 * p + 0.5 * q


def untied(model: Tied) -> Tied:
    """The same numbers, each an object of its own, as where it was read from a file."""
    return Tied(
        model.a.copy(), model.b.copy(), [*model.items], [*model.again], {"w": model.named["w"].copy()}, model.pair
    )


def test_values_of_another_model_are_not_added_up() -> None:
    model = tied()
    mean = tree_map(averaged, model, tied())
    np.testing.assert_array_equal(mean.a, model.a)
    assert mean.a is mean.b and mean.a is mean.named["w"] and mean.items[1] == 2.0
    with pytest.raises(StructureError) as refused:
        tree_map(averaged, model, untied(model))
    said = str(refused.value)
    for path in ("at b", "at again", "at named.w"):
        assert f"is one object in the model, and several in the other {path}" in said
    assert "a ndarray" not in said and "strict=False" in said
    again = nn.load_state_dict(model, nn.state_dict(untied(model)), strict=False)
    np.testing.assert_array_equal(tree_map(averaged, model, again).a, model.a)
    with pytest.raises(StructureError, match="several in the other at b"):
        optimizers.apply_updates(model, untied(model))


def test_gradients_are_added_up_whatever_carries_them() -> None:
    model, x = tied(), np.array([0.5, 1.5])
    (g,) = gradient(lambda m: m(x).sum(), model)
    whole = nn.as_model(g, like=model)
    np.testing.assert_allclose(whole.a, g.a + g.b + g.named["w"])
    step = optimizers.sgd(1.0)
    for d in (g, whole):
        updates, _ = step.update(d, step.init(model), model)
        np.testing.assert_allclose(updates.a, -whole.a)
        np.testing.assert_allclose(optimizers.apply_updates(model, updates).a, model.a - whole.a)
        np.testing.assert_allclose(tree_map(lambda p, d: d, model, d).a, whole.a)
    np.testing.assert_allclose(nn.ravel(model)[1].vector(g), nn.ravel(whole)[0])
    other = untied(model)  # what is said to be a gradient is one, as JAX gives it: a record of the model's class
    updates, _ = step.update(other, step.init(model), model)
    np.testing.assert_allclose(updates.a, -3 * model.a)
    np.testing.assert_allclose(nn.as_model(other, like=model).a, 3 * model.a)


@pytest.mark.parametrize("f", [lambda m: m["a"] + m["b"], lambda m: m["a"] * m["b"] * m["c"][0]])
def test_gradients_by_numbers_that_are_arrays_are_added_up(f: Any) -> None:
    w = np.array(3.0)
    model = {"a": w, "b": w, "c": [w]}
    (g,) = gradient(f, model)
    h = 1e-6
    up, down = [f(tree_map(lambda p, h=h: p + h, model)) for h in (h, -h)]
    whole = nn.as_model(g, like=model)
    assert tree_map(lambda p, d: d, model, whole)["a"] == pytest.approx((up - down) / (2 * h))
    with pytest.raises(StructureError, match="an array is one object in the model, and several in the other at b"):
        tree_map(lambda p, d: d, model, g)


class Three(NamedTuple):
    a: Any
    b: Any
    c: Any


@pytest.mark.parametrize("kind", [lambda *x: [*x], lambda *x: x, Three, lambda *x: dict(zip("abc", x, strict=True))])
def test_containers_without_records_are_models_unless_said(kind: Any) -> None:
    w, q = np.ones(2), np.full(2, 3.0)
    model = kind(w, w, 1.0)
    mean = tree_map(averaged, model, kind(q, q, 2.0))
    np.testing.assert_array_equal(nn.tree_leaves(mean)[0], [2.0, 2.0])
    for untied in (kind(q, q.copy(), 2.0), kind(q, 5 * w, 2.0)):
        with pytest.raises(StructureError, match="(?s)several in the other.*`nn.as_model.gradient, like=model.`"):
            tree_map(averaged, model, untied)
        with pytest.raises(StructureError, match="several in the other"):
            nn.tree_map_with_path(lambda path, p, q: q, model, untied)
        with pytest.raises(StructureError, match="several in the other"):
            optimizers.apply_updates(model, untied)
        whole = nn.as_model(untied, like=model)
        assert tree_map(lambda p, d: d, model, whole)[2 if not isinstance(model, dict) else "c"] == 2.0
        step = optimizers.sgd(1.0)
        updates, _ = step.update(untied, step.init(model), model)
        np.testing.assert_allclose(nn.tree_leaves(updates)[0], -nn.tree_leaves(whole)[0])
    rates = tree_map(lambda p: 0.1, model)
    np.testing.assert_array_equal(nn.tree_leaves(tree_map(lambda p, r: p * r, model, rates))[0], 0.1 * w)
    assert tree_map(lambda p, flag: p if flag else 0 * p, model, nn.freeze(model, "*")) is not None


def test_derivatives_of_maps_of_containers_go_to_the_one_object() -> None:
    def mixed(p: Any, q: Any) -> Any:
        return nn.tree_leaves(tree_map(averaged, {"a": p, "b": p}, {"a": q, "b": q}))[0].sum()

    for g in gradient(mixed, np.ones(2), np.ones(2)):
        np.testing.assert_array_equal(g, [0.5, 0.5])


def test_equal_numbers_of_a_gradient_are_never_taken_for_one() -> None:
    w = np.array(2.0)
    model = {"a": w, "b": w}
    (g,) = gradient(lambda m: m["a"] + m["b"], model)
    with pytest.raises(StructureError, match="several in the other at b"):
        tree_map(lambda p, d: d, model, g)
    assert nn.as_model(g, like=model)["a"] == 2.0
    step = optimizers.sgd(1.0)
    updates, _ = step.update(g, step.init(model), model)
    assert optimizers.apply_updates(model, updates)["b"] == 0.0


def test_numbers_of_another_model_that_are_equal_count_once() -> None:
    model = tied()
    rates = Tied(0.1, 0.1, [0.2, 0.3], model.again, {"w": 0.1}, (0.4, 0.5))
    rates.again = rates.items
    np.testing.assert_allclose(tree_map(lambda p, r: p * r, model, rates).a, 0.1 * model.a)
    rates.b = 0.2
    with pytest.raises(StructureError, match="an array is one object in the model, and several in the other at b"):
        tree_map(lambda p, r: p * r, model, rates)


@dataclass
class Named:
    name: str
    act: Any
    weight: Any


def test_texts_and_functions_are_never_added() -> None:
    names, acts = ["a"], [np.tanh]
    model = {"a": names, "b": names, "c": acts, "d": acts, "w": 1.0}
    other = {"a": ["a"], "b": ["a"], "c": [np.tanh], "d": [np.sin], "w": 2.0}
    assert tree_map(lambda p, q: q, model, other)["w"] == 2.0

    def is_text(x: Any) -> bool:
        return isinstance(x, str)

    assert tree_map(lambda p, q: p + q, model, model, is_leaf=is_text)["a"] == ["aa"]
    with pytest.raises(StructureError, match="a list is one object in the model, and several in the other at b"):
        tree_map(lambda p, q: q, model, other, is_leaf=is_text)
    part = Named("a", np.tanh, np.ones(2))
    both = {"x": part, "y": part}
    with pytest.raises(StructureError, match="a Named is one object in the model, and several in the other at y"):
        tree_map(averaged, both, {"x": Named("b", np.sin, np.ones(2)), "y": Named("b", np.sin, np.ones(2))})


def test_parts_without_leaves_need_not_be_one() -> None:
    nothing = Named("a", np.tanh, None)
    model = {"x": nothing, "y": nothing, "w": 1.0}
    other = {"x": Named("b", np.sin, None), "y": Named("c", np.cos, None), "w": 2.0}
    assert tree_map(averaged, model, other) == {"x": nothing, "y": nothing, "w": 1.5}


def test_gradients_of_other_shapes_at_tied_places_are_refused() -> None:
    w = np.ones(2)
    with pytest.raises(StructureError, match=r"shapes \(2,\) and \(2, 1\) where the model has one array at b"):
        nn.as_model({"a": np.ones(2), "b": np.ones((2, 1))}, like={"a": w, "b": w})

"""What is a parameter: static fields, names, masks, structures that differ, gradients as models."""

from __future__ import annotations

import pickle
from collections import namedtuple
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pytest
from interop.needed import needed

from adjoint import Tangent, grad, gradient, hessian, hvp, jacobian, jvp, nn, pullback, vjp
from adjoint.errors import CompileError, OptionError, StructureError
from adjoint.testing import check_gradient

Pair = namedtuple("Pair", "left right")


@dataclass
class Norm:
    scale: Any
    eps: float = nn.field(default=1e-5, static=True)
    shift: float = 0.0

    def __call__(self, x: Any) -> Any:
        return x / np.sqrt(np.mean(x * x) + self.eps) * self.scale + self.shift


@dataclass(frozen=True, slots=True)
class Slotted:
    weight: float
    width: float = nn.field(default=3.0, static=True, repr=False)


X = np.array([1.0, -2.0, 0.5])


def loss(model: Any) -> Any:
    return (model(X) ** 2).sum()


def test_static_is_metadata_and_all_else_is_dataclasses_field() -> None:
    assert [field.metadata.get("static") for field in fields(Norm)] == [None, True, None]
    assert repr(Slotted(1.0)) == "Slotted(weight=1.0)" and Slotted(1.0, 2.0).width == 2.0

    @dataclass
    class Both:
        n: list[float] = nn.field(static=True, metadata={"unit": "m"}, default_factory=list)

    assert dict(fields(Both)[0].metadata) == {"unit": "m", "static": True} and Both().n == []


def test_a_static_field_is_no_leaf_and_gets_nothing() -> None:
    model = Norm(np.array([1.0, 2.0, 3.0]))
    assert [*nn.named_leaves(model)] == ["scale", "shift"]
    assert nn.tree_map(lambda p: p + 1, model).eps == 1e-5
    (g,) = gradient(loss, model)
    assert g.eps is None and g.shift == pytest.approx(2 * model(X).sum())
    assert pullback(loss, model)[1](1.0)[1].eps is None
    (g,) = gradient(lambda m: m.weight * m.width, Slotted(2.0))
    assert g == Tangent(Slotted, {"weight": 3.0, "width": None})
    (g,) = gradient(lambda ms: ms[0].weight * ms[0].width + ms[1]["a"].width, [Slotted(2.0), {"a": Slotted(1.0)}])
    assert g[0].width is None and g[1]["a"].width is None
    trained, _ = nn.gradient_descent(model, nn.mse, X, 0 * X, steps=5, progress=False)
    assert trained.eps == 1e-5 and trained.shift != 0.0


def test_static_fields_stand_still_where_derivatives_are_checked() -> None:
    gradient(loss, Norm(np.ones(3), 0.5), check=True)
    check_gradient(loss, Norm(np.ones(3), 0.5))


def test_through_a_static_field_of_what_a_program_makes_derivatives_flow() -> None:
    assert gradient(lambda eps: Slotted(2.0, eps).width * 3.0, 1.5) == (3.0,)
    assert gradient(lambda eps: nn.tree_map(lambda p: p * 2, Slotted(2.0, eps)).width * 3.0, 1.5) == (3.0,)


def test_names() -> None:
    w = np.ones(2)
    model = {"layers": (nn.Dense(1, 2), Pair(1.0, [w])), 3: w, "f": len, "flag": True}
    assert [*nn.named_leaves(model)] == ["layers.0.weight", "layers.0.bias", "layers.1.left", "layers.1.right.0"]
    assert nn.named_leaves(2.0) == {"": 2.0} and nn.named_leaves(None) == {}
    pairs = {"w": [1.0, 2.0], "v": [3.0]}
    assert nn.named_leaves(pairs, is_leaf=lambda x: type(x) is list) == pairs
    assert nn.tree_leaves(model)[-1] is w and len(nn.tree_leaves(model)) == 4
    seen = []
    nn.tree_map_with_path(lambda *args: seen.append(args), {"a": 1.0, "b": [2.0]}, {"a": 3.0, "b": None})
    assert seen == [("a", 1.0, 3.0), ("b.0", 2.0, None)]


def test_two_leaves_of_one_name_are_refused() -> None:
    with pytest.raises(StructureError, match="two leaves of the model have the path `1`"):
        nn.named_leaves({1: 1.0, "1": 2.0})


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"a": (1.0, 2.0), "b": [1.0, 2.0], "c": Slotted(1.0)}, "2 items where the model has 1 at b"),
        ({"a": (1.0,), "b": [1.0], "c": Slotted(1.0)}, "1 item where the model has 2 at a"),
        ({"a": (1.0, 2.0), "b": (1.0,), "c": Slotted(1.0)}, "a tuple where the model has a list at b"),
        ({"a": (1.0, 2.0), "b": [1.0]}, "no key 'c', which the model has"),
        ({"a": (1.0, 2.0), "b": [1.0], "c": None, "d": 1.0}, "a key 'd', which the model has not"),
        ({"a": (1.0, 2.0), "b": [1.0], "c": Norm(1.0)}, "a Norm where the model has a Slotted at c"),
        ({"a": (1.0, 2.0), "b": [1.0], "c": Tangent(Norm, {})}, "a gradient of a Norm where the model has a Slotted"),
        ([1.0], "a list where the model has a dict"),
        ({"a": [1.0], "b": (), "c": 1.0}, "a list .* at a; a tuple .* at b; a float .* at c"),
    ],
)
def test_structures_that_differ_are_named_with_their_paths(other: Any, said: str) -> None:
    model = {"a": (1.0, 2.0), "b": [1.0], "c": Slotted(1.0)}
    with pytest.raises(StructureError, match=said):
        nn.tree_map(lambda p, q: p, model, other)


def test_what_holds_itself_is_named_with_its_path() -> None:
    model: dict[str, Any] = {"a": [1.0], "b": {}}
    model["b"]["top"] = model
    with pytest.raises(StructureError, match=r"a dict of the model holds itself at `b\.top`"):
        nn.tree_leaves(model)


def network() -> Any:
    rng = np.random.default_rng(0)
    return nn.Chain(nn.Dense(2, 3, rng=rng), nn.tanh, nn.Dense(3, 1, rng=rng))


def test_freeze_is_a_mask_by_patterns() -> None:
    model = network()
    frozen = nn.freeze(model, "layers.0.*", "*.bias")
    assert nn.named_leaves(frozen, is_leaf=lambda x: type(x) is bool) == {
        "layers.0.weight": True,
        "layers.0.bias": True,
        "layers.2.weight": False,
        "layers.2.bias": True,
    }
    assert type(frozen) is nn.Chain and frozen.layers[1] is nn.tanh
    assert nn.freeze(model, "layers.[2]").layers[2].weight is True, "a part stands for all leaves in it"
    assert nn.freeze({"a": 1.0}) == {"a": False}


def test_what_is_shared_is_frozen_by_any_of_its_paths() -> None:
    w = np.ones(2)
    assert nn.freeze({"a": w, "b": w, "c": 1.0}, "b") == {"a": True, "b": True, "c": False}


def test_unknown_patterns_are_errors_that_list_near_names() -> None:
    with pytest.raises(
        OptionError, match=r"(?s)no leaf .* like `layers\.0\.baises`.*\nwhy: near it are `layers\.0\.bias`"
    ):
        nn.freeze(network(), "layers.0.baises")
    with pytest.raises(OptionError, match=r"near it are `layers\.0\.weight`"):
        nn.freeze(network(), "encoder*")
    with pytest.raises(OptionError, match="the model has no leaves"):
        nn.freeze({}, "a")


def test_gradients_as_models() -> None:
    model = Norm(np.array([1.0, 2.0, 3.0]), 0.1)
    (g,) = gradient(lambda m: (m.scale**2).sum(), model)
    made = nn.as_model(g, like=model)
    assert type(made) is Norm and made.eps == 0.1 and made.shift == 0.0
    np.testing.assert_allclose(made.scale, 2 * model.scale)
    bar = pullback(lambda m: (m["a"] ** 2).sum(), {"a": np.ones(2), "n": 3, "b": np.ones(2, np.float32)})[1](1.0)[1]
    like = {"a": np.ones(2), "n": 3, "b": np.ones(2, np.float32)}
    assert nn.as_model(bar, like=like, zeros=False)["b"] is None
    whole = nn.as_model(bar, like=like)
    assert whole["n"] == 0 and type(whole["n"]) is int and whole["b"].dtype == np.float32
    layer = nn.Dense(2, 2)
    tied = nn.Chain(layer, layer)
    (g,) = gradient(lambda m: m.layers[0].bias.sum() + 2 * m.layers[1].bias.sum(), tied)
    made = nn.as_model(g, like=tied)
    assert made.layers[0] is made.layers[1] and made.layers[0].bias.tolist() == [3.0, 3.0]
    with pytest.raises(StructureError, match="a gradient of a Chain where the model has a Norm"):
        nn.as_model(g, like=model)  # type: ignore[misc]


def test_tangents_add_subtract_and_scale() -> None:
    g = Tangent(Norm, {"scale": np.array([1.0, 2.0]), "eps": None, "shift": [1.0, (2.0, None), {"a": 3.0}]})
    h = (3 * g - g + -g / 2) * np.float64(2.0)
    np.testing.assert_array_equal(h.scale, [3.0, 6.0])
    assert h.eps is None and h.shift == [3.0, (6.0, None), {"a": 9.0}]
    assert pickle.loads(pickle.dumps(Tangent[Norm](Norm, {"shift": 1.0}))) == Tangent(Norm, {"shift": 1.0})
    for wrong in (lambda: g * "a", lambda: g - 1.0, lambda: 1.0 + g, lambda: g * g):
        with pytest.raises(TypeError, match="unsupported operand|multiply sequence"):
            wrong()


def combined(c: float, model: Any) -> Any:
    (g,) = gradient(lambda m: m.scale**3 * m.shift, model)
    h = 2.0 * g - g * c + (-g) / c
    return h.scale**2 * h.shift


def test_what_is_done_with_tangents_is_differentiated() -> None:
    check_gradient(combined, 1.5, Norm(1.5, 0.1, 0.5))
    g = Tangent(Norm, {"scale": 2.0, "eps": None, "shift": [3.0]})
    (bend,) = gradient(lambda c: gradient(lambda c: (g / c * c**2 - g).scale * (c * g * c).shift[0], c)[0], 1.5)
    assert bend == pytest.approx(2 * 3 * (6 * 1.5 - 2))  # of (2c - 2) 3c²


def doubled(model: Any, c: float) -> Any:
    return loss(nn.tree_map(lambda p: p * 2 * c, model))


def test_maps_are_differentiated_to_any_order() -> None:
    model = nn.Chain(Norm(np.array([1.0, 2.0, 3.0]), 0.1, 0.5), np.tanh)
    check_gradient(doubled, model, 1.3)
    check_gradient(lambda c, m: gradient(doubled, m, c)[1], 1.3, model)


def test_vectors() -> None:
    w = np.array([[1.0, 2.0]])
    model = {"n": 2, "w": w, "again": [w], "z": np.array([1 + 2j]), "half": np.ones(1, np.float32), "c": 2.5}
    vector, unravel = nn.ravel(model)
    assert vector.dtype == np.float64 and vector.tolist() == [1.0, 2.0, 1.0, 2.0, 1.0, 2.5]
    back = unravel(vector + 1)
    assert back["w"] is back["again"][0] and back["w"].tolist() == [[2.0, 3.0]] and back["n"] == 2
    assert back["z"][0] == 2 + 3j and back["half"].dtype == np.float32 and type(back["c"]) is float
    with pytest.raises(StructureError, match=r"a vector of shape \(5,\) for a model of 6 numbers"):
        unravel(vector[:5])
    assert nn.ravel({"n": 1})[0].shape == (0,) and repr(unravel) == "Unravel(dict of 6 numbers)"


def through_a_vector(vector: Any, model: Any) -> Any:
    _, unravel = nn.ravel(model)
    return loss(unravel(vector)) + (nn.ravel(model)[0] ** 3).sum()


def test_vectors_are_differentiated() -> None:
    model = Norm(np.array([1.0, 2.0, 3.0]), 0.1, 0.5)
    check_gradient(through_a_vector, nn.ravel(model)[0] + 0.5, model)


@dataclass
class Line:
    slope: Any
    shift: float = nn.field(default=0.5, static=True)

    def __call__(self, x: Any) -> Any:
        return self.slope * x + self.shift


def squares(model: Any) -> Any:
    return model(np.arange(1.0, 3.0)) ** 2


def of_squares(model: Any) -> Any:
    return squares(model).sum()


def test_no_derivative_is_handed_over_for_a_static_field() -> None:
    model = Line(np.array([1.0, 2.0]))
    x, y = np.arange(1.0, 3.0), model(np.arange(1.0, 3.0))
    along = Tangent(Line, {"slope": np.array([1.0, 0.0])})
    for (found,), slope in (
        (vjp(squares, model)[1](np.ones(2)), 2 * y * x),
        (jacobian(squares, model), np.diag(2 * y * x)),
        (jacobian(squares, model, mode="forward"), np.diag(2 * y * x)),
        (hvp(of_squares, (model,), (along,)), [2.0, 0.0]),
        ((hessian(of_squares, model).slope,), np.diag(2 * x * x)),
    ):
        assert found.shift is None and [*found] == ["slope", "shift"]
        np.testing.assert_allclose(found.slope, slope)
    np.testing.assert_allclose(jvp(squares, (model,), (along,))[1], [2 * y[0], 0.0])
    assert hessian(of_squares, model).shift is None


@dataclass
class Scaled:
    slope: Any
    factors: Any = nn.field(static=True)

    def __call__(self, x: Any) -> Any:
        return self.slope * x * self.factors["both"][0]  # integers and floats in one list: that is recorded


@dataclass(frozen=True, init=False)
class Made:
    scale: Any
    mean: Any = nn.field(static=True)

    def __init__(self, n: int, arrays: Any = None) -> None:
        ones = np.ones(n)
        scale, mean = arrays or (ones, ones.copy())
        object.__setattr__(self, "scale", scale)
        object.__setattr__(self, "mean", mean)


def test_tangents_flow_through_static_fields_of_what_a_program_makes() -> None:
    def mean_of_made(x: Any) -> Any:
        return Made(2, arrays=(x, 3.0 * x)).mean

    def of_several(x: Any) -> Any:
        made = [{"one": (Made(2, arrays=(x, 3.0 * x)),)}]
        return made[0]["one"][0].mean * 2.0

    x, along = np.array([1.0, 2.0]), np.array([1.0, -1.0])
    np.testing.assert_array_equal(jvp(mean_of_made, (x,), (along,))[1], 3.0 * along)
    np.testing.assert_array_equal(jvp(of_several, (x,), (along,))[1], 6.0 * along)
    check_gradient(mean_of_made, x, order=2)


def test_nor_by_recorded_programs() -> None:
    model = Scaled(np.array([1.0, 2.0]), {"both": [3.0, 1]})
    (found,) = gradient(of_squares, model)
    assert found.factors is None
    x = np.arange(1.0, 3.0)
    np.testing.assert_allclose(found.slope, 2 * model(x) * 3.0 * x)
    assert pullback(squares, model)[1](np.ones(2))[1].factors is None
    for mode in ("reverse", "forward"):
        (rows,) = jacobian(squares, model, mode=mode)
        assert rows.factors is None
        np.testing.assert_allclose(rows.slope, np.diag(2 * model(x) * 3.0 * x))


@dataclass
class Shifted(Norm):
    width: float = nn.field(default=2.0, static=True)

    def __call__(self, x: Any) -> Any:
        return super().__call__(x) * self.width  # that is recorded


def test_nor_by_rows_of_what_is_recorded() -> None:
    model = Shifted(np.array([1.0, 2.0, 3.0]))
    (rows,) = jacobian(lambda m: m(X), model, mode="reverse")
    (columns,) = jacobian(lambda m: m(X), model, mode="forward")
    assert rows.eps is None and rows.width is None and columns.width is None
    np.testing.assert_allclose(rows.scale, columns.scale)
    np.testing.assert_allclose(rows.shift, [2.0, 2.0, 2.0])


def test_nor_by_compiled_programs() -> None:
    needed("numba")
    model = Line(np.array([1.0, 2.0]))
    x, y = np.arange(1.0, 3.0), model(np.arange(1.0, 3.0))
    found = grad(of_squares, compile="strict")(model)
    assert found.shift is None
    np.testing.assert_allclose(found.slope, 2 * y * x)
    with pytest.raises(CompileError, match="a Jacobian by a record with static fields"):
        jacobian(squares, model, compile="strict")


def test_gradients_as_models_have_the_vector_of_the_model() -> None:
    model = {"n": 3, "w": 2.0, "k": np.array([1, 2]), "z": [1j, np.float32(1.0)], "norm": Norm(np.ones(2))}
    (g,) = gradient(lambda m: m["n"] * m["w"] * m["k"].sum() * abs(m["z"][0]) * m["norm"].scale.sum(), model)
    made = nn.as_model(g, like=model)
    assert made["n"] == 0 and type(made["n"]) is int and made["k"].dtype == model["k"].dtype and not made["k"].any()
    vector, unravel = nn.ravel(model)
    assert nn.ravel(made)[0].shape == vector.shape
    np.testing.assert_array_equal(nn.ravel(made)[0], unravel.vector(g))
    np.testing.assert_array_equal(unravel.vector(made), unravel.vector(g))
    bare = nn.as_model(g, like=model, zeros=False)
    assert bare["n"] is None and bare["k"] is None and bare["w"] == made["w"]

"""Static fields and buffers of classes that are no dataclasses: listed by name."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
from interop.needed import needed

from adjoint import grad, gradient, hessian, hvp, jacobian, jvp, nn, pullback, vjp
from adjoint.errors import StructureError
from adjoint.optimize import Objective
from adjoint.testing import check_gradient

X = np.array([1.0, -2.0, 0.5])


class Norm:
    _static_ = ("eps",)
    _buffers_ = "mean"

    def __init__(self) -> None:
        self.scale, self.eps, self.mean = np.array([1.0, 2.0, 3.0]), 1e-2, np.ones(3)

    def __call__(self, x: Any) -> Any:
        return (x - self.mean) / np.sqrt((x**2).mean() + self.eps) * self.scale


class Wider(Norm):
    _static_ = ["width"]

    def __init__(self) -> None:
        super().__init__()
        self.width, self.shift = 2.0, 0.5

    def __call__(self, x: Any) -> Any:
        return super().__call__(x) * self.width + self.shift


class Slotted:
    __slots__ = ("slope", "width")
    _static_ = ("width",)

    def __init__(self, slope: Any, width: Any = 3.0) -> None:
        self.slope, self.width = slope, width


def loss(model: Any) -> Any:
    return (model(X) ** 2).sum()


@pytest.mark.parametrize("recorded", [False, True])
def test_nothing_is_handed_over(recorded: bool) -> None:
    def kept(m: Any) -> Any:
        try:
            return loss(m)
        finally:
            pass

    f, model = (kept if recorded else loss), Wider()
    for (g,) in (gradient(f, model), pullback(f, model)[1](1.0)[1:], vjp(f, model)[1](1.0), (grad(f)(model),)):
        assert g.eps is None and g.mean is None and g.width is None
        np.testing.assert_allclose(g.shift, 2 * model(X).sum())
    assert jacobian(lambda m: m(X), model)[0].width is None and hessian(loss, model).width is None
    whole = nn.as_model(gradient(f, model)[0], like=model)
    assert whole.eps == model.eps and whole.width == 2.0 and not whole.mean.any()
    (along,) = gradient(f, model)
    assert jvp(loss, (model,), (along,))[1] > 0 and hvp(loss, (model,), (along,))[0].eps is None
    check_gradient(loss, model)
    gradient(loss, model, check=True)


def test_leaves_and_parameters() -> None:
    model = Wider()
    assert [*nn.named_leaves(model)] == ["scale", "mean", "shift"]
    assert [*nn.state_dict({"m": model})] == ["m.scale", "m.mean", "m.shift"]
    assert nn.ravel(model)[0].shape == (4,) and Objective(loss, like=model).x0.shape == (4,)
    trained, _ = nn.gradient_descent(model, nn.mse, X, 0 * X, steps=5, progress=False)
    assert trained.eps == 1e-2 and trained.width == 2.0 and trained.shift != 0.5
    np.testing.assert_array_equal(trained.mean, model.mean)
    doubled = nn.tree_map(lambda p: 2 * p, [Slotted(2.0)])[0]
    assert (doubled.slope, doubled.width) == (4.0, 3.0)
    (g,) = gradient(lambda m: m.slope * m.width, Slotted(2.0))
    assert g.slope == 3.0 and g.width is None


def test_derivatives_flow_through_those_of_what_a_program_makes() -> None:
    assert gradient(lambda width: Slotted(2.0, width).width * 3.0, 1.5) == (3.0,)
    assert jvp(lambda width: Slotted(2.0, width).width * 3.0, (1.5,), (1.0,))[1] == 3.0
    (bend,) = gradient(lambda c: gradient(lambda m: m.slope**2 * m.width * c, Slotted(2.0))[0].slope, 1.5)
    assert bend == 2 * 2.0 * 3.0


def test_compiled() -> None:
    needed("numba")

    class Line:
        _static_ = ("shift",)

        def __init__(self) -> None:
            self.slope, self.shift = np.array([1.0, 2.0]), 0.5

    found = grad(lambda m: ((m.slope + m.shift) ** 2).sum(), compile=True)(Line())
    assert found.shift is None
    np.testing.assert_allclose(found.slope, [3.0, 5.0])


def test_a_dataclass_may_list_what_is_no_field() -> None:
    @dataclass
    class Line:
        slope: float
        width: float = nn.field(default=2.0, static=True)
        _static_ = ("kept",)

        def __post_init__(self) -> None:
            self.kept = 3.0

    model = Line(2.0)
    assert [*nn.named_leaves(model)] == ["slope"]
    (g,) = gradient(lambda m: m.slope * m.width * m.kept, model)
    assert (g.slope, g.width, g.kept) == (6.0, None, None)


class Pair(NamedTuple):
    slope: float
    eps: float


REFUSED = [
    (lambda: {"slope": 1.0, "eps": 2.0}, (dict,), {"_static_": ("eps",)}, "is a dict, and marks what is static"),
    (lambda: [1.0, 2.0], (list,), {"_buffers_": ("eps",)}, "is a list, and marks what is static or a buffer"),
    (lambda: (1.0, 2.0), (Pair,), {"_static_": ("eps",)}, "is a tuple, and marks what is static"),
    (lambda: [1.0, 2.0], (deque,), {"_static_": ("eps",)}, "is a deque, and marks what is static"),
    (None, (), {"_static_": {"eps": True}}, "has an `_static_` that is no tuple of names: {'eps': True}"),
    (None, (), {"_static_": (name for name in ["eps"])}, "has an `_static_` that is no tuple of names: <generator"),
    (None, (), {"_buffers_": ("eps", 3)}, r"has an `_buffers_` that is no tuple of names: \('eps', 3\)"),
    (None, (), {"_static_": None}, "has an `_static_` that is no tuple of names: None"),
    (None, (), {"_static_": "eps", "_buffers_": ["eps"]}, "has `eps` as a static field and as a buffer"),
]


@pytest.mark.parametrize(("items", "bases", "lists", "said"), REFUSED, ids=[case[3][:30] for case in REFUSED])
def test_lists_that_say_nothing_are_refused_by_leaves_and_by_gradients(
    items: Any, bases: Any, lists: Any, said: str
) -> None:
    def initialise(self: Any) -> None:
        self.slope, self.eps = 1.0, 1e-5

    cls: Any = type("Marked", bases, dict(lists) if bases else {"__init__": initialise, **lists})
    model = cls() if items is None else cls(*items()) if Pair in bases else cls(items())
    for ask in (nn.named_leaves, lambda m: gradient(lambda m: 2.0, m), lambda m: gradient(lambda m: 2.0, [m])):
        with pytest.raises(StructureError, match=f"the class `Marked` {said}"):
            ask(model)


def test_numbers_in_a_class_that_marks_nothing_are_leaves() -> None:
    class Wide(Pair):
        pass

    assert nn.named_leaves(Wide(1.0, 2.0)) == {"slope": 1.0, "eps": 2.0}
    assert gradient(lambda p: p.slope * p.eps, Wide(1.0, 2.0)) == (Wide(2.0, 1.0),)


@pytest.mark.parametrize("attribute", ["_static_", "_buffers_"])
def test_names_of_nothing_are_refused(attribute: str) -> None:
    class Line:
        def __init__(self) -> None:
            self.slope, self.eps = 1.0, 1e-5

    setattr(Line, attribute, ("esp",))
    with pytest.raises(
        StructureError, match=f"(?s)`{attribute}` of Line names `esp`, which this Line has not.*near is `eps`"
    ):
        nn.named_leaves([Line()])
    assert gradient(lambda m: m.slope**2 * m.eps, Line())[0].slope == 2e-5

"""Objects that a function finds by a global name, captures, or is given in a list: their methods and fields are known,
under guards that ask what they rely on."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp, pullback
from adjoint.batching.mapped import Mapped
from adjoint.inspect import code_adjoint


class Linear:
    def __init__(self, k: Any, bias: Any = 0.5) -> None:
        self.k, self.bias = k, bias

    def apply(self, x: Any) -> Any:
        return self.k * x + self.bias

    def __call__(self, x: Any) -> Any:
        return self.apply(x)

    @property
    def doubled(self) -> Any:
        return 2.0 * self.k


class Squared(Linear):
    def apply(self, x: Any) -> Any:
        return self.k * x * x


class Net:
    def __init__(self, layers: list[Any]) -> None:
        self.layers = layers

    def __call__(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer.apply(x)
        return x


class Open:
    def __init__(self, k: float) -> None:
        self.k = k

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda x: self.k * x


MODEL: Any = Linear(2.0)
LAYERS: list[Any] = [Linear(1.5), Squared(0.5), Linear(-2.0)]
NET: Any = Net(LAYERS)
TABLE: Any = {"a": Linear(0.75), "b": Squared(1.25)}
PAIR: Any = (Linear(0.25), Squared(1.25))
OTHER: Any = Squared(0.5)
OPEN: Any = Open(2.0)


def by_method(x: float) -> Any:
    return MODEL.apply(x) * MODEL.doubled + MODEL(x)


def in_a_loop(x: float) -> Any:
    total = 0.0
    for i in range(4):
        total = total + MODEL.apply(x) * i
    return total


def by_list(x: float) -> Any:
    for layer in LAYERS:
        x = layer.apply(x)
    return x


def by_place(x: float) -> Any:
    return LAYERS[0].apply(x) * NET.layers[-1].apply(x) + PAIR[1].apply(x) + sum(layer.apply(x) for layer in PAIR)


def by_key(x: float) -> Any:
    return TABLE["a"].apply(x) * TABLE["b"].doubled


def by_net(x: float) -> Any:
    return NET(x)


def by_getattr(x: float) -> Any:
    return OPEN.anything(x) * x


def handed(x: float) -> Any:
    def through(model: Any, v: Any) -> Any:
        return model.apply(v) * v

    return through(MODEL, x) + through(OTHER, x)


def slope(f: Callable[..., Any], x: float, h: float = 1e-6) -> float:
    return float((f(x + h) - f(x - h)) / (2 * h))


def check(f: Callable[..., Any], x: float = 0.7) -> None:
    for _ in range(2):
        assert gradient(f, x)[0] == pytest.approx(slope(f, x), rel=1e-7)
        assert pullback(f, x)[0] == f(x)
    assert jvp(f, (x,), (2.0,))[1] == pytest.approx(2.0 * slope(f, x), rel=1e-7)


PROGRAMS = (by_method, in_a_loop, by_list, by_net, by_getattr, by_place, by_key, handed)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_against_differences(f: Callable[[float], Any]) -> None:
    check(f)


@pytest.mark.parametrize("f", [by_method, in_a_loop, by_list, by_net, by_place, by_key], ids=lambda f: f.__name__)
def test_nothing_is_found_as_it_runs(f: Callable[[float], Any]) -> None:
    assert "pullback_wrt_" not in code_adjoint(f, 0.7)


HERE = globals()
CHANGES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "another_object": lambda patch: patch.setitem(HERE, "MODEL", Linear(3.0)),
    "another_class": lambda patch: patch.setitem(HERE, "MODEL", Squared(3.0)),
    "another_value": lambda patch: patch.setattr(MODEL, "k", 5.0),
    "an_integer": lambda patch: patch.setattr(MODEL, "k", 5),
    "an_array": lambda patch: patch.setattr(MODEL, "bias", np.array(1.5)),
    "a_hidden_method": lambda patch: patch.setattr(MODEL, "apply", lambda x: 7.0 * x, raising=False),
    "another_method": lambda patch: patch.setattr(Linear, "apply", lambda self, x: self.k * x**3),
    "another_property": lambda patch: patch.setattr(Linear, "doubled", property(lambda self: 3.0 * self.k)),
    "more_layers": lambda patch: patch.setitem(HERE, "LAYERS", [*LAYERS, Linear(4.0)]),
    "fewer_layers": lambda patch: patch.setitem(HERE, "LAYERS", LAYERS[:1]),
    "no_layers": lambda patch: patch.setattr(NET, "layers", [LAYERS[0]]),
    "another_entry": lambda patch: patch.setitem(TABLE, "a", Squared(2.0)),
    "another_table": lambda patch: patch.setitem(HERE, "TABLE", {"b": LAYERS[0], "a": LAYERS[1], "c": 1.0}),
    "another_pair": lambda patch: patch.setitem(HERE, "PAIR", PAIR[::-1]),
    "a_longer_pair": lambda patch: patch.setitem(HERE, "PAIR", (*PAIR, Linear(3.0))),
    "layers_in_a_tuple": lambda patch: patch.setitem(HERE, "LAYERS", tuple(LAYERS)),
    "another_layer": lambda patch: patch.setitem(HERE, "LAYERS", [LAYERS[1], LAYERS[0], Net([Linear(1.0)])][:2]),
    "a_net_with_more": lambda patch: patch.setattr(NET, "layers", [*LAYERS, *LAYERS]),
    "a_field_of_a_layer": lambda patch: patch.setattr(LAYERS[0], "k", 3),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_between_calls_is_seen(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for f in PROGRAMS:
        check(f)
    CHANGES[change](monkeypatch)
    for f in PROGRAMS:
        check(f)
    monkeypatch.undo()
    for f in PROGRAMS:
        check(f)


def test_a_layer_that_is_replaced_is_seen() -> None:
    kept = LAYERS[1]
    for layer in (kept, Linear(0.1), Squared(2), kept):
        LAYERS[1] = layer
        for f in (by_list, by_net):
            check(f)


def grow() -> None:
    LAYERS.append(Linear(0.25))


def shrink() -> None:
    LAYERS.pop()


def turn() -> None:
    MODEL.k = 4 if MODEL.k != 4 else 2.0


def grown_within(x: float) -> Any:
    grow()
    for layer in LAYERS:
        x = layer.apply(x)
    shrink()
    return x


def turned_within(x: float) -> Any:
    y = MODEL.apply(x)
    turn()
    y = y * MODEL.apply(x)
    turn()
    return y


def replaced_within(x: float) -> Any:
    y = 0.0
    for i, layer in enumerate(LAYERS):
        y += layer.apply(x)
        if i == 0:
            LAYERS[2] = LAYERS[0]
    LAYERS[2] = Linear(-2.0)
    return y


@pytest.mark.parametrize("f", [grown_within, turned_within, replaced_within], ids=lambda f: f.__name__)
def test_what_changes_within_a_call_is_seen(f: Callable[[float], Any]) -> None:
    x = 0.7
    expected = slope(f, x)
    for _ in range(3):
        assert gradient(f, x)[0] == pytest.approx(expected, rel=1e-7)
    assert len(LAYERS) == 3
    assert MODEL.k == 2.0


def made(model: Any, layers: list[Any]) -> Callable[[float], Any]:
    def loss(x: float) -> Any:
        total = model.apply(x)
        for layer in layers:
            total = total * layer.apply(x)
        return total

    return loss


def test_captured_objects_have_cotangents() -> None:
    loss = made(Linear(2.0, 1.0), [Linear(0.5, 0.25), Squared(3.0)])
    check(loss)
    y, back = pullback(loss, 0.7)
    f_bar, x_bar = back(1.0)
    assert x_bar == pytest.approx(slope(loss, 0.7), rel=1e-7)
    h, found = 1e-6, f_bar["model"]["k"] if isinstance(f_bar, dict) else f_bar.model.k
    up, down = (made(Linear(2.0 + d, 1.0), [Linear(0.5, 0.25), Squared(3.0)])(0.7) for d in (h, -h))
    assert found == pytest.approx((up - down) / (2 * h), rel=1e-6)
    for other in (made(Squared(2.0), [Linear(0.5)]), made(Linear(2, np.float64(1.0)), []), loss):
        check(other)


def through_layers(layers: list[Any], x: float) -> Any:
    for layer in layers:
        x = layer.apply(x)
    return math.sin(x)


def test_objects_in_lists_have_cotangents() -> None:
    def of(ks: Any, x: float) -> Any:
        return through_layers([Linear(ks[0], ks[1]), Squared(ks[2]), Linear(ks[3], 1.0)], x)

    at = [1.5, 0.25, 0.5, 2.0]
    layers = [Linear(1.5, 0.25), Squared(0.5), Linear(2.0, 1.0)]
    shared = [layers[0], layers[1], layers[0]]
    for _ in range(2):
        expected = gradient(of, at, 0.7)
        bars, x_bar = gradient(through_layers, layers, 0.7)
        assert x_bar == pytest.approx(expected[1], rel=1e-12)
        assert [bars[0].k, bars[0].bias, bars[1].k, bars[2].k] == pytest.approx(expected[0], rel=1e-12)
        assert gradient(through_layers, layers[:2], 0.7)[1] == pytest.approx(
            slope(lambda x: through_layers(layers[:2], x), 0.7), rel=1e-7
        )
        assert gradient(lambda x: through_layers(shared, x), 0.7)[0] == pytest.approx(
            slope(lambda x: through_layers(shared, x), 0.7), rel=1e-7
        )


class Reduction:
    def __init__(self, f: Any, **options: Any) -> None:
        self.f, self.options = f, options


REDUCTION = Reduction(np.sum, axis=0)


def reduced(a: Any) -> Any:
    return np.sum(REDUCTION.f(a, **REDUCTION.options) ** 2)


def test_options_that_a_global_object_holds_are_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    a = np.arange(6.0).reshape(2, 3)
    for options in ({"axis": 0}, {"axis": 1}, {"keepdims": True, "axis": 1}, {}, {"axis": 0}):
        monkeypatch.setattr(REDUCTION, "options", options)
        for axis in (options.get("axis"), 1):
            total = np.sum(a, axis=axis, keepdims=True)  # type: ignore[arg-type]
            assert gradient(reduced, a)[0] == pytest.approx(2 * np.broadcast_to(total, a.shape))
            REDUCTION.options["axis"] = 1
    monkeypatch.setattr(REDUCTION, "options", {"axes": 0})
    with pytest.raises(TypeError, match="axes"):
        gradient(reduced, a)


def test_options_that_a_global_object_holds_run_for_all_lanes_together() -> None:
    a = np.arange(24.0).reshape(4, 2, 3)
    y = Mapped(lambda a: REDUCTION.f(a, **REDUCTION.options), (0,), 0, None, False).together([a], {}, [0], 4)
    assert np.array_equal(y, a.sum(axis=1))

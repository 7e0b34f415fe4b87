"""What `gradient` differentiates of a model and what its leaves are is the same; whatever the model is made of."""

from __future__ import annotations

import functools
import time
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque, namedtuple
from collections.abc import Callable
from dataclasses import dataclass, field
from types import MappingProxyType, MethodType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from interop.needed import needed

from adjoint import Tangent, gradient, jvp, nn
from adjoint.errors import StructureError

Pair = namedtuple("Pair", "left right")


@dataclass
class Line:
    slope: Any
    shift: Any = 0.5
    width: float = nn.field(default=3.0, static=True)

    def __call__(self, x: Any) -> Any:
        return self.slope * x + self.shift

    def twice(self, x: Any) -> Any:
        return 2.0 * self.slope * x


@dataclass
class Late:
    slope: float
    kept: float = field(init=False, default=2.0)
    """Of the class, and not of its objects."""


@dataclass(slots=True, frozen=True)
class Slotted:
    slope: float
    name: str = "a"


class Plain:
    def __init__(self) -> None:
        self.slope, self._hidden, self.name = 2.0, [3.0, {"a": 4.0}], "a"


class Secret:
    __slots__ = ("__dict__", "__slope", "unset")

    def __init__(self) -> None:
        self.__slope, self.shift = 2.0, 1.0

    def total(self) -> Any:
        return self.__slope**2 * self.shift


class Guarded:
    """Stores past a `__setattr__` of its own, under the name of a property."""

    def __init__(self) -> None:
        self.__dict__["slope"] = 2.0

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("cannot set")

    @property
    def slope(self) -> float:
        return self.__dict__["slope"]


class Items(list):
    pass


class Two(tuple):
    def __new__(cls, a: float, b: float) -> Any:
        return tuple.__new__(cls, (a, b))


class Space(SimpleNamespace):
    pass


class Queue(deque):
    pass


class Applied(functools.partial):
    pass


def scaled(a: Any, x: Any, b: Any = 1.0) -> Any:
    return a * x * b + a


def extended() -> Line:
    line = Line(2.0)
    line.extra = [3.0]  # type: ignore[attr-defined]
    return line


def bound_in_record() -> SimpleNamespace:
    line = Line(2.0)
    return SimpleNamespace(forward=line.__call__, twice=line.twice, line=line)


MODELS: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "a number": (lambda: 2.0, lambda m: m**2),
    "an array": (lambda: np.array([1.0, 2.0]), lambda m: (m**2).sum()),
    "a list": (lambda: [2.0, [3.0]], lambda m: m[0] * m[1][0]),
    "a list of a class": (lambda: Items([2.0]), lambda m: m[0] ** 2),
    "a tuple": (lambda: (2.0, (3.0, "a")), lambda m: m[0] * m[1][0]),
    "a tuple with a `__new__`": (lambda: Two(2.0, 3.0), lambda m: m[0] * m[1]),
    "a named tuple": (lambda: Pair(2.0, [3.0]), lambda m: m.left * m.right[0]),
    "a dict": (lambda: {"a": 2.0, 3: (4.0,)}, lambda m: m["a"] * m[3][0]),
    "an ordered dict": (lambda: OrderedDict(a=2.0), lambda m: m["a"] ** 2),
    "a dict with defaults": (lambda: defaultdict(float, a=2.0), lambda m: m["a"] ** 2),
    "a counter": (lambda: Counter(a=2.0), lambda m: m["a"] ** 2),
    "a UserDict": (lambda: UserDict(a=2.0), lambda m: m["a"] ** 2),
    "a UserList": (lambda: UserList([2.0]), lambda m: m[0] ** 2),
    "a ChainMap": (lambda: ChainMap({"a": 2.0}, {"b": 3.0}), lambda m: m["a"] * m["b"]),
    "a deque": (lambda: deque([2.0, [3.0]], maxlen=4), lambda m: m[0] * m[1][0]),
    "a deque of a class": (lambda: Queue([2.0, 3.0], maxlen=2), lambda m: m[0] * m[1]),
    "a namespace": (lambda: SimpleNamespace(a=2.0, b=[3.0], name="a"), lambda m: m.a * m.b[0]),
    "a namespace of a class": (lambda: Space(a=2.0), lambda m: m.a**2),
    "a dataclass": (lambda: Line(2.0), lambda m: m(3.0) ** 2),
    "a dataclass with more": (extended, lambda m: m(3.0) * m.extra[0]),
    "a dataclass with a field of the class": (lambda: Late(2.0), lambda m: m.slope * m.kept),
    "a frozen dataclass with slots": (lambda: Slotted(2.0), lambda m: m.slope**2),
    "a plain object": (Plain, lambda m: m.slope * m._hidden[0] * m._hidden[1]["a"]),
    "private slots": (Secret, lambda m: m.total()),
    "an object that guards its fields": (Guarded, lambda m: m.slope**2),
    "a partial": (lambda: functools.partial(scaled, 2.0, b=3.0), lambda m: m(4.0)),
    "a partial of a class": (lambda: Applied(scaled, 2.0, b=3.0), lambda m: m(4.0)),
    "a partial of a method": (lambda: functools.partial(Line(2.0).twice, 3.0), lambda m: m() ** 2),
    "a partial of an object": (lambda: functools.partial(Line(2.0), 3.0), lambda m: m() ** 2),
    "a method": (lambda: Line(2.0).twice, lambda m: m(3.0) ** 2),
    "methods in a record": (bound_in_record, lambda m: m.forward(2.0) * m.twice(3.0) * m.line(1.0)),
    "layers": (lambda: nn.Chain(nn.Dense(1, 2), nn.tanh, nn.Dense(2, 1)), lambda m: (m(np.ones((2, 1))) ** 2).sum()),
    "texts and flags": (lambda: [True, "a", None, len, b"a", np.array(["a"]), 2.0], lambda m: m[-1] ** 2),
}


def moving(model: Any) -> dict[str, Any]:
    """The leaves that can be moved."""
    return {path: leaf for path, leaf in nn.named_leaves(model).items() if np.asarray(leaf).dtype.kind in "fc"}


def numbers_in(d: Any) -> list[float]:
    """The numbers of a gradient, whatever it is made of, in order; but zeros."""
    if d is None:
        return []
    if isinstance(d, Tangent):
        d = [d[key] for key in d]
    elif isinstance(d, dict):
        d = [*d.values()]
    if isinstance(d, (list, tuple)):
        return [x for item in d for x in numbers_in(item)]
    return [float(x) for x in np.ravel(d) if x != 0.0]


@pytest.mark.parametrize("kind", MODELS)
def test_gradients_and_leaves_are_of_the_same(kind: str) -> None:
    make, f = MODELS[kind]
    model = make()
    (g,) = gradient(f, model)
    found = nn.named_leaves(nn.as_model(g, like=model))
    assert [*found] == [*nn.named_leaves(model)]
    by_paths = sum([float(np.sum(leaf)) for leaf in found.values()])
    assert by_paths == pytest.approx(sum(numbers_in(g))), "no part of the gradient is at no leaf"
    assert numbers_in(g), "something is differentiated"
    h = 1e-6
    for path, leaf in moving(model).items():

        def moved(by: float, path: str = path) -> Any:
            return nn.tree_map_with_path(lambda here, p: p + by if here == path else p, model)

        slope = (f(moved(h)) - f(moved(-h))) / (2 * h)
        assert np.sum(found[path]) == pytest.approx(slope, rel=1e-5, abs=1e-8), (path, leaf)


@pytest.mark.parametrize("kind", MODELS)
def test_what_is_made_is_of_the_same_classes(kind: str) -> None:
    make, f = MODELS[kind]
    model = make()
    before = f(model)
    again = nn.tree_map(lambda p: 2 * p / 2, model)
    assert type(again) is type(model) and f(again) == pytest.approx(before)
    doubled = nn.tree_map(lambda p: 2 * p, model)
    assert f(model) == pytest.approx(before), "the model itself is not changed"
    for (path, leaf), (new_path, new) in zip(
        nn.named_leaves(model).items(), nn.named_leaves(doubled).items(), strict=True
    ):
        assert path == new_path
        np.testing.assert_array_equal(new, 2 * np.asarray(leaf))
    vector, unravel = nn.ravel(model)
    assert f(unravel(vector)) == pytest.approx(before)
    assert f(nn.load_state_dict(doubled, nn.state_dict(model))) == pytest.approx(before)


REFUSED = ["a counter"]
"""What a program may not make: its class has a `__missing__` of its own, and this is said."""


@pytest.mark.parametrize("kind", [kind for kind in MODELS if kind not in REFUSED])
def test_maps_and_vectors_are_differentiated(kind: str) -> None:
    make, f = MODELS[kind]
    model = make()
    vector, unravel = nn.ravel(model)
    (g,) = gradient(lambda v: f(unravel(v)), vector)
    np.testing.assert_allclose(g, unravel.vector(gradient(f, model)[0]), rtol=1e-12)

    def scaled_by(c: Any) -> Any:
        return f(nn.tree_map(lambda p: p * c, model))

    c, h = 1.2, 1e-5
    slope = (scaled_by(c + h) - scaled_by(c - h)) / (2 * h)
    assert gradient(scaled_by, c)[0] == pytest.approx(slope, rel=1e-7)
    assert jvp(scaled_by, (c,), (1.0,))[1] == pytest.approx(slope, rel=1e-7)
    bend = (gradient(scaled_by, c + h)[0] - gradient(scaled_by, c - h)[0]) / (2 * h)
    assert gradient(lambda c: gradient(scaled_by, c)[0], c)[0] == pytest.approx(bend, rel=1e-6, abs=1e-8)


def test_paths() -> None:
    line = Line(2.0)
    model = SimpleNamespace(
        queue=deque([1.0], maxlen=3),
        act=functools.partial(scaled, 2.0, b=3.0),
        method=line.twice,
        line=line,
    )
    assert [*nn.named_leaves(model)] == [
        "queue.0",
        "act.args.0",
        "act.keywords.b",
        "method.__self__.slope",
        "method.__self__.shift",
    ]
    new = nn.tree_map(lambda p: 2 * p, model)
    assert new.method.__self__ is new.line and type(new.method) is MethodType and new.method(1.0) == 8.0
    assert new.queue == deque([2.0]) and new.queue.maxlen == 3
    assert new.act.func is scaled and new.act.args == (4.0,) and new.act.keywords == {"b": 6.0}
    assert model.act.args == (2.0,) and model.line.slope == 2.0
    assert nn.tree_map(lambda p: p + 0, time.localtime(0)) == time.localtime(0)


def test_containers_keep_their_own_fields() -> None:
    items, queue, partial = Items([1.0]), Queue([1.0]), functools.partial(scaled, 1.0)
    items.unit = queue.unit = partial.unit = "m"  # type: ignore[attr-defined]
    for new in nn.tree_map(lambda p: 2 * p, (items, queue, partial)):
        assert new.unit == "m"


def test_private_slots_have_zeros_too() -> None:
    (g,) = gradient(lambda m: m.shift**2, Secret())
    assert g["_Secret__slope"] == 0.0 and g.shift == 2.0


def test_of_two_models_deques_and_partials_are_gone_through_together() -> None:
    one = [deque([1.0]), functools.partial(scaled, 2.0), SimpleNamespace(a=3.0)]
    two = [deque([10.0]), functools.partial(scaled, 20.0), SimpleNamespace(a=30.0)]
    total = nn.tree_map(lambda p, q: p + q, one, two)
    assert total[0] == deque([11.0]) and total[1].args == (22.0,) and total[2].a == 33.0
    with pytest.raises(StructureError, match="a tuple where the model has a deque at 0"):
        nn.tree_map(lambda p, q: p, one, [(1.0,), two[1], two[2]])
    with pytest.raises(StructureError, match="2 items where the model has 1 at 1.args"):
        nn.tree_map(lambda p, q: p, one, [two[0], functools.partial(scaled, 1.0, 2.0), two[2]])


@pytest.mark.parametrize("model", [{1.0, 2.0}, frozenset([1.0]), MappingProxyType({"a": {"b": np.ones(2)}})])
def test_what_has_no_places_for_numbers_is_refused(model: Any) -> None:
    name = type(model).__name__
    for act in (nn.tree_leaves, nn.named_leaves, nn.ravel, nn.state_dict, lambda m: nn.tree_map(lambda p: p, m)):
        with pytest.raises(StructureError, match=rf"(?s)a {name} of the model holds parameters at `a\.0`.*a list, a"):
            act({"a": [model]})
    with pytest.raises(StructureError, match="holds parameters\n"):
        nn.tree_leaves(model)


def test_sets_of_texts_and_of_labels_stay_what_they_are() -> None:
    model = {"names": {"a", "b"}, "axes": frozenset([0, 1]), "options": MappingProxyType({"n": 1}), "w": 2.0}
    assert [*nn.named_leaves(model)] == ["w"] and nn.tree_map(lambda p: -p, model)["axes"] is model["axes"]


class Cached:
    def __init__(self) -> None:
        self.w = 3.0

    @functools.cached_property
    def square(self) -> float:
        return self.w**2


def test_a_gradient_by_what_a_record_has_kept_is_not_lost() -> None:
    model = Cached()
    assert nn.as_model(gradient(lambda m: m.square, model)[0], like=model).w == 6.0
    assert model.square == 9.0
    (g,) = gradient(lambda m: m.w * 2.0, model)
    assert nn.as_model(g, like=model).w == 2.0
    (g,) = gradient(lambda m: m.square, model)
    with pytest.raises(StructureError, match="a gradient by `square`, which is no part of the model"):
        nn.as_model(g, like=model)


def test_what_cannot_be_copied_is_refused() -> None:
    class Single:
        def __init__(self) -> None:
            self.w = 1.0

        def __copy__(self) -> Any:
            return self

    with pytest.raises(StructureError, match="a Single holds numbers and cannot be copied"):
        nn.tree_map(lambda p: 2 * p, [Single()])


class Doubled:
    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b


class ByCopy(Doubled):
    def __copy__(self) -> Any:
        return ByCopy(2 * self.a, self.b)


class ByState(Doubled):
    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state | {"a": 2 * state["a"]})


class Losing(Doubled):
    def __getstate__(self) -> Any:
        return {"b": self.b}


class Keyed(dict[str, Any]):
    def __copy__(self) -> Any:
        return Keyed({key: 2 * value for key, value in self.items()})

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, 3 * value)


@pytest.mark.parametrize("cls", [Doubled, ByCopy, ByState, Losing, lambda a, b: Keyed(a=a, b=b)])
def test_what_a_class_makes_of_copies_is_no_part_of_maps(cls: Any) -> None:
    def mapped(a: Any, b: Any) -> Any:
        new = nn.tree_map_with_path(lambda path, p: p + 1 if path == "b" else p, cls(a, b))
        found = new if isinstance(new, dict) else vars(new)
        return found["a"] ** 2 + found["b"] ** 3

    assert mapped(3.0, 1.0) == 9.0 + 8.0
    assert gradient(mapped, 3.0, 1.0) == (6.0, 12.0)


def test_copies_that_are_something_else_are_refused() -> None:
    class Growing(Doubled):
        def __copy__(self) -> Any:
            new = Growing(self.a, self.b)
            new.more = 2 * self.a  # type: ignore[attr-defined]
            return new

    class Other(Doubled):
        def __copy__(self) -> Any:
            return Doubled(self.a, self.b)

    with pytest.raises(StructureError, match="a Growing holds numbers and is copied into one with other fields"):
        nn.tree_map(lambda p: 2 * p, [Growing(1.0, 2.0)])
    with pytest.raises(StructureError, match="a Other holds numbers and is copied into a Doubled"):
        nn.tree_map(lambda p: 2 * p, [Other(1.0, 2.0)])


def test_sparse_matrices_have_their_numbers_and_no_others() -> None:
    sparse = needed("scipy.sparse")
    model = {"a": sparse.csr_array(np.array([[1.0, 0.0], [0.0, 2.0]]))}
    assert [*nn.named_leaves(model)] == ["a.data"]
    assert nn.tree_map(lambda p: 2 * p, model)["a"].toarray().tolist() == [[2.0, 0.0], [0.0, 4.0]]

"""Multiple dispatch: which rule takes the arguments of a call. plum, where it is installed, chooses the same."""

from __future__ import annotations

import functools
import operator
import subprocess
import sys
import warnings
from collections.abc import Callable, Hashable, Sequence
from typing import Annotated, Any, Literal, Never, NewType, Protocol, SupportsFloat, TypeVar, runtime_checkable

import numpy as np
import pytest

from adjoint import gradient, rule
from adjoint.errors import RuleError
from adjoint.nn import relu
from adjoint.rules import scalar_rule
from adjoint.rules.registry import RULES
from adjoint.rules.selection import Accepted, classes_of, narrowest


def takes(*types: Any, varargs: Any = None, required: int | None = None) -> Accepted:
    star = None if varargs is None else classes_of(varargs)
    return Accepted(tuple(map(classes_of, types)), star, len(types) if required is None else required)


def by_plum(accepted: Sequence[Accepted], types: tuple[type, ...]) -> int | None:
    """What plum chooses."""
    plum = pytest.importorskip("plum")
    dispatch = plum.Function(lambda *args: None)
    for i, a in enumerate(accepted):
        hints = [functools.reduce(operator.or_, classes) for classes in a.types]
        star = {} if a.varargs is None else {"varargs": functools.reduce(operator.or_, a.varargs)}
        signatures = [plum.Signature(*hints[:n]) for n in range(a.required, len(hints))]
        dispatch.dispatch_multi(*signatures, plum.Signature(*hints, **star))(numbered(i))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a method that is defined again
            return dispatch.resolve_method(plum.Signature(*types))[0].number
    except LookupError:
        return None


def numbered(i: int) -> Any:
    def carrier(*args: Any) -> Any: ...

    carrier.number = i  # type: ignore[attr-defined]
    carrier.__annotations__ = {}
    return carrier


LISTS = list[float] | None
CASES = [
    ([], (float,), None),
    ([takes(float)], (float,), 0),
    ([takes(float)], (str,), None),
    ([takes(float)], (float, float), None),
    ([takes(float, float, required=1)], (float,), 0),
    ([takes(varargs=object)], (float, str), 0),
    ([takes(float, varargs=int)], (float, int, int), 0),
    ([takes(float, varargs=int)], (float, int, str), None),
    ([takes(object), takes(int | float)], (float,), 1),
    ([takes(int | float), takes(object)], (bool,), 0),
    ([takes(int | float), takes(int | float)], (int,), 1),
    ([takes(float, object), takes(object, float)], (float, float), None),
    ([takes(float, object), takes(object, float), takes(float, float)], (float, float), 2),
    ([takes(float, float), takes(varargs=float)], (float, float), 0),
    ([takes(varargs=object), takes(object, varargs=int)], (float,), 1),
    ([takes(object, varargs=int), takes(object, varargs=object)], (float,), 0),
    ([takes(object, varargs=int), takes(object, varargs=float)], (float,), None),
    ([takes(float, varargs=object), takes(int | float, object, required=1)], (float,), 0),
    ([takes(float, varargs=object), takes(int | float, object, required=1)], (float, str), 0),
    ([takes(int | float, object, required=1), takes(float, varargs=object)], (float, str), 1),
    ([takes(LISTS), takes(object)], (list,), 0),
    ([takes(Callable[..., Any] | None), takes(object)], (type(len),), 0),
    ([takes(np.ndarray | list, np.ndarray | list), takes(np.ndarray, np.ndarray)], (np.ndarray, np.ndarray), 1),
]


@pytest.mark.parametrize(("accepted", "types", "expected"), CASES)
def test_the_narrowest(accepted: list[Accepted], types: tuple[type, ...], expected: int | None) -> None:
    assert narrowest(accepted, types) == expected


@pytest.mark.parametrize(("accepted", "types", "expected"), CASES)
def test_classes_and_plum_agree(accepted: list[Accepted], types: tuple[type, ...], expected: int | None) -> None:
    assert by_plum(accepted, types) == expected


def test_our_own_rules_are_chosen_as_plum_would() -> None:
    kinds = (float, int, np.float64, np.ndarray, list, tuple, str)
    for rules in list(RULES.values())[::7]:
        if len(rules.methods) < 2 or any(not method.call.__module__.startswith("adjoint.") for method in rules.methods):
            continue
        accepted = [a() for _, a in rules._methods]
        for types in [*((a,) for a in kinds), *((a, b) for a in kinds for b in kinds[::2])]:
            assert narrowest(accepted, types) == by_plum(accepted, types), (rules.name, types)


Number = TypeVar("Number", bound=float)
Key = TypeVar("Key", int, str)
Free = TypeVar("Free")
Metres = NewType("Metres", float)


class Weighted(Protocol):
    w: float


class Untold(Protocol):
    def weigh(self) -> float: ...


@runtime_checkable
class Weighing(Protocol):
    def weigh(self) -> float: ...


@pytest.mark.parametrize(
    ("hint", "classes"),
    [
        (Any, (object,)),
        (None, (type(None),)),
        (int | list[float] | None, (int, list, type(None))),
        (Number, (float,)),
        (Key, (int, str)),
        (Free, (object,)),
        (Metres, (float,)),
        (Annotated[float, {"unit": "m"}], (float,)),
        (Annotated[int | None, 3], (int, type(None))),
        (type[float], (type,)),
        (Hashable, (Hashable,)),
        (SupportsFloat, (SupportsFloat,)),
        (Weighing, (Weighing,)),
    ],
)
def test_classes_of_an_annotation(hint: Any, classes: tuple[type, ...]) -> None:
    assert classes_of(hint) == classes

    def doubled(x: Any) -> Any:
        return x * 2

    def doubled_rule(x):  # type: ignore[no-untyped-def]
        return 5.0, lambda y_bar: (y_bar * 7.0,)

    doubled_rule.__annotations__ = {"x": hint}
    rule(doubled)(doubled_rule)
    assert gradient(doubled, 2.0) == (7.0 if issubclass(float, classes) else 2.0,)


@pytest.mark.parametrize(
    "hint", [Literal[1], "float", Literal[1] | int, Never, 3, (int, float), Weighted, Untold, list[int] | Weighted]
)
def test_what_is_not_of_classes_alone(hint: Any) -> None:
    with pytest.raises(TypeError):
        classes_of(hint)


@pytest.mark.parametrize("hint", [Literal[1], Weighted, "Literal[1]", "int | Literal[1.5]", 3])
def test_a_rule_for_what_is_no_class_is_refused(hint: Any) -> None:
    def doubled(x: Any) -> Any:
        return x * 2

    def doubled_rule(x):  # type: ignore[no-untyped-def]
        return 5.0, lambda y_bar: (y_bar * 7.0,)

    doubled_rule.__annotations__ = {"x": hint}
    rule(doubled)(doubled_rule)
    with pytest.raises(RuleError, match="the annotation of `x` in the rule `doubled_rule` is not of classes") as caught:
        gradient(doubled, 2.0)
    assert "why: a rule is chosen by the classes of the arguments" in str(caught.value)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="there is no `type` statement")
def test_an_alias_stands_for_what_it_names() -> None:
    scope: dict[str, Any] = {}
    exec("type Number = int | float\ntype Row[T] = list[T]", scope)
    assert classes_of(scope["Number"]) == (int, float)
    assert classes_of(scope["Row"][int] | None) == (list, type(None))


def test_a_first_gradient_loads_nothing_more() -> None:
    program = """
import sys, numpy as np, adjoint
def f(x, w, n):
    h = np.tanh(x @ w) / n
    for i in range(n):
        h = h * 2 + abs(h) ** 2 - max(1.0, n / 2)
    return np.sum(np.mean(h, axis=0))
before = set(sys.modules)
adjoint.gradient(f, np.ones((2, 2)), np.ones((2, 2)), 3)
print(sorted(set(sys.modules) - before))
"""
    # from a file: a program given by -c has no source
    code = "import sys, linecache; text = sys.stdin.read(); linecache.cache['p.py'] = (len(text), None, "
    code += "text.splitlines(True), 'p.py'); exec(compile(text, 'p.py', 'exec'))"
    done = subprocess.run([sys.executable, "-c", code], input=program, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_scalar_rule_of_anything_is_for_numbers_and_arrays() -> None:
    def square(x: Any) -> Any:
        return np.multiply(x, x)

    @scalar_rule(square)
    def of_square(x: Any, y: Any) -> Any:
        return 7.0 * x  # wrong on purpose: who asks it is seen

    assert gradient(square, 3.0) == (21.0,)
    np.testing.assert_allclose(gradient(lambda x: square(x).sum(), np.array([3.0, 1.0]))[0], [21.0, 7.0])
    assert gradient(lambda x: square([x, 2 * x]).sum(), 3.0) == (30.0,)
    assert gradient(lambda x: square((x, 2 * x)).sum(), 3.0) == (30.0,)
    assert gradient(lambda xs: square(xs).sum(), [3.0, 1.0]) == ([6.0, 2.0],)


def test_activations_take_lists() -> None:
    assert gradient(lambda x: relu([x, -2 * x]).sum(), 3.0) == (1.0,)
    assert gradient(lambda xs: relu(xs).sum(), [3.0, -1.0]) == ([1.0, 0.0],)

"""Other tools hang what they like on nodes of syntax trees, some of which all trees of the process share."""

import ast
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import grad, gradient, jacobian, pullback, value_and_grad
from adjoint.calculus import derivative
from adjoint.frontend import find
from adjoint.frontend.nodes import copied, shallow


def hang(tree: ast.AST) -> None:
    """As `executing` does, by which IPython shows tracebacks; and a cycle of another tool."""
    for node in ast.walk(tree):
        node.itself = [node]  # type: ignore[attr-defined]
        for child in ast.iter_child_nodes(node):
            child.parent = child._parent = node  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def hung() -> Iterator[None]:
    with open(__file__) as file:
        tree = ast.parse(file.read())
    hang(tree)
    shared = {node for node in ast.walk(ast.parse(ast.unparse(tree))) if "parent" in node.__dict__}
    assert len(shared) > 5
    yield
    for node in shared:
        for name in ("parent", "_parent", "itself"):
            node.__dict__.pop(name, None)


class Model:
    def __init__(self, w: Any) -> None:
        self.w = w
        if w is None:
            return
        self.b = w * 2.0 + len([w]) * 0


def recorded(x):
    try:
        kept = {"x": x}
        kept["y"] = [v**2 for v in (x, 3.0) if v > 0 and not v < -1.0]
        for i in range(len(kept) + 1):
            kept["x"] += i * x
        match kept:
            case {"x": a, "y": [b, *_]}:
                result = a * b - (lambda t: -t if t > 0 else t)(x)
    finally:
        pass
    return result


def of_model(x):
    m = Model(x)
    del m.w
    return math.sin(m.b) * x


def with_nan(x):
    try:
        y = x * np.inf
    finally:
        pass
    return y * 0.0


def slope(f: Any, x: float) -> float:
    return (f(x + 1e-6) - f(x - 1e-6)) / 2e-6


@pytest.mark.parametrize("f", [recorded, of_model])
def test_recorded_programs(f: Any) -> None:
    if f is recorded:
        hang(find(f.__code__).source.tree)
    value, found = value_and_grad(f)(0.7)
    assert value == f(0.7) and found == pytest.approx(slope(f, 0.7), rel=1e-6)
    y, back = pullback(f, 0.7)
    assert back(1.0)[1] == back(1.0)[1] == found
    assert derivative(f)(0.7) == pytest.approx(found)
    assert grad(grad(f))(0.7) == pytest.approx(slope(grad(f), 0.7), rel=1e-5)
    assert jacobian(lambda a: np.array([f(a[0]), a[1]]), np.array([0.7, 1.0]))[0][0, 0] == pytest.approx(found)


def test_structured_programs() -> None:
    def f(x):
        s = 0.0
        for i in range(3):
            s = s + (x if i > 0 else -x) * i
        return s

    hang(find(f.__code__).source.tree)
    assert gradient(f, 2.0) == (3.0,)


def test_what_is_told_of_programs() -> None:
    assert "recorded" in str(adjoint.explain(recorded, 0.7))
    with pytest.raises(adjoint.errors.AdjointError, match="nan"), adjoint.inspect.debug_nans():
        gradient(with_nan, 1.0)
    assert gradient(recorded, 0.7, check=True) == gradient(recorded, 0.7)
    assert adjoint.inspect.code_adjoint(recorded, 0.7)


def test_copies_have_fields_and_positions_only() -> None:
    tree = ast.parse("def f(x, *, k=1):\n    return [x + k for _ in range(3)]")
    hang(tree)
    for made in (copied(tree), ast.Module([shallow(tree.body[0])], [])):
        assert ast.dump(made, include_attributes=True) == ast.dump(tree, include_attributes=True)
        assert "parent" not in made.body[0].__dict__ and made.body[0] is not tree.body[0]
    assert all("itself" not in node.__dict__ for node in ast.walk(copied(tree)))
    assert shallow(tree.body[0]).body is tree.body[0].body  # type: ignore[attr-defined]

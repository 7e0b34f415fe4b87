"""Third derivatives of programs of the corpus, along a line, against differences of the second."""

import linecache
from typing import Any

import numpy as np
import pytest
from programs import PROGRAMS, Program

from adjoint import grad

THIRD = [
    *("logistic_map", "branching_map", "return_inside_nested_loops", "mutual_recursion", "rounding", "distances"),
    *("complex_from_real_parts", "extremes_by_key", "closure_as_argument", "rebound_after_capture"),
    *("captured_before_it_is_bound", "pipeline_of_functions", "functions_in_a_dictionary", "composition"),
    *("operator_functions", "callable_object", "static_and_class_methods", "dataclass_as_argument"),
    *("named_tuple_as_argument", "enums", "variances", "zero_dimensional", "inverse_and_determinant"),
]


def line(program: Program) -> Any:
    """`t -> f(a + t v)`, of the numbers and arrays among the arguments; summed if the result is an array."""
    moved = [type(a) is float or isinstance(a, np.ndarray) and a.dtype == np.float64 for a in program.args]
    assert any(moved)
    given = ", ".join(f"a{i} + t * v{i}" if yes else f"a{i}" for i, yes in enumerate(moved))
    rng = np.random.default_rng(0)
    y = program.function(*program.args)
    text = f"def along(t):\n    return (f({given}) * w){'.sum()' if isinstance(y, np.ndarray) else ''}\n"
    filename = f"<along {program}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    scope: dict[str, Any] = {"f": program.function, "w": rng.normal(size=y.shape) if isinstance(y, np.ndarray) else 1.5}
    for i, a in enumerate(program.args):
        scope[f"a{i}"] = a
        scope[f"v{i}"] = rng.normal(size=a.shape) if isinstance(a, np.ndarray) else 0.4 + 0.3 * i
    exec(compile(text, filename, "exec"), scope)
    return scope["along"]


@pytest.mark.parametrize("name", THIRD)
def test_third_derivative(name: str) -> None:
    second = grad(grad(line(PROGRAMS[name])))
    h = 1e-5
    expected = (second(h) - second(-h)) / (2 * h)
    assert grad(second)(0.0) == pytest.approx(expected, rel=1e-4, abs=1e-5)


def deleted(x: Any) -> Any:
    xs = [x, 2 * x, x * x]
    del xs[0]
    return xs[0] * xs[1]


def replaced(x: Any) -> Any:
    xs = [x, 2 * x, x * x, x**3]
    xs[1:3] = [x**3]
    return sum(xs) * xs[1]


def deleted_from_dict(x: Any) -> Any:
    d = {"a": x, "b": x * x}
    del d["a"]
    return d["b"] * x


@pytest.mark.parametrize("f", [deleted, replaced, deleted_from_dict])
def test_deletions_and_slices(f: Any) -> None:
    x, h = 1.3, 1e-5
    second = grad(grad(f))
    assert second(x) == pytest.approx((grad(f)(x + h) - grad(f)(x - h)) / (2 * h), rel=1e-6)
    assert grad(second)(x) == pytest.approx((second(x + h) - second(x - h)) / (2 * h), rel=1e-6)

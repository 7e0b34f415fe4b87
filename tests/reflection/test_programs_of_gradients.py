"""What is shown of a gradient: first the program that its call runs."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pytest

from adjoint import checkpoint, grad, hessian, ir, jacobian, value_and_grad, vmap
from adjoint import compile as compile_function
from adjoint.errors import SourceUnavailableError
from adjoint.inspect import cache_clear, code_adjoint, code_ir, code_primal, code_pushforward
from adjoint.runtime import tables
from adjoint.runtime.calls import program_of_call


def product(x: Any, y: Any) -> Any:
    return x * y * y


def total(x: Any) -> Any:
    return (np.sin(x) * x).sum()


def with_default(x: float, k: float = 2.0) -> float:
    return k * x * x


def pair(x: float) -> Any:
    return x * x, x


def recorded(x: float, row: list[float]) -> float:
    try:
        row[0] = x
    except* ValueError:
        row[0] = 0.0
    return row[0] * x


SEPARATOR = "\n\n# The derivative of this gradient:\n"


def without_notes(text: str) -> str:
    return "".join(f"{re.sub(r' +# .*', '', line)}\n" for line in text.splitlines())


@pytest.mark.parametrize(
    ("g", "f", "args"),
    [
        (grad(product), product, (2.0, 3.0)),
        (grad(product, 1), product, (2.0, 3.0)),
        (grad(product, (0, 1)), product, (2.0, 3.0)),
        (grad(product, "y"), product, (2.0, 3.0)),
        (value_and_grad(product), product, (2.0, 3.0)),
        (grad(total), total, (np.ones(3),)),
    ],
)
def test_the_program_that_runs_is_shown_first(g: Any, f: Any, args: Any) -> None:
    cache_clear()
    g(*args)
    ((_, ran),) = [e for entries in tables.TABLES[id(f.__code__)].entries.values() for e in entries]
    first, second = code_adjoint(g, *args).split(SEPARATOR)
    heading, _, program = first.partition("\n")
    assert heading == "# The gradient, which the call runs:" and without_notes(program) == ran.text
    assert second.startswith("def call_rrule(f, a0")


def test_types_show_it_too() -> None:
    for argnums in (0, 1, (0, 1)):
        g = grad(product, argnums)
        assert code_adjoint(g, float, float) == code_adjoint(g, 2.0, 3.0)


@pytest.mark.parametrize(
    ("g", "args", "kwargs", "rule"),
    [
        (grad(with_default), (3.0,), {}, "with_default_rrule(x, k)"),
        (grad(product), (3.0,), {"y": 2.0}, "product_rrule(x, y)"),
        (grad(pair, has_aux=True), (3.0,), {}, "pair_rrule(x)"),
    ],
)
def test_a_rule_that_is_called_with_one_is_shown_first(g: Any, args: Any, kwargs: Any, rule: str) -> None:
    heading, program = code_adjoint(g, *args, **kwargs).splitlines()[:2]
    assert program.startswith(f"def {rule}")
    assert heading == f"# The derivative of `{rule.partition('_rrule')[0]}`, whose `back` the gradient calls with 1:"


def test_each_program_has_a_heading_and_names_of_the_library_are_explained() -> None:
    shown = code_adjoint(grad(product), 2.0, 3.0)
    lines = shown.splitlines()
    assert all(lines[i - 1].startswith("# ") for i, line in enumerate(lines) if line.startswith("def "))
    explained = shown.partition("# Functions of the library:\n")[2]
    for name in ("scalar_seed", "item_bar", "instantiate_zeros"):
        assert f"{name}(" in shown and re.search(rf"^# {name}: [A-Z`].*", explained, re.MULTILINE)
    compile(shown, "<shown>", "exec")


@pytest.mark.parametrize(("g", "kwargs"), [(grad(with_default), {}), (grad(with_default), {"k": 2.0})])
def test_a_gradient_that_is_called_as_an_object_is_explained(g: Any, kwargs: Any) -> None:
    shown = code_adjoint(g, 3.0, **kwargs)
    (name,) = set(re.findall(r"\bpullback_wrt_\w+(?=\()", shown))
    explained = shown.partition("# Functions of the library:\n")[2]
    assert re.search(rf"^# {name}: `\(y, back\)` of the call of its first argument", explained, re.MULTILINE)
    assert "\n# __call__: The call of the gradient `f` itself" in explained
    assert "# return f(a0" in shown  # the line of the call


def test_what_is_generated_for_a_call_leaves_its_text() -> None:
    """Both were kept under one name, `<adjoint call 1>`, if their numbers met."""
    program = program_of_call(1, ())
    assert not re.fullmatch(r"<adjoint \w+ \d+>", program.__code__.co_filename)
    assert code_adjoint(grad(with_default), 3.0)
    assert inspect.getsource(program) == "def call(f, a0):\n    return f(a0)\n"


@pytest.mark.parametrize("show", [code_ir, code_primal, code_adjoint, code_pushforward])
@pytest.mark.parametrize(
    ("made", "text", "way_out"),
    [
        (jacobian(product), "J(product)", "code_adjoint(product, ...)"),
        (jacobian(lambda x: x), "J(<lambda>)", "code_adjoint(f, ...)"),
        (hessian(product), "∇²(product)", "code_adjoint(grad(product), ...)"),
        (vmap(product), "vmap(product)", "code_adjoint(product, ...)"),
        (checkpoint(product), "checkpoint(product)", "code_adjoint(product, ...)"),
    ],
)
def test_what_runs_programs_of_a_function_points_to_them(show: Any, made: Any, text: str, way_out: str) -> None:
    with pytest.raises(SourceUnavailableError) as caught:
        show(made, 2.0)
    assert f"no source of `{text}` to show" in str(caught.value) and caught.value.way_out.endswith(f"`{way_out}`")


@pytest.mark.parametrize("show", [code_ir, code_primal, code_adjoint, code_pushforward])
def test_what_is_no_function_is_said_to_be_none(show: Any) -> None:
    with pytest.raises(SourceUnavailableError, match=r"source of 3 [\s\S]*it is not a function, and cannot be called"):
        show(3)


def test_a_gradient_of_a_gradient_runs_the_rule_of_the_first() -> None:
    g = grad(grad(product, 1), 1)
    first, _ = code_adjoint(g, 2.0, 3.0).split(SEPARATOR)
    assert "\ndef call_gradient(f, a0, a1)" in first and "def product_gradient_rrule(x, y)" in first


def test_a_recorded_function_is_said_to_be_so() -> None:
    shown = code_adjoint(grad(recorded), 2.0, [1.0])
    assert shown.startswith("# `recorded` is recorded as it runs") and "def recorded_forward(" in shown


def test_nothing_is_read_that_nobody_uses() -> None:
    for g in (grad(product), grad(grad(product)), value_and_grad(product)):
        lines = code_adjoint(g, 2.0, 3.0).splitlines()
        assert not [line for line in lines if re.fullmatch(r"\s+\S+(\._f|\[\d\])(\s+#.*)?", line)]
        assert "_f" not in code_primal(g, 2.0, 3.0)
    assert "getitem(%5, 0)" not in code_primal(grad(product), 2.0, 3.0)


@pytest.mark.parametrize("show", [code_ir, code_primal, code_adjoint, code_pushforward])
def test_without_arguments_it_is_said_what_to_give(show: Any) -> None:
    with pytest.raises(SourceUnavailableError, match=r"give arguments, or their types: `code_adjoint\(grad\(product\)"):
        show(grad(product))


def test_the_derivative_is_that_of_this_gradient_and_not_of_any() -> None:
    class Cubic:
        def __call__(self, x: float) -> float:
            return x * x * x

    grad(grad(Cubic()))(2.0)  # its program is for any gradient
    shown = code_adjoint(grad(square), 2.0)
    assert "def square_gradient_rrule(" in shown and "pullback(f, a0)" not in shown


def square(x: float) -> float:
    return x * x


def test_what_hands_a_call_on_is_shown_as_the_function() -> None:
    for made in (compile_function(product), ir.function(ir.of(product))):
        assert "def product_rrule(x, y):" in code_adjoint(made, 2.0, 3.0)

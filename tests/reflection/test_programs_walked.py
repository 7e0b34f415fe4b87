"""Section by section what `adjoint.ir` promises, for programs of many kinds: each way leads to the same values."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

import adjoint
from adjoint import grad, ir, jvp
from adjoint.errors import SourceUnavailableError
from adjoint.inspect import code_adjoint


def with_break(x: float) -> float:
    s = 0.0
    for k in range(6):
        s += math.sin(x) * k
        if s > 4.0:
            break
    else:
        s *= 2.0
    return s


def with_dict(x: float) -> Any:
    d = {"a": math.sin(x), "b": x}
    d["c"] = d["a"] * d["b"]
    return sum(d.values())


class Model:
    def __init__(self, w: float, b: float) -> None:
        self.w, self.b = w, b

    def __call__(self, x: float) -> float:
        return math.sin(self.w * x) + self.b

    @staticmethod
    def act(x: float) -> float:
        return math.sin(x) * x


def with_object(x: float) -> float:
    return Model(x, 2.0)(x)


def with_static_method(x: float) -> float:
    return Model.act(x)


def with_try(x: float) -> float:
    try:
        y = math.sin(x) * math.sqrt(x - 5.0)
    except ValueError:
        y = math.sin(x)
    finally:
        x = x * 2.0
    return y * x


def with_generator(x: float) -> float:
    def items(n: int) -> Iterator[float]:
        for i in range(n):
            yield math.sin(x * i)

    return sum(items(4))


def recursive(x: float, n: int = 3) -> float:
    return x if n == 0 else math.sin(recursive(x, n - 1))


def with_keywords(x: float, *, scale: float = 2.0, **more: float) -> float:
    return math.sin(x) * scale + sum(more.values())


def with_stores(x: float) -> Any:
    a = np.zeros(3)
    for i in range(3):
        a[i] = math.sin(x) * i
    a[1:] *= x
    return a.sum()


def with_comprehension(x: float) -> float:
    return sum([math.sin(v * x) for v in range(4) if v != 2])


def captured(k: float) -> Callable[[float], float]:
    def f(x: float) -> float:
        return math.sin(x) * k

    return f


FUNCTIONS: list[Any] = [
    *(with_break, with_dict, with_object, with_static_method, with_try, with_generator, recursive, with_keywords),
    *(with_stores, with_comprehension, captured(3.0)),
]


def through(fn: Any, *args: Any, **kwargs: Any) -> Any:
    return fn(*args, **kwargs)


@pytest.mark.parametrize("types", [(), (float,)], ids=["any", "typed"])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_each_way_leads_to_the_same_values(f: Any, types: Any) -> None:
    program, x = ir.of(f, *types), 1.3
    y, slope = f(x), pytest.approx(grad(f)(x))
    ir.verify(program)
    assert list(ir.walk(program)) and "0x" not in str(program) and program.python
    for nested in (False, True):
        seen: list[Any] = []
        assert ir.run(program, x, hook=lambda *told: seen.append(told[0]), nested=nested) == pytest.approx(y)  # noqa: B023
        assert seen
    g = ir.function(program)
    for h in (g, cloudpickle.loads(cloudpickle.dumps(g))):
        assert h(x) == y and grad(h)(x) == slope
    assert jvp(g, (x,), (1.0,))[1] == slope
    derivative = ir.reverse_differentiate(program, float)
    for _, back in (ir.function(derivative)(x), ir.run(derivative, x)):
        assert back(1.0)[1] == slope
    for made in (derivative, ir.reverse_differentiate(program)):
        if f is with_generator and made is not derivative and not types:
            continue  # as below
        again = cloudpickle.loads(cloudpickle.dumps(ir.function(made)))
        assert again(x)[1](1.0)[1] == slope and str(again.program) == str(made)
    instrumented = ir.function(ir.instrument(program, through))
    assert instrumented(x) == y
    if f is not with_generator or types:  # as a function that is called, one that yields is not followed
        assert grad(instrumented)(x) == slope


@pytest.mark.parametrize("f", FUNCTIONS)
def test_pages_of_functions_of_programs_are_made_or_refused_with_a_sentence(f: Any) -> None:
    for program in (ir.of(f), ir.of(f, float)):
        g = ir.function(program)
        try:
            page = adjoint.explore(g, 1.3)
        except SourceUnavailableError as error:
            assert type(g).__name__ == "ProgramFunction" and "ir.reverse_differentiate" in error.way_out
            with pytest.raises(SourceUnavailableError, match="no source of `<function of the program of"):
                code_adjoint(g, 1.3)
        else:
            assert "sin" in page.html


SCRIPT = """
import math
import adjoint, cloudpickle
from adjoint import grad, ir

class Own:
    @staticmethod
    def act(x): return math.sin(x) * x

def f(x): return Own.act(x)

made = ir.function(ir.of(f))
again = cloudpickle.loads(cloudpickle.dumps(made))
assert grad(made)(1.3) == grad(again)(1.3)
for g in (made, again, f):
    assert "sin" in adjoint.explore(g, 1.3).html
"""


def test_a_page_of_what_came_by_pickle_and_calls_a_class(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def attribute_of_a_pair(x: float, pair: Any) -> Any:
    return getattr(*pair) * x


def test_an_attribute_of_arguments_that_are_spread() -> None:
    assert grad(attribute_of_a_pair)(1.0, (Model(2.0, 3.0), "w")) == 2.0

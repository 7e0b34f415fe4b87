"""Variables may be called whatever generated code calls its own, or builtins: values and derivatives are the same."""

from __future__ import annotations

import linecache
import math
import random
import re
import warnings
from typing import Any

import numpy as np
import pytest

from adjoint import grad, value_and_grad
from adjoint.calculus import pushforward
from adjoint.compiled import entry, programs
from adjoint.errors import CompileFallbackWarning
from adjoint.inspect import code_adjoint

PLAIN = """
def f(A, B, N):
    C = A * B
    E = B
    for D in N:
        if C > 4.0:
            E = C * 0.25
            G = E + A
        else:
            E = C + A * D
        C = C * 0.5 + E * B
    def H(I):
        return I * C + A
    J = [K * A for K in N]
    return H(E) * C + J[0] * G * J[1]
"""
WITH_ARRAYS = """
def f(A, B, N):
    C = B * N
    D = np.zeros(3)
    for E in range(len(N)):
        D[E] = C[E] * A + D[E - 1]
    H = abs(A) + max(A, B) + float(len(N)) + np.sum(D) * math.sin(A)
    return H * D[2]
"""
RECORDED = PLAIN.replace("    C = A * B\n", "    try: C = A * B\n    except LookupError: C = A\n")
OWN = (
    "x", "x_bar", "x_dot", "x_bar_1", "x_bar_2", "dx", "dx_1", "ddx", "new_x", "y", "y_bar", "y_dot", "t", "t1",
    "t2", "t_1", "f", "f_rrule", "f_pullback", "f_frule", "f_forward", "f_reverse", "f_part1", "f_taped", "lambda_",
    "_", "_1", "back", "mul_back", "k", "k0", "k1", "a0", "d", "n", "i", "s", "a", "b", "call", "read", "make",
    "guard", "factory", "record", "record_", "steps", "sweep", "add", "cell", "namespace", "resume", "iterable",
    "x_cell", "binary", "inplace", "kept", "load", "value", "status", "entry", "place", "at", "plus", "minimum",
    "maximum", "prange", "threads", "njit", "value_and_grad", "_array", "np_1", "out", "unbound", "invoke", "self",
    "args", "kwargs", "match", "case", "type", "__x", "__class", "_f__x",
)  # fmt: skip
BUILTINS = (
    "getattr", "setattr", "slice", "zip", "tuple", "list", "dict", "set", "print", "NameError", "UnboundLocalError",
    "KeyError", "reversed", "sum",
)  # fmt: skip
VARIABLES = "ABCDEGHIJKN"


def renamed(source: str, names: list[str]) -> str:
    """A source with other names of variables."""
    new = dict(zip(VARIABLES, names, strict=True))
    return re.sub(r"\b[A-N]\b", lambda found: new[found[0]], source)


def made(source: str, filename: str) -> Any:
    linecache.cache[filename] = len(source), None, source.splitlines(True), filename
    space: dict[str, Any] = {"__name__": filename, "np": np, "math": math}
    exec(compile(source, filename, "exec", dont_inherit=True), space)
    return space["f"]


def looked_at(f: Any, args: tuple[Any, ...]) -> list[Any]:
    """Value and derivatives in all ways."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CompileFallbackWarning)
        y, bars = value_and_grad(f, (0, 1))(*args)
        compiled = value_and_grad(f, (0, 1), compile=True)(*args)
    forward = pushforward(f, args, (1.0, 0.5, None))
    second = grad(lambda a, b, n: grad(f, 1)(a, b, n))(*args)
    code_adjoint(f, *args)
    return [f(*args), y, bars, *compiled, forward, second]


def flat(found: Any) -> list[float]:
    """The numbers in a structure."""
    if found is None or isinstance(found, dict):
        return []
    if isinstance(found, list | tuple | np.ndarray):
        return [x for item in found for x in flat(item)]
    return [float(found)]


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


CASES = {"plain": PLAIN, "arrays": WITH_ARRAYS, "recorded": RECORDED}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("seed", range(5))
def test_names_do_not_matter(case: str, seed: int) -> None:
    choose = random.Random(f"{case}{seed}")
    names = choose.sample(OWN if case == "arrays" else OWN + BUILTINS, len(VARIABLES))
    args = (1.3, 0.7, np.array([1.0, 2.0, 0.5]) if case == "arrays" else [1.0, 2.0, 0.5])
    expected = looked_at(made(CASES[case], f"<{case}>"), args)
    found = looked_at(made(renamed(CASES[case], names), f"<{case} {seed}>"), args)
    assert found[0] == expected[0] == found[1], names
    assert np.allclose(flat(found), flat(expected), rtol=1e-12, atol=0.0), names  # sums may have another order

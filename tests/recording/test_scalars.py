"""Scalars of NumPy of every kind, with every operator: in recorded programs as where they are reversed by structure."""

from __future__ import annotations

import linecache
import warnings

import pytest

from adjoint import withgradient

OPERATORS = {"mul": "*", "add": "+", "sub": "-", "truediv": "/", "pow": "**", "floordiv": "//", "mod": "%", "lt": "<"}
SCALARS = {
    "bool": "np.bool_(True)",
    "comparison": "(np.float64(x) > 0)",
    "any": "np.any(np.ones(2))",
    "flags": "(np.ones(2) > 0)",
    "of Python": "True",
    "int64": "np.int64(3)",
    "int32": "np.int32(3)",
    "uint8": "np.uint8(3)",
    "sum of integers": "np.array([1, 2]).sum()",
    "longdouble": "np.longdouble(1.5)",
    "complex": "np.complex128(1 + 1j)",
}
VALUES = ["x", "np.float64(x)", "np.array([x, 2 * x])", "np.array(x)", "np.array([x, 2 * x]).sum()"]


def made(expression, recorded):
    body = f"return np.sum(np.real({expression} * x))"
    if recorded:
        body = f"try:\n        {body}\n    except KeyError:\n        return x"
    text = f"import operator\nimport numpy as np\ndef f(x):\n    {body}\n"
    filename = f"<scalars {hash(text)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace = {"__name__": "scalars"}
    exec(compile(text, filename, "exec"), namespace)
    return namespace["f"]


@pytest.mark.parametrize("form", ["structured", "recorded", "by a function"])
@pytest.mark.parametrize("scalar", SCALARS)
def test_every_operator(scalar, form):
    h = 1e-6
    for name, sign in OPERATORS.items():
        for value in VALUES:
            for a, b in ((SCALARS[scalar], value), (value, SCALARS[scalar])):
                expression = f"operator.{name}({a}, {b})" if form == "by a function" else f"({a} {sign} {b})"
                f = made(expression, form != "structured")
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        right = f(1.7)
                    except TypeError:
                        continue
                    y, (d,) = withgradient(f, 1.7)
                    differences = float(f(1.7 + h) - f(1.7 - h)) / (2 * h)
                assert y == right and type(y) is type(right), expression
                assert d == pytest.approx(differences, 1e-5, 1e-6), expression

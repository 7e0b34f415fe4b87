"""Frames that a program returns: their tangents are those of their numbers, or refused."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from numpy.testing import assert_allclose

from adjoint import jvp, pullback
from adjoint.errors import AdjointError

pd = needed("pandas")
needed("adjoint.interop.pandas")

X, DOT = np.array([1.0, 2.0]), np.array([0.5, -1.0])


def column(x: Any) -> Any:
    d = pd.DataFrame({"a": [1.0, 2.0]})
    d["z"] = x * x
    return d


def further_column(x: Any) -> Any:
    d = pd.DataFrame({"a": x * x})
    d["z"] = x * x
    return d


def item(x: Any) -> Any:
    s = pd.Series([1.0, 2.0])
    s.iloc[0] = x[0] * x[0]
    return s


def overwritten(x: Any) -> Any:
    s = pd.Series(x * x)
    s.iloc[0] = 7.0
    return s


@pytest.mark.parametrize("f", [column, further_column, item, overwritten])
@pytest.mark.parametrize("form", [lambda y: y, lambda y: {"r": y}, lambda y: (1.0, [y])])
def test_what_was_stored_into_has_no_tangent(f: Any, form: Any) -> None:
    with pytest.raises(AdjointError):
        jvp(lambda x: form(f(x)), (X,), (DOT,))
    with pytest.raises(AdjointError):  # by `pullback` itself where pandas 2 puts an array into a Series as it is
        pullback(lambda x: form(f(x)), X)[1](form(0.0 * f(X) + 1.0))


def test_other_results_have_one() -> None:
    def f(x: Any) -> Any:
        return (x * x).sum(), column(x), pd.Series(x * x)

    back = pullback(f, X)[1]
    assert_allclose(back((1.0, None, None))[1], 2 * X)
    assert_allclose(back((1.0, None, pd.Series(DOT)))[1], 2 * X * (1 + DOT))
    y_dot = jvp(lambda x: {"s": pd.Series(x * x), "n": pd.Series([1.0])}, (X,), (DOT,))[1]
    assert_allclose(y_dot["s"], 2 * X * DOT)
    assert_allclose(y_dot["n"], 0.0)


ALONE = """
import numpy as np, pandas as pd
from adjoint import jvp, linearize, pullback
from adjoint.errors import AdjointError, CotangentError

class Box:
    def __init__(self, s): self.s = s

x = np.ones(2)
forms = [lambda s: s, lambda s: (1.0, s), lambda s: {"r": [s]}, Box, lambda s: s.to_frame()]
for form in forms:
    for take in (lambda f: jvp(f, (x,), (x,)), lambda f: linearize(f, x)[1](x)):
        try:
            take(lambda x: form(pd.Series(x * x)))
        except AdjointError as error:
            assert "pandas" in str(error) and "to_numpy" in error.way_out, error
        else:
            raise SystemExit("a tangent is silently wrong")
y, y_dot = jvp(lambda x: (x * x, pd.Series([1.0]), pd.Series(["a"])), (x,), (x,))
assert y_dot[0].tolist() == [2.0, 2.0] and y_dot[1:] == (None, None)
try:
    pullback(lambda x: pd.Series(x * x), x)[1](np.ones(2))
except CotangentError as error:
    print("whose numbers carry no derivative" in error.what)
"""


def test_without_rules_what_went_into_a_frame_has_no_tangent(tmp_path: Any) -> None:
    script = tmp_path / "script.py"
    script.write_text(ALONE)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip() == "True"


def test_what_a_call_has_made_that_is_not_looked_into_has_no_tangent() -> None:
    def f(x: Any) -> Any:
        return {"r": pd.DataFrame({"a": x * x, "k": [1.0, 1.0]}).groupby("k").sum()}

    with pytest.raises(AdjointError):
        jvp(f, (X,), (DOT,))
    with pytest.raises(AdjointError):
        pullback(f, X)[1]({"r": f(X)["r"]})

"""`supports`: how a function is differentiated, or why it is not."""

import functools
import json
import math
import operator
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy._core.multiarray import interp_complex

from adjoint import gradient
from adjoint.errors import NotDifferentiableError
from adjoint.inspect import Support, supports
from adjoint.rules import not_implemented, opt_out
from adjoint.rules.listing import Listed, library_of, listed
from adjoint.rules.registry import RULES, key_of, non_differentiable


class Model:
    def __init__(self, weight: Any) -> None:
        self.weight = weight

    def predict(self, x: Any) -> Any:
        return self.weight * x

    def __call__(self, x: Any) -> Any:
        return self.predict(x)


@functools.lru_cache
def cached(x: Any) -> Any:
    return x


async def later(x: Any) -> Any:
    return x


@pytest.mark.parametrize(
    ("f", "name", "how"),
    [
        (np.sin, "numpy.sin", "rule"),
        (np.ndarray.sum, "numpy.ndarray.sum", "rule"),
        (np.ones(2).sum, "numpy.ndarray.sum", "rule"),
        (np.add.reduce, "numpy.add.reduce", "rule"),
        (functools.partial(np.sum, axis=0), "numpy.sum", "rule"),
        (functools.reduce, "functools.reduce", "rule"),
        (operator.itemgetter(1), "operator.itemgetter", "rule"),
        (sum, "sum", "rule"),
        ([].append, "list.append", "rule"),
        (math.floor, "math.floor", "constant"),
        (random.random, "random.random", "constant"),
        ("a".upper, "str.upper", "constant"),
        (Model, f"{__name__}.Model", "source"),
        (Model(1.0), f"{__name__}.Model", "source"),
        (Model(1.0).predict, f"{__name__}.Model.predict", "source"),
        (cached, f"{__name__}.cached", "source"),
        (json.dumps, "json.dumps", "missing"),
        (interp_complex, "numpy._core._multiarray_umath.interp_complex", "missing"),
        (later, f"{__name__}.later", "missing"),
        (compile, "compile", "missing"),
        (eval, "eval", "missing"),
    ],
)
def test_kinds(f: Any, name: str, how: str) -> None:
    found = supports(f)
    assert (found.name, found.how, bool(found)) == (name, how, how in ("rule", "source"))
    assert found.reason and str(found) == f"{name}: {how} ({found.reason})"


def test_what_is_refused_says_why() -> None:
    def riddle(x: Any) -> Any:
        return x

    not_implemented(riddle, why="nobody has solved it", way_out="ask something else")
    found = supports(riddle)
    assert (found.how, found.reason, bool(found)) == ("refused", "nobody has solved it", False)
    opt_out(riddle)
    assert supports(riddle).how == "source" and gradient(riddle, 1.0) == (1.0,)


def test_public_names_whatever_is_imported_first() -> None:
    pytest.importorskip("scipy")
    program = """
import scipy.special, scipy.linalg, scipy.stats, scipy.optimize
import adjoint
for f in scipy.special.jv, scipy.special.lambertw, scipy.linalg.schur, scipy.stats.norm, scipy.optimize.BFGS:
    print(adjoint.inspect.supports(f).name)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [
        *("scipy.special.jv", "scipy.special.lambertw", "scipy.linalg.schur", "scipy.stats.norm"),
        "scipy.optimize.BFGS",
    ]


def test_it_is_a_value() -> None:
    assert supports(math.sin) == Support("math.sin", "rule", "there is a rule for it")
    with pytest.raises(AttributeError):
        supports(math.sin).how = "source"  # type: ignore[misc]
    with pytest.raises(NotDifferentiableError, match="3 is not callable"):
        supports(3)  # type: ignore[arg-type]


def test_source_that_is_not_there() -> None:
    namespace: dict[str, Any] = {}
    exec("def f(x): return x", namespace)
    assert supports(namespace["f"]).how in ("source", "missing")


def by_name(pattern: str) -> Listed:
    (entry,) = [entry for entry in listed(pattern) if entry.name == pattern or pattern in entry.aliases]
    return entry


def test_listed_functions() -> None:
    assert (by_name("numpy.abs").name, by_name("numpy.abs").family) == ("numpy.absolute", "elementwise")
    assert by_name("numpy.sin").how == by_name("numpy.sin").forward == "partials"
    assert by_name("math.floor").how == "constant" and by_name("math.floor").forward == ""
    assert by_name("numpy.linalg.inv").forward == "transposed"
    # SciPy, and what NumPy loads late, have methods of classes that they do not give out.
    private = ("scipy.", "numpy.polynomial.")
    names = [entry.name for entry in listed() if entry.is_known and not entry.name.startswith(private)]
    assert len(names) == len(set(names)) and not any(name.startswith("adjoint") for name in names)
    if tuple(map(int, np.__version__.split(".")[:2])) < (2, 4):  # which has functions under private names only
        names = [name for name in names if not name.startswith(("numpy.lib._", "numpy._"))]
    assert [name for name in names if "._" in f".{name}".rpartition(".")[0] and not name.endswith("__")] == []
    assert listed("numpy.linalg.no") != [] and listed("no such name") == []


@pytest.mark.parametrize("wrapped", [abs, math.sin, np.sum], ids=["abs", "math.sin", "numpy.sum"])
def test_a_function_that_goes_by_the_name_of_another_is_of_no_library(wrapped: Any) -> None:
    @functools.wraps(wrapped)
    def around(x: Any) -> Any:
        return wrapped(x)

    non_differentiable(around)
    try:
        own = [entry for entry in listed() if entry.key == key_of(around)]
    finally:
        RULES.pop(key_of(around))
    assert [(entry.how, entry.library, entry.is_known) for entry in own] == [("constant", "", False)]
    assert by_name("numpy.sum").is_known


def test_libraries() -> None:
    assert [library_of(name) for name in ("scipy.stats.norm.pdf", "dict.get", "itertools.chain")] == [
        "scipy.stats",
        "builtins",
        "itertools",
    ]

"""Which uses of functions are refused: what is listed is what is refused."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from diagnostics.test_messages import golden

import adjoint
from adjoint import gradient
from adjoint.cli import main
from adjoint.errors import NoRuleError
from adjoint.inspect import supports
from adjoint.rules.listing import declared, import_libraries, listed
from adjoint.rules.registry import RULES
from adjoint.rules.uses import OPEN, Use, given, refused_uses, uses_of

MISSING = import_libraries()
ROOT = Path(adjoint.__file__).parent / "rules"
ANY_RULE = ("calls.py", "registry.py", "faithful.py", "lifting.py", "marks.py", "versions.py")
"""What is refused here is refused whatever the function is, or says that a function is refused."""


def test_it_is_said() -> None:
    assert "mode" in adjoint.inspect.supports(np.pad).reason
    why = "'raw' gives the reflectors of LAPACK, which are not followed"
    assert why in supports(np.linalg.qr).reason
    with pytest.raises(NoRuleError, match=why):
        gradient(lambda a: np.linalg.qr(a, "raw")[0].sum(), np.eye(2))
    assert "refused" not in supports(np.linalg.inv).reason


def test_what_is_made_is_refused_where_it_is_called() -> None:
    square = np.frompyfunc(lambda t: t * t, 1, 1)
    why = "it gives arrays of objects, and no rule looks into what these are"
    assert why in supports(np.frompyfunc).reason
    with pytest.raises(NoRuleError, match=why):
        gradient(lambda x: square(x).astype(float).sum(), np.ones(2))


def test_what_helpers_refuse_is_said() -> None:
    linalg, stats = pytest.importorskip("scipy.linalg"), pytest.importorskip("scipy.stats")
    assert "of a stack: only one system at a time has a rule" in supports(linalg.solve_banded).reason
    assert "`dtype` is not followed" in supports(stats.gmean).reason
    assert "`dtype`" not in supports(stats.gstd).reason
    assert "left=True" in supports(linalg.eig).reason and "left=True" not in supports(linalg.eigvals).reason


def test_the_command_says_it(capsys: Any) -> None:
    assert main(["rules", "numpy.fromfunction"]) == 0
    assert "refused: `like=`: the array is made by another library" in capsys.readouterr().out


OF_MODULES = frozenset(["pandas", "xarray", "tables.py"])
"""Rules that are there once a module is imported: `adjoint.interop.pandas` and the like."""


def calls() -> set[tuple[str, int]]:
    """Where uses are refused, by what the source says."""
    return {
        (str(file), node.lineno)
        for file in ROOT.rglob("*.py")
        if file.name not in ANY_RULE and OF_MODULES.isdisjoint(file.parts)
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("refuse", "NoRuleError")
    }


def uses() -> set[Use]:
    return {use for entry in listed() for method in RULES[entry.key].methods for use in uses_of(declared(method))}


def test_each_refusal_is_listed() -> None:
    if MISSING:
        pytest.skip(f"{MISSING[0]} is not installed")
    assert calls() - {use.place for use in uses()} == set()


def test_each_says_why() -> None:
    assert {use.why for use in uses() if len(use.why.replace(OPEN, "")) < 15} == set()


def test_what_is_refused_is_listed() -> None:
    """The refusals that are kept as texts are among the uses."""
    if MISSING:
        pytest.skip(f"{MISSING[0]} is not installed")
    whys = [re.escape(use.why).replace(OPEN, ".*") for use in uses()]
    refused = [text for text in golden().values() if "has no rule for this use" in text.partition("\n")[0]]
    said = [match[1] for text in refused if (match := re.search(r"^why: (.*)$", text, re.MULTILINE))]
    assert len(said) > 4
    assert [why for why in said if not any(re.fullmatch(known, why) for known in whys)] == []


def test_a_user_s_rule_is_not_read() -> None:
    def refuse(*texts: str) -> None: ...

    assert refused_uses(lambda x: refuse("f", "why", "way out")) == ()


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("scipy.signal.find_peaks: what it says", "what it says"),
        ("`toarray(out=...)`", ""),
        ("boxcox", ""),
        ("median(overwrite_input=True)", "`overwrite_input=True`"),
        ("scipy.integrate.solve_ivp(events=), through its steps,", "`events=`, through its steps"),
        ("`eig` meets a value that is differentiated, and its derivative is not known", ""),
        ("a spectrum with a function", "a spectrum with a function"),
    ],
)
def test_the_name_of_the_function_is_left_off(what: str, said: str) -> None:
    assert given(what) == said

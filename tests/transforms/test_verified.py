"""Every piece of IR that the corpus gives rise to is well formed: as lowered, as specialised, as reversed."""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from programs import PROGRAMS, Program

from adjoint import pullback
from adjoint.inspect import cache_clear
from adjoint.ir.nodes import Function
from adjoint.ir.verification import verify
from adjoint.runtime import tables
from adjoint.runtime.spec import Spec, lowered


def specs_of(program: Program) -> list[Spec]:
    """All rules that differentiating a program generates, those of its callees too."""
    cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pullback(program.function, *program.args, **program.kwargs)
    found: dict[int, Spec] = {}
    todo = [entry[-1] for table in tables.TABLES.values() for known in table.entries.values() for entry in known]
    while todo:
        spec = todo.pop()
        if id(spec) not in found:
            found[id(spec)] = spec
            todo += spec.uses
    return list(found.values())


def stages(spec: Spec) -> Iterator[Function]:
    assert spec.primal is not None and spec.ir is not None
    yield spec.primal
    yield spec.ir


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=str)
def test_all_ir_is_well_formed(program: Program, capsys: pytest.CaptureFixture[str]) -> None:
    for spec in specs_of(program):
        for function in stages(spec):
            verify(function)
        compile(spec.text, spec.name, "exec")


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=str)
def test_lowered_ir_is_well_formed(program: Program) -> None:
    function: Any = program.function
    while not hasattr(function, "__code__"):
        inner = getattr(function, "__func__", None) or getattr(function, "func", None)
        function = inner or getattr(function, "__wrapped__", None) or type(function).__call__
        if not callable(function) or isinstance(function, np.ufunc | type(len)):
            pytest.skip("not a function with a source")
    verify(lowered(function))

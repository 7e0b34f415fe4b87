"""Nodes of our own in syntax trees: those who walk through a tree see what they hold."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil

import pytest

from adjoint import frontend
from adjoint.frontend.nodes import Given, Step, copied

for _module in pkgutil.iter_modules(frontend.__path__):
    importlib.import_module(f"{frontend.__name__}.{_module.name}")


def _own(cls: type) -> list[type]:
    return [own for sub in cls.__subclasses__() for own in ([sub] if "adjoint." in sub.__module__ else []) + _own(sub)]


OWN = list(dict.fromkeys(_own(ast.AST)))


def test_they_are_found() -> None:
    assert {Step, Given} <= {*OWN}


@pytest.mark.parametrize("cls", OWN)
def test_each_lists_what_it_holds(cls: type) -> None:
    given = [name for name in inspect.signature(cls.__init__).parameters if name not in ("self", "at")]
    assert sorted(cls._fields) == sorted(given)  # type: ignore[attr-defined]


def test_who_walks_through_a_step_sees_its_statements() -> None:
    inner = ast.parse("y = x * x").body
    names = [n.id for n in ast.walk(Step(lambda b: None, inner[0], inner)) if isinstance(n, ast.Name)]
    assert sorted(names) == ["x", "x", "y"]


def test_a_copy_is_whole() -> None:
    inner = ast.parse("y = x * x").body
    step = Step(lambda b: None, inner[0], inner, fails=True)
    copy = copied(step)
    assert (copy.run, copy.fails, copy.lineno) == (step.run, True, 1)
    assert copy.body[0] is not inner[0]
    assert ast.unparse(copy.body[0]) == "y = x * x"
    assert copied(Given("key", inner[0])).key == "key"

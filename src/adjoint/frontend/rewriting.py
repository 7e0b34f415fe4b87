"""What tools write into the code of a file while it is imported: the asserts of pytest, the checks of beartype."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from types import CodeType, SimpleNamespace
from typing import Any

_PYTEST, _PASSED = "@pytest_ar", "_call_assertion_pass"
"""How pytest names its module in code, and what is called where each assert that holds is reported."""

_CHECKS = ("__beartype", "__die_if_unbearable_beartype__", "__claw_state_beartype__")
"""How the names begin that stand in code to which checks were added."""


def names_within(code: CodeType) -> set[str]:
    """The names of globals and attributes in a code object and in those within it."""
    names = set(code.co_names)
    return names.union(*[names_within(c) for c in code.co_consts if isinstance(c, CodeType)])


def has_checks(names: set[str]) -> bool:
    """Whether code with these names had checks added to it, and is otherwise as it was written.

    >>> has_checks({"np", "__beartype__"}), has_checks({"np"})
    (True, False)
    """
    return any(name.startswith(_CHECKS) for name in names)


def rewriting(names: set[str]) -> tuple[bool, bool]:
    """Whether code with these names has the asserts of pytest in it, and whether those that hold are reported.

    >>> rewriting({"@pytest_ar", "np"}), rewriting({"np"})
    ((True, False), (False, False))
    """
    asserts = _PYTEST in names
    return asserts, asserts and _PASSED in names


def rewrite_asserts(tree: ast.Module, text: str, filename: str, reported: bool) -> bool:
    """Rewrite the asserts of a tree as pytest does; False where this pytest has another way."""
    rewrite: Callable[..., Any] | None = getattr(sys.modules.get("_pytest.assertion.rewrite"), "rewrite_asserts", None)
    if rewrite is None:
        return False
    config = SimpleNamespace(getini=lambda name: True) if reported else None
    try:
        rewrite(tree, text.encode(), filename, config)
    except (TypeError, AttributeError):
        return False
    return True

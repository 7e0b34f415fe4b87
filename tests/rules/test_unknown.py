"""By which parameters no derivative is known: what is listed is what is refused."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterator
from typing import Any

import pytest

from adjoint import gradient
from adjoint.cli import main
from adjoint.errors import NoRuleError
from adjoint.inspect import supports
from adjoint.rules import opt_out, scalar_rule
from adjoint.rules.listing import declared, import_libraries, listed
from adjoint.rules.registry import RULES
from adjoint.rules.rulesets import Method
from adjoint.rules.unknown import texts_of, unknown_by
from adjoint.tangents import Unknown, quietly, unknown

import_libraries()


def test_it_is_said() -> None:
    special = pytest.importorskip("scipy.special")
    assert supports(special.jv).reason == "there is a rule for it; by `v` it is refused"
    assert supports(math.sin).reason == "there is a rule for it"
    (entry,) = [entry for entry in listed("scipy.special.hyp2f1") if entry.name == "scipy.special.hyp2f1"]
    assert entry.unknown == ("a", "b", "c")
    with pytest.raises(NoRuleError, match="by the parameter `b`"):
        gradient(lambda b: special.hyp2f1(0.5, b, 2.0, 0.3), 1.0)


def test_the_command_says_it(capsys: Any) -> None:
    pytest.importorskip("scipy.special")
    assert main(["rules", "scipy.special.struve"]) == 0
    assert "refused by v" in capsys.readouterr().out


def test_the_user_s_own() -> None:
    def power_of(order: float, x: float) -> float:
        return x**order

    @scalar_rule(power_of)
    def power_of_partials(order, x, y):  # type: ignore[no-untyped-def]
        return unknown("the `order`"), order * y / x

    assert supports(power_of).reason.endswith("by `order` it is refused")
    opt_out(power_of)


def partials() -> Iterator[tuple[str, Method]]:
    """Of the library's own rules: other tests may have declared some."""
    for rules in RULES.values():
        for method in rules.methods:
            if method.partials is not None and method.partials.__module__.startswith("adjoint."):
                yield rules.name, method


def source_of(f: Any) -> str:
    """The text of a function; that of one which a page of the documentation declares is not there."""
    try:
        return inspect.getsource(f)
    except OSError:
        return ""


def test_partials_name_the_parameter_in_its_place() -> None:
    wrong, some = [], 0
    for name, method in partials():
        texts = texts_of(method.partials)
        if "unknown(" not in source_of(method.partials):
            continue
        some += 1
        named = {word for text in texts for word in re.findall(r"`(\w+)`", text)}
        if not named or set(unknown_by(declared(method))) != named or len(texts) != len(named):
            wrong.append(f"{name}: {texts}")
    assert wrong == [] and (some > 30 or import_libraries())


def test_each_is_refused_by_its_name() -> None:
    """The partial of each parameter that is listed is `unknown`, and no other is."""
    wrong = []
    for entry in listed():
        for method in RULES[entry.key].methods:
            if not entry.unknown or method.partials is None:
                continue
            ps = quietly(method.partials, *[2 if name in entry.unknown else 0.5 for name in method.names], 0.5)
            found = [name for name, p in zip(method.names, ps, strict=True) if isinstance(p, Unknown)]
            if tuple(found) != entry.unknown:
                wrong.append(f"{entry.name}: {found}, {entry.unknown}")
    assert wrong == []

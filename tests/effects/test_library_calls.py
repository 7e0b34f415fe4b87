"""Calls of the standard library that read texts, the environment and dates: they keep no program from its structure."""

from __future__ import annotations

import hashlib
import json
import os
import re
import struct
import textwrap
from collections.abc import Callable
from typing import Any

import pytest
from ways import check_everywhere, slope

from adjoint import grad, pullback
from adjoint.derivatives.choice import is_structured_call
from adjoint.errors import AdjointError
from adjoint.rules.outside import acts
from adjoint.runtime import acting


def groups_of_a_match(x):
    m = re.match(r"(\d+)-(\d+)", "12-3")
    return x * int(m.group(1)) ** int(m.group(2))


def all_matches(x):
    total = 0.0
    for found in re.finditer(r"[a-z](\d)", "a1 b2 c3"):
        total += x ** int(found.group(1))
    return total


def settings(x):
    config = json.loads('{"rate": 0.5, "steps": 3, "names": ["a", "b"]}')
    for _ in range(config["steps"]):
        x = x - config["rate"] * x * x
    return x * len(config["names"])


def environment(x):
    if os.environ.get("SURELY_NOT_SET", "").startswith("/"):
        return x
    return x**3 if os.getenv("SURELY_NOT_SET") is None else x


def digest(x):
    return x * int(hashlib.sha256(b"seed").hexdigest()[:2], 16)


def packed(x):
    return x * x * struct.unpack("<d", struct.pack("<d", 2.0))[0]


def paths(x):
    name = os.path.splitext(os.path.join("runs", "model-3.json"))[0]
    return x ** int(re.sub("[^0-9]", "", name))


def layout(x):
    return x * len(textwrap.dedent("   a\n   b").splitlines())


def written_as_json(x):
    return x * x * len(json.dumps({"n": 3, "name": "a"}))


PROGRAMS = [
    *(groups_of_a_match, all_matches, settings, environment, digest, packed, paths, layout),
    written_as_json,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_they_are_reversed_in_structure(f: Callable[..., Any]) -> None:
    for _ in range(2):
        pullback(f, 0.7)
    assert is_structured_call(f, (0.7,))


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(f: Callable[..., Any]) -> None:
    check_everywhere(f, 0.7)
    _, back = pullback(f, 0.7)
    assert back(1.0) == back(1.0)
    assert grad(grad(f))(0.7) == pytest.approx(slope(grad(f), 0.7), rel=1e-6)


def through_json(x):
    return json.loads(json.dumps({"x": x}))["x"] * x


def test_what_is_differentiated_has_no_way_through_a_text() -> None:
    with pytest.raises(AdjointError, match=r"no rule for `json\.dumps`"):
        grad(through_json)(0.7)


NOTED: list[Any] = []


def noting(found):
    print("found", found.group(0))
    return "7"


def replacing_by_a_function(x):
    return x ** int(re.sub("b", noting, "b"))


def hook(pairs):
    print("pairs", len(pairs))
    return 4


def read_by_a_hook(x):
    return x ** json.loads('{"a": 1}', object_hook=hook)


TABLE: dict[str, Any] = {"parse": int, "note": lambda k: print("note", k), "pattern": re.compile("a")}


def found_in_a_table(x):
    k = TABLE["parse"](TABLE["pattern"].sub("3", "a"))
    TABLE["note"](k)
    return x**k


CALLING = [replacing_by_a_function, read_by_a_hook, found_in_a_table]


@pytest.mark.parametrize("f", CALLING, ids=lambda f: f.__name__)
def test_what_they_call_is_called_once(f: Callable[..., Any], capsys: pytest.CaptureFixture[str]) -> None:
    f(0.7)
    expected = capsys.readouterr().out
    assert expected.count("\n") == 1
    for _ in range(3):
        assert pullback(f, 0.7)[1](1.0)[1] == pytest.approx(slope(lambda x: f(x), 0.7), rel=1e-6)
        out = capsys.readouterr().out
        assert out.count("\n") == 3, out  # one run of the derivative's, two of the differences


def test_planted_a_function_that_prints_and_is_taken_for_one_that_computes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = acting.effects_of
    monkeypatch.setattr(acting, "effects_of", lambda f: known(f)._replace(acts=False))
    fresh = {"note": lambda k: print("note", k), "later": [TABLE["note"]].append}

    def program(x):
        fresh["note"](3)
        fresh["later"](x)
        return x * x

    with pytest.raises(AssertionError):
        pullback(program, 0.7)
        assert capsys.readouterr().out.count("\n") == 1


def test_what_acts() -> None:
    assert not acts(os.environ.get) and acts(os.environ.pop) and acts(os.environ.setdefault)
    assert acts(re.compile("a").sub) and not acts(re.compile("a").search) and not acts(re.match)
    assert acts(re.sub) and acts(json.loads) and acts(hashlib.sha256().update)
    assert not acts(hashlib.sha256().hexdigest)

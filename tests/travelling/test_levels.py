"""Code that was compiled at another level of optimization than that of the process that differentiates it."""

from __future__ import annotations

import linecache
import os
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from travelling.cells import cell

from adjoint import errors, grad

cloudpickle = needed("cloudpickle")

EFFECT = "__import__('os').environ.update(A1='1')"

PROGRAM = """
def f(x):
    if __debug__:
        x = x * 100.0
    assert x < 0.0, "negative"
    return x * x * (2.0 if __debug__ else 1.0) * (3.0 if not __debug__ else 1.0)
"""

BINDS = """
def f(x, z):
    def inner():
        return z
    assert (y := inner()) and any(lambda: z for _ in (1,)), f"{y}"
    {RECORDED}
    if not __debug__:
        y = 2.0
    return x * x * y
"""
"""Names that an assert binds and captures are local, and shared, at each level."""

RECORDED = "try: x * 1.0\n    except* OSError: pass"
"""What is recorded as it runs, and not read."""


def compiled(text: str, level: int) -> Any:
    """The function `f` of a text, compiled at a level of optimization."""
    name = f"<level {level} of {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"__name__": "__main__", "np": np}
    exec(compile(text, name, "exec", dont_inherit=True, optimize=level), namespace)
    return namespace["f"]


@pytest.mark.parametrize("sent", [False, True])
@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_derivative_follows_the_level_of_the_code(level: int, recorded: bool, sent: bool) -> None:
    body = f"    {RECORDED}\n" if recorded else ""
    f = compiled(PROGRAM.replace("    assert", f"{body}    assert"), level)
    g = cloudpickle.loads(cloudpickle.dumps(grad(f))) if sent else grad(f)
    if level == 0:
        assert f(-2.0) == 2.0 * 200.0**2 and g(-2.0) == 2.0 * 2.0 * 100.0**2 * -2.0
        for function in (f, g):
            with pytest.raises(AssertionError, match="negative"):
                function(2.0)
    else:
        assert f(2.0) == 3.0 * 4.0 and g(2.0) == 3.0 * 4.0 and g(-2.0) == 3.0 * -4.0


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_what_an_assert_binds_is_local_at_each_level(level: int, recorded: bool) -> None:
    f = compiled(BINDS.replace("{RECORDED}", RECORDED if recorded else "pass"), level)
    expected = 3.0 if level == 0 else 2.0
    assert f(5.0, 3.0) == 25.0 * expected and grad(f)(5.0, 3.0) == 10.0 * expected


def test_a_local_name_of_an_assert_that_is_left_out_is_not_bound() -> None:
    f = compiled("y = 7.0\ndef f(x):\n    assert (y := x)\n    return y * x\n", 1)
    for function in (f, grad(f)):
        with pytest.raises(UnboundLocalError):
            function(2.0)


def test_asserts_that_pytest_has_rewritten_run_at_each_level() -> None:
    text = "def f(x):\n    assert x > 0.0\n    return x * x * (2.0 if __debug__ else 1.0)\n"
    program = f"""
        import ast, linecache
        from _pytest.assertion.rewrite import rewrite_asserts
        from adjoint import grad
        text, name = {text!r}, "<rewritten>"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        tree = ast.parse(text)
        rewrite_asserts(tree, text.encode(), name, None)
        space = {{}}
        exec(compile(tree, name, "exec"), space)
        f = space["f"]
        if (f(3.0), grad(f)(3.0)) != (9.0, 6.0): raise SystemExit("differs")
        for function in (f, grad(f)):
            try: function(-1.0)
            except AssertionError: continue
            raise SystemExit("no assert")
    """
    done = subprocess.run([sys.executable, "-O", "-c", textwrap.dedent(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


SENDER = """
import sys
import cloudpickle
from adjoint import grad
{}
with open(sys.argv[1], "wb") as file:
    cloudpickle.dump(grad(f), file)
print(f(-3.0), grad(f)(-3.0))
"""
RECEIVER = """
import pickle, sys
from adjoint import grad
with open(sys.argv[1], "rb") as file:
    g = pickle.load(file)
print(g.__wrapped__(-3.0), g(-3.0))
again = __import__("cloudpickle").loads(__import__("cloudpickle").dumps(g))
if again(-3.0) != g(-3.0): raise SystemExit("sent on, it differs")
"""


@pytest.mark.parametrize(("sender", "receiver"), [("-O", "-B"), ("-B", "-O"), ("-OO", "-B"), ("-B", "-OO")])
def test_between_processes_of_several_levels(sender: str, receiver: str, tmp_path: Path) -> None:
    file, content = tmp_path / "sends.py", tmp_path / "pickle"
    file.write_text(SENDER.format(PROGRAM))
    told = []
    for command in ([sender, str(file)], [receiver, "-c", RECEIVER]):
        done = subprocess.run([sys.executable, *command, str(content)], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        told.append(done.stdout)
    assert told[0] == told[1] == ("180000.0 -120000.0\n" if sender == "-B" else "27.0 -18.0\n")


def test_a_module_whose_bytecode_is_of_another_level(tmp_path: Path) -> None:
    (tmp_path / "leveled.py").write_text(PROGRAM)
    program = f"""
        import importlib.util, py_compile, sys
        from adjoint import grad
        sys.path.insert(0, {str(tmp_path)!r})
        py_compile.compile({str(tmp_path / "leveled.py")!r}, importlib.util.cache_from_source(
            {str(tmp_path / "leveled.py")!r}), optimize=1)
        import leveled
        if (leveled.f(2.0), grad(leveled.f)(2.0)) != (12.0, 12.0): raise SystemExit("differs")
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "other",
    [
        f"    assert {EFFECT} is None\n",
        f"    assert True, {EFFECT}\n",
        f"    if __debug__: {EFFECT}\n",
        f"    if not __debug__: {EFFECT}\n",
        f"    if 0: {EFFECT}\n",
        f"    while 0: {EFFECT}\n",
        f"    if 1: pass\n    else: {EFFECT}\n",
        f"    0 and {EFFECT}\n",
        f"    y: {EFFECT}\n",
        f"    __die_if_unbearable_beartype__({EFFECT}, float)\n",
        f"    @__beartype__(int)()\n    def g(): return {EFFECT}\n",
        f"    return x * x\n    {EFFECT}\n",
    ],
)
@pytest.mark.parametrize("recorded", [False, True])
def test_planted_a_text_with_more_than_its_code_runs_no_more(
    other: str, recorded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the compiler leaves out of the code is not run by a derivative, or the text is not taken."""
    monkeypatch.delenv("A1", raising=False)
    comment = "".join(f"    #{' ' * (len(line) - 6)}\n" for line in other.splitlines(keepends=True))
    end = f"    {RECORDED}\n    return x * x\n" if recorded else "    return x * x\n"
    text, forged = "def f(x):\n" + comment + end, "def f(x):\n" + other + end
    namespace = {"__die_if_unbearable_beartype__": lambda *given: None, "__beartype__": lambda *given: lambda: id}
    content = cloudpickle.dumps(grad(cell(text, **namespace)["f"]))
    assert len(text) == len(forged) and content.count(text.encode()) == 1
    content = content.replace(text.encode(), forged.encode())
    try:
        g = pickle.loads(content)
    except errors.SourceChangedError:
        assert "A1" not in os.environ
        return
    assert g(3.0) == 6.0 and "A1" not in os.environ

"""The same values and gradients, however Python is run and whatever watches it."""

import code
import doctest
import functools
import linecache
import os
import subprocess
import sys
import types
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from adjoint import errors, grad, gradient

SCRIPT = '''
"""
>>> from adjoint import grad
>>> import numpy as np
>>> def f(x):
...     assert x is not None
...     return np.sum(x * x)
>>> grad(f)(3.0), grad(lambda x: np.sum(-x))(1.0)
(6.0, -1.0)
>>> def f(x):
...     try:
...         return np.sum(x * x * x)
...     finally:
...         pass
>>> grad(f)(1.0)
3.0
"""
import math
import numpy as np
import adjoint
from adjoint import grad


def structured(x, y=2.0):
    """Documented."""
    assert np.sum(x) > 0 and y == 2.0, "positive"
    s = 0.0
    for i in range(3):
        if i % 2 == 0:
            s = s + math.sin(x) * i * y
        else:
            s = s - np.sum(x * i)
    return s


def recorded(x):
    try:
        assert x > 0
        d = {"x": [x * v for v in range(3) if v]}
    except* KeyError:
        d = {}
    return sum(d["x"]) * np.sum(x)


class Model:
    """Documented."""

    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        def inner(y):
            assert y
            return y * self.w

        return inner(np.sum(x))


def main():
    slope = 4 * math.cos(0.5) - 1.0
    assert abs(grad(structured)(0.5) - slope) < 1e-12
    checks = [
        abs(grad(structured)(0.5) - slope) < 1e-12,
        grad(recorded)(2.0) == 12.0,
        grad(lambda m: m(3.0))(Model(2.0)).w == 3.0,
        grad(lambda x: np.sum(x) * 4.0)(1.0) == 4.0,
        grad(grad(recorded))(2.0) == 6.0,
        "recorded" in str(adjoint.explain(recorded, 2.0)),
    ]
    if not all(checks):
        raise SystemExit(str(checks))
    print("right")


if __name__ == "__main__":
    main()
'''


def run(arguments: list[Any], text: str = "", **options: Any) -> str:
    done = subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True, timeout=120, input=text, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("script") / "written.py"
    path.write_text(SCRIPT)
    return path


@pytest.mark.parametrize("flags", [["-O"], ["-OO"], ["-X", "no_debug_ranges"]], ids=" ".join)
def test_flags(flags: list[str], script: Path) -> None:
    if "no_debug_ranges" in flags:  # lambdas on a line are then not told apart
        text = SCRIPT.replace("grad(lambda m: m(3.0))", "grad(of_model)").replace(
            "def main", "def of_model(m): return m(3.0)\n\ndef main"
        )
        script = script.with_name("without.py")
        script.write_text(text)
    assert run([*flags, script]) == "right\n"


def test_coverage(script: Path, tmp_path: Path) -> None:
    pytest.importorskip("coverage")
    for core in ("ctrace", "sysmon") if sys.version_info >= (3, 12) else ("ctrace",):
        environment = os.environ | {"COVERAGE_CORE": core, "COVERAGE_FILE": str(tmp_path / "data")}
        assert "right" in run(["-m", "coverage", "run", "--branch", script], env=environment)


def test_debugger(script: Path) -> None:
    """Stepping through, with a breakpoint in what is differentiated, and a gradient at the prompt."""
    line = next(i for i, line in enumerate(SCRIPT.splitlines(), 1) if "for v in range(3)" in line)
    asked = "p adjoint.grad(structured)(0.5) == 4 * math.cos(0.5) - 1.0"
    shown = run(["-m", "pdb", script], f"b {line}\nc\nn\n{asked}\ncl 1\nc\nq\n")
    assert f"({line})recorded()" in shown and "(Pdb) True" in shown and "right" in shown


def test_debugger_that_runs_a_statement(script: Path) -> None:
    assert "right" in run(["-c", "import pdb, written; pdb.run('written.main()')"], "s\nn\nc\n", cwd=script.parent)


def test_pytest_rewrites_asserts(script: Path) -> None:
    test = script.with_name("test_written.py")
    test.write_text(SCRIPT + "\ndef test_all():\n    assert main() is None\n")
    config = script.with_name("reporting.ini")
    config.write_text("[pytest]\nenable_assertion_pass_hook = true\n")
    options = ["-q", "-p", "no:cacheprovider", "--doctest-modules", "-c", config]
    assert "2 passed" in run(["-m", "pytest", *options, test], cwd=script.parent)


def test_doctest(script: Path) -> None:
    module = types.ModuleType("written")
    exec(compile(SCRIPT, str(script), "exec"), module.__dict__)
    module.__file__ = str(script)
    assert doctest.testmod(module) == (0, 6)


def test_text_in_linecache() -> None:
    for i in range(2):  # the same name again, for another text
        text = (
            f"import numpy as np\ndef f(x):\n    return np.sum(x * x) * {i + 1}.0\ng = lambda x: np.sum(x) ** {i + 2}\n"
        )
        linecache.cache["<made up>"] = (len(text), None, text.splitlines(True), "<made up>")
        namespace: dict[str, Any] = {}
        exec(compile(text, "<made up>", "exec"), namespace)
        assert gradient(namespace["f"], 3.0) == (6.0 * (i + 1),)
        assert gradient(namespace["g"], 1.0) == (i + 2.0,)
    del linecache.cache["<made up>"]


def test_console() -> None:
    """What is typed has a text where the interpreter keeps it; else it is refused."""
    typed = "import adjoint\ndef f(x): return x * x\n\ntry: print(adjoint.gradient(f, 3.0))\n"
    typed += "except adjoint.errors.AdjointError as e: print(e)\n\n"
    shown = run(["-i"], typed)
    assert "(6.0,)" in shown or "the text of <stdin> cannot be read" in shown
    if sys.version_info >= (3, 13):
        assert "(6.0,)" in shown
    console = code.InteractiveConsole({"gradient": gradient})
    for line in ("def f(x): return x * x", "", "try: y = gradient(f, 3.0)", "except Exception as e: y = e", ""):
        console.push(line)
    y = console.locals["y"]
    assert y == (6.0,) or isinstance(y, errors.SourceUnavailableError) and "<console>" in str(y)


def test_decorated_under_a_tracer() -> None:
    """A tracer of calls, lines and instructions, put in while gradients are taken."""

    def keep(f: Any) -> Any:
        @functools.wraps(f)
        def inner(x):
            return f(x) + f(x)

        return inner

    @keep
    def f(x):
        return x * x

    seen = StringIO()

    def trace(frame: Any, event: str, argument: Any) -> Any:
        frame.f_trace_opcodes = True
        seen.write(event[0])
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        assert grad(f)(3.0) == 12.0 and grad(grad(f))(3.0) == 4.0
    finally:
        sys.settrace(before)
    assert "o" in seen.getvalue()

"""The command line: what it prints, where, and its exit codes."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import adjoint
from adjoint.cli import main

FUNCTIONS = """
import numpy as np
from adjoint import rule

def square(x):
    return x * x

def total(xs):
    return np.sum(np.sin(xs))

def fails(x):
    raise RuntimeError("on purpose")

def planted(x):
    return x

@rule(planted)
def planted_rule(x):
    def planted_back(y_bar):
        return (2 * y_bar,)
    return x, planted_back

def steps(x):
    return 2 * int(x)

async def later(x):
    return x

constant = 3


def nothing_given():
    return 2.0


class Model:
    def __init__(self, x):
        self.x = x


def evaluates(x):
    return eval("2.0") * x


def scaled(x, k=1.0, *, kind="a", lines=2.0):
    return x * k * lines if kind == "a" else x


class Spring:
    def force(self, x):
        return x

    def __call__(self, x):
        return x * x

spring = Spring()
"""


@pytest.fixture
def functions(tmp_path):
    path = tmp_path / "functions_for_the_command_line.py"
    path.write_text(FUNCTIONS)
    yield str(path)
    sys.modules.pop(path.stem, None)


def test_show(functions, capsys):
    assert main(["show", f"{functions}:square", "3.0"]) == 0
    assert "def " in capsys.readouterr().out


@pytest.mark.parametrize("form", ["adjoint", "primal", "ir"])
def test_show_forms(functions, form, capsys):
    assert main(["show", "--form", form, f"{functions}:square", "3.0"]) == 0
    assert capsys.readouterr().out.strip()


def test_explain(functions, capsys):
    assert main(["explain", f"{functions}:steps", "2.5"]) == 0
    out = capsys.readouterr().out
    assert "`steps` is transformed\nnothing of it reaches `x`\n" in out and "`int(x)`: what it gives changes" in out
    assert main(["explain", f"{functions}:later", "2.5"]) == 1
    assert "refused:\n  - `later` is asynchronous\n" in capsys.readouterr().out


def test_explore(functions, tmp_path, monkeypatch, capsys):
    page = tmp_path / "page.html"
    assert main(["explore", f"{functions}:total", "[0.1, 0.2]", "--arrays", "-o", str(page)]) == 0
    assert capsys.readouterr().out.startswith(f"{page}: ") and "np.sum(np.sin(xs))" not in page.name
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    monkeypatch.chdir(tmp_path)
    assert main(["explore", f"{functions}:steps", "2.5", "--lines", "22-23"]) == 0
    assert "as <code>lines</code> asks for" in (tmp_path / "steps.html").read_text(encoding="utf-8")
    assert main(["explore", f"{functions}:square", "3.0", "-o", str(tmp_path / "none" / "page.html")]) == 2
    assert "there is no folder" in capsys.readouterr().err
    assert main(["explore", f"{functions}:square", "3.0", "-o", str(tmp_path)]) == 2
    assert "nothing can be written to" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["explore", f"{functions}:square", "3.0", "--lines", "5-2"])


@pytest.mark.parametrize(
    "words",
    [
        ["{}", "-o", "{page}", "3.0", "k=2.0"],
        ["-o", "{page}", "{}", "3.0", "k=2.0"],
        ["{}", "3.0", "-o", "{page}", "k=2.0"],
        ["{}", "--arrays", "3.0", "-o", "{page}", "k=2.0"],
        ["{}", "-o", "{page}", "-3.0", "k=-2.0"],
    ],
)
def test_values_stand_before_and_behind_options(functions, tmp_path, words):
    page = tmp_path / "page.html"
    given = [text.format(f"{functions}:scaled", page=page) for text in words]
    assert main(["explore", *given]) == 0 and page.exists()


def test_arrays_stands_before_the_lists(functions, capsys):
    assert main(["show", "--arrays", f"{functions}:total", "[1.0,2.0]"]) == 0
    behind = capsys.readouterr().out
    assert main(["show", f"{functions}:total", "[1.0,2.0]", "--arrays"]) == 0
    assert behind == capsys.readouterr().out
    assert main(["show", f"{functions}:total", "--arrays", "[1.0,2.0]"]) == 0
    assert behind == capsys.readouterr().out


@pytest.mark.parametrize(
    "words, message",
    [
        (["explore", "{}:square", "3.0", "--linse", "1-2"], "unrecognized arguments: --linse 1-2\n"),
        (["explore", "{}:square", "3.0", "--lines", "120-100"], "the first line, 120, is larger than the last, 100\n"),
        (["rules", "sin", "cos"], "unrecognized arguments: cos\n"),
    ],
)
def test_wrong_words_show_the_usage_of_their_command(functions, words, message, capsys):
    with pytest.raises(SystemExit):
        main([text.format(functions) for text in words])
    said = capsys.readouterr().err
    assert said.startswith(f"usage: adjoint {words[0]} ") and said.endswith(message)


def test_check(functions):
    assert main(["check", f"{functions}:square", "3.0"]) == 0
    assert main(["check", f"{functions}:total", "[0.1, 0.2]", "--arrays"]) == 0


def test_a_check_that_fails(functions, capsys):
    assert main(["check", f"{functions}:planted", "0.5"]) == 1
    assert "wrong" in capsys.readouterr().out


def test_a_module_on_the_path():
    assert main(["check", "math:sin", "0.5"]) == 0


@pytest.mark.parametrize(
    ("target", "values", "code", "message"),
    [
        ("{}:square", ["import"], 2, "'import' is not a Python literal"),
        ("{}:square", [], 2, ":square is called as square(x): missing a required argument: 'x'"),
        ("{}:square", ["1", "2"], 2, ":square is called as square(x): too many positional arguments"),
        ("{}:square", ["3"], 2, "no floating-point number among the values"),
        ("{}:nothing", ["1.0"], 2, "there is no 'nothing'"),
        ("{}:constant", ["1"], 2, "cannot be called"),
        ("no_such_module:f", ["1"], 2, "there is no module no_such_module"),
        ("no_such_file.py:f", ["1"], 2, "there is no file no_such_file.py"),
        ("square", ["1"], 2, "not of the form module:function"),
        ("{}:fails", ["1.0"], 1, "RuntimeError: on purpose\n  {}:12:5\n    raise RuntimeError("),
        ("numpy.linalg:inv", ["[[0.0, 0.0], [0.0, 0.0]]"], 1, "LinAlgError: Singular matrix\n"),
        ("{}:later", ["1.0"], 1, "later"),
    ],
)
def test_errors_have_no_traceback(functions, target, values, code, message, capsys):
    assert main(["check", target.format(functions), *values]) == code
    out, err = capsys.readouterr()
    assert message.format(functions) in err and err.startswith("adjoint: ") and "Traceback" not in err
    assert code == 2 or "/numpy/" not in err
    assert out == ""


@pytest.mark.parametrize("arguments", [[], ["dance"], ["demo", "suns"], ["demo", "moons", "--steps", "0"]])
def test_wrong_calls_exit_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "usage: adjoint" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--help"], ["demo", "--help"], ["show", "--help"], ["check", "--help"]])
def test_help_exits_with_0(arguments, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 0
    assert "usage: adjoint" in capsys.readouterr().out


def test_version(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"adjoint {adjoint.__version__}\n"


def test_an_output_that_cannot_be_written_is_noticed_before_the_training(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("adjoint.cli._examples", lambda: pytest.fail("trained"))
    (tmp_path / "taken").write_text("")
    for output in (tmp_path / "taken", tmp_path / "taken" / "below", Path("/proc/nothing")):
        assert main(["demo", "moons", "--output", str(output)]) == 2
        assert f"nothing can be written to {output}: " in capsys.readouterr().err


def test_errors_of_what_the_command_line_itself_calls_have_no_place(capsys):
    assert main(["show", "math:sin", "1.0"]) == 1
    err = capsys.readouterr().err
    assert "there is no source of `sin` to show" in err and "^" not in err


def test_as_a_module():
    done = subprocess.run([sys.executable, "-m", "adjoint", "check", "math:exp", "0.5"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_rules(capsys):
    assert main(["rules", "numpy.linalg.de?"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "function          library  derivative",
        "numpy.linalg.det  numpy    rule",
    ]
    assert main(["rules", "numpy.abs"]) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert row.split() == ["numpy.absolute", "numpy", "partials", "also", "numpy.abs"]
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 500 and len({line.index(line.split()[1], len(line.split()[0])) for line in lines[:9]}) == 1


def test_rules_that_are_not_there(capsys):
    assert main(["rules", "numpy.nothing"]) == 1
    assert capsys.readouterr().err == "adjoint: no function with rules has 'numpy.nothing' in its name\n"


def test_rules_of_libraries_are_loaded_when_they_are_asked_for():
    program = "import sys; from adjoint.cli import main; print(main(sys.argv[1:]), 'scipy.special' in sys.modules)"
    for arguments, loaded in [(["rules", "numpy.sin"], "0 False"), (["rules", "scipy.special"], "True")]:
        command = [sys.executable, "-W", "ignore", "-c", program, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout.splitlines()[-1].endswith(loaded if importlib.util.find_spec("scipy") else "False")


def test_rules_of_libraries_that_are_not_named(capsys):
    pytest.importorskip("scipy")
    assert main(["rules", "schur"]) == 0
    assert "scipy.linalg.schur" in capsys.readouterr().out


def test_rules_of_libraries_that_are_not_installed(capsys, monkeypatch):
    monkeypatch.setattr("adjoint.cli.import_libraries", lambda names: list(names))
    monkeypatch.setattr("adjoint.cli.listed", lambda pattern: [])
    assert main(["rules", "scipy.special.gamma"]) == 2
    assert capsys.readouterr().err == "adjoint: scipy.special is not installed: pip install 'scipy>=1.15'\n"


def test_lines_that_are_not_there(functions, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert main(["explore", f"{functions}:steps", "3.0", "-o", str(page), "--lines", "1-2"]) == 2
    assert capsys.readouterr().err == (
        "adjoint: --lines 1-2: `steps` has lines 23 to 24; write --lines 23-24, or none for all lines\n"
    )
    assert not page.exists()


def test_values_may_be_left_out(functions, capsys):
    with pytest.raises(SystemExit):
        main(["explore"])
    assert capsys.readouterr().err.endswith("are required: module:function\n")
    assert main(["show", f"{functions}:nothing_given"]) == 0


def test_a_class_is_no_function(functions, capsys):
    assert main(["explore", f"{functions}:Model", "1.0"]) == 1
    assert "why: it is a class: " in capsys.readouterr().err


def test_values_with_names(functions, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    scaled = f"{functions}:scaled"
    assert main(["explore", scaled, "3.0", "k=2.0", "kind='a'", "-o", "page.html"]) == 0
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert ">scaled(x, k, kind)</code>" in text and ">12</code>" in text
    assert main(["check", scaled, "3.0", "k=2.0", "lines=3.0"]) == 0
    assert main(["check", scaled, "3", "k=2"]) == 2  # no float, with a name or without
    assert main(["explain", scaled, "x=3.0", "kind='b'"]) == 0
    capsys.readouterr()
    assert main(["show", scaled, "3.0", "k=[1.0, 2.0]", "--arrays"]) == 0
    assert "def scaled_rrule(x, k, kind, lines):" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("target", "values", "message"),
    [
        ("scaled", ["k=2.0", "3.0"], "'3.0' stands behind a value with a name"),
        ("scaled", ["3.0", "k=1.0", "k=2.0"], "`k` is given twice"),
        ("scaled", ["3.0", "kind=a"], """'a' is not a Python literal: a text stands in quotes twice, "'a'\""""),
        (
            "scaled",
            ["3.0", "speed=1.0"],
            "scaled(x, k=1.0, *, kind='a', lines=2.0): got an unexpected keyword argument",
        ),
        ("scaled", ["3.0", "lines=1.0"], "`lines` is an option of the command: give that of "),
        (
            "Spring.force",
            ["3.0"],
            "`Spring.force` is a method: give a Spring first, or take that of one, `Spring(...).",
        ),
        ("spring", [], "is called as spring(x): missing"),
    ],
)
def test_wrong_values_with_names(functions, target, values, message, capsys):
    assert main(["explore", f"{functions}:{target}", *values]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("x", ["-1e-3", "-inf", "-2.", "-.5", "-3", "-1_000.0", "-(2.0)", "-nan", "inf"])
def test_negative_numbers_are_values(x, functions, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    scaled = f"{functions}:scaled"
    assert main(["show", scaled, x, "2.0"]) == main(["explain", scaled, "2.0", x, "lines=-1e-3"]) == 0
    assert main(["explore", scaled, x, "2.0", "-o", "page.html"]) == 0
    assert (tmp_path / "page.html").exists()
    assert main(["check", scaled, "-1e-3", "-2e-3"]) == 0
    monkeypatch.setattr(sys, "argv", ["adjoint", "show", scaled, x, "-2e3"])
    assert main() == 0
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(["show", scaled, "1.0", "-x"])
    assert "unrecognized arguments: -x" in capsys.readouterr().err


def test_a_method_of_an_object_is_explored(functions, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["explore", f"{functions}:spring.force", "2.0"]) == 0
    assert main(["explore", f"{functions}:spring", "2.0"]) == 0
    assert {path.name for path in tmp_path.glob("*.html")} == {"force.html", "Spring.html"}


def test_a_method_of_no_object_is_told_of():
    class Spring:
        def force(self, x):
            return x

    with pytest.raises(TypeError, match="missing 1 required positional argument") as found:
        adjoint.explore(Spring.force, 2.0)
    assert found.value.__notes__ == [
        "`Spring.force` is a method: give a Spring first, or take that of one, `Spring(...).force`"
    ]


def test_explore_of_what_is_refused(functions, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert main(["explore", f"{functions}:evaluates", "3.0", "-o", str(page)]) == 1
    assert "there is no derivative: `eval` is not differentiated" in capsys.readouterr().err
    text = page.read_text("utf-8")
    assert "<em>no derivative</em>" in text and "nothing flows" not in text and "recorded from its tree" not in text
    assert "cannot differentiate a call of <code>eval</code>" in text and '<code title="6.0">6</code>' in text

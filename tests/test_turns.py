"""Turns of tests: each has its turn, each rule a test in twenty-four days, and all run when all are asked for."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import turns
from rules.test_samples import samples
from turns import FAMILIES, MANY, VERY_MANY, Parameters, days_until, in_turn, rule_of, subjects_of, waiting

SAMPLES = "tests/rules/test_samples.py::test_rule"
START = datetime.date(2026, 1, 31)


def days(n: int) -> list[datetime.date]:
    return [START + datetime.timedelta(i) for i in range(n)]


@pytest.fixture(scope="module")
def parameters() -> dict[str, Parameters]:
    """Names and parameters of the samples of rules, and of tests of no family."""
    named = {f"{SAMPLES}[{label}-{i}]": {"s": s} for i, (label, s) in enumerate(samples())}
    return {**named, f"{SAMPLES}_too[a]": {}, "tests/test_api.py::test_grad[a]": {}}


@pytest.fixture(scope="module")
def left_out(parameters: dict[str, Parameters]) -> list[set[str]]:
    """What waits on each day of the longest round."""
    subjects, n = subjects_of(parameters), max(family.turns for family in FAMILIES.values())
    return [waiting(subjects, day) for day in days(n)]


def test_each_test_runs_within_a_round(left_out: list[set[str]]) -> None:
    assert set.intersection(*left_out) == set()
    assert set.intersection(*left_out[:2]) != set()


def test_each_rule_is_tested_in_twenty_four_days(parameters: dict[str, Parameters], left_out: list[set[str]]) -> None:
    of = {nodeid: rule_of(p) for nodeid, p in parameters.items() if p}
    assert len(left_out) == FAMILIES[SAMPLES].turns
    for i in range(len(left_out) - 23):
        assert len(left_out[i]) > len(parameters) / 3
        ran = of.keys() - set.intersection(*left_out[i : i + 24])
        assert {of[nodeid] for nodeid in ran} == set(of.values())


def test_what_is_of_no_family_never_waits(left_out: list[set[str]]) -> None:
    for waiting_then in left_out:
        assert {nodeid.partition("[")[0] for nodeid in waiting_then} == {SAMPLES}


@pytest.mark.parametrize(("n", "turns"), [(MANY, 6), (VERY_MANY - 1, 6), (VERY_MANY, 12), (300, 12)])
def test_of_many_tests_of_one_function_a_sixth_or_a_twelfth_runs(n: int, turns: int) -> None:
    few = {f"tests/test_a.py::test_few[{i}]": {} for i in range(MANY - 2)}
    many = {f"tests/test_a.py::test_many[{i}]": {} for i in range(n)}
    pages = {f"tests/test_docs.py::test_page[{i}]": {} for i in range(100)}
    subjects = subjects_of({**few, **many, **pages, "tests/test_a.py::test_one": {}})
    assert set(subjects) == {"tests/test_a.py::test_many"}
    chosen = [many.keys() - waiting(subjects, day) for day in days(turns)]
    assert set().union(*chosen) == set(many) != set().union(*chosen[1:]) and all(chosen)
    assert n < 300 or all(n / turns / 2 < len(ran) < n / turns * 2 for ran in chosen)


def test_of_the_rest_of_a_file_a_third_runs() -> None:
    rest = {f"tests/test_a.py::test_{k}[{i}]": {} for i in range(MANY - 1) for k in "abcdefgh"}
    many = {f"tests/test_a.py::test_many[{i}]": {} for i in range(MANY)}
    short = {f"tests/test_b.py::test_{i}": {} for i in range(MANY - 1)}
    pages = {f"tests/test_docs.py::test_{i}": {} for i in range(100)}
    subjects = subjects_of({**rest, **many, **short, **pages})
    assert {family: set(of) for family, of in subjects.items()} == {
        "tests/test_a.py": set(rest), "tests/test_a.py::test_many": set(many)
    }  # fmt: skip
    chosen = [rest.keys() - waiting(subjects, day) for day in days(3)]
    assert all(len(rest) / 6 < len(ran) < len(rest) / 2 for ran in chosen) and set().union(*chosen) == set(rest)


def test_of_a_file_that_takes_long_a_sixth_runs_but_for_what_has_turns_of_its_own() -> None:
    file = "tests/runtime/test_length.py"
    tests = {f"{file}::test_{i}": {} for i in range(VERY_MANY - 1)}
    own = {f"{file}::test_long[{i}]": {} for i in range(20)}
    subjects = subjects_of({**tests, **own})
    assert {family: set(of) for family, of in subjects.items()} == {file: set(tests), f"{file}::test_long": set(own)}
    chosen = [tests.keys() - waiting(subjects, day) for day in days(6)]
    assert all(len(ran) < 12 for ran in chosen) and set().union(*chosen) == set(tests)


def test_a_turn_stays_when_tests_are_added() -> None:
    few = {f"test[{i}]": None for i in range(50)}
    more = {f"test[{i}]": None for i in range(100)}
    for day in days(4):
        assert in_turn(few, 4, day) <= in_turn(more, 4, day) | {min(few, key=lambda n: (days_until(n, 4, day), n))}


def test_the_only_test_of_something_runs_every_day() -> None:
    assert all(in_turn({"test[a]": "a", "test[b]": "b"}, 7, day) == {"test[a]", "test[b]"} for day in days(7))


def test_the_only_test_of_something_runs_in_so_many_days() -> None:
    chosen = [in_turn({"test[a]": "a"}, 7, day, every=3) for day in days(42)]
    assert all(set().union(*chosen[i : i + 3]) == {"test[a]"} for i in range(40)) and set() in chosen


def test_of_several_another_runs_each_day() -> None:
    several = {f"test[{i}]": "same" for i in range(9)}
    chosen = [frozenset(in_turn(several, 9, day)) for day in days(9)]
    assert len(set(chosen)) > 3 and set().union(*chosen) == set(several)


def test_every_family_is_there() -> None:
    for family in FAMILIES:
        file, _, function = family.partition("::")
        text = (Path(__file__).parents[1] / file).read_text()
        assert not function or f"def {function}(" in text, family


SUITE = {
    "pytest.ini": "[pytest]\ntestpaths = tests\npythonpath = {tests} {src} tests\naddopts = --import-mode=importlib\n",
    "tests/conftest.py": "import turns\n"
    "turns.FAMILIES = {{'tests/test_many.py::test_one': turns.Family(4, \"each rest\", lambda p: p['x'] % 2)}}\n"
    "exec(compile(open({conftest!r}).read(), {conftest!r}, 'exec'))\n",
    "tests/test_many.py": "import pytest\n@pytest.mark.parametrize('x', range(40))\ndef test_one(x): pass\n"
    "@pytest.mark.parametrize('x', range(60))\ndef test_two(x): pass\n"
    "@pytest.mark.parametrize('x', range(5))\ndef test_few(x): pass\n",
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite of two functions, one of which takes turns."""
    root, here = tmp_path_factory.mktemp("suite"), Path(__file__).parent
    for name, text in SUITE.items():
        (root / name).parent.mkdir(exist_ok=True)
        paths = {"tests": here, "src": here.parent / "src", "conftest": str(here / "conftest.py")}
        (root / name).write_text(text.format(**paths))
    return root


def run(root: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    """How many tests pytest ran, and what it printed."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ADJOINT_", "PYTEST_"))}
    done = subprocess.run(command, cwd=root, env={**kept, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return int(done.stdout.split(" passed")[0].split()[-1]), done.stdout


def test_a_run_of_the_whole_suite_says_what_ran(suite: Path) -> None:
    n, text = run(suite, "-n", "2", ADJOINT_DAY="2026-01-31")
    listed = (suite / "build" / "ran.txt").read_text().split()
    ones, twos, few = (sum(f"test_{name}[" in nodeid for nodeid in listed) for name in ("one", "two", "few"))
    assert len(listed) == n == ones + twos + few and 2 < ones < 30 and 2 < twos < 30 and few == 5
    assert f"{ones} of tests/test_many.py::test_one: one turn of 4, and one test for each rest" in text
    assert (
        "of other functions with 8 tests or more: one turn of 6; of the rest of a file that has so many: one of 3"
        in text
    )
    assert "again by ADJOINT_DAY=2026-01-31" in text


@pytest.mark.parametrize(
    ("source", "keyword", "thorough", "taken"),
    [
        ("TESTPATHS", "", "", True),
        ("TESTPATHS", "", "0", True),
        ("TESTPATHS", "", "1", False),
        ("TESTPATHS", "sin", "", False),
        ("ARGS", "", "", False),
    ],
)
def test_nothing_waits_that_is_asked_for(
    source: str, keyword: str, thorough: str, taken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADJOINT_THOROUGH", thorough)
    sources = pytest.Config.ArgsSource
    config: Any = SimpleNamespace(
        args_source=sources[source], ArgsSource=sources, option=SimpleNamespace(keyword=keyword)
    )
    assert turns.are_taken(config) is taken

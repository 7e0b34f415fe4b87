"""What all tests share: the package in subprocesses, a cache of their own, and turns of many tests of one function."""

from __future__ import annotations

import gc
import importlib.util
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import turns
from interop import needed

import adjoint
from adjoint.faults import SHOWN

RAN = Path("build/ran.txt")
"""Where a run of the whole suite writes which tests it had."""


@pytest.fixture(autouse=True, scope="session")
def the_same_adjoint_in_subprocesses() -> Iterator[None]:
    """Subprocesses import the package that is tested, installed or not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(adjoint.__file__).parents[1]), prepend=os.pathsep)
        yield


@pytest.fixture(autouse=True, scope="session")
def no_cache_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compiled programs of tests are kept for the time of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADJOINT_CACHE_DIR", str(tmp_path_factory.mktemp("programs", numbered=True)))
        yield


def pytest_configure() -> None:
    absent = [name for name in needed.required() if importlib.util.find_spec(name) is None]
    if absent:  # whatever would be skipped for it
        raise pytest.UsageError(f"{needed.REQUIRE} names {', '.join(absent)}, which are not installed")
    os.environ.setdefault(SHOWN, "1")
    os.environ.setdefault(turns.DAY, turns.day().isoformat())  # one day for all processes, past midnight too


def pytest_collection() -> None:
    gc.disable()  # all that is collected stays


def pytest_collection_finish() -> None:
    gc.freeze()  # nothing of it is looked at again
    gc.set_threshold(1_000_000, 20, 20)
    gc.enable()


def pytest_runtest_logfinish() -> None:
    """What a collection has left alive stays so: programs, traces, reports. To look through it again and again would
    take a quarter of the time, and a second time a twentieth; this waits for the end of a test, as some ask for what
    is collected."""
    if gc.get_count()[1]:
        gc.freeze()


LAST = "tests/security/"
"""Tests that leave a hook behind, by which Python is slower."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if addresses := [item.nodeid for item in items if " at 0x" in item.nodeid]:
        raise pytest.UsageError(f"names of tests with addresses, which differ from run to run: {addresses[:3]}")
    if turns.are_taken(config):
        parameters = {i.nodeid: i.callspec.params if hasattr(i, "callspec") else {} for i in items}
        waiting = turns.waiting(turns.subjects_of(parameters), turns.day())
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in waiting])
        items[:] = [item for item in items if item.nodeid not in waiting]
    items.sort(key=lambda item: item.nodeid.startswith(LAST))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if not turns.are_taken(config):
        return
    reports = [report for found in terminalreporter.stats.values() for report in found]
    nodeids = {report.nodeid for report in reports if isinstance(report, pytest.TestReport)}
    ran = sorted(nodeids)
    if not ran:
        return
    path = config.rootpath / RAN
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join([f"{nodeid}\n" for nodeid in ran]))
    counts = Counter(map(turns.family_of, ran))
    for family, how in turns.FAMILIES.items():
        terminalreporter.write_line(
            f"{counts[family]} of {family}: one turn of {how.turns}, and one test for {how.each}"
        )
    many, very_many = turns.MANY, turns.VERY_MANY
    terminalreporter.write_line(
        f"of other functions with {many} tests or more: one turn of {turns.IN_SIX.turns}; of the rest of a file that "
        f"has so many: one of {turns.IN_THREE.turns}; from {very_many} on {turns.IN_TWELVE.turns} for 6"
    )
    terminalreporter.write_line(f"listed in {RAN}; again by {turns.DAY}={turns.day()}, all by {turns.THOROUGHLY}=1")

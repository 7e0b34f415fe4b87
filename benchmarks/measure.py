"""How the benchmarks measure: interleaved rounds, medians, ratios; one thread, one process, one table each.

Import this first: it sets the number of threads before NumPy is loaded.
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ[variable] = "1"
os.environ.setdefault("ADJOINT_CACHE_DIR", "0")  # a first call compiles, whatever earlier processes have kept

import datetime  # noqa: E402
import gc  # noqa: E402
import importlib.metadata  # noqa: E402
import importlib.util  # noqa: E402
import platform  # noqa: E402
import statistics  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from dataclasses import dataclass, field  # noqa: E402
from pathlib import Path  # noqa: E402

RESULTS = Path(__file__).parent / "results"


def medians(
    rounds: int, seconds: float = 0.01, collector: bool = False, **functions: Callable[[], object]
) -> dict[str, float]:
    """Seconds per call of each function: medians over rounds in which all take turns."""
    return {name: statistics.median(values) for name, values in turns(rounds, seconds, collector, **functions).items()}


def turns(
    rounds: int, seconds: float = 0.01, collector: bool = False, **functions: Callable[[], object]
) -> dict[str, list[float]]:
    """Seconds per call of each function, in each of the rounds in which all take turns; the `collector` of garbage is
    off, or as it is.

    In each round a function is called as often as fits into `seconds`. Taking turns lets a slow moment of the machine
    hit all alike, so that the ratio of two of them is steadier than either. The clock is the processor's, of all
    threads: what other processes take does not count, and a rival gains nothing by a second thread.
    """
    repeats = {}
    for name, function in functions.items():
        _warm(function)
        start = time.process_time()
        function()
        repeats[name] = max(1, int(seconds / max(time.process_time() - start, 1e-9)))
    times: dict[str, list[float]] = {name: [] for name in functions}
    gc.collect()
    if not collector:
        gc.disable()
    try:
        for _ in range(rounds):
            for name, function in functions.items():
                start = time.process_time()
                for _ in range(repeats[name]):
                    function()
                times[name].append((time.process_time() - start) / repeats[name])
    finally:
        gc.enable()
    return times


def _warm(function: Callable[[], object], calls: int = 4, seconds: float = 0.5) -> None:
    """Call a function a few times, or until that took so long: the second call may make what the first one showed."""
    start = time.process_time()
    for _ in range(calls):
        function()
        if time.process_time() - start > seconds:
            return


def fresh(program: str, compiled: str) -> float:
    """The number that a program prints, run in a process of its own.

    Byte code is kept in the folder `compiled`, as it is for what pip installed, and so is what Numba compiles.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPYCACHEPREFIX": compiled, "ADJOINT_CACHE_DIR": os.path.join(compiled, "kept")}
    command = [sys.executable, "-c", program]
    return float(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)


def installed(package: str) -> bool:
    """Whether a rival is there to be measured."""
    return importlib.util.find_spec(package) is not None


@dataclass
class Table:
    """What one benchmark found, written to results/<name>.md."""

    name: str
    title: str
    method: str
    rows: list[tuple[str, str, str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    details: list[str] = field(default_factory=list)
    """Lines that stand below the table."""
    columns: tuple[str, ...] = ()
    """Heads of further columns: what rivals take, in the unit of the row."""
    beside: dict[str, dict[str, float]] = field(default_factory=dict)
    """By row, what stands in these columns."""

    def at_most(self, what: str, measured: float, limit: float, unit: str = "") -> None:
        """A figure that must not exceed its limit."""
        self._row(what, measured, f"at most {limit:g}{unit}", unit, measured <= limit)

    def at_least(self, what: str, measured: float, limit: float, unit: str = "") -> None:
        """A figure that must reach its limit."""
        self._row(what, measured, f"at least {limit:g}{unit}", unit, measured >= limit)

    def report(self, what: str, measured: float, unit: str = "") -> None:
        """A figure without a limit."""
        self.rows.append((what, f"{measured:.3g}{unit}", "", ""))

    def skip(self, rival: str) -> None:
        """A rival that is not installed."""
        self.notes.append(f"{rival} is not installed: not measured.")

    def _row(self, what: str, measured: float, limit: str, unit: str, met: bool) -> None:
        self.rows.append((what, f"{measured:.3g}{unit}", limit, "yes" if met else "**no**"))

    def _beside(self, what: str) -> list[str]:
        """What stands in the further columns of a row."""
        found = self.beside.get(what, {})
        return [f"{found[column]:.3g}" if column in found else "" for column in self.columns]

    @property
    def met(self) -> bool:
        """Whether every limit was met."""
        return all(verdict != "**no**" for *_, verdict in self.rows)

    def write(self) -> bool:
        """Print the table, store it, and say whether every limit was met."""
        lines = [f"# {self.title}", "", self.method, ""]
        lines += [f"| {' | '.join(('what', 'measured', 'limit', 'met', *self.columns))} |"]
        lines += ["| --- | ---: | --- | --- |" + " ---: |" * len(self.columns)]
        lines += [f"| {' | '.join((*row, *self._beside(row[0])))} |" for row in self.rows]
        lines += ["", *self.details, ""] if self.details else [""]
        lines += [f"{note}  " for note in self.notes] + [_machine(), ""]
        text = "\n".join(lines)
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{self.name}.md").write_text(text, encoding="utf-8")
        print(text)
        return self.met


def _machine() -> str:
    packages = ("numpy", "numba", "torch", "jax", "autograd")
    versions = [f"{name} {importlib.metadata.version(name)}" for name in packages if installed(name)]
    return (
        f"{datetime.date.today()}, Python {platform.python_version()}, {', '.join(versions)}, one thread, "
        f"{_processor()}, {platform.system()} {platform.machine()}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} "
        "processors."
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()

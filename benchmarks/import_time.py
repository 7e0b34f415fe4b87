"""What `import adjoint` adds to `import numpy`, in fresh processes."""

from __future__ import annotations

import statistics
import subprocess
import sys

from measure import Table

ROUNDS = 15
CODE = "import time, numpy; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"


def seconds(module: str) -> float:
    """How long importing `module` takes once NumPy is loaded."""
    done = subprocess.run([sys.executable, "-c", CODE.format(module)], capture_output=True, text=True, check=True)
    return float(done.stdout)


def main() -> bool:
    """Measure and write the table."""
    seconds("adjoint")
    ours, plums = zip(*((seconds("adjoint"), seconds("plum")) for _ in range(ROUNDS)), strict=True)
    table = Table("import_time", "Import time", f"Medians of {ROUNDS} fresh processes, in turns.")
    table.at_most("import adjoint, after numpy", statistics.median(ours) * 1e3, 150, " ms")
    table.report("of which plum", statistics.median(plums) * 1e3, " ms")
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())

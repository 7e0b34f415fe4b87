"""What `import adjoint` adds to `import numpy`, in fresh processes."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile

from measure import Table

ROUNDS = 15
CODE = "import time, numpy; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"


def seconds(module: str, compiled: str) -> float:
    """How long importing `module` takes once NumPy is loaded; byte code is kept, as it is for what pip installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = compiled
    command = [sys.executable, "-c", CODE.format(module)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)


def main() -> bool:
    """Measure and write the table."""
    with tempfile.TemporaryDirectory() as compiled:
        for module in ("adjoint", "plum"):
            seconds(module, compiled)
        times = [(seconds("adjoint", compiled), seconds("plum", compiled)) for _ in range(ROUNDS)]
    ours, plums = zip(*times, strict=True)
    table = Table("import_time", "Import time", f"Medians of {ROUNDS} fresh processes, in turns.")
    table.at_most("import adjoint, after numpy", statistics.median(ours) * 1e3, 150, " ms")
    table.report("plum alone, loaded with the first rule that is looked up", statistics.median(plums) * 1e3, " ms")
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())

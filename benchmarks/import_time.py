"""What `import adjoint` adds to `import numpy`, and what a first gradient loads after it, in fresh processes."""

from __future__ import annotations

import statistics
import tempfile

from measure import Table, fresh

ROUNDS = 15
ADJOINT = "import time, numpy; start = time.process_time(); import adjoint; print(time.process_time() - start)"
TO_GRADIENT = """
import time, numpy, operator
start = time.process_time()
import adjoint
adjoint.gradient(operator.mul, 2.0, 3.0)
print(time.process_time() - start)
"""


def main() -> bool:
    """Measure and write the table."""
    programs = ADJOINT, TO_GRADIENT
    with tempfile.TemporaryDirectory() as compiled:
        for program in programs:
            fresh(program, compiled)
        times = [[fresh(program, compiled) for program in programs] for _ in range(ROUNDS)]
    ours, to_gradient = (statistics.median(column) * 1e3 for column in zip(*times, strict=True))
    method = f"After `import numpy`; medians of {ROUNDS} fresh processes, in turns, by the processor's clock."
    table = Table("import_time", "Import time", method)
    table.at_most("import adjoint", ours, 120, " ms")
    table.at_most("import adjoint, and a first gradient of `operator.mul`", to_gradient, 120, " ms")
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())

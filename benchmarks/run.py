"""Run all benchmarks, or those named, each in a process of its own; exit with 1 if a limit was missed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCHMARKS = (
    *(
        "scalar_loop",
        "calls",
        "jacobians",
        "cliffs",
        "by_hand",
        "corpus",
        "libraries",
        "autograd_style",
        "dynamic_calls",
        "loops_compiled",
        "gradbench_times",
        "moons",
        "training",
        "lanes",
        "neurons",
        "operations",
        "indexing",
        "in_place",
        "hessian",
        "modes",
        "costs",
        "stores",
        "first_call",
        "memory",
        "import_time",
        "dask_scaling",
    ),
)


def main(names: list[str]) -> int:
    """Run each benchmark and say which missed a limit."""
    unknown = set(names) - set(BENCHMARKS)
    if unknown:
        print(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    folder = Path(__file__).parent
    failed = [
        name
        for name in names or BENCHMARKS
        if subprocess.run([sys.executable, str(folder / f"{name}.py")], check=False).returncode
    ]
    print(f"missed: {', '.join(failed)}" if failed else "every limit was met")
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

"""Programs in the style of autograd's examples: a gradient, in runs of the function and beside autograd's.

The same text runs for both: `array_programs.py` is loaded once more with `autograd.numpy` in the place of NumPy.
"""

from __future__ import annotations

from measure import Table, installed, turns  # before NumPy: it sets the number of threads

import statistics  # isort: skip
import sys
import tempfile
import types
from pathlib import Path

import array_programs
import numpy as np

from adjoint import value_and_grad

ROUNDS = 9


def with_autograd(folder: Path) -> types.ModuleType:
    """The programs with autograd's NumPy."""
    text = Path(array_programs.__file__).read_text(encoding="utf-8")
    module = types.ModuleType("array_programs_of_autograd")
    exec(
        compile(text.replace("import numpy as np", "import autograd.numpy as np"), str(folder), "exec"), module.__dict__
    )
    return module


def agree(ours: object, theirs: object) -> bool:
    """Whether two gradients by arrays, or by dicts of arrays, are the same."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return all([agree(ours[key], theirs[key]) for key in theirs])
    return np.allclose(ours, theirs, rtol=1e-8, atol=1e-10)


def main() -> int:
    """Measure, write the table, and say whether all limits hold."""
    table = Table(
        "autograd_style",
        "Programs in the style of autograd's examples",
        f"Value and gradient; medians of {ROUNDS} rounds in which all take turns. The ratio to the function is "
        "reported, that to autograd has a limit.",
    )
    with tempfile.TemporaryDirectory() as folder:
        rival = with_autograd(Path(folder)) if installed("autograd") else None
        if rival is None:
            table.skip("autograd")
        for name, args in array_programs.arguments().items():
            f = getattr(array_programs, name)
            ours = value_and_grad(f)
            for _ in range(4):
                _, found = ours(*args)
            runs = {"plain": lambda f=f, args=args: f(*args), "ours": lambda ours=ours, args=args: ours(*args)}
            if rival is not None:
                import autograd

                theirs = autograd.value_and_grad(getattr(rival, name))
                assert agree(found, theirs(*args)[1]), name
                runs["autograd"] = lambda theirs=theirs, args=args: theirs(*args)
            times = {what: statistics.median(values) for what, values in turns(ROUNDS, 0.03, **runs).items()}
            table.report(f"{name}: in runs of the function", times["ours"] / times["plain"])
            if rival is not None:
                table.at_most(f"{name}: in gradients of autograd", times["ours"] / times["autograd"], 1.0)
    return 0 if table.write() else 1


if __name__ == "__main__":
    sys.exit(main())

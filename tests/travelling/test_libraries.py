"""Rules of libraries that a program asks for by an import: they are asked for where its functions arrive, too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from interop.needed import needed

SENDER = """
import pickle, sys
import cloudpickle
import {library} as library
import adjoint, adjoint.interop.{library}
from adjoint.dask.parts import Sent

S = {data}

def loss(w):
    return ((S * w - 1.0) ** 2).sum()

expected = float(adjoint.grad(loss)(2.0))
assert expected == 44.0
with open(sys.argv[1], "wb") as file:
    pickle.dump([cloudpickle.dumps(adjoint.grad(loss)), cloudpickle.dumps(Sent(adjoint.grad(loss)))], file)
"""

RECEIVER = """
import pickle, sys
with open(sys.argv[1], "rb") as file:
    first, second = pickle.load(file)
call = pickle.loads({content})
assert float(getattr(call, "f", call)(2.0)) == 44.0
"""


def run(text: str, *args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", text, *map(str, args)], capture_output=True, text=True, timeout=200)


@pytest.mark.parametrize(
    ("library", "data"),
    [("pandas", "library.Series([1.0, 2.0, 3.0])"), ("xarray", "library.DataArray([1.0, 2.0, 3.0])")],
)
def test_rules_of_libraries_are_asked_for_on_arrival(library: str, data: str, tmp_path: Path) -> None:
    needed(library)
    needed("cloudpickle")
    script, pickles = tmp_path / "sender.py", tmp_path / "pickles"
    script.write_text(SENDER.format(library=library, data=data))
    done = subprocess.run([sys.executable, str(script), str(pickles)], capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr[-3000:]
    os.remove(script)
    for content in ("first", "second"):
        done = run(RECEIVER.format(content=content), pickles)
        assert done.returncode == 0, done.stderr[-3000:]


def test_a_library_that_is_not_there_is_left_out() -> None:
    """A pickle of a function that does not use it is loaded all the same, and by the name of a function too."""
    done = run(
        "import pickle, sys\n"
        "from adjoint.rules.libraries import FOLLOWED\n"
        "from adjoint.runtime.travelling import following, with_libraries\n"
        "assert with_libraries(len, ()) == (len, ())\n"
        "FOLLOWED.append('xarray')\n"
        "assert with_libraries(len, ('ab',)) == (following, (('xarray',), len, ('ab',)))\n"
        "FOLLOWED.clear()\n"
        "assert following(('no_such_library_here',), len, ('ab',)) == 2 and not FOLLOWED\n"
    )
    assert done.returncode == 0, done.stderr[-3000:]

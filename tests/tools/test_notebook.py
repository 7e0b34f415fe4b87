"""A notebook, run by a real kernel: values and gradients of functions of cells, whatever happened in cells before."""

from pathlib import Path

import pytest
from tools.kernels import executed

# ruff: noqa: E501

SHOW = """
def refused(call, *args):
    try:
        print("not refused", call(*args))
    except adjoint.errors.AdjointError as error:
        print(str(error))
"""

RECORDED = """
def kept(x, n=3):
    try:
        d = {"x": [v * x for v in range(n) if v > 0 and not v < 0]}
    except* KeyError:
        pass
    return sum(d["x"]) * np.sum(x)
"""

CLASSES = """
from dataclasses import dataclass

@dataclass
class Line:
    w: float
    b: float = 0.5
    def __call__(self, x: float) -> float:
        def inner(z: float) -> float:
            return z * self.w + np.sum(self.b)
        return inner(x)

class Deep(Line):
    def __init__(self, w):
        super().__init__(w, 2 * w)
        self.more = [w, w]
    def __call__(self, x):
        return super().__call__(x) * self.more[0]
"""

JOBS = """
import joblib
class Scaled:
    def __init__(self, k): self.k = k
    def __call__(self, x): return self.k * f(x)
def closed(k):
    def inner(x): return k * f(x)
    return inner
def in_processes(g, *args):
    return joblib.Parallel(n_jobs=2)([joblib.delayed(g)(*args)] * 2)[-1]
"""

BESIDE = """
import numpy as np

def same(f):
    return f

class Model:
    def __call__(self, x):
        return self.turned(x)
    def turned(self, x):
        return np.sum(x) ** 2

@same
def twice(x):
    def inner(y): return np.sum(x) * y
    return inner(2)

def f(x):
    return np.sum(x) ** 2
"""

CELLS = [
    # The import stands in the cell of the function, which IPython compiles without it.
    ("import numpy as np\nimport adjoint\nnp.set_printoptions(legacy='1.25')\ndef f(x):\n    return np.sum(x * x) - np.sum(x, dtype=float)", ""),
    ("from adjoint import grad, gradient, value_and_grad, pullback\nfrom adjoint.calculus import derivative" + SHOW, ""),
    ("print(value_and_grad(f)(np.full(2, 2.0)), grad(grad(f))(2.0), derivative(f)(2.0))", "(4.0, array([3., 3.])) 2.0 3.0"),
    (RECORDED + "print(*value_and_grad(kept)(2.0))", "12.0 12.0"),
    # A traceback, after which nodes of syntax trees bear what the tool that showed it hung on them.
    ("def fails(x):\n    return [x + v / 0 for v in range(3)]\nfails(1)", "ZeroDivisionError"),
    (RECORDED.replace("kept", "again") + "print(*value_and_grad(again)(2.0))", "12.0 12.0"),
    ("print('recorded' in str(adjoint.explain(again, 2.0)))", "True"),
    ("with adjoint.inspect.debug_nans():\n    refused(grad(lambda x: kept(x) * np.inf * 0.0), 1.0)", "nan"),
    # The same name again, the same cell again, and the one that was before.
    ("first = f\ndef f(x):\n    return np.sum(x * x) + np.sum(x, dtype=float)\nprint(grad(f)(2.0), grad(first)(2.0))", "5.0 3.0"),
    ("def g(x): return x * x\nprint(grad(g)(3.0))", "6.0"),
    ("def g(x): return x + x\nprint(grad(g)(3.0))", "2.0"),
    ("def g(x): return x * x\nprint(grad(g)(3.0))", "6.0"),
    # What IPython rewrites before it compiles.
    ("!echo shell\n%matplotlib --list\nname = !echo listed\ndef m(x):\n    return np.sin(x) * 2\nprint(grad(m)(0.0), name)", "2.0 ['listed']"),
    ("%%capture told\nprint(grad(lambda x: np.sum(x * 4))(1.0))", ""),
    ("print('told', told.stdout)", "told 4.0"),
    ("%timeit -n1 -r1 print('timed', grad(g)(2.0))", "timed 4.0"),
    ("%%time\nprint(grad(g)(2.0), grad(m)(0.0))", "4.0 2.0"),
    ("%%time\nrefused(grad(lambda x: x * x), 2.0)", "IPython does not keep the text of what this magic runs"),
    ("%timeit -n1 -r1 refused(grad(lambda x: x * x), 2.0)", "IPython does not keep the text of what this magic runs"),
    (CLASSES + "line = gradient(lambda p: p(2.0), Line(3.0))[0]", ""),
    ("print(line.w, line.b, grad(lambda w: Deep(w)(2.0))(3.0))", "2.0 1.0 24.0"),
    ("a = lambda x: x * x; b = lambda x: x * x * x\nprint(grad(a)(2.0), grad(b)(2.0), grad(lambda x: np.sum(-x))(1.0))", "4.0 12.0 -1.0"),
    ("import asyncio\nawait asyncio.sleep(0)\ndef late(x): return np.sum(x) ** 2\nprint(grad(late)(2.0))", "4.0"),
    ("def once(x):\n    return np.sum(x)\nprint(grad(once)(2.0))\n1 + 1", "1.0"),
    ("from __future__ import annotations", ""),
    ("def typed(x: 'float') -> Nowhere:\n    def inner(y: AlsoNowhere): return y * np.sum(x)\n    return inner(x)\nprint(grad(typed)(3.0))", "6.0"),
    ("exec('def ex(x): return x * x')\nrefused(grad(ex), 2.0)", "the text of <string> cannot be read"),
    # Files beside the notebook.
    ("%run script.py\nprint(grad(of_script)(2.0))", "12.0"),
    ("%load_ext autoreload\n%autoreload 2\nimport beside\nprint(grad(beside.f)(2.0), grad(beside.twice)(2.0), grad(lambda x: beside.Model()(x))(2.0))", "4.0 2.0 4.0"),
    ("from pathlib import Path\nfile = Path('beside.py')\ntext = file.read_text().replace('** 2', '** 3').replace('* y', '/ y')", ""),
    ("done = file.write_text('\\n' + text)", ""),
    ("print(grad(beside.f)(2.0), grad(beside.twice)(2.0), grad(lambda x: beside.Model()(x))(2.0))", "12.0 0.5 12.0"),
    # A text that is not the one that runs.
    ("def never(x): return x * x", ""),
    ("import linecache\nname = never.__code__.co_filename\nlinecache.cache[name] = (1, None, ['def never(x): return x - x\\n'], name)", ""),
    ("refused(grad(lambda x: never(x) * x), 2.0)", "has changed since it was imported"),
    # Other processes, which have neither the cells nor the names of their files.
    (JOBS, ""),
    ("refused(in_processes, lambda x: gradient(f, x), 2.0)", "its source is not available"),
    ("print(in_processes(grad(f), 2.0), in_processes(grad(lambda x: -f(x)), 2.0), in_processes(grad(kept), 2.0))", "5.0 -5.0 12.0"),
    ("print(in_processes(grad(closed(2.0)), 2.0), in_processes(value_and_grad(lambda m, x: m(x), 1), Scaled(3.0), 2.0))", "10.0 (18.0, 15.0)"),
    ("print(in_processes(pullback(f, 2.0)[1], 1.0), in_processes(grad(grad(f)), 2.0))", "(None, 5.0) 2.0"),
    # Nothing of this stays.
    ("print(value_and_grad(f)(2.0), grad(kept)(2.0), grad(late)(2.0))", "(6.0, 5.0) 12.0 4.0"),
]  # fmt: skip


def test_every_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "script.py").write_text("import numpy as np\n\ndef of_script(x):\n    return np.sum(x) ** 3\n")
    (tmp_path / "beside.py").write_text(BESIDE)
    wrong = []
    shown = executed([source for source, _ in CELLS], tmp_path, monkeypatch)
    for got, (source, expected) in zip(shown, CELLS, strict=True):
        if expected not in got if expected else "Error" in got:
            wrong.append(f"{source}\n--> {got}\nnot {expected}")
    assert not wrong, "\n\n".join(wrong)

"""Methods of the user's that have the name of one which changes a container: they cost what others cost."""

from __future__ import annotations

import importlib.util
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint.inspect import code_adjoint

NAMES = ["add", "append", "update", "pop", "sort", "insert", "remove", "extend", "reverse", "fill", "put", "setdefault"]


def model(name: str) -> type:
    """A class whose method has this name."""

    @dataclass
    class Model:
        w: float

    setattr(Model, name, _scaled)
    return Model


def _scaled(self: Any, x: Any) -> Any:
    return self.w * np.sin(x)


def straight(m: Any, x: Any) -> Any:
    return m.plus(x)


def in_a_loop(m: Any, x: Any) -> Any:
    s = 0.0
    for i in range(4):
        s = s + m.plus(x) * i
    return s


def until_it_is_large(m: Any, x: Any) -> Any:
    while x < 9.0:
        x = x + 2.0 + m.plus(x)
    return x


def in_a_branch(m: Any, x: Any) -> Any:
    y = m.plus(x) if x > 0.0 else x
    if y > -5.0:
        y = m.plus(y) + x
    return y


PROGRAMS = [straight, in_a_loop, until_it_is_large, in_a_branch]


def named(f: Callable[..., Any], name: str, folder: Any) -> Any:
    """The program with this name in the place of `plus`, in a file of its own."""
    text = "from typing import Any\n" + inspect.getsource(f).replace("plus", name)
    path = folder / f"of_{f.__name__}_{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, f.__name__)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_the_text_is_that_of_any_method(f: Callable[..., Any], name: str, tmp_path: Any) -> None:
    m, usual = model(name)(0.7), model("plus")(0.7)
    g = named(f, name, tmp_path)
    f = named(f, "plus", tmp_path)
    texts = [re.sub(r" *#.*", "", code_adjoint(each, own, 0.4)) for each, own in ((f, usual), (g, m))]
    assert texts[0] == texts[1]
    y, (m_bar, x_bar) = adjoint.value_and_grad(g, (0, 1))(m, 0.4)
    h = 1e-6
    assert y == f(usual, 0.4)
    assert np.isclose(x_bar, (f(usual, 0.4 + h) - f(usual, 0.4 - h)) / (2 * h), rtol=1e-6)
    by_w = (f(type(usual)(0.7 + h), 0.4) - f(type(usual)(0.7 - h), 0.4)) / (2 * h)
    assert np.isclose(m_bar.w, by_w, rtol=1e-6)

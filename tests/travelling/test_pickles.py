"""Pickles in one process: each protocol, copies, their size, and what is refused."""

from __future__ import annotations

import copy
import functools
import linecache
import os
import pickle
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from travelling.cells import cell

import adjoint
from adjoint import errors, grad, hessian, jacobian, nn, value_and_grad, vmap
from adjoint.optimize import Objective
from adjoint.runtime import travelling

cloudpickle = needed("cloudpickle")

X = np.array([1.0, 2.0])


def total(x: Any) -> Any:
    return np.sum(x * x)


def scaled(x: Any) -> Any:
    return 3.0 * x


MADE: list[tuple[Callable[..., Any], Any]] = [
    (grad(total), X),
    (value_and_grad(total, argnums=(0,)), X),
    (jacobian(scaled), X),
    (hessian(total), X),
    (vmap(total), np.eye(2)),
    (adjoint.compile(total), X),
    (grad(adjoint.compile(total)), X),
    (Objective(total).jac, X),
    (nn.Dense(2, 1, rng=np.random.default_rng(0)), X),
]

EFFECT = "__import__('os').environ.update(A1='1')"


def sent(x: Any) -> Any:
    return cloudpickle.loads(cloudpickle.dumps(x))


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("dumps", [pickle.dumps, cloudpickle.dumps])
def test_each_protocol(dumps: Any, protocol: int) -> None:
    for call, x in MADE:
        content = dumps(call, protocol)
        for again in (pickle.loads(content), pickle.loads(content)):
            assert repr(again(x)) == repr(call(x))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_take_no_texts(copied: Any) -> None:
    """They are of this process, and share its functions."""
    for call, x in [*MADE, (grad(lambda x: total(x) * 2.0), X)]:
        assert repr(copied(call)(x)) == repr(call(x))
    g = grad(lambda x: total(x) * 2.0)
    make = g.__reduce_ex__(4)[0]  # `following`, where tests before have imported rules of pandas or xarray
    assert make in (type(g), travelling.following) and copied(g)._f is g._f


def test_python_s_own_pickle_says_what_it_cannot() -> None:
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(grad(lambda x: x))


def test_what_goes_along() -> None:
    """The functions that are reached, and those that may be handed over with objects; nothing else of the file."""
    cells = cell(
        "SECRET = 'not of a function'\n"
        "def helper(x):\n    return x * x\n"
        "def f(x):\n    return helper(x) * 2.0\n"
        "class Model:\n    def __call__(self, x): return x\n"
    )
    texts = {piece.text for piece, _ in travelling.texts_of([cells["f"]])}
    assert texts == {
        "def helper(x):\n    return x * x\n",
        "def f(x):\n    return helper(x) * 2.0\n",
        "class Model:\n    def __call__(self, x): return x\n",
    }
    by_codes = {code.co_name for _, codes in travelling.texts_of([cells["f"]]) for code in codes}
    assert by_codes == {"f", "helper"}


def test_pieces_are_the_smallest_that_compile() -> None:
    cells = cell(
        "if True:\n"
        "    big = list(range(3))\n"
        "    for i in range(1):\n"
        "        one = lambda x: x * 2.0; two = lambda x: (\n"
        "            x * 3.0); last = 1\n"
        "try: three = lambda x: x * 5.0\n"
        "finally: pass\n"
    )
    (first, _), (second, _) = travelling.texts_of([cells["two"]])[:1] + travelling.texts_of([cells["three"]])[:1]
    assert first.line == 3 and first.text.startswith("if True:\n        one = ") and first.text.endswith("last = 1\n")
    assert second.text.startswith("try: three") and second.text.endswith("finally: pass\n")
    assert [sent(grad(cells[name]))(1.0) for name in ("one", "two", "three")] == [2.0, 3.0, 5.0]


def test_the_size() -> None:
    """Sources once, whatever is made of a function, and no program that was generated of it; arrays once."""
    cells = cell("def f(x):\n    return np.sum(x * x)\n")
    f = cells["f"]
    plain, first = len(cloudpickle.dumps(f)), len(cloudpickle.dumps(grad(f)))
    assert first < plain + 500
    grad(f)(X), grad(grad(f))(2.0), grad(f, compile=True)
    assert len(cloudpickle.dumps(grad(f))) == first
    assert len(cloudpickle.dumps(vmap(grad(grad(f))))) < first + 500
    w = np.ones(1000)
    cells = cell("def f(x): return np.sum(w * x)\ndef g(x): return f(x) * np.sum(w)\n", w=w)
    content = cloudpickle.dumps((grad(cells["g"]), grad(cells["f"]), w))
    assert len(content) < w.nbytes + 2500 and content.count(b"def g(x)") == 1


def test_installed_libraries_are_not_sent() -> None:
    """What is made in a function of theirs is found there by its file."""
    cells = cell("import functools\nfrom collections import namedtuple\nTwo = namedtuple('Two', 'a b')\n")
    assert travelling.texts_of([cells["Two"], functools.singledispatch(total)]) == ()


def planted(text: str, other: str, name: str = "f") -> bytes:
    """A pickle whose text is another one."""
    content = cloudpickle.dumps(grad(cell(text)[name]))
    assert len(text) == len(other) and content.count(text.encode()) == 1
    return content.replace(text.encode(), other.encode())


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("def f(x): return x * x\n", "def f(x): return x + x\n"),
        ("def f(x): return x * 2.0\n", "def f(x): return x * 3.0\n"),
        ("def f(x): return x * 2.0\n", "def f(x): return x * 2  \n"),
        ("def f(x): return np.sin(x)\n", "def f(x): return np.cos(x)\n"),
        ("def f(x, y=1.0): return x * y\n", "def f(x, z=1.0): return x * z\n"),
        ("def f(x): return (lambda z: z * x)(x)\n", "def f(x): return (lambda z: z + x)(x)\n"),
        ("def f(x):\n    return x * x\n", "\ndef f(x):\n    return x*x \n"),
        ("def f(x): return x * x\n", "def f(x: return x * x)\n"),
        ("def f(x): return x * x\n", "def h(x): return x * x\n"),
        ("def f(x): return x * x\n", "                      \n"),
    ],
)
def test_planted_a_text_that_is_not_of_the_code(text: str, other: str) -> None:
    content = planted(text, other)
    with pytest.raises(errors.SourceChangedError, match="the text that came along with f is not what runs"):
        pickle.loads(content)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("def f(x, y='harmless'): return x * x\n", f"def f(x, y={EFFECT}): return x * x\n"),
        ("class C:\n    def f(self, x): return x * x\n", f"class C({EFFECT}):\n    def f(self, x): return x * x\n"),
    ],
)
def test_planted_a_text_is_never_run(text: str, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Defaults, decorators and class bodies of a text are no part of a function's code: they may be others."""
    n = max(len(text), len(other))
    text, other = (t.rstrip("\n") + " " * (n - len(t)) + "\n" for t in (text, other))
    monkeypatch.delenv("A1", raising=False)
    cells = cell(text)
    f = cells["f"] if "f" in cells else cells["C"]().f
    content = cloudpickle.dumps(grad(f))
    assert content.count(text.encode()) == 1
    content = content.replace(text.encode(), other.encode())
    for _ in range(2):
        again = pickle.loads(content)
        assert (again(3.0), grad(again)(3.0), hessian(again._f)(3.0)) == (6.0, 2.0, 2.0)
    assert "A1" not in os.environ


def test_planted_side_effects_at_module_level(tmp_path: Path) -> None:
    """A piece with more than the function in it is compiled, and not run."""
    file, f = tmp_path / "ran", cell("def f(x): return x * x\n")["f"]
    (piece, codes), *_ = travelling.texts_of([f])
    forged = piece._replace(text=piece.text + f"open({str(file)!r}, 'w').close()\n")
    g = travelling.rebuilt(travelling.check_python(sys.implementation.cache_tag), ((forged, codes),), grad, (sent(f),))
    assert g(3.0) == 6.0 and not file.exists()


def test_another_python_is_refused() -> None:
    """Before its bytecode is read."""
    content = cloudpickle.dumps(grad(cell("def f(x): return x * x\n")["f"]))
    tag = sys.implementation.cache_tag
    assert content.index(tag.encode()) < content.index(b"CodeType")
    other = content.replace(tag.encode(), b"cpython-999"[: len(tag)])
    with pytest.raises(errors.UnpicklingError, match="this pickle was made by cpython-99") as caught:
        pickle.loads(other)
    assert isinstance(caught.value, pickle.UnpicklingError) and "same version of Python" in caught.value.way_out


def test_a_function_alone_is_refused_and_says_what_to_send() -> None:
    f = sent(cell("def alone(x): return x * x * 4.0\n")["alone"])
    assert f(1.0) == 4.0
    if f.__code__.co_filename != "<dynamic-code>":
        pytest.skip("this cloudpickle keeps the names of files")
    with pytest.raises(errors.SourceUnavailableError) as caught:
        grad(f)(1.0)
    assert "`adjoint.grad(f)`" in caught.value.way_out and "put it into a module" in caught.value.way_out


def test_a_function_alone_whose_file_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "sent_alone.py"
    file.write_text("def f(x): return x * x * 7.25\n")
    monkeypatch.syspath_prepend(tmp_path)
    import sent_alone  # type: ignore[import-not-found]

    cloudpickle.register_pickle_by_value(sent_alone)
    try:
        f = sent(sent_alone.f)
    finally:
        cloudpickle.unregister_pickle_by_value(sent_alone)
    file.write_text("def f(x): return x + x + 7.25\n")
    monkeypatch.delitem(sys.modules, "sent_alone")
    linecache.checkcache()
    if f.__code__.co_filename != "<dynamic-code>":
        pytest.skip("this cloudpickle keeps the names of files")
    with pytest.raises(errors.SourceUnavailableError, match="its source is not available") as caught:
        grad(f)(1.0)
    assert str(file) in caught.value.why and "not what runs" in caught.value.why


@pytest.mark.filterwarnings("ignore::adjoint.errors.CompileFallbackWarning")
def test_rules_of_main_are_refused() -> None:
    """Where the rule is not, the function's own code must not be differentiated in its place."""
    cells = cell("def f(x): return x * x\ndef g(x): return f(x) * x\n")
    adjoint.rule(cells["f"])(lambda x: (x * x, lambda d: (100.0 * d,)))
    assert grad(cells["g"])(1.0) == 101.0
    for again in (grad(cells["g"]), grad(cells["g"], compile=True), jacobian(cells["g"]), hessian(cells["f"])):
        with pytest.raises(errors.NoRuleError, match="the rule of `f` is not here"):
            sent(again)(1.0)


def test_globals_are_those_of_the_time_when_it_is_pickled() -> None:
    cells = cell("k = 2.0\ndef f(x): return k * x * x\n")
    g = grad(cells["f"])
    before = cloudpickle.dumps(g)
    cells["k"] = 5.0
    assert (pickle.loads(before)(1.0), sent(g)(1.0), pickle.loads(before)(1.0)) == (4.0, 10.0, 4.0)


def test_globals_that_change_where_it_is_sent() -> None:
    cells = cell("n = 0.0\ndef f(x):\n    global n\n    n = n + 1.0\n    return n * x\n")
    g = sent(grad(cells["f"]))
    assert (g(1.0), g(1.0), cells["n"]) == (1.0, 2.0, 0.0)


def test_it_differentiates_what_arrived() -> None:
    """cloudpickle gives each closure cells of its own: the gradient is that of the functions as they are there."""
    cells = cell(
        "def pair():\n    n = 0.0\n    def up(x):\n        nonlocal n\n        n = n + 1.0\n        return n * x\n"
        "    def down(x): return n * x\n    return up, down\nup, down = pair()\ndef f(x): return up(x) + down(x)\n"
    )
    plain, g = sent(cells["f"]), sent(grad(cells["f"]))
    assert grad(cells["f"])(1.0) == 2.0
    assert plain(1.0) == g(1.0) == 1.0


@pytest.mark.filterwarnings("ignore::adjoint.errors.CompileFallbackWarning")
@pytest.mark.parametrize("recorded", [False, True])
def test_dataclasses_are_made_where_they_are_sent(recorded: bool) -> None:
    """cloudpickle sends copies of what their fields have in place of a default."""
    body = "p = P(x)\n        return p.x * p.y + sum([*p.z, 1.0]) * q(x).x + Q(x).a * x\n"
    around = (
        f"    try:\n        {body}    except* OSError:\n        pass\n" if recorded else f"    if True:\n        {body}"
    )
    cells = cell(
        "from dataclasses import dataclass, field\n"
        "@dataclass\nclass P:\n    x: float\n    y: float = 3.0\n    z: list = field(default_factory=list)\n"
        "@dataclass(frozen=True, slots=True)\nclass Q:\n    a: float\n    b: tuple = field(default_factory=tuple)\n"
        "def q(x): return P(z=[x], x=x)\n"
        "def f(x):\n" + around
    )
    assert sent(grad(cells["f"]))(2.0) == grad(cells["f"])(2.0) == 3.0 + 1.0 + 4.0
    assert sent(grad(grad(cells["f"])))(2.0) == 2.0
    assert sent(grad(cells["f"], compile=True))(2.0) == 8.0


def test_functions_that_hold_each_other() -> None:
    cells = cell(
        "def even(n, x): return x if n == 0 else odd(n - 1, x) * x\n"
        "def odd(n, x): return 2.0 * x if n == 0 else even(n - 1, x) * x\n"
        "def f(x): return even(3, x) + (g(x - 100.0) if x > 100.0 else 0.0)\n"
        "g = grad(f)\nboth = [g, f]\nboth.append(both)\n"
    )
    again = sent(cells["both"])
    assert again[0](2.0) == cells["g"](2.0) == 64.0 and again[2] is again and again[0]._f is again[1]
    assert sent(sent(cells["g"]))(101.0) == cells["g"](101.0)


def test_two_versions_of_a_cell() -> None:
    """Both are kept, whichever came last."""
    name = "<cell that is run again>"
    found = []
    for k in (2.0, 3.0):
        text = f"def f(x):\n    return {k} * x\n"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        cells: dict[str, Any] = {"__name__": "__main__"}
        exec(compile(text, name, "exec"), cells)
        found.append(cloudpickle.dumps(grad(cells["f"])))
    del linecache.cache[name]
    one, two = map(pickle.loads, found)
    assert (one(1.0), two(1.0), hessian(one._f)(1.0), pickle.loads(found[0])(1.0)) == (2.0, 3.0, 0.0, 2.0)


def test_modules_that_are_sent_by_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sent_whole.py").write_text("def helper(x): return x * x\ndef f(x): return helper(x) * 3.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    import sent_whole  # type: ignore[import-not-found]

    by_name = cloudpickle.dumps(grad(sent_whole.f))
    cloudpickle.register_pickle_by_value(sent_whole)
    try:
        content = cloudpickle.dumps(grad(sent_whole.f))
    finally:
        cloudpickle.unregister_pickle_by_value(sent_whole)
    assert b"def helper" in content and b"def helper" not in by_name
    (tmp_path / "sent_whole.py").unlink()
    monkeypatch.delitem(sys.modules, "sent_whole")
    linecache.checkcache()
    assert pickle.loads(content)(2.0) == 12.0


def test_threads() -> None:
    """Pickled and loaded by several at once."""
    cells = [cell(f"def f(x): return x * x * {k}.0\n") for k in range(8)]
    wrong: list[Any] = []

    def work(k: int) -> None:
        for i in range(10):
            at = (i + k) % 8
            if (got := sent(grad(cells[at]["f"]))(1.0)) != 2.0 * at:
                wrong.append((at, got))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_an_error_where_it_is_sent_names_the_line() -> None:
    cells = cell("def f(x):\n    y = x * 2\n    return memoryview(bytes(int(y)))[0] * eval('x')\n")
    with pytest.raises(errors.AdjointError) as caught:
        sent(grad(cells["f"]))(2.0)
    assert caught.value.place is not None and "eval" in caught.value.place.text

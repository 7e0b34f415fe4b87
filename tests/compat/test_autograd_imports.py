"""Imports of `adjoint.compat.autograd` as statements, and `import autograd` answered by `install`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy
import pytest

import adjoint
import adjoint.compat.autograd as ag
from adjoint.errors import OptionError


def test_numpy_is_numpy() -> None:
    import adjoint.compat.autograd.numpy as np
    import adjoint.compat.autograd.numpy.linalg as la
    import adjoint.compat.autograd.numpy.random as npr
    from adjoint.compat.autograd.numpy import fft, linalg
    from adjoint.compat.autograd.numpy.linalg import solve

    assert np is numpy and npr is numpy.random and fft is numpy.fft
    assert la is linalg is numpy.linalg and solve is numpy.linalg.solve
    assert numpy.linalg.__name__ == "numpy.linalg" and numpy.__spec__.name == "numpy"


def test_scipy_is_scipy_but_for_what_autograd_defines() -> None:
    scipy = pytest.importorskip("scipy")
    import adjoint.compat.autograd.scipy.signal as signal
    import adjoint.compat.autograd.scipy.stats as stats
    import adjoint.compat.autograd.scipy.stats.norm as norm
    from adjoint.compat.autograd import scipy as of_autograd
    from adjoint.compat.autograd.scipy.integrate import odeint
    from adjoint.compat.autograd.scipy.linalg import sqrtm
    from adjoint.compat.autograd.scipy.special import expit, logsumexp

    assert stats is scipy.stats and norm is scipy.stats.norm and sqrtm is scipy.linalg.sqrtm
    assert odeint is scipy.integrate.odeint and (expit, logsumexp) == (scipy.special.expit, scipy.special.logsumexp)
    assert signal.convolve is not scipy.signal.convolve and signal.fftconvolve is scipy.signal.fftconvolve
    assert of_autograd.special is scipy.special and of_autograd.signal is signal
    assert ag.grad(norm.logpdf)(0.5) == pytest.approx(-0.5)


def test_the_builtins_are_those_of_python() -> None:
    from adjoint.compat.autograd.builtins import DictBox, dict, isinstance, list, tuple

    assert (dict, isinstance, list, tuple) == (ag.dict, ag.isinstance, ag.list, ag.tuple) == __builtins_of_python()
    assert not isinstance({}, DictBox)
    assert ag.grad(lambda x: ag.dict(a=ag.list([x]))["a"][0] ** 2)(3.0) == 6.0


def __builtins_of_python() -> tuple[Any, ...]:
    import builtins

    return builtins.dict, builtins.isinstance, builtins.list, builtins.tuple


@pytest.mark.parametrize("name", ["numpy.nothing", "scipy_of", "nothing"])
def test_what_is_not_there_is_not_found(name: str) -> None:
    with pytest.raises(ModuleNotFoundError):
        __import__(f"adjoint.compat.autograd.{name}")


def test_autograd_is_answered_within_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name == "autograd" or name.startswith("autograd.")]:
        monkeypatch.delitem(sys.modules, name)
    before = list(sys.meta_path)
    with ag.install() as installed:
        import autograd
        import autograd.numpy as np
        import autograd.numpy.random as npr
        from autograd import grad
        from autograd.core import make_vjp
        from autograd.differential_operators import make_jvp_reversemode
        from autograd.extend import defvjp, primitive  # noqa: F401
        from autograd.misc.optimizers import adam  # noqa: F401
        from autograd.test_util import check_grads  # noqa: F401
        from autograd.wrap_util import unary_to_nary  # noqa: F401

        assert autograd is ag and np is numpy and npr is numpy.random and grad is ag.grad
        assert make_vjp(np.tanh, 0.0)[0](1.0) == make_jvp_reversemode(np.tanh)(0.0)(1.0) == 1.0
        assert "import autograd means" in repr(installed)
        with pytest.raises(OptionError, match="`install` was called before"):
            ag.install()
    assert sys.meta_path == before
    assert not any(name == "autograd" or name.startswith("autograd.") for name in sys.modules)
    installed.uninstall()
    assert "undone" in repr(installed)


def test_the_real_one_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "autograd", ModuleType("autograd"))
    with pytest.raises(OptionError, match="autograd itself is imported already"):
        ag.install()


def test_it_is_loaded_when_it_is_asked_for() -> None:
    source = Path(adjoint.__file__).parents[1]
    program = (
        f"import sys; sys.path.insert(0, {str(source)!r}); import adjoint; "
        "assert 'adjoint.compat' not in sys.modules; adjoint.compat; "
        "assert 'scipy' not in sys.modules; import adjoint.compat.autograd; assert 'scipy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)

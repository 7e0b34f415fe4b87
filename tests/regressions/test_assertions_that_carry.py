"""What an `assert` hands to its exception flows on to who handles that: where the program was recorded it was lost."""

from __future__ import annotations

import pytest

from adjoint import grad, gradient

from .assertions import fails, looked_into, of_several
from .differences import check


def test_values_and_derivatives() -> None:
    for _ in range(3):
        check(looked_into, 0.7, order=2)
        check(of_several, 2.0, 1.5, order=2)
        check(of_several, 1.0, 1.5)


def test_it_leaves_as_in_python() -> None:
    for run in (fails, lambda x: gradient(fails, x), lambda x: grad(grad(fails))(x)):
        with pytest.raises(AssertionError) as found:
            run(0.5)
        assert found.value.args == (0.25,)

"""Rules of the functions that order entries or select them by rank."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule
from rules.numpy.table import call, check, rng

from adjoint.errors import NoRuleError

A = np.argsort(rng(20)).reshape(4, 5) * 0.25
T = np.argsort(rng(24)).reshape(2, 3, 4) * 0.25


@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        call(np.sort, A),
        call(np.sort, A, 0),
        call(np.sort, A, axis=None),
        call(np.sort, A, kind="stable"),
        call(np.sort, [2.5, 1.5, 3.5]),
        call(np.sort, A.astype(np.float32)),
        call(np.partition, A, 2),
        call(np.partition, A, 1, axis=0),
        call(np.unique, A),
        call(np.unique, np.array([2.5, 1.5, 2.5])),
        *(
            call(f, *args, **kwargs)
            for f, more in ((np.median, ()), (np.quantile, (0.3,)), (np.percentile, (30.0,)))
            for args, kwargs in (
                ((A, *more), {}),
                ((A, *more), {"axis": 0}),
                ((T, *more), {"axis": (0, -1)}),
                ((T, *more), {"axis": 1, "keepdims": True}),
                (([2.5, 1.5, 3.5, 0.5], *more), {}),
            )
        ),
        call(np.quantile, A, 1.0),
        call(np.quantile, A, 0.0, axis=1),
    ],
)
def test_sorting(f: Any, args: Any, kwargs: Any) -> None:
    if f is np.unique and args[0].ndim == 1:
        _, back, _ = run_rule(f, args[0])
        assert back(np.array([1.0, 2.0]))[0].tolist() == [2.0, 1.0, 0.0]
    else:
        check(f, args, kwargs, **({"constant": (1, 2)} if f in (np.quantile, np.percentile) else {}))


def test_what_has_no_rule() -> None:
    for f, args, kwargs in (
        (np.quantile, (A, [0.1, 0.2]), {}),
        (np.percentile, (A, 30), {"method": "nearest"}),
        (np.unique, (A,), {"return_counts": True}),
    ):
        with pytest.raises(NoRuleError):
            run_rule(f, *args, **kwargs)

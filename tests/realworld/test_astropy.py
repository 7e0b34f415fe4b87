"""Models, units and cosmology of astropy."""

from __future__ import annotations

import astropy.units as u
import numpy as np
from astropy.cosmology import FlatLambdaCDM
from astropy.modeling import models
from realworld.programs import check, refused

# mypy: disable-error-code="import-untyped, no-untyped-call"

X = np.linspace(0.0, 1.0, 5)


def test_models() -> None:
    check(lambda p: models.Gaussian1D.evaluate(X, p[0], p[1], 0.5).sum(), 1.0, 0.4)


def test_models_that_are_made_are_refused() -> None:
    what = "(?s)the text in its file is not what runs.*or `exec` made the function.*for what `exec` made, write a rule"
    at = np.array([1.0, 0.4])
    refused(lambda p: models.Gaussian1D(amplitude=p[0], mean=p[1], stddev=0.5)(X).sum(), what, at)
    refused(lambda p: (models.Gaussian1D(p[0], 0.3, 0.2) + models.Const1D(p[1]))(X).sum(), what, at)


def test_units_are_data() -> None:
    check(lambda p: (3 * u.km).to(u.m).value * p[0], 2.0)


def test_cosmology_computes_with_quantities() -> None:
    what = "(?s)`Quantity` has a `__array_wrap__` of its own.*convert it to a plain ndarray first"
    at = np.array([70.0, 0.3])
    refused(lambda p: FlatLambdaCDM(H0=p[0], Om0=p[1]).efunc(0.5), what, at)
    refused(lambda p: FlatLambdaCDM(H0=p[0], Om0=p[1]).comoving_distance(0.5).value, what, at)

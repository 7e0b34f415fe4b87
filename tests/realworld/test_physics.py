"""Steam of iapws, orbits of sgp4 and skyfield, images of PyAbel, colours of colour-science."""

from __future__ import annotations

from typing import Any

import abel
import colour
import numpy as np
from iapws import IAPWS97, _iapws, iapws97
from realworld.programs import check
from sgp4 import earth_gravity, ext, propagation
from sgp4.io import twoline2rv
from skyfield import earthlib, functions, precessionlib

# mypy: disable-error-code="import-untyped, no-untyped-call"


def test_steam() -> None:
    check(lambda p: iapws97._Region1(p[0], p[1])["h"], 300.0, 3.0)
    check(lambda p: 1e-3 * iapws97._Region3(p[0], 650.0)["P"], 500.0)
    check(lambda p: iapws97._PSat_T(p[0]), 500.0)
    check(lambda p: IAPWS97(T=p[0], P=3.0).h, 400.0)
    check(lambda p: 1e3 * _iapws._Viscosity(p[0], 300.0), 998.0)
    check(lambda p: 0.1 * _iapws._Ice(p[0], 0.1)["rho"], 270.0)


ORBIT = (
    "1 25544U 98067A   19343.69339541  .00001764  00000-0  38792-4 0  9991",
    "2 25544  51.6439 211.2001 0007417  17.6667  85.6398 15.50103472202482",
)


def test_orbits() -> None:
    satellite = twoline2rv(*ORBIT, earth_gravity.wgs72)
    check(lambda p: 1e-3 * propagation.sgp4(satellite, p[0])[0][0], 720.0)
    check(lambda p: ext.rv2coe([p[0], 1000.0, 500.0], [1.0, p[1], 0.5], 398600.8)[2], 6700.0, 7.0)
    check(lambda p: ext.newtonnu(0.1, p[0])[1], 0.7)


def test_skies() -> None:
    check(lambda p: functions.to_spherical(p)[1], 1.0, 2.0, 3.0)
    check(lambda p: functions.angle_between(p, np.array([0.0, 1.0, 0.3])), 1.0, 2.0, 3.0)
    check(lambda p: earthlib.refraction(p[0], 10.0, 1010.0), 20.0)
    check(lambda p: 1e3 * precessionlib.compute_precession(2458826.5 + 1e3 * p[0])[0][1], 0.5)


def rows(p: Any) -> Any:
    return np.tile(np.exp(-p[0] * (np.arange(6) / 5) ** 2), (3, 1))


def test_images() -> None:
    check(lambda p: abel.hansenlaw.hansenlaw_transform(rows(p))[1, 2], 2.0)
    check(lambda p: abel.dasch.onion_peeling_transform(rows(p), basis_dir=None)[1, 2], 2.0)
    check(lambda p: abel.direct.direct_transform(rows(p), dr=0.2, backend="python")[1, 2], 2.0)


def test_colours() -> None:
    check(lambda p: colour.XYZ_to_Lab(p)[1], 0.2, 0.12, 0.05)
    check(lambda p: colour.XYZ_to_sRGB(p)[1], 0.2, 0.12, 0.05)
    other = np.array([90.0, 26.67, 72.39])
    check(lambda p: colour.delta_E(p, other, method="CIE 2000"), 100.0, 21.57, 52.2)

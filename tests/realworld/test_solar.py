"""Irradiance, temperatures and diodes of pvlib."""

from __future__ import annotations

import numpy as np
from pvlib import atmosphere, clearsky, iam, inverter, irradiance, pvsystem, singlediode, spa, temperature
from realworld.programs import check

# mypy: disable-error-code="import-untyped, no-untyped-call"

DIODE = (1e-9, 0.4, 300.0, 1.6)


def test_irradiance() -> None:
    given = (100.0, 600.0, 1360.0, 40.0, 170.0)
    check(lambda p: irradiance.haydavies(p[0], 180.0, *given), 30.0)
    check(lambda p: irradiance.perez(p[0], 180.0, *given, 1.3), 30.0)
    check(lambda p: irradiance.klucher(p[0], 180.0, 100.0, 600.0, 40.0, 170.0), 30.0)
    check(lambda p: irradiance.aoi(p[0], p[1], 40.0, 170.0), 30.0, 180.0)
    check(lambda p: irradiance.erbs(p[0], 40.0, 172)["dni"], 600.0)
    check(lambda p: irradiance.disc(p[0], 40.0, 172)["dni"], 600.0)


def test_skies() -> None:
    check(lambda p: atmosphere.get_relative_airmass(p[0]), 60.0)
    check(lambda p: clearsky.ineichen(p[0], 1.5, 3.0)["ghi"], 40.0)
    check(lambda p: clearsky.simplified_solis(p[0])["ghi"], 50.0)
    at = 40.0, -105.0, 1800.0, 820.0, 11.0, 67.0, 0.56, 1, False
    check(lambda p: spa.solar_position_numpy(1.06e9 + 1e7 * p, *at)[0].sum(), 1.0, rtol=1e-3)


def test_cells() -> None:
    check(lambda p: temperature.sapm_cell(p[0], 20.0, p[1], -3.47, -0.0594, 3), 800.0, 5.0)
    check(lambda p: temperature.noct_sam(p[0], 20.0, 5.0, 45.0, 0.2), 800.0)
    check(lambda p: iam.physical(p[0]), 40.0)
    check(lambda p: iam.ashrae(p[0]), 40.0)
    check(lambda p: iam.interp(p[0], [0.0, 30.0, 60.0, 90.0], [1.0, 0.99, 0.9, 0.0]), 41.0)
    check(lambda p: inverter.pvwatts(p[0], 100.0), 60.0)


def test_diodes() -> None:
    check(lambda p: singlediode.bishop88(p[0], p[1], *DIODE)[0], 20.0, 7.0)
    check(lambda p: pvsystem.i_from_v(p[0], 7.0, *DIODE), 20.0)
    check(lambda p: pvsystem.max_power_point(p[0], *DIODE, method="newton")["p_mp"], 7.0)
    check(lambda p: pvsystem.singlediode(p[0], *DIODE, method="newton")["p_mp"], 7.0, rtol=1e-4)


def test_arrays() -> None:
    zenith = np.array([30.0, 40.0])
    check(lambda p: irradiance.haydavies(p, 180.0, 100.0, 600.0, 1360.0, zenith, 170.0).sum(), 30.0, 40.0)

"""Formulas of fluids, chemicals, ht and thermo: friction, fittings, tanks, vapour pressures, equations of state."""

from __future__ import annotations

from math import pi
from typing import Any

import chemicals
import fluids
import ht
import thermo
from realworld.programs import check

# mypy: disable-error-code="import-untyped, no-untyped-call"


def test_friction() -> None:
    check(lambda p: fluids.friction_factor(Re=p[0] * 1e5, eD=p[1]), 1.0, 1e-2)
    check(lambda p: fluids.friction_factor(Re=p[0] * 1e5, eD=1e-4, Method="Colebrook"), 1.0)
    check(lambda p: fluids.drag_sphere(p[0]), 200.0)
    check(lambda p: 1e-3 * fluids.dP_packed_bed(dp=8e-4, voidage=0.4, vs=p[0], rho=1e3, mu=1e-3, L=0.1), 0.1)


def test_pressure_drop() -> None:
    def drop(p: Any) -> Any:
        d, flow = p[0], p[1]
        v = flow / (pi / 4 * d * d)
        f = fluids.friction_factor(Re=fluids.Reynolds(D=d, rho=1000.0, V=v, mu=1e-3), eD=1e-5 / d)
        return 1e-3 * f * 10.0 / d * 500.0 * v * v

    check(drop, 0.1, 0.01, rtol=1e-4)


def test_fittings() -> None:
    check(lambda p: fluids.contraction_sharp(Di1=0.3, Di2=p[0]), 0.1)
    check(lambda p: fluids.diffuser_conical(Di1=p[0], Di2=0.4, angle=50.0, Re=1e6), 0.25)
    check(lambda p: fluids.bend_rounded(Di=p[0], angle=30.0, fd=0.02, bend_diameters=5.0), 0.1)


def test_tanks() -> None:
    check(lambda p: fluids.V_from_h(p[0], 1.5, 5.0, True, sideA="ellipsoidal", sideA_a=p[1]), 0.5, 1.0)
    check(lambda p: 1e-5 * fluids.ATMOSPHERE_1976(Z=p[0] * 1e3).P, 5.0)


def test_properties() -> None:
    check(lambda p: 1e-4 * chemicals.Antoine(p[0], 8.7687, 395.744, -6.469), 180.0)
    check(lambda p: 1e-3 * chemicals.Lee_Kesler(p[0], 514.0, 6137000.0, 0.635), 300.0)
    check(lambda p: 1e5 * chemicals.COSTALD(p[0], 369.83333, 0.00020008161, 0.1532), 272.0)
    check(lambda p: chemicals.flash_inner_loop(zs=[p[0], 0.3, 0.7 - p[0]], Ks=[1.685, 0.742, 0.532])[0], 0.5)
    check(lambda p: 1e3 * chemicals.mu_IAPWS(p[0], 998.0), 298.15)


def test_heat() -> None:
    check(lambda p: 0.01 * ht.Nu_conv_internal(Re=p[0] * 1e5, Pr=0.7, eD=1e-4), 1.0)
    check(lambda p: ht.LMTD(Thi=p[0], Tho=60.0, Tci=30.0, Tco=40.2), 100.0)
    check(lambda p: ht.effectiveness_from_NTU(NTU=p[0], Cr=0.7, subtype="S&T"), 2.0)

    def exchanged(p: Any) -> Any:
        found = ht.effectiveness_NTU_method(
            mh=p[0], mc=1.4, Cph=2200.0, Cpc=4180.0, subtype="counterflow", Thi=120.0, Tci=15.0, UA=p[1]
        )
        return 1e-3 * found["Q"]

    check(exchanged, 0.5, 500.0)


def test_equations_of_state() -> None:
    check(lambda p: 1e4 * thermo.PR(Tc=507.6, Pc=3025000.0, omega=0.2975, T=p[0], P=1e6).V_l, 299.0)
    given = {"Tcs": [126.1, 190.6], "Pcs": [33.94e5, 46.04e5], "omegas": [0.04, 0.011], "kijs": [[0, 0], [0, 0]]}
    check(lambda p: 1e3 * thermo.PRMIX(T=p[0], P=1e6, zs=[p[1], 1 - p[1]], **given).V_g, 115.0, 0.5)


def test_activity_coefficients() -> None:
    tau, alpha = [[0.0, -0.1], [1.96, 0.0]], [[0.0, 0.2974], [0.2974, 0.0]]
    check(lambda p: thermo.nrtl.NRTL_gammas([p[0], 1 - p[0]], tau, alpha)[0], 0.252)
    shape = {"rs": [0.92, 2.1055, 3.1878], "qs": [1.4, 1.972, 2.4]}
    taus = [[0.0, -526.02, -309.64], [318.06, 0.0, 91.532], [-1325.1, -302.57, 0.0]]
    check(lambda p: 1e-2 * thermo.UNIQUAC(T=p[0], xs=[0.7273, 0.0909, 0.1818], tau_bs=taus, **shape).GE(), 298.15)

"""The module `cmath`. A partial of a holomorphic function is its derivative p: z̄ = ȳ conj(p)."""

from __future__ import annotations

import cmath
import math
from typing import Any

from ...tangents import unbroadcast
from ..registry import Back, non_differentiable, rule, scalar_rule


@scalar_rule(cmath.exp)
def complex_exp_partial(x, y):  # type: ignore[no-untyped-def]
    return y


@scalar_rule(cmath.log)
def complex_log_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / x


@scalar_rule(cmath.log)
def complex_log_base_partials(x, base, y):  # type: ignore[no-untyped-def]
    return 1 / (x * cmath.log(base)), -y / (base * cmath.log(base))


@scalar_rule(cmath.log10)
def complex_log10_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / (x * math.log(10))


@scalar_rule(cmath.sqrt, singular=True)
def complex_sqrt_partial(x, y):  # type: ignore[no-untyped-def]
    return 0.5 / y if y else math.inf


@scalar_rule(cmath.sin)
def complex_sin_partial(x, y):  # type: ignore[no-untyped-def]
    return cmath.cos(x)


@scalar_rule(cmath.cos)
def complex_cos_partial(x, y):  # type: ignore[no-untyped-def]
    return -cmath.sin(x)


@scalar_rule(cmath.tan)
def complex_tan_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 + y * y


@scalar_rule(cmath.asin, singular=True)
def complex_asin_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / cmath.cos(y) if x * x != 1 else math.inf


@scalar_rule(cmath.acos, singular=True)
def complex_acos_partial(x, y):  # type: ignore[no-untyped-def]
    return -1 / cmath.sin(y) if x * x != 1 else -math.inf


@scalar_rule(cmath.atan)
def complex_atan_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / (1 + x * x)


@scalar_rule(cmath.sinh)
def complex_sinh_partial(x, y):  # type: ignore[no-untyped-def]
    return cmath.cosh(x)


@scalar_rule(cmath.cosh)
def complex_cosh_partial(x, y):  # type: ignore[no-untyped-def]
    return cmath.sinh(x)


@scalar_rule(cmath.tanh)
def complex_tanh_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 - y * y


@scalar_rule(cmath.asinh, singular=True)
def complex_asinh_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / cmath.cosh(y) if x * x != -1 else math.inf


@scalar_rule(cmath.acosh, singular=True)
def complex_acosh_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / cmath.sinh(y) if x * x != 1 else math.inf


@scalar_rule(cmath.atanh)
def complex_atanh_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / (1 - x * x)


@scalar_rule(cmath.phase)
def phase_partial(x, y):  # type: ignore[no-untyped-def]
    # Not holomorphic: z̄ = ȳ i z / |z|², which is ȳ times the conjugate of -i / z.
    return -1j / x if x else 0.0


@scalar_rule(cmath.rect)
def rect_partials(r, phi, y):  # type: ignore[no-untyped-def]
    return cmath.rect(1.0, phi), 1j * y


@rule(cmath.polar)
def polar_rule(z: Any) -> tuple[Any, Back]:
    """r = |z| and φ = arg z, so z̄ = (r̄ + i φ̄ / r) z / r, and 0 at the origin."""
    r, phi = cmath.polar(z)

    def polar_back(y_bar: Any) -> tuple[Any, ...]:
        r_bar, phi_bar = (0.0 if bar is None else bar for bar in y_bar)
        return (unbroadcast((r_bar + 1j * phi_bar / r) * z / r if r else 0j, z),)

    return (r, phi), polar_back


non_differentiable(cmath.isclose, cmath.isfinite, cmath.isinf, cmath.isnan)

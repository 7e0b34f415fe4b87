"""Functions refused by name, and those that carry no derivative."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import scipy.special as special

from ...numpy.lifting import composed
from ...registry import non_differentiable, not_implemented


@composed(special.assoc_laguerre)
def assoc_laguerre(x, n, k=0.0):
    """The generalised Laguerre polynomial."""
    return special.eval_genlaguerre(n, k, x)


not_implemented(
    special.mathieu_a, special.mathieu_b, special.mathieu_cem, special.mathieu_sem, special.mathieu_modcem1,
    special.mathieu_modcem2, special.mathieu_modsem1, special.mathieu_modsem2, special.mathieu_even_coef,
    special.mathieu_odd_coef,
    why="the derivatives of Mathieu functions and their characteristic values are not among the functions of SciPy",
    way_out="write a rule for a function of yours that calls it",
)  # fmt: skip

not_implemented(
    special.obl_ang1, special.obl_ang1_cv, special.obl_cv, special.obl_cv_seq, special.obl_rad1, special.obl_rad1_cv,
    special.obl_rad2, special.obl_rad2_cv, special.pro_ang1, special.pro_ang1_cv, special.pro_cv, special.pro_cv_seq,
    special.pro_rad1, special.pro_rad1_cv, special.pro_rad2, special.pro_rad2_cv,
    why="the derivatives of spheroidal functions by their parameters are not among the functions of SciPy",
    way_out="their second result is the derivative by `x`: write a rule for a function of yours that calls it",
)  # fmt: skip

not_implemented(
    special.ncfdtr, special.ncfdtri, special.ncfdtridfd, special.ncfdtridfn, special.ncfdtrinc, special.nctdtr,
    special.nctdtridf, special.nctdtrinc, special.nctdtrit, special.chndtridf,
    why="derivatives of noncentral distribution functions by their parameters have no closed form",
    way_out="integrate the density, or write a rule for a function of yours that calls it",
)  # fmt: skip

not_implemented(
    special.kolmogi, special.kolmogorov, special.smirnov, special.smirnovi,
    why="SciPy has no density for the distributions of Kolmogorov and Smirnov",
    way_out="write a rule for a function of yours that calls it",
)  # fmt: skip

not_implemented(
    special.lqn, special.lqmn, special.lmbda, special.pbdv_seq, special.pbvv_seq, special.pbdn_seq,
    special.riccati_jn, special.riccati_yn,
    why="it gives a sequence of values together with their derivatives, for tables",
    way_out="use the function of one order: `pbdv`, `spherical_jn`, `jv`",
)  # fmt: skip

not_implemented(
    *[getattr(special, name) for name in ("lpn", "lpmn", "clpmn") if hasattr(special, name)],  # until SciPy 1.16
    why="it gives a sequence of values together with their derivatives, for tables",
    way_out="use `eval_legendre`, or `lpmv` for one order and degree",
)

if hasattr(special, "btdtr"):  # until SciPy 1.13

    @composed(special.btdtr)
    def btdtr(a, b, x):
        """The name that `betainc` had."""
        return special.betainc(a, b, x)

    @composed(special.btdtri)
    def btdtri(a, b, p):
        """The name that `betaincinv` had."""
        return special.betaincinv(a, b, p)


not_implemented(
    special.ellip_harm, special.ellip_harm_2, special.ellip_normal,
    why="the derivatives of ellipsoidal harmonics are not among the functions of SciPy",
    way_out="write a rule for a function of yours that calls it",
)  # fmt: skip

not_implemented(
    special.jacobi, special.sh_jacobi, special.gegenbauer, special.genlaguerre, special.roots_jacobi,
    special.roots_sh_jacobi, special.roots_gegenbauer, special.roots_genlaguerre,
    why="the derivatives of coefficients and nodes by real parameters are not known",
    way_out="use `eval_jacobi` and relatives, or make the parameters constants: `adjoint.stop_gradient(...)`",
)  # fmt: skip

not_implemented(
    special.factorial2, special.factorialk,
    why="they are for integers, and their continuation is not differentiated",
    way_out="write it with `scipy.special.gamma`",
)  # fmt: skip

non_differentiable(special.seterr, special.geterr, special.errstate, special.test)

"""Every function that has a rule is checked at samples, or it is said here why it is not."""

from __future__ import annotations

from rules.supported import family_of
from rules.tables import checked

from adjoint.rules.listing import Listed, import_libraries, listed

FLOATS = ("float16", "float32", "float64", "longdouble")

ELSEWHERE = {
    "functools.update_wrapper": "it gives a function; tests/rules/python/test_functional.py",
    "numpy.row_stack": "deprecated: it is `numpy.vstack`",
    "scipy.integrate.tplquad": "differences take too long: tests/rules/scipy/test_integrate.py",
    **dict.fromkeys(
        [f"operator.{name}" for name in ("and_", "xor", "iand", "ior", "ixor")],
        "bits have no derivative, and sets have no rule; tests/rules/python/test_scalars.py",
    ),
    **dict.fromkeys(
        [f"{name}.as_integer_ratio" for name in ("float", *[f"numpy.{n}" for n in FLOATS])],
        "the derivative by the integers is refused; tests/rules/numpy/test_objects.py",
    ),
    **dict.fromkeys(
        [
            f"numpy.random.{owner}.{name}"
            for owner in ("Generator", "RandomState")
            for name in ("beta", "chisquare", "dirichlet", "f", "noncentral_chisquare", "noncentral_f")
            + ("standard_gamma", "standard_t", "wald")
        ],
        "the derivative by any parameter is refused; tests/rules/numpy/test_random.py",
    ),
    **dict.fromkeys(
        [
            f"scipy.stats._multivariate.{name}_{kind}.rvs"
            for name in ("dirichlet", "multinomial", "wishart", "invwishart")
            for kind in ("gen", "frozen")
        ],
        "the derivative by any parameter is refused; tests/rules/scipy/test_stats.py",
    ),
    **dict.fromkeys(
        [
            f"fractions.Fraction.__{side}{name}__"
            for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow")
            for side in ("", "r")
        ],
        "the derivative by the fraction is refused; tests/rules/python/test_fractions.py",
    ),
    "random.Random.betavariate": "the derivative by either parameter is refused; tests/rules/python/test_random.py",
}
"""Functions that no sample is of, and why."""


def missing() -> list[Listed]:
    import_libraries()
    entries = [entry for entry in listed() if entry.is_known and entry.how not in ("constant", "refused")]
    return [e for e in entries if checked(e.key) is None and e.name not in ELSEWHERE]


def test_every_rule_has_a_sample() -> None:
    assert [f"{family_of(e)}: {e.name}" for e in missing()] == []


def test_what_is_said_to_have_no_sample_has_none() -> None:
    known = {entry.name: entry for entry in listed()}
    assert [name for name in ELSEWHERE if name in known and checked(known[name].key)] == []

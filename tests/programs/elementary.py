"""Numbers: the whole `math` module, in formulas."""

import math
import sys

from .registry import program


@program(0.7, rows="numbers", order=2)
def trigonometric(x):
    return math.sin(x) * math.cos(x) + math.tan(x / 2.0)


@program(0.3, rows="numbers", order=2)
def inverse_trigonometric(x):
    return math.asin(x) + math.acos(x) * x + math.atan(2.0 * x)


@program(0.6, rows="numbers", order=2)
def hyperbolic(x):
    return math.sinh(x) / math.cosh(x) - math.tanh(x) ** 2


@program(0.4, rows="numbers", order=2)
def inverse_hyperbolic(x):
    return math.asinh(x) + math.acosh(1.0 + x) + math.atanh(x)


@program(0.9, rows="numbers", order=2)
def exponentials(x):
    return math.exp(x) - math.expm1(x) * x + math.exp2(x) + math.e * x


@program(1.8, rows="numbers", order=2)
def logarithms(x):
    return math.log(x) + math.log2(x) * math.log10(x) + math.log1p(x) + math.log(3.0, x) + math.log(x, 10.0)


@program(2.7, 1.9, rows="numbers", order=2)
def roots(x, y):
    return math.sqrt(x) + math.cbrt(y) * math.pow(x, y)


@program(0.8, 2.4, rows="numbers")
def special_functions(x, y):
    return math.erf(x) - math.erfc(y / 3.0) + math.gamma(y) + math.lgamma(x + y)


@program(3.0, 4.5, -1.5, rows="numbers")
def distances(x, y, z):
    return math.hypot(x, y, z) + math.dist((x, y), (z, 1.0)) + math.hypot(x - z, y)


@program([0.5, 1.25, -2.0, 3.5], rows="numbers")
def sums_and_products(xs):
    return math.fsum(xs) * 2.0 + math.prod(xs) + math.prod(xs[:2], start=xs[3])


@program(0.4, -1.3, rows="numbers", order=2)
def angles(x, y):
    return math.degrees(math.atan2(y, x)) / 90.0 + math.radians(x) * math.tau + math.pi


@program(-2.7, 1.3, rows="numbers")
def signs(x, y):
    return math.fabs(x) * y + math.copysign(x, y) + math.copysign(y, x) * x


@program(7.3, 2.1, rows="numbers")
def remainders(x, y):
    return math.fmod(x, y) * x + math.remainder(x, y) * y


@program(-5.37, rows="numbers")
def pieces_of_a_number(x):
    fraction, whole = math.modf(x)
    mantissa, exponent = math.frexp(x)
    rebuilt = math.ldexp(mantissa, exponent)
    return fraction * x + whole + mantissa * rebuilt


@program(3.6, rows="numbers")
def floors_and_ceilings(x):
    return math.floor(x) * x + math.ceil(x) + math.trunc(x) * x * x


@program(0.5, 6, 3, rows="numbers")
def binomial_probability(p, n, k):
    ways = math.comb(n, k) + 0 * math.perm(n, k) + 0 * math.factorial(k)
    return ways * p**k * (1.0 - p) ** (n - k)


@program(1.6, 12, 18, rows="numbers")
def integer_functions(x, a, b):
    return x ** math.gcd(a, b) / math.lcm(a, b) + x * math.isqrt(a + b)


@program(2.0, 0.5, rows="numbers")
def predicates(x, y):
    usable = math.isfinite(x) and not math.isnan(y) and not math.isinf(x)
    close = math.isclose(x, y)
    tiny = math.ulp(1.0) + math.nextafter(1.0, 2.0)
    limits = math.inf > x and math.nan != y
    return x * y * usable + close * 7.0 + tiny * x + limits * y


if sys.version_info >= (3, 12):

    @program([1.0, 2.0, 3.0], [0.5, -1.0, 2.5], rows="numbers")
    def sum_of_products(p, q):
        return math.sumprod(p, q) ** 2


if sys.version_info >= (3, 13):

    @program(1.5, 2.0, -0.7, rows="numbers")
    def fused_multiply_add(x, y, z):
        return math.fma(x, y, z) * x


@program(100.0, 95.0, 0.03, 0.25, 0.5, rows="numbers", order=2)
def black_scholes_call(spot, strike, rate, volatility, maturity):
    deviation = volatility * math.sqrt(maturity)
    d1 = (math.log(spot / strike) + (rate + 0.5 * volatility**2) * maturity) / deviation
    d2 = d1 - deviation
    cdf1 = 0.5 * (1.0 + math.erf(d1 / math.sqrt(2.0)))
    cdf2 = 0.5 * (1.0 + math.erf(d2 / math.sqrt(2.0)))
    return spot * cdf1 - strike * math.exp(-rate * maturity) * cdf2


@program(0.83, 0.12, 0.91, 0.45, rows="numbers", order=2)
def haversine(lat1, lon1, lat2, lon2):
    a = math.sin((lat2 - lat1) / 2.0) ** 2
    b = math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2.0) ** 2
    return 2.0 * 6371.0 * math.asin(math.sqrt(a + b))


@program(0.9, 0.3, rows="numbers")
def kepler_anomaly(mean_anomaly, eccentricity):
    e = mean_anomaly
    e = e - (e - eccentricity * math.sin(e) - mean_anomaly) / (1.0 - eccentricity * math.cos(e))
    e = e - (e - eccentricity * math.sin(e) - mean_anomaly) / (1.0 - eccentricity * math.cos(e))
    return 2.0 * math.atan(math.sqrt((1.0 + eccentricity) / (1.0 - eccentricity)) * math.tan(e / 2.0))


@program(0.3, 0.1, 1.4, rows="numbers", order=2)
def gaussian_density(x, mean, deviation):
    z = (x - mean) / deviation
    return math.exp(-0.5 * z * z) / (deviation * math.sqrt(2.0 * math.pi))

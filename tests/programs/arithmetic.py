"""Numbers: operators, comparisons, builtins, integers and complex scalars."""

from .registry import program


@program(5.3, 1.7, rows="numbers", order=2)
def every_operator(x, y):
    total = -(x + y) + +(x - y) * (x * y)
    total = total - x / y + (x // y) * (x % y)
    return total + x**y


@program(1.4, 2.2, 3.1, rows="numbers")
def every_comparison(x, y, z):
    score = 0.0
    if x < y:
        score = score + x * y
    if x <= z:
        score = score + z
    if y > x:
        score = score * y
    if z >= y:
        score = score - x * x
    if x == y:
        score = score * 100.0
    if x != z:
        score = score + x * z
    return score


@program(2.0, 0.7, rows="numbers", order=2)
def augmented_assignments(x, y):
    a = x
    a += y
    a *= x
    a -= y * y
    a /= x + y
    a **= 2
    b = 7.5 * x
    b %= 4.0
    c = 9.2 * x
    c //= 2.0
    return a * b + c * y


@program(1.3, rows="numbers", order=2)
def horner(x):
    return ((2.0 * x - 3.0) * x + 0.5) * x - 1.25


@program(2.5, rows="numbers", order=2)
def newton_square_root(a):
    x = a / 2.0
    x = 0.5 * (x + a / x)
    x = 0.5 * (x + a / x)
    x = 0.5 * (x + a / x)
    return x


@program(1.0, -3.5, 2.0, rows="numbers", order=2)
def quadratic_roots(a, b, c):
    root = (b * b - 4.0 * a * c) ** 0.5
    return (-b + root) / (2.0 * a), (-b - root) / (2.0 * a)


@program(-2.5, 0.75, rows="numbers")
def absolute_values(x, y):
    return abs(x) * y + abs(y - 1.0) + abs(-x * y)


@program(1.7, 2.3, rows="numbers", order=2)
def powers(x, y):
    return pow(x, y) + x**3 + x**-2 + x**0.5 + 2**y + pow(y, 2) - x**0 + x**1


@program(0.4, 1.2, 2.9, rows="numbers")
def clamp_to_interval(low, x, high):
    return max(low, min(x, high)) ** 2 + low * high


@program([3.0, -1.5, 4.25, 2.0], rows="numbers")
def spread_of_list(xs):
    return max(xs) - min(xs) + sum(xs) / len(xs)


@program(-3.0, 2.0, rows="numbers")
def extremes_by_key(x, y):
    far = max([x, y, x + y], key=abs)
    near = min(x, y, x * y, key=lambda v: (v - 1.0) ** 2)
    return far * near + max([], default=x * x)


@program([0.5, 1.5, 2.5], 10.0, rows="numbers")
def sum_with_start(xs, start):
    return sum(xs, start) * sum([x * x for x in xs])


@program(3.14159, rows="numbers")
def rounding(x):
    return round(x, 2) * x + round(x) * x * x + round(x, 1)


@program(7384.5, rows="numbers")
def clock_of_seconds(seconds):
    hours, rest = divmod(seconds, 3600.0)
    minutes, rest = divmod(rest, 60.0)
    return hours * seconds + minutes * rest + rest


@program(3, 4, rows="numbers", integers=True)
def integers_as_numbers(a, b):
    return a * b + a**2 / b - (a - b)


@program(1.5, 3, rows="numbers", integers=True, order=2)
def integer_exponent(x, n):
    return x**n + n * x


@program([2, 5, 9], rows="numbers", integers=True)
def mean_of_integers(counts):
    mean = sum(counts) / len(counts)
    return sum([(c - mean) ** 2 for c in counts]) / len(counts)


@program(1.1, 13, rows=("numbers", "control flow"))
def power_by_squaring(x, n):
    result = 1.0
    while n:
        if n & 1:
            result = result * x
        x = x * x
        n >>= 1
    return result


@program(0.7, 6, rows="numbers")
def integer_bit_operators(x, n):
    mask = (n | 1) ^ 2
    shifted = (n << 2) >> 1
    return x * mask + x**2 * shifted + (~n) * x


@program(1.2 - 0.7j, rows="numbers")
def complex_polynomial(z):
    return (z * z - 2.0) * z + 3j / z


@program(0.6 + 1.1j, 2.0 - 0.3j, rows="numbers")
def complex_parts(z, w):
    return abs(z) * w.real + (z * w.conjugate()).imag + z.real * abs(w - z)


@program(0.8, -1.4, rows="numbers", order=2)
def complex_from_real_parts(x, y):
    z = complex(x, y)
    w = z**2 + 1.0
    return (w * w.conjugate()).real


@program(-0.4 + 0.55j, rows=("numbers", "control flow"))
def mandelbrot_modulus(c):
    z = 0j
    for _ in range(5):
        z = z * z + c
    return abs(z) ** 2


@program(1.5, 2.0 + 1.0j, rows="numbers")
def real_times_complex(x, z):
    return x * z + z / x, -z, +z - x


@program(2.0, True, rows="numbers")
def booleans_as_factors(x, flag):
    return x * flag + (x > 1.0) * x**2 + (not flag) * 3.0


@program(120.0, 0.035, 4.0, rows="numbers", order=2)
def compound_interest(principal, rate, years):
    return principal * (1.0 + rate) ** years - principal


@program(1.0, 2.0, 3.0, rows="numbers", order=2)
def continued_fraction(a, b, c):
    return a + 1.0 / (b + 1.0 / (c + 1.0 / (a + b)))

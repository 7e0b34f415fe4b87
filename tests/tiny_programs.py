"""Programs of the small language of `examples/tiny.py`: one list of source texts, each with arguments of `f`.

`same` says whether the small engine prints the very program that `adjoint.ir.of` prints for floats. It doesn't where a
tuple is taken apart, for the real engine takes its parts one by one, and those that were just put in at once; nor where a
power may be complex, which the real engine checks in a statement of its own; nor for a global number, which the real one
loads whenever the program runs; nor for a small function that is called in a loop, which the real one writes out there.
"""

from __future__ import annotations

from typing import NamedTuple


class Program(NamedTuple):
    """A program `f`, what it is called with, and whether both engines print the same."""

    source: str
    args: tuple[float, ...]
    same: bool = True


def straight(*results: str) -> list[Program]:
    return [Program(f"def f(x, y):\n    return {r}\n", (0.7, 1.3), r != "x ** y") for r in results]


STRAIGHT = straight(
    "x + y", "x - y", "x * y", "x / y", "x ** y", "-x * y", "+x + y", "x * x * x - y", "2 * x + y / 3", "x ** 3 + y ** 2",
    "math.sin(x) * math.cos(y)", "math.exp(x * y)", "math.log(x) + math.sqrt(y)", "math.sin(math.cos(x)) - y",
    "x / (x + y * y)", "-2.5 * x - -1.0 * y", "sin(x) * y", "y * y - y",
)  # fmt: skip

TEXTS = [
    ("z = x * y\nz = z + x\nreturn z * z", True),
    ("z = w = x * y\nreturn z + w", True),
    ("z = x\nz += y\nz *= x\nz -= 2.0\nz /= y\nreturn z", True),
    ("a, b = y, x\nreturn a / b", True),
    ("t = (x, y)\nreturn t[0] * t[1] + t[-1]", False),
    ("a, b = both(x, y)\nreturn a * b", False),
    ("(a, b), c = (x * y, x), y\nreturn a * b - c", False),
    ("return square(x) * square(y)", True),
    ("return power(x, 3) * y", True),
    ("return power(y, 0) * x", True),
    ("if x > 0.5:\n    z = x * y\nelse:\n    z = x - y\nreturn z", True),
    ("if x > 5.0:\n    z = x * y\nelse:\n    z = x - y\nreturn z", True),
    ("z = x\nif y > 1.0:\n    z = math.sin(z)\nreturn z * y", True),
    ("z = x\nif y < 1.0:\n    z = math.sin(z)\nreturn z * y", True),
    ("if x > 2.0:\n    z = x\nelif x > 0.5:\n    z = x * y\nelse:\n    z = y\nreturn z * z", True),
    ("z, w = x, y\nif x < y:\n    z, w = w, z\nreturn z / w", True),
    ("z = x\nif not x > y:\n    z = z * y\nreturn z", True),
    ("if x > 0.0:\n    if y > 9.0:\n        z = x\n    else:\n        z = y * x\nelse:\n    z = 3.0\nreturn z", True),
    ("z = 1.0\nfor i in range(4):\n    z = z * x\nreturn z + y", True),
    ("z = 0.0\nfor i in range(1, 6, 2):\n    z = z + i * x * y\nreturn z", True),
    ("z = x\nfor i in range(0):\n    z = z * y\nreturn z", True),
    ("a, b = x, y\nfor i in range(3):\n    a, b = b, a * b\nreturn a / b", True),
    ("a, b = x, y\nfor i in range(3):\n    a, b = b, a\nreturn a / b", True),
    ("z = x\nfor i in range(3):\n    for j in range(i):\n        z = z * y + j\nreturn z", True),
    ("z = x\nfor i in range(5):\n    if z > 1.0:\n        z = math.sin(z) * x\n    else:\n        z = z + i * y\nreturn z", True),
    ("z = x\nfor i in range(3):\n    z = z / y - z * z\nreturn z", True),
    ("z = x\nfor i in range(3):\n    w = z * y\n    z = w - x\nreturn z", True),
    ("while x < 100.0:\n    x = x * x + y\nreturn -x", True),
    ("while x < 0.0:\n    x = x * x\nreturn x * y", True),
    ("k = 0\nwhile k < 3:\n    k = k + 1\n    x = x * y\nreturn x", True),
    ("k = 0\na, b = x, y\nwhile k < 3:\n    k += 1\n    a, b = b, a\nreturn a / b", True),
    ("s = 0.0\nk = 1\nwhile k < 4:\n    for i in range(k):\n        s = s + x * i\n    k = k * 2\nreturn s * y", True),
    ("s = 0.0\nfor i in range(3):\n    z = x\n    while z < 2.0:\n        z = z * 1.5 + y\n    s = s + z\nreturn s", True),
    ("s = 0.0\nfor i in range(4):\n    if i > 1:\n        for j in range(2):\n            s = s + x * y\nreturn s", True),
    ("t = (x, (y, x * y))\nu = t[1]\nreturn u[0] * u[1] * t[0]", False),
    ("s = 0.0\nw = (2.0, 0.0, x, y)\nfor i in range(4):\n    s = s * x + w[3 - i]\nreturn s", True),
    ("z = 2.0\nfor i in range(3):\n    z = square(z) / (1.0 + x)\nreturn z * y", False),
    ("if x > 0.0:\n    z = square(x)\nelse:\n    z = power(y, 2)\nreturn z - y", True),
    ("z = 3 * x\nw = (z + 2) * y\nreturn z", True),
    ("return apply(square, x) * y", True),
    ("t = (x, y)\nfor i in range(3):\n    t = (t[1], t[0] * t[1])\nreturn t[0] - t[1]", False),
    ("z = x\nif x > 0.0:\n    z = 1.0\nreturn z * y", True),
    ("x1, x11 = x * y, x - y\nx_1 = x1 * x11\nreturn x_1 * x1 / x11", True),
    ("return rate * x * math.pi", False),
    ("c = x > 0.0\nz = x\nfor i in range(3):\n    if c:\n        z = z * y\n    if c:\n        z = z + x\nreturn z", True),
    ("for i in range(2):\n    x = x\nreturn x * y", True),
    ("s = 0.0\nfor x in range(3):\n    s = s + x * y\nreturn s + x", True),
    ("for i in range(3):\n    y = x * 2.0\nreturn y", True),
    ("return 3.0", True),
]  # fmt: skip

HEAD = """
import math
from math import sin

rate = 0.5

def square(x):
    return x * x

def both(x, y):
    return x * y, x + y

def power(x, n):
    y = 1.0
    if n > 0:
        y = x * power(x, n - 1)
    return y

def apply(g, x):
    return g(x)

"""


def indented(text: str) -> str:
    return "def f(x, y):\n" + "".join(f"    {line}\n" for line in text.splitlines())


PROGRAMS = [*STRAIGHT, *[Program(indented(text), (0.7, 1.3), same) for text, same in TEXTS]]

"""Every construct: the IR of a function does what the function does."""

# ruff: noqa: B023, B905, F821

import functools
import itertools
import math
from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import pytest

CASES: list[Any] = []


def case(*calls: tuple[Any, ...]) -> Any:
    """Enter a function with the arguments of some calls."""

    def enter(function: Any) -> Any:
        CASES.extend(pytest.param(function, args, id=f"{function.__name__}-{i}") for i, args in enumerate(calls))
        return function

    return enter


# Expressions


@case((3, 2), (-7, 3), (2.5, 0.5))
def arithmetic(a, b):
    return a + b, a - b, a * b, a / b, a // b, a % b, a**b, -a, +a, -3, not a


@case((6, 3))
def bits(a, b):
    return a << b, a >> b, a & b, a | b, a ^ b, ~a


@case((1, 2, 3), (3, 2, 1), (1, 1, 1))
def comparisons(a, b, c):
    return a < b <= c, a == b != c, a > b > c, a is b, a is not c, a in (b, c), a not in (b, c), a < b in (c, b)


@case((0, 1), (1, 0), ([], ""), (2, 3))
def short_circuits(a, b):
    return a and b, a or b, not (a and b), a and b or a, a or b and 5


@case((1,), (-1,), (0,))
def ternaries(x):
    return "pos" if x > 0 else "zero" if x == 0 else "neg"


@case(([1, 2, 3, 4, 5], 1))
def subscripts(xs, i):
    return xs[i], xs[-1], xs[1:], xs[:-1], xs[::2], xs[i : i + 2], xs[i:], {(1, 2): 3}[1, 2]


@case(([1, 2], {"a": 1}))
def displays(xs, d):
    return (), (1,), [*xs, 0, *xs], {1, *xs}, {**d, "b": 2, **{"c": 3}}, {"z": 0}, {}, (*xs,)


@case((3.14159, "s", 8))
def f_strings(x, s, n):
    return f"plain", f"{x:.2f} {s!r:>{n}} {x=} {{}} {n:0{n}d}" + f"{s}"  # noqa: F541


@case(([1, 4, 9],), ([],))
def walrus(xs):
    if (n := len(xs)) > 2:
        return n
    return [y := 3, y * 2, n]


def target(a, b=2, *rest, c, d=4, **more):
    return a, b, rest, c, d, more


@case(([1, 2], {"c": 3}), ([1, 2, 3, 4], {"c": 5, "d": 6, "e": 7}))
def calls(xs, kw):
    return target(*xs, **kw), target(1, c=2), target(0, *xs, **kw, x=1)


@case((2.0,))
def attributes(x):
    return math.sin(x), x.real, (1 + 2j).imag, complex(x, 1).conjugate()


@case((2, 3))
def lazy_operands(a, b):
    log = []

    def note(v):
        log.append(v)
        return v

    first = note(a) < note(b) < note(0) < note(9)
    second = note(0) and note(1)
    third = [note(1), note(2)][note(0)]
    return first, second, third, log


@case((1, 2))
def parallel_with_effects(a, b):
    xs = [1, 2, 3]
    a, b = xs.pop(), xs.pop()
    xs.append(xs.pop() + 1)
    xs[0], c = b, a
    return a, b, c, xs


# Assignments


@case((1, 2))
def swaps(a, b):
    a, b = b, a
    (a, c), [d] = (b, a), [3]
    return a, b, c, d


@case(([1, 2, 3],), ([1, 2],), ([1, 2, 3, 4],))
def unpacking(xs):
    a, b, c = xs
    return a, b, c


@case(([1, (2, [3]), 4],), ([1, (2, 3), 4],))
def nested_unpacking(xs):
    a, (b, [c]), d = xs
    return a, b, c, d


@case(([1, 2, 3, 4],), ([1, 2],), ([1],))
def starred_unpacking(xs):
    a, *b, c = xs
    *d, e = xs
    (*f,) = xs
    return a, b, c, d, e, f


@case((2,))
def chained_assignment(x):
    a = b = [x]
    a.append(3)
    c, d = e = (1, 2)
    return a is b, b, c, d, e


@case((2, [1, 2, 3]))
def in_place(x, xs):
    x += 1
    x -= 2
    x *= 3
    x **= 2
    x //= 2
    y = xs
    xs += [4]
    xs[0] += x
    xs[-1] *= 2
    return x, xs, y is xs


class Box:
    shared = 1

    def __init__(self, value):
        self.value = value
        self.__secret = value + 1

    def bump(self, by):
        self.value += by
        self.__secret -= by
        return self.__secret

    def secret(self):
        return (lambda: self.__secret)()

    def __eq__(self, other):
        return vars(self) == vars(other)


@case((5,))
def objects(x):
    b = Box(x)
    b.value = x * 2
    b.inner = Box(1)
    b.inner.value += 4
    t = b.bump(3), b.secret(), b.value, b.inner.value, Box.shared
    del b.inner
    return t, hasattr(b, "inner"), b


@case(([3, 1, 2],))
def mutators(xs):
    ys = sorted(xs)
    ys.append(10)
    ys.insert(0, -1)
    z = ys.pop()
    ys.sort(reverse=True)
    d = {}
    d.setdefault("a", []).append(1)
    d.update(b=2)
    del ys[0]
    s = set()
    s.add(3)
    return xs, ys, z, d, s


@case((1,))
def annotated(x):
    y: float = x + 1
    z: int
    z = 3
    return y * z


# Branches


@case((1,), (-1,), (0,))
def branches(x):
    if x > 0:
        y = 1
        z = 2
    elif x < 0:
        y = -1
        z = 3
    else:
        y = 0
        z = 4
    return y * z


@case((True,), (False,))
def bound_on_one_path(c):
    if c:
        y = 1
    return y


@case((True,), (False,))
def deleted_on_one_path(c):
    y = 1
    if c:
        del y
    return y


@case((1,))
def never_bound(x):
    if x > 5:
        return later  # noqa: F821
    z = later  # noqa: F821, F841
    later = 2
    return later


@case((1,))
def deleted(x):
    y = x
    del y
    return y


@case((0,))
def global_that_is_missing(x):
    return x + no_such_name  # noqa: F821


@case((3, 4), (-3, 4), (3, -4), (-3, -4))
def exits_in_nested_branches(a, b):
    if a > 0:
        if b > 0:
            return "both"
        a += 1
    elif b > 0:
        a -= 1
        if a < -10:
            return "far"
    else:
        return "none"
    c = a * b
    if c > 100:
        c = 5
    return a, b, c


@case((1,), (-1,), (50,))
def raises(x):
    if x < 0:
        raise ValueError(f"negative: {x}")
    if x > 10:
        raise KeyError(x) from ValueError("cause")
    return x


@case((1,), (-1,))
def asserts(x):
    assert x > 0, f"bad {x}"
    assert x, "zero"
    return x


@case((1,), (5,), (9,))
def dead_code(x):
    if False:
        x = 100
    if x > 3:
        return x
        x = 7
    while False:
        x += 1
    if not False:
        x += 1
    return x


# Loops


@case((0,), (1,), (5,))
def for_loop(n):
    s = 0
    for i in range(n):
        s += i * i
    return s


@case((0,), (3,))
def loop_variable_afterwards(n):
    for i in range(n):
        last = i * 2
    return i, last


@case((5,))
def swap_in_loop(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a, b


@case(([1, 2, -3, 4, 50, 6],), ([1, 2],), ([],), ([-1, 100],))
def breaks(xs):
    total = 0
    for x in xs:
        if x < 0:
            continue
        total += x
        if total > 20:
            break
        total += 1
    else:
        total = -total
    return total


@case(([1, 2, 3], 2), ([1, 2, 3], 9), ([], 1))
def return_in_loop(xs, y):
    for i, x in enumerate(xs):
        if x == y:
            return i
    return None


@case((3, 4), (5, 100), (1, 1))
def return_in_nested_loops(n, limit):
    count = 0
    for i in range(n):
        for j in range(i + 1):
            if i * j >= limit:
                return i, j, count
            if j > 3:
                break
            count += 1
        else:
            count += 100
            continue
        count += 1000
    return count


@case((3,), (0,), (10,), (7,))
def every_exit(n):
    log = []
    for i in range(n):
        if i == 2:
            continue
        if i == 5:
            break
        for j in range(i):
            if j == 3:
                return log, i, j
            if j == 1:
                continue
            log.append((i, j))
            if i + j > 6:
                break
        else:
            log.append("else")
        if i == 4:
            log.append("four")
        log.append(i)
    else:
        log.append("done")
        if n > 2:
            return log
    log.append("end")
    return log


@case((10,), (0,), (1,))
def while_loop(n):
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
        if steps > 50:
            break
    else:
        steps = -steps
    return n, steps


@case((3,), (30,))
def endless_while(n):
    i = 0
    while True:
        i += 1
        if i * i > n:
            return i
        if i > 4:
            break
    return -i


@case(([3, 2, 1, 0, 5],), ([],), ([0],))
def walrus_in_while(xs):
    seen = []
    while xs and (x := xs.pop()):
        if x == 3:
            break
        seen.append(x)
    else:
        seen.append("else")
        if len(seen) > 2:
            return seen
    return seen, xs


@case(([1, 2, 3],), ([],))
def while_pops(xs):
    total = 0
    while len(xs) > 1 and xs.pop() > 1:
        total += 1
    return total, xs


@case(([(1, (2, 3)), (4, (5, 6))],))
def targets_of_for(pairs):
    box, slots = Box(0), [0, 0]
    for a, (b, *c) in pairs:
        box.value += a * b + c[0]
    for box.value in (7, 8):
        pass
    for slots[0], slots[1] in [(1, 2)]:
        pass
    return box.value, slots


@case((3,), (0,))
def else_that_returns(n):
    for i in range(n):
        if i == 2:
            break
    else:
        return "else"
    i += 1
    return i


@case((3,), (0,))
def nothing_after_the_loop_is_reached(n):
    for i in range(n):
        if i == 1:
            return i
    else:
        raise ValueError(n)
    return lambda: i


@case((5,), (1,))
def loops_after_loops(n):
    for i in range(n):
        if i == 3:
            break
    for i in range(10, 10 + n):
        if i == 12:
            return i
    k = 0
    while k < n:
        k += 1
        if k == 4:
            continue
    return i, k


@case((5,))
def raise_in_loop(n):
    s = 0
    for i in range(n):
        if i > 2:
            raise ValueError(s)
        s += i
    return s


@case((5,))
def always_leaves(n):
    for i in range(n):
        return i
    return "none"


@case(([5, 4, 3, 0, 1],))
def generator_in_for(xs):
    log = []

    def note(v):
        log.append(v)
        return v

    for y in (note(x * 2) for x in xs if note(x) != 4):
        log.append("body")
        if y == 6:
            break
    return log, y


# Comprehensions


@case(([1, 2, 3, 4],), ([],))
def comprehensions(xs):
    return (
        [x * x for x in xs],
        [x for x in xs if x % 2 if x > 1],
        {x % 3 for x in xs},
        {x: x * x for x in xs},
        {k: v for k in xs for v in range(k) if v},
        [(x, y) for x in xs for y in range(x)],
        [(x, y) for x in xs if x > 1 for y in range(x)],
        [[y for y in range(x)] for x in xs],
        [(i, a) for i, (a, b) in enumerate(zip(xs, xs))],
    )


@case(([1, 2, 3, 4],))
def scopes_of_comprehensions(xs):
    x = 100
    ys = [x for x in xs]
    zs = [x + (total := t) for t in xs for x in [t * x for x in [1]]]
    return x, ys, zs, total, [x for _ in xs]


@case(([1, -2, 3],), ([],), ([0.5],))
def consumed_generators(xs):
    return (
        sum(x * x for x in xs),
        sum((x for x in xs), 10),
        max((abs(x) for x in xs), default=0),
        sorted((x for x in xs), key=lambda v: -v),
        tuple(x for x in xs),
        ",".join(str(x) for x in xs),
        any(x < 0 for x in xs),
        all(x > 0 for x in xs),
        math.fsum(x for x in xs),
        functools.reduce(lambda a, b: a + b, (x for x in xs), 0),
        dict((x, 1) for x in xs),
        [*(x for x in xs)],
    )


@case(([1, 2, 3, 4],))
def searches_stop_early(xs):
    log = []

    def note(v):
        log.append(v)
        return v

    a = any(note(x) > 1 for x in xs)
    b = all(note(x) < 3 for x in xs if x != 1)
    c = any(note(x + y) == 5 for x in xs for y in xs)
    d = all(any(note(x * y) == 4 for y in xs) for x in xs)
    return a, b, c, d, log


@case(([3, 1, 2],))
def comprehension_with_effects(xs):
    last = [xs.pop() for _ in range(2)]
    p, q = (x * 2 for x in last)
    return last, xs, p, q


# Functions


@case((2, 3))
def closures(x, y):
    def square(v):
        return v * v

    def shifted(v, by=y, *, more=1):
        """Docstring."""
        return square(v) + by + more + x

    return shifted(x), shifted(x, 1, more=2), shifted.__doc__, shifted.__name__, (lambda *a, **k: (a, k, x))(1, z=2)


@case((5,), (0,))
def recursion_of_inner_function(n):
    def factorial(k):
        return 1 if k == 0 else k * (lambda j: factorial(j))(k - 1)

    return factorial(n)


@case((6,), (7,))
def mutual_recursion(n):
    def even(k):
        return k == 0 or odd(k - 1)

    def odd(k):
        return k != 0 and even(k - 1)

    return even(n), odd(n)


@case((2,))
def rebound_after_capture(x):
    k = x
    h = lambda: k * k  # noqa: E731
    a = h()
    k = k * 3
    x += 1
    return a, h(), (lambda: x)()


@case((2,), (-2,))
def maybe_bound(x):
    if x > 0:
        k = 1
    g = lambda: k  # noqa: E731
    return g()


@case((4,))
def functions_made_in_loops(n):
    late = [lambda: i for i in range(n)]
    early = [lambda i=i: i for i in range(n)]
    in_loop = []
    for j in range(n):
        in_loop.append(lambda: j)
    two = [lambda a: a + n, lambda a: a * n]
    pairs = [(lambda: x, lambda: y) for x in range(2) for y in range(2)]
    return (
        [f() for f in late],
        [f() for f in early],
        [f() for f in in_loop],
        [f(3) for f in two],
        [(f(), g()) for f, g in pairs],
        [(lambda v: v + n)(k) for k in range(n)],
    )


@case((3,))
def cell_of_comprehension_is_its_own(n):
    i = 10
    f = lambda: i  # noqa: E731
    gs = [lambda: i for i in range(n)]
    i = 20
    return f(), [g() for g in gs], i


@case((3,))
def cell_as_counter(n):
    log = [0]

    def count():
        log[0] += 1
        return n + log[0]

    n = n + 1
    first = count()
    n += 10
    del n
    return first, log


def twice(f):
    return lambda *args: f(f(*args))


def scaled(by):
    def decorate(f):
        @functools.wraps(f)
        def inner(*args):
            return by * f(*args)

        return inner

    return decorate


@case((3,))
def decorators(x):
    @twice
    @scaled(10)
    def f(v):
        return v + 1

    return f(x), f.__name__


@twice
@scaled(2)
def decorated(x):
    return x + 1


CASES.append(pytest.param(decorated, (4,), id="decorated"))


@case((1, 2, 3), (1,))
def signature(a, /, b=5, *rest):
    def inner(x, /, y, *zs, k=3, **more):
        return x, y, zs, k, more

    return inner(a, b, *rest), inner(a, y=b, k=4, q=1)


class Base:
    def __init__(self, x):
        self.x = x

    def value(self):
        return self.x

    @classmethod
    def make(cls, x):
        return cls(x)

    @staticmethod
    def double(x):
        return x * 2

    @property
    def prop(self):
        return self.x + 0.5


class Derived(Base):
    def __init__(self, x):
        super().__init__(x + 1)

    def value(self):
        return super().value() * 10, __class__.__name__

    def __call__(self, y):
        return [super(Derived, self).value() + v for v in y]


@case((3,))
def classes(x):
    d = Derived.make(x)
    return d.value(), d([1, 2]), Base.double(x), d.prop, super


# Imports


@case((2.0,))
def imports(x):
    import math as m
    import os.path
    import xml.dom
    from math import cos
    from math import sin as s
    from xml import sax

    return m.sqrt(x), cos(x), s(x), os.path.join("a", "b"), xml.dom.__name__, sax.__name__


@case((2.0,))
def import_that_fails(x):
    from math import no_such_thing

    return no_such_thing(x)


# Patterns

Point = namedtuple("Point", "x y")


@dataclass
class Circle:
    radius: float
    center: Any = None


SUBJECTS: list[tuple[Any]] = [
    (s,)
    for s in (0, 1, 2, "a", "b", None, True, 2.5, -3.0, [], [1], [1, 2], (0, 5), [1, 2, 3, 4], ["go", 3], "text")
    + ({}, {"k": 1}, {"k": 2, "z": 3}, {"k": [1, 2]}, Point(0, 2), Point(3, 4), Circle(1.0), Circle(2.0, Point(1, 1)))
    + ((x for x in ()), {1, 2}, b"xy", range(2))
]


@case(*SUBJECTS)
def patterns(s):
    n = 0
    match s:
        case None:
            return "none"
        case True | False:
            return "bool"
        case 0 | 1:
            n = 1
        case "a" | "b" as letter:
            return letter
        case float(f) if f > 0:
            return "positive", f
        case float():
            return "float"
        case [] | {}:
            n = 2
        case [x]:
            return "one", x
        case ["go", int(n)]:
            pass
        case (0, y) | (y, 0):
            n = y
        case Circle(1.0):
            return "unit"
        case Circle(radius=r, center=Point(x, y=1)):
            return r, x
        case Point(x=0, y=y):
            return "axis", y
        case [first, *_, last] if first < last:
            return first, last
        case [*rest, _]:
            return rest
        case {"k": [a, b]}:
            return a, b
        case {"k": 1}:
            return "k1"
        case {"k": v, **others}:
            return v, others
        case str():
            return "str", s
        case other:
            return str(type(other))
    return n, "fell"


@case((1,), (2,), ([3, 4],), ("x",))
def patterns_in_loops(s):
    out = []
    for i in range(4):
        match i, s:
            case 0, _:
                continue
            case 1, 1:
                return "early", out
            case k, 2:
                out.append(k)
            case 3, [a, b]:
                out.append(a + b)
                break
        out.append("end")
    else:
        out.append("else")
    return out


@case((1,), (5,))
def names_of_failed_guards(s):
    match s:
        case x if x > 3:
            pass
        case _:
            pass
    return x


def test_many_early_returns(same: Any, tmp_path: Any) -> None:
    body = "".join(f"    if x == {i}:\n        return {i * i}\n" for i in range(60))
    file = tmp_path / "many.py"
    file.write_text(f"def f(x):\n{body}    return -1\n")
    namespace: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), namespace)
    for x in (0, 13, 59, 60):
        same(namespace["f"], x)


@pytest.mark.parametrize(("function", "args"), CASES)
def test_ir_does_what_the_function_does(function: Any, args: tuple[Any, ...], same: Any) -> None:
    same(function, *args)


def test_lambda(same: Any) -> None:
    same(lambda x, y=2: [x * y for _ in range(x)], 3)


def test_itertools_stay_lazy(same: Any) -> None:
    def f(n):
        for i in (x for x in itertools.count() if x % 3 == 0):
            if i > n:
                return i

    same(f, 10)

"""What the modules of random programs begin with, for each feature of strangers' programs.

A function named `reset_...` sets back what its part of the module holds, before each run; one named `seen_...` says
what that is. `change_...` changes what the module says, as others may do between two calls; `restore_...` undoes it.
"""

CLASSES = '''
import dataclasses
import functools
from typing import NamedTuple


def plain(x):
    return x.v if isinstance(x, Quantity) else x


class Quantity:
    """An object of one number, with operators of all kinds."""

    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        return Quantity(self.v + plain(other))

    def __radd__(self, other):
        return Quantity(0.5 * other + self.v)

    def __sub__(self, other):
        return Quantity(self.v - 0.5 * plain(other))

    def __rsub__(self, other):
        return Quantity(other - 0.3 * self.v)

    def __mul__(self, other):
        return Quantity(0.5 * self.v * plain(other))

    def __rmul__(self, other):
        return Quantity(0.7 * other * self.v)

    def __truediv__(self, other):
        return Quantity(self.v / (1.0 + plain(other) ** 2))

    def __matmul__(self, other):
        return math.sin(self.v) * plain(other)

    def __pow__(self, n):
        return Quantity(math.tanh(self.v) ** n)

    def __neg__(self):
        return Quantity(-0.9 * self.v)

    def __invert__(self):
        return Quantity(math.cos(self.v))

    def __abs__(self):
        return math.sqrt(0.1 + self.v * self.v)

    def __float__(self):
        return float(0.6 * self.v)

    def __imul__(self, other):
        self.v = 0.5 * self.v * plain(other)
        return self

    def __isub__(self, other):
        return Quantity(self.v - 0.2 * plain(other))

    def __call__(self, n, *more, rate=0.3):
        return self.v * n + rate * sum(more)

    def __len__(self):
        return 3

    def __iter__(self):
        yield self.v
        yield 0.5 * self.v

    def __contains__(self, n):
        return n < self.v

    def __getitem__(self, i):
        return self.v * (0.5 + i) if isinstance(i, int) else [self.v, 0.3]

    def __setitem__(self, i, n):
        self.v = 0.7 * n + 0.1 * self.v + 0.1 * i

    def __delitem__(self, i):
        self.v *= 0.8

    def __getattr__(self, name):
        if not name.startswith("times_"):
            raise AttributeError(name)
        return self.v * float(name[6:])

    def __eq__(self, other):
        return isinstance(other, Quantity) and self.v == other.v

    def __lt__(self, other):
        return self.v < plain(other)

    def __hash__(self):
        return 7

    def __bool__(self):
        return self.v > 0.1


class Base:
    factor = 0.8

    def __init__(self, v, **rest):
        super().__init__(**rest)
        self.v = v

    def of(self, n):
        return self.v * n

    @classmethod
    def made(cls, n):
        return cls(n * cls.factor)


class Damped:
    def of(self, n):
        return 0.5 * super().of(n) + 0.1 * self.factor


class Named:
    def __init__(self, *, name="p", **rest):
        super().__init__(**rest)
        self.name = name

    def of(self, n):
        return super().of(0.9 * n) if self.name == "p" else super().of(n) * n


class Mixed(Damped, Base, Named):
    factor = 0.6

    def of(self, n):
        return Damped.of(self, n) + 0.2 * self.v


class Upside(Named, Damped, Base):
    @staticmethod
    def half(n):
        return 0.5 * n


class Halved:
    """A descriptor."""

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, it, owner=None):
        return self if it is None else 0.5 * getattr(it, self.name)

    def __set__(self, it, n):
        setattr(it, self.name, n + 0.1)


class Managed:
    h = Halved()

    def __init__(self, n):
        self.h = n

    @property
    def p(self):
        return math.sin(self.h)

    @p.setter
    def p(self, n):
        self.h = 0.5 * n

    @functools.cached_property
    def once(self):
        return self.h * self.h


class Slots:
    __slots__ = ("v", "w")

    def __init__(self, v, w=0.3):
        self.v, self.w = v, w


@dataclasses.dataclass
class Data:
    v: float
    w: float = 0.4
    rest: list = dataclasses.field(default_factory=list)

    def __post_init__(self):
        self.w = self.w * self.v


class Row(NamedTuple):
    v: float
    w: float = 0.2

    def dot(self, other):
        return self.v * other.v + self.w * other.w


class Table(dict):
    def __missing__(self, key):
        return 0.5 * self["p"]

'''

WRAPPED = """
import functools

try:
    from plum import Dispatcher
except ImportError:
    Dispatcher = None

MEMO = {}


def reset_memo():
    MEMO.clear()
    cached.cache_clear()
    Wrapped.kept = {}


def seen_memo():
    return MEMO, Wrapped.kept


def doubled(f):
    @functools.wraps(f)
    def wrapper(*args, **kw):
        return 2.0 * f(*args, **kw)

    return wrapper


def bare(f):
    return lambda *args, **kw: f(*args, **kw) + 0.1

def scaled_by(rate, *, at=0.0):
    def decorate(f):
        @functools.wraps(f)
        def wrapper(first, *args, **kw):
            return f(first, *args, **kw) * rate + at

        return wrapper

    return decorate


class Decorator:
    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.f = f

    def __call__(self, *args, **kw):
        return 0.5 * self.f(*args, **kw)

    def __get__(self, it, owner=None):
        return functools.partial(self, it)


def memoised(f):
    kept = {}

    def wrapper(n):
        if n not in kept:
            kept[n] = f(n)
        return kept[n]

    wrapper.forget = kept.clear
    return wrapper


@doubled
def once(n, rate=0.5):
    return math.sin(n) * rate


@bare
@doubled
def both(n):
    return 0.3 * n * n


@scaled_by(0.7, at=0.2)
def with_rate(n, m=0.4):
    return n * m


@Decorator
def decorated(n):
    return n * n


@functools.lru_cache(maxsize=None)
def cached(i):
    return 0.3 * i * i + 0.1


@functools.lru_cache
def cached_of(n, i):
    return math.sin(n) * i


def kept_in_module(key, n):
    if key not in MEMO:
        MEMO[key] = math.cos(n)
    return MEMO[key] * n


class Wrapped:
    kept = {}

    def __init__(self, v):
        self.v = v

    @doubled
    def of(self, n):
        return self.v * n

    @scaled_by(0.3)
    def by(self, n, *, rate=0.5):
        return self.v * n * rate

    @Decorator
    def held(self, n):
        return self.v - n

    @classmethod
    def keep(cls, key, n):
        return cls.kept.setdefault(key, 0.5 * n)

    @functools.singledispatchmethod
    def on(self, x):
        return self.v

    @on.register
    def _(self, x: int):
        return self.v * (x + 0.5)

    @on.register(float)
    def _(self, x):
        return self.v * x


@functools.singledispatch
def single(x, n):
    return 0.5 * n


@single.register
def _(x: float, n):
    return x * n


@single.register(int)
def _(x, n):
    return 30.0 * 0.01 * x * n


@single.register(list)
def _(x, n):
    return sum(x) * n * 0.2


@single.register(np.ndarray)
def _(x, n):
    return x.sum() * n * 0.3


if Dispatcher:
    dispatch = Dispatcher()

    @dispatch
    def multiple(x: float, n: object):
        return x * n * 0.5

    @dispatch
    def multiple(x: int, n: object):
        return 0.3 * x + n

    @dispatch
    def multiple(x: list, n: object):
        return 0.2 * x[0] * n

    @dispatch
    def multiple(x: np.ndarray, n: object):
        return 0.2 * x.mean() - n

else:
    multiple = single

"""

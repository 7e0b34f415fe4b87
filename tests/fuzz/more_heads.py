"""More of what the modules of random programs begin with."""

PROTOCOLS = '''
import io
import operator


class Lent:
    """A context that changes what it is given, and changes it back."""

    def __init__(self, ns, rate=0.5):
        self.ns, self.rate = ns, rate

    def __enter__(self):
        self.before = self.ns[0]
        self.ns[0] = self.before * self.rate
        return self.ns

    def __exit__(self, cls, error, where):
        self.ns[0] = self.before + 0.1 * self.ns[0]
        return cls is KeyError


@contextlib.contextmanager
def given(n):
    try:
        yield 0.5 * n
    except ValueError:
        pass


def averaging(n):
    """What is sent changes what comes next; it has a value in the end."""
    total, count = n, 1
    try:
        while count < 4:
            sent = yield total / count
            if sent is not None:
                total, count = total + sent, count + 1
    finally:
        total = total * 0.5
    return total


def delegating(n):
    found = yield from averaging(n)
    yield found * n


def last_word(n):
    """`finally` returns, whatever happened before."""
    try:
        if n > 0.2:
            raise ValueError(n)
        return n * n
    finally:
        return 0.7 * n + 0.1


def after_all(ns, n):
    try:
        return ns[0] * n
    finally:
        ns[0] = n


def left_early(ns):
    total = 0.0
    for n in ns:
        try:
            if n < 0.0:
                continue
            if n > 1.0:
                break
            total += n * n
        finally:
            total += 0.1 * n
    return total


def drawn(it, n, count=2):
    """Some items of an iterator, which somebody else goes on with."""
    for _ in range(count):
        n = 0.5 * n + next(it, 0.3)
    return n


def rest_of(it):
    total = 0.1
    for n in it:
        total = total * 0.5 + n
    return total


class Steps:
    """An iterator of the user's."""

    def __init__(self, n):
        self.n, self.left = n, 3

    def __iter__(self):
        return self

    def __next__(self):
        if not self.left:
            raise StopIteration
        self.left -= 1
        self.n = 0.8 * self.n
        return self.n

'''

KINDS = '''
NAMES = np.array(["p", "qq", "r"])
BYTES = np.array([b"p", b"q"])
TABLE = np.array([("p", 0.5, 1), ("q", 1.5, 2), ("r", -0.5, 3)], dtype=[("name", "U3"), ("x", float), ("i", int)])


COLUMN = NAMES


def change_column():
    global COLUMN
    COLUMN = np.array([0.5, -1.5, 0.3])


def restore_column():
    global COLUMN
    COLUMN = NAMES


def of_column(c):
    """A number of a column: of texts there is none."""
    if c.dtype.kind in "US":
        return 0.1 * len(c)
    if c.dtype.names:
        return 0.3 * (c["x"] * c["x"]).sum()
    return 0.3 * (c * c).sum()


def real_part(c):
    return c.real.sum() + 0.5 * c.imag.sum()

'''

STATE = '''
TOTALS = {"runs": 0, "last": 0.5}
HISTORY = [0.3]


class Model:
    rate = 0.4
    made = []

    def __init__(self, v):
        self.v = v
        Model.made.append(v)

    def __call__(self, n):
        Model.rate = 0.9 * Model.rate
        return self.v * n * self.rate

    @classmethod
    def set_rate(cls, n):
        cls.rate = n


class Other(Model):
    pass


def reset_totals():
    global HISTORY
    TOTALS.clear()
    TOTALS.update(runs=0, last=0.5)
    HISTORY = [0.3]
    Model.rate = 0.4
    Model.made = []
    if "rate" in vars(Other):
        del Other.rate
    for name in [name for name in vars(counted) if name != "calls"]:
        delattr(counted, name)
    counted.calls = 0


def seen_totals():
    return TOTALS, HISTORY, Model.rate, Model.made, Other.rate, vars(counted)


def counted(n, kept=[]):
    counted.calls += 1
    return n * counted.calls * 0.5


counted.calls = 0


class Changing:
    """A class that others change."""

    def __init__(self, v):
        self.v = v

    def of(self, n):
        return self.v * n


def change_class():
    """What others do to a class after the first gradient."""
    Changing.__getattribute__ = lambda self, name: (
        2.0 * object.__getattribute__(self, name) if name == "v" else object.__getattribute__(self, name)
    )


def restore_class():
    del Changing.__getattribute__


def recalled(n):
    TOTALS["runs"] += 1
    before, TOTALS["last"] = TOTALS["last"], n
    return before * n + 0.1 * TOTALS["runs"]


def grown(n):
    global HISTORY
    HISTORY = HISTORY + [n * HISTORY[-1]]
    return sum(HISTORY)

'''

KEYWORDS = """
import functools


def keyed(f=0.5, self=0.3, *args, needs=0.2, **kw):
    return f * self + needs * sum(args) + sum(kw.values())


class Called:
    def __init__(self, *args, **kw):
        self.args, self.kw = args, kw

    def total(self, *more, **kw):
        return 0.3 * sum([*self.args, *more]) + sum({**self.kw, **kw}.values())

"""

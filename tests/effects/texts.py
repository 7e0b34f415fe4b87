"""Programs that act on what is outside of them: that draw, print, read on, set; as texts of modules."""

# ruff: noqa: E501 - one program a line

HEAD = """import collections, copy, functools, io, itertools, logging, math, operator, os, random, sys, time, warnings, datetime, heapq, re, string
import numpy as np
import adjoint
tab = {}
class B: pass
def keep(x):
    tab['v'] = x
    return tab['v'] * x
def ident(x): return x
class Stop(Exception): pass
LOG = []
"""

DRAWING = {
    "sum": "k = sum(i)",
    "for": "k = 0.0\n    for q in i: k = k + q",
    "for-break": "k = 0.0\n    for q in i:\n        k = k + q\n        break",
    "next": "k = next(i)",
    "next-default": "k = next(i, 1.0)",
    "list": "k = list(i)[0]",
    "tuple": "k = tuple(i)[0]",
    "zip": "k = sum([a*b for a, b in zip(i, i)])",
    "zip-next": "k = next(zip(i, i))[0]",
    "map": "k = sum(map(abs, i))",
    "maplambda": "k = sum(map(lambda q: q * 2.0, i))",
    "enumerate": "k = [q for n, q in enumerate(i)][0]",
    "max": "k = max(i)",
    "min": "k = min(i, default=3.0)",
    "unpack": "k, l = i",
    "star": "k, *l = i",
    "starcall": "k = max(*i)",
    "in": "k = 2.0 if 5.0 in i else 3.0",
    "notin": "k = 2.0 if 5.0 not in i else 3.0",
    "join": "k = float(len(','.join(map(str, i))))",
    "dict": "k = dict(zip('ab', i))['a']",
    "set": "k = sorted(set(i))[0]",
    "sorted": "k = sorted(i)[0]",
    "fromiter": "k = np.fromiter(i, float)[0]",
    "any": "k = 2.0 if any(i) else 3.0",
    "all": "k = 2.0 if all(i) else 3.0",
    "fsum": "k = math.fsum(i)",
    "prod": "k = math.prod(i)",
    "reduce": "k = functools.reduce(operator.add, i)",
    "comp": "k = [q for q in i][0]",
    "genexp": "k = sum(q for q in i)",
    "islice": "k = list(itertools.islice(i, 1))[0]",
    "chain": "k = sum(itertools.chain(i, [1.0]))",
    "accumulate": "k = list(itertools.accumulate(i))[-1]",
    "starlist": "k = [*i][0]",
    "extend": "l = []\n    l.extend(i)\n    k = l[0]",
    "iadd": "l = []\n    l += i\n    k = l[0]",
    "deque": "k = collections.deque(i, 1)[0]",
    "deque0": "collections.deque(i, 0)\n    k = 2.0",
    "nparray": "k = np.array(list(i))[0]",
    "slice-assign": "l = [1.0]\n    l[:] = i\n    k = l[0]",
    "dunder": "k = i.__next__()",
    "iter": "k = sum(iter(i))",
    "heapq": "k = heapq.nsmallest(1, i)[0]",
    "merge": "k = next(heapq.merge(i, [9.0]))",
    "opcontains": "k = 2.0 if operator.contains(i, 2.0) else 3.0",
    "countof": "k = operator.countOf(i, 2.0) + 1.0",
    "indexof": "k = operator.indexOf(i, 5.0) + 1.0",
    "counter": "k = float(len(collections.Counter(i)))",
    "tee": "p, q = itertools.tee(i)\n    k = sum(p) + sum(q)",
    "cycle": "k = next(itertools.cycle(i))",
    "filter": "k = list(filter(None, i))[0]",
    "range-zip": "k = [a * b for a, b in zip(range(5), i)][-1]",
    "yieldfrom": "def gen():\n        yield from i\n    k = sum(gen())",
    "checkpoint": "k = adjoint.checkpoint(lambda it: sum(it))(i)",
    "inner": "def inner(it):\n        return sum(it)\n    k = inner(i)",
    "statistics": "import statistics\n    k = statistics.fmean(i)",
}
"""What draws from the iterator `i`, and gives `k`."""

TAIL = """
    for h in b.fs: k = h(x) * k
    return k
"""
"""Ends a program: what is found in `b.fs` may store, so that a run by the structure of the program is refused."""

ACTING = {
    "print": ("print('a')", "OUT.getvalue().count('a')"),
    "logging.info": ("logging.info('a')", "len(LOGGED)"),
    "logger": ("LG.warning('a %s', 1)", "len(LOGGED)"),
    "logging.log": ("logging.log(30, 'a')", "len(LOGGED)"),
    "warn": ("warnings.warn('a')", "len(WARNED)"),
    "savetxt": ("np.savetxt(OUT, np.array([7.0]))", "OUT.getvalue().count('7')"),
    "np.save": ("np.save(BIN, np.array([7.0]))", "BIN.getvalue().count(b'NUMPY')"),
    "input": ("k = float(input())", "2 - len(sys.stdin.read().split())"),
    "readline": ("k = float(FILE.readline())", "2 - len(FILE.read().split())"),
    "read": ("k = float(FILE.read(2))", "2 - len(FILE.read().split())"),
    "fileiter": ("k = float(next(FILE))", "2 - len(FILE.read().split())"),
    "filefor": ("for l in FILE:\n        k = float(l)\n        break", "2 - len(FILE.read().split())"),
    "loadtxt": ("k = np.loadtxt(FILE, max_rows=1) * 1.0", "2 - len(FILE.read().split())"),
    "write": ("OUT.write('a')", "OUT.getvalue().count('a')"),
    "stdout.write": ("sys.stdout.write('a')", "OUT.getvalue().count('a')"),
    "open": ("open(TMPNAME, 'a').write('a')", "open(TMPNAME).read().count('a')"),
    "with open": ("with open(TMPNAME, 'a') as fh: fh.write('a')", "open(TMPNAME).read().count('a')"),
    "random": ("k = random.random()", "draws(random.Random(1), random.random())"),
    "random.gauss": ("k = random.gauss(0, 1)", "draws2(random.Random(1), 'gauss', (0, 1), random.gauss(0, 1))"),
    "uniform": ("k = random.uniform(0, 1)", "draws(random.Random(1), random.random())"),
    "seed": ("random.seed(random.random())", "int(random.random() == seeded(1)) or 2"),
    "np.random.seed": ("np.random.seed(int(np.random.random() * 1000))", "int(np.random.random() == npseeded(1)) or 2"),
    "np.random": ("k = np.random.random()", "draws(np.random.RandomState(1), np.random.random())"),
    "np.random.normal": (
        "k = np.random.normal(1.0, 2.0)",
        "draws2(np.random.RandomState(1), 'normal', (1.0, 2.0), np.random.normal(1.0, 2.0))",
    ),
    "rng.normal": ("k = RNG.normal()", "draws2(np.random.default_rng(1), 'normal', (), RNG.normal())"),
    "Generator.normal": (
        "k = np.random.Generator.normal(RNG)",
        "draws2(np.random.default_rng(1), 'normal', (), RNG.normal())",
    ),
    "Random": ("k = PR.random()", "draws(random.Random(1), PR.random())"),
    "Random.random": ("k = random.Random.random(PR)", "draws(random.Random(1), PR.random())"),
    "shuffle": ("random.shuffle(LST)", "int(LST == shuffled(1)) or 2"),
    "np.shuffle": ("np.random.shuffle(ARR)", "int(list(ARR) == npshuffled(1)) or 2"),
    "seterr": ("OLD.append(np.seterr(all='ignore')['divide'])", "len(OLD)"),
    "printoptions": (
        "np.set_printoptions(precision=3 + np.get_printoptions()['precision'])",
        "(np.get_printoptions()['precision'] - 8) / 3",
    ),
    "iadd": ("operator.iadd(LST, [9])", "LST.count(9)"),
    "__iadd__": ("operator.__iadd__(LST, [9])", "LST.count(9)"),
    "setflags": ("ARR.setflags(write=not ARR.flags.writeable)", "int(not ARR.flags.writeable) or 2"),
    "ndarray.setflags": (
        "np.ndarray.setflags(ARR, write=not ARR.flags.writeable)",
        "int(not ARR.flags.writeable) or 2",
    ),
    "environ": ("os.environ['ADJ_T'] = os.environ.get('ADJ_T', '') + 'a'", "len(os.environ.get('ADJ_T'))"),
    "putenv": ("os.environ.update(ADJ_T=os.environ.get('ADJ_T', '') + 'a')", "len(os.environ.get('ADJ_T'))"),
    "append": ("LST.append(9)", "LST.count(9)"),
    "list.append": ("list.append(LST, 9)", "LST.count(9)"),
    "setitem": ("operator.setitem(D, 'n', D.get('n', 0) + 1)", "D['n']"),
    "dict": ("D['n'] = D.get('n', 0) + 1", "D['n']"),
    "setattr": ("setattr(GB, 'n', GB.n + 1)", "GB.n"),
    "callback": ("CALLS(1.0)", "len(LST) - 3"),
    "callbacks": ("for c in CBS: c(1.0)", "len(LST) - 3"),
    "sorted key": ("sorted([1.0], key=note)", "OUT.getvalue().count('a')"),
    "map note": ("list(map(note, [1.0]))", "OUT.getvalue().count('a')"),
    "helper": ("note(1.0)", "OUT.getvalue().count('a')"),
    "helper active": ("note(x)", "OUT.getvalue().count('a')"),
    "method": ("GB.note()", "OUT.getvalue().count('a')"),
    "property": ("GB.prop", "OUT.getvalue().count('a')"),
    "operator": ("k = 2.0 + (GB + 1.0)", "OUT.getvalue().count('a')"),
    "str": ("str(GB)", "OUT.getvalue().count('a')"),
    "len": ("len(GB)", "OUT.getvalue().count('a')"),
    "class init": ("Noisy()", "OUT.getvalue().count('a')"),
    "class init active": ("k = Noisy2(x).x", "OUT.getvalue().count('a')"),
    "partial": ("functools.partial(print, 'a')()", "OUT.getvalue().count('a')"),
    "print in list": ("for p in [print]: p('a')", "OUT.getvalue().count('a')"),
    "print in field": ("GB.p('a')", "OUT.getvalue().count('a')"),
    "print in closure": ("def inner(): print('a')\n    inner()", "OUT.getvalue().count('a')"),
    "print by map": ("list(map(print, ['a']))", "OUT.getvalue().count('a')"),
    "print arg": ("b.p(x)", "OUT.getvalue().count('3.0')"),
    "note arg": ("b.q(x)", "OUT.getvalue().count('a')"),
    "popleft": ("k = DQ.popleft()", "3 - len(DQ)"),
    "pop": ("k = LST.pop()", "3 - len(LST)"),
    "set add": ("SET.add(len(SET))", "len(SET)"),
    "count": ("k = 1.0 + next(COUNT)", "next(COUNT)"),
    "comp effect": ("[print('a') for q in range(1)]", "OUT.getvalue().count('a')"),
    "default_timer": ("k = TICK()", "TICK.n"),
    "lru": ("k = CACHED(2.0)", "OUT.getvalue().count('a')"),
    "call": ("operator.call(print, 'a')", "OUT.getvalue().count('a')"),
    "methodcaller": ("operator.methodcaller('write', 'a')(OUT)", "OUT.getvalue().count('a')"),
    "heappush": ("heapq.heappush(LST, 9)", "LST.count(9)"),
    "np.put": ("np.put(ARR, [0], ARR[0] + 1)", "ARR[0] - 1"),
    "ufunc.at": ("np.add.at(ARR, [0], 1)", "ARR[0] - 1"),
    "out=": ("np.add(ARR, 1, out=ARR)", "ARR[0] - 1"),
    "random.choice": (
        "k = random.choice([1.0, 2.0, 3.0])",
        "draws2(random.Random(1), 'choice', ([1.0, 2.0, 3.0],), random.choice([1.0,2.0,3.0]))",
    ),
    "del": ("del D2['k' + str(len(D2))]", "3 - len(D2)"),
    "os.remove": ("os.remove(TMPNAME) if os.path.exists(TMPNAME) else print('a')", "1 + OUT.getvalue().count('a')"),
    "setrecursion": ("sys.setrecursionlimit(sys.getrecursionlimit() + 1)", "sys.getrecursionlimit() - 1000"),
}
"""What acts, and how often it did."""

SETUP = """
import contextlib, tempfile
OUT = io.StringIO(); BIN = io.BytesIO(); TMP = io.BytesIO(); TMPNAME = os.path.join(os.path.dirname(__file__), 'written')
open(TMPNAME, 'w').close()
FILE = io.StringIO('1\\n2\\n')
LOGGED = []
class H(logging.Handler):
    def emit(self, r):
        if r.getMessage().startswith("a"): LOGGED.append(r)
LG = logging.getLogger(__name__)
logging.root.handlers[:] = [H()]; logging.root.setLevel(0)
WARNED = []
SLEPT = [1]
RNG = np.random.default_rng(1); PR = random.Random(1); random.seed(1); np.random.seed(1)
LST = [1, 2, 3]; ARR = np.array([1.0, 2.0, 3.0]); ARRI = np.array([1]); D = {}; D2 = {'k3': 1, 'k2': 2, 'k1': 3}; GB = B(); GB.n = 0; OLD = []; SET = set(); DQ = collections.deque([1.,2.,3.]); COUNT = itertools.count(0)
GB.p = print
os.environ.pop('ADJ_T', None)
def note(q):
    print('a')
    return q
def add_to(q): LST.append(q)
CALLS = add_to
CBS = [add_to]
class C2:
    def note(self): print('a')
    p = staticmethod(print)
    n = 0
    @property
    def prop(self):
        print('a')
        return 1.0
    def __add__(self, o):
        print('a')
        return o
    def __str__(self):
        print('a')
        return 's'
    def __len__(self):
        print('a')
        return 1
GB = C2()
class Noisy:
    def __init__(self): print('a')
class Noisy2:
    def __init__(self, x):
        print('a')
        self.x = x
class Tick:
    n = 0
    def __call__(self):
        self.n += 1
        return 1.0
TICK = Tick()
@functools.lru_cache(None)
def CACHED(q):
    print('a')
    return q
def draws(r, v):
    for n in range(1, 6):
        r.random()
        import copy as c
        if c.deepcopy(r).random() == v: return n
    return 0 if type(r)(1).random() == v else 9
def draws2(r, name, args, v):
    for n in range(1, 6):
        getattr(r, name)(*args)
        if copy.deepcopy(r).__getattribute__(name)(*args) == v: return n
    return 9
def seeded(n):
    r = random.Random(1)
    for _ in range(n): r.seed(r.random())
    return r.random()
def npseeded(n):
    r = np.random.RandomState(1)
    for _ in range(n): r.seed(int(r.random_sample() * 1000))
    return r.random_sample()
def shuffled(n):
    r = random.Random(1); l = [1, 2, 3]
    for _ in range(n): r.shuffle(l)
    return l
def npshuffled(n):
    r = np.random.RandomState(1); l = [1., 2., 3.]
    for _ in range(n): r.shuffle(l)
    return l
"""

HANDED = {
    "array copy=None": "def k(v):\n    y = np.array(v, copy=None); y[0] = 3*y[1]; return y.sum()",
    "array copy=False": "def k(v):\n    y = np.array(v, copy=False); y[0] = 3*y[1]; return y.sum()",
    "sum": "def k(v):\n    y = sum([], v); y[0] = 3*y[1]; return y.sum()",
    "asarray": "def k(v):\n    y = np.asarray(v); y[0] = 3*y[1]; return y.sum()",
    "ravel": "def k(v):\n    y = np.ravel(v); y[0] = 3*y[1]; return y.sum()",
    "reshape": "def k(v):\n    y = np.reshape(v, 2); y[0] = 3*y[1]; return y.sum()",
    "m.reshape": "def k(v):\n    y = v.reshape(2); y[0] = 3*y[1]; return y.sum()",
    "slice": "def k(v):\n    y = v[:]; y[0] = 3*y[1]; return y.sum()",
    "out pos": "def k(v):\n    y = np.cumsum(v, 0, None, v); y[0] = 3*y[1]; return y.sum()",
    "out kw": "def k(v):\n    y = np.cumsum(v, out=v); return y.sum()",
    "astype": "def k(v):\n    y = v.astype(float, copy=False); y[0] = 3*y[1]; return y.sum()",
    "nan_to_num": "def k(v):\n    y = np.nan_to_num(v, copy=False); y[0] = 3*y[1]; return y.sum()",
    "nan_to_num p": "def k(v):\n    y = np.nan_to_num(v, False); y[0] = 3*y[1]; return y.sum()",
    "max": "def k(v):\n    y = max([v], key=len); y[0] = 3*y[1]; return y.sum()",
    "diff0": "def k(v):\n    y = np.diff(v, 0); y[0] = 3*y[1]; return y.sum()",
    "atleast": "def k(v):\n    y = np.atleast_1d(v); y[0] = 3*y[1]; return y.sum()",
    "add.out": "def k(v):\n    np.add(v, v, v); return v.sum()",
    "abs": "def k(v):\n    y = abs(v); y[0] = 3*y[1]; return y.sum()",
    "np.abs": "def k(v):\n    y = np.abs(v, v); y[0] = 3*y[1]; return y.sum()",
    "copyto": "def k(v):\n    np.copyto(v, [3*v[1], v[1]]); return v.sum()",
    "sort": "def k(v):\n    v.sort(); return v.sum()",
    "fill": "def k(v):\n    v.fill(v[1]); return v.sum()",
    "iadd": "def k(v):\n    v += 1.0; return v.sum()",
    "setitem": "def k(v):\n    operator.setitem(v, 0, 3*v[1]); return v.sum()",
    "global": "def k(v):\n    G[0] = 3*G[1]; return v.sum()",
    "vectorize": "def s(q):\n    G[0] = 3*G[1]; return q.sum()\nk = np.vectorize(s, signature='(n)->()')",
    "frompyfunc": "def s(q):\n    G[0] = 3*G[1]; return q\nf = np.frompyfunc(s, 1, 1)\ndef k(v): return f(v).sum()",
    "singledispatch": "@functools.singledispatch\ndef k(v):\n    G[0] = 3*G[1]; return v.sum()",
    "sd method": "class O:\n    @functools.singledispatchmethod\n    def m(self, v):\n        G[0] = 3*G[1]; return v.sum()\nk = O().m",
    "lru": "@functools.lru_cache\ndef s(n):\n    G[0] = 3*G[1]; return n\ndef k(v): return s(1) * v.sum()",
    "lru direct": "@functools.lru_cache\ndef s(n):\n    G[0] = 3*G[1]; return n\ndef k(v): return v.sum()\nk0 = s",
    "init": "class k:\n    def __init__(self, v):\n        G[0] = 3*G[1]; self.v = v.sum()\n    def __lt__(self, o): return self.v < o.v\n    def __gt__(self, o): return self.v > o.v",
    "metaclass": "class M(type):\n    def __call__(cls, v):\n        G[0] = 3*G[1]; return v.sum()\nclass k(metaclass=M): pass",
    "new": "class k:\n    def __new__(cls, v):\n        G[0] = 3*G[1]; return v.sum()",
    "cmp_to_key": "def c(a, b):\n    G[0] = 3*G[1]; return a.sum() - b.sum()\nk = functools.cmp_to_key(c)",
    "methodcaller": "class A(np.ndarray): pass\nk = operator.methodcaller('fill', 2.0)\ndef kk(v):\n    k(v); return v.sum()\nk0 = k\nk = kk",
    "obj method": "class O:\n    def write(self, v):\n        G[0] = 3*G[1]; return v.sum()\nOBJ = O()\ndef k(v): return OBJ.write(v)",
    "obj send": "class O:\n    def __init__(self): self.o = self\n    def send(self, v):\n        G[0] = 3*G[1]; return v.sum()\nOBJ = O()\ndef k(v): return OBJ.o.send(v)",
    "partial": "def s(a, v):\n    G[0] = 3*G[1]; return v.sum()\nk = functools.partial(s, 1)",
    "partial fn": "def s(v):\n    G[0] = 3*G[1]; return v.sum()\ndef ap(f, v): return f(v)\nk = functools.partial(ap, s)",
    "callable": "class O:\n    def __call__(self, v):\n        G[0] = 3*G[1]; return v.sum()\nk = O()",
    "itemsetter": "def k(v):\n    G.__setitem__(0, 3*G[1]); return v.sum()",
    "exec": "exec('def k(v):\\n    G[0] = 3*G[1]; return v.sum()')",
    "grad": "def s(v):\n    G[0] = 3*G[1]; return v.sum()\ngs = adjoint.grad(s)\ndef k(v): return gs(v).sum() * v.sum()",
    "wrapped": "def deco(f):\n    @functools.wraps(f)\n    def w(*a): return f(*a)\n    return w\n@deco\ndef k(v):\n    G[0] = 3*G[1]; return v.sum()",
    "ctxdec": "import contextlib\nclass D(contextlib.ContextDecorator):\n    def __enter__(self): G[0] = 3*G[1]\n    def __exit__(self, *a): return False\n@D()\ndef k(v): return v.sum()",
    "rng": "R = np.random.default_rng(0)\ndef k(v): return v.sum() + 0 * R.normal()",
    "apply": "def s(q):\n    G[0] = 3*G[1]; return q.sum()\ndef k(v): return np.apply_along_axis(s, 0, v)",
    "piecewise": "def s(q):\n    G[0] = 3*G[1]; return q\ndef k(v): return np.piecewise(v, [v > -9.0], [s]).sum()",
}
"""Functions `k` of an array, most of which store into it or into the array `G`."""

CALLING = {
    "max": "r = max([a, b], key=k)",
    "min": "r = min([a, b], key=k)",
    "mind": "r = min([a, b], key=k, default=a)",
    "sorted": "r = sorted([a, b], key=k)[0]",
    "sort": "l = [a, b]\n    l.sort(key=k)\n    r = l[0]",
    "map": "list(map(k, [a, b]))\n    r = a",
    "filter": "list(filter(k, [a, b]))\n    r = a",
    "groupby": "[g for g, _ in itertools.groupby([a, b], k)]\n    r = a",
    "takewhile": "list(itertools.takewhile(k, [a, b]))\n    r = a",
    "reduce": "functools.reduce(lambda p, q: k(q), [a, b])\n    r = a",
    "genexp": "sum(k(q) * 0 if not isinstance(k, type) else 0 for q in [a, b])\n    r = a",
    "nsmallest": "r = heapq.nsmallest(1, [a, b], key=k)[0]",
    "merge": "r = next(heapq.merge([a], [b], key=k))",
    "direct": "k(a)\n    r = a",
}
"""What calls `k` with the arrays `a` and `b`, and gives `r`."""

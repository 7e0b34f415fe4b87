"""Special methods, and the operations that ask for them: of Python, of builtins, of its libraries and of NumPy."""

# ruff: noqa: E501 - one operation a line

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Method:
    """A method by its parameters after `self`, what it gives, how another object's method asks for it in turn, and the
    operations on `o` that ask for it. `beside` are the plain methods that these operations want besides."""

    parameters: str
    gives: str
    in_turn: str
    asking: tuple[str, ...]
    beside: tuple[str, ...] = ()
    before: str = ""


ITEMS = ("def __iter__(self): return iter([1.0, 2.0])", "def __getitem__(self, i): return [1.0, 2.0][i]")
LENGTH = "def __len__(self): return 2"
EQUAL = "def __eq__(self, b): return self is b"
HASH = "def __hash__(self): return 1"
EXIT = "def __exit__(self, *error): return True"
ENTER = "def __enter__(self): return self"


def _binary(name: str, sign: str) -> dict[str, Method]:
    """An operator, its reflected form and its form in place."""
    by_name = f"operator.{name}_" if name in ("and", "or") else f"operator.{name}"
    plain = (
        f"o {sign} 2.0",
        f"{by_name}(o, 2.0)",
        f"functools.reduce({by_name}, [o, 2.0])",
        f"sum(map({by_name}, [o], [2.0]))",
    )
    others = ("2.0", "2", "np.float64(2.0)", "'a'", "[1.0]", "{1.0}", "{1: 2.0}", "{1: 2.0}.keys()", "(1.0,)")
    arrays = ("np.array([2.0])", "np.array([2.0, None], dtype=object)[:1]", "np.array([2.0]).view(Part)")
    return {
        f"__{name}__": Method("b", "self.v * 3.0", f"{{}} {sign} b", (*plain, f"total(o {sign} np.array([2.0]))")),
        f"__r{name}__": Method("b", "self.v * 3.0", f"b {sign} {{}}", (*(f"total({b} {sign} o)" for b in (*others, *arrays)), f"{by_name}(2.0, o)")),
        f"__i{name}__": Method("b", "self.v * 3.0", f"operator.i{name}({{}}, b)", (f"in_place(o, {sign!r})", f"operator.i{name}(o, 2.0)")),
    }  # fmt: skip


OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@", "lshift": "<<", "rshift": ">>", "and": "&", "or": "|", "xor": "^",
}  # fmt: skip

NUMBERS = {
    "__divmod__": Method("b", "(self.v, self.v * 2.0)", "divmod({}, b)", ("sum(divmod(o, 2.0))",)),
    "__rdivmod__": Method("b", "(self.v, self.v * 2.0)", "divmod(b, {})", ("sum(divmod(2.0, o))", "sum(divmod(np.float64(2.0), o))")),
    "__neg__": Method("", "self.v * 3.0", "-{}", ("-o", "operator.neg(o)", "sum(map(operator.neg, [o]))", "np.negative(objects(o))[0]")),
    "__pos__": Method("", "self.v * 3.0", "+{}", ("+o", "operator.pos(o)", "np.positive(objects(o))[0]")),
    "__invert__": Method("", "self.v * 3.0", "~{}", ("~o", "operator.invert(o)", "np.invert(objects(o))[0]")),
    "__abs__": Method("", "self.v * 3.0", "abs({})", ("abs(o)", "operator.abs(o)", "sum(map(abs, [o]))", "np.abs(objects(o))[0]", "max([o], key=abs).v")),
    "__float__": Method("", "float(self.v) * 3.0", "float({})", (
        "float(o)", "math.sin(o)", "math.hypot(o, 1.0)", "sum(map(float, [o]))", "float(np.float64(o))", "np.array(o, dtype=float)[()]",
        "np.array([o], dtype=float)[0]", "np.asarray(o, float) * 1.0", "stored(o)", "np.full(2, o, float)[0]", "np.fromiter([o], float)[0]",
        "math.fsum([o])", "math.dist([o], [0.0])", "objects(o).astype(float)[0]", "math.pow(o, 2.0)", "complex(o).real", "np.sin(np.array(o, float))",
    )),
    "__complex__": Method("", "complex(self.v, 2.0)", "complex({})", ("complex(o).real", "cmath.exp(o).real", "np.complex128(o).real", "np.array([o], complex)[0].real", "cmath.phase(o)")),
    "__int__": Method("", "3", "int({})", ("int(o)", "sum(map(int, [o]))", "np.array([o], int)[0]", "int(np.int64(o))", "objects(o).astype(int)[0]")),
    "__index__": Method("", "1", "operator.index({})", (
        "[1.0, x, 3.0][o]", "(1.0, x, 3.0)[o]", "np.array([1.0, 2.0])[o]", "sum([1.0, x, 3.0][o:])", "sum([1.0, x, 3.0][:o])", "'abc'[o] == 'b'",
        "sum(range(o, 4))", "len(range(o))", "len(hex(o))", "len(bin(o))", "operator.index(o)", "np.zeros(o).size", "np.ones((o, 2)).sum()", "float(o)",
        "int(o)", "len([1.0] * o)", "len(o * [1.0])", "sum(x for _ in range(o))", "1.0 * math.factorial(o)", "math.comb(4, o)", "round(x, o)",
        "sum(itertools.islice([1.0, x], o))", "sum(next(itertools.islice(itertools.count(), o, None)) for _ in range(o))", "len(list(itertools.repeat(x, o)))",
        "np.array([1.0, 2.0, 4.0])[o:].sum()", "np.arange(o).size", "np.take([1.0, 2.0], o)", "len(bytes(o))", "len(chr(o))", "popped(o)", "inserted(o)",
        "operator.getitem([1.0, x], o)", "operator.itemgetter(o)([1.0, x])", "np.sum(np.ones((2, 2)), axis=o)[0]", "np.array([[1.0, x]]).reshape(2, o).sum()",
        "deque([1.0, x])[o]", "put(o)", "len(list(slice(o).indices(3)))", "'aba'.count('a', o)", "[1.0, 2.0].index(2.0, o)", "sum(bytearray(o))",
        "np.roll(np.array([1.0, x]), o)[0]", "np.linspace(0.0, x, num=operator.index(o) + 1)[1]", "np.repeat(x, o).sum()", "len(random.Random(1).sample(range(5), o))",
        "len('ab'.ljust(o))", "len('a' * o)", "memoryview(b'abc')[o]", "b'abc'[o]", "range(5)[o]", "1 << operator.index(o)", "math.gcd(4, o)", "math.isqrt(o)",
    )),
    "__round__": Method("*n", "self.v * 3.0", "round({}, *n)", ("round(o)", "round(o, 2)", "sum(map(round, [o]))")),
    "__trunc__": Method("", "3", "math.trunc({})", ("math.trunc(o)", "np.trunc(objects(o))[0]", "int(o) if hasattr(int, 'x') else math.trunc(o)")),
    "__floor__": Method("", "self.v * 3.0", "math.floor({})", ("math.floor(o)", "np.floor(objects(o))[0]")),
    "__ceil__": Method("", "self.v * 3.0", "math.ceil({})", ("math.ceil(o)", "np.ceil(objects(o))[0]")),
}  # fmt: skip

COMPARISONS = {
    "__bool__": Method("", "True", "bool({})", (
        "1.0 if o else 2.0", "1.0 if not o else 2.0", "float(bool(o))", "total(o and x)", "(o or o).v", "1.0 if any([o]) else x", "1.0 if all([o]) else x",
        "len(list(filter(None, [o])))", "len([1 for i in [1] if o])", "float(operator.truth(o))", "float(operator.not_(o))", "looped(o)", "asserted(o)",
        "len(list(itertools.takewhile(lambda q: q, [o])))", "len(list(itertools.compress([1.0], [o])))", "float(np.any(objects(o)))", "float(np.array([o], bool)[0])",
        "np.where(objects(o), 1.0, 2.0)[0]", "1.0 if objects(o) else 2.0", "float(np.logical_not(objects(o))[0])", "np.count_nonzero(objects(o))", "len(sorted([x, 2.0], reverse=o))",
        "float(sum(map(bool, [o])))", "len(list(itertools.filterfalse(None, [o])))", "objects(o).nonzero()[0].size", "matched(o)", "float(bool(np.bool_(o)))",
    )),
    "__len__": Method("", "2", "len({})", (
        "len(o)", "1.0 if o else 2.0", "float(bool(o))", "sum(list(o))", "sum(tuple(o))", "sum([*o])", "sum(sorted(o))", "sum((lambda *a: a)(*o))", "extended(o)", "sum(map(len, [o]))",
        "np.array(o)[0]", "np.asarray([o])[0, 0]", "operator.length_hint(o)", "sum(reversed(o))", "math.dist(o, [0.0, 0.0])", "len(list(filter(None, [o])))", "1.0 if not o else x",
        "float(any([o]))", "float(operator.truth(o))", "heapq.nsmallest(1, o)[0]", "sum(deque(o))", "sum(set(o))", "random.Random(1).choice(o)", "bisect.bisect(o, 1.5)",
        "np.sum(o)", "np.size(o)", "np.shape(o)[0]", "np.mean(o)", "np.dot(o, [1.0, 2.0])", "sliced(o)", "sum(dict(zip('ab', o)).values())", "max([o], key=len).v", "np.cumsum(o)[1]",
    ), ITEMS),
    "__length_hint__": Method("", "2", "operator.length_hint({})", ("operator.length_hint(o)", "sum(list(o))", "sum(tuple(o))", "extended(o)", "sum(sorted(o))", "sum([*o])"), ITEMS[:1]),
    "__hash__": Method("", "1", "hash({})", (
        "hash(o)", "len({o: 1.0})", "len({o, x})", "{o: x}[o]", "entry(o)", "float(o in {1.0: 1.0})", "float(o in {1.0})", "len(set([o]))", "len(dict([(o, x)]))", "len(frozenset([o]))",
        "hash((o, 1))", "{1: x}.get(o, 2.0)", "len({(o, 1): x})", "sum(map(hash, [o]))", "len(dict.fromkeys([o]))", "added(o)", "len(collections.Counter([o]))", "cached(o)",
        "collections.defaultdict(float)[o] + x", "len({1.0} | {o})", "len({1.0}.union([o]))", "len({}.keys() | {o}) if hasattr(o, 'v') else x", "{}.setdefault(o, x)", "len({k: x for k in [o]})", "popped_key(o)",
    ), (EQUAL,)),
    "__eq__": Method("b", "True", "{} == b", (
        "float(o == 2.0)", "float(o != 2.0)", "float(2.0 == o)", "float(o in [2.0])", "[2.0, o].index(o)", "[2.0, o].count(o)", "removed(o)", "float((o, 1) == (2.0, 1))", "float([o] == [2.0])",
        "float({1: o} == {1: 2.0})", "len({1: 2.0, o: 3.0})", "len({1, o})", "float(o in {1})", "len(list(itertools.groupby([o, 2.0])))", "float(operator.eq(o, 2.0))", "float(operator.contains([1.0, o], 2.0))",
        "float(o in deque([2.0]))", "float(objects(o)[0:1] == objects(2.0))", "float((objects(o) == 2.0)[0])", "operator.countOf([o], 2.0)", "operator.indexOf([o], 2.0)", "float(2.0 in [o])",
        "deque([2.0, o]).count(2.0)", "float(np.array_equal(objects(o), objects(2.0)))", "(2.0, o).index(o)", "matched_value(o)", "float(np.isin(2.0, objects(o)))", "float({2.0: 1.0}.items() == {2.0: o}.items())",
        "float(slice(o) == slice(2.0))", "float((1, o) in [(1, 2.0)])", "sum(map(operator.eq, [o], [2.0]))",
    ), (HASH,)),
    "__ne__": Method("b", "True", "{} != b", ("float(o != 2.0)", "float(2.0 != o)", "float(operator.ne(o, 2.0))", "float((objects(o) != 2.0)[0])", "float([o] != [2.0])")),
    "__lt__": Method("b", "True", "{} < b", (
        "float(o < 2.0)", "float(2.0 > o)", "min(o, x) * 0.0 if hasattr(x, 'q') else x", "total(sorted([2.0, o])[0])", "in_order(o)", "total(heapq.nsmallest(1, [2.0, o])[0])",
        "float(o < 3.0 < x + 9.0)", "bisect.bisect([1.0, 2.0], o)", "bisect.bisect_left([o], 2.0)", "heaped(o)", "total(min([2.0, o]))", "total(max([o, 2.0]))", "insorted(o)", "float((o, 1) < (2.0, 1))",
        "float([o] < [2.0])", "float(operator.lt(o, 2.0))", "total(min([1.0], key=lambda q: o))", "float((objects(o) < 2.0)[0])", "total(np.sort(objects(o, 2.0))[0])", "total(next(heapq.merge([o], [2.0])))",
        "np.argsort(objects(o, 2.0))[0]", "total(sorted([1.0, 2.0], key=lambda q: o)[0])", "total(np.max(objects(o, 2.0)))", "np.searchsorted(objects(2.0), o)", "float(sum(map(operator.lt, [o], [2.0])))",
    )),
    "__le__": Method("b", "True", "{} <= b", ("float(o <= 2.0)", "float(2.0 >= o)", "float(1.0 <= o <= 3.0)", "float((objects(o) <= 2.0)[0])", "float(operator.le(o, 2.0))")),
    "__gt__": Method("b", "True", "{} > b", ("float(o > 2.0)", "float(2.0 < o)", "total(max(2.0, o))", "total(sorted([o, 2.0])[0])", "bisect.bisect([o], 2.0)", "total(min(2.0, o))", "total(np.max(objects(o, 2.0)))", "float((2.0, 1) < (o, 1))")),
    "__ge__": Method("b", "True", "{} >= b", ("float(o >= 2.0)", "float(2.0 <= o)", "float(operator.ge(o, 2.0))", "float([o] >= [2.0])")),
}  # fmt: skip

CONTAINERS = {
    "__contains__": Method("b", "True", "(b in {})", ("float(2.0 in o)", "float(2.0 not in o)", "float(operator.contains(o, 2.0))", "sum(map(o.__contains__, [2.0]))", "len(list(filter(o.__contains__, [2.0])))")),
    "__iter__": Method("", "iter([self.v, 2.0])", "iter({})", (
        "sum(o)", "sum(list(o))", "sum(tuple(o))", "sum([*o])", "sum(v for v in o)", "sum(a * b for a, b in zip(o, o))", "sum(map(abs, o))", "max(o)", "min(o)", "unpacked(o)", "starred(o)", "extended(o)", "sum(set(o))",
        "sum((lambda *a: a)(*o))", "float(2.0 in o)", "float(len(','.join(map(str, o))) > 0)", "math.fsum(o)", "math.prod(o)", "sum(sorted(o))", "list(enumerate(o))[0][1]", "sum(itertools.chain(o, o))", "list(itertools.accumulate(o))[1]",
        "functools.reduce(operator.mul, o)", "next(iter(o))", "sum(deque(o))", "np.fromiter(o, float)[0]", "np.array(list(o))[0]", "float(any(o))", "float(all(o))", "sum(dict(zip('ab', o)).values())", "sum(itertools.islice(o, 1))",
        "list(itertools.product(o, o))[1][0]", "sum(filter(None, o))", "heapq.nsmallest(1, o)[0]", "sum([v for v in o if v])", "yielded(o)", "sliced(o)", "added_to(o)", "len(set().union(o))", "len(dict.fromkeys(o))", "len({1.0}.union(o))",
        "operator.countOf(o, 2.0)", "max(o, key=abs)", "list(itertools.zip_longest(o, o))[0][0]", "list(reversed([*o]))[1]", "np.stack([np.array(v) for v in o])[0]", "sum(itertools.starmap(operator.mul, [tuple(o)]))", "deque_extended(o)",
        "list(itertools.pairwise(o))[0][0]", "math.sumprod(o, o) if hasattr(math, 'sumprod') else x", "statistics.fmean(o)",
    )),
    "__next__": Method("", "self.v * 3.0", "next({})", (
        "next(o)", "sum(o)", "sum(list(o))", "sum(v for v in o)", "sum(map(abs, o))", "sum(a * b for a, b in zip(o, [1.0, 2.0]))", "unpacked(o)", "next(o, 1.0)", "max(o)", "float(2.0 in o)", "sum(itertools.islice(o, 1))", "math.fsum(o)",
        "np.fromiter(o, float)[0]", "sum(sorted(o))", "yielded(o)", "extended(o)", "sum(deque(o))",
    ), ("def __iter__(self): return self",), "self.n += 1\n    if self.n > 2: raise StopIteration"),
    "__reversed__": Method("", "iter([self.v, 2.0])", "reversed({})", ("sum(reversed(o))", "next(reversed(o))", "sum(list(reversed(o)))", "sum(v for v in reversed(o))")),
    "__getitem__": Method("i", "[self.v, 2.0][i]", "{}[i]", (
        "o[0]", "operator.getitem(o, 0)", "sum(map(o.__getitem__, [0, 1]))", "operator.itemgetter(0)(o)", "sum(o)", "sum(list(o))", "sum(reversed(o))", "unpacked(o)", "np.array(o)[0]", "sum([*o])", "float(2.0 in o)", "max(o)",
        "operator.itemgetter(0, 1)(o)[0]", "np.sum(o)", "random.Random(1).choice(o)", "bisect.bisect(o, 0.5)", "'%(a)s' % {'a': 1} == o[0]", "math.dist(o, [0.0, 0.0])", "np.dot(o, [1.0, 2.0])", "matched_sequence(o)",
    ), (LENGTH,)),
    "__setitem__": Method("i, b", "None", "operator.setitem({}, i, b)", ("put_into(o)", "operator.setitem(o, 0, x) or x", "augmented(o)", "targeted(o)"), ("def __getitem__(self, i): return 2.0",)),
    "__delitem__": Method("i", "None", "operator.delitem({}, i)", ("deleted(o)", "operator.delitem(o, 0) or x")),
    "__missing__": Method("i", "self.v", "type({}).__missing__({}, i)", ("o[5]", "operator.getitem(o, 5)", "operator.itemgetter(5)(o)", "'%(a)s' % o == 'a'")),
    "__call__": Method("*a", "self.v * 3.0", "{}(*a)", (
        "o()", "o(1.0)", "sum(map(o, [1.0]))", "functools.partial(o, 1.0)()", "sorted([1.0, 2.0], key=o)[0]", "max([1.0, 2.0], key=o)", "functools.reduce(o, [1.0, 2.0])", "list(itertools.accumulate([1.0, 2.0], o))[1]",
        "operator.methodcaller('__call__')(o)", "collections.defaultdict(o)[1]", "sum(itertools.starmap(o, [(1.0,)]))", "np.vectorize(o)([1.0])[0]", "len(list(filter(o, [1.0])))", "next(iter(o, 5.0))", "operator.call(o) if hasattr(operator, 'call') else x",
    )),
}  # fmt: skip

OTHERS = {
    "__getattr__": Method("name", "self.v * 3.0", "getattr({}, name)", ("o.other", "getattr(o, 'other')", "getattr(o, 'other', 1.0)", "operator.attrgetter('other')(o)", "float(hasattr(o, 'other'))", "sum(map(operator.attrgetter('other'), [o]))")),
    "__setattr__": Method("name, b", "object.__setattr__(self, name, b)", "setattr({}, name, b)", ("set_on(o)", "setattr(o, 'w', x) or o.w", "augmented_field(o)"), before="if name in ('v', 'seen', 'n', 'inner', 'items'): return object.__setattr__(self, name, b)"),
    "__delattr__": Method("name", "None", "delattr({}, name)", ("unset_on(o)", "delattr(o, 'w') or x")),
    "__enter__": Method("", "self.v", "type({}).__enter__({})", ("entered(o)", "by_stack(o)"), (EXIT,)),
    "__exit__": Method("*error", "True", "type({}).__exit__({}, *error)", ("entered(o)", "by_stack(o)", "swallowed(o)"), (ENTER,)),
    "__str__": Method("", "'a'", "str({})", ("len(str(o))", "len(f'{o}')", "len('%s' % o)", "len('{}'.format(o))", "len(format(o))", "len(','.join(map(str, [o])))", "len(f'{o!s:>4}')", "float(np.array(['a'])[0] == str(o))", "len(str.join(',', [str(o)]))")),
    "__repr__": Method("", "'a'", "repr({})", ("len(repr(o))", "len(str(o))", "len(f'{o!r}')", "len('%r' % o)", "len(str([o]))", "len(repr((o,)))", "len(f'{o}')", "len(ascii(o))", "len(repr({1: o}))", "len(f'{[o]}')")),
    "__format__": Method("spec", "'a'", "format({}, spec)", ("len(format(o, '2'))", "len(f'{o:2}')", "len('{:2}'.format(o))", "len(f'{o}')", "len(format(o))")),
    "__bytes__": Method("", "b'a'", "bytes({})", ("len(bytes(o))", "sum(map(len, map(bytes, [o])))")),
    "__dir__": Method("", "['a']", "dir({})", ("len(dir(o))",)),
    "__array__": Method("*a, **k", "np.array([self.v, 2.0])", "np.array({})", ("np.array(o)[0]", "np.sin(o)[0]", "np.sum(o)", "np.asarray(o)[0]", "np.dot(o, o)", "(np.ones(2) + o)[0]", "np.concatenate([o, o])[0]", "stored_array(o)", "np.stack([o])[0, 0]", "np.array([o])[0, 0]", "np.mean(o)", "np.max(o)")),
    "__array_ufunc__": Method("f, method, *a, **k", "self.v * 3.0", "f({}, 1.0)", ("np.sin(o)", "np.add(o, 1.0)", "np.add(1.0, o)", "np.ones(2) + o", "np.float64(2.0) * o", "np.add.reduce(o)", "np.multiply.outer(o, 1.0)", "np.maximum(1.0, o)")),
    "__array_function__": Method("f, types, a, k", "self.v * 3.0", "np.dot({}, 1.0)", ("np.sum(o)", "np.mean(o)", "np.dot(o, 1.0)", "np.concatenate([o, o])", "np.linalg.norm(o)", "np.where(o, 1.0, 2.0)")),
    "__copy__": Method("", "self", "copy.copy({})", ("copy.copy(o).v",)),
    "__deepcopy__": Method("memo", "self", "copy.deepcopy({})", ("copy.deepcopy(o).v", "copy.deepcopy([o])[0].v")),
    "__reduce__": Method("", "(float, (2.0,))", "{}.__reduce__()", ("copy.copy(o)", "copy.deepcopy(o)", "pickle.loads(pickle.dumps(o))")),
    "__fspath__": Method("", "'a'", "os.fspath({})", ("len(os.fspath(o))", "len(os.path.join('b', o))")),
}  # fmt: skip

METHODS: dict[str, Method] = {
    **{name: method for operator, sign in OPERATORS.items() for name, method in _binary(operator, sign).items()},
    **NUMBERS,
    **COMPARISONS,
    **CONTAINERS,
    **OTHERS,
}

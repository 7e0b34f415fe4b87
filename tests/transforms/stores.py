"""Small programs that store into what they made, what others hold, and what they do not see: bodies of `f(x)`."""

HEAD = """
import bisect, collections, copy, functools, heapq, math, operator
from dataclasses import dataclass
from types import SimpleNamespace
import numpy as np
from adjoint import gradient

class C:
    def __init__(self, v=0.0): self.v = v
    def add(self, d): self.v += d

class Slots:
    __slots__ = ("v",)
    def __init__(self, v): self.v = v

class Doubling:
    def __init__(self, v): self._v = v
    @property
    def v(self): return self._v
    @v.setter
    def v(self, new): self._v = 2 * new

class Watched:
    def __setattr__(self, name, new): object.__setattr__(self, name, 2 * new)

class Adds:
    def __init__(self, v): self.v = v
    def __iadd__(self, d):
        self.v = self.v + d
        return self

class Single:
    one = None
    def __new__(cls):
        if cls.one is None: cls.one = object.__new__(cls)
        return cls.one

class Itself:
    def __init__(self, v): self.v = v
    def __add__(self, d): return self
    def __neg__(self): return self

class Shared:
    total = 0.0

@dataclass
class Made:
    x: float
    s: float = 2.0
    def __post_init__(self): self.z = self.x * self.x

def put(xs, v): xs.append(v)
def same(v=None, **more): return v
"""

# Each is the body of a function of an array `x` of three numbers. Its derivative is known today.
FOLLOWED = [
    # What was made here and nobody else holds.
    "a = x.copy(); a[1] = x[0]; return (a**2).sum()",
    "a = np.zeros_like(x); a[1] = x[0]; return (a**2).sum()",
    "a = np.full(3, 2.0); a[1] = x[0]; return (a**2).sum()",
    "a = np.zeros(3); a[0] = x[0]**2; a *= x[1]; return a.sum()",
    "a = np.zeros(3); a[...] = x; return (a * a).sum()",
    "a = np.zeros((2, 2)); a[0, 1] += x[0]; a[0, 1] *= x[1]; return (a * a).sum()",
    "a = x.copy(); a[a > 1] = 0.0; return (a * a).sum()",
    "a = x.copy(); a[0], a[1] = a[1], a[0]; return (a * x).sum()",
    "a = 2 * x; s = (a * a).sum(); a[0] = x[1]; return s + (a * a).sum()",
    "a = np.exp(x); b = a * x; a[0] = 0.0; return b.sum()",
    "a = np.exp(x); a += x; a *= x; return a.sum()",
    "a = np.sqrt(x); a **= 3; return a.sum()",
    # A copy keeps what it was.
    "a = 2 * x; b = np.array(a); a[0] = x[0]**2; return (b * x).sum() + (a * x).sum()",
    "a = 2 * x; b = a; a = a.copy(); a[0] = 5.0; return (b * x).sum() + a.sum()",
    "a = np.zeros(3); b = a; a = a + x; b[0] = 1.0; return (a * a).sum() + (b * x).sum()",
    # Lists.
    "a = [1.0, 2.0]; a[0], a[1] = x[0], a[0]; return a[0] * a[1]",
    "a = [x[0], x[1]]; a[0], a[1] = a[1], a[0]; return a[0] * 2 + a[1]",
    "a = [x[0]]; a.extend([x[1], x[2]]); return a[0] * a[1] * a[2]",
    "a = [x[0]]; a += [x[1]]; a += (x[2],); return sum(a) * a[1]",
    "a, b = [x[0]], [x[1]]; a, b = b, a; a.append(x[2]); return b[0] * a[1]",
    "a = [x[0]]; [a.append(v) for v in x]; return sum(a) * x[0]",
    "a = [x[0], x[1], x[2], 4.0]; a[1:3] = [x[0] * x[1]]; return sum(a) * a[1]",
    "a = [x[0], x[1]]; a[1:1] = [x[2], x[0] * x[1]]; return a[0] * a[1] + a[2] * a[3]",
    "a = [x[0], x[1], x[2]]; a[::2] = [x[1], x[1] * x[0]]; return a[0] * a[1] * a[2]",
    "a = [x[0], x[1], x[2]]; del a[0]; a.append(x[0] * x[1]); return a[0] * a[1] + a[2]",
    "a = [x[0], x[1], x[2]]; del a[:2]; return a[0] * x[1]",
    "d = {'a': x[0], 'b': x[1]}; del d['a']; d['c'] = x[2]; return d['b'] * d['c'] * len(d)",
    "d = {'a': x[0]}; e = dict(d); e['b'] = x[1]; e['a'] = e['a'] * x[2]; return d['a'] * e['a'] * e['b']",
    "d = dict(a=x[0]); d['b'] = sum(d.values()) * x[1]; return d['a'] * d['b']",
    "a = np.zeros(3, dtype=np.float32).astype(float); a[0] = x[1]; return a.sum() * x[0]",
    "a = np.zeros(x.shape, x.dtype); a[0] = x[1]; a -= a.mean(); return (a * a * x).sum()",
    "a = np.exp(x); a /= a.sum(); return (a * x).sum()",
    "a = np.zeros((3, 3)); a[0] = x; a[1] = a[0] * x; a[2] = a[1] + a[0]; return (a * a).sum()",
    "a = np.outer(x, x); a[1] -= a[0] * x[1]; a[2] = a[2] / a[1, 1]; return (a * a).sum()",
    "a = x.copy(); a[1:-1] += 0.1 * (a[2:] - a[:-2]); return (a * a).sum()",
    "a = 2 * x; b = np.concatenate([a, x]); c = np.stack([a, x]); a += 1.0; return b.sum() * c.sum() * a.sum()",
    "a = 2 * x; m = a.max(); n = a[1:].sum(); a *= x; return (a * m * n).sum()",
    "a = np.array([x[0], x[1]]); a[0] = 3.0 * x[2]; return (a * a).sum()",
    "a = np.array([x, 2 * x]); a[0] = x * x; return (a * a).sum()",
    "a = np.array([[x[0], 0.5], [1.0, x[1]]]); a[0, 1] *= x[2]; return (a * a).sum()",
    # Dicts and objects.
    "d = {}; d['a'] = x[0]; d['b'] = x[0] * x[1]; return d['a'] * d['b']",
    "d = {'a': x[0]}; e = {**d, 'a': x[1]}; return d['a'] * e['a']",
    "c = C(); c.v = x[0]; c.w = c.v * x[1]; return c.v * c.w",
    "c = Slots(x[0]); c.v = x[1]; return c.v * x[0]",
    "return Made(x[0]).z * Made(x[1], s=x[2]).s",
    "return C(x).__dict__['v'].sum()",
]

# Someone else holds what changes.
ALIASED = [
    "ws = [2 * x]; a = ws[0]; ws[0] -= x * x; return (a * ws[0]).sum()",
    "ws = {'w': 2 * x}; a = ws['w']; ws['w'] *= x; return (a * ws['w']).sum()",
    "ws = [x * x]; ws[0] += x; return ws[0].sum()",
    "ws = [x]; ws[0] += 1.0; return (x * ws[0]).sum()",
    "a = 2 * x; v = a[:2]; a[0] = 5.0; return v.sum()",
    "a = 2 * x; v = a[::-1]; a[0] = x[1]; return (v * x).sum()",
    "a = np.zeros(3); a[0] = x[0]; v = a[:2]; v += 1.0; return (a * a).sum()",
    "a = 2 * x; v = a.T; a *= x; return v.sum()",
    "a = 2 * x; v = a[None]; a[0] = 5.0; return v.sum()",
    "a = 2 * x; v = a.real; a[0] = 5.0; return v.sum()",
    "a = 2 * x; v = a.view(); a[1] = x[0]**2; return (v * v).sum()",
    "a = 2 * x; v = a.ravel(); a *= x; return v.sum()",
    "a = 2 * x; v = a.reshape((3, 1)); a[0] = 5.0; return v.sum()",
    "a = 2 * x; v = np.asarray(a); a[0] = 5.0; return v.sum()",
    "a = 2 * x; v = np.broadcast_to(a, (2, 3)); a[1] = x[0]**2; return (v * v).sum()",
    "a = 2 * x; v = np.split(a, 3); a[0] = x[0]**2; return v[0][0]**2",
    "a = 2 * x; v = np.array(a, copy=None); a[0] = x[0]**2; return (v * x).sum()",
    "a = np.zeros((2, 3)); v, w = a; a[0] = x; return v.sum()",
    "a = np.zeros((2, 3)); v = list(a); a[0] = x; return v[0].sum()",
    "a = np.zeros((2, 3)); v = [row for row in a]; a[0] = x; return v[0].sum()",
    "a = 2 * x; b = a if x[0] > 0 else x; a[0] = x[1]**2; return (b * x).sum()",
    "a = 2 * x; p = (a, 1.0); a[0] = x[0]**2; return (p[0] * x).sum()",
    "a = 2 * x; p = {'a': a}; a[0] = x[0]**2; return (p['a'] * x).sum()",
    "a = 2 * x; p = dict(a=a); a[0] = x[0]**2; return (p['a'] * x).sum()",
    "a = 2 * x; p = dict([('a', a)]); a[0] = x[0]**2; return (p['a'] * x).sum()",
    "a = 2 * x; p = C(v=a); a[0] = x[0]**2; return (p.v * x).sum()",
    "a = 2 * x; p = SimpleNamespace(v=a); a[0] = x[0]**2; return (p.v * x).sum()",
    "a = 2 * x; b = same(v=a); a[0] = x[0]**2; return (b * x).sum()",
    "a = 2 * x; f = lambda: (a * x).sum(); a[0] = x[1]**2; return f()",
    "a = 2 * x; f = lambda k=a: (k * x).sum(); a[0] = x[1]**2; return f()",
    "a = 2 * x; f = functools.partial(np.dot, a); a[0] = x[0]**2; return f(x)",
    "a = [2 * x]; b = a[0]; a[0] -= 0.1 * a[0]; return (b * a[0]).sum()",
    "a = {'w': 2 * x}; b = dict(a); a['w'] -= 0.1 * a['w']; return (a['w'] * b['w']).sum()",
    "a = [np.zeros(3)] * 2; a[0] += x; return (a[0] * a[1]).sum()",
    "a = [2 * x]; b = []; a[0] *= x; b.append(a[0]); a[0] *= x; return (b[0] * x).sum()",
    "a = [[2 * x]]; b = a[0][0]; a[0] += [x[0]]; return b.sum() * a[0][1]",
    "a = [2 * x]; b = list(a); a[0] += x; return (b[0] * a[0]).sum()",
    "a = [[x[0]], [x[1]]]; b = a[0]; a[0] += [x[2]]; return sum(b)",
    "d = {'a': 1.0}; t = d.values(); d['b'] = 2.0; return x[0] * sum(t)",
    "d = {'a': 1.0}; t = map(float, d); d['1'] = 2.0; return x[0] * sum(1 for _ in [1])",
    "a = [1.0, 2.0]; t = reversed(a); a[0] = 5.0; return x[0] * sum(t)",
    "a = [1.0, 2.0]; t = zip(a, a); a[0] = 5.0; return x[0] * sum([u * v for u, v in t])",
    "a = [x[0]]; b = a; b.append(x[1]); return sum(a)",
    "a = b = [x[0]]; a.append(x[1]); return b[-1] * x[0]",
    "a = [x[0]]; b = a; b += [x[1]]; return sum(a)",
    "a = [[0.0] * 2] * 2; a[0][0] = x[0]; return a[1][0] * x[1]",
    "a = [[x[0]], [x[1]]]; b = list(a); b[0].append(x[2]); return a[0][-1] * x[0]",
    "a = [x[0], x[1]]; b = a[:]; b[0] = x[2]; return a[0] * b[1] + b[0]",
    "d = {'a': {}}; e = d['a']; e['q'] = x[0]; return d['a']['q'] * x[1]",
    "d = {'a': x[0]}; e = dict(d); e['a'] = x[1]; return d['a'] * e['a']",
    "c = C(); others = [c]; c.v = x[0]; return others[0].v * x[1]",
    "c = C(x[0]); e = c; e.v = x[1]; return c.v * x[0]",
    "c = C(x[0]); e = copy.copy(c); e.v = x[1]; return c.v * x[0] + e.v",
    "a = x.copy(); c = C(a); c.v[0] = x[1]; return (a * a).sum()",
    "c = C([x[0]]); c.v += [x[1]]; return c.v[0] * c.v[1]",
    "c = C(x); c.v += 1.0; return (c.v * x).sum()",
    "a = Adds(x[0]); b = a; a += x[1]; return b.v * x[0]",
    "c = Doubling(x[0]); c.v = x[1]; return c.v * x[0]",
    "c = Watched(); c.v = x[0]; return c.v * x[0]",
    "s = Single(); s.v = x[0]; t = Single(); return t.v * x[1]",
    "a = Itself(x[0]); b = a + x; b.v = x[1]; return a.v * x[0]",
    "a = Itself(x[0]); b = -a; b.v = x[1]; return a.v * x[0]",
    "Shared.total = x[0]; return Shared.total * x[1]",
]

# Not a statement stores, but a function; some of them are refused.
INDIRECT = [
    # A view that has no name.
    "a = x.copy(); a.T[0] = x[1]; return (a * a).sum()",
    "a = x.copy(); a[:2][0] = x[1]; return (a * a).sum()",
    "a = x.copy(); np.ravel(a)[0] = x[1]; return (a * a).sum()",
    "a = x.copy(); a.flat[0] = x[1]; return (a * a).sum()",
    # Writers that go by other names.
    "w = np.array([3.0, 2.0, 1.0]); y = w * x; np.add.at(w, [0], 9.0); return (y * w).sum()",
    "w = np.array([3.0, 2.0, 1.0]); y = w * x; w.__iadd__(9.0); return (y * w).sum()",
    "w = np.array([3.0, 2.0, 1.0]); y = w * x; memoryview(w)[0] = 9.0; return (y * w).sum()",
    "w = np.array([3.0, 2.0, 1.0]); y = w * x; list(map(w.fill, [9.0])); return (y * w).sum()",
    "w = np.array([3.0, 2.0, 1.0]); y = w * x; functools.partial(np.copyto, w)(9.0); return (y * w).sum()",
    "w = np.array([3.0, 2.0, 1.0]); y = w * x; operator.methodcaller('fill', 9.0)(w); return (y * w).sum()",
    "w = np.array([3.0, 2.0, 1.0]); y = w * x; f = w.fill; f(9.0); return (y * w).sum()",
    # `out=`, by name and by position.
    "a = np.zeros(3); np.exp(x, out=a); return (a * a).sum()",
    "a = np.zeros(3); np.exp(x, **{'out': a}); return (a * a).sum()",
    "a = np.zeros(3); np.add(x, x, a); return (a * a).sum()",
    "a = x.copy(); a = np.exp(a, out=a); return (a * x).sum()",
    "a = np.zeros(3); np.cumsum(x, out=a); return (a * a).sum()",
    "a = np.zeros(3); x.cumsum(out=a); return (a * a).sum()",
    "a = np.zeros(3); np.clip(x, 0, 1, a); return (a * a).sum()",
    "a = np.zeros(3); x.clip(0, 1, a); return (a * a).sum()",
    "a = np.zeros(3); np.sum(x[None], 0, None, a); return (a * a).sum()",
    "a = np.zeros(3); x[None].sum(0, None, a); return (a * a).sum()",
    "a = np.zeros(3); x[None].mean(0, None, a); return (a * a).sum()",
    "a = np.zeros(1); np.max(x[None], 1, a); return (a * a).sum()",
    "a = np.zeros(3); np.take(x, [0, 1, 2], None, a); return (a * a).sum()",
    "a = np.zeros(3); np.dot(np.eye(3), x, a); return (a * a).sum()",
    "a = np.zeros(3); np.eye(3).dot(x, a); return (a * a).sum()",
    "a = np.zeros(3); np.matmul(np.eye(3), x, a); return (a * a).sum()",
    "a = np.zeros((1, 3)); np.outer(x[:1], x, a); return (a * a).sum()",
    "a = np.zeros((1, 3)); np.stack([x], 0, a); return (a * a).sum()",
    "a = np.zeros(3); np.concatenate([x], 0, a); return (a * a).sum()",
    "a = np.zeros(3); np.einsum('i->i', x, out=a); return (a * a).sum()",
    "a = np.zeros(3); np.add.accumulate(x, 0, None, a); return (a * a).sum()",
    # Functions that store.
    "a = np.empty(3); np.copyto(a, x); return (a * a).sum()",
    "a = np.zeros(3); np.add.at(a, [0, 1], x[:2]); return (a * a).sum()",
    "a = x.copy(); np.put(a, [0], x[1]); return (a * a).sum()",
    "a = x.copy(); np.putmask(a, a > 1, x[:1]); return (a * a).sum()",
    "a = x.copy(); np.copyto(src=x[::-1], dst=a); return (a * a).sum()",
    "a = x.copy(); np.copyto(dst=a, src=x[::-1], where=x > 1); return (a * a).sum()",
    "a = x.copy(); np.put(a, v=x[1], ind=[0]); return (a * a).sum()",
    "a = x.copy(); a.put([0], x[1]); return (a * a).sum()",
    "a = x.copy(); a.fill(x[0]); return (a * x).sum()",
    "a = x.copy(); a.sort(); return (a * x).sum()",
    "a = x.copy(); a.partition(1); return a[0] * x[0]",
    "a = x.copy(); a.shape = (3, 1); return (a * a).sum()",
    "a = x.copy(); a.flat = x[0]; return (a * a).sum()",
    "a = x.copy(); a.real = x[::-1]; return (a * a).sum()",
    "a = x.copy(); operator.iadd(a, x); return (a * a).sum()",
    "a = [x[0], x[1]]; operator.imul(a, 2); return sum(a) * x[0]",
    "a = [x[0]]; operator.iconcat(a, [x[1]]); return sum(a) * x[0]",
    "d = {'a': x[0]}; operator.ior(d, {'a': x[1]}); return d['a'] * x[0]",
    "a = [0.0]; operator.setitem(a, 0, x[0]); return a[0] * x[1]",
    "a = np.zeros(3); f = a.__setitem__; f(0, x[0]); return a.sum() * x[1]",
    "a = []; put(a, x[0] * x[1]); return a[0]",
    "c = C(); c.add(x[0] * x[1]); return c.v",
    "c = C(x[0]); c.__init__(x[1]); return c.v * x[0]",
    "c = C(); setattr(c, 'v', x[0]); return c.v * x[1]",
    "c = C(x[0]); c.__dict__['v'] = x[1]; return c.v * x[0]",
    "c = C(x[0]); vars(c)['v'] = x[1]; return c.v * x[0]",
    "c = C(x[0]); object.__setattr__(c, 'v', x[1]); return c.v * x[0]",
    # Functions that call what stores.
    "a = [x[0]]; f = a.append; f(x[1]); return sum(a) * x[0]",
    "a = [x[0]]; list.append(a, x[1]); return sum(a) * x[0]",
    "a = [x[0]]; (lambda v: a.append(v))(x[1]); return sum(a) * x[0]",
    "a = [x[0]]; f = functools.partial(a.append, x[1]); f(); return sum(a) * x[0]",
    "a = [x[0]]; operator.methodcaller('append', x[1])(a); return sum(a) * x[0]",
    "a = [x[0]]; list(map(a.append, x)); return sum(a) * x[0]",
    "a = [x[0]]; any(map(a.append, x)); return sum(a) * x[0]",
    "a = [x[0]]; list(filter(lambda v: a.append(v), x)); return sum(a) * x[0]",
    "a = [x[0]]; sorted(x, key=lambda v: a.append(v) or v); return sum(a) * x[0]",
    "a = [x[0]]; functools.reduce(lambda b, v: b.append(v) or b, x, a); return sum(a) * x[0]",
    # Methods and functions of containers.
    "a = [0.0] * 3; a[0:2] = [x[0], x[1]]; return sum(a) * x[0]",
    "a = [x[0]]; a.append(2.0); return a[0] * a[1]",
    "a = [x[0], x[1]]; a *= 2; return sum(a) * x[0]",
    "a = [x[0], x[1]]; a.insert(0, x[2]); return a[0] * a[1]",
    "a = [x[0], x[1]]; v = a.pop(); return v * a[0]",
    "a = [x[0], x[1]]; a.reverse(); return a[0] * 2 + a[1]",
    "a = [x[0], x[1]]; del a[0]; return a[0] * 2",
    "a, *b = [x[0], x[1], x[2]]; b.append(a); return b[0] * b[1] * b[2]",
    "d = {}; d.setdefault('a', x[0]); return d['a'] * x[1]",
    "d = {}; d.update(a=x[0]); return d['a'] * x[1]",
    "d = {'a': x[0]}; d |= {'b': x[1]}; return d['a'] * d['b']",
    "d = {'a': x[0]}; v = d.pop('a'); return v * x[1]",
    "d = collections.defaultdict(float); d['a'] += x[0]; return d['a']**2",
    "d = collections.deque(); d.append(x[0]); return d[0] * x[1]",
    "a = []; heapq.heappush(a, x[0]); return a[0] * x[1]",
    "a = [x[1], x[0]]; bisect.insort(a, x[2]); return a[0] * a[1]",
]

# Bodies that are refused: nothing is known of the function that stores, or of the memory.
REFUSED = {
    "w = np.array([3.0, 2.0, 1.0]); y = w * x; memoryview(w)[0] = 9.0; return (y * w).sum()",
    "a = x.copy(); a.shape = (3, 1); return (a * a).sum()",
}

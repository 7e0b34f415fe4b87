"""Programs that make lists and tuples of objects of several classes for themselves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np


class Scaled:
    def __init__(self, a: Any) -> None:
        self.a = a

    def area(self) -> Any:
        return self.a**2

    def __call__(self, x: Any) -> Any:
        return self.a * x


class Counted:
    def __init__(self, r: Any) -> None:
        self.r = r
        self.n = 0

    def area(self) -> Any:
        return math.pi * self.r**2

    def __call__(self, x: Any) -> Any:
        self.n += 1
        return math.tanh(self.r * x) + 0.01 * self.n


class Net:
    def __init__(self, *layers: Any) -> None:
        self.layers = list(layers)

    def __call__(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x


class Built:
    def __init__(self) -> None:
        self.layers: list[Any] = []

    def add(self, layer: Any) -> Built:
        self.layers.append(layer)
        return self

    def __call__(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x


class Body:
    def __init__(self, p: Any) -> None:
        self.p, self.v = p, 0.0


class World:
    def __init__(self) -> None:
        self.bodies: list[Body] = []

    def add(self, body: Body) -> None:
        self.bodies.append(body)

    def step(self, dt: float) -> None:
        for b in self.bodies:
            b.v -= dt * b.p
            b.p += dt * b.v


class Dense:
    def __init__(self, w: Any, b: Any) -> None:
        self.w, self.b = w, b

    def __call__(self, x: Any) -> Any:
        return self.w @ x + self.b


class Tanh:
    def __call__(self, x: Any) -> Any:
        return np.tanh(x)


def run(fs: Any, x: Any) -> Any:
    for f in fs:
        x = f(x)
    return x


def built(x: Any) -> Any:
    fs = []
    fs.append(Counted(x))
    fs.append(Scaled(x))
    return fs


def grow(fs: Any, x: Any) -> None:
    fs.append(Scaled(2 * x))


def areas(x: Any) -> Any:
    shapes = [Scaled(x), Counted(2 * x), Scaled(3 * x)]
    return sum([s.area() for s in shapes]) + sum(s.area() for s in shapes)


def enumerated(x: Any) -> Any:
    t = 0.0
    for i, s in enumerate([Scaled(x), Counted(2 * x), Scaled(3 * x)]):
        t += i * s.area()
    for i, s in enumerate((Scaled(x), Counted(2 * x)), start=2):
        t += i * s.area()
    return t


def zipped(x: Any) -> Any:
    t, weights = 0.0, [x * x, 1.0]
    for w, s in zip([1.0, x, 2.0], [Scaled(x), Counted(2 * x), Scaled(3 * x)], strict=False):
        t += w * s.area()
    for s, w in zip([Scaled(x), Counted(2 * x), Scaled(3 * x)], weights, strict=False):
        t += w * s.area()
    return t


def backwards(x: Any) -> Any:
    for f in reversed([Scaled(x), Counted(x)]):
        x = f(x)
    return x


def in_net(x: Any) -> Any:
    net = Net(Scaled(x), Counted(2 * x), Scaled(3.0))
    return net(x) + net(2 * x)


def in_built(x: Any) -> Any:
    return Built().add(Scaled(x)).add(Counted(x)).add(Scaled(2 * x))(x)


def in_world(x: Any) -> Any:
    w = World()
    w.add(Body(x))
    w.add(Body(2 * x))
    for _ in range(5):
        w.step(0.1)
    return sum(b.v**2 + b.p**2 for b in w.bodies)


def appended(x: Any) -> Any:
    fs = [Scaled(x), Counted(x)]
    gs = fs
    gs.append(Scaled(2 * x))
    gs += [Counted(2 * x)]
    gs.insert(1, Scaled(x * x))
    gs.extend([Counted(3 * x)])
    return run(fs, x) + len(fs)


def taken(x: Any) -> Any:
    fs = [Scaled(x), Counted(x), Scaled(2 * x), Counted(2 * x)]
    last, first = fs.pop(), fs.pop(0)
    fs.reverse()
    return last(x) + run(fs, first(x))


def stored(x: Any) -> Any:
    fs: list[Any] = [Scaled(x), Counted(x)]
    fs[0], fs[1] = fs[1], fs[0]
    fs[-1] = Counted(2 * x)
    return run(fs, x) + fs[1].n


def by_number(x: Any) -> Any:
    fs = [Scaled(x), Counted(x)]
    net = Net(*fs)
    for i in range(len(fs)):
        x = fs[i](x)
        x = net.layers[i](x)
    return x


def by_both(x: Any) -> Any:
    fs = [Scaled(x), Counted(x)]
    return run(fs + [Scaled(2 * x)], x) + run(fs * 2, x) + run(tuple(fs)[1:], x) + run(fs[:1], x)


def unpacked(x: Any) -> Any:
    a, *rest = (Scaled(x), Counted(x), Scaled(2 * x))
    b, c = rest
    return a(x) * b(x) * c(x)


def nested(x: Any) -> Any:
    t = 0.0
    for row in [[Scaled(x), Counted(x)], [Counted(x), Scaled(2 * x)]]:
        for f in row:
            t += f(x)
    return t


def twice_the_same(x: Any) -> Any:
    c = Counted(x)
    return run([c, Scaled(x), c], x) + c.n


def in_steps(x: Any) -> Any:
    fs: Any = [Scaled(x), Counted(x)]
    for _ in range(5):
        for f in fs:
            x = f(x)
            if isinstance(f, Counted):
                f.r += 0.1 * x
    return x + fs[1].r


def of_closures(x: Any) -> Any:
    c = Counted(x)
    fs: list[Any] = [lambda v: c(v), c, math.sin]
    return run(fs, x) + c.n


def left(x: Any) -> Any:
    fs: Any = [Counted(x), Scaled(x), Counted(2 * x)]
    for f in fs:
        x = f(x)
        if isinstance(f, Counted):
            f.r = f.r * x
        if x < 0.55:
            break
    else:
        x = x * 3.0
    return fs[0](x) + fs[2](x) + fs[2].n


def returned_from(x: Any) -> Any:
    for f in [Counted(x), Scaled(x), Counted(2 * x)]:
        x = f(x)
        if x > 0.6:
            return x * f(x)
    return x * 5.0


def passed_over(x: Any) -> Any:
    for f in [Counted(x), Scaled(x), Counted(2 * x)]:
        if isinstance(f, Scaled):
            continue
        x = f(x)
    return x


def of_functions(x: Any) -> Any:
    fs = built(x)
    grow(fs, x)
    return run(fs, x) + run(built(2 * x), x)


def captured(x: Any) -> Any:
    fs = [Counted(x), Scaled(x)]

    def add(f: Any) -> None:
        fs.append(f)

    def values() -> Iterator[Any]:
        for f in fs:
            yield f(x)

    add(Scaled(2 * x))
    return sum(values())


def in_dicts(x: Any) -> Any:
    fs: dict[str, Any] = {"a": Scaled(x), "b": Counted(x)}
    for f in fs.values():
        x = f(x)
    return x + fs["b"].n


def longer_on_both_ways(x: Any) -> Any:
    fs: list[Any] = [Scaled(x), Counted(x)]
    if x > 0.5:
        fs.append(Scaled(x))
    else:
        fs.append(Counted(x))
    return run(fs, x) if fs else x


def of_dense(x: Any) -> Any:
    w = np.array([[1.0, 0.2], [0.3, 0.4]])
    net = Built()
    net.add(Dense(x * w, np.ones(2)))
    net.add(Tanh())
    net.add(Dense(w, x * np.ones(2)))
    return float(net(np.array([1.0, 2.0])).sum())


FOLLOWED = (
    *(areas, enumerated, zipped, backwards, in_net, in_built, in_world, appended, taken, stored, by_number, by_both),
    *(unpacked, nested, twice_the_same, in_steps, of_closures, left, returned_from, passed_over, of_functions),
    *(captured, in_dicts, longer_on_both_ways, of_dense),
)


def grown_meanwhile(x: Any) -> Any:
    fs: list[Any] = [Scaled(x), Counted(x)]
    for f in fs:
        x = f(x)
        if len(fs) < 4:
            fs.append(Counted(2 * x))
    return x


def stored_meanwhile(x: Any) -> Any:
    fs: list[Any] = [Counted(x), Scaled(x), Counted(2 * x)]
    for f in fs:
        x = f(x)
        fs[2] = Scaled(4 * x)
        if x < 0.1:
            break
    return x


def longer_on_one_way(x: Any) -> Any:
    fs: list[Any] = [Scaled(x), Counted(x)]
    if x > 0.5:
        fs.append(Scaled(x))
    return run(fs, x)


def one_of_two(x: Any) -> Any:
    a, b, c = Scaled(x), Scaled(3 * x), Counted(x)
    fs: list[Any] = [a, c]
    if x > 0.5:
        fs[0] = b
    b.a = x * 7
    return run(fs, x) + a.a


def turning(x: Any) -> Any:
    fs: list[Any] = [Scaled(x), Counted(x)]
    for _ in range(11):
        fs[0], fs[1] = fs[1], fs[0]
        x = fs[0](x)
    return x


def used_up(x: Any) -> Any:
    fs: list[Any] = [Scaled(x), Counted(x)]
    while fs:
        x = fs.pop()(x)
    return x


def many(x: Any) -> Any:
    fs: list[Any] = [Scaled(x), Counted(x)]
    for i in range(12):
        fs.append(Counted(x * i))
    return run(fs, x)


def left_by_an_exception(x: Any) -> Any:
    fs: list[Any] = [Counted(x), Scaled(x)]
    try:
        fs.append(Scaled(2 * x))
        math.sqrt(-x)
        fs.append(Scaled(3 * x))
    except ValueError:
        pass
    return run(fs, x) + len(fs)


def beyond(x: Any) -> Any:
    fs: list[Any] = [Counted(x), Scaled(x)]
    t = 0.0
    try:
        t += fs[2](x)
    except IndexError:
        t += 3 * x
    try:
        a, b, c = fs
    except ValueError as e:
        t += x * len(str(e))
    try:
        for f, w in zip(fs, [1.0, x, 2.0], strict=True):
            t += w * f(x)
    except ValueError:
        t *= 2.0
    return t


def asked(x: Any) -> Any:
    a = Scaled(x)
    fs: Any = [Counted(x), a]
    gs, hs = fs, list(fs)
    same = (fs is gs) + 2 * (fs is hs) + 4 * (fs is None) + 8 * (fs is not hs) + 16 * (fs == hs)
    kind = isinstance(fs, list) + 2 * isinstance(fs, tuple) + 4 * (type(fs) is list) + 8 * (not fs)
    return x * same + x**2 * kind + x**3 * (fs.index(a) + (a in fs)) + max(fs, key=lambda f: f.area()).area()


def shown(x: Any) -> Any:
    fs: list[Any] = [Counted(x), Scaled(x)]
    for f in fs:
        x = f(x)
        _touch(fs, x)
    return x + fs[0].n


def _touch(fs: Any, x: Any) -> None:
    fs.copy()[0].n += x


def by_another_name(x: Any) -> Any:
    built = Built()
    fs = built.layers
    fs.append(Scaled(x))
    fs.append(Scaled(2 * x))
    return built.layers[0].a * 3 + len(built.layers) * x


def by_another_name_of_both(x: Any) -> Any:
    built = Built()
    fs = built.layers
    for _ in range(3):
        fs.append(Scaled(x))
    fs.append(Counted(x))
    return built.layers[0].a * 3 + len(built.layers) * x


OTHERS = (
    *(grown_meanwhile, stored_meanwhile, longer_on_one_way, one_of_two, turning, used_up, many, left_by_an_exception),
    *(beyond, asked, shown, by_another_name, by_another_name_of_both),
)

"""Programs with objects of classes made inside: carried by loops, given by branches, in lists."""

from __future__ import annotations

import adjoint

# ---- reversed in their structure


def operators_in_a_loop(x, y):
    class V:
        def __init__(self, a, b):
            self.a, self.b = a, b

        def __add__(self, o):
            return V(self.a + o.a, self.b + o.b)

        def __mul__(self, k):
            return V(self.a * k, self.b * k)

        def norm(self):
            return self.a**2 + self.b**2

    v, s = V(x, y), V(0.0, 0.0)
    for i in range(4):
        s = s + v * (i + 0.5)
        v = V(v.b, v.a)
    return s.norm()


def listed(x, y):
    class P:
        def __init__(self, v):
            self.v = v

        def e(self):
            return self.v * y

    ps = [P(x * i) for i in range(3)]
    for p in ps:
        p.v += 1.0
    return sum(p.e() for p in ps)


def appended(x, y):
    class P:
        def __init__(self, v):
            self.v = v

        def e(self):
            return self.v * y

    ps = []
    for i in range(3):
        ps.append(P(x * i))
    t = 0.0
    for p in ps:
        t += p.e()
    return t


def made_in_an_attempt(x, y):
    class P:
        def __init__(self, v):
            if v > 1.0:
                raise ValueError("too big")
            self.v = v

    try:
        p = P(y)
    except ValueError:
        p = P(x)
    return p.v * y


def class_changes(x, y):
    class V:
        g = y

        def __init__(self, a):
            self.a = a

        def step(self):
            return V(self.a * self.g + 1.0)

    v = V(x)
    for _ in range(3):
        v = v.step()
        V.g = V.g * x
    return v.a * v.g


def asked_for_its_class(x, y):
    class V:
        def __init__(self, a):
            self.a = a

    v = V(x)
    for _ in range(3):
        v = V(v.a * y)
    return (
        v.a * (2.0 if type(v) is V else 3.0) * (5.0 if isinstance(v, V) else 7.0) * (x if isinstance(v, float) else y)
    )


def compared_by_is(x, y):
    class V:
        def __init__(self, a):
            self.a = a

    v = V(x)
    u = v
    for _ in range(2):
        u = v
        v = V(v.a * y)
    return v.a * (2.0 if u is v else 3.0)


def objects_in_objects(x, y):
    class Q:
        def __init__(self, a):
            self.a = a

    class P:
        def __init__(self, q):
            self.q = q

        def e(self):
            return self.q.a * y

    p = P(Q(x))
    for _ in range(3):
        p = P(Q(p.e() + 1.0))
    return p.e() + p.q.a


def twice_in_branches(x, y):
    k = x if x > 0.3 else y

    class P:
        gain = k

        def __init__(self, v):
            self.v = v

        def val(self):
            return self.gain * self.v

    p = P(y)
    q = P(p.val()) if p.v > 1 else p
    return q.val() + p.val()


def redefined(x, y):
    class P:
        def __init__(self, v):
            self.v = v

        def val(self):
            return self.v * x

    a = P(x)

    class P:
        def __init__(self, v):
            self.v = v

        def val(self):
            return self.v * y

    b = P(y)
    return a.val() + b.val() * 10 + (1.0 if isinstance(a, P) else 5.0)


def class_in_a_function_called_twice(x, y):
    def g(k):
        class P:
            gain = k

            def val(self):
                return self.gain

        return P().val()

    return sum(map(g, [x, y])) * sum([g(k) for k in (x, y)])


# ---- recorded: somebody may look at the class


def twice_its_field(v):
    v.extra = v.a * 2
    return v.extra * v.a


def put_into_a_dict(x, y):
    class V:
        def __init__(self, a):
            self.a = a

    v = V(x)
    for _ in range(3):
        v = V(v.a * y)
    d = {}
    d["k"] = v
    return d["k"].a * len(str(type(d["k"])))


def method_as_a_value(x, y):
    class V:
        def __init__(self, a):
            self.a = a

        def e(self):
            return self.a * y

    v = V(x)
    for _ in range(3):
        v = V(v.a * y)
    f = v.e
    return f() + (lambda: v.a)()


def carried_and_handed_on(x, y):
    class V:
        def __init__(self, a):
            self.a = a

    v = V(x)
    for _ in range(3):
        v = V(v.a * y)
    return twice_its_field(v)


def compared_and_tested(x, y):
    class V:
        def __init__(self, a):
            self.a = a

        def __eq__(self, o):
            return self.a > o.a

        def __bool__(self):
            return self.a > 3.0

        def __len__(self):
            return 3

        def __getitem__(self, i):
            return self.a * i

    v = V(x)
    for _ in range(3):
        v = V(v.a * y) if not v else V(v.a + 1)
    return v.a * (2.0 if v == V(y) else 3.0) * v[2] * len(v)


def object_of_an_error(x, y):
    class P:
        def __init__(self, v):
            self.v = v

    try:
        return P(x).w
    except AttributeError as e:
        return x * y * len(type(e.obj).__mro__) * len(vars(e.obj))


def linked(x, y):
    class Node:
        def __init__(self, v, nxt):
            self.v, self.nxt = v, nxt

    head = None
    for i in range(3):
        head = Node(x * i + y, head)
    t = 0.0
    while head is not None:
        t += head.v**2
        head = head.nxt
    return t


def loop_over_numbers(x, y):
    ps = []
    t = 0.0
    for k in (x, y, x * y):

        class P:
            gain = k

            def __init__(self, v):
                self.v = v

            def val(self):
                return self.gain * self.v

        ps.append(P(2.0))
        t += P(3.0).val()
    return t + ps[0].val() * 10 + ps[1].val() * 100


def loop_over_keys(x, y):
    kept = {}
    for name, k in {"a": x, "b": y}.items():

        class P:
            gain = k

            def val(self):
                return self.gain

        kept[name] = P()
    return kept["a"].val() + 10 * kept["b"].val()


def list_in_a_field(x, y):
    class P:
        def __init__(self, v):
            self.v = v

    p = P([x])
    for _ in range(3):
        p.v.append(p.v[-1] * y)
        p = P(p.v)
    return sum(p.v)


def gradient_of_a_method(x, y):
    class P:
        def __init__(self, v):
            self.v = v

        def e(self, k):
            return self.v * k**2

    p = P(x)
    return adjoint.gradient(p.e, y)[0] * x


def class_in_a_generator(x, y):
    def g(k):
        class P:
            gain = k

            def val(self):
                return self.gain

        p = P()
        yield p.val()
        yield p.val() * 2

    return sum(g(x)) + 10 * sum(g(y)) + sum(a * b for a, b in zip(g(x), g(y), strict=True))


def objects_of_several_classes(x, y):
    def g(k):
        class P:
            gain = k

            def val(self):
                return self.gain

        return P()

    ps = [g(k) for k in (x, y)]
    return ps[0].val() + 10 * ps[1].val()


STRUCTURED = [
    carried_and_handed_on,
    operators_in_a_loop,
    listed,
    appended,
    made_in_an_attempt,
    class_changes,
    asked_for_its_class,
    compared_by_is,
    objects_in_objects,
    twice_in_branches,
    redefined,
    class_in_a_function_called_twice,
    method_as_a_value,
]
RECORDED = [
    put_into_a_dict,
    compared_and_tested,
    object_of_an_error,
    linked,
    loop_over_numbers,
    loop_over_keys,
    list_in_a_field,
    gradient_of_a_method,
    class_in_a_generator,
    objects_of_several_classes,
]

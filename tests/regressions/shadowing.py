"""Functions that have the names of builtins, as users write them."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# ruff: noqa: A001

LOG: list[str] = []


def noted(name, v):
    LOG.append(name)
    return v


def len(v):
    return noted("len", v[0] * 2.0)


def bool(v):
    return noted("bool", v * 3.0)


def type(v):
    return noted("type", v * 4.0)


def id(v):
    return noted("id", v * 5.0)


def callable(v):
    return noted("callable", v * v)


def isinstance(v, w):
    return noted("isinstance", v * w)


def issubclass(v, w):
    return noted("issubclass", v + w * w)


def range(v):
    return noted("range", [v, v * v])


def by_len(x, y):
    values = [x, y]
    return len(values) * values[1]


def by_bool(x, y):
    return bool(x) * y if bool(y) > 0.0 else x


def by_type(x, y):
    kind = type(x)
    return kind * y


def by_id(x, y):
    return id(x) * x + y


def by_callable(x, y):
    return callable(x) * y


def by_isinstance(x, y):
    if isinstance(x, y) > 100.0:
        return x
    return isinstance(x, y) * y


def by_issubclass(x, y):
    return f"{issubclass(x, y)}" and issubclass(x, y) * x


def by_range(x, y):
    s = 0.0
    for v in range(x):
        s = s + v * y
    return s


PROGRAMS = [by_len, by_bool, by_type, by_id, by_callable, by_isinstance, by_issubclass, by_range]


def captured():
    def len(v):
        LOG.append("len")
        return v[1] * 2.0

    def range(v):
        LOG.append("range")
        return [v]

    def f(x, y):
        s = len([x, y]) * x
        for v in range(y):
            s = s + v * x
        return s

    return f

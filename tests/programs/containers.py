"""Data: tuples, lists, dicts, comprehensions, unpacking, iteration and `itertools`."""

import itertools
from itertools import accumulate, chain, combinations, islice, pairwise, product

from .registry import program


@program((1.5, 2.5, -0.5), rows="data", order=2)
def tuples(t):
    a, b, c = t
    pair = (a * b, c)
    return pair + (t[0] * t[-1],), t[1:]


@program([1.5, 2.5, -0.5], rows="data")
def lists(xs):
    doubled = xs + [xs[0] * xs[1]]
    return [doubled[-1], doubled[1:3], len(xs) * xs[2], [0.5] * 2]


@program({"a": 1.5, "b": [2.0, 3.0], "label": "point", "none": None}, rows="data")
def dictionaries(d):
    total = d["a"] * d["b"][1] + d.get("missing", 2.0) * d.get("a")
    return {"total": total, "label": d["label"], "parts": d["b"], **{"extra": d["a"] ** 2}}


@program({"x": 1.0, "y": 2.0, "z": 0.5}, rows="data")
def dictionary_views(d):
    total = sum(d.values())
    for key, value in d.items():
        total = total * value if key == "y" else total + value**2
    for key in d:
        total += d[key]
    return total if "x" in d and list(d.keys()) == ["x", "y", "z"] else 0.0


@program({"layers": [{"w": (1.0, 2.0), "kind": "dense"}, {"w": (0.5, -1.0), "kind": None}], "on": True}, rows="data")
def nested_structures(config):
    total = 1.0
    for layer in config["layers"]:
        first, second = layer["w"]
        if layer["kind"] is not None:
            total = total * first + second
        else:
            total = total - first * second
    return {"out": [total, (total * 2.0, "done")]} if config["on"] else None


@program([1.0, -2.0, 3.0, 0.5], rows="data", order=2)
def list_comprehensions(xs):
    squares = [x * x for x in xs if x > 0]
    table = [[x * y for y in squares] for x in xs[:2]]
    flat = [v for row in table for v in row if v < 50.0]
    return sum(flat) * len(squares)


@program([1.0, 2.0, 3.0], rows="data")
def dictionary_comprehension(xs):
    d = {f"k{i}": x**i for i, x in enumerate(xs, start=1)}
    return {key: value * xs[0] for key, value in d.items() if key != "k2"}


@program([1.0, 2.0, 2.0], rows="data")
def set_comprehension_of_constants(xs):
    names = {name for name in ("a", "b", "a")}
    return sum(xs) * len(names) * (1.0 if "a" in names else 0.0)


@program([1.0, 2.5, -0.5], [2.0, 0.5, 1.5], rows="data", order=2)
def generator_consumed_in_place(xs, ys):
    dot = sum(x * y for x, y in zip(xs, ys))
    largest = max(x * x for x in xs)
    if any(x < 0 for x in xs) and all(y > 0 for y in ys):
        dot = dot * largest
    return dot + min((y for y in ys), default=0.0)


@program([1.0, 2.5, -0.5], 2, rows=("data", "control flow"), order=2)
def first_of_a_generator(xs, n):
    total = next(x * x for x in xs if x > 1.5) * next((x for x in xs if x > 9), xs[0])
    for k in range(n):
        total += next((i * y for i, x in enumerate(xs) for y in xs if i > k), 0.0)
    return total * next(next((v for v in xs if v > w), w) for w in xs)


@program([1.0, 2.0, 3.0, 4.0], rows="data")
def star_unpacking(xs):
    first, *middle, last = xs
    (a, b), *rest = [(first, last), *middle]
    everything = [*xs, *middle, a * b]
    return sum(everything) + first * len(rest) + {**{"p": a}, "q": b}["q"]


@program([1.0, 2.0, 3.0], [0.5, 1.5, 2.5, 3.5], rows="data")
def zip_and_enumerate(xs, ys):
    total = 0.0
    for i, (x, y) in enumerate(zip(xs, ys)):
        total += (i + 1) * x * y
    pairs = list(zip(xs, ys))
    firsts, seconds = zip(*pairs)
    return total + firsts[0] * seconds[2]


@program([1.0, -2.0, 3.0], rows="data")
def map_and_filter(xs):
    squares = map(lambda x: x * x, xs)
    kept = filter(lambda x: x > 1.5, squares)
    mixed = list(map(lambda a, b: a * b, xs, [2.0, 3.0, 4.0]))
    return sum(kept) + sum(mixed) * xs[0] + sum(filter(None, [0.0, xs[1]]))


@program([3.0, 1.0, 2.0], rows="data", order=2)
def sorted_and_reversed(xs):
    ordered = sorted(xs)
    total = ordered[0] + 2.0 * ordered[1] ** 2 + 3.0 * ordered[2] ** 3
    for i, x in enumerate(reversed(xs)):
        total += i * x * x
    return total + sorted(xs, key=lambda x: -x, reverse=True)[0] * xs[::-1][1]


@program([(2.0, "b"), (1.0, "a"), (3.0, "c")], rows="data")
def sorted_records(records):
    ordered = sorted(records, key=lambda record: record[1])
    return [value * (i + 1) for i, (value, name) in enumerate(ordered)], [name for _, name in ordered]


@program(0.5, rows="data")
def ranges(x):
    total = 0.0
    for i in range(2, 10, 3):
        total += x**i
    for i in range(5, 0, -2):
        total = total * x + i
    return total + len(range(4)) * x + sum(range(3)) * x * x + list(range(3))[2]


@program([1.0, 2.0], [3.0], (4.0, 5.0), rows="data")
def itertools_chain(xs, ys, zs):
    total = 1.0
    for v in chain(xs, ys, zs):
        total = total * v + 1.0
    return total + sum(chain.from_iterable([xs, zs]))


@program([1.0, 2.0, 0.5, 3.0], rows="data")
def itertools_accumulate(xs):
    sums = list(accumulate(xs))
    products = list(itertools.accumulate(xs, lambda a, b: a * b))
    started = list(accumulate(xs, initial=10.0))
    return sums[2] * products[3] + started[-1] * started[0]


@program([1.0, 2.0, 4.5, 3.0], rows="data", order=2)
def itertools_pairwise(xs):
    return sum((b - a) ** 2 for a, b in pairwise(xs))


@program([1.0, 2.0], [0.5, 1.5, 2.5], rows="data")
def itertools_product_and_combinations(xs, ys):
    total = sum(x * y**2 for x, y in product(xs, ys))
    for a, b in combinations(ys, 2):
        total += (a - b) ** 2
    return total


@program([1.0, 2.0, 3.0, 4.0, 5.0], rows="data")
def itertools_islice(xs):
    return sum(islice(xs, 3)) * sum(x * x for x in islice(xs, 1, None, 2))


@program([2.0, -1.0, 0.5], 3, rows=("data", "control flow"))
def appended_list(xs, n):
    out = []
    for i in range(n):
        out.append(xs[i] ** 2 if i % 2 == 0 else xs[i])
    out.append(sum(out))
    return out


@program(1.5, 4, rows=("data", "control flow"))
def list_that_reads_what_it_appended(x, n):
    values = [x]
    for i in range(n):
        values.append(values[-1] * x + values[0])
    return values[n] + values[1] * len(values)


@program({"x": 2.0}, "text", None, True, rows="data")
def what_carries_no_derivative(d, text, nothing, flag):
    label = text.upper() + "!"
    if nothing is None and flag and label.startswith("TEXT"):
        return d["x"] ** 2, label, nothing, ("a", 1)
    return 0.0


@program([[1.0, 2.0], [3.0, 4.0]], [[0.5, -1.0], [2.0, 1.5]], rows="data")
def matrix_product_of_lists(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


@program([4.0, 1.0, 3.0, 2.0], rows=("data", "control flow"))
def recursive_quicksort(xs):
    if len(xs) <= 1:
        return xs
    pivot, *rest = xs
    smaller = [x for x in rest if x < pivot]
    larger = [x for x in rest if x >= pivot]
    return recursive_quicksort(smaller) + [pivot * 1.0] + recursive_quicksort(larger)


@program([3.0, 5.0, 4.0], ("a", "b", "a"), rows="data")
def grouping_by_name(values, names):
    return {name: sum(v for v, n in zip(values, names) if n == name) ** 2 for name in sorted(set(names))}


@program(1.5, 5, rows=("data", "control flow"))
def linked_list_of_tuples(x, n):
    chain_of_values = None
    for i in range(n):
        chain_of_values = (x**i, chain_of_values)
    total = 0.0
    while chain_of_values is not None:
        value, chain_of_values = chain_of_values
        total = total * 0.5 + value
    return total


@program((("+", ("*", "x", "x"), ("*", 3.0, "x"))), {"x": 1.7}, rows=("data", "control flow", "functions"))
def expression_interpreter(node, environment):
    if isinstance(node, str):
        return environment[node]
    if isinstance(node, float):
        return node
    operator, left, right = node
    a = expression_interpreter(left, environment)
    b = expression_interpreter(right, environment)
    return a + b if operator == "+" else a * b

"""Exceptions: exits through finally, exceptions of NumPy and of the language, the ways in which they are used."""

import math

import numpy as np

from .registry import row


@row("exceptions", "return inside try with finally: the value is taken before", lambda: (1.2,), order=2)
def value_before_finally(x):
    box = [x]

    def inner():
        y = x * x
        try:
            return y + box[0]
        finally:
            y = 100.0
            box[0] = box[0] * math.sin(x)

    return inner() * box[0]


@row("exceptions", "return in finally takes over", lambda: (1.2,))
def return_in_finally(x):
    def inner(v):
        try:
            return v * 100.0
        finally:
            return v * v

    return inner(x) + inner(math.sin(x))


@row("exceptions", "return in finally swallows the exception", lambda: (0.7,))
def finally_that_swallows(x):
    def inner(v):
        total = v
        try:
            total *= v
            total += {}["nothing"]
        finally:
            return total + x

    return inner(x) * inner(2.0 * x)


@row("exceptions", "break and continue inside try/finally", lambda: ([0.5, -1.0, 1.5, 9.0, 2.0],), order=2)
def exits_through_finally(values):
    total, count = 0.0, 1.0
    for v in values:
        try:
            if v < 0.0:
                continue
            if v > 8.0:
                break
            total += v**2
        finally:
            count = count * 1.5 + v
    return total * count


@row("exceptions", "continue in a handler, break in else, for/else", lambda: ([0.5, -1.0, 1.5, 2.0], 1.1))
def exits_through_handlers(values, x):
    total = x
    for v in values:
        try:
            root = math.sqrt(v)
        except ValueError:
            total *= 1.0 - v
            continue
        else:
            if root > 1.3:
                break
        total += root * x
    else:
        total = 0.0
    return total * root


@row("exceptions", "return in a handler within nested loops with finally", lambda: (0.4, 0.9))
def return_through_two_finallys(x, y):
    log = []

    def search():
        for i in range(3):
            try:
                for j in range(3):
                    try:
                        log.append(x * i + y * j)
                        if i + j == 3:
                            return log[-1] ** 2
                    finally:
                        log.append(x * y)
            finally:
                log.append(math.sin(x + i))
        return 0.0

    return search() * sum(log)


@row("exceptions", "finally that changes variables and rolls back", lambda: (0.4, 1.8))
def finally_that_restores(x, step):
    params = {"w": x, "scale": 2.0}

    def with_scale(scale):
        old = params["scale"]
        params["scale"] = scale * x
        try:
            params["w"] += 0.1 * params["scale"]
            return params["w"] ** 2 * params["scale"]
        finally:
            params["scale"] = old

    return with_scale(step) + with_scale(step * step) * params["scale"] * params["w"]


@row(
    "exceptions", "LinAlgError: jitter until the matrix can be factored", lambda: (0.9, np.array([1.0, -0.4])), order=2
)
def cholesky_with_jitter(a, b):
    matrix = np.array([[a, 1.0], [1.0, a]])
    jitter, scale = 0.0, 1.0
    while True:
        try:
            factor = np.linalg.cholesky(matrix + jitter * np.eye(2))
            break
        except np.linalg.LinAlgError:
            jitter += 0.3 * a
            scale *= a
    return scale * float(np.sum(factor * factor * b) + factor[1, 0])


@row("exceptions", "LinAlgError: a singular system falls back to least squares", lambda: (np.array([1.0, 2.0]), 0.3))
def singular_system(b, x):
    matrix = np.array([[1.0, 2.0], [2.0, 4.0]])
    try:
        solution = np.linalg.solve(matrix, b)
    except np.linalg.LinAlgError:
        solution = np.linalg.solve(matrix.T @ matrix + x * np.eye(2), matrix.T @ b)
    return float(solution @ solution)


def _scale_rows(table, factors):
    for i in range(len(factors) + 1):
        table[i] *= factors[i]


@row("exceptions", "IndexError: a callee had written to an array", lambda: (np.array([[1.0, 2.0], [0.5, 0.3]]), 1.5))
def array_scaled_until_the_exception(a, x):
    table = a * a
    try:
        _scale_rows(table, [x, x * x])
    except IndexError:
        table[0] += x
    return float((table * a).sum())


@row("exceptions", "IndexError: an argument had been written to", lambda: (np.array([1.0, 0.5, 2.0]), 0.8))
def argument_scaled_until_the_exception(a, x):
    try:
        for i in range(10):
            a[i] = a[i] * x + i
    except IndexError:
        return float(a @ a)
    return 0.0


@row("exceptions", "KeyError: EAFP memo in a dict", lambda: (0.6, 7), order=2)
def memo_by_exception(x, n):
    memo = {0: 1.0, 1: x}

    def chebyshev(k):
        try:
            return memo[k]
        except KeyError:
            value = memo[k] = 2.0 * x * chebyshev(k - 1) - chebyshev(k - 2)
            return value

    return chebyshev(n) + memo[n - 2] ** 2


@row("exceptions", "KeyError: counting into a dict", lambda: ([("a", 1.5), ("b", 0.5), ("a", -0.7), ("c", 2.0)],))
def grouped_by_exception(pairs):
    groups = {}
    for key, value in pairs:
        try:
            groups[key].append(value)
        except KeyError:
            groups[key] = [value]
    return sum(math.prod(group) * (i + 1) ** 2 for i, group in enumerate(groups.values())) * groups["c"][0]


@row("exceptions", "AttributeError and TypeError: what an object can do", lambda: (1.1, [0.5, 2.0]))
def duck_typing(x, values):
    total = 0.0
    for thing in (x, values, "text", np.array([x, 2.0 * x])):
        try:
            total += float(thing.sum()) ** 2
        except AttributeError:
            try:
                total += sum(v * x for v in thing)
            except TypeError:
                total *= x
                total += math.sin(x)
    return total


@row("exceptions", "OverflowError: the asymptote takes over", lambda: (0.7, 900.0))
def softplus_without_overflow(x, y):
    total = 0.0
    for v in (x, y, -x):
        try:
            total += math.log1p(math.exp(v)) * x
        except OverflowError:
            total += v * x
    return total


@row("exceptions", "FloatingPointError under np.errstate", lambda: (np.array([1.0, 2.0, 0.0]), 0.7))
def floating_point_error(v, x):
    try:
        with np.errstate(divide="raise"):
            inverse = x / (v[2] * 0.0 + np.zeros(3))
    except FloatingPointError:
        inverse = x / (v + 1.0)
    return float(inverse @ inverse)


@row("exceptions", "ValueError of shapes that do not fit", lambda: (np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.25])))
def shapes_that_do_not_fit(a, b):
    try:
        product = a * b
    except ValueError:
        product = np.outer(a, b)
    return float((product**2).sum())


@row("exceptions", "retry loop that halves the step", lambda: (0.35,))
def retry_with_a_smaller_step(x):
    step, attempts = 8.0 * x, 0
    while True:
        attempts += 1
        try:
            value = math.sqrt(1.0 - step * step)
            break
        except ValueError:
            step *= 0.5 + 0.1 * x
            if attempts > 20:
                raise
    return value * attempts + step


@row("exceptions", "line search over a function that may be undefined", lambda: (1.5, 1.3), order=2)
def line_search(x, slope):
    def objective(v):
        if v <= 0.0:
            raise ArithmeticError(v)
        return v * slope - math.log(v)

    best, step = objective(x), 4.0
    for _ in range(12):
        try:
            candidate = x - step * (slope - 1.0 / x) * slope
            value = objective(candidate)
        except ArithmeticError as error:
            step = step / (2.0 + 0.1 * error.args[0] ** 2)
        else:
            if value < best:
                x, best = candidate, value
            step *= 0.6
    return best + x * x


@row("exceptions", "StopIteration handled by hand", lambda: ([0.5, 1.5, 2.5],))
def iterated_by_hand(values):
    iterator = iter(values)
    total = 1.0
    while True:
        try:
            v = next(iterator)
        except StopIteration:
            break
        total = total * v + v * v
    return total


@row("exceptions", "assert that holds, and one that is caught", lambda: (1.4,))
def asserted(x):
    assert x > 0.0, "positive"
    y = x * x
    try:
        y = y * x
        assert y < 0.0, f"{y} is not negative"
    except AssertionError as error:
        y += len(error.args) * math.sin(x)
    return y


@row("exceptions", "a transaction: a copy put back when it fails", lambda: ([1.0, 0.5, -0.5], 0.7), order=2)
def transaction(values, x):
    def apply(changes):
        backup = list(values)
        try:
            for i, v in changes:
                values[i] += v * x
                if values[i] < -1.0:
                    raise ValueError(i)
        except ValueError as error:
            values[:] = backup
            values[error.args[0]] *= x
            return False
        return True

    done = [apply([(0, 1.0), (1, x)]), apply([(0, 1.0), (2, -3.0)])]
    return values[0] * values[1] + values[2] ** 2 + sum(done)


@row("exceptions", "the name of the exception is gone after its handler", lambda: (0.6,))
def name_of_the_exception(x):
    error = x * x
    y = error
    try:
        y += math.log(error - 5.0)
    except ValueError as error:
        y *= len(str(error)) * 0.1
    try:
        y += error
    except NameError:
        y += math.sin(x)
    return y


@row("exceptions", "in a recursive function", lambda: ((0.5, (1.5, (), 0.9), (2.5, [0.7])), 1.2))
def recursive_descent(tree, x):
    try:
        head, *rest = tree
    except ValueError:
        return x + len(tree)
    except TypeError:
        return tree**2 * x
    if isinstance(head, float) and rest:
        return math.sin(head) + x * sum(recursive_descent(t, x * head) for t in rest)
    return head * x


@row("exceptions", "__context__ and a condition in the handler", lambda: (0.6, 1.7))
def context_of_an_exception(x, y):
    total = 0.0
    for n in range(3):
        try:
            try:
                total += x / (n - n)
            except ZeroDivisionError:
                if n == 1:
                    raise KeyError(y * n)
                total += x * y
        except KeyError as error:
            found = type(error.__context__) is ZeroDivisionError
            total = (total + error.args[0] ** 2) * (2.0 if found else 0.0)
    return total

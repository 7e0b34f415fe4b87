"""Control flow: branches, loops, exits, patterns and recursion."""

import math

from .registry import program


@program(42_000.0, rows="control flow")
def progressive_tax(income):
    if income < 10_000.0:
        return 0.0
    elif income < 30_000.0:
        tax = 0.2 * (income - 10_000.0)
    elif income < 80_000.0:
        tax = 4_000.0 + 0.3 * (income - 30_000.0) + 1e-7 * income**2
    else:
        tax = 19_000.0 + 0.45 * (income - 80_000.0)
    return tax


@program(-5.0, rows="control flow")
def relu_by_ternary(x):
    return x if x > 0 else 0


@program(1.5, -0.5, rows="control flow", order=2)
def nested_ternaries(x, y):
    return x * y if x < 0 else (x**3 if y > 0 else x * x * y * y)


@program(2.0, 3.0, 0, rows="control flow")
def value_of_and_or(x, y, z):
    first = z or x * y
    second = x and y * y
    third = (z and x) or (x > y and z) or x - y
    return first * second + third


@program(0.4, 1.0, 2.2, rows="control flow")
def not_and_chained_comparison(a, b, c):
    total = 0.0
    if not a > b:
        total += a * c
    if 0.0 < a < b <= c != 3.0:
        total += a * b * c
    if a < b > c:
        total += 100.0 * a
    return total


@program(0.5, 7, rows="control flow", order=2)
def logistic_map(y, n):
    for _ in range(n):
        y = 3.7 * y * (1.0 - y)
    return y


@program(0.3, 3.2, 40, rows="control flow", order=2)
def branching_map(y, r, n):
    for i in range(n):
        if y > 0.5:
            y = r * y * (1.0 - y)
        else:
            y = math.sin(y) + 0.1 * r
    return y


@program(3.2, 5, rows="control flow", order=2)
def power_by_while(x, n):
    result = 1.0
    while n > 0:
        result = result * x
        n = n - 1
    return result


@program(7.0, rows="control flow")
def newton_until_converged(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


@program([1.0, 2.0, -0.5, 4.0], 3.5, rows="control flow")
def for_else_without_break(xs, limit):
    total = 0.0
    for x in xs:
        if x > 10.0:
            break
        total += x * limit
    else:
        total *= limit
    return total


@program([1.0, 2.0, 12.0, 4.0], 3.5, rows="control flow")
def for_else_with_break(xs, limit):
    total = 0.0
    for x in xs:
        if x > 10.0:
            total = total * x
            break
        total += x * limit
    else:
        total *= 1000.0
    return total


@program(1.7, 10.0, rows="control flow")
def while_else(x, ceiling):
    rounds = 0
    while x < ceiling:
        x = x * 1.5
        rounds += 1
        if rounds > 50:
            break
    else:
        x = x - ceiling / 2.0
    return x


@program([3.0, -1.0, 2.0, -4.0, 5.0], rows="control flow")
def skip_negatives(xs):
    total = 1.0
    for x in xs:
        if x < 0:
            continue
        total = total * x + x
    return total


@program([0.5, 0.25, 3.0, 0.125], 2.0, rows="control flow")
def return_inside_loop(xs, scale):
    total = 0.0
    for x in xs:
        total += scale * x
        if x > 1.0:
            return total * x
    return total


@program([[1.0, 2.0], [3.0, 8.0], [5.0, 6.0]], 1.5, rows=("control flow", "data"))
def return_inside_nested_loops(rows, scale):
    seen = 0.0
    for row in rows:
        for value in row:
            seen = seen + value * scale
            if value > 7.0:
                return seen * row[0]
        seen = seen * scale
    return -seen


@program(1.3, rows="control flow")
def many_early_returns(x):
    if x < -1.0:
        return -x
    if x < 0.0:
        return x * x
    y = math.exp(x)
    if y < 2.0:
        return y + x
    z = y * x
    if z < 100.0:
        return z - y * y
    return z


@program([0.5, 1.5, 2.5], rows="control flow")
def walrus_in_condition(xs):
    total = 0.0
    for x in xs:
        if (square := x * x) > 1.0:
            total += square * x
        total -= square
    return total


@program(40.0, rows="control flow")
def walrus_in_while(x):
    steps = 0.0
    while (half := x / 2.0) > 3.0:
        x = half + 0.25
        steps = steps + half * half
    return steps + x * half


@program("square", 1.5, 2.5, rows="control flow")
def match_literals(kind, x, y):
    match kind:
        case "circle" | "disc":
            return 3.0 * x * x
        case "square":
            return x * y + x
        case _:
            return 0.0


@program(("move", 1.5, [2.0, 3.0, 4.0]), {"scale": 0.5, "unit": "m"}, rows=("control flow", "data"))
def match_structures(command, options):
    match command:
        case ("stop",):
            return 0.0
        case ("move", step, [first, *rest]) if step > 1.0:
            total = step * first + sum(rest)
        case _:
            total = -1.0
    match options:
        case {"scale": factor, **others}:
            return total * factor + len(others)
        case None:
            return total
    return total


@program((1.2, 3.4), 2.0, None, rows="control flow")
def match_captures_and_types(pair, number, nothing):
    match pair:
        case (x, y):
            total = x * y
    match number:
        case int():
            total = total * 10.0
        case float(value):
            total = total + value**3
    match nothing:
        case None:
            total = total * number
        case other:
            total = other
    return total


@program(1.1, 6, rows="control flow", order=2)
def power_by_recursion(x, n):
    if n == 0:
        return 1.0
    if n % 2 == 0:
        half = power_by_recursion(x, n // 2)
        return half * half
    return x * power_by_recursion(x, n - 1)


def _even_part(x, n):
    return x if n == 0 else x + 0.5 * _odd_part(x * x, n - 1)


def _odd_part(x, n):
    return 1.0 if n == 0 else math.sin(_even_part(x, n - 1))


@program(0.8, 7, rows=("control flow", "functions"))
def mutual_recursion(x, depth):
    return _even_part(x, depth) * _odd_part(x, depth - 1)


@program(9, 1.2, rows="control flow")
def tree_recursion(n, x):
    if n < 2:
        return x * n
    return tree_recursion(n - 1, x) + 0.9 * tree_recursion(n - 2, x)


@program(2.5, rows="control flow")
def bound_in_one_branch(x):
    if x > 1.0:
        y = x * x
    if x > 2.0:
        y = y + x
        z = y * 3.0
    return y * z


@program(1.5, 0, rows="control flow")
def loop_of_zero_rounds(x, n):
    y = x * 2.0
    for i in range(n):
        y = y * x + i
    while y < 0.0:
        y = y + 1.0
    for _ in []:
        y = 0.0
    return y * y


@program([1.0, 2.0, 3.5], rows="control flow")
def loop_variable_afterwards(xs):
    for i, x in enumerate(xs):
        x = x * x
    last = x
    for j in range(3):
        pass
    return last * i + j * x


@program(1.0, 1.5, 6, rows="control flow", order=2)
def swap_in_loop(a, b, n):
    for _ in range(n):
        a, b = b, a + 0.5 * b
    return a * b


@program(24.0, 1.5, 2.0, rows="control flow")
def arithmetic_geometric_mean(a, b, c):
    for _ in range(4):
        a, b, c = (a + b) / 2.0, (a * b) ** 0.5, c + (a - b) ** 2
    return a, c


@program(0.5, 0.2, 6, rows="control flow")
def nested_loops(x, y, n):
    total = 0.0
    for i in range(n):
        inner = x
        for j in range(i):
            if (i + j) % 3 == 0:
                continue
            if j > 4:
                break
            inner = inner * y + j * x
        total += inner * inner
    return total


@program(0.0, 2.0, 1.7, rows="control flow")
def bisection_then_newton(low, high, target):
    for _ in range(8):
        middle = (low + high) / 2.0
        if middle**3 < target:
            low = middle
        else:
            high = middle
    x = (low + high) / 2.0
    return x - (x**3 - target) / (3.0 * x * x)


@program(1.0, 0.05, rows="control flow")
def decay_until_half(amount, rate):
    time = 0.0
    while True:
        step = rate * amount
        if amount - step < 0.5:
            break
        amount -= step
        time += 1.0
    return time * rate + amount


@program(1.0, 0.0, 0.1, 12, rows="control flow", order=2)
def pendulum_leapfrog(angle, speed, dt, steps):
    for _ in range(steps):
        speed = speed - 0.5 * dt * math.sin(angle)
        angle = angle + dt * speed
        speed = speed - 0.5 * dt * math.sin(angle)
    return 0.5 * speed**2 - math.cos(angle)


@program(27, 0.9, rows="control flow")
def collatz_weight(n, x):
    weight = 1.0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
            weight = weight * x + 0.01
        else:
            n = 3 * n + 1
            weight = weight + 0.001 * x
    return weight


@program(0.4, rows="control flow")
def assertion_and_pass(x):
    for i in range(2):
        if i == 5:
            pass
        else:
            x = x + x * x
    assert x > 0.0
    return x

"""Exceptions: what ran is what is differentiated, with what had been done before one was raised."""

import math

from .registry import row


@row("exceptions", "try whose body raises nothing", lambda: (1.7,))
def logarithm_or_zero(x):
    try:
        y = math.log(x)
    except ValueError:
        y = 0.0
    return y * x


@row("exceptions", "except: math.log of a negative number", lambda: (1.3,))
def logarithm_of_a_negative_number(x):
    y = x - 3.0
    try:
        result = math.log(y)
    except ValueError:
        result = y * y * x
    return result


@row("exceptions", "try/except/else/finally, nothing raised", lambda: (1.3, 0.7))
def four_clauses(x, y):
    total = x * x
    try:
        ratio = x / y
    except ZeroDivisionError:
        total = -1.0
    else:
        total += math.sin(ratio)
    finally:
        total *= y
    return total


@row("exceptions", "try/except/else/finally, raised", lambda: (1.3, 0.7, 3))
def four_clauses_after_a_division_by_zero(x, y, n):
    total = x * x
    try:
        ratio = x / (n - 3)
    except ZeroDivisionError:
        total = math.exp(-x) + total * y
    else:
        total += math.sin(ratio)
    finally:
        total *= y
    return total


@row("exceptions", "what the body had assigned before it raised", lambda: (0.8,), order=2)
def body_up_to_the_exception(x):
    y = x
    try:
        y = y * x
        z = math.sin(y)
        y = y + math.sqrt(-z)
        y = 100.0 * y
    except ValueError:
        y = y * z
    return y


@row("exceptions", "what an inner loop of the body had added before it raised", lambda: ([0.5, 1.2, 0.9, 2.0],))
def loop_up_to_the_exception(values):
    total = 0.0
    product = 1.0
    try:
        for i, v in enumerate(values):
            total += v * v
            product *= 1.0 / (i - 2) + v
    except ZeroDivisionError:
        total = total * product
    return total


@row("exceptions", "several handlers, each taken once in a loop", lambda: ([1.5, 0.4, 2.2, 0.8], 0.6), order=2)
def several_handlers(values, x):
    table = {0: 1.0, 1: -2.0}
    total = x
    for i, v in enumerate(values):
        try:
            if i == 2:
                raise RuntimeError("third")
            total += table[i] * v * x / i
        except ZeroDivisionError:
            total += v * x
        except KeyError as missing:
            total *= v + missing.args[0]
        except RuntimeError:
            total -= v * v * x
    return total


@row("exceptions", "except (A, B) as e", lambda: (1.1, ["2.5", "two", None, "0.5"]))
def numbers_among_texts(x, texts):
    total = 0.0
    for text in texts:
        try:
            total += float(text) * x**2
        except (TypeError, ValueError) as error:
            total += len(type(error).__name__) * math.cos(x)
    return total


@row("exceptions", "nested try, the inner handler raises another", lambda: (0.9, 2.1))
def nested_try(x, y):
    total = x
    try:
        total = total * y
        try:
            total = total + math.sin(x)
            total = total + math.acos(y)
        except ValueError:
            total = total * x
            total = total + {}["missing"]
        total = 50.0
    except KeyError:
        total = total + x * y
    return total * total


def _append_powers(out, x, n):
    for k in range(n):
        if k == 3:
            raise ValueError(f"power {k} is not wanted")
        out.append(x**k)


@row("exceptions", "a callee wrote to a list before it raised", lambda: (1.4,), order=2)
def callee_filled_a_list(x):
    powers = [x]
    try:
        _append_powers(powers, x, 10)
    except ValueError:
        powers.append(math.sin(x))
    return sum(p * (i + 1) for i, p in enumerate(powers))


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.history = []

    def withdraw(self, amount, fee):
        self.balance -= fee * self.balance
        self.history.append(self.balance)
        if amount > self.balance:
            raise OverdraftError(amount - self.balance, self)
        self.balance -= amount


class OverdraftError(Exception):
    """The user's own, with values."""

    def __init__(self, missing, account):
        super().__init__(f"{missing:.2f} missing")
        self.missing = missing
        self.account = account


@row("exceptions", "a method changed attributes before it raised; attributes of the exception", lambda: (10.0, 0.02))
def overdrawn_account(balance, fee):
    account = Account(balance)
    penalty = 0.0
    for amount in (3.0, 4.0, 5.0, 2.0):
        try:
            account.withdraw(amount, fee)
        except OverdraftError as error:
            penalty += error.missing**2
            assert error.account is account
    return account.balance * penalty + sum(h * h for h in account.history)


@row("exceptions", "a method changed an argument's attributes before it raised", lambda: (Account(2.0), 0.1))
def overdrawn_argument(account, fee):
    try:
        account.withdraw(5.0, fee)
    except OverdraftError as error:
        return error.missing * account.balance
    return account.balance


@row("exceptions", "a nested function changed nonlocal variables before it raised", lambda: (0.7, 5), order=2)
def nonlocal_until_the_exception(x, limit):
    total = x
    calls = 0

    def add(v):
        nonlocal total, calls
        calls += 1
        total = total * v + x
        if calls >= limit:
            raise StopIteration(calls)

    try:
        while True:
            add(math.cos(total))
    except StopIteration as stop:
        total *= stop.value
    return total


@row("exceptions", "raise of a new exception in a handler", lambda: (0.6,))
def translated_exception(x):
    def lookup(table, key):
        try:
            return table[key]
        except KeyError:
            raise ValueError(key * x)

    total = lookup({1: x * x}, 1)
    try:
        total += lookup({1: x}, 2)
    except ValueError as error:
        total *= error.args[0]
    return total


@row("exceptions", "bare raise", lambda: (1.2,), order=2)
def raised_again(x):
    log = []

    def risky(v):
        try:
            log.append(v * v)
            return math.sqrt(v)
        except ValueError:
            log.append(v * x)
            raise

    try:
        y = risky(x) + risky(x - 5.0)
    except ValueError:
        y = math.tanh(x)
    return y * sum(log)


@row("exceptions", "raise ... from, and __cause__", lambda: (0.6,))
def cause_of_an_exception(x):
    class ModelError(Exception):
        pass

    def evaluate(v):
        try:
            return [v, v * v][2]
        except IndexError as error:
            raise ModelError(v**3) from error

    try:
        return evaluate(x)
    except ModelError as error:
        weight = 2.0 if isinstance(error.__cause__, IndexError) else 0.0
        return weight * error.args[0] + x


@row("exceptions", "except* of a group, two handlers", lambda: (0.9, 1.6), order=2)
def exception_group(x, y):
    total = x * y
    try:
        total += x
        raise ExceptionGroup("both", [ValueError(x * x), KeyError(y), ValueError(math.sin(y))])
    except* ValueError as group:
        for error in group.exceptions:
            total += error.args[0]
    except* KeyError as group:
        total *= group.exceptions[0].args[0]
    return total


@row("exceptions", "except* with a plain exception and finally", lambda: (0.9,))
def starred_handler_of_a_plain_exception(x):
    parts = []
    try:
        parts.append(x * x)
        parts.append(math.log(-x))
    except* ValueError as group:
        parts.append(len(group.exceptions) * math.sin(x))
    finally:
        parts.append(math.cos(x))
    return parts[0] * parts[1] + parts[2]


@row("exceptions", "groups collected in a loop, split and nested", lambda: ([2.0, -1.0, 0.5, -3.0],))
def exceptions_collected(values):
    errors, total = [], 1.0
    for v in values:
        try:
            total += math.sqrt(v)
        except ValueError as error:
            error.add_note("negative")
            errors.append(ValueError(v * v) if v < -2.0 else ExceptionGroup("small", [ArithmeticError(v)]))
    try:
        raise ExceptionGroup("all", errors)
    except ExceptionGroup as group:
        small, large = group.split(ArithmeticError)
        return total * small.exceptions[0].exceptions[0].args[0] + large.exceptions[0].args[0] * total**2


@row("exceptions", "values carried by args", lambda: (0.4, 1.9))
def values_in_args(x, y):
    try:
        raise RuntimeError("partial result", x * y, [x, y])
    except RuntimeError as error:
        message, product, values = error.args
        return product**2 + sum(v * len(message) for v in values)


@row("exceptions", "an exception kept after its handler", lambda: (1.5,))
def exception_kept(x):
    kept = None
    for v in (x, x - 2.0, x - 4.0):
        try:
            math.log(v)
        except ValueError:
            kept = kept or ArithmeticError(v)
    return kept.args[0] ** 2 * x


class Budget(Exception):
    """An exception that computes, with a method and a default."""

    scale = 3.0

    def __init__(self, spent, limit=1.0):
        self.spent, self.limit = spent, limit
        self.excess = (spent - limit) ** 2

    def cost(self):
        return self.scale * self.excess + self.limit


class HardBudget(Budget):
    def cost(self):
        return super().cost() * self.spent


@row("exceptions", "a hierarchy of exceptions with methods, super()", lambda: (0.8, 1.4), order=2)
def methods_of_exceptions(x, y):
    total = 0.0
    for kind, spent in ((Budget, x), (HardBudget, y), (HardBudget, x * y)):
        try:
            raise kind(spent * spent)
        except HardBudget as error:
            total += error.cost() * x
        except Budget as error:
            total += error.cost()
    return total


@row("exceptions", "raise of a class, found as its base", lambda: (0.8,))
def raised_class(x):
    y = x
    try:
        y = math.exp(x)
        raise IndexError
    except LookupError:
        y = y * x
    return y


@row("exceptions", "an exception through several frames with finally in each", lambda: (0.7,))
def through_several_frames(x):
    trace = []

    def level(n, v):
        try:
            if n == 0:
                raise OverflowError(v)
            return level(n - 1, v * math.cos(x))
        finally:
            trace.append(v * n)

    try:
        level(3, x)
    except OverflowError as error:
        trace.append(error.args[0])
    return sum(t * t for t in trace) * trace[-1]

"""The text of small functions, letter by letter."""

from __future__ import annotations

import math
import textwrap

import numpy as np
from build import FLOAT, INT, UNDEF, Const, Region, Star, Var, ops, printed, run

from adjoint.codegen import beside, emit
from adjoint.ir import changes
from adjoint.ir import intrinsics as ir
from adjoint.ir.nodes import Block, Function, Span
from adjoint.ir.types import Array


def start(*names: str, type: object = FLOAT) -> tuple[Region, Var, list[Var]]:
    f = Var("f")
    params = [Var(name, type) for name in names]  # type: ignore[arg-type]
    return Region(f, *params), f, params


def same(text: str, expected: str) -> None:
    assert text == textwrap.dedent(expected).lstrip("\n")


def logistic_map() -> Function:
    """The example of the design: a loop with a branch, and its pullback."""
    r0, _, (x, r, n) = start("x", "r", "n")
    y, i = Var("y", FLOAT), Var("i", INT)
    body = Region(y, i)
    c = body(ops.gt, y, 0.5)
    then, orelse = Region(), Region()
    t = then(ops.mul, r, y, type=FLOAT)
    y1 = then(ops.mul, t, then(ops.sub, 1, y, type=FLOAT), name="y", type=FLOAT)
    s = orelse(Const(math.sin, "math.sin"), y, type=FLOAT)
    y2 = orelse(ops.add, s, orelse(ops.mul, 0.1, r, type=FLOAT), name="y", type=FLOAT)
    (y3,) = body.if_(c, then.block(y1), orelse.block(y2), "y")
    y4, ys = r0.loop(body.block(y3, y), "y ys", inits=(x,), over=(r0(range, n),))

    y_bar = Var("y_bar", FLOAT)
    back = Region(y_bar)
    yb, rb, y = Var("y_bar", FLOAT), Var("r_bar", FLOAT), Var("y", FLOAT)
    body = Region(yb, rb, y)
    c = body(ops.gt, y, 0.5)
    then, orelse = Region(), Region()
    tb = then(ops.mul, yb, then(ops.sub, 1, y, type=FLOAT), name="t_bar", type=FLOAT)
    p = then(ops.neg, then(ops.mul, yb, then(ops.mul, r, y, type=FLOAT), type=FLOAT), type=FLOAT)
    yb1 = then(ops.add, p, then(ops.mul, tb, r, type=FLOAT), name="y_bar", type=FLOAT)
    rb1 = then(ops.add, rb, then(ops.mul, tb, y, type=FLOAT), name="r_bar", type=FLOAT)
    yb2 = orelse(ops.mul, yb, orelse(Const(math.cos, "math.cos"), y, type=FLOAT), name="y_bar", type=FLOAT)
    rb2 = orelse(ops.add, rb, orelse(ops.mul, yb, 0.1, type=FLOAT), name="r_bar", type=FLOAT)
    ends = body.if_(c, then.block(yb1, rb1), orelse.block(yb2, rb2), "y_bar r_bar")
    yb3, rb3 = back.loop(body.block(*ends), "y_bar r_bar", inits=(y_bar, 0.0), over=(back(reversed, ys),))
    pullback = r0.closure("f_pullback", back, back(ir.make_tuple, None, yb3, rb3, None))
    return r0.function("f_rrule", r0(ir.make_tuple, y4, pullback))


def test_the_example_of_the_design() -> None:
    same(
        printed(logistic_map()),
        """
        def f_rrule(x, r, n):
            ys = []
            y = x
            for _ in range(n):
                ys.append(y)
                if y > 0.5: y = r * y * (1 - y)
                else: y = math.sin(y) + 0.1 * r
            def f_pullback(y_bar):
                r_bar = 0.0
                for y in reversed(ys):
                    if y > 0.5:
                        t_bar = y_bar * (1 - y)
                        y_bar = -(y_bar * (r * y)) + t_bar * r
                        r_bar = r_bar + t_bar * y
                    else:
                        r_bar = r_bar + y_bar * 0.1
                        y_bar = y_bar * math.cos(y)
                return None, y_bar, r_bar, None
            return y, f_pullback
        """,
    )
    y, back = run(logistic_map())(0.3, 3.2, 2)
    assert y == math.sin(0.3 * 3.2 * 0.7) + 0.32 or y > 0
    assert back(1.0)[1:3] == back(1.0)[1:3]


def test_rules_are_called_and_unpacked() -> None:
    def matmul_rule() -> None: ...

    r, _, (x, w) = start("x", "w", type=Array("f"))
    t, matmul_back = r.many(matmul_rule, x, w, names="- matmul_back")
    h = r(Const(np.tanh, "np.tanh"), t, name="h", type=Array("f"))
    back = Region(h_bar := Var("h_bar", Array("f")))
    square = back(ops.mul, h, h, type=Array("f"))
    t_bar = back(ops.mul, h_bar, back(ops.sub, 1, square, type=Array("f")), name="t_bar", type=Array("f"))
    x_bar, w_bar = back.many(matmul_back, t_bar, names="x_bar w_bar")
    pullback = r.closure("f_pullback", back, back(ir.make_tuple, None, x_bar, w_bar))
    same(
        printed(r.function("f_rrule", r(ir.make_tuple, h, pullback))),
        """
        def f_rrule(x, w):
            t1, matmul_back = matmul_rule(x, w)
            h = np.tanh(t1)
            def f_pullback(h_bar):
                x_bar, w_bar = matmul_back(h_bar * (1 - h * h))
                return None, x_bar, w_bar
            return h, f_pullback
        """,
    )


def test_swap_in_a_loop() -> None:
    r, _, (a, b, n) = start("a", "b", "n")
    p, q, i = Var("a"), Var("b"), Var("i")
    body = Region(p, q, i)
    ends = r.loop(body.block(q, body(ops.add, p, q)), "a b", inits=(a, b), over=(r(range, n),))
    function = r.function("fibonacci", r(ir.make_tuple, *ends))
    same(
        printed(function),
        """
        def fibonacci(a, b, n):
            for _ in range(n):
                a, b = b, a + b
            return a, b
        """,
    )
    assert run(function)(0, 1, 10) == (55, 89)


def test_a_captured_variable_is_not_overwritten() -> None:
    r, _, (x,) = start("x")
    back = Region(d := Var("d"))
    pullback = r.closure("back", back, back(ops.mul, d, x))
    x2 = r(ops.add, x, 1, name="x")
    same(
        printed(r.function("f", r(ir.make_tuple, x2, pullback))),
        """
        def f(x):
            def back(d):
                return d * x
            x_1 = x + 1
            return x_1, back
        """,
    )


def test_a_pullback_made_in_a_loop_binds_what_changes() -> None:
    r, _, (xs,) = start("xs")
    body = Region(x := Var("x"))
    back = Region(d := Var("d"))
    pullback = body.closure("back", back, back(ops.mul, d, x))
    (backs,) = r.loop(body.block(pullback), "backs", over=(xs,))
    function = r.function("f", backs)
    same(
        printed(function),
        """
        def f(xs):
            backs = []
            for x in xs:
                def back(d, *, x=x):
                    return d * x
                backs.append(back)
            return backs
        """,
    )
    assert [back(10) for back in run(function)((1, 2, 3))] == [10, 20, 30]


def test_a_value_is_collected_before_its_name_is_overwritten() -> None:
    r, _, (x, n) = start("x", "n")
    body = Region(p := Var("x"), Var("i"))
    t = body(ops.mul, p, p, name="x")
    u = body(ops.add, t, 1, name="x")
    _, before, between = r.loop(body.block(u, p, t), "x old squares", inits=(x,), over=(r(range, n),))
    same(
        printed(r.function("f", r(ir.make_tuple, before, between))),
        """
        def f(x, n):
            old = []
            squares = []
            for _ in range(n):
                old.append(x)
                x = x * x
                squares.append(x)
                x = x + 1
            return old, squares
        """,
    )


def test_comprehensions() -> None:
    r, _, (rows, k) = start("rows", "k")
    outer = Region(row := Var("row"))
    inner = Region(x := Var("x"))
    (items,) = outer.loop(inner.block(inner(ops.mul, x, k)), "-", over=(row,))
    (table,) = r.loop(outer.block(items), "table", over=(rows,))
    same(
        printed(r.function("f", table)),
        """
        def f(rows, k):
            table = [[x * k for x in row] for row in rows]
            return table
        """,
    )


def test_elements_are_unpacked_in_the_header() -> None:
    r, _, (pairs, total) = start("pairs", "total")
    body = Region(p := Var("total"), e := Var())
    i, ab = body.many(ir.unpack, e, 2, names="i -")
    a, b = body.many(ir.unpack, ab, 2, names="a b")
    t = body(ops.add, body(ops.mul, a, b), p, name="total")
    (end,) = r.loop(body.block(t), "total", inits=(total,), over=(r(enumerate, pairs),))
    same(
        printed(r.function("f", end)),
        """
        def f(pairs, total):
            for _, (a, b) in enumerate(pairs):
                total = a * b + total
            return total
        """,
    )


def test_precedence() -> None:
    r, _, (a, b, c) = start("a", "b", "c")
    total = r(ops.add, a, b)
    power = r(ops.pow, r(ops.neg, a), r(ops.pow, b, -1))
    product = r(ops.mul, total, r(ops.neg, power))
    difference = r(ops.sub, a, r(ops.sub, b, c))
    compared = r(ops.eq, r(ops.lt, product, difference), True)
    same(
        printed(r.function("f", r(ops.not_, r(ops.contains, c, compared)))),
        """
        def f(a, b, c):
            return not (((a + b) * -(-a) ** b ** -1 < a - (b - c)) == True) in c
        """,
    )
    r, _, (a, b, c) = start("a", "b", "c")
    item = r(ops.getitem, c, r(ir.make_tuple, r(slice, a, None), None, ..., slice(None, None, 2)))
    parts = r(getattr, 1, "real"), r(getattr, r(ops.add, a, b), "T"), r(ops.matmul, r(ops.or_, a, b), r(ops.and_, b, c))
    same(
        printed(r.function("f", r(ir.make_tuple, item, *parts))),
        """
        def f(a, b, c):
            return c[a:, None, ..., ::2], (1).real, (a + b).T, (a | b) @ (b & c)
        """,
    )


def test_effects_keep_their_order() -> None:
    def g() -> None: ...

    def h() -> None: ...

    r, _, _ = start()
    first, second = r(g), r(h)
    same(printed(Function("f", r.block(r(ir.make_tuple, first, second)))), "def f():\n    return g(), h()\n")
    r, _, _ = start()
    first, second = r(g), r(h)
    same(
        printed(Function("f", r.block(r(ir.make_tuple, second, first)))),
        """
        def f():
            t1 = g()
            return h(), t1
        """,
    )
    r, _, (x,) = start("x", type=Array("f"))
    early = r(ops.getitem, x, 0, type=FLOAT)
    x2 = r(changes.set_item, x, 0, 5.0, name="x", type=Array("f"))
    same(
        printed(r.function("f", r(ops.mul, early, r(ops.getitem, x2, 0, type=FLOAT)))),
        """
        def f(x):
            t1 = x[0]
            x[0] = 5.0
            return t1 * x[0]
        """,
    )


def test_names_do_not_collide() -> None:
    r, f, (sin, t1) = start("sin", "t1")
    y = r(math.sin, sin, name="y")
    z = r(ops.add, y, r(ir.load_global, f, "w"), name="w")
    u = r(math.hypot, z, t1)
    same(
        printed(r.function("f", r(ir.make_tuple, u, u, z))),
        """
        def f(sin, t1):
            y = sin_1(sin)
            w_1 = y + w
            t2 = hypot(w_1, t1)
            return t2, t2, w_1
        """,
    )
    assert emit(r.function("f", z)).links == {"sin_1": math.sin, "hypot": math.hypot}


def test_stores_and_updates() -> None:
    r, _, (x, i, v) = start("x", "i", "v", type=INT)
    old = r(ops.getitem, x, i)
    x = r(changes.set_item, x, i, r(ops.iadd, old, v), name="x")
    x = r(changes.set_item, x, r(slice, i, None), v, name="x")
    x = r(changes.set_attribute, x, "a", r(ops.imul, r(getattr, x, "a"), 2), name="x")
    x = r(changes.delete_item, x, 0, name="x")
    x = r(changes.delete_attribute, x, "b", name="x")
    last, x = r.many(changes.call_method, x, "pop", names="last x")
    _, x = r.many(changes.call_method, x, "append", v, names="- x")
    y = r(ops.iadd, x, v, name="x")
    same(
        printed(r.function("f", r(ir.make_tuple, last, y))),
        """
        def f(x, i, v):
            x[i] += v
            x[i:] = v
            x.a *= 2
            del x[0]
            del x.b
            last = x.pop()
            x.append(v)
            x += v
            return last, x
        """,
    )


def test_in_place_operators_leave_their_operand_alone_if_it_is_read_again() -> None:
    r, _, (x, y) = start("x", "y", type=Array("f"))
    z = r(ops.iadd, x, y, name="z")
    same(printed(r.function("f", r(ir.make_tuple, x, z))), "def f(x, y):\n    z = iadd(x, y)\n    return x, z\n")


def test_breaks() -> None:
    def loop(kept: bool) -> str:
        r, _, (xs, limit) = start("xs", "limit")
        total, flag, x = Var("total"), Var("stop"), Var("x")
        body = Region(total, flag, x)
        then, rest = Region(), Region()
        ends = body.if_(
            body(ops.gt, x, limit),
            then.block(total, True),
            rest.block(rest(ops.add, total, x, name="total"), False),
            "total stop",
        )
        out, stopped = r.loop(body.block(*ends), "total stop", inits=(0.0, False), over=(xs,), stop=1)
        return printed(r.function("f", r(ir.make_tuple, out, stopped) if kept else out))

    same(
        loop(False),
        """
        def f(xs, limit):
            total = 0.0
            for x in xs:
                if x > limit: break
                total = total + x
            return total
        """,
    )
    same(
        loop(True),
        """
        def f(xs, limit):
            total = 0.0
            stop = False
            for x in xs:
                if x > limit:
                    stop = True
                    break
                total = total + x
            return total, stop
        """,
    )


def test_early_returns_do_not_nest() -> None:
    r, _, (x,) = start("x")
    outer = r

    def choose(region: Region, count: int) -> Block:
        if not count:
            return region.block(0.0)
        c = region(ops.lt, x, count)
        rest = Region()
        return region.block(*region.if_(c, Region().block(float(count)), choose(rest, count - 1), "-"))

    text = printed(Function("f", choose(outer, 60)))
    assert text.splitlines()[1:4] == [
        "    if x < 60: return 60.0",
        "    if x < 59: return 59.0",
        "    if x < 58: return 58.0",
    ]
    assert run(Function("f", choose(Region(*outer.params), 60)))(41.5) == 60.0


def test_chains_and_empty_branches() -> None:
    r, _, (x,) = start("x")
    inner = Region()
    third = inner.if_(inner(ops.lt, x, 2), Region().block(2.0), Region().block(3.0), "y")
    (y,) = r.if_(r(ops.lt, x, 1), Region().block(1.0), inner.block(*third), "y")
    more = Region()
    (z,) = r.if_(r(ops.is_, x, None), Region().block(y), more.block(more(ops.neg, y, name="y")), "y")
    same(
        printed(r.function("f", r(ir.make_tuple, z, z))),
        """
        def f(x):
            if x < 1: y = 1.0
            elif x < 2: y = 2.0
            else: y = 3.0
            if x is not None: y = -y
            return y, y
        """,
    )


def test_conditional_expressions() -> None:
    r, _, (x, y) = start("x", "y")
    (a,) = r.if_(r(ops.lt, x, 0), Region().block(x), Region().block(y), "-")
    a = r(ops.add, a, 1)
    (b,) = r.if_(x, Region().block(x), Region().block(y), "-")
    c = r(ops.gt, b, 1)
    (d,) = r.if_(c, Region().block(y), Region().block(c), "-")
    same(
        printed(r.function("f", r(ir.make_tuple, a, d))),
        """
        def f(x, y):
            return (x if x < 0 else y) + 1, (x or y) > 1 and y
        """,
    )


def test_what_is_unbound_is_not_assigned() -> None:
    r, _, (x,) = start("x")
    (y,) = r.if_(x, Region().block(1.0), Region().block(UNDEF), "y")
    function = r.function("f", r(ir.make_tuple, y, y))
    same(printed(function), "def f(x):\n    if x: y = 1.0\n    return y, y\n")
    r, _, (x,) = start("x")
    (never,) = r.if_(x, Region().block(UNDEF), Region().block(UNDEF), "y")
    assert "unbound('y')" in printed(r.function("f", r(ops.add, never, never)))


def test_strings() -> None:
    r, _, (x, n) = start("x", "n")
    spec = r(ir.fstring, ".", r(ir.format_value, n, "", ""), "f")
    parts = (r(ir.format_value, x, "", spec), '{"a"}\n', r(ir.format_value, r(ops.getitem, x, "k"), "r", ""))
    text = r(ir.fstring, "x=", *parts)
    function = r.function("f", r(ir.make_tuple, text, text))
    same(
        printed(function),
        r"""
        def f(x, n):
            t1 = f"x={x:.{n}f}{{\"a\"}}\n{x['k']!r}"
            return t1, t1
        """,
    )
    r, _, (x,) = start("x")
    quoted = r(ir.fstring, "<", r(ir.format_value, r(ops.getitem, x, "'\""), "", ""), ">")
    assert run(r.function("f", quoted))({"'\"": 3}) == "<3>"


def test_displays_stars_and_keywords() -> None:
    def g() -> None: ...

    r, _, (xs, d) = start("xs", "d")
    made = r(ir.make_list, Star(xs), 1, r(ir.make_tuple, xs))
    table = r(ir.merge_dicts, r(ir.make_dict, "a", made), d)
    call = r(g, Star(xs), table, key=r(ir.make_set, 1, 2))
    first = r(ops.getitem, r(ir.unpack, call, 1), 0, name="first")
    a, rest = r.many(ir.unpack, first, 1, 0, names="a rest")
    r(ir.raise_, r(ValueError, a), rest)
    same(
        printed(r.function("f", UNDEF)),
        """
        def f(xs, d):
            first, = g(*xs, {'a': [*xs, 1, (xs,)], **d}, key={1, 2})
            a, *rest = first
            raise ValueError(a) from rest
        """,
    )


def test_the_function_itself_and_its_cells() -> None:
    r, f, (x,) = start("x")
    k = r(ir.capture, f, "k", 0, name="k")
    cell = r(ir.capture_cell, f, "c", 1, name="c")
    r(ir.store_cell, cell, r(ops.add, k, r(ir.load_cell, cell, "c")))
    d = r(ir.default, f, "x", 0)
    same(
        printed(r.function("f", r(ops.mul, d, x))),
        """
        def f(f, x):
            k = f.__closure__[0].cell_contents
            c = f.__closure__[1]
            c.cell_contents = k + load_cell(c, 'c')
            return f.__defaults__[0] * x
        """,
    )


def test_while_with_a_condition_of_several_statements() -> None:
    def step() -> None: ...

    r, _, (x,) = start("x")
    q = Var("x")
    test = Region(q)
    s = test(step, q, name="s")
    goes = test(ops.lt, s, s)
    p = Var("x")
    body = Region(p)
    (out,) = r.loop(body.block(body(ops.add, p, 1, name="x")), "x", inits=(x,), cond=test.block(goes))
    same(
        printed(r.function("f", out)),
        """
        def f(x):
            while True:
                s = step(x)
                if not s < s: break
                x = x + 1
            return x
        """,
    )


def test_source_lines_are_written_once_in_each_half() -> None:
    here = Span(3, 4, 3, 9)
    r, _, (x,) = start("x")
    y = r(ops.mul, x, x, name="y", span=here)
    z = r(ops.add, y, y, name="z", span=here)
    back = Region(d := Var("d"))
    d2 = back(ops.mul, d, x, name="d", span=here)
    pullback = r.closure("back", back, back(ir.make_tuple, d2, d2, span=here))
    emitted = emit(r.function("f", r(ir.make_tuple, z, pullback)))
    text = beside(emitted, lambda line: f"line {line}\n")
    same(
        text,
        """
        def f(f, x):
            y = x * x      # line 3
            z = y + y
            def back(d):
                d = d * x  # line 3
                return d, d
            return z, back
        """,
    )


def test_constants() -> None:
    array = np.zeros(2)
    r, _, _ = start()
    values = (-1.5, float("inf"), 1e-05, (1, "a"), None, array, Const(math.pi, "math.pi"), -0.0, 2j, len)
    function = Function("f", r.block(r(ir.make_list, *values)))
    assert printed(function) == (
        "def f():\n    return [-1.5, inf, 1e-05, (1, 'a'), None, ndarray, math.pi, -0.0, 2j, len]\n"
    )
    result = run(function)()
    assert result[5] is array and result[9] is len and math.copysign(1.0, result[7]) == -1.0

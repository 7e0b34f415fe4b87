"""Gradients of some of `cliff_programs`, written by hand: each as a person would, and what a tool must ask before.

A guard asks once a call what the formulas rely on: the classes and dtypes of arguments, that the functions, methods and
tables that the program looks up are those the formulas were written for, and that no object hides a method.
"""

from __future__ import annotations

import math
from typing import Any

import cliff_programs as programs
import numpy as np
from cliff_programs import Component, Glm, Leaf, Links, Mass, Node, Poisson

from adjoint import Tangent

FLOAT64 = np.dtype(float)


def is_array(x: Any, ndim: int) -> bool:
    """An array of numbers in double precision, of no subclass, with so many axes."""
    return type(x) is np.ndarray and x.dtype is FLOAT64 and x.ndim == ndim


# ---- orbit

NORM = np.linalg.norm
HALF = 0.5 * 0.001


def orbit(r, v, steps):
    dt = 0.001
    tape = []
    push = tape.append
    n = NORM(r)
    for _ in range(steps):
        push((r, n))
        v = v + HALF * (-r / n**3)
        r = r + dt * v
        n = NORM(r)
        v = v + HALF * (-r / n**3)
    v_bar = v.copy()
    r_bar = r / n**3
    for r_0, n_0 in reversed(tape):
        a_bar = HALF * v_bar
        r_bar = r_bar + (3.0 * (a_bar @ r) / n**2 * r - a_bar) / n**3
        v_bar = v_bar + dt * r_bar
        r, n = r_0, n_0
        a_bar = HALF * v_bar
        r_bar = r_bar + (3.0 * (a_bar @ r) / n**2 * r - a_bar) / n**3
    return r_bar, v_bar


def orbit_guard(r, v, steps):
    return is_array(r, 1) and is_array(v, 1) and r.shape == v.shape and type(steps) is int and np.linalg.norm is NORM


# ---- array_of_structs

MASS_INIT = Mass.__init__


def array_of_structs(xs, k):
    ms = [1.0 + 0.1 * i for i in range(len(xs))]
    xs_bar = [ms[i] * 0.1 * x * 0.1 for i, x in enumerate(xs)]
    k_bar = 0.0
    for i in range(len(xs) - 1):
        d = xs[i + 1] - xs[i] - 1.0
        k_bar += 0.5 * d**2
        xs_bar[i] -= k * d
        xs_bar[i + 1] += k * d
    return xs_bar, k_bar


def array_of_structs_guard(xs, k):
    return (
        type(xs) is list
        and set(map(type, xs)) == {float}
        and type(k) is float
        and programs.Mass is Mass
        and Mass.__init__ is MASS_INIT
        and not any(hasattr(Mass, name) for name in ("x", "v", "m", "__getattr__"))
    )


# ---- tree_recursion


def tree_recursion(x, depth):
    def fold(v, d):
        if d == 0:
            return v * v, v
        left, left_tape = fold(v * 0.9, d - 1)
        right, right_tape = fold(v + 0.1, d - 1)
        y = math.tanh(left)
        return y + 0.5 * right, (y, left_tape, right_tape)

    def back(bar, tape):
        if type(tape) is float:
            return bar * 2.0 * tape
        y, left, right = tape
        return back(bar * (1.0 - y * y), left) * 0.9 + back(bar * 0.5, right)

    return (back(1.0, fold(x, depth)[1]),)


TANH = math.tanh


def tree_recursion_guard(x, depth):
    return type(x) is float and type(depth) is int and math.tanh is TANH


# ---- dataclass_tree


def evaluate_taped(t):
    """The value of a tree, and what its reverse needs."""
    if type(t) is Leaf:
        return t.value, None
    a, left = evaluate_taped(t.left)
    b, right = evaluate_taped(t.right)
    return (a + b, (None, None, left, right)) if t.op == "+" else (a * b, (a, b, left, right))


def evaluate_back(bar, tape):
    """The cotangent of a tree."""
    if tape is None:
        return Tangent(Leaf, {"value": bar})
    a, b, left, right = tape
    if a is None:
        return Tangent(Node, {"op": None, "left": evaluate_back(bar, left), "right": evaluate_back(bar, right)})
    return Tangent(Node, {"op": None, "left": evaluate_back(bar * b, left), "right": evaluate_back(bar * a, right)})


def dataclass_tree(tree):
    return (evaluate_back(1.0, evaluate_taped(tree)[1]),)


EVALUATE = programs.evaluate


def is_tree(t):
    """A tree of nodes and leaves, with numbers."""
    if type(t) is Leaf:
        return type(t.value) is float
    return type(t) is Node and type(t.op) is str and is_tree(t.left) and is_tree(t.right)


def dataclass_tree_guard(tree):
    return programs.evaluate is EVALUATE and programs.Leaf is Leaf and is_tree(tree)


# ---- registry_likelihood

MODIFIERS = dict(programs.MODIFIERS)
NORMSYS, HISTOSYS = MODIFIERS["normsys"], MODIFIERS["histosys"]


def registry_likelihood(pars, counts):
    tapes = []
    total = np.zeros(3)
    for sample, nominal, modifiers in programs.CHANNEL:
        rates = np.asarray(nominal)
        tape = []
        for kind, i, options in modifiers:
            lo, hi, alpha = options["lo"], options["hi"], pars[i]
            if programs.MODIFIERS[kind] is NORMSYS:
                scale = hi**alpha if alpha >= 0 else lo ** (-alpha)
                tape.append((i, scale, rates * (scale * (math.log(hi) if alpha >= 0 else -math.log(lo)))))
                rates = rates * scale
            else:
                slope = hi - rates if alpha >= 0 else rates - lo
                tape.append((i, 1.0 - alpha if alpha >= 0 else 1.0 + alpha, slope))
                rates = rates + alpha * slope
        tapes.append((sample == "signal", rates, tape))
        total = total + (pars[0] * rates if sample == "signal" else rates)
    pars_bar = pars.copy()
    pars_bar[0] = 0.0
    total_bar = 1.0 - counts / total
    for is_signal, rates, tape in tapes:
        bar = total_bar
        if is_signal:
            pars_bar[0] += bar @ rates
            bar = bar * pars[0]
        for i, scale, slope in reversed(tape):
            pars_bar[i] += bar @ slope
            bar = bar * scale
    return (pars_bar,)


CODES = {name: f.__code__ for name, f in MODIFIERS.items()}


def registry_likelihood_guard(pars, counts):
    for sample, nominal, modifiers in programs.CHANNEL:
        if type(sample) is not str or type(nominal) is not list or set(map(type, nominal)) != {float}:
            return False
        for kind, i, options in modifiers:
            f = programs.MODIFIERS[kind]
            if f is not MODIFIERS[kind] or f.__code__ is not CODES[kind]:
                return False
            if type(i) is not int or options.keys() != {"lo", "hi"}:
                return False
            is_scalar = kind == "normsys"
            if not all(type(x) is float if is_scalar else is_array(x, 1) for x in options.values()):
                return False
    return is_array(pars, 1) and is_array(counts, 1) and counts.shape == (3,)


# ---- keyword_fit

GAUSSIAN, LINE = programs._gaussian, programs._line
EVAL = Component.eval


def keyword_fit(values, x, y):
    params = dict(zip(programs.NAMES, values, strict=True))
    model = 0
    tape = []
    for component in programs.COMPONENTS:
        options = {name: params[component.prefix + name] for name in component.names}
        if component.func is GAUSSIAN:
            amplitude, center, sigma = options["amplitude"], options["center"], options["sigma"]
            d = x - center
            squares = d**2
            e = np.exp(-squares / (2 * sigma**2))
            tape.append((component.prefix, amplitude, sigma, d, squares, e))
            model = model + amplitude * e
        else:
            tape.append((component.prefix,))
            model = model + options["slope"] * x
    bar = 2.0 * (model - y)
    bars = dict.fromkeys(programs.NAMES, 0.0)
    for prefix, *residuals in tape:
        if not residuals:
            bars[prefix + "slope"] += bar @ x
            continue
        amplitude, sigma, d, squares, e = residuals
        bars[prefix + "amplitude"] += bar @ e
        e_bar = amplitude * bar * e
        bars[prefix + "center"] += e_bar @ d / sigma**2
        bars[prefix + "sigma"] += e_bar @ squares / sigma**3
    return ([bars[name] for name in programs.NAMES],)


def keyword_fit_guard(values, x, y):
    for component in programs.COMPONENTS:
        if type(component) is not Component or Component.eval is not EVAL or "eval" in component.__dict__:
            return False
        if component.func is not GAUSSIAN and component.func is not LINE:
            return False
        if type(component.prefix) is not str or set(map(type, component.names)) != {str}:
            return False
    return type(values) is list and set(map(type, values)) == {float} and is_array(x, 1) and is_array(y, 1)


# ---- glm_likelihood

LOG, LOGLIKE, FAMILY_LOGLIKE = Links.log, Glm.loglike, Poisson.loglike


def glm_likelihood(params, model):
    exog, endog = model.exog, model.endog
    mu = np.exp(np.dot(exog, params) + 0.1)
    return (np.dot(endog - mu, exog),)


def glm_likelihood_guard(params, model):
    family = model.family
    return (
        type(model) is Glm
        and Glm.loglike is LOGLIKE
        and "loglike" not in model.__dict__
        and type(family) is Poisson
        and not family.__dict__
        and Poisson.link == "log"
        and Links.log is LOG
        and Poisson.loglike is FAMILY_LOGLIKE
        and is_array(params, 1)
        and is_array(model.exog, 2)
        and is_array(model.endog, 1)
    )


FORMULAS = {
    "orbit": (orbit, orbit_guard),
    "array_of_structs": (array_of_structs, array_of_structs_guard),
    "tree_recursion": (tree_recursion, tree_recursion_guard),
    "dataclass_tree": (dataclass_tree, dataclass_tree_guard),
    "registry_likelihood": (registry_likelihood, registry_likelihood_guard),
    "keyword_fit": (keyword_fit, keyword_fit_guard),
    "glm_likelihood": (glm_likelihood, glm_likelihood_guard),
}
"""By name of the program, its gradient by hand and what a tool asks before."""

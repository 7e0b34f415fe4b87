"""Samples for `scipy.integrate`."""

from typing import Any

import numpy as np
from rules.sampling import Sample, normal, sample, sample_of, uniform
from scipy import integrate
from scipy.integrate import odeint, quad, quad_vec, solve_ivp

from adjoint.optimize import through_steps

A = normal(2, 6)
X = np.cumsum(uniform(0.5, 1.0, 6))
ROWS = np.cumsum(uniform(0.5, 1.0, 2, 6), axis=1)
W = normal(3)


def of_points() -> list[Sample]:
    samples = []
    for f in (integrate.trapezoid, integrate.cumulative_trapezoid, integrate.simpson, integrate.cumulative_simpson):
        samples += [
            sample_of(f, lambda y, x, f=f: f(y, x=x), A, X).but(order=1, complex=f is integrate.trapezoid),
            program(f, lambda y, x, f=f: f(y, x=x, axis=-1), A, ROWS, order=1),
            program(f, lambda y, dx, f=f: f(y, dx=dx, axis=0), normal(5, 2), 0.5, order=1),
            program(f, lambda y, x, f=f: f(y, x=x), A[0, :5], X[:5]),
            *[program(f, lambda y, x, f=f: f(y, x=x), A[0, :n], X[:n], order=1) for n in (2, 3, 4)],
        ]
    return samples


def program(of: Any, f: Any, *args: Any, **options: Any) -> Sample:
    return sample_of(of, f, *args).but(single=False, strided=False, lists=False, **options)


SAMPLES = [
    *of_points(),
    sample(integrate.trapezoid, normal(3, 2), axis=0),
    sample(integrate.cumulative_trapezoid, A, axis=1, initial=0),
    sample_of(integrate.cumulative_simpson, lambda y, i: integrate.cumulative_simpson(y, initial=i), A, 0.5),
    sample_of(
        integrate.cumulative_simpson, lambda y, i: integrate.cumulative_simpson(y, initial=i, axis=0), A.T, normal(1, 2)
    ),
    sample(integrate.romb, A[:, :5], 0.3),
    sample(integrate.romb, normal(9, 2), axis=0),
    sample(integrate.romb, normal(2)),
]


class Polynomial:
    def __init__(self, w: Any) -> None:
        self.w = w

    def __call__(self, x: Any) -> Any:
        return np.sum(self.w * x ** np.arange(3))


SAMPLES += [
    program(quad, lambda k, a, b: quad(lambda x: np.sin(k * x), a, b)[0], 2.0, 0.1, 0.6),
    program(quad, lambda k, m, a: quad(lambda x, k, m: k * x**m, a, 1, args=(k, m))[0], 2.0, 1.5, 0.1),
    program(quad, lambda k: quad(lambda x, k: np.cos(k * x), 0.0, 1.0, args=k)[0], 2.0),
    program(quad, lambda k: quad(lambda x: np.exp(-k * x * x), -np.inf, np.inf)[0], 2.0, order=1),
    program(quad, lambda k, a: quad(lambda x: np.exp(-k * x * x), a, np.inf)[0], 2.0, 0.3),
    program(quad, lambda k, b: quad(lambda x: np.exp(k * x), -np.inf, b, full_output=1)[0], 2.0, 0.3),
    program(quad, lambda k: quad(lambda x: k / np.sqrt(x), 0, 1)[0], 2.0, order=1),
    program(quad, lambda k: quad(lambda x: k / x**0.5, 0, 1.0)[0], 2.0, order=1),
    program(quad, lambda k: quad(lambda x: k * x if x > 0.3 else 1.0, 0, 1.0, points=[0.3])[0], 2.0, order=1),
    program(quad, lambda k: quad(lambda x: np.exp(1j * k * x), 0, 1.0, complex_func=True)[0], 2.0),
    program(quad, lambda w: quad(Polynomial(w), 0, 1.0)[0], W),
    program(quad, lambda k: quad(lambda x: k * x, 0.5, 0.5)[0], 2.0, order=1),
    program(quad, lambda k, a, w: quad(lambda x, k: np.exp(-k * x), a, 2.0, k, weight="cos", wvar=w)[0], 1.5, 0.2, 2.0),
    program(quad, lambda k, b, w: quad(lambda x: k * x**2, 0.0, b, weight="sin", wvar=w)[0], 1.5, 0.8, 2.0, order=1),
    program(quad, lambda k, w: quad(lambda x: np.exp(-k * x), 0, np.inf, weight="sin", wvar=w)[0], 1.5, 2.0, order=1),
    program(quad, lambda k, a: quad(lambda x: np.exp(-k * x), a, 2.0, weight="cauchy", wvar=1.0)[0], 1.5, 0.2),
    program(quad, lambda k: quad(lambda x: np.exp(-k * x), 0.0, 1.0, weight="alg", wvar=(-0.5, 0.3))[0], 1.5),
    program(quad_vec, lambda w, a, b: quad_vec(lambda x: w * x ** np.arange(3), a, b)[0], W, 0.2, 0.9),
    program(quad_vec, lambda w, b: quad_vec(lambda x: np.outer(w, w) * x, 0.0, b, norm="max")[0], W, 0.9),
    program(
        integrate.dblquad,
        lambda k, a: integrate.dblquad(lambda y, x: k * x * y**2, a, 1.0, lambda x: k * x, lambda x: 2.0 + x)[0],
        0.3,
        0.2,
        order=1,
    ),
    program(
        integrate.dblquad,
        lambda k, b: integrate.dblquad(lambda y, x, k: k * x * y**2, 0.0, 1.0, 0.0, b, args=(k,))[0],
        0.3,
        0.7,
        order=1,
    ),
    sample(integrate.newton_cotes, 4),
    program(integrate.newton_cotes, lambda x: integrate.newton_cotes(np.array([0.0, 0.5, 2.0]))[0] @ x, W),
    program(
        integrate.nquad,
        lambda k, a: integrate.nquad(lambda y, x, k: k * x * y**2, [lambda x, k: [a, x], [0, k]], args=(k,))[0],
        0.3,
        0.2,
        order=1,
    ),
    program(
        integrate.fixed_quad, lambda k, a: integrate.fixed_quad(lambda x: np.exp(-k * x), a, 0.9, n=4)[0], 0.3, 0.2
    ),
]

# Differential equations. Finite differences of them are no better than the tolerance of the solver.

STATE = np.array([1.0, 0.5])
FINE = {"rtol": 1e-9, "atol": 1e-9}
COARSE = {"rtol": 1e-7, "atol": 1e-7}
FINER = {"rtol": 1e-11, "atol": 1e-11}


def oscillator(t: float, y: Any, k: Any) -> Any:
    return [y[1], -k * y[0] + t]


OPTIONS = {"RK23": COARSE, "BDF": COARSE, "Radau": {"rtol": 1e-8, "atol": 1e-8}, "LSODA": FINER}


def at_end(method: Any) -> Any:
    def solution(k: Any, y0: Any, t1: Any) -> Any:
        options = OPTIONS.get(method, FINE)
        return solve_ivp(lambda t, y: np.array([y[1], -k * y[0] + t]), (0.0, t1), y0, method, **options).y[:, -1]

    return solution


def at_times(k: Any, y0: Any, times: Any, t0: Any) -> Any:
    solution = solve_ivp(oscillator, (t0, 1.0), y0, t_eval=times, args=(k,), **FINE)
    return solution.y, solution.t


def backwards(k: Any, y0: Any, times: Any) -> Any:
    return solve_ivp(oscillator, [0.4, -1.0], y0, "DOP853", times, args=[k], atol=[1e-9, 1e-10], rtol=1e-9).y


def every_step(k: Any, y0: Any) -> Any:
    return solve_ivp(oscillator, (0.0, 0.1), y0, args=(k,), first_step=0.02, max_step=0.02, rtol=1e-5)["y"]


def falls(t: float, y: Any) -> Any:
    return y[0] - 0.3 * t


falls.terminal = True  # type: ignore[attr-defined]


def until_it_falls(speed: Any, gravity: Any) -> Any:
    fall = solve_ivp(lambda t, y: [y[1], -gravity], (0.0, 10.0), [1.0, speed], events=falls, **FINE)
    return fall.t_events[0], fall.y_events[0], fall.t[-1], fall.y[:, -1]


def crossings(k: Any, level: Any, times: Any) -> Any:
    def crosses(t: float, y: Any, k: Any) -> Any:
        return y[0] - level * k

    def at_rest(t: float, y: Any, k: Any) -> Any:
        return y[1]

    wave = solve_ivp(
        lambda t, y, k: [y[1], -k * y[0]], (0.0, 1.4), STATE, "DOP853", times, events=(crosses, at_rest), args=(k,),
        **COARSE,
    )  # fmt: skip
    return wave.t_events[0], wave.y_events[1], wave.y


def replayed(method: str) -> Any:
    def solution(k: Any, y0: Any, times: Any, t1: Any) -> Any:
        coarse = {"first_step": 0.1, "max_step": 0.1, "rtol": 1.0, "atol": 1.0}
        with through_steps():
            return solve_ivp(oscillator, (0.0, t1), y0, method, t_eval=times, args=(k,), **coarse).y

    return solution


def equation(f: Any, *args: Any, rtol: float = 1e-5, order: int = 1) -> Sample:
    return program(solve_ivp, f, *args, rtol=rtol, order=order)


SAMPLES += [
    *[equation(at_end(method), 2.0, STATE, 1.3) for method in ("RK45", integrate.DOP853, "LSODA")],
    *[equation(at_end(method), 2.0, STATE, 0.7, rtol=1e-4) for method in ("RK23", "Radau", "BDF")],
    equation(at_end("DOP853"), 2.0, STATE, 0.2, rtol=1e-4, order=2),
    equation(at_times, 2.0, STATE, np.array([0.2, 0.5, 0.8]), -0.1),
    equation(backwards, 2.0, STATE, np.array([0.2, -0.5, -0.8])),
    equation(every_step, 2.0, [1.0, 0.5]),
    equation(until_it_falls, 1.0, 9.81),
    equation(crossings, 2.0, 0.1, [0.5, 1.3], rtol=1e-4),
    equation(
        lambda y0, w: solve_ivp(lambda t, y: 1j * w * y, (0, 1), y0, **COARSE).y[:, -1], STATE + 0.5j, 1.5, rtol=1e-4
    ),
    *[
        equation(replayed(method), 2.0, STATE, times, 0.95)
        for method in ("RK23", "RK45", "DOP853")
        for times in (None, np.array([0.03, 0.25, 0.93]))
    ],
    equation(replayed("RK23"), 2.0, STATE, None, 0.19, order=2),
    program(
        odeint, lambda y0, t, k: odeint(lambda y, t, k: [y[1], -k * y[0] + t], y0, t, args=(k,)),
        STATE, np.array([0.0, 0.2, 0.5, 0.8]), 2.0, rtol=1e-4, order=1,
    ),
    program(
        odeint, lambda y0, t, k: odeint(oscillator, y0, t, args=(k,), tfirst=True, full_output=1, rtol=1e-10)[0],
        [1.0, 0.5], [0.0, 0.2, 0.5], 2.0, rtol=1e-4, order=1,
    ),
    program(odeint, lambda y0, k: odeint(lambda y, t: -k * y, y0, [0.0, 0.1]), 1.0, 2.0, rtol=1e-4, order=1),
]  # fmt: skip

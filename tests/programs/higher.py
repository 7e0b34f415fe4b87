"""Derivatives of derivatives: programs that themselves ask for gradients."""

import math

import numpy as np

from adjoint import grad, gradient, jacobian, pullback, value_and_grad, withgradient

from .registry import program


@program(1.3, rows="higher", order=2)
def second_derivative(x):
    return gradient(lambda v: math.sin(v) * v**3, x)[0]


@program(0.8, rows="higher")
def third_derivative(x):
    first = grad(lambda v: math.exp(v) * math.sin(v))
    return grad(grad(first))(x)


@program(1.2, rows="higher")
def fourth_derivative_by_orders(x):
    return grad(grad(grad(lambda v: v**6 + math.cos(v))))(x)


@program(1.5, 0.7, rows="higher")
def mixed_partials(x, y):
    def along_y(u):
        return gradient(lambda v: u**2 * math.sin(u * v), y)[0]

    return gradient(along_y, x)[0]


@program(2.0, rows="higher")
def no_perturbation_confusion(x):
    return gradient(lambda u: u * gradient(lambda v: u * v * v, x)[0], x)[0]


@program(0.3, 3.2, rows=("higher", "control flow"))
def gradient_through_loop_and_branch(y, r):
    def trajectory(y):
        for _ in range(6):
            if y > 0.5:
                y = r * y * (1.0 - y)
            else:
                y = math.sin(y) + 0.1 * r
        return y

    return gradient(trajectory, y)[0]


@program(1.7, 3, rows=("higher", "control flow"))
def gradient_through_while(x, n):
    def power(v):
        result, k = 1.0, n
        while k > 0:
            result, k = result * v, k - 1
        return result

    return grad(power)(x) + grad(grad(power))(x)


@program(np.array([0.5, -1.0, 2.0]), rows=("higher", "numpy"), order=2)
def gradient_of_array_function(x):
    return gradient(lambda v: np.sum(np.tanh(v) * v**2), x)[0]


@program(np.array([0.5, -1.0, 2.0]), np.array([1.0, 0.3, -0.2]), rows=("higher", "numpy"))
def hessian_vector_product(x, v):
    def loss(z):
        return np.sum(z**3) + z[0] * z[1] * z[2]

    return gradient(lambda z: gradient(loss, z)[0] @ v, x)[0]


@program(np.array([0.5, -1.0, 2.0]), rows=("higher", "numpy", "control flow"))
def gradient_through_indexing(x):
    def smoothness(v):
        total = 0.0
        for i in range(1, len(v)):
            total += (v[i] - v[i - 1]) ** 4
        return total + np.sum(v[[0, 0, 2]] ** 3) + np.sum(v[v > 0.0] ** 2)

    return gradient(smoothness, x)[0]


@program(1.5, rows=("higher", "control flow"))
def newton_minimiser(x):
    f = lambda v: v**4 - 3.0 * v**2 + v  # noqa: E731
    for _ in range(2):
        x = x - grad(f)(x) / grad(grad(f))(x)
    return x


@program(np.array([1.0, -0.5]), 0.1, rows=("higher", "numpy", "control flow", "functions"))
def learning_to_learn(weights, rate):
    loss = lambda w: np.sum((w * np.array([1.0, 2.0]) - 1.0) ** 2)  # noqa: E731
    for _ in range(3):
        weights = weights - rate * gradient(loss, weights)[0]
    return loss(weights)


@program(1.4, rows="higher")
def value_and_gradient_inside(x):
    value, slope = value_and_grad(lambda v: v * math.log(v))(x)
    again, (other,) = withgradient(math.sin, x)
    return value * slope + again * other


@program(1.4, 0.6, rows=("higher", "functions"))
def pullback_inside(x, y):
    value, back = pullback(lambda a, b: a / (a + b * b), x, y)
    _, a_bar, b_bar = back(value)
    return a_bar * b_bar + value


@program({"w": 1.5, "b": [0.5, -0.2]}, 2.0, rows=("higher", "data"))
def gradient_of_structures(parameters, x):
    slopes = gradient(lambda p: p["w"] ** 2 * x + p["b"][0] * p["b"][1] * x, parameters)[0]
    return slopes["w"] * slopes["b"][0] + slopes["b"][1]


@program(np.array([0.5, 1.5]), rows=("higher", "numpy"))
def jacobian_inside(x):
    return np.sum(jacobian(lambda v: np.array([v[0] * v[1], np.sin(v[0])]), x)[0] ** 2)


@program(0.7, 0.2, rows=("higher", "objects", "numbers"))
def hamiltonian_step(position, momentum):
    energy = lambda q, p: 0.5 * p**2 + (1.0 - math.cos(q))  # noqa: E731
    dq, dp = gradient(energy, position, momentum)
    return position + 0.1 * dp, momentum - 0.1 * dq


@program(1.1, rows=("higher", "control flow"))
def gradient_in_a_branch(x):
    slope = grad(lambda v: v**3)(x)
    if slope > 1.0:
        return slope * x
    return -slope

"""Arguments that share memory with each other."""

import numpy as np

from .registry import demand, row

FAMILY = "aliases"
demand(
    FAMILY,
    *("row twice", "argument passed twice", "overlapping arguments", "array also in a list", "object twice"),
)


def squares(xs):
    return sum([(k + 1) * x * x for k, x in enumerate(xs)])


class Particle:
    def __init__(self, x, v):
        self.x = x
        self.v = v


def shared_rows():
    line = [0.7, -1.2]
    return [line, [1.5, 0.4], line], 0.8


@row(FAMILY, "row twice", shared_rows)
def argument_with_a_row_twice(rows, x):
    rows[0][0] *= x
    rows[2][1] = rows[0][0] ** 2 + rows[1][0]
    rows[1][0] += rows[2][1]
    return sum([(k + 1) * squares(r) for k, r in enumerate(rows)])


def twice_the_same_array():
    u = np.array([0.7, -1.2, 1.5])
    return u, u, 0.8


@row(FAMILY, "argument passed twice", twice_the_same_array)
def product_with_itself(u, w, x):
    u[0] = x * w[1]
    w *= u
    return float((u**2).sum() + w[0] * x)


def overlapping_parts():
    u = np.array([0.7, -1.2, 1.5, 0.4])
    return u[:3], u[1:], 0.8


@row(FAMILY, "overlapping arguments", overlapping_parts)
def parts_of_one_buffer(u, w, x):
    u *= x
    w[0] += u[0]
    w[1:] = u[1:] * w[:-1]
    return float((u**2).sum() + (u * w).sum())


def matrix_and_its_transpose():
    a = np.array([[0.7, -1.2], [1.5, 0.4]])
    return a, a.T, [a[0], 0.8]


@row(FAMILY, "overlapping arguments", matrix_and_its_transpose)
def matrix_with_its_transpose(a, t, rest):
    a[0, 1] = rest[1] ** 2
    t *= rest[0]
    rest[0] += t[1]
    return float((a * t).sum() + (a @ rest[0]) @ t[0])


def complex_and_its_real_part():
    z = np.array([0.7 - 0.3j, 1.2 + 0.8j])
    return z, z.real


@row(FAMILY, "overlapping arguments", complex_and_its_real_part)
def real_part_beside_the_whole(z, re):
    z *= z[0]
    re[1] = re[0] ** 2
    return float((abs(z) ** 2).sum() * re[1] + z[1].imag)


def array_and_list():
    u = np.array([0.7, -1.2])
    return u, [u, np.array([1.5, 0.4])], 0.8


@row(FAMILY, "array also in a list", array_and_list)
def argument_also_in_a_list(u, arrays, x):
    arrays[0] *= x
    u += arrays[1]
    arrays[1] = u
    arrays[1][0] = u[1] ** 2
    return float((arrays[0] * arrays[1]).sum())


def particle_twice():
    p = Particle(0.7, -1.2)
    return ([p, Particle(0.4, 0.9), p],)


@row(FAMILY, "object twice", particle_twice)
def object_twice_in_a_list(particles):
    for q in particles:
        q.x += 0.5 * q.v * particles[0].x
    particles[2].v = particles[1].x ** 2
    return particles[0].x * particles[2].v + particles[1].x * particles[0].v

"""Rules for `scipy.sparse.linalg`: systems by factors, and by iteration, which is differentiated at the solution."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sl

from ....errors import ImplicitError, calling_place
from ....tangents import field_bar, tangent
from ....tangents.fields import carry_whole
from ....tangents.unknown import unknown
from ...knots import call_pullback
from ...numpy.lifting import refuse
from ...numpy.linear import bring_back, cast
from ...registry import non_differentiable, not_implemented, rule
from . import extremes  # noqa: F401
from .patterns import in_order, of_data, pattern, turned
from .products import of_outer, outer_at
from .refused import refuse_rest


def of_matrix(a, b_bar, x):
    """Ā = -B̄ Xᴴ of a sparse or a dense matrix."""
    if sp.issparse(a):
        return of_outer(a, -b_bar, x)
    if isinstance(a, np.ndarray):
        return cast(-np.outer(b_bar, np.conj(x)), a.dtype)
    return unknown("a linear operator")


def adjoint_matrix(a):
    """Aᴴ of a sparse matrix, a dense one or an operator."""
    if sp.issparse(a):
        return turned(a)
    return np.conj(np.transpose(a)) if isinstance(a, np.ndarray) else a.H


@rule(sl.spsolve)
def spsolve_rule(A, b, permc_spec=None, use_umfpack=True):  # noqa: N803
    """X = A⁻¹ B, so B̄ = A⁻ᴴ X̄ and Ā = -B̄ Xᴴ at the entries of A."""
    if sp.issparse(b):
        refuse(
            "scipy.sparse.linalg.spsolve of a sparse right-hand side",
            "which entries its result has depends on values",
            "pass `b.toarray()`",
        )
    ordered = in_order(A)
    x = sl.spsolve(ordered, b, permc_spec, use_umfpack)
    column = np.ndim(b) == 2 and np.shape(b)[1] == 1

    def spsolve_back(x_bar):
        h = turned(ordered)
        b_bar = sl.spsolve(h if h.format in ("csr", "csc") else h.tocsc(), x_bar, permc_spec, use_umfpack)
        return of_outer(A, -b_bar, x), bring_back(b_bar[:, None] if column else b_bar, b)

    return x, spsolve_back


@rule(sl.spsolve_triangular)
def spsolve_triangular_rule(A, b, lower=True, overwrite_A=False, overwrite_b=False, unit_diagonal=False):  # noqa: N803
    """As `spsolve`, of a triangle."""
    check_triangle(A, lower)
    x = sl.spsolve_triangular(A, b, lower, unit_diagonal=unit_diagonal)
    read = is_read(A, lower, unit_diagonal)

    def spsolve_triangular_back(x_bar):
        h = turned(A).tocsr()
        b_bar = sl.spsolve_triangular(h, x_bar, not lower, unit_diagonal=unit_diagonal)
        return of_data(A, outer_at(A, -b_bar, x) * read), bring_back(b_bar, b)

    return x, spsolve_triangular_back


def is_read(a, lower, unit_diagonal):
    """A mask of the entries that a triangular solver reads."""
    rows, columns = pattern(a)
    below = rows > columns if lower else rows < columns
    return 1.0 * (below if unit_diagonal else below | (rows == columns))


def check_triangle(a, lower):
    """Refuse a matrix with entries beside the triangle: what SciPy makes of them is another thing in each version."""
    rows, columns = pattern(a)
    if np.any(rows < columns if lower else rows > columns):
        side = "lower" if lower else "upper"
        refuse(
            f"scipy.sparse.linalg.spsolve_triangular of a matrix that is not {side} triangular",
            "what it makes of the other entries is not defined",
            f"pass `scipy.sparse.{'tril' if lower else 'triu'}(A)`, or use `spsolve`",
        )


non_differentiable(is_read, check_triangle)


# Factors


carry_whole(sl.SuperLU)


class Solve:
    """One solution by factors: what its cotangent is kept by until it gets to the matrix."""


def new_solve():
    """A key that nothing else has."""
    return Solve()


non_differentiable(new_solve)


@rule(sl.splu)
def splu_rule(A, *args, **options):  # noqa: N803
    """Each solution by the factors leaves a pair of vectors, whose outer product is its part of Ā."""
    y = sl.splu(in_order(A), *args, **options)

    def splu_back(y_bar):
        return (of_data(A, _at_entries(A, y_bar)),)

    return y, splu_back


def _at_entries(a, y_bar):
    total = np.zeros(a.data.shape)
    solves = field_bar(y_bar, "solves")
    for key in solves:
        left, right = solves[key]
        total = total + outer_at(a, left, right)
    return total


@rule(sl.factorized)
def factorized_rule(A):  # noqa: N803
    """The method `solve` of the factors."""
    y = sl.factorized(in_order(A))
    check_bound(y)

    def factorized_back(y_bar):
        return (of_data(A, _at_entries(A, field_bar(y_bar, "__self__"))),)

    return y, factorized_back


def check_bound(solve):
    """Refuse other libraries' solvers."""
    if not isinstance(getattr(solve, "__self__", None), sl.SuperLU):
        refuse(
            "scipy.sparse.linalg.factorized by UMFPACK",
            "its solver does not say of what matrix it is",
            "use `scipy.sparse.linalg.splu(A).solve`",
        )


non_differentiable(check_bound)


@rule(sl.SuperLU.solve)
def superlu_solve_rule(self, rhs, trans="N"):
    """X = op(A)⁻¹ B: B̄ = op(A)⁻ᴴ X̄, and the cotangent of op(A) is -B̄ Xᴴ."""
    x, key = self.solve(rhs, trans), new_solve()

    def superlu_solve_back(x_bar):
        if trans == "T":
            b_bar = np.conj(self.solve(np.conj(x_bar), "N"))
        else:
            b_bar = self.solve(x_bar, "H" if trans == "N" else "N")
        left, right = (-b_bar, x) if trans == "N" else (-x, b_bar) if trans == "H" else (-np.conj(x), np.conj(b_bar))
        return tangent(self, ("solves",), {key: (left, right)}), b_bar

    return x, superlu_solve_back


# By iteration


def check_converged(info, name):
    """Raise where a solver says that it has not converged."""
    if info != 0:
        raise ImplicitError(
            f"scipy.sparse.linalg.{name} did not converge (info = {info})",
            "the derivative is that of the solution",
            "let it go on (`maxiter`, `rtol`), or use `scipy.sparse.linalg.spsolve`",
            calling_place(),
        )


def preconditioned(options):
    """The options with preconditioners for the adjoint system."""
    turn = {"M": "M", "M1": "M2", "M2": "M1"}
    return {turn.get(k, k): sl.aslinearoperator(v).H if k in turn and v is not None else v for k, v in options.items()}


non_differentiable(check_converged, preconditioned)


def _iterative(f):
    name = f.__name__

    def iterative_rule(A, b, x0=None, **options):  # noqa: N803
        x, info = f(A, b, x0=x0, **options)
        kept = {k: v for k, v in options.items() if k not in ("callback", "callback_type")}

        def iterative_back(y_bar):
            x_bar = y_bar[0]
            if x_bar is None:
                return None, None
            check_converged(info, name)
            b_bar, state = f(adjoint_matrix(A), x_bar, **preconditioned(kept))
            check_converged(state, name)
            return of_matrix(A, b_bar, x), bring_back(np.reshape(b_bar, np.shape(b)), b)

        return (x, info), iterative_back

    iterative_rule.__name__ = f"{name}_rule"
    iterative_rule.__doc__ = "x = A⁻¹ b, so Aᴴ b̄ = x̄, solved in the same way, and Ā = -b̄ xᴴ."
    return iterative_rule


for _name in ("cg", "cgs", "bicg", "bicgstab", "gmres", "lgmres", "minres", "qmr", "gcrotmk", "tfqmr"):
    if hasattr(sl, _name):
        rule(getattr(sl, _name))(_iterative(getattr(sl, _name)))


@rule(sl.norm)
def norm_rule(x, ord=None, axis=None):  # noqa: A002
    """y = ‖A‖, the Euclidean norm of all entries: Ā = ȳ A / y, 0 where y is 0."""
    if ord not in (None, "fro") or axis is not None:
        refuse("scipy.sparse.linalg.norm of other orders", "only the Euclidean norm has a rule", "use `A.toarray()`")
    a, back = call_pullback(in_order, x)
    y = sl.norm(a, ord)
    scale = y if y != 0 else 1.0
    return y, lambda y_bar: back(of_data(a, y_bar * a.data / scale))[1:]


@rule(sl.expm_multiply)
def expm_multiply_rule(A, B, **options):  # noqa: N803
    """Y = exp(A) B, so B̄ = exp(Aᴴ) Ȳ and Ā = ∫ exp((1 - t) Aᴴ) Ȳ (exp(t A) B)ᴴ dt over [0, 1], by Gauss' rule.

    Source: N. Higham, "Functions of Matrices", 2008, ch. 10.
    """
    if options or isinstance(A, sl.LinearOperator):
        what = "scipy.sparse.linalg.expm_multiply of an operator, or at several times"
        refuse(
            what,
            "an operator has no entries, and of several times the steps are chosen together",
            "pass a matrix, and call it once for each time",
        )
    ordered = in_order(A) if sp.issparse(A) else A
    y = sl.expm_multiply(ordered, B)

    def expm_multiply_back(y_bar):
        h, total = adjoint_matrix(ordered), 0.0
        for t, weight in nodes_for(ordered):
            left, right = sl.expm_multiply(h * (1.0 - t), y_bar), sl.expm_multiply(ordered * t, B)
            total = total + weight * (outer_at(A, left, right) if sp.issparse(A) else _outer(left, right))
        return of_data(A, total) if sp.issparse(A) else cast(total, A.dtype), bring_back(sl.expm_multiply(h, y_bar), B)

    return y, expm_multiply_back


def _outer(left, right):
    return np.outer(left, np.conj(right)) if left.ndim == 1 else left @ np.conj(right.T)


def nodes_for(a):
    """Nodes and weights on [0, 1] that integrate what grows as exp(A)."""
    size = float(abs(a).sum(axis=0).max()) if min(a.shape) else 0.0
    if not size < 500:
        refuse("scipy.sparse.linalg.expm_multiply of a large matrix", "its integral takes too long", "scale it")
    nodes, weights = np.polynomial.legendre.leggauss(16 + int(size))
    return [(float(t + 1) / 2, float(w) / 2) for t, w in zip(nodes, weights, strict=True)]


non_differentiable(nodes_for)


def applied(operator, x):
    """A x; `@` of a column warns since SciPy 1.18."""
    return operator.matmat(x) if np.ndim(x) == 2 else operator.matvec(x)


def _operator(name):
    def operator_rule(self, x):
        check_vectors(x)

        def operator_back(y_bar):
            return unknown("a linear operator"), bring_back(applied(self.H, y_bar), x)

        return getattr(self, name)(x), operator_back

    operator_rule.__name__ = f"operator_{name}_rule"
    operator_rule.__doc__ = "y = A x, so x̄ = Aᴴ ȳ by the operator's own adjoint."
    return operator_rule


def _operator_adjoint(name):
    def operator_adjoint_rule(self, x):
        return getattr(self, name)(x), lambda y_bar: (unknown("a linear operator"), bring_back(applied(self, y_bar), x))

    operator_adjoint_rule.__name__ = f"operator_{name}_rule"
    operator_adjoint_rule.__doc__ = "y = Aᴴ x, so x̄ = A ȳ."
    return operator_adjoint_rule


def check_vectors(x):
    """Refuse products of an operator that are operators again."""
    if isinstance(x, sl.LinearOperator) or np.ndim(x) == 0:
        what = "a product of a linear operator with a number or with another operator"
        refuse(what, "what an operator is made of is not followed", "multiply the vectors: `A @ (B @ x)`")


non_differentiable(check_vectors)

for _name in ("matvec", "matmat", "dot", "__matmul__", "__mul__", "__call__"):
    rule(getattr(sl.LinearOperator, _name))(_operator(_name))
for _name in ("rmatvec", "rmatmat"):
    rule(getattr(sl.LinearOperator, _name))(_operator_adjoint(_name))


# Refused

_EIGEN = "use `eigsh` of a symmetric matrix, or `scipy.linalg.eig` of `A.toarray()`"
not_implemented(
    sl.eigs, sl.lobpcg,
    why="a few of many eigenvectors do not say how they move: that takes all of them",
    way_out=_EIGEN,
)  # fmt: skip
not_implemented(
    *(sl.spilu, sl.inv, sl.expm, sl.onenormest, sl.lsqr, sl.lsmr, sl.aslinearoperator, sl.LinearOperator),
    why="only the solvers of systems of full rank, and `eigsh` and `svds`, are followed here",
    way_out="use `scipy.sparse.linalg.spsolve`, or `scipy.linalg` with `A.toarray()`",
)
non_differentiable(sl.use_solver)
refuse_rest(sl)

"""Functions of `scipy.linalg` that carry no derivative, and those whose derivative is not known."""

import scipy.linalg

from ...registry import non_differentiable, not_implemented

_L = scipy.linalg

non_differentiable(
    _L.bandwidth,
    _L.ishermitian,
    _L.issymmetric,
    _L.find_best_blas_type,
    _L.get_blas_funcs,
    _L.get_lapack_funcs,
    _L.dft,
    _L.hadamard,
    _L.helmert,
    _L.hilbert,
    _L.invhilbert,
    _L.pascal,
    _L.invpascal,
)

not_implemented(
    _L.null_space,
    _L.orth,
    why="a basis of a space is not unique, so that it has no derivative",
    way_out="use what does not depend on the basis, such as the projection `A @ pinv(A)`",
)
not_implemented(
    _L.schur,
    _L.rsf2csf,
    _L.hessenberg,
    _L.qz,
    _L.ordqz,
    _L.cdf2rdf,
    why="its factors are not unique, and what depends on them seldom needs them",
    way_out="use `scipy.linalg.eig`, `qr` or `solve_sylvester`, which have rules",
)
not_implemented(
    _L.funm,
    why="what the function is at other points than the eigenvalues is not known",
    way_out="use `expm`, `logm`, `sqrtm`, `cosm` and their like, or the eigenvectors of `scipy.linalg.eig`",
)
not_implemented(
    _L.ldl,
    why="its blocks and their order are chosen by comparisons of entries",
    way_out="use `scipy.linalg.cholesky` or `solve(assume_a='sym')`, which have",
)
not_implemented(
    _L.qr_update,
    _L.qr_insert,
    _L.qr_delete,
    why="an update takes the factors for those of one matrix, of which their derivatives would have to be consistent",
    way_out="decompose the new matrix by `scipy.linalg.qr`",
)
not_implemented(_L.cossin, why="its factors are not unique", way_out="take the singular values of the blocks by `svd`")
not_implemented(
    _L.subspace_angles,
    why="the angles have a kink where they are 0, and it takes sines or cosines, whichever are exact there",
    way_out="take `np.arccos` of the singular values of `Q_A.T @ Q_B`, the factors of `scipy.linalg.qr`",
)
not_implemented(
    _L.matrix_balance,
    why="it scales by powers of two that jump",
    way_out="balance a matrix of constants, and multiply by what was found",
)
not_implemented(
    _L.expm_cond,
    why="it is a norm of the derivative of `expm`, of which the next derivative would be needed",
    way_out="use `expm_frechet` for the derivative of `expm`",
)
not_implemented(
    _L.fiedler_companion,
    why="its entries at fixed places are easier to write down",
    way_out="use `companion`, which has a rule and the same eigenvalues",
)
not_implemented(
    _L.clarkson_woodruff_transform,
    why="the sketch is drawn anew in each call",
    way_out="draw the matrix of the sketch first, and multiply by it",
)

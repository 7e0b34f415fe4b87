"""Samples for `scipy.spatial` and `scipy.spatial.distance`."""

from typing import Any

import numpy as np
from rules.sampling import Sample, normal, sample, sample_of, uniform
from scipy import spatial
from scipy.spatial import KDTree, distance
from scipy.spatial.distance import cdist, pdist


def plain(of: Any, f: Any, *args: Any, **options: Any) -> Sample:
    return sample_of(of, f, *args).but(**{"single": False, "strided": False, "lists": False, "order": 1, **options})


A, B = normal(5, 3), normal(4, 3, seed=1)
P, Q = uniform(0.2, 1.0, 5, 3), uniform(0.2, 1.0, 4, 3, seed=1)
W = uniform(0.5, 1.5, 3)
TREE = KDTree(A)

SAMPLES = [
    *[sample(cdist, A, B, metric) for metric in ("euclidean", "sqeuclidean")],
    *[plain(cdist, lambda a, m=m: cdist(a, a[:2], m), A) for m in ("euclidean", "sqe")],
    *[
        s
        for m in ("cityblock", "chebyshev", "cosine", "correlation", "canberra", "minkowski", "seuclidean", "mah")
        for s in (
            plain(cdist, lambda a, b, m=m: cdist(a, b, m), A, B),
            plain(pdist, lambda a, m=m: pdist(a, m), A),
        )
    ],
    *[
        s
        for m in ("cityblock", "cosine", "correlation", "canberra", "euclidean", "sqeuclidean", "minkowski")
        for s in (
            plain(cdist, lambda a, b, w, m=m: cdist(a, b, m, w=w), A, B, W),
            plain(pdist, lambda a, w, m=m: pdist(a, m, w=w), A, W),
        )
    ],
    *[plain(cdist, lambda a, b, m=m: cdist(a, b, m), P, Q) for m in ("braycurtis", "jensenshannon")],
    plain(cdist, lambda a, b, w: cdist(a, b, "braycurtis", w=w), P, Q, W),
    plain(cdist, lambda a, b: cdist(a, b, "chebyshev", w=W), A, B),
    plain(cdist, lambda a, b, v: cdist(a, b, "seuclidean", V=v), A, B, W),
    plain(cdist, lambda a, b, v: cdist(a, b, "mahalanobis", VI=v @ v.T), A, B, normal(3, 3)),
    plain(cdist, lambda a, b, p: cdist(a, b, "minkowski", p=p), A, B, 3.3),
    plain(cdist, lambda a, b: cdist(a, b, "minkowski", p=np.inf), A, B),
    plain(cdist, lambda a, b: cdist(a, b, lambda u, v: np.sum(np.sin(u - v) ** 2)), A, B),
    sample(cdist, [[1.0, 2.0]], [[3.0, 0.0], [1.0, 1.0]]),
    *[sample(pdist, A, *metric) for metric in ((), ("euclidean",), ("sqeuclidean",))],
    plain(pdist, lambda a: pdist(np.concatenate((a, a[:1] + 1e-3))), A),
    sample(pdist, [[1.0, 2.0], [3.0, 0.0], [1.0, 1.0]], "sqeuclidean"),
    plain(pdist, lambda a, w, p: pdist(a, "m", p=p, w=w), A, W, 1.5),
    plain(pdist, lambda a: pdist(a, lambda u, v: np.sum(np.sin(u - v) ** 2)), A[:3]),
    sample(distance.squareform, normal(6)),
    sample(distance.squareform, normal(1)),
    sample(distance.squareform, [1.0, 2.0, 0.5]),
    plain(distance.squareform, lambda v: distance.squareform(v, "tomatrix"), normal(3), order=2),
    plain(distance.squareform, lambda m: distance.squareform(m, checks=False), normal(4, 4), order=2),
    plain(distance.directed_hausdorff, lambda a, b: distance.directed_hausdorff(a, b)[0], A, B),
]  # fmt: skip

for f in (
    distance.euclidean, distance.sqeuclidean, distance.cityblock, distance.chebyshev, distance.cosine,
    distance.correlation, distance.canberra, distance.braycurtis, distance.minkowski,
):  # fmt: skip
    SAMPLES += [
        sample(f, P[0], Q[0]).but(order=2 if f is distance.cosine else 1),
        sample(f, [1.0, 2.0, 4.0], [0.5, 3.0, 1.0]).but(order=1),
    ]
    if f is not distance.chebyshev:
        SAMPLES.append(plain(f, lambda u, v, w, f=f: f(u, v, w=w), P[0], Q[0], W))

SAMPLES += [
    plain(distance.correlation, lambda u, v, w: distance.correlation(u, v, w, centered=False), P[0], Q[0], W),
    plain(distance.minkowski, lambda u, v, p, w: distance.minkowski(u, v, p, w), P[0], Q[0], 2.5, W),
    sample(distance.seuclidean, P[0], Q[0], W).but(order=1),
    sample(distance.mahalanobis, P[0], Q[0], np.eye(3) * 2 + 0.1).but(order=1),
    sample(distance.jensenshannon, P[0], Q[0]),
    plain(
        distance.jensenshannon, lambda p, q, b: distance.jensenshannon(p, q, b, axis=1, keepdims=True), P, P * W, 2.0
    ),
    *[
        plain(KDTree.query, lambda at, k=k, p=p: TREE.query(at, k, p=p)[0], B)
        for k, p in ((1, 2), (3, 2), ([1, 3], 2), (2, 1))
    ],
    plain(KDTree.query, lambda at: TREE.query(at)[0], B[0]),
    plain(KDTree.query, lambda a, at: KDTree(a).query(at, 2)[0], A, B, order=2),
    plain(KDTree.query, lambda a, at: a[KDTree(a).query(at)[1]], A, B),
    plain(KDTree, lambda a: KDTree(a).data * 2, A),
]

FLAGS, OTHERS = np.array([1.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])
ROWS = np.array([FLAGS, OTHERS, 1.0 - FLAGS])
for f in (
    distance.hamming, distance.jaccard, distance.dice, distance.rogerstanimoto, distance.russellrao,
    distance.sokalsneath, distance.yule,
):  # fmt: skip
    SAMPLES += [
        plain(f, lambda w, f=f: f(FLAGS, OTHERS, w), W, order=2),
        plain(cdist, lambda w, m=f.__name__: cdist(ROWS, ROWS[:2], m, w=w), W),
        plain(pdist, lambda w, m=f.__name__: pdist(ROWS, m, w=w), W),
    ]
    if f not in (distance.hamming, distance.jaccard):
        SAMPLES.append(plain(f, lambda u, v, f=f: f(u, v), 0.4 * FLAGS + 0.1, 0.5 * OTHERS + 0.2, order=2))

SAMPLES += [
    s.but(warns=True)  # since SciPy 1.18
    for s in (
        sample(spatial.distance_matrix, A, B),
        plain(spatial.distance_matrix, lambda a, b, p: spatial.distance_matrix(a, b, p), A, B, 3.0),
        plain(spatial.minkowski_distance, lambda a, b: spatial.minkowski_distance(a, b, 1), A, A + P),
        plain(spatial.minkowski_distance_p, lambda a, b, p: spatial.minkowski_distance_p(a, b, p), A, A + P, 3.3),
        plain(spatial.minkowski_distance_p, lambda a, b: spatial.minkowski_distance_p(a, b, np.inf), A, A + P),
    )
]

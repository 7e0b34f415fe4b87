"""The sum of the squared distances of points to their nearest centroids."""


def cost(points, centroids):
    total = 0.0
    for i in range(len(points)):
        nearest = 1e308
        for j in range(len(centroids)):
            square = 0.0
            for a in range(points.shape[1]):
                difference = points[i, a] - centroids[j, a]
                square += difference * difference
            if square < nearest:
                nearest = square
        total += nearest
    return total

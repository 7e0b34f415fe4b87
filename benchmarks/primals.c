/* The objectives of GradBench's problems in C, as one writes them: what Numba's code is compared with.
   Numbers are doubles, sizes are longs, arrays lie row by row. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double log_gamma(double a, long d)
{
    double found = d * (d - 1) / 4.0 * log(M_PI);
    for (long j = 1; j <= d; j++)
        found += lgamma(a + (1.0 - j) / 2.0);
    return found;
}

static double log_sum_exp(const double *x, long n)
{
    double largest = x[0], total = 0.0;
    for (long i = 1; i < n; i++)
        if (x[i] > largest)
            largest = x[i];
    for (long i = 0; i < n; i++)
        total += exp(x[i] - largest);
    return log(total) + largest;
}

double lse(const double *x, long n)
{
    return log_sum_exp(x, n);
}

double gmm(const double *alpha, const double *means, const double *icf, const double *x, double gamma, long m, long n,
           long d, long k)
{
    long size = d * (d + 1) / 2;
    double *restrict diagonals = malloc(k * d * sizeof(double)), *restrict sums = calloc(k, sizeof(double));
    double *restrict terms = malloc(k * sizeof(double)), *restrict centered = malloc(d * sizeof(double));
    double *restrict product = malloc(d * sizeof(double));
    double slse = 0.0, prior = 0.0;
    for (long j = 0; j < k; j++)
        for (long i = 0; i < d; i++) {
            diagonals[j * d + i] = exp(icf[j * size + i]);
            sums[j] += icf[j * size + i];
        }
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < k; j++) {
            const double *below = icf + j * size + d;
            double square = 0.0;
            for (long a = 0; a < d; a++) {
                centered[a] = x[i * d + a] - means[j * d + a];
                product[a] = diagonals[j * d + a] * centered[a];
            }
            for (long a = 0; a < d; a++)
                for (long b = a + 1; b < d; b++)
                    product[b] += *below++ * centered[a];
            for (long a = 0; a < d; a++)
                square += product[a] * product[a];
            terms[j] = alpha[j] + sums[j] - 0.5 * square;
        }
        slse += log_sum_exp(terms, k);
    }
    double degrees = d + m + 1;
    double constant = degrees * d * (log(gamma) - 0.5 * log(2.0)) - log_gamma(0.5 * degrees, d);
    for (long j = 0; j < k; j++) {
        double frobenius = 0.0;
        for (long i = 0; i < d; i++)
            frobenius += diagonals[j * d + i] * diagonals[j * d + i];
        for (long i = d; i < size; i++)
            frobenius += icf[j * size + i] * icf[j * size + i];
        prior += m * sums[j] - 0.5 * gamma * gamma * frobenius;
    }
    double found = -n * d * 0.5 * log(2.0 * M_PI) + slse - n * log_sum_exp(alpha, k) + prior + k * constant;
    free(diagonals), free(sums), free(terms), free(centered), free(product);
    return found;
}

static double logistic(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

double lstm(const double *params, const double *extra, const double *given, const double *sequence, long layers, long c,
            long b)
{
    double *restrict state = malloc(2 * layers * b * sizeof(double)), *restrict x = malloc(b * sizeof(double));
    double total = 0.0;
    memcpy(state, given, 2 * layers * b * sizeof(double));
    for (long t = 0; t < c - 1; t++) {
        double normal = 2.0;
        for (long i = 0; i < b; i++)
            x[i] = sequence[t * b + i] * extra[i];
        for (long k = 0; k < layers; k++) {
            const double *weight = params + 8 * k * b, *bias = weight + 4 * b;
            double *restrict hidden = state + 2 * k * b, *restrict cell = hidden + b;
            for (long i = 0; i < b; i++) {
                double forget = logistic(x[i] * weight[i] + bias[i]);
                double ingate = logistic(hidden[i] * weight[b + i] + bias[b + i]);
                double outgate = logistic(x[i] * weight[2 * b + i] + bias[2 * b + i]);
                double change = tanh(hidden[i] * weight[3 * b + i] + bias[3 * b + i]);
                cell[i] = cell[i] * forget + ingate * change;
                hidden[i] = outgate * tanh(cell[i]);
                x[i] = hidden[i];
            }
        }
        for (long i = 0; i < b; i++) {
            x[i] = x[i] * extra[b + i] + extra[2 * b + i];
            normal += exp(x[i]);
        }
        normal = log(normal);
        for (long i = 0; i < b; i++)
            total += sequence[(t + 1) * b + i] * (x[i] - normal);
    }
    free(state), free(x);
    return -total / ((c - 1) * b);
}

static void slopes(const double *restrict x, const double *restrict y, double *restrict z, long n)
{
    z[0] = x[0];
    for (long i = 1; i < n; i++)
        z[i] = x[i] * y[i - 1];
}

double ode(const double *x, long s, long n)
{
    size_t size = n * sizeof(double);
    double *restrict y = calloc(n, sizeof(double)), *restrict at = malloc(size), *restrict k1 = malloc(size);
    double *restrict k2 = malloc(size), *restrict k3 = malloc(size), *restrict k4 = malloc(size);
    double h = 2.0 / s;
    for (long step = 0; step < s; step++) {
        slopes(x, y, k1, n);
        for (long i = 0; i < n; i++)
            at[i] = y[i] + h / 2 * k1[i];
        slopes(x, at, k2, n);
        for (long i = 0; i < n; i++)
            at[i] = y[i] + h / 2 * k2[i];
        slopes(x, at, k3, n);
        for (long i = 0; i < n; i++)
            at[i] = y[i] + h * k3[i];
        slopes(x, at, k4, n);
        for (long i = 0; i < n; i++)
            y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    double last = y[n - 1];
    free(y), free(at), free(k1), free(k2), free(k3), free(k4);
    return last;
}

double llsq(const double *x, long n, long m)
{
    double found = 0.0;
    for (long i = 0; i < n; i++) {
        double t = -1.0 + i * 2.0 / (n - 1.0), power = 1.0, value = (t > 0) - (t < 0);
        for (long j = 0; j < m; j++) {
            value -= x[j] * power;
            power *= t;
        }
        found += value * value;
    }
    return found / 2.0;
}

double kmeans(const double *points, const double *centroids, long n, long k, long d)
{
    double total = 0.0;
    for (long i = 0; i < n; i++) {
        double least = INFINITY;
        for (long j = 0; j < k; j++) {
            double square = 0.0;
            for (long a = 0; a < d; a++) {
                double difference = points[i * d + a] - centroids[j * d + a];
                square += difference * difference;
            }
            if (square < least)
                least = square;
        }
        total += least;
    }
    return total;
}

/* The first 2 p numbers of `found` are the distances, the last p what keeps the weights at 1; the sum of all is
   returned. */
double ba(const double *cameras, const double *points, const double *weights, const double *features,
          const long *observed, double *found, long p)
{
    double total = 0.0;
    for (long i = 0; i < p; i++) {
        const double *c = cameras + 11 * observed[2 * i], *point = points + 3 * observed[2 * i + 1];
        double x = point[0] - c[3], y = point[1] - c[4], z = point[2] - c[5], right, up, depth;
        double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
        if (square == 0.0) {
            right = x + c[1] * z - c[2] * y;
            up = y + c[2] * x - c[0] * z;
            depth = z + c[0] * y - c[1] * x;
        } else {
            double angle = sqrt(square), cosine = cos(angle), sine = sin(angle);
            double u = c[0] / angle, v = c[1] / angle, w = c[2] / angle;
            double along = (u * x + v * y + w * z) * (1.0 - cosine);
            right = x * cosine + (v * z - w * y) * sine + u * along;
            up = y * cosine + (w * x - u * z) * sine + v * along;
            depth = z * cosine + (u * y - v * x) * sine + w * along;
        }
        right /= depth;
        up /= depth;
        square = right * right + up * up;
        double distortion = 1.0 + c[9] * square + c[10] * square * square;
        found[2 * i] = weights[i] * (right * distortion * c[6] + c[7] - features[2 * i]);
        found[2 * i + 1] = weights[i] * (up * distortion * c[6] + c[8] - features[2 * i + 1]);
        found[2 * p + i] = 1.0 - weights[i] * weights[i];
        total += found[2 * i] + found[2 * i + 1] + found[2 * p + i];
    }
    return total;
}

/* Loop nests of linear algebra and stencils, in the manner of PolyBench/C.
 *
 * The problems are those of L.-N. Pouchet, "PolyBench: the Polyhedral Benchmark suite" (2012); the
 * code is written for this suite.  Matrices are stored row by row in one array.
 *
 *     clang-14 -O1 -ffp-contract=off -fno-discard-value-names -emit-llvm -S polybench.c
 */

typedef double *restrict array;
typedef const double *restrict given;

/* c = beta c + alpha a b; c is rows × n, a rows × depth, b depth × n. */
void gemm(long n, long rows, long depth, double alpha, double beta, array c, given a, given b)
{
    for (long i = 0; i < rows; i++) {
        for (long j = 0; j < n; j++)
            c[i * n + j] *= beta;
        for (long k = 0; k < depth; k++)
            for (long j = 0; j < n; j++)
                c[i * n + j] += alpha * a[i * depth + k] * b[k * n + j];
    }
}

/* a += u v' + w z' over rows × n, then x += a' y. */
void gemver(long n, long rows, array a, given u, given v, given w, given z, array x)
{
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < n; j++)
            a[i * n + j] += u[i] * v[j] + w[i] * z[j];
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < n; j++)
            x[j] += a[i * n + j] * w[i];
}

/* y = alpha a x + beta b x. */
void gesummv(long n, long rows, double alpha, double beta, given a, given b, given x, array y)
{
    for (long i = 0; i < rows; i++) {
        double first = 0, second = 0;
        for (long j = 0; j < n; j++) {
            first += a[i * n + j] * x[j];
            second += b[i * n + j] * x[j];
        }
        y[i] = alpha * first + beta * second;
    }
}

/* y += a' (a x). */
void atax(long n, long rows, given a, given x, array y)
{
    for (long i = 0; i < rows; i++) {
        double sum = 0;
        for (long j = 0; j < n; j++)
            sum += a[i * n + j] * x[j];
        for (long j = 0; j < n; j++)
            y[j] += a[i * n + j] * sum;
    }
}

/* s += a' r and q = a p in one sweep. */
void bicg(long n, long rows, given a, array s, array q, given p, given r)
{
    for (long i = 0; i < rows; i++) {
        double sum = 0;
        for (long j = 0; j < n; j++) {
            s[j] += r[i] * a[i * n + j];
            sum += a[i * n + j] * p[j];
        }
        q[i] = sum;
    }
}

/* x += a y and z += a' w; a is n × n. */
void mvt(long n, array x, array z, given y, given w, given a)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            x[i] += a[i * n + j] * y[j];
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            z[i] += a[j * n + i] * w[j];
}

/* The lower triangle of c = beta c + alpha a a'; a is rows × n. */
void syrk(long n, long rows, double alpha, double beta, array c, given a)
{
    for (long i = 0; i < rows; i++)
        for (long j = 0; j <= i; j++) {
            double sum = 0;
            for (long k = 0; k < n; k++)
                sum += a[i * n + k] * a[j * n + k];
            c[i * rows + j] = beta * c[i * rows + j] + alpha * sum;
        }
}

/* The lower triangle of c += alpha (a b' + b a'); a and b are rows × n. */
void syr2k(long n, long rows, double alpha, array c, given a, given b)
{
    for (long i = 0; i < rows; i++)
        for (long j = 0; j <= i; j++) {
            double sum = 0;
            for (long k = 0; k < n; k++)
                sum += a[j * n + k] * b[i * n + k] + b[j * n + k] * a[i * n + k];
            c[i * rows + j] += alpha * sum;
        }
}

/* b = l' b in place: l is unit lower triangular, rows × rows, b rows × n. */
void trmm(long n, long rows, given l, array b)
{
    for (long i = 0; i < rows; i++)
        for (long k = i + 1; k < rows; k++)
            for (long j = 0; j < n; j++)
                b[i * n + j] += l[k * rows + i] * b[k * n + j];
}

/* Solve l x = b; l is lower triangular, n × n. */
void trisolv(long n, given l, array x, given b)
{
    for (long i = 0; i < n; i++) {
        double sum = b[i];
        for (long j = 0; j < i; j++)
            sum -= l[i * n + j] * x[j];
        x[i] = sum / l[i * n + i];
    }
}

/* Levinson and Durbin: y solves the Toeplitz system of 1, r[0] … r[n - 2] for -r; z is scratch. */
void durbin(long n, given r, array y, array z)
{
    if (n < 1)
        return;
    double alpha = -r[0], beta = 1;
    y[0] = -r[0];
    for (long k = 1; k < n; k++) {
        double sum = 0;
        beta *= 1 - alpha * alpha;
        for (long i = 0; i < k; i++)
            sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
        for (long i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
        for (long i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
}

/* Every row of a (rows × n) becomes its product with c (n × n); sum is scratch of n. */
void doitgen(long n, long rows, array a, given c, array sum)
{
    for (long r = 0; r < rows; r++) {
        for (long p = 0; p < n; p++) {
            double total = 0;
            for (long s = 0; s < n; s++)
                total += a[r * n + s] * c[s * n + p];
            sum[p] = total;
        }
        for (long p = 0; p < n; p++)
            a[r * n + p] = sum[p];
    }
}

/* a = l u in place, without pivots; n × n. */
void lu(long n, array a)
{
    for (long k = 0; k < n; k++)
        for (long i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (long j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
}

/* Shortest paths between all pairs; n × n integers. */
void floyd_warshall(long n, int *paths)
{
    for (long k = 0; k < n; k++)
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++) {
                int via = paths[i * n + k] + paths[k * n + j];
                if (via < paths[i * n + j])
                    paths[i * n + j] = via;
            }
}

/* Sweeps of the mean of three neighbours, from a to b and back; the inner points are n. */
void jacobi_1d(long n, long pairs, array a, array b)
{
    for (long t = 0; t < pairs; t++) {
        for (long i = 1; i <= n; i++)
            b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
        for (long i = 1; i <= n; i++)
            a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1]);
    }
}

/* One sweep of the mean of five neighbours from a to b; rows + 2 rows of n + 2. */
void jacobi_2d(long n, long rows, given a, array b)
{
    long m = n + 2;
    for (long i = 1; i <= rows; i++)
        for (long j = 1; j <= n; j++)
            b[i * m + j] = 0.2 * (a[i * m + j] + a[i * m + j - 1] + a[i * m + j + 1]
                                  + a[(i - 1) * m + j] + a[(i + 1) * m + j]);
}

/* One Gauss-Seidel sweep of the mean of nine neighbours, in place; rows + 2 rows of n + 2. */
void seidel_2d(long n, long rows, array a)
{
    long m = n + 2;
    for (long i = 1; i <= rows; i++)
        for (long j = 1; j <= n; j++) {
            double above = a[(i - 1) * m + j - 1] + a[(i - 1) * m + j] + a[(i - 1) * m + j + 1];
            double below = a[(i + 1) * m + j - 1] + a[(i + 1) * m + j] + a[(i + 1) * m + j + 1];
            double here = a[i * m + j - 1] + a[i * m + j] + a[i * m + j + 1];
            a[i * m + j] = (above + here + below) / 9.0;
        }
}

/* One step of Maxwell's equations in the plane: ex and ey by hz, then hz; rows × n each. */
void fdtd_2d(long n, long rows, array ex, array ey, array hz)
{
    for (long i = 1; i < rows; i++)
        for (long j = 0; j < n; j++)
            ey[i * n + j] -= 0.5 * (hz[i * n + j] - hz[(i - 1) * n + j]);
    for (long i = 0; i < rows; i++)
        for (long j = 1; j < n; j++)
            ex[i * n + j] -= 0.5 * (hz[i * n + j] - hz[i * n + j - 1]);
    for (long i = 0; i + 1 < rows; i++)
        for (long j = 0; j + 1 < n; j++)
            hz[i * n + j] -= 0.7 * (ex[i * n + j + 1] - ex[i * n + j]
                                    + ey[(i + 1) * n + j] - ey[i * n + j]);
}

/* The covariance of columns; data (n rows of columns) loses its means. */
void covariance(long n, long columns, array data, array cov)
{
    for (long j = 0; j < columns; j++) {
        double mean = 0;
        for (long i = 0; i < n; i++)
            mean += data[i * columns + j];
        mean /= n;
        for (long i = 0; i < n; i++)
            data[i * columns + j] -= mean;
    }
    for (long i = 0; i < columns; i++)
        for (long j = i; j < columns; j++) {
            double sum = 0;
            for (long k = 0; k < n; k++)
                sum += data[k * columns + i] * data[k * columns + j];
            cov[i * columns + j] = cov[j * columns + i] = sum / (n - 1.0);
        }
}

/* Optimal nesting in the manner of Nussinov: best[i, j] for i < j over n × n. */
void nussinov(long n, const int *bases, int *best)
{
    for (long i = n - 1; i >= 0; i--)
        for (long j = i + 1; j < n; j++) {
            int most = best[i * n + j - 1];
            if (i + 1 < n && best[(i + 1) * n + j] > most)
                most = best[(i + 1) * n + j];
            int pair = (i < j - 1 ? best[(i + 1) * n + j - 1] : 0) + (bases[i] + bases[j] == 3);
            if (pair > most)
                most = pair;
            for (long k = i + 1; k < j; k++) {
                int split = best[i * n + k] + best[(k + 1) * n + j];
                if (split > most)
                    most = split;
            }
            best[i * n + j] = most;
        }
}

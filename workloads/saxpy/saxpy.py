"""y = a·x + y, the first routine of the BLAS."""

from compiler.kernel import f32, i64, kernel


@kernel
def saxpy(n: i64, a: f32, x: f32[:], y: f32[:]):
    for i in range(n):
        y[i] = a * x[i] + y[i]

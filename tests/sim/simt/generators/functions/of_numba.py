"""Functions under @numba.cuda.jit that tests call."""

from numba import cuda


@cuda.jit
def columns(a, x, y):
    """y = x + the columns of a matrix, with a bound."""
    i = cuda.grid(1)
    if i < x.size:
        total = x[i]
        for j in range(a.shape[1]):
            total += a[i, j]
        y[i] = total

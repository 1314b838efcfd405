// Gaussian elimination without pivots, as a host loop of two kernels whose grids shrink: one works
// out the multipliers of a column, the other subtracts the pivot's row from those below it.  Then a
// launch for each unknown substitutes it, the last one first.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o elimination.ptx elimination.cu

__global__ void add_to_diagonal(float *a, int n, float amount)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i * n + i] += amount;
}

__global__ void multipliers(const float *a, float *m, int n, int pivot)
{
    int row = pivot + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n)
        m[row] = a[row * n + pivot] / a[pivot * n + pivot];
}

__global__ void eliminate(float *a, float *b, const float *m, int n, int pivot)
{
    int column = pivot + blockIdx.x * blockDim.x + threadIdx.x;
    int row = pivot + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n)
        return;
    a[row * n + column] -= m[row] * a[pivot * n + column];
    if (column == pivot)
        b[row] -= m[row] * b[pivot];
}

__global__ void substitute(const float *a, float *b, float *x, int n, int known)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row > known)
        return;
    float value = b[known] / a[known * n + known];
    if (row == known)
        x[row] = value;
    else
        b[row] -= a[row * n + known] * value;
}

// y = A · x of a sparse matrix in compressed rows (CSR): a thread a row, and a warp a row.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o spmv.ptx spmv.cu

extern "C" __global__ void spmv_scalar(
    const int *rows, const int *columns, const float *values, const float *x, float *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0;
    for (int k = rows[row]; k < rows[row + 1]; k++)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}

extern "C" __global__ void spmv_vector(
    const int *rows, const int *columns, const float *values, const float *x, float *y, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n)
        return;
    float sum = 0;
    for (int k = rows[row] + lane; k < rows[row + 1]; k += 32)
        sum += values[k] * x[columns[k]];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (lane == 0)
        y[row] = sum;
}

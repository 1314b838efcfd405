// A sweep of the five-point stencil over an n × n grid whose border stays: blocks of 16 × 16 threads
// with their halo in shared memory.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o stencil.ptx stencil.cu

const int TILE = 16;

extern "C" __global__ void stencil(const float *source, float *target, int n)
{
    __shared__ float tile[TILE + 2][TILE + 2];
    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    tile[y][x] = source[row * n + column];
    if (threadIdx.x == 0 && column > 0)
        tile[y][0] = source[row * n + column - 1];
    if (threadIdx.x == TILE - 1 && column < n - 1)
        tile[y][TILE + 1] = source[row * n + column + 1];
    if (threadIdx.y == 0 && row > 0)
        tile[0][x] = source[(row - 1) * n + column];
    if (threadIdx.y == TILE - 1 && row < n - 1)
        tile[TILE + 1][x] = source[(row + 1) * n + column];
    __syncthreads();
    if (row == 0 || row == n - 1 || column == 0 || column == n - 1)
        target[row * n + column] = tile[y][x];
    else
        target[row * n + column] =
            0.25f * (tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1]);
}

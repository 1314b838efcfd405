// Transposition of an n × n matrix in blocks of 32 × 8 threads, three ways: straight from memory to
// memory, through a tile of shared memory, and through a tile with a spare column.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o transpose.ptx transpose.cu

const int TILE = 32, ROWS = 8;

// Reads rows and writes columns: every warp's store touches 32 lines.
extern "C" __global__ void transpose_naive(const float *source, float *target, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        target[x * n + y + k] = source[(y + k) * n + x];
}

// Both sides go along rows; the tile is read by columns, whose words are all in one bank.
extern "C" __global__ void transpose_tiled(const float *source, float *target, int n)
{
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        tile[threadIdx.y + k][threadIdx.x] = source[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        target[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

// The spare column puts the words of a column into different banks.
extern "C" __global__ void transpose_padded(const float *source, float *target, int n)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        tile[threadIdx.y + k][threadIdx.x] = source[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        target[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

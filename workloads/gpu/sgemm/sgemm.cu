// c = a · b of n × n matrices in f32: blocks of 16 × 16 threads bring tiles into shared memory and
// keep one element each.  n is a multiple of 16.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o sgemm.ptx sgemm.cu

const int TILE = 16;

extern "C" __global__ void sgemm(const float *a, const float *b, float *c, int n)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < n; first += TILE) {
        tile_a[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
        tile_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

// Inclusive prefix sums of integers: each block scans its part in shared memory (Hillis and Steele),
// one block scans the sums of the blocks, and each block adds the sum of those before it.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o scan.ptx scan.cu

extern "C" __global__ void scan_blocks(int *data, int *sums, int n)
{
    __shared__ int part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? data[i] : 0;
    __syncthreads();
    for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
        int before = threadIdx.x >= distance ? part[threadIdx.x - distance] : 0;
        __syncthreads();
        part[threadIdx.x] += before;
        __syncthreads();
    }
    if (i < n)
        data[i] = part[threadIdx.x];
    if (threadIdx.x == blockDim.x - 1)
        sums[blockIdx.x] = part[threadIdx.x];
}

extern "C" __global__ void add_offsets(int *data, const int *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        data[i] += sums[blockIdx.x - 1];
}

// How often each byte occurs: a histogram a block in shared memory, added to the one in memory.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o histogram.ptx histogram.cu

extern "C" __global__ void histogram(const unsigned char *data, int n, int *counts)
{
    __shared__ int bins[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        bins[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[data[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        if (bins[b] > 0)
            atomicAdd(&counts[b], bins[b]);
}

// The sum of an array: grid-stride loop, shuffles within a warp, shared memory within a block; a
// second launch of one block adds up the sums of the blocks.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o reduction.ptx reduction.cu

__device__ float sum_of_warp(float value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

extern "C" __global__ void sum_blocks(const float *data, float *sums, int n)
{
    __shared__ float of_warps[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += data[i];
    sum = sum_of_warp(sum);
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0)
        of_warps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? of_warps[lane] : 0;
        sum = sum_of_warp(sum);
        if (lane == 0)
            sums[blockIdx.x] = sum;
    }
}

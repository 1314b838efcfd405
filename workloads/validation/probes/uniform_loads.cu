// All lanes of all warps load the same pairs, one after the other: sectors that are new to the L1.
//     nvcc -arch=sm_90 -ptx -lineinfo -o uniform_loads.ptx uniform_loads.cu

extern "C" __global__ void bcast16(const float2 *__restrict__ b, float *o, int n)
{
    float s = 0;
    for (int j = 0; j < n; j += 16) {
        float2 v[16];
#pragma unroll
        for (int k = 0; k < 16; k++)
            v[k] = b[j + k];
#pragma unroll
        for (int k = 0; k < 16; k++)
            s += v[k].x * v[k].y;
    }
    o[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

extern "C" __global__ void bcast4(const float2 *__restrict__ b, float *o, int n)
{
    float s = 0;
#pragma unroll 1
    for (int j = 0; j < n; j += 4) {
        float2 v[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            v[k] = b[j + k];
#pragma unroll
        for (int k = 0; k < 4; k++)
            s += v[k].x * v[k].y;
    }
    o[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

// Copies whose loads or stores begin `f` words off a line.
//     nvcc -arch=sm_90 -ptx -lineinfo -o rows.ptx rows.cu

extern "C" __global__ void shift_load(const float *a, float *o, int f)
{
    int i = blockIdx.x * 2048 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 8; k++)
        o[i + k * 256] = a[i + k * 256 + f];
}

extern "C" __global__ void shift_store(const float *a, float *o, int f)
{
    int i = blockIdx.x * 2048 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 8; k++)
        o[i + k * 256 + f] = a[i + k * 256];
}

// Sixteen streams, every other one off.
extern "C" __global__ void shift_far(const float *a, float *o, int f)
{
    int i = blockIdx.x * 1024 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 16; k++)
        o[k * 131072 + i + ((k & 1) ? f : 0)] = a[k * 131072 + i];
}

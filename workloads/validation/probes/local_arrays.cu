// An array of a thread by an index that is known at run time only: it lies in local memory.
//     nvcc -arch=sm_90 -ptx -lineinfo -o local_arrays.ptx local_arrays.cu

typedef unsigned u32;
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void local_index(u32 *o, u32 m, int n)
{
    u32 s[16];
    u32 x = THREAD;
#pragma unroll
    for (int k = 0; k < 16; k++)
        s[k] = k * m;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        x += s[(x + i) & 15];
        s[(i * 7) & 15] = x;
    }
    o[THREAD] = x;
}

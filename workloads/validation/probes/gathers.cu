// Lanes that read words, or exchange them, wherever chance leads.
//     nvcc -arch=sm_90 -ptx -lineinfo -o gathers.ptx gathers.cu

typedef unsigned u32;
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void gather(u32 *o, const u32 *a, int n, u32 mask)
{
    u32 x = THREAD * 2654435761u;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        u32 y = 0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            x = x * 1664525u + 1013904223u;
            y += a[(x >> 8) & mask];
        }
        x += y;
    }
    o[THREAD] = x;
}

extern "C" __global__ void cas_gather(u32 *o, u32 *a, int n, u32 mask)
{
    u32 x = THREAD * 2654435761u;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        x += atomicCAS(a + ((x >> 8) & mask), 7u, 9u);
    }
    o[THREAD] = x;
}

// Lanes in lines of their own, which stay in the L1.
extern "C" __global__ void gather_lines(u32 *o, const u32 *a, int n, u32 mask)
{
    u32 x = THREAD * 2654435761u;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        u32 y = 0;
#pragma unroll
        for (int k = 0; k < 4; k++)
            y += a[((threadIdx.x & 31) * 33 + i * 4 + k + (x & 1)) & mask];
        x += y;
    }
    o[THREAD] = x;
}

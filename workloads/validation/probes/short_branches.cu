// Ifs of a few instructions, on which the lanes of a warp differ.
//     nvcc -arch=sm_90 -ptx -lineinfo -o short_branches.ptx short_branches.cu

typedef unsigned u32;
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

__constant__ u32 table[64];

// One bit after the other, each with a word of constant memory.
extern "C" __global__ void bits(u32 *o, u32 seed, int n)
{
    u32 r = 0;
    for (int i = 0; i < n; i++) {
        u32 d = (seed + THREAD) * (2654435761u + i);
#pragma unroll
        for (int b = 0; b < 31; b++, d >>= 1)
            if (d & 1)
                r ^= table[b];
    }
    o[THREAD] = r;
}

extern "C" __global__ void collatz(u32 *o, u32 seed, int n)
{
    u32 x = seed + THREAD * 977u;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        if (x & 1)
            x = x * 3 + 1;
        else
            x = x / 2 + i;
    }
    o[THREAD] = x;
}

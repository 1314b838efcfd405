// Divisions of integers by a number that is known at run time only; no loop is unrolled.
//     nvcc -arch=sm_90 -ptx -lineinfo -o integer_division.ptx integer_division.cu

typedef unsigned u32;
typedef unsigned long long u64;
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

// The divisor stays.
extern "C" __global__ void udiv(u32 *o, u32 d, int n)
{
    u32 x = THREAD + 0xf0000000u;
#pragma unroll 1
    for (int i = 0; i < n; i++)
        x = x / d + 0xe0000000u;
    o[THREAD] = x;
}

// The divisor changes.
extern "C" __global__ void udiv_new(u32 *o, u32 d, int n)
{
    u32 x = THREAD + 0xf0000000u;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        x = x / d + 0xe0000000u;
        d += x >> 31;
    }
    o[THREAD] = x;
}

// Quotient and remainder of the same two.
extern "C" __global__ void udivmod(u32 *o, u32 d, int n)
{
    u32 x = THREAD + 0xf0000000u;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        u32 q = x / d, r = x % d;
        x = q * 3 + r + 0xe0000000u;
    }
    o[THREAD] = x;
}

// Eight digits by one divisor, which then changes.
extern "C" __global__ void udiv8(u32 *o, u32 d, int n)
{
    u32 x = THREAD * 977u;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        d |= 1;
        u32 y = x, s = 0;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            s = s * 5 + y % d;
            y /= d;
        }
        x = s + 0xe0000000u;
        d += x & 2;
    }
    o[THREAD] = x;
}

// Signed, by the width of a warp, which is a special register.
extern "C" __global__ void divwarp(int *o, int n)
{
    int x = THREAD * 977;
#pragma unroll 1
    for (int i = 0; i < n; i++)
        x = x * 5 + x % warpSize + x / warpSize;
    o[THREAD] = x;
}

// 64 bits: `top` decides whether both fit into 32.
extern "C" __global__ void div64(u64 *o, u64 d, u64 top, int n)
{
    u64 x = THREAD + top;
#pragma unroll 1
    for (int i = 0; i < n; i++)
        x = x / d + top;
    o[THREAD] = x;
}

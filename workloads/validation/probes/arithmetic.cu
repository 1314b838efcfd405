// Products and shuffles of 64 bits, conversions, and work that is the same in every lane.
//     nvcc -arch=sm_90 -ptx -lineinfo -o arithmetic.ptx arithmetic.cu

typedef unsigned u32;
typedef unsigned long long u64;
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void mul64(u64 *o, u64 m, int n)
{
    u64 x = THREAD + m, y = x + 7;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int k = 0; k < 4; k++) {
            x = x * m + y;
            y = y * m + x;
        }
    }
    o[THREAD] = x + y;
}

extern "C" __global__ void dshuffle(double *o, int n)
{
    double x = THREAD;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int k = 16; k; k >>= 1)
            x += __shfl_down_sync(~0u, x, k);
    }
    o[THREAD] = x;
}

// f32 to f64 and back at every step.
extern "C" __global__ void to_double(float *o, float f, int n)
{
    float x = threadIdx.x + f, y = x + 1;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        x = x * 2.0 + y * 0.25;
        y = y * 0.5 + x;
    }
    o[THREAD] = x + y;
}

// Seven of nine operations a step are those of the whole warp.
extern "C" __global__ void uniform_work(u32 *o, u32 m, int n)
{
    u32 u = m, x = THREAD;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            u = (u << 3) ^ (u >> 5) ^ k;
            x += u & 255;
        }
    }
    o[THREAD] = x;
}

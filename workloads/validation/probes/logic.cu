// Rotations and logic of three inputs, as ciphers and hashes use them.
//     nvcc -arch=sm_90 -ptx -lineinfo -o logic.ptx logic.cu

typedef unsigned u32;
typedef unsigned long long u64;
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void rot64(u64 *o, u64 m, int n)
{
    u64 x = THREAD + m, y = x + 7;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int k = 0; k < 4; k++) {
            x = ((x << 27) | (x >> 37)) ^ y;
            y = ((y << 31) | (y >> 33)) + x;
            x ^= x >> 33;
        }
    }
    o[THREAD] = x + y;
}

extern "C" __global__ void md_mix(u32 *o, u32 m, int n)
{
    u32 a = THREAD, b = m, c = ~m, d = a * m;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            u32 f = (b & c) | (~b & d);
            u32 t = a + f + m + 0x5a827999u * k;
            a = d;
            d = c;
            c = b;
            b += (t << (5 + k)) | (t >> (27 - k));
        }
    }
    o[THREAD] = a + b + c + d;
}

extern "C" __global__ void logic3(u32 *o, u32 m, int n)
{
    u32 a = THREAD, b = m, c = ~m, d = a * m;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            u32 f = (b & c) | (~b & d), g = (a & b) | (a & c) | (b & c);
            a = d;
            d = c;
            c = b;
            b = f ^ g ^ a;
        }
    }
    o[THREAD] = a + b + c + d;
}

// A word is stored, and then the same one, its neighbour, or quite another one is loaded.
//     nvcc -arch=sm_90 -ptx -lineinfo -o stored_and_loaded.ptx stored_and_loaded.cu

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void add_in_memory(float *o, const float *a, int n)
{
    float *p = o + THREAD;
#pragma unroll 1
    for (int i = 0; i < n; i++)
        *p += a[i * 32 + (threadIdx.x & 31)];
}

// Launched with q == o.
extern "C" __global__ void st_ld_same(float *o, float *q, int n)
{
    float x = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        x = q[THREAD] + 1.f;
        o[THREAD] = x;
    }
}

extern "C" __global__ void st_ld_other(float *o, float *q, int n)
{
    float x = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        x += q[THREAD];
        o[THREAD] = x;
    }
}

// Launched with q == o: other sectors of the line.
extern "C" __global__ void st_ld_line(float *o, float *q, int n)
{
    float x = 0;
    int t = threadIdx.x;
    q += blockIdx.x * 64;
    o += blockIdx.x * 64;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        x += q[t & 7];
        o[16 + (t & 7)] = x;
    }
}

// The same loop over loads, once as the assembler likes to unroll it, once not unrolled.
//     nvcc -arch=sm_90 -ptx -lineinfo -o unrolling.ptx unrolling.cu

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void sum_auto(const float *a, float *o, int n, int step)
{
    float s = 0;
    const float *p = a + THREAD;
    for (int i = 0; i < n; i++) {
        float t = p[0] - s * .5f;
        s += t * t;
        p += step;
    }
    o[THREAD] = s;
}

extern "C" __global__ void sum_once(const float *a, float *o, int n, int step)
{
    float s = 0;
    const float *p = a + THREAD;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        float t = p[0] - s * .5f;
        s += t * t;
        p += step;
    }
    o[THREAD] = s;
}

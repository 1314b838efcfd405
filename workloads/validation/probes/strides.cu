// One warp a block loads or stores words `s` apart, so that up to 32 lines are in one instruction.
//     nvcc -arch=sm_90 -ptx -lineinfo -o strides.ptx strides.cu

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

// Four stores a step, into one sector by turns with the next.
extern "C" __global__ void st_stride(float *o, int s, int n)
{
    float x = THREAD;
    float *p = o + blockIdx.x * 4096 + threadIdx.x * s;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        volatile float *r = p + ((i * 4) & 4);
        r[0] = x;
        r[1] = x;
        r[2] = x;
        r[3] = x;
        x += 1.f;
    }
}

// Eight loads a step, all of which hit the L1 after the first.
extern "C" __global__ void ld_stride_l1(float *o, const float *a, int s, int n)
{
    float x = THREAD;
    const float *p = a + threadIdx.x * s;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        float y[8];
#pragma unroll
        for (int k = 0; k < 8; k++)
            y[k] = p[k];
#pragma unroll
        for (int k = 0; k < 8; k++)
            x += y[k];
        p += x < 0;
    }
    o[THREAD] = x;
}

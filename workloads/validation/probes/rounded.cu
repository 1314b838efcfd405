// Divisions, reciprocals and roots of f32 as IEEE 754 rounds them: four independent chains a thread.
//     nvcc -arch=sm_90 -ptx -lineinfo -o rounded.ptx rounded.cu

#define CHAINS(NAME, STEP)                                                                          \
    extern "C" __global__ void NAME(float *o, float f, int n)                                       \
    {                                                                                              \
        float a = f + threadIdx.x, b = a + 1, c = a + 2, d = a + 3;                                 \
        _Pragma("unroll 1") for (int i = 0; i < n; i++)                                             \
        {                                                                                          \
            a = STEP(a);                                                                           \
            b = STEP(b);                                                                           \
            c = STEP(c);                                                                           \
            d = STEP(d);                                                                           \
        }                                                                                          \
        o[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;                                   \
    }

#define QUOTIENT(x) (f / (x) + 1.5f)
#define RECIPROCAL(x) (1.0f / (x) + 1.5f)
#define ROOT(x) (sqrtf(x) + f)
#define RECIPROCAL_ROOT(x) (1.0f / sqrtf(x) + f)

CHAINS(quotients, QUOTIENT)
CHAINS(reciprocals, RECIPROCAL)
CHAINS(roots, ROOT)
CHAINS(reciprocal_roots, RECIPROCAL_ROOT)

// Kernels that print; nvcc -arch=sm_90 -ptx -lineinfo print.cu
#include <cassert>
#include <cstdio>

__device__ void show(float x, const char *name) { printf("[%s] %g\n", name, x); }

extern "C" __global__ void prints(const int *a, int n, double f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (a[i] % 3 == 0) {
        int count = printf("%d: %5d %08.3f %lld %c %s\n", i, a[i], f * a[i], (long long)a[i] << 40,
                           'A' + a[i] % 26, a[i] & 1 ? "odd" : "even");
        show(a[i] * 0.5f, "half");
        if (count != 6)
            printf("%d arguments\n", count);
    }
    if (i == 0)
        printf("100%%\n");
    for (int j = 0; j < a[i] % 3; ++j)
        printf("%d.%d %x\n", i, j, a[i]);
}

extern "C" __global__ void checks(const int *a, int n) { assert(a[threadIdx.x] < n); }

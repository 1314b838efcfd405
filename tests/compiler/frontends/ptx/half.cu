// nvcc -arch=sm_90 -ptx -lineinfo half.cu -o half.ptx
// 16-bit floats, alone and two in a register: inline assembly in braces, from cuda_fp16.h.

#include <cuda_fp16.h>

extern "C" __global__ void halves(__half *out, const __half *a, const __half *b, const float *f)
{
    int i = threadIdx.x;
    __half x = a[i], y = b[i], *o = out + 12 * i;
    o[0] = x + y;
    o[1] = x - y;
    o[2] = x * y;
    o[3] = __hfma(x, y, x);
    o[4] = __hmax(x, y);
    o[5] = __hmin(x, y);
    o[6] = -x;
    o[7] = __habs(y);
    o[8] = __float2half(f[i]);
    o[9] = __float2half(__half2float(x) + 1.0f);
    o[10] = x < y ? x : y;
    o[11] = __int2half_rn(i * 1001);
}

extern "C" __global__ void pairs(__half2 *out, const __half2 *a, const __half2 *b, const float *f)
{
    int i = threadIdx.x;
    __half2 x = a[i], y = b[i], *o = out + 4 * i;
    o[0] = x + y;
    o[1] = __hfma2(x, y, y);
    o[2] = __floats2half2_rn(f[i], 2.0f);
    o[3] = __hmul2(x, __lows2half2(x, y));
}

// nvcc -arch=sm_90 -ptx -lineinfo -fmad=false floats.cu -o floats.ptx
// Arithmetic that rounds as IEEE says, comparisons with NaN, conversions, and approximations.

extern "C" __global__ void singles(float *out, const float *a, const float *b)
{
    int i = threadIdx.x;
    float x = a[i], y = b[i], *o = out + 24 * i;
    o[0] = x + y;
    o[1] = x - y;
    o[2] = x * y;
    o[3] = x / y;
    o[4] = sqrtf(x);
    o[5] = fmaf(x, y, 1.0f);
    o[6] = fminf(x, y);
    o[7] = fmaxf(x, y);
    o[8] = fabsf(x);
    o[9] = copysignf(x, y);
    o[10] = floorf(x);
    o[11] = ceilf(x);
    o[12] = truncf(x);
    o[13] = rintf(x);
    o[14] = __saturatef(x);
    o[15] = (x < y) + 2 * (x <= y) + 4 * (x == y) + 8 * (x != y);
    o[16] = !(x < y) + 2 * !(x <= y) + 4 * !(x > y) + 8 * !(x >= y);
    o[17] = (float)(int)x + (float)(unsigned)fabsf(y);
    o[18] = (float)(long long)x;
    o[19] = __fadd_rz(x, y);
    o[20] = __fmul_ru(x, y);
    o[21] = -x;
    o[22] = __int_as_float(__float_as_int(x) ^ 1);
    o[23] = x > 1.0f ? y : 2.0f;
}

extern "C" __global__ void doubles(double *out, const double *a, const float *b)
{
    int i = threadIdx.x;
    double x = a[i], *o = out + 16 * i;
    float y = b[i];
    o[0] = x + y;
    o[1] = x / 3.0;
    o[2] = sqrt(x);
    o[3] = fma(x, x, 1.0);
    o[4] = fmin(x, 1.0) - fmax(x, 2.0);
    o[5] = fabs(x);
    o[6] = floor(x) + 3 * ceil(x);
    o[7] = trunc(x) - rint(x);
    o[8] = (double)(int)x;
    o[9] = (double)(long long)x;
    o[10] = (float)x;
    o[11] = (x < 1.0) + 2 * !(x >= 0.5) + 4 * (x == x);
    o[12] = __hiloint2double(__double2hiint(x), 0);
    o[13] = __dadd_rz(x, 1e-20);
    o[14] = (double)(unsigned)threadIdx.x;
    o[15] = -x;
}

extern "C" __global__ void approximations(float *out, const float *a)
{
    int i = threadIdx.x;
    float x = a[i], *o = out + 8 * i;
    o[0] = __expf(x);
    o[1] = __logf(x);
    o[2] = __sinf(x);
    o[3] = __cosf(x);
    o[4] = __fdividef(x, 2.5f);
    o[5] = rsqrtf(x);
    o[6] = __frcp_rn(x);
    o[7] = tanhf(x);
}

// Device functions of CUDA's library: calls with slow paths, tables in constant and global memory.
extern "C" __global__ void library(double *out, const double *a)
{
    int i = threadIdx.x;
    out[3 * i] = sin(a[i]);
    out[3 * i + 1] = pow(fabs(a[i]), 2.5);
    out[3 * i + 2] = sinf((float)a[i]);
}

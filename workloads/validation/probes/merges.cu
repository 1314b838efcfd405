// Sums over a neighbourhood of an image of 1 024 words a row: warps want sectors that are on their way.
//     nvcc -arch=sm_90 -ptx -lineinfo -o merges.ptx merges.cu

#define AT(dy, dx) a[(y + dy) * 1024 + x + dx]
#define PLACE int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y

extern "C" __global__ void box33(const float *a, float *o)
{
    PLACE;
    if (x < 1 || y < 1 || x > 1022 || y > 1022)
        return;
    o[y * 1024 + x] = AT(-1, -1) + AT(-1, 0) + AT(-1, 1) + AT(0, -1) + AT(0, 0) + AT(0, 1) +
                      AT(1, -1) + AT(1, 0) + AT(1, 1);
}

extern "C" __global__ void box13(const float *a, float *o)
{
    PLACE;
    if (x < 1 || y < 1 || x > 1022 || y > 1022)
        return;
    o[y * 1024 + x] = AT(0, -1) + AT(0, 0) + AT(0, 1);
}

extern "C" __global__ void box31(const float *a, float *o)
{
    PLACE;
    if (x < 1 || y < 1 || x > 1022 || y > 1022)
        return;
    o[y * 1024 + x] = AT(-1, 0) + AT(0, 0) + AT(1, 0);
}

// Nine words beside each other.
extern "C" __global__ void box19(const float *a, float *o)
{
    PLACE;
    if (x < 8 || x > 1014)
        return;
    float s = 0;
#pragma unroll
    for (int k = -4; k <= 4; k++)
        s += AT(0, k);
    o[y * 1024 + x] = s;
}

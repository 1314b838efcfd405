// Rays marched through a field of distances (a sphere above a wavy floor of spheres), one a pixel:
// a ray ends when it hits something, when it has gone too far, or after `limit` steps.
//
// The intrinsics keep nvcc from fusing multiplications and additions, so the steps are exact.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o ray_march.ptx ray_march.cu

__device__ float length3(float x, float y, float z)
{
    return __fsqrt_rn(
        __fadd_rn(__fadd_rn(__fmul_rn(x, x), __fmul_rn(y, y)), __fmul_rn(z, z)));
}

__device__ float to_nearest_integer(float x)
{
    return __fsub_rn(x, floorf(__fadd_rn(x, 0.5f)));
}

extern "C" __global__ void ray_march(int *steps, float *depths, int width, int height, int limit)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height)
        return;
    float dx = __fsub_rn(__fmul_rn(column, 2.0f / 64), 1), dy = __fsub_rn(1, __fmul_rn(row, 2.0f / 64));
    float scale = length3(dx, dy, 1.5f);
    dx = __fdiv_rn(dx, scale);
    dy = __fdiv_rn(dy, scale);
    float dz = __fdiv_rn(1.5f, scale);
    float x = 0, y = 0.5f, z = -3, t = 0;
    int step;
    for (step = 0; step < limit; step++) {
        float ball = __fsub_rn(length3(x, __fsub_rn(y, 0.5f), z), 0.75f);
        if (ball < 0.001f)
            goto hit;
        float nearest = ball;
        if (y < 0.5f) {
            float pebble = __fsub_rn(
                length3(to_nearest_integer(x), __fadd_rn(y, 0.75f), to_nearest_integer(z)), 0.35f);
            if (pebble < 0.001f)
                goto hit;
            if (pebble < nearest)
                nearest = pebble;
        } else if (t > 6 && dy > 0)
            break;
        t = __fadd_rn(t, nearest);
        if (t > 20)
            break;
        x = __fadd_rn(x, __fmul_rn(nearest, dx));
        y = __fadd_rn(y, __fmul_rn(nearest, dy));
        z = __fadd_rn(z, __fmul_rn(nearest, dz));
    }
    t = -1;
hit:
    steps[row * width + column] = step;
    depths[row * width + column] = t;
}

// Shared memory between barriers: a tree of sums, and planes of a volume that go through registers.
//     nvcc -arch=sm_90 -ptx -lineinfo -o barriers.ptx barriers.cu

extern "C" __global__ void tree(float *o, const float *a, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    float r = 0;
    for (int i = 0; i < n; i++) {
        s[t] = a[blockIdx.x * blockDim.x + threadIdx.x] + r;
        for (int w = 128; w; w >>= 1) {
            __syncthreads();
            for (int k = t; k < w; k += 256)
                s[k] += s[k + w];
        }
        __syncthreads();
        r += s[0];
    }
    o[blockIdx.x * blockDim.x + threadIdx.x] = r;
}

// Guarded loads and two barriers a plane; five planes are in registers.
extern "C" __global__ void queue_z(float *o, const float *a, int nz, int lim)
{
    __shared__ float s[8][34];
    int x = threadIdx.x, y = threadIdx.y, g = (blockIdx.x * 8 + y) * 32 + x;
    const int P = 32768;
    float q[5];
    bool in = g < lim;
#pragma unroll
    for (int k = 0; k < 4; k++)
        q[k] = in ? a[g + k * P] : 0;
#pragma unroll 9
    for (int z = 4; z < nz; z++) {
        q[4] = in ? a[g + z * P] : 0;
        __syncthreads();
        s[y][x + 1] = q[2];
        __syncthreads();
        float v = q[2] * -4.f + q[0] + q[4] + s[y][x] + s[y][x + 2];
        if (in)
            o[g + z * P] = v;
#pragma unroll
        for (int k = 0; k < 4; k++)
            q[k] = q[k + 1];
    }
}

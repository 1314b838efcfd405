// nvcc -arch=sm_90 -ptx -lineinfo control.cu -o control.ptx
// Loops with several exits, switches, device functions with structures, votes and shuffles.

struct Point { float x, y, z; int w[5]; };

__device__ __noinline__ int collatz(int n, int *steps)
{
    int k = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        if (++k > 100)
            return -1;
    }
    *steps += k;
    return k;
}

__device__ __noinline__ float2 swapped(float2 a, double b)
{
    return make_float2(a.y * b, a.x);
}

__device__ __noinline__ Point moved(Point p, int i)
{
    p.w[i & 3] = i;
    p.x += 1;
    return p;
}

__device__ __noinline__ short narrow(short a, unsigned char b, signed char c, bool d)
{
    return d ? a * b : a - c;
}

extern "C" __global__ void calls(int *a, float2 *f, Point *p, int n)
{
    int i = threadIdx.x, steps = 0;
    a[i] = collatz(a[i], &steps) + 1000 * steps;
    f[i] = swapped(f[i], n);
    p[i] = moved(p[i], n + i);
    a[i] += narrow(i, i * 77, i * 3, i & 1);
}

extern "C" __global__ void branches(int *a, const int *b, int n)
{
    int i = threadIdx.x, t = 0;
    switch (i & 7) {
    case 0: a[i] = 5; break;
    case 1: a[i] = n * 3; break;
    case 2: a[i] ^= n; break;
    case 3: a[i] *= 5;
    case 4: a[i] += n; break;
    case 5: a[i] -= n * n; break;
    case 6: a[i] /= n; break;
    }
    for (int k = 0; k < n; k++) {
        if (b[k] == 3 || (a[i] > 70 && a[i] < 1000))
            goto out;
        t += b[k];
        if (t > 11)
            break;
    }
    a[i] += t;
out:
    a[i] ^= t;
    if (i == 7)
        return;
    asm volatile("{ .reg .pred p; .reg .b32 t;\n"
                 "  setp.lt.s32 p, %0, 50;\n"
                 "  @p add.s32 t, %0, 7;\n"
                 "  @!p mov.u32 t, 9;\n"
                 "  mov.b32 %0, t; }"
                 : "+r"(a[i]));
    if (i == 9)
        asm volatile("exit;");
    a[i] += 1;
}

extern "C" __global__ void warps(int *a, unsigned *u, float *f)
{
    int i = threadIdx.x, x = a[i], p;
    unsigned *o = u + 16 * i, all = 0xffffffff, below;
    o[0] = __shfl_sync(all, x, 3);
    o[1] = __shfl_up_sync(all, x, 1);
    o[2] = __shfl_down_sync(all, x, 2, 16);
    o[3] = __shfl_xor_sync(all, x, 4);
    f[i] += __shfl_xor_sync(all, f[i], 4);
    o[4] = __ballot_sync(all, x > 3);
    o[5] = __any_sync(all, x == 2);
    o[6] = __all_sync(all, x < 100);
    o[7] = __match_any_sync(all, x & 3);
    o[8] = __match_all_sync(all, x / 1000, &p);
    o[9] = p;
    o[10] = __reduce_add_sync(all, x);
    o[11] = __reduce_min_sync(all, x);
    o[12] = __reduce_or_sync(all, (unsigned)x);
    __syncwarp();
    o[13] = __shfl_sync(all, (unsigned long long)x << 7, 3) >> 3;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    o[14] = __popc(below & __ballot_sync(all, x & 1));
    o[15] = (__activemask() >> i) & 1;
    long long begin = clock64();
    a[i] = clock64() >= begin;
}

// nvcc -arch=sm_90 -ptx -lineinfo memory.cu -o memory.ptx
// Every memory space, every width, parameters that are structures, and generic addresses.

struct Mixed { int a; float b; double c; short d[3]; char e; };

__constant__ float table[4] = {1.5f, 2.5f, -3.0f, 0.25f};
__device__ unsigned char bytes[5] = {1, 2, 3, 4, 5};
__device__ long long numbers[3] = {1, -2, 3};
__device__ int counter = 5;
extern __shared__ float dynamic[];

extern "C" __global__ void __launch_bounds__(64)
spaces(float *out, Mixed p, const float *__restrict__ in, float4 v, int n, char ch, bool yes)
{
    __shared__ float tile[32][33];
    __shared__ double part;
    __shared__ __align__(16) char raw[40];
    float local[16];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    for (int k = 0; k < 16; k++)
        local[k] = in[(i + k) & 127];
    local[(n + t) & 15] += 1;
    tile[t & 31][t >> 5] = local[(n * t) & 15];
    dynamic[t] = in[i];
    if (t == 0)
        part = p.c;
    if (t < 40)
        raw[t] = ch + t;
    __syncthreads();
    float s = tile[t >> 1][t & 1] + dynamic[63 - t] + (float)part + raw[t % 40] + table[t & 3];
    s += p.a + p.b + p.d[t % 3] + p.e + v.x + v.y * 2 + v.z * 3 + v.w * 4 + yes;
    s += bytes[t % 5] + numbers[t % 3] + counter;
    __syncthreads();
    float *place = (t & 1) ? &dynamic[t] : &out[i];
    *place = s;
    __syncthreads();
    if (t & 1)
        out[i] = dynamic[t] + 1;
    int count = __syncthreads_count(t % 3 == 0);
    out[i] += count + 100 * __syncthreads_and(t < 64) + 1000 * __syncthreads_or(t > 100);
}

extern "C" __global__ void widths(float4 *f, int2 *i, short2 *s, uchar4 *c, double2 *d, char *b)
{
    int t = threadIdx.x;
    float4 q = f[t];
    f[t] = make_float4(q.w, q.z, q.y, q.x);
    i[t] = make_int2(i[t].y, i[t].x);
    s[t] = make_short2(s[t].y, s[t].x);
    uchar4 u = c[t];
    c[t] = make_uchar4(u.w, u.z, u.y, u.x);
    d[t] = make_double2(d[t].y, d[t].x);
    long long wide = b[t];
    b[t] = (char)(wide * wide - 3);
    volatile int *v = (volatile int *)i;
    v[2 * t] = v[2 * t] + __ldg((const int *)s + t);
}

extern "C" __global__ void atomics(int *a, unsigned *u, float *f, double *d, unsigned long long *l)
{
    __shared__ int s[64];
    __shared__ float total;
    __shared__ unsigned histogram[8];
    int i = threadIdx.x, g = blockIdx.x * blockDim.x + i;
    s[i] = i;
    if (i == 0)
        total = 0;
    if (i < 8)
        histogram[i] = 0;
    __syncthreads();
    atomicAdd(&a[0], g);
    atomicSub(&a[1], g);
    atomicMin(&a[2], -g);
    atomicMax(&a[3], g);
    atomicAnd(&u[0], ~(1u << (g & 31)));
    atomicOr(&u[1], 1u << (g & 31));
    atomicXor(&u[2], g * 77);
    atomicInc(&u[3], 6u);
    atomicDec(&u[4], 6u);
    atomicMin(&u[5], g + 3u);
    atomicMax(&u[6], (unsigned)g);
    if (g == 5) {
        a[5] = atomicExch(&a[4], g) + atomicCAS(&a[6], 3, 9);
        a[6] += 100;
    }
    atomicAdd(&f[0], 1.5f);
    atomicAdd(&d[0], 2.5);
    atomicAdd(&l[0], 5ull * g);
    atomicCAS(&l[1], 0ull, 7ull);
    atomicMax(&l[2], 9ull + g);
    atomicMin((long long *)&l[3], -4ll - g);
    atomicAdd(&s[(i + 1) & 63], 3);
    atomicAdd(&total, 2.0f);
    atomicAdd(&histogram[(i * 5) & 7], 1u);
    __threadfence();
    __syncthreads();
    a[16 + g] = s[i] + (int)total + histogram[i & 7];
}

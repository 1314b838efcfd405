// Rates: many warps, or one warp without dependences, between two readings of the clock.
//     nvcc -arch=sm_90 -ptx -lineinfo -o throughput.ptx throughput.cu

typedef unsigned long long u64;

#define REPEAT4(x) x x x x
#define REPEAT16(x) REPEAT4(REPEAT4(x))
#define EACH16(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)

// Eight chains of fused multiply-adds in every thread; the block's cycles are those of its warp 0.
extern "C" __global__ void fma_rate(unsigned times, float other, long long *cycles, float *sink)
{
    float v[8];
    for (int k = 0; k < 8; k++)
        v[k] = threadIdx.x + k;
    __syncthreads();
    long long begin = clock64();
    for (unsigned i = 0; i < times; i++)
#pragma unroll
        for (int k = 0; k < 64; k++)
            asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(v[k & 7]) : "f"(other));
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        cycles[0] = clock64() - begin;
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += v[k];
    sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Eight chains of an instruction in every thread, as above.
#define RATE(NAME, TYPE, CONSTRAINT, INSTRUCTION)                                                   \
    extern "C" __global__ void NAME(unsigned times, TYPE other, long long *cycles, TYPE *sink)      \
    {                                                                                              \
        TYPE v[8];                                                                                 \
        for (int k = 0; k < 8; k++)                                                                \
            v[k] = threadIdx.x + k;                                                                \
        __syncthreads();                                                                           \
        long long begin = clock64();                                                               \
        for (unsigned i = 0; i < times; i++)                                                       \
            _Pragma("unroll") for (int k = 0; k < 64; k++)                                         \
                asm volatile(INSTRUCTION : "+" CONSTRAINT(v[k & 7]) : CONSTRAINT(other));          \
        __syncthreads();                                                                           \
        if (threadIdx.x == 0 && blockIdx.x == 0)                                                   \
            cycles[0] = clock64() - begin;                                                         \
        TYPE sum = 0;                                                                              \
        for (int k = 0; k < 8; k++)                                                                \
            sum += v[k];                                                                           \
        sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;                                         \
    }

RATE(rate_dfma, double, "d", "fma.rn.f64 %0, %0, %1, %1;")
RATE(rate_add_xor, int, "r", "add.s32 %0, %0, %1; xor.b32 %0, %0, %1;")
RATE(rate_rotate, int, "r", "shf.l.wrap.b32 %0, %0, %0, %1;")
RATE(rate_imad, int, "r", "mad.lo.s32 %0, %0, %1, %1;")
RATE(rate_ex2, float, "f", "ex2.approx.ftz.f32 %0, %0;")
RATE(rate_popc, int, "r", "popc.b32 %0, %0;")
RATE(rate_to_float, int, "r", "cvt.rn.f32.s32 %0, %0;")
RATE(rate_shuffle, int, "r", "shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;")

// Every thread loads words, pairs or fours of words of shared memory: 16 rows of a warp from one place
// on, and again from `step` bytes on.
#define SHARED_RATE(NAME, BYTES, LOAD)                                                             \
    extern "C" __global__ void NAME(unsigned step, unsigned times, long long *cycles,              \
                                    unsigned *sink)                                                \
    {                                                                                              \
        __shared__ uint4 words[2048];                                                              \
        for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x)                                  \
            words[i] = make_uint4(i, 1, 2, 3);                                                     \
        unsigned p = (unsigned)__cvta_generic_to_shared(words) + threadIdx.x % 32 * BYTES;         \
        unsigned sum = 0, a = 0, b = 0, c = 0, d = 0;                                              \
        __syncthreads();                                                                           \
        long long begin = clock64();                                                               \
        for (unsigned i = 0; i < times; i++) {                                                     \
            EACH16(LOAD)                                                                           \
            p += step;                                                                             \
        }                                                                                          \
        __syncthreads();                                                                           \
        if (threadIdx.x == 0)                                                                      \
            cycles[0] = clock64() - begin;                                                         \
        sink[threadIdx.x] = sum + b + c + d;                                                       \
    }

#define WORD(k)                                                                                    \
    asm volatile("ld.shared.u32 %0, [%1 + %2];" : "=r"(a) : "r"(p), "n"(128 * k));                  \
    sum += a;
#define PAIR(k)                                                                                    \
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2 + %3];"                                           \
                 : "=r"(a), "=r"(b) : "r"(p), "n"(256 * k));                                       \
    sum += a;
#define FOUR(k)                                                                                    \
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4 + %5];"                                   \
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(p), "n"(512 * k));                     \
    sum += a;
SHARED_RATE(shared_words, 4, WORD)
SHARED_RATE(shared_pairs, 8, PAIR)
SHARED_RATE(shared_fours, 16, FOUR)

extern "C" __global__ void barrier_rate(unsigned times, long long *cycles)
{
    __syncthreads();
    long long begin = clock64();
    for (unsigned i = 0; i < times; i++)
        __syncthreads();
    if (threadIdx.x == 0)
        cycles[0] = clock64() - begin;
}

#define LINE(k)                                                                                    \
    asm volatile("ld.global.ca.u32 %0, [%1 + %2];" : "=r"(word) : "l"(p), "n"(128 * k));            \
    sum += word;

// Warps that load words `stride` apart from the L1: 16 loads, each a line behind the one before, and
// again from `step` words on.  Of two loads of one address the assembler would make one.
extern "C" __global__ void l1_stride(const unsigned *buffer, unsigned stride, unsigned step,
                                     unsigned times, long long *cycles, unsigned *sink)
{
    const unsigned *p = buffer + threadIdx.x % 32 * stride;
    unsigned sum = 0, word;
    for (unsigned i = 0; i < times + 16; i++)
        sum += p[i * 32];
    __syncthreads();
    long long begin = clock64();
    for (unsigned i = 0; i < times; i++) {
        EACH16(LINE)
        p += step;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[0] = clock64() - begin;
    sink[threadIdx.x] = sum;
}

// k paths of equal length through a warp: the time grows with k.
extern "C" __global__ void ladder(unsigned paths, unsigned times, float other, long long *cycles,
                                  float *sink)
{
    float x = threadIdx.x;
    unsigned own = threadIdx.x % paths;
    long long begin = clock64();
    for (unsigned path = 0; path < paths; path++)
        if (path == own)
            for (unsigned i = 0; i < times; i++)
                REPEAT16(asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(other));)
    __syncwarp();
    if (threadIdx.x == 0)
        cycles[0] = clock64() - begin;
    sink[threadIdx.x] = x;
}

// Every thread adds to the same word.  Of integers the assembler would add up a warp's first.
extern "C" __global__ void atomic_same(float *counter, unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        atomicAdd(counter, 1.0f);
}

extern "C" __global__ void copy(const float4 *from, float4 *to, unsigned count)
{
    unsigned step = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        to[i] = from[i];
}

// Reads a buffer `passes` times; it stays in the L2 if it fits.  In each pass a block reads what
// another one read before, on another SM, so that no L1 helps.
extern "C" __global__ void read(const float4 *from, float *sink, unsigned count, unsigned passes)
{
    unsigned step = gridDim.x * blockDim.x;
    float sum = 0;
    for (unsigned pass = 0; pass < passes; pass++) {
        unsigned block = (blockIdx.x + pass * 61) % gridDim.x;
        for (unsigned i = block * blockDim.x + threadIdx.x; i < count; i += step) {
            float4 value = __ldcg(from + i);
            sum += value.x + value.y + value.z + value.w;
        }
    }
    if (sum == 12345.678f)
        sink[threadIdx.x] = sum;
}

extern "C" __global__ void empty() {}

// Latencies: one warp, a chain of dependent instructions between two readings of the clock.
//     nvcc -arch=sm_90 -ptx -lineinfo -o latency.ptx latency.cu
//
// Every kernel leaves the cycles of its chain in `cycles[0]` and the end of the chain in `sink`, so
// that the chain is needed.  Instructions stand in volatile assembly where the compiler would fold
// a chain of them.

typedef unsigned long long u64;

#define REPEAT4(x) x x x x
#define REPEAT16(x) REPEAT4(REPEAT4(x))
#define REPEAT64(x) REPEAT4(REPEAT16(x))

// A ring of addresses through `count` elements, each `stride` behind the one before.
extern "C" __global__ void ring(u64 *buffer, unsigned count, unsigned stride)
{
    unsigned step = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        unsigned next = i + 1 == count ? 0 : i + 1;
        buffer[(u64)i * stride] = (u64)(buffer + (u64)next * stride);
    }
}

// `warm` loads to bring the ring into a cache, then `timed` (a multiple of 16) on the clock.
#define CHASE(NAME, LOAD)                                                                           \
    extern "C" __global__ void NAME(u64 *buffer, unsigned warm, unsigned timed, long long *cycles,  \
                                    u64 *sink)                                                     \
    {                                                                                              \
        u64 *p = buffer;                                                                           \
        for (unsigned i = 0; i < warm; i++)                                                        \
            asm volatile(LOAD " %0, [%0];" : "+l"(p));                                             \
        long long begin = clock64();                                                               \
        for (unsigned i = 0; i < timed; i += 16) {                                                 \
            REPEAT16(asm volatile(LOAD " %0, [%0];" : "+l"(p));)                                   \
        }                                                                                          \
        cycles[0] = clock64() - begin;                                                             \
        sink[0] = (u64)p;                                                                          \
    }

CHASE(chase_l1, "ld.global.ca.u64")
CHASE(chase_l2, "ld.global.cg.u64")

// Shared memory: lane k starts at word k * stride, so that 32 lanes meet in as many banks or fewer.
extern "C" __global__ void shared_chase(unsigned stride, unsigned timed, long long *cycles,
                                        u64 *sink)
{
    __shared__ unsigned words[32 * 33 + 32];
    unsigned lane = threadIdx.x;
    unsigned own = lane * stride % (32 * 33);
    words[own] = own * 4;
    __syncthreads();
    unsigned base = (unsigned)__cvta_generic_to_shared(words);
    unsigned place = own * 4;
    long long begin = clock64();
    for (unsigned i = 0; i < timed; i += 16) {
        REPEAT16(asm volatile("{ .reg .u32 a; add.u32 a, %0, %1; ld.shared.u32 %0, [a]; }"
                              : "+r"(place) : "r"(base));)
    }
    cycles[0] = clock64() - begin;
    sink[lane] = place;
}

// A chain of 64 `INSTRUCTION`s of one value, `times` times over.  The assembler makes one instruction
// of two additions that follow each other, and of two logical operations: those take turns.
#define CHAIN(NAME, TYPE, CONSTRAINT, START, INSTRUCTION)                                           \
    extern "C" __global__ void NAME(unsigned times, TYPE other, long long *cycles, TYPE *sink)      \
    {                                                                                              \
        TYPE x = START;                                                                            \
        long long begin = clock64();                                                               \
        for (unsigned i = 0; i < times; i++) {                                                     \
            REPEAT64(asm volatile(INSTRUCTION : "+" CONSTRAINT(x) : CONSTRAINT(other));)           \
        }                                                                                          \
        cycles[0] = clock64() - begin;                                                             \
        sink[threadIdx.x] = x;                                                                     \
    }

CHAIN(chain_add_xor, int, "r", threadIdx.x, "add.s32 %0, %0, %1; xor.b32 %0, %0, %1;")
CHAIN(chain_rotate, int, "r", threadIdx.x, "shf.l.wrap.b32 %0, %0, %0, %1;")
CHAIN(chain_imad, int, "r", threadIdx.x, "mad.lo.s32 %0, %0, %1, %1;")
CHAIN(chain_fadd, float, "f", threadIdx.x, "add.rn.f32 %0, %0, %1;")
CHAIN(chain_ffma, float, "f", threadIdx.x, "fma.rn.f32 %0, %0, %1, %1;")
CHAIN(chain_dfma, double, "d", threadIdx.x, "fma.rn.f64 %0, %0, %1, %1;")
CHAIN(chain_ex2, float, "f", threadIdx.x, "ex2.approx.ftz.f32 %0, %0;")
CHAIN(chain_popc, int, "r", threadIdx.x, "popc.b32 %0, %0;")
CHAIN(chain_convert, int, "r", threadIdx.x,
      "{ .reg .f32 f; cvt.rn.f32.s32 f, %0; cvt.rzi.s32.f32 %0, f; }")
CHAIN(chain_shuffle, int, "r", threadIdx.x, "shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;")
CHAIN(chain_select, int, "r", threadIdx.x,
      "{ .reg .pred p; setp.lt.s32 p, %0, %1; selp.b32 %0, %0, %1, p; }")

// The same with 2, 4 and 8 chains side by side in one warp: 256 instructions in all.
#define FMA(x) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(other));
extern "C" __global__ void chains_2(unsigned times, float other, long long *cycles, float *sink)
{
    float a = threadIdx.x, b = 1;
    long long begin = clock64();
    for (unsigned i = 0; i < times; i++) {
        REPEAT64(FMA(a) FMA(b) FMA(a) FMA(b))
    }
    cycles[0] = clock64() - begin;
    sink[threadIdx.x] = a + b;
}

extern "C" __global__ void chains_4(unsigned times, float other, long long *cycles, float *sink)
{
    float a = threadIdx.x, b = 1, c = 2, d = 3;
    long long begin = clock64();
    for (unsigned i = 0; i < times; i++) {
        REPEAT64(FMA(a) FMA(b) FMA(c) FMA(d))
    }
    cycles[0] = clock64() - begin;
    sink[threadIdx.x] = a + b + c + d;
}

extern "C" __global__ void chains_8(unsigned times, float other, long long *cycles, float *sink)
{
    float a = threadIdx.x, b = 1, c = 2, d = 3, e = 4, f = 5, g = 6, h = 7;
    long long begin = clock64();
    for (unsigned i = 0; i < times; i++) {
        REPEAT16(FMA(a) FMA(b) FMA(c) FMA(d) FMA(e) FMA(f) FMA(g) FMA(h))
        REPEAT16(FMA(a) FMA(b) FMA(c) FMA(d) FMA(e) FMA(f) FMA(g) FMA(h))
    }
    cycles[0] = clock64() - begin;
    sink[threadIdx.x] = a + b + c + d + e + f + g + h;
}

// A compare, and a branch that goes by it: `times` dependent pairs.
extern "C" __global__ void compare_branch(unsigned times, int limit, long long *cycles, int *sink)
{
    int x = threadIdx.x;
    long long begin = clock64();
    for (unsigned i = 0; i < times; i++)
        asm volatile("{ .reg .pred p; setp.lt.s32 p, %0, %1; @p bra L; add.s32 %0, %0, 1; L: }"
                     : "+r"(x) : "r"(limit));
    cycles[0] = clock64() - begin;
    sink[threadIdx.x] = x;
}

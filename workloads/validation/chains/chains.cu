// Chains of sixty-four dependent instructions between two readings of the clock, the shortest of some
// turns: latencies with one warp, or one lane, and with 32 warps how often an SM takes a step of all.
//     nvcc -arch=sm_90 -ptx -lineinfo -o chains.ptx chains.cu

#define ZEROS                                                                                       \
    __shared__ int words[4096];                                                                    \
    for (int i = threadIdx.x; i < 4096; i += blockDim.x)                                           \
        words[i] = 0;                                                                              \
    __syncthreads();                                                                               \
    unsigned base = (unsigned)__cvta_generic_to_shared(words)

#define CHAIN(NAME, BEGIN, STEP, END)                                                               \
    extern "C" __global__ void NAME(long long *cycles, int *sink, int a, int b, int turns)         \
    {                                                                                              \
        BEGIN;                                                                                     \
        long long least = 1ll << 60;                                                               \
        _Pragma("unroll 1") for (int turn = 0; turn < turns; turn++) {                             \
            long long begin = clock64();                                                           \
            _Pragma("unroll") for (int i = 0; i < 64; i++) { STEP; }                               \
            long long took = clock64() - begin;                                                    \
            least = took < least ? took : least;                                                   \
            sink[threadIdx.x] = END;                                                               \
        }                                                                                          \
        if (threadIdx.x == 0)                                                                      \
            *cycles = least;                                                                       \
    }
#define C(...) __VA_ARGS__

CHAIN(count_bits, C(int x = a),
      C(asm volatile("popc.b32 %0, %0;" : "+r"(x))),
      x)
CHAIN(reverse_bits, C(int x = a),
      C(asm volatile("brev.b32 %0, %0;" : "+r"(x))),
      x)
CHAIN(find_bit, C(int x = a),
      C(asm volatile("bfind.u32 %0, %0;" : "+r"(x))),
      x)
CHAIN(permute_bytes, C(int x = a),
      C(asm volatile("prmt.b32 %0, %0, %1, %2;" : "+r"(x) : "r"(b), "r"(a))),
      x)
CHAIN(dot_of_bytes, C(int x = a),
      C(asm volatile("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(x) : "r"(b), "r"(a))),
      x)
CHAIN(product_sum, C(int x = a),
      C(asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(x) : "r"(b), "r"(a))),
      x)
CHAIN(ballot, C(int x = a),
      C(asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; vote.sync.ballot.b32 %0, p, -1; }" : "+r"(x))),
      x)
CHAIN(match_any, C(int x = a),
      C(asm volatile("match.any.sync.b32 %0, %0, -1;" : "+r"(x))),
      x)
CHAIN(reduce_add, C(int x = a),
      C(asm volatile("redux.sync.add.s32 %0, %0, -1;" : "+r"(x))),
      x)
CHAIN(fma_f64, C(double x = a),
      C(asm volatile("fma.rn.f64 %0, %0, %0, %0;" : "+d"(x))),
      (int)x)
CHAIN(add_f64, C(double x = a),
      C(asm volatile("add.rn.f64 %0, %0, %0;" : "+d"(x))),
      (int)x)
CHAIN(reciprocal_f64, C(double x = a),
      C(x = 1.0 / x),
      (int)x)
CHAIN(quotient_f32, C(float x = a),
      C(x = 1.5f / x),
      (int)x)
CHAIN(root_f32, C(float x = a),
      C(x = sqrtf(x)),
      (int)x)
CHAIN(fma_f16x2, C(unsigned x = a),
      C(asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(b), "r"(a))),
      x)
CHAIN(fma_bf16x2, C(unsigned x = a),
      C(asm volatile("fma.rn.bf16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(b), "r"(a))),
      x)
CHAIN(power, C(float x = a),
      C(asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x))),
      (int)x)
CHAIN(sine, C(float x = a),
      C(asm volatile("sin.approx.ftz.f32 %0, %0;" : "+f"(x))),
      (int)x)
CHAIN(tangent, C(float x = a),
      C(asm volatile("tanh.approx.f32 %0, %0;" : "+f"(x))),
      (int)x)
CHAIN(powers_f16x2, C(unsigned x = a),
      C(asm volatile("ex2.approx.f16x2 %0, %0;" : "+r"(x))),
      x)
CHAIN(tangents_f16x2, C(unsigned x = a),
      C(asm volatile("tanh.approx.f16x2 %0, %0;" : "+r"(x))),
      x)
CHAIN(to_f16_and_back, C(float x = a),
      C(asm volatile("{ .reg .b16 h; cvt.rn.f16.f32 h, %0; cvt.f32.f16 %0, h; }" : "+f"(x))),
      (int)x)
CHAIN(to_f32_and_back, C(int x = a),
      C(asm volatile("{ .reg .f32 f; cvt.rn.f32.s32 f, %0; cvt.rzi.s32.f32 %0, f; }" : "+r"(x))),
      x)
CHAIN(tiles_f16, C(float d0 = a, d1 = a, d2 = a, d3 = a),
      C(asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%0, %1, %2, %3};" : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(a), "r"(b))),
      (int)(d0 + d1 + d2 + d3))
CHAIN(tiles_f16_short, C(float d0 = a, d1 = a, d2 = a, d3 = a),
      C(asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%5}, {%0, %1, %2, %3};" : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(a), "r"(b))),
      (int)(d0 + d1 + d2 + d3))
CHAIN(tiles_bf16, C(float d0 = a, d1 = a, d2 = a, d3 = a),
      C(asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%0, %1, %2, %3};" : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(a), "r"(b))),
      (int)(d0 + d1 + d2 + d3))
CHAIN(tiles_tf32, C(float d0 = a, d1 = a, d2 = a, d3 = a),
      C(asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%0, %1, %2, %3};" : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(a), "r"(b))),
      (int)(d0 + d1 + d2 + d3))
CHAIN(tiles_s8, C(int d0 = a, d1 = a, d2 = a, d3 = a),
      C(asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%0, %1, %2, %3};" : "+r"(d0), "+r"(d1), "+r"(d2), "+r"(d3) : "r"(a), "r"(b))),
      d0 + d1 + d2 + d3)
CHAIN(tiles_f64, C(double d0 = a, d1 = a),
      C(asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(d0), "+d"(d1) : "d"((double)a), "d"((double)b))),
      (int)(d0 + d1))
CHAIN(matrices_loaded, C(ZEROS; unsigned x = base + threadIdx.x % 32 * 16),
      C(asm volatile("{ .reg .b32 q, r, s, t; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {q, r, s, t}, [%0]; add.u32 %0, %0, q; }" : "+r"(x))),
      x)
CHAIN(word_loaded, C(ZEROS; unsigned x = base + threadIdx.x % 32 * 4),
      C(asm volatile("{ .reg .b32 q; ld.shared.b32 q, [%0]; add.u32 %0, %0, q; }" : "+r"(x))),
      x)
CHAIN(exchanged, C(ZEROS; int x = 0),
      C(asm volatile("atom.shared.exch.b32 %0, [%1], %0;" : "+r"(x) : "r"(base))),
      x)
CHAIN(compared_and_set, C(ZEROS; int x = 0),
      C(asm volatile("atom.shared.cas.b32 %0, [%1], %0, %0;" : "+r"(x) : "r"(base))),
      x)
CHAIN(added, C(ZEROS; int x = 0),
      C(asm volatile("atom.shared.add.u32 %0, [%1], %0;" : "+r"(x) : "r"(base))),
      x)
CHAIN(added_in_l2, C(int x = 0),
      C(asm volatile("atom.global.add.u32 %0, [%1], %0;" : "+r"(x) : "l"(sink + 4096))),
      x)
CHAIN(block_barrier, C(int x = a),
      C(asm volatile("bar.sync 0;")),
      x)
CHAIN(device_fence, C(int x = a),
      C(asm volatile("membar.gl;" ::: "memory")),
      x)
CHAIN(block_fence, C(int x = a),
      C(asm volatile("membar.cta;" ::: "memory")),
      x)
CHAIN(copied, C(ZEROS; int x = 0),
      C(asm volatile("cp.async.cg.shared.global [%0], [%1], 16; cp.async.commit_group; cp.async.wait_group 0;" ::"r"(base + threadIdx.x * 16), "l"(sink + threadIdx.x * 4) : "memory")),
      x)

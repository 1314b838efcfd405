"""CUDA C++ through NVRTC."""

import math

import numpy as np

from tests.corpus.keeping import BF16, E4M3, E5M2, F4, normals, rng, wide
from tests.corpus.of_nvrtc import build

x, y = normals(300), normals(300, seed=2)
build(
    "saxpy",
    'extern "C" __global__ void saxpy(int n, float a, const float *x, const float *y, float *z) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }',
    {"n": 300, "a": 2.5, "x": x, "y": y, "z": np.zeros_like(x)},
    (3,),
    (128,),
    {"z": F4(2.5) * x + y},
    {"z": [1e-6, 1e-6]},
)

R = "template <class T> __device__ T warp_sum(T v) { for (int k = 16; k; k >>= 1) v += __shfl_down_sync(~0u, v, k); return v; }\n"
x = normals(1000)
build(
    "reduce_shuffle",
    R
    + 'extern "C" __global__ void k(int n, const float *x, float *out) { __shared__ float s[4]; float v = 0; for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i]; v = warp_sum(v); if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v; __syncthreads(); if (threadIdx.x == 0) atomicAdd(out, s[0] + s[1] + s[2] + s[3]); }',
    {"n": 1000, "x": x, "out": np.zeros(1, F4)},
    (2,),
    (128,),
    {"out": x.sum(keepdims=True)},
    {"out": [1e-4, 1e-4]},
)
xi = rng(1).integers(-1000, 1000, 512).astype(np.int32)
build(
    "reduce_redux",
    'extern "C" __global__ void k(const int *x, int *s, int *m) { int v = x[blockIdx.x * blockDim.x + threadIdx.x]; int a = __reduce_add_sync(~0u, v), b = __reduce_max_sync(~0u, v); if (threadIdx.x % 32 == 0) { atomicAdd(s, a); atomicMax(m, b); } }',
    {"x": xi, "s": np.zeros(1, np.int32), "m": np.full(1, -9999, np.int32)},
    (2,),
    (256,),
    {"s": xi.sum(keepdims=True).astype(np.int32), "m": xi.max(keepdims=True)},
    targets=(80, 90),
)

build(
    "scan_decoupled",
    r"""
extern "C" __global__ void k(int n, const int *x, int *y, volatile int *state, int *ticket) {
  __shared__ int part, sums[4], prefix; if (threadIdx.x == 0) part = atomicAdd(ticket, 1); __syncthreads();
  int p = part, i = p * blockDim.x + threadIdx.x, v = i < n ? x[i] : 0, lane = threadIdx.x & 31, w = threadIdx.x >> 5, s = v;
  for (int d = 1; d < 32; d *= 2) { int t = __shfl_up_sync(~0u, s, d); if (lane >= d) s += t; }
  if (lane == 31) sums[w] = s; __syncthreads(); int before = 0, total = 0; for (int j = 0; j < 4; j++) { if (j < w) before += sums[j]; total += sums[j]; } s += before;
  if (threadIdx.x == 0) { state[2 * p + 1] = total; __threadfence(); state[2 * p] = 1; int acc = 0; for (int q = p - 1; q >= 0; q--) { while (state[2 * q] == 0); __threadfence(); acc += state[2 * q + 1]; } prefix = acc; }
  __syncthreads(); if (i < n) y[i] = s + prefix; }""",
    {
        "n": 500,
        "x": xi[:500],
        "y": np.zeros(500, np.int32),
        "state": np.zeros(8, np.int32),
        "ticket": np.zeros(1, np.int32),
    },
    (4,),
    (128,),
    {"y": xi[:500].cumsum().astype(np.int32)},
)

build(
    "compact_warp",
    'extern "C" __global__ void k(int n, const int *x, int *y, int *count) { int i = blockIdx.x * blockDim.x + threadIdx.x; int v = i < n ? x[i] : -1; unsigned b = __ballot_sync(~0u, v > 0); int lane = threadIdx.x & 31, base = 0; if (lane == 0) base = atomicAdd(count, __popc(b)); base = __shfl_sync(~0u, base, 0); if (v > 0) y[base + __popc(b & ((1u << lane) - 1))] = v; }',
    {"n": 32, "x": xi[:32], "y": np.zeros(32, np.int32), "count": np.zeros(1, np.int32)},
    (1,),
    (32,),
    {
        "y": np.concatenate([xi[:32][xi[:32] > 0], np.zeros(32, np.int32)])[:32].astype(np.int32),
        "count": np.array([(xi[:32] > 0).sum()], np.int32),
    },
)

k = rng(3).integers(0, 2**32, 256).astype(np.uint32)
build(
    "radix_sort",
    r"""
extern "C" __global__ void k(unsigned *x) { __shared__ unsigned a[256]; __shared__ int c[8][16], off[16]; int t = threadIdx.x, w = t / 32, lane = t % 32; unsigned v = x[t];
  for (int s = 0; s < 32; s += 4) { if (t < 128) c[t / 16][t % 16] = 0; __syncthreads(); int d = (v >> s) & 15; unsigned m = ~0u; for (int b = 0; b < 4; b++) { unsigned q = __ballot_sync(~0u, (d >> b) & 1); m &= (d >> b) & 1 ? q : ~q; }
    int r = __popc(m & ((1u << lane) - 1)); if (r == 0) c[w][d] = __popc(m); __syncthreads();
    if (t == 0) { int acc = 0; for (int i = 0; i < 16; i++) for (int j = 0; j < 8; j++) { int z = c[j][i]; c[j][i] = acc; acc += z; } } __syncthreads();
    a[c[w][d] + r] = v; __syncthreads(); v = a[t]; __syncthreads(); } x[t] = v; }""",
    {"x": k},
    (1,),
    (256,),
    {"x": np.sort(k)},
)
build(
    "radix_match",
    'extern "C" __global__ void k(const unsigned *x, int *r) { int t = threadIdx.x; unsigned m = __match_any_sync(~0u, x[t] & 15); r[t] = __popc(m & ((1u << (t & 31)) - 1)); }',
    {"x": k, "r": np.zeros(256, np.int32)},
    (1,),
    (256,),
    {
        "r": np.array(
            [sum((k[j] & 15) == (k[i] & 15) for j in range(i // 32 * 32, i)) for i in range(256)],
            np.int32,
        )
    },
)

h = np.frombuffer(b"the quick brown fox jumps over the lazy dog " * 10, np.uint8).copy()
build(
    "histogram_bytes",
    'extern "C" __global__ void k(int n, const unsigned char *x, unsigned *h) { __shared__ unsigned s[256]; for (int i = threadIdx.x; i < 256; i += blockDim.x) s[i] = 0; __syncthreads(); for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[x[i]], 1u); __syncthreads(); for (int i = threadIdx.x; i < 256; i += blockDim.x) if (s[i]) atomicAdd(&h[i], s[i]); }',
    {"n": len(h), "x": h, "h": np.zeros(256, np.uint32)},
    (2,),
    (128,),
    {"h": np.bincount(h, minlength=256).astype(np.uint32)},
)

a, b = normals(40, 36), normals(36, 44, seed=2)
build(
    "sgemm_tiled",
    r"""
extern "C" __global__ void k(int M, int N, int K, const float *a, const float *b, float *c) { __shared__ float A[16][17], B[16][17]; int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * 16 + ty, q = blockIdx.x * 16 + tx; float s = 0;
  for (int t = 0; t < K; t += 16) { A[ty][tx] = r < M && t + tx < K ? a[r * K + t + tx] : 0.f; B[ty][tx] = q < N && t + ty < K ? b[(t + ty) * N + q] : 0.f; __syncthreads();
  #pragma unroll
  for (int j = 0; j < 16; j++) s += A[ty][j] * B[j][tx]; __syncthreads(); } if (r < M && q < N) c[r * N + q] = s; }""",
    {"M": 40, "N": 44, "K": 36, "a": a, "b": b, "c": np.zeros((40, 44), F4)},
    (3, 3),
    (16, 16),
    {"c": (wide(a) @ wide(b)).astype(F4)},
    {"c": [1e-5, 1e-5]},
)

WM = "#include <mma.h>\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\nusing namespace nvcuda;\n"


def wm(name, ty, acc, m, n, kk, dt, adt, ts, tol, bt=None, layb="row_major"):
    K = kk * 2
    rg = (
        (lambda s, *z: rng(s).integers(-8, 8, z).astype(dt))
        if np.dtype(dt).kind == "i"
        else (lambda s, *z: normals(*z, seed=s, dt=dt))
    )
    a, b = rg(1, m, K), rg(2, K, n)
    e = (
        (a.astype(np.int64) @ b.astype(np.int64)).astype(adt)
        if np.dtype(dt).kind == "i"
        else (wide(a) @ wide(b)).astype(adt)
    )
    cvt = (
        "for (int i = 0; i < A.num_elements; i++) A.x[i] = wmma::__float_to_tf32(A.x[i]); for (int i = 0; i < B.num_elements; i++) B.x[i] = wmma::__float_to_tf32(B.x[i]);"
        if "tf32" in ty
        else ""
    )
    mem = "float" if "tf32" in ty else ty
    build(
        name,
        WM
        + f'extern "C" __global__ void k(const {mem} *a, const {mem} *b, {acc} *c) {{ wmma::fragment<wmma::matrix_a, {m}, {n}, {kk}, {ty}, wmma::row_major> A; wmma::fragment<wmma::matrix_b, {m}, {n}, {kk}, {ty}, wmma::row_major> B; wmma::fragment<wmma::accumulator, {m}, {n}, {kk}, {acc}> C; wmma::fill_fragment(C, ({acc})0); for (int t = 0; t < {K}; t += {kk}) {{ wmma::load_matrix_sync(A, a + t, {K}); wmma::load_matrix_sync(B, b + t * {n}, {n}); {cvt} wmma::mma_sync(C, A, B, C); }} wmma::store_matrix_sync(c, C, {n}, wmma::mem_row_major); }}',
        {"a": a, "b": b, "c": np.zeros((m, n), adt)},
        (1,),
        (32,),
        {"c": e},
        {"c": tol},
        targets=ts,
    )


wm("wmma_f16_f32", "half", "float", 16, 16, 16, np.float16, F4, (75, 80, 90), [1e-5, 1e-4])
wm("wmma_f16_f16", "half", "half", 16, 16, 16, np.float16, np.float16, (75, 80, 90), [2e-3, 2e-2])
wm("wmma_f16_tall", "half", "float", 32, 8, 16, np.float16, F4, (75, 80, 90), [1e-5, 1e-4])
wm("wmma_bf16", "__nv_bfloat16", "float", 16, 16, 16, BF16, F4, (80, 90), [1e-5, 1e-4])
wm("wmma_tf32", "wmma::precision::tf32", "float", 16, 16, 8, F4, F4, (80, 90), [3e-3, 3e-2])
wm("wmma_s8", "signed char", "int", 16, 16, 16, np.int8, np.int32, (75, 80, 90), [0, 0])
wm("wmma_f64", "double", "double", 8, 8, 4, np.float64, np.float64, (80, 90), [1e-13, 1e-13])

a, b = normals(16, 16, dt=np.float16), normals(8, 16, seed=2, dt=np.float16)
build(
    "mma_ldmatrix",
    r"""#include <cuda_fp16.h>
extern "C" __global__ void k(const half *a, const half *b, float *c) { __shared__ alignas(16) half A[16 * 16], B[8 * 16]; int t = threadIdx.x; for (int i = t; i < 256; i += 32) A[i] = a[i]; for (int i = t; i < 128; i += 32) B[i] = b[i]; __syncwarp();
 unsigned pa = __cvta_generic_to_shared(A + (t % 16) * 16 + (t / 16) * 8), pb = __cvta_generic_to_shared(B + (t % 8) * 16 + (t / 8 % 2) * 8), x0, x1, x2, x3, y0, y1; float d[4] = {0, 0, 0, 0};
 asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(x0), "=r"(x1), "=r"(x2), "=r"(x3) : "r"(pa)); asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(y0), "=r"(y1) : "r"(pb));
 asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x0), "r"(x1), "r"(y0));
 asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x2), "r"(x3), "r"(y1));
 int r = t / 4, q = t % 4 * 2; c[r * 8 + q] = d[0]; c[r * 8 + q + 1] = d[1]; c[(r + 8) * 8 + q] = d[2]; c[(r + 8) * 8 + q + 1] = d[3]; }""",
    {"a": a, "b": b, "c": np.zeros((16, 8), F4)},
    (1,),
    (32,),
    {"c": (wide(a) @ wide(b).T).astype(F4)},
    {"c": [1e-5, 1e-5]},
)
a, b = (
    rng(1).integers(-128, 128, (16, 32)).astype(np.int8),
    rng(2).integers(-128, 128, (8, 32)).astype(np.int8),
)
build(
    "mma_s8",
    r"""extern "C" __global__ void k(const int *a, const int *b, int *c) { int t = threadIdx.x, r = t / 4, q = t % 4, d[4] = {0, 0, 0, 0};
 asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a[r * 8 + q]), "r"(a[(r + 8) * 8 + q]), "r"(a[r * 8 + q + 4]), "r"(a[(r + 8) * 8 + q + 4]), "r"(b[r * 8 + q]), "r"(b[r * 8 + q + 4]));
 c[r * 8 + q * 2] = d[0]; c[r * 8 + q * 2 + 1] = d[1]; c[(r + 8) * 8 + q * 2] = d[2]; c[(r + 8) * 8 + q * 2 + 1] = d[3]; }""",
    {"a": a, "b": b, "c": np.zeros((16, 8), np.int32)},
    (1,),
    (32,),
    {"c": a.astype(np.int32) @ b.astype(np.int32).T},
    targets=(80, 90),
)
a, b = (
    rng(1).integers(0, 2**32, (16, 8)).astype(np.uint32),
    rng(2).integers(0, 2**32, (8, 8)).astype(np.uint32),
)
e = np.array(
    [[sum(bin(int(u & v)).count("1") for u, v in zip(r, q, strict=False)) for q in b] for r in a],
    np.int32,
)
build(
    "mma_b1",
    r"""extern "C" __global__ void k(const int *a, const int *b, int *c) { int t = threadIdx.x, r = t / 4, q = t % 4, d[4] = {0, 0, 0, 0};
 asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a[r * 8 + q]), "r"(a[(r + 8) * 8 + q]), "r"(a[r * 8 + q + 4]), "r"(a[(r + 8) * 8 + q + 4]), "r"(b[r * 8 + q]), "r"(b[r * 8 + q + 4]));
 c[r * 8 + q * 2] = d[0]; c[r * 8 + q * 2 + 1] = d[1]; c[(r + 8) * 8 + q * 2] = d[2]; c[(r + 8) * 8 + q * 2 + 1] = d[3]; }""",
    {"a": a, "b": b, "c": np.zeros((16, 8), np.int32)},
    (1,),
    (32,),
    {"c": e},
    targets=(80, 90),
)

a, b = normals(16, 32, dt=E4M3), normals(8, 32, seed=2, dt=E4M3)
build(
    "mma_fp8",
    r"""extern "C" __global__ void k(const int *a, const int *b, float *c) { int t = threadIdx.x, r = t / 4, q = t % 4; float d[4] = {0, 0, 0, 0};
 asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[r * 8 + q]), "r"(a[(r + 8) * 8 + q]), "r"(a[r * 8 + q + 4]), "r"(a[(r + 8) * 8 + q + 4]), "r"(b[r * 8 + q]), "r"(b[r * 8 + q + 4]));
 c[r * 8 + q * 2] = d[0]; c[r * 8 + q * 2 + 1] = d[1]; c[(r + 8) * 8 + q * 2] = d[2]; c[(r + 8) * 8 + q * 2 + 1] = d[3]; }""",
    {"a": a, "b": b, "c": np.zeros((16, 8), F4)},
    (1,),
    (32,),
    {"c": (wide(a) @ wide(b).T).astype(F4)},
    {"c": [1e-2, 1e-2]},
    targets=(90,),
)

x = normals(512)
build(
    "async_copy",
    r"""#include <cuda_pipeline.h>
extern "C" __global__ void k(const float *x, float *y, int n) { __shared__ alignas(16) float s[2][256]; int t = threadIdx.x; __pipeline_memcpy_async(&s[0][t * 4], x + t * 4, 16); __pipeline_commit();
 for (int i = 0; i < n / 256; i++) { if ((i + 1) * 256 < n) __pipeline_memcpy_async(&s[(i + 1) & 1][t * 4], x + (i + 1) * 256 + t * 4, 16); __pipeline_commit(); __pipeline_wait_prior(1); __syncthreads(); for (int j = t; j < 256; j += 64) y[i * 256 + j] = s[i & 1][255 - j] * 2; __syncthreads(); } }""",
    {"x": x, "y": np.zeros_like(x), "n": 512},
    (1,),
    (64,),
    {"y": (x.reshape(2, 256)[:, ::-1] * 2).reshape(-1)},
    targets=(75, 80, 90),
)
build(
    "barrier_pipeline",
    r"""#include <cuda/barrier>
extern "C" __global__ void k(const float *x, float *y) { __shared__ cuda::barrier<cuda::thread_scope_block> bar; __shared__ alignas(16) float s[128]; int t = threadIdx.x; if (t == 0) init(&bar, blockDim.x); __syncthreads(); cuda::memcpy_async(&s[t], x + t, sizeof(float), bar); bar.arrive_and_wait(); y[t] = s[127 - t]; }""",
    {"x": x[:128], "y": np.zeros(128, F4)},
    (1,),
    (128,),
    {"y": x[:128][::-1].copy()},
    targets=(80, 90),
)
build(
    "bulk_copy",
    r"""
extern "C" __global__ void k(const float *x, float *y) { __shared__ alignas(16) float s[256]; __shared__ alignas(8) unsigned long long bar; unsigned b = __cvta_generic_to_shared(&bar), d = __cvta_generic_to_shared(s); int t = threadIdx.x;
 if (t == 0) { asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(b)); asm volatile("fence.mbarrier_init.release.cluster;"); } __syncthreads();
 if (t == 0) { asm volatile("{ .reg .b64 st; mbarrier.arrive.expect_tx.shared.b64 st, [%0], 1024; }" :: "r"(b) : "memory"); asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" :: "r"(d), "l"(x + blockIdx.x * 256), "r"(b) : "memory"); }
 asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @p bra D; bra L; D: }" :: "r"(b) : "memory");
 for (int i = t; i < 128; i += 64) { float v = s[i]; s[i] = s[255 - i]; s[255 - i] = v; } asm volatile("fence.proxy.async.shared::cta;"); __syncthreads();
 if (t == 0) { asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" :: "l"(y + blockIdx.x * 256), "r"(d) : "memory"); asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory"); } }""",
    {"x": x, "y": np.zeros_like(x)},
    (2,),
    (64,),
    {"y": x.reshape(2, 256)[:, ::-1].reshape(-1).copy()},
    targets=(90,),
)

a, b = normals(64, 16, dt=np.float16), normals(8, 16, seed=2, dt=np.float16)


def core(m):
    return np.ascontiguousarray(
        m.reshape(m.shape[0] // 8, 8, 2, 8).transpose(2, 0, 1, 3)
    )  # K-major core matrices: [k half][row group][8][8]


build(
    "wgmma_m64n8k16",
    r"""#include <cuda_fp16.h>
__device__ unsigned long long desc(const void *p, unsigned lead, unsigned stride) { unsigned a = __cvta_generic_to_shared(p); return (unsigned long long)((a & 0x3ffff) >> 4) | ((unsigned long long)(lead >> 4) << 16) | ((unsigned long long)(stride >> 4) << 32); }
extern "C" __global__ void k(const half *a, const half *b, float *c) { __shared__ alignas(128) half A[1024], B[128]; int t = threadIdx.x; for (int i = t; i < 1024; i += 128) A[i] = a[i]; if (t < 128) B[t] = b[t]; asm volatile("fence.proxy.async.shared::cta;"); __syncthreads(); float d[4] = {0, 0, 0, 0};
 asm volatile("wgmma.fence.sync.aligned;"); asm volatile("{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, p, 1, 1, 0, 0; }" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(desc(A, 1024, 128)), "l"(desc(B, 128, 128)));
 asm volatile("wgmma.commit_group.sync.aligned;"); asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); int w = t / 32, l = t % 32, r = w * 16 + l / 4, q = l % 4 * 2; c[r * 8 + q] = d[0]; c[r * 8 + q + 1] = d[1]; c[(r + 8) * 8 + q] = d[2]; c[(r + 8) * 8 + q + 1] = d[3]; }""",
    {"a": core(a), "b": core(b), "c": np.zeros((64, 8), F4)},
    (1,),
    (128,),
    {"c": (wide(a) @ wide(b).T).astype(F4)},
    {"c": [1e-5, 1e-5]},
    targets=(90,),
)

x = normals(128, dt=np.float16)
build(
    "half2_math",
    '#include <cuda_fp16.h>\nextern "C" __global__ void k(const half2 *x, half2 *y, half *m) { int i = threadIdx.x; half2 v = x[i]; half2 r = __hfma2(v, v, __float2half2_rn(0.5f)); r = __hmax2(r, __hmul2(v, __float2half2_rn(3.f))); y[i] = r; if (__hlt(__low2half(v), __high2half(v))) m[i] = hexp2(__low2half(v)); else m[i] = __hneg(__habs(__high2half(v))); }',
    {"x": x, "y": np.zeros_like(x), "m": np.zeros(64, np.float16)},
    (1,),
    (64,),
    {
        "y": np.maximum((wide(x) ** 2 + 0.5).astype(np.float16), (wide(x) * 3).astype(np.float16)),
        "m": np.where(x[::2] < x[1::2], np.exp2(wide(x[::2])), -np.abs(wide(x[1::2]))).astype(
            np.float16
        ),
    },
    {"y": [0, 0], "m": [2e-3, 1e-3]},
)
xb = normals(128, dt=BF16)
build(
    "bf16_math",
    '#include <cuda_bf16.h>\nextern "C" __global__ void k(const __nv_bfloat162 *x, __nv_bfloat162 *y, float *z) { int i = threadIdx.x; __nv_bfloat162 v = x[i]; y[i] = __hfma2(v, v, v); z[i] = __bfloat162float(__hadd(v.x, v.y)) + (v.x > v.y ? 1.f : 0.f); }',
    {"x": xb, "y": np.zeros_like(xb), "z": np.zeros(64, F4)},
    (1,),
    (64,),
    {
        "y": (wide(xb) ** 2 + wide(xb)).astype(F4).astype(BF16),
        "z": (
            (wide(xb[::2]) + wide(xb[1::2])).astype(F4).astype(BF16).astype(F4)
            + (xb[::2] > xb[1::2])
        ).astype(F4),
    },
    {"y": [0, 0]},
    targets=(80, 90),
)
x = normals(128) * 20
build(
    "fp8_convert",
    '#include <cuda_fp8.h>\nextern "C" __global__ void k(const float2 *x, __nv_fp8x2_e4m3 *q, __nv_fp8x2_e5m2 *p, float2 *y) { int i = threadIdx.x; q[i] = __nv_fp8x2_e4m3(x[i]); p[i] = __nv_fp8x2_e5m2(x[i]); y[i] = float2(q[i]); }',
    {"x": x, "q": np.zeros(128, E4M3), "p": np.zeros(128, E5M2), "y": np.zeros(128, F4)},
    (1,),
    (64,),
    {"q": x.astype(E4M3), "p": x.astype(E5M2), "y": x.astype(E4M3).astype(F4)},
    targets=(75, 80, 90),
)

p = normals(64, 4)
d = p[None, :, :3].astype(float) - p[:, None, :3]
e = (d * (((d**2).sum(-1) + 0.01) ** -1.5 * np.abs(p[:, 3]))[..., None]).sum(1)
out = np.zeros((64, 4), F4)
build(
    "nbody",
    'extern "C" __global__ void k(int n, const float4 *p, float4 *a) { __shared__ float4 s[32]; float4 me = p[blockIdx.x * 32 + threadIdx.x]; float3 f = {0, 0, 0}; for (int j = 0; j < n; j += 32) { s[threadIdx.x] = p[j + threadIdx.x]; __syncwarp(); for (int q = 0; q < 32; q++) { float4 o = s[q]; float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z, r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f); r = r * r * r * fabsf(o.w); f.x += dx * r; f.y += dy * r; f.z += dz * r; } __syncwarp(); } a[blockIdx.x * 32 + threadIdx.x] = make_float4(f.x, f.y, f.z, 0); }',
    {"n": 64, "p": p, "a": out},
    (2,),
    (32,),
    {"a": np.concatenate([e, np.zeros((64, 1))], 1).astype(F4)},
    {"a": [1e-4, 1e-3]},
)

S, K, T = (
    rng(i).uniform(a, b, 200).astype(F4) for i, a, b in ((1, 5, 30), (2, 1, 100), (3, 0.25, 10))
)
P = np.vectorize(lambda t: 0.5 * math.erfc(-t * 0.7071067811865476))
s8, k8, t8 = wide(S), wide(K), wide(T)
d1 = (np.log(s8 / k8) + (0.02 + 0.5 * 0.09) * t8) / (0.3 * np.sqrt(t8))
d2 = d1 - 0.3 * np.sqrt(t8)
C = s8 * P(d1) - k8 * np.exp(-0.02 * t8) * P(d2)
for nm, o in (("black_scholes", ()), ("black_scholes_fast", ("--use_fast_math",))):
    build(
        nm,
        'extern "C" __global__ void k(int n, const float *S, const float *K, const float *T, float *c, float r, float v) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { float q = sqrtf(T[i]), d1 = (logf(S[i] / K[i]) + (r + 0.5f * v * v) * T[i]) / (v * q), d2 = d1 - v * q; c[i] = S[i] * normcdff(d1) - K[i] * expf(-r * T[i]) * normcdff(d2); } }',
        {"n": 200, "S": S, "K": K, "T": T, "c": np.zeros(200, F4), "r": 0.02, "v": 0.3},
        (2,),
        (128,),
        {"c": C.astype(F4)},
        {"c": [1e-3, 1e-3]},
        options=o,
    )

o = np.arange(512)
cx = (o % 32) * 3.0 / 32 - 2
cy = (o // 32) * 2.0 / 16 - 1
X = np.zeros(512)
Y = np.zeros(512)
n = np.zeros(512, np.int32)
for _ in range(40):
    go = X * X + Y * Y <= 4
    t = X * X - Y * Y + cx
    Y = np.where(go, 2 * X * Y + cy, Y)
    X = np.where(go, t, X)
    n += go
build(
    "mandelbrot",
    'extern "C" __global__ void k(int *out) { int o = blockIdx.x * blockDim.x + threadIdx.x; double cx = (o % 32) * 3. / 32 - 2, cy = (o / 32) * 2. / 16 - 1, x = 0, y = 0; int n = 0; while (n < 40 && x * x + y * y <= 4) { double t = x * x - y * y + cx; y = 2 * x * y + cy; x = t; n++; } out[o] = n; }',
    {"out": np.zeros(512, np.int32)},
    (4,),
    (128,),
    {"out": n},
    {"out": [0, 1.1]},
)

dense = normals(40, 50) * (rng(2).random((40, 50)) < 0.2)
rows = np.concatenate([[0], np.cumsum((dense != 0).sum(1))]).astype(np.int32)
cols = np.nonzero(dense)[1].astype(np.int32)
vals = dense[dense != 0].astype(F4)
x = normals(50, seed=3)
build(
    "spmv_vector",
    'extern "C" __global__ void k(int n, const int *rows, const int *cols, const float *vals, const float *x, float *y) { int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x % 32; if (r >= n) return; float s = 0; for (int i = rows[r] + l; i < rows[r + 1]; i += 32) s += vals[i] * __ldg(x + cols[i]); for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d); if (l == 0) y[r] = s; }',
    {"n": 40, "rows": rows, "cols": cols, "vals": vals, "x": x, "y": np.zeros(40, F4)},
    (10,),
    (128,),
    {"y": dense.astype(F4) @ x},
    {"y": [1e-5, 1e-5]},
)

g = rng(5).integers(0, 60, (60, 3)).astype(np.int32)
r = np.arange(0, 181, 3, dtype=np.int32)
dep = np.full(60, -1, np.int32)
dep[[0, 7]] = 0
e = dep.copy()
nx = sorted({int(t) for i in (0, 7) for t in g[i] if dep[t] == -1})
e[nx] = 1
build(
    "bfs_step",
    'extern "C" __global__ void k(int n, const int *rows, const int *cols, int *depth, int level, int *next, int *count) { int v = blockIdx.x * blockDim.x + threadIdx.x; if (v < n && depth[v] == level) for (int i = rows[v]; i < rows[v + 1]; i++) if (atomicCAS(depth + cols[i], -1, level + 1) == -1) next[atomicAdd(count, 1)] = cols[i]; }',
    {
        "n": 60,
        "rows": r,
        "cols": g.reshape(-1),
        "depth": dep,
        "level": 0,
        "next": np.zeros(60, np.int32),
        "count": np.zeros(1, np.int32),
    },
    (1,),
    (64,),
    {"depth": e, "count": np.array([len(nx)], np.int32)},
)

xi = rng(1).integers(0, 1000, 128).astype(np.int32)
build(
    "bitonic_sort",
    'extern "C" __global__ void k(int *x) { extern __shared__ int s[]; int t = threadIdx.x; s[t] = x[t]; __syncthreads(); for (int k = 2; k <= blockDim.x; k *= 2) for (int j = k / 2; j; j /= 2) { int o = t ^ j; if (o > t && (s[t] > s[o]) == !(t & k)) { int v = s[t]; s[t] = s[o]; s[o] = v; } __syncthreads(); } x[t] = s[t]; }',
    {"x": xi},
    (1,),
    (128,),
    {"x": np.sort(xi)},
    shared=512,
)
x = normals(8, 100)
e = np.sort(-x, 1)[:, :5] * -1
build(
    "top_k",
    'extern "C" __global__ void k(int n, const float *x, float *y) { int t = threadIdx.x; const float *r = x + blockIdx.x * n; __shared__ unsigned char used[128]; for (int i = t; i < n; i += 32) used[i] = 0; __syncwarp(); for (int j = 0; j < 5; j++) { float m = -1e30f; int w = -1; for (int i = t; i < n; i += 32) if (!used[i] && r[i] > m) { m = r[i]; w = i; } for (int d = 16; d; d /= 2) { float a = __shfl_xor_sync(~0u, m, d); int b = __shfl_xor_sync(~0u, w, d); if (a > m) { m = a; w = b; } } if (t == 0) { y[blockIdx.x * 5 + j] = m; used[w] = 1; } __syncwarp(); } }',
    {"n": 100, "x": x, "y": np.zeros((8, 5), F4)},
    (8,),
    (32,),
    {"y": e},
)

x, w, b = normals(6, 96), normals(96, seed=2), normals(96, seed=3)
e = (x - x.mean(1, keepdims=True)) / np.sqrt(wide(x).var(1, keepdims=True) + 1e-5) * w + b
build(
    "layer_norm",
    R
    + 'extern "C" __global__ void k(int n, const float *x, const float *w, const float *b, float *y) { const float *r = x + blockIdx.x * n; float s = 0, q = 0; for (int i = threadIdx.x; i < n; i += 32) { s += r[i]; q += r[i] * r[i]; } s = __shfl_sync(~0u, warp_sum(s), 0) / n; q = __shfl_sync(~0u, warp_sum(q), 0) / n - s * s; float k = rsqrtf(q + 1e-5f); for (int i = threadIdx.x; i < n; i += 32) y[blockIdx.x * n + i] = (r[i] - s) * k * w[i] + b[i]; }',
    {"n": 96, "x": x, "w": w, "b": b, "y": np.zeros_like(x)},
    (6,),
    (32,),
    {"y": e.astype(F4)},
    {"y": [1e-4, 1e-5]},
)

q, kk, v = normals(32, 16), normals(48, 16, seed=2), normals(48, 16, seed=3)
s = wide(q) @ wide(kk).T * 0.25
pr = np.exp(s - s.max(1, keepdims=True))
e = pr / pr.sum(1, keepdims=True) @ wide(v)
build(
    "attention",
    'extern "C" __global__ void k(int S, const float *q, const float *k, const float *v, float *o, float scale) { const int D = 16; __shared__ float K[16][D], V[16][D]; int t = threadIdx.x; float Q[D], acc[D] = {}, m = -1e30f, l = 0; for (int d = 0; d < D; d++) Q[d] = q[t * D + d] * scale; for (int j = 0; j < S; j += 16) { for (int i = t; i < 16 * D; i += 32) { K[i / D][i % D] = k[j * D + i]; V[i / D][i % D] = v[j * D + i]; } __syncwarp(); for (int c = 0; c < 16; c++) { float s = 0; for (int d = 0; d < D; d++) s += Q[d] * K[c][d]; float n = fmaxf(m, s), p = __expf(s - n), a = __expf(m - n); l = l * a + p; for (int d = 0; d < D; d++) acc[d] = acc[d] * a + p * V[c][d]; m = n; } __syncwarp(); } for (int d = 0; d < D; d++) o[t * D + d] = acc[d] / l; }',
    {"S": 48, "q": q, "k": kk, "v": v, "o": np.zeros_like(q), "scale": 0.25},
    (1,),
    (32,),
    {"o": e.astype(F4)},
    {"o": [1e-4, 1e-4]},
)

x, w = normals(3, 12, 12), normals(4, 3, 3, 3, seed=2)
e = sum(
    np.einsum("chw,kc->khw", wide(x[:, r : r + 10, s : s + 10]), wide(w[:, :, r, s]))
    for r in range(3)
    for s in range(3)
)
build(
    "convolution_constant",
    '__constant__ float w[4 * 3 * 9];\nextern "C" __global__ void k(const float *x, float *y) { int i = threadIdx.y, j = threadIdx.x, f = blockIdx.x; float s = 0; for (int c = 0; c < 3; c++) for (int r = 0; r < 3; r++) for (int q = 0; q < 3; q++) s += x[(c * 12 + i + r) * 12 + j + q] * w[((f * 3 + c) * 3 + r) * 3 + q]; y[(f * 10 + i) * 10 + j] = s; }',
    {"x": x, "y": np.zeros((4, 10, 10), F4), "__w": w},
    (4,),
    (10, 10),
    {"y": e.astype(F4)},
    {"y": [1e-5, 1e-5]},
)

x = normals(200)


def philox(o):
    M = 0xFFFFFFFF
    c = [o.astype(np.uint64)] + [np.zeros_like(o, np.uint64)] * 3
    k0, k1 = 123, 0
    for _ in range(10):
        a, b = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [
            (b >> np.uint64(32)) ^ c[1] ^ np.uint64(k0),
            b & np.uint64(M),
            (a >> np.uint64(32)) ^ c[3] ^ np.uint64(k1),
            a & np.uint64(M),
        ]
        k0, k1 = (k0 + 0x9E3779B9) & M, (k1 + 0xBB67AE85) & M
    return c[0].astype(np.uint32)


bits = philox(np.arange(200))
y = np.where((bits >> np.uint32(8)) * F4(1 / 16777216) < F4(0.25), 0, x / F4(0.75)).astype(F4)
src = r"""__device__ uint4 philox(uint4 c, uint2 k) { for (int i = 0; i < 10; i++) { unsigned h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x, h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z; c = make_uint4(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0); k.x += 0x9E3779B9u; k.y += 0xBB67AE85u; } return c; }
extern "C" __global__ void k(int n, const float *x, float *y, float p, unsigned *bits) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; unsigned r = philox(make_uint4(i, 0, 0, 0), make_uint2(123, 0)).x; bits[i] = r; y[i] = (r >> 8) * (1.f / 16777216) < p ? 0.f : x[i] / (1 - p); }"""
build(
    "philox_dropout",
    src,
    {"n": 200, "x": x, "y": np.zeros_like(x), "p": 0.25, "bits": np.zeros(200, np.uint32)},
    (2,),
    (128,),
    {"bits": bits, "y": y},
    {"y": [1e-6, 0]},
)

x = normals(4, 64)
sc = np.abs(x).max(1) / F4(127)
q = np.clip(np.rint(x / sc[:, None]), -127, 127).astype(np.int8)
build(
    "quantize_dp4a",
    'extern "C" __global__ void k(const float *x, char4 *q, float *s, int *dot) { int t = threadIdx.x; const float *r = x + blockIdx.x * 64 + t * 4; float m = fmaxf(fmaxf(fabsf(r[0]), fabsf(r[1])), fmaxf(fabsf(r[2]), fabsf(r[3]))); for (int d = 8; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffff, m, d)); m /= 127.f; char4 v = make_char4(__float2int_rn(r[0] / m), __float2int_rn(r[1] / m), __float2int_rn(r[2] / m), __float2int_rn(r[3] / m)); q[blockIdx.x * 16 + t] = v; int a = __dp4a(*(int *)&v, *(int *)&v, 0); for (int d = 8; d; d /= 2) a += __shfl_xor_sync(0xffff, a, d); if (t == 0) { s[blockIdx.x] = m; dot[blockIdx.x] = a; } }',
    {"x": x, "q": np.zeros((4, 64), np.int8), "s": np.zeros(4, F4), "dot": np.zeros(4, np.int32)},
    (4,),
    (16,),
    {"q": q, "s": sc, "dot": (q.astype(np.int32) ** 2).sum(1).astype(np.int32)},
    {"s": [1e-6, 0]},
)

u = normals(16, 20)
e = u.copy()
e[1:-1, 1:-1] += F4(0.1) * (
    u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1] - 4 * u[1:-1, 1:-1]
)
build(
    "stencil_vector",
    'extern "C" __global__ void k(const float *u, float *v, int H, int W) { int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y; if (i < H && j < W) { float c = u[i * W + j]; v[i * W + j] = i && j && i < H - 1 && j < W - 1 ? c + 0.1f * (u[i * W + j - 1] + u[i * W + j + 1] + u[(i - 1) * W + j] + u[(i + 1) * W + j] - 4 * c) : c; } }',
    {"u": u, "v": np.zeros_like(u), "H": 16, "W": 20},
    (2, 2),
    (16, 8),
    {"v": e},
    {"v": [1e-5, 1e-6]},
)
x = normals(32, 48)
build(
    "transpose_padded",
    'extern "C" __global__ void k(const float *x, float *y, int M, int N) { __shared__ float s[16][17]; int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y; s[threadIdx.y][threadIdx.x] = x[i * N + j]; __syncthreads(); y[(blockIdx.x * 16 + threadIdx.y) * M + blockIdx.y * 16 + threadIdx.x] = s[threadIdx.x][threadIdx.y]; }',
    {"x": x, "y": np.zeros((48, 32), F4), "M": 32, "N": 48},
    (3, 2),
    (16, 16),
    {"y": x.T.copy()},
)

build(
    "grid_barrier",
    '#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\nextern "C" __global__ void k(int n, const int *x, int *part, int *y) { auto g = cg::this_grid(); int i = blockIdx.x * blockDim.x + threadIdx.x; int s = __reduce_add_sync(~0u, x[i]); if (threadIdx.x == 0) part[blockIdx.x] = s; g.sync(); int b = 0; for (int j = 0; j < blockIdx.x; j++) b += part[j]; y[i] = x[i] + b; }',
    {"n": 128, "x": xi, "part": np.zeros(4, np.int32), "y": np.zeros(128, np.int32)},
    (4,),
    (32,),
    {
        "y": (
            xi + np.repeat(np.concatenate([[0], xi.reshape(4, 32).sum(1).cumsum()[:-1]]), 32)
        ).astype(np.int32)
    },
    targets=(80, 90),
    more={"cooperative": True},
)
build(
    "cooperative_tiles",
    '#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;\nextern "C" __global__ void k(const int *x, int *y) { auto b = cg::this_thread_block(); auto t = cg::tiled_partition<8>(b); int v = x[b.thread_rank()]; int s = cg::reduce(t, v, cg::plus<int>()); auto c = cg::coalesced_threads(); if (t.thread_rank() == 0) y[b.thread_rank() / 8] = s + (int)c.size(); }',
    {"x": xi, "y": np.zeros(16, np.int32)},
    (1,),
    (128,),
    {"y": (xi.reshape(16, 8).sum(1) + 32).astype(np.int32)},
)
build(
    "cluster_sums",
    '#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\nextern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int *x, int *y) { __shared__ int s; auto c = cg::this_cluster(); int v = __reduce_add_sync(~0u, x[blockIdx.x * 32 + threadIdx.x]); if (threadIdx.x == 0) s = v; c.sync(); if (threadIdx.x == 0) y[blockIdx.x] = v * 1000 + *c.map_shared_rank(&s, c.block_rank() ^ 1); c.sync(); }',
    {"x": xi, "y": np.zeros(4, np.int32)},
    (4,),
    (32,),
    {"y": (lambda q: q * 1000 + q[[1, 0, 3, 2]])(xi.reshape(4, 32).sum(1)).astype(np.int32)},
    targets=(90,),
)
build(
    "function_table",
    'typedef int (*F)(int);\n__device__ __noinline__ int twice(int x) { return 2 * x; }\n__device__ __noinline__ int square(int x) { return x * x; }\n__device__ __noinline__ int minus(int x) { return -x; }\n__device__ F table[3] = {twice, square, minus};\nextern "C" __global__ void k(const int *x, int *y) { int i = threadIdx.x; y[i] = table[i % 3](x[i]); }',
    {"x": xi, "y": np.zeros(128, np.int32)},
    (1,),
    (128,),
    {
        "y": np.where(
            np.arange(128) % 3 == 0, 2 * xi, np.where(np.arange(128) % 3 == 1, xi * xi, -xi)
        ).astype(np.int32)
    },
)
build(
    "virtual_methods",
    'struct Shape { __device__ virtual float area() const = 0; };\nstruct Square : Shape { float s; __device__ Square(float x) : s(x) {} __device__ float area() const { return s * s; } };\nstruct Disc : Shape { float r; __device__ Disc(float x) : r(x) {} __device__ float area() const { return 3.0f * r * r; } };\nextern "C" __global__ void k(const float *x, float *y) { int i = threadIdx.x; Square a(x[i]); Disc b(x[i]); const Shape *p = i % 2 ? (const Shape *)&a : &b; y[i] = p->area(); }',
    {"x": x.reshape(-1)[:64], "y": np.zeros(64, F4)},
    (1,),
    (64,),
    {
        "y": np.where(
            np.arange(64) % 2, x.reshape(-1)[:64] ** 2, 3 * x.reshape(-1)[:64] ** 2
        ).astype(F4)
    },
    {"y": [1e-6, 1e-6]},
)
fib = [1, 1]
for _ in range(20):
    fib.append(fib[-1] + fib[-2])
build(
    "recursion",
    '__device__ __noinline__ int fib(int n) { return n < 2 ? 1 : fib(n - 1) + fib(n - 2); }\nextern "C" __global__ void k(int *y) { int i = threadIdx.x; y[i] = fib(i % 8); }',
    {"y": np.zeros(32, np.int32)},
    (1,),
    (32,),
    {"y": np.array([fib[i % 8] for i in range(32)], np.int32)},
)
build(
    "device_malloc",
    'extern "C" __global__ void k(const int *x, int *y) { int i = threadIdx.x; int *p = (int *)malloc(16 * sizeof(int)); for (int j = 0; j < 16; j++) p[j] = x[i] + j; int s = 0; for (int j = 0; j < 16; j++) s += p[j]; y[i] = s; free(p); }',
    {"x": xi, "y": np.zeros(128, np.int32)},
    (1,),
    (128,),
    {"y": (16 * xi + 120).astype(np.int32)},
)
build(
    "printf_args",
    'extern "C" int printf(const char *, ...);\nextern "C" __global__ void k(int *y) { int i = threadIdx.x; if (i < 2) printf("thread %d of %s: %f %llu\\n", i, "block", 1.5 * i, 1ull << 40); y[i] = i; }',
    {"y": np.zeros(32, np.int32)},
    (1,),
    (32,),
    {"y": np.arange(32, dtype=np.int32)},
)
build(
    "asserts",
    'extern "C" __global__ void k(const int *x, int *y) { int i = threadIdx.x; assert(x[i] >= 0); y[i] = x[i] + 1; }',
    {"x": xi, "y": np.zeros(128, np.int32)},
    (1,),
    (128,),
    {"y": xi + 1},
)

a = np.array([normals(4, seed=i) for i in range(3)])
build(
    "structures",
    'struct Ray { float3 o, d; }; struct Scene { const float *c; int n; struct { float r, k; } s[2]; };\nextern "C" __global__ void k(Scene s, const Ray *r, float *y) { int i = threadIdx.x; float3 o = r[i].o, d = r[i].d; float b = o.x * d.x + o.y * d.y + o.z * d.z, v = 0; for (int j = 0; j < s.n; j++) v += s.c[j] * s.s[j & 1].r; y[i] = b * s.s[1].k + v; }',
    {
        "s": {
            "struct": [
                {"ptr": "c"},
                {"i32": 3},
                {"struct": [{"f32": 2.0}, {"f32": 3.0}]},
                {"struct": [{"f32": 0.5}, {"f32": 4.0}]},
            ]
        },
        "r": normals(32, 6),
        "y": np.zeros(32, F4),
        "__c": normals(3, seed=9),
    },
    (1,),
    (32,),
    {
        "y": (
            (lambda r: (r[:, :3] * r[:, 3:]).sum(1))(normals(32, 6)) * 4
            + (normals(3, seed=9) * np.array([2, 0.5, 2], F4)).sum()
        ).astype(F4)
    },
    {"y": [1e-5, 1e-5]},
)
x8 = rng(1).standard_normal(64)
build(
    "special_f64",
    'extern "C" __global__ void k(const double *x, double *y) { int i = threadIdx.x; double v = x[i]; y[i] = sin(v) + exp(v) + log(fabs(v) + 1) + pow(fabs(v), 0.3) + 1 / v + sqrt(fabs(v)) + atan(v) + erf(v); }',
    {"x": x8, "y": np.zeros(64)},
    (1,),
    (64,),
    {
        "y": np.sin(x8)
        + np.exp(x8)
        + np.log(np.abs(x8) + 1)
        + np.abs(x8) ** 0.3
        + 1 / x8
        + np.sqrt(np.abs(x8))
        + np.arctan(x8)
        + np.array([math.erf(t) for t in x8])
    },
    {"y": [1e-13, 1e-13]},
)
x4 = normals(64)
for nm, o in (("special_f32", ()), ("special_f32_fast", ("--use_fast_math",))):
    build(
        nm,
        'extern "C" __global__ void k(const float *x, float *y) { int i = threadIdx.x; float v = x[i]; y[i] = sinf(v) + cosf(v) + expf(v) + logf(fabsf(v) + 1) + powf(fabsf(v), 0.3f) + 1 / v + sqrtf(fabsf(v)) + rsqrtf(fabsf(v)) + tanhf(v) + exp2f(v); }',
        {"x": x4, "y": np.zeros(64, F4)},
        (1,),
        (64,),
        {
            "y": (
                lambda v: (
                    np.sin(v)
                    + np.cos(v)
                    + np.exp(v)
                    + np.log(np.abs(v) + 1)
                    + np.abs(v) ** 0.3
                    + 1 / v
                    + np.sqrt(np.abs(v))
                    + np.abs(v) ** -0.5
                    + np.tanh(v)
                    + np.exp2(v)
                )
            )(wide(x4)).astype(F4)
        },
        {"y": [2e-5, 2e-4 if o else 1e-5]},
        options=o,
    )
m = rng(1).integers(0, 2**32, (64, 4)).astype(np.uint32)
build(
    "big_integers",
    'typedef unsigned __int128 u128;\nextern "C" __global__ void k(const unsigned long long *a, unsigned long long *y) { int i = threadIdx.x; u128 p = (u128)a[2 * i] * a[2 * i + 1]; u128 s = p + a[2 * i]; y[2 * i] = (unsigned long long)s; y[2 * i + 1] = (unsigned long long)(s >> 64); }',
    {"a": m, "y": np.zeros((64, 2), np.uint64)},
    (1,),
    (64,),
    {
        "y": np.array(
            [
                [
                    (lambda s: s & (2**64 - 1))(int(p) * int(q) + int(p)),
                    (int(p) * int(q) + int(p)) >> 64,
                ]
                for p, q in m.reshape(-1).view(np.uint64).reshape(64, 2)
            ],
            np.uint64,
        )
    },
    options=("--device-int128",),
)

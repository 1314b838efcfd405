// Rates: many warps, or one warp without dependences, between two readings of the clock.
//     nvcc -arch=sm_90 -ptx -lineinfo -o throughput.ptx throughput.cu

typedef unsigned long long u64;

#define REPEAT4(x) x x x x
#define REPEAT16(x) REPEAT4(REPEAT4(x))

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

extern "C" __global__ void barrier_rate(unsigned times, long long *cycles)
{
    __syncthreads();
    long long begin = clock64();
    for (unsigned i = 0; i < times; i++)
        __syncthreads();
    if (threadIdx.x == 0)
        cycles[0] = clock64() - begin;
}

// A warp that loads words `stride` apart from the L1, again and again.
extern "C" __global__ void l1_stride(const unsigned *buffer, unsigned stride, unsigned times,
                                     long long *cycles, unsigned *sink)
{
    const unsigned *p = buffer + threadIdx.x % 32 * stride;
    unsigned sum = *p;
    __syncthreads();
    long long begin = clock64();
    for (unsigned i = 0; i < times; i++) {
        REPEAT16({ unsigned word;
            asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(word) : "l"(p)); sum += word; })
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

// Every thread adds one to the same word.
extern "C" __global__ void atomic_same(unsigned *counter, unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        atomicAdd(counter, threadIdx.x + i);
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

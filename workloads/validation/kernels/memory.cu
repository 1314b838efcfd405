// What only goes through the memory system: copies by width, fills, gathers, atomics.
//     nvcc -arch=sm_90 -ptx -lineinfo -o memory.ptx memory.cu

extern "C" __global__ void copy_bytes(const unsigned char *from, unsigned char *to, unsigned count)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = from[i];
}

extern "C" __global__ void copy_words(const unsigned *from, unsigned *to, unsigned count)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = from[i];
}

extern "C" __global__ void fill(float4 *to, unsigned count, float value)
{
    unsigned step = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        to[i] = make_float4(value, value, value, value);
}

// Every element is read from where `places` says.
extern "C" __global__ void gather(const float *from, const unsigned *places, float *to,
                                  unsigned count)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = from[places[i]];
}

// A histogram with atomics of global memory.
extern "C" __global__ void count_global(const unsigned *keys, unsigned *counts, unsigned count)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        atomicAdd(counts + keys[i], 1);
}

// Words `pitch` apart: with eight or more every lane's store is a sector of its own.
extern "C" __global__ void store_apart(unsigned *to, unsigned count, unsigned pitch)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[(size_t)i * pitch] = i;
}

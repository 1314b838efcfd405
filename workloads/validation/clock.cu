// The clock of a GPU while it works, and what a launch costs that does nothing.
//     nvcc -arch=sm_90 -ptx -lineinfo -o clock.ptx clock.cu

__device__ unsigned long long nanoseconds()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

// Works for some time; elapsed[0] are the cycles and elapsed[1] the nanoseconds of block 0.
extern "C" __global__ void spin(unsigned long long wanted, unsigned long long *elapsed)
{
    unsigned long long begin = nanoseconds(), now = begin;
    long long cycles = clock64();
    while (now - begin < wanted)
        now = nanoseconds();
    cycles = clock64() - cycles;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        elapsed[0] = cycles;
        elapsed[1] = now - begin;
    }
}

extern "C" __global__ void nothing()
{
}

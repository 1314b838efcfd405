// A loop whose condition is a chain of && and ||, with a goto out of its middle.
//
// Each && and || is a branch of its own, and they share their targets: the paths meet at blocks that
// are no immediate post-dominator of any of the branches.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o short_circuit.ptx short_circuit.cu

__device__ unsigned next(unsigned x)
{
    return x * 1664525u + 1013904223u;
}

extern "C" __global__ void short_circuit(
    const unsigned *seeds, const unsigned *table, unsigned *results, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = seeds[i], sum = 0;
    for (int round = 0; round < rounds; round++) {
        x = next(x);
        if ((table[x >> 24] & 3) != 0 &&
            (table[(x >> 16) & 255] % 5 != 0 || table[(x >> 8) & 255] % 7 == 0) &&
            (table[(x >> 20) & 255] % 3 != 0 || table[(x >> 12) & 255] % 11 == 0)) {
            sum += table[(x >> 10) & 255] ^ x;
            if (sum % 61 == 0)
                goto enough;
            sum += table[sum & 255] >> 3;
        } else {
            sum ^= table[(sum >> 5) & 255];
            sum = next(sum);
        }
    }
    sum = next(sum ^ table[sum & 255]);
    results[i] = sum;
    return;
enough:
    results[i] = ~sum;
}

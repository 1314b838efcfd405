// A search loop that is left in three ways, to three different places.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o two_breaks.ptx two_breaks.cu

extern "C" __global__ void two_breaks(
    const unsigned *seeds, const unsigned *table, unsigned *results, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = seeds[i], result = 0;
    for (int round = 0; round < rounds; round++) {
        x = x * 1664525u + 1013904223u;
        unsigned value = table[x >> 24];
        if (value % 29 == 0)
            goto rare;
        result += value;
        if (table[result & 255] % 31 == 0)
            goto even_rarer;
        result ^= table[(result >> 8) & 255] << 3;
    }
    result += 1;
    goto done;
rare:
    for (int k = 0; k < 8; k++)
        result = result * 31 + table[(result >> k) & 255];
    goto done;
even_rarer:
    for (int k = 0; k < 8; k++)
        result = (result << 5 | result >> 27) ^ table[(result >> 3) & 255];
done:
    results[i] = result * 7 + x;
}

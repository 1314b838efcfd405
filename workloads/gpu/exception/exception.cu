// An error inside a nested loop: a goto leaves both loops for a handler, which a check behind the
// inner loop reaches too.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o exception.ptx exception.cu

extern "C" __global__ void exception(
    const unsigned *seeds, const unsigned *table, unsigned *results, int n, int outer, int inner)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = seeds[i], sum = 0;
    int a, b = 0;
    for (a = 0; a < outer; a++) {
        for (b = 0; b < inner; b++) {
            x = x * 1664525u + 1013904223u;
            unsigned value = table[x >> 24];
            if (value % 251 == 0)
                goto handler;
            sum += value;
            if (table[sum & 255] % 4 == 0)
                break;
        }
        sum = sum * 3 + table[(sum >> 7) & 255];
        if (sum % 127 == 0)
            goto handler;
    }
    results[i] = sum;
    return;
handler:
    for (int k = 0; k < 4; k++)
        sum = (sum ^ table[(sum + k) & 255]) * 2654435761u;
    results[i] = sum + a * 1000 + b;
}

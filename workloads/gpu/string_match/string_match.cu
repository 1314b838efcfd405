// Where a pattern stands in a text: a thread a place, which compares until a byte differs.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o string_match.ptx string_match.cu

extern "C" __global__ void string_match(
    const unsigned char *text, int n, const unsigned char *pattern, int m,
    unsigned char *found, int *count)
{
    int place = blockIdx.x * blockDim.x + threadIdx.x;
    if (place > n - m)
        return;
    int k = 0;
    while (k < m && text[place + k] == pattern[k])
        k++;
    if (k == m) {
        found[place] = 1;
        atomicAdd(count, 1);
    }
}

// Constant memory by an index: with mask 0 all lanes want one word, with mask 31 a word each.
//     nvcc -arch=sm_90 -ptx -lineinfo -o constants.ptx constants.cu

typedef unsigned u32;

__constant__ u32 table[64];

extern "C" __global__ void ldc_index(u32 *o, u32 mask, int n)
{
    u32 x = threadIdx.x, s = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int k = 0; k < 8; k++)
            s += table[(x & mask) + ((i + k) & 31)];
    }
    o[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

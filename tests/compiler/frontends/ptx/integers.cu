// nvcc -arch=sm_90 -ptx -lineinfo integers.cu -o integers.ptx
// Every integer operation that C and CUDA's integer functions reach; a column of `out` for each.

extern "C" __global__ void words(int *out, const int *a, const unsigned *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = a[i], *o = out + 32 * i;
    unsigned y = b[i];
    o[0] = x / 7;
    o[1] = x % (int)(y | 1);
    o[2] = y / 7;
    o[3] = y % (unsigned)(x | 1);
    o[4] = min(x, 3) + max(x, -5);
    o[5] = min(y, 3u) + max(y, 5u);
    o[6] = abs(x);
    o[7] = x >> (y & 31);
    o[8] = y >> 3;
    o[9] = x << (y & 31);
    o[10] = __mulhi(x, 77);
    o[11] = __umulhi(y, 77u);
    o[12] = __popc(y);
    o[13] = __clz(y);
    o[14] = __brev(y);
    o[15] = __ffs(y);
    o[16] = __funnelshift_l(y, x, 5);
    o[17] = __funnelshift_rc(y, x, y & 63);
    o[18] = __byte_perm(x, y, 0x3254);
    o[19] = __sad(x, 3, y);
    o[20] = __dp4a(x, (int)y, 1);
    o[21] = (short)x * 3 - (unsigned char)y;
    o[22] = ~(x & y) ^ (x | 5);
    o[23] = x < 3 ? -x : (y > 9u);
    o[24] = __mul24(x, (int)y);
    o[25] = x == (int)y || (x != 4 && x <= 1000);
}

extern "C" __global__ void longs(long long *out, const long long *a, const unsigned long long *b)
{
    int i = threadIdx.x;
    long long x = a[i], *o = out + 20 * i;
    unsigned long long y = b[i];
    o[0] = x / 7;
    o[1] = x % (long long)(y | 1);
    o[2] = y / 7;
    o[3] = y % 13;
    o[4] = min(x, 3ll) + max(x, -5ll);
    o[5] = x >> (y & 63);
    o[6] = y >> 5;
    o[7] = y << (x & 63);
    o[8] = __mul64hi(x, 77);
    o[9] = __umul64hi(y, 77);
    o[10] = __popcll(y) + __clzll(x);
    o[11] = __brevll(y);
    o[12] = x * (long long)y;
    o[13] = (long long)(int)x * (int)y;
    o[14] = x > (long long)y;
    o[15] = y < (unsigned long long)x;
    unsigned __int128 wide = (unsigned __int128)y * x + y - ((unsigned __int128)x << 40);
    o[16] = (long long)wide;
    o[17] = (long long)(wide >> 64);
    unsigned sum, carry;
    asm("add.cc.u32 %0, %2, %3; addc.u32 %1, 0, 0;" : "=r"(sum), "=r"(carry) : "r"((unsigned)x), "r"((unsigned)y));
    o[18] = sum + ((long long)carry << 32);
    o[19] = (short)x;
}

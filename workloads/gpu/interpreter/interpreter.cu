// An interpreter of a small stack machine: every thread runs one of several programs, to its HALT or
// for `limit` instructions.
//
// An instruction is a byte, PUSH and the jumps are followed by another one:
//     0 HALT   1 PUSH b   2 ADD   3 MUL   4 SUB   5 DUP   6 SWAP   7 XOR
//     8 LOOP b: take one from the counter; while it is not 0 go b bytes back
//     9 SKIP b: pop; if it is even go b bytes on
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o interpreter.ptx interpreter.cu

extern "C" __global__ void interpreter(
    const unsigned char *code, const int *starts, int programs, const unsigned *seeds,
    unsigned *results, int n, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned stack[8];
    int pc = starts[seeds[i] % programs], depth = 1, counter = 1 + i % 7;
    stack[0] = seeds[i];
    for (int k = 0; k < limit; k++) {
        switch (code[pc++]) {
        case 0:
            goto halt;
        case 1:
            stack[depth++ & 7] = code[pc++];
            break;
        case 2:
            depth--;
            stack[(depth - 1) & 7] += stack[depth & 7];
            break;
        case 3:
            depth--;
            stack[(depth - 1) & 7] *= stack[depth & 7];
            break;
        case 4:
            depth--;
            stack[(depth - 1) & 7] -= stack[depth & 7];
            break;
        case 5:
            stack[depth & 7] = stack[(depth - 1) & 7];
            depth++;
            break;
        case 6: {
            unsigned top = stack[(depth - 1) & 7];
            stack[(depth - 1) & 7] = stack[(depth - 2) & 7];
            stack[(depth - 2) & 7] = top;
            break;
        }
        case 7:
            depth--;
            stack[(depth - 1) & 7] ^= stack[depth & 7];
            break;
        case 8: {
            int back = code[pc++];
            if (--counter != 0)
                pc -= back;
            break;
        }
        case 9: {
            int on = code[pc++];
            depth--;
            if (stack[depth & 7] % 2 == 0)
                pc += on;
            break;
        }
        }
    }
halt:
    results[i] = stack[(depth - 1) & 7];
}

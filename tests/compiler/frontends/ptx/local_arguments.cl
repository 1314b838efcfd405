// __local parameters, for which the launch makes room;
// clang -target nvptx64-nvidia-nvcl -Xclang -finclude-default-header -cl-std=CL1.2 -Os -S local_arguments.cl
__kernel void reversed(__global const float *x, __local float *part, __global float *y,
                       __local double *more, int n)
{
    __local int last;
    int i = __nvvm_read_ptx_sreg_tid_x();
    part[i] = x[i];
    more[i] = i;
    if (i == 0)
        last = n - 1;
    __nvvm_bar_sync(0);
    y[i] = part[last - i] + more[last - i];
}

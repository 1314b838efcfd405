// y = a·x + y, one element a thread.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o saxpy.ptx saxpy.cu

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

// The triad of STREAM in f64: a = b + s·c, a grid-stride loop.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o triad.ptx triad.cu

extern "C" __global__ void triad(int n, double s, double *a, const double *b, const double *c)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        a[i] = b[i] + s * c[i];
}

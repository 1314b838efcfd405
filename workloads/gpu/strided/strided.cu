// Every so many-th element of an array, times a weight if there are weights: sizes are size_t, and
// a null pointer says that there are none.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o strided.ptx strided.cu

__global__ void gather(
    const float *x, const float *weights, float *result, size_t count, size_t stride)
{
    size_t step = (size_t)blockDim.x * gridDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        result[i] = weights ? x[i * stride] * weights[i] : x[i * stride];
}

// Convolution of an image with weights in constant memory, which the host fills before the launch
// (cudaMemcpyToSymbol).  All threads of a warp read the same weight at a time; outside of the image
// there is zero.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o convolution.ptx convolution.cu

const int MOST_RADIUS = 4;

__constant__ float weights[(2 * MOST_RADIUS + 1) * (2 * MOST_RADIUS + 1)];

__global__ void convolve(const float *image, float *result, int rows, int columns, int radius)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= rows)
        return;
    int width = 2 * radius + 1;
    float sum = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++)
            if (x + dx >= 0 && x + dx < columns && y + dy >= 0 && y + dy < rows)
                sum += weights[(dy + radius) * width + dx + radius]
                     * image[(y + dy) * columns + x + dx];
    result[y * columns + x] = sum;
}

// Heat in a plate, a time step a launch, between two arrays that change places (ping-pong): every
// inner point goes towards the mean of its four neighbours, the border stays as it is.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o heat.ptx heat.cu

__global__ void relax(const float *now, float *next, int rows, int columns, float rate)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= rows)
        return;
    int i = y * columns + x;
    float here = now[i];
    if (x > 0 && x < columns - 1 && y > 0 && y < rows - 1)
        here += rate * (now[i - columns] + now[i - 1] + now[i + 1] + now[i + columns] - 4 * here);
    next[i] = here;
}

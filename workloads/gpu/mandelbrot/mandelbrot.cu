// Iterations of z = z² + c until |z| exceeds 2, for every point of a grid, in f64.  The intrinsics
// keep nvcc from fusing multiplications and additions, so the counts are exact.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o mandelbrot.ptx mandelbrot.cu

extern "C" __global__ void mandelbrot(
    int *counts, int width, int height, double left, double top, double step, int limit)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height)
        return;
    double x0 = __dadd_rn(left, __dmul_rn(column, step));
    double y0 = __dsub_rn(top, __dmul_rn(row, step));
    double x = 0, y = 0;
    int count = 0;
    while (count < limit) {
        double xx = __dmul_rn(x, x), yy = __dmul_rn(y, y);
        if (__dadd_rn(xx, yy) > 4)
            break;
        y = __dadd_rn(__dmul_rn(__dmul_rn(2, x), y), y0);
        x = __dadd_rn(__dsub_rn(xx, yy), x0);
        count++;
    }
    counts[row * width + column] = count;
}

// A window of a picture is copied, scaled and set into another one.  What a picture is, and where
// the window lies in it, are structures that the kernel gets by value.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o window.ptx window.cu

struct Picture {
    float *data;
    int rows, columns;
    size_t pitch;
};

struct Window {
    short row, column;
    Picture of;
    bool mirrored;
};

struct __align__(16) Tone {
    double scale;
    float shift, limits[2];
};

__global__ void paste(Window from, Window to, int rows, int columns, Tone tone)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= rows)
        return;
    int source = from.mirrored ? columns - 1 - x : x, target = to.mirrored ? columns - 1 - x : x;
    float value = from.of.data[(from.row + y) * from.of.pitch + from.column + source];
    value = fminf(fmaxf(value * tone.scale + tone.shift, tone.limits[0]), tone.limits[1]);
    if (to.row + y < to.of.rows && to.column + target < to.of.columns)
        to.of.data[(to.row + y) * to.of.pitch + to.column + target] = value;
}

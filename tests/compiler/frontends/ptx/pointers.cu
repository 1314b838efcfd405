// Pointers in memory and in structures; nvcc -arch=sm_70 or later -ptx pointers.cu
struct Cell { const float *data; int count; };
struct Outer { Cell cell; double scale; float **rows; };
struct Node { Node *next; int value; };

extern "C" __global__ void sum_rows(float **rows, const int *lengths, int n, float *out)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    if (rows[i])
        for (int j = 0; j < lengths[i]; ++j)
            sum += rows[i][j];
    out[i] = sum;
}

extern "C" __global__ void sum_cells(const Cell *cells, int n, Outer o, float *out)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = 0; j < cells[i].count; ++j)
        sum += cells[i].data[j];
    out[i] = sum * (float)o.scale + o.cell.data[o.cell.count] + o.rows[i][0];
}

extern "C" __global__ void walk(const Node *first, int *out)
{
    int digits = 0;
    for (; first; first = first->next)
        digits = 10 * digits + first->value;
    *out = digits;
}

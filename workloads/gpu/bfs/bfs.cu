// Breadth-first search, a level a launch: a thread a vertex, which goes through the neighbours of
// its vertex if that was reached in the level before.  `depth` is -1 for vertices not reached yet.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o bfs.ptx bfs.cu

extern "C" __global__ void bfs_start(int *depth, int vertices, int start)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < vertices)
        depth[v] = v == start ? 0 : -1;
}

extern "C" __global__ void bfs_level(
    const int *rows, const int *columns, int *depth, int vertices, int level, int *changed)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices || depth[v] != level)
        return;
    for (int e = rows[v]; e < rows[v + 1]; e++) {
        int w = columns[e];
        if (depth[w] < 0) {
            depth[w] = level + 1;
            *changed = 1;
        }
    }
}

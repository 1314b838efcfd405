// Breadth-first search with a frontier, two launches a level until nothing changes: the vertices of
// the frontier mark those they reach, then the marked ones become the next frontier.  Only the
// second kernel says that there is more to do, in a flag that the host reads after every level.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o frontier.ptx frontier.cu

struct Graph {
    const int *rows, *columns;
    int vertices;
};

__global__ void begin(bool *frontier, bool *visited, int *cost, int start)
{
    frontier[start] = visited[start] = true;
    cost[start] = 0;
}

__global__ void visit(Graph graph, bool *frontier, bool *reached, const bool *visited, int *cost)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= graph.vertices || !frontier[v])
        return;
    frontier[v] = false;
    for (int e = graph.rows[v]; e < graph.rows[v + 1]; e++) {
        int w = graph.columns[e];
        if (!visited[w]) {
            cost[w] = cost[v] + 1;
            reached[w] = true;
        }
    }
}

__global__ void advance(int vertices, bool *frontier, bool *reached, bool *visited, bool *more)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices || !reached[v])
        return;
    frontier[v] = visited[v] = true;
    reached[v] = false;
    *more = true;
}

// Bitonic sort.  A block keeps 1024 elements in shared memory for every step whose partners are in
// them; steps over longer distances go through memory, a launch each.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o bitonic_sort.ptx bitonic_sort.cu

const int PART = 1024;   // elements of a block of 512 threads

// The lower of two partners: its distance bit is 0.
__device__ int lower(int thread, int distance)
{
    return (thread & ~(distance - 1)) * 2 + (thread & (distance - 1));
}

__device__ void in_order(int &low, int &high, bool ascending)
{
    if ((low > high) == ascending) {
        int kept = low;
        low = high;
        high = kept;
    }
}

// Steps `distance`, distance / 2, … 1 of the bitonic merge of `length` elements, within the block.
__device__ void merge(int *part, int length, int distance)
{
    for (; distance > 0; distance /= 2) {
        int i = lower(threadIdx.x, distance);
        bool ascending = ((blockIdx.x * PART + i) & length) == 0;
        __syncthreads();
        in_order(part[i], part[i + distance], ascending);
    }
    __syncthreads();
}

__device__ void load(int *part, const int *data)
{
    part[threadIdx.x] = data[blockIdx.x * PART + threadIdx.x];
    part[threadIdx.x + PART / 2] = data[blockIdx.x * PART + threadIdx.x + PART / 2];
}

__device__ void store(const int *part, int *data)
{
    data[blockIdx.x * PART + threadIdx.x] = part[threadIdx.x];
    data[blockIdx.x * PART + threadIdx.x + PART / 2] = part[threadIdx.x + PART / 2];
}

// Every block sorts its elements, in turn ascending and descending.
extern "C" __global__ void sort_parts(int *data)
{
    __shared__ int part[PART];
    load(part, data);
    for (int length = 2; length <= PART; length *= 2)
        merge(part, length, length / 2);
    store(part, data);
}

// One step over a distance of more than a block's elements.
extern "C" __global__ void merge_far(int *data, int length, int distance)
{
    int i = lower(blockIdx.x * blockDim.x + threadIdx.x, distance);
    in_order(data[i], data[i + distance], (i & length) == 0);
}

// The steps that are left after those.
extern "C" __global__ void merge_near(int *data, int length)
{
    __shared__ int part[PART];
    load(part, data);
    merge(part, length, PART / 2);
    store(part, data);
}
